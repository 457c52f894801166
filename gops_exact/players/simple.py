"""Simple policies: random, the upcard plus k, highest and lowest card, and a published table."""

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
"""Numbers of cards of the published tables."""

SOURCE = "data/rhoads_2011_first_move.csv"
"""G. C. Rhoads, The Game of Pure Strategy, web page, 2011: first moves for N = 5 to 13 as printed,
misprints included (upcard, card and probability, four decimals mostly)."""


class Uniform(Memoryless):
    """The random player (Ross 1971): all cards of the hand are equally likely."""

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
    """The policy that bids the upcard plus k, less n where that is above the highest card, n.

    With k = 0 it matches the upcard, which is the best reply to the random player (Ross 1971). With k = 1
    it is the reply to matching, and so on. In a game played from its start it always holds that card. If it
    does not, it bids the next higher card that it holds, or else its lowest. Where the prizes are not
    1 … n, the upcard counts as its rank among them, and the lowest rank if prizes are equal.

    Args:
        more: k, any integer.

    >>> UpcardPlus(3), UpcardPlus(0)
    (<policy upcard+3>, <policy matching>)
    """

    blind = True

    def __init__(self, more: int) -> None:
        self.more = integer(more, "more", -LARGEST, LARGEST)
        self.name = f"upcard+{self.more}" if self.more else "matching"

    def card(self, view: View) -> int:
        """Return the upcard plus k; a ValueError if the upcard is hidden."""
        if view.upcard is None:
            raise ValueError(f"policy {self.name!r} needs to see the upcard, got hidden prizes")
        rank = view.deck.index(view.upcard) + 1 if view.deck else view.upcard
        return at_least(view.hand, shifted(rank, self.more, view.n))


class SemiDeterministic(Memoryless):
    """The policy of Grimes and Dror (2013): the upcard and one above it, 2/5 each, and 1/5 for all cards.

    A card that it does not hold is replaced as by :class:`UpcardPlus`.
    """

    name = "semi-deterministic"
    blind = True

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return 2/5 for each of the two cards, and 1/5 shared by all cards."""
        chances = Uniform().bids(view)
        chances = {card: chance / 5 for card, chance in chances.items()}
        for more in (0, 1):
            chances[UpcardPlus(more).card(view)] += fmpq(2, 5)
        return chances


class Extreme(Pure):
    """The policy that always bids its ``"highest"`` card, or its ``"lowest"``, by its name."""

    ordinal = True
    blind = True

    def __init__(self, name: str) -> None:
        self.name = name

    def card(self, view: View) -> int:
        """Return the highest or the lowest card of the hand."""
        return view.hand[-1 if self.name == "highest" else 0]


class Published(Memoryless):
    """The first-move table of Rhoads (2011) for n cards, 5 to 13, used in every round.

    Bids have the probabilities of the upcard's column, restricted to the cards still held and divided by
    their sum. The table is for whole hands, so later bids are not optimal. If all cards still held have the
    probability 0, the lowest card is bid.

    Args:
        n: cards a side.

    Raises:
        ValueError: if there is no table for n cards.
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
    """Return the weights of the cards held, by the published table.

    Args:
        n: cards a side of the table.
        upcard: the prize whose column is used.
        hand: the cards held.

    Returns:
        {card: positive weight}; the lowest card alone if no card held has a weight.

    >>> published_weights(13, 1, (1, 2, 3)), published_weights(13, 1, (5, 6))
    ({2: 41440, 3: 8970}, {5: 1})
    """
    columns = first_move_weights(n)
    if upcard not in columns:
        raise ValueError(f"the published table for {n} cards has no column for upcard {upcard!r}")
    return {card: columns[upcard][card] for card in hand if card in columns[upcard]} or {hand[0]: 1}


@cache  # of each table that there is, nine at most; other numbers raise
def first_move_weights(n: int) -> dict[int, dict[int, int]]:
    """Return {upcard: {card: printed probability in units of 10⁻⁵}} without zeros, or raise a ValueError.

    The sum of a column may differ from 1, as printed.
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
    """Return the lowest card that is at least `wanted`; the lowest of all if there is none."""
    return next((card for card in hand if card >= wanted), hand[0])


def at_most(hand: Hand, wanted: int) -> int:
    """Return the highest card that is at most `wanted`; the lowest of all if there is none."""
    return next((card for card in reversed(hand) if card <= wanted), hand[0])


def above(hand: Hand, other: float) -> int | None:
    """Return the lowest card above `other`; None if there is none."""
    return next((card for card in hand if card > other), None)


def shifted(upcard: int, more: int, n: int) -> int:
    """Return the upcard plus `more`, where 1 follows n."""
    return (upcard + more - 1) % n + 1
