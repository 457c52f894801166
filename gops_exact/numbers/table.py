"""Tables of numbers, which show results as text, HTML, LaTeX, Markdown or a pandas frame."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import copysign, isfinite, isinf, nan
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from gops_exact.base.arguments import choice
from gops_exact.base.progress import close_bars
from gops_exact.numbers.digits import FLOAT_DIGITS, shorten
from gops_exact.numbers.exact import BigRational, Number, nearest_float
from gops_exact.numbers.kinds import BoundedFloat, ProvedDecimal, ResidueClass

if TYPE_CHECKING:
    import pandas as pd

TABLE_DIGITS = 4
"""The default number of digits after the point, as in the published tables."""

HTML_DIGITS = 8
"""The maximum number of digits after the point in HTML; all digits appear on hovering."""

SHORT_DIGITS, LONG_DIGITS = 8, 20
"""Limits, in digits, that determine how LaTeX shows an exact number. If numerator and denominator together have at
most ``SHORT_DIGITS`` digits, they are shown as a fraction. If the number has more than ``LONG_DIGITS`` digits before
the point, they are shown as a fraction in short form. Otherwise a decimal is shown."""

_BLUE, _ORANGE = "31, 119, 180", "255, 127, 14"
# The opacity of the darkest cell. It is below 1 because the text has the colour that the page gives it, light or
# dark, and must stay readable.
_DARKEST = 0.75
_STYLE = "padding: 0.2em 0.6em; text-align: right"

RULES = {
    False: ("|", "", "\\hline\n", ""),
    True: ("", "\\toprule\n", "\\midrule\n", "\\bottomrule\n"),
}
"""The rules of a LaTeX table, {True with the package booktabs, False without it: (the vertical rule after the names of
lines, and the horizontal rules above the heads, below the heads and at the end)}."""

# Characters of text that LaTeX would read as commands, or that its usual fonts lack, and their replacements.
_IN_LATEX = str.maketrans(
    {char: f"\\{char}" for char in "#$%&_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}", "…": r"\ldots{}"}
    | {"≈": r"$\approx$", "×": r"$\times$", "±": r"$\pm$", "−": "$-$"}
)

Result = TypeVar("Result")

Key = int | str
"""The name, or a part of the name, of a line or a column, such as a card or a player."""

Cell = Number[Any] | str
"""A number, or a text that is shown instead of a number."""


@dataclass(frozen=True)
class Table:
    """A table of numbers: a grid or a list.

    A *grid* has several columns of numbers, with `heads`. A *list* has one number in each line, and no `heads`. A list
    shows each number as a decimal, and beside it the exact number or the radius.

    >>> from gops_exact import view
    >>> bids = Table("Bids", ("card",), [((1,), [view("1/3")]), ((2,), [view("2/3")])])
    >>> print(bids)
    Bids
    <BLANKLINE>
    card  decimal  exact
       1   0.3333  1/3
       2   0.6667  2/3
    >>> bids.frame()["exact"].tolist()
    [1/3, 2/3]
    """

    caption: str
    keys: tuple[str, ...]  #: the heads of the first columns, which hold the keys (names) of lines
    rows: Sequence[tuple[tuple[Key, ...], Sequence[Cell]]]  #: the keys and numbers of each line
    heads: tuple[Key, ...] = ()  #: the heads of the columns of numbers; empty in a list
    #: the common name of the `heads`, such as "upcard"; if it is not empty, the heads `keys` are left blank
    across: str = ""
    notes: tuple[str, ...] = ()  #: sentences below the table
    #: a mark for each column of a table with `heads`, or for each line of a table without: ``"?"`` if no number in the
    #: column or line is proved, else ``""``; an empty tuple for no marks at all
    marks: tuple[str, ...] = ()
    left: tuple[str, ...] = ()  #: the heads of the columns that are aligned to the left
    digits: int = TABLE_DIGITS  #: the number of digits after the point
    #: the width of each column of numbers, in characters; 0 for the width of its longest text
    room: int = 0
    #: True if the numbers are probabilities. Then in HTML the shade of a cell is darkest at 1, and a number that is proved
    #: to be 0 is shown as ``0``, without decimals. Plain text and Markdown show it so only if the table has `heads`.
    probabilities: bool = False
    #: True for a matrix: its pandas frame has the same lines and columns as the printed table. The frame of any other
    #: table has a line for each number.
    matrix: bool = False

    def __str__(self) -> str:
        return "".join(self.text(terminal_width(sys.stdout))).rstrip("\n")

    def text(self, width: int | None = None) -> Iterator[str]:
        """Yield the table as plain text; columns that do not fit the width are placed below the others.

        Args:
            width: the width of the terminal in characters; None for no limit.
        """
        if self.caption:
            yield f"{self.caption}\n" + "\n" * bool(self.rows)
        sides = {
            head: "<" if head in (*self.left, "exact") else ">"
            for head in map(str, self._all_heads)
        }
        if self.rows:
            lines = self._lines()
            yield from aligned(sides, lines, width=width, keys=len(self.keys), room=self.room)
        for note in self.notes:
            yield f"\n{note}\n"

    def _lines(self) -> list[tuple[str, ...]]:
        lines = []
        for keys, cells in self._marked():
            texts = [
                mark or ("0" if self._is_plain(cell) else _decimal(cell, self.digits))
                for cell, mark in cells
            ]
            parts = texts if self.heads else _parts(cells[0][0], self.digits).values()
            lines.append((*map(str, keys), *parts))
        return lines

    def html(self) -> str:
        """Return the table in HTML, with shaded cells; exact numbers and radii appear on hovering."""
        from html import escape

        heads = "".join(_html("th", str(head)) for head in self._all_heads)
        numbers = [
            abs(nearest_float(cell))
            for _, cells in self.rows
            for cell in cells
            if not isinstance(cell, str | ResidueClass)
        ]
        most = 1.0 if self.probabilities else max(numbers, default=0) or 1.0
        digits = min(self.digits, HTML_DIGITS)
        body = ""
        for keys, cells in self._marked():
            shown = [_html("th", str(key)) for key in keys]
            shown += [
                _html("td", mark) if mark else self._shaded(cell, digits, most)
                for cell, mark in cells
            ]
            if not self.heads:
                _, *others = _parts(cells[0][0], digits).values()
                shown += [_html("td", other) for other in others]
            body += f"<tr>{''.join(shown)}</tr>"
        # The caption is a div: a caption element would be wrapped to the width of the table, which may be narrow.
        return (
            f"<div>{escape(self.caption)}</div><table><thead><tr>{heads}</tr></thead>"
            f"<tbody>{body}</tbody></table>{''.join(f'<div>{escape(n)}</div>' for n in self.notes)}"
        )

    def latex(self, *, booktabs: bool = False) -> str:
        """Return the table in LaTeX: the caption, a ``tabular`` and the notes, as paragraphs.

        Args:
            booktabs: True for the horizontal rules of the package booktabs, without vertical rules.
        """
        bar, above, under, below = RULES[booktabs]
        names = self._all_heads[: len(self.keys)]
        lines = [[*map(in_latex, names), *map(in_latex, self.heads or ["number"])]]
        for keys, cells in self._marked():
            shown = [
                mark if mark and self.heads else f"{_formula(cell)}{mark}" for cell, mark in cells
            ]
            lines.append([*map(in_latex, keys), *shown])
        sides = "".join("l" if name in self.left else "r" for name in names)
        first, *rest = (f"{' & '.join(line)} \\\\\n" for line in lines)
        columns = f"{sides}{bar}{'r' * (len(lines[0]) - len(names))}"
        tabular = f"\\begin{{tabular}}{{{columns}}}\n{above}{first}{under}{''.join(rest)}{below}"
        paragraphs = [*map(in_latex, self.caption.splitlines()), f"{tabular}\\end{{tabular}}"]
        return "\n\n".join([*paragraphs, *map(in_latex, self.notes)])

    def markdown(self) -> str:
        """Return the table in Markdown: the caption, a pipe table, and the notes."""
        from gops_exact.base.writing import markdown_line  # imported here: seldom needed

        lines = self._lines()
        heads = self._all_heads
        rule = [":---" if head in (*self.left, "exact") else "---:" for head in heads]
        written = map(markdown_line, [heads, rule, *lines])
        notes = "".join(f"\n{note}\n" for note in self.notes)
        return f"{self.caption}\n\n{''.join(written)}{notes}"

    def frame(self) -> "pd.DataFrame":
        """Return a pandas frame with a row for each number.

        The index of a number consists of the keys of its line. If the table has `heads`, the head of the number's column
        comes before the keys. The columns of the frame are:

        - for exact numbers ``exact``, a :class:`~gops_exact.BigRational`, and ``float``
        - for proved decimals ``decimal``, a text, and ``float``
        - for floats ``float`` and ``radius``
        - for residues ``residue``

        The frame of a matrix instead has a row for each line and a column for each head.
        """
        from gops_exact.numbers.frames import Frame

        if self.matrix:
            return self._laid_out([list(cells) for _, cells in self.rows], object)

        names, places = self._numbers()
        index = _index([place for place, _ in places], names)
        frame = Frame([_fields(cell) for _, cell in places], index, dtype=object)
        return frame.astype({name: float for name in frame if name in ("float", "radius")})

    def document(self) -> dict[str, Any]:
        """Return the table as a JSON object with the members ``caption``, ``numbers`` and ``notes``.

        The member ``numbers`` is a list with an object for each number. The object has the names of the number's line
        and column, such as ``"upcard": 2, "card": 1``, and the same members as the columns of :meth:`frame`, with three
        differences: an exact number is text without a float beside it, a residue has its ``prime``, and the radius of a
        float belongs to the float itself, not to a decimal. So :func:`gops_exact.read` returns the same numbers.
        """
        names, places = self._numbers()
        numbers = []
        for place, cell in places:
            fields = _fields(cell)
            if isinstance(cell, BigRational):
                fields = {"exact": cell.text()}
            elif isinstance(cell, BoundedFloat | ResidueClass):
                fields |= {name: field for name, field in vars(cell).items() if name != "value"}
            numbers.append(dict(zip(names, place, strict=True)) | fields)
        return {"caption": self.caption, "numbers": numbers, "notes": list(self.notes)}

    def _numbers(self) -> tuple[tuple[str, ...], list[tuple[tuple[Key, ...], Cell]]]:
        """Return the index of :meth:`frame`: the names of its levels, and for each number a pair (index, number)."""
        if not self.heads:
            return self.keys, [(keys, cells[0]) for keys, cells in self.rows]
        places = [
            ((head, *keys), cells[column])
            for column, head in enumerate(self.heads)
            for keys, cells in self.rows
        ]
        return (self.across or "column", *self.keys), places

    def floats(self) -> "pd.DataFrame":
        """Return a pandas frame of floats, which has the same lines and columns as the printed table.

        The frame has NaN for a text, and for every number in a column or line with a mark, which says that these
        numbers are not proved. Numbers beyond the range of floats are infinite.

        Raises:
            ValueError: if the numbers are residues.
        """
        numbers = [
            [nan if mark or isinstance(cell, str) else nearest_float(cell) for cell, mark in cells]
            for _, cells in self._marked()
        ]
        return self._laid_out(numbers, float)

    def _laid_out(self, cells: list[list[Any]], dtype: type) -> "pd.DataFrame":
        """Return a pandas frame of `cells`, a list for each line, with the heads and the keys of the table."""
        import pandas as pd

        from gops_exact.numbers.frames import Frame

        columns = pd.Index(self.heads or [""], name=self.across or None)
        index = _index([keys for keys, _ in self.rows], self.keys)
        return Frame(cells, index, columns, dtype=dtype)

    @property
    def _all_heads(self) -> tuple[Key, ...]:
        corner = ("",) * len(self.keys) if self.across else self.keys
        first: Cell = self.rows[0][1][0] if self.rows else BigRational(0)  # a list may be empty
        return *corner, *(self.heads or _parts(first, self.digits))

    def _marked(self) -> Iterator[tuple[tuple[Key, ...], list[tuple[Cell, str]]]]:
        """Yield (keys, [(number, mark), …]) for each line.

        If the table has `heads`, a number has the mark of its column; otherwise it has the mark of its line.
        """
        for line, (keys, cells) in enumerate(self.rows):
            marks = self.marks if self.heads else self.marks[line : line + 1]
            yield keys, list(zip(cells, marks or [""] * len(cells), strict=True))

    def _is_plain(self, cell: Cell) -> bool:
        return self.probabilities and not isinstance(cell, str) and cell.is_zero

    def _shaded(self, cell: Cell, digits: int, most: float) -> str:
        """Return a cell in HTML. A positive number is shaded blue, a negative one orange.

        Args:
            cell: the number, or a text, which is not shaded.
            digits: the number of digits after the point.
            most: the absolute value for which the shade is darkest.
        """
        if isinstance(cell, str | ResidueClass):
            return _html("td", str(cell))
        if self._is_plain(cell):
            return _html("td", "0", style="opacity: 0.35")
        size = nearest_float(cell)
        share = copysign(1, size) if isinf(size) else size / most
        colour = _BLUE if share >= 0 else _ORANGE
        whole = cell.text() if isinstance(cell, ProvedDecimal) else repr(cell)
        return _html(
            "td",
            _decimal(cell, digits),
            style=f"background-color: rgba({colour}, {_DARKEST * abs(share):.3f})",
            title=in_short(cell) if isinstance(cell, BoundedFloat) else whole,
        )


CORNERS = {BoundedFloat: "in floats", ProvedDecimal: "in decimals", ResidueClass: "in residues"}
"""{type of number: top left cell of a matrix of such numbers in CSV}, so that nobody takes them for exact ones."""

TABLE_FORMATS: dict[str, Callable[[Table], str]] = {
    "text": lambda table: f"{table}\n",
    # The top left cell of an exact matrix is empty. From this, programs that read the file conclude that the first line
    # and the first column are labels.
    "csv": lambda table: table.frame().to_csv(
        index_label=CORNERS.get(type(table.rows[0][1][0]), "") if table.matrix else None,
        lineterminator="\n",
    ),
    "latex": lambda table: f"{table.latex()}\n",
    "booktabs": lambda table: f"{table.latex(booktabs=True)}\n",
    "markdown": Table.markdown,
}
"""{format: function that returns a table as text in this format}."""

FORMATS = (*TABLE_FORMATS, "json")
"""The formats of a result whose class has no formats of its own."""


class Shown:
    """Base class of results, which are printed and shown in notebooks as a table."""

    def table(self) -> Table:
        """Return the result as a table."""
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self.table())

    def to_frame(self) -> "pd.DataFrame":
        """Return the result as a pandas frame; :meth:`gops_exact.numbers.table.Table.frame` says its layout."""
        return self.table().frame()

    def emit(self, fmt: str) -> str:
        """Return the result as text.

        Args:
            fmt: ``"text"``, ``"csv"``, ``"latex"``, ``"booktabs"`` (LaTeX with the rules of that package) or
                ``"markdown"`` for the table; ``"json"`` for :meth:`document`.

        Raises:
            ValueError: if the format is none of these.
        """
        choice(fmt, "fmt", FORMATS)
        if fmt == "json":
            return json.dumps(self.document()) + "\n"
        return TABLE_FORMATS[fmt](self.table())

    def document(self) -> dict[str, Any]:
        """Return the result as a JSON object."""
        return self.table().document()

    def _repr_html_(self) -> str:
        return self.table().html()

    def _repr_latex_(self) -> str:
        return self.table().latex()


def in_short(number: Number[Any], digits: int | None = None) -> str:
    """Return a number as a short text.

    An exact number has a decimal beside it, as in ``1/3 ≈ 0.3333``. The decimal has `digits` digits after the point. If
    `digits` is None, it has 4, and a long decimal is shortened. A float has its radius beside it, as in
    ``0.25 ± 1e-12``. A proved decimal or a residue has nothing beside it.
    """
    if isinstance(number, BoundedFloat):
        return " ± ".join(number.with_radius())
    if not isinstance(number, BigRational):
        return repr(number)
    about = shorten(number.decimal(TABLE_DIGITS)) if digits is None else number.decimal(digits)
    return f"{number!r} ≈ {about}"


def aligned(
    heads: Mapping[str, str],
    rows: Sequence[Sequence[str]],
    *,
    width: int | None = None,
    keys: int = 1,
    room: int = 0,
) -> Iterator[str]:
    """Yield the lines of an aligned table; columns that do not fit the width are placed below the others.

    Args:
        heads: {head of a column: "<" or ">", the side to which its cells are aligned}.
        rows: a sequence of cells for each line.
        width: the width of the terminal in characters; None for no limit.
        keys: the number of columns at the left that are repeated in every part of the table.
        room: the width of each other column; 0 for the width of its longest text.

    >>> heads, rows = {"card": ">", "decimal": ">", "exact": "<"}, [["2", "0.4800", "12/25"]]
    >>> print("".join(aligned(heads, rows, width=14)), end="")
    card  decimal
       2   0.4800
    <BLANKLINE>
    card  exact
       2  12/25
    """
    lines = [tuple(heads), *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    widths[keys:] = [room or natural for natural in widths[keys:]]
    sides = tuple(heads.values())
    # If the table is too wide, it is printed in several parts, one below the other. Each part begins with the key
    # columns. It has as many of the other columns as fit the width, and at least one.
    taken = end = sum(widths[:keys]) + 2 * keys
    parts: list[list[int]] = [[]]
    for column in range(keys, len(widths)):
        if width is not None and parts[-1] and end + widths[column] > width:
            parts.append([])
            end = taken
        parts[-1].append(column)
        end += widths[column] + 2
    for index, part in enumerate(parts):
        yield "\n" if index else ""
        for line in lines:
            cells = (f"{line[at]:{sides[at]}{widths[at]}}" for at in (*range(keys), *part))
            yield f"{'  '.join(cells).rstrip()}\n"


def terminal_width(stream: TextIO) -> int | None:
    """Return the width of a stream's terminal in characters; None if the stream is not a terminal."""
    return get_terminal_size().columns if stream.isatty() else None


def write_table(
    file: TextIO, table: Callable[[list[Result]], Table], results: Iterable[Result]
) -> None:
    """Write a table of results, fitted to the width of the terminal.

    Args:
        file: the stream to write to.
        table: a function that returns the table of a list of results.
        results: the results, which may be computed one by one. If computing one raises an error, the table of the
            results before it is written, and then the error is raised.
    """
    done: list[Result] = []
    try:
        done.extend(results)
    finally:
        close_bars()
        if done:
            file.writelines(table(done).text(terminal_width(file)))


def write_lines(file: TextIO, lines: Iterable[str]) -> None:
    """Write each line as soon as it is yielded, after removing progress bars."""
    for line in lines:
        close_bars()
        file.write(line)
        file.flush()


def _decimal(cell: Cell, digits: int) -> str:
    return str(cell) if isinstance(cell, str | ResidueClass) else cell.decimal(digits)


def _parts(cell: Cell, digits: int) -> dict[str, str]:
    """Return the texts of a number in a table that has one number in each line, {head of the column: text}.

    An exact number has two texts, a decimal and the exact number in short form. A float has two, a decimal and its
    radius. A proved decimal or a residue has only one. A text in place of a number is put into the column ``decimal``.
    """
    if isinstance(cell, BigRational):
        return {"decimal": cell.decimal(digits), "exact": repr(cell)}
    if isinstance(cell, BoundedFloat):
        return dict(zip(("decimal", "within"), cell.with_radius(digits), strict=True))
    text = cell if isinstance(cell, str) else repr(cell)
    return {"residue" if isinstance(cell, ResidueClass) else "decimal": text}


def _html(tag: str, text: str, *, style: str = "", title: str = "") -> str:
    """Return an HTML element, such as td, that shows `text`; on hovering, `title` appears."""
    from html import escape

    more = f"; {style}" if style else ""
    hover = f' title="{escape(title)}"' if title else ""
    return f'<{tag} style="{_STYLE}{more}"{hover}>{escape(text)}</{tag}>'


def in_latex(name: Key) -> str:
    """Return a name or a line of text with LaTeX's special characters escaped."""
    return str(name).translate(_IN_LATEX)


def _formula(cell: Cell) -> str:
    """Return a cell in LaTeX: text escaped, a number as a decimal or a residue.

    An exact number is a fraction instead if it is short, or has very many digits before the point
    (:data:`SHORT_DIGITS`, :data:`LONG_DIGITS`).
    """
    if isinstance(cell, str):
        return in_latex(cell)
    if isinstance(cell, BigRational) and not cell.is_zero:
        top, bottom = cell.numerator.digits, cell.denominator.digits
        if top - bottom > LONG_DIGITS or top + bottom <= SHORT_DIGITS:
            return cell._repr_latex_()
    return "$0$" if cell.is_zero else f"${_decimal(cell, TABLE_DIGITS)}$"


def _index(places: Sequence[tuple[Key, ...]], names: tuple[str, ...]) -> "pd.Index[Any]":
    import pandas as pd

    if len(names) == 1:
        return pd.Index([key for (key,) in places], name=names[0])
    return pd.MultiIndex.from_tuples(places, names=names)


def _fields(cell: Cell) -> dict[str, object]:
    """Return the row of a number, or of a text in its place, in :meth:`Table.frame`, {column: entry}.

    If a float would be infinite, the entry is None, because JSON has no infinity.
    """
    if isinstance(cell, str):
        return {"text": cell}
    if isinstance(cell, ResidueClass):
        return {"residue": cell.value}
    # The float beside a proved decimal is that of the decimal, which may be read back, and not of its ball.
    size = float(cell.text()) if isinstance(cell, ProvedDecimal) else nearest_float(cell)
    fields: dict[str, object] = {"float": size if isfinite(size) else None}
    if isinstance(cell, BoundedFloat):
        radius = float(cell.with_radius(radius_digits=FLOAT_DIGITS)[1])
        return fields | {"radius": radius if isfinite(radius) else None}
    exact = {"exact": cell} if isinstance(cell, BigRational) else {"decimal": cell.text()}
    return exact | fields
