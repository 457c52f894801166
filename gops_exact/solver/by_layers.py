"""The float solvers of positions: layers of values, and positions looked up in them.

The game of bids at a position is made from the layer below, in balls that hold the bounds of its
values, so that every number has a proved radius (docs/method.md, "Floats with a proved radius").
:class:`Layers` has the values of a whole game; :class:`Positions` takes any position: from a folder
where its values are, otherwise from layers of what the position itself leads to.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial, reduce
from math import inf, nextafter
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from flint import arb, ctx, fmpq
from numpy.typing import NDArray

from gops_exact.arguments import flag, function, integer, path, positive_integer
from gops_exact.game.cards import Hand
from gops_exact.game.order_types import LONGEST, Layer, Masks, order_types, pair_above, pair_keys
from gops_exact.game.position import Outcome, Position, Turn, turns
from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.lattice.ball import basis_play, prove_both
from gops_exact.lattice.exact_slab import BALL_BITS
from gops_exact.lattice.sweep import Play, average, expand
from gops_exact.layers.bounds import INFLATE, gamma
from gops_exact.layers.cost import check_fits, check_position_fits
from gops_exact.layers.files import LayerFile, layer_name
from gops_exact.layers.layer import COUNTS, NARROW, FloatLayer, Floats, columns_below
from gops_exact.layers.sweep import as_float, columns_of, float_layers, layers_below, whole_game
from gops_exact.matrix_game.basis import Candidate, propose
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.pools import available_cores
from gops_exact.progress import Progress
from gops_exact.solutions.solution import PayoffMatrix, Solution
from gops_exact.solutions.strategy import ByCard, Strategy

if TYPE_CHECKING:
    from gops_exact.layers.kernels.settle import Scratch

SCALE = 1 << 53
"""Weights are integers that sum to about this; floats have no more digits."""

DECIMALS = 9
"""Players' values are rounded to so many: those of 13 cards are known to some 10⁻¹² points."""

REMEMBERED = 1 << 14
"""Prize sets with their states whose rounds to come are kept: all 2^13 of the game for points. So are
as many pairs of hands."""

BRACKET = "bracket"
"""The method where no strategy is proved, as several are optimal or floats cannot tell. The value is
bracketed by the strategies found, which secure it but for its radius."""


class Bids(NamedTuple):
    """The game of bids at a position, interchangeable bids left out.

    Attributes:
        layer: the pair of hands alone.
        middle: shape (m, n); player one's expectation for each pair of bids.
        off: shape (m, n); the expectation is off by no more.
    """

    layer: Layer
    middle: Floats
    off: Floats


class Tables:
    """Layers of values, in which the games of bids of positions are looked up.

    Args:
        rules: the rules.
        keys: the pairs of hands of each size; see :attr:`gops_exact.game.order_types.Layer.keys`.
        values: the values of each size.
    """

    def __init__(
        self, rules: Rules, keys: Mapping[int, Masks], values: Mapping[int, FloatLayer]
    ) -> None:
        self._rules, self._keys, self._values = rules, keys, values
        self._turns = lru_cache(REMEMBERED)(partial(turns, rules))
        self._pair = lru_cache(REMEMBERED)(self._above)

    @classmethod
    def below(cls, position: Position, *, jobs: int, progress: Progress | None) -> "Tables":
        """Solve all that can follow a round of a position."""
        rules = position.rules
        types = order_types(position.one, position.two, equal=rules.winning)
        keys = {layer.size: layer.keys for layer in types.layers[:-1]}
        if not any(turn.nodes for turn in turns(rules, position.node)):
            return cls(rules, keys, {})  # nothing that follows is open
        values = layers_below(types, columns_below(position), jobs=jobs, progress=progress)
        return cls(rules, keys, {layer.size: layer for layer in values})

    def games(self, position: Position) -> list[tuple[int, Turn]]:
        """List the games of bids that may come next, each with the number of prizes that lead to it."""
        found = self._turns(position.node)
        if position.upcard is None or self._rules.hidden:
            return [(turn.times, turn) for turn in found]
        return [(1, turn) for turn in found if turn.upcard == position.upcard]

    def holds(self, position: Position) -> bool:
        """Tell whether the values are there that the games of a position look at."""
        if position.rules != self._rules:
            return False
        nodes = {node for _, turn in self.games(position) for node in turn.nodes}
        try:
            self._pair(position.one, position.two)
            for prizes, state in nodes:
                self._values[len(prizes)].columns.column(prizes, state)
        except KeyError:
            return False
        return True

    def bids(self, position: Position, turn: Turn) -> Bids:
        """Return a game of bids at a position."""
        layer = self._pair(position.one, position.two)
        rows, columns = layer.row_kept[0], layer.column_kept[0]
        sign = layer.sign[0][rows][:, columns]
        child = layer.child[0][rows][:, columns]
        middle, inherited, largest = (np.zeros(sign.shape) for _ in range(3))
        for stake in turn.stakes:
            for winner in (0, 1, -1):
                outcome, hit = stake.outcomes[winner], sign == winner
                later, off = self._later(outcome, child[hit])
                middle[hit] += stake.times * (outcome.gain + later)
                inherited[hit] += stake.times * off
                largest[hit] += stake.times * np.abs(outcome.gain + later)
        times, stakes = sum(stake.times for stake in turn.stakes), len(turn.stakes)
        # One prize: the sum of a value and a gain is rounded. More: their product, sum and mean, too.
        rounded = gamma(1 if times == 1 else stakes + 2) * largest
        if stakes == 1:
            rounded[inherited == 0] = 0.0  # sums of integers
        return Bids(layer, middle / times, (inherited + rounded) / times * INFLATE)

    def _above(self, one: Hand, two: Hand) -> Layer:
        """Return the layer of one pair of hands alone, with references to the layer below."""
        return pair_above(self._keys[len(one) - 1], one, two, equal=self._rules.winning)

    def _later(self, outcome: Outcome, child: NDArray[np.int32]) -> tuple[Floats, Floats]:
        """Return the values of the positions that an outcome leads to, and their bounds."""
        if outcome.decided is not None:
            return np.full(child.shape, float(outcome.decided)), np.zeros(child.shape)
        below = self._values[len(outcome.node.prizes)]
        line = np.maximum(np.abs(child) - 1, 0)
        value = mirrored = below.values[line, below.columns.column(*outcome.node)] * below.unit
        if outcome.mirrored != outcome.node:
            mirrored = below.values[line, below.columns.column(*outcome.mirrored)] * below.unit
        later = np.where(child > 0, value, np.where(child < 0, -mirrored, 0.0))
        return later, np.where(child == 0, 0.0, below.bound(outcome.node.prizes))


class FloatSolver(ABC):
    """Solver of positions in floats. It is not for several threads at once."""

    @abstractmethod
    def tables(self, position: Position) -> Tables:
        """Return tables that hold the values that the games of a position look at.

        Raises:
            ValueError: if there are none.
        """

    def worth(self, position: Position) -> BoundedFloat:
        """Return the value of a position, before or after a prize is turned up."""
        if position.settled is not None:
            return BoundedFloat(float(position.settled), 0.0)
        tables = self.tables(position)
        with ctx.workprec(BALL_BITS):
            games = tables.games(position)
            bids = [tables.bids(position, turn) for _, turn in games]
            found = [_bracketed(each, _balls(each)).value for each in bids]
            return as_float(average(found, [times for times, _ in games]))

    def solve(self, position: Position) -> Solution[float]:
        """Optimal play at a position with a prize turned up."""
        play, settled = _solved(self._bids(position)), position.settled
        return Solution(
            position,
            as_float(play.value) if settled is None else BoundedFloat(float(settled), 0.0),
            _strategy(position.one, play, play.row, unique=play.row_unique),
            _strategy(position.two, play, play.column, unique=play.column_unique),
            play.method,
        )

    def payoff(self, position: Position) -> PayoffMatrix[float]:
        """Player one's expectation for every pair of bids, optimal play to follow."""
        entries = _every_bid(self._bids(position))
        numbers = [[as_float(entry) for entry in line] for line in entries]
        return PayoffMatrix(position.one, position.two, numbers)

    def bid_gains(self, position: Position) -> ByCard[float]:
        """Return player one's expectation of each bid against the strategy of player two that :meth:`solve` gives.

        Floats that are not proved are divided by their sum.
        """
        bids = self._bids(position)
        play = _solved(bids)
        with ctx.workprec(BALL_BITS):
            # Probabilities add up to 1, so the radii weigh no more than what payoffs lack of the value.
            value, column = play.value.mid(), list(play.column)
            total = arb(1) if play.proved else sum(column, arb(0))
            short = ([entry - value for entry in line] for line in _every_bid(bids))
            gains = [as_float(value + _dot(line, column) / total) for line in short]
        return ByCard(dict(zip(position.one, gains, strict=True)))

    def value(self, position: Position) -> fmpq:
        """Return the expectation of player one's best bid: the value, but for rounding."""
        return _rational(max(self._expectations(position)))

    def strategy(self, position: Position) -> dict[int, fmpq]:
        """Return one optimal strategy of player one as {card: probability}, exact multiples of about 2⁻⁵³."""
        bids = self._bids(position)
        weights = [round(weight * SCALE) for weight in _weights(bids.middle).tolist()]
        total, places = sum(weights), _places(bids.layer.row_kept[0])
        first = {i: places.index(i) for i in places}
        return {
            card: fmpq(weights[i] if first[i] == at else 0, total)
            for at, (card, i) in enumerate(zip(position.one, places, strict=True))
        }

    def gain(self, position: Position, card: int) -> fmpq:
        """Player one's expectation of a bid against player two's optimal strategy."""
        return _rational(self._expectations(position)[position.one.index(card)])

    def gains(self, position: Position) -> dict[int, arb]:
        """Player one's expectation of every bid; the balls have no radius."""
        return dict(zip(position.one, map(arb, self._expectations(position)), strict=True))

    def _expectations(self, position: Position) -> list[float]:
        """Player one's expectation of every bid against player two's optimal strategy."""
        bids = self._bids(position)
        gains = (bids.middle @ _weights(-bids.middle.T)).tolist()
        return [gains[i] for i in _places(bids.layer.row_kept[0])]

    def _bids(self, position: Position) -> Bids:
        """Return the game of bids at a position with a prize turned up."""
        position.at(position.upcard)
        tables = self.tables(position)
        ((_, turn),) = tables.games(position)
        return tables.bids(position, turn)


class Layers(FloatSolver):
    """Solver of all positions of the game of n cards, whose layers are all kept.

    What players use is rounded: values to :data:`DECIMALS` decimals, probabilities to multiples of
    about 2⁻⁵³. Methods that take a position raise ValueError if it is not of this game.

    Args:
        n: cards a side.
        rules: the rules.
        folder: keep the values in files there, or take them from there; in memory by default.
        progress: called with the games solved and all there are, if the values are not there.
        force: begin even if it takes days, or is thought not to fit.

    Raises:
        ValueError: if a file in the folder is damaged, or the game takes more time, memory or disk
            than there is and `force` is off.

    >>> solver = Layers(3)
    >>> solver.strategy(Position.start(3).at(3)), solver.gain(Position.start(3).at(3), 2)
    ({1: 0, 2: 0, 3: 1}, -2)
    """

    def __init__(
        self,
        n: int,
        rules: Rules = PLAIN,
        folder: str | Path | None = None,
        *,
        progress: Progress | None = None,
        force: bool = False,
    ) -> None:
        self.n = n = positive_integer(n, "n", LONGEST)
        self.rules = as_rules(rules)
        folder = None if folder is None else path(folder, "folder")
        function(progress, "progress")
        force, keep = flag(force, "force"), folder is not None
        check_fits(n, self.rules, jobs=available_cores(), folder=folder, keep=keep, force=force)
        types = whole_game(n, self.rules, progress)
        values = float_layers(types, rules=rules, progress=progress, folder=folder, keep=True)
        keys = {layer.size: layer.keys for layer in types.layers}
        self._tables = Tables(rules, keys, {layer.size: layer for layer in values})

    def tables(self, position: Position) -> Tables:
        """Return the tables of all positions."""
        if not self._tables.holds(position):
            raise ValueError(
                f"expected a position of {self.n} cards, {self.rules}, got {position.size} cards, "
                f"{position.rules}"
            )
        return self._tables


class Positions(FloatSolver):
    """Solver of any position.

    Layers found in the folder are read and checked when they are first needed, and kept open. For a
    position whose values are not there, all that it leads to is solved and kept, until another
    position needs others: so what follows it is answered at once.

    Args:
        folder: where the layers of whole games may be; nothing is added.
        memory_bytes: the most memory that the layers of a position may take, in bytes; by default
            most of what the machine has.
        progress: called with the games solved and all there are, where :meth:`prepare` is not.

    >>> solver = Positions()
    >>> solver.worth(Position([2, 4], [1, 3], [12, 13]))
    12.52
    """

    def __init__(
        self,
        folder: str | Path | None = None,
        *,
        memory_bytes: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._folder = None if folder is None else path(folder, "folder")
        self._memory = None if memory_bytes is None else integer(memory_bytes, "memory_bytes")
        self._progress = progress
        self._mapped: dict[str, Tables] = {}
        self._own: Tables | None = None

    def tables(self, position: Position) -> Tables:
        """Return tables that hold a position."""
        return self.prepare(position, progress=self._progress)

    def prepare(
        self,
        position: Position,
        *,
        jobs: int | None = None,
        progress: Progress | None = None,
        force: bool = False,
    ) -> Tables:
        """Solve what follows a position, as far as it is not known.

        Args:
            position: the position. Before a prize is turned up, all its upcards are prepared.
            jobs: threads; by default as many as there are cores.
            progress: called with the games solved and all there are, if there are any.
            force: begin even if it takes days, or is thought not to fit.

        Raises:
            ValueError: if it takes more time or memory than there is and `force` is off, or a file
                in the folder is damaged.
        """
        if self._own is not None and self._own.holds(position):
            return self._own
        for tables in self._in_folder(position):
            if tables.holds(position):
                return tables
        jobs = available_cores() if jobs is None else jobs
        check_position_fits(position, jobs=jobs, memory_bytes=self._memory, force=force)
        self._own = None  # its memory is needed
        self._own = Tables.below(position, jobs=jobs, progress=progress)
        return self._own

    def _in_folder(self, position: Position) -> Iterator[Tables]:
        """Open the layers of games in the folder that may hold what follows a round of a position."""
        size, rules = position.size - 1, position.rules
        if self._folder is None or size == 0:
            return
        least = max(*position.prizes, len({*position.one, *position.two}))
        for n in range(least, LONGEST + 1):
            name = layer_name(n, size, rules)
            if name not in self._mapped and LayerFile.is_complete(self._folder, name):
                self._mapped[name] = self._opened(n, size, rules)
            if name in self._mapped:
                yield self._mapped[name]

    def _opened(self, n: int, size: int, rules: Rules) -> Tables:
        """Open a finished layer of the game of n cards in the folder, after checking every byte."""
        folder = cast("Path", self._folder)
        keys, columns = pair_keys(n, size, equal=rules.winning), columns_of(n, size, rules)
        nbytes = (folder / f"{layer_name(n, size, rules)}.values").stat().st_size
        integers = nbytes == 4 * len(keys) * columns.width
        layer = LayerFile(folder, columns, len(keys), integers=integers).completed()
        if layer is None:
            raise ValueError(f"{folder} changed while it was read")
        return Tables(rules, {size: keys}, {size: layer})


def _bracketed(bids: Bids, entries: list[list[arb]]) -> Candidate[arb]:
    """Solve a game by the float simplex, and bracket its value by the strategies, over kept bids.

    The precision is the present one.
    """
    row, column = (
        list(map(arb, _weights(game).tolist())) for game in (bids.middle, -bids.middle.T)
    )
    least = reduce(arb.min, (_mean(line, row) for line in zip(*entries, strict=True)))
    most = reduce(arb.max, (_mean(line, column) for line in entries))
    return Candidate(row, column, least.union(most))


def _solved(bids: Bids) -> Play[arb]:
    """Solve a game; the strategies by a basis that balls prove, if they do."""
    with ctx.workprec(BALL_BITS):
        entries = _balls(bids)
        found = _bracketed(bids, entries)
        basis = propose(bids.middle.tolist())
        proved = None if basis is None else prove_both(entries, basis)
        if basis is not None and proved is not None:
            return basis_play(bids.layer, basis, proved._replace(value=found.value), arb(0))
    row, _ = expand(found.row, bids.layer.row_kept[0].tolist(), arb(0))
    column, _ = expand(found.column, bids.layer.column_kept[0].tolist(), arb(0))
    return Play(found.value, row, column, BRACKET, None, None, proved=False)


def _balls(bids: Bids) -> list[list[arb]]:
    """Return the entries of a game as balls."""
    lines = zip(bids.middle.tolist(), bids.off.tolist(), strict=True)
    return [[arb(x, off) for x, off in zip(*line, strict=True)] for line in lines]


def _every_bid(bids: Bids) -> list[list[arb]]:
    """Return the entries of the game of all bids, shape (k, k)."""
    kept = _balls(bids)
    rows, columns = _places(bids.layer.row_kept[0]), _places(bids.layer.column_kept[0])
    return [[kept[i][j] for j in columns] for i in rows]


def _dot(numbers: Iterable[arb], weights: Iterable[arb]) -> arb:
    return sum((x * weight for x, weight in zip(numbers, weights, strict=True)), arb(0))


def _mean(numbers: Iterable[arb], weights: list[arb]) -> arb:
    """Return the mean by weights whose sum need not be 1."""
    return _dot(numbers, weights) / sum(weights, arb(0))


def _weights(payoff: Floats) -> Floats:
    """Return player one's optimal strategy in a game as floats with the sum 1."""
    # Compiled kernels: numba is loaded only here.
    from gops_exact.layers.kernels.settle import settle_game
    from gops_exact.layers.kernels.vectors import LARGEST, SMALLEST

    m, n = payoff.shape
    room = _room(max(m, n), get_ident())
    room.game[:] = 0.0
    room.game[:m, :n] = payoff
    tolerance = float(np.abs(payoff).max()) * NARROW
    settle_game(m, n, tolerance, room, np.zeros(COUNTS, dtype=np.int64))
    weights = room.surest[0, :m].copy()
    if not SMALLEST < weights.sum() < LARGEST:
        weights[:] = 1.0  # any strategy brackets the value
    found: Floats = weights / weights.sum()
    return found


@lru_cache(maxsize=LONGEST)
def _room(size: int, thread: int) -> "Scratch":  # noqa: ARG001  # a thread's own
    """Return scratch for games of so many cards; allocating it takes as long as solving one."""
    from gops_exact.layers.kernels.settle import scratch

    return scratch(size)


def _strategy(
    hand: Hand, play: Play[arb], bids: tuple[arb, ...], *, unique: bool | None
) -> Strategy[float]:
    """Return one player's strategy, {card: probability}."""
    numbers = list(map(as_float, bids))
    if not play.proved:
        numbers = [_unproved(number.value) for number in numbers]
    by_card = dict(zip(hand, numbers, strict=True))
    return Strategy(by_card, unique=unique, proved=play.proved, method=play.method)


def _unproved(probability: float) -> BoundedFloat:
    """Return a probability with a radius that holds all there are."""
    return BoundedFloat(probability, nextafter(max(probability, 1.0 - probability), inf))


def _places(kept: NDArray[np.bool_]) -> list[int]:
    """Return for every card the place of its bid among those kept."""
    places: list[int] = (np.cumsum(kept) - 1).tolist()
    return places


def _rational(number: float) -> fmpq:
    """The decimal nearest to a float."""
    return fmpq(round(number * 10**DECIMALS), 10**DECIMALS)
