"""The recursion in balls: proved decimals where the exact numbers are too long to compute.

Floats propose the basis of a game, balls prove it, and the value is read off the inverse of the
bordered matrix. Values of small hands are kept exact, because nearly all ties are among them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, ctx, fmpq, fmpq_mat

from gops_exact.game.game import Node, Turn
from gops_exact.game.order_types import Layer
from gops_exact.lattice.sweep import (
    EnclosedSlab,
    Places,
    System,
    Table,
    average,
    games,
    is_fair,
    look_up,
    over_cards,
)
from gops_exact.matrix_game.basis import propose, prove, prove_both, prove_row
from gops_exact.matrix_game.exact import solve_tableau
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.matrix_game.play import Basis, Play
from gops_exact.matrix_game.solve import by_basis, by_simplex, enclosed
from gops_exact.numbers.kinds import tidy
from gops_exact.numbers.payload import Reader, pack_ball, pack_number, pack_pair, pack_several
from gops_exact.numbers.raw import from_pair, to_pair

EXACT_UP_TO = 4
"""Cards a side up to which exact values cost no more than balls: about a hundred bits each. With
five cards they have thousands."""


def solve_game(places: Places, table: Table[Any]) -> tuple[arb, Basis | None]:
    """Return value and basis of one game at the present precision; ties exactly, where hands are small.

    The basis is None if none is proved.
    """
    sure = table.sure(places)
    if sure is not None:
        return table.balls[places[sure.rows[0]][sure.columns[0]]], sure
    balls = look_up(places, table.balls)
    basis = propose(look_up(places, table.floats))
    found = None if basis is None else prove(balls, basis)
    if found is not None:
        return found.value, basis
    if table.exact is None:
        return enclosed(balls)
    value, basis = solve_tableau(look_up(places, table.exact))
    return arb(value), basis


def value_on_basis(places: Places, exact: list[fmpq], basis: Basis) -> fmpq:
    """Return the exact value of a game on a basis, without the strategies."""
    size = len(basis.rows)
    if size == 1:
        return exact[places[basis.rows[0]][basis.columns[0]]]
    bordered: list[list[fmpq | int]] = [
        [*(exact[places[i][j]] for j in basis.columns), 1] for i in basis.rows
    ]
    bordered.append([*[1] * size, 0])
    unit = fmpq_mat(size + 1, 1, [0] * size + [1])
    return -fmpq_mat(bordered).solve(unit)[size, 0]


def exact_play(places: Places, table: Table[Any]) -> Play[fmpq] | None:
    """Solve a game exactly; None where hands are not small."""
    if table.exact is None:
        return None
    game = Payoff.of(look_up(places, table.exact))
    found = by_basis(game, fair=game.is_fair())
    return by_simplex(game) if found is None else found.converted(from_pair)


@dataclass(frozen=True)
class BallSystem(System[EnclosedSlab, arb]):
    """Balls."""

    bits: int  # precision of the midpoints, at least 64
    exact_up_to: int = EXACT_UP_TO  # cards a side up to which values are exact
    zero = arb(0)
    tables = Table

    @property
    def name(self) -> str:
        """The key of its numbers: the precision, and up to where values are exact."""
        return f"ball/{self.bits}/{self.exact_up_to}"

    def slab(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: Mapping[Any, EnclosedSlab],
        previewed: Node | None = None,  # noqa: ARG002  # every value is evaluated
    ) -> EnclosedSlab:
        return self.solved(layer, [self.table(turn, layer, below) for turn in turns])[0]

    def solved(
        self, layer: Layer, tables: Sequence[Table[Any]]
    ) -> tuple[EnclosedSlab, list[tuple[Places, list[Basis | None]]]]:
        """Solve the games of each pair of hands in `layer`, one for each table.

        Returns the values, and for each pair where the entries of its games stand in a table and their bases.
        """
        times = [table.turn.times for table in tables]
        found: list[tuple[Places, list[Basis | None]]] = []
        balls, exactly = [], []
        with ctx.workprec(self.bits):
            for places in games(layer):
                solved = [solve_game(places, table) for table in tables]
                found.append((places, [basis for _, basis in solved]))
                if layer.size > self.exact_up_to:
                    balls.append(tidy(average([value for value, _ in solved], times)))
                    continue
                values = [
                    value_on_basis(places, table.exact, basis)
                    for table, (_, basis) in zip(tables, solved, strict=True)
                    if table.exact is not None and basis is not None
                ]
                exactly.append(average(values, times))
        if layer.size > self.exact_up_to:
            return EnclosedSlab(balls), found
        return self.of_exact(exactly), found

    def of_exact(self, values: list[fmpq]) -> EnclosedSlab:
        """Return the slab of exact values, with balls around them."""
        with ctx.workprec(self.bits):
            return EnclosedSlab([tidy(arb(value)) for value in values], exact=values)

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, EnclosedSlab]) -> Play[arb]:
        (places,), table = games(layer), self.table(turn, layer, below)
        with ctx.workprec(self.bits):
            known, fair = exact_play(places, table), is_fair(layer, turn)
            if known is not None:
                play = known.converted(lambda number: tidy(arb(number)))
                return over_cards(layer, play, arb(0))
            shape = len(places), len(places[0])
            value, basis = solve_game(places, table)
            basis = basis or propose(look_up(places, table.floats))
            prove_sides = prove_row if fair else prove_both
            found = None if basis is None else prove_sides(look_up(places, table.balls), basis)
            if basis is None or found is None:
                row, column = ((arb(1, 1) / 2,) * side for side in shape)
                play = Play(tidy(value), row, column, None, None, proved=False, method="simplex")
            else:
                play = found.on_basis(basis, shape, arb(0)).converted(tidy)
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
