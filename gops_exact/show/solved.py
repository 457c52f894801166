"""Solutions of positions as text.

text   for reading: a line per bid, decimals beside shortened fractions
json   one document: the position, its value, and both strategies at every upcard
"""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, cast

from gops_exact.game.position import Position
from gops_exact.numbers.big import BigRational
from gops_exact.numbers.kinds import BoundedFloat, Number, ResidueClass
from gops_exact.numbers.shown import text
from gops_exact.show.html import bids, caption
from gops_exact.show.tables import table, terminal_width
from gops_exact.show.text import TABLE_DIGITS
from gops_exact.solutions.arithmetic import Float
from gops_exact.solutions.solution import Outcomes, PayoffMatrix, Solution
from gops_exact.solutions.strategy import Strategy

FORMATS = ("text", "json")


@text.register(Solution)
def _(solution: Solution[Any]) -> str:
    return "".join(solution_text(solution, terminal_width(sys.stdout))).rstrip("\n")


def solution_text(
    solution: Solution[Any], width: int | None = None, digits: int | None = None
) -> Iterator[str]:
    """Yield a solution as a line that names it and a table of the bids.

    Args:
        solution: the solution, in any arithmetic.
        width: columns of the terminal; None for no limit.
        digits: digits after the point, of exact numbers and floats; by default 4.

    >>> from gops_exact import solve
    >>> print("".join(solution_text(solve(Position([2, 4], [1, 3], [12, 13], upcard=13)))), end="")
    2 4 against 1 3 for 13 of 12 13: value 313/25 ≈ 12.5200 (closed form)
    <BLANKLINE>
    player  card  decimal  exact
         1     2   0.4800  12/25
         1     4   0.5200  13/25
         2     1   0.5200  13/25
         2     3   0.4800  12/25
    """
    yield f"{caption(solution, digits)}\n\n"
    lines = [(str(player), str(card), each.view(card)) for player, card, each in bids(solution)]
    heads = dict.fromkeys(("player", "card"), ">") | _heads(lines[0][2])
    yield from table(
        heads,
        [(player, card, *number_cells(number, digits)) for player, card, number in lines],
        width=width,
        keys=2,
    )


def _heads(number: Number[Any]) -> dict[str, str]:
    """Return the columns of :func:`number_cells`, each with the side it is aligned to."""
    if isinstance(number, BigRational):
        return {"decimal": ">", "exact": "<"}
    if isinstance(number, BoundedFloat):
        return {"decimal": ">", "within": ">"}
    return {"residue" if isinstance(number, ResidueClass) else "decimal": ">"}


def number_cells(number: Number[Any], digits: int | None = None) -> list[str]:
    """Return the cells of a number: a decimal, and exactly, long terms shortened; or how far it may be off.

    >>> from gops_exact import view
    >>> number_cells(view("2/3")), number_cells(BoundedFloat(0.5, 1e-9))
    (['0.6667', '2/3'], ['0.5000', '1e-09'])
    """
    digits = TABLE_DIGITS if digits is None else digits
    if isinstance(number, BigRational):
        return [number.decimal(digits), str(number)]
    if isinstance(number, BoundedFloat):
        return [number.decimal(digits), f"{number.radius:.2g}"]
    return [str(number)]


@text.register(Outcomes)
def _(outcomes: Outcomes) -> str:
    chances = {"win": outcomes.win, "draw": outcomes.draw, "loss": outcomes.loss}
    rows = [
        [name, side, *number_cells(BigRational.of(chance))]
        for name, both in chances.items()
        for side, chance in both._asdict().items()
    ]
    heads = {"": "<", "chance": "<", "decimal": ">", "exact": "<"}
    lines = table(heads, rows, width=terminal_width(sys.stdout), keys=2)
    return "".join(lines).rstrip("\n")


def solutions_json(
    position: Position, arithmetic: str, worth: Number[Any], solutions: Iterable[Solution[Any]]
) -> Iterator[str]:
    """Yield one document: a position before a prize is turned up, its value, and solutions by upcard."""
    yield json.dumps(_document(position, arithmetic, worth, solutions), indent=1) + "\n"


def _document(
    position: Position, arithmetic: str, worth: Number[Any], solutions: Iterable[Solution[Any]]
) -> dict[str, Any]:
    """Return a position, its value and its solutions as a JSON object."""
    state = asdict(position)
    del state["upcard"]
    return {
        **state,
        "arithmetic": arithmetic,
        **_value(worth),
        "columns": [
            {
                "upcard": each.position.upcard,
                **_value(each.worth),
                "method": each.method,
                "one": _strategy(each.row),
                "two": _strategy(each.column),
            }
            for each in solutions
        ],
    }


def served_json(
    position: Position,
    worth: BoundedFloat,
    solutions: Iterable[tuple[Solution[float], PayoffMatrix[float]]],
) -> str:
    """Return the document of solutions in floats, with the matrix of each and its radii."""
    solved = list(solutions)
    document = _document(position, Float.name, worth, [solution for solution, _ in solved])
    for column, (_, payoffs) in zip(document["columns"], solved, strict=True):
        column["payoffs"] = list(payoffs)
        column["payoff_radii"] = [
            [cast("BoundedFloat", number).radius for number in row] for row in payoffs.numbers
        ]
    return json.dumps(document, allow_nan=False) + "\n"


def _value(worth: Number[Any]) -> dict[str, str | int | float]:
    """Return a value, and the radius of a float."""
    radius = {"radius": worth.radius} if isinstance(worth, BoundedFloat) else {}
    return {"value": _plain(worth), **radius}


def _strategy(strategy: Strategy[Any]) -> dict[str, Any]:
    numbers = {card: strategy.view(card) for card in strategy}
    found: dict[str, Any] = {"unique": strategy.unique, "proved": strategy.proved}
    found["probabilities"] = {card: _plain(number) for card, number in numbers.items()}
    radii = {card: x.radius for card, x in numbers.items() if isinstance(x, BoundedFloat)}
    return found | ({"radii": radii} if radii else {})


def _plain(number: Number[Any]) -> str | int | float:
    """Return a number as JSON holds it: as text, but for residues and floats."""
    is_short = isinstance(number, ResidueClass | BoundedFloat)
    plain: str | int | float = number.value if is_short else number.text()
    return plain
