"""The double oracle method, which solves large games, on small ones."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import gops_exact as gx
from gops_exact.extensive import HiddenBids, ListedTree, Move, equilibrium
from gops_exact.extensive.double_oracle import plans_by_replies, restricted
from gops_exact.extensive.programme import Programme
from gops_exact.literature.known_games import leduc_poker, liars_dice

pytest.importorskip("highspy", reason="HiGHS is not installed")

DESCENDING = gx.Rules(prizes="descending")
HIDDEN = [
    HiddenBids(gx.Game(n, gx.Rules(objective, ties, prizes)), seen)
    for n, objective, ties, prizes, seen in (
        *product((3,), ("points", "win"), ("discard", "carryover"), ("random", "descending"), ((True, False), (False, False))),
        (4, "points", "discard", "random", (False, True)),
        (4, "win", "carryover", "ascending", (False, False)),
    )
]  # fmt: skip


@pytest.fixture
def of_any_size(monkeypatch):
    """Games are large, however small they are."""
    monkeypatch.setattr(equilibrium, "LARGE", 0)


def check(game, value):
    solved = gx.solve_game(game)
    assert solved.value == value and gx.exploitability(game, solved.row, solved.column) == 0


@pytest.mark.usefixtures("of_any_size")
@pytest.mark.parametrize(
    ("game", "value"),
    [
        (
            leduc_poker(),
            Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930),
        ),
        (liars_dice(4), Fraction(1, 16)),
        (liars_dice(5), Fraction(1, 125)),
    ],
    ids=str,
)
def test_it_ends_at_an_equilibrium(game, value):
    check(game, value)


@pytest.mark.parametrize("game", HIDDEN, ids=str)
def test_values_are_those_of_the_whole_programme(game, monkeypatch):
    value = gx.solve_game(game).value
    monkeypatch.setattr(equilibrium, "LARGE", 0)
    check(game, value)


@pytest.mark.usefixtures("of_any_size")
@pytest.mark.parametrize("payoffs", [[0, 0, 0, 0], [1, 0, 0, 1], [10**400, 0, 0, 10**401]], ids=str)
def test_payoffs_may_all_be_zero_and_may_be_longer_than_floats(payoffs):
    replies = [Move(2, {"c": k, "d": k + 1}, "two") for k in (3, 5)]
    game = ListedTree([Move(1, {"a": 1, "b": 2}, "one"), *replies, *payoffs])
    check(game, gx.solve_matrix_game([payoffs[:2], payoffs[2:]]).value)


def test_moves_come_back_and_a_larger_game_begins_where_the_smaller_one_ended(monkeypatch):
    """Without learning one move is kept at each set; the others come from best replies."""
    programmes = []

    class Counted(Programme):
        def solve(self, tolerance):
            super().solve(tolerance)
            programmes.append((sum(map(len, self.names())), self))

    monkeypatch.setattr("gops_exact.extensive.double_oracle.ITERATIONS", 1)
    monkeypatch.setattr("gops_exact.extensive.double_oracle.Programme", Counted)
    form = equilibrium.form_of(leduc_poker())
    assert next(plans_by_replies(form, only_one=True))
    sizes = [size for size, _ in programmes]
    whole = Programme(form)
    assert sizes == sorted(set(sizes)) and len(sizes) > 2
    assert sizes[-1] < sum(map(len, whole.names()))
    steps = []
    for programme in (Programme(form, programmes[-1][1]), whole):
        programme.solve(1e-9)
        steps.append(programme.solver.getInfo().simplex_iteration_count)
    assert steps[0] < steps[1] / 4, steps


def test_a_game_with_all_moves_is_itself():
    form = HiddenBids(gx.Game(4, DESCENDING)).form
    whole, indices = restricted(form, [np.ones(side.sequences, bool) for side in form.sides])
    for side, copy, index in zip(form.sides, whole.sides, indices, strict=True):
        assert copy.sets == side.sets
        assert index.tolist() == list(range(side.sequences))
    order = np.lexsort(form.pairs.T[::-1])
    assert (whole.pairs == form.pairs[order]).all()
    assert (whole.payoffs == form.payoffs[order]).all()


def test_a_move_alone_is_one_with_the_move_before():
    form = HiddenBids(gx.Game(3, DESCENDING)).form
    kept = [np.zeros(side.sequences, bool) for side in form.sides]
    for has, side in zip(kept, form.sides, strict=True):
        has[0] = True
        for before, after in side.sets.values():
            has[min(after.values())] = has[before]  # the lowest card at every set
    small, indices = restricted(form, kept)
    assert [side.sequences for side in small.sides] == [1, 1]
    assert all(set(index.tolist()) == {0, -1} for index in indices)
    assert len(small.pairs) <= 1
