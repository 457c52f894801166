"""Random matrix games and positions of GOPS that tests share."""

from fractions import Fraction

import games
from hypothesis import strategies as st
from recursions import OBJECTIVES, ORDERS, TIES

import gops_exact as gx


def rationals(max_numerator=9, max_denominator=6):
    """Fractions small enough to coincide now and then."""
    numerators = st.integers(-max_numerator, max_numerator)
    return st.builds(Fraction, numerators, st.integers(1, max_denominator))


def lists(elements, size, **more):
    return st.lists(elements, min_size=size, max_size=size, **more)


def any_matrices(most=4):
    """Games of up to so many bids a side, half of them with what strains an anti-cycling rule: ties, repeated and dominated bids."""
    drawn = st.randoms().map(games.small_game)
    return drawn.map(lambda matrix: [row[:most] for row in matrix[:most]])


def standings(objective, ties, most=9):
    """Margins of both signs, in reach of the prizes left or beyond them, and pots, if there are any."""
    margins = st.integers(-most, most) if objective == "win" else st.just(0)
    return st.tuples(margins, st.integers(0, most) if ties != "discard" else st.just(0))


@st.composite
def positions(draw, max_size=3, max_card=7, max_prize=9, *, disjoint=False):
    """Two hands and as many prizes, all ascending, some 0 or equal; if `disjoint`, no card of one is a card of the other."""
    size = draw(st.integers(1, max_size))
    prizes = sorted(draw(lists(st.integers(0, max_prize), size)))
    hand = lists(st.integers(1, max_card), size, unique=True)
    cards = draw(lists(st.integers(1, max_card), 2 * size, unique=True) if disjoint else hand)
    other = cards[size:] if disjoint else draw(hand)
    return tuple(sorted(cards[:size])), tuple(sorted(other)), tuple(prizes)


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
