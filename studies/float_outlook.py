"""What float sweeps of 12 to 16 cards take: counted, and from the measured rates of the preflight.

    python studies/float_outlook.py [first] [last]

The table of docs/float.md, line by line. Nothing is solved.
"""

import sys

from gops_exact.game.game import Game
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.cost import Estimate, estimate_cost

HEAD = ("N", "games", "values", "largest two layers", "all layers", "order types", "core time")


def line(cells: tuple[str, ...]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def cells(n: int, estimate: Estimate) -> tuple[str, ...]:
    """What stands in the line of n cards."""
    counts = (estimate.games, estimate.values)
    sizes = (estimate.memory, estimate.kept, estimate.tables)
    count = (f"{number:.2e}".replace("e+0", "e").replace("e+", "e") for number in counts)
    size = (
        f"{nbytes / 1e9:.2g} GB" if nbytes < 10**11 else f"{nbytes / 1e9:.0f} GB"
        for nbytes in sizes
    )
    return (str(n), *count, *size, duration(estimate.seconds))


def duration(seconds: float) -> str:
    """Seconds in a unit that fits."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 1.5 * length:
            return f"{seconds / length:.2g} {unit}"
    return f"{seconds:.2g} s"


def main() -> None:
    """Print the table."""
    first, last = [*map(int, sys.argv[1:]), *(12, 16)[len(sys.argv) - 1 :]]
    print(line(HEAD))
    print("|---" * len(HEAD) + "|")
    for n in range(first, last + 1):
        print(line(cells(n, estimate_cost(Game(n), Float()))))


if __name__ == "__main__":
    main()
