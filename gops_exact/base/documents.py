"""Kinds of files and documents, and a reader of first moves in JSON or CSV.

A *first move* is an optimal strategy for the first bid after a given upcard, which is the prize turned up: a
probability for each card.

Numbers stay text until they are needed. The reader shares no code with the writers of first moves. So a proof that
reads first moves with this module does not depend on the program that wrote them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, NoReturn

from gops_exact.base.schemas import check

if TYPE_CHECKING:
    from gmpy2 import mpq

Graph = Mapping[str, Mapping[str, str]]
"""{set: {move: next set}}: the paths of one player in a game of paths, by the names of the player's information sets.
Paths begin at the only set to which no move leads. A path ends at a name that is no set of the graph."""

EXACT = "exact"
"""The name of the arithmetic in which all numbers are exact."""

MOST_CARDS = 28
"""The greatest number of cards a side. The program computes no first moves of more cards."""

PLAIN = {"objective": "points", "ties": "discard", "prizes": "random"}
"""The default rules, which the literature uses."""

HEADERS = {
    "upcard,card,probability,decimal": EXACT,
    "upcard,card,probability,radius,proved": "float",
}
"""{header of a CSV table: the kind of number in the table}."""

EFG, NFG, MOVES, MATRIX = "an efg file", "an nfg file", "first moves in CSV", "a matrix in CSV"
XML = "XML"
"""Results of :func:`kind_of` for files that are not JSON."""

FORMS = {
    "EFG.*": EFG,
    "NFG.*": NFG,
    "<([?!]|gambit|gte|extensiveForm).*": XML,
    "|".join(HEADERS): MOVES,
    "in (floats|decimals|residues),.*": "inexact payoffs; emit the matrix in exact arithmetic",
    "(.*,)?upcard(,.*)?|.*,(exact,float|decimal,float|float,radius|residue|probability,decimal"
    "|most_digits|largest_share)": "a list of numbers; a matrix has a line for each bid",
}
"""{pattern of the first line of a file: its kind}. The patterns leave out lists of texts, whose last column is named
"text", because a column of a matrix may have the same name."""

MEMBERS = {"n": "first moves", "columns": "position", "numbers": "table", "payoff": "payoffs"}
"""{member: kind of a JSON document that has this member}, for documents that do not name their kind. The first of these
members that a document has determines the kind."""

PRINTED = re.compile(
    r"\s*([A-Za-z_][\w.]*\s*[(=]\s*[\[{]|\{\s*\{|\[[^\[\]{}\"]*;"
    r"|\[\s*\[?\s*[^\s,\[\]{}\"]+\s+[^\s,\]]|\[\s*\[[^\[\]\"]*\]\s*\[)"
)
"""Pattern of the beginning of a printed array that is no JSON: a name and a bracket, braces in braces, rows that end in
semicolons, cells or rows that blanks separate."""

WORKBOOKS = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
"""First bytes of workbooks, such as .xlsx and .xls, and of zip archives."""

DIGITS = 40
"""The greatest number of digits of an integer in a JSON document; longer numbers are emitted as text."""

SHORT_EXPONENT = "-?[^eE]+([eE][-+]?[0-9]{1,4})?"
"""A pattern that matches a JSON number whose exponent has at most four digits."""


@dataclass(frozen=True)
class Column:
    """An optimal strategy for the first bid at one upcard, as a document states it: numbers are text."""

    upcard: int | None  # the prize turned up; None if it is hidden
    # True if the document claims that the move is the only optimal one, False if it claims that several moves are
    # optimal, None if it claims neither.
    unique: bool | None
    probabilities: dict[str, str]  # {card: probability}
    radii: dict[str, str] = field(default_factory=dict)  # {card: greatest error}; only for floats
    # {card: the decimal that stands beside the fraction}; only for exact numbers in CSV
    decimals: dict[str, str] = field(default_factory=dict)


def turn_name(upcard: int | None) -> str:
    """Return an upcard in words, for an error message; None stands for hidden prizes."""
    return "hidden prizes" if upcard is None else f"upcard {upcard}"


@dataclass(frozen=True)
class Document:
    """The optimal strategies for the first bid of one game, as a file states them."""

    n: int  # cards a side
    rules: Mapping[str, Any]  # {objective, ties, prizes}, as in a JSON document
    # the kind of number: "exact", "ball" (decimals with proved digits) or "float" (floats with radii)
    arithmetic: str
    columns: tuple[Column, ...]  # the first moves, each at another upcard
    digits: int = 0  # the number of digits after the point if the kind is "ball", else 0
    deck: tuple[int, ...] = ()  # the prizes, ascending; () if they are 1 … n

    @property
    def prizes(self) -> tuple[int, ...]:
        """The prizes in the order in which they are turned up; ascending if the order is not fixed."""
        deck = self.deck or tuple(range(1, self.n + 1))
        return order_of(self.rules, deck) or deck

    def number(self, column: Column, card: str) -> tuple[mpq, mpq]:
        """Return the probability of a card in a first move, and the greatest possible error of this number.

        The text of a float of at most 1 is converted to the nearest float, because the radius is proved for this float.
        A greater number is returned as an exact fraction, so that the caller can refuse it.

        Args:
            column: a first move of this document.
            card: the card as text, a key of ``column.probabilities``.

        Raises:
            ValueError: if an exact probability is not a fraction in lowest terms; if a ball is not a decimal number
                with :attr:`digits` digits after the point; if a float or its radius is not a decimal number; or if the
                radius is above 1.
        """
        from gmpy2 import mpq, mpz  # imported only in functions, because gmpy2 takes long to load

        text = column.probabilities[card]
        if self.arithmetic == EXACT:
            return parse_exact(expect("a probability", "[0-9].*", text)), mpq(0)
        number = parse_decimal(text)
        if self.arithmetic == "ball":
            # Check before computing the power 10^digits, because a document may claim a huge number of digits.
            if not 0 < self.digits == len(text.partition(".")[2]):
                raise ValueError(f"card {card} has not {self.digits} decimals")
            return number, mpq(1, 2 * mpz(10) ** self.digits)
        radius = column.radii[card]
        if parse_decimal(radius) > 1:
            raise ValueError(f"card {card}: a radius must be at most 1, got {radius[:40]}")
        return mpq(float(text)) if number <= 1 else number, mpq(float(radius))

    def says_nothing(self, column: Column) -> bool:
        """Return True if a first move is in floats with radii so large that they exclude no probability from 0 to 1."""
        return self.arithmetic == "float" and all(
            is_open(*self.number(column, card)) for card in column.probabilities
        )

    @property
    def accuracy(self) -> str:
        """The accuracy of the numbers in words: "exactly", "to 6 decimals", "within 1e-09" or "saying nothing".

        The number after "within" is the greatest radius of the floats. First moves whose radii exclude no probability
        from 0 to 1 (:meth:`says_nothing`) are ignored. If there are no other first moves, the text is "saying nothing".
        """
        if self.arithmetic == "float":
            radii = [
                self.number(column, card)[1]
                for column in self.columns
                if not self.says_nothing(column)
                for card in column.radii
            ]
            return f"within {float(max(radii))!r}" if radii else "saying nothing"
        return f"to {self.digits} decimals" if self.arithmetic == "ball" else "exactly"


def is_open(number: mpq, radius: mpq) -> bool:
    """Return True if all numbers from 0 to 1 are at most `radius` away from `number`."""
    return bool(radius >= max(number, 1 - number))


def parse_exact(text: str) -> mpq:
    """Return the number that a text "p/q" or "p" stands for, with integers p and q in decimal digits.

    Raises:
        ValueError: if the text has another form, or is not the shortest text of the number: ``2/4``, ``3/1`` and ``03``
            are refused.
    """
    from gmpy2 import mpq

    number = mpq(expect("a fraction p/q", "-?[0-9]+(/[1-9][0-9]*)?", text))
    if str(number) != text:
        raise ValueError(f"expected a fraction in lowest terms, got {text[:40]!r}")
    return number


def in_order(graph: Graph) -> list[str]:
    """Return the information sets of a :data:`Graph` in order, each before the sets to which its moves lead.

    Raises:
        ValueError: if a set has no moves, if the number of sets to which no move leads is not 1, or if moves lead from a
            set back to itself.

    >>> in_order({"b": {"on": "c"}, "a": {"left": "b", "right": "end"}, "c": {"on": "end"}})
    ['a', 'b', 'c']
    """
    later = {name: [*moves.values()] for name, moves in graph.items()}
    starts = graph.keys() - {*chain(*later.values())}
    if len(starts) != 1 or not all(graph.values()):
        raise ValueError(
            "each set of a graph must have moves, and moves must lead to all sets but one, "
            f"got {len(starts)} sets to which none leads"
        )
    return [name for name in TopologicalSorter(later).static_order() if name in graph][::-1]


def parse_decimal(text: str) -> mpq:
    """Return the decimal number that a text without a sign stands for.

    Raises:
        ValueError: if the text has another form, or an exponent of more than four digits.
    """
    from gmpy2 import mpq

    return mpq(expect("a decimal number", "[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,4})?", text))


def expect(kind: str, pattern: str, text: str) -> str:
    """Return a text if all of it matches a regular expression.

    Args:
        kind: a description of the expected text, for messages.
        pattern: the regular expression.
        text: the text.

    Raises:
        ValueError: if the text does not match.
    """
    if not re.fullmatch(pattern, text):
        raise ValueError(f"expected {kind}, got {text[:40]!r}")
    return text


def kind_of(content: Any) -> str:  # noqa: ANN401  # text, or any JSON value
    """Return the kind of a file, judged by its content alone.

    Args:
        content: the text of the file; or, if the file is JSON, the object or list that the text stands for.

    Returns:
        For a JSON object, the kind that its member ``document`` names, such as ``"game tree"``. If the object lacks this
        member, the kind that :data:`MEMBERS` gives for one of its other members. If :data:`MEMBERS` has none of them,
        ``"policy"`` if the object has members and all are lists or objects, else an empty text.
        For a JSON list, ``"records"`` if the first entry is an object, else ``"payoffs"``.
        For a damaged JSON document, an empty text.
        For another text, the value of :data:`FORMS` whose pattern matches the first line. If no pattern matches,
        :data:`MATRIX`.

    >>> kind_of("[[3, -1], [1, 2]]"), kind_of("EFG 2 R"), kind_of("3,-1")
    ('payoffs', 'an efg file', 'a matrix in CSV')
    """
    if isinstance(content, str) and is_json(content):
        with suppress(ValueError):
            return kind_of(parse_json(content, integers=str, floats=str))
        return ""
    if isinstance(content, str):
        # Spreadsheets write other delimiters, and quotation marks.
        first = re.sub("[;\t]", ",", content.lstrip().partition("\n")[0]).replace('"', "").strip()
        return next((kind for form, kind in FORMS.items() if re.fullmatch(form, first)), MATRIX)
    if isinstance(content, list):
        return "records" if content and isinstance(content[0], dict) else "payoffs"
    kinds = [kind for member, kind in MEMBERS.items() if member in content]
    if content and all(isinstance(part, list | dict) for part in content.values()):
        kinds.append("policy")
    return str(content.get("document", (kinds or [""])[0]))


@contextmanager
def named(name: object) -> Iterator[None]:
    """Put a name, such as the path of a file, before the message of a ValueError that is raised in a ``with`` block."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def is_json(text: str) -> bool:
    """Return True if a text begins as a JSON object or list does.

    Programs such as NumPy print arrays that begin with a bracket, too, but are no JSON. If the text begins like one of
    these (:data:`PRINTED`), the result is False.
    """
    return text.lstrip().startswith(("{", "[")) and not PRINTED.match(text)


def read_moves(text: str, rules: Mapping[str, Any] = PLAIN, deck: tuple[int, ...] = ()) -> Document:
    """Read first moves, the optimal strategies for the first bid of a game, from JSON or from a table in CSV.

    Args:
        text: the document or the table.
        rules: {objective, ties, prizes} of the game, if the text is CSV; a document in JSON names its own.
        deck: the prizes of the game, ascending, if the text is CSV; () if they are 1 … n. A document in JSON names its
            own.

    Raises:
        ValueError: if the text is not such a document or table.
    """
    if not text.isascii():
        raise ValueError("expected first moves, which are in ascii, got other characters")
    return read_document(text) if is_json(text) else read_table(text, rules, deck)


def read_text(file: Path, encoding: str = "utf-8") -> str:
    r"""Return the text of a file, in which ``\n`` replaces each ``\r\n``.

    Args:
        file: the path of the file.
        encoding: the name of the encoding, as Python knows it.

    Raises:
        ValueError: if there is no regular file at the path, if the file cannot be read, if it is a workbook or an
            archive, or if its text is not in `encoding`.
    """
    try:
        if not S_ISREG(file.stat().st_mode):  # a pipe or a device may have no end
            reason = "it is no regular file"
        elif (content := file.read_bytes()).startswith(WORKBOOKS):
            reason = "it is a workbook, such as .xlsx, or an archive; save the sheet as CSV UTF-8"
        else:
            # A carriage return that stands alone may be part of a label.
            return content.decode(encoding).replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        reason = f"it is not in {encoding.removesuffix('-sig')} at byte {error.start}"
        reason += "; save it in UTF-8, which spreadsheets call CSV UTF-8"
    except OSError as error:
        reason = error.strerror or str(error)
    raise ValueError(f"expected a file to read, got {str(file)!r}: {reason}")


def parse_json(
    text: str | bytes,
    *,
    integers: Callable[[str], object] = int,
    floats: Callable[[str], object] = float,
) -> Any:  # noqa: ANN401  # any JSON value
    """Return the value of a text in JSON.

    Args:
        text: the text in JSON.
        integers: a function that converts the text of an integer to a number.
        floats: a function that converts the text of any other number to a number. Python's ``float`` converts a number
            beyond its range to infinity.

    Raises:
        ValueError: if the text is not JSON, if it has ``Infinity`` or ``NaN`` in place of a number, or if an object has
            the same name twice (Python's json module would keep only the last value).

    >>> parse_json('{"n": 5, "n": 6}')
    Traceback (most recent call last):
    ValueError: expected every name once, got 'n' again
    """

    def object_of(members: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        members_by_name: dict[str, Any] = {}
        for name, value in members:
            if name in members_by_name:
                raise ValueError(f"expected every name once, got {name[:40]!r} again")
            members_by_name[name] = value
        return members_by_name

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"expected numbers, got {constant}")

    try:
        return json.loads(
            text,
            object_pairs_hook=object_of,
            parse_int=integers,
            parse_float=floats,
            parse_constant=refuse,
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"expected JSON, got {text[:40]!r}: {error}") from None
    except RecursionError:
        raise ValueError("expected JSON, got lists or objects nested too deeply") from None


def parse_document(text: str, schema: str) -> dict[str, Any]:
    """Return the value of a document in JSON, checked against a schema.

    Args:
        text: the text of the document.
        schema: the name of the schema, such as ``first-moves-1``.

    Raises:
        ValueError: if the text is not JSON, does not obey the schema, or has an integer of more than :data:`DIGITS`
            characters or an exponent of more than four digits.
    """
    document: dict[str, Any] = parse_json(
        text,
        integers=lambda text: int(expect(f"at most {DIGITS} digits", f".{{,{DIGITS}}}", text)),
        floats=lambda text: Decimal(expect("a decimal number", SHORT_EXPONENT, text)),
    )
    check(document, schema)
    return document


def read_document(text: str) -> Document:
    """Read first moves, the optimal strategies for the first bid of a game, from JSON.

    Raises:
        ValueError: if the text does not obey the schema ``first-moves-1``, if a first move does not have a probability
            for each of the cards 1 … n and for no other, or if the deck, the rules and the upcards do not fit together.
    """
    if re.search(r'"one"\s*:\s*\[', text):  # no member of first moves has this name
        raise ValueError(
            "expected first moves, got a solved position; its proof is a certificate, which the command export writes"
        )
    parsed = parse_document(text, "first-moves-1")
    n, kind, deck = parsed["n"], parsed["arithmetic"], tuple(parsed.get("deck", ()))
    columns, cards = [], [str(card) for card in range(1, n + 1)]
    for member in parsed["columns"]:
        upcard, unique = member["upcard"], member["unique"]
        for number, name in (("probability", "probabilities"), ("radius", "radii")):
            if set(member.get(name, cards)) != set(cards):
                raise ValueError(
                    f"{turn_name(upcard)}: expected a {number} for each card from 1 to {n}"
                )
        # Writers set `unique` to false if there are several optimal moves, but also if they could not prove that there
        # is only one. So the value false means that there are several only if the first move is proved; otherwise the
        # value means nothing, and becomes None. A first move is proved unless it is in floats.
        claim = unique if unique or kind != "float" else None
        probabilities, radii = (
            {card: str(member[name][card]) for card in cards if name in member}
            for name in ("probabilities", "radii")
        )
        columns.append(Column(upcard, claim, probabilities, radii))
    _check_deck(deck, n)
    if "deck" in parsed and deck == tuple(range(1, n + 1)):
        raise ValueError(f"expected no deck where the prizes are 1 to {n}, got one")
    digits = parsed.get("digits", 0)
    document = Document(n, parsed["rules"], kind, tuple(columns), digits, deck)
    upcards = upcards_of(document.rules, document.prizes)
    named = [column.upcard for column in columns]
    for upcard in named:
        if upcard not in upcards or named.count(upcard) > 1:
            expected = ", ".join(map(str, upcards))
            raise ValueError(f"an upcard must be one of {expected}, each once, got {upcard}")
    return document


def _check_deck(deck: tuple[int, ...], n: int) -> None:
    if deck and (len(deck) != n or list(deck) != sorted(deck)):
        raise ValueError(f"expected a deck of {n} prizes, ascending, got {str(deck)[:40]}")


def order_of(rules: Mapping[str, Any], deck: tuple[int, ...]) -> tuple[int, ...]:
    """Return the prizes of a game in the order in which they are turned up; () if the rules do not fix the order.

    Args:
        rules: {objective, ties, prizes}, as a JSON document names them.
        deck: the prizes, in any order.

    Raises:
        ValueError: if the rules list the prizes one by one, and these are not the prizes of the deck.
    """
    prizes, deck = rules["prizes"], tuple(sorted(deck))
    if isinstance(prizes, str):
        return {"ascending": deck, "descending": deck[::-1]}.get(prizes, ())
    if tuple(sorted(prizes)) != deck:
        raise ValueError(
            f"the rules must be those of a game of {len(deck)} cards, got {str(dict(rules))[:200]}"
        )
    return tuple(prizes)


def upcards_of(rules: Mapping[str, Any], prizes: tuple[int, ...]) -> list[int | None]:
    """Return the distinct prizes that may be turned up first, or [None] if prizes are hidden.

    Args:
        rules: {objective, ties, prizes}, as a JSON document names them.
        prizes: all prizes of the game, in any order.

    Raises:
        ValueError: if the rules list the prizes one by one, and these are not `prizes`.
    """
    if rules["prizes"] == "hidden":
        return [None]
    return list(order_of(rules, prizes)[:1] or dict.fromkeys(prizes))


def read_table(text: str, rules: Mapping[str, Any] = PLAIN, deck: tuple[int, ...] = ()) -> Document:
    r"""Read the optimal strategies for the first bid at all upcards from a CSV table, in exact numbers or floats.

    Args:
        text: the table, which names neither its rules nor its deck.
        rules: {objective, ties, prizes}, as a JSON document names them.
        deck: the prizes, ascending; () if they are 1 … n.

    Raises:
        ValueError: if the text is not such a table, or a line is missing.

    >>> table = "upcard,card,probability,radius,proved\n1,1,1.0,0.0,true\n"
    >>> read_table(table).columns[0].probabilities
    {'1': '1.0'}
    """
    header, *lines = text.splitlines() or [""]
    if header not in HEADERS:
        raise ValueError(
            f"first moves must have the header {' or '.join(HEADERS)}, got {header[:80]!r}; solved matrix "
            "games are read from JSON"
        )
    if not lines:
        raise ValueError("expected first moves, got a header alone")
    rows = [line.split(",") for line in lines]
    n, fields = max(Counter(row[0] for row in rows).values()), len(header.split(","))
    if n > MOST_CARDS:
        raise ValueError(f"expected at most {MOST_CARDS} cards at an upcard, got {n} lines")
    _check_deck(deck, n)
    upcards = upcards_of(rules, deck or tuple(range(1, n + 1)))
    expected = [
        ["hidden" if upcard is None else str(upcard), str(card)]
        for upcard in upcards
        for card in range(1, n + 1)
    ]
    if [row[:2] for row in rows] != expected or any(len(row) != fields for row in rows):
        raise ValueError(f"expected {fields} fields for every card at every upcard")
    columns = []
    for index, upcard in enumerate(upcards):
        _, cards, *numbers = zip(*rows[index * n : (index + 1) * n], strict=True)
        chances, others = (dict(zip(cards, texts, strict=True)) for texts in numbers[:2])
        if HEADERS[header] == EXACT:
            columns.append(Column(upcard, None, chances, decimals=others))
            continue
        proved = {*numbers[2]}
        if proved not in ({"true"}, {"false"}):
            raise ValueError(
                f"{turn_name(upcard)}: expected proved to be true or false, the same for every card"
            )
        columns.append(Column(upcard, True if "true" in proved else None, chances, others))
    return Document(n, rules, HEADERS[header], tuple(columns), deck=deck)
