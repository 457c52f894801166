"""``gops-exact export``: positions and first moves for Gambit, OpenSpiel and data frames."""

import json
from argparse import Namespace
from typing import Any

from flint import fmpq

from gops_exact.api import first_move, payoff_matrix
from gops_exact.commands.arguments import (
    PLAYED_FROM,
    STREAMS,
    Parser,
    extra,
    output,
    played_from,
    rules_of,
)
from gops_exact.commands.position import add_position, position_of
from gops_exact.cost import Run
from gops_exact.exchange.extensive_form import write_efg
from gops_exact.exchange.normal_form import bidding_game, write_nfg
from gops_exact.exchange.openspiel import policy_table, tabular_policy
from gops_exact.exchange.parquet import parquet_bytes
from gops_exact.game.game import Game, Position
from gops_exact.game.rules import parse_card
from gops_exact.numbers.exact import Number
from gops_exact.numbers.raw import from_float
from gops_exact.players.optimal import Optimal
from gops_exact.progress import progress_bar
from gops_exact.solutions.arithmetic import Exact

DESCRIPTION = (
    "Write games for other programs. nfg: the matrix game of the bids at a position, for Gambit; efg: the "
    "tree of a game of at most four cards, for Gambit; openspiel: an optimal policy for its "
    "goofspiel, as JSON; parquet: first moves, for data frames."
)

EXAMPLES = {
    "--emit nfg --one 2,4 --two 1,3 --prizes 12,13 --upcard 13": "the game of the bids, for Gambit",
    "--emit efg -n 3 --ties carryover": "a whole game as a tree, for Gambit",
    "--emit openspiel -n 4 --out policy.json": "an optimal policy, for OpenSpiel",
    "--emit parquet -n 6 --out six.parquet": "first moves, for data frames",
}

FORMATS = ("nfg", "efg", "openspiel", "parquet")
WHOLE_GAMES = ("openspiel", "parquet")
IN_FLOATS = ("nfg", "parquet")


def add_arguments(parser: Parser) -> None:
    """Declare the arguments of the command."""
    parser.add_n(text="the whole game of N cards a side, instead of a position", required=False)
    add_position(parser, required=False)
    kinds = "nfg, parquet: exact, or float for more cards; efg, openspiel: exact"
    parser.add_arithmetic(PLAYED_FROM, kinds, Exact.name)
    parser.add_folder(
        "float arithmetic: use the values of whole games in this folder, if it has them"
    )
    parser.add_emit(FORMATS, f"one of {', '.join(FORMATS)}")
    parser.add_out()
    parser.add_force()


def run(given: Namespace) -> None:
    """Write the document."""
    if given.arithmetic != Exact.name and given.emit not in IN_FLOATS:
        raise ValueError(
            f"--emit {given.emit} goes with --arithmetic exact, got {given.arithmetic}"
        )
    with extra(given.emit, f"--emit {given.emit}"):
        if given.emit in WHOLE_GAMES:
            _whole_game(given)
        else:
            _position(given)


def _whole_game(given: Namespace) -> None:
    """Write a policy or the first moves of a whole game."""
    if given.n is None or given.upcard is not None:
        raise ValueError(f"--emit {given.emit}: expected --n and no position")
    rules = rules_of(given)
    if given.emit == "parquet":
        if given.out is None or str(given.out) in STREAMS:
            raise ValueError("--emit parquet: expected --out, as the file is no text")
        kind, bar = played_from(given), progress_bar()
        with output(given.out) as file:
            moves = first_move(given.n, kind, rules=rules, progress=bar, force=given.force)
            file.buffer.write(parquet_bytes(moves))
        return
    game = Game(given.n, rules)
    Run(game).check(Exact(), force=given.force)
    table = policy_table(tabular_policy(Optimal(game), game))
    with output(given.out) as file:
        json.dump(table, file)
        file.write("\n")


def _rational(payoff: Number[Any]) -> fmpq:
    """Return a payoff as an exact number, of a float the number that it holds."""
    value: fmpq | float = payoff.value
    return from_float(value) if isinstance(value, float) else value


def _is_position(given: Namespace) -> bool:
    """Test if any option is given that describes a position late in a game.

    Raises:
        ValueError: if the whole game is asked for, too.
    """
    usual = {"one": None, "two": None, "margin": 0, "pot": 0}
    options = [f"--{name}" for name, value in usual.items() if getattr(given, name) != value]
    if given.n is not None and options:
        raise ValueError(f"--n takes no {', '.join(options)}: those describe a position")
    return bool(options)


def _position(given: Namespace) -> None:
    """Write the matrix game or the tree of a position."""
    if not _is_position(given) and given.n is None:
        raise ValueError(
            f"--emit {given.emit}: expected --n or all of --one, --two, --prizes (the prizes left)"
        )
    start = given.n is not None
    position = Position.start(given.n, rules_of(given)) if start else position_of(given)
    if given.emit == "efg":
        if given.upcard is not None:
            raise ValueError("--emit efg: expected no --upcard, as chance is in the tree")
        text = write_efg(position)
    else:
        if given.upcard is None and not position.rules.hidden:
            raise ValueError(
                f"--emit {given.emit}: expected --upcard, the prize turned up, got none"
            )
        position = position.at(None if given.upcard is None else parse_card(given.upcard))
        payoffs = payoff_matrix(
            position, played_from(given), progress=progress_bar(), force=given.force
        )
        text = write_nfg(bidding_game(position, [list(map(_rational, row)) for row in payoffs]))
    with output(given.out) as file:
        file.write(text)
