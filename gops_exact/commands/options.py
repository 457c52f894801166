"""The parser of a command, arguments that several commands take, and where output goes."""

import os
import sys
from argparse import (
    Action,
    ArgumentError,
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, Literal, NoReturn, TextIO, get_args

from gops_exact.base.arguments import MOST_JOBS, install, printable, shown
from gops_exact.base.machine import available_cores
from gops_exact.base.progress import COMPILE_SECONDS, close_bars, span
from gops_exact.base.writing import make_folder, written_whole
from gops_exact.commands import DEFAULT, module_of, program
from gops_exact.game.game import Game
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import (
    LONGEST_CARD,
    OBJECTIVES,
    ORDERS,
    PLAIN,
    TIES,
    Prizes,
    Rules,
    parse_cards,
)
from gops_exact.solvers.arithmetic import SHORTHAND, Arithmetic, Exact, Float, Residue
from gops_exact.solvers.store import StoreLocation

EXACT_OR_FLOAT = (Exact.name, Float.name)
"""The arithmetics of players and of chances."""

KEPT = "what is finished is kept"
"""The argument of a KeyboardInterrupt after which the same command would go on."""

STORE_DEFAULT = "(default: $GOPS_EXACT_STORE or a file in the user's cache directory)"


def integer(least: int, most: int) -> Callable[[str], int]:
    """Return a parser of an integer from `least` to `most` in plain decimal digits."""

    def parse(text: str) -> int:
        digits = text.removeprefix("-") if least < 0 else text
        is_short = digits.isascii() and digits.isdigit() and len(digits) <= len(str(most))
        if is_short and least <= int(text) <= most:
            return int(text)
        raise ArgumentTypeError(
            f"expected an integer from {shown(least)} to {shown(most)}, got {text!r}"
        )

    return parse


def integers(least: int, most: int) -> Callable[[str], list[int]]:
    """Return a parser of integers from `least` to `most`, separated by commas."""
    parse = integer(least, most)
    return lambda text: [parse(word) for word in text.split(",")]


Group = Literal["game", "numbers", "output", "keeping values", "running", "help"]
GROUPS: tuple[Group, ...] = get_args(Group)
"""The groups of options in the help of a command, in their order."""

FILES = ("FILE", "TABLE.csv")
"""Metavariables of files."""

SUFFIXES = {".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex", ".txt": "text"}
"""The formats that the ends of names stand for."""

SAME = {"text": "decimals", "decimals": "text"}
"""The two names of the format for people."""

OUTPUTS = ("out", "transcript")
"""The options that name a file to be written."""

SHARED: dict[str, tuple[Group, str, str, dict[str, Any]]] = {
    "--force": ("running", "", "allow a run that takes hours", {}),
    "--jobs": (
        "running",
        "J",
        "number of processes (default: all cores where that is faster)",
        {"type": integer(1, MOST_JOBS)},
    ),
    "--out": (
        "output",
        "FILE",
        "write to this file, which appears only when it is complete",
        {"type": Path},
    ),
    "--prime": (
        "numbers",
        "P",
        "the modulus of residues (default: 2^61 - 1)",
        {"type": integer(2, 2**64 - 1)},
    ),
    "--store": ("keeping values", "FILE", f"the store {STORE_DEFAULT}", {}),
}
"""The options that :meth:`Parser.share` declares: {option: (group, metavar, help, more of argparse)}."""

PRIZES = (
    "random; hidden: turned up after the bids; ascending, descending, or the prizes in order, such as "
    "3,1,2: an order that both players know"
)
"""The help on the prizes of a whole game."""


class Parser(ArgumentParser):
    """The parser of a command, which raises where the original prints its usage and exits.

    Its examples are given as (arguments, what they ask for).
    """

    def __init__(
        self, prog: str, description: str = "", examples: Iterable[tuple[str, str]] = ()
    ) -> None:
        width = max(get_terminal_size().columns - 2, 11)  # as argparse has it for options
        shown = [f"  {f'{prog} {words}'.rstrip()}\n      {text}" for words, text in examples]
        super().__init__(
            prog=prog,
            description="\n".join(fill(line, width) for line in description.splitlines()),
            epilog="\n".join(["examples:", *shown]) if shown else None,
            allow_abbrev=False,
            add_help=False,
            formatter_class=RawDescriptionHelpFormatter,
        )
        self.groups = {title: self.add_argument_group(title) for title in GROUPS}
        self.groups["help"].add_argument(
            "-h", "--help", action="help", help="print this help and exit"
        )

    def read(self, words: list[str]) -> Namespace:
        """Parse a command line; an output must not replace another file that it names.

        Where no format is named, the end of the output's name says which.
        """
        options = self.parse_args(words)
        emit: Action | None = self._option_string_actions.get("--emit")
        named = any(word.partition("=")[0] == "--emit" for word in words)
        if emit is not None and not named and getattr(options, "out", None) is not None:
            options.emit = self.same(
                emit, SUFFIXES.get(options.out.suffix, options.emit), options.emit
            )
        files: dict[Action, set[str]] = {}  # behind all links
        for action in self._actions:
            value = getattr(options, action.dest, None) or ""
            names = value if isinstance(value, list) else str(value).split(",")
            paths = (str(name).removesuffix(":2") for name in names)  # of policies, as in measure
            files[action] = {
                os.path.realpath(path)
                for path in paths
                if ((path and action.metavar in FILES) or path.endswith(".json"))
                and "\0" not in path
            }
        for out in (action for action in files if action.dest in OUTPUTS):
            others = (paths for action, paths in files.items() if action is not out)
            for path in files[out].intersection(chain(*others)):
                raise ValueError(
                    f"--{out.dest}: expected another file than the command reads, got {path!r}"
                )
        return options

    def same(self, action: Action, value: str, otherwise: str) -> str:
        """Return the choice that a format stands for; some commands call it by another name."""
        names = (value, SAME.get(value, value))
        return next((name for name in names if name in (action.choices or ())), otherwise)

    def _print_message(self, message: str, file: Any = None) -> None:  # noqa: ANN401  # as there
        """Print the help or the version; the original says nothing where the disk is full."""
        print(message, end="", file=file, flush=True)

    def error(self, message: str) -> NoReturn:
        """Raise a ValueError."""
        raise ValueError(message.removeprefix("argument "))

    def _get_values(self, action: Action, arg_strings: list[str]) -> Any:  # noqa: ANN401  # as there
        if "" in arg_strings and action.metavar in (*FILES, "DIR"):  # a path would take it for "."
            raise ArgumentError(action, "expected the name of a file or a folder, got ''")
        # Python before 3.13 takes "--" for the end of the options even in "--option=--".
        if action.option_strings and arg_strings == ["--"]:
            value = self._get_value(action, "--")
            self._check_value(action, value)
            return value
        if action.dest == "emit":
            arg_strings = [self.same(action, name, name) for name in arg_strings]
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: Action, value: Any) -> None:  # noqa: ANN401  # same
        if action.choices is not None and value not in action.choices:
            raise ArgumentError(
                action, f"expected one of {', '.join(action.choices)}, got {value!r}"
            )

    def add(
        self,
        group: Group,
        options: str,
        metavar: str,
        text: str,
        default: object = None,
        **how: Any,  # noqa: ANN401  # of argparse
    ) -> None:
        """Declare an option; one whose value has no name is a flag. Its help ends with the default."""
        how |= {"metavar": metavar, "default": default} if metavar else {"action": "store_true"}
        shown = text if default is None else f"{text} (default: {default})"
        self.groups[group].add_argument(*options.split(), help=shown, **how)

    def share(self, *options: str, **how: Any) -> None:  # noqa: ANN401  # same
        """Declare options that mean the same in several commands."""
        for option in options:
            group, metavar, text, kind = SHARED[option]
            self.add(group, option, metavar, text, **kind | how)

    def add_n(
        self,
        least: int = 1,
        most: int = LONGEST,
        text: str = "cards a side",
        default: int | None = None,
        *,
        required: bool = True,
    ) -> None:
        """Declare ``-n`` and ``--n``, from `least` to `most`."""
        required = required and default is None
        self.add("game", "-n --n", "N", text, default, type=integer(least, most), required=required)

    def add_rules(
        self,
        objectives: Sequence[str] = OBJECTIVES,
        prizes: str = PRIZES,
        *,
        left: bool = False,
        deck: bool = False,
    ) -> None:
        """Declare ``--objective``, the usual one of the `objectives` first, ``--ties`` and ``--prizes``.

        `prizes` is the help on the prizes; `left` says that those left are named, and none by default.
        With `deck`, ``--deck``, too.
        """
        goals = "points: the difference in points; win: only who has more"
        self.add("game", "--objective", "GOAL", goals, objectives[0], choices=objectives)
        ties = (
            "a prize on which both bid the same: discard, nobody gets it; carryover, it is added to "
            "the next one"
        )
        self.add("game", "--ties", "RULE", ties, PLAIN.ties, choices=TIES)
        self.add("game", "--prizes", "ORDER", prizes, None if left else PLAIN.prizes)
        if deck:
            named = "the prizes where they are not 1 … N, such as 0,1,2,3 (default: 1 … N)"
            self.add("game", "--deck", "PRIZES", named)


def parser_of(command: str) -> Parser:
    """Return the parser of a command, with its description, groups of options and examples."""
    module = module_of(command)
    called = program() if command == DEFAULT else f"{program()} {command}"
    description = " ".join(str(module.__doc__).partition("\n\n")[0].split())
    parser = Parser(called, description, module.EXAMPLES.items())
    module.add_arguments(parser)
    return parser


def arithmetic_of(options: Namespace, kind: str, *, kept: bool = False) -> Arithmetic:
    """Return the arithmetic of that name with its options on the command line.

    With `kept`, floats are to be kept in their folder, which is then made.
    """
    for name, goes in {"folder": Float.name, "integers": Float.name, "prime": Residue.name}.items():
        if getattr(options, name, None) is not None and kind != goes:
            raise ValueError(f"--{name} goes with --arithmetic {goes}, got it with {kind}")
    if kind == Float.name:
        return Float(writable_folder(options.folder) if kept else options.folder)
    arithmetic = SHORTHAND[kind]
    values = {field.name: getattr(options, field.name) for field in fields(arithmetic)}
    return arithmetic(**{name: value for name, value in values.items() if value is not None})


def rules_of(options: Namespace) -> Rules:
    """Return the rules named on the command line."""
    order: str | Prizes = options.prizes
    if order not in ORDERS:
        try:
            order = parse_cards(options.prizes)
        except ValueError:
            raise ValueError(
                f"--prizes: expected {', '.join(ORDERS)} or the prizes in order, as 3,1,2, each of "
                f"at most {LONGEST_CARD} digits, got {options.prizes!r}"
            ) from None
    return Rules(options.objective, options.ties, order)


def game_of(options: Namespace) -> Game:
    """Return the whole game named on the command line."""
    deck = getattr(options, "deck", None)  # an option of those commands that play any
    return Game(options.n, rules_of(options), () if deck is None else parse_cards(deck))


def store_path(name: str | None) -> Path:
    """Return the file of the store that a user names, which has to be there."""
    path = StoreLocation.of(name).path
    if path is None:
        raise ValueError("--store: expected a file, got ':memory:'")
    with suppress(OSError):  # no name of a file
        if path.is_file():
            return path
    raise ValueError(
        f"--store: expected a file that is there, as first-move leaves one, got {str(path)!r}"
    )


def announce(core_seconds: float, jobs: int | None = 1) -> None:
    """Say on a terminal how long a run takes at most, if that is minutes; `jobs` None for all cores."""
    cores = min(jobs or MOST_JOBS, available_cores())
    if core_seconds >= 60 * cores and sys.stderr.isatty():
        print(f"up to {on_cores(core_seconds, cores)}", file=sys.stderr)


def announce_floats(needs: str) -> None:
    """Print to stderr what a float run needs, and the time to compile the kernels if they are not compiled yet."""
    print(printable(needs), file=sys.stderr)
    from gops_exact.solvers.floats.kernels import is_compiled  # only now: they take a while to load
    from gops_exact.solvers.floats.kernels.assemble import sweep_types
    from gops_exact.solvers.floats.kernels.settle import settle_game

    if not (is_compiled(sweep_types) and is_compiled(settle_game)):
        seconds = on_cores(COMPILE_SECONDS, 1)
        print(f"and, this once, about {seconds} to compile the kernels", file=sys.stderr)


def on_cores(core_seconds: float, cores: int) -> str:
    """Return in words how long a run takes on so many cores.

    >>> on_cores(600, 2)
    '5 min on 2 cores'
    """
    return f"{span(core_seconds / cores)} on {cores} core{'s' if cores > 1 else ''}"


@contextmanager
def resumable(keeps: object) -> Iterator[None]:
    """Let an interrupt say that the same command will go on, if the block `keeps` what it has finished."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(KEPT) if keeps else error from None


@contextmanager
def extra(name: str, option: str) -> Iterator[None]:
    """Name the extra that installs a package, needed by `option`, that the block cannot import."""
    try:
        yield
    except ImportError as error:
        message = f"{option}: a package is missing, which comes with {install(name)}"
        raise ValueError(message) from error


@contextmanager
def output(out: Path | None, option: str = "--out", *, binding: bool = False) -> Iterator[TextIO]:
    """Open stdout, a stream named as in ``/dev/stderr``, or a file in UTF-8 that appears once it is complete.

    Args:
        out: the name; None for stdout.
        option: the option that named it, for messages. After ``--out`` a terminal is told that the file is there.
        binding: write UTF-8 to a stream, too.
    """
    if out is None or str(out) in STREAMS:
        stream = sys.stdout if out is None else getattr(sys, STREAMS[str(out)])
        if isinstance(stream, TextIOWrapper):  # the same bytes on every system
            stream.reconfigure(encoding="utf-8" if binding else None, newline="\n")
        yield stream
        return
    with written_whole(out, option) as file:
        yield file
    if option == "--out" and sys.stderr.isatty():
        close_bars()
        print(f"{printable(str(out))} is written", file=sys.stderr)


STREAMS = {
    f"{folder}{name}": stream
    for stream, number in (("stdout", 1), ("stderr", 2))
    for folder, name in (("/dev/", stream), ("/dev/fd/", number), ("/proc/self/fd/", number))
}
"""Streams by path. They are written to directly: renaming a finished file would replace them."""


def writable_folder(folder: Path | None) -> Path | None:
    """Return the folder that a user names, if any; it is made if it is missing."""
    if folder is not None:
        make_folder(folder, "--folder")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise ValueError(
                f"--folder: expected a folder that can be written, got {str(folder)!r}"
            )
    return folder
