"""Rules of ``card_rules.py`` against players who bid the prize plus k, or at random: exactly, and in games played.

``python studies/rules_played.py [--n 13] [--games 1000000] [--seed 1] [RULE …]``

A rule of classes draws without replacement, in whatever order the prizes come, so that by symmetry each card of a class
is equally likely for each prize of it. The exact difference in points is therefore a sum over prizes and two cards. The
games are played one round after the other with cards that are still held. The script prints, for each rule and opponent,
the exact difference, the mean of the games and their distance in standard errors; it fails if one is more than four.

By default the rules are strategy 0108 of the second tournament (Dror & Kendall 2013; prizes 4 to 10: three more than the
prize; else one of the six lowest cards at random), and the cheapest rule that was found (docs/players.md).
"""

import argparse
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from card_rules import Class, classes

STRATEGY_0108 = "1-3,11-13:1-6 4:7 5:8 6:9 7:10 8:11 9:12 10:13"
CHEAPEST = "ends 1 1"
OPPONENTS = ("random", "matching", "upcard+1", "upcard+2", "upcard+3")
MOST_ERRORS = 4.0
"""Standard errors by which a mean may differ from the exact number."""


def replies_to(prize: int, opponent: str, n: int) -> Sequence[int]:
    """Return the cards, all equally likely, that an opponent bids for a prize."""
    if opponent == "random":
        return range(1, n + 1)
    more = int(opponent.partition("+")[2] or 0)
    return [(prize + more - 1) % n + 1]


def exactly(rule: Sequence[Class], opponent: str, n: int) -> Fraction:
    """Return the points of a rule less those of an opponent, on average."""
    total = Fraction(0)
    for prizes, cards in rule:
        for prize in prizes:
            pairs = list(product(cards, replies_to(prize, opponent, n)))
            total += prize * Fraction(sum((x > y) - (x < y) for x, y in pairs), len(pairs))
    return total


def played(
    rule: Sequence[Class], opponent: str, n: int, games: int, rng: np.random.Generator
) -> np.ndarray:
    """Play games, all at once, round by round.

    Returns:
        Shape (games,), the points of the rule less those of the opponent.
    """
    drawn_from = np.zeros(
        (n + 1, n + 1), dtype=bool
    )  # [prize, card]: the card is of the prize's class
    for prizes, cards in rule:
        drawn_from[np.ix_(prizes, cards)] = True
    replied_from = np.zeros((n + 1, n + 1), dtype=bool)
    for prize in range(1, n + 1):
        replied_from[prize, replies_to(prize, opponent, n)] = True
    order = rng.permuted(np.tile(np.arange(1, n + 1), (games, 1)), axis=1)
    one, two = (np.ones((games, n + 1), dtype=bool) for _ in "12")  # the cards that are held
    every, points = np.arange(games), np.zeros(games, dtype=np.int64)
    for prize in order.T:
        bids = []
        for held, allowed in ((one, drawn_from), (two, replied_from)):
            # Of the cards allowed, the one with the greatest random number is as likely as any other.
            numbers = np.where(held & allowed[prize], rng.random((games, n + 1)), -1.0)
            bids.append(numbers.argmax(axis=1))
            held[every, bids[-1]] = False
        points += prize * np.sign(bids[0] - bids[1])
    return points


def main() -> None:
    """Print a line for each rule and opponent."""
    parser = argparse.ArgumentParser(description="play rules against fixed opponents")
    parser.add_argument("rules", nargs="*", default=[STRATEGY_0108, CHEAPEST])
    parser.add_argument("--n", type=int, default=13)
    parser.add_argument("--games", type=int, default=10**6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, worst = np.random.default_rng(options.seed), 0.0
    for text in options.rules:
        rule = classes(text, options.n)
        print(text)
        for opponent in OPPONENTS:
            exact = exactly(rule, opponent, options.n)
            points = played(rule, opponent, options.n, options.games, rng)
            error = points.std(ddof=1) / options.games**0.5
            distance = abs(points.mean() - float(exact)) / error if error else 0.0
            worst = max(worst, distance)
            print(
                f"  {opponent:9} {float(exact):10.4f}  played {points.mean():10.4f} ± {error:.4f}, "
                f"{distance:.1f} errors off  {exact}",
                flush=True,
            )
    if worst > MOST_ERRORS:
        sys.exit(f"expected at most {MOST_ERRORS} standard errors, got {worst:.1f}")


if __name__ == "__main__":
    main()
