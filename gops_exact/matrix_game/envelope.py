"""The graphical method for games in which one player has two pure strategies.

If player one has two rows and plays the first one with probability p, the gain against each column is a line over p.
Player two's best replies are the columns with the least gain, so player one can guarantee the lower envelope of the
lines. This envelope is concave, and its greatest level is the value of the game. If player two has two columns, the
payments to player one are lines over the probability q of the first column. Their upper envelope is convex, and its
least level is the value (Luce & Raiffa 1957, *Games and Decisions*, appendix 3).
"""

from typing import NamedTuple

from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.numbers.exact import BigRational

Lines = dict[str, tuple[BigRational, ...]]
"""{label of a reply: player one's gain if the first of the two strategies is played, and if the second one is}."""


class Corner(NamedTuple):
    """End point of an envelope, or point at which the envelope bends."""

    chance: BigRational  #: the probability of the first of the two strategies
    level: BigRational  #: player one's gain
    replies: tuple[str, ...]  #: the labels of the opponent's best replies


def envelope(game: MatrixGame) -> tuple[Lines, list[Corner]]:
    """Return the lines of a 2 × n or m × 2 game, and the corners of their envelope from left to right.

    If the game has two rows, the lines are those of the columns, over the probability of the first row, and the
    envelope is the lower one. Otherwise the lines are those of the rows, over the probability of the first column, and
    the envelope is the upper one.

    Args:
        game: a game with two rows or with two columns.

    >>> lines, corners = envelope(MatrixGame([[2, 3, 1, 5], [4, 1, 6, 0]]))
    >>> for corner in corners:
    ...     print(*corner)
    0 0 ('4',)
    1/3 5/3 ('2', '4')
    5/7 17/7 ('2', '3')
    1 1 ('3',)
    """
    is_lower = game.shape[0] == 2
    best = min if is_lower else max
    gains = zip(*game.payoff, strict=True) if is_lower else map(tuple, game.payoff)
    lines = dict(zip(game.columns if is_lower else game.rows, gains, strict=True))
    slopes = {name: first - second for name, (first, second) in lines.items()}
    chance, corners = BigRational(0), list[Corner]()
    while True:
        levels = {name: second + chance * slopes[name] for name, (_, second) in lines.items()}
        level = best(levels.values())
        corners.append(Corner(chance, level, tuple(n for n in lines if levels[n] == level)))
        if chance == 1:
            return lines, corners
        # To the right of this corner, the envelope is the steepest line through it, up to the first line that crosses.
        slope = best(slopes[name] for name in corners[-1].replies)
        crossings = (
            chance + (levels[name] - level) / (slope - other)
            for name, other in slopes.items()
            if best(slope, other) != slope
        )
        chance = min(crossings, default=BigRational(1))
        chance = min(chance, BigRational(1))
