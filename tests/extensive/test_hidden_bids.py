"""The game with hidden bids: counts, exact equilibria and what strategies are worth, proved by `verify`, which shares no code."""

import json
import random
import re
import signal
from _thread import interrupt_main
from fractions import Fraction
from itertools import count, permutations, product
from threading import Event, main_thread

import pytest
from games import check_game
from recursions import RULE_SETS
from runs import WAIT

import gops_exact as gx
from gops_exact.extensive import equilibrium, linear_program

highspy = pytest.importorskip("highspy")
HiddenBids = gx.hidden_bids.HiddenBids
approximate, security_level = gx.extensive.approximate, gx.extensive.security_level
exploitability = gx.exploitability

DESCENDING, RANDOM = gx.Rules(prizes="descending"), gx.Rules()
EVERY = [rules for rules in RULE_SETS if not rules.hidden]
SEEN = {"none": (False, False), "one": (True, False), "two": (False, True), "both": (True, True)}


# Four cards with prizes at random take long by other rules.
GAMES = [*product((2, 3), EVERY), *((4, rules) for rules in EVERY if rules.fixed), (4, RANDOM)]


@pytest.mark.parametrize(("n", "rules"), GAMES, ids=str)
def test_verify_proves_equilibria_with_hidden_bids(n, rules):
    found = gx.solve_game(HiddenBids(gx.Game(n, rules)))
    if (n, rules) == (4, RANDOM):
        form = found.game.form
        sizes = [(len(side.sets), len(side.forced), side.sequences) for side in form.sides]
        assert (sizes, form.leaves) == ([(1804, 6912, 3737)] * 2, 13824)
    assert found.value == 0 and found.row == found.column
    assert check_game(found.emit("json")).proved["value and strategies"] == 1


def test_hidden_bids_seen_by_both_players_leave_the_value_unchanged():
    # With both seeing all bids it is the game of the recursion.
    for prizes in permutations((1, 2, 3)):
        game = gx.Game(3, gx.Rules(prizes=prizes))
        assert gx.solve_game(HiddenBids(game, SEEN["both"])).value == gx.value(game.start)


# While the thread of HiGHS begins, and while the main thread waits for it.
@pytest.mark.parametrize("waiting", [False, True])
def test_interrupt_stops_the_linear_programming_solver_highs(waiting, monkeypatch):
    begun, stopped, awaited, ended = Event(), Event(), Event(), Event()

    class Watched(Event):
        """The event for which the main thread waits."""

        def wait(self, timeout=None):
            (awaited if stopped.is_set() else begun).set()
            return super().wait(timeout)

    def run(_):
        if waiting and hasattr(signal, "pthread_kill"):  # breaks off what waits in C, too
            begun.wait(WAIT)
            signal.pthread_kill(main_thread().ident, signal.SIGINT)
        else:
            interrupt_main()
        stopped.wait(WAIT)
        if awaited.wait(WAIT):  # HiGHS stops only now
            ended.set()

    monkeypatch.setattr(linear_program, "Event", Watched)
    monkeypatch.setattr(linear_program, "PATIENCE", WAIT)
    monkeypatch.setattr(highspy.Highs, "cancelSolve", lambda _: stopped.set())
    monkeypatch.setattr(highspy.Highs, "run", run)
    with pytest.raises(KeyboardInterrupt):
        gx.solve_game(HiddenBids(gx.Game(3)))
    assert ended.is_set()  # Python must not end while HiGHS runs


@pytest.mark.parametrize(
    ("game", "seen", "message"),
    [
        (gx.Game(5), "none", None),
        (gx.Game(5), "one", "4 with hidden bids and prizes random .* 1.2 million .* 12 min"),
        (gx.Game(6, DESCENDING), "both", "5 with .* in a known order .* 610 thousand .* 4 min"),
        (gx.Game(6, DESCENDING), "one", None),
    ],
    ids=str,
)
def test_solve_game_refuses_hidden_bids_that_take_hours_unless_forced(
    game, seen, message, monkeypatch
):
    def begin(_):
        raise InterruptedError

    monkeypatch.setattr(HiddenBids, "form", property(begin))
    hidden = HiddenBids(game, SEEN[seen])
    if message:
        refusal = rf"at most {message} on one core; near an equilibrium: --seconds, app"
        with pytest.raises(ValueError, match=refusal):
            gx.solve_game(hidden)
    with pytest.raises(InterruptedError):
        gx.solve_game(hidden, force=bool(message))


@pytest.mark.parametrize("rules", EVERY, ids=str)
@pytest.mark.parametrize("seen", [SEEN["none"], SEEN["one"], SEEN["two"]])
def test_guarantee_of_random_strategies_equals_the_verifiers(rules, seen):
    source, game = random.Random(f"{rules} {seen}"), HiddenBids(gx.Game(3, rules), seen)

    def mix(moves):
        weights = [source.randint(0, 3) for _ in moves]
        weights[0] += not any(weights)
        return {bid: Fraction(w, sum(weights)) for bid, w in zip(moves, weights, strict=True) if w}

    strategies = []
    for side in game.form.sides:
        strategy, reached = {}, {0}
        for name, ((before,), after) in side.sets.items():
            if before in reached:
                strategy[name] = mix(after)
                reached.update(after[bid] for bid in strategy[name])
        strategies.append(strategy)
    found = gx.extensive.Equilibrium.of(game, *strategies)
    low, high = security_level(game, strategies[0]), -security_level(game, strategies[1], 2)
    assert (found.least, found.most) == (low, high)
    assert exploitability(game, *strategies) == high - low >= 0
    assert check_game(found.emit("json")).proved["bounds"] == 1


GAME = HiddenBids(gx.Game(3, DESCENDING))
NO_STRATEGIES = [
    ({"4": {1: 1}}, "a strategy must be of information sets of the game, got '4'"),
    ({}, "3: expected probabilities of 1, 2, 3 with the sum 1, got none"),
    ({"3": {1: 2, 2: -1}}, "3: a probability must not be negative"),
    ({"3": {1: 1}}, "expected probabilities of 2, 3"),
    ({"3": {1: 0.5, 2: 0.4}}, "3: probabilities must have the sum 1, got {1: 0.5, 2: 0.4}"),
    ({"3": 1}, "'3' must be a mapping {move: probability}, got 1"),
]
NO_GAMES = [
    ((gx.Game(3, gx.Rules(prizes="hidden")),), "prizes must be random or in a"),
    ((gx.Game(7, DESCENDING),), "n must be at most 6, got 7"),
    ((gx.Game(6),), "n must be at most 5, got 6"),
    ((gx.Game(3), (1, 0)), "seen must be a pair of truth values, got (1, 0)"),
]


@pytest.mark.parametrize(("strategy", "message"), NO_STRATEGIES)
def test_security_level_with_hidden_bids_refuses_mappings_that_are_no_strategies(strategy, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        security_level(GAME, strategy)


@pytest.mark.parametrize(("given", "message"), NO_GAMES)
def test_game_with_hidden_bids_refuses_hidden_prizes_many_cards_and_numbers_as_truth_values(
    given, message
):
    with pytest.raises(ValueError, match=re.escape(message)):
        HiddenBids(*given)


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        (GAME, {"iterations": 0}, "iterations must be"),
        (GAME, {"seconds": -1}, "seconds must be positive, got -1"),
        (gx.Game(2), {"seconds": -1}, "seconds must be positive, got -1"),
        (gx.Game(2), {"progress": 1}, "progress must be a function"),
    ],
)
def test_learning_of_strategies_refuses_no_iterations_negative_seconds_and_numbers_as_progress(
    game, options, message
):
    with pytest.raises(ValueError, match=re.escape(message)):
        approximate(game, **options)


def test_who_sees_hidden_bids_may_be_given_as_a_list_or_a_tuple():
    game, same = (HiddenBids(gx.Game(3), kind((False, True))) for kind in (list, tuple))
    assert game == same and hash(game) == hash(same)


WIN = gx.solve_game(HiddenBids(gx.Game(4, gx.Rules("win", prizes="descending")))).document()
BIDS = WIN["row"]


def shifted(name):
    """The row strategy with a little more probability for one bid and less for another."""
    (one, two, *_), bids = BIDS[name], BIDS[name]
    little = Fraction(1, 10**30)
    moved = {one: str(Fraction(bids[one]) + little), two: str(Fraction(bids[two]) - little)}
    return BIDS | {name: bids | moved}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 9}, "n must be from 2 to 6, got 9"),
        ({"seen": [True] * 3}, "seen: expected at most 2 entries"),
        ({"row": BIDS | {"4:1- 9:9": {"1": "1"}}}, "row 4:1- 9:9: expected no such member"),
        ({"least": "0", "most": "0"}, "expected no such member"),
        *(
            ({"row": BIDS | {name: {"1": "1"}}}, f"{name!r} has probabilities, and is not reached")
            for name in ("3", "4:9- 3", "4:1- 3:2- 2:3- 1", "4:1+ 3")
        ),
        ({"row": {"4": BIDS["4"]}}, "is reached, and has no probabilities"),
        ({"value": "1/62"}, "does not have the value"),
        ({"row": shifted("4")}, "does not have the value"),
    ],
)
def test_verify_refuses_altered_hidden_bid_documents(change, message):
    try:
        told = "; ".join(check_game(json.dumps(WIN | change)).faults)
    except ValueError as refusal:
        told = str(refusal)
    assert message in told


@pytest.mark.parametrize(
    "game",
    [
        HiddenBids(gx.Game(3)),
        HiddenBids(gx.Game(4, gx.Rules(prizes=(1, 2, 3, 4))), SEEN["one"]),
        gx.known_games.liars_dice(3),
    ],
    ids=str,
)
def test_bounds_of_approximately_learned_strategies_contain_the_exact_value(game):
    rough, fine = (approximate(game, iterations=count) for count in (20, 200))
    value = gx.solve_game(game).value
    for found in (rough, fine):
        assert found.least <= value <= found.most
        assert found.exploitability == exploitability(game, found.row, found.column)
        assert check_game(found.emit("json")).proved["bounds"] == 1
    assert str(fine).splitlines()[1].startswith("After 200 iterations best replies to both gain")
    assert check_game(json.dumps(rough.document() | {"most": str(rough.least)})).faults
    with pytest.raises(gx.PrecisionError, match="known to be from (.*) to (.*), and") as known:
        assert rough.value
    low, high = re.findall(r"-?[0-9][-0-9.e]*", str(known.value))
    assert Fraction(low) <= rough.least <= rough.most <= Fraction(high)
    assert 0 <= fine.exploitability < min(rough.exploitability, Fraction(1, 20))
    assert rough == approximate(game, iterations=20)


def test_learning_of_approximate_strategies_stops_when_its_time_is_over(monkeypatch):
    clock, told = count(step=0.03125), []
    monkeypatch.setattr(equilibrium, "process_time", lambda: next(clock))
    found = approximate(GAME, seconds=0.1, progress=lambda *work: told.append(work))
    assert (found.iterations, told) == (4, [(3, 10), (6, 10), (9, 10), (10, 10)])


@pytest.mark.parametrize(
    ("n", "prizes", "objective"), [(3, "random", "points"), (4, "descending", "win")]
)
def test_nash_conv_with_hidden_bids_equals_openspiels(n, prizes, objective):
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms.exploitability import nash_conv

    game = gx.Game(n, gx.Rules(objective, prizes=prizes))
    spiel = gx.exchange.goofspiel(game, hidden=True)
    mccfr = pyspiel.ExternalSamplingMCCFRSolver(spiel, 1)
    for _ in range(20):
        mccfr.run_iteration()
    for learned in (policy.UniformRandomPolicy(spiel), mccfr.average_policy()):
        found = gx.training.nash_conv(spiel, learned)
        table = policy.tabular_policy_from_callable(spiel, learned.action_probabilities)
        assert abs(found.value - nash_conv(spiel, table)) <= 1e-9
        hidden, row, column = gx.training.hidden_strategies(learned, spiel)
        half = 2 if objective == "points" else 1
        assert float(exploitability(hidden, row, column)) / half == pytest.approx(found.value)
