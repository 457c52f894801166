"""Answers of the server to questions about positions, in JSON.

A *position* has both hands, the prizes left, the prize turned up (the *upcard*) if there is one, and the points of
earlier rounds that still count. The *radius* of a float is a proved bound on its distance from the true number.
"""

import json
from typing import Any, Literal, get_args

from gops_exact.base.store import MEMORY
from gops_exact.game.game import Position
from gops_exact.numbers.digits import FLOAT_DIGITS
from gops_exact.numbers.exact import Number
from gops_exact.show.explorer import Document
from gops_exact.solvers.api import solver
from gops_exact.solvers.results import position_document
from gops_exact.solvers.solver import Solver

EXACT_CARDS = 4
"""Greatest number of cards a side of positions that are solved exactly. With so few cards exact numbers are short and
take only a moment to compute. Larger positions are solved in floats."""

DIGITS = 12
"""Number of digits after the point of decimals in an answer."""

Kind = Literal["position", "solve"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Kinds of questions about a position. The answer to ``"position"`` is for scripts: the result of
:func:`position_answer`. The answer to ``"solve"`` is for the explorer page: the value and, for each possible upcard,
optimal strategies and the payoff matrix."""


def answer(kind: Kind, position: Position, floats: Solver[Any]) -> str:
    """Return the answer in JSON to a question about a position.

    Args:
        kind: one of :data:`KINDS`.
        position: the position that is asked about, with at least 1 card a side.
        floats: the solver in floats with proved radii.
    """
    if kind == "position":
        document = position_answer(position, floats)
        return json.dumps(document, allow_nan=False, separators=(",", ":"))
    worth, turned = floats.value(position), [turned for _, turned in position.with_upcards()]
    solutions = [floats.solve(at) for at in turned]
    payoffs = [floats.payoff_matrix(at) for at in turned]
    document = position_document(position, worth, solutions, payoffs)
    return json.dumps(document, allow_nan=False) + "\n"


def position_answer(position: Position, floats: Solver[Any]) -> Document:
    """Return the value of a position to player one, and all bids of both players, the best bids first.

    The gain of a bid is the expected gain of the player who makes it against the other player's optimal strategy.

    Args:
        position: the position, with at least 1 card a side. With at most EXACT_CARDS cards a side it is solved in exact
            numbers, with more cards in floats.
        floats: the solver in floats with proved radii.

    Returns:
        {"position": its name, "arithmetic": ``"exact"`` or ``"float"``, "value": a number}. Numbers have the form that
        :func:`number` returns.

        For a position with an upcard, or with hidden prizes, there are two more members, ``one`` and ``two``, for the
        players: {"unique": True if the strategy is the only optimal one, False if others are optimal, None if unknown;
        "proved": True if the strategy is proved to be optimal; "bids": [{"bid": card, "gain": a number, "probability":
        a number}, …]}. For other positions the member ``upcards`` is a list of such answers, one for each distinct
        prize that can be turned up.
    """
    is_small = position.size <= EXACT_CARDS
    # Every small position gets a new exact solver. Little would be saved by keeping one, since few positions lead to
    # the same values.
    answering: Solver[Any] = solver("exact", store=MEMORY) if is_small else floats
    answer = {
        "position": str(position),
        "arithmetic": answering.arithmetic.name,
        "value": number(answering.value(position)),
    }
    if position.upcard is None and not position.rules.hidden:
        return answer | {
            "upcards": [position_answer(at, floats) for _, at in position.with_upcards()]
        }
    solution = answering.solve(position)
    sides = (("one", solution.row, position), ("two", solution.column, position.swapped()))
    for side, strategy, seen in sides:
        gains = answering.bid_gains(seen)
        order = sorted(strategy, key=lambda bid: (-float(gains[bid]), -float(strategy[bid])))
        answer[side] = {
            "unique": strategy.unique,
            "proved": strategy.proved,
            "bids": [
                {"bid": bid, "gain": number(gains[bid]), "probability": number(strategy[bid])}
                for bid in order
            ],
        }
    return answer


def number(value: Number[Any]) -> Document:
    """Return a number as a JSON object.

    An exact number is {"decimal": text, "exact": its fraction as text}. A float is {"decimal": text, "radius": the
    proved bound on the error of the decimal}.
    """
    members = value.members()
    if "radius" not in members:
        return {"decimal": value.decimal(DIGITS), "exact": members["value"]}
    decimal, radius = value.with_radius(DIGITS, FLOAT_DIGITS)
    return {"decimal": decimal, "radius": float(radius)}
