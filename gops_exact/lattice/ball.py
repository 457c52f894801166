"""The recursion in balls: proved decimals where the exact numbers are too long to compute.

Floats propose the basis of a game, balls prove it, and the value is read off the inverse of the
bordered matrix. Values of small hands are kept exact, because nearly all ties are among them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from flint import arb, ctx, fmpq

from gops_exact.game.order_types import Layer
from gops_exact.game.position import Node, Turn
from gops_exact.lattice.sweep import (
    EnclosedArithmetic,
    EnclosedSlab,
    Places,
    Table,
    average,
    games,
    look_up,
    opening_game,
    over_cards,
    payoff_table,
)
from gops_exact.matrix_game.basis import Basis, Candidate, propose, prove
from gops_exact.matrix_game.play import Play
from gops_exact.matrix_game.solution import GameSolution
from gops_exact.matrix_game.solve import by_balls, by_simplex
from gops_exact.matrix_game.ties import Solved, enclosed, exact_value, guided, settled
from gops_exact.numbers.kinds import tidy
from gops_exact.numbers.pairs import from_pair, to_pair
from gops_exact.numbers.payload import Reader, Writer

EXACT_UP_TO = 4
"""Cards a side up to which exact values cost no more than balls: about a hundred bits each. With
five cards they have thousands."""

BALL_BYTES = 150
"""Memory that a ball takes beside its digits: two objects, and a float."""


@dataclass(frozen=True, eq=False)
class BallSlab(EnclosedSlab):
    """The values of one node as balls whose radii are powers of two.

    Attributes:
        exact: length H; the same values exactly, where hands are small.
    """

    exact: list[fmpq] | None = None


@dataclass(frozen=True, eq=False)
class BallTable(Table[BallSlab]):
    """Every payoff that the games of one turn can have, exactly where hands are small."""

    @cached_property
    def exact(self) -> list[fmpq] | None:
        """Every payoff exactly; None where hands are not small."""
        exactly = {node: slab.exact for node, slab in self.below.items() if slab.exact is not None}
        if len(exactly) < len(self.below):
            return None
        return payoff_table(self.turn, self.width, exactly.__getitem__, fmpq(0))


Played = tuple[Places, list[Solved]]
"""The games of a pair of hands: where their entries stand in the table of a turn; each one solved."""


def play(layer: Layer, tables: Sequence[BallTable]) -> list[Played]:
    """Solve the games of each pair of hands, at the present precision."""
    return [(places, [solve_game(places, table) for table in tables]) for places in games(layer)]


def solve_game(places: Places, table: BallTable) -> Solved:
    """Solve one game at the present precision; ties exactly, where hands are small."""
    balls = look_up(places, table.balls)
    solved = guided(look_up(places, table.floats), balls)
    if solved is not None:
        return solved
    return enclosed(balls) if table.exact is None else settled(look_up(places, table.exact))


def exact_opening(places: Places, table: BallTable) -> GameSolution | None:
    """Solve the game of a first move exactly; None where hands are not small."""
    if table.exact is None:
        return None
    payoff = look_up(places, table.exact)
    return by_balls(payoff) or by_simplex(payoff)


def exact_play(layer: Layer, payoff: list[list[fmpq]]) -> Play[fmpq]:
    """Solve the game of the position that `layer` holds alone exactly.

    `payoff`, shape (m, n), is the game of the bids that the layer keeps.
    """
    return over_cards(layer, (by_balls(payoff) or by_simplex(payoff)).play, fmpq(0))


def prove_row(balls: list[list[arb]], basis: Basis) -> Candidate[arb] | None:
    """Prove a basis of a game of wide balls, shape (m, n), in the way that leaves the narrower row.

    Balls around floats are wide. Either of the two ways may prove a basis alone.
    """
    found = (prove(balls, basis, wide=wide) for wide in (False, True))
    proved = (candidate for candidate in found if candidate is not None)
    return min(proved, key=lambda each: max(float(p.rad()) for p in each.row), default=None)


def prove_both(balls: list[list[arb]], basis: Basis) -> Candidate[arb] | None:
    """Prove a basis of a game of wide balls, shape (m, n), and leave both strategies narrow.

    The column of a proof may be many times as wide as its row, so it is the row of the game that player
    two sees.
    """
    own = prove_row(balls, basis)
    seen = [[-entry for entry in column] for column in zip(*balls, strict=True)]
    other = prove_row(seen, Basis(basis.columns, basis.rows))
    return own if own is None or other is None else own._replace(column=other.row)


@dataclass(frozen=True)
class BallArithmetic(EnclosedArithmetic[BallSlab, arb]):
    """The recursion's games over balls.

    Attributes:
        bits: precision of the midpoints.
        exact_up_to: cards a side up to which values are exact.

    Raises:
        ValueError: if there are fewer than 64 bits, or `exact_up_to` is negative.
    """

    bits: int
    exact_up_to: int = EXACT_UP_TO

    def __post_init__(self) -> None:
        if self.bits < 64:
            raise ValueError(f"bits must be at least 64, got {self.bits}")
        if self.exact_up_to < 0:
            raise ValueError(f"exact_up_to must be at least 0, got {self.exact_up_to}")

    @property
    def name(self) -> str:
        """The key of its numbers: the precision, and up to where values are exact."""
        return f"ball/{self.bits}/{self.exact_up_to}"

    def slab(self, layer: Layer, turns: Sequence[Turn], below: Mapping[Node, BallSlab]) -> BallSlab:
        """Return the values of every pair of hands in `layer` before one of `turns`."""
        tables = [BallTable.of(turn, layer, below) for turn in turns]
        with ctx.workprec(self.bits):
            return self.slab_of(layer.size, tables, play(layer, tables))

    def slab_of(self, size: int, tables: Sequence[BallTable], played: list[Played]) -> BallSlab:
        """Return the slab of hands of `size` whose games were played, at the present precision."""
        times = [table.turn.times for table in tables]
        if size > self.exact_up_to:
            return BallSlab(
                [tidy(average([game.value for game in solved], times)) for _, solved in played]
            )
        values = []
        for places, solved in played:
            exactly = [
                exact_value(look_up(places, table.exact), game.basis)
                for table, game in zip(tables, solved, strict=True)
                if table.exact is not None and game.basis is not None
            ]
            values.append(average(exactly, times))
        return self.of_exact(values)

    def of_exact(self, values: list[fmpq]) -> BallSlab:
        """Return the slab of exact values, with balls around them."""
        with ctx.workprec(self.bits):
            return BallSlab([tidy(arb(value)) for value in values], values)

    def opening(self, layer: Layer, turn: Turn, below: Mapping[Node, BallSlab]) -> Play[arb]:
        """Return the first move of the position that `layer` holds alone."""
        places, table = opening_game(layer), BallTable.of(turn, layer, below)
        with ctx.workprec(self.bits):
            known = exact_opening(places, table)
            if known is not None:
                strategy = [tidy(arb(probability)) for probability in known.row]
                return Play.fair(strategy, arb(0), unique=known.row_unique)
            basis = solve_game(places, table).basis or propose(look_up(places, table.floats))
            balls = look_up(places, table.balls)
            candidate = None if basis is None else prove_row(balls, basis)
            if basis is None or candidate is None:
                strategy = [arb(1, 1) / 2] * layer.size
                return Play.fair(strategy, arb(0), unique=None, proved=False)
            played = Play.on_basis(basis, (layer.size, layer.size), candidate, arb(0))
            return Play.fair(list(map(tidy, played.row)), arb(0), unique=True)

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, BallSlab]) -> Play[arb]:
        """Return optimal play at the position that `layer` holds alone."""
        (places,), table = games(layer), BallTable.of(turn, layer, below)
        with ctx.workprec(self.bits):
            if table.exact is not None:
                payoff = look_up(places, table.exact)
                return exact_play(layer, payoff).converted(lambda number: tidy(arb(number)))
            solved, balls = solve_game(places, table), look_up(places, table.balls)
            found = None if solved.basis is None else prove_both(balls, solved.basis)
            if solved.basis is None or found is None:
                unknown = (arb(1, 1) / 2,) * layer.size
                value = tidy(solved.value)
                return Play(value, unknown, unknown, None, None, proved=False, method="simplex")
            shape = len(places), len(places[0])
            play = Play.on_basis(solved.basis, shape, found, arb(0)).converted(tidy)
            return over_cards(layer, play, arb(0))

    def entries(self, layer: Layer, turn: Turn, below: Mapping[Node, BallSlab]) -> list[list[arb]]:
        """Return the game of the position that `layer` holds alone."""
        (places,) = games(layer)
        with ctx.workprec(self.bits):
            return look_up(places, BallTable.of(turn, layer, below).balls)

    def expectations(self, entries: list[list[arb]], column: Sequence[arb]) -> list[arb]:
        """Return the mean of every row by the probabilities of `column`."""
        with ctx.workprec(self.bits):
            products = [[x * q for x, q in zip(row, column, strict=True)] for row in entries]
            return [sum(terms, arb(0)) for terms in products]

    def first(self, slab: BallSlab) -> arb:
        """Return the first value of a slab."""
        return slab.balls[0]

    def select(self, slab: BallSlab, places: Sequence[int]) -> BallSlab:
        """Return the values at `places` as a slab."""
        exactly = None if slab.exact is None else [slab.exact[h] for h in places]
        return BallSlab([slab.balls[h] for h in places], exactly)

    def join(self, slabs: Sequence[BallSlab]) -> BallSlab:
        """Return slabs one after the other as one slab."""
        exactly = [slab.exact for slab in slabs if slab.exact is not None]
        return BallSlab(
            [value for slab in slabs for value in slab.balls],
            [value for block in exactly for value in block] if len(exactly) == len(slabs) else None,
        )

    def nbytes(self, slab: BallSlab) -> int:
        """Estimate the memory that a slab takes, in bytes."""
        exactly = sum(value.p.bit_length() + value.q.bit_length() for value in slab.exact or ())
        return len(slab.balls) * (BALL_BYTES + self.bits // 8) + exactly // 8

    def pack_slab(self, slab: BallSlab) -> bytes:
        """Write a slab: the exact values where there are any, otherwise the balls."""
        writer = Writer().number(slab.exact is not None)
        if slab.exact is None:
            writer.several(slab.balls, writer.ball)
        else:
            writer.several([to_pair(value) for value in slab.exact], writer.pair)
        return writer.payload()

    def unpack_slab(self, payload: bytes) -> BallSlab:
        """Read what :meth:`pack_slab` wrote."""
        with Reader(payload) as reader:
            if reader.number():
                return self.of_exact(list(map(from_pair, reader.several(reader.pair))))
            return BallSlab(reader.several(reader.ball))

    def pack_opening(self, opening: Play[arb]) -> bytes:
        """Write an opening as bytes."""
        writer = Writer().number(opening.proved).number(bool(opening.row_unique))
        return writer.several(opening.row, writer.ball).payload()

    def unpack_opening(self, payload: bytes) -> Play[arb]:
        """Read what :meth:`pack_opening` wrote."""
        with Reader(payload) as reader:
            proved, unique = bool(reader.number()), bool(reader.number())
            strategy = reader.several(reader.ball)
            return Play.fair(strategy, arb(0), unique=unique if proved else None, proved=proved)
