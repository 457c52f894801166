"""Compare float first moves with decimals proved to 30 digits: each must be within its radius.

    python benchmarks/float_radii.py [RULES_LARGEST [POINTS_LARGEST]]

All sixteen rule sets at N = 1 … 6, and points, ties discarded, at N = 7. The proved decimals come from
ball arithmetic, which shares no kernel with the floats. Four minutes, most of them the balls'.
"""

import sys

from flint import arb

import gops_exact as gx
from gops_exact.recursion.float_check import cross_check
from gops_exact.rules import PLAIN, Rules

DIGITS = 30
EXACT = 5
"""Up to so many cards all values of all positions are compared, too, with the exact ones."""

RULES = [
    Rules(objective, ties, prizes)
    for objective in ("points", "win")
    for ties in ("discard", "carryover")
    for prizes in ("random", "hidden", "ascending", "descending")
]


def main() -> None:
    """Compare, and end with status 1 where a radius does not hold."""
    by_rules, by_points = [*map(int, sys.argv[1:]), 6, 7][:2]
    cases = [(n, rules) for n in range(1, by_rules + 1) for rules in RULES]
    cases += [(n, PLAIN) for n in range(by_rules + 1, by_points + 1)]
    compared = failed = 0
    for n, rules in cases:
        if n <= EXACT:
            cross_check(n, rules=rules)
        good, bad = compare(n, rules)
        compared, failed = compared + good + bad, failed + bad
        print(f"{n} cards, {rules}: {good} within their radii, {bad} not", flush=True)
    print(f"{compared} probabilities, {failed} outside their radii")
    sys.exit(failed > 0)


def compare(n: int, rules: Rules) -> tuple[int, int]:
    """Count the probabilities that are within their radii, and those that are not."""
    # The others are 1/2 with radius 1/2, which holds every probability.
    moves = [move for move in gx.first_move_float(n, rules=rules).columns if move.proved]
    upcards = [move.upcard for move in moves] if rules.prizes == "random" else None
    options = {"upcards": upcards, "rules": rules, "store": ":memory:"}
    if not moves or n <= EXACT:
        columns = gx.first_move(n, **options).columns if moves else ()
    else:
        columns = gx.certified_first_move(n, DIGITS, force=True, **options).columns
    counts = [0, 0]
    for move, true in zip(moves, columns, strict=True):
        for card, middle in move.probabilities.items():
            radius, ball = move.radii[card], arb(true.probabilities[card])
            held = arb(middle, radius).contains(ball) if radius else ball.contains(arb(middle))
            counts[not held] += 1
    return counts[0], counts[1]


if __name__ == "__main__":
    main()
