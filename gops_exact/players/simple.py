"""Policies that fit a line, and the one of a published table."""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from random import Random

from flint import fmpq

from gops_exact.arguments import LARGEST, integer, positive_integer, shown
from gops_exact.game.rules import Hand
from gops_exact.numbers.raw import rational
from gops_exact.players.policy import Memoryless, Pure, View, by_weight

SOURCE = "data/rhoads_2011_first_move.csv"
"""G. C. Rhoads, The Game of Pure Strategy, web page, 2011: first moves for N = 5 to 13 as printed,
misprints included (upcard, card and probability, four decimals mostly)."""


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


class Published(Memoryless):
    """The first-move table of Rhoads (2011) for n cards, used all game long.

    The column of the upcard, cut down to the cards still held and scaled to the sum 1. As the table
    is for whole hands only, this is not optimal beyond the first bid. Where the column has nothing
    for any card held, the lowest card is bid.

    Args:
        n: cards a side, 5 to 13.

    Raises:
        ValueError: if there is no table for n.
    """

    name = "published"
    blind = True

    def __init__(self, n: int) -> None:
        self.weights = first_move_weights(positive_integer(n, "n"))

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return the renormalised column of the upcard.

        Raises:
            ValueError: if the upcard is hidden, or the deck is not the table's.
        """
        held = self.held(view)
        total = sum(held.values())
        return {card: fmpq(weight, total) for card, weight in held.items()}

    def bid(self, view: View, rng: Random) -> int:
        """Draw a card by its weight."""
        return by_weight(self.held(view), rng)

    def held(self, view: View) -> Mapping[int, int]:
        """Return the weights of the cards held, in the upcard's column."""
        if view.upcard not in self.weights:
            raise ValueError(
                f"the published table for {len(self.weights)} cards has no column for upcard "
                f"{view.upcard!r}"
            )
        return held_weights(self.weights[view.upcard], view.hand)


def held_weights(weights: Mapping[int, int], hand: Hand) -> Mapping[int, int]:
    """Return the weights of the cards of a hand; all on the lowest one where none has any.

    >>> held_weights({1: 20, 2: 60, 3: 20}, (1, 3, 4)), held_weights({1: 20}, (3, 4))
    ({1: 20, 3: 20}, {3: 1})
    """
    return {card: weights[card] for card in hand if card in weights} or {hand[0]: 1}


@cache
def first_move_weights(n: int) -> dict[int, dict[int, int]]:
    """Return {upcard: {card: printed probability in units of 10⁻⁵}}, zeros left out.

    A column need not have the sum 1, as printed.

    Raises:
        ValueError: if there is no table for n.

    >>> first_move_weights(13)[1]
    {2: 41440, 3: 8970, 4: 49590}
    """
    weights: dict[int, dict[int, int]] = {}
    text = files("gops_exact.players").joinpath(SOURCE).read_text(encoding="ascii")
    for row in csv.DictReader(text.splitlines()):
        if int(row["n"]) == n:
            column = weights.setdefault(int(row["upcard"]), {})
            weight = rational(row["printed_probability"]) * 100_000
            if weight != 0:
                column[int(row["card"])] = int(weight.p)
    if not weights:
        raise ValueError(f"there are published tables for 5 to 13 cards, got {shown(n)}")
    return weights


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
