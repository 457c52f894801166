"""The float sweep by layers: time a game, pivots, bounds; what assembling the games alone takes.

    python benchmarks/float_sweep.py [n] [jobs] [--assembly] [--win]

Compiled first; what that takes is printed on its own. Wall time, and core time as the process used
it: where other work shares the cores the second is the one to compare.
"""

import resource
import sys
import time

import numpy as np
from numba import njit

from gops_exact.game.game import Game
from gops_exact.game.order_types import Layer
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.solvers.floats.kernels import always_compile
from gops_exact.solvers.floats.kernels.assemble import Runs, Stored, fill, runs
from gops_exact.solvers.floats.kernels.compilation import compiled
from gops_exact.solvers.floats.kernels.single import PIVOTS, SOLVED, TOGETHER
from gops_exact.solvers.floats.kernels.vectors import Scratch, scratch
from gops_exact.solvers.floats.layer import (
    FloatLayer,
    columns_below,
    layer_counts,
    no_cards,
    unit_of,
)
from gops_exact.solvers.floats.sweep import first_move, float_layers

SAMPLE = 100
"""Pairs of hands, one after the other in the middle of a layer, whose games are assembled alone."""

FILL = compiled(fill)


def seconds() -> tuple[float, float]:
    """Wall and core time."""
    return time.perf_counter(), time.process_time()


@njit(nogil=True, error_model="numpy")
def assemble(entries: int, s: Scratch, below: Stored, table: Runs) -> float:
    """Write the payoffs of every game of one pair of hands, as the sweep does, and no more."""
    total = 0.0
    for block in range(len(table.blocks) - 1):
        FILL(table.blocks[block], table.blocks[block + 1], entries, s, below, table)
        total += s.payoff[0, 0]
    return total


def assembly_nanoseconds(layer: Layer, below: FloatLayer, game: Game) -> float:
    """Core time a game to assemble, on a sample of pairs of hands."""
    room = scratch(layer.size)
    table = runs(columns_below(game).at(layer.size), unit_of(below.values))
    used = 0.0
    first = max(0, (len(layer) - SAMPLE) // 2)
    sample = range(first, min(first + SAMPLE, len(layer)))
    for h in sample:
        kept = np.ix_(layer.row_kept[h], layer.column_kept[h])
        child = layer.child[h][kept].ravel().astype(np.int64)
        room.sign[: len(child)] = layer.sign[h][kept].ravel() + 1
        room.mirrored[: len(child)] = child < 0
        room.factor[: len(child)] = np.sign(child)
        room.child[: len(child)] = np.maximum(np.abs(child) - 1, 0)
        start = time.process_time()
        assemble(len(child), room, below.values, table)
        used += time.process_time() - start
    return used / (len(sample) * int(table.length.sum())) * 1e9


def sweep(game: Game, counted: list[int], jobs: int, assembly: bool) -> FloatLayer:
    """Run the sweep and print a line per layer, whose games are `counted`; return the last one."""
    below = no_cards(columns_below(game).at(0))
    print(
        " k        games   wall s   core s  ns/game  assembly"
        "  vectors/game  pivots/vector  alone/game     bound"
    )
    wall, core = seconds()
    for layer in float_layers(game, jobs=jobs):
        k, now = layer.size, seconds()
        games = counted[k]
        counts = layer.counts - below.counts
        alone = "-"
        if assembly:
            alone = f"{assembly_nanoseconds(game.types[k], below, game):.0f}"
        print(
            f"{k:2} {games:12} {now[0] - wall:8.3f} {now[1] - core:8.3f} "
            f"{(now[1] - core) / games * 1e9:8.0f} {alone:>9} "
            f"{counts[TOGETHER] / games:13.3f} "
            f"{counts[PIVOTS] / max(counts[TOGETHER], 1):14.2f} {counts[SOLVED] / games:11.4f} "
            f"{layer.bounds.max():9.1e}",
            flush=True,
        )
        below = layer
        wall, core = seconds()
    return below


def main() -> None:
    """Compile, sweep, and print the table's radii."""
    arguments = [each for each in sys.argv[1:] if not each.startswith("--")]
    rules = Rules("win") if "--win" in sys.argv else PLAIN
    n = int(arguments[0]) if arguments else 9
    jobs = int(arguments[1]) if len(arguments) > 1 else 2
    always_compile()
    wall, core = seconds()
    list(float_layers(Game(3, rules), jobs=1))
    now = seconds()
    print(f"compiling or loading from the cache: {now[0] - wall:.2f} s wall, {now[1] - core:.2f} s")
    smallest = Game(2, rules)
    assembly_nanoseconds(smallest.types[1], no_cards(columns_below(smallest).at(0)), smallest)
    wall, core = start = seconds()
    game = Game(n, rules)
    root, counted = game.types[-1], layer_counts(game)[2]
    now = seconds()
    print(
        f"order types of {n} cards: {now[0] - wall:.2f} s wall, {now[1] - core:.2f} s of core time"
    )
    last = sweep(game, counted, jobs, "--assembly" in sys.argv)
    swept = seconds()
    columns = [first_move(root, stage, last) for stage in game.stage_games.values()]
    now = seconds()
    games = sum(counted) + n
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"first moves:  {now[0] - swept[0]:.2f} s")
    print(
        f"n = {n}: {games} games, {now[0] - start[0]:.2f} s wall, {now[1] - start[1]:.2f} s of core "
        f"time, {jobs} threads, peak memory {peak:.2f} GB"
    )
    print(f"failed {last.counts[0]}, second attempts {last.counts[1]}")
    proved = [column for column in columns if column.proved]
    radius = max((float(p.rad()) for column in proved for p in column.row), default=0.0)
    print(f"{len(proved)} of {n} columns proved, largest radius {radius:.1e}")


if __name__ == "__main__":
    main()
