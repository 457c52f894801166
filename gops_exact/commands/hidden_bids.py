"""Solve the game in which bids stay hidden, exactly: who won each prize is seen, what was bid is not. It is
OpenSpiel's goofspiel with imp_info. Six cards in a known order take ten seconds, four at random a second, five at
random some minutes; what takes longer is refused unless forced.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import permutations
from operator import itemgetter

from gops_exact.base.progress import progress_bar, tracked
from gops_exact.base.writing import LINES
from gops_exact.commands.options import Options, Parser, extra, output
from gops_exact.extensive import Equilibrium, HiddenBids, approximate, solve_game
from gops_exact.game.game import Game
from gops_exact.game.rules import Rules
from gops_exact.matrix_game.game_solution import CertificateError
from gops_exact.numbers.table import FORMATS
from gops_exact.solvers.cost import check_hidden_bids
from gops_exact.verify.games import check_game

EVERY = "all"
"""Value of the option ``--prizes`` with which the game is solved for every known order of the prizes."""

EXAMPLES = {
    "-n 5 --prizes descending": "the first bids, and how many sequences are played",
    "-n 4 --objective win --emit json --out four.json": "a document that verify proves",
    "-n 4 --prizes all --emit csv": "every known order of the prizes, a line each",
    "-n 5 --seconds 600": "five cards at random: learned, and proved to be near an equilibrium",
    "-n 4 --prizes ascending --seen one": "player one sees the bids, player two does not",
}

SEEN = {"none": (False, False), "one": (True, False), "two": (False, True), "both": (True, True)}

COLUMNS = {
    name: itemgetter(name)
    for name in ("prizes", "objective", "value", "sequences", "digits", "first_bids", "sha256")
}
"""Columns of the table with a row for each order of the prizes: {name: function that returns the field}."""


def add_arguments(parser: Parser) -> None:
    parser.add_n(least=2, most=6)
    parser.add_rules(
        prizes="random, ascending, descending, the prizes in order, such as 3,1,2, or all: every known order"
    )
    parser.add("game", "--seen", "WHO", "who sees what the other bids", "none", choices=tuple(SEEN))
    parser.share("--seconds")
    formats = "text: a table; json: both strategies, which verify proves"
    parser.share("--emit", text=formats, choices=FORMATS)
    shown = "first: the bids of the first round; all: those at every information set"
    parser.add("output", "--show", "WHAT", shown, "first", choices=("first", "all"))
    parser.share("--force", "--out")


def run(options: Options) -> None:
    with extra("hidden", "hidden-bids"):
        if options.prizes != EVERY:
            equilibrium = solved(options)
            options.write(equilibrium, equilibrium.table(every=options.show == "all"))
            return
        usual = {"seen": "none", "seconds": None, "show": "first"}
        if options.emit not in LINES or any(
            getattr(options, name) != usual[name] for name in usual
        ):
            raise ValueError(
                f"--prizes {EVERY} goes with --emit {', '.join(LINES)} and without --seen, --seconds and --show"
            )
        ordered = Game(options.n, Rules(prizes="descending"))
        check_hidden_bids(ordered, SEEN["none"], every=True, force=options.force)
        with output(options.out) as file:
            file.writelines(LINES[options.emit](COLUMNS, every_order(options)))


def solved(options: Options) -> Equilibrium:
    """Solve the game that the options describe, or learn strategies if ``--seconds`` is set."""
    game = HiddenBids(options.game, SEEN[options.seen])
    if options.seconds:
        return approximate(game, seconds=options.seconds, progress=progress_bar())
    return solve_game(game, force=options.force)


def every_order(options: Options) -> Iterator[dict[str, object]]:
    """Yield a table row for each known order of the prizes. Each solution is first proved from its document."""
    orders = list(permutations(range(options.n, 0, -1)))
    for order in tracked(orders, progress_bar()):
        options.prizes = ",".join(map(str, order))
        equilibrium = solved(options)
        text = equilibrium.emit("json")
        if faults := check_game(text).faults:
            raise CertificateError(f"prizes {options.prizes}: {faults[0]}")
        first = equilibrium.row[str(order[0])]
        yield {
            "prizes": options.prizes.replace(",", " "),
            "objective": options.objective,
            "value": equilibrium.value,
            "sequences": equilibrium.support[0],
            "digits": max(
                chance.denominator.digits
                for bids in equilibrium.row.values()
                for chance in bids.values()
            ),
            "first_bids": " ".join(f"{bid}:{chance}" for bid, chance in first.items()),
            "sha256": sha256(text.encode()).hexdigest(),
        }
