"""``gops_exact tournament``: the published round robin, with many seeds."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from gops_exact.commands.arguments import add_out, integer, output, writable_folder
from gops_exact.commands.progress import progress_line
from gops_exact.players.float_optimal import FloatOptimal
from gops_exact.players.tournament import CARDS, FIELD, LENGTHS, RULE_SETS, tournament
from gops_exact.report.tournament import agreement_csv, entries, tournament_csv, tournament_frame
from gops_exact.rules import PLAIN

DESCRIPTION = (
    "Play the round robin of Dror, Kendall and Rapoport with many seeds: ten strategies and the "
    "random player, four rule sets, matches of 10, 20, 30 and 50 games."
)

SEEDS = 20
"""Enough for errors of a few points a game, and two minutes on two cores."""

RULES = {f"{rules.objective}/{rules.ties}": rules for rules in RULE_SETS}
EXACT = 5
"""Cards up to which the optimal player solves its positions exactly as it goes."""

FORMATS = ("csv", "tables", "agreement")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "--seeds",
        type=integer(1, 1_000_000),
        default=SEEDS,
        metavar="K",
        help=f"play every match with each of the seeds 1 … K (default: {SEEDS})",
    )
    parser.add_argument(
        "--n", type=integer(5, CARDS), default=CARDS, metavar="N", help="cards a side (default: 13)"
    )
    parser.add_argument(
        "--players",
        metavar="NAMES",
        help="policies, by commas (default: the eleven of the published tables)",
    )
    parser.add_argument(
        "--lengths", metavar="GAMES", help="games a match, by commas (default: 10,20,30,50)"
    )
    parser.add_argument(
        "--rules",
        choices=[*RULES, "all"],
        default="all",
        help="one of the four rule sets, objective/ties (default: all)",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="DIR",
        help="for the player 'optimal': float values of all positions, made if they are not there "
        "(1.4 GB at 13 cards, some minutes); with --rules points/discard",
    )
    parser.add_argument(
        "--emit",
        choices=FORMATS,
        default="csv",
        help="csv: a line an entry, beside what was published; tables: laid out as published; "
        "agreement: how often the signs agree (default: csv)",
    )
    parser.add_argument("--jobs", type=integer(1, 1024), metavar="K", help="processes")
    add_out(parser)


def run(given: Namespace) -> int:
    """Play and print.

    Raises:
        ValueError: if a player is unknown, or the optimal one cannot play.
    """
    players = given.players.split(",") if given.players else FIELD
    rule_sets = RULE_SETS if given.rules == "all" else [RULES[given.rules]]
    if "optimal" in players and given.n > EXACT:
        if given.folder is None or list(rule_sets) != [PLAIN]:
            raise ValueError(
                f"beyond {EXACT} cards the player 'optimal' needs --folder and "
                f"--rules points/discard, got --rules {given.rules}"
            )
        FloatOptimal(given.n, PLAIN, writable_folder(given.folder), progress=progress_line())
    positive = integer(1, 1_000_000)
    lengths = [positive(word) for word in given.lengths.split(",")] if given.lengths else LENGTHS
    results = tournament(
        players,
        seeds=range(1, given.seeds + 1),
        n=given.n,
        rule_sets=rule_sets,
        lengths=lengths,
        folder=given.folder,
        jobs=given.jobs,
        progress=progress_line(),
    )
    with output(given.out) as file:
        if given.emit == "csv":
            file.writelines(tournament_csv(results))
        elif given.emit == "agreement":
            file.writelines(agreement_csv(results))
        else:
            for table in sorted({entry.table for entry in entries(results)}):
                file.write(f"Table {table}\n{tournament_frame(results, table).round(1)}\n\n")
    return 0
