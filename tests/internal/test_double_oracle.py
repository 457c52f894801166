"""Large game trees from inside: the double oracle method on small games, and the form of hidden bids by arrays beside the tree's."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import fmpq
from recursions import EVERY_RULE, OBJECTIVES, TIES, Gops

import gops_exact as gx
from gops_exact.extensive import HiddenBids, ListedTree, Move, equilibrium
from gops_exact.extensive.double_oracle import plans_by_replies
from gops_exact.extensive.form import is_plan
from gops_exact.extensive.linear_program import LinearProgram, refine
from gops_exact.extensive.trees import sequence_form

pytest.importorskip("highspy", reason="HiGHS is not installed")

GAMES = [gx.known_games.leduc_poker(), gx.known_games.liars_dice(4)]
LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
VALUES = [LEDUC, Fraction(1, 16)]
for rules, sees in product(EVERY_RULE, (True, False)):
    if not rules.hidden:
        GAMES.append(HiddenBids(gx.Game(3, rules), (sees, False)))
GAMES.append(HiddenBids(gx.Game(4), (False, True)))
# Payoffs may all be zero, and may be longer than floats.
for payoffs in ([0, 0, 0, 0], [1, 0, 0, 1], [10**400, 0, 0, 10**401]):
    replies = [Move(2, {"c": k, "d": k + 1}, "two") for k in (3, 5)]
    GAMES.append(ListedTree([Move(1, {"a": 1, "b": 2}, "one"), *replies, *payoffs]))


def test_realization_plans_are_told_from_negative_numbers_and_false_sums():
    for side in equilibrium.form_of(gx.known_games.kuhn_poker()).sides:
        for first in (0, 1):  # of the empty sequence; no move has a share
            assert not is_plan(side, [fmpq(first)] + [fmpq(0)] * (side.sequences - 1))
        for share, right in ((fmpq(1, 3), True), (fmpq(1), True), (fmpq(4, 3), False)):
            plan = [fmpq(1)] * side.sequences
            for (
                before,
            ), after in side.sets.values():  # of two moves; a share above 1 makes one negative
                one, two = after.values()
                plan[one], plan[two] = share * plan[before], (1 - share) * plan[before]
            assert is_plan(side, plan) == right


@pytest.mark.parametrize("index", range(len(GAMES)))
def test_double_oracle_finds_the_value_of_the_whole_game(index, monkeypatch):
    game = GAMES[index]
    value = VALUES[index] if index < len(VALUES) else gx.solve_game(game).value
    monkeypatch.setattr(equilibrium, "LARGE", 0)  # games are large, however small they are
    solved = gx.solve_game(game)
    assert solved.value == value and gx.exploitability(game, solved.row, solved.column) == 0
    # What the double oracle method does not find, the simplex method in fractions would, refined.
    assert not solved.refined


def test_double_oracle_adds_moves_and_starts_from_the_last_basis(monkeypatch):
    """After a single iteration of learning, the first restricted game has few moves; best replies add the others."""
    programs, sizes, pivots, pivots_without_basis = [], [], [], []

    class Counted(LinearProgram):
        def __init__(self, form, *arguments, **options):
            super().__init__(form, *arguments, **options)
            self.form = form

        def solve(self, tolerance):
            programs.append(self)
            sizes.append(sum(map(len, self.names())))
            super().solve(tolerance)
            pivots.append(self.solver.getInfo().simplex_iteration_count)
            pivots_without_basis.append(pivots_of(LinearProgram(self.form), tolerance))

    def pivots_of(program, tolerance):
        program.solve(tolerance)
        return program.solver.getInfo().simplex_iteration_count

    monkeypatch.setattr("gops_exact.extensive.double_oracle.ITERATIONS", 1)
    monkeypatch.setattr("gops_exact.extensive.double_oracle.LinearProgram", Counted)
    form = equilibrium.form_of(gx.known_games.leduc_poker())
    assert next(plans_by_replies(form))
    assert sizes == sorted(set(sizes)) and len(sizes) > 2
    whole = LinearProgram(form)
    assert sizes[-1] < sum(map(len, whole.names()))
    assert sum(pivots) < sum(pivots_without_basis) / 2
    # The whole game, too, is solved in fewer pivots from the last basis, although it has many more moves.
    assert pivots_of(LinearProgram(form, programs[-1]), 1e-9) < pivots_of(whole, 1e-9) / 4


def test_equations_with_long_integers_are_solved():
    """64-bit integers would overflow in the first step; the refinement goes on in Python ints."""
    matrix, right = np.array([[2**60, 3], [7, 2**60 - 1]]), np.array([2**60, 0])
    system = (*np.indices((2, 2)).reshape(2, 4), matrix.ravel())
    determinant = 2**60 * (2**60 - 1) - 21
    solution = [fmpq(2**60 * (2**60 - 1), determinant), fmpq(-7 * 2**60, determinant)]

    def solve(residual):
        return np.linalg.solve(matrix.astype(float), residual.astype(float))

    assert refine(system, right, solve) == solution
    system = (*system[:2], system[2].astype(object))
    assert refine(system, right.astype(object), lambda right: 0 * solve(right)) is None


def listed(form):
    """All that a form holds, in order."""
    sides = [
        ([(name, before, list(after.items())) for name, (before, after) in side.sets.items()])
        for side in form.sides
    ]
    payoffs = [*zip(map(tuple, form.pairs.tolist()), form.payoffs.tolist(), strict=True)]
    return sides, [side.forced for side in form.sides], payoffs, form.scale, form.leaves


RULES = product(OBJECTIVES, TIES, ("random", "descending", "ascending", (2, 3, 1)))


@pytest.mark.parametrize("rules", [gx.Rules(*rule) for rule in RULES], ids=str)
def test_hidden_bids_and_their_tree_have_equal_sequence_forms(rules):
    """Names, numbers and order are equal, too, since documents depend on them."""
    sizes = (3,) if isinstance(rules.prizes, tuple) else (1, 2, 3, 4) if rules.fixed else (1, 2, 3)
    for n, seen in product(sizes, product((False, True), repeat=2)):
        hidden = HiddenBids(gx.Game(n, rules), seen)
        for tree in (Gops(hidden.game.start, hidden), *([hidden] if n == 3 else [])):
            assert listed(hidden.form) == listed(sequence_form(tree))
