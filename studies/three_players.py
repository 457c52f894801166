"""Exact guarantee of one player against two who play as one, and the bids that give it.

``python studies/three_players.py [N]`` prints CSV for 2 to N cards a side, by default 4.

Three players hold the cards 1 … n. The highest bid takes the prize; if it is bid twice or three times, nobody does, as in
OpenSpiel. Player one does not know what the others want, so the worst is assumed: they see each other's cards and bid
together, and their pair of bids may be drawn as one. That is a zero-sum game of n bids against n² pairs, solved from the
end backwards. Player one counts ``points``, or the ``lead``: the points less the mean of the other two players' points.
"""

import argparse
import csv
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from flint import fmpq

import gops_exact as gx

Hand = tuple[int, ...]
DECIMALS = 6


class Hands(NamedTuple):
    """The cards of player one, and of the two others."""

    one: Hand
    two: Hand
    three: Hand

    def relabelled(self) -> "Hands":
        """Number the cards 1, 2, … in order, and put the others' hands in order: the value is the same."""
        rank = {
            card: place for place, card in enumerate(sorted({*self.one, *self.two, *self.three}), 1)
        }
        one, *others = (tuple(rank[card] for card in hand) for hand in self)
        return Hands(one, *sorted(others))


def without(cards: Hand, card: int) -> Hand:
    """Return the cards without one of them."""
    return tuple(other for other in cards if other != card)


def gain(prize: int, bids: tuple[int, int, int], counts: str) -> fmpq:
    """Return what player one gains in a round."""
    one, *others = bids
    if one > max(others):
        return fmpq(prize)
    highest = max(bids)
    if counts == "points" or bids.count(highest) > 1:
        return fmpq(0)
    return fmpq(-prize, 2)


@cache
def value(hands: Hands, prizes: Hand, counts: str) -> fmpq:
    """Return what player one is sure of with these cards and prizes left, over all upcards."""
    if not prizes:
        return fmpq(0)
    total = sum((solved(hands, prizes, upcard, counts).value.value for upcard in prizes), fmpq(0))
    return total / len(prizes)


def solved(hands: Hands, prizes: Hand, upcard: int, counts: str) -> gx.GameSolution:
    """Solve the game of the bids for an upcard: player one's bids against the pairs of the others' bids."""
    left = without(prizes, upcard)
    payoffs = []
    for bid in hands.one:
        row = []
        for pair in product(hands.two, hands.three):
            bids = (bid, *pair)
            rest = Hands(*map(without, hands, bids)).relabelled()
            row.append(gain(upcard, bids, counts) + value(rest, left, counts))
        payoffs.append(row)
    return gx.solve_matrix_game(payoffs)


def lines(n: int) -> Iterator[tuple[object, ...]]:
    """Yield a line for each upcard, and one for the game."""
    cards = tuple(range(1, n + 1))
    start = Hands(cards, cards, cards)
    for counts in ("points", "lead"):
        for upcard in cards:
            solution = solved(start, cards, upcard, counts)
            bids = " ".join(f"{p}" for p in solution.row)
            worth = solution.value
            yield n, counts, upcard, worth, worth.decimal(DECIMALS), bids
        worth = gx.view(value(start, cards, counts))
        yield n, counts, "all", worth, worth.decimal(DECIMALS), ""


def main() -> None:
    """Print the guarantees as CSV."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("n", nargs="?", type=int, default=4, help="the most cards a side")
    parser.add_argument("--out", default="/dev/stdout", help="the file to write")
    options = parser.parse_args()
    with Path(options.out).open("w", encoding="ascii") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("n", "counts", "upcard", "value", "decimal", "bids"))
        for n in range(2, options.n + 1):
            writer.writerows(lines(n))


if __name__ == "__main__":
    main()
