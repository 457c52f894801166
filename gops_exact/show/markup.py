"""Numbers as notebooks show them: tables in HTML, arrays in LaTeX, and plain text kept short.

Decimals are for reading; the exact number, shortened, appears on hovering. Colours are see-through
so that they suit a light page and a dark one.
"""

from collections.abc import Iterable
from dataclasses import fields
from html import escape
from typing import TYPE_CHECKING

from gops_exact.numbers.big import BigRational, shorten

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

DIGITS = 4
"""Digits after the point, as in the published tables."""

SHORT_DIGITS = 8
"""A fraction with more digits than this, both terms together, is shown as a decimal in LaTeX."""

_BLUE, _ORANGE = "31, 119, 180", "255, 127, 14"
# Never opaque: the text keeps the page's colour, light or dark, and must stay readable on it.
_DARKEST = 0.75
_STYLE = "padding: 0.2em 0.6em; text-align: right"


def table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """An HTML table.

    Args:
        caption: plain text.
        heads: the cells of the first line, made by :func:`head`.
        rows: the cells of the others, made by the functions below.

    >>> table("a < b", [head("x")], [[cell("1")]]).partition("<thead>")[0]
    '<table><caption>a &lt; b</caption>'
    """
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return (
        f"<table><caption>{escape(caption)}</caption>"
        f"<thead><tr>{''.join(heads)}</tr></thead><tbody>{body}</tbody></table>"
    )


def head(text: str, title: str = "") -> str:
    """The head of a column or a row, with a remark to be seen on hovering."""
    return f'<th style="{_STYLE}"{_title(title)}>{escape(text)}</th>'


def cell(text: str, title: str = "") -> str:
    """A cell without colour."""
    return f'<td style="{_STYLE}"{_title(title)}>{escape(text)}</td>'


def shaded(share: float, text: str, title: str = "") -> str:
    """A cell the darker the nearer `share` is to 1; orange below 0, the darker the nearer to −1."""
    colour = _BLUE if share >= 0 else _ORANGE
    shade = f"background-color: rgba({colour}, {_DARKEST * abs(share):.3f})"
    return f'<td style="{_STYLE}; {shade}"{_title(title)}>{escape(text)}</td>'


def nothing() -> str:
    """The cell of a probability that is zero."""
    return f'<td style="{_STYLE}; opacity: 0.35">0</td>'


def probability(number: BigRational) -> str:
    """A shaded cell: the decimal, the exact number on hovering."""
    if number.p == 0:
        return nothing()
    return shaded(float(number), number.decimal(DIGITS), str(number))


def float_probability(number: float, radius: float) -> str:
    """The same of a float, its radius on hovering; what is not proved to be 0 is not shown as 0.

    >>> cell = float_probability(0.25, 1e-12)
    >>> cell.partition("title=")[2]
    '"0.25 ± 1e-12">0.2500</td>'
    """
    if number == radius == 0:
        return nothing()
    return shaded(number, f"{number:.{DIGITS}f}", f"{number!r} ± {radius:.2g}")


def latex(number: BigRational) -> str:
    r"""The fraction where it is short, otherwise a decimal.

    >>> from gops_exact.numbers import view
    >>> latex(view("-5/9")), latex(view("123456/234567"))
    ('-\\frac{5}{9}', '0.5263')
    """
    if number.numerator.digits + number.denominator.digits > SHORT_DIGITS:
        return number.decimal(DIGITS)
    sign = "-" if number.p < 0 else ""
    top, bottom = abs(number.p), number.q
    return f"{sign}{top}" if bottom == 1 else rf"{sign}\frac{{{top}}}{{{bottom}}}"


def array(columns: str, lines: Iterable[Iterable[str]]) -> str:
    """Cells as an array in display mathematics, with a rule below the first line."""
    first, *rest = (" & ".join(line) + r" \\" for line in lines)
    body = "\n".join([first, r"\hline", *rest])
    return f"$$\\begin{{array}}{{{columns}}}\n{body}\n\\end{{array}}$$"


def short_repr(record: "DataclassInstance") -> str:
    """A dataclass as the call that makes it, long numbers shortened.

    A notebook keeps this text beside every table, so it must not hold a million digits.
    """
    shown = (f"{field.name}={getattr(record, field.name)!r}" for field in fields(record))
    return shorten(f"{type(record).__name__}({', '.join(shown)})")


def _title(text: str) -> str:
    return f' title="{escape(text)}"' if text else ""
