"""Print a script that completes the commands and options of gops-exact in a shell."""

import sys
from argparse import Namespace
from pathlib import Path

from gops_exact.commands import COMMANDS, SCRIPT, first_move, module_of
from gops_exact.commands.options import Parser, extra
from gops_exact.game.rules import ORDERS
from gops_exact.players.catalogue import MAKERS
from gops_exact.players.measure import BEST

EXAMPLES = {"bash": "the script for bash"}

SHELLS = ("bash", "zsh", "fish", "tcsh")
WORDS = {"prizes": ORDERS, "policy": (*MAKERS,), "against": (*MAKERS, BEST)}
"""Words to complete where others can be typed as well, by option."""


def add_arguments(parser: Parser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def run(options: Namespace) -> None:
    with extra("completion", "completion"):
        import shtab
    whole, *others = parsers()
    for parser in (whole, *others):
        for action in parser._actions:  # noqa: SLF001  # there is no other list of them
            if action.dest in WORDS and action.choices is None:
                action.choices = WORDS[action.dest]  # the first of what can be typed there
            elif action.metavar == "DIR":
                action.complete = shtab.DIR  # type: ignore[attr-defined]  # shtab's own mark
            elif action.type is Path or action.metavar == "FILE":
                action.complete = shtab.FILE  # type: ignore[attr-defined]  # same
    sys.stdout.write(f"{shtab.complete(whole, options.shell).rstrip()}\n")


def parsers() -> list[Parser]:
    """Return a parser of the default command and all others, followed by the parsers of those."""
    whole = Parser(SCRIPT)  # shells complete by the name of a program
    first_move.add_arguments(whole)
    whole.add_argument("--version", action="version", version="")
    commands = whole.add_subparsers()
    parsers = [whole]
    for name, line in COMMANDS.items():
        parsers.append(commands.add_parser(name, help=line))
        module_of(name).add_arguments(parsers[-1])
    return parsers
