"""The recursion in exact rational numbers.

Every value is stored twice: as a ball, to choose and prove bases, and as a pair of integers, to compute
values on these bases.
"""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
from flint import arb, ctx, fmpz

from gops_exact.base.arguments import choice
from gops_exact.game.game import Node, Outcome, Outcomes, Turn
from gops_exact.game.order_types import Layer
from gops_exact.matrix_game.basis import METHODS, Basis, Play, certify, propose
from gops_exact.matrix_game.evaluate import ZERO, basis_value, by_basis, value_if_optimal
from gops_exact.matrix_game.payoff import Entries, Payoff
from gops_exact.matrix_game.simplex import by_simplex, solve_tableau
from gops_exact.numbers.raw import (
    Pair,
    Reader,
    from_pair,
    pack_data,
    pack_number,
    pack_pair,
    pack_several,
    reduced,
    to_pair,
    total,
)
from gops_exact.solvers.exact.lattice import (
    EnclosedSlab,
    Indices,
    Single,
    System,
    Table,
    average,
    games,
    is_fair,
    look_up,
    over_cards,
)

BALL_BITS = 128
"""Bits of the balls in a slab. More precise balls are computed from the exact pairs when needed."""

REDUCE_UP_TO = 20_000
"""The most bits of a denominator for which a value is brought to lowest terms. For a longer one, the gcd
takes more time than the few bits that it removes would save."""

PAIR_BYTES, PREVIEW_BYTES = 500, 4000
"""Bytes of memory for each value, besides its ball and its digits. In an ordinary slab they hold the pair and
the bases; in a previewed slab, the payoff tables from which the value is computed. Measured at four and five
cards."""


@dataclass(frozen=True, eq=False)
class ExactSlab(EnclosedSlab):
    """The exact values of one node, with balls of :data:`BALL_BITS` bits.

    A *previewed* slab has balls and bases, but an empty list of values: each value is computed when
    `evaluate` is called for it.
    """

    values: list[Pair]  # length H, not always in lowest terms; empty in a previewed slab
    bases: list[tuple[Basis, ...]]  # length H; an optimal basis for the game of each turn
    # The function that computes the value of pair h in a previewed slab; None in other slabs.
    evaluate: Callable[[int], Pair] | None = None

    @classmethod
    def of(cls, values: list[Pair], bases: list[tuple[Basis, ...]]) -> "ExactSlab":
        """Return a slab of exact values and bases, with balls around the values."""
        return cls([ball(pair, BALL_BITS) for pair in values], values, bases)


def ball(pair: Pair, precision: int) -> arb:
    """Return a ball of `precision` bits around a fraction (numerator, denominator)."""
    with ctx.workprec(precision):
        return arb(pair[0]) / arb(pair[1])


class ExactTable(Table[ExactSlab]):
    """The payoffs of all games of one turn, as floats, as balls and exactly."""

    @cached_property
    def known(self) -> dict[int, Pair]:
        """The payoffs computed so far, {index: payoff}; used if a payoff is the mean over several stakes."""
        return {}

    def number(self, index: int) -> Pair:
        """Return the payoff at an index of the table, in lowest terms."""
        return reduced(self.pair(index))

    def pair(self, index: int) -> Pair:
        """Return the payoff at an index of the table, not always in lowest terms."""
        if len(self.turn.stakes) > 1 and index in self.known:
            return self.known[index]
        payoffs: list[tuple[int, Pair]] = []
        for times, outcomes in self.turn.stakes:
            outcome, single = self.look(outcomes, index)
            if single is None:
                payoffs.append((times, (fmpz(outcome.gain + (outcome.decided or 0)), fmpz(1))))
                continue
            slab, h = self.below[single.node], single.h
            p, q = slab.values[h] if slab.evaluate is None else slab.evaluate(h)
            if 2 * (index % self.width) > self.width:  # the players are swapped
                p = -p
            payoffs.append((times, (p + outcome.gain * q if outcome.gain else p, q)))
        if len(payoffs) == 1:
            return payoffs[0][1]
        self.known[index] = mean(payoffs)
        return self.known[index]

    def look(self, outcomes: Outcomes, index: int) -> tuple[Outcome, Single | None]:
        """Return the result of the round at an index of the table, and the key of the value that follows.

        The key is None if the final value is decided or the hands are equal, so that no value is looked up.
        """
        outcome, reference = outcomes[index // self.width], index % self.width
        if outcome.decided is not None or reference == 0:
            return outcome, None
        # The references 1 … H are to stored pairs, H + 1 … 2H to their mirror images, the last pair first.
        if 2 * reference < self.width:
            return outcome, Single(outcome.node, reference - 1)
        return outcome, Single(outcome.mirrored, self.width - reference - 1)


class PositionPayoff(Payoff):
    """The payoff matrix of one game; entries are looked up in the table of its turn when needed."""

    def __init__(self, indices: Indices, table: ExactTable) -> None:
        self.indices, self.table = indices, table

    @cached_property
    def entries(self) -> Entries:
        """The payoffs as fractions in lowest terms, shape (m, n)."""
        pair = self.table.pair
        rows = [[from_pair(pair(index)) for index in row] for row in self.indices]
        return np.array(rows, dtype=object)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.indices), len(self.indices[0])

    def floats(self) -> list[list[float]]:
        return look_up(self.indices, self.table.floats)

    def balls(self, precision: int) -> list[list[arb]]:
        """Return the payoffs as balls of at least `precision` bits, shape (m, n)."""
        if precision <= BALL_BITS:
            return look_up(self.indices, self.table.balls)
        pair = self.table.pair
        return [[ball(pair(index), precision) for index in row] for row in self.indices]

    def pair(self, i: int, j: int) -> Pair:
        """Return entry (i, j) as (numerator, denominator)."""
        return self.table.pair(self.indices[i][j])


def mean(values: Sequence[tuple[int, Pair]]) -> Pair:
    """Return the weighted mean of values; in lowest terms, unless it is too long for :func:`brief`.

    Args:
        values: (weight, value) for each value.
    """
    if len(values) == 1:
        return brief(values[0][1])
    p, q = total([(count * p, q) for count, (p, q) in values])
    times, _ = zip(*values, strict=True)
    return brief((p, q * sum(times)))


def brief(pair: Pair) -> Pair:
    """Return a fraction in lowest terms; one with more than :data:`REDUCE_UP_TO` bits is left as it is."""
    return reduced(pair) if pair[1].bit_length() <= REDUCE_UP_TO else pair


@dataclass(frozen=True)
class ExactSystem(System[ExactSlab, Pair]):
    """The number system of exact rational numbers, each a pair (numerator, denominator)."""

    name = "exact"
    bits = BALL_BITS
    zero = ZERO
    table = ExactTable
    cost_growth = 4

    def slab(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: MutableMapping[Any, ExactSlab],
        previewed: Node | None = None,
    ) -> ExactSlab:
        tables = [self.table(turn, layer, below, self) for turn in turns]
        times = [turn.times for turn in turns]
        # For each pair of hands and each turn: the payoffs, a ball around the value, and an optimal basis.
        # Balls suffice to prove the bases; exact values are computed later, and few of them for a previewed
        # slab.
        payoffs: list[list[PositionPayoff]] = []
        enclosed: list[tuple[arb, ...]] = []
        bases: list[tuple[Basis, ...]] = []
        for indices in games(layer):
            payoffs.append([PositionPayoff(indices, table) for table in tables])
            gains, optimal = zip(*map(self.solve, payoffs[-1]), strict=True)
            enclosed.append(gains)
            bases.append(optimal)

        def value(h: int) -> Pair:
            gains = []
            for game in zip(times, payoffs[h], enclosed[h], bases[h], strict=True):
                count, payoff, near, basis = game
                # A ball of radius 0 is the exact value.
                is_known = near.is_exact()
                gain = to_pair(near.fmpq()) if is_known else brief(basis_value(payoff, basis))
                gains.append((count, gain))
            return mean(gains)

        if previewed is None:
            return ExactSlab.of(list(map(value, range(len(layer)))), bases)

        def evaluate(h: int) -> Pair:
            single = Single(previewed, h)
            if single not in below:
                below[single] = ExactSlab.of([value(h)], [bases[h]])
            return below[single].values[0]

        with ctx.workprec(BALL_BITS):
            balls = [average(gains, times) for gains in enclosed]
        return ExactSlab(balls, [], bases, evaluate)

    def solve(self, payoff: PositionPayoff) -> tuple[arb, Basis]:
        """Return a ball around the value of one game, and an optimal basis."""
        sure = payoff.table.sure(payoff.indices)
        if sure is not None:
            return sure
        basis = propose(payoff.floats())
        enclosed = None if basis is None else value_if_optimal(payoff, basis)
        if basis is not None and enclosed is not None:
            return enclosed, basis
        value, basis = solve_tableau(payoff.rows)
        return ball(to_pair(value), BALL_BITS), basis

    def lacking(self, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]) -> list[Single]:
        (indices,) = games(layer)
        payoff = PositionPayoff(indices, self.table(turn, layer, below, self))
        basis = propose(payoff.floats())
        rows: Sequence[int] = range(len(indices))
        # If the game's basis is proved, an exact solution needs only payoffs between the bids of the basis.
        if basis is not None and certify(payoff, basis):
            rows = basis.rows
        singles: dict[Single, None] = {}
        for (i, j), (_, outcomes) in product(combinations(rows, 2), turn.stakes):
            _, single = payoff.table.look(outcomes, indices[i][j])
            if single is not None and below[single.node].evaluate is not None:
                singles[single] = None
        return list(singles)

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]) -> Play[Pair]:
        """Return optimal play for the only pair of hands in `layer`, with numbers in lowest terms."""
        (indices,) = games(layer)
        payoff = PositionPayoff(indices, self.table(turn, layer, below, self))
        play = by_basis(payoff, fair=is_fair(layer, turn))
        return over_cards(layer, play or by_simplex(payoff).converted(to_pair), ZERO)

    def expectation(self, payoffs: Sequence[Pair], column: Sequence[Pair]) -> Pair:
        """Return the mean of payoffs with the probabilities of `column`, in lowest terms."""
        products = zip(payoffs, column, strict=True)
        return reduced(total([(p * r, q * s) for (p, q), (r, s) in products]))

    def first(self, slab: ExactSlab) -> Pair:
        """Return the first value of a slab, in lowest terms."""
        return reduced(slab.values[0])

    def negative(self, number: Pair) -> Pair:
        return -number[0], number[1]

    def nbytes(self, slab: ExactSlab) -> int:
        bits = sum(p.bit_length() + q.bit_length() for p, q in slab.values)
        beside = PAIR_BYTES if slab.evaluate is None else PREVIEW_BYTES
        return super().nbytes(slab) + beside * len(slab) + bits // 8

    def pack_slab(self, slab: ExactSlab) -> bytes:
        """Convert a slab to bytes: for each pair of hands its bases, as bit masks, and its value."""

        def masks(basis: Basis) -> bytes:
            rows, columns = (sum(1 << i for i in bids) for bids in (basis.rows, basis.columns))
            return pack_number(rows) + pack_number(columns)

        parts = [pack_number(len(slab.values))]
        for bases, pair in zip(slab.bases, slab.values, strict=True):
            parts += [pack_several(bases, masks), pack_pair(pair)]
        return b"".join(parts)

    def unpack_slab(self, payload: bytes) -> ExactSlab:
        def bids() -> tuple[int, ...]:
            mask = reader.number()
            return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)

        with Reader(payload) as reader:
            entries = reader.several(
                lambda: (tuple(reader.several(lambda: Basis(bids(), bids()))), reader.pair())
            )
        return ExactSlab.of([pair for _, pair in entries], [bases for bases, _ in entries])

    def pack_opening(self, opening: Play[Pair]) -> bytes:
        head = pack_data(opening.method.encode()) + pack_number(bool(opening.row_unique))
        return head + pack_several(opening.row, pack_pair)

    def unpack_opening(self, payload: bytes) -> Play[Pair]:
        with Reader(payload) as reader:
            method, unique = bytes(reader.data()).decode(), bool(reader.number())
            choice(method, "a method", METHODS)
            return Play.fair(reader.several(reader.pair), ZERO, unique=unique, method=method)
