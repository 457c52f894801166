"""Prices of rules that a person can remember, beside best responses and expectations of policies."""

import sys
from fractions import Fraction

import pytest
from places import ROOT

import gops_exact as gx
from gops_exact import players

sys.path.append(str(ROOT / "benchmarks"))
import card_rules

LIKE_0108 = "1-2,5:1-3 3:4 4:5"
"""Of five cards: one more than the prize for 3 and 4, else one of the three lowest cards."""


class ByClass(players.Memoryless):
    """Draws a card, all equally likely, from the cards of the prize's class that are still held."""

    def __init__(self, text, n):
        self.classes = card_rules.classes(text, n)

    def bids(self, view):
        cards = next(cards for prizes, cards in self.classes if view.upcard in prizes)
        held = [card for card in cards if card in view.hand]
        return dict.fromkeys(held, Fraction(1, len(held)))


RULES = [(LIKE_0108, 5), ("ends 1 1", 5), ("random", 4), ("matching", 5)]


@pytest.mark.parametrize(("text", "n"), RULES)
def test_prices_are_what_best_responses_gain(text, n):
    gain = players.best_response(ByClass(text, n), gx.Game(n)).gain
    assert str(card_rules.price(text, n)) == str(gain)
