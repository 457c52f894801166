"""Solver in exact numbers, and in balls. It takes one set of prizes left after another, and computes all values for it.

The values of all pairs of hands with one set of prizes are computed together, from the values of the sets with one
prize less (see :mod:`~gops_exact.solvers.exact.lattice`). Words used here:

* A *ball* is an interval, given by its midpoint and its radius, that is proved to contain the true number. Its
  *precision* is the number of bits of the midpoint.
* A *number system* is a kind of number in which values are computed: exact fractions, or balls of one precision.
* A *prize state* is the set of the prizes left with the margin (player one's points minus player two's) and the pot
  (the points carried over from ties).
* A *value table* has the values of all pairs of hands with the same number of cards a side at one prize state.
* A *layer* (:class:`~gops_exact.game.order_types.Layer`) lists pairs of hands with the same number of cards a side. Of
  a pair and the same pair with the players swapped, its *mirror image*, only one is listed. Of all pairs whose cards
  interleave in the same way, only one is listed, because they have the same value.
* A *stage game* is a round at a prize state: its upcard (the prize turned up), and its three results.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from itertools import filterfalse
from math import ceil, log2
from pathlib import Path
from typing import Any, TypeVar
from weakref import finalize

import numpy as np
from flint import arb, fmpz

from gops_exact.base.progress import Progress, part_of, tracked
from gops_exact.base.store import DiskStore
from gops_exact.game.game import (
    Game,
    Position,
    StageGame,
    as_game,
    checked_position,
    stage_games,
)
from gops_exact.game.order_types import Layer, mask, order_types, pair_above, relabelled
from gops_exact.game.rules import Upcard, Upcards
from gops_exact.matrix_game.basis import Play
from gops_exact.numbers.exact import Number, PrecisionError
from gops_exact.solvers.arithmetic import Ball, Exact
from gops_exact.solvers.exact.lattice import (
    BALLS,
    ExactSystem,
    PayoffTable,
    System,
    ValueTable,
    games,
)
from gops_exact.solvers.exact.value_tables import MEMORY_BYTES, Values, Worker, do_on_cluster
from gops_exact.solvers.first_moves import FirstMoves
from gops_exact.solvers.solver import HALF, Solver

Answer = TypeVar("Answer")

MOST_CARDS = 14
"""The most cards a side of a game that :class:`ByPrizes` accepts. For 14 cards, listing the pairs of hands takes 10 s
and 2 GB; each further card takes three to four times as much."""

GUARD_BITS = 64
"""The number of bits that the balls of the first attempt have in addition to the bits of the requested digits.
Additional bits are needed, because the radii of balls grow by five or six bits for each card a side."""

DOUBLINGS = 3
"""The maximum number of further attempts to prove all requested digits. Each attempt has balls of twice the precision
of the attempt before."""

POSITION_BYTES = 1 << 27
"""The bound, in bytes, on the values kept in memory from earlier queries; the values for one query may take more."""

REMEMBERED = 1 << 14
"""The maximum number of answers about positions that are cached. If there are more, all of them are dropped."""

PARALLEL_SECONDS = 7
"""The least estimated time, in core seconds, of a run that counts as large. Unless a number of processes is requested,
smaller runs start no other processes, because starting them takes seconds."""

Form = tuple[Layer, Position, bool]
"""The form (layer, position, swapped) in which a position is solved. Of a pair of hands and its mirror image, in which
the players are swapped, only one is stored. If only the mirror image is stored, the whole position is replaced by its
mirror image, and `swapped` is True. The layer holds only the pair of hands of the resulting position."""


class ByPrizes(Solver[Any]):
    """Solver in exact numbers, or in balls of the lowest precision that suffices.

    The *root* is the first position of `game` or, if `game` is None, the first position that is asked for. The solver
    stores the values of the positions below the root. A position is below the root if it has the same rules, and if its
    cards interleave like those of a pair of hands that can follow from the hands of the root. Its prizes, margin and
    pot do not matter. With a `game`, positions that are not below the root are refused, but :meth:`value` accepts those
    whose :attr:`.Position.known_value` is not None. Without a `game`, a position that is not below the root becomes the
    new root, and the values below the old root are dropped. Solving positions reads values from the store, but writes
    none to it.

    Args:
        arithmetic: the kind of number.
        game: the game to which all positions will belong; None to accept any position.
        store: the file of the store; None for values in memory only.
        read_only: True to read the store, but write nothing to it.
        workers: the number of processes to compute optimal first bids, or the address of a Dask scheduler; None to
            choose by the length of the run.
        progress: called as progress(done, total), in any unit.
        force: True to begin even if the estimated time is hours.

    Raises:
        ValueError: if the game has more than :data:`MOST_CARDS` cards a side; or if it takes hours, and `force` is
            False.

    >>> solver = ByPrizes(Exact(), Game(4))
    >>> position = Position([2, 4], [1, 3], [12, 13], upcard=13)
    >>> print(solver.value(position), *solver.bid_gains(position.swapped()).values())
    313/25 -313/25 -313/25
    """

    arithmetic: Exact | Ball

    def __init__(
        self,
        arithmetic: Exact | Ball,
        game: Game | None = None,
        *,
        store: Path | None = None,
        read_only: bool = False,
        workers: int | str | None = None,
        progress: Progress | None = None,
        force: bool = False,
    ) -> None:
        super().__init__(arithmetic, progress, force=force)
        if game is not None:
            if game.n > MOST_CARDS:
                raise ValueError(f"n must be at most {MOST_CARDS}, got {game.n}")
            self.judged(game)
        self._store, self._read_only, self._workers = store, read_only, workers
        self._game = game
        self._first_moves: dict[Game, dict[Upcard, Play[Any]]] = {}
        self._file: DiskStore | None = None
        self._systems = systems(arithmetic)
        self._positions: Positions | None = None  # those below the root; replaced as a whole

    def value(self, position: Position | str) -> Number[Any]:
        position = checked_position(position)
        decided = position.known_value
        if decided is not None:
            known = ValueTable([arb(decided)], [(fmpz(decided), fmpz(1))])
            return self.number(self._systems[0].values(known)[0])
        return self.number(self._asked(position, Positions.value))

    def play(self, position: Position) -> Play[Any]:
        play: Play[Any] = self._asked(checked_position(position, turned=True), Positions.play)
        return play

    def entries(self, position: Position, *, enclosed: bool = False) -> list[list[Any]]:
        """Return player one's expectation for every pair of bids, shape (k, k) for k cards a side.

        If `enclosed` is True, the numbers are balls in every arithmetic.
        """
        checked_position(position, turned=True)
        every = range(position.size)
        return self._asked(
            position, partial(Positions.entries, rows=every, columns=every, enclosed=enclosed)
        )

    def gains(self, position: Position, cards: Iterable[int] | None = None) -> list[Any]:
        """Return player one's expectation from each bid, if player two plays the strategy that :meth:`play` returns.

        `cards` are player one's bids; None for all cards of the hand.

        Raises:
            ValueError: if a card is not in the hand; :meth:`solve` lists further reasons.
        """
        checked_position(position, turned=True)
        rows = [position.one.index(card) for card in (position.one if cards is None else cards)]
        return self._asked(position, partial(Positions.gains, rows=rows))

    def first_move(self, game: Game | int, upcards: Upcards | None = None) -> FirstMoves[Any]:
        game = as_game(game)
        chosen, known = game.chosen(upcards), self._first_moves.setdefault(game, {})
        unsolved = list(filterfalse(known.__contains__, chosen))
        if unsolved:
            large = self.judged(game) >= PARALLEL_SECONDS
            ask = partial(self.plays, game, unsolved, large=large)
            known |= _first_proved(self._systems, ask)
        elif self._progress is not None:
            self._progress(1, 1)
        return self.moves(game, {upcard: known[upcard] for upcard in chosen})

    def plays(
        self, game: Game, upcards: Collection[Upcard], system: System, *, large: bool = False
    ) -> dict[Upcard, Play[Any]]:
        """Compute optimal play of the first round in one number system, {upcard: value and optimal strategies}.

        Args:
            game: the game whose optimal first bids are computed.
            upcards: the upcards; the rules must allow each of them to come first.
            system: the number system of the values and strategies.
            large: True if the run is long enough for other processes to save time.
        """
        store = self._store
        jobs = self._workers if isinstance(self._workers, int) else 1
        if large and not isinstance(self._workers, int):
            from gops_exact.base.machine import available_cores  # short runs do not need it

            jobs = available_cores()
        # A long exact run uses another process even with one job: an interrupt stops that process at once, but in this
        # process it would have to wait for the current multiplication, which can take long.
        long = large and isinstance(system, ExactSystem)
        elsewhere = (jobs > 1 or long) and not self._read_only
        with ExitStack() as stack:
            cluster = None
            if isinstance(self._workers, str):
                # Imported here: without a cluster, asyncio, the float layers and more need not be loaded.
                from gops_exact.base.cluster import Cluster

                cluster = stack.enter_context(Cluster(self._workers))
            if (elsewhere or cluster is not None) and store is None:
                from tempfile import TemporaryDirectory  # positions do not need it

                folder = stack.enter_context(TemporaryDirectory(prefix="gops_exact-"))
                store = Path(folder) / "store.sqlite"
            file = None
            if store is not None:
                file = stack.enter_context(DiskStore(store, read_only=self._read_only))
            values = Values(game.types, game.rules, system, file, MEMORY_BYTES // jobs)
            worker = Worker(game, values, store)
            graph = worker.graph(upcards)
            alone = not elsewhere or not graph or (len(graph) < jobs and not large)
            if cluster is None and alone:
                # The tasks can be done in the order of the graph, in which each task comes after those that it waits for.
                for task in tracked(graph, self._progress, values.weight):
                    worker.do(task)
            else:
                # Imported here, because a run in one process needs neither of them.
                from gops_exact.base.pools import Order, follow

                worker.divided = jobs > 1 or cluster is not None
                order = Order(graph, self._progress, values.weight)
                if cluster is not None:
                    do_on_cluster(cluster, worker, order, graph)
                else:
                    follow(order, jobs, worker.do, worker.is_small)
            return {
                upcard: play
                for upcard in upcards
                if (play := values.first_move(game.prizes, upcard)) is not None
            }

    def number(self, raw: Any, *, proved: bool = True) -> Number[Any]:  # noqa: ANN401, ARG002  # of the system
        return self._systems[0].number(raw)

    def _asked(self, position: Position, ask: "Callable[[Positions, Form], Answer]") -> Answer:
        """Return the answer of `ask` about a position, in the number system of the lowest precision that suffices.

        Later queries begin with this precision if their positions belong to the same root.

        Raises:
            ValueError: if the position does not belong to the solver's game, or takes too long.
            PrecisionError: if no precision suffices.
        """
        known = self._positions
        form = None if known is None else known.form(position)
        if known is None or form is None:
            start = position if self._game is None else self._game.start
            self.judged(start)
            known = self._among(start, self._systems[0])
            form = known.form(position)
            if form is None:
                raise ValueError(f"expected a position that {start} leads to, got {position}")
        start, own_form = known.start, form
        sufficing = self._systems[self._systems.index(known.system) :]
        answer = _first_proved(sufficing, lambda system: ask(self._among(start, system), own_form))
        if self._progress is not None:
            self._progress(2 * HALF, 2 * HALF)
        return answer

    def _among(self, start: Position, system: System) -> "Positions":
        """Return a Positions object with the root `start` and a number system: that of the last query, or a new one."""
        known = self._positions
        if known is None or (known.start, known.system) != (start, system):
            with suppress(OSError):  # raised if the path is invalid; then no store is used
                if self._file is None and self._store is not None and self._store.exists():
                    self._file = DiskStore(self._store, read_only=True)
                    finalize(self, self._file.close)
            known = self._positions = Positions(start, system, self._file, self._progress)
        return known


class Positions:
    """Values, payoffs and optimal play of all positions that belong to one position, the root, in one number system.

    A position belongs to the root if it has the same rules, and its cards interleave like those of a pair of hands that
    can follow from the hands of the root. Its prizes, margin and pot do not matter. Each answer is computed when it is
    asked for the first time.

    Args:
        start: the root, before or after a prize is turned up.
        system: the number system of all values and strategies.
        store: the store, which is only read; None for values in memory only.
        progress: called as progress(done, total). The first half of the total is for the values of the positions that
            can follow; the caller reports the second half.
    """

    def __init__(
        self,
        start: Position,
        system: System,
        store: DiskStore | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.start, self.system, self._progress = start, system, progress
        # The pairs of hands that can follow from the root, a layer for each number of cards a side.
        self._types = order_types(start.one, start.two, equal=start.rules.winning)
        self._values = Values(self._types, start.rules, system, store, POSITION_BYTES)
        # A cache of values and plays. A key has the hands of player one and of player two as bit masks, the prize state
        # and, for plays, the upcard.
        self._answers: dict[tuple[object, ...], Any] = {}

    def value(self, form: Form) -> Any:  # noqa: ANN401  # a number of the system
        """Return the value of a position, which `form` describes, before or after a prize is turned up."""
        layer, position, swapped = form
        if position.upcard is not None:
            return self.play(form).value
        key = layer.one.item(), layer.two.item(), position.prize_state
        if key not in self._answers:
            following = stage_games(position.rules, position.prize_state)
            table = self.system.value_table(layer, following, self._below(position, following))
            (self._answers[key],) = self.system.values(table)
        value = self._answers[key]
        return self.system.negative(value) if swapped else value

    def play(self, form: Form) -> Play[Any]:
        """Return the value and optimal strategies at a position in which the players bid next.

        Args:
            form: the position, in the :data:`Form` in which it is solved.
        """
        layer, position, swapped = form
        key = layer.one.item(), layer.two.item(), position.prize_state, position.upcard
        if key not in self._answers:
            below = self._below(position, [position.stage_game])
            self._answers[key] = self.system.play(layer, position.stage_game, below)
        play: Play[Any] = self._answers[key]
        return play.swapped(self.system.negative) if swapped else play

    def entries(
        self,
        form: Form,
        rows: Sequence[int],
        columns: Sequence[int],
        enclosed: bool = False,
    ) -> list[list[Any]]:
        """Return player one's expectation for some pairs of bids, shape (number of rows, number of columns).

        Args:
            form: the :data:`Form` of a position with a prize turned up.
            rows: the indices of some cards in player one's hand; index 0 is the lowest card.
            columns: the indices of some cards in player two's hand; index 0 is the lowest card.
            enclosed: True to return balls instead of numbers of the system.
        """
        layer, position, swapped = form
        table = PayoffTable(
            position.stage_game, layer, self._below(position, [position.stage_game]), self.system
        )
        number: Callable[[int], Any] = self.system.payoffs(table)
        negative: Callable[[Any], Any] = self.system.negative
        if enclosed:
            number, negative = table.payoffs(BALLS).__getitem__, arb.__neg__
        # A row or column for every bid, also for bids that are interchangeable.
        every = np.ones_like(layer.row_kept)
        (indices,) = games(replace(layer, row_kept=every, column_kept=every))
        if swapped:
            return [[negative(number(indices[j][i])) for j in columns] for i in rows]
        return [[number(indices[i][j]) for j in columns] for i in rows]

    def gains(self, form: Form, rows: Sequence[int]) -> list[Any]:
        """Return player one's expectation from some bids, if player two plays the strategy that :meth:`play` returns.

        Args:
            form: a position in which the players bid next, in the :data:`Form` in which it is solved.
            rows: the indices of the bids in player one's hand; index 0 is the lowest card.

        Returns:
            The expectation for each index in `rows`, a number of the number system in use.
        """
        column, zero = self.play(form).column, self.system.zero
        # Keep every bid whose probability may differ from 0. For a ball that contains 0 and other numbers, both
        # `==` and `!=` are False, so `!=` would leave such a bid out.
        played = [j for j, p in enumerate(column) if not p == zero]  # noqa: SIM201
        weights = [column[j] for j in played]
        return [self.system.expectation(row, weights) for row in self.entries(form, rows, played)]

    def _below(self, position: Position, games: Iterable[StageGame]) -> Values:
        """Compute and return the values from which `games`, the stage games at `position`, take their payoffs.

        Values and answers of earlier queries are dropped first if there are too many.
        """
        self._values.trim()
        if len(self._answers) > REMEMBERED:
            self._answers.clear()
        below = part_of(self._progress, 0, HALF, 2 * HALF)
        return self._values.sweep(games, below, preview=position.size == self.start.size)

    def form(self, position: Position) -> Form | None:
        """Return the :data:`Form` in which a position is solved; None if the position does not belong to the root.

        A position belongs to the root, the position `start`, if it has the same rules, and its hands interleave like
        hands that can follow from those of the root. In a game for points a position with equal hands belongs to the
        root only if the hands of the root are equal, too, because otherwise the layers have no equal hands.
        """
        start = self.start
        if position.rules == start.rules and position.size <= start.size:
            layer = self._types[position.size]
            # The layer holds either a pair of hands or its mirror image, so look for both.
            for swapped, mirrored in ((False, position), (True, position.swapped())):
                one, two = map(mask, relabelled(mirrored.one, mirrored.two))
                for h in ((layer.one == one) & (layer.two == two)).nonzero()[0].tolist():
                    return layer.part(slice(h, h + 1)), mirrored, swapped
            # In a game for points, two equal hands have the value 0, so no layer below the start holds such a pair. If
            # the hands of the position are equal, make a layer that holds only them.
            if position.one == position.two and start.one == start.two:
                keys = self._types[position.size - 1].keys
                layer = pair_above(keys, position.one, position.two, equal=False)
                return layer, position, False
        return None


def systems(kind: Exact | Ball) -> tuple[System, ...]:
    """Return the number systems that a solver tries one after the other, the least precise first.

    Exact numbers have one system. Of the systems of balls, each has twice the precision of the one before.
    """
    if isinstance(kind, Exact):
        return (ExactSystem(),)
    # Imported here, because exact numbers need no balls of this precision.
    from gops_exact.solvers.exact.ball import BallSystem

    bits = ceil(kind.digits * log2(10)) + GUARD_BITS
    return tuple(
        BallSystem(bits << doubling, digits=kind.digits) for doubling in range(DOUBLINGS + 1)
    )


def _first_proved(attempts: Sequence[System], ask: Callable[[System], Answer]) -> Answer:
    """Return the answer of the first number system that is precise enough.

    A system is precise enough if `ask` raises no PrecisionError, and if all requested digits of the answer are proved.

    Raises:
        PrecisionError: if no system is precise enough.
    """
    *less_precise, last = attempts
    for system in less_precise:
        with suppress(PrecisionError):
            return _first_proved([system], ask)
    answer = ask(last)
    if last.digits:
        numbers: Iterator[Any] = map(last.number, _numbers(answer))
        if any(number.digits < last.digits for number in numbers):
            raise PrecisionError(f"{last.digits} digits are not proved by {last.bits} bits")
    return answer


def _numbers(answer: object) -> Iterator[Any]:
    """Yield all numbers of an answer: a number, a Play, or a list or a mapping of answers."""
    if isinstance(answer, Play):
        yield from (answer.value, *answer.row, *answer.column)
    elif isinstance(answer, list | dict):
        for part in answer.values() if isinstance(answer, dict) else answer:
            yield from _numbers(part)
    else:
        yield answer
