"""Draw a card by exact probabilities, without rounding any of them.

A uniform number U in [0, 1) is known by its first bits, the cumulative probabilities by balls. As
long as the interval of U that the bits leave open does not lie within one card's share, more bits
are drawn. So the card is the one that all the bits of U would give, and a denominator of a million
digits is never looked at beyond the few bits that decide.
"""

from collections.abc import Mapping
from random import Random

from flint import arb, ctx, fmpq

from gops_exact.numbers import to_arb

BITS = 64
"""Bits of U drawn at a time; one batch decides but for one time in 10¹⁸ or so."""


def draw(probabilities: Mapping[int, fmpq], rng: Random) -> int:
    """A card, each with its probability exactly.

    Args:
        probabilities: {card: probability}, at least 0 and with the sum 1, which is not checked.
        rng: where the random bits come from.

    >>> draw({2: fmpq(1, 3), 5: fmpq(2, 3)}, Random(1)), draw({4: fmpq(1)}, Random(1))
    (5, 4)
    """
    chances = [(card, chance) for card, chance in probabilities.items() if chance != 0]
    if len(chances) == 1:
        return chances[0][0]
    bits = drawn = 0
    while True:
        bits += BITS
        drawn = drawn << BITS | rng.getrandbits(BITS)
        card = _settled(chances, drawn, bits)
        if card is not None:
            return card


def by_weight(weights: Mapping[int, int], rng: Random) -> int:
    """A card, each with a probability proportional to its weight, exactly.

    >>> by_weight({2: 1, 5: 2}, Random(1))
    2
    """
    place = rng.randrange(sum(weights.values()))
    for card, weight in weights.items():
        place -= weight
        if place < 0:
            return card
    raise ValueError("weights must be positive integers, got none")


def _settled(chances: list[tuple[int, fmpq]], drawn: int, bits: int) -> int | None:
    """The card whose share holds all of [drawn, drawn + 1) / 2^bits, or None if it is not clear."""
    with ctx.workprec(bits + BITS):
        low = arb(drawn) / arb(1 << bits)
        high = arb(drawn + 1) / arb(1 << bits)
        start = arb(0)
        for card, chance in chances[:-1]:
            end = start + to_arb(chance, bits + BITS)
            if low >= start and high <= end:
                return card
            start = end
        # What is left is the last card's, whose share ends at 1 exactly.
        return chances[-1][0] if low >= start else None
