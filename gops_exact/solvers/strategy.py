"""Mixed strategies, other mappings of cards to numbers, and the first moves of a game, in any arithmetic."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gops_exact.base.arguments import MOST_DIGITS, integer, shown
from gops_exact.game.rules import PLAIN, Prizes, Rules, Upcard, deck_name, upcard_name
from gops_exact.numbers.exact import Number, Value_co
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.numbers.table import TABLE_DIGITS, Shown, Table
from gops_exact.solvers.arithmetic import Arithmetic, Ball, Exact, Residue


@dataclass(frozen=True, repr=False, eq=False)
class ByCard(Mapping[int, Number[Value_co]], Shown):
    """A mapping {card: number}.

    >>> from gops_exact import view
    >>> gains = ByCard({1: view(-1), 3: view("2/3")})
    >>> gains, gains[3] + 1, gains[3].decimal(4)
    ({1: -1, 3: 2/3}, 5/3, '0.6667')
    """

    numbers: Mapping[int, Number[Value_co]]
    _caption, _probabilities = "By card", False

    def __getitem__(self, card: int) -> Number[Value_co]:
        try:
            return self.numbers[card]
        except (KeyError, TypeError):  # no such card, or not a hashable key
            cards = ", ".join(map(str, self.numbers))
            raise KeyError(f"the card must be one of {cards}, got {shown(card)}") from None

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ByCard):
            one, two = (
                {card: number.key for card, number in cards.items()} for cards in (self, other)
            )
            return one == two  # the keys include radii
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]  # like other mappings, it is not hashable

    @property
    def mark(self) -> str:
        """The mark that is printed after each number: none."""
        return ""

    def __repr__(self) -> str:
        items = (f"{card}: {number!r}{self.mark}" for card, number in self.numbers.items())
        return f"{{{', '.join(items)}}}"

    __str__ = __repr__

    def table(self) -> Table:
        """Return a table with a line for each card."""
        rows = [((card,), [number]) for card, number in self.numbers.items()]
        return Table(
            self._caption,
            ("card",),
            rows,
            marks=(self.mark,) * len(rows),
            probabilities=self._probabilities,
        )


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Strategy(ByCard[Value_co]):
    """A mixed strategy, {card: probability}, with every card of the hand.

    >>> from gops_exact import view
    >>> bids = Strategy({1: view("1/3"), 2: view("2/3")})
    >>> bids[1], sum(bids.values())
    (1/3, 1)
    """

    #: True if no other strategy is optimal, False if others are, None if unknown
    unique: bool | None = None
    #: True if the probabilities are proved. Floats of first moves that are not proved are 1/2 with radius
    #: 1/2. Residues that are not proved depend on a tie that is very likely, but not certain.
    proved: bool = True
    method: str = ""  #: the algorithm that computed the strategy; empty if not recorded
    _caption, _probabilities = "Probabilities", True

    @property
    def mark(self) -> str:
        """The mark printed after each probability: ``?`` for floats that are not proved, else none."""
        is_float = any(isinstance(p, BoundedFloat) for p in self.values())
        return "?" if is_float and not self.proved else ""


class Effort(NamedTuple):
    """The numbers of float games that were solved for first moves."""

    games: int  #: all matrix games that were solved
    failed: int  #: games whose bracket is wider than the tolerance; the radii include this width
    robust: int  #: games that took a second attempt


@dataclass(frozen=True, repr=False)
class FirstMoves(Mapping[Upcard, Strategy[Value_co]], Shown):
    """The optimal first moves of the game of n cards, {upcard: {card: probability}}.

    Both players have the same first moves, and the value at every upcard is 0. If prizes are hidden, there is
    only one first move, ``moves[None]``.
    """

    n: int  #: cards a side
    #: the first moves by upcard, in the order requested
    columns: Mapping[Upcard, Strategy[Value_co]]
    rules: Rules = PLAIN
    arithmetic: Arithmetic = Exact()  # noqa: RUF009  # a default may be shared, since Exact is frozen
    #: the numbers of float games solved; None if not counted
    effort: Effort | None = field(default=None, compare=False)
    deck: Prizes = ()  #: the prizes if they are not 1 … n, else empty

    def __getitem__(self, upcard: Upcard) -> Strategy[Value_co]:
        try:
            return self.columns[upcard]
        except (KeyError, TypeError):  # no such upcard, or not hashable
            upcards = ", ".join(map(str, self.columns))
            expected = "None, as prizes are hidden" if None in self.columns else f"one of {upcards}"
            raise KeyError(f"the upcard must be {expected}, got {shown(upcard)}") from None

    def __iter__(self) -> Iterator[Upcard]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    __repr__ = Shown.__str__

    def emit(self, fmt: str, digits: int | None = None) -> str:
        """Return the text that the command line prints with ``--emit``.

        Args:
            fmt: the format. All numbers have ``"decimals"``, ``"markdown"`` and ``"json"``. Exact ones also have
                ``"fractions"``, ``"csv"``, ``"latex"``, ``"booktabs"`` and ``"digests"``; floats have ``"csv"``.
            digits: the number of digits after the point, for decimals and markdown of all but residues, and for
                csv, latex and booktabs of exact numbers.

        Raises:
            ValueError: if the arithmetic does not have the format, or the format does not take `digits`.

        >>> from gops_exact import first_move
        >>> print(first_move(3, upcards=[2]).emit("csv", digits=3), end="")
        upcard,card,probability,decimal
        2,1,0,0.000
        2,2,5/9,0.556
        2,3,4/9,0.444
        """
        from gops_exact.solvers.formats import emit  # imported here: only text needs it

        return "".join(emit(self, fmt, digits))

    @property
    def title(self) -> str:
        """A line of text that names the game, the arithmetic and the rules."""
        game = f"{self.rules}{deck_name(self.deck)}"
        return f"GOPS, N = {self.n}: optimal first moves, {self.arithmetic.name} ({game})"

    def table(self, digits: int | None = None) -> Table:
        """Return a table with a line for each card and a column for each upcard.

        Args:
            digits: the number of digits after the point; by default 4, for balls all proved digits.
        """
        kind, note, room = self.arithmetic, "", 0
        if digits is None:
            digits = kind.digits if isinstance(kind, Ball) else TABLE_DIGITS
        digits = integer(digits, "digits", 0, MOST_DIGITS)
        if isinstance(kind, Residue):
            note, room = f", modulo {kind.prime}", len(str(kind.prime))
        columns = self.columns.values()
        return Table(
            f"{self.title}\none row per card, one column per upcard{note}",
            ("card",),
            [((card,), [strategy[card] for strategy in columns]) for card in range(1, self.n + 1)],
            # The name "hidden" replaces None, which pandas would take for a missing upcard.
            heads=tuple(upcard_name(None) if upcard is None else upcard for upcard in self),
            across="upcard",
            notes=tuple(self._notes(digits)),
            marks=tuple(strategy.mark for strategy in columns),
            digits=digits,
            room=room or digits + 2,
            probabilities=True,
        )

    def _notes(self, digits: int) -> Iterator[str]:
        """Yield sentences on the errors of floats, and on strategies that are not unique or not proved.

        Args:
            digits: the number of digits after the point in the table.
        """
        proved: Iterator[Strategy[Any]] = (moves for moves in self.columns.values() if moves.proved)
        numbers = [number for strategy in proved for number in strategy.values()]
        if numbers and isinstance(numbers[0], BoundedFloat):
            rounded, full = (
                max((number.with_radius(count)[1] for number in numbers), key=float)
                for count in (digits, None)
            )
            yield (
                "Every probability shown is exact."
                if rounded == "0"
                else f"To {digits} digits every probability is within {rounded} of the true one, in full "
                f"within {full}; a plain 0 is proved."
            )
        named = [(upcard_name(upcard), strategy) for upcard, strategy in self.columns.items()]
        if several := ", ".join(name for name, moves in named if moves.unique is False):
            yield f"One optimal strategy of several at upcard {several}."
        if unproved := ", ".join(name for name, moves in named if not moves.proved):
            yield (
                f"At upcard {unproved} a tie was found only modulo the prime: very likely, not proved."
                if isinstance(self.arithmetic, Residue)
                else f"Nothing is proved at upcard {unproved}: several first moves are optimal, "
                "or floats cannot tell. Exact numbers can."
            )
