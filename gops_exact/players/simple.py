"""Policies that fit a line, and the one of a published table."""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from random import Random

from flint import fmpq

from gops_exact.base.arguments import LARGEST, integer, positive_integer, shown
from gops_exact.game.rules import Hand, Upcard
from gops_exact.numbers.raw import rational
from gops_exact.players.policy import Memoryless, Pure, View, by_weight

PUBLISHED_CARDS = range(5, 14)
"""Numbers of cards that there are published tables for."""

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
    does not, it bids the next higher one, or else its lowest. In a game of other prizes than 1 … n
    the upcard's rank among them takes its place, of equal prizes the lowest.

    `more` is k.
    """

    blind = True

    def __init__(self, more: int) -> None:
        self.more = integer(more, "more", -LARGEST, LARGEST)
        self.name = f"upcard+{self.more}" if self.more else "matching"

    def card(self, view: View) -> int:
        """Return the card for the upcard; a ValueError if that is hidden."""
        if view.upcard is None:
            raise ValueError(f"policy {self.name!r} needs to see the upcard, got hidden prizes")
        rank = view.deck.index(view.upcard) + 1 if view.deck else view.upcard
        return at_least(view.hand, shifted(rank, self.more, view.n))


class SemiDeterministic(Memoryless):
    """Bid the upcard in two rounds of five, one above it in two, and any card in one (Grimes and Dror 2013).

    Where it does not hold such a card it bids as :class:`UpcardPlus` does.
    """

    name = "semi-deterministic"
    blind = True

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return 2/5 for both cards, and 1/5 shared by all."""
        chances = Uniform().bids(view)
        chances = {card: chance / 5 for card, chance in chances.items()}
        for more in (0, 1):
            chances[UpcardPlus(more).card(view)] += fmpq(2, 5)
        return chances


class Extreme(Pure):
    """Bid the ``"highest"`` card, or the ``"lowest"``."""

    ordinal = True
    blind = True

    def __init__(self, name: str) -> None:
        self.name = name

    def card(self, view: View) -> int:
        """Return the last of the hand, or the first."""
        return view.hand[-1 if self.name == "highest" else 0]


class Published(Memoryless):
    """The first-move table of Rhoads (2011) for n cards, 5 to 13, used all game long.

    The column of the upcard, cut down to the cards still held and scaled to the sum 1. As the table
    is for whole hands only, this is not optimal beyond the first bid. Where the column has nothing
    for any card held, the lowest card is bid.
    """

    name = "published"
    blind = True

    def __init__(self, n: int) -> None:
        self.n = positive_integer(n, "n")
        first_move_weights(self.n)

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return the renormalised column of the upcard; a ValueError if the table has none for it."""
        weights = published_weights(self.n, view.upcard, view.hand)
        total = sum(weights.values())
        return {card: fmpq(weight, total) for card, weight in weights.items()}

    def bid(self, view: View, rng: Random) -> int:
        """Draw a card by its weight."""
        return by_weight(published_weights(self.n, view.upcard, view.hand), rng)


def published_weights(n: int, upcard: Upcard, hand: Hand) -> Mapping[int, int]:
    """Return {card: weight} of the cards held, by the published table; the lowest where none has any.

    >>> published_weights(13, 1, (1, 2, 3)), published_weights(13, 1, (5, 6))
    ({2: 41440, 3: 8970}, {5: 1})
    """
    columns = first_move_weights(n)
    if upcard not in columns:
        raise ValueError(f"the published table for {n} cards has no column for upcard {upcard!r}")
    return {card: columns[upcard][card] for card in hand if card in columns[upcard]} or {hand[0]: 1}


@cache
def first_move_weights(n: int) -> dict[int, dict[int, int]]:
    """Return {upcard: {card: printed probability in units of 10⁻⁵}}, zeros left out.

    A column need not have the sum 1, as printed. There is a ValueError if there is no table for n.
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
    """Return the lowest card that is not below `wanted`, or else the lowest of all."""
    return next((card for card in hand if card >= wanted), hand[0])


def at_most(hand: Hand, wanted: int) -> int:
    """Return the highest card that is not above `wanted`, or else the lowest of all."""
    return next((card for card in reversed(hand) if card <= wanted), hand[0])


def above(hand: Hand, other: float) -> int | None:
    """Return the lowest card above `other`, if there is one."""
    return next((card for card in hand if card > other), None)


def shifted(upcard: int, more: int, n: int) -> int:
    """Return the upcard plus `more`, from 1 on again after n."""
    return (upcard + more - 1) % n + 1
