"""First moves modulo a prime, which check exact results independently where exact numbers are too long to compute.

    python studies/residues.py 8 [--prime P] [--objective win] [--ties carryover] [--prizes hidden] [--out FILE]
    python studies/residues.py 8 --check

The first line prints first moves as JSON. The second one computes the files of results/ with residues of up to so many
cards again, says for each if it is as computed, and ends with status 2 if one is not. In one process, N = 8 takes 17 s.

Each value is a ball and a residue. The balls prove a basis of each game, and the residues are computed on this basis.
If all bases are proved, the residues are proved to be those of the exact numbers. Among larger hands, a slack is assumed
to be zero if its ball contains zero *and* its residue is 0 (:func:`tied_basis`). The assumption is very likely true, but
not proved. So the values for which it is made, and all values computed from these, are marked as not proved. Games of up
to eight cards need no such assumption if values of up to four cards a side are exact; games of nine cards need none if
values of up to five cards a side are exact.
"""

import json
import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from itertools import combinations, product
from operator import attrgetter
from pathlib import Path
from typing import Any

from flint import arb, ctx, fmpq, fmpz, nmod, nmod_mat
from script import run_script

from gops_exact import Game, Rules
from gops_exact.base.progress import progress_bar
from gops_exact.base.store import Reader, pack
from gops_exact.commands.options import Options, Parser, integer, output
from gops_exact.game.game import PrizeState, StageGame
from gops_exact.game.order_types import LONGEST, Layer
from gops_exact.matrix_game.basis import Basis, Play, candidate, slacks
from gops_exact.numbers.exact import Pair, PrecisionError, average
from gops_exact.numbers.kinds import tidy
from gops_exact.solvers.arithmetic import BALL_BITS, Exact
from gops_exact.solvers.exact.ball import EXACT_UP_TO, BallSystem, solve_game
from gops_exact.solvers.exact.by_prizes import ByPrizes
from gops_exact.solvers.exact.lattice import (
    BALLS,
    ExactSystem,
    Form,
    Indices,
    PayoffTable,
    ValueTable,
    games,
)

RESULTS = Path(__file__).parent.parent / "results"

SMALLEST, LARGEST = 10**9, 2**64
"""The bounds of the modulus. Modulo a smaller prime, different numbers often have equal residues; a larger prime
does not fit in a machine word."""

PRIME = 2**61 - 1
"""The default modulus: the largest Mersenne prime that fits in a machine word."""

FEW_CARDS = 8
"""The most cards a side of a game for points in which exact values of up to four cards a side suffice to prove all
residues. Larger games, and all games with the objective win, have more ties, which balls cannot decide. For these
games the values of up to five cards a side are computed exactly, which takes an eighth more time at nine cards."""

MOST_BITS = 1024
"""The highest precision, in bits, of the balls that accompany residues. As long as balls cannot decide a game, their
precision is doubled, at most to this number of bits."""


@dataclass(frozen=True, eq=False)
class ResidueTable(ValueTable):
    """The values of one prize state, as balls and as residues."""

    residues: Sequence[nmod] = ()  # the values modulo the prime, length H
    proved: bool = True  # False if residues depend on a zero that is assumed, not proved


@dataclass(frozen=True)
class ResidueSystem(BallSystem):
    """The number system of residues modulo a prime; each value also has a ball, which serves to prove bases.

    Raises:
        ZeroDivisionError: in a method that computes residues, if the prime divides a denominator.
    """

    prime: int = PRIME
    zero = 0

    @cached_property
    def form(self) -> Form[Any]:
        """The form of the values modulo the prime."""
        return nmod(0, self.prime), attrgetter("residues")

    def value_table(
        self,
        layer: Layer,
        stages: Sequence[StageGame],
        below: MutableMapping[Any, ValueTable],
        previewed: PrizeState | None = None,  # noqa: ARG002  # every value is computed at once
    ) -> ValueTable:
        """Return the values of a prize state, computed on the bases that balls prove."""
        if layer.size <= self.exact_up_to:
            table = super().value_table(layer, stages, below)
            return ResidueTable(
                table.balls, table.values, residues=list(map(self.residue, table.values))
            )
        tables = [PayoffTable(stage, layer, below, self) for stage in stages]
        times = [stage.times for stage in stages]
        proved = all(below[state].proved for stage in stages for state in stage.prize_states)
        balls, residues = [], []
        with ctx.workprec(self.bits):
            for indices in games(layer):
                values, bases = zip(*(solve_game(indices, table) for table in tables), strict=True)
                balls.append(tidy(average(values, times)))
                plays = [
                    self.candidate(indices, table, basis)[1]
                    for table, basis in zip(tables, bases, strict=True)
                ]
                residues.append(average([play.value for play in plays], times))
                proved = proved and None not in bases
        return ResidueTable(balls, residues=residues, proved=proved)

    def residue(self, number: Pair) -> nmod:
        """Return an exact number modulo the prime."""
        return nmod(fmpq(*number), self.prime)

    def candidate(
        self, indices: Indices, table: PayoffTable, basis: Basis | None
    ) -> tuple[Basis, Play[nmod]]:
        """Return a basis of a game, and the strategies and the value on this basis modulo the prime.

        Args:
            indices: the indices of the game's payoffs in `table`, shape (m, n).
            table: the payoffs of all games after one prize is turned up.
            basis: the basis; None for the one that :func:`tied_basis` finds.

        Raises:
            PrecisionError: if `basis` is None and :func:`tied_basis` finds none.
            ZeroDivisionError: if the prime divides a denominator.
        """
        residues = table.matrix(indices, self.form)
        if basis is None:
            basis = tied_basis(table.matrix(indices, BALLS), residues)
            if basis is None:
                raise PrecisionError(f"{self.bits} bits do not decide a game; take more")
        return basis, on_basis(residues, basis)

    def play(
        self, layer: Layer, stage: StageGame, below: Mapping[PrizeState, ValueTable]
    ) -> Play[Any]:
        """Return optimal play modulo the prime."""
        (indices,), table = games(layer), PayoffTable(stage, layer, below, self)
        if table.is_exact:
            play = ExactSystem().play(layer, stage, below)
            return play.converted(lambda number: int(self.residue(number)))
        with ctx.workprec(self.bits):
            _, proved = solve_game(indices, table)
            basis, modular = self.candidate(indices, table, proved)
        shape = len(indices), len(indices[0])
        residues = modular.on_basis(basis, shape, nmod(0, self.prime)).converted(int)
        residues = residues.over(layer.row_kept[0], layer.column_kept[0], 0)
        if proved is None:
            return residues._replace(row_unique=None, column_unique=None, proved=False)
        return residues._replace(proved=all(below[state].proved for state in stage.prize_states))

    def pack(self, play: Play[int]) -> bytes:
        """Convert optimal play between equal hands to bytes."""
        return pack((bool(play.row_unique), bool(play.proved), list(play.row)))

    def unpack(self, payload: bytes) -> Play[int]:
        """Convert the bytes of :meth:`pack` to the play."""
        with Reader(payload) as reader:
            unique, proved = bool(reader.number()), bool(reader.number())
            both = tuple(reader.several(reader.number))
        return self.as_stored(Play(0, both, both, unique, unique, proved))


def bases(m: int, n: int) -> Iterator[Basis]:
    """Yield all bases of an m × n game (all choices of equally many rows and columns), smallest first.

    At least one of them is optimal and has det K ≠ 0, where K is the matrix of the payoffs in the rows and columns of
    the basis, bordered with ones (Shapley & Snow 1950).
    """
    for size in range(1, min(m, n) + 1):
        for rows, columns in product(combinations(range(m), size), combinations(range(n), size)):
            yield Basis(rows, columns)


def on_basis(payoff: list[list[nmod]], basis: Basis) -> Play[nmod]:
    """Return the value and the strategies at a basis modulo the prime, as :func:`candidate` does in balls.

    Raises:
        ZeroDivisionError: if det K (see :func:`bases`) is 0 modulo the prime.
    """
    size = len(basis.rows)
    square = [[payoff[i][j] for j in basis.columns] + [1] for i in basis.rows]
    modulus = payoff[0][0].modulus()
    inverse = nmod_mat([*square, [1] * size + [0]], modulus).inv()
    row = tuple(inverse[size, i] for i in range(size))
    column = tuple(inverse[j, size] for j in range(size))
    return Play(-inverse[size, size], row, column)


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
            shadow = on_basis(residues, basis)
        except ZeroDivisionError as error:
            divided = error
            continue
        pairs = zip(short, slacks(residues, basis, shadow), strict=True)
        if all(ball > 0 or (ball.contains(0) and int(residue) == 0) for ball, residue in pairs):
            return basis
    if divided is not None:
        raise divided
    return None


def first_moves(game: Game, prime: int) -> str:
    """Return the optimal first moves of a game modulo a prime, as JSON.

    Raises:
        ValueError: if `prime` is no prime between 10⁹ and 2⁶⁴, or divides a denominator.
        PrecisionError: if balls of :data:`MOST_BITS` bits cannot decide a game.
    """
    if not (SMALLEST < prime < LARGEST and fmpz(prime).is_prime()):
        raise ValueError(f"prime must be a prime between 10^9 and 2^64, got {prime}")
    bits, exact_up_to = BALL_BITS, EXACT_UP_TO + (game.rules.winning or game.n > FEW_CARDS)
    solver = ByPrizes(Exact(), progress=progress_bar())
    while True:
        system = ResidueSystem(bits, exact_up_to, prime=prime)
        try:
            plays = solver.plays(game, game.upcards, system)
            return document(game, prime, plays)
        except ZeroDivisionError:
            raise ValueError(f"prime must divide no denominator, got {prime}") from None
        except PrecisionError:
            bits *= 2
            if bits > MOST_BITS:
                raise


def document(game: Game, prime: int, plays: Mapping[Any, Play[int]]) -> str:
    """Return the JSON document of first moves."""
    columns = []
    for upcard, play in plays.items():
        cards = ",".join(
            f'\n    "{card}": {p}' for card, p in zip(game.hand, play.row, strict=True)
        )
        unique, proved = json.dumps(bool(play.row_unique)), json.dumps(play.proved)
        columns.append(
            f'\n  {{"upcard": {json.dumps(upcard)}, "value": "0", "unique": {unique}, "proved": {proved}, '
            f'"probabilities": {{{cards}}}}}'
        )
    return (
        f'{{"n": {game.n}, "rules": {json.dumps(asdict(game.rules))}, "arithmetic": "residue", "prime": {prime},'
        f'\n "columns": [{",".join(columns)}\n]}}\n'
    )


def check(most: int) -> None:
    """Compute the files of results/ with residues of at most `most` cards again.

    Raises:
        ValueError: if a file differs from what is computed.
    """
    for path in sorted(RESULTS.glob("digests/residues_*.json")):
        text = path.read_text(encoding="utf-8")
        stored = json.loads(text)
        if stored["n"] > most:
            continue
        if first_moves(Game(stored["n"], Rules(**stored["rules"])), stored["prime"]) != text:
            raise ValueError(f"{path} is not what is computed")
        print(f"{path.relative_to(RESULTS)}: as computed", flush=True)


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("n", type=partial(integer, 1, LONGEST), metavar="N", help="cards a side")
    parser.add_rules()
    parser.add("numbers", "--prime", "P", "the modulus", PRIME, between=(2, LARGEST))
    parser.add("running", "--check", "", "compute the files of results/ again")
    parser.share("--out")


def run(options: Options) -> None:
    """Print first moves, or check results."""
    if options.check:
        check(options.n)
        return
    with output(options.out) as file:
        file.write(first_moves(options.game, options.prime))


def main(words: list[str]) -> int:
    """Run the script; return the exit status."""
    return run_script(__file__, str(__doc__), add_arguments, run, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
