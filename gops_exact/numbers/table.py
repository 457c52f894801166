"""Tables of numbers, which show results as text, HTML, LaTeX, Markdown or a pandas frame.

Words used here:

* A *line* of a table has keys, which name the line, and cells. A *cell* is a number or a text. The *head* of a column
  is the text above it.
* A *mark* is a character beside or in place of a number, which says that the number is not proved.
* A *proved decimal* is a number that is known only by a ball, and is shown as a decimal of which every digit is proved.
* The *radius* of a float is a proved bound on its distance from the true number.
"""

import json
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from csv import QUOTE_ALL, QUOTE_MINIMAL
from dataclasses import dataclass, is_dataclass
from itertools import chain, repeat
from math import copysign, isinf, nan
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TextIO, cast

from gops_exact.base import load
from gops_exact.base.arguments import choice, printable
from gops_exact.numbers.exact import TABLE_DIGITS, BigRational, Number, nearest_float

if TYPE_CHECKING:
    import pandas as pd

HTML_DIGITS = 8
"""The maximum number of digits after the point in HTML; the full number appears while the pointer is over a cell."""

# Red, green and blue of the shades of positive and of negative numbers.
_BLUE, _ORANGE = "31, 119, 180", "255, 127, 14"
# The opacity of the darkest cell. It is below 1 because the text has the colour that the page gives it, light or
# dark, and must stay readable.
_DARKEST = 0.75
_STYLE = "padding: 0.2em 0.6em; text-align: right"

RULES = {
    False: ("|", "", "\\hline\n", ""),
    True: ("", "\\toprule\n", "\\midrule\n", "\\bottomrule\n"),
}
"""The rules (drawn lines) of a LaTeX table, {True with the package booktabs, False without it: (the vertical rule after
the keys of lines, and the horizontal rules above the heads, below the heads and at the end)}."""

# Characters of text that LaTeX would read as commands (after the end of a line, also * and [), or that its usual fonts
# lack, and their replacements.
_IN_LATEX = str.maketrans(
    {char: f"\\{char}" for char in "#$%&_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}", "…": r"\ldots{}"}
    | {"≈": r"$\approx$", "×": r"$\times$", "±": r"$\pm$", "−": "$-$", "∞": r"$\infty$"}
    | {power: f"$^{digit}$" for digit, power in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
    | {"[": "{[}", "*": "{*}", "<": "$<$", ">": "$>$", "|": "$|$"}
)

Key = int | str
"""The name, or a part of the name, of a line or a column, such as a card or a player."""

Cell = Number[Any] | str
"""A number, or a text that is shown instead of a number."""


@dataclass(frozen=True)
class Table:
    """A table of numbers with a line for each of `rows` and a column for each of `heads`.

    >>> from gops_exact import view
    >>> print(Table("Bids", ("card",), [((1,), [view("1/3"), view(0)])], heads=("A", "K")))
    Bids
    <BLANKLINE>
    card       A       K
       1  0.3333  0.0000
    """

    caption: str  #: the text above the table, of one line or several; empty for none
    keys: tuple[str, ...]  #: the heads of the first columns, which hold the keys (names) of lines
    rows: Sequence[tuple[tuple[Key, ...], Sequence[Cell]]]  #: the keys and numbers of each line
    heads: tuple[Key, ...] = ("",)  #: the heads of the columns of numbers
    #: the common name of the `heads`, such as "upcard"; if it is not empty, the heads `keys` are left blank
    across: str = ""
    notes: tuple[str, ...] = ()  #: sentences below the table
    #: ``"?"`` for each column in which no number is proved, else ``""``; an empty tuple for no marks at all
    marks: tuple[str, ...] = ()
    left: tuple[str, ...] = ()  #: the heads of the columns that are aligned to the left
    digits: int = TABLE_DIGITS  #: the number of digits after the point
    #: how text, Markdown and LaTeX show exact numbers: ``"fraction"``, ``"decimal"``, ``"both"``, or ``""`` for what is
    #: usual in the format; long fractions are shortened
    numbers: str = ""
    #: the width of each column of numbers, in characters; 0 for the width of its longest text
    room: int = 0
    #: True if the numbers are probabilities. Then in HTML the shade of a cell is darkest at 1, and a number that is
    #: proved to be 0 is shown as ``0``, without decimals. Plain text and Markdown show it so, too, except in a
    #: :class:`Listing`.
    probabilities: bool = False
    #: the indices of the lines and of the columns of numbers that are grey in HTML and LaTeX
    faint: tuple[Collection[int], Collection[int]] = ((), ())
    #: True if :meth:`frame` has the lines and columns of the printed table; False if it has a row for each number
    matrix: bool = False

    def __str__(self) -> str:
        return "".join(self.text(terminal_width(sys.stdout))).rstrip("\n")

    def text(self, width: int | None = None) -> Iterator[str]:
        """Yield the table as plain text, in pieces; columns that do not fit the width are placed below the others.

        Args:
            width: the width of the terminal in characters; None for no limit.
        """
        if self.caption:
            yield f"{_printable(self.caption)}\n" + "\n" * bool(self.rows)
        if self.rows:
            lines = self._lines()
            sides = "".join("<" if head in (*self.left, "exact") else ">" for head in lines[0])
            yield from aligned(sides, lines, width=width, keys=len(self.keys), room=self.room)
        for note in self.notes:
            yield f"\n{_printable(note)}\n"

    def html(self) -> str:
        """Return the table in HTML, with shaded cells.

        The text :meth:`~.Number.hover` of a number appears when the pointer is over its cell.
        """
        from html import escape

        digits = min(self.digits, HTML_DIGITS)
        numbers = (cell for _, cells in self.rows for cell in cells if not isinstance(cell, str))
        sizes = [abs(nearest_float(number)) for number in numbers]
        most = 1.0 if self.probabilities else max(sizes, default=0) or 1.0
        body = ""
        for line, (keys, cells) in enumerate(self.rows):
            texts = self._texts(line, digits)
            shown = [_html("th", str(key)) for key in keys]
            shown += map(self._shaded, texts, cells, self._marks(line), repeat(most))
            shown += [_html("td", text) for text in texts[len(cells) :]]  # only in a listing
            body += f"<tr>{''.join(self._greyed(line, shown, _pale))}</tr>"
        heads = (_html("th", head) for head in (*self._corner, *self._columns()))
        top = "".join(self._greyed(-1, heads, _pale))
        # The caption is a div: a caption element would be wrapped to the width of the table, which may be narrow.
        lines = (escape(_printable(line)) for line in (self.caption, *self.notes))
        caption, *notes = (f"<div>{line}</div>" for line in lines)
        grid = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
        return f"{caption}{grid}{''.join(notes)}"

    def _repr_html_(self) -> str:
        return self.html()

    def latex(self, *, booktabs: bool = False) -> str:
        """Return the table in LaTeX: the caption, a ``tabular`` and the notes, as paragraphs.

        Grey lines and columns need the package xcolor.

        Args:
            booktabs: True for the horizontal rules of the package booktabs, without vertical rules.
        """
        bar, above, under, below = RULES[booktabs]
        heads = self.heads if self.heads != ("",) else ("number",)
        lines = [[*map(in_latex, self._corner), *map(in_latex, heads)]]
        for line, (keys, cells) in enumerate(self.rows):
            marked = map(self._marked, map(self._formula, cells), self._marks(line))
            lines.append([*map(in_latex, keys), *marked])
        sides = "".join("l" if name in self.left else "r" for name in self._corner)
        greyed = (self._greyed(line, texts, _in_grey) for line, texts in enumerate(lines, start=-1))
        first, *rest = (f"{' & '.join(line)} \\\\\n" for line in greyed)
        columns = f"{sides}{bar}{'r' * len(heads)}"
        tabular = f"\\begin{{tabular}}{{{columns}}}\n{above}{first}{under}{''.join(rest)}{below}"
        paragraphs = [*map(in_latex, self.caption.split("\n")), f"{tabular}\\end{{tabular}}"]
        return "\n\n".join([*paragraphs, *map(in_latex, self.notes)])

    def markdown(self) -> str:
        """Return the caption, the table and the notes in Markdown."""
        from gops_exact.base import writing  # imported here: seldom needed

        heads, *lines = self._lines()
        rule = [":---" if head in (*self.left, "exact") else "---:" for head in heads]
        grid = "".join(map(writing.markdown_line, [heads, rule, *lines]))
        texts = map(_printable, (self.caption, *self.notes))
        caption, *notes = map(writing.in_markdown, texts)
        return f"{caption}\n\n{grid}" + "".join(f"\n{note}\n" for note in notes)

    def frame(self) -> "pd.DataFrame":
        """Return a pandas frame with a row for each number.

        The index of a row has the head of the number's column, then the keys of the number's line. If the table is a
        :class:`Listing`, the index has only the keys. The columns of the frame are:

        - for exact numbers ``exact``, a :class:`~gops_exact.BigRational`, and ``float``
        - for proved decimals ``decimal``, a text, and ``float``
        - for floats ``float`` and ``radius``
        - for cells that are texts ``text``

        If `matrix` is True, the frame instead has a row for each line of the table and a column for each of its heads.
        """
        load("pandas")
        from gops_exact.numbers.frames import Frame

        if self.matrix:
            return self._laid_out([list(cells) for _, cells in self.rows], object)
        names, places = self._numbers()
        index = _index([place for place, _ in places], names)
        frame = Frame([_fields(cell) for _, cell in places], index, dtype=object)
        return frame.astype({name: float for name in frame if name in ("float", "radius")})

    def document(self) -> dict[str, Any]:
        """Return the table as a JSON object with the members ``caption``, ``numbers`` and ``notes``.

        The member ``numbers`` is a list with an object for each cell. The object has the names of the cell's line and
        column, such as ``"upcard": 2, "card": 1``. An exact number has the member ``exact``, a text; a proved decimal
        has ``decimal``, a text, and ``float``; a float has ``float`` and ``radius``; a cell that is a text has
        ``text``. From these members :func:`gops_exact.read` can return the same numbers.
        """
        names, places = self._numbers()
        numbers = []
        for place, cell in places:
            fields = _fields(cell)
            if (exact := fields.get("exact")) is not None:
                fields = {"exact": str(exact)}
            elif "radius" in fields:
                fields |= {"radius": cast(Any, cell).radius}  # its own, not that of a decimal
            numbers.append(dict(zip(names, place, strict=True)) | fields)
        return {"caption": self.caption, "numbers": numbers, "notes": list(self.notes)}

    def floats(self) -> "pd.DataFrame":
        """Return a pandas frame of floats, which has the same lines and columns as the printed table.

        A cell that is a text becomes NaN, and so does a number that is printed with a mark, because it is not proved. A
        number beyond the range of floats becomes infinite.
        """
        numbers = [
            [
                nan if mark or isinstance(cell, str) else nearest_float(cell)
                for cell, mark in zip(cells, self._marks(line), strict=True)
            ]
            for line, (_, cells) in enumerate(self.rows)
        ]
        return self._laid_out(numbers, float)

    def _laid_out(self, cells: list[list[Any]], dtype: type) -> "pd.DataFrame":
        load("pandas")
        import pandas as pd

        from gops_exact.numbers.frames import Frame

        columns = pd.Index(self.heads, name=self.across or None)
        index = _index([keys for keys, _ in self.rows], self.keys)
        return Frame(cells, index, columns, dtype=dtype)

    def _numbers(self) -> tuple[tuple[str, ...], list[tuple[tuple[Key, ...], Cell]]]:
        """Return the names of the index levels of :meth:`frame`, and a pair (index, cell) for each cell."""
        places = [
            ((head, *keys), cells[column])
            for column, head in enumerate(self.heads)
            for keys, cells in self.rows
        ]
        return (self.across or "column", *self.keys), places

    @property
    def _corner(self) -> tuple[str, ...]:
        return ("",) * len(self.keys) if self.across else self.keys

    def _columns(self) -> list[str]:
        return list(map(str, self.heads))

    def _greyed(self, line: int, texts: Iterable[str], grey: Callable[[str], str]) -> Iterator[str]:
        """Yield the texts of a line, its keys first; `grey` is applied to the texts of grey columns and lines.

        Line -1 is the line of the heads.
        """
        for column, text in enumerate(texts, start=-len(self.keys)):
            yield grey(text) if line in self.faint[0] or column in self.faint[1] else text

    def _marks(self, line: int) -> Sequence[str]:  # noqa: ARG002  # of a listing
        return self.marks or ("",) * len(self.heads)

    def _texts(self, line: int, digits: int) -> list[str]:
        _, cells = self.rows[line]
        return [
            mark or (cell if isinstance(cell, str) else self._decimal(cell, digits))
            for cell, mark in zip(cells, self._marks(line), strict=True)
        ]

    def _marked(self, formula: str, mark: str) -> str:
        return mark or formula

    def _lines(self) -> list[list[str]]:
        lines = [[*self._corner, *self._columns()]]
        for line, (keys, _) in enumerate(self.rows):
            lines.append([*map(str, keys), *self._texts(line, self.digits)])
        return [list(map(printable, line)) for line in lines]

    def _decimal(self, number: Number[Any], digits: int) -> str:
        if self.probabilities and number.is_zero:
            return "0"
        return number.as_text(self.numbers or "decimal", digits)

    def _formula(self, cell: Cell) -> str:
        if isinstance(cell, str):
            return in_latex(cell)
        if not self.numbers or not isinstance(cell, BigRational):
            return cell.formula(self.digits)
        fraction, decimal = cell._repr_latex_(), f"${cell.decimal(self.digits)}$"
        return {"fraction": fraction, "decimal": decimal}.get(
            self.numbers, rf"{fraction} $\approx$ {decimal}"
        )

    def _shaded(self, text: str, cell: Cell, mark: str, most: float) -> str:
        """Return a cell in HTML. A number is shaded blue or, if it is negative, orange.

        Args:
            text: the text of the number.
            cell: the number; or a text, which is shown without a shade.
            mark: the mark that is shown in place of a number that is not proved; empty if it is proved.
            most: the absolute value at which the shade is darkest.
        """
        if mark or isinstance(cell, str):
            return _html("td", mark or text)
        if self.probabilities and cell.is_zero:
            return _pale(_html("td", "0"))
        size = nearest_float(cell)
        share = copysign(1, size) if isinf(size) else size / most
        colour = _BLUE if share >= 0 else _ORANGE
        style = f"background-color: rgba({colour}, {_DARKEST * abs(share):.3f})"
        return _html("td", text, style=style, title=cell.hover())


class Listing(Table):
    """A table with one number in each line, which is shown as a decimal with the exact number or the radius beside it.

    A proved decimal has nothing beside it. :attr:`marks` has a mark for each line, not for each column.

    >>> from gops_exact import view
    >>> bids = Listing("Bids", ("card",), [((1,), [view("1/3")]), ((2,), [view("2/3")])])
    >>> print(bids)
    Bids
    <BLANKLINE>
    card  decimal  exact
       1   0.3333  1/3
       2   0.6667  2/3
    >>> bids.frame()["exact"].tolist()
    [1/3, 2/3]
    """

    def _numbers(self) -> tuple[tuple[str, ...], list[tuple[tuple[Key, ...], Cell]]]:
        return self.keys, [(keys, cells[0]) for keys, cells in self.rows]

    def _columns(self) -> list[str]:
        kinds = {type(cells[0]): cells[0] for _, cells in self.rows}
        numbers = list(kinds.values()) or [BigRational(0)]  # a listing may be empty
        return list(
            dict.fromkeys(head for cell in numbers for head in self._shown(cell, self.digits))
        )

    def _marks(self, line: int) -> Sequence[str]:
        return self.marks[line : line + 1] or ("",)

    def _texts(self, line: int, digits: int) -> list[str]:
        texts = self._shown(self.rows[line][1][0], digits)
        return [texts.get(head, "") for head in self._columns()]

    def _shown(self, cell: Cell, digits: int) -> dict[str, str]:
        texts = {"decimal": cell} if isinstance(cell, str) else cell.shown(digits)
        head = "exact" if self.numbers == "fraction" else self.numbers
        return {head: texts[head]} if head in texts else texts

    def _marked(self, formula: str, mark: str) -> str:
        return f"{formula}{mark}"


TABLE_FORMATS: dict[str, Callable[[Table], str]] = {
    "text": lambda table: f"{table}\n",
    # The top left cell of an exact matrix is empty, from which programs conclude that the first line and the first
    # column are labels.
    "csv": lambda table: table.frame().to_csv(
        index_label=getattr(table.rows[0][1][0], "corner", "")
        if table.matrix and len(table.keys) == 1
        else None,
        lineterminator="\n",
        # Python's csv does not quote a carriage return by itself, and reads it as the end of a line.
        quoting=QUOTE_ALL
        if any("\r" in str(key) for key in chain(table.heads, *(keys for keys, _ in table.rows)))
        else QUOTE_MINIMAL,
    ),
    "latex": lambda table: f"{table.latex()}\n",
    "booktabs": lambda table: f"{table.latex(booktabs=True)}\n",
    "markdown": Table.markdown,
}
"""{format: function that returns a table as text in this format}."""


class Shown:
    """Base class of results, which are printed and shown in notebooks as a table."""

    def table(self) -> Table:
        """Return the result as a table."""
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self.table())

    def to_frame(self) -> "pd.DataFrame":
        """Return the result as a pandas frame, as :meth:`gops_exact.numbers.table.Table.frame` describes it."""
        return self.table().frame()

    def emit(self, fmt: str) -> str:
        """Return the result as text.

        Args:
            fmt: ``"text"``, ``"csv"``, ``"latex"``, ``"booktabs"`` (LaTeX with the rules of that package) or
                ``"markdown"`` for the table; ``"json"`` for :meth:`document`.

        Raises:
            ValueError: if `fmt` is none of these.
        """
        from gops_exact.base.formats import FORMATS  # for text only

        choice(fmt, "fmt", FORMATS["result"])
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


def members(result: object) -> Any:  # noqa: ANN401  # of JSON
    """Convert a result, with its parts at any depth, to a JSON value.

    Dataclasses and dicts become objects, and tuples become lists. None stays None. Numbers and all other objects become
    their texts.
    """
    if isinstance(result, dict):
        return {name: members(part) for name, part in result.items()}
    if isinstance(result, tuple):
        return list(map(members, result))
    if is_dataclass(result) and not isinstance(result, Number):
        return members(vars(result))
    return None if result is None else str(result)


def aligned(
    sides: str,
    lines: Sequence[Sequence[str]],
    *,
    width: int | None = None,
    keys: int = 1,
    room: int = 0,
) -> Iterator[str]:
    """Yield the text of an aligned table, in pieces; columns that do not fit the width are placed below the others.

    Args:
        sides: a character for each column: ``<`` aligns the column to the left, ``>`` to the right.
        lines: the heads of the columns, then the cells of each line.
        width: the greatest width of a line in characters, unless the keys and one column are wider; None for no limit.
        keys: the number of columns at the left that are repeated in every part of the table.
        room: the width, in characters, of each column after the first `keys`; 0 for the width of its longest text.

    >>> lines = [["card", "decimal", "exact"], ["2", "0.4800", "12/25"]]
    >>> print("".join(aligned(">><", lines, width=14)), end="")
    card  decimal
       2   0.4800
    <BLANKLINE>
    card  exact
       2  12/25
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    widths[keys:] = [room or natural for natural in widths[keys:]]
    # Each part of a wide table begins with the keys. It has as many other columns as fit the width, and at least one.
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
    """Return the width of the program's terminal in characters; None if `stream` is not a terminal."""
    return get_terminal_size().columns if stream.isatty() else None


def _fields(cell: Cell) -> dict[str, object]:
    return {"text": cell} if isinstance(cell, str) else cell.fields()


def _html(tag: str, text: str, *, style: str = "", title: str = "") -> str:
    """Return an HTML element of a table; `style` is additional CSS, and `title` appears under the pointer."""
    from html import escape

    more = f"; {style}" if style else ""
    hover = f' title="{escape(title)}"' if title else ""
    return f'<{tag} style="{_STYLE}{more}"{hover}>{escape(printable(text))}</{tag}>'


def _pale(element: str) -> str:
    return element.replace(_STYLE, f"{_STYLE}; opacity: 0.35", 1)


def _in_grey(text: str) -> str:
    return f"\\textcolor{{gray}}{{{text}}}"


def _printable(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def in_latex(name: Key) -> str:
    """Return a name or a line of text for LaTeX, with its special characters and control characters escaped."""
    return printable(str(name)).translate(_IN_LATEX)


def _index(places: Sequence[tuple[Key, ...]], names: tuple[str, ...]) -> "pd.Index[Any]":
    import pandas as pd

    if len(names) == 1:
        return pd.Index([key for (key,) in places], name=names[0])
    return pd.MultiIndex.from_tuples(places, names=names)
