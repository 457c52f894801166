"""Results as people handle them: the first-move table of a game, and one solved position."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from flint import fmpq

from gops_exact.game.rules import LEVEL, PLAIN, Rules, State, Upcard
from gops_exact.matrix_game import GameSolution
from gops_exact.numbers import BigRational
from gops_exact.show.markup import short_repr

if TYPE_CHECKING:
    import pandas as pd


class ByCard(Mapping[int, fmpq]):
    """Exact numbers as {card: number}.

    They are kept as :class:`~gops_exact.numbers.BigRational`; the fmpq is made when it is asked
    for, since at a million digits that takes a second. ``view`` gives the number for people.

    >>> gains = ByCard.of([1, 3], [fmpq(-1), fmpq(2, 3)])
    >>> gains, gains[3], sum(gains.values())
    ({1: -1, 3: 2/3}, 2/3, -1/3)
    """

    def __init__(self, numbers: Mapping[int, BigRational]) -> None:
        self._numbers = dict(numbers)

    @classmethod
    def of(cls, cards: Iterable[int], numbers: Iterable[fmpq]) -> Self:
        """The numbers of the cards, one each."""
        return cls(dict(zip(cards, map(BigRational.of, numbers), strict=True)))

    def __getitem__(self, card: int) -> fmpq:
        return self._numbers[card].value

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{card}: {number}" for card, number in self._numbers.items()) + "}"

    def view(self, card: int) -> BigRational:
        """The number of a card: its digits, decimals, factors, conversions."""
        return self._numbers[card]

    def _repr_html_(self) -> str:
        from gops_exact.show.display import by_card_html

        return by_card_html(self)

    def _repr_latex_(self) -> str:
        from gops_exact.show.display import by_card_latex

        return by_card_latex(self)


class Probabilities(ByCard):
    """A strategy as {card: probability}, exact.

    >>> bids = Probabilities.of([1, 2], [fmpq(1, 3), fmpq(2, 3)])
    >>> bids[1], sum(bids.values())
    (1/3, 1)
    """


@dataclass(frozen=True)
class FirstMove:
    """The optimal first move at one upcard, the same for both players.

    Attributes:
        upcard: the prize turned up, in points; None where bids are made before it is seen.
        probabilities: {card: probability}, every card of the hand.
        value: the value of the game at this upcard; zero, as the hands are equal.
        unique: whether it is the only optimal first move.
        method: the algorithm that found it.
    """

    upcard: Upcard
    probabilities: Probabilities
    value: fmpq
    unique: bool
    method: str


def upcard_name(upcard: Upcard) -> str:
    """An upcard as text: a prize in points, or ``hidden``.

    >>> upcard_name(3), upcard_name(None)
    ('3', 'hidden')
    """
    return "hidden" if upcard is None else str(upcard)


Strategy_co = TypeVar("Strategy_co", covariant=True)


class AtUpcard(Protocol[Strategy_co]):
    """The first move at an upcard, in any arithmetic."""

    @property
    def upcard(self) -> Upcard:
        """The prize turned up, None if it is hidden."""

    @property
    def probabilities(self) -> Strategy_co:
        """{card: probability}."""


Column = TypeVar("Column", bound=AtUpcard[object])


def at_upcard(columns: Iterable[Column], upcard: Upcard) -> Column:
    """The column of an upcard.

    Raises:
        KeyError: if there is none.
    """
    found = {column.upcard: column for column in columns}
    if upcard not in found:
        upcards = ", ".join(map(upcard_name, found))
        raise KeyError(f"the upcard must be one of {upcards}, got {upcard!r}")
    return found[upcard]


class ByUpcard(Mapping[Upcard, Strategy_co]):
    """First moves as {upcard: {card: probability}}, in the order asked for."""

    columns: tuple[AtUpcard[Strategy_co], ...]

    def __getitem__(self, upcard: Upcard) -> Strategy_co:
        return at_upcard(self.columns, upcard).probabilities

    def __iter__(self) -> Iterator[Upcard]:
        return (column.upcard for column in self.columns)

    def __len__(self) -> int:
        return len(self.columns)


@dataclass(frozen=True)
class FirstMoves(ByUpcard[Probabilities]):
    """The optimal first moves of the game of n cards, {upcard: {card: probability}}.

    Where prizes are hidden there is one first move, ``moves[None]``.

    Attributes:
        n: cards a side.
        columns: one first move per upcard, in the order asked for.
        rules: the rules of the game.
        arithmetic: the number system of the probabilities, ``"exact"``.
    """

    n: int
    columns: tuple[FirstMove, ...]
    rules: Rules = PLAIN
    arithmetic: str = "exact"

    def __str__(self) -> str:
        """The table in decimals, as the command line prints it."""
        from gops_exact.show.emit import emit

        return "".join(emit(self, "decimals")).rstrip("\n")

    __repr__ = __str__

    def to_frame(self) -> "pd.DataFrame":
        """A frame indexed by (upcard, card), the probabilities ``exact`` beside ``float``."""
        from gops_exact.show.frames import first_moves_frame

        return first_moves_frame(self)

    def to_table(self) -> "pd.DataFrame":
        """A frame of floats laid out as in print: one row per card, one column per upcard."""
        from gops_exact.show.frames import first_moves_table

        return first_moves_table(self)

    def _repr_html_(self) -> str:
        from gops_exact.show.display import first_moves_html

        return first_moves_html(self)

    def _repr_latex_(self) -> str:
        from gops_exact.show.display import first_moves_latex

        return first_moves_latex(self)


@dataclass(frozen=True)
class PositionSolution:
    """Optimal play at one position.

    Attributes:
        one: player one's hand, ascending.
        two: player two's hand, ascending.
        prizes: the prizes left, the upcard among them, ascending or in the order they come in.
        upcard: the prize turned up; None where bids are made before it is seen.
        game: the solution of the matrix game of the bids.
        rules: the rules of the game.
        state: the margin and the pot.
    """

    one: tuple[int, ...]
    two: tuple[int, ...]
    prizes: tuple[int, ...]
    upcard: Upcard
    game: GameSolution
    rules: Rules = PLAIN
    state: State = LEVEL

    __repr__ = short_repr

    @property
    def value(self) -> fmpq:
        """What player one gains from here on under optimal play, as :func:`~gops_exact.value` says."""
        return self.game.value

    @property
    def row(self) -> Probabilities:
        """Player one's strategy as {card: probability}."""
        return Probabilities.of(self.one, self.game.row)

    @property
    def column(self) -> Probabilities:
        """Player two's strategy as {card: probability}."""
        return Probabilities.of(self.two, self.game.column)

    @property
    def unique(self) -> bool:
        """Whether both strategies are the only optimal ones."""
        return self.game.unique

    @property
    def row_unique(self) -> bool:
        """Whether player one's strategy is the only optimal one."""
        return self.game.row_unique

    @property
    def column_unique(self) -> bool:
        """Whether player two's strategy is the only optimal one."""
        return self.game.column_unique

    @property
    def method(self) -> str:
        """The algorithm that solved the game."""
        return self.game.method

    def to_frame(self) -> "pd.DataFrame":
        """A frame indexed by (player, card), the probabilities ``exact`` beside ``float``."""
        from gops_exact.show.frames import position_frame

        return position_frame(self)

    def _repr_html_(self) -> str:
        from gops_exact.show.display import position_html

        return position_html(self)

    def _repr_latex_(self) -> str:
        from gops_exact.show.display import position_latex

        return position_latex(self)
