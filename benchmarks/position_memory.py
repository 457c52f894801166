"""Memory of a solver that is asked about ever new positions: it must stay within a bound.

    python benchmarks/position_memory.py [--arithmetic exact] [--values 1000000] [--most-megabytes 300]

Positions of four cards a side with prizes by chance, one solver. Prints the memory of the process after each
tenth of the values; exit status 1 if it grew by more than the bound. A million exact values take a quarter of an
hour.
"""

import argparse
import resource
import sys
from random import Random

import gops_exact as gx

VALUES = 71
"""Values of a position of these hands, and of all that it leads to."""


def megabytes() -> float:
    """The most memory that the process has had; the system counts in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> int:
    """Print a line for each tenth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arithmetic", default="exact", choices=("exact", "ball", "float"))
    parser.add_argument("--values", type=int, default=10**6)
    parser.add_argument("--most-megabytes", type=float, default=300)
    given = parser.parse_args()
    rng, solver = Random(1), gx.solver(given.arithmetic)
    count, before = max(given.values // VALUES, 10), megabytes()
    for asked in range(1, count + 1):
        prizes = rng.sample(range(1, 10**6), 4)
        solver.value(gx.Position([1, 2, 3, 5], [1, 2, 4, 6], prizes))
        if asked % (count // 10) == 0:
            print(f"{asked * VALUES:9} values  {megabytes() - before:6.0f} MB more", flush=True)
    return megabytes() - before > given.most_megabytes


if __name__ == "__main__":
    sys.exit(main())
