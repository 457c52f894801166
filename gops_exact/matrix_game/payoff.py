"""Payoff matrix of one game in exact numbers, floats and balls.

A *ball* is an interval, given by its midpoint and its radius (FLINT's ``arb``). A *bid* is a pure strategy, a row or a
column. A *basis* is a choice of equally many rows and columns, which determines a strategy of each player. A solver
proposes a basis with floats, proves it with balls, and uses exact numbers only where balls do not suffice.

In the matrix games of GOPS, an exact number is a pair of integers (numerator, denominator) that is *not
necessarily in lowest terms*, because for numbers of millions of digits one gcd takes longer than all other steps.
"""

from functools import cached_property, reduce
from itertools import chain
from math import isfinite
from typing import Any, Self

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat, fmpz, fmpz_mat
from numpy.typing import NDArray

from gops_exact.base.arguments import items
from gops_exact.numbers.exact import Pair, from_float, rational, simplest, to_pair

Entries = NDArray[Any]
"""Array of exact numbers, shape (m, n): dtype int64, or object with fmpz only or fmpq only."""

Floats = NDArray[np.float64]

COMMON_BITS = 1024
"""Greatest length, in bits, of a common denominator by which payoffs are multiplied to make them integers. Payoffs with
a longer one stay fractions, because the integers would be about as long as the common denominator."""

MOST = 1 << 62
"""Bound of the integers in an int64 array: their absolute values are less than it, so that their negatives and
differences fit int64, too."""

FLOAT_BITS = 128
"""Precision, in bits, with which payoffs that are not 64-bit integers are shifted and scaled, in balls, before they are
rounded to floats. It is high enough to keep payoffs apart that differ little."""

BYTES_AN_ENTRY = 40
"""Least memory, in bytes, that each entry of a matrix takes while the game is solved: as a Python object, as an integer
of 64 bits, and as floats."""

ALWAYS_FIT = 1 << 20
"""Number of entries of a matrix for which every machine has the memory."""

ZERO, ONE = fmpq(0), fmpq(1)


class Payoff:
    """Payoff matrix of one game. Player one's gains are shift + scale · entries.

    Args:
        entries: the payoffs before scale and shift, exact numbers, shape (m, n).
        shift: the number added to each entry after scaling.
        scale: the positive factor of each entry.
    """

    entries: Entries
    shift, scale = ZERO, ONE

    def __init__(self, entries: Entries, shift: fmpq = ZERO, scale: fmpq = ONE) -> None:
        self.entries, self.shift, self.scale = entries, shift, scale

    @classmethod
    def of(cls, payoff: object, within: fmpq | None = None) -> Self:
        """Convert a matrix of payoffs to short integers, so that each payoff is shift + scale · entry.

        The shift is the least payoff, or 0 if the game is skew-symmetric and :func:`as_entries` returns int64. The
        scale is the greatest common divisor of the numbers payoff − shift; if all payoffs are equal, it is 1 divided by
        their denominator. But if the common denominator of the payoffs has more than :data:`COMMON_BITS` bits, nothing
        is converted: the entries are the payoffs as fractions, with shift 0 and scale 1.

        Args:
            payoff: player one's gains, in any form that :class:`~gops_exact.MatrixGame` takes.
            within: the greatest distance between a float and the fraction that replaces it; 0 to replace each float by
                its exact value, None to refuse floats.

        Raises:
            ValueError: if `payoff` is empty, ragged, too large or holds anything but exact rationals.

        >>> game = Payoff.of([["1/2", "1/3"], [0, 1]])
        >>> game.entries.tolist(), game.shift, game.scale
        ([[3, 2], [0, 6]], 0, 1/6)
        """
        entries = as_entries(payoff, within)
        if entries.dtype != object:
            # The shift is 0 if the game is skew-symmetric, so that the entries stay skew-symmetric. One system of
            # equations then gives the strategies of both players.
            low = entries.min()
            if low == -entries.max() and np.array_equal(entries, -entries.T):
                low = 0
            common = np.gcd.reduce(entries - low, axis=None) or 1
            return cls((entries - low) // common, fmpq(int(low)), fmpq(int(common)))
        denominator = fmpz(1)
        for entry in entries.flat:
            denominator = denominator.lcm(entry.q)
            if denominator.bit_length() > COMMON_BITS:
                return cls(entries)
        least = entries.min()
        whole = [((entry - least) * denominator).p for entry in entries.flat]
        divisor = reduce(fmpz.gcd, whole) or fmpz(1)
        short = [entry // divisor for entry in whole]
        kind = np.int64 if max(short) < MOST else object
        integers = np.array(short, dtype=kind).reshape(entries.shape)
        return cls(integers, least, fmpq(divisor, denominator))

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows m (player one's bids), and the number of columns n (player two's bids)."""
        m, n = self.entries.shape
        return m, n

    @cached_property
    def rows(self) -> list[list[fmpq]]:
        """All payoffs as fractions in lowest terms, shape (m, n)."""
        return [[self.value(fmpq(entry)) for entry in row] for row in self.entries.tolist()]

    @property
    def is_long(self) -> bool:
        """True if the entries are fractions; False if they are integers."""
        return isinstance(self.entries.flat[0], fmpq)

    def value(self, level: fmpq) -> fmpq:
        """Return the payoff shift + scale · `level`, where `level` is an entry or a weighted mean of entries."""
        return self.shift + self.scale * level

    def pair(self, i: int, j: int) -> Pair:
        """Return the payoff in row i and column j as (numerator, positive denominator)."""
        return to_pair(self.rows[i][j])

    def shares(self) -> Floats:
        """Return the entries as floats, shape (m, n), shifted and scaled to the range from 0 to 1; 0 if all are equal."""
        if self.entries.dtype != object:
            low, high = self.entries.min(), self.entries.max()
            return np.asarray((self.entries - low) / max(high - low, 1), dtype=np.float64)
        with ctx.workprec(FLOAT_BITS):
            near = [[arb(entry).mid() for entry in row] for row in self.entries.tolist()]
            least = min(map(min, near))
            spread = max(map(max, near)) - least
            scale = 1 if spread == 0 else 1 / spread
            return np.array([[float((entry - least) * scale) for entry in row] for row in near])

    def floats(self) -> list[list[float]]:
        """Return the entries as rows of floats, shifted and scaled to the range from 0 to 1."""
        lists: list[list[float]] = self.shares().tolist()
        return lists

    def balls(self, precision: int) -> list[list[arb]]:
        """Return a ball of about `precision` bits around each payoff, shape (m, n)."""
        with ctx.workprec(precision):
            return [[arb(entry) for entry in row] for row in self.rows]

    def is_skew_symmetric(self) -> bool:
        """Return True if the shift is 0 and the entries are skew-symmetric; then the payoff matrix X is −Xᵀ.

        The result is False for a shifted game, even if X = −Xᵀ.

        >>> Payoff.of([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]).is_skew_symmetric()
        True
        >>> Payoff.of([[0, 1, -1], [-1, 0, 1], [1, -1, 1]]).is_skew_symmetric()
        False
        """
        is_skew = not self.shift and not self.entries[0, 0]  # quickly decided for most games
        return is_skew and np.array_equal(self.entries, -self.entries.T)


def as_entries(payoff: object, within: fmpq | None = None) -> Entries:
    """Check a matrix of payoffs, and convert it to an array of exact numbers, shape (m, n).

    Args:
        payoff: a sequence of rows, or a matrix of numpy, pandas, sympy or FLINT.
        within: the greatest distance between a float and the fraction that replaces it; 0 to replace each float by its
            exact value, None to refuse floats.

    Returns:
        An array of int64, if all absolute values are less than :data:`MOST`, and the payoffs are integers: Python's
        ints, a NumPy array of integers, or fmpq with the denominator 1. Otherwise an array of fmpq.

    Raises:
        ValueError: if `payoff` is empty, ragged, too large or holds anything but exact rationals.

    >>> as_entries([[1, 2]]).dtype, as_entries([[1, "1/2"]]).tolist()
    (dtype('int64'), [[1, 1/2]])
    """
    if hasattr(payoff, "to_numpy"):  # iterating over a pandas frame yields labels
        payoff = payoff.to_numpy()
    if isinstance(payoff, np.ndarray):
        require_room(payoff.size)
        if payoff.ndim > 2:
            raise ValueError(f"a payoff matrix must be two-dimensional, got shape {payoff.shape}")
        is_whole = payoff.ndim == 2 and payoff.dtype.kind in "iu" and not np.ma.is_masked(payoff)
        if is_whole and payoff.size and -MOST < payoff.min() <= payoff.max() < MOST:
            # np.array converts an np.matrix, whose slices would always have two dimensions.
            return np.array(payoff, dtype=np.int64)
    rows = _listed(payoff, "a payoff matrix", "a sequence of rows")
    matrix = [
        _listed(row, f"row {number} of a payoff matrix", "a sequence")
        for number, row in enumerate(rows, start=1)
    ]
    if not matrix or not matrix[0]:
        raise ValueError("a payoff matrix must have at least one row and one column, got none")
    width = len(matrix[0])
    require_room(len(matrix) * width)
    for number, row in enumerate(matrix, start=1):
        if len(row) != width:
            raise ValueError(
                f"the rows of a payoff matrix must be equally long, "
                f"got {width} entries in row 1 and {len(row)} in row {number}"
            )
    entries: list[Any] = list(chain.from_iterable(matrix))
    if set(map(type, entries)) == {fmpq} and all(entry.q == 1 for entry in entries):
        entries = [int(entry.p) for entry in entries]
    if set(map(type, entries)) != {int} or max(entries) >= MOST or min(entries) <= -MOST:
        entries = _exactly(entries, width, within)
    kind = object if isinstance(entries[0], fmpq) else np.int64
    return np.array(entries, dtype=kind).reshape(len(matrix), width)


def require_room(entries: int) -> None:
    """Raise a ValueError if a matrix with this number of entries does not fit into the machine's memory."""
    if entries <= ALWAYS_FIT:
        return
    from gops_exact.base.machine import machine_memory  # imported here: seldom needed

    memory = machine_memory()
    if memory is not None and entries * BYTES_AN_ENTRY > memory:
        raise ValueError(
            f"a payoff matrix must have at most {memory // BYTES_AN_ENTRY:,} entries on this machine, "
            f"got {entries:,}"
        )


def _exactly(entries: list[Any], width: int, within: fmpq | None) -> list[fmpq]:
    """Return the entries of a matrix, row by row, as fmpq.

    Args:
        entries: the entries.
        width: the number of columns, which the error message needs.
        within: the greatest distance between a float and the fraction that replaces it; 0 to replace each float by its
            exact value, None to refuse floats.

    Raises:
        ValueError: if an entry is not an exact rational. The message names the row and the column.
    """
    exact: list[fmpq] = []
    try:
        for entry in entries:
            if within is not None and isinstance(entry, float | np.floating) and isfinite(entry):
                number = from_float(float(entry))
                exact.append(simplest(number, within) if within else number)
            else:
                exact.append(rational(entry, "a payoff"))
    except ValueError as error:
        # An infinite or NaN entry is probably the cause: because of a single missing value, pandas and NumPy convert all
        # integers of a column to floats.
        floats = {index: entry for index, entry in enumerate(entries) if isinstance(entry, float)}
        gap = next((index for index, entry in floats.items() if not isfinite(entry)), None)
        index, reason = len(exact), str(error)
        if gap is not None:
            index, reason = gap, f"a payoff must be an exact rational, got {entries[gap]}"
        elif len(floats) == len(entries) > 1 and all(map(float.is_integer, floats.values())):
            reason = f"{reason}, or give an array as .astype(int)"
        elif isinstance(entries[index], float | np.floating):
            reason = f"{reason}, or MatrixGame(..., within='1e-9') or exactly=True"
        row, column = divmod(index, width)
        raise ValueError(f"{reason} (row {row + 1}, column {column + 1})") from None
    return exact


def _listed(sequence: object, name: str, kind: str) -> list[object]:
    if type(sequence) is list:
        return sequence  # the checks below would take as long as solving a small game in floats
    if hasattr(sequence, "to_numpy"):
        sequence = sequence.to_numpy()
    if hasattr(sequence, "tolist"):
        # Iterating over a matrix of sympy or FLINT yields entries, not rows.
        sequence = sequence.tolist()
    return items(sequence, name, kind, ordered=True)


def flint(entries: Entries) -> fmpz_mat | fmpq_mat:
    """Return entries as a FLINT matrix, of fmpz unless the entries are fmpq."""
    if entries.dtype != object or isinstance(entries.flat[0], fmpz):
        return fmpz_mat(entries.tolist())
    return fmpq_mat(entries.tolist())
