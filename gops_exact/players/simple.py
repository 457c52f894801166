"""Policies that fit a line."""

from collections.abc import Mapping
from random import Random

from flint import fmpq

from gops_exact.arguments import LARGEST, integer
from gops_exact.players.policy import Memoryless, Pure
from gops_exact.players.view import View


class Uniform(Memoryless):
    """Every card of the hand is as likely: the random player (Ross 1971)."""

    name = "random"
    ordinal = True
    blind = True

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """1/k for each of k cards."""
        share = fmpq(1, len(view.hand))
        return dict.fromkeys(view.hand, share)

    def bid(self, view: View, rng: Random) -> int:
        """One of the cards."""
        return rng.choice(view.hand)


class UpcardPlus(Pure):
    """Bid the upcard plus k, from the lowest card on again where that is beyond the highest.

    With k = 0 it matches the upcard, the best reply to the random player (Ross 1971); with k = 1 it
    is the reply to matching, and so on. From a whole game on it always holds the card. Where it
    does not, it bids the next higher one, or else its lowest.

    Attributes:
        more: k.
    """

    blind = True

    def __init__(self, more: int) -> None:
        self.more = integer(more, "more", -LARGEST, LARGEST)
        self.name = f"upcard+{self.more}" if self.more else "matching"

    def card(self, view: View) -> int:
        """The card for the upcard.

        Raises:
            ValueError: if the upcard is hidden.
        """
        if view.upcard is None:
            raise ValueError(f"policy {self.name!r} needs to see the upcard, got hidden prizes")
        return at_least(view.hand, (view.upcard + self.more - 1) % view.n + 1)


class Highest(Pure):
    """Bid the highest card."""

    name = "highest"
    ordinal = True
    blind = True

    def card(self, view: View) -> int:
        """The last of the hand."""
        return view.hand[-1]


class Lowest(Pure):
    """Bid the lowest card."""

    name = "lowest"
    ordinal = True
    blind = True

    def card(self, view: View) -> int:
        """The first of the hand."""
        return view.hand[0]


def at_least(hand: tuple[int, ...], wanted: int) -> int:
    """The lowest card that is not below `wanted`, or else the lowest of all.

    >>> at_least((1, 4, 6), 4), at_least((1, 4, 6), 5), at_least((1, 4, 6), 7)
    (4, 6, 1)
    """
    return next((card for card in hand if card >= wanted), hand[0])
