"""The game with hidden bids: counts, exact equilibria, and what strategies are worth, beside an oracle."""

import json
import random
import re
import runpy
from _thread import interrupt_main
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import perm
from operator import gt, lt
from threading import Event, Timer

import pytest
from hidden_oracle import oracle_reply, plain
from places import PACKAGE, ROOT

import gops_exact as gx
from gops_exact.commands import cli
from gops_exact.extensive import (
    HiddenBids,
    approximate,
    equilibrium,
    exploitability,
    secured,
    solve,
)
from gops_exact.solvers.cost import SEQUENCES
from gops_exact.verify.games import check_game

pytest.importorskip("highspy")

DESCENDING, ASCENDING, RANDOM = (gx.Rules(prizes=o) for o in ("descending", "ascending", "random"))
EVERY = [
    gx.Rules(objective, ties, prizes)
    for objective, ties, prizes in product(
        ("points", "win"), ("discard", "carryover"), ("random", "ascending", "descending")
    )
]


def random_strategy(game, player, source):
    """A strategy with a probability for every bid of every information set."""
    side = game.form.sides[player]
    strategy = {}
    for name, (_, after) in side.sets.items():
        weights = [source.randint(0, 3) for _ in after]
        total = sum(weights) or len(weights)
        weights = weights if any(weights) else [1] * len(weights)
        strategy[name] = {b: Fraction(w, total) for b, w in zip(after, weights, strict=True)}
    return strategy


# Counts.


@pytest.mark.parametrize(
    ("n", "rules", "sets", "sequences", "leaves"),
    [
        (4, DESCENDING, 81, 175, 576),
        (4, RANDOM, 1804, 3737, 13824),
        (5, DESCENDING, 1062, 2284, 14400),
        (5, ASCENDING, 1062, 2284, 14400),
    ],
)
def test_counts(n, rules, sets, sequences, leaves):
    counts = HiddenBids(gx.Game(n, rules)).form.counts
    assert counts[0] == (sets, sets) and counts[2:] == ((sequences, sequences), leaves)


# Equilibria.


@pytest.mark.parametrize("rules", EVERY, ids=str)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_equilibria_are_proved_in_three_ways(n, rules):
    if n == 4 and rules.prizes == "random" and rules.ties == "carryover":
        pytest.skip("takes twice as long as without, which is tested")
    found = solve(HiddenBids(gx.Game(n, rules)))
    found.check()
    assert found.value == 0 and found.row == found.column
    assert check_game(found.emit("json")).faults == []
    if n < 4 or rules.fixed:
        assert oracle_reply(n, rules, (False, False), plain(found.row), 0) == 0


@pytest.mark.parametrize("seen", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("rules", [ASCENDING, gx.Rules("win", "carryover", "descending")], ids=str)
def test_who_sees_the_bids(rules, seen):
    found = solve(HiddenBids(gx.Game(4, rules), seen))
    assert check_game(found.emit("json")).faults == []
    for player, strategy in enumerate((found.row, found.column)):
        assert oracle_reply(4, rules, seen, plain(strategy), player) == found.value
    if seen == (True, True):
        assert found.value == 0
    elif rules == ASCENDING:
        value = Fraction(167991, 10441508)
        assert found.value == (value if seen[0] else -value)


def test_an_open_game_is_worth_what_positions_say():
    # With both seeing all bids it is the game of the recursion.
    for prizes in permutations((1, 2, 3)):
        game = gx.Game(3, gx.Rules(prizes=prizes))
        assert solve(HiddenBids(game, (True, True))).value == gx.value(game.start)


def test_an_interrupt_stops_the_programme(monkeypatch):
    import highspy

    stopped = Event()
    monkeypatch.setattr(highspy.Highs, "cancelSolve", lambda _: stopped.set())
    monkeypatch.setattr(highspy.Highs, "run", lambda _: stopped.wait(10) and None)
    Timer(0.2, interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        solve(HiddenBids(gx.Game(3)))
    assert stopped.is_set()


LARGE = [
    (gx.Game(5), (False, False), "4 with hidden bids and prizes random .* 490 thousand .* 3.6 h"),
    (gx.Game(5), (True, True), "4 with hidden bids and prizes random .* 1.9 million .* 53.4 h"),
    (gx.Game(6, DESCENDING), (True, False), "5 with .* in a known order .* 340 thousand .* 1.8 h"),
]


@pytest.mark.parametrize(("game", "seen", "message"), LARGE, ids=str)
def test_what_takes_hours_is_refused(game, seen, message, monkeypatch):
    def begin(_):
        raise InterruptedError

    monkeypatch.setattr(equilibrium, "_Programme", begin)
    monkeypatch.setattr(HiddenBids, "form", None)
    with pytest.raises(
        ValueError, match=rf"at most {message} on one core; near an equilibrium: --seconds, app"
    ):
        solve(HiddenBids(game, seen))
    with pytest.raises(InterruptedError):
        solve(HiddenBids(game, seen), force=True)
    for smaller in (
        gx.Game(4),
        gx.Game(6, DESCENDING),
        gx.Game(5, gx.Rules(prizes=(2, 1, 3, 5, 4))),
    ):
        with pytest.raises(InterruptedError):
            solve(HiddenBids(smaller))


def sequences(n, fixed, sees):
    """The sequences of a player, counted by the rounds before: prizes, own bids and what is seen of the others'."""
    total = 1
    for rounds in range(n - 1):
        known = {
            (own, other if sees else tuple(map(gt, own, other)), tuple(map(lt, own, other)))
            for own, other in product(permutations(range(n), rounds), repeat=2)
        }
        total += len(known) * (n - rounds) * (1 if fixed else perm(n, rounds + 1))
    return total


def test_sequences_in_the_estimate():
    for rules, sees in product((DESCENDING, RANDOM), (False, True)):
        counts = HiddenBids(gx.Game(4, rules), (sees, sees)).form.counts
        assert counts.sequences[0] == sequences(4, rules.fixed, sees)
    for prizes, (n, *counts) in SEQUENCES.items():
        assert counts == [sequences(n, prizes == "fixed", sees) for sees in (False, True)]


# Any strategy.


@pytest.mark.parametrize("rules", EVERY, ids=str)
def test_random_strategies_are_worth_what_the_oracle_says(rules):
    source = random.Random(str(rules))
    for seen in ((False, False), (True, False)):
        game = HiddenBids(gx.Game(3, rules), seen)
        one, two = (random_strategy(game, player, source) for player in (0, 1))
        low = oracle_reply(3, rules, seen, one, 0)
        high = oracle_reply(3, rules, seen, two, 1)
        assert secured(game, one) == low and secured(game, two, 2) == -high
        assert exploitability(game, one, two) == high - low >= 0


def test_what_a_hidden_player_loses_where_bids_are_seen():
    game = gx.Game(4, DESCENDING)
    found = solve(HiddenBids(game))
    lost = -secured(HiddenBids(game, (False, True)), found.row)
    assert lost == -oracle_reply(4, DESCENDING, (False, True), plain(found.row), 0)
    assert lost >= solve(HiddenBids(game, (True, False))).value


NO_STRATEGIES = [
    ({"4": {1: 1}}, "a strategy must be of information sets of the game, got '4'"),
    ({}, "3: expected probabilities of 1, 2, 3 with the sum 1, got none"),
    ({"3": {1: "1/2", 2: "1/3"}}, "with the sum 1, got 1: 1/2, 2: 1/3"),
    ({"3": {1: 2, 2: -1}}, "3: a probability must not be negative"),
    ({"3": {4: 1}}, "3: expected probabilities of 1, 2, 3 with the sum 1, got 4: 1"),
    ({"3": {1: 1}}, "expected probabilities of 2, 3"),
    ({"3": {1: 0.5, 2: 0.5}}, "a probability must be an exact rational, got the float 0.5"),
    ({"3": 1}, "'3' must be a mapping {bid: probability}, got 1"),
    (5, "strategy must be a mapping {information set: {bid: probability}}, got 5"),
]
NO_GAMES = [
    ((gx.Game(3, gx.Rules(prizes="hidden")),), "prizes must be random or in a"),
    ((gx.Game(7, DESCENDING),), "n must be at most 6, got 7"),
    ((gx.Game(6),), "n must be at most 5, got 6"),
    ((gx.Game(3), (1, 0)), "seen must be a pair of truth values, got (1, 0)"),
    ((gx.Game(3), True), "seen must be a pair of truth values, got True"),
    (("3",), "game must be Game(n, rules) or its cards a side, got '3'"),
]


def test_who_sees_may_be_a_list():
    game = HiddenBids(gx.Game(3), [False, True])
    assert hash(game) == hash(HiddenBids(gx.Game(3), (False, True)))


@pytest.mark.parametrize(
    ("function", "given", "message"),
    [
        *(
            (secured, (HiddenBids(gx.Game(3, DESCENDING)), given), said)
            for given, said in NO_STRATEGIES
        ),
        *((HiddenBids, given, said) for given, said in NO_GAMES),
    ],
)
def test_what_is_no_strategy_or_no_game(function, given, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        function(*given)


# Documents and the command.


@pytest.fixture(scope="module")
def four():
    return solve(HiddenBids(gx.Game(4, gx.Rules("win", prizes="descending"))))


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_document_is_refused(four, seed):
    source = random.Random(seed)
    document = json.loads(four.emit("json"))
    name = source.choice([name for name, bids in document["row"].items() if len(bids) > 1])
    bids = document["row"][name]
    one, two = source.sample(sorted(bids), 2)
    change = Fraction(source.choice((-1, 1)), source.choice((97, 10**30)))
    bids[one], bids[two] = str(Fraction(bids[one]) + change), str(Fraction(bids[two]) - change)
    right = oracle_reply(4, four.game.game.rules, (False, False), plain(document["row"]), 0) == 0
    assert bool(check_game(json.dumps(document)).faults) != right


def test_documents_that_are_none(four):
    document = json.loads(four.emit("json"))
    first, *_ = document["row"]
    for change, message in (
        ({"n": 9}, "n must be from 2 to 6, got 9"),
        ({"version": 2}, "version: expected 1, got 2"),
        ({"version": True}, "version: expected 1, got True"),
        ({"seen": [0, 1]}, "seen 0: expected boolean, got 0"),
        ({"seen": [True] * 3}, "seen: expected at most 2 entries"),
        ({"rules": {"prizes": "random"}}, "rules: expected the member objective"),
        ({"row": {}}, "row: expected at least 1 entries"),
        (
            {"row": document["row"] | {"4:1- 9:9": {"1": "1"}}},
            "row 4:1- 9:9: expected no such member",
        ),
        ({"column": {first: {}}}, f"column {first}: expected at least 1 entries"),
        *(
            ({"row": document["row"] | {first: {"1": chance}}}, f"row {first} 1: expected")
            for chance in ("7", "-1", "0", "01", "1/1", "1.0", 1, None)
        ),
        ({"row": document["row"] | {first: {"1": "2/4"}}}, "in lowest terms, got '2/4'"),
        ({"value": "-0"}, "value: expected a text of the form"),
        ({"least": "0", "most": "0"}, "expected no such member"),
        ({"more": 1}, "more: expected no such member, got 1"),
    ):
        with pytest.raises(ValueError) as refusal:
            check_game(json.dumps(document | change))
        assert message in str(refusal.value)
    for name in ("3", "4:9- 3", "4:1- 3:2- 2:3- 1", "4:1+ 3"):
        more = document | {"row": document["row"] | {name: {"1": "1"}}}
        assert check_game(json.dumps(more)).faults == [
            f"row: {name} has probabilities, and is not reached"
        ]
    missing = document | {"row": {"4": document["row"]["4"]}}
    (fault,) = check_game(json.dumps(missing)).faults
    assert "is reached, and has no probabilities" in fault


@pytest.mark.parametrize("seen", [(False, False), (True, False)])
def test_documents_have_the_schema(seen):
    import jsonschema

    schema = json.loads((PACKAGE / "base/schemas/hidden-bids-1.json").read_text())
    game = HiddenBids(gx.Game(3, gx.Rules("win", prizes=(2, 3, 1))), seen)
    jsonschema.validate(json.loads(approximate(game, iterations=3).emit("json")), schema)
    document = json.loads(solve(game).emit("json"))
    jsonschema.validate(document, schema)
    for damage in (
        {"value": 0},
        {"least": "0"},
        {"row": {"2:1": {"1": "1"}}},
        {"column": {"2": {"1": "0.5"}}},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document | damage, schema)


def test_the_command(tmp_path, capsys):
    file = tmp_path / "four.json"
    words = ["hidden-bids", "-n", "4", "--prizes", "ascending", "--seen", "one"]
    assert cli.main([*words, "--emit", "json", "--out", str(file)]) == 0
    assert cli.main(["verify", str(file)]) == 0
    assert "hidden bids, right, exactly" in capsys.readouterr().out
    assert cli.main(words) == 0
    assert "value 167991/10441508 ≈ 0.0161" in capsys.readouterr().out
    file.write_text(file.read_text().replace("167991/10441508", "1/62"))
    assert cli.main(["verify", str(file)]) == 1
    assert "does not have the value" in capsys.readouterr().out


def test_every_order(capsys):
    assert cli.main(["hidden-bids", "-n", "3", "--prizes", "all", "--emit", "csv"]) == 0
    header, *lines = capsys.readouterr().out.splitlines()
    assert header == "prizes,objective,value,sequences,digits,first_bids,sha256"
    assert [line.split(",")[0] for line in lines] == [
        "3 2 1",
        "3 1 2",
        "2 3 1",
        "2 1 3",
        "1 3 2",
        "1 2 3",
    ]
    assert cli.main(["hidden-bids", "-n", "3", "--prizes", "all"]) == 2
    assert "--prizes all goes with --emit csv and without --seen" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rules", "seen"),
    [(gx.Rules(), (False, False)), (gx.Rules(prizes=(1, 2, 3, 4)), (True, False))],
    ids=str,
)
def test_what_is_learned_is_proved_to_be_near_an_equilibrium(rules, seen):
    game = HiddenBids(gx.Game(4, rules), seen)
    rough, fine = (approximate(game, iterations=count) for count in (20, 300))
    value = 0 if game.symmetric else solve(game).value
    for found in (rough, fine):
        assert found.least <= value <= found.most
        both = exploitability(game, found.row, found.column)
        assert found.exploitability == both == found.most - found.least
        assert secured(game, found.row) == found.least
        found.check()
        text = found.emit("json")
        assert check_game(text).proved == {"bounds": 1}
        wrong = json.loads(text) | {"most": found.document()["least"]}
        assert check_game(json.dumps(wrong)).faults
    with pytest.raises(
        gx.PrecisionError, match="the value is known to be from (.*) to (.*), and"
    ) as known:
        assert rough.value
    low, high = re.findall(r"-?[0-9][-0-9.e]*", str(known.value))
    assert Fraction(low) <= rough.least <= rough.most <= Fraction(high)
    with pytest.raises(gx.CertificateError):
        replace(rough, least=rough.most).check()
    assert 0 <= fine.exploitability < min(rough.exploitability, Fraction(1, 100))
    assert rough == approximate(game, iterations=20)


def test_learning_takes_a_time_or_a_number_of_iterations(capsys):
    game, told = HiddenBids(gx.Game(3)), []
    found = approximate(game, seconds=0.2, progress=lambda *work: told.append(work))
    assert found.iterations == len(told) > 1 and told[-1] == (20, 20)
    assert cli.main(["hidden-bids", "-n", "3", "--seconds", "1"]) == 0
    assert "best replies to both gain at most" in capsys.readouterr().out
    for wrong in ({"seconds": "x"}, {"iterations": 0}):
        with pytest.raises(ValueError, match="must be"):
            approximate(game, **wrong)
    assert (
        cli.main(["hidden-bids", "-n", "3", "--seconds", "1", "--prizes", "all", "--emit", "csv"])
        == 2
    )


@pytest.mark.parametrize(
    ("n", "prizes", "objective"),
    [(3, "random", "win"), (4, "random", "points"), (4, "descending", "win")],
)
def test_policies_of_openspiel_are_measured_exactly(n, prizes, objective):
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms.exploitability import nash_conv

    from gops_exact import training
    from gops_exact.exchange.openspiel_games import goofspiel

    spiel = goofspiel(gx.Game(n, gx.Rules(objective, prizes=prizes)), hidden=True)
    cfr, mccfr = pyspiel.CFRSolver(spiel), pyspiel.ExternalSamplingMCCFRSolver(spiel, 1)
    for _ in range(20):
        cfr.evaluate_and_update_policy()
        mccfr.run_iteration()
    learned = [each.average_policy() for each in (cfr, mccfr)]
    for each in (policy.UniformRandomPolicy(spiel), *learned):
        found = training.nash_conv(spiel, each)
        table = policy.TabularPolicy(spiel)
        for state in table.states:
            chances = table.policy_for_key(state.information_state_string())
            chances[:] = 0.0
            for action, chance in dict(each.action_probabilities(state)).items():
                chances[action] = chance
        assert abs(found.value - nash_conv(spiel, table)) <= 1e-9
        game, row, column = training.hidden_strategies(each, spiel)
        assert game == HiddenBids(gx.Game(n, gx.Rules(objective, prizes=prizes)))
        half = 2 if objective == "points" else 1
        assert float(exploitability(game, row, column)) / half == pytest.approx(found.value)


def strategies_of(policy, game):
    """A policy that looks at its own hand and at the prizes alone as strategies of both players."""

    def bids(information):
        *noted, upcard = information.split(" ")
        rounds = [re.fullmatch(r"(\d):(\d)[-=+]", each).groups() for each in noted]
        gone, own = ({int(each[k]) for each in rounds} for k in (0, 1))
        hand = [card for card in range(1, 5) if card not in own]
        left = [prize for prize in range(1, 5) if prize not in gone]
        return policy.bids(gx.players.View(4, gx.Position(hand, hand, left, upcard=int(upcard))))

    return [{at: bids(at) for at in side.sets} for side in HiddenBids(game).form.sides]


@pytest.mark.parametrize("prizes", ["random", "descending"])
@pytest.mark.parametrize(
    "name", ["matching", "upcard+1", "upcard+2", "highest", "lowest", "random"]
)
def test_policies_that_can_be_foretold_are_as_exploitable_as_with_open_bids(name, prizes):
    """Those look at their own hand and at the prizes alone; against the random player nothing is worth knowing."""
    game = gx.Game(4, gx.Rules(prizes=prizes))
    policy = gx.players.policy(name, game)
    found = exploitability(HiddenBids(game), *strategies_of(policy, game))
    assert found == 2 * gx.players.best_response(policy, game).gain
    assert found > 0


@pytest.mark.parametrize("name", ["semi-deterministic", "random", "matching"])
def test_the_bound_at_thirteen_cards_is_one_at_four(name):
    bound = runpy.run_path(str(ROOT / "benchmarks/hidden_thirteen.py"))
    game = gx.Game(4)
    policy = gx.players.policy(name, game)
    found = bound["least_gain"](bound["bids_of"](policy, 4), 4)
    gain = exploitability(HiddenBids(game), *strategies_of(policy, game)) / 2
    assert (
        0
        < found
        <= float(gain) + 1e-12
        <= float(gx.players.best_response(policy, game).gain) + 1e-9
    )
    assert name == "semi-deterministic" or found == pytest.approx(float(gain))
