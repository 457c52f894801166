r"""Strategies, the first moves of whole games, and the formats of first moves.

A *first move* is an optimal strategy for the bid of the first round. The *upcard* is the prize turned up in a round.
The *radius* of a float is a proved bound on its distance from the true number. Text is yielded in pieces, because one
number can have two million digits.

    fractions   for reading: a block per upcard, a line per card, every p/q in full
    decimals    for reading: a table, one row per card and one column per upcard
    json        one document: exact numbers as text "p/q", proved digits as text, floats with
                their radii
    csv         exact: upcard,card,probability,decimal; floats: upcard,card,probability,radius,proved
    latex       a tabular, one row per card and one column per upcard; \frac{p}{q} in full, or decimals
    booktabs    the same tabular, with the horizontal lines of the LaTeX package booktabs
    markdown    the table of decimals in Markdown
    digests     csv: for numbers that are too long to print, their lengths, first and last digits and checksums

The column "proved" of csv is false if floats prove nothing about a first move. Each probability is then given as 1/2
with a radius just above 1/2, which excludes no number from 0 to 1. If the first prize is hidden, the upcard is
"hidden", and null in JSON. All text is ASCII. json and csv can be read back, see :mod:`gops_exact.base.documents`.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact
from functools import partial, reduce
from hashlib import sha256
from itertools import islice
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, TypeVar

from flint import fmpz, nmod

from gops_exact.base.arguments import MOST_DIGITS, integer, shown
from gops_exact.game.rules import PLAIN, Prizes, Rules, Upcard, deck_name, upcard_name
from gops_exact.numbers.exact import TABLE_DIGITS, Number, Value_co
from gops_exact.numbers.table import RULES, Listing, Shown, Table
from gops_exact.solvers.arithmetic import EXACT, Arithmetic, Float

Key = TypeVar("Key")
Entry_co = TypeVar("Entry_co", covariant=True)

CSV_DIGITS = 17
"""The default number of digits after the point in a CSV file. A float needs at most 17 significant digits."""

PRIMES = (2**61 - 1, 2**64 - 59)
"""The moduli of the residues of a probability in digests: a Mersenne prime, and the largest prime below 2^64."""

EDGE = 50
"""The number of first digits, and of last digits, that digests give of an integer."""

_EXACTLY = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])
"""A context for decimal arithmetic with integers of any length, without rounding."""


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
    """A number for each card of a hand, such as the expectation from bidding this card; a mapping {card: number}.

    >>> from gops_exact import view
    >>> gains = ByCard({1: view(-1), 3: view("2/3")})
    >>> gains, gains[3] + 1, gains[3].decimal(4)
    ({1: -1, 3: 2/3}, 5/3, '0.6667')
    """

    numbers: Mapping[int, Number[Value_co]]  #: {card: number}
    _entries, _key = property(attrgetter("numbers")), "card"
    _caption, _probabilities, proved = "By card", False, True

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ByCard):
            one, two = (
                vars(cards) | {"numbers": {card: x.key for card, x in cards.items()}, "method": ""}
                for cards in (self, other)
            )
            return one == two  # keys of floats include their radii; documents have no methods
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]  # like other mappings, it is not hashable

    @property
    def mark(self) -> str:
        """The mark that is printed after each number: ``?`` if the numbers are floats and not proved, else empty."""
        return "" if self.proved else max((number.mark for number in self.values()), default="")

    def __repr__(self) -> str:
        items = (f"{card}: {number!r}{self.mark}" for card, number in self.numbers.items())
        return f"{{{', '.join(items)}}}"

    __str__ = __repr__

    def table(self) -> Table:
        """Return a table with a line for each card."""
        rows = [((card,), [number]) for card, number in self.numbers.items()]
        return Listing(
            self._caption,
            ("card",),
            rows,
            marks=(self.mark,) * len(rows),
            probabilities=self._probabilities,
        )


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Strategy(ByCard[Value_co]):
    """A mixed strategy of one player: a mapping {card: probability} with every card of the hand.

    >>> from gops_exact import view
    >>> bids = Strategy({1: view("1/3"), 2: view("2/3")})
    >>> bids[1], sum(bids.values())
    (1/3, 1)
    """

    #: True if no other strategy is optimal, False if others are, None if unknown
    unique: bool | None = None
    #: True if the probabilities are proved. If floats prove nothing about a strategy for the first bid, each of its
    #: probabilities is 1/2 with a radius just above 1/2.
    proved: bool = True
    method: str = ""  #: the algorithm that computed the strategy; empty if not recorded
    _caption, _probabilities = "Probabilities", True

    def document(self) -> dict[str, Any]:
        """Return the strategy as a JSON object."""
        return super().document() | {"unique": self.unique, "proved": self.proved}


class GameCounts(NamedTuple):
    """Counts of the matrix games that were solved to compute optimal strategies for the first bid in floats."""

    games: int  #: the number of all matrix games
    #: the number of games for which the proved interval around the value stayed wide; the radii include its width
    failed: int
    second_attempts: int  #: the number of games that took a second attempt of the simplex method


@dataclass(frozen=True, repr=False)
class FirstMoves(Keyed[Upcard, Strategy[Value_co]]):
    """The optimal first moves of the game of n cards, {upcard: {card: probability}}.

    A first move is a strategy for the bid of the first round. Both players have the same first moves, and the value at
    every upcard is 0. If prizes are hidden, there is only one first move, ``moves[None]``.
    """

    n: int  #: cards a side
    #: {upcard: first move}, in the order in which the upcards were requested
    columns: Mapping[Upcard, Strategy[Value_co]]
    rules: Rules = PLAIN  #: the rules of the game
    arithmetic: Arithmetic = EXACT  #: the arithmetic in which the probabilities were computed
    #: counts of the matrix games that were solved in floats; None in other arithmetics
    game_counts: GameCounts | None = field(default=None, compare=False)
    deck: Prizes = ()  #: the prizes if they are not 1 … n, else empty

    _entries, _key = property(attrgetter("columns")), "upcard"

    __repr__ = Shown.__str__

    def emit(self, fmt: str, digits: int | None = None) -> str:
        """Return the first moves as text in one of the formats that the command line prints with ``--emit``.

        Args:
            fmt: the format. All arithmetics have ``"decimals"``, ``"markdown"`` and ``"json"``. Exact numbers also
                have ``"fractions"``, ``"csv"``, ``"latex"``, ``"booktabs"`` and ``"digests"``; floats have ``"csv"``.
            digits: the number of digits after the point; None for the default of the format. Decimals and markdown
                take it in all arithmetics; csv, latex and booktabs take it for exact numbers only.

        Raises:
            ValueError: if the arithmetic does not have the format, if the format does not take `digits`, or if `digits`
                is out of range.

        >>> from gops_exact import first_move
        >>> print(first_move(3, upcards=[2]).emit("csv", digits=3), end="")
        upcard,card,probability,decimal
        2,1,0,0.000
        2,2,5/9,0.556
        2,3,4/9,0.444
        """
        return "".join(emit(self, fmt, digits))

    @property
    def title(self) -> str:
        """A line of text that names the game, the arithmetic and the rules."""
        game = f"{self.rules}{deck_name(self.deck)}"
        return f"GOPS, N = {self.n}: optimal first moves, {self.arithmetic.name} ({game})"

    def table(self, digits: int | None = None) -> Table:
        """Return a table of the probabilities, with a row for each card and a column for each upcard.

        Args:
            digits: the number of digits after the point. None stands for 4 digits or, in ball arithmetic, for the
                number of digits of that arithmetic.

        Raises:
            ValueError: if `digits` is out of range.
        """
        if digits is None:
            digits = self.arithmetic.digits or TABLE_DIGITS
        digits = integer(digits, "digits", 0, MOST_DIGITS)
        columns = self.columns.values()
        return Table(
            f"{self.title}\none row per card, one column per upcard",
            ("card",),
            [((card,), [strategy[card] for strategy in columns]) for card in range(1, self.n + 1)],
            # The name "hidden" replaces None, which pandas would take for a missing upcard.
            heads=tuple(upcard_name(None) if upcard is None else upcard for upcard in self),
            across="upcard",
            notes=tuple(self._notes(digits)),
            marks=tuple(strategy.mark for strategy in columns),
            digits=digits,
            room=digits + 2,
            probabilities=True,
        )

    def _notes(self, digits: int) -> Iterator[str]:
        proved: Iterator[Strategy[Any]] = (moves for moves in self.columns.values() if moves.proved)
        numbers = [number for strategy in proved for number in strategy.values()]
        if numbers and self.arithmetic.name == Float.name:
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
                f"Nothing is proved at upcard {unproved}: several first moves are optimal, "
                "or floats cannot tell. Exact numbers can."
            )


def emit(
    moves: FirstMoves[Any],
    fmt: str,
    digits: int | None = None,
    *,
    width: int | None = None,
) -> Iterator[str]:
    """Return an iterator over the pieces of a text that states first moves in one format.

    A *first move* is an optimal strategy for the bid of the first round.

    Args:
        moves: the first moves.
        fmt: the name of the format, such as ``"csv"``. The formats depend on the arithmetic (kind of number) of the
            moves: exact fractions, decimals of which every digit is proved, or floats.
        digits: the number of digits after the point. None stands for 17 digits in csv, where floats always have
            their own digits, and for exact fractions instead of decimals in latex and booktabs. In decimals and
            markdown it stands for all digits that are proved, or for 4 digits if the numbers are fractions or floats.
        width: the largest width, in characters, of the table of decimals; None for no limit.

    Raises:
        ValueError: if the arithmetic does not have the format, if the format does not take `digits`, or if `digits` is
            out of range.
    """
    digits = check_format(moves.arithmetic.name, fmt, digits)
    if fmt not in _FORMATS:
        table = moves.table(digits)
        return iter([table.markdown()]) if fmt == "markdown" else table.text(width)
    strategies = moves.columns.values()
    texts = (number.text() for strategy in strategies for number in strategy.values())
    if moves.arithmetic.name == EXACT.name:
        texts = (text for strategy in strategies for text in fraction_texts(strategy))
    return _FORMATS[fmt](moves, digits, texts)


def check_format(arithmetic: str, fmt: str, digits: int | None = None) -> int | None:
    """Check that first moves in an arithmetic can be written in a format, and return `digits` as an int or None.

    A *first move* is an optimal strategy for the bid of the first round. An *arithmetic* is a kind of number.

    Args:
        arithmetic: the name of the arithmetic of the first moves.
        fmt: the name of the format, such as ``"csv"``.
        digits: the number of digits after the point; None for the default of the format.

    Raises:
        ValueError: if the arithmetic does not have the format, if the format does not take `digits`, or if `digits` is
            out of range.
    """
    from gops_exact.base.formats import FORMATS, WITH_DIGITS  # for text only

    formats, takes = FORMATS[arithmetic], WITH_DIGITS[arithmetic]
    if not isinstance(fmt, str) or fmt not in formats:
        raise ValueError(
            f"a format of {arithmetic} numbers must be one of {', '.join(formats)}, got {shown(fmt)}"
        )
    if digits is None:
        return None
    if fmt not in takes:
        raise ValueError(f"digits go with {', '.join(takes)}, got {shown(digits)} with {fmt}")
    return integer(digits, "digits", 0, MOST_DIGITS)


def fraction_texts(strategy: Mapping[int, Any]) -> Iterator[str]:
    """Yield the texts ``p/q`` of the probabilities of a strategy, with few conversions to decimal digits.

    Converting a long integer to decimal digits takes ten times as long as dividing a long decimal by a short number.
    The denominators differ by short factors. So only the common denominator and the numerators are converted, and the
    denominators are computed from the common one in exact decimal arithmetic. If the probabilities add up to 1, the
    last numerator is computed from the others, too.

    Args:
        strategy: {card: probability}, exact numbers.

    >>> from gops_exact import view
    >>> list(fraction_texts(dict(enumerate([view("1/4"), view("0"), view("1/12"), view("2/3")]))))
    ['1/4', '0', '1/12', '2/3']
    """
    common = reduce(fmpz.lcm, (number.q for number in strategy.values()), fmpz(1))
    factors = {card: common // number.q for card, number in strategy.items() if number}
    parts = (strategy[card].p * factor for card, factor in factors.items())
    # If the probabilities have the sum 1, the last numerator follows from the others.
    adds_up = sum(parts, fmpz(0)) == common
    last = list(factors)[-1] if adds_up else None
    # Let all fractions have the common denominator, `whole`. `rest` is `whole` minus the numerators so far. If the
    # last numerator is not converted, all numerators add up to `whole`, so the last one is `rest`.
    rest = whole = Decimal(str(common))
    short = {factor: Decimal(str(factor)) for factor in set(factors.values())}
    denominators = {key: str(_EXACTLY.divide_int(whole, times)) for key, times in short.items()}
    for card, number in strategy.items():
        if not number:
            yield "0"
            continue
        factor = factors[card]
        if card == last:
            numerator = str(_EXACTLY.divide_int(rest, short[factor]))
        else:
            numerator = str(number.p)
            rest = _EXACTLY.subtract(rest, _EXACTLY.multiply(short[factor], Decimal(numerator)))
        yield numerator if number.q == 1 else f"{numerator}/{denominators[factor]}"


def _fractions(moves: FirstMoves[Any], _digits: int | None, texts: Iterator[str]) -> Iterator[str]:
    yield f"{moves.title}\n"
    for upcard, strategy in moves.columns.items():
        unique = "unique" if strategy.unique else "not unique"
        yield f"\nupcard {upcard_name(upcard)}, value 0, {unique}\n"
        for card in strategy:
            yield f"  {card:>{len(str(moves.n))}}  "
            yield next(texts)
            yield "\n"


def _json(moves: FirstMoves[Any], _digits: int | None, texts: Iterator[str]) -> Iterator[str]:
    """Yield a JSON document in pieces, each with at most one long number."""
    kind, deck = moves.arithmetic, {"deck": moves.deck} if moves.deck else {}
    document = {"n": moves.n, "rules": asdict(moves.rules), **deck, "arithmetic": kind.name}
    if kind.name == "float":
        document["columns"] = [
            {
                "upcard": upcard,
                "value": "0",
                "unique": bool(strategy.unique),
                "probabilities": {card: number.value for card, number in strategy.items()},
                "radii": {card: number.members()["radius"] for card, number in strategy.items()},
            }
            for upcard, strategy in moves.columns.items()
        ]
        yield json.dumps(document, indent=1) + "\n"
        return
    # The options of the arithmetic follow its name: `digits` for balls, none for exact numbers.
    yield json.dumps(document | asdict(kind)).removesuffix("}")
    yield ',\n "columns": ['
    for index, (upcard, strategy) in enumerate(moves.columns.items()):
        # Both players hold the same cards, so the value at every upcard is exactly 0 in every arithmetic.
        yield f'{"," if index else ""}\n  {{"upcard": {json.dumps(upcard)}, "value": "0", '
        yield f'"unique": {json.dumps(bool(strategy.unique))}, "probabilities": {{'
        for line, card in enumerate(strategy):
            yield f'{"," if line else ""}\n    "{card}": "'
            yield next(texts)
            yield '"'
        yield "}}"
    yield "\n]}\n"


def _csv(moves: FirstMoves[Any], digits: int | None, texts: Iterator[str]) -> Iterator[str]:
    digits = CSV_DIGITS if digits is None else digits
    is_float = moves.arithmetic.name == "float"
    yield f"upcard,card,probability,{'radius,proved' if is_float else 'decimal'}\n"
    for upcard, strategy in moves.columns.items():
        for card in strategy:
            number = strategy[card]
            rest = number.decimal(digits)
            if is_float:
                rest = f"{number.members()['radius']!r},{json.dumps(strategy.proved)}"
            yield f"{upcard_name(upcard)},{card},"
            yield next(texts)
            yield f",{rest}\n"


def _latex(
    moves: FirstMoves[Any], digits: int | None, texts: Iterator[str], *, booktabs: bool = False
) -> Iterator[str]:
    bar, above, under, below = RULES[booktabs]
    yield f"% {moves.title}\n"
    yield f"\\begin{{tabular}}{{r{bar}{'r' * len(moves)}}}\n{above}"
    heads = "".join(f" & {name}" for name in map(upcard_name, moves))
    yield f"card \\textbackslash\\ upcard{heads} \\\\\n{under}"
    if digits is None:
        columns = [
            [re.sub("(.*)/(.*)", r"\\frac{\1}{\2}", text) for text in islice(texts, moves.n)]
            for _ in moves
        ]
    else:
        columns = [
            ["0" if number.is_zero else number.decimal(digits) for number in strategy.values()]
            for strategy in moves.columns.values()
        ]
    for card, row in enumerate(zip(*columns, strict=True), 1):
        yield f"{card}"
        # Each cell has its own line, because TeX reads a line at a time into a buffer of limited size.
        for cell in row:
            yield f"\n & ${cell}$"
        yield " \\\\\n"
    yield f"{below}\\end{{tabular}}\n"


def _digests(moves: FirstMoves[Any], _digits: int | None, texts: Iterator[str]) -> Iterator[str]:
    """Yield a CSV header, and for every nonzero probability a line about its numerator and its denominator.

    The line has their lengths, first and last digits, and checksums.
    """
    facts_of_terms = "digits", "bits", f"first_{EDGE}_digits", f"last_{EDGE}_digits", "sha256"
    header = ["n", "upcard", "card", *(f"modulo_{prime}" for prime in PRIMES)]
    header += [f"{term}_{fact}" for term in ("numerator", "denominator") for fact in facts_of_terms]
    yield f"{','.join(header)}\n"
    for upcard, strategy in moves.columns.items():
        for card in strategy:
            number: Any = strategy[card]
            text = next(texts)
            if number:
                facts: list[object] = [moves.n, upcard_name(upcard), card]
                facts += (nmod(number.p, prime) / nmod(number.q, prime) for prime in PRIMES)
                numerator, _, denominator = text.partition("/")
                for term, digits in (number.p, numerator), (number.q, denominator or "1"):
                    digest = sha256(digits.encode()).hexdigest()
                    facts += [len(digits), term.bit_length(), digits[:EDGE], digits[-EDGE:], digest]
                yield f"{','.join(map(str, facts))}\n"


_FORMATS: dict[str, Callable[[FirstMoves[Any], int | None, Iterator[str]], Iterator[str]]] = {
    "fractions": _fractions,
    "json": _json,
    "csv": _csv,
    "latex": _latex,
    "booktabs": partial(_latex, booktabs=True),
    "digests": _digests,
}
"""{format: function}. The function takes first moves, the number of digits and the texts of all probabilities, and
yields the text of the format. Decimals and markdown have no function: they are made from a :class:`Table`."""
