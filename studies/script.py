"""The command line of a script: options as those of the program, errors in one line, exit status 2 for wrong input."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gops_exact.commands.options import Options, Parser, integer


def run_script(
    path: str,
    description: str,
    add_arguments: Callable[[Parser], None],
    run: Callable[[Options], None],
    words: list[str],
) -> int:
    """Run a script with the words of its command line; return the exit status.

    Args:
        path: the file of the script; messages begin with its name.
        description: the docstring of the script; help shows its first paragraph.
        add_arguments: declares the options.
        run: does the work, with the options read.
        words: the words of the command line.
    """
    name = Path(path).name
    parser = Parser(name, description.partition("\n\n")[0].replace("\n", " "))
    add_arguments(parser)
    try:
        run(parser.read(words))
    except ValueError as error:
        print(f"{name}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0


def integers(least: int, most: int) -> Callable[[str], list[int]]:
    """Return a function that parses integers from `least` to `most`, separated by commas."""
    parse = partial(integer, least, most)
    return lambda text: [parse(word) for word in text.split(",")]
