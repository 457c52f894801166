"""Answers of the server about random positions, compared with the exact solver.

Values, gains and probabilities are the exact ones, or their decimals and radii hold these.
"""

import json
from fractions import Fraction

from case_runner import Wrong
from oracle import fraction
from served import Client, tablebase
from strategies import random_position

import gops_exact as gx
from gops_exact.show.tablebase import EXACT_CARDS


def holds(number, exact):
    """Whether a number of an answer is the exact one, or its decimal and radius hold that."""
    if "exact" in number:  # as text: Python reads no number of thousands of digits
        return number["exact"] == str(exact)
    return abs(Fraction(number["decimal"]) - fraction(exact)) <= Fraction(str(number["radius"]))


def is_right(answer, position, exact):
    """Whether an answer says what another solver says of a position."""
    right = answer["position"] == str(position)
    right &= holds(answer["value"], exact.value(position).value)
    if "upcards" in answer:
        turns = zip(answer["upcards"], position.with_upcards(), strict=True)
        return right and all(is_right(each, at, exact) for each, (_, at) in turns)
    solution = exact.solve(position)
    row, column = solution.row, solution.column
    sides = {"one": (row, column, position), "two": (column, row, position.swapped())}
    for name, (own, other, seen) in sides.items():
        side, worth = answer[name], exact.bid_gains(seen)
        gains = [float(each["gain"]["decimal"]) for each in side["bids"]]
        right &= gains == sorted(gains, reverse=True)
        right &= sorted(each["bid"] for each in side["bids"]) == list(seen.one)
        for each in side["bids"]:
            if own.unique and side["proved"]:
                right &= holds(each["probability"], own[each["bid"]].value)
            if other.unique and answer["arithmetic"] == "exact":
                right &= holds(each["gain"], worth[each["bid"]].value)
    return right


def check_position(client, rng):
    """Ask for a random position."""
    position = random_position(rng)
    # In floats, beyond that a radius may be more than a game.
    while position.size > EXACT_CARDS and max(position.prizes) > 10**6:
        position = random_position(rng)
    name = str(position)
    status, text = client.get(f"/position/{name}")
    exact = gx.solver("exact", store=":memory:")
    if status != 200 or not is_right(json.loads(text), position, exact):
        raise Wrong("another answer than the solver's", name, text)


def position_case(rng, _place):
    with Client(tablebase()) as client:
        check_position(client, rng)
