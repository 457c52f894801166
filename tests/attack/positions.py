"""Random positions by all rules, asked of the server by their names, and a damaged name of each.

    python tests/attack positions [--count 10000] [--seed 1]

Every answer is compared with the exact solver: values, gains and probabilities are the exact ones, or their
decimals and radii hold these. A damaged name is that of another position, or is refused in a line. It fails at
the first answer that is wrong.
"""

import argparse
import json
import sys
from fractions import Fraction
from random import Random

from served import Client, tablebase
from strategies import random_position

import gops_exact as gx
from gops_exact.show.tablebase import EXACT_CARDS

LARGEST = 10**6
"""Of cards and prizes in floats: beyond that a radius may be more than a game."""


def holds(number, exact):
    """Whether a number of an answer is the exact one, or its decimal and radius hold that."""
    true = Fraction(str(exact))
    if "exact" in number:
        return Fraction(number["exact"]) == true
    return abs(Fraction(number["decimal"]) - true) <= Fraction(str(number["radius"]))


def check_answer(found, position, exact):
    """Fail unless an answer says what another solver says of a position."""
    assert found["position"] == str(position)
    assert holds(found["value"], exact.value(position).value)
    if "upcards" in found:
        upcards = [each for _, each in position.turns()]
        for each, at in zip(found["upcards"], upcards, strict=True):
            check_answer(each, at, exact)
        return
    solution = exact.solve(position)
    sides = (("one", solution.row, position), ("two", solution.column, position.swapped()))
    for side, strategy, seen in sides:
        bids = found[side]["bids"]
        assert sorted(each["bid"] for each in bids) == list(seen.one)
        gains = [float(each["gain"]["decimal"]) for each in bids]
        assert gains == sorted(gains, reverse=True)
        if strategy.unique and found[side]["proved"]:
            for each in bids:
                assert holds(each["probability"], strategy[each["bid"]].value)
        opposite = solution.column if side == "one" else solution.row
        if opposite.unique and found["arithmetic"] == "exact":
            worth = exact.bid_gains(seen)
            assert all(holds(each["gain"], worth[each["bid"]].value) for each in bids)


def check_positions(client, count, seed):
    """Ask for so many random positions and as many damaged names; how many of these were refused."""
    source, refused, exact = Random(seed), 0, gx.solver("exact", store=":memory:")
    for _ in range(count):
        position = random_position(source)
        while position.size > EXACT_CARDS and max(position.prizes) > LARGEST:
            position = random_position(source)
        name = str(position)
        status, text = client.get(f"/position/{name}")
        assert status == 200, text
        check_answer(json.loads(text), position, exact)
        place = source.randrange(len(name))
        damaged = name[:place] + source.choice(("", ".", "_", "x", "@")) + name[place + 1 :]
        status, text = client.get(f"/position/{damaged}")
        if status != 200:
            refused += 1
            assert status in (400, 404, 422) and len(text.splitlines()) == 1, damaged
        else:
            assert json.loads(text)["position"] == damaged
    return refused


def main() -> int:
    """Ask for as many positions as wanted."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with Client(tablebase()) as client:
        refused = check_positions(client, given.count, given.seed)
    print(f"{given.count} positions as the solver has them, {refused} damaged names refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
