"""The cost of a run, estimated before it begins, and the refusal of runs that take hours.

Games, values and bytes of floats are counted. Lengths of exact numbers and all times are measured for
small games and extrapolated by a constant factor a card. For exact numbers each factor so far was larger
than the one before (mean lengths grew 6, 15, 46, 100 and 200 times), so from nine cards on those
estimates are low.
"""

import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil, comb, factorial
from pathlib import Path

from gops_exact.base.arguments import shown
from gops_exact.base.machine import available_cores, machine_memory
from gops_exact.base.progress import span
from gops_exact.game.game import Game, Position
from gops_exact.game.order_types import LONGEST, counts, pairs_kept
from gops_exact.game.rules import PLAIN, Upcard
from gops_exact.solvers.arithmetic import SHORTHAND, Arithmetic, Exact, Float

QUICK = 7
"""The most cards whose exact first moves take no more than minutes."""

VALUE_BITS = (0, 1, 2, 11, 170, 7_900, 610_000, 78_000_000)
"""Mean length of a denominator kept, by cards a side, 0 … 7; numerators are as long. Measured at
n = 7 (``gops-exact growth --n 7``), the last one at n = 8."""

ANSWER_BITS = (0, 1, 1, 2, 23, 1_237, 57_866, 6_305_717, 1_370_800_445)
"""Length of the longest denominator of a first move, n = 0 … 8. Measured."""

SECONDS = (0, 0, 0, 0, 0, 0, 1, 24, 20_000)
"""Processor time of an AMD EPYC core, n = 0 … 8 (``benchmarks/exact_profile.py``). The last one is
the sum of the columns, made one or two at a time with other work beside."""

ALONE = (8, (8,), 291, 69_484_175)
"""The one first move of eight cards that takes minutes: cards, upcards, seconds, digits
(``results/manifest.csv``)."""

LENGTHENING = 150
"""Factor by which exact numbers and times get longer with a card more, beyond the sizes measured."""

MEASURED = {
    "points/discard/hidden": (8, 15, 1_787_743, 1, 5),
    "points/discard/fixed": (9, 47, 88_490_031, 12_156_062, 86),
    "points/carryover/random": (6, 4, 4_002_191, 154_747, 103),
    "points/carryover/hidden": (6, 2, 3_825_762, 641_942, 163),
    "points/carryover/fixed": (8, 2, 6_178_121, 835_972, 60),
    "win/discard/random": (7, 51, 18_319_090, 190_779, 97),
    "win/discard/hidden": (7, 32, 5_898_446, 1, 7),
    "win/discard/fixed": (9, 9, 6_600_809, 305_091, 17),
    "win/carryover/random": (7, 92, 36_940_070, 680_009, 113),
    "win/carryover/hidden": (7, 102, 154_745_276, 24_613_077, 158),
    "win/carryover/fixed": (9, 8, 6_508_822, 607_757, 24),
}
"""The largest games solved exactly in no more than minutes, by :attr:`~gops_exact.game.rules.Rules.key`,
for all but the rules of the tables above: cards a side, processor time in seconds, bytes of values, digits
of the longest numerator or denominator of the answer, and the growth of lengths with the last card (where
they stay short, of the number of games). Prizes in a known order were descending. On the same processor,
with a store (``benchmarks/rules.py``)."""

ENCLOSED_GAMES, ENCLOSED_SECONDS = 1_500_000, 0.0002
"""The most games that take no more than minutes in balls and residues, and the time of one on a core.
Measured at n = 8 and 9."""

NANOSECONDS = (0, 500, 500, 140, 80, 74, 53, 61, 90, 162, 320, 660, 1_600)
"""Core time a float game, by cards a side, 0 … 12. Measured on an AMD EPYC at n = 13."""

WIN_NANOSECONDS = (0, 3_000, 120, 56, 35, 45, 75, 140, 250, 390, 890, 1_000, 2_000)
"""Core time a float game to win, by cards a side. Measured at n = 11."""

CARRYING, SLOWING = 1.8, 2.0
"""Factors by which a float game takes longer if ties are carried over (measured for points at n = 11; it
is 1.3 at n = 10, and to win at n = 9), and with a card more, beyond the sizes measured."""

TABLE_BYTES, WORK_BYTES = 5, 120
"""Memory of a pair of bids in the tables of order types, and while the tables of a layer are made. The
first is counted, the second measured at n = 12 to 14."""

SHARE, HOURS = 0.8, 24
"""Share of a machine's memory, or of a disk's free space, that floats may fill; their longest run."""

MOST_FLOAT = 18
"""The most cards of a run in floats that any machine may fit."""

MOST_POINTS = 1 << 52
"""Sums of points up to here are floats."""

OUTCOMES = {"exact": 6, "float": 10}
"""The most cards whose chances of a win and a draw take no more than minutes."""

SEQUENCES = {"fixed": (6, 37_039, 306_187), "random": (5, 244_786, 938_026)}
"""The largest games with hidden bids, by the order of their prizes: cards a side, and the sequences of a player
who does not see the other's bids and of one who does. Counted."""

SIMPLEX_SEQUENCES, SIMPLEX_SECONDS = 2 * 37_039, 300
"""The most sequences of both players that are solved in no more than minutes, and a lower bound of their time: six
cards in a known order, for points. The time is taken to grow at least as the square of the number."""


@dataclass(frozen=True)
class Estimate:
    """Games, memory and time of a run."""

    games: int  # matrix games to solve
    values: int  # values computed
    seconds: float  # on one core
    memory: int = 0  # bytes of the values held at once; 0 in balls and residues
    kept: int = 0  # bytes of all values
    tables: int = 0  # bytes of the tables of order types of floats
    digits: int = 0  # of the longest exact numerator or denominator of the answer

    def __str__(self) -> str:
        """Write the estimate in words, to two digits."""
        parts = [f"{about(self.games)} games"]
        if self.memory:
            parts.append(f"{size(self.memory)} of values")
        if self.tables:
            parts.append(f"{size(self.tables)} of tables")
        if self.digits:
            parts.append(f"probabilities {about(self.digits)} digits long")
        return f"{', '.join(parts)}, {span(self.seconds)} on one core"


def check_cost(
    problem: Game | Position,
    kind: Arithmetic,
    *,
    upcards: tuple[Upcard, ...] | None = None,
    jobs: int | None = None,
    force: bool = False,
) -> Estimate:
    """Return an estimate, and refuse a run of more than minutes, or in floats of hours, unless forced.

    Args:
        problem: a position, or a game, of which first moves are asked for.
        kind: the arithmetic; the folder and the memory of floats are limits, too.
        upcards: the upcards of these first moves, by default all.
        jobs: threads for floats, by default all cores.
        force: refuse only what is impossible.

    Raises:
        ValueError: if the run takes too much; the message has the estimate, and the arithmetics that would do.

    >>> check_cost(Game(9), Exact())
    Traceback (most recent call last):
    ValueError: n must be at most 7 in exact arithmetic unless forced (--force, force=True), got 9: \
at least 1.2 million games, 562.2 GB of values, probabilities 62 billion digits long, 833.3 h on one core; \
arithmetic ball, residue, float would do
    """
    estimate = estimate_cost(problem, kind, upcards)
    excess = None if force else _excess(problem, kind, jobs, estimate)
    if excess is None:
        return estimate
    game, others = _game(problem), []
    for name, default in SHORTHAND.items():
        other = default()
        if name == kind.name or (isinstance(other, Float) and game.n > MOST_FLOAT):
            continue  # counting takes longer than is worth it
        with suppress(ValueError):  # where more cards or points than fit
            needs = estimate_cost(problem, other, upcards)
            if _excess(problem, other, None, needs) is None:
                others.append(name)
    low = kind == Exact() and game.n >= len(SECONDS) and game.rules.key not in MEASURED
    raise _refusal(*excess, f"{'at least' if low else 'about'} {estimate}", _would_do(others))


def estimate_cost(
    problem: Game | Position, kind: Arithmetic, upcards: tuple[Upcard, ...] | None = None
) -> Estimate:
    """Estimate games, memory and time of first moves, or of a position.

    Raises:
        ValueError: if options do not go together, or there are more cards or points than fit.

    >>> print(estimate_cost(Game(8), Exact()))
    200 thousand games, 2.6 GB of values, probabilities 410 million digits long, 5.6 h on one core
    >>> print(estimate_cost(Game(10), Float()))
    6.9 million games, 6.9 MB of values, 16.2 MB of tables, 0.4 s on one core
    """
    _check_possible(problem, kind)
    if isinstance(kind, Float):
        return _float_cost(problem, kind)
    game = _game(problem)
    n, (values, games) = game.n, game.counts
    if not isinstance(kind, Exact):
        return Estimate(games, values, games * ENCLOSED_SECONDS)
    if game.rules.key in MEASURED:
        most, seconds, memory, digits, growth = MEASURED[game.rules.key]
        grown = float(growth) ** (n - most)
        memory, digits = int(memory * grown), int(digits * grown)
        seconds = ceil(seconds * grown)
    else:
        values = memory = 0
        for k in range(1, n):
            # First moves evaluate only what stands on their support, about half the cards.
            pairs = pairs_kept(n, k) if k < n - 1 else comb(n // 2 + 1, 2)
            values += comb(n, k) * pairs
            # Eight bits a byte, and a numerator beside every denominator.
            memory += comb(n, k) * pairs * _onward(VALUE_BITS, k) // 4
        digits = _onward(ANSWER_BITS, n) * 30_103 // 100_000 + 1
        seconds = _onward(SECONDS, n)
        if (game.rules, n, upcards) == (PLAIN, *ALONE[:2]):
            *_, seconds, digits = ALONE
    return Estimate(games, values, seconds, memory, memory, digits=digits)


def _float_cost(problem: Game | Position, kind: Float) -> Estimate:
    """Add up the layers of floats.

    Of a game, the two neighbouring layers that take most are held at once; of a position, all. A position
    is estimated from above: with many cards, fewer pairs of hands may follow than are counted.
    """
    from gops_exact.solvers.floats.layer import columns_below  # exact runs load no layers
    from gops_exact.solvers.floats.sweep import kept_as_integers

    rules = problem.rules
    if isinstance(problem, Game):
        pairs = [pairs_kept(problem.n, k, rules) for k in range(problem.n)]
        short = kept_as_integers(problem) if kind.integers is None else kind.integers
        itemsize, games = 4 if short else 8, len(problem.upcards)
    else:
        cards, longest = problem.size, len({*problem.one, *problem.two})
        pairs = [
            min(comb(cards, k) ** 2, pairs_kept(longest, k, rules)) for k in range(max(cards, 1))
        ]
        itemsize, games = 8, len(problem.turns())
    widths = columns_below(problem).widths()
    layers = [count * width for count, width in zip(pairs, widths, strict=True)]
    layers[0] = 0
    rates = WIN_NANOSECONDS if rules.winning else NANOSECONDS
    bid_pairs, seconds = [0], 0.0
    for k, count in enumerate(layers[1:], start=1):
        played = count * (k if rules.prizes == "random" else 1)
        further = max(0, k - len(rates) + 1)
        rate = rates[k - further] * SLOWING**further * (CARRYING if rules.carries else 1.0)
        games += played
        seconds += played * rate * 1e-9
        bid_pairs.append(pairs[k] * k * k)
    values = sum(layers)
    two = max(sum(layers[k : k + 2]) for k in range(len(layers)))
    held = two if isinstance(problem, Game) else values
    tables = TABLE_BYTES * sum(bid_pairs) + WORK_BYTES * max(bid_pairs)
    return Estimate(games, values, seconds, itemsize * held, itemsize * values, tables)


def _game(problem: Game | Position) -> Game:
    """Return the game; for a position, the game of as many cards, which takes at least as long, floats apart."""
    if isinstance(problem, Game):
        return problem
    rules = problem.rules
    # Its prizes need not be 1 … n, and all known orders take as long.
    return Game(problem.size, replace(rules, prizes="descending") if rules.fixed else rules)


def _check_possible(problem: Game | Position, kind: Arithmetic) -> None:
    """Raise a ValueError for options that do not go together, and for more cards or points than fit."""
    if isinstance(problem, Position):
        cards = len({*problem.one, *problem.two})
        points = sum(problem.prizes) + problem.pot + abs(problem.margin)
        if cards > LONGEST:
            raise ValueError(f"both hands must have at most {LONGEST} different cards, got {cards}")
        if isinstance(kind, Float) and points > MOST_POINTS:
            raise ValueError(
                f"prizes, pot and margin must add up to at most 2^52 in floats, got {shown(points)}"
            )
        return
    if problem.n > LONGEST:
        raise ValueError(f"n must be at most {LONGEST}, got {problem.n}")
    if isinstance(kind, Float) and kind.integers and not problem.rules.winning:
        raise ValueError(f"integers must be for objective win, got {problem.rules}")
    if isinstance(kind, Float) and kind.keep and kind.folder is None:
        raise ValueError("keep must come with a folder, got none")
    if isinstance(kind, Float) and sum(problem.deck) > MOST_POINTS:
        raise ValueError(f"the deck must add up to at most 2^52 in floats, got {problem}")


def _excess(
    problem: Game | Position, kind: Arithmetic, jobs: int | None, estimate: Estimate
) -> tuple[str, str] | None:
    """Return the limit that a run exceeds, in words, and by what; None if it exceeds none."""
    if isinstance(kind, Float):
        return _float_excess(problem, kind, jobs, estimate)
    game = _game(problem)
    n, rules = game.n, game.rules
    if isinstance(kind, Exact):
        most = MEASURED[rules.key][0] if rules.key in MEASURED else QUICK
        alone = rules == PLAIN and estimate.seconds == ALONE[2]
        if n <= most or alone:
            return None
    elif estimate.games <= ENCLOSED_GAMES:
        return None
    else:
        # An order of all n prizes is none of fewer.
        smaller = replace(rules, prizes="descending") if rules.fixed else rules
        games = (counts(m, smaller)[1] for m in range(1, n))
        most = sum(1 for count in games if count <= ENCLOSED_GAMES)
    name = "n" if isinstance(problem, Game) else "cards a side"
    kinds = "exact" if isinstance(kind, Exact) else "ball and residue"
    under = "" if problem.rules == PLAIN else f" with {problem.rules}"
    return f"{name} must be at most {most} in {kinds} arithmetic{under}", str(n)


def _float_excess(
    problem: Game | Position, kind: Float, jobs: int | None, estimate: Estimate
) -> tuple[str, str] | None:
    from gops_exact.solvers.floats.layer_files import LayerFile  # exact runs load no layers

    folder = None if kind.folder is None else Path(kind.folder)
    if isinstance(problem, Position):
        name, folder = f"a position of {problem.size} cards a side", None
    elif LayerFile.is_finished(folder, problem, keep=kind.keep):
        return None
    else:
        name = f"n = {problem.n}"
    memory = kind.memory_bytes
    if memory is None and (whole := machine_memory()) is not None:
        memory = int(SHARE * whole)
    needed = estimate.tables + (0 if folder else estimate.memory)
    if memory is not None and needed > memory:
        instead = " or have a folder" if isinstance(problem, Game) and not folder else ""
        return f"{name} must take at most {size(memory)} of memory{instead}", size(needed)
    on_disk = estimate.kept if kind.keep else estimate.memory
    if folder and on_disk > (free := int(SHARE * _free(folder))):
        return f"{name} must take at most {size(free)} in {folder}", size(on_disk)
    jobs = jobs or available_cores()
    if estimate.seconds > HOURS * 3600 * jobs:
        hours = f"{span(estimate.seconds / jobs)} on {jobs} cores"
        return f"{name} must take at most {HOURS} hours in float arithmetic", hours
    return None


def check_outcomes(n: int, kind: str = "exact", *, force: bool = False, name: str = "n") -> None:
    """Refuse outcomes that take more than minutes, unless forced; the message calls n by `name`."""
    if n > OUTCOMES[kind] and not force:
        others = [other for other, most in OUTCOMES.items() if n <= most and name == "n"]
        raise _refusal(
            f"{name} must be at most {OUTCOMES[kind]} for {kind} outcomes",
            str(n),
            "",
            _would_do(others),
        )


def check_hidden_bids(
    game: Game, seen: tuple[bool, bool], *, every: bool = False, force: bool = False
) -> None:
    """Refuse exact equilibria with hidden bids that take more than minutes, unless forced.

    `seen` tells which players see what the other bids; with `every` a game is solved in each order of its prizes.

    Raises:
        ValueError: with the estimate.

    >>> check_hidden_bids(Game(5), (False, False))
    Traceback (most recent call last):
    ValueError: n must be at most 4 with hidden bids and prizes random unless forced (--force, force=True), got 5: \
490 thousand sequences, at least 3.6 h on one core; near an equilibrium: --seconds, approximate(game)
    """
    most, *sequences = SEQUENCES["fixed" if game.rules.fixed else "random"]
    total = sum(sequences[sees] for sees in seen)
    if force or game.n < most or (total <= SIMPLEX_SEQUENCES and not every):
        return
    seconds = SIMPLEX_SECONDS * (total / SIMPLEX_SEQUENCES) ** 2
    if every:
        prizes, seconds = "in every order", seconds * factorial(game.n)
    else:
        prizes = "in a known order" if game.rules.fixed else "random"
    raise _refusal(
        f"n must be at most {most - 1} with hidden bids and prizes {prizes}",
        str(game.n),
        f"{about(total)} sequences, at least {span(seconds)} on one core",
        "near an equilibrium: --seconds, approximate(game)",
    )


def _would_do(others: Sequence[str]) -> str:
    """Name the arithmetics that take less."""
    return f"arithmetic {', '.join(others)} would do" if others else "no arithmetic takes less"


def _refusal(must: str, got: str, needs: str, instead: str) -> ValueError:
    """Return the error that a run takes too much, with what takes less."""
    reason = f"{needs}; {instead}" if needs else instead
    return ValueError(f"{must} unless forced (--force, force=True), got {got}: {reason}")


def _free(folder: Path) -> int:
    """Return the bytes free for a folder, with those of the values that a stopped run left in it."""
    present = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(present).free
    for path in folder.glob("*.values"):
        if path.is_file():
            status = path.stat()
            # A file with holes takes fewer blocks than its length; Windows tells no blocks.
            blocks: int | None = getattr(status, "st_blocks", None)
            free += status.st_size if blocks is None else 512 * blocks
    return free


def _onward(measured: tuple[int, ...], cards: int) -> int:
    """Return the figure measured for so many cards; past the end, the last one times its growth."""
    steps = max(0, cards - len(measured) + 1)
    grown: int = measured[cards - steps] * LENGTHENING**steps
    return grown


def size(nbytes: int) -> str:
    """Write a number of bytes.

    >>> size(99_999), size(6_900_000), size(27_700_000_000)
    ('99999 bytes', '6.9 MB', '27.7 GB')
    """
    if nbytes < 10**5:
        return f"{nbytes} bytes"
    return f"{nbytes / 1e9:.1f} GB" if nbytes >= 10**9 else f"{nbytes / 1e6:.1f} MB"


def about(number: int) -> str:
    """Write a number with two significant digits and a word for the power of ten.

    >>> [about(x) for x in (7, 34_503, 2_040_000, 10**16, 10**40)]
    ['7', '35 thousand', '2 million', '10^16', '10^40']
    """
    power = len(str(number)) - 1
    if power > 14:
        return f"10^{power}"
    words = ("", " thousand", " million", " billion", " trillion")
    step = min(power // 3, len(words) - 1)
    return f"{float(f'{number / 1000**step:.1e}'):g}{words[step]}"
