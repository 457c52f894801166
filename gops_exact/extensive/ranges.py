"""Ranges of optimal strategies: what may vary from one equilibrium of a game tree to another.

The optimal realization plans of a player are a face of the polyhedron of the player's linear program (see
:mod:`~gops_exact.extensive.linear_program`). By complementary slackness, one optimal plan of the opponent describes
it: a sequence that is no best reply to that plan has the weight 0, and the inequality of a sequence that the opponent
plays is an equation. A plan of the face that plays as many sequences as possible is in its relative interior; so the
plans of both players find all such equations, one player's those of the other. What remains is maximised and minimised
on the face, one sequence after another, by HiGHS's primal simplex from the last basis.

The constraints of the face are homogeneous, apart from x_start = 1. With x_s = 1 instead, for the sequence s that leads
to an information set, the weights of the set's moves are their probabilities (Charnes & Cooper 1962, *Programming with
linear fractional functionals*). A plan of this other program, divided by its x_start, is one of the face: x_start is
positive, because all weights are 0 where it is 0. So each end of a range is attained by an equilibrium.

Each end is proved. A feasible solution of the dual program bounds the number, and an optimal plan attains the bound;
both are exact, and checked in integers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from gops_exact.base.progress import Progress, tracked
from gops_exact.extensive.form import START, Form, Integers, Label, Strategy, strategy_of
from gops_exact.extensive.linear_program import TOLERANCES, LinearProgram
from gops_exact.extensive.trees import distinct
from gops_exact.numbers.exact import BigRational, PrecisionError
from gops_exact.numbers.table import Shown, Table

Bounds = tuple[BigRational, BigRational]
"""The least and the greatest number."""

Pair = tuple[Sequence[fmpq], Sequence[fmpq]]
"""Player one's realization plan and player two's."""

WEIGHTS, PROBABILITIES = 0, 1
"""The two kinds of numbers that have ranges: weights of sequences, and probabilities of moves at their sets."""


class Range(NamedTuple):
    """The range of a move over all equilibria. Equilibria attain both ends."""

    #: the least and the greatest product of the probabilities of the move and of the player's earlier moves
    weight: Bounds
    #: the least and the greatest probability of the move in the equilibria in which the player's own moves lead to the
    #: information set; None if there are no such equilibria
    probability: Bounds | None


SideRanges = dict[Label, dict[Label, Range]]
"""{information set: {move: range}}, for all sets with several moves."""


@dataclass(frozen=True, repr=False)
class Ranges(Shown):
    """The ranges of all moves of both players over all equilibria of a game."""

    title: str  #: the title of the game
    row: SideRanges  #: player one's ranges
    column: SideRanges  #: player two's ranges
    #: an equilibrium, player one's strategy and player two's: the mean of the realization plans that attain the ends of
    #: the ranges. It plays every sequence that some equilibrium plays.
    mean: tuple[Strategy, Strategy]

    __repr__ = Shown.__str__

    def table(self) -> Table:
        """Return a table of both players' moves, with the least and the greatest weight and probability."""
        rows, notes = [], []
        for player, ranges in (("one", self.row), ("two", self.column)):
            weights = [each.weight for moves in ranges.values() for each in moves.values()]
            if all(least == most for least, most in weights):
                notes.append(f"Player {player} has only one optimal plan.")
            for name, text in distinct(ranges).items():
                for move, of in distinct(ranges[name]).items():
                    weight, probability = ranges[name][move]
                    rows.append(((player, text, of), [*weight, *(probability or ("", ""))]))
        return Table(
            f"{self.title}: the ranges of weights and probabilities over all equilibria",
            keys := ("player", "information set", "move"),
            rows,
            ("least weight", "greatest weight", "least probability", "greatest probability"),
            notes=tuple(notes),
            left=keys,
            probabilities=True,
        )


class OptimalFace(LinearProgram):
    """The optimal realization plans of player one, a face of the polyhedron of the linear program, with their ranges.

    Args:
        form: the sequence form of a game with perfect recall.
        plan: an optimal plan of player one.
        reply: an optimal plan of player two.
    """

    def __init__(self, form: Form, plan: Sequence[fmpq], reply: Sequence[fmpq]) -> None:
        super().__init__(form)
        for option, choice in (("presolve", "off"), ("simplex_strategy", 4)):  # the primal simplex
            self.solver.setOptionValue(option, choice)
        self.numbers = self.entries.astype(object)
        #: mask of the variables that are known to be 0 in all optimal plans, or slacks of equations
        self.zero = self.equal.copy()
        self.tighten(np.array(reply))
        #: for each sequence the index of the sequence that leads to its information set
        self.before = np.zeros(self.count, np.int64)
        # By complementary slackness an optimal plan plays only best replies to any optimal plan of the opponent.
        best, gains = form.best_moves(reply, 0)
        for (before,), after in self.sides[0].sets.values():
            moves = [*after.values()]
            (move,) = best.keys() & moves
            self.before[moves], self.zero[moves] = before, [gains[s] != gains[move] for s in moves]
        #: least and greatest weights and probabilities in the plans so far, shape (2, sequences)
        self.least = np.full((2, self.count), fmpq(1))
        self.most = np.full((2, self.count), fmpq(0))
        #: the number of the plans so far, and the sum of their weights, shape (sequences,)
        self.known, self.total = 0, np.full(self.count, fmpq(0))
        self._add(np.array(plan))

    def tighten(self, reply: NDArray[Any]) -> None:
        """Make equations of the inequalities of the sequences that an optimal plan of player two plays.

        Args:
            reply: the plan, or a sum of optimal plans, shape (sequences of player two,).
        """
        self.zero[self.width + self.equations :] |= reply[1:] != 0

    def find_support(self) -> None:
        """Find all sequences that optimal plans play.

        Afterwards these sequences have positive greatest weights in `most`, and all others are marked in `zero`.

        Raises:
            PrecisionError: if floats find no basis that proves which sequences optimal plans play.
        """
        unseen = np.flatnonzero(~self.zero[: self.count])
        while (unseen := unseen[self.most[WEIGHTS, unseen] == 0]).size:
            if not self._widen(unseen, 1, fmpq(0)):
                self.zero[unseen] = True
                break

    def prove(self, kind: int, name: Label) -> bool:
        """Prove the ranges of the moves at an information set.

        Afterwards the ranges are in `least` and `most`. Those of the sets that lead to this set must be proved before.

        Args:
            kind: `WEIGHTS`, or, after the weights of all sets, `PROBABILITIES`.
            name: the information set.

        Returns:
            For `WEIGHTS`, True if none of the weights may vary. For `PROBABILITIES`, True if none of the probabilities
            may vary, and also if the weights prove their ranges, because the weight of the sequence that leads to the
            set does not vary.

        Raises:
            PrecisionError: if floats find no basis that proves an end.
        """
        (before,), after = self.sides[0].sets[name]
        low, high = self.least[WEIGHTS, before], self.most[WEIGHTS, before]
        if kind == PROBABILITIES:
            if low == high:  # then probabilities are weights divided by the same number
                return True
            low = high = fmpq(1)
        self._normalise(before if kind == PROBABILITIES else START)
        ends = {s: (fmpq(0), high) for s in after.values() if not self.zero[s]}
        for s in tuple(ends):
            # The sum of all moves is from `low` to `high`. This proves some ends without a linear program.
            del ends[s]
            floor = low - sum((most for _, most in ends.values()), fmpq(0))
            ceiling = high - sum((least for least, _ in ends.values()), fmpq(0))
            if self.least[kind, s] not in (0, floor):
                self._widen([s], -1, -self.least[kind, s])
            if self.most[kind, s] != ceiling:
                self._widen([s], 1, self.most[kind, s])
            ends[s] = self.least[kind, s], self.most[kind, s]
        return all(least == most for least, most in ends.values())

    def ranges(self) -> SideRanges:
        """Return the ranges by information set and move; :meth:`prove` must have proved all of them before."""
        lows, highs = (
            [[*map(BigRational, row)] for row in ends] for ends in (self.least, self.most)
        )
        pairs = [[*zip(low, high, strict=True)] for low, high in zip(lows, highs, strict=True)]
        return {
            name: {
                move: Range(
                    pairs[WEIGHTS][s], pairs[PROBABILITIES][s] if highs[WEIGHTS][before] else None
                )
                for move, s in after.items()
            }
            for name, ((before,), after) in self.sides[0].sets.items()
        }

    def _normalise(self, sequence: int) -> None:
        """Replace the first equation by x_sequence = 1: the weight of the sequence with this index is 1."""
        self.solver.changeCoeff(0, int(self.columns[0]), 0.0)
        self.solver.changeCoeff(0, sequence, 1.0)
        self.columns[0] = sequence

    def _widen(self, sequences: Sequence[int] | Integers, sign: int, known: fmpq) -> bool:
        """Prove the maximum of a sum of weights on the face; return True if a new plan, which is added, attains it.

        Args:
            sequences: the indices of the sequences.
            sign: 1, or −1 for the maximum of the negative sum.
            known: the maximum, with the sign, of the plans so far.

        Raises:
            PrecisionError: if floats find no basis that proves the maximum.
        """
        goal = np.zeros_like(self.goal)
        goal[sequences] = sign * self.unit
        self.restrict(self.right, goal, np.zeros_like(self.zero), self.zero)
        for tolerance in TOLERANCES:
            self.solve(tolerance)
            prices = self.dual(goal)
            if prices is None or not self._is_bound(prices, goal):
                continue
            if prices[0] == known:
                return False
            plan = self.primal(self.right)
            if plan is None or not self._is_optimal(plan):
                continue
            if sign * sum(plan[sequences]) == prices[0]:
                self._add(plan[: self.count] / plan[START])
                return True
        raise PrecisionError("floats find no proof of a range of this game's equilibria")

    def _is_bound(self, prices: NDArray[Any], goal: Integers) -> bool:
        """Return True if prices of the rows prove that goal · z is at most prices · right on the face.

        Args:
            prices: a solution of the dual program, fractions, shape (rows,).
            goal: the coefficients of the goal, shape (columns,).
        """
        numbers, excess = self._excess(prices, self.rows, self.columns, goal)
        costs = np.append(excess, numbers)
        return bool((costs[~self.zero] >= 0).all() and (costs[self.unbounded] == 0).all())

    def _is_optimal(self, plan: NDArray[Any]) -> bool:
        """Return True if a solution of the linear program is on the face.

        Args:
            plan: fractions, shape (columns,): player one's plan, followed by the values of player two's sets.
        """
        numbers, excess = self._excess(plan, self.columns, self.rows, self.right)
        levels = np.append(numbers, -excess)
        return bool((levels[~self.unbounded] >= 0).all() and (levels[self.zero] == 0).all())

    def _excess(
        self, solution: NDArray[Any], by: Integers, at: Integers, right: Integers
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return a solution, and the product of the matrix and the solution minus the right-hand sides.

        Both are multiplied by the common denominator of the solution, so they are integers.

        Args:
            solution: a fraction for each column of the matrix; or one for each row, and then the transposed matrix is
                multiplied.
            by: for each stored entry of the matrix, the index of the element of the solution by which it is multiplied.
            at: for each stored entry, the index of the element of the product to which it contributes.
            right: the right-hand sides, one for each element of the product.
        """
        numerators, common = fmpq_mat(1, len(solution), solution.tolist()).numer_denom()
        numbers = np.array(numerators.entries(), object)
        excess = right.astype(object) * -common
        np.add.at(excess, at, self.numbers * numbers[by])
        return numbers, excess

    def _add(self, plan: NDArray[Any]) -> None:
        """Widen the ranges so that they contain an optimal plan, shape (sequences,), and add the plan to `total`."""
        self.known, self.total = self.known + 1, self.total + plan
        reached = plan[self.before] != 0
        shares = plan[reached] / plan[self.before[reached]]
        for ends, widen in ((self.least, np.minimum), (self.most, np.maximum)):
            ends[WEIGHTS] = widen(ends[WEIGHTS], plan)
            ends[PROBABILITIES, reached] = widen(ends[PROBABILITIES, reached], shares)


def optimal_faces(form: Form, plans: Pair) -> tuple[OptimalFace, OptimalFace]:
    """Return the faces of optimal plans of player one and of player two; the latter is player one in the mirrored game.

    Args:
        form: the sequence form of a game with perfect recall.
        plans: an optimal plan of each player.

    Raises:
        PrecisionError: if floats find no basis that proves which sequences optimal plans play.
    """
    mirrored = Form(form.sides[::-1], form.pairs[:, ::-1], -form.payoffs, form.scale, form.leaves)
    one, two = OptimalFace(form, *plans), OptimalFace(mirrored, *plans[::-1])
    one.find_support()
    two.find_support()
    one.tighten(two.total)
    two.tighten(one.total)
    return one, two


def unique_plans(form: Form, plans: Pair) -> tuple[bool, bool]:
    """Return, for each player, True if the optimal plan is the only one.

    Args:
        form: the sequence form of a game with perfect recall.
        plans: an optimal plan of each player.

    Raises:
        PrecisionError: if floats find no basis that proves it.
    """
    one, two = (
        face.known == 1 and all(face.prove(WEIGHTS, name) for name in face.sides[0].sets)
        for face in optimal_faces(form, plans)
    )
    return one, two


def ranges_of(form: Form, plans: Pair, title: str, progress: Progress | None = None) -> Ranges:
    """Return the ranges of all moves over all equilibria.

    Args:
        form: the sequence form of a game with perfect recall.
        plans: an optimal plan of each player.
        title: the title of the game.
        progress: called as progress(done, total), in information sets, each of which is counted for weights and for
            probabilities; None for no report.

    Raises:
        PrecisionError: if floats find no basis that proves an end.
    """
    if progress is not None:
        progress(0, 2 * sum(len(side.sets) for side in form.sides))
    faces = optimal_faces(form, plans)
    work = [
        (face, kind, name)
        for face in faces
        for kind in (WEIGHTS, PROBABILITIES)
        for name in face.sides[0].sets
    ]
    for face, kind, name in tracked(work, progress):
        face.prove(kind, name)
    row, column = (face.ranges() for face in faces)
    one, two = (strategy_of(face.sides[0], [*face.total / face.known]) for face in faces)
    return Ranges(title, row, column, (one, two))
