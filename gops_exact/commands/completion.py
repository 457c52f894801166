"""``gops_exact completion``: a script that completes the program's commands in a shell."""

import sys
from argparse import ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import gops_exact.commands
from gops_exact.commands import first_move

DESCRIPTION = "Print a script that completes the commands and options of gops-exact in a shell."

SHELLS = ("bash", "zsh", "tcsh")
PROGRAM = "gops-exact"
"""The script that pip installs: shells complete by the name of a program."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or tcsh")


def run(given: Namespace) -> int:
    """Print the script.

    Raises:
        ValueError: if shtab is not installed.
    """
    try:
        import shtab
    except ImportError as error:
        raise ValueError("completion needs shtab: pip install 'gops-exact[completion]'") from error
    parser = whole_parser()
    for each in parsers(parser):
        # argparse has no other list of what a parser was given.
        for action in each._actions:  # noqa: SLF001
            if action.type is Path or action.metavar in ("FILE", "FOLDER"):
                action.complete = shtab.FILE  # type: ignore[attr-defined]  # shtab's own mark
    sys.stdout.write(f"{shtab.complete(parser, given.shell).rstrip()}\n")
    return 0


def whole_parser() -> ArgumentParser:
    """Return one parser of all commands, with the options of the default command at the top."""
    parser = ArgumentParser(prog=PROGRAM)
    first_move.add_arguments(parser)
    parser.add_argument("--version", action="version", version="")
    chosen = parser.add_subparsers()
    for found in iter_modules(gops_exact.commands.__path__):
        module = import_module(f"{gops_exact.commands.__name__}.{found.name}")
        if hasattr(module, "DESCRIPTION"):
            name = found.name.replace("_", "-")
            module.add_arguments(chosen.add_parser(name, help=module.DESCRIPTION))
    return parser


def parsers(parser: ArgumentParser) -> list[ArgumentParser]:
    """List the parser and those of its commands."""
    choices = [action.choices or {} for action in parser._actions if action.nargs == "A..."]  # noqa: SLF001  # as above
    return [parser, *(each for commands in choices for each in dict(commands).values())]
