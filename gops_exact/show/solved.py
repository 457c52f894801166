"""Solutions of positions as JSON: the position, its value, and both strategies at every upcard."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, cast

from gops_exact.game.game import Position
from gops_exact.numbers.exact import Number
from gops_exact.numbers.kinds import BoundedFloat, ResidueClass
from gops_exact.solutions.arithmetic import Float
from gops_exact.solutions.solution import PayoffMatrix, Solution
from gops_exact.solutions.strategy import Strategy


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
                **_value(each.value),
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
        column["payoffs"] = [[number.value for number in row] for row in payoffs]
        column["payoff_radii"] = [
            [cast("BoundedFloat", number).radius for number in row] for row in payoffs
        ]
    return json.dumps(document, allow_nan=False) + "\n"


def _value(worth: Number[Any]) -> dict[str, str | int | float]:
    """Return a value, and the radius of a float."""
    radius = {"radius": worth.radius} if isinstance(worth, BoundedFloat) else {}
    return {"value": _plain(worth), **radius}


def _strategy(strategy: Strategy[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"unique": strategy.unique, "proved": strategy.proved}
    found["probabilities"] = {card: _plain(number) for card, number in strategy.items()}
    radii = {card: x.radius for card, x in strategy.items() if isinstance(x, BoundedFloat)}
    return found | ({"radii": radii} if radii else {})


def _plain(number: Number[Any]) -> str | int | float:
    """Return a number as JSON holds it: as text, but for residues and floats."""
    is_short = isinstance(number, ResidueClass | BoundedFloat)
    plain: str | int | float = number.value if is_short else number.text()
    return plain
