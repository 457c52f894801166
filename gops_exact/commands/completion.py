"""Print a script that completes the commands and options of gops-exact in a shell."""

import sys
from pathlib import Path

from gops_exact.commands import COMMANDS, SCRIPT, first_move, module_of
from gops_exact.commands.options import Options, Parser, extra
from gops_exact.game.rules import ORDERS
from gops_exact.players.catalogue import MAKERS
from gops_exact.players.measure import BEST

EXAMPLES = {"bash": "the script for bash"}

SHELLS = ("bash", "zsh", "fish", "tcsh")
WORDS = {"prizes": ORDERS, "policy": (*MAKERS,), "against": (*MAKERS, BEST)}
"""{option: the words offered for completion}. These options take other words as well."""


def add_arguments(parser: Parser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def run(options: Options) -> None:
    with extra("completion", "completion"):
        import shtab
    whole, *others = parsers()
    for parser in (whole, *others):
        for action in parser._actions:  # noqa: SLF001  # argparse has no public list
            if action.dest in WORDS and action.choices is None:
                action.choices = WORDS[action.dest]  # shtab offers choices as completions
            elif action.metavar == "DIR":
                action.complete = shtab.DIR  # type: ignore[attr-defined]  # an attribute for shtab
            elif action.type is Path or action.metavar == "FILE":
                action.complete = shtab.FILE  # type: ignore[attr-defined]  # an attribute for shtab
    sys.stdout.write(f"{shtab.complete(whole, options.shell).rstrip()}\n")


def parsers() -> list[Parser]:
    """Return the parser of the default command, which has all commands as subcommands, and their parsers."""
    whole = Parser(SCRIPT)  # a shell finds completions by the script's name
    first_move.add_arguments(whole)
    whole.add_argument("--version", action="version", version="")
    commands = whole.add_subparsers()
    parsers = [whole]
    for name, line in COMMANDS.items():
        parsers.append(commands.add_parser(name, help=line))
        module_of(name).add_arguments(parsers[-1])
    return parsers
