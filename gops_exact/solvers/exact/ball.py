"""The recursion in balls, for proved decimals of numbers too long to compute, and modulo a prime.

Floats propose the basis of a game, balls prove it, and the value is read off the inverse of the
bordered matrix. Values of small hands are kept exact, because nearly all ties are among them.

Modulo a prime a residue is kept beside every ball, computed on the bases that the balls find: seconds
instead of hours. Where all bases are proved, the residues are proved to be those of the exact numbers.
Ties among small hands are settled exactly. Among larger hands a game is assumed to be tied if the number
that would have to be zero lies in a ball around zero *and* has residue 0
(:func:`tied_basis`). That is evidence, not proof: the slab and all
slabs computed from it are marked as not proved. In games of up to eight cards there is no such tie
with exact values up to four cards a side, and of nine cards with exact values up to five.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any

from flint import arb, ctx, fmpq, fmpq_mat, fmpz, nmod

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
from gops_exact.matrix_game.evaluate import by_basis
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.matrix_game.simplex import by_simplex, enclosed, solve_tableau
from gops_exact.numbers.exact import PrecisionError
from gops_exact.numbers.kinds import tidy
from gops_exact.numbers.raw import (
    Reader,
    from_pair,
    pack_ball,
    pack_data,
    pack_number,
    pack_pair,
    pack_several,
    to_pair,
)
from gops_exact.solvers.arithmetic import LARGEST, PRIME
from gops_exact.solvers.exact.lattice import (
    EnclosedSlab,
    Indices,
    System,
    Table,
    average,
    games,
    is_fair,
    look_up,
    over_cards,
    payoff_table,
)

EXACT_UP_TO = 4
"""Cards a side up to which exact values cost no more than balls: about a hundred bits each. With
five cards they have thousands."""

BITS = 128
"""Default precision of the balls, which only have to decide signs."""


def solve_game(indices: Indices, table: Table[Any]) -> tuple[arb, Basis | None]:
    """Return value and basis of one game at the present precision; the basis is None if none is proved.

    Where hands are small, a game that balls do not settle is solved exactly.
    """
    sure = table.sure(indices)
    if sure is not None:
        return sure
    balls = look_up(indices, table.balls)
    basis = propose(look_up(indices, table.floats))
    play = None if basis is None else prove(balls, basis)
    if play is not None:
        return play.value, basis
    if table.exact is None:
        return enclosed(balls)
    value, basis = solve_tableau(look_up(indices, table.exact))
    return arb(value), basis


def value_on_basis(indices: Indices, exact: list[fmpq], basis: Basis) -> fmpq:
    """Return the exact value of a game on a basis, without the strategies."""
    size = len(basis.rows)
    if size == 1:
        return exact[indices[basis.rows[0]][basis.columns[0]]]
    bordered: list[list[fmpq | int]] = [
        [*(exact[indices[i][j]] for j in basis.columns), 1] for i in basis.rows
    ]
    bordered.append([*[1] * size, 0])
    unit = fmpq_mat(size + 1, 1, [0] * size + [1])
    return -fmpq_mat(bordered).solve(unit)[size, 0]


def exact_play(indices: Indices, table: Table[Any]) -> Play[fmpq] | None:
    """Solve a game exactly; None where hands are not small."""
    if table.exact is None:
        return None
    game = Payoff.of(look_up(indices, table.exact))
    play = by_basis(game, fair=game.is_fair())
    return by_simplex(game) if play is None else play.converted(from_pair)


@dataclass(frozen=True)
class BallSystem(System[EnclosedSlab, arb]):
    """The number system of balls; values of at most `exact_up_to` cards a side are exact."""

    bits: int  # precision of the midpoints, at least 64
    exact_up_to: int = EXACT_UP_TO  # cards a side up to which values are exact
    zero = arb(0)
    table = Table

    @property
    def name(self) -> str:
        """The system's key in a store: its precision in bits, and the most cards a side with exact values."""
        return f"ball/{self.bits}/{self.exact_up_to}"

    def slab(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: Mapping[Any, EnclosedSlab],
        previewed: Node | None = None,  # noqa: ARG002  # every value is evaluated
    ) -> EnclosedSlab:
        return self.solved(layer, [self.table(turn, layer, below, self) for turn in turns])[0]

    def solved(
        self, layer: Layer, tables: Sequence[Table[Any]]
    ) -> tuple[EnclosedSlab, list[tuple[Indices, list[Basis | None]]]]:
        """Solve the games of each pair of hands in `layer`, one for each table.

        Returns the values; and for each pair of hands the indices of its games, and the basis of each game.
        """
        times = [table.turn.times for table in tables]
        bases: list[tuple[Indices, list[Basis | None]]] = []
        balls, exactly = [], []
        with ctx.workprec(self.bits):
            for indices in games(layer):
                solved = [solve_game(indices, table) for table in tables]
                bases.append((indices, [basis for _, basis in solved]))
                if layer.size > self.exact_up_to:
                    balls.append(tidy(average([value for value, _ in solved], times)))
                    continue
                values = [
                    value_on_basis(indices, table.exact, basis)
                    for table, (_, basis) in zip(tables, solved, strict=True)
                    if table.exact is not None and basis is not None
                ]
                exactly.append(average(values, times))
        if layer.size > self.exact_up_to:
            return EnclosedSlab(balls), bases
        return self.of_exact(exactly), bases

    def of_exact(self, values: list[fmpq]) -> EnclosedSlab:
        """Return the slab of exact values, with balls around them."""
        with ctx.workprec(self.bits):
            return EnclosedSlab([tidy(arb(value)) for value in values], exact=values)

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, EnclosedSlab]) -> Play[arb]:
        (indices,), table = games(layer), self.table(turn, layer, below, self)
        with ctx.workprec(self.bits):
            exactly, fair = exact_play(indices, table), is_fair(layer, turn)
            if exactly is not None:
                play = exactly.converted(lambda number: tidy(arb(number)))
                return over_cards(layer, play, arb(0))
            shape = len(indices), len(indices[0])
            value, basis = solve_game(indices, table)
            basis = basis or propose(look_up(indices, table.floats))
            prove_sides = prove_row if fair else prove_both
            proved = None if basis is None else prove_sides(look_up(indices, table.balls), basis)
            if basis is None or proved is None:
                row, column = ((arb(1, 1) / 2,) * side for side in shape)
                play = Play(tidy(value), row, column, None, None, proved=False, method="simplex")
            else:
                play = proved.on_basis(basis, shape, arb(0)).converted(tidy)
                play = play._replace(value=arb(0), column=play.row) if fair else play
        return over_cards(layer, play, arb(0))

    def first(self, slab: EnclosedSlab) -> arb:
        return slab.balls[0]

    def pack_slab(self, slab: EnclosedSlab) -> bytes:
        """Write a slab: the exact values where there are any, otherwise the balls."""
        if slab.exact is None:
            return pack_number(0) + pack_several(slab.balls, pack_ball)
        return pack_number(1) + pack_several([to_pair(value) for value in slab.exact], pack_pair)

    def unpack_slab(self, payload: bytes) -> EnclosedSlab:
        with Reader(payload) as reader:
            if reader.number():
                return self.of_exact(list(map(from_pair, reader.several(reader.pair))))
            return EnclosedSlab(reader.several(reader.ball))

    def pack_opening(self, opening: Play[arb]) -> bytes:
        flags = pack_number(opening.proved) + pack_number(bool(opening.row_unique))
        return flags + pack_several(opening.row, pack_ball)

    def unpack_opening(self, payload: bytes) -> Play[arb]:
        with Reader(payload) as reader:
            proved, unique = bool(reader.number()), bool(reader.number())
            strategy = reader.several(reader.ball)
            return Play.fair(strategy, arb(0), unique=unique if proved else None, proved=proved)


class ResidueTable(Table[EnclosedSlab]):
    """Every payoff that the games of one turn can have, in balls and modulo the prime."""

    system: "ResidueSystem"

    @cached_property
    def residues(self) -> list[nmod]:
        """Every payoff modulo the prime."""
        zero = nmod(0, self.system.prime)
        return payoff_table(self.turn, self.width, lambda node: self.below[node].residues, zero)

    def number(self, index: int) -> int:
        """Return one payoff modulo the prime."""
        return int(self.residues[index])


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
    table = ResidueTable

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
        tables = [self.table(turn, layer, below, self) for turn in turns]
        slab, solved = self.ball.solved(layer, tables)
        if slab.exact is not None:
            residues, proved = [self.residue(value) for value in slab.exact], True
        else:
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
        self, indices: Indices, table: ResidueTable, basis: Basis | None
    ) -> tuple[Basis, Play[nmod]]:
        """Return a basis, by default that of :func:`tied_basis`, and the strategies and value on it."""
        residues = look_up(indices, table.residues)
        with self.dividing():
            if basis is None:
                basis = tied_basis(look_up(indices, table.balls), residues)
                if basis is None:
                    raise PrecisionError(f"{self.bits} bits do not settle a game; take more")
            return basis, candidate(residues, basis)

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, EnclosedSlab]) -> Play[int]:
        (indices,), table = games(layer), self.table(turn, layer, below, self)
        exact = exact_play(indices, table)
        if exact is not None:
            exactly = over_cards(layer, exact, fmpq(0))
            return exactly.converted(lambda number: int(self.residue(number)))
        with ctx.workprec(self.bits):
            _, proved = solve_game(indices, table)
            basis, play = self.candidate(indices, table, proved)
        shape = len(indices), len(indices[0])
        residues = play.on_basis(basis, shape, nmod(0, self.prime)).converted(int)
        residues = over_cards(layer, residues, 0)
        if proved is None:
            return residues._replace(row_unique=None, column_unique=None, proved=False)
        return residues._replace(proved=all(below[node].proved for node in turn.nodes))

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


def bases(m: int, n: int) -> Iterator[Basis]:
    """Yield every choice of equally many of m rows and n columns, small ones first.

    One of them is optimal and has det K ≠ 0 (Shapley & Snow 1950).
    """
    for size in range(1, min(m, n) + 1):
        for rows, columns in product(combinations(range(m), size), combinations(range(n), size)):
            yield Basis(rows, columns)


def tied_basis(balls: list[list[arb]], residues: list[list[nmod]]) -> Basis | None:
    """Find the first basis that is optimal if all numbers that look like zero are zero, shape (m, n).

    Each slack is positive in balls, or its ball contains zero and its residue is 0. The second is
    evidence, not proof: about one nonzero number in p has residue 0 modulo p, and it has to be tiny
    besides. None if no basis qualifies: then the balls are not precise enough.

    Raises:
        ZeroDivisionError: if none is found, and the prime divides det K of one that may be optimal.
    """
    divided = None
    for basis in bases(len(balls), len(balls[0])):
        try:
            short = list(slacks(balls, basis, candidate(balls, basis)))
        except ZeroDivisionError:
            continue
        # Balls rule out nearly all bases; the rest takes residues.
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
