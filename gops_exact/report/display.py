"""What notebooks show: tables in HTML, and in LaTeX where that is wanted.

Decimals are for reading; the exact fraction, shortened, appears on hovering. Colours are see-through
so that they suit a light page and a dark one.
"""

from collections.abc import Iterable
from html import escape

from gops_exact.numbers import BigRational
from gops_exact.report.first_moves import FirstMove, FirstMoves, PositionSolution, upcard_name
from gops_exact.rules import PLAIN

DIGITS = 4
"""Digits after the point, as in the published tables."""

SHORT_DIGITS = 8
"""A fraction with more digits than this, both terms together, is shown as a decimal in LaTeX."""

_SHADE = "31, 119, 180"
# Never opaque: the text keeps the page's colour, light or dark, and must stay readable on it.
_DARKEST = 0.75
_CELL = "padding: 0.2em 0.6em; text-align: right"


def first_moves_html(moves: FirstMoves) -> str:
    """The first moves as a table shaded by probability: a row a card, a column an upcard."""
    heads = "".join(_head(column) for column in moves.columns)
    rows = "".join(
        f"<tr><th>{card}</th>"
        + "".join(_cell(column.probabilities.view(card)) for column in moves.columns)
        + "</tr>"
        for card in range(1, moves.n + 1)
    )
    return (
        f"<table><caption>Optimal first moves, {moves.n} cards: "
        "probability of each card (rows) at each upcard (columns)</caption>"
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def position_html(position: PositionSolution) -> str:
    """The value and both strategies of a position, exact and as decimals."""
    value = BigRational.of(position.value)
    rows = "".join(
        f"<tr><th>{player}</th><td>{card}</td><td>{escape(str(number))}</td>{_cell(number)}</tr>"
        for player, card, number in _bids(position)
    )
    return (
        f"<table><caption>{escape(_title(position))}: value {escape(str(value))} "
        f"≈ {value.decimal(DIGITS)} ({position.method}"
        f"{'' if position.unique else ', not unique'})</caption>"
        "<thead><tr><th>player</th><th>card</th><th>exact</th><th>decimal</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def first_moves_latex(moves: FirstMoves) -> str:
    """The first moves as an array in display mathematics, short fractions exact."""
    heads = (upcard_name(column.upcard) for column in moves.columns)
    lines = [["", *(head if head.isdigit() else rf"\text{{{head}}}" for head in heads)]]
    for card in range(1, moves.n + 1):
        views = (column.probabilities.view(card) for column in moves.columns)
        lines.append([str(card), *map(_latex, views)])
    return _array("r|" + "r" * len(moves.columns), lines)


def position_latex(position: PositionSolution) -> str:
    """The value and both strategies of a position as an array in display mathematics."""
    lines = [[r"\text{value}", "", _latex(BigRational.of(position.value))]]
    lines += [
        [rf"\text{{player {player}}}", str(card), _latex(number)]
        for player, card, number in _bids(position)
    ]
    return _array("rr|r", lines)


def _bids(position: PositionSolution) -> Iterable[tuple[int, int, BigRational]]:
    """Player, card, probability of every bid."""
    for player, strategy in ((1, position.row), (2, position.column)):
        for card, probability in strategy.items():
            yield player, card, BigRational.of(probability)


def _title(position: PositionSolution) -> str:
    hands = " against ".join(" ".join(map(str, hand)) for hand in (position.one, position.two))
    prizes = " ".join(map(str, position.prizes))
    stake = f"one of {prizes}" if position.upcard is None else f"{position.upcard} of {prizes}"
    state = [f"{name} {points}" for name, points in position.state._asdict().items() if points]
    rules = [] if position.rules == PLAIN else [str(position.rules)]
    return ", ".join([f"{hands} for {stake}", *state, *rules])


def _head(column: FirstMove) -> str:
    """An upcard, starred where the strategy below is one of several."""
    name = upcard_name(column.upcard)
    if column.unique:
        return f'<th style="{_CELL}">{name}</th>'
    return f'<th style="{_CELL}" title="one optimal strategy of several">{name}*</th>'


def _cell(probability: BigRational) -> str:
    if probability.p == 0:
        return f'<td style="{_CELL}; opacity: 0.35">0</td>'
    shade = f"background-color: rgba({_SHADE}, {_DARKEST * float(probability):.3f})"
    return (
        f'<td style="{_CELL}; {shade}" title="{escape(str(probability))}">'
        f"{probability.decimal(DIGITS)}</td>"
    )


def _latex(number: BigRational) -> str:
    """The fraction where it is short, otherwise a decimal."""
    if number.numerator.digits + number.denominator.digits > SHORT_DIGITS:
        return number.decimal(DIGITS)
    sign = "-" if number.p < 0 else ""
    top, bottom = abs(number.p), number.q
    return f"{sign}{top}" if bottom == 1 else rf"{sign}\frac{{{top}}}{{{bottom}}}"


def _array(columns: str, lines: list[list[str]]) -> str:
    """Cells as a LaTeX array with a rule below the first line."""
    first, *rest = (" & ".join(line) + r" \\" for line in lines)
    body = "\n".join([first, r"\hline", *rest])
    return f"$$\\begin{{array}}{{{columns}}}\n{body}\n\\end{{array}}$$"
