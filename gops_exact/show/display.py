"""What notebooks show of results: tables in HTML, and arrays in LaTeX where that is wanted."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from gops_exact.game.rules import PLAIN, Rules, Upcard
from gops_exact.numbers import BigRational
from gops_exact.show.markup import (
    DIGITS,
    array,
    cell,
    float_probability,
    head,
    latex,
    nothing,
    probability,
    shaded,
    table,
)
from gops_exact.solutions.old_first_moves import (
    ByCard,
    FirstMoves,
    PositionSolution,
    Probabilities,
    upcard_name,
)
from gops_exact.solutions.payoffs import PayoffMatrix
from gops_exact.solver.certified import CertifiedMoves
from gops_exact.solver.fingerprint import ResidueMove, ResidueMoves
from gops_exact.solver.floats import FloatFirstMoves, FloatMove

CERTIFIED_DIGITS = 8
"""No more digits than this are shown of a proved decimal; the others appear on hovering."""


class Column(Protocol):
    """What is known of the first move at one upcard."""

    @property
    def upcard(self) -> Upcard:
        """The prize turned up, None if it is hidden."""

    @property
    def unique(self) -> bool:
        """Whether it is the only optimal first move."""


def first_moves_html(moves: FirstMoves) -> str:
    """The first moves as a table shaded by probability: one row per card, one column per upcard."""
    rows = (
        [probability(column.probabilities.view(card)) for column in moves.columns]
        for card in range(1, moves.n + 1)
    )
    return _first_moves(moves.n, moves.rules, moves.columns, rows)


def certified_html(moves: CertifiedMoves) -> str:
    """The same of proved decimals, cut off after a few digits."""
    rows = (
        [
            _decimal(moves.decimal(column.upcard, card))
            if column.probabilities[card] != 0
            else nothing()
            for column in moves.columns
        ]
        for card in range(1, moves.n + 1)
    )
    return _first_moves(
        moves.n, moves.rules, moves.columns, rows, f", {moves.digits} decimals proved"
    )


def residues_html(moves: ResidueMoves) -> str:
    """The residues as a table, one row per card and one column per upcard."""
    rows = (
        [cell(str(column.probabilities[card])) for column in moves.columns]
        for card in range(1, moves.n + 1)
    )
    return _first_moves(moves.n, moves.rules, moves.columns, rows, f", modulo {moves.prime}")


def floats_html(moves: FloatFirstMoves) -> str:
    """The same of floats, each with its radius on hovering."""
    rows = (
        [
            float_probability(column.probabilities[card], column.radii[card])
            if column.proved
            else cell("?")
            for column in moves.columns
        ]
        for card in range(1, moves.n + 1)
    )
    return _first_moves(moves.n, moves.rules, moves.columns, rows, ", in floats")


def by_card_html(numbers: ByCard) -> str:
    """A table with a line per card: its number exactly and as a decimal, shaded if a probability."""
    decimal = probability if isinstance(numbers, Probabilities) else _plain
    rows = (
        [head(str(card)), cell(str(numbers.view(card))), decimal(numbers.view(card))]
        for card in numbers
    )
    caption = "Probabilities" if isinstance(numbers, Probabilities) else "By card"
    return table(caption, map(head, ("card", "exact", "decimal")), rows)


def position_html(position: PositionSolution) -> str:
    """The value and both strategies of a position, exact and as decimals."""
    value = BigRational.of(position.value)
    caption = (
        f"{_title(position)}: value {value} ≈ {value.decimal(DIGITS)} "
        f"({position.method}{'' if position.unique else ', not unique'})"
    )
    rows = (
        [head(str(player)), cell(str(card)), cell(str(number)), probability(number)]
        for player, card, number in _bids(position)
    )
    return table(caption, map(head, ("player", "card", "exact", "decimal")), rows)


def payoffs_html(payoffs: PayoffMatrix) -> str:
    """The game of the bids, shaded: blue gains for player one, orange losses."""
    views = [list(map(BigRational.of, row)) for row in payoffs]
    largest = max((abs(float(number)) for row in views for number in row), default=0) or 1.0
    rows = (
        [
            head(str(card)),
            *(shaded(float(x) / largest, x.decimal(DIGITS), str(x)) for x in row),
        ]
        for card, row in zip(payoffs.one, views, strict=True)
    )
    caption = "What player one can expect: one's bids (rows) against two's (columns)"
    return table(caption, [head(""), *(head(str(card)) for card in payoffs.two)], rows)


def payoffs_latex(payoffs: PayoffMatrix) -> str:
    """The game of the bids as an array, short fractions exact."""
    lines = [["", *map(str, payoffs.two)]]
    for card, row in zip(payoffs.one, payoffs, strict=True):
        lines.append([str(card), *(latex(BigRational.of(entry)) for entry in row)])
    return array("r|" + "r" * len(payoffs.two), lines)


def first_moves_latex(moves: FirstMoves) -> str:
    """The first moves as an array in display mathematics, short fractions exact."""
    heads = (upcard_name(column.upcard) for column in moves.columns)
    lines = [["", *(name if name.isdigit() else rf"\text{{{name}}}" for name in heads)]]
    for card in range(1, moves.n + 1):
        views = (column.probabilities.view(card) for column in moves.columns)
        lines.append([str(card), *map(latex, views)])
    return array("r|" + "r" * len(moves.columns), lines)


def by_card_latex(numbers: ByCard) -> str:
    """An array, the cards above their numbers."""
    return array(
        "r" * len(numbers),
        [map(str, numbers), (latex(numbers.view(card)) for card in numbers)],
    )


def position_latex(position: PositionSolution) -> str:
    """The value and both strategies of a position as an array in display mathematics."""
    lines = [[r"\text{value}", "", latex(BigRational.of(position.value))]]
    lines += [
        [rf"\text{{player {player}}}", str(card), latex(number)]
        for player, card, number in _bids(position)
    ]
    return array("rr|r", lines)


def _first_moves(
    n: int, rules: Rules, columns: Iterable[Column], rows: Iterable[list[str]], what: str = ""
) -> str:
    """A table of first moves in any arithmetic."""
    by = "" if rules == PLAIN else f" ({rules})"
    return table(
        f"Optimal first moves, {n} cards{by}: "
        f"probability of each card (rows) at each upcard (columns){what}",
        [head(""), *map(_upcard, columns)],
        ([head(str(card)), *row] for card, row in enumerate(rows, start=1)),
    )


def _upcard(column: Column) -> str:
    """The head of a column, starred where its strategy is one of several."""
    name = upcard_name(column.upcard)
    if column.unique:
        return head(name)
    if isinstance(column, FloatMove):
        return head(f"{name}?", "nothing is proved: several are optimal, or floats cannot tell")
    if isinstance(column, ResidueMove) and not column.proved:
        return head(f"{name}*", "one optimal strategy of several; on evidence, not proved")
    return head(f"{name}*", "one optimal strategy of several")


def _decimal(text: str) -> str:
    """A shaded cell of a proved decimal, what is cut off of it on hovering."""
    shown = len("0.") + CERTIFIED_DIGITS
    return shaded(float(text), text if len(text) <= shown else f"{text[:shown]}…", text)


def _plain(number: BigRational) -> str:
    return cell(number.decimal(DIGITS))


def _bids(position: PositionSolution) -> Iterator[tuple[int, int, BigRational]]:
    """Player, card, probability of every bid."""
    for player, strategy in ((1, position.row), (2, position.column)):
        for card in strategy:
            yield player, card, strategy.view(card)


def _title(position: PositionSolution) -> str:
    hands = " against ".join(" ".join(map(str, hand)) for hand in (position.one, position.two))
    prizes = " ".join(map(str, position.prizes))
    stake = f"one of {prizes}" if position.upcard is None else f"{position.upcard} of {prizes}"
    state = [f"{name} {points}" for name, points in position.state._asdict().items() if points]
    rules = [] if position.rules == PLAIN else [str(position.rules)]
    return ", ".join([f"{hands} for {stake}", *state, *rules])
