"""The sequence form of games with hidden bids, built by arrays, beside that of the same game node by node."""

from itertools import product

import pytest
from recursions import Gops

import gops_exact as gx
from gops_exact.extensive import HiddenBids
from gops_exact.extensive.trees import sequence_form


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
        assert listed(hidden.form) == listed(sequence_form(Gops(hidden.game.start, hidden)))
