"""Ranges of optimal strategies: what may vary from one equilibrium of a game tree to another.

Words used here:

* An *information set* of a player is a set of states that the player cannot tell apart.
* A *sequence* of a player is an information set and a move there. A player who has not moved yet has the *empty
  sequence*.
* A *realization plan*, or plan for short, has a number for every sequence: the product of the probabilities of its move
  and of the player's earlier moves.
* The *sequence form* of a game has both players' sequences, and player one's payoff for each pair of them.
* The *weight* x_s of a sequence s is its number in a realization plan x.
* A *basis* of a linear program is a choice of as many of its variables and slacks as it has constraints. With all
  others set to 0, the constraints determine the variables of the basis, which are called *basic*.
* The *face* of a player is the set of all optimal plans of the player. It is a face of the polyhedron of all plans that
  satisfy the constraints of the player's linear program (:mod:`~gops_exact.extensive.linear_program`).

By complementary slackness, each optimal plan y of the opponent gives equations of the player's face. A sequence of the
player that is no best reply to y has the weight 0. If y gives a positive weight to a sequence of the opponent, the
inequality of this sequence holds with equality. To find all these equations, optimal plans of the opponent are
collected until together they give positive weights to as many sequences as possible. Then HiGHS's primal simplex
maximises and minimises one weight after another on the face, each time from the last basis.

The weights are bounded in this way under the constraint x_start = 1, where x_start is the weight of the empty sequence.
All other constraints of the face are homogeneous. For the probabilities at an information set, let s be the sequence
that leads to the set, and let x_s = 1 replace x_start = 1. Under this constraint the weights of the set's moves are the
probabilities of the moves (Charnes & Cooper 1962, *Programming with linear fractional functionals*). If x_start were 0,
all weights would be 0, but x_s is 1. So x_start is positive, and x divided by x_start is a plan of the face. Therefore
each end of a range is attained by an equilibrium.

Each end of a range is proved. A feasible solution of the dual program bounds the weight or the probability, and an
optimal plan attains the bound. Both are exact, and both are checked in integers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from gops_exact.base.progress import Progress, tracked
from gops_exact.extensive.form import START, Form, Integers, Label, Strategy, strategy_of
from gops_exact.extensive.linear_program import TOLERANCES, LinearProgram
from gops_exact.extensive.trees import PLAYERS, distinct
from gops_exact.numbers.exact import BigRational, PrecisionError
from gops_exact.numbers.table import Shown, Table

Bounds = tuple[BigRational, BigRational]
"""The least number and the greatest number."""

Pair = tuple[Sequence[fmpq], Sequence[fmpq]]
"""Player one's realization plan and player two's."""

WEIGHTS, PROBABILITIES = 0, 1
"""The two kinds of numbers that have ranges: weights of sequences, and probabilities of moves at their sets."""


class Range(NamedTuple):
    """The ranges of a move's weight and of its probability over all equilibria.

    The *weight* is the product of the probabilities of the move and of the player's earlier moves. Each end of a range
    is attained by some equilibrium.
    """

    #: the least and the greatest product of the probabilities of the move and of the player's earlier moves
    weight: Bounds
    #: the least and the greatest probability of the move in the equilibria in which the player's own moves lead to the
    #: information set; None if there are no such equilibria
    probability: Bounds | None


SideRanges = dict[Label, dict[Label, Range]]
"""{information set: {move: range}}, for all sets of a player with several moves."""


@dataclass(frozen=True, repr=False)
class Ranges(Shown):
    """The ranges of all moves of both players over all equilibria of a game."""

    title: str  #: the title of the game
    row: SideRanges  #: player one's ranges
    column: SideRanges  #: player two's ranges
    #: an equilibrium, player one's strategy and player two's, which plays every sequence that some equilibrium plays
    mean: tuple[Strategy, Strategy]

    __repr__ = Shown.__str__

    def table(self) -> Table:
        """Return a table of both players' moves, with the least and the greatest weight and probability of each."""
        sides = self.row, self.column
        weights = [[r.weight for moves in side.values() for r in moves.values()] for side in sides]
        notes = [
            f"Player {player} has only one optimal plan."
            for player, bounds in zip(PLAYERS, weights, strict=True)
            if all(least == most for least, most in bounds)
        ]
        rows = [
            (keys, [*r.weight, *(r.probability or ("", ""))])
            for keys, r, *_ in table_rows(PLAYERS, sides)
        ]
        return Table(
            f"{self.title}: the ranges of weights and probabilities over all equilibria",
            keys := ("player", "information set", "move"),
            rows,
            ("least weight", "greatest weight", "least probability", "greatest probability"),
            notes=tuple(notes),
            left=keys,
            probabilities=True,
        )


def table_rows(
    players: tuple[str, str], sides: tuple[Mapping[Label, Mapping[Label, Any]], ...]
) -> Iterator[tuple[tuple[str, str, str], Any, int, Label]]:
    """Yield the rows of a table of both players' moves.

    A row is ((player, text of the information set, text of the move), entry, index of the player, information set).
    Different information sets of a player have different texts. Different moves at a set have different texts, too.

    Args:
        players: the names of the players.
        sides: {information set: {move: entry}} of each player.
    """
    for index, (player, side) in enumerate(zip(players, sides, strict=True)):
        for name, line in distinct(side, lambda name: str(name).replace("\n", " ")).items():
            for move, label in distinct(side[name]).items():
                yield (player, line, label), side[name][move], index, name


class OptimalFace(LinearProgram):
    """Player one's linear program, restricted to the face of player one, that is, to the optimal realization plans.

    Its methods compute the ranges of the numbers in these plans and of the probabilities of the moves.

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
        """Turn the inequality of each sequence that an optimal plan of player two plays into an equation.

        Args:
            reply: an optimal plan of player two, or a sum of such plans, shape (sequences,).
        """
        self.zero[self.width + self.equations :] |= reply[1:] != 0

    def find_support(self) -> None:
        """Add optimal plans to this object until together they play every sequence that any optimal plan plays.

        A plan plays a sequence if its number for the sequence is not 0. Sequences that no optimal plan plays are then
        marked in `zero`.

        Raises:
            PrecisionError: if floats find no basis that proves which sequences optimal plans play.
        """
        unseen = np.flatnonzero(~self.zero[: self.count])
        while (unseen := unseen[self.most[WEIGHTS, unseen] == 0]).size:
            if not self._widen(unseen, 1, fmpq(0)):
                self.zero[unseen] = True
                break

    def prove(self, kind: int, name: Label) -> bool:
        """Set `least` and `most` of the moves at an information set to the ends of their ranges, and prove these ends.

        The range of a move consists of its weights, or of its probabilities, in all optimal plans.

        Args:
            kind: `WEIGHTS` or `PROBABILITIES`. The weights at a set must be proved after the weights at the sets that
                lead to it. All weights must be proved before any probabilities.
            name: the information set.

        Returns:
            For `WEIGHTS`, True if the weights of all moves at the set are the same in all optimal plans. The result for
            `PROBABILITIES` has no meaning.

        Raises:
            PrecisionError: if floats find no basis that proves an end of a range.
        """
        (before,), after = self.sides[0].sets[name]
        low, high = self.least[WEIGHTS, before], self.most[WEIGHTS, before]
        if kind == PROBABILITIES:
            if low == high:  # then probabilities are weights divided by the same number
                return True
            low = high = fmpq(1)
        # The first equation gets x_before = 1 or x_start = 1.
        sequence = before if kind == PROBABILITIES else START
        self.solver.changeCoeff(0, int(self.columns[0]), 0.0)
        self.solver.changeCoeff(0, sequence, 1.0)
        self.columns[0] = sequence
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
        weights, probabilities = (
            [(BigRational(low), BigRational(high)) for low, high in zip(*ends, strict=True)]
            for ends in zip(self.least, self.most, strict=True)
        )
        reached = self.most[WEIGHTS, self.before] != 0  # for each sequence, its information set
        shares = [p if r else None for p, r in zip(probabilities, reached, strict=True)]
        return self.sides[0].by_move([*map(Range, weights, shares)])

    def _widen(self, sequences: Sequence[int] | Integers, sign: int, known: fmpq) -> bool:
        """Prove the maximum, over all optimal plans, of `sign` times a sum of weights.

        If no plan so far attains the maximum, an optimal plan that attains it is added.

        Args:
            sequences: the sequences whose weights are added up, at least one.
            sign: 1 or −1.
            known: the greatest value of `sign` times the sum in the plans so far; the maximum is at least this.

        Returns:
            True if a plan was added.

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
        """Return True if `prices`, shape (rows,), is a feasible solution of the dual program for `goal`."""
        numbers, excess = self._excess(prices, self.rows, self.columns, goal)
        costs = np.append(excess, numbers)
        return bool((costs[~self.zero] >= 0).all() and (costs[self.unbounded] == 0).all())

    def _is_optimal(self, plan: NDArray[Any]) -> bool:
        """Return True if a solution of the linear program is on the face of the optimal plans.

        `plan` has a number for each column (variable) of the linear program, shape (columns,). The solution is on the
        face if it satisfies the constraints of the linear program, and all inequalities that are marked in `zero` hold
        with equality.
        """
        numbers, excess = self._excess(plan, self.columns, self.rows, self.right)
        levels = np.append(numbers, -excess)
        return bool((levels[~self.unbounded] >= 0).all() and (levels[self.zero] == 0).all())

    def _excess(
        self, solution: NDArray[Any], by: Integers, at: Integers, right: Integers
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return a solution, and the amounts by which its product with the matrix exceeds the right-hand sides.

        All these numbers are multiplied by the common denominator of the solution, so they are integers.

        Args:
            solution: a fraction for each column of the matrix or, for the transposed matrix, for each row.
            by: `columns` or, for the transposed matrix, `rows`: the index in `solution` for each stored entry.
            at: `rows` or, for the transposed matrix, `columns`: the index in the product for each stored entry.
            right: the right-hand sides, one for each element of the product.
        """
        numerators, common = fmpq_mat(1, len(solution), solution.tolist()).numer_denom()
        numbers = np.array(numerators.entries(), object)
        excess = right.astype(object) * -common
        np.add.at(excess, at, self.numbers * numbers[by])
        return numbers, excess

    def _add(self, plan: NDArray[Any]) -> None:
        """Add an optimal plan, shape (sequences,), to `total`, and widen the ranges so that they contain it."""
        self.known, self.total = self.known + 1, self.total + plan
        reached = plan[self.before] != 0
        shares = plan[reached] / plan[self.before[reached]]
        for ends, widen in ((self.least, np.minimum), (self.most, np.maximum)):
            ends[WEIGHTS] = widen(ends[WEIGHTS], plan)
            ends[PROBABILITIES, reached] = widen(ends[PROBABILITIES, reached], shares)


def optimal_faces(form: Form, plans: Pair) -> tuple[OptimalFace, OptimalFace]:
    """Return the linear program restricted to player one's optimal plans, and the same of player two.

    Player two's linear program is that of player one in the game in which the players have changed places.

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
    """Return, for player one and for player two, True if the player has only one optimal plan.

    Args:
        form: the sequence form of a game with perfect recall.
        plans: an optimal plan of each player.

    Raises:
        PrecisionError: if floats find no basis that proves the result.
    """
    one, two = (
        face.known == 1 and all(face.prove(WEIGHTS, name) for name in face.sides[0].sets)
        for face in optimal_faces(form, plans)
    )
    return one, two


def ranges_of(form: Form, plans: Pair, title: str, progress: Progress | None = None) -> Ranges:
    """Return the least and the greatest weight and probability of each move over all equilibria.

    Args:
        form: the sequence form of a game with perfect recall.
        plans: an optimal plan of each player.
        title: the title of the game.
        progress: called as progress(done, total); every information set counts twice. None for no report.

    Raises:
        PrecisionError: if floats find no basis that proves an end of a range.
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
