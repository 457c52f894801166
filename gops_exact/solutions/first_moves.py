"""Optimal first moves of a game, in any arithmetic."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, NamedTuple

from gops_exact.arguments import MOST_DIGITS, integer, shown
from gops_exact.game.rules import PLAIN, Rules, Upcard
from gops_exact.numbers.shown import Framed, emitted, text
from gops_exact.solutions.arithmetic import Arithmetic, Exact
from gops_exact.solutions.strategy import Strategy, Value_co

if TYPE_CHECKING:
    import pandas as pd


class Effort(NamedTuple):
    """The float games behind first moves.

    Attributes:
        games: matrix games solved.
        failed: games whose bracket is wider than it should be; the radii account for them.
        robust: games that took a second attempt.
    """

    games: int
    failed: int
    robust: int


@dataclass(frozen=True, repr=False)
class FirstMoves(Mapping[Upcard, Strategy[Value_co]], Framed):
    """The optimal first moves of the game of n cards, {upcard: {card: probability}}.

    Both players have the same first moves, and the value at every upcard is 0. Where prizes are
    hidden there is one first move, ``moves[None]``.

    Attributes:
        n: cards a side.
        columns: {upcard: strategy}, in the order asked for.
        rules: the rules of the game.
        arithmetic: the kind of number, with its options.
        effort: the games solved, where they were counted.
    """

    n: int
    columns: Mapping[Upcard, Strategy[Value_co]]
    rules: Rules = PLAIN
    arithmetic: Arithmetic = Exact()  # noqa: RUF009  # frozen
    effort: Effort | None = None

    def __getitem__(self, upcard: Upcard) -> Strategy[Value_co]:
        try:
            return self.columns[upcard]
        except (KeyError, TypeError):  # not there, or no key at all
            upcards = ", ".join(map(str, self.columns))
            expected = "None, as prizes are hidden" if None in self.columns else f"one of {upcards}"
            raise KeyError(f"the upcard must be {expected}, got {shown(upcard)}") from None

    def __iter__(self) -> Iterator[Upcard]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __str__(self) -> str:
        """The table in decimals, as the command line prints it."""
        return text(self)

    __repr__ = __str__

    def emit(self, fmt: str, digits: int | None = None) -> str:
        """Return the text that the command line prints with ``--emit``.

        Args:
            fmt: ``"fractions"``, ``"decimals"``, ``"json"``, ``"csv"``, ``"latex"`` or ``"digests"``
                of exact numbers; ``"decimals"`` or ``"json"`` of others, of floats ``"csv"``, too.
            digits: digits after the point, in decimals and of exact numbers in csv and latex.

        Raises:
            ValueError: if the format is none of the arithmetic's, or does not go with `digits`.

        >>> from gops_exact import first_move
        >>> print(first_move(3, upcards=[2]).emit("csv", digits=3), end="")
        upcard,card,probability,decimal
        2,1,0,0.000
        2,2,5/9,0.556
        2,3,4/9,0.444
        """
        if digits is not None:
            digits = integer(digits, "digits", 0, MOST_DIGITS)
        return emitted(self, fmt, digits)

    def to_table(self) -> "pd.DataFrame":
        """A frame of floats laid out as in print: one row per card, one column per upcard.

        A column is NaN where floats are not proved.

        Raises:
            ValueError: if the probabilities are residues.
        """
        numbers = self.to_frame()
        if "float" not in numbers:
            raise ValueError("a table of floats needs probabilities, got residues")
        upcards = list(numbers.index.unique("upcard"))
        table = numbers.pivot_table("float", "card", "upcard", aggfunc="sum")[upcards]
        table.loc[:, [strategy.mark != "" for strategy in self.columns.values()]] = nan
        return table


def upcard_name(upcard: Upcard) -> str:
    """An upcard as text: a prize in points, or ``hidden``.

    >>> upcard_name(3), upcard_name(None)
    ('3', 'hidden')
    """
    return "hidden" if upcard is None else str(upcard)
