"""A page for every command, made from its parser."""  # noqa: INP001  # a Sphinx extension, not a package

import re
from argparse import Action
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from gops_exact.commands import COMMANDS, SCRIPT, module_of
from gops_exact.commands.options import parser_of

MARKUP = re.compile(r"([\\`*|<>@]|_(?!\w))")
"""Characters that would begin markup, or make an address of e-mail of the name of a position."""

OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
"""The name of an option within a text."""


def write_pages(app: Sphinx) -> None:
    """Write the pages and a table of them into the folder ``commands``, where they changed.

    Files that are as they should be are left alone: Sphinx would read them again.
    """
    folder = app.srcdir / "commands"
    folder.mkdir(exist_ok=True)
    files = {f"{name}.rst": command_lines(name) for name in COMMANDS} | {"table.txt": table_lines()}
    for old in {file.name for file in folder.iterdir()} - files.keys():
        (folder / old).unlink()
    for name, lines in files.items():
        file, text = Path(folder, name), "\n".join(lines)
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, encoding="utf-8")


def table_lines() -> Iterator[str]:
    """Yield a table of all commands, for the page ``commands``."""
    yield from (".. list-table::", "   :widths: auto", "")
    for name, text in COMMANDS.items():
        yield from (f"   * - :doc:`{name} <commands/{name}>`", f"     - {marked(text)}")
    yield from (
        "",
        ".. toctree::",
        "   :hidden:",
        "",
        *(f"   commands/{name}" for name in COMMANDS),
    )


def command_lines(name: str) -> Iterator[str]:
    """Yield the page of a command: what it does, examples, its options by group."""
    module, parser = module_of(name), parser_of(name)
    yield from titled(name, "=")
    yield from (marked(" ".join(str(parser.description).split())), "")
    for words, text in module.EXAMPLES.items():
        yield from (f"{marked(text[0].upper() + text[1:])}:", "", ".. code-block:: console", "")
        yield from (f"   $ {parser.prog} {words}", "")
    yield from (f".. program:: {SCRIPT} {name}", "")
    for group in parser._action_groups:  # noqa: SLF001  # there is no other list of them
        if group._group_actions:  # noqa: SLF001  # same
            yield from titled((group.title or "options").capitalize(), "-")
        for action in group._group_actions:  # noqa: SLF001  # same
            yield from (f".. option:: {called(action)}", "", f"   {marked(action.help or '')}", "")


def called(action: Action) -> str:
    """Return an option as it is typed, with a word for its value."""
    value = "" if action.nargs == 0 else str(action.metavar or action.dest)
    return ", ".join(f"{option} {value}".strip() for option in action.option_strings) or value


def marked(text: str) -> str:
    """Return a text in which nothing is markup but the names of options."""
    return OPTION.sub(r"``\g<0>``", MARKUP.sub(r"\\\1", text))


def titled(text: str, line: str) -> tuple[str, ...]:
    """Return the lines of a heading."""
    return (text, line * len(text), "")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before any is read."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
