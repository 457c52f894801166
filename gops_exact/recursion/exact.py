"""The recursion over exact rational numbers.

Every value is kept twice: as a ball, for choosing and proving bases, and as a pair of integers,
for evaluating them.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from flint import arb, ctx, fmpq, fmpz

from gops_exact.matrix_game.basis import Basis, certify, propose, prove
from gops_exact.matrix_game.evaluate import basis_value
from gops_exact.matrix_game.payoff import exact_matrix
from gops_exact.matrix_game.pfaffian import kernel_strategy
from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.matrix_game.solution import GameSolution, Method, as_method
from gops_exact.matrix_game.solve import by_basis, by_simplex
from gops_exact.numbers.pairs import Pair, reduced, to_pair, total
from gops_exact.numbers.payload import Reader, Writer
from gops_exact.order_types import Layer
from gops_exact.recursion.lattice import Prizes, draws

BALL_BITS = 128
"""Precision of the balls kept with a slab; more is computed from the exact pair when asked for."""

REDUCE_UP_TO = 20_000
"""Values are brought to lowest terms while the denominator has at most so many bits. Beyond, a
gcd costs more than the few bits it removes are worth."""


@dataclass(frozen=True, eq=False)
class ExactSlab:
    """The exact values of one prize set.

    Attributes:
        values: length H; f(V, Y, P) of each pair of hands as (numerator, denominator).
        bases: length H; for each pair, the optimal basis of each upcard's game.
        balls: length H; the values as balls of :data:`BALL_BITS` bits.
        floats: length H; the values rounded.
    """

    values: Sequence[Pair]
    bases: Sequence[tuple[Basis, ...]]
    balls: list[arb]
    floats: list[float] = field(init=False, repr=False)

    @classmethod
    def of(cls, values: Sequence[Pair], bases: Sequence[tuple[Basis, ...]]) -> "ExactSlab":
        """The slab of known values."""
        return cls(values, bases, [ball(pair, BALL_BITS) for pair in values])

    def __post_init__(self) -> None:
        object.__setattr__(self, "floats", [float(value) for value in self.balls])


class LazyValues(Sequence[Pair]):
    """The exact values of a slab whose bases are known, each evaluated when it is asked for.

    An opening asks only for the few that stand on its support.

    Args:
        games: for each pair of hands its games, one an upcard, as (times the upcard is there,
            payoff, basis).
        prizes: how many prizes there are.
        known: values by place, found before; new ones are added.
    """

    def __init__(
        self,
        games: Sequence[Sequence[tuple[int, "PositionPayoff", Basis]]],
        prizes: int,
        known: MutableMapping[int, ExactSlab],
    ) -> None:
        self._games = games
        self._prizes = prizes
        self._known = known

    def __len__(self) -> int:
        return len(self._games)

    @overload
    def __getitem__(self, place: int) -> Pair: ...

    @overload
    def __getitem__(self, place: slice) -> list[Pair]: ...

    def __getitem__(self, place: int | slice) -> Pair | list[Pair]:
        if isinstance(place, slice):
            return [self[h] for h in range(*place.indices(len(self)))]
        if place not in self._known:
            gains = [
                (times, brief(basis_value(payoff, basis)))
                for times, payoff, basis in self._games[place]
            ]
            bases = tuple(basis for _, _, basis in self._games[place])
            self._known[place] = ExactSlab.of([mean(gains, self._prizes)], [bases])
        return self._known[place].values[0]


def ball(pair: Pair, precision: int) -> arb:
    """A ball around numerator/denominator."""
    with ctx.workprec(precision):
        return arb(pair[0]) / arb(pair[1])


@dataclass(frozen=True, eq=False)
class PositionPayoff:
    """X[i, j] = p · sign(V_i − Y_j) + f(V∖V_i, Y∖Y_j, P∖p), assembled on demand.

    Attributes:
        upcard: p.
        sign: shape (m, n).
        child: shape (m, n); references into the slab below.
        below: the slab of P∖p.
    """

    upcard: int
    sign: list[list[int]]
    child: list[list[int]]
    below: ExactSlab

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.sign), len(self.sign[0])

    def floats(self) -> list[list[float]]:
        """Every entry rounded, shape (m, n)."""
        # References start at ±1, and 0 stands for the value zero.
        known = self.below.floats
        return [
            [
                self.upcard * s + (known[c - 1] if c > 0 else -known[-c - 1] if c else 0.0)
                for s, c in zip(signs, children, strict=True)
            ]
            for signs, children in zip(self.sign, self.child, strict=True)
        ]

    def balls(self, precision: int) -> list[list[arb]]:
        """Every entry as a ball, shape (m, n)."""
        with ctx.workprec(precision):
            return [
                [self._ball(s, c, precision) for s, c in zip(signs, children, strict=True)]
                for signs, children in zip(self.sign, self.child, strict=True)
            ]

    def _ball(self, sign: int, child: int, precision: int) -> arb:
        gain = self.upcard * sign
        if child == 0:
            return arb(gain)
        place = abs(child) - 1
        if precision <= BALL_BITS:
            value = self.below.balls[place]
        else:
            value = ball(self.below.values[place], precision)
        return gain + value if child > 0 else gain - value

    def pair(self, i: int, j: int) -> Pair:
        """Entry (i, j) as numerator and denominator."""
        gain, child = self.upcard * self.sign[i][j], self.child[i][j]
        if child == 0:
            return fmpz(gain), fmpz(1)
        p, q = self.below.values[abs(child) - 1]
        if child < 0:
            p = -p
        return (p + gain * q if gain else p), q


@dataclass(frozen=True)
class Opening:
    """The optimal first move of a position with equal hands.

    Attributes:
        strategy: a probability a card, ascending, each in lowest terms.
        method: the algorithm that found it.
        unique: whether it is the only optimal one.
    """

    strategy: tuple[Pair, ...]
    method: Method
    unique: bool


@dataclass(frozen=True)
class ExactArithmetic:
    """The recursion's games over exact numbers.

    Attributes:
        guided: let floats and balls find the bases; otherwise every game goes through the
            rational simplex.
    """

    guided: bool = True
    name = "exact"

    def slab(self, layer: Layer, prizes: Prizes, below: Mapping[Prizes, ExactSlab]) -> ExactSlab:
        """The values of every pair of hands in `layer` with `prizes` left."""
        if not prizes:
            return ExactSlab.of([(fmpz(0), fmpz(1))] * len(layer), [()] * len(layer))
        turns = [(draw.upcard, draw.times, below[draw.rest]) for draw in draws(prizes)]
        values, bases = [], []
        for signs, children in bid_tables(layer):
            gains, found = [], []
            for upcard, times, slab in turns:
                basis, gain = self.value(PositionPayoff(upcard, signs, children, slab))
                gains.append((times, gain))
                found.append(basis)
            values.append(mean(gains, len(prizes)))
            bases.append(tuple(found))
        return ExactSlab.of(values, bases)

    def preview(
        self,
        layer: Layer,
        prizes: Prizes,
        below: Mapping[Prizes, ExactSlab],
        known: MutableMapping[int, ExactSlab],
    ) -> ExactSlab:
        """The slab with its balls and bases, its exact values evaluated when they are asked for."""
        if not (prizes and self.guided):
            return self.slab(layer, prizes, below)
        turns = [(draw.upcard, draw.times, below[draw.rest]) for draw in draws(prizes)]
        games, balls = [], []
        for signs, children in bid_tables(layer):
            gains, found = arb(0), []
            for upcard, times, slab in turns:
                payoff = PositionPayoff(upcard, signs, children, slab)
                basis, gain = self.value_ball(payoff)
                gains += times * gain
                found.append((times, payoff, basis))
            games.append(found)
            balls.append(gains / len(prizes))
        bases = [tuple(basis for _, _, basis in found) for found in games]
        return ExactSlab(LazyValues(games, len(prizes), known), bases, balls)

    def value_ball(self, payoff: PositionPayoff) -> tuple[Basis, arb]:
        """An optimal basis of one game, and a ball around its value."""
        basis = propose(payoff.floats())
        with ctx.workprec(BALL_BITS):
            proved = None if basis is None else prove(payoff.balls(BALL_BITS), basis)
        if basis is not None and proved is not None:
            return basis, proved.value
        basis, pair = self.value(payoff)
        return basis, ball(pair, BALL_BITS)

    def value(self, payoff: PositionPayoff) -> tuple[Basis, Pair]:
        """An optimal basis of one game, and its value."""
        if self.guided:
            basis = propose(payoff.floats())
            if basis is not None and certify(payoff, basis):
                return basis, brief(basis_value(payoff, basis))
        value, _, _, tableau = solve_tableau(exact_matrix(payoff))
        return tableau.optimal_basis(), to_pair(value)

    def opening(self, layer: Layer, upcard: int, below: ExactSlab) -> Opening:
        """The first move of a position with equal hands, which `layer` holds alone.

        Raises:
            ValueError: if the hands differ.
        """
        if layer.one[0] != layer.two[0]:
            raise ValueError("an opening has equal hands")
        ((signs, children),) = bid_tables(layer)
        payoff = PositionPayoff(upcard, signs, children, below)
        basis = propose(payoff.floats())
        if basis is not None and certify(payoff, basis):
            return Opening(tuple(kernel_strategy(payoff, basis.rows)), "pfaffian", unique=True)
        solution = by_simplex(exact_matrix(payoff))
        return Opening(tuple(map(to_pair, solution.row)), solution.method, solution.row_unique)

    def solve(self, layer: Layer, upcard: int, below: ExactSlab) -> GameSolution:
        """Both strategies of the position that `layer` holds alone, at an upcard.

        Strategies are over the cards of each hand, ascending. Of interchangeable bids only the
        lowest is played; where it is, the strategy is not unique.
        """
        ((signs, children),) = bid_tables(layer)
        payoff = PositionPayoff(upcard, signs, children, below)
        solution = None
        if self.guided:
            solution = by_basis(payoff, antisymmetric=bool(layer.one[0] == layer.two[0]))
        if solution is None:
            solution = by_simplex(exact_matrix(payoff))
        row, row_spread = _expand(solution.row, layer.row_kept[0].tolist())
        column, column_spread = _expand(solution.column, layer.column_kept[0].tolist())
        return GameSolution(
            solution.value,
            row,
            column,
            solution.method,
            solution.row_unique and not row_spread,
            solution.column_unique and not column_spread,
        )

    def select(self, slab: ExactSlab, places: Sequence[int]) -> ExactSlab:
        """The values at `places` as a slab."""
        return ExactSlab(
            [slab.values[h] for h in places],
            [slab.bases[h] for h in places],
            [slab.balls[h] for h in places],
        )

    def join(self, slabs: Sequence[ExactSlab]) -> ExactSlab:
        """Slabs one after the other as one slab."""
        return ExactSlab(
            [pair for slab in slabs for pair in slab.values],
            [bases for slab in slabs for bases in slab.bases],
            [value for slab in slabs for value in slab.balls],
        )

    def nbytes(self, slab: ExactSlab) -> int:
        """Memory taken by the exact values, in bytes; the rest is of no weight."""
        return sum(p.bit_length() + q.bit_length() for p, q in slab.values) // 8

    def pack_slab(self, slab: ExactSlab) -> bytes:
        """A slab as bytes: for each pair of hands the bases, as bit masks, and the fraction."""
        writer = Writer().number(len(slab.values))
        for bases, (numerator, denominator) in zip(slab.bases, slab.values, strict=True):
            writer.number(len(bases))
            for basis in bases:
                writer.number(as_mask(basis.rows)).number(as_mask(basis.columns))
            writer.integer(numerator).integer(denominator)
        return writer.payload()

    def unpack_slab(self, payload: bytes) -> ExactSlab:
        """The inverse of :meth:`pack_slab`."""
        reader = Reader(payload)
        values, bases = [], []
        for _ in range(reader.number()):
            masks = [(reader.number(), reader.number()) for _ in range(reader.number())]
            bases.append(tuple(Basis(as_indices(r), as_indices(c)) for r, c in masks))
            values.append((reader.integer(), reader.integer()))
        return ExactSlab.of(values, bases)

    def pack_opening(self, opening: Opening) -> bytes:
        """An opening as bytes."""
        writer = Writer().text(opening.method).number(opening.unique).number(len(opening.strategy))
        for numerator, denominator in opening.strategy:
            writer.integer(numerator).integer(denominator)
        return writer.payload()

    def unpack_opening(self, payload: bytes) -> Opening:
        """The inverse of :meth:`pack_opening`."""
        reader = Reader(payload)
        method, unique = as_method(reader.text()), bool(reader.number())
        strategy = [(reader.integer(), reader.integer()) for _ in range(reader.number())]
        return Opening(tuple(strategy), method, unique=unique)


def bid_tables(layer: Layer) -> list[tuple[list[list[int]], list[list[int]]]]:
    """Signs and child references of each pair of hands, interchangeable bids left out."""
    tables = []
    for h in range(len(layer)):
        rows, columns = layer.row_kept[h].nonzero()[0], layer.column_kept[h].nonzero()[0]
        tables.append(
            (
                layer.sign[h][rows][:, columns].tolist(),
                layer.child[h][rows][:, columns].tolist(),
            )
        )
    return tables


def as_mask(indices: Sequence[int]) -> int:
    """Indices as a bit mask."""
    return sum(1 << i for i in indices)


def as_indices(mask: int) -> tuple[int, ...]:
    """The inverse of :func:`as_mask`, ascending."""
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def mean(gains: Sequence[tuple[int, Pair]], count: int) -> Pair:
    """The mean of `count` values, given as (how often, value), reduced where that is cheap."""
    p, q = total([(times * p, q) for times, (p, q) in gains])
    return brief((p, q * count))


def brief(pair: Pair) -> Pair:
    """The same fraction, reduced where that is cheap."""
    return reduced(pair) if pair[1].bit_length() <= REDUCE_UP_TO else pair


def _expand(strategy: tuple[fmpq, ...], kept: list[bool]) -> tuple[tuple[fmpq, ...], bool]:
    """A strategy over kept bids as one over all cards, and whether a run of bids shares one."""
    cards, spread, played, run = [], False, iter(strategy), fmpq(0)
    for own in kept:
        if own:
            run = next(played)
        elif run:
            spread = True
        cards.append(run if own else fmpq(0))
    return tuple(cards), spread
