"""Two ways to the determinants of a basis, side by side: Laplace's rule and FLINT's elimination.

    python benchmarks/evaluation.py

A table of Laplace's time over FLINT's, for random integers of so many bits. Below 1 Laplace's rule is
faster; gops_exact.matrix_game.evaluate has the crossover as LAPLACE_ROWS and LAPLACE_BITS.
"""

import time
from collections.abc import Callable
from random import Random
from typing import Any

from flint import fmpz

from gops_exact.matrix_game.evaluate import flint_determinants, laplace_determinants

ROWS = range(3, 11)
BITS = (10, 100, 1000, 3000, 10_000, 30_000, 100_000)
SECONDS, MOST_RUNS = 0.05, 50
"""A determinant is computed again for so long, or so often."""


def least_seconds(run: Callable[[], Any]) -> float:
    """The least core seconds of several runs."""
    found: list[float] = []
    while not found or (sum(found) < SECONDS and len(found) < MOST_RUNS):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return min(found)


def ratio(rows: int, bits: int, rng: Random) -> float:
    """Laplace's time over FLINT's."""
    matrix = [[fmpz(rng.getrandbits(bits)) for _ in range(rows + 1)] for _ in range(rows + 1)]
    matrix[-1][-1] = fmpz(0)
    laplace, flint = (
        least_seconds(lambda way=way: way(matrix))
        for way in (laplace_determinants, flint_determinants)
    )
    return laplace / flint


def main() -> None:
    """Print a line per number of rows."""
    rng = Random(1)
    print("rows", *(f"{bits:>9,}" for bits in BITS))
    for rows in ROWS:
        print(f"{rows:4}", *(f"{ratio(rows, bits, rng):9.2f}" for bits in BITS), flush=True)


if __name__ == "__main__":
    main()
