"""Hypothesis strategies shared by the suite: rational matrix games and positions of GOPS."""

from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

import gops_exact as gx

OBJECTIVES, TIES = ("points", "win"), ("discard", "carryover")
ORDERS = ("random", "hidden", "ascending", "descending")

few_values = st.sampled_from([Fraction(-1), Fraction(0), Fraction(1)])
"""Three values make equal entries, saddle points and ties between strategies the rule."""


def rationals(max_numerator=9, max_denominator=6):
    """Fractions small enough to coincide now and then."""
    numerators = st.integers(-max_numerator, max_numerator)
    return st.builds(Fraction, numerators, st.integers(1, max_denominator))


def lists(elements, size, **more):
    return st.lists(elements, min_size=size, max_size=size, **more)


@st.composite
def matrices(draw, min_size=1, max_size=4, entries=None):
    """m x n payoffs with both sides from min_size to max_size, as a list of rows."""
    sizes = st.integers(min_size, max_size)
    m, n = draw(sizes), draw(sizes)
    return draw(lists(lists(rationals() if entries is None else entries, n), m))


@st.composite
def repeating_matrices(draw, max_size=4):
    """Rows and columns drawn, with repetition, from those of a smaller matrix and a zero line."""
    core = draw(matrices(1, max_size))
    m, n = len(core), len(core[0])
    sizes = st.integers(1, max_size)
    rows = draw(lists(st.integers(0, m), draw(sizes)))
    columns = draw(lists(st.integers(0, n - 1), draw(sizes)))
    padded = [*core, [Fraction(0)] * n]
    return [[padded[i][j] for j in columns] for i in rows]


def any_matrices(max_size=4):
    """Generic games, and what strains an anti-cycling rule: ties, repeated and zero lines."""
    return st.one_of(
        matrices(1, max_size),
        matrices(1, max_size, entries=few_values),
        repeating_matrices(max_size),
    )


class Position(NamedTuple):
    """Hands in ascending order; prizes too, and they may repeat."""

    one: tuple[int, ...]
    two: tuple[int, ...]
    prizes: tuple[int, ...]


def standings(objective, ties, most=9):
    """Margins of both signs, in reach of the prizes left or beyond them, and pots, if there are any."""
    margins = st.integers(-most, most) if objective == "win" else st.just(0)
    return st.tuples(margins, st.integers(0, most) if ties == "carryover" else st.just(0))


@st.composite
def positions(draw, max_size=3, max_card=7, max_prize=9, *, disjoint=False):
    """Two hands and as many prizes, of which some may be 0; if `disjoint`, no card of one is a card of the other."""
    size = draw(st.integers(1, max_size))
    prizes = sorted(draw(lists(st.integers(0, max_prize), size)))
    hand = lists(st.integers(1, max_card), size, unique=True)
    cards = draw(lists(st.integers(1, max_card), 2 * size, unique=True) if disjoint else hand)
    other = cards[size:] if disjoint else draw(hand)
    return Position(*map(tuple, (sorted(cards[:size]), sorted(other), prizes)))


def random_position(source):
    """A position by any rules, with large prizes, margins and pots now and then."""
    size = source.randint(1, 6)
    one, two = (sorted(source.sample(range(1, 16), size)) for _ in "12")
    prizes = [source.choice((1, 2, 13, 10 ** source.randint(0, 30))) for _ in range(size)]
    order = source.choice((*ORDERS, "in order"))
    if order == "in order":
        order = tuple([5] * source.randint(0, 3) + prizes)
    rules = gx.Rules(source.choice(OBJECTIVES), source.choice(TIES), order)
    margin = source.choice((0, source.randint(-99, 99))) if rules.winning else 0
    pot = source.choice((0, source.randint(0, 99))) if rules.carries else 0
    position = gx.Position(one, two, prizes, rules=rules, margin=margin, pot=pot)
    if order != "hidden" and source.random() < 0.5:
        position = position.at(source.choice(position.prizes[: 1 if rules.fixed else None]))
    return position
