"""``gops_exact export``: positions and first moves for Gambit, OpenSpiel and data frames."""

import json
from argparse import Namespace

from gops_exact.commands.arguments import STREAMS, Parser, integer, one_of, output, rules_of
from gops_exact.exchange.extensive_form import write_efg
from gops_exact.exchange.normal_form import bidding_game, write_nfg
from gops_exact.exchange.openspiel import policy_table, tabular_policy
from gops_exact.exchange.parquet import write_parquet
from gops_exact.game.cards import parse_card, parse_cards
from gops_exact.game.order_types import LONGEST
from gops_exact.game.position import Position
from gops_exact.game.rules import Rules
from gops_exact.players.optimal import Optimal
from gops_exact.solver.cost import check_feasible
from gops_exact.solver.first_moves import first_move
from gops_exact.solver.positions import payoff_matrix

DESCRIPTION = (
    "Games for other programs. nfg: the matrix game of the bids at a position, for Gambit; efg: the "
    "tree of a game of at most four cards, for Gambit; openspiel: an optimal policy for its "
    "goofspiel, as JSON; parquet: exact first moves, for data frames."
)

FORMATS = ("nfg", "efg", "openspiel", "parquet")
WHOLE_GAMES = ("openspiel", "parquet")


def add_arguments(parser: Parser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "--format",
        type=one_of(FORMATS),
        required=True,
        metavar="FORMAT",
        help=f"one of {', '.join(FORMATS)}",
    )
    parser.add("--n", "N", integer(1, LONGEST), "the whole game of N cards a side")
    parts = {"one": "player one's hand", "two": "player two's hand", "prizes": "the prizes left"}
    for name, part in parts.items():
        parser.add(f"--{name}", "CARDS", str, f"instead of --n, a position: {part}, as 2,4")
    parser.add("--upcard", "CARD", str, "nfg: the prize turned up")
    parser.add_rules(order="--order")
    parser.add_out()
    parser.add_force()


def run(given: Namespace) -> None:
    """Write the document."""
    rules = rules_of(given)
    try:
        if given.format in WHOLE_GAMES:
            _whole_game(given, rules)
        else:
            _position(given, rules)
    except ImportError as error:
        raise ValueError(
            f"--format {given.format}: a package is missing, which "
            f"pip install 'gops-exact[{given.format}]' brings"
        ) from error


def _whole_game(given: Namespace, rules: Rules) -> None:
    """Write a policy or the first moves of a whole game."""
    position = (given.one, given.two, given.prizes, given.upcard)
    if given.n is None or position != (None,) * 4:
        raise ValueError(f"--format {given.format}: expected --n and no position")
    if given.format == "parquet":
        if given.out is None or str(given.out) in STREAMS:
            raise ValueError("--format parquet: expected --out, as the file is no text")
        write_parquet(first_move(given.n, rules=rules, force=given.force), given.out)
        return
    check_feasible(given.n, rules, force=given.force)
    table = policy_table(tabular_policy(Optimal(given.n, rules), given.n, rules))
    with output(given.out) as file:
        json.dump(table, file)
        file.write("\n")


def _position(given: Namespace, rules: Rules) -> None:
    """Write the matrix game or the tree of a position."""
    hands = (given.one, given.two, given.prizes)
    if (given.n is None) == (None in hands) or (given.n is not None and hands != (None,) * 3):
        raise ValueError(
            f"--format {given.format}: expected --n or all of --one, --two, --prizes (the prizes "
            "left; in which order they come says --order)"
        )
    if given.n is None:
        one, two, prizes = map(parse_cards, hands)
        position = Position(one, two, prizes, rules=rules)
    else:
        position = Position.start(given.n, rules)
    if given.format == "efg":
        if given.upcard is not None:
            raise ValueError("--format efg: expected no --upcard, as chance is in the tree")
        text = write_efg(position)
    else:
        position = position.at(None if given.upcard is None else parse_card(given.upcard))
        payoffs = payoff_matrix(position, force=given.force)
        text = write_nfg(bidding_game(position, payoffs))
    with output(given.out) as file:
        file.write(text)
