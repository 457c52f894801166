"""The recursion in floats, with a proof of how far off every number may be.

    F[P][h] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )

and likewise by other rules (:mod:`~gops_exact.recursion.lattice`): a layer at a time, over blocks
of pairs of hands in parallel. For every prize set P the sweep keeps a bound on the error of all its
values, of whatever state:

    bound(P) = mean over p of bound(P∖p) + half_width(P) + γ_{3k+8} · A

* The value of a matrix game moves by no more than its entries do, and the mean by no more than the
  mean of its terms: hence the children's bounds. Where prizes are hidden, it is the entries that
  are means, and move by no more than the mean of the bounds. Where their order is known, there is
  one p. What is decided has no error.
* Every game's value lies between what its own strategies secure, so the middle of the bracket is
  off by half its width: half_width(P) is the largest mean of such halves over P's upcards.
* A bounds the payoffs: the largest stake and the largest value below it for points, 1 for winning.
  Adding gain and child rounds once (u·A); each side of the bracket is off by γ_{2k+2}·A
  (:mod:`~gops_exact.recursion.float_bracket`); the middle rounds once (u·A); the mean of k middles
  by k + 1 roundings (γ_{k+1}·A). Sums of γ are below the γ of the sum (Higham 2002, lemma 3.3),
  which leaves two units to spare for the terms of second order. Hidden prizes: the sum of k
  payoffs takes k − 1 roundings, which go with γ_{k−1}·A before k divides; one game is then solved
  instead of k, so the k + 1 roundings of the mean, of which two remain, make up for them.
  u = 2⁻⁵³, γ_n = nu/(1 − nu).
* Values kept as integers are rounded to the nearest one: half a unit more.

The bound itself is computed in floats, a few dozen positive terms, and raised by :data:`INFLATE`.

At the opening the bounded values become balls (:mod:`~gops_exact.recursion.float_opening`).
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from gops_exact.order_types import Layer, OrderTypes, order_types
from gops_exact.recursion.float_columns import Columns
from gops_exact.recursion.float_crew import Crew, LayerTask, Threads, blocks, games_of
from gops_exact.recursion.float_layers import (
    COUNTS,
    Done,
    FloatLayer,
    Floats,
    LayerFile,
    Stored,
    layer_name,
    unit_of,
)
from gops_exact.recursion.float_opening import FloatFirstMove, opening
from gops_exact.recursion.float_preflight import check_fits, kept_as_integers
from gops_exact.recursion.lattice import Node, turns
from gops_exact.rules import PLAIN, Rules

UNIT = 2.0**-53
"""Half the distance from 1 to the next float, u."""

INFLATE = 1.0 + 2.0**-40
"""Covers the roundings of the bound's own arithmetic many times over."""

NARROW = 2.0**-40
"""Width at which a bracket will do, as a share of the largest payoff. Most are 10⁻¹⁵ wide; the
bound is made of the widths as they are, so this decides about time only."""

Progress = Callable[[int, int], None]
"""Called with the number of games solved and of all games."""


@dataclass(frozen=True)
class FloatFirstMoves:
    """The optimal first moves of the game of n cards, in floats with radii.

    Attributes:
        n: cards a side.
        columns: one first move an upcard, in the order asked for.
        games: matrix games solved.
        robust: how many of them needed the robust path.
        failed: how many have a bracket wider than it should be; the radii account for them.
        rules: the rules.
    """

    n: int
    columns: tuple[FloatFirstMove, ...]
    games: int
    robust: int
    failed: int
    rules: Rules = PLAIN

    def __getitem__(self, upcard: int | None) -> dict[int, float]:
        """{card: probability} at an upcard."""
        return dict(enumerate(self.column(upcard).probabilities, start=1))

    def column(self, upcard: int | None) -> FloatFirstMove:
        """The first move at an upcard, None standing for a hidden one.

        Raises:
            KeyError: if it was not asked for.
        """
        for column in self.columns:
            if column.upcard == upcard:
                return column
        raise KeyError(upcard)


def first_move_float(
    n: int,
    upcards: Iterable[int] | None = None,
    *,
    rules: Rules = PLAIN,
    jobs: int | None = None,
    progress: Progress | None = None,
    memory_bytes: int | None = None,
    folder: Path | None = None,
    keep: bool = False,
    crew: Crew | None = None,
    integers: bool | None = None,
    force: bool = False,
) -> FloatFirstMoves:
    """The optimal first moves of the game of n cards, each probability with a proved radius.

    Args:
        n: cards a side.
        upcards: the upcards wanted, each of 1 … n; by default all that can come first.
        rules: the rules.
        jobs: threads; by default as many as there are cores.
        progress: told of games solved.
        memory_bytes: what the values of two layers may take in memory; by default most of what the
            machine has. If they take more, `folder` is needed.
        folder: keep layers in mapped files there, and go on from what a killed run left. The last
            two layers stay there.
        keep: let all layers stay in the folder.
        crew: who solves the games; by default `jobs` threads.
        integers: keep values as 32-bit integers, which takes half the room and costs digits; for
            winning alone. By default where there are very many.
        force: begin even if it is thought not to fit.

    Raises:
        ValueError: for an n or an upcard out of range, or if memory, disk or time will not do.

    >>> moves = first_move_float(3, jobs=1)
    >>> [round(p, 6) for p in moves[3].values()], moves.column(3).proved
    ([0.0, 0.0, 1.0], True)
    """
    jobs = crew.jobs if crew is not None else _cores() if jobs is None else jobs
    check_fits(
        n,
        rules,
        jobs=jobs,
        memory_bytes=memory_bytes,
        folder=folder,
        keep=keep,
        integers=integers,
        force=force,
    )
    deck, wanted = rules.deal(n, upcards)
    first = {turn.upcard: turn for turn in turns(rules, Node(deck))}
    types = whole_game(n, rules)
    # One layer is let go before the next but one is made.
    layers = float_layers(
        types,
        rules=rules,
        jobs=jobs,
        progress=progress,
        folder=folder,
        keep=keep,
        crew=crew,
        integers=integers,
    )
    kept = deque(layers, maxlen=1)
    last = kept.pop() if kept else None
    columns = tuple(opening(types.root, first[upcard], last) for upcard in wanted)
    games = sum(layer_games(types, k, rules) for k in range(1, n)) + len(columns)
    failed, robust = (0, 0) if last is None else last.counts[:2].tolist()
    return FloatFirstMoves(n, columns, games, robust, failed, rules)


def whole_game(n: int, rules: Rules = PLAIN) -> OrderTypes:
    """The pairs of hands of the game of n cards."""
    return order_types(range(1, n + 1), range(1, n + 1), equal=rules.winning)


def float_layers(
    types: OrderTypes,
    *,
    rules: Rules = PLAIN,
    jobs: int | None = None,
    progress: Progress | None = None,
    folder: Path | None = None,
    keep: bool = False,
    crew: Crew | None = None,
    integers: bool | None = None,
) -> Iterator[FloatLayer]:
    """Every layer of a whole game below its opening, smallest hands first.

    Args:
        types: the order types of the hands 1 … n against themselves; see :func:`whole_game`.
        rules: the rules.
        jobs: threads; by default as many as there are cores.
        progress: told of games solved.
        folder: keep layers in mapped files there. What is found finished is not done again, so the
            first layer may be a later one. The last two layers stay.
        keep: let all layers stay there.
        crew: who solves the games; by default `jobs` threads.
        integers: keep values as integers; see :func:`first_move_float`.
    """
    n = types.root.size
    whole = kept_as_integers(n, rules) if integers is None else integers
    done, total = 0, sum(layer_games(types, k, rules) for k in range(1, n))
    below: FloatLayer | None = None
    for k in range(1, n):
        columns = columns_of(n, k, rules)
        file = None
        if folder is not None:
            if _bounds_of_later(folder, n, k, rules):
                done += layer_games(types, k, rules)
                continue
            if k > 2 and not keep:
                LayerFile.remove(folder, layer_name(n, k - 2, rules))
            file = _layer_file(folder, types.layers[k], columns, integers=whole)
        below = float_layer(
            *(types.layers[k], columns, below),
            jobs=jobs,
            progress=_from(done, total, progress),
            file=file,
            crew=crew,
            integers=whole,
        )
        done += layer_games(types, k, rules)
        yield below


def open_layers(
    folder: Path, n: int, rules: Rules = PLAIN, *, integers: bool | None = None
) -> dict[int, FloatLayer]:
    """The finished layers in a folder, by cards a side; mapped, so only what is read is loaded.

    Lines are not compared with their checksums, as a run that goes on does.

    Args:
        folder: where a run with `folder`, and `keep` for more than the last two layers, left them.
        n: cards a side.
        rules: the rules.
        integers: as it was for that run.

    Raises:
        ValueError: if a file is damaged or has another size.
    """
    types, found = whole_game(n, rules), {}
    whole = kept_as_integers(n, rules) if integers is None else integers
    for k in range(1, n):
        if (folder / f"{layer_name(n, k, rules)}.bounds").exists():
            columns = columns_of(n, k, rules)
            file = _layer_file(folder, types.layers[k], columns, integers=whole)
            layer = file.completed(columns, trusted=True)
            if layer is not None:
                found[k] = layer
    return found


def columns_of(n: int, k: int, rules: Rules) -> Columns:
    """The columns of the layer of k cards of the game of n."""
    return Columns(rules, rules.arranged(range(1, n + 1)), k)


def layer_games(types: OrderTypes, k: int, rules: Rules = PLAIN) -> int:
    """How many games the layer of k cards a side takes.

    >>> layer_games(order_types(range(1, 4), range(1, 4)), 2)
    18
    """
    return len(types.layers[k]) * games_of(columns_of(types.root.size, k, rules))


def float_layer(
    layer: Layer,
    columns: Columns,
    below: FloatLayer | None,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    file: LayerFile | None = None,
    crew: Crew | None = None,
    integers: bool = False,
) -> FloatLayer:
    """The values of every pair of hands in `layer` for every prize set and state.

    Args:
        layer: the pairs of hands, k ≥ 1 cards a side.
        columns: what the columns are.
        below: the values for hands of k − 1 cards; None at k = 1.
        jobs: threads; by default as many as there are cores.
        progress: told of games solved in this layer.
        file: where the values are to be, and what of them is there.
        crew: who solves the games; by default `jobs` threads.
        integers: keep values as integers.
    """
    if file is not None and (done := file.completed(columns)) is not None:
        return done
    k, rules = layer.size, columns.rules
    kind = np.dtype(np.int32 if integers else np.float64)
    source = _nothing_left(columns, kind) if below is None else below.values
    values: Stored = np.empty((len(layer), columns.width), kind) if file is None else file.values
    known = 0.0 if below is None else below.greatest
    largest = max(1.0, known) if rules.winning else _largest_stake(columns) + known
    # Where prizes are hidden the games that are solved are sums over them.
    tolerance = largest * NARROW * (k if rules.hidden else 1)
    widths, counts = np.zeros(len(columns.sets)), np.zeros(COUNTS, dtype=np.int64)
    task = LayerTask(layer, columns, source, tolerance, values, file)
    for found in _tasks(task, crew or Threads(jobs or _cores()), progress):
        np.maximum(widths, found.half_widths, out=widths)
        counts += found.counts
    bounds = (_inherited(columns, below) + widths + gamma(3 * k + 8) * largest) * INFLATE
    if integers:
        bounds += 0.5 * unit_of(values) * INFLATE
    greatest = max(float(values.max()), -float(values.min())) * unit_of(values)
    if not (isfinite(greatest) and np.isfinite(bounds).all()):
        raise ArithmeticError(f"a value of the layer of {k} cards is not finite")
    total = counts if below is None else counts + below.counts
    result = FloatLayer(columns, values, bounds, total, greatest)
    if file is not None:
        file.complete(result)
    return result


def _nothing_left(columns: Columns, kind: "np.dtype[np.float64 | np.int32]") -> Stored:
    """The values below hands of one card: of margin 0, or of points yet to come."""
    width = Columns(columns.rules, columns.deck, 0).width
    return np.zeros((1, width), kind)


def _largest_stake(columns: Columns) -> float:
    """What a round can be about, in points."""
    return float(sum(columns.deck) if columns.rules.ties == "carryover" else max(columns.deck))


def _inherited(columns: Columns, below: FloatLayer | None) -> Floats:
    """What the error of the values below adds, a number a prize set."""
    if below is None:
        return np.zeros(len(columns.sets))
    return np.array(
        [
            np.mean([below.bound(draw.rest) for draw in columns.rules.draws(prizes)])
            for prizes in columns.sets
        ]
    )


def _tasks(task: LayerTask, crew: Crew, progress: Progress | None) -> Iterator[Done]:
    """Fill a layer's values block by block, and tell what each block found."""
    layer, file = task.layer, task.file
    finished = [] if file is None else file.finished()
    yield from finished
    todo = blocks(len(layer), task.games, {(done.start, done.stop) for done in finished})
    solved = sum(done.stop - done.start for done in finished)
    for done in crew.solve(task, todo):
        if file is not None:
            file.keep(done)
        solved += done.stop - done.start
        if progress is not None:
            progress(solved * task.games, len(layer) * task.games)
        yield done


def gamma(roundings: int) -> float:
    """γ_n = nu/(1 − nu): the largest relative error of n roundings."""
    return roundings * UNIT / (1.0 - roundings * UNIT)


def _layer_file(folder: Path, layer: Layer, columns: Columns, *, integers: bool) -> LayerFile:
    return LayerFile(
        folder,
        layer_name(len(columns.deck), columns.size, columns.rules),
        (len(layer), columns.width),
        len(columns.sets),
        integers=integers,
    )


def _from(done: int, total: int, progress: Progress | None) -> Progress | None:
    """Progress in a part as progress in the whole, of which `done` comes before the part."""
    if progress is None:
        return None
    tell = progress
    return lambda part, _: tell(done + part, total)


def _bounds_of_later(folder: Path, n: int, k: int, rules: Rules) -> bool:
    """Whether a layer above k is finished."""
    later = (layer_name(n, above, rules) for above in range(k + 1, n))
    return any((folder / f"{name}.bounds").exists() for name in later)


def _cores() -> int:
    return (
        os.process_cpu_count() if hasattr(os, "process_cpu_count") else len(os.sched_getaffinity(0))
    )
