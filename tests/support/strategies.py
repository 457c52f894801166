"""Hypothesis strategies shared by the suite: rational matrix games and positions of GOPS."""

from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

import gops_exact as gx


def rationals(max_numerator=9, max_denominator=6):
    """Fractions small enough to coincide now and then."""
    numerators = st.integers(-max_numerator, max_numerator)
    return st.builds(Fraction, numerators, st.integers(1, max_denominator))


def lists(elements, size, **more):
    return st.lists(elements, min_size=size, max_size=size, **more)


# Matrix games, as lists of rows


# Three values make equal entries, saddle points and ties between strategies the rule.
few_values = st.sampled_from([Fraction(-1), Fraction(0), Fraction(1)])


@st.composite
def matrices(draw, min_size=1, max_size=4, entries=None):
    """m x n payoffs with both sides from min_size to max_size."""
    sizes = st.integers(min_size, max_size)
    m, n = draw(sizes), draw(sizes)
    return draw(lists(lists(rationals() if entries is None else entries, n), m))


@st.composite
def repeating_matrices(draw, min_size=1, max_size=4):
    """Rows and columns drawn, with repetition, from those of a smaller matrix and a zero line."""
    core = draw(matrices(1, max_size))
    m, n = len(core), len(core[0])
    sizes = st.integers(min_size, max_size)
    rows = draw(lists(st.integers(0, m), draw(sizes)))
    columns = draw(lists(st.integers(0, n - 1), draw(sizes)))
    padded = [*core, [Fraction(0)] * n]
    return [[padded[i][j] for j in columns] for i in rows]


@st.composite
def antisymmetric_matrices(draw, min_size=1, max_size=4):
    """Fair games, value 0, as at the first move."""
    n = draw(st.integers(min_size, max_size))
    above = draw(matrices(n, n, entries=draw(st.sampled_from([rationals(), few_values]))))
    return [[above[min(i, j)][max(i, j)] * ((i < j) - (i > j)) for j in range(n)] for i in range(n)]


@st.composite
def matrices_with_a_zero_line(draw, min_size=1, max_size=4):
    """One bid of one player pays 0 against any: the other's optima are often a whole polytope."""
    signs = draw(matrices(min_size, max_size, entries=few_values))
    rows = [[Fraction(0), *line[1:]] for line in signs]
    return rows if draw(st.booleans()) else [list(column) for column in zip(*rows, strict=True)]


def any_matrices(min_size=1, max_size=4):
    """Generic games, and what strains an anti-cycling rule: ties, repeated and zero lines, fair games."""
    degenerate = (repeating_matrices, antisymmetric_matrices, matrices_with_a_zero_line)
    return st.one_of(
        matrices(min_size, max_size),
        matrices(min_size, max_size, entries=few_values),
        *(kind(min_size, max_size) for kind in degenerate),
    )


# Positions


class Position(NamedTuple):
    """Hands in ascending order; prizes too, and they may repeat."""

    one: tuple[int, ...]
    two: tuple[int, ...]
    prizes: tuple[int, ...]


class Standing(NamedTuple):
    """What the rounds so far have left."""

    margin: int
    pot: int


def standings(objective, ties, most=9):
    """Margins of both signs, in reach of the prizes left or beyond them, and pots, if there are any."""
    margins = st.integers(-most, most) if objective == "win" else st.just(0)
    pots = st.integers(0, most) if ties == "carryover" else st.just(0)
    return st.builds(Standing, margins, pots)


def ascending(cards, size, **more):
    return lists(cards, size, **more).map(lambda drawn: tuple(sorted(drawn)))


@st.composite
def positions(draw, min_size=1, max_size=3, max_card=7, max_prize=9):
    """Two hands and as many prizes, of which some may be 0, min_size to max_size cards each."""
    size = draw(st.integers(min_size, max_size))
    prizes = draw(ascending(st.integers(0, max_prize), size))
    hands = ascending(st.integers(1, max_card), size, unique=True)
    return Position(draw(hands), draw(hands), prizes)


@st.composite
def positions_without_ties(draw, max_size=4):
    """A position in which no card of one player is a card of the other."""
    size = draw(st.integers(1, max_size))
    cards = draw(lists(st.integers(1, 20), 2 * size, unique=True))
    hands = (tuple(sorted(cards[part])) for part in (slice(size), slice(size, None)))
    return Position(*hands, draw(ascending(st.integers(0, 9), size)))


OBJECTIVES, TIES = ("points", "win"), ("discard", "carryover")
ORDERS = ("random", "hidden", "ascending", "descending")


@st.composite
def views_of_a_player(draw):
    """A position of some game of up to four cards, reachable or not, and an upcard."""
    n = draw(st.integers(1, 4))
    deck = range(1, n + 1)
    rules = gx.Rules(*(draw(st.sampled_from(choices)) for choices in (OBJECTIVES, TIES, ORDERS)))
    size = draw(st.integers(1, n))
    one, two, prizes = (
        tuple(sorted(draw(st.permutations(deck))[:size])) for _ in ("one", "two", "prizes")
    )
    if rules.fixed:
        prizes = rules.arranged(deck)[-size:]
    spent = sum(deck) - sum(prizes)
    margin, pot = draw(standings(rules.objective, rules.ties, spent))
    first = prizes[:1] if rules.fixed else prizes
    upcard = None if rules.hidden else draw(st.sampled_from(first))
    return gx.players.View(n, gx.Position(one, two, prizes, upcard, rules, margin, pot))


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
