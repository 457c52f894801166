"""Price of rules that a person can remember: what the best opponent gains from each.

``python studies/card_rules.py RULE ... [--n 13]`` prices rules; ``--search --n 8`` finds the cheapest ones.

A rule draws a card at random, all equally likely, from a part of the hand that the prize selects. It is written as one
of these:

* ``prizes:cards ...``: the prizes are split into classes, each with as many neighbouring cards, and a card left of the
  prize's class is drawn: ``"1-3,11-13:1-6 4:7 5:8 6:9 7:10 8:11 9:12 10:13"``. The price is exact.
* ``ends T B``: the T highest prizes get the T highest cards and the B lowest prizes the B lowest cards, in order;
  the other prizes get a random one of the others. ``ends 1 1`` is ``1:1 2-12:2-12 13:13``.
* ``near D U T``: a random card from D places below to U places above the place of the prize among the prizes left; but
  the T highest prizes left get the highest card. Priced in floats, off by less than 10⁻⁹.
* ``random``, ``matching``.

An opponent knows the rule and sees all bids. The gain is computed from the end of the game backwards, at all sets of
prizes left and all order types of the two hands. In exact prices the gain at m prizes left, times m! and k! for each
class of k prizes left, is an integer of 64 bits.
"""

import argparse
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import factorial, prod
from typing import NamedTuple

import numba
import numpy as np

LIMIT = 2**63

Class = tuple[tuple[int, ...], tuple[int, ...]]
"""Prizes, and as many neighbouring cards."""


class Layer(NamedTuple):
    """The order types of two hands of one size, and what follows."""

    replies: np.ndarray  # (types, m, m): 1 if the opponent's card j is higher than the own card i, −1 if lower, else 0
    after: np.ndarray  # (types, m, m): the type after the own card i and the opponent's card j


class Round(NamedTuple):
    """A prize that may come with a set of prizes left, and the part of the hand that a card is drawn from."""

    prize: int
    first: int  # the index of the lowest card of the part, in the own hand from the lowest card
    last: int  # one more than the index of its highest card


@cache
def layers(n: int) -> list[Layer]:
    """Return the order types of hands that can occur with n cards a side, by size from 1."""
    below: dict[tuple[int, int], int] = {(0, 0): 0}
    result = []
    for size in range(1, n + 1):
        types = {pair: row for row, pair in enumerate(sorted(pairs(n, size)))}
        shape = len(types), size, size
        replies, after = np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=np.int32)
        for (one, two), row in types.items():
            for i, j in product(range(size), repeat=2):
                own, other = nth(one)[i], nth(two)[j]
                replies[row, i, j] = (other > own) - (other < own)
                after[row, i, j] = below[relabelled(one ^ 1 << own, two ^ 1 << other)]
        below = types
        result.append(Layer(replies, after))
    return result


def pairs(n: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of hands as bits, of cards 0, 1, … of which each is in a hand."""
    for cards in range(size, min(2 * size, n) + 1):
        everything = (1 << cards) - 1
        for own in combinations(range(cards), size):
            one = sum(1 << card for card in own)
            for shared in combinations(own, 2 * size - cards):
                yield one, everything ^ one | sum(1 << card for card in shared)


@cache
def nth(hand: int) -> list[int]:
    """Return the cards of a hand, lowest first."""
    return [card for card in range(hand.bit_length()) if hand >> card & 1]


def relabelled(one: int, two: int) -> tuple[int, int]:
    """Renumber the cards of two hands as 0, 1, …."""
    place, first, second = 0, 0, 0
    for card in range((one | two).bit_length()):
        if (one | two) >> card & 1:
            first |= (one >> card & 1) << place
            second |= (two >> card & 1) << place
            place += 1
    return first, second


@numba.njit(cache=True)
def gains_of(
    replies: np.ndarray,
    after: np.ndarray,
    starts: np.ndarray,
    rounds: np.ndarray,
    weights: np.ndarray,
    shares: np.ndarray,
    below: np.ndarray,
) -> np.ndarray:
    """Compute the opponent's gains at all states of one size.

    Args:
        replies, after: a :class:`Layer`.
        starts: shape (sets + 1,); the rows of `rounds` that belong to each set of prizes left.
        rounds: rows (first, last, set below).
        weights: the prize of each round, scaled.
        shares: the factor of each round in the sum.
        below: shape (types, sets) of the size below.

    Returns:
        Shape (types, sets).
    """
    types, size = replies.shape[:2]
    gains = np.zeros((types, len(starts) - 1), dtype=below.dtype)
    for kind in range(types):
        for prizes in range(len(starts) - 1):
            total = gains[kind, prizes]
            for index in range(starts[prizes], starts[prizes + 1]):
                first, last, left = rounds[index]
                best = weights[index] * 0
                for reply in range(size):
                    gain = weights[index] * 0
                    for bid in range(first, last):
                        gain += weights[index] * replies[kind, bid, reply]
                        gain += below[after[kind, bid, reply], left]
                    if reply == 0 or gain > best:
                        best = gain
                total += best * shares[index]
            gains[kind, prizes] = total
    return gains


def classes(text: str, n: int) -> list[Class]:
    """Return the classes of a rule written as ``prizes:cards ...``, or as ``ends T B``."""
    words = text.split()
    if words[0] == "ends":
        top, bottom = map(int, words[1:])
        middle = tuple(range(bottom + 1, n - top + 1))
        ends = [((c,), (c,)) for c in range(1, n + 1) if c not in middle]
        return [*ends, *([(middle, middle)] if middle else [])]
    if text == "random":
        return classes("ends 0 0", n)
    if text == "matching":
        return [((card,), (card,)) for card in range(1, n + 1)]
    rule = []
    for word in words:
        prizes, cards = (tuple(numbers(part)) for part in word.split(":"))
        if len(prizes) != len(cards) or cards != tuple(range(cards[0], cards[-1] + 1)):
            raise ValueError(f"a class must have as many neighbouring cards as prizes, got {word}")
        rule.append((prizes, cards))
    for side in zip(*rule, strict=True):
        if sorted(card for part in side for card in part) != list(range(1, n + 1)):
            raise ValueError(
                f"a rule must have every prize and card from 1 to {n} once, got {text!r}"
            )
    return rule


def numbers(text: str) -> Iterator[int]:
    """Yield the numbers of a list such as ``1-3,11``."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def by_class(rule: Sequence[Class], prizes: Sequence[int]) -> list[Round]:
    """Return the rounds of a rule of classes with these prizes left."""
    rounds = []
    for part, cards in rule:
        left = [prize for prize in part if prize in prizes]
        lower = sum(p in prizes for other, own in rule if own < cards for p in other)
        rounds += [Round(prize, lower, lower + len(left)) for prize in left]
    return rounds


def by_place(words: Sequence[int], prizes: Sequence[int]) -> list[Round]:
    """Return the rounds of a rule ``near D U T`` with these prizes left, ascending."""
    down, up, top = words
    size = len(prizes)
    return [
        Round(prize, max(place - down, 0), min(place + up + 1, size))
        if place < size - top
        else Round(prize, size - 1, size)
        for place, prize in enumerate(prizes)
    ]


def price(text: str, n: int) -> Fraction | float:
    """Return what the best response to a rule gains, in points: exact for a rule of classes, else a float."""
    near = text.startswith("near ")
    rule = [] if near else classes(text, n)
    words = list(map(int, text.split()[1:])) if near else []
    below: np.ndarray = np.zeros((1, 1), dtype=np.float64 if near else np.int64)
    rank = {(): 0}
    for size, layer in enumerate(layers(n), start=1):
        sets = list(combinations(range(1, n + 1), size))
        starts, rounds, weights, shares = [0], [], [], []
        for prizes in sets:
            counts = [sum(p in prizes for p in part) for part, _ in rule]
            scale = factorial(size) * prod(map(factorial, counts))
            for prize, first, last in by_place(words, prizes) if near else by_class(rule, prizes):
                rounds.append((first, last, rank[tuple(p for p in prizes if p != prize)]))
                drawn = size * (last - first)
                weights.append(float(prize) if near else prize * (scale // drawn))
                shares.append(1 / drawn if near else 1)
                if not near and sum(prizes) * (scale // size) >= LIMIT:
                    raise ValueError("the scaled gains of this rule do not fit into 64 bits")
            if not near and size < n and sum(prizes) * scale >= LIMIT:
                raise ValueError("the scaled gains of this rule do not fit into 64 bits")
            starts.append(len(rounds))
        if (
            size == n
        ):  # one state: each round by itself, so that only their sum may be longer than 64 bits
            starts = list(range(len(rounds) + 1))
        kind = below.dtype
        below = gains_of(
            *layer,
            np.array(starts),
            np.array(rounds),
            np.array(weights, kind),
            np.array(shares, kind),
            below,
        )
        rank = {prizes: row for row, prizes in enumerate(sets)}
    if near:
        return float(below.sum())
    return Fraction(
        sum(map(int, below[0])), factorial(n) * prod(factorial(len(part)) for part, _ in rule)
    )


def candidates(n: int) -> Iterator[str]:
    """Yield rules of at most four runs of neighbouring prizes, each with a run of cards, and rules by place."""
    for parts in (1, 2, 3, 4):
        for cuts in combinations(range(1, n), parts - 1):
            ends = (0, *cuts, n)
            runs = [(low + 1, high) for low, high in pairwise(ends)]
            for order in permutations(range(parts)):
                used, cards = 0, {}
                for run in order:
                    low, high = runs[run]
                    cards[run] = used + 1
                    used += high - low + 1
                yield from (
                    " ".join(
                        f"{low}-{high}:{cards[run]}-{cards[run] + high - low}"
                        if drawn[run]
                        else " ".join(f"{low + i}:{cards[run] + i}" for i in range(high - low + 1))
                        for run, (low, high) in enumerate(runs)
                    )
                    for drawn in product((True, False), repeat=parts)
                    if all(
                        draw or low < high for draw, (low, high) in zip(drawn, runs, strict=True)
                    )
                )
    for down, up, top in product(range(n), range(n), range(3)):
        yield f"near {down} {up} {top}"


def main() -> None:
    """Print the price of each rule, or search for the cheapest ones."""
    parser = argparse.ArgumentParser(description="price rules that a person can remember")
    parser.add_argument("rules", nargs="*")
    parser.add_argument("--n", type=int, default=13)
    parser.add_argument("--search", action="store_true", help="find the cheapest rules")
    parser.add_argument("--top", type=int, default=10, help="rules to print after a search")
    options = parser.parse_args()
    for text in options.rules:
        gain = price(text, options.n)
        print(f"{float(gain):10.6f}  {gain}  {text}", flush=True)
    if options.search:
        prices = {text: price(text, options.n) for text in dict.fromkeys(candidates(options.n))}
        for text, gain in sorted(prices.items(), key=lambda pair: pair[1])[: options.top]:
            print(f"{float(gain):10.6f}  {gain}  {text}")
        print(f"of {len(prices)} rules")


if __name__ == "__main__":
    main()
