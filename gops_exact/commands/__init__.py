"""The commands, a module each.

A module has a ``DESCRIPTION``, ``add_arguments(parser)`` and ``run(given)``, which returns the exit
status, None for 0.
"""

from importlib import import_module
from types import ModuleType

DEFAULT = "first-move"
COMMANDS = (
    *(DEFAULT, "completion", "cross-check", "explore", "export", "growth", "measure", "outcomes"),
    *("patterns", "play", "store", "tournament", "verify"),
)


def module_of(command: str) -> ModuleType:
    """Import the module of a command."""
    return import_module(f"{__name__}.{command.replace('-', '_')}")
