"""How often optimal play is won, drawn and lost: against the oracle, in floats, on the command line."""

from fractions import Fraction
from functools import cache
from itertools import product
from operator import mul

import numpy as np
import oracle
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracle import fraction, sign, without
from strategies import positions, standings

import gops_exact as gx
from gops_exact.commands import cli
from gops_exact.game.rules import TIES, Rules
from gops_exact.solvers.floats.forecast import float_outcomes
from gops_exact.solvers.floats.kernels import draws as kernel
from gops_exact.solvers.floats.kernels import kernel as kept
from gops_exact.solvers.floats.kernels.draws import draw_chances
from gops_exact.solvers.floats.kernels.settle import ROBUST, scratch
from gops_exact.solvers.floats.layer import COUNTS, NARROW
from gops_exact.solvers.floats.sweep import gamma

WIN = Rules("win")

STRATEGIES = kept(kernel.strategies.py_func)
"""Kept on disk, as all that Python calls."""

SMALL = [
    Rules("win", ties, prizes) for ties in TIES for prizes in ("random", "hidden", "descending")
]


@cache
def draws_by_oracle(one, two, prizes, margin, pot, ties, order):
    """The least and the greatest chance of a draw, over all pairs of extreme optimal strategies."""
    if not prizes:
        level = Fraction(margin == 0)
        return level, level
    total = [Fraction(0), Fraction(0)]
    # Each game with the prizes it may be for, by place.
    games = {
        "random": [(p, [p]) for p in range(len(prizes))],
        "fixed": [(0, [0])],
        "hidden": [(None, range(len(prizes)))],
    }[order]
    for upcard, stakes in games:
        rules = {"objective": "win", "ties": ties, "order": order}
        turned = None if upcard is None else prizes[upcard]
        _, matrix = oracle.position_solution(
            one, two, prizes, turned, **rules, margin=margin, pot=pot
        )
        rows, columns = oracle.extreme_strategies(matrix)

        def after(i, j, which, stakes=stakes):
            return sum(
                draws_by_oracle(
                    without(one, i),
                    without(two, j),
                    without(prizes, p),
                    margin + (prizes[p] + pot) * sign(one[i] - two[j]),
                    prizes[p] + pot if one[i] == two[j] and ties == "carryover" else 0,
                    ties,
                    order,
                )[which]
                for p in stakes
            ) / len(stakes)

        for which, choose in enumerate((min, max)):
            total[which] += choose(
                sum(
                    p * q * after(i, j, which)
                    for (i, p), (j, q) in product(enumerate(row), enumerate(column))
                )
                for row, column in product(rows, columns)
            )
    return total[0] / len(games), total[1] / len(games)


def as_fractions(chances):
    return tuple(map(fraction, chances))


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("order", ["random", "hidden", "fixed"])
@settings(max_examples=12)
@given(data=st.data())
def test_draws_of_any_position(ties, order, data):
    one, two, prizes = data.draw(positions())
    margin, pot = data.draw(standings("win", ties, most=4))
    rules = Rules("win", ties, prizes if order == "fixed" else order)
    position = gx.Position(one, two, prizes, rules=rules, margin=margin, pot=pot)
    found = gx.outcomes(position)
    assert as_fractions(found.draw) == draws_by_oracle(one, two, prizes, margin, pot, ties, order)
    assert found.value == gx.value(position)
    for win, level, loss in zip(found.win, reversed(found.draw), found.loss, strict=True):
        assert win + level + loss == 1
        assert win - loss == found.value
        assert min(win, level, loss) >= 0


@example(((1, 3), (2, 3), (2, 3)), 2)
@settings(max_examples=15)
@given(positions(min_size=2), st.integers(-4, 4))
def test_a_position_is_the_mean_of_its_upcards(position, margin):
    position = gx.Position(*position, rules=WIN, margin=margin)
    whole = gx.outcomes(position)
    parts = [gx.outcomes(position.at(upcard)) for upcard in position.prizes]
    assert whole.value == sum(part.value for part in parts) / len(parts)
    assert whole.draw.least == sum(part.draw.least for part in parts) / len(parts)
    assert whole.draw.greatest == sum(part.draw.greatest for part in parts) / len(parts)
    turned = gx.outcomes(position.swapped())
    assert (turned.value, turned.draw) == (-whole.value, whole.draw)


def test_draws_depend_on_which_optimal_strategies_are_played():
    least, greatest = gx.outcomes(gx.Position.start(4, WIN)).draw
    found = gx.players.expected("optimal", "optimal", gx.Game(4, WIN))
    assert least <= 1 - found.one - found.two <= greatest
    assert 0 < least < greatest < 1


def test_points_have_no_outcomes():
    for compute, points in ((gx.outcomes, gx.Position.start(2)), (float_outcomes, gx.Game(3))):
        with pytest.raises(ValueError, match="outcomes are of objective win, got objective points"):
            compute(points)


@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_floats_are_one_of_the_pairs(rules):
    for n in (1, 2, 4):
        found = float_outcomes(gx.Game(n, rules))
        assert found.lacking < 1e-12
        assert list(found.draws) == list(gx.Game(n, rules).upcards)
        for upcard, chance in found.draws.items():
            exact = gx.outcomes(gx.Position.start(n, rules).at(upcard))
            least, greatest = map(float, as_fractions(exact.draw))
            assert least - 1e-12 <= chance <= greatest + 1e-12


def test_the_kernel_is_its_twin(monkeypatch):
    expected = float_outcomes(gx.Game(3, Rules("win", "carryover")))
    monkeypatch.setattr(kernel, "draw_chances", draw_chances.py_func)
    monkeypatch.setattr(kernel, "strategies", STRATEGIES)
    found = float_outcomes(gx.Game(3, Rules("win", "carryover")))
    assert found.draws == pytest.approx(expected.draws, abs=1e-14)
    assert float_outcomes(gx.Game(5, WIN), jobs=2) == float_outcomes(gx.Game(5, WIN))


def test_the_widest_bracket_of_every_round_is_lacking(monkeypatch):
    wide = 0.25

    def wider(*given):
        return STRATEGIES(*given) + wide

    monkeypatch.setattr(kernel, "draw_chances", draw_chances.py_func)
    monkeypatch.setattr(kernel, "strategies", wider)
    n = 4
    # With one card left nothing is chosen, and no bracket is found.
    assert (n - 1) * wide <= float_outcomes(gx.Game(n, WIN)).lacking < n * wide + 1e-9


# A game of the sweep of eight cards whose last attempt is worse than the first.
SETTLED_TWICE = [
    [-1, -1, -1, -1, 0.3614021663682055],
    [0.6934265824975641, -1, -1, -1, 0.36135463576626503],
    [1, 1, 0.2242228652844488, -1, -0.33333333333333326],
    [1, 1, 1, 0.2242228652844488, -0.6621682566174923],
    [1, 1, 1, 1, -0.8310841283087463],
    [0.7584104768093178, 0.8061342192251726, 0.8513914855103091, 1, 1],
]


def hard_games(number, seed):
    """Games with nearly equal rows, and entries over many orders of magnitude."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        m, n = rng.integers(2, 9, size=2)
        near = rng.uniform(-1, 1, (1, n)) + 10.0 ** -rng.integers(8, 17) * rng.normal(size=(m, n))
        wide = rng.choice([-1, 1], (m, n)) * 10.0 ** rng.uniform(-17, 0, (m, n))
        yield from (game / np.abs(game).max() for game in (near, wide))


def test_strategies_are_as_near_to_optimal_as_they_are_said_to_be():
    settled_again = 0
    for game in [np.array(SETTLED_TWICE), *hard_games(300, 1)]:
        m, n = game.shape
        room, counts = scratch(max(m, n)), np.zeros(COUNTS, np.int64)
        room.game[:m, :n] = game
        claimed = STRATEGIES(m, n, NARROW, room, counts)
        settled_again += counts[ROBUST]
        exact = [[Fraction(entry) for entry in row] for row in game.tolist()]
        sides = room.surest[0, :m], room.surest[1, :n]
        row, column = (list(map(Fraction, each.tolist())) for each in sides)
        sure = min(sum(map(mul, row, line)) for line in zip(*exact, strict=True)) / sum(row)
        lets_pass = max(sum(map(mul, column, line)) for line in exact) / sum(column)
        assert lets_pass - sure <= Fraction(claimed) + Fraction(2 * gamma(4 * max(m, n) + 8))
    assert settled_again > 10


def test_the_command(capsys):
    assert cli.main(["outcomes", "--n", "4", "--emit", "csv"]) == 0
    header, *lines = capsys.readouterr().out.splitlines()
    rows = [dict(zip(header.split(","), line.split(","), strict=True)) for line in lines]
    assert [row["upcard"] for row in rows] == ["1", "2", "3", "4", "all"]
    found = gx.outcomes(gx.Position.start(4, WIN))
    assert rows[-1]["exact_draw_least"] == str(found.draw.least)
    assert float(rows[-1]["win_greatest"]) == pytest.approx(float(found.win.greatest), abs=1e-12)
    floats = ["outcomes", "--n", "4", "--prizes", "hidden", "--arithmetic", "float"]
    assert cli.main([*floats, "--emit", "csv"]) == 0
    header, line = capsys.readouterr().out.splitlines()
    assert (header, line.split(",")[0]) == ("upcard,win,draw,lacking", "hidden")
    assert cli.main(floats) == 0
    heads, cells = map(str.split, capsys.readouterr().out.splitlines())
    assert heads == ["upcard", "win", "draw", "lacking"]
    assert cells[2] == f"{float(line.split(',')[2]):.4f}"
    assert cli.main(["outcomes", "--n", "7"]) == 2
    told = "n must be at most 6 for exact outcomes unless forced (--force, force=True), got 7"
    assert told in capsys.readouterr().err
