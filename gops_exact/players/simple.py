"""Simple policies: random, the upcard plus k, semi-deterministic, highest and lowest card, and a published table.

A *policy* is a rule that chooses a card in each round of the game. The bids of a *memoryless* policy depend only on the
position. The *upcard* is the prize turned up in a round. The players begin with the cards 1 … n. A *first move* is an
optimal strategy for the first bid after a given upcard: a probability for each card.
"""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from random import Random

from flint import fmpq

from gops_exact.base.arguments import LARGEST, integer, shown
from gops_exact.game.rules import Hand, Upcard
from gops_exact.numbers.exact import rational
from gops_exact.players.policy import Memoryless, Pure, View

PUBLISHED_CARDS = range(5, 14)
"""The numbers of cards a side for which there are published tables."""

SOURCE = "data/rhoads_2011_first_move.csv"
"""File of the published tables: G. C. Rhoads, The Game of Pure Strategy, web page, 2011. The file has the first moves
for n = 5 to 13 as they were printed, misprints included, mostly with four digits after the point."""


class Uniform(Memoryless):
    """The random player (Ross 1971): all cards of the hand are equally likely."""

    name = "random"
    ordinal = True
    blind = True

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return {card: 1/k} for the k cards of the hand."""
        return dict.fromkeys(view.hand, fmpq(1, len(view.hand)))

    def bid(self, view: View, rng: Random) -> int:
        """Draw one of the cards of the hand, each with the same probability."""
        return rng.choice(view.hand)


class UpcardPlus(Pure):
    """Policy that bids the upcard plus k, counted cyclically: 1 follows the highest card, n.

    With k = 0 the policy matches the upcard, which is the best reply to the random player (Ross 1971). With
    k = 1 it wins all prizes but one against matching, with k = 2 all but one against k = 1, and so on. If the prizes
    are not 1 … n, the upcard is replaced by its rank among them; equal prizes have the lowest of their ranks. In a game
    of distinct prizes the policy always holds the card to bid, if it plays from the start. If it lacks the card, it bids
    the next higher card that it holds, or else its lowest card.

    Args:
        more: k, an integer; negative k count downwards.

    >>> UpcardPlus(3), UpcardPlus(0)
    (<policy upcard+3>, <policy matching>)
    """

    blind = True

    def __init__(self, more: int) -> None:
        self.more = integer(more, "more", -LARGEST, LARGEST)
        self.name = f"upcard+{self.more}" if self.more else "matching"

    def card(self, view: View) -> int:
        """Return the card to bid.

        Raises:
            ValueError: if the upcard is hidden.
        """
        if view.upcard is None:
            raise ValueError(f"policy {self.name!r} needs to see the upcard, got hidden prizes")
        rank = view.deck.index(view.upcard) + 1 if view.deck else view.upcard
        wanted = (rank + self.more - 1) % view.n + 1
        return next((card for card in view.hand if card >= wanted), view.hand[0])


class SemiDeterministic(Memoryless):
    """Policy of Grimes and Dror (2013), which bids the upcard or the next card, or else a random card of the hand.

    The card equal to the upcard and the next higher card have probability 2/5 each. The remaining 1/5 is shared
    equally by all cards of the hand. After the highest card, n, the next card is 1. If the hand lacks one of the two
    cards, its probability goes to the next higher card of the hand, or else to the lowest card. If the prizes are not
    1 … n, the upcard is replaced by its rank among them; equal prizes have the lowest of their ranks.
    """

    name = "semi-deterministic"
    blind = True

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return {card: probability}: 2/5 for each of two cards, plus 1/5 shared equally by all cards of the hand.

        The two cards are those that :class:`UpcardPlus` bids with k = 0 and with k = 1. They may be the same card.

        Raises:
            ValueError: if the upcard is hidden.
        """
        chances = {card: chance / 5 for card, chance in Uniform().bids(view).items()}
        for more in (0, 1):
            chances[UpcardPlus(more).card(view)] += fmpq(2, 5)
        return chances


class Extreme(Pure):
    """Policy that always bids the highest card, or always the lowest card, of the hand.

    Args:
        name: ``"highest"`` or ``"lowest"``, the card to bid. It is also the name of the policy.
    """

    ordinal = True
    blind = True

    def __init__(self, name: str) -> None:
        self.name = name

    def card(self, view: View) -> int:
        """Return the highest or the lowest card of the hand."""
        return view.hand[-1 if self.name == "highest" else 0]


class Published(Memoryless):
    """Policy that uses Rhoads's table (2011) of optimal first bids with n cards, 5 to 13, in every round.

    The policy takes the table's probabilities of the cards that it still holds, for the present upcard, and divides
    them by their sum. If all these probabilities are 0, it bids its lowest card. The table is made for the first round,
    so later bids are not optimal.

    Args:
        n: cards a side.

    Raises:
        ValueError: if there is no table for n cards.
    """

    name = "published"
    blind = True

    def __init__(self, n: int) -> None:
        self.n = integer(n, "n", 1)
        self.columns = published_table(self.n)

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return {card: probability}: the table's numbers for the upcard and the hand, divided by their sum.

        If all these numbers are 0, the result is {lowest card: 1}.

        Raises:
            ValueError: if the published table has no column for the upcard.
        """
        weights = self.weights(view.upcard, view.hand)
        total = sum(weights.values())
        return {card: fmpq(weight, total) for card, weight in weights.items()}

    def bid(self, view: View, rng: Random) -> int:
        """Draw a card of the hand with the probabilities that :meth:`bids` returns.

        Raises:
            ValueError: if the published table has no column for the upcard.
        """
        weights = self.weights(view.upcard, view.hand)
        return rng.sample([*weights], 1, counts=weights.values())[0]

    def weights(self, upcard: Upcard, hand: Hand) -> dict[int, int]:
        """Return {card: weight} for the cards of a hand that may be bid for an upcard.

        A weight is the card's probability in the table, in units of 10⁻⁵. If all these probabilities are 0, the result
        is {lowest card: 1}.

        Raises:
            ValueError: if the published table has no column for the upcard.

        >>> Published(13).weights(1, (1, 2, 3)), Published(13).weights(1, (5, 6))
        ({2: 41440, 3: 8970}, {5: 1})
        """
        if upcard not in self.columns:
            raise ValueError(
                f"the published table for {self.n} cards has no column for upcard {upcard!r}"
            )
        column = self.columns[upcard]
        return {card: column[card] for card in hand if card in column} or {hand[0]: 1}


@cache  # at most nine tables, as other numbers of cards raise an error
def published_table(n: int) -> dict[int, dict[int, int]]:
    """Return the table of Rhoads (2011) for n cards as {upcard: {card: printed probability in units of 10⁻⁵}}.

    Cards of probability 0 are left out. The probabilities of an upcard need not add up to 1, since some were rounded or
    misprinted.

    Raises:
        ValueError: if there is no table for n cards.
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
