"""Optimal first moves of a game, in any arithmetic."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gops_exact.arguments import MOST_DIGITS, integer, shown
from gops_exact.game.rules import PLAIN, Rules, Upcard, upcard_name
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.solutions.arithmetic import Arithmetic, Ball, Exact, Residue
from gops_exact.solutions.formats import emit, title
from gops_exact.solutions.strategy import Strategy, Value_co
from gops_exact.table import TABLE_DIGITS, Shown, Table


class Effort(NamedTuple):
    """The float games behind first moves."""

    games: int  #: matrix games solved
    failed: int  #: games whose bracket is wider than it should be; the radii account for them
    robust: int  #: games that took a second attempt


@dataclass(frozen=True, repr=False)
class FirstMoves(Mapping[Upcard, Strategy[Value_co]], Shown):
    """The optimal first moves of the game of n cards, {upcard: {card: probability}}.

    Both players have the same first moves, and the value at every upcard is 0. Where prizes are
    hidden there is one first move, ``moves[None]``.
    """

    n: int  #: cards a side
    columns: Mapping[Upcard, Strategy[Value_co]]  #: by upcard, in the order asked for
    rules: Rules = PLAIN
    arithmetic: Arithmetic = Exact()  # noqa: RUF009  # frozen
    effort: Effort | None = None  #: the games solved, where they were counted

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
        """Return the table in decimals, as the command line prints it."""
        return str(self.table())

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
        return "".join(emit(self, fmt, digits))

    def table(self, digits: int | None = None) -> Table:
        """Return a table with a line for each card and a column for each upcard.

        Args:
            digits: digits after the point; by default 4, or all that are proved.
        """
        kind, note, room = self.arithmetic, "", 0
        if digits is not None:
            digits = integer(digits, "digits", 0, MOST_DIGITS)
        else:
            digits = kind.digits if isinstance(kind, Ball) else TABLE_DIGITS
        if isinstance(kind, Residue):
            note, room = f", modulo {kind.prime}", len(str(kind.prime))
        columns = self.columns.values()
        return Table(
            f"{title(self)}\none row per card, one column per upcard{note}",
            ("card",),
            [((card,), [strategy[card] for strategy in columns]) for card in range(1, self.n + 1)],
            # pandas would take None for a missing upcard.
            heads=tuple(upcard_name(None) if upcard is None else upcard for upcard in self),
            across="upcard",
            notes=tuple(self._notes()),
            marks=tuple(strategy.mark for strategy in columns),
            digits=digits,
            room=room or digits + 2,
            probabilities=True,
        )

    def _notes(self) -> Iterator[str]:
        """Say how far floats may be off, and where strategies are not unique or not proved."""
        proved: Iterator[Strategy[Any]] = (each for each in self.columns.values() if each.proved)
        numbers = (number for strategy in proved for number in strategy.values())
        radii = [number.radius for number in numbers if isinstance(number, BoundedFloat)]
        if radii and max(radii) == 0:
            yield "Every probability shown is exact."
        elif radii:
            radius = f"{max(radii):.2g}"
            yield f"Every probability is within {radius} of the true one; a plain 0 is proved."
        if several := self._upcards(lambda strategy: strategy.unique is False):
            yield f"One optimal strategy of several at upcard {several}."
        if unproved := self._upcards(lambda strategy: not strategy.proved):
            yield (
                f"A tie was taken for one on evidence, at upcard {unproved}."
                if isinstance(self.arithmetic, Residue)
                else f"Nothing is proved at upcard {unproved}: several first moves are optimal, "
                "or floats cannot tell. Exact numbers can."
            )

    def _upcards(self, chosen: Callable[[Strategy[Any]], bool]) -> str:
        """Return the upcards of the strategies chosen, by name."""
        return ", ".join(
            upcard_name(upcard) for upcard, strategy in self.columns.items() if chosen(strategy)
        )
