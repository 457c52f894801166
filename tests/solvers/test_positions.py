"""Any position in any arithmetic, against exact values: all rules, hands with gaps, margins, pots.

    python tests/solvers/test_positions.py 1000 [SEED]

compares as many random positions of up to five cards a side; the suite takes fewer.
"""

import json
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle, islice, product
from random import Random
from shutil import copy

import pytest
from flint import fmpq

import gops_exact as gx
from gops_exact import CertificateError
from gops_exact.commands.cli import main
from gops_exact.game.game import turns
from gops_exact.game.rules import OBJECTIVES, TIES
from gops_exact.matrix_game.solve import extreme_strategies
from gops_exact.numbers.exact import PrecisionError
from gops_exact.numbers.kinds import BoundedFloat, ResidueClass
from gops_exact.solvers.cost import estimate_cost
from gops_exact.solvers.floats import by_layers
from gops_exact.solvers.floats.by_layers import BRACKET
from gops_exact.solvers.floats.sweep import float_layers

RULES = list(product(OBJECTIVES, TIES, ("random", "hidden", "descending", "as they come")))

MOST = 5
"""Cards a side that take no time exactly."""

WIDEST = 1e-8
"""More than the radius of any number that is proved."""

PLAYED = 1e-3
"""A probability, though not proved, of a bid that is worth the value of the position."""


def random_position(rng, rules, size=None):
    """A position that need not be of a game of 1 … n; a prize is turned up where bids follow one."""
    objective, ties, order = rules
    size = size or rng.choice((1, 2, 2, 3, 3, 3, 4, 4, MOST))
    one, two = (
        rng.sample(range(1, rng.choice((size, size + 2, 13, 40)) + 1), size) for _ in range(2)
    )
    prizes = [rng.randint(1, rng.choice((2, 5, 13, 30))) for _ in range(size)]
    position = gx.Position(
        *(one, two, prizes),
        rules=gx.Rules(objective, ties, tuple(prizes) if order == "as they come" else order),
        margin=rng.choice((0, rng.randint(-15, 15))) if objective == "win" else 0,
        pot=rng.randint(0, 12) if ties == "carryover" else 0,
    )
    if position.rules.hidden:
        return position
    return position.at(position.prizes[0] if position.rules.fixed else rng.choice(prizes))


def unturned(position):
    """The position before its prize is turned up."""
    return replace(position, upcard=None)


def compare(position):
    """Compare all there is to know of a position with the exact numbers; return the floats' method."""
    exact, payoffs = gx.solve(position, store=":memory:"), gx.payoff_matrix(position)
    gains, value = gx.bid_gains(position), gx.value(unturned(position))
    for row, gain in zip(payoffs, gains.values(), strict=True):
        assert gain == sum(x * q for x, q in zip(row, exact.column.values(), strict=True))
    for kind in gx.Float(), gx.Ball(20), gx.Residue():
        found = gx.solve(position, kind)
        known, sure = [gains], position.one
        if not found.proved:
            # The reason that floats have for it.
            assert (kind.name, found.method, exact.unique) == ("float", BRACKET, False)
            floats = [fmpq(*reply.value.as_integer_ratio()) for reply in found.column.values()]
            _, _, columns = extreme_strategies(payoffs)
            known = [against(payoffs, column) for column in (floats, *columns)]
            # The other bids may gain more against one optimal column than against another.
            sure = [card for card, bid in found.row.items() if bid.value > PLAYED]
        for strategy, other in ((found.row, exact.row), (found.column, exact.column)):
            assert list(strategy) == list(other)
            assert all(agrees(strategy[card], other[card]) for card in other)
            assert strategy.unique == (other.unique if found.proved else None)
        given = gx.bid_gains(position, kind)
        numbers = [
            (found.value, exact.value),
            (gx.value(position, kind), exact.value),
            (gx.value(unturned(position), kind), value),
            *((given[card], known[0][card]) for card in sure),
        ]
        for row, line in zip(gx.payoff_matrix(position, kind), payoffs, strict=True):
            numbers += zip(row, line, strict=True)
        assert all(agrees(number, right) for number, right in numbers)
        assert max(getattr(number, "radius", 0) for number, _ in numbers) < WIDEST
        assert all(agrees(given[card], each[card]) for each in known for card in position.one)
        if isinstance(kind, gx.Float):
            method = found.method
    return method


def against(payoffs, replies):
    """Player one's expectation of each bid against a strategy, but for the sum of its probabilities."""
    return {
        card: sum((x * q for x, q in zip(row, replies, strict=True)), fmpq(0)) / sum(replies)
        for card, row in zip(payoffs.one, payoffs, strict=True)
    }


def agrees(number, exact):
    """Tell whether the exact number is what a number of another kind says that it is."""
    if isinstance(number, ResidueClass):
        return number.value * int(exact.q) % number.prime == int(exact.p) % number.prime
    if not isinstance(number, BoundedFloat):
        assert number.text() == gx.view(exact).decimal(number.digits)
    least, greatest = number.bounds()
    return least <= exact <= greatest


def compared(count, seed):
    """Compare random positions by all rules in turn, and count them by the floats' method."""
    rng = Random(seed)
    methods = Counter()
    for rules in islice(cycle(RULES), count):
        position = random_position(rng, rules)
        try:
            methods[compare(position)] += 1
        except AssertionError as error:
            raise AssertionError(f"{position}: {error}") from error
    return methods


@pytest.mark.usefixtures("own_store")
def test_every_arithmetic_agrees_with_the_exact_numbers():
    # Of 60 seeds, 50 draws the most positions of five cards that take seconds, not minutes.
    methods = compared(32, 50)
    assert set(methods) == {"saddle point", "guided", BRACKET}


@pytest.mark.usefixtures("own_store")
@pytest.mark.parametrize(
    "name",
    ["3.6.56.72_3.6.56.72_0.0.1.1@1_w_m-1_c_p1", "1.2.6.8_1.2.6.8_0.1.2.3@3_c"],
)
def test_gains_of_bids_hold_against_every_optimal_strategy(name):
    assert compare(gx.Position.parse(name)) == BRACKET


@pytest.mark.usefixtures("own_store")
@pytest.mark.parametrize(
    "name",
    [
        "1.3.7.11.13_1.6.7.12.13_1.2.13.13.1000000@1000000_w_m-30",
        "5.8.11.12.15_1.2.6.10.15_f13.1.1000000.1000000.2_w_m-49",
        "1.2.3.4.7.9_2.3.6.10.11.14_f1000.2.2.100000.1.2@1000_w_m30",
    ],
)
def test_layers_below_may_have_no_game_that_is_open(name):
    # The larger prizes decide, so that of some number of cards no position is left to solve.
    position = gx.Position.parse(name)
    found = gx.value(position, "float")
    assert abs(float(found) - float(gx.value(position))) <= found.radius + 1e-15


@pytest.mark.parametrize(
    "position",
    [
        gx.Position([1, 2], [1, 2], [10**12, 10**12], rules=gx.Rules("win"), margin=3),
        gx.Position(
            *((1, 2, 4, 5), (2, 3, 4, 6), (466, 286_172, 337_644, 746_157)),
            rules=gx.Rules("win", "carryover"),
            margin=1,
            pot=1,
        ),
    ],
)
def test_points_by_the_million_take_floats_no_memory(position):
    """Only the states that can be reached are kept."""
    compare(position.at(position.prizes[0]))


def reached(n, rules, size, seed):
    """A position of the game of n cards that random bids lead to, and the prize turned up there."""
    rng = Random(seed)
    position = gx.Position.start(n, rules)
    while True:
        if not rules.hidden:
            position = position.at(rng.choice([each.upcard for _, each in position.turns()]))
        if position.size == size:
            return position
        prize = rng.choice(position.prizes) if rules.hidden else position.upcard
        position = position.after(rng.choice(position.one), rng.choice(position.two), prize)


FOLDERS = [
    (7, gx.Rules()),
    (6, gx.Rules("win")),
    (6, gx.Rules("points", "carryover", "hidden")),
    (6, gx.Rules("win", "carryover", (2, 6, 1, 3, 5, 4))),
]


@pytest.fixture(scope="module", params=FOLDERS, ids=str)
def folder(request, tmp_path_factory):
    """A folder with all layers of a game, the game and its rules."""
    n, rules = request.param
    place = tmp_path_factory.mktemp("layers")
    gx.first_move(n, gx.Float(place, keep=True), rules=rules)
    return place, n, rules


def same(one, two):
    """Tell whether two floats can stand for the same number."""
    return abs(one.value - two.value) <= one.radius + two.radius


def agree(one, two, position):
    """Check that two float solvers say the same of a position."""
    first, second = one.solve(position), two.solve(position)
    assert same(first.value, second.value)
    for a, b in ((first.row, second.row), (first.column, second.column)):
        assert all(same(a[card], b[card]) for card in a)
    for lines in zip(one.payoff_matrix(position), two.payoff_matrix(position), strict=True):
        assert all(same(*pair) for pair in zip(*lines, strict=True))
    assert same(one.value(unturned(position)), two.value(unturned(position)))


def test_positions_of_a_folder_are_those_solved_from_nothing(folder, unsolvable):
    place, n, rules = folder
    kept = gx.solver(gx.Float(place))
    for size in range(1, n + 1):
        position = reached(n, rules, size, seed=size)
        for each in position, position.swapped():
            with unsolvable(size > 1):
                kept.solve(each)
            agree(kept, gx.solver("float"), each)


@pytest.fixture
def unsolvable(monkeypatch):
    """A context in which positions cannot be solved from nothing."""

    @contextmanager
    def context(on):
        with monkeypatch.context() as patch:
            if on:
                patch.setattr(by_layers, "float_layers", None)
            yield

    return context


def test_what_lies_below_the_layers_kept_is_solved_when_asked_for(folder, tmp_path, unsolvable):
    place, n, rules = folder
    for size in (n - 2, n - 1):
        for file in place.glob(f"*-{n}-{size:02}.*"):
            copy(file, tmp_path)
    files = {path: path.read_bytes() for path in tmp_path.iterdir()}
    kept = gx.solver(gx.Float(tmp_path))
    for size in (n, n - 1):
        with unsolvable(True):
            kept.solve(reached(n, rules, size, 1))
    below = reached(n, rules, n - 2, 1)
    with pytest.raises(TypeError, match="'NoneType' object is not callable"), unsolvable(True):
        kept.solve(below)
    agree(kept, gx.solver("float"), below)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == files


def test_what_follows_a_position_is_at_hand(unsolvable):
    position = gx.Position(
        [1, 3, 4, 9], [2, 3, 5, 6], [1, 1, 2, 8], rules=gx.Rules("win"), margin=3
    )
    solver = gx.solver("float")
    solver.value(position)
    with unsolvable(True):
        for _, turned in position.turns():
            solver.solve(turned)
            for bid, reply in product(turned.one, turned.two):
                after = turned.after(bid, reply)
                assert same(solver.value(after), solver.value(after))
                for _, each in after.turns():
                    solver.solve(each.swapped())
        with pytest.raises(TypeError, match="'NoneType' object is not callable"):
            solver.solve(replace(position, prizes=(1, 2, 2, 8)).at(8))


@pytest.mark.parametrize(
    ("position", "arithmetic", "message"),
    [
        (
            gx.Position.start(14, gx.Rules("win")),
            gx.Float(memory_bytes=10**9),
            "cards a side must take at most .* GB of memory unless",
        ),
        (
            gx.Position([1], [2], [2**60]),
            "float",
            "must add up to at most 2.52 in floats, got 1152",
        ),
        (
            gx.Position(range(1, 30, 2), range(2, 31, 2), range(1, 16)),
            "float",
            "at most 28 different cards, got 30",
        ),
        (
            gx.Position(range(1, 11), range(2, 12), range(1, 11)),
            "ball",
            "cards a side must be at most 9 in ball and residue arithmetic",
        ),
        (
            gx.Position([2, 4], [1, 3], [12, 13]),
            gx.Float("here", keep=True),
            "keep and integers are for first moves, got Float",
        ),
    ],
    ids=["memory", "points", "cards", "hours", "keep"],
)
def test_what_does_not_fit_is_refused(position, arithmetic, message):
    with pytest.raises(ValueError, match=message) as error:
        gx.solve(position.at(position.prizes[-1]), arithmetic)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("option", ["keep", "integers"])
def test_options_of_first_moves_are_refused_for_a_decided_position(option):
    decided = gx.Position([2, 4], [1, 3], [1, 2], rules=gx.Rules("win"), margin=9)
    with pytest.raises(ValueError, match="keep and integers are for first moves, got Float"):
        gx.value(decided, gx.Float("here", **{option: True}))


def test_estimates_are_from_above():
    rng = Random(2)
    for rules in RULES:
        position = random_position(rng, rules, MOST)
        told = [(0, 0)]
        if any(turn.nodes for turn in turns(position.rules, position.node)):
            list(
                float_layers(position, jobs=1, progress=lambda *done, told=told: told.append(done))
            )
        assert told[-1][0] == told[-1][1] <= estimate_cost(position, gx.Float()).games


@pytest.mark.usefixtures("own_store")
def test_digits_of_one_strategy_of_several_are_not_proved():
    """Six cards for the win that player one has after the first prize, whatever follows."""
    hand, prizes = range(1, 7), (1, 1, 1, 1, 1, 9)
    position = gx.Position(hand, range(2, 8), prizes, 9, gx.Rules("win"), margin=1)
    with pytest.raises(PrecisionError, match="20 digits of a position are not proved"):
        gx.solve(position, gx.Ball(20))
    exact = gx.value(position)
    for kind in (gx.Ball(20), gx.Residue(), gx.Float()):
        assert agrees(gx.value(position, kind), exact)
    assert gx.solve(position, gx.Float()).method == BRACKET


HERE = ["--one", "2,4", "--two", "1,3", "--prizes", "12,13"]


def printed(capsys, *words):
    """What a command prints."""
    assert main([*map(str, words)]) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("own_store")
def test_the_command_takes_every_arithmetic(capsys):
    documents = {
        kind: json.loads(printed(capsys, "position", *HERE, "--arithmetic", kind, "--emit", "json"))
        for kind in ("exact", "ball", "residue", "float")
    }
    assert documents["exact"]["value"] == "313/25"
    assert documents["ball"]["value"] == "12.52" + 48 * "0"
    assert documents["residue"]["value"] * 25 % (2**61 - 1) == 313
    found = documents["float"]
    for each in (found, *found["columns"]):
        assert abs(each["value"] - 12.52) <= each["radius"] < 1e-12
    for kind, digits, shown in (
        ("ball", 3, ["value 12.520, over all upcards"]),
        ("exact", 30, [f"value 313/25 ≈ 12.52{28 * '0'}, over", f"0.48{28 * '0'}  12/25"]),
        ("float", 6, [" 0.520000  "]),
    ):
        text = printed(capsys, "position", *HERE, "--arithmetic", kind, "--digits", digits)
        assert all(part in text for part in shown)


def test_a_solution_is_checked_against_its_payoffs():
    position = gx.Position([2, 4, 5], [1, 3, 6], [11, 12, 13], upcard=13)
    solution, payoffs = gx.solve(position, store=":memory:"), gx.payoff_matrix(position)
    solution.check(payoffs)
    assert solution.support == tuple(
        tuple(card for card, p in side.items() if p) for side in (solution.row, solution.column)
    )
    for wrong in ([[x + 1 for x in row] for row in payoffs], [row[::-1] for row in payoffs]):
        with pytest.raises(CertificateError):
            solution.check(wrong)
    with pytest.raises(ValueError, match="only an exact solution can be checked"):
        gx.solve(position, "float").check(payoffs)


if __name__ == "__main__":
    count, seed = (*map(int, sys.argv[1:]), 1)[:2]
    for method, times in compared(count, seed).items():
        print(f"{times} {method}")  # noqa: T201  # the program's result
