"""Policies, and cards drawn by exact probabilities.

A policy is asked for a card whenever it is its turn, and sees a :class:`~gops_exact.players.view.View`.
It keeps nothing that is not in the view, so one policy can play many matches at once. A *behavioural*
policy gives each card's probability, so that it can be measured exactly; a *memoryless* one looks at
the position alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from contextlib import suppress
from functools import cached_property
from random import Random

from flint import arb, ctx, fmpq

from gops_exact.arguments import instance, integer, shown
from gops_exact.numbers.raw import rational, to_arb
from gops_exact.players.view import Rounds, View

BITS = 64
"""Random bits drawn at a time; one batch decides but for one time in 10¹⁸ or so."""


class BidError(ValueError):
    """A bid that is not in the hand, or probabilities that are none."""


class Policy(ABC):
    """A way to play."""

    @cached_property
    def name(self) -> str:
        """The name in tables and messages: that of the class, unless a policy has its own."""
        return type(self).__name__

    @abstractmethod
    def bid(self, view: View, rng: Random) -> int:
        """Return the card to bid, one of ``view.hand``.

        Args:
            view: what the player sees.
            rng: the player's own source of randomness.
        """

    def __repr__(self) -> str:
        return f"<policy {self.name}>"


class Behavioural(Policy):
    """A behaviour strategy (Kuhn 1953): each card's probability, given the game so far.

    It looks at no earlier games.
    """

    ordinal: bool = False  # True if it sees the hands only through how their cards interleave
    blind: bool = False  # True if it looks at neither the opponent's hand nor margin nor pot

    @abstractmethod
    def bids(self, view: View) -> Mapping[int, object]:
        """Return {card: probability}, exact rationals with the sum 1; cards left out are not bid."""

    def recalled(self, rounds: Rounds) -> Hashable:
        """Return what it looks at of the rounds before, beyond the position: by default all of them.

        In equal positions with equal memories it bids alike, and a further round with the same cards
        leaves equal memories.

        Args:
            rounds: the rounds of this game as the player saw them.
        """
        return rounds

    def bid(self, view: View, rng: Random) -> int:
        """Draw a card by its exact probability.

        Raises:
            BidError: if the probabilities are none.
        """
        return draw(dict(checked_bids(self, view)), rng)


class Memoryless(Behavioural):
    """A policy that looks at the position alone: hands, prizes, upcard, margin and pot."""

    def recalled(self, rounds: Rounds) -> Hashable:  # noqa: ARG002, the signature is the base's
        """Return nothing: the position is enough."""
        return ()


class Pure(Memoryless):
    """A memoryless policy that leaves nothing to chance."""

    @abstractmethod
    def card(self, view: View) -> int:
        """Return the card it bids."""

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return the one card, with certainty."""
        return {self.card(view): fmpq(1)}

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002, the signature is the base's
        """Return the card; no randomness is used."""
        return self.card(view)


def as_behavioural(policy: object) -> Behavioural:
    """Return a policy that gives its probabilities, or raise a ``ValueError``."""
    if not isinstance(policy, Behavioural):
        given = repr(policy.name) if isinstance(policy, Policy) else shown(policy)
        raise ValueError(f"only a policy that gives its probabilities can be measured, got {given}")
    return policy


def checked_bid(policy: Policy, view: View, rng: Random) -> int:
    """Ask a policy for its bid.

    Raises:
        BidError: if it is not a card of its hand.
    """
    return _held(policy, view, policy.bid(view, rng))


def _held(policy: Policy, view: View, bid: object) -> int:
    with suppress(ValueError):
        card = integer(bid, "a bid")
        if card in view.hand:
            return card
    hand = ", ".join(map(str, view.hand))
    raise BidError(f"policy {policy.name!r} must bid one of {hand}, got {shown(bid)}")


def checked_bids(policy: Behavioural, view: View) -> list[tuple[int, fmpq]]:
    """Ask a policy for its bids with positive probabilities.

    Raises:
        BidError: if one is not a card of its hand, or the probabilities are not.
    """
    offered = policy.bids(view)
    try:
        given: Mapping[int, object] = instance(offered, Mapping, "bids", "{card: probability}")
        chances = {card: rational(chance) for card, chance in given.items()}
    except ValueError as error:
        raise BidError(f"policy {policy.name!r}: {error}") from error
    bids = [(_held(policy, view, card), chance) for card, chance in chances.items() if chance != 0]
    if any(chance < 0 for _, chance in bids) or sum((c for _, c in bids), fmpq(0)) != 1:
        found = ", ".join(f"{card}: {chance}" for card, chance in bids)
        raise BidError(
            f"policy {policy.name!r} must give probabilities with the sum 1, got {found}"
        )
    return bids


def draw(probabilities: Mapping[int, fmpq], rng: Random) -> int:
    """Draw a card, each with its probability exactly.

    A uniform number U in [0, 1) is known by its first bits, the cumulative probabilities by balls. More
    bits are drawn until the interval of U that they leave open lies within one card's share. So the card
    is the one that all bits of U would give, and of a denominator of a million digits only the few bits
    that decide are used.

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
    """Draw a card, each with a probability proportional to its weight, exactly.

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
    """Return the card whose share holds all of [drawn, drawn + 1) / 2^bits, or None if it is not clear."""
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
