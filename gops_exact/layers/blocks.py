"""The blocks that a layer of floats is solved in, and the threads that solve them.

A block is a run of pairs of hands. None looks at another of its layer, so they may be solved in any
order, by threads or by other machines.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gops_exact.game.order_types import Layer
from gops_exact.game.rules import Prizes, Rules
from gops_exact.layers.columns import Columns
from gops_exact.layers.files import LayerFile
from gops_exact.layers.layer import COUNTS, Done, Stored, unit_of

if TYPE_CHECKING:
    from gops_exact.layers.runs import Runs

BLOCKS = 64
"""Tasks a layer is cut into, so that no thread waits long for the last one."""

BLOCK_GAMES = (20_000, 4_000_000)
"""The fewest games worth a task, some milliseconds, and the most, some tenths of a second."""

Block = tuple[int, int]
"""A run of pairs of hands: the first one, and past the last one."""


@dataclass(frozen=True, eq=False)
class LayerTask:
    """The data for solving the games of one layer.

    Attributes:
        layer: the pairs of hands.
        columns: of the layer; where values of prize sets and states stand.
        source: shape (H', W'); the values of the layer below.
        tolerance: width at which a bracket will do.
        values: shape (H, W); where the layer's values go, kept as those of the source are.
        file: the file they are mapped from, if there is one.
    """

    layer: Layer
    columns: Columns
    source: Stored
    tolerance: float
    values: Stored
    file: LayerFile | None

    @property
    def games(self) -> int:
        """The number of games of a pair of hands."""
        return games_of(self.columns)


class BlockPool(Protocol):
    """Threads or workers that solve the blocks of a layer."""

    @property
    def jobs(self) -> int:
        """The number of blocks solved at once."""

    def solve(self, task: LayerTask, todo: list[Block]) -> Iterator[Done]:
        """Solve blocks in any order, and yield the result of each after its lines are written."""


@dataclass(frozen=True)
class ThreadPool:
    """Threads of this process that solve blocks.

    Attributes:
        jobs: the number of threads.
    """

    jobs: int

    def solve(self, task: LayerTask, todo: list[Block]) -> Iterator[Done]:
        """Solve blocks, and yield their results in order."""

        def work(block: Block) -> Done:
            return solve_block(
                task.layer, task.columns, task.source, task.tolerance, block, task.values
            )

        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                yield from pool.map(work, todo)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def solve_block(
    layer: Layer,
    columns: Columns,
    source: Stored,
    tolerance: float,
    block: Block,
    values: Stored,
) -> Done:
    """Solve the games of a run of pairs of hands, write their lines, and tell what was found.

    Args:
        layer: the pairs of hands.
        columns: of the layer.
        source: shape (H', W'); the values of the layer below.
        tolerance: width at which a bracket will do.
        block: which of the pairs.
        values: shape (H, W); their lines are written.

    Raises:
        ValueError: if the arrays are not those of the two layers: the kernels do not look where
            they read and write.
    """
    from gops_exact.layers.kernels.assemble import TO_INTEGER, bids, sweep_types
    from gops_exact.layers.kernels.settle import scratch

    _check_array("values", values, (len(layer), columns.width), values.dtype)
    beneath = columns_at(columns.rules, columns.deck, columns.size - 1)
    _check_array("the layer below", source, (max(layer.below, 1), beneath.width), values.dtype)

    unit, rules = unit_of(values), columns.rules
    # Where prizes are hidden the games that are solved are sums over them.
    largest = (1.0 if rules.winning else sum(columns.deck)) * (columns.size if rules.hidden else 1)
    widths, counts = np.zeros(columns.width), np.zeros(COUNTS, dtype=np.int64)
    sweep_types(
        *block,
        layer.sign,
        layer.child,
        layer.row_kept,
        layer.column_kept,
        source,
        run_table(rules, columns.deck, columns.size),
        1.0 / unit if rules.winning else 0.0,
        TO_INTEGER if unit < 1.0 else 0.0,
        largest / unit,
        tolerance / unit,
        scratch(layer.size),
        bids(layer.size),
        np.zeros((2, columns.width + 1)),
        values,
        widths,
        counts,
    )
    return Done(*block, np.maximum.reduceat(widths, columns.first[:-1]) * unit, counts)


def _check_array(
    name: str, array: Stored, shape: tuple[int, int], kind: "np.dtype[np.generic]"
) -> None:
    """Raise ValueError unless an array has that shape and kind of number."""
    if (array.shape, array.dtype) != (shape, kind):
        raise ValueError(
            f"{name} must be of shape {shape} and {kind}, got {array.shape} and {array.dtype}"
        )


@lru_cache(maxsize=2)
def run_table(rules: Rules, deck: Prizes, k: int) -> "Runs":
    """The runs of the layer of k cards."""
    from gops_exact.layers.runs import runs

    return runs(columns_at(rules, deck, k), columns_at(rules, deck, k - 1))


@lru_cache(maxsize=4)
def columns_at(rules: Rules, deck: Prizes, k: int) -> Columns:
    """Return the columns of the layer of k cards, listed once for all blocks."""
    return Columns(rules, deck, k)


def games_of(columns: Columns) -> int:
    """How many games the columns of a pair of hands take.

    >>> games_of(Columns(Rules(), (1, 2, 3), 2)), games_of(Columns(Rules("win"), (1, 2, 3), 2))
    (6, 30)
    """
    return columns.width * (columns.size if columns.rules.prizes == "random" else 1)


def blocks(types: int, games: int, finished: Iterable[Block]) -> list[Block]:
    """Runs of order types, a task each, that are not finished.

    Args:
        types: how many there are.
        games: of each.
        finished: the runs that are.

    >>> blocks(6, 10_000, {(2, 4)})
    [(0, 2), (4, 6)]
    """
    least, most = BLOCK_GAMES
    step = max(1, min(max(types * games // BLOCKS, least), most) // games)
    known = set(finished)
    runs = [(start, min(start + step, types)) for start in range(0, types, step)]
    return [run for run in runs if run not in known]
