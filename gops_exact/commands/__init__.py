"""The commands, a module each.

A module has a ``DESCRIPTION``, ``EXAMPLES`` as {arguments: what they ask for},
``add_arguments(parser)`` and ``run(given)``, which returns the exit status, None for 0.
"""

from importlib import import_module
from types import ModuleType

from gops_exact.commands.arguments import Parser
from gops_exact.program import program

DEFAULT = "first-move"
COMMANDS = {
    DEFAULT: "solve a game and print its optimal first moves",
    "position": "solve one position",
    "outcomes": "compute how often a game played to win is won and drawn",
    "play": "play at the terminal against any policy",
    "explore": "write a solved game as a page to explore and play",
    "serve": "explore and play a game of up to 13 cards in a browser",
    "measure": "compute what policies expect against each other, exactly",
    "benchmark": "train algorithms of OpenSpiel and measure them",
    "tournament": "play a round robin of policies with many seeds",
    "verify": "verify a store or emitted files independently",
    "cross-check": "compare every float value with the exact one",
    "growth": "print how long the exact numbers of a game are",
    "patterns": "check remarks in the literature on first moves",
    "export": "write games for Gambit, OpenSpiel and data frames",
    "store": "list, check or clear the values kept between runs",
    "completion": "print a script that completes commands in a shell",
}
"""The commands, each with a one-line description."""


def module_of(command: str) -> ModuleType:
    """Import the module of a command."""
    return import_module(f"{__name__}.{command.replace('-', '_')}")


def parser_of(command: str) -> Parser:
    """Return the parser of a command, with its description, groups of options and examples."""
    module = module_of(command)
    called = program() if command == DEFAULT else f"{program()} {command}"
    parser = Parser(called, module.DESCRIPTION, module.EXAMPLES)
    module.add_arguments(parser)
    return parser
