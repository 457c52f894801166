r"""Text formats of first moves. Text is yielded in pieces, because one number can have two million digits.

    fractions   for reading: a block per upcard, a line per card, every p/q in full
    decimals    for reading: a table, one row per card and one column per upcard
    json        one document: exact numbers as text "p/q", proved decimals as text, floats with
                their radii
    csv         exact: upcard,card,probability,decimal; floats: upcard,card,probability,radius,proved
    latex       a tabular, one row per card and one column per upcard; \frac{p}{q} in full, or decimals
    booktabs    the same tabular, with the horizontal lines of the LaTeX package booktabs
    markdown    the table of decimals as a pipe table
    digests     csv: lengths, first and last digits, and checksums of numbers that are too long to print

If the first prize is hidden, the upcard is "hidden", and null in JSON. All text is ASCII. json and csv can
be read back, see :mod:`gops_exact.base.documents`.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact
from functools import partial, reduce
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from flint import fmpz, nmod

from gops_exact.base.arguments import MOST_DIGITS, integer, shown
from gops_exact.base.machine import available_cores
from gops_exact.base.pools import in_processes
from gops_exact.game.rules import upcard_name
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.numbers.table import RULES

if TYPE_CHECKING:
    from gops_exact.game.game import Position
    from gops_exact.numbers.exact import Number
    from gops_exact.solvers.solution import FirstMoves, PayoffMatrix, Solution

CSV_DIGITS = 17
"""The default number of digits after the point in a CSV file. A float needs at most 17 significant digits."""

PARALLEL_BITS = 15_000_000
"""The least total length, in bits, of integers that are converted to decimal digits in several processes. Converting
shorter integers takes less time than starting processes."""

PRIMES = (2**61 - 1, 2**64 - 59)
"""The moduli of residues in digests: a Mersenne prime, and the largest prime below 2^64."""

EDGE = 50
"""The number of first digits, and of last digits, of an integer in digests."""

_TERM_FACTS = ("digits", "bits", f"first_{EDGE}_digits", f"last_{EDGE}_digits", "sha256")

DIGESTS_HEADER = ",".join(
    [
        "n,upcard,card",
        *(f"modulo_{prime}" for prime in PRIMES),
        *(f"{term}_{fact}" for term in ("numerator", "denominator") for fact in _TERM_FACTS),
    ]
)

_EXACTLY = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])
"""A context for decimal arithmetic with integers of any length, without rounding."""

FORMATS_OF = {
    "exact": {
        "fractions": False,
        "decimals": True,
        "json": False,
        "csv": True,
        "latex": True,
        "booktabs": True,
        "markdown": True,
        "digests": False,
    },
    "ball": {"decimals": True, "markdown": True, "json": False},
    "float": {"decimals": True, "markdown": True, "json": False, "csv": False},
}
"""The formats of each arithmetic, {arithmetic: {format: True if the format takes a number of digits}}."""


def emit(
    moves: "FirstMoves[Any]",
    fmt: str,
    digits: int | None = None,
    *,
    width: int | None = None,
) -> Iterator[str]:
    """Return the text of first moves in one format, in pieces; see :meth:`FirstMoves.emit`.

    Args:
        moves: the first moves, in any arithmetic.
        fmt: one of the formats of their arithmetic.
        digits: the number of digits after the point. None for the default of the format: for decimals 4, or all proved
            digits of balls; for csv 17; for latex and booktabs exact fractions instead of decimals.
        width: the largest width, in characters, of the table of decimals; None for no limit.

    Raises:
        ValueError: if the arithmetic does not have the format, or the format does not take `digits`.
    """
    digits = check_format(moves.arithmetic.name, fmt, digits)
    if fmt not in _FORMATS:
        table = moves.table(digits)
        return iter([table.markdown()]) if fmt == "markdown" else table.text(width)
    strategies = moves.columns.values()
    if moves.arithmetic.name != "exact":
        texts = (number.text() for strategy in strategies for number in strategy.values())
        return _FORMATS[fmt](moves, digits, texts)
    # Long integers are converted to decimal digits in several processes if that is faster.
    columns = [
        fraction_texts([number for number in strategy.values() if isinstance(number, BigRational)])
        for strategy in strategies
    ]
    terms = [term for terms_of_column, _ in columns for term in terms_of_column]
    long = sum(term.bit_length() for term in terms) >= PARALLEL_BITS
    digits_of_terms = in_processes(available_cores() if long else 1, str, terms)
    texts = (text for _, texts_of in columns for text in texts_of(digits_of_terms))
    return _FORMATS[fmt](moves, digits, texts)


def check_format(arithmetic: str, fmt: str, digits: int | None = None) -> int | None:
    """Check a format and its number of digits, and return this number as an integer, or None for the default.

    Args:
        arithmetic: the name of the arithmetic.
        fmt: the format.
        digits: the number of digits after the point; None for the default of the format.

    Raises:
        ValueError: if the arithmetic does not have the format, or the format does not take `digits`.
    """
    formats = FORMATS_OF[arithmetic]
    if not isinstance(fmt, str) or fmt not in formats:
        raise ValueError(
            f"a format of {arithmetic} numbers must be one of {', '.join(formats)}, got {shown(fmt)}"
        )
    if digits is None:
        return None
    if not formats[fmt]:
        takes = [name for name, takes_digits in formats.items() if takes_digits]
        expected = f"go with {', '.join(takes)}" if takes else f"do not go with {arithmetic}"
        raise ValueError(f"digits {expected}, got {shown(digits)} with {fmt}")
    return integer(digits, "digits", 0, MOST_DIGITS)


def fraction_texts(
    numbers: Sequence[BigRational],
) -> tuple[list[fmpz], Callable[[Iterator[str]], Iterator[str]]]:
    """Prepare the texts ``p/q`` of the probabilities of one first move, with few conversions to decimal digits.

    Converting a long integer to decimal digits takes as long as six multiplications of integers of this length.
    Adding two decimals, or multiplying or dividing a decimal by a short number, takes a tenth of that time. The
    probabilities add up to 1, and their denominators differ by short factors. So only the common denominator and
    all numerators but the last one are converted. The last numerator and the denominators are computed from them
    in exact decimal arithmetic.

    Args:
        numbers: the probabilities.

    Returns:
        The integers to convert (the common denominator, then the numerators that are needed), and a function that
        takes an iterator over their decimal digits and yields the text of each number.

    >>> from gops_exact import view
    >>> terms, texts = fraction_texts([view("1/4"), view("0"), view("1/12"), view("2/3")])
    >>> terms
    [12, 1, 1]
    >>> list(texts(map(str, terms)))
    ['1/4', '0', '1/12', '2/3']
    """
    common = reduce(fmpz.lcm, (number.q for number in numbers), fmpz(1))
    factors = {
        index: common // number.q for index, number in enumerate(numbers) if not number.is_zero
    }
    parts = (numbers[index].p * factor for index, factor in factors.items())
    # If the probabilities have the sum 1, the last numerator follows from the others.
    adds_up = sum(parts, fmpz(0)) == common
    converted = list(factors)[: -1 if adds_up else None]

    def texts(digits: Iterator[str]) -> Iterator[str]:
        # Let all fractions have the common denominator, `whole`. `rest` is `whole` minus the numerators so far. If the
        # last numerator is not converted, all numerators add up to `whole`, so the last one is `rest`.
        rest = whole = Decimal(next(digits))
        short = {factor: Decimal(str(factor)) for factor in set(factors.values())}
        denominators = {key: str(_EXACTLY.divide_int(whole, times)) for key, times in short.items()}
        for index, number in enumerate(numbers):
            if number.is_zero:
                yield "0"
                continue
            factor = factors[index]
            if index in converted:
                numerator = next(digits)
                rest = _EXACTLY.subtract(rest, _EXACTLY.multiply(short[factor], Decimal(numerator)))
            else:
                numerator = str(_EXACTLY.divide_int(rest, short[factor]))
            yield numerator if number.q == 1 else f"{numerator}/{denominators[factor]}"

    return [common, *(numbers[index].p for index in converted)], texts


def _fractions(
    moves: "FirstMoves[Any]", _digits: int | None, texts: Iterator[str]
) -> Iterator[str]:
    yield f"{moves.title}\n"
    for upcard, strategy in moves.columns.items():
        unique = "unique" if strategy.unique else "not unique"
        yield f"\nupcard {upcard_name(upcard)}, value 0, {unique}\n"
        for card in strategy:
            yield f"  {card:>{len(str(moves.n))}}  "
            yield next(texts)
            yield "\n"


def _json(moves: "FirstMoves[Any]", _digits: int | None, texts: Iterator[str]) -> Iterator[str]:
    """Yield a JSON document in pieces, each with at most one long number."""
    kind = moves.arithmetic
    if kind.name == "float":
        deck = {"deck": moves.deck} if moves.deck else {}
        document = {"n": moves.n, "rules": asdict(moves.rules), **deck, "arithmetic": kind.name}
        document["columns"] = [
            {
                "upcard": upcard,
                "value": "0",
                "unique": bool(strategy.unique),
                "probabilities": {card: number.value for card, number in strategy.items()},
                "radii": {
                    card: number.radius
                    for card, number in strategy.items()
                    if isinstance(number, BoundedFloat)
                },
            }
            for upcard, strategy in moves.columns.items()
        ]
        yield json.dumps(document, indent=1) + "\n"
        return
    # The options of the arithmetic follow its name: `digits` for balls, none for exact numbers.
    head = "".join(f' "{name}": {number},' for name, number in asdict(kind).items())
    rules = json.dumps(asdict(moves.rules))
    rules += f', "deck": {json.dumps(moves.deck)}' if moves.deck else ""
    yield f'{{"n": {moves.n}, "rules": {rules}, "arithmetic": "{kind.name}",{head}\n'
    yield ' "columns": ['
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


def _csv(moves: "FirstMoves[Any]", digits: int | None, texts: Iterator[str]) -> Iterator[str]:
    digits = CSV_DIGITS if digits is None else digits
    is_float = moves.arithmetic.name == "float"
    yield (
        "upcard,card,probability,radius,proved\n"
        if is_float
        else "upcard,card,probability,decimal\n"
    )
    for upcard, strategy in moves.columns.items():
        for card in strategy:
            number = strategy[card]
            if isinstance(number, BoundedFloat):
                rest = f"{number.radius!r},{json.dumps(strategy.proved)}"
            else:
                rest = number.decimal(digits)
            yield f"{upcard_name(upcard)},{card},"
            yield next(texts)
            yield f",{rest}\n"


def _latex(
    moves: "FirstMoves[Any]", digits: int | None, texts: Iterator[str], *, booktabs: bool = False
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


def _digests(moves: "FirstMoves[Any]", _digits: int | None, texts: Iterator[str]) -> Iterator[str]:
    """Yield a header, and a CSV line for every nonzero probability, with facts on its numerator and its denominator.

    The SHA-256 of a numerator or denominator is that of its decimal digits in ASCII.
    """
    yield f"{DIGESTS_HEADER}\n"
    for upcard, strategy in moves.columns.items():
        for card in strategy:
            number, text = strategy[card], next(texts)
            if isinstance(number, BigRational) and not number.is_zero:
                facts: list[object] = [moves.n, upcard_name(upcard), card]
                facts += (nmod(number.p, prime) / nmod(number.q, prime) for prime in PRIMES)
                numerator, _, denominator = text.partition("/")
                for term, digits in (number.p, numerator), (number.q, denominator or "1"):
                    digest = sha256(digits.encode()).hexdigest()
                    facts += [len(digits), term.bit_length(), digits[:EDGE], digits[-EDGE:], digest]
                yield f"{','.join(map(str, facts))}\n"


_FORMATS: dict[str, Callable[["FirstMoves[Any]", int | None, Iterator[str]], Iterator[str]]] = {
    "fractions": _fractions,
    "json": _json,
    "csv": _csv,
    "latex": _latex,
    "booktabs": partial(_latex, booktabs=True),
    "digests": _digests,
}
"""{format: function}. The function takes first moves, the number of digits and the texts of all their numbers, and
yields the text of the format. Decimals and markdown have no function: they are made from a :class:`Table`."""


def position_document(
    position: "Position",
    worth: "Number[Any]",
    solutions: "Iterable[Solution[Any]]",
    payoffs: "Sequence[PayoffMatrix[float]]" = (),
) -> dict[str, Any]:
    """Return a position and its solutions as a JSON object.

    Args:
        position: the position; its upcard is not part of the object.
        worth: the value of the position.
        solutions: the solution at each upcard.
        payoffs: the payoff matrix of each solution, in floats; empty if the object is to have none.
    """
    document = asdict(position) | {
        "arithmetic": worth.arithmetic,
        **worth.members(),
        "columns": [],
    }
    del document["upcard"]
    for solution in solutions:
        column: dict[str, Any] = {"upcard": solution.position.upcard} | solution.value.members()
        column["method"] = solution.method
        for player, strategy in (("one", solution.row), ("two", solution.column)):
            chances = {card: chance.members() for card, chance in strategy.items()}
            column[player] = {
                "unique": strategy.unique,
                "proved": strategy.proved,
                "probabilities": {card: chance["value"] for card, chance in chances.items()},
            }
            radii = {card: x["radius"] for card, x in chances.items() if "radius" in x}
            if radii:
                column[player]["radii"] = radii
        document["columns"].append(column)
    for column, matrix in zip(document["columns"], payoffs, strict=False):
        entries = [[cast("BoundedFloat", x) for x in row.values()] for row in matrix.values()]
        column["payoffs"] = [[entry.value for entry in row] for row in entries]
        column["payoff_radii"] = [[entry.radius for entry in row] for row in entries]
    return document
