"""Positions from the middle of a thirteen-card game in floats: from nothing, and from a folder.

    python benchmarks/positions.py [--folder DIR] [--win] [--count C] [--jobs J]

Positions of nine or ten cards a side (nine to win) come from random play, seed by seed. Core time of
the first question from nothing, kernels loaded; and, with a folder that holds all layers (``gops_exact
.first_move(13, Float(DIR, keep=True))``), core time there, and whether the two agree within their radii.
"""

import argparse
import time
from pathlib import Path
from random import Random

from flint import arb

import gops_exact as gx
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.solvers.solver import Solver

CARDS = 13


def reached(size: int, rules: gx.Rules, seed: int) -> gx.Position:
    """A position that random bids lead to, its prize turned up."""
    rng, position = Random(seed), gx.Position.start(CARDS, rules)
    while True:
        position = position.at(rng.choice(position.prizes))
        if position.size == size:
            return position
        position = position.after(rng.choice(position.one), rng.choice(position.two))


def answer(solver: Solver[arb], position: gx.Position) -> tuple[list[BoundedFloat], bool, float]:
    """Value and probabilities of a position, whether they are proved, and the core time they took."""
    start = time.process_time()
    solution = solver.solve(position)
    numbers = [solution.value]
    for strategy in (solution.row, solution.column):
        numbers += [strategy[card] for card in strategy]
    return numbers, solution.proved, time.process_time() - start


def main() -> None:
    """Print a line for each position."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--win", action="store_true")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    rules = gx.Rules("win" if given.win else "points")
    sizes = (9,) if given.win else (9, 10)
    gx.solver("float").solve(gx.Position([1, 2], [1, 3], [1, 2], 1, rules))  # loads the kernels
    kept = gx.solver(gx.Float(given.folder))
    print("cards  value           radius   widest   proved  seconds  from the folder  agree")
    for seed in range(given.count):
        position = reached(sizes[seed % len(sizes)], rules, seed)
        start = time.process_time()
        solver = gx.solver("float", jobs=given.jobs)
        solver.payoff_matrix(position)
        spent = time.process_time() - start
        numbers, proved, more = answer(solver, position)
        line = (
            f"{position.size:5}  {numbers[0].value:14.9f}  {numbers[0].radius:.1e}  "
            f"{max(number.radius for number in numbers):.1e}  {proved!s:6}  {spent + more:7.2f}"
        )
        if given.folder is not None:
            others, _, taken = answer(kept, position)
            agree = all(
                abs(a.value - b.value) <= a.radius + b.radius
                for a, b in zip(numbers, others, strict=True)
            )
            line += f"  {taken:15.3f}  {agree}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
