"""Play every round by the published first-move table, renormalised over the cards still held."""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from random import Random

from flint import fmpq

from gops_exact.arguments import positive_integer, shown
from gops_exact.game.rules import Hand
from gops_exact.numbers import rational
from gops_exact.players.policy import Memoryless, by_weight
from gops_exact.players.view import View

SOURCE = "data/rhoads_2011_first_move.csv"
"""G. C. Rhoads, The Game of Pure Strategy, web page, 2011: first moves for N = 5 to 13 as printed,
misprints included (upcard, card and probability, four decimals mostly)."""


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
