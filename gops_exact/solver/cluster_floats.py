"""The float sweep on many machines: Dask workers solve the blocks, a shared folder holds the layers.

The client, the process that plans, cuts a layer into the blocks that threads would solve, so all
bits are the same. It sends each block in a message with the block's part of the tables of order
types. A worker maps the layer below from the shared folder, writes its lines at their place in the
layer's file, and returns its result with a checksum of the lines. The client keeps the journals, so a
run that was killed can be continued on the cluster or without it. Blocks of a worker that dies go to
others, which write the same bytes.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

import numpy as np

from gops_exact.game.order_types import Layer
from gops_exact.game.rules import Prizes, Rules
from gops_exact.layers.blocks import Block, LayerTask, columns_at, solve_block
from gops_exact.layers.files import checksum, layer_name
from gops_exact.layers.layer import Done, Stored
from gops_exact.solver.cluster import Cluster

if TYPE_CHECKING:
    from distributed import Future

Kind = np.dtype[np.float64] | np.dtype[np.int32]

AHEAD = 3
"""Blocks handed out for each thread: one in work, the others on their way."""

MARK = "shared-"
"""Prefix of the files by which workers recognise the folder."""


@dataclass(frozen=True, eq=False)
class BlockMessage:
    """A block of a layer, with all data that a worker needs to solve its games.

    Attributes:
        layer: the pairs of hands of this block alone.
        rules: the rules.
        deck: all prizes, arranged.
        start: place of the first pair in the layer.
        tolerance: width at which a bracket is narrow enough.
        kind: the type that values are kept as.
        below: the file of the layer below; None at one card a side.
        file: the layer's own file.
        key: of its checksums.
        mark: a file that exists beside them only during this run.
    """

    layer: Layer
    rules: Rules
    deck: Prizes
    start: int
    tolerance: float
    kind: Kind
    below: Path | None
    file: Path
    key: bytes
    mark: Path


@dataclass(frozen=True)
class ClusterSolver:
    """A :data:`~gops_exact.layers.blocks.Solver` whose blocks are solved by the workers of a cluster."""

    cluster: Cluster

    def __call__(self, task: LayerTask, todo: list[Block]) -> Iterator[Done]:
        """Solve blocks, in the order in which they happen to end.

        Raises:
            ValueError: if a worker does not see the folder, or the lines read back are not those
                that the workers wrote.
            ChildProcessError: if one worker after the other died over a block.
            ConnectionError: if the scheduler went away.
        """
        from distributed import as_completed

        if task.file is None:
            raise ValueError("a Dask scheduler takes a folder that all workers see")
        folder = task.file.path.parent.resolve()
        for left in folder.glob(f"{MARK}*"):
            left.unlink()
        with NamedTemporaryFile(prefix=MARK, dir=folder) as mark:
            file = folder / task.file.path.name
            messages = (_message(task, block, file, Path(mark.name)) for block in todo)
            first = [
                self._submit(message) for message in islice(messages, AHEAD * self.cluster.jobs)
            ]
            under_way = as_completed(first, loop=self.cluster.client.loop)
            for future in under_way:
                with self.cluster.errors():
                    done = future.result()
                for message in islice(messages, 1):
                    under_way.add(self._submit(message))
                yield done
        # Over a network, only a file opened again shows the bytes that others wrote.
        task.file.anew().finished()

    def _submit(self, message: BlockMessage) -> "Future[Done]":
        # A name no other run has: Dask remembers results by name.
        name = f"{message.file.stem}-{message.start}-{message.mark.name}"
        return self.cluster.client.submit(solve_message, message, key=name, pure=False)


def solve_message(message: BlockMessage) -> Done:
    """Solve a block's games on a worker, and write their lines to the shared folder, if it is seen."""
    if not message.mark.exists():
        raise ValueError(
            f"a worker on {os.uname().nodename} does not see the folder {message.mark.parent}"
        )
    layer, kind, count = message.layer, message.kind, len(message.layer)
    columns = columns_at(message.rules, message.deck, layer.size)
    width = columns_at(message.rules, message.deck, layer.size - 1).width
    below = (
        np.zeros((1, width), kind) if message.below is None else _mapped(message.below, width, kind)
    )
    lines = np.empty((count, columns.width), kind)
    task = LayerTask(layer, columns, below, message.tolerance, lines)
    found = solve_block(task, (0, count))
    # Written through: lines are on disk before the journal records them, and over NFS no neighbouring
    # bytes, which may be another worker's, are written with them.
    with os.fdopen(os.open(message.file, os.O_WRONLY | os.O_DSYNC), "wb") as file:
        file.seek(message.start * lines[0].nbytes)
        file.write(lines.data)
    done = found._replace(start=message.start, stop=message.start + count)
    return done._replace(digest=checksum(done, lines, message.key))


def _message(task: LayerTask, block: Block, file: Path, mark: Path) -> BlockMessage:
    columns = task.columns
    n, k = len(columns.deck), columns.size
    name = f"{layer_name(n, k - 1, columns.rules)}.values"
    key = b"" if task.file is None else task.file.key
    return BlockMessage(
        layer=task.layer.part(slice(*block)),
        rules=columns.rules,
        deck=columns.deck,
        start=block[0],
        tolerance=task.tolerance,
        kind=task.values.dtype,
        below=file.with_name(name) if k > 1 else None,
        file=file,
        key=key,
        mark=mark,
    )


def _mapped(path: Path, width: int, kind: Kind) -> Stored:
    """Map a finished layer, writable because the kernels are compiled for writable arrays."""
    return np.asarray(np.memmap(path, kind, "c")).reshape(-1, width)
