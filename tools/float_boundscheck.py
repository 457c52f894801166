"""Run the compiled kernels with bounds checked, by all rule sets.

    python tools/float_boundscheck.py [LARGEST]

Sweeps of 1 … LARGEST cards (7 by default), with values as floats and, for winning, as integers too;
optimal play from them and best replies with fewer cards. It ends with an IndexError where
a place in an array is out of range, vector instructions included. That this would be noticed is
tried first, on arrays that are too short.
"""

import os
import sys
import time
from collections.abc import Callable
from itertools import product
from tempfile import TemporaryDirectory

import numpy as np

import gops_exact as gx
from gops_exact.game.rules import OBJECTIVES, ORDERS, TIES, Rules
from gops_exact.solvers.floats.kernels import always_compile

RULES = [Rules(*each) for each in product(OBJECTIVES, TIES, ORDERS)]


def main() -> None:
    """Check that checks are made, then run everything."""
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with TemporaryDirectory() as cache:
        # Numba reads these as it is imported, and keeps no note of them beside cached kernels.
        os.environ |= {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": cache}
        try_short_arrays()
        always_compile()
        start = time.perf_counter()
        for rules in RULES:
            games = sum(sweep(n, rules) for n in range(1, largest + 1))
            print(f"{rules}: {games} games, {time.perf_counter() - start:.0f} s", flush=True)
        try_players()
    print("nothing out of range")


def sweep(n: int, rules: Rules) -> int:
    """Solve all layers; the number of games."""
    from gops_exact.solvers.api import first_move
    from gops_exact.solvers.arithmetic import Float

    both = (False, True) if rules.winning else (False,)
    kinds = [first_move(n, Float(integers=kind), rules=rules, jobs=1) for kind in both]
    return sum(moves.game_counts.games for moves in kinds if moves.game_counts)


def try_players() -> None:
    """Run the kernels of the optimal player."""
    from gops_exact.players.optimal import Optimal
    from gops_exact.players.referee import match
    from gops_exact.players.simple import UpcardPlus

    for rules in RULES:
        if not rules.hidden:
            game = gx.Game(4, rules)
            match(Optimal(game, gx.solver("float", game)), UpcardPlus(1), game, games=20)


def try_short_arrays() -> None:
    """Call kernels with arrays that are too short in one place each.

    Raises:
        AssertionError: if that is not noticed.
    """
    from gops_exact.solvers.floats.kernels.batch import solve_batch
    from gops_exact.solvers.floats.kernels.compilation import compiled
    from gops_exact.solvers.floats.kernels.vectors import BATCH, VECTOR, aligned, scratch

    k, room = 3, scratch(3)

    def solve(**short: object) -> Callable[[], object]:
        sums, counts = np.zeros((2, BATCH)), np.zeros(5, dtype=np.int64)
        s = room._replace(**short)
        return lambda: compiled(solve_batch)(s, k, k, VECTOR, False, 1.0, 1e-9, 1, sums, counts)

    solve()()
    for name, kernel in {
        "in a kernel": solve(low=np.zeros(VECTOR - 1)),
        "in what is written into one": solve(target=np.zeros(VECTOR - 1, dtype=np.uint32)),
        "in vector instructions": solve(gains=aligned(k + 2, VECTOR)),
        "in factors without loops": solve(table=aligned(3, VECTOR)),
    }.items():
        try:
            kernel()
        except IndexError:
            print(f"noticed {name}")
        else:
            raise AssertionError(f"an index out of range {name} was not noticed")


if __name__ == "__main__":
    main()
