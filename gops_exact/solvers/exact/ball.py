"""The recursion in balls, which prove decimals of numbers that are too long to compute, and in residues.

In balls, floats propose a basis of each game, balls prove that the basis is optimal, and the value follows from
the inverse of the bordered matrix. A *tie* is a number that has to be compared with zero, and is zero: balls cannot
prove that. Nearly all ties occur among small hands, so the values of small hands are computed in exact numbers.

Modulo a prime, each value is a ball and a residue. The balls prove a basis of each game, and the residues are
computed on this basis, which takes seconds instead of hours. If all bases are proved, the residues are proved
to be those of the exact numbers. Among larger hands, a slack is assumed to be zero if its ball contains zero
*and* its residue is 0 (:func:`tied_basis`). The assumption is very likely true, but not proved. So the slab of values
for which it is made, and all slabs computed from this one, are marked as not proved. Games of up to eight cards need no
such assumption if values of up to four cards a side are exact; games of nine cards need none if values of up to five
cards a side are exact.
"""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, ClassVar

from flint import arb, ctx, fmpq, fmpz, nmod

from gops_exact.base.store import Reader, pack
from gops_exact.game.game import Node, Turn
from gops_exact.game.order_types import Layer
from gops_exact.matrix_game.basis import (
    Basis,
    Play,
    candidate,
    propose,
    prove,
    prove_both,
    prove_row,
    slacks,
)
from gops_exact.matrix_game.simplex import enclosed, solve_tableau
from gops_exact.numbers.exact import Pair, PrecisionError, reduced
from gops_exact.numbers.kinds import tidy
from gops_exact.solvers.exact.lattice import (
    Indices,
    Slab,
    System,
    Table,
    average,
    games,
    is_fair,
    over_cards,
)
from gops_exact.solvers.exact.rational import ExactSystem, PositionPayoff
from gops_exact.solvers.solution import LARGEST, PRIME

EXACT_UP_TO = 4
"""The default of the most cards a side for which the systems of this module compute exact values. Up to four cards a
side these have about 100 bits and take no more time than balls; at five cards a side they have thousands of bits."""

BITS = 128
"""The default precision, in bits, of the balls that accompany residues. These balls only have to decide signs."""


def solve_game(indices: Indices, table: Table) -> tuple[arb, Basis | None]:
    """Solve one matrix game, with balls of python-flint's current precision.

    A game that balls cannot solve is solved exactly if its payoffs are known exactly.

    Args:
        indices: the indices of the game's payoffs in `table`, shape (m, n).
        table: the payoffs of all games after one prize is turned up.

    Returns:
        A ball around the value; and an optimal basis, or None if no basis is proved to be optimal.
    """
    sure = table.sure(indices)
    if sure is not None:
        return sure
    balls = table.matrix(indices, "balls")
    basis = propose(table.matrix(indices, "floats"))
    play = None if basis is None else prove(balls, basis)
    if play is not None:
        return play.value, basis
    if not table.is_exact:
        return enclosed(balls)
    value, basis = solve_tableau(PositionPayoff(indices, table).rows)
    return arb(value), basis


@dataclass(frozen=True)
class BallSystem(System):
    """The number system of balls; values of at most `exact_up_to` cards a side are exact."""

    bits: int = BITS  # the precision of the midpoints in bits, at least 64
    exact_up_to: int = EXACT_UP_TO  # the most cards a side for which values are exact
    zero: ClassVar[Any] = arb(0)
    form = "balls"
    heading = "proved", "row_unique"
    read = "ball"

    @property
    def name(self) -> str:
        """The name of the system in a store: the precision in bits, and the most cards a side with exact values."""
        return f"ball/{self.bits}/{self.exact_up_to}"

    def slab(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: MutableMapping[Any, Slab],
        previewed: Node | None = None,  # noqa: ARG002  # every value is computed at once
    ) -> Slab:
        if layer.size <= self.exact_up_to:
            return self.of_exact(ExactSystem().slab(layer, turns, below).values)
        return self.solved(layer, [Table(turn, layer, below, self) for turn in turns])[0]

    def solved(
        self, layer: Layer, tables: Sequence[Table]
    ) -> tuple[Slab, list[tuple[Indices, list[Basis | None]]]]:
        """Solve all games of each pair of hands in a layer, in balls.

        Args:
            layer: the pairs of hands.
            tables: a table of payoffs for each turn. Each pair of hands has a game for each turn.

        Returns:
            The slab of values. And for each pair of hands: the indices of the payoffs, which are the same for all
            its games, and the basis of each game, or None if no basis is proved.
        """
        times = [table.turn.times for table in tables]
        bases: list[tuple[Indices, list[Basis | None]]] = []
        balls: list[arb] = []
        with ctx.workprec(self.bits):
            for indices in games(layer):
                values, optimal = zip(
                    *(solve_game(indices, table) for table in tables), strict=True
                )
                bases.append((indices, list(optimal)))
                balls.append(tidy(average(values, times)))
        return Slab(balls), bases

    def of_exact(self, values: Sequence[Pair]) -> Slab:
        """Return a slab with the exact values in `values`, which are pairs of integers, and with balls around them."""
        with ctx.workprec(self.bits):
            return Slab([tidy(arb(fmpq(*value))) for value in values], values)

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, Slab]) -> Play[Any]:
        (indices,), table = games(layer), Table(turn, layer, below, self)
        with ctx.workprec(self.bits):
            if table.is_exact:
                exactly = ExactSystem().play(layer, turn, below)
                return exactly.converted(lambda number: tidy(arb(fmpq(*number))))
            shape, fair = (len(indices), len(indices[0])), is_fair(layer, turn)
            value, basis = solve_game(indices, table)
            basis = basis or propose(table.matrix(indices, "floats"))
            prove_sides = prove_row if fair else prove_both
            proved = None if basis is None else prove_sides(table.matrix(indices, "balls"), basis)
            if basis is None or proved is None:
                row, column = ((arb(1, 1) / 2,) * side for side in shape)
                play = Play(tidy(value), row, column, None, None, proved=False, method="simplex")
            else:
                # In an antisymmetric game the value is exactly 0, and both players have the same optimal strategy. So
                # replace the computed balls of the value and of player two's strategy.
                play = proved.on_basis(basis, shape, arb(0)).converted(tidy)
                play = play._replace(value=arb(0), column=play.row) if fair else play
        return over_cards(layer, play, arb(0))

    def pack_slab(self, slab: Slab) -> bytes:
        """Convert a slab to bytes: its exact values if it has them, otherwise its balls."""
        if slab.values:
            return pack((1, list(map(reduced, slab.values))))
        return pack((0, slab.balls))

    def unpack_slab(self, payload: bytes) -> Slab:
        with Reader(payload) as reader:
            if reader.number():
                return self.of_exact(reader.several(reader.pair))
            return Slab(reader.several(reader.ball))


@dataclass(frozen=True)
class ResidueSystem(BallSystem):
    """The number system of residues modulo a prime; each value also has a ball, which serves to prove bases.

    Raises:
        ValueError: in a method that computes residues, if the prime divides a denominator.
    """

    prime: int = PRIME
    zero = 0
    form = "residues"
    heading = "row_unique", "proved"
    read = "number"

    @property
    def name(self) -> str:
        """The name of the system in a store.

        It consists of the prime, the precision of the balls in bits, and the most cards a side with exact values.
        """
        return f"residue/{self.prime}/{self.bits}/{self.exact_up_to}"

    def slab(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: MutableMapping[Any, Slab],
        previewed: Node | None = None,  # noqa: ARG002  # every value is computed at once
    ) -> Slab:
        if layer.size <= self.exact_up_to:
            slab = super().slab(layer, turns, below)
            return replace(slab, residues=list(map(self.residue, slab.values)))
        tables = [Table(turn, layer, below, self) for turn in turns]
        slab, solved = self.solved(layer, tables)
        times, residues = [turn.times for turn in turns], []
        proved = all(below[node].proved for turn in turns for node in turn.nodes)
        with ctx.workprec(self.bits):
            for indices, bases in solved:
                values = [
                    self.candidate(indices, table, basis)[1].value
                    for table, basis in zip(tables, bases, strict=True)
                ]
                residues.append(average(values, times))
                proved = proved and None not in bases
        return replace(slab, residues=residues, proved=proved)

    @contextmanager
    def dividing(self) -> Iterator[None]:
        """Turn a ZeroDivisionError in the context into a ValueError that suggests another prime."""
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

    def residue(self, number: Pair) -> nmod:
        """Return an exact number modulo the prime."""
        with self.dividing():
            return nmod(fmpq(*number), self.prime)

    def candidate(
        self, indices: Indices, table: Table, basis: Basis | None
    ) -> tuple[Basis, Play[nmod]]:
        """Return a basis of a game, and the strategies and the value on this basis modulo the prime.

        Args:
            indices: the indices of the game's payoffs in `table`, shape (m, n).
            table: the payoffs of all games after one prize is turned up.
            basis: the basis; None for the one that :func:`tied_basis` finds.

        Raises:
            PrecisionError: if `basis` is None and :func:`tied_basis` finds none.
            ValueError: if the prime divides a denominator.
        """
        residues = table.matrix(indices, "residues")
        with self.dividing():
            if basis is None:
                basis = tied_basis(table.matrix(indices, "balls"), residues)
                if basis is None:
                    raise PrecisionError(f"{self.bits} bits do not settle a game; take more")
            return basis, candidate(residues, basis)

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, Slab]) -> Play[Any]:
        (indices,), table = games(layer), Table(turn, layer, below, self)
        if table.is_exact:
            play = ExactSystem().play(layer, turn, below)
            return play.converted(lambda number: int(self.residue(number)))
        with ctx.workprec(self.bits):
            _, proved = solve_game(indices, table)
            basis, modular = self.candidate(indices, table, proved)
        shape = len(indices), len(indices[0])
        residues = modular.on_basis(basis, shape, nmod(0, self.prime)).converted(int)
        residues = over_cards(layer, residues, 0)
        if proved is None:
            return residues._replace(row_unique=None, column_unique=None, proved=False)
        return residues._replace(proved=all(below[node].proved for node in turn.nodes))

    def answer(self, number: nmod) -> int:
        return int(number)

    def pack_slab(self, slab: Slab) -> bytes:
        residues = tuple(map(int, slab.residues))
        return pack((bool(slab.proved), super().pack_slab(slab), residues))

    def unpack_slab(self, payload: bytes) -> Slab:
        with Reader(payload) as reader:
            proved, slab = bool(reader.number()), super().unpack_slab(reader.data())
            residues = [nmod(reader.number(), self.prime) for _ in slab.balls]
            return replace(slab, residues=residues, proved=proved)


def bases(m: int, n: int) -> Iterator[Basis]:
    """Yield all bases of an m × n game (all choices of equally many rows and columns), smallest first.

    At least one of them is optimal and has det K ≠ 0, where K is the matrix of the payoffs in the rows and columns of
    the basis, bordered with ones (Shapley & Snow 1950).
    """
    for size in range(1, min(m, n) + 1):
        for rows, columns in product(combinations(range(m), size), combinations(range(n), size)):
            yield Basis(rows, columns)


def tied_basis(balls: list[list[arb]], residues: list[list[nmod]]) -> Basis | None:
    """Return the first basis of a game that is optimal if all slacks that seem to be zero are zero.

    The slacks of a basis are the probabilities of its bids, and the loss of each other bid against the opponent's
    strategy on the basis. The basis is optimal if no slack is negative.

    A slack seems to be zero if its ball contains zero and its residue modulo the prime p is 0. Then it very likely is
    zero, but this is not proved: about one nonzero number in p has residue 0, and the slack would also have to be
    tiny. All other slacks of the basis are proved to be positive.

    Args:
        balls: balls around the payoffs, shape (m, n).
        residues: the payoffs modulo p, shape (m, n).

    Returns:
        The basis. If the balls are not precise enough, there may be no such basis; then None.

    Raises:
        ZeroDivisionError: if there is no such basis, but p divides det K (see :func:`bases`) of a basis that may be
            optimal.
    """
    divided = None
    for basis in bases(len(balls), len(balls[0])):
        try:
            short = list(slacks(balls, basis, candidate(balls, basis)))
        except ZeroDivisionError:
            continue
        # A negative slack proves that the basis is not optimal. This excludes nearly all bases, so residues are
        # computed for only a few.
        if any(ball < 0 for ball in short):
            continue
        try:
            shadow = candidate(residues, basis)
        except ZeroDivisionError as error:
            divided = error
            continue
        pairs = zip(short, slacks(residues, basis, shadow), strict=True)
        if all(ball > 0 or (ball.contains(0) and int(residue) == 0) for ball, residue in pairs):
            return basis
    if divided is not None:
        raise divided
    return None
