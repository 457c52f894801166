"""Solver in floats, which computes layers of values, and solves positions with the values of these layers.

Words used here:

* A *layer* has the values of all positions with the same number of cards a side. It is an array with a line for each
  pair of hands, and a column for each prize set and state.
* A *prize set* is the set of the prizes left. A *state* is the margin (player one's points minus player two's) and the
  pot (the points carried over from ties). A prize set and a state together are a *prize state*.
* A *stage game* is a round at a prize state: its upcard (the prize turned up), and its three results.
* A *ball* is an interval, given by its midpoint and its radius, that is proved to contain the true number.
* The *radius* of a float is a proved bound on its distance from the true number.
* A *basis* is a choice of equally many rows and columns of a matrix game, which determines a strategy of each player.

The payoffs at a position are computed from the values of positions with one card less. Each payoff is a ball around a
float. So every number of an answer has a proved radius (docs/method.md, "Floats with a proved radius").
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache, lru_cache, partial, reduce
from itertools import chain
from math import inf, nextafter
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, ctx

from gops_exact.base.progress import Progress, part_of
from gops_exact.game.game import Game, Position, StageGame, as_game, checked_position, stage_games
from gops_exact.game.order_types import LONGEST, Layer, pair_above, pair_keys
from gops_exact.game.rules import Rules, Upcards
from gops_exact.matrix_game.basis import Play, propose, prove_both
from gops_exact.numbers.exact import average
from gops_exact.numbers.kinds import BoundedFloat, as_float
from gops_exact.solvers.arithmetic import BALL_BITS, Float
from gops_exact.solvers.first_moves import FirstMoves, GameCounts
from gops_exact.solvers.floats.kernels import quickest
from gops_exact.solvers.floats.kernels.single import SOLVE_SECONDS, solve_game
from gops_exact.solvers.floats.kernels.vectors import LARGEST, SMALLEST, scratch
from gops_exact.solvers.floats.layer import (
    COUNTS,
    NARROW,
    Columns,
    FloatLayer,
    Floats,
    columns_below,
    layer_counts,
    no_cards,
)
from gops_exact.solvers.floats.sweep import (
    INFLATE,
    after_round,
    first_move,
    float_layers,
    gamma,
    solve_on_cluster,
)
from gops_exact.solvers.solver import HALF, Solver

REMEMBERED = 1 << 14
"""The maximum number of entries of each of the two caches in :class:`Tables`. It exceeds 2¹³, the number of prize states
(prizes left, margin and pot) of the game of 13 cards for points with ties discarded."""

MEMORY_BYTES = 4 * 10**9
"""The most bytes that commands let all layers of a game take in memory."""

INTERVAL = "bracket"
"""The entry of :attr:`Solution.method <gops_exact.Solution.method>` if no strategy is proved to be optimal, because
several are, or because floats cannot tell. The strategies are those of the simplex method in floats. They prove an
interval around the value: player one's strategy gains at least its lower end, player two's loses at most its upper
end."""

Balls = list[list[arb]]

MatrixGame = tuple[Layer, Floats, Balls]
"""The matrix game at a position. Of interchangeable bids, which are neighbouring cards with the same payoffs, only
one has a row or column. The first entry is a layer with only the position's pair of hands. The others have shape
(m, n): player one's expectation for each pair of bids, in floats, and in balls with these floats as their midpoints and
with the bounds on the errors as their radii."""


def of_every_bid(layer: Layer, balls: Balls) -> Balls:
    """Return player one's expectation for every pair of bids, shape (k, k) for k cards a side.

    Neighbouring cards with the same payoffs share a row or column in a :data:`MatrixGame`. Here each card has its own.

    Args:
        layer: the first entry of a :data:`MatrixGame`, a layer with one pair of hands.
        balls: the last entry of the :data:`MatrixGame`, its payoffs.
    """
    # A card that has no row or column of its own shares that of the player's next lower card that has one. The array
    # `kept` is True for the cards that have one. So the index of a card's row or column is the number of True entries
    # up to and including the card, which `cumsum` counts, less 1.
    sides = layer.row_kept[0], layer.column_kept[0]
    rows, columns = ((np.cumsum(kept) - 1).tolist() for kept in sides)
    return [[balls[i][j] for j in columns] for i in rows]


class Tables:
    """Layers of values, from which the payoffs of the matrix games at positions are computed.

    Args:
        rules: the rules of the game.
        layers: the layers, in any order, of 1 or more cards a side; the layer of 0 cards is added.
    """

    def __init__(self, rules: Rules, layers: Iterable[FloatLayer]) -> None:
        whole = no_cards(Columns(rules, (), 0)), *layers
        self._rules, self._values = rules, (values := {layer.size: layer for layer in whole})
        self._stage_games = lru_cache(REMEMBERED)(partial(stage_games, rules))
        # The function has no reference to this object, so that the layers are freed with the object.
        self._pair = lru_cache(REMEMBERED)(
            lambda one, two: pair_above(values[len(one) - 1].keys, one, two, equal=rules.winning)
        )

    def games(self, position: Position) -> list[tuple[int, StageGame]]:
        """List the stage games of the next round, [(weight, stage game), …]. A stage game is the round with one upcard.

        The weight is the number of prizes left with the value of this upcard; it is 1 if a prize is turned up at the
        position, or if the players know the order of prizes. If prizes are hidden, there is only one stage game, and
        its weight is the number of all prizes left.
        """
        games = self._stage_games(position.prize_state)
        if position.upcard is None or self._rules.hidden:
            return [(stage.times, stage) for stage in games]
        return [(1, stage) for stage in games if stage.upcard == position.upcard]

    def holds(self, position: Position) -> bool:
        """Return True if the layers have all values on which the payoffs at a position depend.

        If the position has other rules than the layers, the result is False.
        """
        if position.rules != self._rules:
            return False
        states = {below for _, stage in self.games(position) for below in stage.prize_states}
        try:
            self._pair(position.one, position.two)
            for prizes, state in states:
                self._values[len(prizes)].columns.column(prizes, state)
        except KeyError:
            return False
        return True

    def payoffs(self, position: Position, stage: StageGame) -> MatrixGame:
        """Return the payoffs of `stage`, one of the :meth:`games` of a position, with bounds on their errors.

        Raises:
            KeyError: if the layers lack a value (see :meth:`holds`).
        """
        layer = self._pair(position.one, position.two)
        shape = int(layer.row_kept[0].sum()), int(layer.column_kept[0].sum())
        middle, inherited, largest = (np.zeros(shape) for _ in range(3))
        for times, outcomes in stage.stakes:
            for hit, gain, later, off in after_round(layer, outcomes, self._values):
                middle[hit] += times * (gain + later)
                inherited[hit] += times * off
                largest[hit] += times * np.abs(gain + later)
        prizes, stakes = sum(times for times, _ in stage.stakes), len(stage.stakes)
        # An entry is a mean over the prizes of gain + value. With one prize, only this sum is rounded. With more
        # prizes, the product with `times`, the sum over stakes and the division are rounded, too.
        rounded = gamma(1 if prizes == 1 else stakes + 2) * largest
        if stakes == 1:
            rounded[inherited == 0] = 0.0  # these are sums of two integers, which are exact
        middle, off = middle / prizes, (inherited + rounded) / prizes * INFLATE
        lines = zip(middle.tolist(), off.tolist(), strict=True)
        return layer, middle, [[arb(*ball) for ball in zip(*line, strict=True)] for line in lines]


class ByLayers(Solver[arb]):
    """Solver in floats; every float of an answer has a proved radius.

    A *layer* has the values of all positions with the same number of cards a side. To solve a position, the solver
    needs the values of positions with one card less. It takes them from the layers of `game`, from layers that it
    computed for an earlier position, or from files in the folder that `arithmetic` names, if it names one. A layer in
    the folder is checked when it is first needed; its files then stay open. If the values are in none of these layers,
    the solver computes new layers, which replace those of the earlier position.

    Args:
        arithmetic: the options of floats, such as the folder of layers and the limit on memory.
        game: a game whose layers are computed, or read from the folder, when the solver is made. If it is None, the
            solver has no layers at first.
        workers: the number of threads; or the address of a Dask scheduler, whose workers then compute optimal first
            bids; None for as many threads as there are cores.
        progress: called as progress(done, total), counted in matrix games.
        force: True to begin even if the computation takes days, or more memory or disk than is free.

    Raises:
        StoreError: if a file of a layer is damaged.
        OSError: if the disk is full.
        ValueError: if the game takes too much time, memory or disk, and `force` is False; if the arithmetic has the
            option `keep` without a folder; or if there is a `game` although the arithmetic has the option `keep` or
            `integers`, which are only for computing optimal first bids.

    >>> solver = ByLayers(Float())
    >>> print(solver.value(Position([2, 4], [1, 3], [12, 13])))
    12.52
    >>> ByLayers(Float(), Game(3)).quick(Position.start(3).at(3))[0]
    [0.0, 0.0, 1.0]
    """

    arithmetic: Float

    def __init__(
        self,
        arithmetic: Float,
        game: Game | None = None,
        *,
        workers: int | str | None = None,
        progress: Progress | None = None,
        force: bool = False,
    ) -> None:
        super().__init__(arithmetic, progress, force=force)
        self._folder = None if arithmetic.folder is None else Path(arithmetic.folder)
        self._scheduler = workers if isinstance(workers, str) else None
        self._jobs = workers if isinstance(workers, int) else None  # None for the number of cores
        self._mapped: dict[Columns, Tables] = {}
        self._own: Tables | None = None
        self._scratch = cache(scratch)  # allocating the arrays takes as long as solving a game
        self._whole: Tables | None = None
        if arithmetic.keep and arithmetic.folder is None:
            raise ValueError("keep must come with a folder, got none")
        if game is not None:
            self._checked(game.start)
            # All layers of the game stay, in the folder or in memory.
            kind = replace(arithmetic, keep=True)
            self.judged(game, kind, self._jobs)
            game = replace(game)  # a copy, whose cached order types are freed with it
            layers = float_layers(game, kind, jobs=self._jobs, progress=progress)
            self._whole = Tables(game.rules, layers)

    def value(self, position: Position | str) -> BoundedFloat:
        position = self._checked(position)
        known = position.known_value
        if known is not None:
            return BoundedFloat(float(known), 0.0)
        tables = self._tables(position)
        with ctx.workprec(BALL_BITS):
            games = tables.games(position)
            values = [self._enclose(tables.payoffs(position, stage)).value for _, stage in games]
            return as_float(average(values, [times for times, _ in games]))

    def play(self, position: Position) -> Play[arb]:
        """Return the value and optimal strategies at a position with a prize turned up, in balls.

        The ball of the value contains the exact value. If the play is ``proved``, the balls of the probabilities
        contain an optimal strategy of each player. Otherwise the strategies are those of the simplex method in floats.
        They guarantee the value up to rounding errors.
        """
        play, known = self._solve(self._matrix_game(position)), position.known_value
        return play if known is None else play._replace(value=arb(known))

    def quick(self, position: Position) -> tuple[list[float], list[float]]:
        """Return player one's strategy and expectations at a position, correct up to rounding errors, without a proof.

        A prize must be turned up at the position, unless prizes are hidden.

        Returns:
            Two lists with a number for each card of player one: the probabilities of an optimal strategy, and the
            expectations of the bids against an optimal strategy of player two. The greatest expectation is the value.
        """
        layer, middle, _ = self._matrix_game(position)
        kept = layer.row_kept[0]
        row = np.zeros(len(kept))
        row[kept] = self._weights(middle)
        # A bid that has no row of its own has the same expectation as the next lower bid that has one.
        gains = (middle @ self._weights(-middle.T))[np.cumsum(kept) - 1]
        return row.tolist(), gains.tolist()

    def entries(self, position: Position) -> list[list[arb]]:
        layer, _, balls = self._matrix_game(position)
        return of_every_bid(layer, balls)

    def gains(self, position: Position) -> list[arb]:
        """Return player one's expectation from each card against the strategy of player two that :meth:`play` returns.

        An expectation is a ball, an interval that contains the true number. If the strategy is not proved to be
        optimal, the interval also contains the card's expectation against every optimal strategy of player two.
        """
        layer, _, balls = game = self._matrix_game(position)
        play = self._solve(game)
        with ctx.workprec(BALL_BITS):
            # The gain of a bid is Σ payoff · probability / total, where `total` is the sum of the probabilities: 1 for
            # a proved strategy, 1 but for rounding otherwise. It equals value + Σ (payoff − value) · probability /
            # total. This form gives smaller balls: it multiplies the radii of the probabilities by small differences.
            value, payoffs = play.value.mid(), of_every_bid(layer, balls)
            total = arb(1) if play.proved else sum(play.column, arb(0))
            gains = [
                value
                + sum(((x - value) * y for x, y in zip(line, play.column, strict=True)), arb(0))
                / total
                for line in payoffs
            ]
            if play.proved:
                return gains
            bounds = _bounds(payoffs, play)
            return [
                gain + arb(0, arb.max(abs(gain - least), abs(most - gain)))
                for gain, (least, most) in zip(gains, bounds, strict=True)
            ]

    def first_move(self, game: Game | int, upcards: Upcards | None = None) -> FirstMoves[Any]:
        game = as_game(game)
        chosen = game.chosen(upcards)
        jobs, solver = self._jobs, None
        with ExitStack() as stack:
            if self._scheduler is not None:
                # Imported only here, because it loads asyncio and more, which only a cluster needs.
                from gops_exact.base.cluster import Cluster

                cluster = stack.enter_context(Cluster(self._scheduler))
                jobs, solver = cluster.jobs, partial(solve_on_cluster, cluster)
            self.judged(game, jobs=jobs)
            layers = float_layers(
                game, self.arithmetic, jobs=jobs, progress=self._progress, solver=solver
            )
            last = no_cards(columns_below(game).at(0))
            for layer in layers:  # at most two of them are in memory
                last = layer
        games = len(chosen) + sum(layer_counts(game)[2])
        game_counts = GameCounts(games, *last.counts[:2].tolist())  # FAILED and SECOND_ATTEMPTS
        plays = {
            upcard: first_move(game.types[-1], game.stage_games[upcard], last) for upcard in chosen
        }
        return self.moves(game, plays, game_counts)

    def number(self, raw: arb, *, proved: bool = True) -> BoundedFloat:
        """Return a ball as a float, whose radius covers the ball.

        If `proved` is False, the ball is a probability that is not proved. Then the radius covers all numbers from 0
        to 1.
        """
        number = as_float(raw)
        if proved or number.radius > 0.0:  # an unproved ball with a radius covers [0, 1] already
            return number
        return BoundedFloat(number.value, nextafter(max(number.value, 1.0 - number.value), inf))

    def _checked(self, position: Position | str, *, turned: bool = False) -> Position:
        if self.arithmetic.keep or self.arithmetic.integers is not None:
            raise ValueError(f"keep and integers are for first moves, got {self.arithmetic}")
        return checked_position(position, turned=turned)

    def _matrix_game(self, position: Position) -> MatrixGame:
        self._checked(position, turned=True)
        tables = self._tables(position)
        ((_, stage),) = tables.games(position)
        return tables.payoffs(position, stage)

    def _tables(self, position: Position) -> Tables:
        tables = self._known(position)
        if tables is None:
            self.judged(position, jobs=self._jobs)
            self._own = None  # frees memory for the new layers
            below = part_of(self._progress, 0, HALF, 2 * HALF)
            layers = float_layers(position, jobs=self._jobs, progress=below)
            tables = self._own = Tables(position.rules, layers)
        if self._progress is not None:
            self._progress(2 * HALF, 2 * HALF)  # the games of the position itself take no time
        return tables

    def has_open(self, position: Position) -> bool:
        """Return True if a position can be solved without computing a layer or opening one in the solver's folder."""
        known = self._whole, self._own, *self._mapped.values()
        return any(tables.holds(position) for tables in known if tables)

    def has(self, position: Position) -> bool:
        """Return True if memory or the solver's folder has the values that a position needs.

        Layers in the folder are opened, until one has these values.
        """
        return self._known(position) is not None

    def open_layers(self, game: Game) -> None:
        """Open those layers of a game that are finished in the solver's folder.

        Raises:
            StoreError: if a file of a layer is damaged.
        """
        for cards in range(1, game.n):
            self._opened(columns_below(game).at(cards))

    def _known(self, position: Position) -> Tables | None:
        rules, sizes = position.rules, range(0)
        if self._folder is not None and position.size > 1:
            # The layers of the game of n cards may hold the values if n is at least the position's highest prize and
            # at least the number of distinct cards in both hands, because the cards can be renamed 1, 2, … without
            # changing a value. If the rules list the prizes in order, the list must be an order of the prizes 1 … n.
            sizes = range(max(*position.prizes, len({*position.one, *position.two})), LONGEST + 1)
        order = None if isinstance(rules.prizes, str) else sorted(rules.prizes)
        games = (Game(n, rules) for n in sizes if order in (None, list(range(1, n + 1))))
        opened = (self._opened(columns_below(game).at(position.size - 1)) for game in games)
        known = chain((self._whole, self._own), opened)
        return next((tables for tables in known if tables and tables.holds(position)), None)

    def _opened(self, columns: Columns) -> Tables | None:
        # Return the layer of these columns; None if it is not finished in the folder. Every byte is checked when the
        # layer is first opened.
        # Imported here, because most solvers have no folder.
        from gops_exact.solvers.floats.layer_files import LayerFile, layer_paths

        folder, rules = self._folder, columns.rules
        if folder and columns not in self._mapped and LayerFile.is_finished(folder, columns):
            keys = pair_keys(len(columns.deck), columns.size, equal=rules.winning)
            path, *_ = layer_paths(folder, columns)
            # The size of the file tells if a value takes 4 bytes, as an integer does, or 8, as a float does.
            integers = path.stat().st_size == 4 * len(keys) * columns.width
            layer = LayerFile(folder, columns, keys, integers=integers).completed()
            if layer is None:
                raise ValueError(f"{folder} changed while it was read")
            self._mapped[columns] = Tables(rules, [layer])
        return self._mapped.get(columns)

    def _solve(self, game: MatrixGame) -> Play[arb]:
        # The strategies are those of a basis that is proved to be optimal or, if none is, of `_enclose`.
        with ctx.workprec(BALL_BITS):
            (layer, middle, balls), play = game, self._enclose(game)
            basis = propose(middle.tolist())
            proved = None if basis is None else prove_both(balls, basis)
            if basis is not None and proved is not None:
                enclosed = proved._replace(value=play.value)
                play = enclosed.on_basis(basis, middle.shape, arb(0))
            return play.over(layer.row_kept[0], layer.column_kept[0], arb(0))

    def _enclose(self, game: MatrixGame) -> Play[arb]:
        """Solve a matrix game by the simplex method in floats; enclose its value by what the strategies guarantee.

        The strategies have a probability for each row and column of `game`; `Play.over` extends them to all cards. The
        balls have the precision of python-flint's current context.
        """
        _, middle, balls = game
        row, column = (
            tuple(map(arb, self._weights(payoff).tolist())) for payoff in (middle, -middle.T)
        )
        least = reduce(arb.min, (average(line, row) for line in zip(*balls, strict=True)))
        most = reduce(arb.max, (average(line, column) for line in balls))
        return Play(least.union(most), row, column, proved=False, method=INTERVAL)

    def _weights(self, payoff: Floats) -> Floats:
        """Return a strategy of player one that is optimal up to rounding errors, found by the simplex method.

        If the method finds no strategy, the result is the uniform one.
        """
        m, n = payoff.shape
        room = self._scratch(max(m, n))
        room.game[:] = 0.0
        room.game[:m, :n] = payoff
        tolerance = float(np.abs(payoff).max()) * NARROW
        solve = quickest(solve_game, SOLVE_SECONDS * m * n)
        solve(m, n, tolerance, room, np.zeros(COUNTS, dtype=np.int64))
        weights = room.surest[0, :m].copy()
        if not SMALLEST < weights.sum() < LARGEST:
            weights[:] = 1.0  # take the uniform strategy, because any strategy encloses the value
        weights /= weights.sum()
        return weights


def _bounds(payoffs: list[list[arb]], play: Play[arb]) -> Iterator[tuple[arb, arb]]:
    """Yield, for each row of a matrix game, bounds on what the row pays player one against any optimal column strategy.

    Let the value lie in the interval [v, v + w], where the row strategy x of `play` guarantees v. Let y be any optimal
    column strategy. Two bounds follow from the value:

    * Against y no row pays more than the value, and so no more than v + w.
    * The mean over the rows that x plays is at least v against y. Since no row pays more than v + w, a row that x plays
      with probability p > 0 pays at least v + w − w/p.

    Two more bounds follow from the payoffs of the row. Against x each column pays v plus an excess s ≥ 0. The mean
    excess under y is at most w, so y plays a column with s > w with probability at most w/s. Nothing is known about the
    probabilities of the columns with s ≤ w. Let a be the row's least payoff in these columns, and b its greatest.

    * The row pays at least a minus the sum of (w/s) · (a − payoff) over the columns with s > w and a payoff below a.
    * The row pays at most b plus the sum of (w/s) · (payoff − b) over the columns with s > w and a payoff above b.

    Each yielded pair is the larger one of the two lower bounds, and the smaller one of the two upper bounds.
    """
    lower, upper = play.value.lower(), play.value.upper()
    width, total = upper - lower, sum(play.row, arb(0))
    slack = [average(line, play.row) - lower for line in zip(*payoffs, strict=True)]
    most_played = [width / s if s > width else None for s in slack]
    for line, weight in zip(payoffs, play.row, strict=True):
        entries = list(zip(line, most_played, strict=True))
        often = [x for x, bound in entries if bound is None]
        seldom = [(x, bound) for x, bound in entries if bound is not None]
        least, most = reduce(arb.min, often), reduce(arb.max, often)
        least -= sum((arb.max(least - x, arb(0)) * bound for x, bound in seldom), arb(0))
        most += sum((arb.max(x - most, arb(0)) * bound for x, bound in seldom), arb(0))
        if weight > 0:
            least = arb.max(least, upper - width * total / weight)
        yield least, arb.min(most, upper)


def has_layers(folder: Path | None, game: Game) -> bool:
    """Return True if a folder has the layer of n − 1 cards a side of a game with the prizes 1 … n.

    Then a solver that gets this folder, but no game, can solve the game. The result is False for a game with other
    prizes, because a solver without a game does not look for the layers of such a game.
    """
    # Imported here, because most solvers have no folder.
    from gops_exact.solvers.floats.layer_files import LayerFile

    return LayerFile.is_finished(folder, columns_below(game)) and not game.own_deck
