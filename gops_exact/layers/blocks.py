"""The blocks that a layer of floats is solved in, and the threads that solve them.

A block is a run of pairs of hands. None looks at another of its layer, so they may be solved in any
order, by threads or by other machines.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

from gops_exact.game.order_types import Layer
from gops_exact.layers.files import LayerFile
from gops_exact.layers.layer import COUNTS, Columns, Done, Stored, unit_of
from gops_exact.pools import Threads

if TYPE_CHECKING:
    from gops_exact.layers.kernels.assemble import Runs

BLOCKS = 64
"""Tasks a layer is cut into, so that no thread waits long for the last one."""

BLOCK_GAMES = (20_000, 4_000_000)
"""The fewest games worth a task, some milliseconds, and the most, some tenths of a second."""

Block = tuple[int, int]
"""A run of pairs of hands: the first one, and past the last one."""


@dataclass(frozen=True, eq=False)
class LayerTask:
    """The games of one layer, to be solved."""

    layer: Layer  # the pairs of hands
    columns: Columns  # of the layer's values
    source: Stored  # shape (H', W'); the values of the layer below
    tolerance: float  # width at which a bracket will do
    values: Stored  # shape (H, W); where the layer's values go, kept as those of the source are
    file: LayerFile | None = None  # they are mapped from it


Solver = Callable[[LayerTask, list[Block]], Iterator[Done]]
"""Solves blocks of a layer in any order, and yields the result of each after its lines are written."""


def on_threads(jobs: int, task: LayerTask, todo: list[Block]) -> Iterator[Done]:
    """Solve blocks on `jobs` threads of this process, and yield their results in order."""
    solve_block(task, (0, 0))  # compiles in this thread, which an interrupt reaches
    return Threads(jobs).map(partial(solve_block, task), todo)


def solve_block(task: LayerTask, block: Block) -> Done:
    """Solve the games of a run of pairs of hands, write their lines, and tell what was found.

    Raises:
        ValueError: if the arrays are not those of the two layers: the kernels do not look where
            they read and write.
    """
    from gops_exact.layers.kernels.assemble import TO_INTEGER, sweep_types
    from gops_exact.layers.kernels.settle import scratch

    layer, columns, values, source = task.layer, task.columns, task.values, task.source
    for name, array, shape in (
        ("values", values, (len(layer), columns.width)),
        ("the layer below", source, (max(layer.below, 1), columns.below.width)),
    ):
        if (array.shape, array.dtype) != (shape, values.dtype):
            raise ValueError(
                f"{name} must be of shape {shape} and {values.dtype}, "
                f"got {array.shape} and {array.dtype}"
            )
    unit, counts = unit_of(values), np.zeros(COUNTS, dtype=np.int64)
    sums = np.zeros((3, columns.width))
    sweep_types(
        *block,
        layer.sign,
        layer.child,
        layer.row_kept,
        layer.column_kept,
        source,
        run_table(columns, unit),
        TO_INTEGER if unit < 1.0 else 0.0,
        task.tolerance / unit,
        scratch(layer.size),
        sums,
        values,
        counts,
    )
    return Done(*block, np.maximum.reduceat(sums[2], columns.first[:-1]) * unit, counts)


@lru_cache(maxsize=1)
def run_table(columns: Columns, unit: float) -> "Runs":
    """Return the games of a layer as the kernels get them, listed once for all its blocks."""
    from gops_exact.layers.kernels.assemble import runs

    return runs(columns, unit)


def blocks(pairs: int, games: int, finished: Iterable[Block]) -> list[Block]:
    """Cut a layer of so many pairs of hands into runs, a task each, and list those not `finished`.

    Args:
        pairs: the number of pairs of hands.
        games: the number of games of each pair.
        finished: runs of pairs.

    >>> blocks(6, 10_000, {(2, 4)})
    [(0, 2), (4, 6)]
    """
    least, most = BLOCK_GAMES
    step = max(1, min(max(pairs * games // BLOCKS, least), most) // games)
    known = set(finished)
    runs = [(start, min(start + step, pairs)) for start in range(0, pairs, step)]
    return [run for run in runs if run not in known]
