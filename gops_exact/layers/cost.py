"""Estimates of the time, memory and disk of a float sweep, made before it begins.

Games and bytes are counted exactly; times are measured rates.
"""

import os
import shutil
import sys
from collections import Counter
from dataclasses import dataclass
from math import comb
from pathlib import Path

from gops_exact.arguments import shown
from gops_exact.game.order_types import LONGEST, pairs_kept
from gops_exact.game.position import Position
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.layers.layer import Columns, columns_below
from gops_exact.progress import span

NANOSECONDS = (0, 500, 500, 140, 80, 74, 53, 61, 90, 162, 320, 660, 1_600)
"""Core time a game, by cards a side, 0 … 12. Measured on an AMD EPYC at n = 13."""

WIN_NANOSECONDS = (0, 3_000, 120, 56, 35, 45, 75, 140, 250, 390, 890, 1_000, 2_000)
"""Core time a game to win, by cards a side. Measured at n = 11."""

CARRYING = 1.8
"""Factor by which a game takes longer if ties are carried over. Measured for points at n = 11; it is 1.3 at
n = 10, and to win at n = 9."""

GROWTH = 2.0
"""Factor by which a game takes longer with a card more, beyond the sizes that were measured."""

TABLE_BYTES, WORK_BYTES = 5, 120
"""Memory of a pair of bids in the tables of order types, and while the tables of a layer are made. The
first is counted, the second measured at n = 12 to 14."""

MANY_BYTES = 4 * 10**9
"""Where two layers of floats take more than this, values of won games are kept as integers."""

SHARE = 0.8
"""Share of a machine's memory, or of a disk's free space, that may be filled."""

MOST_POINTS = 1 << 52
"""Sums of points up to here are floats."""

HOURS = 24
"""The longest sweep that is begun unless forced."""


@dataclass(frozen=True)
class FloatEstimate:
    """Time, memory and disk for the float first moves of a game.

    Attributes:
        games: matrix games to solve.
        values: values computed.
        layers: bytes of the two neighbouring layers that take most, which are held at once.
        kept: bytes of all layers.
        tables: bytes of the tables of order types.
        core_seconds: time on one core of the machine the rates were measured on.
    """

    games: int
    values: int
    layers: int
    kept: int
    tables: int
    core_seconds: float

    def __str__(self) -> str:
        """Write the estimate in words.

        >>> print(float_estimate(10))
        6.89e+06 games, 1.14e+06 values, 6.9 MB of layers, 16.2 MB of tables, 0.4 s of core time
        """
        return (
            f"{self.games:.3g} games, {self.values:.3g} values, {_size(self.layers)} of layers, "
            f"{_size(self.tables)} of tables, {span(self.core_seconds)} of core time"
        )

    def plan(self, jobs: int, *, on_disk: bool) -> str:
        """Write in words what a run on so many cores takes, with layers in files or in memory.

        >>> float_estimate(14).plan(2, on_disk=True)
        '7.73e+09 games: 2.0 GB of memory, 5.3 GB of disk, 11 min on 2 cores'
        """
        memory = self.tables + (0 if on_disk else self.layers)
        disk = f", {_size(self.layers)} of disk" if on_disk else ""
        return (
            f"{self.games:.3g} games: {_size(memory)} of memory{disk}, "
            f"{span(self.core_seconds / jobs)} on {jobs} core{'s' if jobs > 1 else ''}"
        )


def float_estimate(n: int, rules: Rules = PLAIN, *, integers: bool | None = None) -> FloatEstimate:
    """Estimate time, memory and disk for the float first moves of the game of n cards.

    Values are taken to be kept as `integers` where that is so by default.

    >>> float_estimate(13).games, float_estimate(13, Rules("win")).games
    (1338879373, 90740052434)
    """
    itemsize = 4 if (kept_as_integers(n, rules) if integers is None else integers) else 8
    games = len(rules.deal(n)[1])
    pairs = [pairs_kept(n, k, rules) for k in range(n)]
    whole = Columns(rules, rules.arranged(range(1, n + 1)), n - 1)
    return _estimate(pairs, whole, itemsize, games)


def position_estimate(position: Position) -> FloatEstimate:
    """Estimate time and memory for all layers that a position leads to, from above.

    With many cards fewer pairs of hands may follow than are counted.

    >>> print(position_estimate(Position.start(10).at(10)))
    2.63e+06 games, 4.47e+05 values, 2.6 MB of layers, 16.2 MB of tables, 0.2 s of core time
    """
    size, rules = position.size, position.rules
    longest = len({*position.one, *position.two})
    pairs = [min(comb(size, k) ** 2, pairs_kept(longest, k, rules)) for k in range(max(size, 1))]
    return _estimate(pairs, columns_below(position), 8, len(position.turns()))


def _estimate(pairs: list[int], columns: Columns, itemsize: int, games: int) -> FloatEstimate:
    """Add up the layers below the given number of games.

    Args:
        pairs: the pairs of hands of each layer, 0 … columns.size cards.
        columns: of the layer of the largest hands.
        itemsize: bytes of a value.
        games: solved besides.
    """
    rules, values, seconds = columns.rules, 0, 0.0
    layers, bid_pairs = [0], [0]
    for k, width in enumerate(widths(columns)[1:], start=1):
        layers.append(itemsize * pairs[k] * width)
        values += pairs[k] * width
        played = pairs[k] * width * (k if rules.prizes == "random" else 1)
        games += played
        bid_pairs.append(pairs[k] * k * k)
        seconds += played * _nanoseconds(k, rules) * 1e-9
    tables = TABLE_BYTES * sum(bid_pairs) + WORK_BYTES * max(bid_pairs)
    two = max(sum(layers[k : k + 2]) for k in range(len(layers)))
    return FloatEstimate(games, values, two, sum(layers), tables, seconds)


def widths(columns: Columns) -> list[int]:
    """Count the columns of the layers of 0 … columns.size cards, without listing any.

    >>> widths(Columns(Rules("win"), (1, 2, 3), 3))
    [1, 15, 15, 1]
    """
    deck, sizes = columns.deck, range(columns.size + 1)
    if columns.rules.fixed:
        return [columns.states(sum(deck[len(deck) - k :])) for k in sizes]
    # sets[k][s]: how many sets of k prizes have the sum s.
    sets = [Counter({0: 1}), *(Counter[int]() for _ in sizes[1:])]
    for prize, times in Counter(deck).items():
        for k in reversed(sizes):
            for more in range(1, min(times, k) + 1):
                for total, count in sets[k - more].items():
                    sets[k][total + more * prize] += count
    return [sum(count * columns.states(total) for total, count in each.items()) for each in sets]


def kept_as_integers(n: int, rules: Rules) -> bool:
    """Decide whether values are kept as 32-bit integers by default, to take less memory.

    >>> kept_as_integers(11, Rules("win")), kept_as_integers(12, Rules("win"))
    (False, True)
    """
    if not rules.winning:
        return False
    return float_estimate(n, rules, integers=False).layers > MANY_BYTES


def check_fits(
    n: int,
    rules: Rules = PLAIN,
    *,
    jobs: int,
    memory_bytes: int | None = None,
    folder: Path | None = None,
    keep: bool = False,
    integers: bool | None = None,
    force: bool = False,
) -> FloatEstimate:
    """Refuse a float sweep that takes too much memory, disk or time, unless forced.

    Options are those of :class:`gops_exact.Float`; `jobs` counts threads.

    Raises:
        ValueError: with the estimate; and, forced or not, for an n out of range, integers where
            points are played for, or layers to be kept without a folder.

    >>> check_fits(15, jobs=2, memory_bytes=10**10)
    Traceback (most recent call last):
    ValueError: n = 15 needs 34.4 GB of memory or a folder for its layers, got 10.0 GB: 4.46e+10 \
games, 4.84e+09 values, 27.7 GB of layers, 6.7 GB of tables, 3.2 h of core time
    """
    if not 1 <= n <= LONGEST:
        raise ValueError(f"n must be from 1 to {LONGEST}, got {n}")
    if integers and not rules.winning:
        raise ValueError(f"integers must be for objective win, got {rules}")
    if keep and folder is None:
        raise ValueError("keep must come with a folder, got none")
    estimate = float_estimate(n, rules, integers=integers)
    if force:
        return estimate
    memory = machine_memory() if memory_bytes is None else memory_bytes
    needed = estimate.tables + (0 if folder is not None else estimate.layers)
    if needed > memory:
        instead = "" if folder is not None else " or a folder for its layers"
        raise ValueError(
            f"n = {n} needs {_size(needed)} of memory{instead}, got {_size(memory)}: {estimate}"
        )
    on_disk = estimate.kept if keep else estimate.layers
    if folder is not None and on_disk > (free := int(SHARE * _free(folder))):
        raise ValueError(
            f"n = {n} needs {_size(on_disk)} in {folder}, got {_size(free)}: {estimate}"
        )
    if estimate.core_seconds > HOURS * 3600 * jobs:
        raise ValueError(
            f"n = {n} must take at most {HOURS} hours unless forced, got "
            f"{span(estimate.core_seconds / jobs)} on {jobs} cores: {estimate}"
        )
    return estimate


def check_position_fits(
    position: Position, *, jobs: int, memory_bytes: int | None = None, force: bool = False
) -> None:
    """Refuse the layers below a position if they take too much memory or time, unless forced.

    Raises:
        ValueError: with the estimate; and, forced or not, if floats cannot hold the points, or the
            hands have too many different cards.

    >>> check_position_fits(Position.start(14, Rules("win")), jobs=1, memory_bytes=10**10)
    Traceback (most recent call last):
    ValueError: a position of 14 cards a side needs 573.6 GB of memory, got 10.0 GB: 6.05e+11 games, \
7.15e+10 values, 433.8 GB of layers, 2.0 GB of tables, 64.3 h of core time
    """
    points = sum(position.prizes) + position.pot + abs(position.margin)
    if points > MOST_POINTS:
        raise ValueError(
            f"prizes, pot and margin must add up to at most 2^52 in floats, got {shown(points)}"
        )
    different = len({*position.one, *position.two})
    if different > LONGEST:
        raise ValueError(f"both hands must have at most {LONGEST} different cards, got {different}")
    if force:
        return
    estimate = position_estimate(position)
    size = f"a position of {position.size} cards a side"
    memory = machine_memory() if memory_bytes is None else memory_bytes
    if (needed := estimate.tables + estimate.kept) > memory:
        raise ValueError(f"{size} needs {_size(needed)} of memory, got {_size(memory)}: {estimate}")
    if estimate.core_seconds > HOURS * 3600 * jobs:
        raise ValueError(
            f"{size} must take at most {HOURS} hours unless forced, got "
            f"{span(estimate.core_seconds / jobs)} on {jobs} cores: {estimate}"
        )


def machine_memory() -> int:
    """Return the bytes of memory that a sweep may fill on this machine; no limit where it tells none."""
    if not hasattr(os, "sysconf"):  # Windows
        return sys.maxsize
    return int(SHARE * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def _free(folder: Path) -> int:
    """Return the bytes free for a folder, with those of the values that a stopped run left in it."""
    present = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    values = (path for path in folder.glob("*.values") if path.is_file())
    left = sum(_on_disk(path.stat()) for path in values)
    return shutil.disk_usage(present).free + left


def _on_disk(status: os.stat_result) -> int:
    """Return the bytes that a file takes on the disk, its length where the system tells no blocks."""
    blocks: int | None = getattr(status, "st_blocks", None)
    return status.st_size if blocks is None else 512 * blocks


def _nanoseconds(k: int, rules: Rules) -> float:
    rates = WIN_NANOSECONDS if rules.winning else NANOSECONDS
    last = len(rates) - 1
    rate = rates[min(k, last)] * (CARRYING if rules.carries else 1.0)
    return rate * GROWTH ** max(0, k - last)


def _size(nbytes: int) -> str:
    if nbytes < 10**5:
        return f"{nbytes} bytes"
    return f"{nbytes / 1e9:.1f} GB" if nbytes >= 10**9 else f"{nbytes / 1e6:.1f} MB"
