"""The recursion modulo a prime: fingerprints of the exact numbers, in seconds for hours.

Every value is kept twice: as a ball, for finding optimal bases as :mod:`~gops_exact.recursion.ball`
does, and as a residue, computed on those bases.

Where all bases are proved, the residues are proved to be those of the exact numbers. Ties among
small hands are settled exactly. A tie among larger ones is taken for one if the number that has to
be zero lies in a ball around zero *and* has residue 0, see
:func:`~gops_exact.matrix_game.modular.tied_basis`: strong evidence, no proof, and the slab and all
that rest on it are marked as not proved. In games of up to eight cards there is no such tie with
exact values up to four cards a side, and of nine cards with exact values up to five.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from flint import ctx, fmpq, fmpz, nmod

from gops_exact.matrix_game.basis import Basis, Candidate
from gops_exact.matrix_game.modular import candidate_modulo, tied_basis
from gops_exact.numbers.payload import Reader, Writer
from gops_exact.order_types import Layer
from gops_exact.recursion.ball import (
    EXACT_UP_TO,
    BallArithmetic,
    BallSlab,
    BallTable,
    PrecisionError,
    exact_opening,
    opening_game,
    play,
    solve_game,
)
from gops_exact.recursion.lattice import Node, Turn
from gops_exact.recursion.turns import Places, average, block_width, look_up, payoff_table

PRIME = 2**61 - 1
"""Default modulus, the largest Mersenne prime that fits a machine word."""

SMALLEST, LARGEST = 10**9, 2**64
"""Smaller primes tell too little apart, larger ones do not fit a machine word."""

BITS = 128
"""Default precision of the balls, which only have to tell signs."""

RESIDUE_BYTES = 60
"""Memory taken by a residue."""


@dataclass(frozen=True, eq=False)
class ResidueSlab:
    """The values of one node, twice.

    Attributes:
        ball: the values as balls.
        residues: length H; the values modulo the prime.
        proved: whether no tie behind them was taken for one without proof.
    """

    ball: BallSlab
    residues: list[nmod]
    proved: bool


@dataclass(frozen=True, eq=False)
class ResidueTable(BallTable):
    """A table with every payoff modulo the prime besides.

    Attributes:
        residues: by place.
    """

    residues: list[nmod]


@dataclass(frozen=True)
class ResidueOpening:
    """The optimal first move of a position with equal hands.

    Attributes:
        strategy: a probability per card, ascending, modulo the prime.
        unique: whether it is proved to be the only one.
        proved: whether no tie behind it was taken for one without proof.
    """

    strategy: tuple[int, ...]
    unique: bool
    proved: bool


@dataclass(frozen=True)
class ResidueArithmetic:
    """The recursion's games modulo a prime.

    Attributes:
        prime: the modulus.
        bits: precision of the balls.
        exact_up_to: cards a side up to which values are exact.

    Raises:
        ValueError: if the modulus is no prime between 10^9 and 2^64, or as
            :class:`~gops_exact.recursion.ball.BallArithmetic` does. In the recursion: if the prime
            divides a denominator.
    """

    prime: int = PRIME
    bits: int = BITS
    exact_up_to: int = EXACT_UP_TO

    def __post_init__(self) -> None:
        if not (SMALLEST < self.prime < LARGEST and fmpz(self.prime).is_prime()):
            raise ValueError(f"prime must be a prime between 10^9 and 2^64, got {self.prime}")
        BallArithmetic(self.bits, self.exact_up_to)

    @property
    def dearer(self) -> int:
        """Every game costs about the same."""
        return 1

    @property
    def name(self) -> str:
        """The prime, the precision of the balls, and up to where values are exact."""
        return f"residue/{self.prime}/{self.bits}/{self.exact_up_to}"

    @cached_property
    def ball(self) -> BallArithmetic:
        """The arithmetic that finds the bases."""
        return BallArithmetic(self.bits, self.exact_up_to)

    def slab(
        self, layer: Layer, turns: Sequence[Turn], below: Mapping[Node, ResidueSlab]
    ) -> ResidueSlab:
        """The values of every pair of hands in `layer` before one of `turns`."""
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
                    self.value(places, table, game.basis)
                    for table, game in zip(tables, solved, strict=True)
                ]
                residues.append(average(values, times))
                proved = proved and all(game.basis is not None for game in solved)
            return ResidueSlab(balls, residues, proved)

    def preview(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: Mapping[Node, ResidueSlab],
        known: MutableMapping[int, ResidueSlab],  # noqa: ARG002  # a whole slab costs little here
    ) -> ResidueSlab:
        """The same slab for one opening to look at."""
        return self.slab(layer, turns, below)

    def of_exact(self, ball: BallSlab) -> ResidueSlab:
        """Exact values modulo the prime."""
        return ResidueSlab(ball, [self.residue(value) for value in ball.exact or ()], proved=True)

    def table(self, turn: Turn, layer: Layer, below: Mapping[Node, ResidueSlab]) -> ResidueTable:
        """The table of the games of `turn` for the pairs of hands of `layer`."""
        width, nodes = block_width(layer), turn.nodes
        residues = payoff_table(turn, width, lambda node: below[node].residues, nmod(0, self.prime))
        return ResidueTable(turn, width, {node: below[node].ball for node in nodes}, residues)

    def residue(self, number: fmpq) -> nmod:
        """An exact number modulo the prime."""
        try:
            return nmod(number, self.prime)
        except ZeroDivisionError:
            raise self.division_error() from None

    def value(self, places: Places, table: ResidueTable, basis: Basis | None) -> nmod:
        """The value of a game, given its optimal basis if one is proved."""
        if basis is None:
            basis = self.tied_basis(places, table)
        return self.candidate(places, table, basis).value

    def candidate(self, places: Places, table: ResidueTable, basis: Basis) -> Candidate[nmod]:
        """Strategies and value on a basis."""
        try:
            return candidate_modulo(look_up(places, table.residues), basis)
        except ZeroDivisionError:
            raise self.division_error() from None

    def tied_basis(self, places: Places, table: ResidueTable) -> Basis:
        """A basis of a game that is as good as a tie to the balls."""
        basis = tied_basis(look_up(places, table.balls), look_up(places, table.residues))
        if basis is None:
            raise PrecisionError(f"{self.bits} bits do not settle a game; take more")
        return basis

    def division_error(self) -> ValueError:
        """What to raise when the prime divides a denominator."""
        step = 2 if self.prime < LARGEST // 2 else -2
        other = self.prime + step
        while not fmpz(other).is_prime():
            other += step
        return ValueError(
            f"prime must divide no denominator, got {self.prime}; take another, such as {other}"
        )

    def opening(
        self, layer: Layer, turn: Turn, below: Mapping[Node, ResidueSlab]
    ) -> ResidueOpening:
        """The first move of a position with equal hands, which `layer` holds alone.

        Raises:
            ValueError: if the hands differ.
        """
        places, table = opening_game(layer), self.table(turn, layer, below)
        exact = exact_opening(places, table)
        if exact is not None:
            strategy = tuple(int(self.residue(probability)) for probability in exact.row)
            return ResidueOpening(strategy, exact.row_unique, proved=True)
        with ctx.workprec(self.bits):
            unique = solve_game(places, table).basis
            basis = self.tied_basis(places, table) if unique is None else unique
        candidate = self.candidate(places, table, basis)
        played = dict(zip(basis.rows, map(int, candidate.row), strict=True))
        strategy = tuple(played.get(card, 0) for card in range(layer.size))
        found = unique is not None
        proved = found and all(below[node].proved for node in turn.nodes)
        return ResidueOpening(strategy, found, proved=proved)

    def select(self, slab: ResidueSlab, places: Sequence[int]) -> ResidueSlab:
        """The values at `places` as a slab."""
        residues = [slab.residues[h] for h in places]
        return ResidueSlab(self.ball.select(slab.ball, places), residues, slab.proved)

    def join(self, slabs: Sequence[ResidueSlab]) -> ResidueSlab:
        """Slabs one after the other as one slab."""
        return ResidueSlab(
            self.ball.join([slab.ball for slab in slabs]),
            [residue for slab in slabs for residue in slab.residues],
            all(slab.proved for slab in slabs),
        )

    def nbytes(self, slab: ResidueSlab) -> int:
        """Memory taken by a slab, in bytes."""
        return self.ball.nbytes(slab.ball) + len(slab.residues) * RESIDUE_BYTES

    def pack_slab(self, slab: ResidueSlab) -> bytes:
        """A slab as bytes."""
        writer = Writer().number(slab.proved).data(self.ball.pack_slab(slab.ball))
        for residue in slab.residues:
            writer.number(int(residue))
        return writer.payload()

    def unpack_slab(self, payload: bytes) -> ResidueSlab:
        """The inverse of :meth:`pack_slab`."""
        reader = Reader(payload)
        proved, ball = bool(reader.number()), self.ball.unpack_slab(bytes(reader.data()))
        residues = [nmod(reader.number(), self.prime) for _ in ball.balls]
        reader.end()
        return ResidueSlab(ball, residues, proved)

    def pack_opening(self, opening: ResidueOpening) -> bytes:
        """An opening as bytes."""
        writer = Writer().number(opening.unique).number(opening.proved)
        writer.number(len(opening.strategy))
        for residue in opening.strategy:
            writer.number(residue)
        return writer.payload()

    def unpack_opening(self, payload: bytes) -> ResidueOpening:
        """The inverse of :meth:`pack_opening`."""
        reader = Reader(payload)
        unique, proved = bool(reader.number()), bool(reader.number())
        strategy = tuple(reader.number() for _ in range(reader.number()))
        reader.end()
        return ResidueOpening(strategy, unique, proved)
