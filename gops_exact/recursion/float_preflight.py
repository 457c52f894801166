"""What a float sweep will cost, known before it is begun.

Games and bytes are counted exactly; times are measured rates.
"""

import os
import shutil
from dataclasses import dataclass
from math import comb
from pathlib import Path

from gops_exact.order_types import LONGEST, pair_count

NANOSECONDS = (0, 500, 500, 200, 120, 100, 105, 130, 215, 335, 540, 1_000)
"""Core time a game, by cards a side, 0 … 11. Measured on an AMD EPYC at n = 13."""

GROWTH = 1.7
"""How many times longer a game takes with a card more, beyond what was measured."""

TABLE_BYTES, WORK_BYTES = 5, 120
"""Memory a bid pair takes in the tables of order types, and while those of a layer are made. The
first is counted, the second measured at n = 12 to 14."""

SHARE = 0.8
"""Share of a machine's memory, or of a disk's free space, that may be filled."""

HOURS = 24
"""The longest sweep that is begun without being told to."""


@dataclass(frozen=True)
class FloatEstimate:
    """What the float first moves of a game take.

    Attributes:
        games: matrix games to solve.
        values: values computed.
        layers: bytes of the two neighbouring layers that take most, which are held at once.
        tables: bytes of the tables of order types.
        core_seconds: time on one core of the machine the rates were measured on.
    """

    games: int
    values: int
    layers: int
    tables: int
    core_seconds: float

    def __str__(self) -> str:
        """In words.

        >>> print(float_estimate(10))
        6.89e+06 games, 1.14e+06 values, 6.9 MB of layers, 16.2 MB of tables, 0.8 s of core time
        """
        return (
            f"{self.games:.3g} games, {self.values:.3g} values, {_size(self.layers)} of layers, "
            f"{_size(self.tables)} of tables, {_time(self.core_seconds)} of core time"
        )


def float_estimate(n: int) -> FloatEstimate:
    """What the float first moves of the game of n cards take.

    >>> float_estimate(13).games
    1338879373
    """
    games, values, seconds = n, 0, 0.0
    layers, bid_pairs = [0], [0]
    for k in range(1, n):
        pairs = sum(pair_count(k, length) for length in range(k + 1, min(2 * k, n) + 1))
        layers.append(8 * pairs * comb(n, k))
        values += pairs * comb(n, k)
        games += pairs * comb(n, k) * k
        bid_pairs.append(pairs * k * k)
        seconds += pairs * comb(n, k) * k * _nanoseconds(k) * 1e-9
    tables = TABLE_BYTES * sum(bid_pairs) + WORK_BYTES * max(bid_pairs)
    two = max(sum(layers[k : k + 2]) for k in range(n))
    return FloatEstimate(games, values, two, tables, seconds)


def check_fits(
    n: int,
    *,
    jobs: int,
    memory_bytes: int | None = None,
    folder: Path | None = None,
    force: bool = False,
) -> FloatEstimate:
    """Refuse a float sweep that memory, disk or patience won't hold, unless forced.

    Args:
        n: cards a side.
        jobs: threads.
        memory_bytes: memory to be used; by default most of what the machine has.
        folder: where layers are kept, if they are kept in files.
        force: refuse only what is impossible.

    Returns:
        The estimate.

    Raises:
        ValueError: with the estimate; and, forced or not, for an n out of range.

    >>> check_fits(15, jobs=2, memory_bytes=10**10)
    Traceback (most recent call last):
    ValueError: n = 15 needs 34.4 GB of memory or a folder for its layers, got 10.0 GB: 4.46e+10 \
games, 4.84e+09 values, 27.7 GB of layers, 6.7 GB of tables, 5.6 h of core time
    """
    if not 1 <= n <= LONGEST:
        raise ValueError(f"n must be from 1 to {LONGEST}, got {n}")
    estimate = float_estimate(n)
    if force:
        return estimate
    memory = machine_memory() if memory_bytes is None else memory_bytes
    needed = estimate.tables + (0 if folder is not None else estimate.layers)
    if needed > memory:
        instead = "" if folder is not None else " or a folder for its layers"
        raise ValueError(
            f"n = {n} needs {_size(needed)} of memory{instead}, got {_size(memory)}: {estimate}"
        )
    if folder is not None and 2 * estimate.layers > SHARE * (free := _free(folder)):
        raise ValueError(
            f"n = {n} needs {_size(2 * estimate.layers)} in {folder}, got {_size(free)}: {estimate}"
        )
    if estimate.core_seconds > HOURS * 3600 * jobs:
        raise ValueError(
            f"n = {n} must take at most {HOURS} hours unless forced, got "
            f"{_time(estimate.core_seconds / jobs)} on {jobs} cores: {estimate}"
        )
    return estimate


def machine_memory() -> int:
    """Bytes of memory a sweep may fill on this machine."""
    return int(SHARE * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def _free(folder: Path) -> int:
    """Bytes free where a folder is, or will be."""
    present = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    return shutil.disk_usage(present).free


def _nanoseconds(k: int) -> float:
    last = len(NANOSECONDS) - 1
    return float(NANOSECONDS[min(k, last)] * GROWTH ** max(0, k - last))


def _size(nbytes: int) -> str:
    return f"{nbytes / 1e9:.1f} GB" if nbytes >= 10**9 else f"{nbytes / 1e6:.1f} MB"


def _time(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
