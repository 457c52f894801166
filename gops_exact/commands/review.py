"""Compute the cost of each bid of a game that was played elsewhere. The game is read from a transcript of
TextArena's GameOfPureStrategy or of OpenSpiel's goofspiel.

A cost is the amount by which a bid lowers the expected result against an optimal opponent, as in the review at the end
of the command play. If bids were hidden, the expected results are averages over all that the player could not see. They
are exact, and the opponent's strategy is that of a quasi-perfect equilibrium, which is optimal at every information
set, also after mistakes. A cost is unknown if the position takes too long to solve, as the first positions of a long
game do. With hidden bids the limit without ``--force`` is four cards a side if prizes come in random order, and five if
their order is known: in larger games all costs are unknown.
"""

from pathlib import Path

from gops_exact.base.documents import named
from gops_exact.base.formats import FORMATS
from gops_exact.base.progress import progress_bar, silent
from gops_exact.commands.options import (
    CHOSEN,
    EXACT_OR_FLOAT,
    USED_FOLDER,
    Options,
    Parser,
    read_input,
)
from gops_exact.exchange.transcripts import read_transcript
from gops_exact.extensive.hidden_costs import worth_of_bids
from gops_exact.extensive.private_bids import MOST_CARDS, HiddenBids
from gops_exact.game.game import Game, Position
from gops_exact.players.grades import Grade, Review, Transcript, review, views
from gops_exact.players.policy import mirrored
from gops_exact.solvers import api
from gops_exact.solvers.arithmetic import Arithmetic, Exact, Float
from gops_exact.solvers.cost import MOST_SECONDS, check_cost
from gops_exact.solvers.floats.by_layers import ByLayers

EXAMPLES = {
    "game.txt": "both players' bids; of thirteen cards the last rounds",
    "game.txt --folder DIR": "all bids, from float values of the whole game",
}


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="the transcript; - for standard input"
    )
    number = "the number of the game, where the transcript has several"
    parser.add("game", "--number", "K", number, between=(1, 10**6))
    parser.share("--arithmetic", text=CHOSEN, default=None, choices=EXACT_OR_FLOAT)
    parser.share("--folder", text=USED_FOLDER)
    formats = "text, latex, booktabs, markdown: a table; csv, json: exact numbers in full"
    parser.share("--emit", text=formats, choices=FORMATS["result"])
    parser.share("--digits", "--numbers", "--out", "--force")


def run(options: Options) -> None:
    text = read_input(options.file)
    with named(options.file):
        played = read_transcript(text, options.number)
    if played.hidden:
        expected = "games in which bids are seen"
        conditions = ("--arithmetic", False, expected), ("--folder", False, expected)
        options.judge(*conditions, got="hidden bids")
        options.write(Review(played, hidden_grades(played, force=options.force)))
        return
    is_exact = options.folder is None and is_quick(Exact(), played.game)
    kind = options.kind_of_numbers(options.arithmetic or (Exact if is_exact else Float).name)
    solver = api.solver(kind, progress=progress_bar(), force=options.force)

    def is_solvable(position: Position) -> bool:
        is_kept = isinstance(solver, ByLayers) and solver.has(position)
        return is_kept or is_quick(kind, position, force=options.force)

    sides = played.rounds, mirrored(played.rounds)
    one, two = (review(side, played.game, solver, is_judged=is_solvable) for side in sides)
    options.write(Review(played, {1: one, 2: two}))


def hidden_grades(played: Transcript, *, force: bool) -> dict[int, list[Grade]]:
    """Return {1 or 2, the player: list with a grade for each round} for a game with hidden bids.

    The lists are empty if the game has too many cards to be solved in minutes.

    Args:
        played: the game.
        force: True to admit one card a side more, which takes longer.
    """
    if played.game.n > MOST_CARDS["fixed" if played.game.rules.fixed else "random"] - (not force):
        return {1: [], 2: []}
    sides = {1: played.rounds, 2: mirrored(played.rounds)}
    worth = worth_of_bids(HiddenBids(played.game), played.rounds, progress_bar() or silent)
    return {
        player: [
            Grade(seen, over, *bid)
            for seen, over, bid in zip(views(rounds, played.game), rounds, bids, strict=True)
        ]
        for (player, rounds), bids in zip(sides.items(), worth, strict=True)
    }


def is_quick(kind: Arithmetic, problem: Game | Position, *, force: bool = False) -> bool:
    """Return True if a game or a position is estimated to take at most a few minutes on one core.

    Args:
        kind: the arithmetic (kind of number) in which the problem is to be solved.
        problem: the game or the position.
        force: True to return True for all problems that can be solved at all, however long that takes.
    """
    try:
        return check_cost(problem, kind, force=force).seconds <= MOST_SECONDS or force
    except ValueError:
        return False
