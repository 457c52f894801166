"""The float sweep on many machines: Dask workers solve the blocks, a shared folder holds the layers.

The process that plans, the client, cuts a layer into the very blocks that threads would solve, so
all bits are the same. It hands out each with its own part of the tables of order types, and beside
that a worker needs nothing but the folder: it maps the layer below, writes its lines at their place
in the layer's file, and sends back what it found with a checksum of the lines. Journals are the
client's, so a run that was killed goes on as any other does, on the cluster or without it.

A worker that dies leaves at most lines that nobody has vouched for. Dask gives its blocks to
others, and they write the same bytes.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Self

import numpy as np

from gops_exact.order_types import Layer
from gops_exact.recursion.float_crew import Block, LayerTask, columns_at, solve_block
from gops_exact.recursion.float_files import checksum, layer_name
from gops_exact.recursion.float_layers import Done, Stored
from gops_exact.rules import Prizes, Rules
from gops_exact.version import version

if TYPE_CHECKING:
    from distributed import Future

Kind = np.dtype[np.float64] | np.dtype[np.int32]

PATIENCE = 15.0
"""Seconds to wait for the scheduler, and for its first worker."""

AHEAD = 3
"""Blocks handed out for each thread: one in work, the others on their way."""

MARK = "shared-"
"""How the names of the files begin by which workers know the folder."""


@dataclass(frozen=True, eq=False)
class Parcel:
    """A block of a layer, with all it takes to solve its games elsewhere.

    Attributes:
        layer: these pairs alone.
        rules: the rules.
        deck: all prizes, arranged.
        start: place of the first one in the layer.
        tolerance: width at which a bracket will do.
        kind: what values are kept as.
        below: the file of the layer below; None at one card a side.
        file: the layer's own file.
        key: of its checksums.
        mark: a file that stands beside them only while this run is under way.
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


class Cluster:
    """The workers of a Dask scheduler, as a crew of the float sweep.

    Args:
        address: of the scheduler, such as ``"tcp://10.0.0.1:8786"``.
        patience: seconds to wait for it and for its first worker.

    Raises:
        ValueError: if Dask is not installed, there is no scheduler, it has no workers, or they have
            another version of this package.
    """

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        try:
            from distributed import Client
            from distributed.comm import get_address_host_port
        except ModuleNotFoundError as error:
            raise ValueError(
                "a Dask scheduler takes the package distributed: pip install "
                "'gops-exact[distributed]'"
            ) from error
        self.address = address if "://" in address else f"tcp://{address}"
        try:
            get_address_host_port(self.address, strict=True)
        except ValueError as error:
            raise ValueError(
                f"expected the address of a Dask scheduler, like tcp://10.0.0.1:8786, got {address!r}"
            ) from error
        try:
            self._client = Client(self.address, timeout=patience, set_as_default=False)
        except (OSError, TimeoutError) as error:
            raise ValueError(f"no Dask scheduler answers at {self.address}") from error
        try:
            self._client.wait_for_workers(1, timeout=patience)
            self._check_versions()
        except TimeoutError as error:
            self.close()
            raise ValueError(f"the Dask scheduler at {self.address} has no workers") from error
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the scheduler; it and its workers live on."""
        self._client.close()

    @property
    def jobs(self) -> int:
        """How many blocks are solved at once: the threads of all workers."""
        return sum(self._client.nthreads().values())

    def solve(self, task: LayerTask, todo: list[Block]) -> Iterator[Done]:
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
            parcels = (_parcel(task, block, file, Path(mark.name)) for block in todo)
            first = [self._submit(parcel) for parcel in islice(parcels, AHEAD * self.jobs)]
            under_way = as_completed(first, loop=self._client.loop)
            for future in under_way:
                done = self._result(future)
                for parcel in islice(parcels, 1):
                    under_way.add(self._submit(parcel))
                yield done
        # A file opened anew is, over a network, the one that others wrote.
        task.file.anew().finished()

    def _submit(self, parcel: Parcel) -> "Future[Done]":
        # A name no other run has: Dask remembers results by name.
        name = f"{parcel.file.stem}-{parcel.start}-{parcel.mark.name}"
        return self._client.submit(solve_parcel, parcel, key=name, pure=False)

    def _result(self, future: "Future[Done]") -> Done:
        from distributed import CancelledError, KilledWorker
        from distributed.comm import CommClosedError

        try:
            done: Done = future.result()
        except KilledWorker as error:
            raise ChildProcessError(
                "one worker after the other died over a block, perhaps short of memory"
            ) from error
        except (CancelledError, CommClosedError) as error:
            raise ConnectionError(f"the Dask scheduler at {self.address} went away") from error
        return done

    def _check_versions(self) -> None:
        found = self._client.run(installed_version, "gops-exact", on_error="return")
        for worker, theirs in found.items():
            if theirs != version():
                what = "none" if isinstance(theirs, PackageNotFoundError) else theirs
                raise ValueError(f"worker {worker} must have gops-exact {version()}, got {what}")


def solve_parcel(parcel: Parcel) -> Done:
    """Solve a block's games where a worker is, and write their lines to the shared folder.

    Raises:
        ValueError: if the folder is not seen here.
    """
    if not parcel.mark.exists():
        raise ValueError(
            f"a worker on {os.uname().nodename} does not see the folder {parcel.mark.parent}"
        )
    layer, kind, count = parcel.layer, parcel.kind, len(parcel.layer)
    columns = columns_at(parcel.rules, parcel.deck, layer.size)
    width = columns_at(parcel.rules, parcel.deck, layer.size - 1).width
    below = (
        np.zeros((1, width), kind) if parcel.below is None else _mapped(parcel.below, width, kind)
    )
    lines = np.empty((count, columns.width), kind)
    found = solve_block(layer, columns, below, parcel.tolerance, (0, count), lines)
    # Written through: lines are on disk before they are vouched for, and over NFS no neighbouring
    # bytes, which may be another worker's, are written along with them.
    with os.fdopen(os.open(parcel.file, os.O_WRONLY | os.O_DSYNC), "wb") as file:
        file.seek(parcel.start * lines[0].nbytes)
        file.write(lines.data)
    done = found._replace(start=parcel.start, stop=parcel.start + count)
    return done._replace(digest=checksum(done, lines, parcel.key))


def _parcel(task: LayerTask, block: Block, file: Path, mark: Path) -> Parcel:
    columns = task.columns
    n, k = len(columns.deck), columns.size
    name = f"{layer_name(n, k - 1, columns.rules)}.values"
    key = b"" if task.file is None else task.file.key
    return Parcel(
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
    """A finished layer. Mapped as if it could be written: the kernels are compiled for that."""
    return np.asarray(np.memmap(path, kind, "c")).reshape(-1, width)
