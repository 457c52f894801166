"""Compare float first moves with decimals proved to 30 digits: each must be within its radius.

    python tools/float_radii.py [RULES_LARGEST [POINTS_LARGEST]]

All rule sets at N = 1 … 6, and points, ties discarded, at N = 7. The proved decimals come from
ball arithmetic, which shares no kernel with the floats. Four minutes, most of them the balls'.
"""

import sys
from itertools import product

from flint import arb

import gops_exact as gx
from gops_exact.game.rules import OBJECTIVES, ORDERS, PLAIN, TIES, Rules
from gops_exact.solvers.float_errors import cross_check

DIGITS = 30
EXACT = 5
"""Up to so many cards all values of all positions are compared, too, with the exact ones."""

RULES = [Rules(*each) for each in product(OBJECTIVES, TIES, ORDERS)]


def main() -> None:
    """Compare, and end with status 1 where a radius does not hold."""
    by_rules, by_points = [*map(int, sys.argv[1:]), 6, 7][:2]
    cases = [(n, rules) for n in range(1, by_rules + 1) for rules in RULES]
    cases += [(n, PLAIN) for n in range(by_rules + 1, by_points + 1)]
    compared = failed = 0
    for n, rules in cases:
        if n <= EXACT:
            cross_check(gx.Game(n, rules))
        good, bad = compare(n, rules)
        compared, failed = compared + good + bad, failed + bad
        print(f"{n} cards, {rules}: {good} within their radii, {bad} not", flush=True)
    print(f"{compared} probabilities, {failed} outside their radii")
    sys.exit(failed > 0)


def compare(n: int, rules: Rules) -> tuple[int, int]:
    """Count the probabilities that are within their radii, and those that are not."""
    # The others are 1/2 with radius 1/2, which holds every probability.
    found = gx.first_move(n, "float", rules=rules)
    moves = {upcard: move for upcard, move in found.items() if move.proved}
    if not moves:
        return 0, 0
    upcards = list(moves) if rules.prizes == "random" else None
    kind = gx.Exact() if n <= EXACT else gx.Ball(DIGITS)
    columns = gx.first_move(
        n, kind, upcards=upcards, rules=rules, store=":memory:", force=n > EXACT
    )
    counts = [0, 0]
    for upcard, move in moves.items():
        for card, middle in move.items():
            near, radius = middle.value, middle.radius
            ball = arb(columns[upcard][card].value)
            held = arb(near, radius).contains(ball) if radius else ball.contains(arb(near))
            counts[not held] += 1
    return counts[0], counts[1]


if __name__ == "__main__":
    main()
