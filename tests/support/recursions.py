"""GOPS as a tree that says what happens at each state; and rules."""

from itertools import product
from typing import NamedTuple

import gops_exact as gx
from gops_exact.extensive import Chance, Simultaneous
from gops_exact.game.rules import winner_of, without

OBJECTIVES, TIES = ("points", "win"), ("discard", "carryover")
ORDERS = ("random", "hidden", "ascending", "descending")
RULE_SETS = [gx.Rules(*rule) for rule in product(OBJECTIVES, TIES, ORDERS)]
EVERY_RULE = [rules for rules in RULE_SETS if rules.prizes != "ascending"]


class Round(NamedTuple):
    hands: tuple
    prizes: tuple
    standing: tuple
    known: tuple = ("", "")  # by the players, where bids are hidden
    gained: int = 0
    upcard: int | None = None
    bids: tuple = ()


class Gops:
    """The game that begins at a position; `hidden` is the game with hidden bids, which names information sets."""

    def __init__(self, position, hidden=None):
        self.rules, self.hidden = position.rules, hidden
        self.start = Round((position.one, position.two), position.prizes, position.state)

    def at(self, state):
        rules, draws = self.rules, self.rules.draws(state.prizes)
        end = rules.decided(state.prizes, state.standing)
        if end is not None and not (self.hidden and state.prizes):
            return state.gained + end
        upcard = draws[0].upcard if len(draws) == 1 else state.upcard
        if upcard is None and (state.bids or not rules.hidden):
            of = 1 if rules.fixed else len(state.prizes)
            later = (self.after(state, draw.upcard) for draw in draws)
            return Chance({after: f"{d.times}/{of}" for d, after in zip(draws, later, strict=True)})
        pairs = {bids: state._replace(bids=bids) for bids in product(*state.hands)}
        if upcard is not None:
            pairs = {bids: self.after(later, upcard) for bids, later in pairs.items()}
        names = tuple(f"{known}{upcard}" for known in state.known) if self.hidden else (None, None)
        return Simultaneous(pairs, names)

    def after(self, state, prize):
        """The state after a prize is turned up, or after a round for it if both have bid."""
        if not state.bids:
            return state._replace(upcard=prize)
        rules, (bid, reply) = self.rules, state.bids
        winner = winner_of(bid, reply)
        (rest,) = (draw.rest for draw in rules.draws(state.prizes) if draw.upcard == prize)
        known = state.known
        if self.hidden:
            records = (bid, reply), (reply, bid)
            known = tuple(
                f"{name}{prize}{self.hidden.record(player, *record)}"
                for player, (name, record) in enumerate(zip(known, records, strict=True))
            )
        hands = without(state.hands[0], bid), without(state.hands[1], reply)
        standing = rules.after(state.standing, prize, winner)
        gained = state.gained + rules.gain(state.standing, prize, winner)
        return Round(hands, rest, standing, known, gained)
