"""Where the time of an exact first move goes, in one process, by timers around the parts of it.

``python benchmarks/exact_profile.py [n [objective ties prizes]]``
"""

import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from gops_exact.game.game import Game
from gops_exact.game.rules import Rules
from gops_exact.matrix_game import evaluate, simplex
from gops_exact.solvers.exact import lattice
from gops_exact.solvers.exact.lattice import ExactSystem
from gops_exact.solvers.exact.value_tables import Values, Worker

PARTS = {
    "products: values on bases": [(lattice, "basis_value")],
    "products: first moves": [(evaluate, "null_vector")],
    "gcd": [(lattice, "reduced"), (evaluate, "reduced_shares")],
    "certificates in balls": [
        (evaluate, "certify"),
        (lattice, "certify"),
        (lattice, "value_if_optimal"),  # with the ties that fractions decide
    ],
    "proposals in floats": [(evaluate, "propose"), (lattice, "propose")],
    "ties: rational simplex": [(simplex, "solve_tableau")],
    "sums": [(lattice, "total")],
    "assembling payoffs": [
        (lattice.PositionPayoff, "floats"),
        (lattice.PositionPayoff, "balls"),
    ],
}
"""Functions by what they do. A part's time is without that of other parts it calls."""

spent: dict[str, float] = defaultdict(float)
running: list[list[float]] = []


def timed(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, its own time added to the part's."""

    def call(*arguments: Any, **options: Any) -> Any:
        inner = [0.0]
        running.append(inner)
        start = time.process_time()
        try:
            return function(*arguments, **options)
        finally:
            elapsed = time.process_time() - start
            running.pop()
            spent[part] += elapsed - inner[0]
            if running:
                running[-1][0] += elapsed

    return call


def main() -> None:
    """Print processor seconds and shares."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    for part, functions in PARTS.items():
        for owner, name in functions:
            setattr(owner, name, timed(part, getattr(owner, name)))
    game = Game(n, Rules(*sys.argv[2:]))
    start = time.process_time()
    # first_move would solve a large game in a process of its own, where these timers do not run.
    worker = Worker(game, Values(game.types, game.rules, ExactSystem()), None)
    for task in worker.graph(game.upcards):
        worker.do(task)
    total = time.process_time() - start
    spent["Python and the rest"] = total - sum(spent.values())
    for part, seconds in spent.items():
        print(f"{part:28} {seconds:8.2f} s {seconds / total:6.1%}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{f'n = {n}, one process':28} {total:8.2f} s; peak memory {memory:.0f} MiB")


if __name__ == "__main__":
    main()
