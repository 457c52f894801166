"""The arithmetics, the base class of solvers, and their results: first moves, solutions, payoffs, chances."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from flint import fmpz

from gops_exact.base.arguments import MOST_DIGITS, flag, integer, path, positive_integer, shown
from gops_exact.game.game import Game, Position, checked_position
from gops_exact.game.rules import (
    PLAIN,
    Hand,
    Prizes,
    Rules,
    Upcard,
    Upcards,
    deck_name,
    upcard_name,
)
from gops_exact.matrix_game.basis import Play
from gops_exact.numbers.exact import BigRational, Number, Value_co
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.numbers.table import TABLE_DIGITS, Shown, Table, in_short

DIGITS = 50
"""The default number of digits after the point in ball arithmetic (:class:`Ball`)."""

SMALLEST, LARGEST = 10**9, 2**64
"""The bounds of the modulus. Modulo a smaller prime, different numbers often have equal residues; a larger prime
does not fit in a machine word."""

PRIME = 2**61 - 1
"""The default modulus of residues: the largest Mersenne prime that fits in a machine word."""


@dataclass(frozen=True)
class Exact:
    """The arithmetic of exact rational numbers."""

    name: ClassVar[str] = "exact"


@dataclass(frozen=True)
class Ball:
    """The arithmetic of decimals that are computed in ball arithmetic; every digit is proved.

    Raises:
        ValueError: if `digits` is not a positive integer.
    """

    digits: int = DIGITS  #: the number of digits after the point, at least 1
    name: ClassVar[str] = "ball"

    def __post_init__(self) -> None:
        object.__setattr__(self, "digits", positive_integer(self.digits, "digits", MOST_DIGITS))


@dataclass(frozen=True)
class Residue:
    """The arithmetic modulo a prime: it checks results independently where exact numbers are too long to compute.

    Raises:
        ValueError: if `prime` is not a prime between 10⁹ and 2⁶⁴.
    """

    prime: int = PRIME  #: the modulus, between 10⁹ and 2⁶⁴
    name: ClassVar[str] = "residue"

    def __post_init__(self) -> None:
        kind = "a prime between 10^9 and 2^64"
        prime = integer(self.prime, "prime", kind=kind)
        if not (SMALLEST < prime < LARGEST and fmpz(prime).is_prime()):
            raise ValueError(f"prime must be {kind}, got {shown(prime)}")
        object.__setattr__(self, "prime", prime)


@dataclass(frozen=True)
class Float:
    """The arithmetic of floats, each with a proved radius."""

    #: The folder for layers of values, which are memory-mapped files; None for layers in memory. A run
    #: continues from the layers that a stopped run left in the folder. At the end the last two layers stay there.
    folder: str | Path | None = None
    keep: bool = False  #: True to leave all layers in the folder, not only the last two
    #: The limit, in bytes, on the memory of a run; None for 80 % of the machine's memory. Unless forced, a run that
    #: takes more is refused. The tables of order types count and, unless a game has a folder, the layers of values.
    memory_bytes: int | None = None
    #: True to store values as 32-bit integers, which take half the memory of floats but have fewer digits; this
    #: needs the objective ``win``. None to do so only if the values in memory would take more than 4 GB as floats.
    integers: bool | None = None
    name: ClassVar[str] = "float"

    def __post_init__(self) -> None:
        kinds = {"folder": path, "keep": flag, "memory_bytes": positive_integer, "integers": flag}
        for name, convert in kinds.items():
            option = getattr(self, name)
            if option is not None or name == "keep":
                object.__setattr__(self, name, convert(option, name))


Arithmetic = Exact | Ball | Residue | Float

SHORTHAND: dict[str, type[Arithmetic]] = {kind.name: kind for kind in (Exact, Ball, Residue, Float)}
"""The class of each arithmetic, {name: class}."""


def as_arithmetic(arithmetic: object) -> Arithmetic:
    """Return an arithmetic as an instance; `arithmetic` is an instance already, or the name of its class.

    Raises:
        ValueError: if it is neither.
    """
    if isinstance(arithmetic, Arithmetic):
        return arithmetic
    if isinstance(arithmetic, str) and arithmetic in SHORTHAND:
        return SHORTHAND[arithmetic]()
    raise ValueError(
        "arithmetic must be 'exact', 'ball', 'residue', 'float' or Exact(), Ball(digits), "
        f"Residue(prime), Float(folder), got {shown(arithmetic)}"
    )


Value = TypeVar("Value")
"""The type of number that a solver computes with: a pair (fmpz, fmpz) for exact numbers, an arb for balls, an int for
residues, or a float."""

HALF = 1 << 20
"""Half of the total that is reported as progress when a position is solved. The first half is for the values of the
positions that can follow, the second half for the games of the position itself."""


Key = TypeVar("Key")
Entry_co = TypeVar("Entry_co", covariant=True)


class Keyed(Mapping[Key, Entry_co], Shown):
    """A result that is a mapping; the KeyError for a wrong key names the valid keys."""

    _entries: Any  # the mapping {key: entry} behind this one
    _key: ClassVar[str]  # the noun for a key in error messages, such as "upcard"

    def __getitem__(self, key: Key) -> Entry_co:
        try:
            entry: Entry_co = self._entries[key]
        except (KeyError, TypeError):  # there is no such key, or it is not hashable
            keys = ", ".join(map(str, self))
            expected = "None, as prizes are hidden" if None in self._entries else f"one of {keys}"
            raise KeyError(f"the {self._key} must be {expected}, got {shown(key)}") from None
        return entry

    def __iter__(self) -> Iterator[Key]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


@dataclass(frozen=True, repr=False, eq=False)
class ByCard(Keyed[int, Number[Value_co]]):
    """A mapping {card: number}.

    >>> from gops_exact import view
    >>> gains = ByCard({1: view(-1), 3: view("2/3")})
    >>> gains, gains[3] + 1, gains[3].decimal(4)
    ({1: -1, 3: 2/3}, 5/3, '0.6667')
    """

    numbers: Mapping[int, Number[Value_co]]
    _entries, _key = property(attrgetter("numbers")), "card"
    _caption, _probabilities, proved = "By card", False, True

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ByCard):
            one, two = (
                {card: number.key for card, number in cards.items()} for cards in (self, other)
            )
            return one == two  # keys of floats include their radii
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]  # like other mappings, it is not hashable

    @property
    def mark(self) -> str:
        """The mark that is printed after each number: ``?`` for floats that are not proved, else empty."""
        is_float = any(isinstance(number, BoundedFloat) for number in self.values())
        return "?" if is_float and not self.proved else ""

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
    #: True if the probabilities are proved. In floats, probabilities of first moves that are not proved are 1/2 with
    #: radius 1/2. Residues that are not proved depend on the assumption that certain numbers are 0, which is very
    #: likely, but not certain: their residues are 0, and balls around them contain 0.
    proved: bool = True
    method: str = ""  #: the algorithm that computed the strategy; empty if not recorded
    _caption, _probabilities = "Probabilities", True

    def document(self) -> dict[str, Any]:
        """Return the table as a JSON object that also says if the strategy is the only optimal one and if it is proved."""
        return super().document() | {"unique": self.unique, "proved": self.proved}


class Effort(NamedTuple):
    """Counts of the matrix games that were solved for first moves in floats."""

    games: int  #: the number of all matrix games
    failed: int  #: the number of games whose bracket is wider than the tolerance; the radii include this width
    robust: int  #: the number of games that took a second attempt


@dataclass(frozen=True, repr=False)
class FirstMoves(Keyed[Upcard, Strategy[Value_co]]):
    """The optimal first moves of the game of n cards, {upcard: {card: probability}}.

    Both players have the same first moves, and the value at every upcard is 0. If prizes are hidden, there is
    only one first move, ``moves[None]``.
    """

    n: int  #: cards a side
    #: {upcard: first move}, in the order in which the upcards were requested
    columns: Mapping[Upcard, Strategy[Value_co]]
    rules: Rules = PLAIN
    arithmetic: Arithmetic = Exact()  # all objects may share this default, because Exact is frozen
    #: counts of the matrix games that were solved in floats; None in other arithmetics
    effort: Effort | None = field(default=None, compare=False)
    deck: Prizes = ()  #: the prizes if they are not 1 … n, else empty

    _entries, _key = property(attrgetter("columns")), "upcard"

    __repr__ = Shown.__str__

    def emit(self, fmt: str, digits: int | None = None) -> str:
        """Return the first moves as text in one of the formats that the command line prints with ``--emit``.

        Args:
            fmt: the format. All arithmetics have ``"decimals"``, ``"markdown"`` and ``"json"``. Exact numbers also
                have ``"fractions"``, ``"csv"``, ``"latex"``, ``"booktabs"`` and ``"digests"``; floats have ``"csv"``.
            digits: the number of digits after the point; None for the default of the format. Decimals and markdown
                take it in all arithmetics but residues; csv, latex and booktabs take it for exact numbers only.

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
            digits: the number of digits after the point; None for 4, or for all proved digits of balls.
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
            digits: the number of digits after the point that the table shows.
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


@dataclass(frozen=True, repr=False, eq=False)
class Solution(Shown, Generic[Value_co]):
    """Optimal play at a position with a prize turned up."""

    position: Position
    value: Number[Value_co]  #: player one's expectation, see :func:`gops_exact.value`
    row: Strategy[Value_co]  #: player one's strategy
    column: Strategy[Value_co]  #: player two's strategy
    #: The algorithm that solved the matrix game of the bids: one of those that :class:`~gops_exact.GameSolution`
    #: names, or ``"bracket"`` if floats could not prove the strategies.
    method: str

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        one, two = (
            (solution.position, solution.value.key, solution.row, solution.column, solution.method)
            for solution in (self, other)
        )
        return one == two  # keys of floats include their radii

    __hash__ = None  # type: ignore[assignment]  # its strategies are not hashable

    @property
    def proved(self) -> bool:
        """True if both strategies are proved to be optimal."""
        return self.row.proved and self.column.proved

    @property
    def unique(self) -> bool | None:
        """True if each player has only one optimal strategy, False if a player has several, None if unknown."""
        known = (self.row.unique, self.column.unique)
        return False if False in known else None if None in known else True

    @property
    def support(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The cards of player one, and of player two, with a nonzero probability.

        A float that is not exactly 0 counts as nonzero.
        """
        row, column = (
            tuple(card for card in side if not side[card].is_zero)
            for side in (self.row, self.column)
        )
        return row, column

    def check(self, payoff: object) -> None:
        """Prove the value and the strategies of an exact solution, as :meth:`GameSolution.check` does.

        Args:
            payoff: player one's expectation for every pair of bids, see :func:`gops_exact.payoff_matrix`.

        Raises:
            ValueError: if `payoff` is not a matrix of exact rationals, or if the solution is not exact.
            CertificateError: if a condition of the proof does not hold.
        """
        # Imported here, because it is seldom needed.
        from gops_exact.matrix_game.game_solution import check_solution

        if not isinstance(self.value, BigRational):
            raise ValueError(f"only an exact solution can be checked, got value {self.value!r}")
        check_solution(payoff, self.value, self.row.values(), self.column.values())

    def table(self, digits: int | None = None) -> Table:
        """Return a table with a line for each card of each player; the title has the value and the method.

        Args:
            digits: the number of digits after the point for exact numbers and floats; None for 4.

        >>> from gops_exact import solve
        >>> print(solve(Position([2, 4], [1, 3], [12, 13], upcard=13)).table())
        2 4 against 1 3 for 13 of 12 13: value 313/25 ≈ 12.5200 (closed form)
        <BLANKLINE>
        player  card  decimal  exact
             1     2   0.4800  12/25
             1     4   0.5200  13/25
             2     1   0.5200  13/25
             2     3   0.4800  12/25
        """
        position = self.position
        hands = " against ".join(" ".join(map(str, hand)) for hand in (position.one, position.two))
        upcard = "one" if position.upcard is None else position.upcard
        stake = f"{upcard} of {' '.join(map(str, position.prizes))}"
        state = [f"{name} {points}" for name, points in position.state._asdict().items() if points]
        rules = [] if position.rules == PLAIN else [str(position.rules)]
        unique = {True: "", False: ", not unique", None: ", not proved to be unique"}[self.unique]
        value = f"value {in_short(self.value, digits)} ({self.method}{unique})"
        sides = ((1, self.row), (2, self.column))
        return Table(
            f"{', '.join([f'{hands} for {stake}', *state, *rules])}: {value}",
            ("player", "card"),
            [((player, card), [p]) for player, bids in sides for card, p in bids.items()],
            marks=tuple(bids.mark for _, bids in sides for _ in bids),
            digits=TABLE_DIGITS if digits is None else integer(digits, "digits", 0, MOST_DIGITS),
            probabilities=True,
        )

    def document(self) -> dict[str, Any]:
        """Return the JSON object that ``gops-exact position`` prints; :func:`gops_exact.read` reads it again."""
        from gops_exact.solvers.formats import (
            position_document,  # imported here: only text needs it
        )

        return position_document(self.position, self.value, [self])

    def __repr__(self) -> str:
        return (
            f"Solution(value={self.value!r}, row={self.row!r}, column={self.column!r}, "
            f"method={self.method!r}, position={self.position!r})"
        )


class PayoffMatrix(list[list[Number[Value]]], Shown):
    """Player one's expectation for every pair of bids: a row for each of `one`, a column for each of `two`.

    >>> from gops_exact.numbers import view
    >>> payoffs = PayoffMatrix([2], [1, 3], [[view(25), view("-1/3")]])
    >>> payoffs, payoffs[0][1].decimal(2)
    ([[25, -1/3]], '-0.33')
    """

    def __init__(
        self, one: Iterable[int], two: Iterable[int], numbers: Sequence[Sequence[Number[Value]]]
    ) -> None:
        super().__init__(list(row) for row in numbers)
        self.one, self.two = tuple(one), tuple(two)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PayoffMatrix):
            one, two = (
                (matrix.one, matrix.two, [[number.key for number in row] for row in matrix])
                for matrix in (self, other)
            )
            return one == two  # keys of floats include their radii
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]  # like a list, it is not hashable

    def table(self) -> Table:
        """Return a table with a row for each bid of player one and a column for each bid of player two."""
        return Table(
            "What player one can expect: one's bids (rows) against two's (columns)",
            ("one",),
            [((card,), row) for card, row in zip(self.one, self, strict=True)],
            heads=self.two,
            across="two",
            matrix=True,
        )


class Chances(NamedTuple):
    """The least and the greatest chance of a result over all pairs of optimal strategies."""

    least: BigRational
    greatest: BigRational


@dataclass(frozen=True)
class Outcomes(Shown):
    """The exact chances of a win, a draw and a loss if both players play optimally for a win."""

    value: BigRational  #: player one's chance of a win minus the chance of a loss
    draw: Chances  #: the chances of a draw

    def table(self) -> Table:
        """Return a table with a line for the least and for the greatest chance of each result."""
        chances = {"win": self.win, "draw": self.draw, "loss": self.loss}
        return Table(
            f"value {in_short(self.value)}: chances over all optimal strategies",
            ("", "chance"),
            [
                ((name, side), [chance])
                for name, both in chances.items()
                for side, chance in both._asdict().items()
            ],
            left=("", "chance"),
            probabilities=True,
        )

    @property
    def win(self) -> Chances:
        """Player one's least and greatest chance of a win, which is (1 − draw + value) / 2.

        The value is the same for all optimal strategies. So the chance of a win is least where that of a draw is
        greatest.
        """
        return Chances(*((1 - draw + self.value) / 2 for draw in reversed(self.draw)))

    @property
    def loss(self) -> Chances:
        """Player one's least and greatest chance of a loss, which is (1 − draw − value) / 2.

        The value is the same for all optimal strategies. So the chance of a loss is least where that of a draw is
        greatest.
        """
        return Chances(*((1 - draw - self.value) / 2 for draw in reversed(self.draw)))


class Solver(ABC, Generic[Value]):
    """Solver of positions and of whole games in one arithmetic.

    A solver keeps the values that it has computed. So it answers quickly about positions that can follow from the
    position of the last query. Only one thread may use a solver at a time.
    """

    arithmetic: Arithmetic

    @abstractmethod
    def value(self, position: Position | str) -> Number[Any]:
        """Return player one's expectation at a position, before or after a prize is turned up.

        `position` is a Position or its name.
        """

    @abstractmethod
    def first_move(self, game: Game | int, upcards: Upcards | None = None) -> FirstMoves[Any]:
        """Return the optimal first moves of a game.

        Args:
            game: the game, or its number of cards a side.
            upcards: the prizes turned up; None for all prizes that can come first.
        """

    @abstractmethod
    def play(self, position: Position) -> Play[Value]:
        """Return optimal play at a position with a prize turned up, in the solver's own type of number."""

    @abstractmethod
    def entries(self, position: Position) -> list[list[Value]]:
        """Return player one's expectation for every pair of bids, shape (k, k) for k cards a side."""

    @abstractmethod
    def gains(self, position: Position) -> list[Value]:
        """Return player one's expectation from each bid, if player two plays the strategy that :meth:`play` returns."""

    @abstractmethod
    def number(self, raw: Value, *, proved: bool = True) -> Number[Any]:
        """Convert a number of the solver's own type to the type of number in answers, a :class:`Number`.

        Args:
            raw: the number.
            proved: False if the number is a probability of a strategy that is not proved to be optimal.
        """

    def solve(self, position: Position | str) -> Solution[Any]:
        """Solve a position with a prize turned up; `position` is a Position or its name."""
        position = checked_position(position)
        play = self.play(position)
        row = self.strategy(position.one, play.row, play.row_unique, play)
        column = self.strategy(position.two, play.column, play.column_unique, play)
        return Solution(position, self.number(play.value), row, column, play.method)

    def strategy(
        self, hand: Hand, bids: Iterable[Value], unique: bool | None, play: Play[Value]
    ) -> Strategy[Any]:
        """Return one player's strategy, {card: probability}.

        Args:
            hand: the player's cards.
            bids: the probability of each card of the hand.
            unique: True if no other strategy is optimal, False if others are, None if unknown.
            play: the optimal play to which the strategy belongs.
        """
        probabilities = {
            card: self.number(bid, proved=play.proved) for card, bid in zip(hand, bids, strict=True)
        }
        return Strategy(probabilities, unique=unique, proved=play.proved, method=play.method)

    def moves(
        self, game: Game, plays: Mapping[Upcard, Play[Value]], effort: Effort | None = None
    ) -> FirstMoves[Any]:
        """Make the first moves of a game from optimal play at each upcard.

        Args:
            game: the game.
            plays: {upcard: optimal play}.
            effort: counts of the matrix games that were solved in floats; None in other arithmetics.
        """
        columns = {
            upcard: self.strategy(game.hand, play.row, play.row_unique, play)
            for upcard, play in plays.items()
        }
        return FirstMoves(game.n, columns, game.rules, self.arithmetic, effort, game.own_deck)

    def payoff_matrix(self, position: Position | str) -> PayoffMatrix[Any]:
        """Return player one's expectation for every pair of bids, if both players play optimally afterwards."""
        position = checked_position(position)
        numbers = [list(map(self.number, row)) for row in self.entries(position)]
        return PayoffMatrix(position.one, position.two, numbers)

    def bid_gains(self, position: Position | str) -> ByCard[Any]:
        """Return player one's expectation from each bid against player two's optimal strategy, {card: number}."""
        position = checked_position(position)
        gains = map(self.number, self.gains(position))
        return ByCard(dict(zip(position.one, gains, strict=True)))
