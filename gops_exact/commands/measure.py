"""Compute exactly how many points or wins policies expect against each other and against a best
response to them, and at which positions they lose most. Policies trained with OpenSpiel are read from files. Of any
game tree, compute the exploitability of a policy in a file, and the best replies to it.

A *policy* is a rule that chooses a card in each round or, in a game tree, a move at each information set. The
*exploitability* is the sum of what both players can gain by changing to a best reply.
"""

from functools import partial

from gops_exact.base.formats import FORMATS
from gops_exact.base.progress import progress_bar
from gops_exact.commands.named_games import game_of
from gops_exact.commands.options import EXACT_OR_FLOAT, Options, Parser, optional
from gops_exact.players.catalogue import behavioural, policy
from gops_exact.players.expectation import STATES
from gops_exact.players.measurements import (
    ANY,
    BEST,
    COLUMNS,
    losses,
    losses_table,
    measurable,
    measurements,
    measurements_table,
)
from gops_exact.players.policy import Behavioural
from gops_exact.solvers.api import solver
from gops_exact.solvers.floats.by_layers import has_layers

EXAMPLES = {
    "-n 5 --policy matching --against random,upcard+1,best-response": "one policy against three",
    "-n 4 --objective win --emit csv": "all against all, every exact number in full",
    "-n 5 --policy published --emit losses": "the positions that cost a policy most",
    "-n 4 --policy trained.json,trained.json:2 --against best-response": "a policy table of OpenSpiel",
    "openspiel:leduc_poker --policy trained.json": "the exploitability of both seats, and best replies",
}

TOP = 10
"""Default number of positions that a table of losses lists for each policy."""


def add_arguments(parser: Parser) -> None:
    what = "a game tree, as in solve, in place of the options about the game"
    parser.add_argument("what", nargs="?", metavar="GAME", help=what)
    parser.share("-n --n", required=False)
    known = "all that are quick to measure"
    policies = (
        f"policies, separated by commas (default: {known}); FILE.json: player one of a policy table "
        "of OpenSpiel, {information state: [[action, probability], ...]}; FILE.json:2: its player two; with GAME one "
        "file, such a table, {information set: {move: probability}} of both players, or a solved game"
    )
    parser.add("game", "--policy", "NAMES", policies)
    against = (
        f"opponents, separated by commas, possibly {BEST!r} (default: {known}, and {BEST!r}); not "
        "with --emit losses"
    )
    parser.add("game", "--against", "NAMES", against)
    parser.add_rules(deck=True)
    kinds = "numbers that the policy optimal plays from: exact, or float for more cards"
    parser.share("--arithmetic", text=kinds, choices=EXACT_OR_FLOAT)
    parser.share("--folder")
    formats = (
        "text: a table; csv, json, markdown: exact numbers in full; losses: the positions that cost a policy most "
        "against its best response"
    )
    parser.share("--emit", text=formats, choices=(*FORMATS["records"], "losses"))
    rows = f"--emit losses: the number of positions listed for each policy (default: {TOP})"
    parser.add("output", "--top", "K", rows, between=(1, 1_000_000), goes_with="--emit losses")
    parser.share("--out", "--force")


def run(options: Options) -> None:
    of_losses = options.emit == "losses"
    if options.what is not None:
        if options.policy is None or options.chosen & {"n", "against"} or of_losses:
            raise ValueError(
                "GAME goes with --policy FILE alone, and with no -n, --against or losses"
            )
        from gops_exact.exchange.reading import read
        from gops_exact.extensive import Equilibrium, best_replies

        with optional("openspiel", "GAME"):
            _, tree = game_of(options.what, "guess")
            held = read(options.policy)
            sides = (held.row, held.column) if isinstance(held, Equilibrium) else (held,)
            options.write(best_replies(tree, *sides, progress=progress_bar()))
        return
    if options.n is None:
        raise ValueError("expected -n, or a game tree with --policy FILE, got neither")
    if of_losses and options.against is not None:
        raise ValueError("--emit losses takes no --against: it is about best responses")
    game = options.game
    names = measurable(game)
    policies = options.policy.split(",") if options.policy is not None else names
    against = options.against.split(",") if options.against is not None else [*names, BEST]
    opponents = [] if of_losses else against
    if BEST in policies:
        raise ValueError(f"{BEST!r} is an opponent, expected policies, got {options.policy!r}")
    writes = not has_layers(options.folder, game)
    kind, bar = options.kind_of_numbers(options.arithmetic, writes=writes), progress_bar()
    players: dict[str, Behavioural] = {}
    with optional("openspiel", "a policy in a file"):
        for name in policies + opponents:
            if name.removesuffix(":2").endswith(".json"):
                from gops_exact.exchange.openspiel_policies import read_player

                players[name] = read_player(name, game)
            elif name != BEST:
                player = policy(name, game, arithmetic=kind, progress=bar, force=options.force)
                players[name] = behavioural(player, game)
    chosen = [players[name] for name in policies]
    if not of_losses:
        met = [players.get(name, BEST) for name in opponents]
        results = measurements(game, chosen, met, progress=bar, force=options.force)
        options.write_records(COLUMNS, results, measurements_table)
        return
    solving = solver("exact", game, force=options.force)
    states = ANY if options.force else STATES
    top = options.top or TOP
    costly = (
        (player.name, loss)
        for player in chosen
        for loss in losses(player, game, solver=solving, states=states, progress=bar)[:top]
    )
    options.write_records({}, costly, partial(losses_table, game.rules))
