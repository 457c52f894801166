"""Policies that fit a line."""

from collections.abc import Mapping
from random import Random

from flint import fmpq

from gops_exact.arguments import LARGEST, integer
from gops_exact.game.rules import Hand
from gops_exact.players.policy import Memoryless, Pure
from gops_exact.players.view import View


class Uniform(Memoryless):
    """Every card of the hand is as likely: the random player (Ross 1971)."""

    name = "random"
    ordinal = True
    blind = True

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return 1/k for each of k cards."""
        share = fmpq(1, len(view.hand))
        return dict.fromkeys(view.hand, share)

    def bid(self, view: View, rng: Random) -> int:
        """Draw one of the cards."""
        return rng.choice(view.hand)


class UpcardPlus(Pure):
    """Bid the upcard plus k, from the lowest card on again where that is beyond the highest.

    With k = 0 it matches the upcard, the best reply to the random player (Ross 1971); with k = 1 it
    is the reply to matching, and so on. From a whole game on it always holds the card. Where it
    does not, it bids the next higher one, or else its lowest.

    Args:
        more: k.
    """

    blind = True

    def __init__(self, more: int) -> None:
        self.more = integer(more, "more", -LARGEST, LARGEST)
        self.name = f"upcard+{self.more}" if self.more else "matching"

    def card(self, view: View) -> int:
        """Return the card for the upcard.

        Raises:
            ValueError: if the upcard is hidden.
        """
        if view.upcard is None:
            raise ValueError(f"policy {self.name!r} needs to see the upcard, got hidden prizes")
        return at_least(view.hand, shifted(view.upcard, self.more, view.n))


class Highest(Pure):
    """Bid the highest card."""

    name = "highest"
    ordinal = True
    blind = True

    def card(self, view: View) -> int:
        """Return the last of the hand."""
        return view.hand[-1]


class Lowest(Pure):
    """Bid the lowest card."""

    name = "lowest"
    ordinal = True
    blind = True

    def card(self, view: View) -> int:
        """Return the first of the hand."""
        return view.hand[0]


def at_least(hand: Hand, wanted: int) -> int:
    """Return the lowest card that is not below `wanted`, or else the lowest of all.

    >>> at_least((1, 4, 6), 4), at_least((1, 4, 6), 5), at_least((1, 4, 6), 7)
    (4, 6, 1)
    """
    return next((card for card in hand if card >= wanted), hand[0])


def at_most(hand: Hand, wanted: int) -> int:
    """Return the highest card that is not above `wanted`, or else the lowest of all.

    >>> at_most((3, 4, 6), 5), at_most((3, 4, 6), 2)
    (4, 3)
    """
    return next((card for card in reversed(hand) if card <= wanted), hand[0])


def above(hand: Hand, other: float) -> int | None:
    """Return the lowest card above `other`, if there is one.

    >>> above((3, 4, 6), 4), above((3, 4, 6), 6)
    (6, None)
    """
    return next((card for card in hand if card > other), None)


def shifted(upcard: int, more: int, n: int) -> int:
    """Return the upcard plus `more`, from 1 on again after n.

    >>> shifted(12, 1, 13), shifted(12, 3, 13)
    (13, 2)
    """
    return (upcard + more - 1) % n + 1
