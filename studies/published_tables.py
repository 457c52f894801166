"""Printed tables beside computed first moves: ``python studies/published_tables.py --published TABLE.csv … FILE …``.

A table has the columns n, upcard, card, printed_probability; the files are emitted first moves. Written as CSV: every
entry that was computed, with its verdict. The number of entries that are not correctly rounded is printed to stderr.

A *first move* is an optimal strategy for the first bid after an upcard: a probability for each card. A computed
probability is known only to within its radius, a bound of its error. If two numbers within this radius would give
different verdicts on a printed decimal, the verdict is "undecided".
"""

import csv
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gmpy2 import mpq, mpz
from script import run_script

from gops_exact.base.arguments import integer
from gops_exact.base.documents import (
    PLAIN,
    Document,
    expect,
    named,
    parse_decimal,
    read_moves,
    read_text,
)
from gops_exact.base.progress import note
from gops_exact.base.writing import csv_lines, fields_of
from gops_exact.commands.options import Options, Parser, output
from gops_exact.numbers.digits import RADIUS_DIGITS, in_digits
from gops_exact.numbers.exact import rational
from gops_exact.numbers.kinds import view

Verdict = Literal["agrees", "truncated", "rounded twice", "misprint", "undecided"]

EXACT = mpq(0)
"""The radius of a number that is known exactly."""

DECIMALS = 12
"""Number of digits after the point of computed numbers in CSV."""


@dataclass(frozen=True)
class Entry:
    """One printed probability, the computed one, and the verdict."""

    source: str  #: the name of the table's file without its ending
    n: int  #: cards a side
    upcard: int  #: the prize turned up
    card: int  #: the bid
    printed: str  #: the decimal as printed
    computed: mpq  #: the computed probability
    radius: mpq  #: the greatest possible error of `computed`
    verdict: Verdict  #: the result of :func:`judge`


def compare(table: Path, documents: Iterable[Document]) -> Iterator[Entry]:
    """Judge each printed probability in a table by comparing it with the computed one.

    Args:
        table: path of a CSV file with the columns n, upcard, card and printed_probability.
        documents: computed first moves, exact or with radii. If a probability is in several documents, the number
            with the smallest radius is taken.

    Yields:
        The judged entries, in the order of the table. An entry is left out if no document has its probability.

    Raises:
        ValueError: if the file is not such a table, if the table has an impossible card or the same entry
            twice, or if two documents contradict each other.

    >>> import gops_exact
    >>> from gops_exact.base.documents import read_document
    >>> document = read_document(gops_exact.first_move(6, store=":memory:").emit("json"))
    >>> table = Path(gops_exact.__file__).parent / "players" / "data" / "rhoads_2011_first_move.csv"
    >>> for entry in compare(table, [document]):
    ...     if entry.verdict != "agrees":
    ...         print(entry.upcard, entry.card, entry.printed, entry.verdict)
    5 2 0.0865 rounded twice
    """
    computed, seen = _sharpest(documents), set()
    for line, key, printed in _printed(table):
        n, upcard, card = key
        with named(f"{table}, line {line}"):
            integer(upcard, "an upcard", 1, n)
            integer(card, "a card", 1, n)
            if key in seen:
                raise ValueError(
                    f"expected every entry once, got n = {n}, upcard {upcard}, card {card} again"
                )
            seen.add(key)
            if key in computed:
                verdict = judge(printed, *computed[key])
                yield Entry(table.stem, *key, printed, *computed[key], verdict)


Key = tuple[int, int, int]
"""Key of an entry of a table: (cards a side, upcard, card)."""


def _printed(table: Path) -> Iterator[tuple[int, Key, str]]:
    """Yield (line number, key, text as printed) for every probability in a table, a CSV file.

    Raises:
        ValueError: if the file cannot be read, or is no such table.
    """
    # Spreadsheets write a byte order mark at the start, which "utf-8-sig" skips.
    rows = csv.DictReader(read_text(table, "utf-8-sig").splitlines(keepends=True), strict=True)
    try:
        for row in rows:
            # A row with too many fields, or a header that has a name twice, is refused. DictReader puts surplus fields
            # under the key None. If the header has a name twice, the row has fewer keys than the header has columns.
            is_whole = None not in row and len(row) == len(rows.fieldnames or ())
            fields = [row[name] for name in ("n", "upcard", "card") if is_whole]
            n, upcard, card = (int(expect("a number", "[0-9]{1,9}", field)) for field in fields)
            yield rows.line_num, (n, upcard, card), row["printed_probability"] or ""
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        raise ValueError(f"{table}: expected a table of printed probabilities") from error


def judge(printed: str, computed: mpq, radius: mpq = EXACT) -> Verdict:
    """Compare a printed number with a computed one, and return the verdict on the printed number.

    Args:
        printed: a decimal, which may be rounded; or a fraction or an integer, which agrees with exactly this number
            alone. A 0 without a point says that the card is not played.
        computed: the computed number, at least 0.
        radius: the greatest error of `computed`.

    Returns:
        ``"agrees"`` if `printed` is the computed number correctly rounded; ``"truncated"`` if it is this number with
        digits cut off; ``"rounded twice"`` if it is this number rounded to one more digit than is printed, and the
        result rounded again, half upwards; ``"misprint"`` if it is none of these; ``"undecided"`` if numbers within
        the radius have different verdicts or, for a decimal, if the radius is half a unit of its last digit or more.

    Raises:
        ValueError: if `printed` is no number.

    >>> [judge(text, mpq(2, 3)) for text in ("0.667", "0.666", "0.676", "0")]
    ['agrees', 'truncated', 'misprint', 'misprint']
    >>> judge("0.0865", mpq("0.08645")), judge("0.0865", mpq("0.086449"))
    ('agrees', 'rounded twice')
    >>> judge("0.667", mpq("0.6666"), mpq("0.0001")), judge("0.667", mpq("0.6666"), mpq("0.0002"))
    ('agrees', 'undecided')
    """
    if "." not in printed:
        if "/" in printed:
            number = mpq(expect("a fraction p/q", "[0-9]+/0*[1-9][0-9]*", printed))
        else:
            number = parse_decimal(printed)
        if abs(computed - number) > radius:
            return "misprint"
        return "undecided" if radius else "agrees"
    digits = len(printed.partition(".")[2])
    scale = mpz(10) ** digits
    last = parse_decimal(f"0{printed}" if printed.startswith(".") else printed) * scale
    least, most = (_verdict(last, (computed + end) * scale) for end in (-radius, radius))
    # The true number is between two ends, the computed number minus and plus its radius. If both ends have the verdict
    # "agrees", "truncated" or "rounded twice", all numbers between them have it, too, because the numbers with this
    # verdict form an interval. The numbers with the verdict "misprint" form two intervals, one below all others and one
    # above. The gap between these is wider than one unit of the last printed digit. So if the ends are less than a unit
    # apart and both are misprints, both are in the same interval.
    return least if least == most and 2 * radius * scale < 1 else "undecided"


def _sharpest(documents: Iterable[Document]) -> dict[Key, tuple[mpq, mpq]]:
    """Return the probabilities in documents of first moves, {(cards a side, upcard, card): (number, radius)}.

    If several documents have a number for the same key, the number with the smallest radius is returned.

    Raises:
        ValueError: if a document has prizes other than 1 to n or other than the default rules, or if the numbers of two
            documents for the same key differ by more than their radii allow.
    """
    numbers: dict[Key, tuple[mpq, mpq]] = {}
    for document in documents:
        if document.deck:
            raise ValueError(
                f"printed tables are of the prizes 1 to {document.n}, got {document.deck}"
            )
        if document.rules != PLAIN:
            rules = ["/".join(map(str, names.values())) for names in (PLAIN, document.rules)]
            raise ValueError(f"printed tables are of the rules {rules[0]}, got {rules[1]}")
        for column in document.columns:
            if column.upcard is None:
                continue
            for card in column.probabilities:
                key = document.n, column.upcard, int(card)
                with named(f"n = {document.n}, upcard {column.upcard}"):
                    new = document.number(column, card)
                old = numbers.setdefault(key, new)
                if abs(new[0] - old[0]) > new[1] + old[1]:
                    raise ValueError(
                        f"the files contradict each other: n = {key[0]}, upcard {key[1]}, card {card}"
                    )
                if new[1] < old[1]:
                    numbers[key] = new
    return numbers


def _verdict(digits: mpq, scaled: mpq) -> Verdict:
    """Return the verdict on a printed decimal if the computed number is exact: any verdict except "undecided".

    Args:
        digits: the printed number in units of its last digit, an integer.
        scaled: the computed number in the same units.
    """
    if 2 * abs(scaled - digits) <= 1:
        return "agrees"
    if digits <= scaled < digits + 1:
        return "truncated"
    # `once` is the computed number rounded to one more digit than is printed, in units of this additional digit. If
    # `scaled` is below `digits`, it is also below `digits` − 1/2, since the verdict is not "agrees". So `once` is at
    # most 10 · digits − 5, and only if it equals this does a second rounding, half upwards, give the printed number.
    once = (10 * scaled + mpq(1, 2)) // 1
    return "rounded twice" if scaled < digits and once == 10 * digits - 5 else "misprint"


def _computed(entry: Entry) -> str:
    """Return the computed number with :data:`DECIMALS` decimals, or a plain 0 if it is exactly zero."""
    return view(entry.computed).decimal(DECIMALS) if entry.computed or entry.radius else "0"


def _radius(entry: Entry) -> str:
    """Return a bound on the error of the decimal that :func:`_computed` returns, rounded up to two digits."""
    if not (entry.computed or entry.radius):
        return "0"
    radius = entry.radius + mpq(1, 2 * mpz(10) ** DECIMALS)
    return str(in_digits(rational(radius), RADIUS_DIGITS))


COLUMNS = fields_of(Entry) | {"computed": _computed, "radius": _radius}
"""Columns of entries in CSV, {name: function that returns the field}. The radius includes the error of rounding the
computed number."""


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="emitted first moves")
    tables = "a printed table; may be given several times"
    parser.add(
        "game", "--published", "TABLE.csv", tables, action="append", type=Path, required=True
    )
    parser.share("--out")


def compared(tables: list[Path], documents: list[Document]) -> Iterator[Entry]:
    """Yield the entries of printed tables that were computed, each with its verdict."""
    for table in tables:
        entries = list(compare(table, documents))
        if not entries:
            raise ValueError(f"{table} has no entry for the games in the files")
        yield from entries


def run(options: Options) -> None:
    """Write the verdicts."""
    documents = [read_moves(read_text(file)) for file in options.files]
    entries = list(compared(options.published, documents))
    wrong = sum(entry.verdict != "agrees" for entry in entries)
    note(f"{len(entries)} entries compared, {wrong} not correctly rounded")
    with output(options.out) as file:
        file.writelines(csv_lines(COLUMNS, entries))


def main(words: list[str]) -> int:
    """Run the script; return the exit status."""
    return run_script(__file__, str(__doc__), add_arguments, run, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
