"""Play the round robin of Dror, Kendall and Rapoport with many seeds: ten strategies and the random
player, four rule sets, matches of 10, 20, 30 and 50 games.

    python studies/tournament.py --emit tables
    python studies/tournament.py --seeds 1 --lengths 10 --emit tables
    python studies/tournament.py --objective points --ties discard --policy random,0209,matching
    python studies/tournament.py --from tournament.csv --emit agreement
"""

import sys
from pathlib import Path

from round_robin import (
    CARDS,
    COLUMNS,
    FIELD,
    LENGTHS,
    RULE_SETS,
    Result,
    agreement_csv,
    entries,
    pairings,
    read_tournament,
    tournament,
    tournament_csv,
    tournament_tables,
)
from script import integers, run_script

from gops_exact.base.machine import available_cores
from gops_exact.base.progress import note, progress_bar
from gops_exact.base.writing import json_lines, markdown_lines
from gops_exact.commands.options import (
    EXACT_OR_FLOAT,
    Options,
    Parser,
    on_cores,
    output,
    writable_folder,
)
from gops_exact.game.game import Game
from gops_exact.game.rules import OBJECTIVES, ORDERS, TIES
from gops_exact.numbers.table import terminal_width
from gops_exact.players.catalogue import policy
from gops_exact.players.optimal import Optimal
from gops_exact.solvers.arithmetic import Arithmetic, Exact, Float
from gops_exact.solvers.cost import check_cost

SEEDS = 20
"""The default number of seeds: errors are a few points a game, and the run takes two minutes on two cores."""

ROUND_SECONDS, HOUR = 21e-6, 3600
"""Core seconds of a round between two strategies on an AMD EPYC; the most seconds of a tournament unless
forced."""

EXACT = 5
"""The most cards at which the optimal player, by default, solves positions exactly during play."""

TABLES = ("tables", "games")
FILES = {
    "csv": tournament_csv,
    "json": lambda results: json_lines(COLUMNS, entries(results)),
    "markdown": lambda results: markdown_lines(COLUMNS, entries(results)),
    "agreement": agreement_csv,
}


def main(words: list[str]) -> int:
    """Run the script with the words of its command line; return the exit status."""
    return run_script(__file__, str(__doc__), add_arguments, run, words)


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    seeds = "play every match with each of the seeds 1 … K"
    parser.add("game", "--seeds", "K", seeds, SEEDS, between=(1, 1_000_000))
    parser.add("game", "-n --n", "N", "cards a side", CARDS, between=(5, CARDS))
    players = "policies, separated by commas (default: the eleven of the published tables)"
    parser.add("game", "--policy", "NAMES", players)
    games, usual = "games per match, separated by commas", ",".join(map(str, LENGTHS))
    parser.add("game", "--lengths", "GAMES", games, usual, type=integers(1, 1_000_000))
    goals = "points or win (default: both)"
    parser.add("game", "--objective", "GOAL", goals, choices=OBJECTIVES)
    parser.add("game", "--ties", "RULE", f"{' or '.join(TIES)} (default: all)", choices=TIES)
    orders = ORDERS[:1]
    parser.add("game", "--prizes", "ORDER", "random, as published", *orders, choices=orders)
    kinds = (
        "for the player 'optimal': exact, solved during play, or float, which needs --folder (default: "
        f"exact up to {EXACT} cards)"
    )
    parser.add("numbers", "--arithmetic", "KIND", kinds, choices=EXACT_OR_FLOAT)
    folder = (
        "for the player 'optimal': the float values of all positions under the rules chosen, computed "
        "if they are missing (13 cards: 1.3 GB and some minutes, for points/discard only)"
    )
    parser.add("keeping values", "--folder", "DIR", folder, type=Path)
    formats = (
        "csv, json, markdown: each entry, beside the published one; tables: laid out as published; games: "
        "all lengths together, per game; agreement: how often the signs agree"
    )
    chosen = (*FILES, *TABLES)
    parser.add("output", "--emit", "FORMAT", formats, "csv", choices=chosen)
    parser.share("--jobs")
    earlier = "play nothing: read the results from a CSV file of an earlier run"
    parser.add("game", "--from", "FILE", earlier, dest="source", type=Path)
    parser.share("--force", "--out")


def run(options: Options) -> None:
    """Play the tournament, or read it, and print what is asked for."""
    results = played(options) if options.source is None else read_tournament(options.source)
    with output(options.out) as file:
        if options.emit in TABLES:
            by_game, width = options.emit == "games", terminal_width(file)
            file.writelines(tournament_tables(results, width, by_game=by_game))
        else:
            file.writelines(FILES[options.emit](results))


def played(options: Options) -> list[Result]:
    """Play the tournament that the options describe, and return its results."""
    players = FIELD if options.policy is None else options.policy.split(",")
    rule_sets = [
        rules
        for rules in RULE_SETS
        if options.objective in (None, rules.objective) and options.ties in (None, rules.ties)
    ]
    jobs = options.jobs or available_cores()
    games = sum(
        pairing.length for pairing in pairings(players, rule_sets, options.lengths, options.n)
    )
    seconds = games * options.seeds * options.n * ROUND_SECONDS
    if seconds > HOUR * jobs and not options.force:
        raise ValueError(
            f"--seeds and --lengths: expected what takes at most an hour unless forced (--force), got "
            f"{games * options.seeds:,} games, about {on_cores(seconds, jobs)}"
        )
    if seconds >= 60 * jobs and sys.stderr.isatty():
        note(f"up to {on_cores(seconds, jobs)}")
    arithmetic: Arithmetic = Exact()
    whole = [Game(options.n, rules) for rules in rule_sets] if Optimal.name in players else []
    in_floats = (options.arithmetic or ("exact" if options.n <= EXACT else "float")) == "float"
    if whole and in_floats:
        if options.folder is None:
            raise ValueError(
                f"in floats the player {Optimal.name!r} needs --folder for its values, got none"
            )
        arithmetic = Float(writable_folder(options.folder))
    for game in whole:
        check_cost(game, Float(options.folder, keep=True) if in_floats else arithmetic)
    for game in whole if in_floats else ():  # missing values are computed here
        policy(Optimal.name, game, arithmetic=arithmetic, progress=progress_bar())
    return tournament(
        players,
        seeds=range(1, options.seeds + 1),
        n=options.n,
        rule_sets=rule_sets,
        lengths=options.lengths,
        arithmetic=arithmetic,
        jobs=jobs,
        progress=progress_bar(),
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
