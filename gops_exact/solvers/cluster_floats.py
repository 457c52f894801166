"""The float sweep on many machines: Dask workers solve the blocks of a layer.

The client, the process that plans, cuts a layer into the blocks that threads would solve, so all
bits are the same. It sends each block in a message with the block's part of the tables of order
types, and keeps the journals, so a run that was killed can be continued on the cluster or without
it. Blocks of a worker that dies go to others, which find the same values.

Lines travel in one of two ways. Where all workers see the folder of the layers, a worker maps the
layer below, writes its lines at their place in the layer's file, and returns a checksum of them.
Otherwise each worker process gets the layer below in a message, once, and returns its lines.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

import numpy as np

from gops_exact.game.order_types import Layer
from gops_exact.game.rules import Prizes, Rules
from gops_exact.layers.files import checksum, layer_name, record
from gops_exact.layers.layer import Columns, Done, Stored
from gops_exact.layers.sweep import Block, LayerTask, solve_block
from gops_exact.solvers.cluster import Cluster

if TYPE_CHECKING:
    from distributed import Future

Kind = np.dtype[np.float64] | np.dtype[np.int32]

MARK = "shared-"
"""Prefix of the files by which it is seen whether workers see the folder."""


@dataclass(frozen=True)
class SharedFiles:
    """The files of a layer, for workers that see them."""

    below: Path | None  # the values of the layer below; None at one card a side
    file: Path  # the layer's own values
    key: bytes  # of the checksums


@dataclass(frozen=True, eq=False)
class BlockMessage:
    """A block of a layer, with what a worker needs to solve its games beside the layer below."""

    layer: Layer  # the pairs of hands of this block alone
    rules: Rules
    deck: Prizes  # all prizes, arranged
    start: int  # place of the first pair in the layer
    tolerance: float  # width at which a bracket is narrow enough
    kind: Kind  # the type that values are kept as
    shared: SharedFiles | None  # where lines are read and written; None if they travel in messages


def on_cluster(cluster: Cluster, task: LayerTask, todo: list[Block]) -> Iterator[Done]:
    """Solve blocks on the workers of a cluster, a :data:`~gops_exact.layers.sweep.Solver`.

    Raises:
        ValueError: if the lines read back are not those that the workers wrote.
        ChildProcessError: if one worker after the other died over a block.
        ConnectionError: if the scheduler went away.
    """
    with cluster.errors():
        lines = Lines(cluster, task)
    yield from cluster.map(lines, todo)
    if lines.shared is not None and task.file is not None:
        task.file.finished()


class Lines:
    """The blocks of a layer as a cluster solves them."""

    def __init__(self, cluster: Cluster, task: LayerTask) -> None:
        self._cluster, self._task = cluster, task
        self.shared = self._shared()
        """The files of the layer, if there are any and all workers see them."""
        self._below: list[Any] = []
        if self.shared is None and task.layer.size > 1:
            self._below = cluster.client.scatter([task.source], broadcast=True, hash=False)

    def __call__(self, block: Block) -> Done:
        """Solve a block in this process."""
        return solve_block(self._task, block)

    def send(self, block: Block) -> "Future[tuple[Done, Stored | None]]":
        """Send a block, with its part of the tables of order types."""
        task = self._task
        message = BlockMessage(
            layer=task.layer.part(slice(*block)),
            rules=task.columns.rules,
            deck=task.columns.deck,
            start=block[0],
            tolerance=task.tolerance,
            kind=task.values.dtype,
            shared=self.shared,
        )
        return self._cluster.submit(solve_message, message, *self._below, pure=False)

    def keep(self, block: Block, answer: tuple[Done, Stored | None]) -> Done:
        """Write the lines of a block that came back, unless the worker wrote them."""
        done, lines = answer
        if lines is not None:
            self._task.values[slice(*block)] = lines
        return done

    def _shared(self) -> SharedFiles | None:
        task = self._task
        if task.file is None:
            return None
        folder = task.file.path.parent.resolve()
        with NamedTemporaryFile(prefix=MARK, dir=folder) as mark:
            if not all(self._cluster.client.run(os.path.exists, mark.name).values()):
                return None
        columns = task.columns
        below = folder / f"{layer_name(columns.below)}.values" if columns.size > 1 else None
        return SharedFiles(below, folder / task.file.path.name, task.file.key)


def solve_message(
    message: BlockMessage, source: Stored | None = None
) -> tuple[Done, Stored | None]:
    """Solve a block's games on a worker, given the layer below if it is in no file.

    Lines are written where files are shared, else returned.
    """
    layer, kind, count, shared = message.layer, message.kind, len(message.layer), message.shared
    columns = _columns(message.rules, message.deck, layer.size)
    width = columns.below.width
    if source is not None:
        # The kernels are compiled for writable arrays, and Dask's seldom are not.
        below = source if source.flags.writeable else source.copy()
    elif shared is None or shared.below is None:
        below = np.zeros((1, width), kind)
    else:
        below = np.asarray(np.memmap(shared.below, kind, "c")).reshape(-1, width)
    lines = np.empty((count, columns.width), kind)
    found = solve_block(LayerTask(layer, columns, below, message.tolerance, lines), (0, count))
    done = found._replace(start=message.start, stop=message.start + count)
    if shared is None:
        return done, lines
    # Written through: lines are on disk before the journal records them, and over NFS no neighbouring
    # bytes, which may be another worker's, are written with them.
    with open(shared.file, "r+b", opener=_written_through) as file:
        file.seek(message.start * lines[0].nbytes)
        file.write(lines.data)
        file.flush()
        os.fsync(file.fileno())
    return done._replace(digest=checksum(record(done), lines, shared.key)), None


@lru_cache(maxsize=1)
def _columns(rules: Rules, deck: Prizes, size: int) -> Columns:
    """Return the columns of a layer, listed once for all its blocks."""
    return Columns(rules, deck, size)


def _written_through(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_DSYNC", 0))
