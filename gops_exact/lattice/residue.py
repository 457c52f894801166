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
from typing import Any

from flint import ctx, fmpq, fmpz, nmod

from gops_exact.game.game import Node, Turn
from gops_exact.game.order_types import Layer
from gops_exact.lattice.ball import (
    EXACT_UP_TO,
    BallSystem,
    exact_play,
    solve_game,
)
from gops_exact.lattice.sweep import (
    EnclosedSlab,
    Places,
    System,
    Table,
    average,
    games,
    look_up,
    over_cards,
    payoff_table,
)
from gops_exact.matrix_game.basis import candidate, tied_basis
from gops_exact.matrix_game.play import Basis, Play
from gops_exact.numbers.kinds import PrecisionError
from gops_exact.numbers.payload import Reader, pack_data, pack_number, pack_several
from gops_exact.solutions.arithmetic import LARGEST, PRIME

BITS = 128
"""Default precision of the balls, which only have to decide signs."""


class ResidueTable(Table[EnclosedSlab]):
    """Every payoff that the games of one turn can have, in balls and modulo the prime."""

    system: "ResidueSystem"

    @cached_property
    def residues(self) -> list[nmod]:
        """Every payoff modulo the prime."""
        zero = nmod(0, self.system.prime)
        return payoff_table(self.turn, self.width, lambda node: self.below[node].residues, zero)

    def number(self, place: int) -> int:
        """Return one payoff modulo the prime."""
        return int(self.residues[place])


@dataclass(frozen=True)
class ResidueSystem(System[EnclosedSlab, int]):
    """Residues modulo a prime.

    Raises:
        ValueError: in the recursion, if the prime divides a denominator.
    """

    prime: int = PRIME
    bits: int = BITS  # precision of the balls
    exact_up_to: int = EXACT_UP_TO  # cards a side up to which values are exact
    zero = 0
    tables = ResidueTable

    @property
    def name(self) -> str:
        """The key of its numbers: prime, precision of the balls, and up to where values are exact."""
        return f"residue/{self.prime}/{self.bits}/{self.exact_up_to}"

    @cached_property
    def ball(self) -> BallSystem:
        """The system that finds the bases."""
        return BallSystem(self.bits, self.exact_up_to)

    def slab(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: Mapping[Any, EnclosedSlab],
        previewed: Node | None = None,  # noqa: ARG002  # every value is evaluated
    ) -> EnclosedSlab:
        tables = [self.table(turn, layer, below) for turn in turns]
        slab, solved = self.ball.solved(layer, tables)
        if slab.exact is not None:
            residues, proved = [self.residue(value) for value in slab.exact], True
        else:
            times, residues = [turn.times for turn in turns], []
            proved = all(below[node].proved for turn in turns for node in turn.nodes)
            with ctx.workprec(self.bits):
                for places, bases in solved:
                    values = [
                        self.candidate(places, table, basis)[1].value
                        for table, basis in zip(tables, bases, strict=True)
                    ]
                    residues.append(average(values, times))
                    proved = proved and None not in bases
        return replace(slab, residues=residues, proved=proved)

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

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, EnclosedSlab]) -> Play[int]:
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
            return play._replace(row_unique=None, column_unique=None, proved=False)
        return play._replace(proved=all(below[node].proved for node in turn.nodes))

    def first(self, slab: EnclosedSlab) -> int:
        return int(slab.residues[0])

    def pack_slab(self, slab: EnclosedSlab) -> bytes:
        residues = [pack_number(int(residue)) for residue in slab.residues]
        return b"".join([pack_number(slab.proved), pack_data(self.ball.pack_slab(slab)), *residues])

    def unpack_slab(self, payload: bytes) -> EnclosedSlab:
        with Reader(payload) as reader:
            proved, ball = bool(reader.number()), self.ball.unpack_slab(bytes(reader.data()))
            residues = [nmod(reader.number(), self.prime) for _ in ball.balls]
            return replace(ball, residues=residues, proved=proved)

    def pack_opening(self, opening: Play[int]) -> bytes:
        flags = pack_number(bool(opening.row_unique)) + pack_number(opening.proved)
        return flags + pack_several(opening.row, pack_number)

    def unpack_opening(self, payload: bytes) -> Play[int]:
        with Reader(payload) as reader:
            unique, proved = bool(reader.number()), bool(reader.number())
            strategy = reader.several(reader.number)
            known = unique or (False if proved else None)
            return Play.fair(strategy, 0, unique=known, proved=proved)
