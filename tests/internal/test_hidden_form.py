"""The sequence form of games with hidden bids, built by arrays, beside that of the same game node by node."""

from itertools import product
from typing import NamedTuple

import pytest

import gops_exact as gx
from gops_exact.extensive import Chance, HiddenBids, Simultaneous
from gops_exact.extensive.trees import sequence_form
from gops_exact.game.rules import LEVEL, winner_of, without


class Round(NamedTuple):
    hands: tuple
    prizes: tuple
    standing: tuple = LEVEL
    known: tuple = ("", "")
    gained: int = 0
    upcard: int | None = None


class NodeByNode:
    """The game with hidden bids as a tree that says what happens at each state."""

    def __init__(self, hidden):
        self.hidden, self.rules = hidden, hidden.game.rules
        self.start = Round((hidden.game.hand,) * 2, hidden.game.prizes)

    def at(self, state):
        if isinstance(state, int):
            return state
        rules, draws = self.rules, {draw.upcard: draw for draw in self.rules.draws(state.prizes)}
        upcard = next(iter(draws)) if len(draws) == 1 else state.upcard
        if upcard is None:
            return Chance({state._replace(upcard=prize): f"1/{len(draws)}" for prize in draws})
        rest = draws[upcard].rest
        names = [f"{known}{upcard}" for known in state.known]
        later = {}
        for bid, reply in product(*state.hands):
            winner = winner_of(bid, reply)
            standing = rules.after(state.standing, upcard, winner)
            gained = state.gained + rules.gain(state.standing, upcard, winner)
            if not rest:
                later[bid, reply] = rules.decided((), standing) if rules.winning else gained
                continue
            known = tuple(
                name + self.hidden.record(player, own, other, sign)
                for player, (name, own, other, sign) in enumerate(
                    ((names[0], bid, reply, winner), (names[1], reply, bid, -winner))
                )
            )
            hands = without(state.hands[0], bid), without(state.hands[1], reply)
            later[bid, reply] = Round(hands, rest, standing, known, gained)
        return Simultaneous(later, tuple(names))


def listed(form):
    """All that a form holds, in order."""
    sides = [
        ([(name, before, list(after.items())) for name, (before, after) in side.sets.items()])
        for side in form.sides
    ]
    payoffs = [*zip(map(tuple, form.pairs.tolist()), form.payoffs.tolist(), strict=True)]
    return sides, [side.forced for side in form.sides], payoffs, form.scale, form.leaves


RULES = product(
    ("points", "win"), ("discard", "carryover"), ("random", "descending", "ascending", (2, 3, 1))
)


@pytest.mark.parametrize("rules", [gx.Rules(*rule) for rule in RULES], ids=str)
def test_the_form_by_arrays_is_that_of_the_tree(rules):
    """Names, numbers and order are equal, too, since documents depend on them."""
    sizes = (3,) if isinstance(rules.prizes, tuple) else (1, 2, 3, 4) if rules.fixed else (1, 2, 3)
    for n, seen in product(sizes, product((False, True), repeat=2)):
        hidden = HiddenBids(gx.Game(n, rules), seen)
        assert listed(hidden.form) == listed(sequence_form(NodeByNode(hidden)))
