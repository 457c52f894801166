"""``gops-exact benchmark``: OpenSpiel's algorithms after stated numbers of iterations."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from itertools import chain

from gops_exact.commands.arguments import Parser, extra, integer, integers, output, rules_of
from gops_exact.exchange.openspiel import MEASURED_CARDS
from gops_exact.game.game import Game
from gops_exact.program import program
from gops_exact.progress import progress_bar
from gops_exact.show.tables import write_lines, write_table
from gops_exact.training.yardstick import (
    COLUMNS,
    ITERATIONS,
    LARGEST_SEED,
    POLICIES,
    SECONDS,
    Score,
    benchmark,
    benchmarked,
    scores_table,
)
from gops_exact.writing import csv_lines

DESCRIPTION = (
    "Train OpenSpiel's algorithms for goofspiel and compute how exploitable they are after stated "
    "numbers of iterations: the mean gain of best responses to both seats."
)
EXAMPLES = {
    "-n 4 --policy cfr,mccfr --seconds 5": "two algorithms, five core seconds each",
    "-n 5 --emit csv --out benchmark.csv": "all, for a plot",
}

MOST = 10**9


def add_arguments(parser: Parser) -> None:
    """Declare the arguments of the command."""
    parser.add_n(2, MEASURED_CARDS)
    names = f"names, separated by commas, out of {', '.join(POLICIES)} (default: all)"
    parser.add("game", "--policy", "NAMES", names)
    parser.add_rules()
    counts = "measure after these numbers of iterations; for mcts, simulations per bid (default: 1,3,10, ... 100000)"
    parser.add("running", "--iterations", "LIST", counts, type=integers(1, MOST))
    seconds = "core seconds of training for each algorithm, measuring not counted"
    parser.add("running", "--seconds", "S", seconds, SECONDS, type=integer(1, MOST))
    seed = "the seed of mccfr and mcts"
    parser.add("running", "--seed", "SEED", seed, 1, type=integer(0, LARGEST_SEED))
    parser.add_emit(("text", "csv"), "text: a table; csv: floats in full, with radii", "text")
    parser.add_out()


def run(given: Namespace) -> None:
    """Print the table.

    Raises:
        ValueError: if no number of iterations fits into the time given, for any of the policies.
    """
    names = benchmarked(given.n) if given.policy is None else given.policy.split(",")
    scores = benchmark(
        Game(given.n, rules_of(given)),
        names,
        iterations=given.iterations or ITERATIONS,
        seconds=given.seconds,
        seed=given.seed,
        progress=progress_bar(),
    )
    left = dict.fromkeys(names)
    with extra("openspiel", "benchmark"), output(given.out) as file:
        found = _ticked(scores, left)
        first = next(found, None)
        if first is None:
            raise ValueError(f"--seconds: expected more, {_lack(left, given.seconds)}")
        found = chain([first], found)
        if given.emit == "csv":
            write_lines(file, csv_lines(COLUMNS, found))
        else:
            write_table(file, scores_table, found)
    if left:
        print(f"{program()}: --seconds: {_lack(left, given.seconds)}", file=sys.stderr)


def _ticked(scores: Iterable[Score], left: dict[str, None]) -> Iterator[Score]:
    """Yield measurements, and take their policies out of those that are left."""
    for score in scores:
        left.pop(score.policy, None)
        yield score


def _lack(left: Iterable[str], seconds: int) -> str:
    """Say that there was not enough time for some policies."""
    return f"got {seconds}, in which no number of iterations of {', '.join(left)} fits"
