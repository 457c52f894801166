"""Write games for other programs. nfg: the matrix game of the bids at a position, for Gambit; efg: the
tree of a game of at most four cards, for Gambit; openspiel: an optimal policy for OpenSpiel's goofspiel, in
JSON. certificate: a proof of the value of a game or a position, for proofs/check.py; coq: the same proof
for Coq. To prove a solved game tree in Coq, name its JSON file in place of POSITION.
"""

import json
from collections.abc import Callable

from gops_exact.base.documents import named
from gops_exact.base.formats import FORMATS
from gops_exact.base.progress import progress_bar
from gops_exact.commands.options import (
    EXACT_OR_FLOAT,
    USED_FOLDER,
    Options,
    Parser,
    optional,
)
from gops_exact.exchange.certificates import certificate_to_coq, write_certificate
from gops_exact.exchange.gambit import bidding_game
from gops_exact.exchange.openspiel_games import policy_table, tabular_policy
from gops_exact.exchange.reading import read
from gops_exact.exchange.tree_proofs import tree_to_coq
from gops_exact.extensive.efg_files import write_efg
from gops_exact.game.game import Position, named_position
from gops_exact.game.rules import parse_card
from gops_exact.matrix_game.game_files import write_nfg
from gops_exact.players.optimal import Optimal
from gops_exact.solvers.api import payoff_matrix, solver
from gops_exact.solvers.arithmetic import Exact

EXAMPLES = {
    "--emit nfg --one 2,4 --two 1,3 --prizes 12,13 --upcard 13": "the game of the bids, for Gambit",
    "--emit efg -n 3 --ties carryover": "a whole game as a tree, for Gambit",
    "--emit openspiel -n 4 --out policy.json": "an optimal policy, for OpenSpiel",
    "--emit coq -n 4 --out Four.v": "a proof of a whole game, for Coq",
    "--emit coq poker.json --out Poker.v": "a proof of what solve --emit json wrote about a game tree",
}


def add_arguments(parser: Parser) -> None:
    whole = "the whole game of N cards a side, instead of a position"
    parser.share("-n --n", text=whole, required=False)
    parser.add_position(alone=False)
    kinds = "nfg: exact, or float for more cards; others: exact"
    parser.share("--arithmetic", text=kinds, choices=EXACT_OR_FLOAT)
    parser.share("--folder", text=USED_FOLDER)
    emitted = FORMATS["export"]
    formats = f"one of {', '.join(emitted)}"
    parser.share("--emit", text=formats, default=None, choices=emitted, required=True)
    parser.share("--out", "--force")


def run(options: Options) -> None:
    emitted, whole = f"--emit {options.emit}", options.n is not None
    words = {"n": "-n", "one": "--one", "two": "--two", "margin": "--margin", "pot": "--pot"}
    words |= {"position": "POSITION", "upcard": "--upcard"}
    others = " ".join(words[name] for name in words if name in options.chosen) or "none"
    described = options.chosen & {"one", "two", "margin", "pot", "position"}
    turned = options.upcard is not None
    if options.emit == "coq" and options.position and named_position(options.position) is None:
        alone = not whole and len(described) == 1 and not turned
        options.judge((emitted, alone, "a solved game tree alone"), got=others)
        solved = read(options.position)
        with named(options.position):
            options.output.write(tree_to_coq(solved))
        return
    is_exact, is_matrix = options.arithmetic == Exact.name, options.emit == "nfg"
    is_placed = whole or bool(described)
    is_kind = is_exact or is_matrix
    options.judge((emitted, is_kind, "--arithmetic exact"), got=options.arithmetic)
    options.judge(
        (emitted, is_placed, "--n or all of --one, --two, --prizes (the prizes left)"),
        ("--emit openspiel", whole, "--n"),
        ("--deck", whole, "--n: of a position --prizes names those left"),
        ("--n", not described, "no position"),
        (emitted, is_matrix or not turned, "no --upcard, as chance is in the tree"),
        got=others,
    )
    position = options.game.start if whole else options.described_position
    options.output.write(WRITERS[options.emit](options, position))


def _game_of_bids(options: Options, position: Position) -> str:
    """Return the matrix game of the bids at a position, as the text of an nfg file."""
    if options.upcard is not None:
        position = position.at(parse_card(options.upcard))
    is_ready = position.upcard is not None or position.rules.hidden
    options.judge((f"--emit {options.emit}", is_ready, "--upcard, the prize turned up"), got="none")
    kind = options.kind_of_numbers(options.arithmetic)
    matrix = payoff_matrix(position, kind, progress=progress_bar(), force=options.force)
    # The middle of the bounds is the exact number, or the exact value of a float.
    payoffs = [[sum(payoff.bounds()) / 2 for payoff in row.values()] for row in matrix.values()]
    return write_nfg(bidding_game(position, payoffs))


def _tree(_options: Options, position: Position) -> str:
    """Return the game tree from a position on, as the text of an efg file."""
    return write_efg(position)


def _policy(options: Options, _position: Position) -> str:
    """Return an optimal policy of the whole game, in JSON for OpenSpiel."""
    optimal = Optimal(options.game, solver("exact", options.game, force=options.force))
    with optional("openspiel", "--emit openspiel"):
        return json.dumps(policy_table(tabular_policy(optimal, options.game))) + "\n"


def _certificate(_options: Options, position: Position) -> str:
    """Return a proof of the value of a position, for ``proofs/check.py``."""
    return write_certificate(position, progress=progress_bar())


def _coq(options: Options, position: Position) -> str:
    """Return a proof of the value of a position, for Coq."""
    return certificate_to_coq(_certificate(options, position))


WRITERS: dict[str, Callable[[Options, Position], str]] = {
    "nfg": _game_of_bids,
    "efg": _tree,
    "openspiel": _policy,
    "certificate": _certificate,
    "coq": _coq,
}
"""{format: the function that returns the text of the file for the parsed command line and a position of GOPS}."""
