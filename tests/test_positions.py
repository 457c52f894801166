"""Any position in any arithmetic, against exact values: all rules, hands with gaps, margins, pots.

    python tests/test_positions.py 1000 [SEED]

compares as many random positions of up to five cards a side; the suite takes fewer.
"""

import sys
from collections import Counter
from itertools import cycle, islice, product
from random import Random

import pytest
from flint import fmpq

import gops_exact as gx
from gops_exact.game.rules import OBJECTIVES, TIES
from gops_exact.numbers.kinds import BoundedFloat, ResidueClass
from gops_exact.solver.by_layers import BRACKET

RULES = list(product(OBJECTIVES, TIES, ("random", "hidden", "descending", "as they come")))

MOST = 5
"""Cards a side that take no time exactly."""

WIDEST = 1e-8
"""More than the radius of any number that is proved."""


def random_position(rng, rules, size=None):
    """A position that need not be of a game of 1 … n; a prize is turned up where bids follow one."""
    objective, ties, order = rules
    size = size or rng.choice((1, 2, 2, 3, 3, 3, 4, 4, MOST))
    one, two = (
        rng.sample(range(1, rng.choice((size, size + 2, 13, 40)) + 1), size) for _ in range(2)
    )
    prizes = [rng.randint(1, rng.choice((2, 5, 13, 30))) for _ in range(size)]
    position = gx.Position(
        *(one, two, prizes),
        rules=gx.Rules(objective, ties, tuple(prizes) if order == "as they come" else order),
        margin=rng.choice((0, rng.randint(-15, 15))),
        pot=rng.randint(0, 12) if ties == "carryover" else 0,
    )
    if position.rules.hidden:
        return position
    return position.at(position.prizes[0] if position.rules.fixed else rng.choice(prizes))


def unturned(position):
    """The position before its prize is turned up."""
    return gx.Position(
        *(position.one, position.two, position.prizes),
        rules=position.rules,
        margin=position.margin,
        pot=position.pot,
    )


def compare(position):
    """Compare all there is to know of a position with the exact numbers; return the floats' method."""
    exact, payoffs = gx.solve(position, store=":memory:"), gx.payoff_matrix(position)
    gains, value = gx.bid_gains(position), gx.value(unturned(position))
    for kind in gx.Float(), gx.Ball(20), gx.Residue():
        found = gx.solve(position, kind)
        known = gains
        if not found.proved:
            # The reason that floats have for it.
            assert (kind.name, found.method, exact.unique) == ("float", BRACKET, False)
            known = {
                card: sum(
                    (
                        x * fmpq(*q.as_integer_ratio())
                        for x, q in zip(row, found.column.values(), strict=True)
                    ),
                    fmpq(0),
                )
                for card, row in zip(position.one, payoffs, strict=True)
            }
        for strategy, other in ((found.row, exact.row), (found.column, exact.column)):
            assert list(strategy) == list(other)
            assert all(agrees(strategy.view(card), other[card]) for card in other)
            assert strategy.unique == (other.unique if found.proved else None)
        given = gx.bid_gains(position, kind)
        numbers = [
            (found.worth, exact.value),
            (gx.value(position, kind), exact.value),
            (gx.value(unturned(position), kind), value),
            *((given.view(card), known[card]) for card in position.one),
        ]
        for row, line in zip(gx.payoff_matrix(position, kind).numbers, payoffs, strict=True):
            numbers += zip(row, line, strict=True)
        assert all(agrees(number, right) for number, right in numbers)
        assert max(getattr(number, "radius", 0) for number, _ in numbers) < WIDEST
        if isinstance(kind, gx.Float):
            method = found.method
    return method


def agrees(number, exact):
    """Tell whether the exact number is what a number of another kind says that it is."""
    if isinstance(number, ResidueClass):
        return number.value * int(exact.q) % number.prime == int(exact.p) % number.prime
    if not isinstance(number, BoundedFloat):
        assert number.text() == gx.view(exact).decimal(number.digits)
    least, greatest = number.bounds()
    return least <= exact <= greatest


def compared(count, seed):
    """Compare random positions by all rules in turn, and count them by the floats' method."""
    rng = Random(seed)
    methods = Counter()
    for rules in islice(cycle(RULES), count):
        position = random_position(rng, rules)
        try:
            methods[compare(position)] += 1
        except AssertionError as error:
            raise AssertionError(f"{position}: {error}") from error
    return methods


@pytest.mark.usefixtures("own_store")
def test_every_arithmetic_agrees_with_the_exact_numbers():
    methods = compared(48, 1)
    assert set(methods) == {"saddle point", "guided", BRACKET}


if __name__ == "__main__":
    count, seed = (*map(int, sys.argv[1:]), 1)[:2]
    for method, times in compared(count, seed).items():
        print(f"{times} {method}")  # noqa: T201  # the program's result
