"""``gops-exact serve``: the explorer of up to thirteen cards, and positions for scripts."""

import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from gops_exact.arguments import install
from gops_exact.commands.arguments import Parser, integer, rules_of
from gops_exact.commands.play import game_in_floats
from gops_exact.cost import Run
from gops_exact.game.game import Game
from gops_exact.game.rules import Rules
from gops_exact.layers.files import LayerFile
from gops_exact.pools import available_cores
from gops_exact.progress import span
from gops_exact.serve import ADDRESS, MOST_MEMORY, Answers, application, listening, serve
from gops_exact.show.explorer import served_page
from gops_exact.solutions.arithmetic import Float

DESCRIPTION = (
    "Serve a game in floats with proved radii, to this machine only: a page to explore and play it in "
    "a browser, and /solve, where scripts can ask about any position."
)
EXAMPLES = {
    "-n 9": "nine cards at http://127.0.0.1:8013/",
    "-n 13 --folder floats": "a full suit: computed once, in 80 seconds on two cores; 1.3 GB",
}

MOST_CARDS, PORT = 13, 8013


def add_arguments(parser: Parser) -> None:
    """Declare the arguments of the command."""
    parser.add_n(most=MOST_CARDS)
    parser.add_rules()
    port = "the port of 127.0.0.1 to listen on; 0 for any free one"
    parser.add("output", "--port", "PORT", port, PORT, type=integer(0, 65535))
    parser.add_folder(
        "keep the values in files in this folder, or use those in it; if it has the highest layer of "
        "the game, missing lower layers are solved on request"
    )
    parser.add_force()


def run(given: Namespace) -> None:
    """Solve the game and serve it."""
    if not (find_spec("starlette") and find_spec("uvicorn")):
        raise ValueError(f"serve needs starlette and uvicorn: {install('serve')}")
    rules = rules_of(given)
    game = Game(given.n, rules)
    with listening(given.port) as opened:
        if sys.stderr.isatty():
            print(_needs(given.n, rules, given.folder), file=sys.stderr)
        answers = Answers(
            game_in_floats(game, given.folder, memory_bytes=MOST_MEMORY, force=given.force)
        )
        answers.document(game.start)  # opens the layers, and compiles
        app = application(answers.document, served_page(given.n, [rules]))
        print(f"http://{ADDRESS}:{opened.getsockname()[1]}/ (Ctrl-C ends it)", flush=True)
        serve(app, opened)


def _needs(n: int, rules: Rules, folder: Path | None) -> str:
    """Say what the start takes."""
    if folder is not None and LayerFile.is_finished(folder, Game(n, rules)):
        return f"{n} cards, {rules}: from {folder}"
    estimate, cores = Run(Game(n, rules)).estimate(Float()), available_cores()
    return (
        f"{n} cards, {rules}: {estimate.kept / 1e6:,.1f} MB of values in {folder or 'memory'}, up to "
        f"{span(estimate.seconds / cores)} on {cores} core{'s' if cores > 1 else ''}"
    )
