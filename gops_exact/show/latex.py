"""Results as LaTeX arrays in display mathematics, for notebooks."""

from collections.abc import Iterable
from typing import Any

from flint import fmpq

from gops_exact.matrix_game.optimal_set import OptimalSet
from gops_exact.matrix_game.play import GameSolution
from gops_exact.numbers.big import BigRational
from gops_exact.numbers.kinds import Number, ResidueClass
from gops_exact.numbers.shown import latex
from gops_exact.show.html import DIGITS, bids, extreme
from gops_exact.solutions.first_moves import FirstMoves, upcard_name
from gops_exact.solutions.solution import Outcomes, PayoffMatrix, Solution
from gops_exact.solutions.strategy import ByCard

SHORT_DIGITS = 8
"""A fraction with more digits than this, both terms together, is shown as a decimal."""

LONG_DIGITS = 20
"""A number with more digits than this before the point is shown as a fraction, its terms shortened."""


def number(x: Number[Any]) -> str:
    r"""A fraction where it is exact and short, otherwise a decimal.

    >>> from gops_exact.numbers import view
    >>> number(view("-5/9")), number(view("123456/234567"))
    ('-\\frac{5}{9}', '0.5263')
    """
    if isinstance(x, ResidueClass):
        return x.text()
    if x.is_zero:
        return "0"
    if not isinstance(x, BigRational):
        return x.decimal(DIGITS)
    if x.numerator.digits - x.denominator.digits > LONG_DIGITS:
        return x._repr_latex_().strip("$")
    if x.numerator.digits + x.denominator.digits > SHORT_DIGITS:
        return x.decimal(DIGITS)
    sign = "-" if x.p < 0 else ""
    top, bottom = abs(x.p), x.q
    return f"{sign}{top}" if bottom == 1 else rf"{sign}\frac{{{top}}}{{{bottom}}}"


def array(columns: str, lines: Iterable[Iterable[str]]) -> str:
    """Cells as an array in display mathematics, with a rule below the first line."""
    first, *rest = (" & ".join(line) + r" \\" for line in lines)
    body = "\n".join([first, r"\hline", *rest])
    return f"$$\\begin{{array}}{{{columns}}}\n{body}\n\\end{{array}}$$"


@latex.register(FirstMoves)
def _(moves: FirstMoves[Any]) -> str:
    names = map(upcard_name, moves)
    lines = [["", *(name if name.isdigit() else rf"\text{{{name}}}" for name in names)]]
    for card in range(1, moves.n + 1):
        columns = moves.columns.values()
        cells = (strategy.mark or number(strategy.view(card)) for strategy in columns)
        lines.append([str(card), *cells])
    return array("r|" + "r" * len(moves), lines)


@latex.register(ByCard)
def _(numbers: ByCard[Any]) -> str:
    """The cards above their numbers."""
    cells = (f"{number(numbers.view(card))}{numbers.mark}" for card in numbers)
    return array("r" * len(numbers), [map(str, numbers), cells])


@latex.register(Solution)
def _(solution: Solution[Any]) -> str:
    lines = [[r"\text{value}", "", number(solution.worth)]]
    lines += [
        [rf"\text{{player {player}}}", str(card), f"{number(strategy.view(card))}{strategy.mark}"]
        for player, card, strategy in bids(solution)
    ]
    return array("rr|r", lines)


@latex.register(PayoffMatrix)
def _(payoffs: PayoffMatrix[Any]) -> str:
    lines = [["", *map(str, payoffs.two)]]
    for card, row in zip(payoffs.one, payoffs.numbers, strict=True):
        lines.append([str(card), *map(number, row)])
    return array("r|" + "r" * len(payoffs.two), lines)


@latex.register(Outcomes)
def _(outcomes: Outcomes) -> str:
    chances = {"win": outcomes.win, "draw": outcomes.draw, "loss": outcomes.loss}
    lines = [[rf"\text{{{name}}}", *_numbers(chance)] for name, chance in chances.items()]
    return array("r|rr", [["", r"\text{least}", r"\text{greatest}"], *lines])


@latex.register(GameSolution)
def _(solution: GameSolution) -> str:
    return _strategies(solution.value, [("row", solution.row), ("column", solution.column)])


@latex.register(OptimalSet)
def _(optimal: OptimalSet) -> str:
    return _strategies(optimal.value, extreme(optimal))


def _strategies(value: fmpq, strategies: list[tuple[str, tuple[fmpq, ...]]]) -> str:
    """A value and named strategies of a matrix game."""
    width = max(len(strategy) for _, strategy in strategies)
    lines = [[r"\text{value}", *_numbers([value])]]
    lines += [[rf"\text{{{name}}}", *_numbers(strategy)] for name, strategy in strategies]
    return array("r|" + "r" * width, lines)


def _numbers(exact: Iterable[fmpq]) -> list[str]:
    return [number(BigRational.of(x)) for x in exact]
