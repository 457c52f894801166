"""The recursion modulo a prime: residues of the exact numbers, in seconds instead of hours.

Every value is kept twice: as a ball, for finding optimal bases as :mod:`~gops_exact.lattice.ball`
does, and as a residue, computed on those bases.

Where all bases are proved, the residues are proved to be those of the exact numbers. Ties among
small hands are settled exactly. Among larger hands a game is assumed to be tied if the number that
would have to be zero lies in a ball around zero *and* has residue 0
(:func:`~gops_exact.matrix_game.basis.tied_basis`). That is evidence, not proof: the slab and all
slabs computed from it are marked as not proved. In games of up to eight cards there is no such tie
with exact values up to four cards a side, and of nine cards with exact values up to five.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

from flint import ctx, fmpq, fmpz, nmod

from gops_exact.game.game import Node, Turn
from gops_exact.game.order_types import Layer
from gops_exact.lattice.ball import (
    EXACT_UP_TO,
    BallSlab,
    BallSystem,
    BallTable,
    exact_play,
    play,
    solve_game,
)
from gops_exact.lattice.sweep import (
    Places,
    System,
    average,
    block_width,
    games,
    look_up,
    over_cards,
    payoff_table,
)
from gops_exact.matrix_game.basis import candidate, tied_basis
from gops_exact.matrix_game.play import Basis, Play
from gops_exact.numbers.kinds import PrecisionError
from gops_exact.numbers.payload import Reader, Writer
from gops_exact.solutions.arithmetic import LARGEST, PRIME, Residue

BITS = 128
"""Default precision of the balls, which only have to decide signs."""

RESIDUE_BYTES = 60
"""Memory that a residue takes."""


@dataclass(frozen=True, eq=False)
class ResidueSlab:
    """The values of one node, twice."""

    ball: BallSlab  # the values as balls
    residues: list[nmod]  # length H; the values modulo the prime
    proved: bool  # False if the values rest on a tie that is not proved

    def __len__(self) -> int:
        return len(self.ball)


@dataclass(frozen=True, eq=False)
class ResidueTable(BallTable):
    """Every payoff that the games of one turn can have, in balls and modulo the prime."""

    residues: list[nmod]


@dataclass(frozen=True)
class ResidueSystem(System[ResidueSlab, int]):
    """Residues modulo a prime.

    Raises:
        ValueError: if the modulus is no prime between 10^9 and 2^64, there are fewer than 64 bits,
            or `exact_up_to` is negative. In the recursion: if the prime divides a denominator.
    """

    prime: int = PRIME
    bits: int = BITS  # precision of the balls
    exact_up_to: int = EXACT_UP_TO  # cards a side up to which values are exact
    zero = 0

    def __post_init__(self) -> None:
        Residue(self.prime)
        BallSystem(self.bits, self.exact_up_to)

    @property
    def name(self) -> str:
        """The key of its numbers: prime, precision of the balls, and up to where values are exact."""
        return f"residue/{self.prime}/{self.bits}/{self.exact_up_to}"

    @cached_property
    def ball(self) -> BallSystem:
        """The system that finds the bases."""
        return BallSystem(self.bits, self.exact_up_to)

    def slab(
        self, layer: Layer, turns: Sequence[Turn], below: Mapping[Node, ResidueSlab]
    ) -> ResidueSlab:
        """Return the values of every pair of hands in `layer` before one of `turns`."""
        tables = [self.table(turn, layer, below) for turn in turns]
        with ctx.workprec(self.bits):
            played = play(layer, tables)
            balls = self.ball.slab_of(layer.size, tables, played)
            if balls.exact is not None:
                return self.of_exact(balls)
            times = [turn.times for turn in turns]
            residues = []
            proved = all(below[node].proved for turn in turns for node in turn.nodes)
            for places, solved in played:
                values = [
                    self.candidate(places, table, basis)[1].value
                    for table, (_, basis) in zip(tables, solved, strict=True)
                ]
                residues.append(average(values, times))
                proved = proved and all(basis is not None for _, basis in solved)
            return ResidueSlab(balls, residues, proved)

    def of_exact(self, ball: BallSlab) -> ResidueSlab:
        """Return the slab of values that are known exactly."""
        return ResidueSlab(ball, [self.residue(value) for value in ball.exact or ()], proved=True)

    def table(self, turn: Turn, layer: Layer, below: Mapping[Node, ResidueSlab]) -> ResidueTable:
        """Return the table of the games of `turn` for the pairs of hands of `layer`."""
        width, nodes = block_width(layer), turn.nodes
        residues = payoff_table(turn, width, lambda node: below[node].residues, nmod(0, self.prime))
        return ResidueTable(turn, width, {node: below[node].ball for node in nodes}, residues)

    @contextmanager
    def dividing(self) -> Iterator[None]:
        """Raise a ValueError that names another prime where this one divides a denominator."""
        try:
            yield
        except ZeroDivisionError:
            step = 2 if self.prime < LARGEST // 2 else -2
            other = self.prime + step
            while not fmpz(other).is_prime():
                other += step
            raise ValueError(
                f"prime must divide no denominator, got {self.prime}; take another, such as {other}"
            ) from None

    def residue(self, number: fmpq) -> nmod:
        """Return an exact number modulo the prime."""
        with self.dividing():
            return nmod(number, self.prime)

    def candidate(
        self, places: Places, table: ResidueTable, basis: Basis | None
    ) -> tuple[Basis, Play[nmod]]:
        """Return strategies and value on a basis, which is found as a tie if none is proved."""
        residues = look_up(places, table.residues)
        with self.dividing():
            if basis is None:
                basis = tied_basis(look_up(places, table.balls), residues)
                if basis is None:
                    raise PrecisionError(f"{self.bits} bits do not settle a game; take more")
            return basis, candidate(residues, basis)

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, ResidueSlab]) -> Play[int]:
        """Return optimal play at the position that `layer` holds alone."""
        (places,), table = games(layer), self.table(turn, layer, below)
        exact = exact_play(places, table)
        if exact is not None:
            exactly = over_cards(layer, exact, fmpq(0))
            return exactly.converted(lambda number: int(self.residue(number)))
        with ctx.workprec(self.bits):
            _, proved = solve_game(places, table)
            basis, found = self.candidate(places, table, proved)
        shape = len(places), len(places[0])
        play = found.on_basis(basis, shape, nmod(0, self.prime)).converted(int)
        play = over_cards(layer, play, 0)
        if proved is None:
            return replace(play, row_unique=None, column_unique=None, proved=False)
        return replace(play, proved=all(below[node].proved for node in turn.nodes))

    def entries(
        self, places: Places, layer: Layer, turn: Turn, below: Mapping[Node, ResidueSlab]
    ) -> list[list[int]]:
        """Return the payoffs at `places` of a game of `layer`."""
        return [
            [int(x) for x in row]
            for row in look_up(places, self.table(turn, layer, below).residues)
        ]

    def expectation(self, payoffs: Sequence[int], column: Sequence[int]) -> int:
        """Return the mean of payoffs by the probabilities of `column`."""
        return sum(x * q for x, q in zip(payoffs, column, strict=True)) % self.prime

    def negative(self, number: int) -> int:
        """Return a number with the other sign."""
        return -number % self.prime

    def first(self, slab: ResidueSlab) -> int:
        """Return the first value of a slab."""
        return int(slab.residues[0])

    def select(self, slab: ResidueSlab, places: Sequence[int]) -> ResidueSlab:
        """Return the values at `places` as a slab."""
        residues = [slab.residues[h] for h in places]
        return ResidueSlab(self.ball.select(slab.ball, places), residues, slab.proved)

    def join(self, slabs: Sequence[ResidueSlab]) -> ResidueSlab:
        """Return slabs one after the other as one slab."""
        return ResidueSlab(
            self.ball.join([slab.ball for slab in slabs]),
            [residue for slab in slabs for residue in slab.residues],
            all(slab.proved for slab in slabs),
        )

    def nbytes(self, slab: ResidueSlab) -> int:
        """Estimate the memory that a slab takes, in bytes."""
        return self.ball.nbytes(slab.ball) + len(slab.residues) * RESIDUE_BYTES

    def pack_slab(self, slab: ResidueSlab) -> bytes:
        """Write a slab as bytes."""
        writer = Writer().number(slab.proved).data(self.ball.pack_slab(slab.ball))
        for residue in slab.residues:
            writer.number(int(residue))
        return writer.payload()

    def unpack_slab(self, payload: bytes) -> ResidueSlab:
        """Read what :meth:`pack_slab` wrote."""
        with Reader(payload) as reader:
            proved, ball = bool(reader.number()), self.ball.unpack_slab(bytes(reader.data()))
            residues = [nmod(reader.number(), self.prime) for _ in ball.balls]
            return ResidueSlab(ball, residues, proved)

    def pack_opening(self, opening: Play[int]) -> bytes:
        """Write an opening as bytes."""
        writer = Writer().number(bool(opening.row_unique)).number(opening.proved)
        return writer.several(opening.row, writer.number).payload()

    def unpack_opening(self, payload: bytes) -> Play[int]:
        """Read what :meth:`pack_opening` wrote."""
        with Reader(payload) as reader:
            unique, proved = bool(reader.number()), bool(reader.number())
            strategy = reader.several(reader.number)
            known = unique or (False if proved else None)
            return Play.fair(strategy, 0, unique=known, proved=proved)
