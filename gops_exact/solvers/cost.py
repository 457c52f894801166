"""Estimates of the cost of a run, made before it begins, and the refusal of runs that take too long.

The matrix games to solve, the values to compute and the bytes of floats are counted. The lengths of exact numbers were
measured in small games. For larger games they are extrapolated by a constant factor for each further card. Under
the default rules the measured factors increase: the last five cards multiplied the mean length by 6, 15, 46, 100 and
200. So the estimates for exact numbers are too low in games with more cards than were measured. The time of a run is
estimated as the number of matrix games, times the time of one game in this arithmetic. For exact numbers, a time that
grows with their length is added.
"""

import shutil
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from pathlib import Path

from gops_exact.base.arguments import shown
from gops_exact.base.machine import available_cores, machine_memory
from gops_exact.base.progress import about, span
from gops_exact.game.game import Game, Position
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.solvers.arithmetic import SHORTHAND, Arithmetic, Exact, Float

LENGTHS = {
    "points/discard/random": (8, 2_591_090_860, 412_652_052, 217),
    "points/discard/hidden": (8, 1_787_743, 1, 5),
    "points/discard/fixed": (9, 88_490_031, 12_156_062, 86),
    "points/carryover/random": (6, 4_002_191, 154_747, 103),
    "points/carryover/hidden": (6, 3_825_762, 641_942, 163),
    "points/carryover/fixed": (8, 6_178_121, 835_972, 60),
    "win/discard/random": (7, 18_319_090, 190_779, 97),
    "win/discard/hidden": (7, 5_898_446, 1, 7),
    "win/discard/fixed": (9, 6_600_809, 305_091, 17),
    "win/carryover/random": (7, 36_940_070, 680_009, 113),
    "win/carryover/hidden": (7, 154_745_276, 24_613_077, 158),
    "win/carryover/fixed": (9, 6_508_822, 607_757, 24),
}
"""For each :attr:`~gops_exact.game.rules.Rules.key`, facts about the largest game by these rules that was solved
exactly: the cards a side; the bytes of all values; the digits of the longest numerator or denominator of a first move; and
a growth factor, by which bytes and digits are multiplied for each further card. The growth factor compares this game
with the game of one card less: it is the ratio of the lengths of their numbers or, where numbers stay short, the ratio
of the numbers of matrix games. ``fixed`` prizes were in descending order (``benchmarks/rules.py``)."""

SECONDS = {"exact": 1.5e-4, "ball": 1.5e-4, "float": 8e-8}
"""The time that one core takes for a matrix game in each arithmetic, in seconds. In exact numbers this is the time while
numbers are short. In floats it is the time of games of up to 7 cards a side; each further card multiplies it by
:data:`SLOWING`."""

SLOWING = 1.8
"""The factor by which each card beyond 7 multiplies the time of a matrix game in floats."""

LONG_BYTES = 6_300_000
"""The total length, in bytes, of exact values that take one core a second to compute with. The time grows with the
power 3/2 of the bytes."""

MOST_SECONDS = 200
"""The most seconds on one core that a run in exact numbers or balls may be estimated to take. Longer runs are refused
unless forced, and so are exact runs of more cards than were measured under the same rules (:data:`LENGTHS`)."""

TABLE_BYTES, WORK_BYTES = 5, 120
"""The memory, in bytes, that the tables of pairs of hands take for each pair of bids of each pair of hands. The first
number is for finished tables: an integer of one byte and an integer of four bytes. The second number, measured at
n = 12 to 14, is for the tables of one number of cards a side while they are being made."""

SHARE, HOURS = 0.8, 24
"""Limits on float runs: the share of the machine's memory, and of the disk's free space, that a run may fill; and the
hours that a run may take on all its cores."""

MOST_POINTS = 1 << 52
"""The largest sum of points in a float run: 2^52. Floats represent all integers up to this one exactly."""

SEQUENCES = {"fixed": (6, 37_039, 306_187), "random": (5, 244_786, 938_026)}
"""The smallest games with hidden bids that may take more than minutes, {order of prizes: (cards a side, number of
sequences, number of sequences)}. A *sequence* is a player's own moves up to some point of the game; each is a row or a
column of the sequence form. The first number is that of a player who does not see the other's bids, the second that of
a player who sees them."""

SECOND_SEQUENCES = 23_000
"""The number of sequences of both players in a game with hidden bids that one core solves exactly in a second. The
time grows with the power 5/3 of the number."""


@dataclass(frozen=True)
class Estimate:
    """The estimated cost of computing optimal strategies for the first bid of a game, or of solving a position."""

    games: int  # the number of matrix games to solve
    values: int  # the number of values to compute
    seconds: float  # the time on one core
    memory: int = 0  # bytes of the values in memory at a time; 0 for balls
    kept: int = 0  # bytes of the values for all numbers of cards a side; 0 except for floats
    tables: int = 0  # bytes of the tables of pairs of hands; 0 except for floats
    # The number of digits of the longest numerator or denominator of an exact answer; 0 in other arithmetics
    digits: int = 0
    # True for exact games of more cards than were measured, which may cost far more
    is_least: bool = False

    def __str__(self) -> str:
        """Return the estimate in words: the numbers of games, of bytes and of digits, and the time.

        Numbers of bytes and of digits are included only if they are greater than 0.
        """
        parts = [f"{about(self.games)} games"]
        if self.memory:
            parts.append(f"{size(self.memory)} of values")
        if self.tables:
            parts.append(f"{size(self.tables)} of tables")
        if self.digits:
            parts.append(f"probabilities {about(self.digits)} digits long")
        return f"{', '.join(parts)}, {span(self.seconds)} on one core"

    @property
    def is_long(self) -> bool:
        """True if a run in exact numbers or balls is refused as too long, unless the user forces it."""
        return self.is_least or self.seconds > MOST_SECONDS


def check_cost(
    problem: Game | Position, kind: Arithmetic, *, jobs: int | None = None, force: bool = False
) -> Estimate:
    """Estimate the cost of a run, and refuse the run if it costs too much, unless `force` is True.

    A run in exact numbers or in balls may take :data:`MOST_SECONDS` seconds on one core. An exact run may not have more
    cards than the largest game that was measured under the same rules (:data:`LENGTHS`). A run in floats may take
    :data:`HOURS` hours on all cores that it uses, and may not take more memory or disk than the machine has.

    Args:
        problem: a position to solve, or a game of which the optimal strategies for the first bid are to be computed.
        kind: the arithmetic (kind of number) of the run, with its options.
        jobs: the number of threads for floats; None for the number of cores.
        force: True to refuse only impossible runs.

    Raises:
        ValueError: if the run is refused; the message has the estimate, and names the arithmetics in which the run would
            be allowed. The error is also raised for the reasons that :func:`estimate_cost` names, even if `force` is
            True.

    >>> check_cost(Game(9), Exact())
    Traceback (most recent call last):
    ValueError: n must be at most 7 in exact arithmetic unless forced (--force, force=True), got 9: \
at least 1.2 million games, 562.3 GB of values, probabilities 90 billion digits long, 7.4 thousand h on one core; \
arithmetic='ball' or 'float' would do (--arithmetic)
    """
    estimate = estimate_cost(problem, kind)
    excess = None if force else _excess(problem, kind, jobs, estimate)
    if excess is None:
        return estimate
    others = []
    for name, default in SHORTHAND.items():
        other = default()
        # If this arithmetic cannot take so many cards or points, a ValueError is raised: do not propose it.
        with suppress(ValueError):
            cost = estimate_cost(problem, other)
            if name != kind.name and _excess(problem, other, None, cost) is None:
                others.append(shown(name))
    takes = f"{'at least' if estimate.is_least else 'about'} {estimate}"
    instead = f"arithmetic={' or '.join(others)} would do (--arithmetic)"
    raise _refusal(*excess, takes, instead if others else "no arithmetic takes less")


def check_hidden_bids(game: Game, seen: tuple[bool, bool], *, force: bool = False) -> None:
    """Refuse to compute an exact equilibrium with hidden bids if that takes more than :data:`MOST_SECONDS` seconds.

    Args:
        game: the game that is played with hidden bids.
        seen: for each player, True if the player sees the other's bids.
        force: True to refuse nothing.

    Raises:
        ValueError: if the computation is refused; the message has the estimated time.

    >>> check_hidden_bids(Game(5), (True, False))
    Traceback (most recent call last):
    ValueError: n must be at most 4 with hidden bids and prizes random unless forced (--force, force=True), got 5: \
1.2 million sequences, 12 min on one core; near an equilibrium: --seconds, approximate(game)
    """
    most, *sequences = SEQUENCES["fixed" if game.rules.fixed else "random"]
    counted = sum(sequences[sees] for sees in seen)
    seconds = (counted / SECOND_SEQUENCES) ** (5 / 3)
    if force or game.n < most or seconds <= MOST_SECONDS:
        return
    prizes = "in a known order" if game.rules.fixed else "random"
    must = f"n must be at most {most - 1} with hidden bids and prizes {prizes}"
    takes = f"{about(counted)} sequences, {span(seconds)} on one core"
    raise _refusal(must, game.n, takes, "near an equilibrium: --seconds, approximate(game)")


def _refusal(must: str, got: object, takes: str, instead: str) -> ValueError:
    return ValueError(f"{must} unless forced (--force, force=True), got {got}: {takes}; {instead}")


def estimate_cost(problem: Game | Position, kind: Arithmetic) -> Estimate:
    """Estimate the cost of computing optimal strategies for the first bid of a game, or of solving a position.

    Args:
        problem: the game or the position.
        kind: the arithmetic.

    Raises:
        ValueError: if options of `kind` cannot be combined, or `problem` has more cards or points than the
            arithmetic can take.

    >>> print(estimate_cost(Game(8), Exact()))
    200 thousand games, 2.6 GB of values, probabilities 410 million digits long, 2.3 h on one core
    >>> print(estimate_cost(Game(10), Float()))
    6.9 million games, 6.9 MB of values, 16.2 MB of tables, 0.6 s on one core
    """
    if isinstance(problem, Position):
        cards = len({*problem.one, *problem.two})
        points = sum(problem.prizes) + problem.pot + abs(problem.margin)
        if cards > LONGEST:
            raise ValueError(f"both hands must have at most {LONGEST} different cards, got {cards}")
        if isinstance(kind, Float) and points > MOST_POINTS:
            raise ValueError(
                f"prizes, pot and margin must add up to at most 2^52 in floats, got {shown(points)}"
            )
    elif problem.n > LONGEST:
        raise ValueError(f"n must be at most {LONGEST}, got {problem.n}")
    elif isinstance(kind, Float):
        if kind.integers and not problem.rules.winning:
            raise ValueError(f"integers must be for objective win, got {problem.rules}")
        if sum(problem.deck) > MOST_POINTS:
            raise ValueError(f"the deck must add up to at most 2^52 in floats, got {problem}")
    if isinstance(kind, Float):
        return _float_cost(problem, kind)
    # A position takes at most as long as the game of as many cards a side.
    game = problem if isinstance(problem, Game) else _usual_game(problem.size, problem.rules)
    values, games = game.counts
    seconds = SECONDS[kind.name] * games
    if not isinstance(kind, Exact):
        return Estimate(games, values, seconds)
    cards, nbytes, digits, growth = LENGTHS[game.rules.key]
    nbytes, digits = (
        ceil(number * float(growth) ** (game.n - cards)) for number in (nbytes, digits)
    )
    seconds += (nbytes / LONG_BYTES) ** 1.5
    return Estimate(games, values, seconds, nbytes, digits=digits, is_least=game.n > cards)


def _float_cost(problem: Game | Position, kind: Float) -> Estimate:
    """Estimate the cost of a run in floats, from the numbers of its pairs of hands, values and matrix games.

    If `problem` is a position, these numbers are upper bounds, so the estimate may be too high.
    """
    # Imported here, because exact runs do not need these modules.
    from gops_exact.solvers.floats.layer import layer_counts
    from gops_exact.solvers.floats.sweep import kept_as_integers

    pairs, (_, *values), (_, *games) = layer_counts(problem)
    slow = sum(count * SLOWING ** max(0, k - 7) for k, count in enumerate(games, start=1))
    bid_pairs = [count * k * k for k, count in enumerate(pairs)]
    tables = TABLE_BYTES * sum(bid_pairs) + WORK_BYTES * max(bid_pairs)
    if isinstance(problem, Game):  # two neighbouring layers are in memory at a time
        held, first = max(map(sum, pairwise([0, *values, 0]))), len(problem.upcards)
        short = kept_as_integers(problem) if kind.integers is None else kind.integers
    else:
        held, first, short = sum(values), len(problem.with_upcards()), False
    held, kept = ((4 if short else 8) * count for count in (held, sum(values)))
    seconds = SECONDS[kind.name] * slow
    return Estimate(first + sum(games), sum(values), seconds, held, kept, tables)


def _usual_game(n: int, rules: Rules) -> Game:
    # The rules may list an order of other prizes than 1 … n. Every known order takes equally long.
    return Game(n, replace(rules, prizes="descending") if rules.fixed else rules)


def _excess(
    problem: Game | Position, kind: Arithmetic, jobs: int | None, estimate: Estimate
) -> tuple[str, str] | None:
    """Return two texts, the limit that a run exceeds and the amount that the run takes; None if no limit is exceeded."""
    if not isinstance(kind, Float):
        if not estimate.is_long:
            return None
        rules = problem.rules
        name, n = ("n", problem.n) if isinstance(problem, Game) else ("cards a side", problem.size)
        smaller = (estimate_cost(_usual_game(m, rules), kind) for m in range(1, n))
        most = sum(not other.is_long for other in smaller)
        under = "" if rules == PLAIN else f" with {rules}"
        return f"{name} must be at most {most} in {kind.name} arithmetic{under}", str(n)
    # Imported here, because exact runs do not need these modules.
    from gops_exact.solvers.floats.layer import columns_below
    from gops_exact.solvers.floats.layer_files import LayerFile

    if isinstance(problem, Game):
        name, folder = f"n = {problem.n}", None if kind.folder is None else Path(kind.folder)
        if LayerFile.is_finished(folder, columns_below(problem), keep=kind.keep):
            return None
    else:
        name, folder = f"a position of {problem.size} cards a side", None
    memory = kind.memory_bytes
    if memory is None and (whole := machine_memory()) is not None:
        memory = int(SHARE * whole)
    values = estimate.kept if kind.keep else estimate.memory
    needed = estimate.tables + (0 if folder else values)
    if memory is not None and needed > memory:
        instead = " or have a folder" if isinstance(problem, Game) and not folder else ""
        return f"{name} must take at most {size(memory)} of memory{instead}", size(needed)
    if folder and values > (free := int(SHARE * _free(folder))):
        return f"{name} must take at most {size(free)} in {folder}", size(values)
    jobs = jobs or available_cores()
    if estimate.seconds > HOURS * 3600 * jobs:
        hours = f"{span(estimate.seconds / jobs)} on {jobs} cores"
        return f"{name} must take at most {HOURS} hours in float arithmetic", hours
    return None


def _free(folder: Path) -> int:
    """Return the free bytes of a folder's disk plus the bytes of the folder's files of float values.

    These files count as free space because a run reuses or deletes them.
    """
    present = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(present).free
    for path in folder.glob("*.values"):
        if path.is_file():
            status = path.stat()
            # A sparse file takes less space than its length, so count its blocks of 512 bytes. Windows does not report
            # blocks; there, take the length.
            blocks: int | None = getattr(status, "st_blocks", None)
            free += status.st_size if blocks is None else 512 * blocks
    return free


def size(nbytes: int) -> str:
    """Return a number of bytes as text, with a unit from bytes to GB; from 10^15 bytes on, as a power of ten.

    >>> [size(nbytes) for nbytes in (960, 66_080, 6_900_000, 27_700_000_000, 10**21)]
    ['960 bytes', '66.1 kB', '6.9 MB', '27.7 GB', '10^21 bytes']
    """
    if nbytes >= 10**15:
        return f"{about(nbytes)} bytes"
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if nbytes >= unit:
            return f"{nbytes / unit:.1f} {name}"
    return f"{nbytes} bytes"
