"""Hypothesis strategies shared by the suite: rational matrix games and positions of GOPS."""

from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import gops_exact as gx
from gops_exact.game import game
from gops_exact.game.rules import OBJECTIVES, ORDERS, TIES, Rules
from gops_exact.players.policy import View

Rows = list[list[Fraction]]


class Position(NamedTuple):
    """Hands in ascending order; prizes too, and they may repeat."""

    one: tuple[int, ...]
    two: tuple[int, ...]
    prizes: tuple[int, ...]


def rationals(max_numerator: int = 9, max_denominator: int = 6) -> SearchStrategy[Fraction]:
    """Fractions small enough to coincide now and then."""
    return st.builds(
        Fraction,
        st.integers(-max_numerator, max_numerator),
        st.integers(1, max_denominator),
    )


# Three values make equal entries, saddle points and ties between strategies the rule.
few_values = st.sampled_from([Fraction(-1), Fraction(0), Fraction(1)])


@st.composite
def matrices(
    draw: DrawFn,
    min_size: int = 1,
    max_size: int = 4,
    entries: SearchStrategy[Fraction] | None = None,
) -> Rows:
    """m x n payoffs with both sides from min_size to max_size."""
    sizes = st.integers(min_size, max_size)
    m, n = draw(sizes), draw(sizes)
    line = st.lists(rationals() if entries is None else entries, min_size=n, max_size=n)
    return draw(st.lists(line, min_size=m, max_size=m))


@st.composite
def repeating_matrices(draw: DrawFn, min_size: int = 1, max_size: int = 4) -> Rows:
    """Rows and columns drawn, with repetition, from those of a smaller matrix and a zero line."""
    core = draw(matrices(1, max_size))
    m, n = len(core), len(core[0])
    lines = st.integers(min_size, max_size)
    row_choice = draw(st.lists(st.integers(0, m), min_size=(k := draw(lines)), max_size=k))
    column_choice = draw(st.lists(st.integers(0, n - 1), min_size=(k := draw(lines)), max_size=k))
    padded = [*core, [Fraction(0)] * n]
    return [[padded[i][j] for j in column_choice] for i in row_choice]


@st.composite
def antisymmetric_matrices(draw: DrawFn, min_size: int = 1, max_size: int = 4) -> Rows:
    """Fair games, value 0, as at the first move."""
    n = draw(st.integers(min_size, max_size))
    above = draw(matrices(n, n, entries=draw(st.sampled_from([rationals(), few_values]))))
    return [[above[min(i, j)][max(i, j)] * ((i < j) - (i > j)) for j in range(n)] for i in range(n)]


@st.composite
def matrices_with_a_zero_line(draw: DrawFn, min_size: int = 1, max_size: int = 4) -> Rows:
    """One bid of one player pays 0 against any: the other's optima are often a whole polytope."""
    signs = draw(matrices(min_size, max_size, entries=few_values))
    rows = [[Fraction(0), *line[1:]] for line in signs]
    return rows if draw(st.booleans()) else [list(column) for column in zip(*rows, strict=True)]


def degenerate_matrices(min_size: int = 1, max_size: int = 4) -> SearchStrategy[Rows]:
    """Ties, repeated and zero lines, fair games: what strains an anti-cycling rule."""
    return st.one_of(
        matrices(min_size, max_size, entries=few_values),
        repeating_matrices(min_size, max_size),
        antisymmetric_matrices(min_size, max_size),
        matrices_with_a_zero_line(min_size, max_size),
    )


def any_matrices(min_size: int = 1, max_size: int = 4) -> SearchStrategy[Rows]:
    """Generic and degenerate games alike."""
    return st.one_of(matrices(min_size, max_size), degenerate_matrices(min_size, max_size))


def hands(size: int, max_card: int) -> SearchStrategy[tuple[int, ...]]:
    """Distinct cards from 1 to max_card, ascending."""
    cards = st.lists(st.integers(1, max_card), min_size=size, max_size=size, unique=True)
    return cards.map(lambda drawn: tuple(sorted(drawn)))


class Standing(NamedTuple):
    """What the rounds so far have left."""

    margin: int
    pot: int


def standings(objective: str, ties: str, most: int = 9) -> SearchStrategy[Standing]:
    """Margins of both signs, in reach of the prizes left or beyond them, and pots, if there are any."""
    margins = st.integers(-most, most) if objective == "win" else st.just(0)
    pots = st.integers(0, most) if ties == "carryover" else st.just(0)
    return st.builds(Standing, margins, pots)


@st.composite
def positions(
    draw: DrawFn,
    min_size: int = 1,
    max_size: int = 3,
    max_card: int = 7,
    max_prize: int = 9,
) -> Position:
    """Two hands and as many prizes, of which some may be 0, min_size to max_size cards each."""
    size = draw(st.integers(min_size, max_size))
    prizes = draw(st.lists(st.integers(0, max_prize), min_size=size, max_size=size))
    hand = hands(size, max_card)
    return Position(draw(hand), draw(hand), tuple(sorted(prizes)))


@st.composite
def positions_without_ties(draw: DrawFn, max_size: int = 4) -> Position:
    """A position in which no card of one player is a card of the other."""
    size = draw(st.integers(1, max_size))
    numbers = st.lists(st.integers(1, 20), min_size=2 * size, max_size=2 * size, unique=True)
    cards = draw(numbers)
    prizes = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
    return Position(*(tuple(sorted(each)) for each in (cards[:size], cards[size:], prizes)))


@st.composite
def views_of_a_player(draw: DrawFn) -> View:
    """A position of some game of up to four cards, reachable or not, and an upcard."""
    n = draw(st.integers(1, 4))
    deck = range(1, n + 1)
    rules = Rules(*(draw(st.sampled_from(choices)) for choices in (OBJECTIVES, TIES, ORDERS)))
    size = draw(st.integers(1, n))
    one, two, rest = (
        tuple(sorted(draw(st.permutations(deck))[:size])) for _ in ("one", "two", "prizes")
    )
    prizes = rules.arranged(deck)[-size:] if rules.fixed else rest
    spent = sum(deck) - sum(prizes)
    margin = draw(st.integers(-spent, spent)) if rules.winning else 0
    pot = draw(st.integers(0, spent)) if rules.ties == "carryover" else 0
    first = prizes[:1] if rules.fixed else prizes
    upcard = None if rules.hidden else draw(st.sampled_from(first))
    return View(n, game.Position(one, two, prizes, upcard, rules, margin, pot))


def random_position(source):
    """A position by any rules, with large prizes, margins and pots now and then."""
    size = source.randint(1, 6)
    one, two = (sorted(source.sample(range(1, 16), size)) for _ in "12")
    prizes = [source.choice((1, 2, 13, 10 ** source.randint(0, 30))) for _ in range(size)]
    order = source.choice(("random", "hidden", "ascending", "descending", "in order"))
    if order == "in order":
        order = tuple([5] * source.randint(0, 3) + prizes)
    rules = gx.Rules(
        source.choice(("points", "win")), source.choice(("discard", "carryover")), order
    )
    margin = source.choice((0, source.randint(-99, 99))) if rules.winning else 0
    pot = source.choice((0, source.randint(0, 99))) if rules.carries else 0
    position = gx.Position(one, two, prizes, rules=rules, margin=margin, pot=pot)
    if order != "hidden" and source.random() < 0.5:
        position = position.at(source.choice(position.prizes[: 1 if rules.fixed else None]))
    return position
