"""Results as HTML tables for notebooks.

Decimals are for reading; the exact number, shortened, appears on hovering. Colours are see-through
so that they suit a light page and a dark one.
"""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from flint import fmpq

from gops_exact.game.position import Position
from gops_exact.game.rules import PLAIN, Upcard
from gops_exact.matrix_game.optimal_set import OptimalSet
from gops_exact.matrix_game.play import GameSolution
from gops_exact.numbers.big import BigRational, shorten
from gops_exact.numbers.kinds import BoundedFloat, Number, ProvedDecimal, ResidueClass
from gops_exact.numbers.shown import html
from gops_exact.solutions.first_moves import FirstMoves, upcard_name
from gops_exact.solutions.solution import Outcomes, PayoffMatrix, Solution
from gops_exact.solutions.strategy import ByCard, Strategy

DIGITS = 4
"""Digits after the point, as in the published tables."""

CERTIFIED_DIGITS = 8
"""No more digits than this are shown of a proved decimal; the others appear on hovering."""

_BLUE, _ORANGE = "31, 119, 180", "255, 127, 14"
# Never opaque: the text keeps the page's colour, light or dark, and must stay readable on it.
_DARKEST = 0.75
_STYLE = "padding: 0.2em 0.6em; text-align: right"


def table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return an HTML table below a line of plain text that is as wide as the page.

    Cells are made by :func:`head` and the functions below.

    >>> table("a < b", [head("x")], [[cell("1")]]).partition("<thead>")[0]
    '<div>a &lt; b</div><table>'
    """
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    # A caption element would be wrapped to the width of the table, which may be a column of digits.
    return (
        f"<div>{escape(caption)}</div><table>"
        f"<thead><tr>{''.join(heads)}</tr></thead><tbody>{body}</tbody></table>"
    )


def head(text: str, title: str = "") -> str:
    """The head of a column or a row, with a remark to be seen on hovering."""
    return f'<th style="{_STYLE}"{_title(title)}>{escape(text)}</th>'


def cell(text: str) -> str:
    """A cell without colour."""
    return f'<td style="{_STYLE}">{escape(text)}</td>'


def shaded(share: float, text: str, title: str = "") -> str:
    """A cell the darker the nearer `share` is to 1; orange below 0, the darker the nearer to −1."""
    colour = _BLUE if share >= 0 else _ORANGE
    shade = f"background-color: rgba({colour}, {_DARKEST * abs(share):.3f})"
    return f'<td style="{_STYLE}; {shade}"{_title(title)}>{escape(text)}</td>'


def probability(number: Number[Any]) -> str:
    """A shaded cell of a probability of any kind; a plain 0 is proved to be 0.

    >>> probability(BoundedFloat(0.25, 1e-12)).partition("title=")[2]
    '"0.25 ± 1e-12">0.2500</td>'
    """
    if isinstance(number, ResidueClass):
        return cell(number.text())
    if number.is_zero:
        return f'<td style="{_STYLE}; opacity: 0.35">0</td>'
    if isinstance(number, ProvedDecimal):
        text, shown = number.text(), len("0.") + CERTIFIED_DIGITS
        return shaded(float(text), text if len(text) <= shown else f"{text[:shown]}…", text)
    known = str(number)
    if isinstance(number, BoundedFloat):
        known = f"{number.value!r} ± {number.radius:.2g}"
    return shaded(float(number), number.decimal(DIGITS), known)


def in_short(number: Number[Any], digits: int | None = None) -> str:
    """Return a number and the nearest decimal, or how far it may be off.

    A decimal is shortened unless it has as many `digits` after the point as were asked for.

    >>> in_short(BigRational.of(fmpq(1, 3))), in_short(BoundedFloat(0.25, 1e-12))
    ('1/3 ≈ 0.3333', '0.25 ± 1e-12')
    """
    if isinstance(number, BoundedFloat):
        return f"{number} ± {number.radius:.2g}"
    if not isinstance(number, BigRational):
        return str(number)
    about = shorten(number.decimal(DIGITS)) if digits is None else number.decimal(digits)
    return f"{number} ≈ {about}"


def rounded(number: Number[Any]) -> str:
    """Return a number with :data:`DIGITS` decimals; a residue has none and is given in full."""
    return number.text() if isinstance(number, ResidueClass) else number.decimal(DIGITS)


@html.register(FirstMoves)
def _(moves: FirstMoves[Any]) -> str:
    by = "" if moves.rules == PLAIN else f" ({moves.rules})"
    kind = moves.arithmetic
    note = f", {kind.note}" if kind.note else ""
    rows = (
        [
            head(str(card)),
            *(
                cell(strategy.mark) if strategy.mark else probability(strategy.view(card))
                for strategy in moves.columns.values()
            ),
        ]
        for card in range(1, moves.n + 1)
    )
    return table(
        f"Optimal first moves, {moves.n} cards{by}: "
        f"probability of each card (rows) at each upcard (columns){note}",
        [head(""), *(_upcard(*each) for each in moves.columns.items())],
        rows,
    )


def _upcard(upcard: Upcard, strategy: Strategy[Any]) -> str:
    """The head of a column, marked where its strategy is not known to be the only optimal one."""
    name = upcard_name(upcard)
    if strategy.unique:
        return head(name)
    if strategy.unique is False:
        return head(f"{name}*", "one optimal strategy of several")
    if isinstance(next(map(strategy.view, strategy)), ResidueClass):
        return head(f"{name}?", "a tie was taken for one on evidence; nothing is proved")
    return head(f"{name}?", "nothing is proved: several are optimal, or floats cannot tell")


@html.register(ByCard)
def _(numbers: ByCard[Any]) -> str:
    """A line per card: its number in full and as a decimal."""
    rows = (
        [head(str(card)), cell(str(numbers.view(card))), cell(rounded(numbers.view(card)))]
        for card in numbers
    )
    return table("By card", map(head, ("card", "exact", "decimal")), rows)


@html.register(Strategy)
def _(strategy: Strategy[Any]) -> str:
    rows = ([head(str(card)), *_bid(strategy, card)] for card in strategy)
    return table("Probabilities", map(head, ("card", "exact", "decimal")), rows)


def _bid(strategy: Strategy[Any], card: int) -> tuple[str, str]:
    """The probability of a card as it is, and shaded."""
    number, mark = strategy.view(card), strategy.mark
    return cell(f"{number}{mark}"), cell(mark) if mark else probability(number)


@html.register(Solution)
def _(solution: Solution[Any]) -> str:
    rows = (
        [head(str(player)), cell(str(card)), *_bid(strategy, card)]
        for player, card, strategy in bids(solution)
    )
    return table(caption(solution), map(head, ("player", "card", "exact", "decimal")), rows)


def caption(solution: Solution[Any], digits: int | None = None) -> str:
    """Return one line that says of which position a solution is, its value, and how it was found."""
    unique = {True: "", False: ", not unique", None: ", not proved to be unique"}[solution.unique]
    found = f"{solution.method}{unique}"
    return f"{_described(solution.position)}: value {in_short(solution.worth, digits)} ({found})"


@html.register(PayoffMatrix)
def _(payoffs: PayoffMatrix[Any]) -> str:
    """The game of the bids, shaded: blue gains for player one, orange losses."""
    shades = _shades(payoffs)
    rows = (
        [
            head(str(card)),
            *(shaded(shade, rounded(x), str(x)) for x, shade in zip(*row, strict=True)),
        ]
        for card, *row in zip(payoffs.one, payoffs.numbers, shades, strict=True)
    )
    caption = "What player one can expect: one's bids (rows) against two's (columns)"
    return table(caption, [head(""), *(head(str(card)) for card in payoffs.two)], rows)


def _shades(payoffs: PayoffMatrix[Any]) -> list[list[float]]:
    """Every entry as a share of the largest; 0 where they are residues."""
    numbers = payoffs.numbers
    if any(isinstance(number, ResidueClass) for row in numbers for number in row):
        return [[0.0] * len(row) for row in numbers]
    largest = max((abs(float(number)) for row in numbers for number in row), default=0) or 1.0
    return [[float(number) / largest for number in row] for row in numbers]


@html.register(Outcomes)
def _(outcomes: Outcomes) -> str:
    value = BigRational.of(outcomes.value)
    chances = {"win": outcomes.win, "draw": outcomes.draw, "loss": outcomes.loss}
    return table(
        f"value {value} ≈ {value.decimal(DIGITS)}: chances over all optimal strategies",
        map(head, ("", "least", "greatest")),
        (
            [head(name), *(probability(BigRational.of(p)) for p in chance)]
            for name, chance in chances.items()
        ),
    )


@html.register(GameSolution)
def _(solution: GameSolution) -> str:
    unique = "" if solution.unique else ", not unique"
    return _strategies(
        solution.value,
        f" ({solution.method}{unique})",
        [("row", solution.row), ("column", solution.column)],
    )


@html.register(OptimalSet)
def _(optimal: OptimalSet) -> str:
    return _strategies(optimal.value, ": the extreme optimal strategies", extreme(optimal))


def _strategies(value: fmpq, note: str, strategies: list[tuple[str, tuple[fmpq, ...]]]) -> str:
    """A value, and named strategies of a matrix game, one a line."""
    view, width = BigRational.of(value), max(len(strategy) for _, strategy in strategies)
    return table(
        f"value {view} ≈ {shorten(view.decimal(DIGITS))}{note}",
        [head(""), *(head(str(bid)) for bid in range(1, width + 1))],
        (
            [head(name), *(probability(BigRational.of(p)) for p in strategy)]
            for name, strategy in strategies
        ),
    )


def extreme(optimal: OptimalSet) -> list[tuple[str, tuple[fmpq, ...]]]:
    """Every extreme strategy with the side it is for."""
    sides = (("row", optimal.row), ("column", optimal.column))
    return [(name, strategy) for name, strategies in sides for strategy in strategies]


def bids(solution: Solution[Any]) -> Iterator[tuple[int, int, Strategy[Any]]]:
    """Player, card, strategy of every bid."""
    for player, strategy in ((1, solution.row), (2, solution.column)):
        for card in strategy:
            yield player, card, strategy


def _described(position: Position) -> str:
    """A position in words."""
    hands = " against ".join(" ".join(map(str, hand)) for hand in (position.one, position.two))
    prizes = " ".join(map(str, position.prizes))
    stake = f"one of {prizes}" if position.upcard is None else f"{position.upcard} of {prizes}"
    state = [f"{name} {points}" for name, points in position.state._asdict().items() if points]
    rules = [] if position.rules == PLAIN else [str(position.rules)]
    return ", ".join([f"{hands} for {stake}", *state, *rules])


def _title(text: str) -> str:
    return f' title="{escape(text)}"' if text else ""
