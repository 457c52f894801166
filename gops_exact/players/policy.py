"""How a player bids.

A policy is asked for a card whenever it is its turn, and sees a :class:`~gops_exact.players.view.View`.
It keeps nothing itself that is not in the view, so one policy can play many matches at once. A
*memoryless* policy looks at the position alone, and says with which probability it bids each card;
that makes it possible to measure it exactly.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from random import Random

from flint import fmpq

from gops_exact.arguments import shown
from gops_exact.numbers import rational
from gops_exact.players.sampling import draw
from gops_exact.players.view import View


class BidError(ValueError):
    """A bid that is not in the hand, or probabilities that are none."""


class Policy(ABC):
    """A way to play.

    Attributes:
        name: what it is called in tables and messages.
    """

    name: str

    @abstractmethod
    def bid(self, view: View, rng: Random) -> int:
        """The card to bid, one of ``view.hand``.

        Args:
            view: what the player sees.
            rng: the player's own source of randomness.
        """

    def __repr__(self) -> str:
        return f"<policy {self.name}>"


class Memoryless(Policy):
    """A policy that looks at the position alone: hands, prizes, upcard, margin and pot.

    Attributes:
        ordinal: whether it sees the hands only through how their cards interleave.
        blind: whether it looks at neither the opponent's hand nor the margin nor the pot.
    """

    ordinal: bool = False
    blind: bool = False

    @abstractmethod
    def bids(self, view: View) -> Mapping[int, object]:
        """{card: probability}, exact rationals with the sum 1; cards left out are not bid."""

    def bid(self, view: View, rng: Random) -> int:
        """A card drawn by its exact probability.

        Raises:
            BidError: if the probabilities are none.
        """
        return draw(dict(checked_bids(self, view)), rng)


class Pure(Memoryless):
    """A memoryless policy that leaves nothing to chance."""

    @abstractmethod
    def card(self, view: View) -> int:
        """The card it bids."""

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """The one card, with certainty."""
        return {self.card(view): fmpq(1)}

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002, the signature is the base's
        """The card; no randomness is used."""
        return self.card(view)


def as_memoryless(policy: object) -> Memoryless:
    """`policy`, or a ``ValueError`` that names what was given."""
    if not isinstance(policy, Memoryless):
        given = repr(policy.name) if isinstance(policy, Policy) else shown(policy)
        raise ValueError(f"only a memoryless policy can be measured, got {given}")
    return policy


def checked_bid(policy: Policy, view: View, rng: Random) -> int:
    """The policy's bid.

    Raises:
        BidError: if it is not a card of its hand.
    """
    card = policy.bid(view, rng)
    if card not in view.hand:
        hand = ", ".join(map(str, view.hand))
        raise BidError(f"policy {policy.name!r} must bid one of {hand}, got {card!r}")
    return card


def checked_bids(policy: Memoryless, view: View) -> list[tuple[int, fmpq]]:
    """The policy's bids with positive probabilities.

    Raises:
        BidError: if one is not a card of its hand, or the probabilities are not.
    """
    given = policy.bids(view)
    try:
        chances = {card: rational(chance) for card, chance in given.items()}
    except ValueError as error:
        raise BidError(f"policy {policy.name!r}: {error}") from error
    bids = [(card, chance) for card, chance in chances.items() if chance != 0]
    for card, _ in bids:
        if card not in view.hand:
            hand = ", ".join(map(str, view.hand))
            raise BidError(f"policy {policy.name!r} must bid one of {hand}, got {card!r}")
    if any(chance < 0 for _, chance in bids) or sum((c for _, c in bids), fmpq(0)) != 1:
        shown = ", ".join(f"{card}: {chance}" for card, chance in bids)
        raise BidError(
            f"policy {policy.name!r} must give probabilities with the sum 1, got {shown}"
        )
    return bids
