"""Sensitivity of a matrix game: how its value and its solution change with one payoff.

Words used here:

* A *bid* is a pure strategy, a row or a column.
* A *basis* is a choice of equally many rows and columns of the payoff matrix, which determines a strategy of each
  player. These rows and columns form the *kernel*.
* Each bid has a variable in both players' linear programs (:mod:`~gops_exact.matrix_game.simplex`): its probability in
  that of its own player, and its slack in that of the other player. The slack is the amount by which the bid does worse
  than the value. The two variables are *counterparts* of each other. At a basis, one of the two is set to 0
  and called *nonbasic*; the other one is called *basic*.

Rates. If the payoffs change in the direction of a matrix D, the value changes at the rate max min xᵀDy, with the
maximum over player one's optimal strategies x and the minimum over player two's optimal strategies y (Mills 1956,
*Marginal values of matrix games and linear programs*). If only the payoff in row i and column j increases, this is max
x_i · min y_j. If this payoff decreases, the rate is min x_i · max y_j.

Intervals. At an optimal basis let b be the basic variables of player two's linear program, and c those of player one's.
The counterpart of c_l is nonbasic in player two's linear program. Let T_kl be the derivative of b_k with respect to the
counterpart of c_l. Let the payoff in row i and column j rise by δ, and let y_j be the variable b_p, and x_i the
variable c_q. By the formula of Sherman & Morrison (1950) the basic variables and the value become

    (b_k + δ (T_kq b_p − T_pq b_k)) / d,   (c_l + δ (T_pl c_q − T_pq c_l)) / d   and   v + δ x_i y_j / d

with d = 1 − δ T_pq. The basis stays optimal while no numerator is negative. Then d is positive if x_i or y_j is
positive: the numerators of player one's probabilities have the sum d, and one of them is x_i itself; the numerators of
player two's probabilities also have the sum d, and one of them is y_j itself. If x_i = y_j = 0, neither strategy
changes.

The formulas also hold if y_j is nonbasic, with b_p = T_pq = 0, and with T_pl = 1 if y_j is the counterpart of c_l, else
0. They also hold if x_i is nonbasic, with c_q = T_pq = 0, and with T_kq = −1 if x_i is the counterpart of b_k, else 0.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq, fmpq_poly

from gops_exact.base.progress import Progress, tracked
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.payoff import Entries
from gops_exact.matrix_game.simplex import LinearPrograms, play_at, tilted
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.polynomials import Quotient
from gops_exact.numbers.table import Shown, Table, members


@dataclass(frozen=True)
class PayoffRange:
    """Rates at which a game's value changes with one payoff, and the interval of the payoff for one optimal kernel.

    All other payoffs are fixed. The kernel is the square subgame :attr:`.GameSolution.kernel`. It stays optimal while
    the payoff is in the interval.
    """

    payoff: BigRational  #: the payoff in the game
    below: BigRational  #: the rate of the value if the payoff becomes smaller
    above: BigRational  #: the rate of the value if the payoff becomes larger
    #: the least payoff for which the kernel is optimal; None if there is no least one
    low: BigRational | None
    #: the greatest payoff for which the kernel is optimal; None if there is no greatest one
    high: BigRational | None
    value: Quotient  #: the value of the game as a function of the payoff, from `low` to `high`


@dataclass(frozen=True, repr=False)
class Sensitivity(Shown):
    """Changes of a matrix game's value and solution with each single payoff, in exact numbers.

    >>> from gops_exact import solve_matrix_game
    >>> payoff = solve_matrix_game([[3, -1], [1, 2]]).sensitivity().payoffs["1"]["2"]
    >>> payoff.above, payoff.low, payoff.high, payoff.value.text("a")
    (2/25, None, 2, '(a - 6)/(a - 4)')
    """

    game: MatrixGame  #: the game
    #: {label of a row: {label of a column: rates and interval of the payoff}}
    payoffs: dict[str, dict[str, PayoffRange]]

    def table(self) -> Table:
        """Return a table with a line for each payoff."""
        rows = [
            (
                (row, column),
                [
                    *(known.payoff, known.below, known.above),
                    "-∞" if known.low is None else known.low,
                    "∞" if known.high is None else known.high,
                    known.value.short("a"),
                ],
            )
            for row, line in self.payoffs.items()
            for column, known in line.items()
        ]
        return Table(
            f"{self.game.title}: sensitivity to each payoff, the others fixed",
            ("row", "column"),
            rows,
            heads=("payoff", "below", "above", "from", "to", "value"),
            left=("row", "column", "value"),
            notes=(
                "below, above: rates of the game's value if the payoff becomes smaller or larger",
                "from, to: the payoffs a for which the kernel stays optimal, with the value of the game for them",
            ),
            matrix=True,
        )

    def document(self) -> dict[str, Any]:
        """Return the rates and intervals as a JSON object, with numbers as text, and null for an end that is None."""
        title, payoffs = self.game.title, members(self.payoffs)
        return {"document": "sensitivity", "version": 1, "title": title, "payoffs": payoffs}


def sensitivity_at(
    game: MatrixGame,
    optimum: LinearPrograms,
    unique: tuple[bool, bool],
    progress: Progress | None = None,
) -> Sensitivity:
    """Return, for each payoff, the rates of the value and the interval in which the basis stays optimal.

    Args:
        game: the game.
        optimum: the linear programs of both players at an optimal basis. The intervals are for this basis.
        unique: for each player, True if the player has only one optimal strategy.
        progress: called as progress(done, total), counted in rows; None for no report.
    """
    numbers, (two, one) = game.numbers, optimum
    play, level = play_at(optimum, numbers, "guided"), two.levels[-1]
    rows = _ranges(play.row, numbers.entries, level, is_unique=unique[0])
    columns = _ranges(play.column, -numbers.entries.T, -level, is_unique=unique[1])
    b, c, rates = two.levels[:-1], one.levels[:-1], np.array(two.rates(two.basic))
    levels, place = np.array([*b, *c]), {bid: q for q, bid in enumerate(one.basic)}
    # The rates of y_j, and those with respect to the counterpart of x_i, are unit vectors if the variable is nonbasic.
    units = -np.eye(len(b), dtype=int), np.eye(len(c), dtype=int)
    of_x = {(not own, i): unit for (own, i), unit in zip(two.basic, units[0], strict=True)}
    of_y = {(not own, j): unit for (own, j), unit in zip(one.basic, units[1], strict=True)}
    of_x |= zip(one.basic, rates.T, strict=True)
    of_y |= zip(two.basic, rates, strict=True)

    def known(i: int, j: int) -> PayoffRange:
        payoff, x, y = numbers.rows[i][j], play.row[i], play.column[j]
        down, along = of_x[True, i], of_y[True, j]
        pivot = along[place[True, i]] if (True, i) in place and (x or y) else 0
        slopes = np.concatenate([down * y, along * x]) - pivot * levels
        bounds = [
            (slope > 0, -level / slope)
            for level, slope in zip(levels, slopes, strict=True)
            if slope
        ]
        lower = max((change for is_lower, change in bounds if is_lower), default=None)
        upper = min((change for is_lower, change in bounds if not is_lower), default=None)
        # The value of the game, if the payoff is a, is v + (a − payoff) x y / d with d = 1 + (a − payoff) bend.
        bend = -pivot / numbers.scale
        denominator = fmpq_poly([1 - payoff * bend, bend])
        change = fmpq_poly([-payoff, 1]) * (x * y)
        return PayoffRange(
            BigRational(payoff),
            BigRational(rows[i][0] * columns[j][1]),
            BigRational(rows[i][1] * columns[j][0]),
            None if lower is None else BigRational(payoff + numbers.scale * lower),
            None if upper is None else BigRational(payoff + numbers.scale * upper),
            Quotient.of(play.value * denominator + change, denominator),
        )

    payoffs = {
        row: {column: known(i, j) for j, column in enumerate(game.columns)}
        for i, row in tracked(list(enumerate(game.rows)), progress)
    }
    return Sensitivity(game, payoffs)


def _ranges(
    strategy: tuple[fmpq, ...], entries: Entries, value: fmpq, *, is_unique: bool
) -> list[tuple[fmpq, fmpq]]:
    """Return the least and the greatest probability of each row over all optimal strategies.

    Args:
        strategy: an optimal strategy of the player who chooses a row, length m.
        entries: the payoffs to this player, shape (m, n).
        value: the value of the game `entries` for this player.
        is_unique: True if no other strategy is optimal.
    """
    if is_unique:
        return [(chance, chance) for chance in strategy]
    return [
        (tilted(entries, -line, value)[row], tilted(entries, line, value)[row])
        for row, line in enumerate(np.eye(len(strategy), dtype=int)[..., None])
    ]
