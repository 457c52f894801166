"""The best response to a policy whose hand follows from the prizes that are left.

Matching, the upcard plus k, and others leave nothing to chance and do not look at the opponent; from a
whole game on their hand is known once the prizes left are. A state is then a hand and a set of prizes
of one size. All C(2n, n) of them fit into arrays, and k! times a value of k cards is an integer.
"""

from itertools import combinations
from math import comb, factorial
from typing import TYPE_CHECKING

import numpy as np

from gops_exact.game.game import Position
from gops_exact.game.order_types import mask, scan
from gops_exact.game.rules import PLAIN, Hand
from gops_exact.layers.kernels import kernel
from gops_exact.players.policy import Pure, checked_bids
from gops_exact.players.view import View
from gops_exact.progress import Progress, tracked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


def hands_by_prizes(policy: Pure, n: int) -> dict[int, tuple[int, ...]] | None:
    """Ask a policy for its bids for each set of prizes, if its hand follows from the set.

    Args:
        policy: a policy that looks neither at the opponent nor at margin or pot.
        n: cards a side.

    Returns:
        {prizes as a mask: a bid for each prize, ascending}; None if the same prizes can leave it with
        different hands.
    """
    deck = tuple(range(1, n + 1))
    hands: dict[int, Hand] = {mask(deck): deck}
    bids: dict[int, tuple[int, ...]] = {}
    for prizes in sorted(range(1, 1 << n), key=int.bit_count, reverse=True):
        hand, left = hands[prizes], tuple(scan(prizes))
        replies = []
        for upcard in left:
            view = View(n, Position.trusted(hand, (), left, upcard, PLAIN, 0, 0))
            ((card, _),) = checked_bids(policy, view)
            rest = tuple(held for held in hand if held != card)
            if hands.setdefault(prizes ^ mask((upcard,)), rest) != rest:
                return None
            replies.append(card)
        bids[prizes] = tuple(replies)
    return bids


def best_reply(
    bids: dict[int, tuple[int, ...]], n: int, progress: Progress | None = None
) -> tuple[int, int]:
    """Compute the most points ahead that anybody can expect against such a policy, as a fraction.

    Args:
        bids: as :func:`hands_by_prizes` gives them.
        n: cards a side, at most 13: a layer takes 24 MB, and 13! times a value is far below 2⁶³.
        progress: called with the work done and all the work there is.

    Returns:
        Numerator and denominator n!, not reduced.

    >>> from gops_exact.players.simple import UpcardPlus
    >>> best_reply(hands_by_prizes(UpcardPlus(0), 4), 4)
    (48, 24)
    """
    place = np.zeros(1 << n, dtype=np.int64)
    below = np.zeros((1, 1), dtype=np.int64)
    for k in tracked(range(1, n + 1), progress, lambda k: k * comb(n, k) ** 2):
        sets = np.array([mask(s) for s in combinations(range(1, n + 1), k)], dtype=np.int64)
        replies = np.array([bids[int(s)] for s in sets], dtype=np.int64)
        values = np.empty((comb(n, k), comb(n, k)), dtype=np.int64)
        layer(sets, replies, place, below, factorial(k - 1), values)
        place[sets] = np.arange(len(sets))
        below = values
    return int(below[0, 0]), factorial(n)


@kernel
def layer(
    sets: "Ints", replies: "Ints", place: "Ints", below: "Ints", scale: int, values: "Ints"
) -> None:
    """Compute k! times the value of every hand and set of prizes of k cards.

    Args:
        sets: shape (C(n, k),); the sets of k cards as masks.
        replies: shape (C(n, k), k); the policy's bid for each prize of a set, ascending.
        place: shape (2ⁿ,); where a set of k − 1 cards stands in `below`.
        below: shape (C(n, k − 1), C(n, k − 1)); (k − 1)! times the values of k − 1 cards, a row per
            hand, a column per set of prizes.
        scale: (k − 1)!.
        values: shape (C(n, k), C(n, k)); written.
    """
    for h in range(len(sets)):
        for s in range(len(sets)):
            total, prizes, turn = 0, sets[s], 0
            while prizes:
                bit = prizes & -prizes
                prizes ^= bit
                upcard, rest = 0, bit
                while rest:
                    rest >>= 1
                    upcard += 1
                column, reply = place[sets[s] ^ bit], replies[s, turn]
                turn += 1
                best, first, hand, card, rest = 0, True, sets[h], 0, sets[h]
                while rest:
                    card += 1
                    if rest & 1:
                        gain = below[place[hand ^ (1 << (card - 1))], column]
                        if card > reply:
                            gain += scale * upcard
                        elif card < reply:
                            gain -= scale * upcard
                        if first or gain > best:
                            best, first = gain, False
                    rest >>= 1
                total += best
            values[h, s] = total
