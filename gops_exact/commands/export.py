"""Write games for other programs. nfg: the matrix game of the bids at a position, for Gambit; efg: the
tree of a game of at most four cards, for Gambit; openspiel: an optimal policy for its goofspiel, as
JSON.
"""

import json
from argparse import Namespace
from pathlib import Path

from gops_exact.base.progress import progress_bar
from gops_exact.commands.options import (
    EXACT_OR_FLOAT,
    Parser,
    arithmetic_of,
    extra,
    game_of,
    output,
)
from gops_exact.commands.position import USED_FOLDER, add_position, position_of
from gops_exact.exchange.gambit import bidding_game, write_efg
from gops_exact.exchange.openspiel_games import policy_table, tabular_policy
from gops_exact.game.rules import parse_card
from gops_exact.matrix_game.game_files import write_nfg
from gops_exact.numbers.raw import from_float
from gops_exact.players.optimal import Optimal
from gops_exact.solvers.api import payoff_matrix
from gops_exact.solvers.arithmetic import Exact, Float
from gops_exact.solvers.cost import check_cost

EXAMPLES = {
    "--emit nfg --one 2,4 --two 1,3 --prizes 12,13 --upcard 13": "the game of the bids, for Gambit",
    "--emit efg -n 3 --ties carryover": "a whole game as a tree, for Gambit",
    "--emit openspiel -n 4 --out policy.json": "an optimal policy, for OpenSpiel",
}

FORMATS = ("nfg", "efg", "openspiel")


def add_arguments(parser: Parser) -> None:
    parser.add_n(text="the whole game of N cards a side, instead of a position", required=False)
    add_position(parser, alone=False)
    kinds = "nfg: exact, or float for more cards; efg, openspiel: exact"
    parser.add("numbers", "--arithmetic", "KIND", kinds, Exact.name, choices=EXACT_OR_FLOAT)
    parser.add("keeping values", "--folder", "DIR", USED_FOLDER, type=Path)
    formats = f"one of {', '.join(FORMATS)}"
    parser.add("output", "--emit", "FORMAT", formats, choices=FORMATS, required=True)
    parser.share("--out", "--force")


def run(given: Namespace) -> None:
    if given.arithmetic != Exact.name and given.emit != "nfg":
        raise ValueError(
            f"--emit {given.emit} goes with --arithmetic exact, got {given.arithmetic}"
        )
    if given.emit == "openspiel" and (given.n is None or given.upcard is not None):
        raise ValueError("--emit openspiel: expected --n and no position")
    with extra(given.emit, f"--emit {given.emit}"):
        if given.emit == "openspiel":
            game = game_of(given)
            check_cost(game, Exact(), force=given.force)
            text = json.dumps(policy_table(tabular_policy(Optimal(game), game))) + "\n"
        else:
            text = _position(given)
        with output(given.out) as file:
            file.write(text)


def _position(given: Namespace) -> str:
    """Return the matrix game or the tree of a position."""
    usual = {"one": None, "two": None, "margin": 0, "pot": 0}
    options = [f"--{name}" for name, value in usual.items() if getattr(given, name) != value]
    options += ["POSITION"] * (given.position is not None)
    if given.n is None and not options:
        raise ValueError(
            f"--emit {given.emit}: expected --n or all of --one, --two, --prizes (the prizes left)"
        )
    if given.n is None and given.deck is not None:
        raise ValueError("--deck goes with --n: of a position --prizes names those left")
    if given.n is not None and options:
        raise ValueError(f"--n takes no {', '.join(options)}: those describe a position")
    position = position_of(given) if given.n is None else game_of(given).start
    if given.emit == "efg":
        if given.upcard is not None:
            raise ValueError("--emit efg: expected no --upcard, as chance is in the tree")
        return write_efg(position)
    if given.upcard is not None:
        position = position.at(parse_card(given.upcard))
    elif position.upcard is None and not position.rules.hidden:
        raise ValueError(f"--emit {given.emit}: expected --upcard, the prize turned up, got none")
    kind = arithmetic_of(given, given.arithmetic, kept=True)
    matrix = payoff_matrix(position, kind, progress=progress_bar(), force=given.force)
    payoffs = [[payoff.value for payoff in row] for row in matrix]
    if isinstance(kind, Float):  # written as the numbers that the floats hold
        payoffs = [[from_float(payoff) for payoff in row] for row in payoffs]
    return write_nfg(bidding_game(position, payoffs))
