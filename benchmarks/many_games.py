"""A million small matrix games at once, their intervals checked on some, and other solvers' time a game.

    python benchmarks/many_games.py [GAMES] [CHECKED]

Square games of 2 to 9 bids, as many of each size; half of each size have normal payoffs, half have integers from
−2 to 2, with many ties. Of CHECKED of them (10,000 by default) the exact value must lie within the interval. Other
packages solve a sample of the same games one by one, called from Python; those that are missing are left out. Core
time of one process.

The bar: a million games take less than 60 s, and a game of each size no longer than
with the quickest other package.
"""

import sys
import time
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import numpy as np
from flint import fmpq

import gops_exact as gx
from gops_exact.exchange import write_nfg
from gops_exact.solvers.floats.kernels import always_compile

SIZES = range(2, 10)
SAMPLE = 30
"""Games of each size that other packages solve."""

MOST_SECONDS, MOST_SHARE = 60.0, 1.0
"""The bar: of a million games; and of a game beside the quickest other package."""


def games(size: int, count: int) -> np.ndarray[Any, Any]:
    """Normal payoffs, then integers from −2 to 2."""
    rng = np.random.default_rng(size)
    ties = count // 2
    plain = rng.normal(size=(count - ties, size, size))
    return np.concatenate([plain, rng.integers(-2, 3, (ties, size, size))])


def holds(game: np.ndarray[Any, Any], lower: float, upper: float) -> bool:
    """Whether the interval holds the exact value."""
    value = gx.solve_matrix_game(game, exactly=True).value.value
    low, high = (fmpq(*float(end).as_integer_ratio()) for end in (lower, upper))
    return bool(low <= value <= high)


def by_scipy() -> Callable[[Any], float]:
    """The linear program of NumPy arrays, by SciPy."""
    from scipy.optimize import linprog

    def solve(game: Any) -> float:
        m, n = game.shape
        bounds = [(0, None)] * m + [(None, None)]
        inequalities = np.column_stack([-game.T, np.ones(n)])
        total = np.append(np.ones(m), 0.0)[None]
        result = linprog(
            np.append(np.zeros(m), -1.0), inequalities, np.zeros(n), total, [1.0], bounds
        )
        return -float(result.fun)

    return solve


def by_quantecon() -> Callable[[Any], float]:
    """The compiled minmax of quantecon."""
    from quantecon.optimize import minmax

    return lambda game: float(minmax(game)[0])


def by_pygambit() -> Callable[[Any], float]:
    """The linear program of Gambit, in floats; the game is read from text."""
    import pygambit

    def solve(game: Any) -> float:
        text = write_nfg(gx.MatrixGame(game, exactly=True))
        table = pygambit.read_nfg(StringIO(text))
        answer, one = pygambit.nash.lp_solve(table, rational=False), next(iter(table.players))
        if hasattr(answer, "equilibrium"):  # from Gambit 17 on
            return float(answer.equilibrium.payoffs[one])
        return float(answer.equilibria[0].payoff(one))

    return solve


def peers() -> Iterator[tuple[str, Callable[[Any], float]]]:
    """The packages that are installed."""
    for name, make in {
        "scipy": by_scipy,
        "quantecon": by_quantecon,
        "pygambit": by_pygambit,
    }.items():
        try:
            yield name, make()
        except ImportError:
            print(f"left out: {name}")


def main() -> None:
    """Print a line for each size, and what falls short."""
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 10**6
    checked = int(sys.argv[2]) if len(sys.argv) > 2 else 10**4
    always_compile()
    gx.solve_matrix_games(np.zeros((1, 2, 2)))
    others = dict(peers())
    short, whole = [], 0.0
    print("| bids | µs a game |" + "".join(f" {name} |" for name in others))
    print("|---|---|" + "---|" * len(others))
    for size in SIZES:
        batch = games(size, total // len(SIZES))
        start = time.process_time()
        solved = gx.solve_matrix_games(batch)
        seconds = time.process_time() - start
        whole += seconds
        for index in np.linspace(0, len(batch) - 1, checked // len(SIZES), dtype=int):
            if not holds(batch[index], solved.lower[index], solved.upper[index]):
                raise SystemExit(f"the interval of game {index} of {size} bids lacks its value")
        own, times = seconds / len(batch), []
        sample = np.linspace(0, len(batch) - 1, SAMPLE, dtype=int)
        for name, solve in others.items():
            solve(batch[0])
            start = time.process_time()
            values = [solve(batch[index]) for index in sample]
            times.append((time.process_time() - start) / SAMPLE)
            if np.abs(values - solved.value[sample]).max() > 1e-6:
                print(f"{name} differs at {size} bids")
        print(
            f"| {size} | {own * 1e6:.2f} |" + "".join(f" {other * 1e6:.0f} |" for other in times),
            flush=True,
        )
        if times and own > MOST_SHARE * min(times):
            short.append(f"{size} bids: {own / min(times):.2f} of the quickest other package")
    print(f"{total:,} games in {whole:.1f} s; {checked:,} intervals hold the exact value")
    if whole * 10**6 / total > MOST_SECONDS:
        short.append(f"a million games take {whole * 10**6 / total:.0f} s")
    if short:
        raise SystemExit("\n".join(short))


if __name__ == "__main__":
    main()
