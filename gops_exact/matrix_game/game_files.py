"""Files of matrix games: tables in CSV, documents in JSON, and Gambit's strategic games, ``.nfg``.

A table has a line for each of player one's pure strategies. If the first line or column contains no number, it holds
labels. If the first cell is empty, as in tables of pandas and spreadsheets, the first line and the first column both
hold labels. A first line ``sep=;``, as spreadsheets write it, names the delimiter. If the delimiter is no comma,
decimals may be written with a comma, as in ``0,5``. If all payoffs end in ``%``, they are in per cent.

A table may have other forms, too: cells separated by blanks, as ``numpy.savetxt``, R and ``print`` of a pandas frame
write them; a Markdown table; a printed array, such as ``[[3 -1] [1 2]]``, ``array([[3, -1], [1, 2]])``, ``[3 -1; 1 2]``
or ``{{3, -1}, {1, 2}}``; or the input of the program lrsnash, the payoffs of both players below their numbers of
strategies.

A document is a list of rows, or an object. The object has the member ``payoff``, and perhaps ``labels`` (an object of
``rows`` and ``columns``) and ``title``. Other members, such as those that :meth:`.GameSolution.emit` writes, are
ignored.

An ``.nfg`` file is in Gambit's *strategic games file format* (Savani and Turocy, *Gambit: the package for computation in
game theory*, manual, "Game representation formats"). Its prologue has the names of players and strategies. The payoffs
follow, ordered so that player one's strategy varies fastest. They are either pairs of numbers, or a list of outcomes and
the number of an outcome for each cell. Both forms are read; the first is written.
"""

import csv
import re
import warnings
from collections import Counter, deque
from collections.abc import Sequence
from functools import reduce
from io import StringIO
from itertools import count, takewhile

from flint import fmpq

from gops_exact.base import documents
from gops_exact.base.arguments import instance, shown
from gops_exact.base.arguments import path as as_path
from gops_exact.base.documents import EFG, MATRIX, NFG, PRINTED, is_json, kind_of, named
from gops_exact.base.writing import quoted, quoted_list
from gops_exact.matrix_game.matrix import TITLE, MatrixGame, constant_sum
from gops_exact.matrix_game.other_programs import as_gambit
from gops_exact.matrix_game.payoff import require_room
from gops_exact.numbers.exact import rational, simplest

DELIMITERS = "\t;,"
"""Delimiters of cells, in order of preference. The comma is last because it may be a decimal comma."""

HEADERS = {
    "guess": (None, None),
    "no": (False, False),
    "yes": (True, None),
    "both": (True, True),
}
"""{value of the option ``header``: (first line, first column)}, each True for labels, False for payoffs, or None where
the cells decide."""

_SEPARATOR = re.compile(r"\s*\"?sep=([,;\t])\"?[^\S\n]*\n", re.IGNORECASE)

_CORNER = re.compile(r"(?!,[0-9]+[;\t])([,;\t])")
"""Pattern of the delimiter after an empty first cell. It excludes a comma that begins a decimal, as in ``,5;1``."""

MOST_NAMED = 99_999
"""Greatest number of strategies of a player in an ``.nfg`` file that has only their number, not their names."""

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}]|[^\s,{}"]+|"')
_WORD = r'[^{}"].*'

_SHORT_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_MINUS = re.compile("−(?=[0-9.,])")
"""Pattern of a Unicode minus sign before a number, which printed tables have in place of a hyphen."""

_RULE = re.compile(r"\s*[|+]?\s*:?-+:?\s*([|+]\s*:?-+:?\s*)*[|+]?\s*")
"""Pattern of the line below the heads of a Markdown table."""

_BAR = re.compile(r"^\s*\||(?<!\\)\|\s*$")
"""Pattern of the bars at both ends of a line of a Markdown table."""

_ARRAY_ROW = re.compile(r"(?<=[\[{;])[^\[\]{};]*[^\[\]{};\s][^\[\]{};]*(?=[\]};])")
_ARRAY_REST = re.compile(r"\s*(\w[\w.]*\s*[(=]\s*)?[\[\]{};,\s]*(dtype=\w+)?\s*\)?;?\s*")
"""Patterns of a row of a printed array, and of a printed array without its rows."""

ODD = {
    "the payoff of a strategy against itself, in a table of win rates half of a sure win": "(?!)",
    "a payoff alone, without what stands in parentheses, such as a number of games": r".+\(.*\)",
    "% after all payoffs or after none": ".+%",
}
"""{what is expected of a cell: the pattern of cells that are refused for it}. The first is for cells whose row and
column have the same label: the pattern matches none, but a cell without a number is refused."""

_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?")
_NO_LABEL = re.compile(r"|[+-]?(nan|inf|infinity)|<?na>?|none|null", re.IGNORECASE)


def read_game(source: object) -> MatrixGame:
    """Return the game in a file, in the text of a file or in a game of pygambit.

    Args:
        source: the path of a file; the text of a file, if it begins with a bracket or has several lines; or a
            constant-sum game of pygambit.

    Raises:
        ValueError: if `source` is none of these, or if the text is in none of the formats.
    """
    if hasattr(source, "to_nfg"):
        return read_nfg(source.to_nfg())
    if isinstance(source, str) and ("\n" in source or source.lstrip().startswith(("{", "["))):
        return parse(source)
    path = as_path(source, "the file of a matrix game")
    text = documents.read_text(path, "utf-8-sig")
    with named(path):
        return parse(text)


def parse(text: str, header: str = "guess") -> MatrixGame:
    r"""Return the game in the text of a file; the first characters decide the format.

    Args:
        text: the text of the file.
        header: the labels in a table, as in :func:`read_csv`; ignored for the other formats.

    Raises:
        ValueError: if the text is in none of the formats.

    >>> parse("bid,paper,scissors\nrock,-1,1").columns
    ('paper', 'scissors')
    """
    if is_json(text):
        return read_json(text)
    text = as_gambit(text)
    if (kind := kind_of(text)) == NFG:
        return read_nfg(text)
    if kind != MATRIX:
        advice = "; gx.solve_game takes a tree" if kind == EFG else ""
        raise ValueError(f"expected exact payoffs in CSV, JSON or an nfg file, got {kind}{advice}")
    return read_csv(text, header)


def read_csv(text: str, header: str = "guess") -> MatrixGame:
    r"""Return the game in a table; decimals are read exactly, not as floats.

    Args:
        text: the table, in one of the forms that the docstring of this module lists.
        header: ``"no"`` if the table has no labels; ``"both"`` if the first line and the first column are labels;
            ``"yes"`` if the first line is labels, and the first column may be; ``"guess"`` if each of them may be
            labels. A line or column that may be labels is taken for labels if it looks like labels.

    Raises:
        ValueError: if `text` is not a table of exact numbers, or has payoffs of both players whose sums differ.

    Warns:
        UserWarning: if the payoffs are in per cent, or if the table has payoffs of both players. If `header` is
            ``"guess"``, there are three more reasons: the first line or column is read as payoffs, but looks like years
            or other numbered labels; each line looks like a pair of bids and its payoff; or each line looks like a
            single number with a decimal comma.

    >>> game = read_csv(",left,right\ntop,3,-0.5\nbottom,1,2\n")
    >>> game.rows, game.columns, game.payoff
    (('top', 'bottom'), ('left', 'right'), [[3, -1/2], [1, 2]])
    >>> read_csv("sep=;\n0,5;1\n2;-1,25\n").payoff
    [[1/2, 1], [2, -5/4]]
    """
    parts = re.split(r"\n\s*\n", text.strip())
    sizes, *both = ([line.split() for line in part.split("\n")] for part in parts)
    if len(both) == 2 and sizes == [[str(len(both[0])), str(len(both[0][0]))]]:
        game = reduce(constant_sum, map(MatrixGame, both))
        warnings.warn("payoffs of both players, below their numbers, are read", stacklevel=2)
        return game
    text, delimiter = _delimited(text)
    places, written, lines = _cells(text, delimiter)
    cornered = lines[0][0] == "" and len(lines) > 1 and len(lines[0]) > 1
    columns: Sequence[str] = ()
    rows: Sequence[str] = ()
    first_line, first_column = HEADERS[header]
    if first_line is None:
        first_line = cornered or all(map(_is_label, lines[0]))
    if first_line:
        columns, lines = written[0], lines[1:]
    if first_column is None:
        first_column = cornered or (bool(lines) and all(_is_label(line[0]) for line in lines))
    if header == "guess":
        _warn_of_numbered(lines, first_line=first_line, first_column=first_column)
        if lines and not first_column:
            _warn_of_other_tables(lines, delimiter)
    if lines and first_column:
        rows = [line[0] for line in written[-len(lines) :]]
        lines = [line[1:] for line in lines]
        if len(columns) > 1 and len(columns) == len(lines[0]) + 1:
            columns = columns[1:]
    if not lines or not lines[0]:
        raise ValueError(
            "expected payoffs separated by commas, semicolons, tabs or blanks, got only what is taken for labels: "
            f"{shown(','.join(columns or rows))}"
        )
    if all(cell.endswith("%") for line in lines for cell in line):
        warnings.warn("payoffs that end in % are read as per cent", stacklevel=2)
        lines = [[cell[:-1].rstrip() for cell in line] for line in lines]
    try:
        game = MatrixGame([[_entry(cell) for cell in line] for line in lines], rows, columns)
    except ValueError:
        _require_cells(places[-len(lines) :], lines, rows, columns)
        raise
    if header == "guess" and rows and columns:
        _require_payoffs(game, lines)
    return game


def _cells(text: str, delimiter: str) -> tuple[list[int], list[list[str]], list[list[str]]]:
    """Split a table into its cells, without empty lines and without empty columns at the right.

    Args:
        text: the table, as :func:`_delimited` returns it.
        delimiter: the character between the cells; a blank stands for any number of blanks.

    Returns:
        (numbers, labels, payoffs). The numbers of the lines in the text, counted from 1. The cells of each line as they
        are to be read as labels, without blanks around them. The same cells as they are to be read as payoffs: a hyphen
        replaces the sign −, and a decimal point replaces a decimal comma.
    """
    places, lines = list[int](), list[list[str]]()
    blank, escape = delimiter == " ", "\\" if delimiter == "|" else None
    read = csv.reader(
        StringIO(text, newline=""),
        delimiter=delimiter,
        escapechar=escape,
        skipinitialspace=blank,
        strict=True,
    )
    try:
        for cells in read:
            if any(map(str.strip, cells)):
                places.append(read.line_num)
                lines.append(list(map(str.strip, cells)))
    except csv.Error as error:
        raise ValueError(f"expected a table in CSV: {error}") from None
    if not lines:
        raise ValueError("expected a table in CSV, got empty cells")
    # Spreadsheets write empty columns.
    while all(len(line) > 1 and line[-1] == "" for line in lines):
        lines = [line[:-1] for line in lines]
    plain = list(lines)
    if "−" in text:
        plain = [[_MINUS.sub("-", cell) for cell in line] for line in lines]
    if delimiter != "," and any(_COMMA.fullmatch(cell) for line in plain for cell in line):
        plain = [[_with_point(cell) for cell in line] for line in plain]
    # In tables of R and of printed frames the first line has no cell above the labels.
    labelled = blank or all(_is_label(line[0]) for line in plain)
    if labelled and {len(line) for line in lines[1:]} == {len(lines[0]) + 1}:
        for table in (lines, plain):
            table[0] = ["", *table[0]]
    return places, lines, plain


def _delimited(text: str) -> tuple[str, str]:
    """Return the text of a table in the form that :func:`_cells` reads, and the delimiter of its cells.

    A line ``sep=``, the brackets of a printed array and the line of dashes in a Markdown table are removed. A line of
    the text has the same number in the result, except in a printed array, of which each row becomes a line.
    """
    if PRINTED.match(text):
        if not re.match(
            r"[^\[{]*[\[{]\s*[\[{]", text
        ):  # MATLAB's arrays, in which lines end rows, too
            text = text.replace("\n", ";")
        if not _ARRAY_REST.fullmatch(rest := _ARRAY_ROW.sub("", text)):
            raise ValueError(
                f"expected rows of an array alone, got {shown(rest.strip())} beside them"
            )
        rows = (row.replace(",", " ").split() for row in _ARRAY_ROW.findall(text))
        return "\n".join(map(" ".join, rows)), " "
    lines = text.split("\n")
    for rule, line in enumerate(lines):
        if rule and "|" in line and _RULE.fullmatch(line) and "|" in lines[rule - 1]:
            below = takewhile(lambda line: "|" in line, lines[rule + 1 :])
            table = [*[""] * (rule - 1), lines[rule - 1], "", *below]
            return "\n".join(_BAR.sub("", line) for line in table), "|"
    if separator := _SEPARATOR.match(text):
        text = "\n" * separator[0].count("\n") + text[separator.end() :]
    filled = [line for line in text.splitlines() if line.strip()]
    if not filled:
        raise ValueError("expected a table in CSV, got no line")
    require_room(sum(map(text.count, DELIMITERS)) + len(filled))
    # A line ``sep=`` or an empty first cell names the delimiter. Otherwise it is the first mark that occurs equally often
    # in all lines; other marks may occur in labels. If there is no such mark, it is the mark with the most occurrences in
    # the line that has the fewest of it. If these are 0, blanks may separate cells; lines that begin with ``#`` are then
    # comments, as in files of NumPy.
    counts = {mark: [line.count(mark) for line in filled] for mark in DELIMITERS}
    even = [mark for mark in DELIMITERS if min(counts[mark]) == max(counts[mark]) > 0]
    first = separator or _CORNER.match(text)
    named = first[1] if first else "".join(even[:1])
    delimiter = named or max(reversed(DELIMITERS), key=lambda mark: min(counts[mark]))
    if not named and min(counts[delimiter]) == 0:
        plain = re.sub("(?m)^#.*", "", text)
        words = csv.reader(StringIO(plain), delimiter=" ", skipinitialspace=True)
        heads, *widths = [len(line) for line in words if line] or [0]
        if {*widths} <= {heads, heads + 1} and len({*widths}) <= 1 < max([heads, *widths]):
            return plain, " "
    return text, delimiter


def _require_cells(
    places: Sequence[int],
    lines: Sequence[Sequence[str]],
    rows: Sequence[str],
    columns: Sequence[str],
) -> None:
    """Raise a ValueError that says why a table is not a matrix of payoffs; return if no reason is found.

    If labels of rows repeat and the first column of `lines` has labels, too, the table is taken for a list of pairs of
    strategies, and the message quotes the first pair. Otherwise the message names the first line that is not as long as
    the first of `lines`, or the first cell that is not a payoff, whichever comes first.

    Args:
        places: the number of each line in the text of the table, counted from 1.
        lines: the cells of each line, without labels.
        rows: the labels of the rows; empty if the table has none.
        columns: the labels of the columns; empty if the table has none.
    """
    if len({*rows}) < len(rows) and all(_is_label(line[0]) for line in lines):
        pair = shown(",".join([rows[0], *lines[0]]))
        raise ValueError(
            f"expected a line for each strategy of player one, got one for each pair: {pair}"
        )
    for place, cells, row in zip(places, lines, rows or count(1), strict=False):
        if len(cells) != len(lines[0]):
            expected = f"{len(lines[0])} payoffs, as in line {places[0]}"
            raise ValueError(f"line {place}: expected {expected}, got {len(cells)}")
        for cell, column in zip(cells, columns or count(1), strict=False):
            with named(f"line {place}, row {row}, column {column}"):
                is_gap = rows and row == column and _NO_LABEL.fullmatch(cell.strip("-–—xX*"))
                for expected, pattern in ODD.items():
                    if re.fullmatch(".*" if is_gap else pattern, cell):
                        raise ValueError(f"expected {expected}, got {cell!r}")
                rational(cell)


def _with_point(cell: str) -> str:
    if re.fullmatch(r"[+-]?[0-9]*[.][0-9]+", cell):
        raise ValueError(
            f"expected decimals with commas, as others in the table have, got {cell!r}"
        )
    return cell.replace(",", ".") if _COMMA.fullmatch(cell) else cell


def _warn_of_numbered(
    lines: Sequence[Sequence[str]], *, first_line: bool, first_column: bool
) -> None:
    """Warn if the first line or column is read as payoffs but looks like numbered labels.

    Numbered labels, such as years, are integers that count up in steps of 1. The first of them must be greater than the
    absolute values of all integers in the other lines or columns.

    Args:
        lines: the cells of the table, without a first line of labels.
        first_line: True if the first line of the table is read as labels.
        first_column: True if the first column of the table is read as labels.
    """
    sides = [("line", lines, first_line), ("column", list(zip(*lines, strict=False)), first_column)]
    for side, (first, *others), is_label in sides if lines else ():
        if is_label or len(first) < 2 or not all(map(_SHORT_INTEGER.fullmatch, first)):
            continue
        numbers = [int(cell) for cell in first]
        rest = [int(cell) for line in others for cell in line if _SHORT_INTEGER.fullmatch(cell)]
        counts_up = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        if counts_up and rest and numbers[0] > max(map(abs, rest)):
            text = f"the first {side}, {', '.join(first)}, is read as payoffs, not as labels"
            warnings.warn(f"{text}; header 'both' or 'yes' says otherwise", stacklevel=3)


def _warn_of_other_tables(lines: Sequence[Sequence[str]], delimiter: str) -> None:
    """Warn if a table without labels looks like a table of another form.

    It may look like a list of all pairs of bids, with the payoff in the third column. Or its two columns may look like
    a single column of numbers with decimal commas.
    """
    sides = list(zip(*lines, strict=False))
    one, two = ({*side} for side in (*sides, *sides)[:2])
    is_grid = len(set(zip(*sides[:2], strict=True))) == len(lines) == len(one) * len(two)
    if len(sides) > 2 and is_grid and min(len(one), len(two)) > 1:
        text = "the first two columns, which name each pair once, are read as payoffs; a matrix has a line for each bid"
        warnings.warn(f"{text} of player one and a column for each of player two", stacklevel=3)
    wholes, decimals = ({len(cell.lstrip("+-")) for cell in side} for side in (one, two))
    like_numbers = delimiter == "," and all(_COMMA.fullmatch(",".join(line)) for line in lines)
    if like_numbers and len(decimals) == 1 < min(decimals) and decimals != wholes:
        text = f"{','.join(lines[0])} is read as two payoffs, not as one with a decimal comma"
        warnings.warn(f"{text}; a first line sep=; says otherwise", stacklevel=3)


def _require_payoffs(game: MatrixGame, cells: Sequence[Sequence[str]]) -> None:
    """Raise a ValueError if a table looks like the optimal strategies of GOPS's first bid, as other programs print them.

    There is one strategy for each prize that may be turned up first.

    Such a table has cards as labels of its rows and columns. Its decimals have the sum 1 either in each column or in
    each line.

    Args:
        game: the game that was read from the table.
        cells: the payoffs as they stand in the table, shape (m, n).
    """
    places = max(len(cell.partition(".")[2]) for line in cells for cell in line)
    rows = game.numbers.rows
    by_line, by_column = (
        all(abs(sum(line) - 1) * 10**places <= len(line) for line in side)  # each may be cut off
        for side in (rows, list(zip(*rows, strict=True)))
    )
    cards = {str(card) for card in range(1, max(game.shape) + 1)}
    if places and by_line != by_column and cards.issuperset(game.rows + game.columns):
        raise ValueError(
            f"expected payoffs, got a table of first moves: numbers with the sum 1 in each {'line' if by_line else 'column'}, "
            "named by cards; header 'both' reads them as payoffs"
        )


def _is_label(cell: str) -> bool:
    if _NO_LABEL.fullmatch(cell):
        return False
    try:
        rational(cell)
    except ValueError:
        return not re.fullmatch(r"[0-9./eE+-]+", cell)  # 1/0 and 1..5 are mistyped numbers
    return False


def _entry(cell: str) -> int | str:
    # Ints are converted faster than text.
    return int(cell) if _SHORT_INTEGER.fullmatch(cell) else cell


def read_json(text: str) -> MatrixGame:
    """Return the game in a document in JSON; decimals are read exactly, not as floats.

    Raises:
        ValueError: if `text` is not a document of a matrix game.

    >>> read_json('{"payoff": [[0.1, "1/3"]], "labels": {"columns": ["a", "b"]}}').payoff
    [[1/10, 1/3]]
    """
    document = documents.parse_json(text, integers=_entry, floats=str)
    if isinstance(document, list):
        return MatrixGame(document)
    if not isinstance(document, dict) or "payoff" not in document:
        raise ValueError(
            "expected a matrix, or an object with the member payoff, "
            f"got {kind_of(document) or shown(document)}"
        )
    labels = document.get("labels", {})
    if not isinstance(labels, dict) or not {*labels} <= {"rows", "columns"}:
        raise ValueError(f"labels must be an object of rows and columns, got {shown(labels)}")
    return MatrixGame(document["payoff"], **labels, title=document.get("title", TITLE))


def write_nfg(game: MatrixGame) -> str:
    """Return the text of an ``.nfg`` file of a game, with payoffs as fractions.

    >>> print(write_nfg(MatrixGame([[3, "-1/2"], [1, 2]])), end="")
    NFG 1 R "matrix game" { "Player one" "Player two" }
    { { "1" "2" } { "1" "2" } }
    ""
    <BLANKLINE>
    3 -3
    1 -1
    -1/2 1/2
    2 -2
    """
    instance(game, MatrixGame, "game", "a MatrixGame")
    cells = (entry for column in zip(*game.payoff, strict=True) for entry in column)
    lines = [
        f'NFG 1 R {quoted(game.title)} {{ "Player one" "Player two" }}',
        f"{{ {quoted_list(game.rows)} {quoted_list(game.columns)} }}",
        '""',
        "",
        *(f"{entry!s} {-entry!s}" for entry in cells),
    ]
    return "\n".join(lines) + "\n"


class Tokens:
    """Tokens of a file of Gambit that are still to be read.

    Args:
        text: the text of the file.
        kind: name of the format in error messages, such as ``"an nfg file"``.
        within: the greatest distance between a decimal and the fraction that replaces it; None to read decimals
            exactly.

    Raises:
        ValueError: if a closing quotation mark is missing.
    """

    def __init__(self, text: str, kind: str, within: fmpq | None = None) -> None:
        self.kind, self.within, self._text = kind, within, text
        self._tokens = deque[tuple[str, int]]()  # the tokens and where they begin in the text
        for match in _TOKEN.finditer(instance(text, str, "text", "text")):
            if match[0] == '"':
                raise ValueError(
                    f"{kind} has a name that does not end: {text[match.start() :][:40]!r}"
                )
            self._tokens.append((match[0], match.start()))
        self._tokens.append(("", len(text)))  # stands for the end of the file
        self._start = self._tokens[0][1]

    def __str__(self) -> str:
        """Return the place of the token that was removed last, such as "line 7"."""
        return f"line {1 + self._text.count(chr(10), 0, self._start)}"

    def prologue(self, kind: str, version: str) -> tuple[str, tuple[str, ...]]:
        """Remove the prologue of a game of two players, and return its title and the names of the players.

        Args:
            kind: the first token of the file.
            version: the second token, the version of the format.

        Raises:
            ValueError: if the prologue has another form, or if there are not two players.
        """
        for expected, pattern in ((kind, kind), (version, version), ("R or D", "R|D")):
            self.take(expected, pattern)
        title, players = self.name(), self.names()
        if len(players) != 2:
            raise ValueError(f"{self.kind} must be of two players, got {len(players)}")
        return title, players

    @property
    def next(self) -> str:
        """The token that :meth:`take` will remove next; an empty text at the end of the file."""
        return self._tokens[0][0]

    def next_is(self, begin: str) -> bool:
        """Return True if the next token begins with `begin`."""
        return self.next.startswith(begin)

    def take(self, expected: str, pattern: str) -> str:
        """Remove and return the next token, "" at the end of the file.

        Args:
            expected: description of the token for the error message.
            pattern: a regular expression that the token must match.

        Raises:
            ValueError: if the token does not match.
        """
        token, self._start = self._tokens.popleft()
        if not re.fullmatch(pattern, token, re.DOTALL):
            inner = token[1:-1] if token.startswith('"') else token
            actual = repr(inner[:40]) if token else "the end"
            raise ValueError(f"{self.kind} must have {expected} here, got {actual}")
        return token

    def number(self) -> fmpq:
        """Remove and return a number; raise a ValueError if there is none.

        If `within` is not None, a decimal is replaced by the fraction with the smallest denominator whose distance from
        it is at most `within`.
        """
        number = rational(word := self.take("a number", _WORD))
        if self.within is None or number.q == 1 or "/" in word:
            return number
        return simplest(number, self.within)

    def count(self, what: str, most: int, *, least: int = 0) -> int:
        """Remove and return an integer from `least` to `most`.

        Raises:
            ValueError: if the next token is no such integer. The message begins with `what`.
        """
        word = self.take("a number", _WORD)
        short = word.isascii() and word.isdigit() and len(word) <= len(str(most))
        if not (short and least <= int(word) <= most):
            raise ValueError(f"{what} must be an integer from {least} to {most}, got {word[:40]!r}")
        return int(word)

    def name(self) -> str:
        """Remove a name in quotes, and return the name without the quotes; raise a ValueError if there is none."""
        return re.sub(r"\\(.)", r"\1", self.take("a name in quotes", '".*')[1:-1])

    def names(self) -> tuple[str, ...]:
        """Remove a list of names in braces from the front of the text, and return the names.

        Raises:
            ValueError: if the text does not begin with such a list.
        """
        self.take("{", r"\{")
        names = []
        while not self.next_is("}"):
            names.append(self.name())
        self.take("}", r"\}")
        return tuple(names)


def read_nfg(text: str) -> MatrixGame:
    """Return the game in the text of an ``.nfg`` file.

    Raises:
        ValueError: if the text is not a two-player game with rational payoffs that add up to the same sum in every
            cell.

    >>> game = read_nfg('NFG 1 R "" { "One" "Two" } { 2 1 } 0.5 -0.5 1/3 -1/3')
    >>> game.payoff, game.rows
    ([[1/2], [1/3]], ('1', '2'))
    """
    tokens = Tokens(text, "an nfg file")
    title, _ = tokens.prologue("NFG", "1")
    tokens.take("{", r"\{")
    if tokens.next_is("{"):
        sides = [tokens.names() for _ in range(2)]
    else:
        sides = [("",) * tokens.count("a number of strategies", MOST_NAMED) for _ in range(2)]
    rows, columns = map(numbered, sides)
    tokens.take("}", r"\}")
    if not rows or not columns:
        raise ValueError("an nfg file must have a strategy for each player, got none")
    if tokens.next_is('"'):
        tokens.name()  # skips a comment
    cells = len(rows) * len(columns)
    if tokens.next_is("{"):
        # The file lists outcomes, numbered from 1. After this list there is an integer for each cell: the number of
        # the outcome there, or 0 if both players get 0.
        outcomes = [(fmpq(0), fmpq(0))]
        tokens.take("{", r"\{")
        while tokens.next_is("{"):
            tokens.take("{", r"\{")
            tokens.name()
            outcomes.append((tokens.number(), tokens.number()))
            tokens.take("}", r"\}")
        tokens.take("}", r"\}")
        most = len(outcomes) - 1
        numbers = [tokens.count("an outcome of this nfg file", most) for _ in range(cells)]
        pairs = [outcomes[number] for number in numbers]
    else:
        pairs = [(tokens.number(), tokens.number()) for _ in range(cells)]
    tokens.take("its end", "")
    # The file has the cells column by column: player one's strategy varies fastest. Any constant sum is accepted, since
    # the optimal strategies do not depend on it.
    one, two = (
        [[pair[player] for pair in pairs[i :: len(rows)]] for i in range(len(rows))]
        for player in (0, 1)
    )
    return constant_sum(MatrixGame(one, rows, columns, title), MatrixGame(two))


def numbered(names: Sequence[str]) -> list[str]:
    """Return different names: a name that is empty or occurs several times is replaced by its number, counted from 1.

    If one of these numbers is also the name of another entry, all names are replaced by their numbers.

    >>> numbered(["raise", "", "fold", "fold"]), numbered(["2", ""])
    (['raise', '2', '3', '4'], ['1', '2'])
    """
    counts, numbers = Counter(names), [*map(str, range(1, len(names) + 1))]
    kept = [
        name if name and counts[name] == 1 else number
        for name, number in zip(names, numbers, strict=True)
    ]
    return kept if len({*kept}) == len(kept) else numbers
