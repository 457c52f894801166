"""Float values by layers: all slabs of one size as one array, in memory or in a mapped file.

The line of a pair of hands holds its values for every prize set and state, so the games of one pair
lie side by side (:mod:`~gops_exact.layers.columns`), and a task writes a run of lines. Values are
floats, or 32-bit integers times a unit, which take half the memory.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.game.rules import LEVEL, Prizes, State
from gops_exact.layers.columns import Columns

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Stored = NDArray[np.float64] | NDArray[np.int32]

COUNTS = 5
"""Counters a task returns, in the order of :mod:`~gops_exact.layers.kernels.settle`."""

FIXED = 2.0**-30
"""The unit of values kept as integers, which lie from −1 to 1."""


class Done(NamedTuple):
    """The result of a task, besides the values that it wrote.

    Attributes:
        start: first pair of hands.
        stop: past the last one.
        half_widths: for each prize set the largest half width of a value.
        counts: length :data:`COUNTS`.
        digest: the checksum, if another process wrote the lines; else None.
    """

    start: int
    stop: int
    half_widths: Floats
    counts: Ints
    digest: bytes | None = None


@dataclass(frozen=True, eq=False)
class FloatLayer:
    """The values of every pair of hands, prize set and state of one size, each with its bound.

    Attributes:
        columns: the prize set and state of each column.
        values: shape (H, W), a line per pair of hands; in points, or in wins less losses, times
            `unit`.
        bounds: length C(N, k); no value for that prize set is off by more.
        counts: length :data:`COUNTS`; the counters of :mod:`~gops_exact.layers.kernels.settle`,
            summed over this layer and those below it.
        greatest: the largest absolute value.
        seal: the checksum of the layer's files; empty if it has none.
    """

    columns: Columns
    values: Stored
    bounds: Floats
    counts: Ints
    greatest: float
    seal: bytes = b""

    @property
    def size(self) -> int:
        """Cards a side, k."""
        return self.columns.size

    @property
    def sets(self) -> tuple[Prizes, ...]:
        """The prize sets, in lexicographic order."""
        return self.columns.sets

    @property
    def unit(self) -> float:
        """The value that a stored 1 stands for."""
        return unit_of(self.values)

    def slab(self, prizes: Prizes, state: State = LEVEL) -> Floats:
        """Return the values of one prize set and state, length H.

        Raises:
            KeyError: if there are none: the state is decided, or not of these rules.
        """
        line = self.values[:, self.columns.column(prizes, state)]
        return line.astype(np.float64) * self.unit

    def value(self, pair: int, prizes: Prizes, state: State = LEVEL) -> float:
        """Return the value of one pair of hands, prize set and state."""
        return float(self.values[pair, self.columns.column(prizes, state)]) * self.unit

    def bound(self, prizes: Prizes) -> float:
        """Return the bound of one prize set."""
        return float(self.bounds[self.columns.place[prizes]])


def unit_of(values: Stored) -> float:
    """Return the value that a stored 1 stands for: 1, or :data:`FIXED` in integers."""
    return FIXED if values.dtype == np.int32 else 1.0
