"""Lower bounds of what best responses gain where bids stay hidden, up to thirteen cards: figures of docs/hidden_bids.md.

    python studies/hidden_thirteen.py [CARDS]

Against a policy whose bids hang on its own hand and the upcard alone, for points and prizes at random. The responses
look at their own hand and the prizes left. That is a part of what a player of the hidden game may look at, so the best
of them gains no more than a best response. It is computed exactly but for the rounding of floats, far below the digits
shown: first how likely each hand of the policy is once some prizes are left, then, from the last round back, what the
best card gains in each case.
"""

import sys
from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

import gops_exact as gx
from gops_exact import Game, Position, players
from gops_exact.players.simple import SemiDeterministic, Uniform, UpcardPlus

Floats = NDArray[np.float64]
Chances = Callable[[tuple[int, ...], int], Mapping[int, float]]


def bids_of(policy: players.Policy, n: int) -> Chances:
    """Return the probabilities of a policy's bids as a function of its hand and the upcard."""
    deck = Game(n).hand

    def chances(hand: tuple[int, ...], upcard: int) -> Mapping[int, float]:
        prizes = (upcard, *[card for card in deck if card != upcard][: len(hand) - 1])
        view = players.View(n, Position(hand, hand, prizes, upcard))
        return {card: float(gx.view(chance)) for card, chance in policy.bids(view).items()}

    return chances


def least_gain(chances: Chances, n: int) -> float:
    """Return what the best response that looks at its own hand and the prizes left gains a game."""
    cards = range(1, n + 1)
    sets = [list(combinations(cards, k)) for k in range(n + 1)]
    place = [{each: at for at, each in enumerate(found)} for found in sets]

    def holding(k: int, card: int) -> tuple[list[int], list[int]]:
        """Return the sets of k cards with a card, and where they are without it."""
        held = [each for each in sets[k] if card in each]
        without = [place[k - 1][tuple(c for c in each if c != card)] for each in held]
        return [place[k][each] for each in held], without

    # Rows are the prizes left, columns the hands: how likely a hand is; and how likely each bid is, by upcard.
    likely = np.ones((1, 1))
    gains: dict[int, Floats] = {}  # of k cards, shape (prizes left, upcard, card)
    for k in range(n, 0, -1):
        after = np.zeros((len(sets[k - 1]),) * 2)
        gains[k] = np.zeros((len(sets[k]), n, n))
        for upcard in cards:
            rows, rows_after = holding(k, upcard)
            bids = np.zeros((len(sets[k]), n))
            for at, hand in enumerate(sets[k]):
                for card, chance in chances(hand, upcard).items():
                    bids[at, card - 1] = chance
            made = likely[rows] @ bids
            below = np.cumsum(made, axis=1)
            gains[k][rows, upcard - 1] = upcard * (2 * below - made - 1.0)
            for card in cards:
                hands, hands_after = holding(k, card)
                moved = likely[np.ix_(rows, hands)] * bids[hands, card - 1]
                after[np.ix_(rows_after, hands_after)] += moved / (n - k + 1)
        likely = after
    # Rows are the prizes left, columns the own hands.
    value = np.zeros((1, 1))
    for k in range(1, n + 1):
        total = np.zeros((len(sets[k]),) * 2)
        for upcard in cards:
            rows, rows_after = holding(k, upcard)
            best = np.full((len(rows), len(sets[k])), -np.inf)
            for card in cards:
                hands, hands_after = holding(k, card)
                gain = gains[k][rows, upcard - 1, card - 1][:, None]
                best[:, hands] = np.maximum(
                    best[:, hands], gain + value[np.ix_(rows_after, hands_after)]
                )
            total[rows] += best / k
        value = total
    return float(value[0, 0])


def main() -> None:
    """Print the table."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 13
    print("| policy | gained at least |\n|---|---|")
    for policy in (Uniform(), SemiDeterministic(), UpcardPlus(0)):
        print(f"| {policy.name} | {least_gain(bids_of(policy, n), n):.6f} |", flush=True)


if __name__ == "__main__":
    main()
