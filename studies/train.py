"""Train OpenSpiel's algorithms for goofspiel and compute how exploitable they are after stated numbers
of iterations: the mean gain of best responses to both seats.

    python studies/train.py -n 4 --policy cfr,mccfr --seconds 5
    python studies/train.py -n 5 --emit csv --out benchmark.csv
"""

import sys
from itertools import chain, islice, tee

from script import integers, run_script
from yardstick import (
    COLUMNS,
    HIDDEN_COLUMNS,
    HIDDEN_POLICIES,
    ITERATIONS,
    LARGEST_SEED,
    POLICIES,
    SECONDS,
    benchmark,
    benchmarked,
    scores_table,
)

from gops_exact.base.progress import progress_bar
from gops_exact.base.writing import LINES
from gops_exact.commands.options import Options, Parser, optional, output
from gops_exact.exchange.openspiel_games import MEASURED_CARDS
from gops_exact.extensive import HiddenBids
from gops_exact.game.game import Game

NAME = "train.py"

MOST = 10**9


def main(words: list[str]) -> int:
    """Run the script with the words of its command line; return the exit status."""
    return run_script(__file__, str(__doc__), add_arguments, run, words)


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.share("-n --n", between=(2, MEASURED_CARDS))
    more = ", ".join(name for name in HIDDEN_POLICIES if name not in POLICIES)
    names = (
        f"names, separated by commas, out of {', '.join(POLICIES)}; with --hidden-bids also {more}, and neither "
        "published nor mcts (default: all)"
    )
    parser.add("game", "--policy", "NAMES", names)
    parser.add_rules()
    hidden = "nobody sees what the other bids, only who won (imp_info)"
    parser.add("game", "--hidden-bids", "", hidden)
    counts = "measure after these numbers of iterations; for mcts, simulations per bid (default: 1,3,10, ... 100000)"
    parser.add("running", "--iterations", "LIST", counts, type=integers(1, MOST))
    seconds = "core seconds of training for each algorithm, measuring not counted"
    parser.add("running", "--seconds", "S", seconds, SECONDS, between=(1, MOST))
    seed = "the seed of mccfr and mcts"
    parser.add("running", "--seed", "SEED", seed, 1, between=(0, LARGEST_SEED))
    formats = "text: a table; csv, json: floats in full, with radii"
    parser.add("output", "--emit", "FORMAT", formats, "text", choices=("text", *LINES))
    parser.share("--out")


def run(arguments: Options) -> None:
    """Print what was measured, as soon as it is; name the algorithms that there is no time for."""
    game: Game | HiddenBids = arguments.game
    columns = COLUMNS
    if arguments.hidden_bids:
        game, columns = HiddenBids(arguments.game), HIDDEN_COLUMNS
    names = benchmarked(game) if arguments.policy is None else arguments.policy.split(",")
    scores, measured = tee(
        benchmark(
            game,
            names,
            iterations=arguments.iterations or ITERATIONS,
            seconds=arguments.seconds,
            seed=arguments.seed,
            progress=progress_bar(),
        )
    )
    with optional("openspiel", "train.py"), output(arguments.out) as file:
        first = list(islice(scores, 1))
        if first:
            arguments.output = file
            arguments.write_records(columns, chain(first, scores), scores_table)
        done = {score.policy for score in measured}
        left = [name for name in dict.fromkeys(names) if name not in done]
        lack = (
            f"got {arguments.seconds}, in which no number of iterations of {', '.join(left)} fits"
        )
        if not first:
            raise ValueError(f"--seconds: expected more, {lack}")
    if left:
        print(f"{NAME}: --seconds: {lack}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
