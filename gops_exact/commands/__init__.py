"""The program: its name in messages, its commands, and the handler of signals while modules are loaded.

The program's entry point loads this package first and then sets the handler. An interrupt that comes earlier prints a
traceback, so this file imports as little as possible, to be loaded quickly.

A command is a module of this package. The first paragraph of its docstring is the description in its help.
The module has ``EXAMPLES``, {arguments: description}; ``add_arguments(parser)``; and ``run(options)``, which
returns the exit status, or None for 0.
"""

import os
import signal
import sys
from importlib import import_module
from types import ModuleType

from gops_exact.base.machine import require_address_space

DEFAULT = "first-move"
COMMANDS = {
    DEFAULT: "solve a game and print its optimal first moves",
    "position": "solve one position",
    "solve": "solve any matrix game, game tree or position, by name or from a file",
    "hidden-bids": "solve the game with hidden bids",
    "outcomes": "compute how often a game played to win is won and drawn",
    "play": "play at the terminal against any policy",
    "review": "compute the costs of the bids of a game played elsewhere",
    "explore": "write a solved game as a page to explore and play",
    "serve": "explore and play a game of up to 13 cards in a browser",
    "measure": "compute what policies expect against each other, exactly",
    "verify": "verify a store or emitted files independently",
    "cross-check": "compare float values with the exact ones",
    "export": "write games for Gambit, OpenSpiel and data frames",
    "store": "list, check or clear the values kept between runs",
}
"""{command: one-line description}."""

ADDRESS_SPACE = 256 * 10**6
"""Least address space, in bytes, with which the program runs. With less, threads fail to start, pools of processes
wait for ever, and libraries cannot be loaded."""

SCRIPT = "gops-exact"
"""Name of the script that pip installs."""

INTERRUPTED = "interrupted"
"""Message at the end of a run that a signal has ended."""


def program() -> str:
    """Return the command that started the program, which help and messages quote."""
    module = sys.argv[0].replace(os.sep, "/").split("/")[-2:] == ["gops_exact", "__main__.py"]
    return "python -m gops_exact" if module else SCRIPT


def end_at_once(number: int, _frame: object = None) -> None:
    """End the process at once, with one line on stderr. This is the handler of signals while modules are loaded."""
    try:
        os.write(2, f"{program()}: {INTERRUPTED}\n".encode())
    finally:  # stderr may be closed
        os._exit(128 + number)


def unhandled() -> list[signal.Signals]:
    """Return the signals for which the program sets its own handlers, which end the program with a message.

    These are the usual signals of interruption that this system has. A signal is left out if it is ignored, as SIGHUP
    is under nohup, or if code that calls this program has set a handler for it. Worker processes need no handlers,
    because they end when their parent ends.
    """
    names = ("SIGHUP", "SIGINT", "SIGTERM", "SIGBREAK")
    known: list[signal.Signals] = [getattr(signal, name) for name in names if hasattr(signal, name)]
    ours = (signal.SIG_DFL, signal.default_int_handler, end_at_once)
    return [number for number in known if signal.getsignal(number) in ours]


def set_up() -> None:
    """Set handlers of signals for the time in which modules are loaded, and check the address space.

    Raises:
        MemoryError: if there is less address space than the program needs.
    """
    for number in unhandled():
        signal.signal(number, end_at_once)
    require_address_space(ADDRESS_SPACE, "processes and their threads")


def module_of(command: str) -> ModuleType:
    return import_module(f"{__name__}.{command.replace('-', '_')}")
