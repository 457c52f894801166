"""Payoff matrices of any library as arrays, scaled to integers where that keeps them short."""

from dataclasses import dataclass
from functools import reduce
from itertools import chain
from math import isfinite
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpz, fmpz_mat
from numpy.typing import NDArray

from gops_exact.arguments import items
from gops_exact.matrix_game.payoff import Matrix
from gops_exact.numbers import rational, to_float

Entries = NDArray[Any]
"""Payoffs, shape (m, n): int64, or objects that are all fmpz or all fmpq."""

COMMON_BITS = 1024
"""Length of a common denominator up to which payoffs are scaled by it. Beyond, all payoffs would be
longer than those of a basis need to be, which FLINT scales row by row."""

MOST = 1 << 62
"""Integers below are held in int64, and so are their negatives and differences."""


@dataclass(frozen=True, eq=False)
class Game:
    """A matrix game with another unit and origin of payoffs: shift + scale · entries.

    Attributes:
        entries: shape (m, n); integers from 0 on without a common divisor, or fractions as given if
            their common denominator is long.
        shift: added to each entry after scaling.
        scale: positive.
    """

    entries: Entries
    shift: fmpq
    scale: fmpq

    @classmethod
    def of(cls, entries: Entries) -> "Game":
        """Return the game of payoffs of shape (m, n), in the shortest integers.

        >>> game = Game.of(as_entries([["1/2", "1/3"], [0, 1]]))
        >>> game.entries.tolist(), game.shift, game.scale
        ([[3, 2], [0, 6]], 0, 1/6)
        """
        if entries.dtype != object:
            low = entries.min()
            common = np.gcd.reduce(entries - low, axis=None) or 1
            return cls((entries - low) // common, fmpq(int(low)), fmpq(int(common)))
        denominator = fmpz(1)
        for entry in entries.flat:
            denominator = denominator.lcm(entry.q)
            if denominator.bit_length() > COMMON_BITS:
                return cls(entries, fmpq(0), fmpq(1))
        least = entries.min()
        whole = [((entry - least) * denominator).p for entry in entries.flat]
        divisor = reduce(fmpz.gcd, whole) or fmpz(1)
        short = [entry // divisor for entry in whole]
        kind = np.int64 if max(short) < MOST else object
        return cls(
            np.array(short, dtype=kind).reshape(entries.shape), least, fmpq(divisor, denominator)
        )

    def value(self, level: fmpq) -> fmpq:
        """Return the payoff that an entry, or a mean of entries, stands for."""
        return self.shift + self.scale * level

    def floats(self) -> NDArray[np.float64]:
        """Return the entries as floats from 0 to 1, shape (m, n)."""
        low, spread = self.entries.min(), self.entries.max() - self.entries.min()
        if self.entries.dtype != object:
            return np.asarray((self.entries - low) / max(spread, 1), dtype=np.float64)
        scale = 1 / fmpq(spread) if spread else fmpq(1)
        shares = [to_float((entry - low) * scale) for entry in self.entries.flat]
        return np.array(shares).reshape(self.entries.shape)

    def saddle_point(self) -> tuple[int, int] | None:
        """Find the first entry that is smallest in its row and largest in its column, or None."""
        row_minima, column_maxima = self.entries.min(axis=1), self.entries.max(axis=0)
        i, j = int(row_minima.argmax()), int(column_maxima.argmin())
        return (i, j) if row_minima[i] == column_maxima[j] else None


def as_entries(payoff: object) -> Entries:
    """Return a payoff matrix from anything rational as an array of int64 or of fmpq, checked.

    Args:
        payoff: rows of exact rationals; or a matrix of numpy, pandas, sympy or FLINT that holds them.

    Raises:
        ValueError: if it is empty, ragged or holds anything but exact rationals.

    >>> as_entries([[1, 2]]).dtype, as_entries([[1, "1/2"]]).tolist()
    (dtype('int64'), [[1, 1/2]])
    """
    if hasattr(payoff, "to_numpy"):  # of a pandas frame, iterating gives the labels
        payoff = payoff.to_numpy()
    if (
        isinstance(payoff, np.ndarray)
        and payoff.ndim == 2
        and payoff.dtype.kind in "iu"
        and not np.ma.is_masked(payoff)
        and payoff.size
        and payoff.max() < MOST
        and payoff.min() > -MOST
    ):
        return np.array(payoff, dtype=np.int64)  # no matrix, whose slices keep two dimensions
    if isinstance(payoff, np.ndarray) and payoff.ndim > 2:
        raise ValueError(f"a payoff matrix must be two-dimensional, got shape {payoff.shape}")
    rows = _listed(payoff, "a payoff matrix", "a sequence of rows")
    matrix = [
        _listed(row, f"row {number} of a payoff matrix", "a sequence")
        for number, row in enumerate(rows, start=1)
    ]
    if not matrix or not matrix[0]:
        raise ValueError("a payoff matrix must have at least one row and one column, got none")
    width = len(matrix[0])
    for number, row in enumerate(matrix, start=1):
        if len(row) != width:
            raise ValueError(
                f"the rows of a payoff matrix must be equally long, "
                f"got {width} entries in row 1 and {len(row)} in row {number}"
            )
    every = list(chain.from_iterable(matrix))
    found: list[Any] = every
    if set(map(type, every)) != {int} or max(found) >= MOST or min(found) <= -MOST:
        found = _exactly(every, width)
    kind = object if isinstance(found[0], fmpq) else np.int64
    return np.array(found, dtype=kind).reshape(len(matrix), width)


def _exactly(entries: list[Any], width: int) -> list[fmpq]:
    """Return the entries as fmpq; an error says which one is none.

    A gap is named first: for its sake pandas and NumPy make floats of the entries beside it.
    """
    found: list[fmpq] = []
    try:
        found.extend(rational(entry, "a payoff") for entry in entries)
    except ValueError as error:
        floats = {place: entry for place, entry in enumerate(entries) if isinstance(entry, float)}
        gap = next((place for place, entry in floats.items() if not isfinite(entry)), None)
        place, reason = len(found), str(error)
        if gap is not None:
            place, reason = gap, f"a payoff must be an exact rational, got {entries[gap]}"
        elif len(floats) == len(entries) > 1 and all(map(float.is_integer, floats.values())):
            reason = f"{reason}, or give an array as .astype(int)"
        row, column = divmod(place, width)
        raise ValueError(f"{reason} (row {row + 1}, column {column + 1})") from None
    return found


def as_matrix(payoff: object) -> Matrix:
    """Return a payoff matrix from anything rational as rows of fmpq, checked as :func:`as_entries` does.

    >>> as_matrix([[1, "1/2"]])
    [[1, 1/2]]
    """
    return [list(map(fmpq, row)) for row in as_entries(payoff).tolist()]


def flint(entries: Entries) -> fmpq_mat:
    """Return payoffs as a matrix of FLINT."""
    if entries.dtype != object or isinstance(entries.flat[0], fmpz):
        return fmpq_mat(fmpz_mat(entries.tolist()))
    return fmpq_mat(entries.tolist())


def _listed(given: object, name: str, kind: str) -> list[object]:
    """Return a sequence as a list; refuse objects that iterate over anything but their entries."""
    if hasattr(given, "to_numpy"):
        given = given.to_numpy()
    if hasattr(given, "tolist"):  # of a sympy or FLINT matrix, one entry after the other
        given = given.tolist()
    return items(given, name, kind, ordered=True)
