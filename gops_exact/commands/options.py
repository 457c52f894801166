"""Parser of a command, options that several commands have, and output to streams and files.

A *store* is a file of computed values of positions and of first moves. An *arithmetic* is a kind of number: exact
fractions, decimals of which every digit is proved, or floats with a proved bound on the error.
"""

import argparse
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from difflib import get_close_matches
from functools import partial
from io import TextIOWrapper
from itertools import pairwise
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TextIO, TypeVar, get_args

from gops_exact.base import progress
from gops_exact.base.arguments import LARGEST, MOST_DIGITS, MOST_JOBS, install, shown
from gops_exact.base.documents import named, read_text
from gops_exact.base.formats import ENDINGS, FORMATS
from gops_exact.base.progress import close_bars, note, progress_bar, span
from gops_exact.base.store import MEMORY, store_path
from gops_exact.base.writing import LINES, make_folder, written_whole
from gops_exact.commands import COMMANDS, DEFAULT, module_of, program
from gops_exact.game.game import FIXED, Game, Position
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import OBJECTIVES, ORDERS, PLAIN, TIES, Prizes, Rules, parse_cards
from gops_exact.numbers.table import TABLE_FORMATS, Shown, Table, terminal_width
from gops_exact.solvers.arithmetic import SHORTHAND, Arithmetic, Exact, Float

if TYPE_CHECKING:
    from gops_exact.extensive import Equilibrium, GameTree

Record = TypeVar("Record")

EXACT_OR_FLOAT = (Exact.name, Float.name)
"""Names of the two kinds of number that ``--arithmetic`` accepts in the commands play, review, measure and export."""

CHOSEN = "exact or float (default: exact where that takes at most minutes, otherwise float)"
"""Help on ``--arithmetic`` in commands that, without this option, choose exact numbers or floats themselves."""

USED_FOLDER = "float arithmetic: use the values of whole games in this folder, if it has them"
"""Help on ``--folder`` in commands that read float values of whole games from the folder but write none."""

KEPT = "what is finished is kept"
"""Advice after an interrupt if the same command would resume the run. It is the argument of the KeyboardInterrupt, and
is printed for the user."""

UNKEPT = "nothing is kept; with --folder DIR what is finished would be"
"""Advice after an interrupt of a float run whose work is lost, since ``--folder`` is missing. It is the argument of the
KeyboardInterrupt, and is printed for the user."""

STORE_DEFAULT = "(default: $GOPS_EXACT_STORE or a file in the user's cache directory)"


def integer(least: int, most: int, text: str) -> int:
    """Convert the value of an option to an integer.

    Args:
        least: the least integer that is allowed.
        most: the greatest integer that is allowed.
        text: the value as it is typed.

    Raises:
        ArgumentTypeError: if `text` is no such integer; argparse reports the error with the name of the option.
    """
    with suppress(ValueError):
        if text.isascii() and least <= int(text) <= most:
            return int(text)
    raise argparse.ArgumentTypeError(
        f"expected an integer from {shown(least)} to {shown(most)}, got {text!r}"
    )


def one_of(choices: Collection[str], text: str) -> str:
    """Return the value of an option, `text`, if it is one of `choices`.

    Raises:
        ArgumentTypeError: if `text` is none of them; argparse reports the error with the name of the option.
    """
    if text in choices:
        return text
    near = did_you_mean(text, choices)
    raise argparse.ArgumentTypeError(f"expected one of {', '.join(choices)}, got {text!r}{near}")


Group = Literal["game", "numbers", "output", "keeping values", "running", "help"]
GROUPS: tuple[Group, ...] = get_args(Group)
"""Headings of the groups of options in the help of a command, in the order of printing."""

FLOATS = f"--arithmetic {Float.name}"
"""The option and value that options about floats go with. With another kind of number these options are refused."""

TABLES = "--emit text latex booktabs markdown"
"""The option and the values without which options about the numbers in tables are refused."""

SHARED: dict[str, tuple[Group, str, str, dict[str, Any]]] = {
    "--arithmetic": (
        "numbers",
        "KIND",
        (
            "exact; ball: decimals of which every digit is proved, for games whose exact numbers are too "
            "long; float: fast, for larger games; each number has a proved radius"
        ),
        {"default": Exact.name, "choices": SHORTHAND},
    ),
    "--emit": (
        "output",
        "FORMAT",
        "text: a table; csv, json, markdown: exact numbers in full",
        {"default": "text", "choices": FORMATS["records"]},
    ),
    "--digits": (
        "output",
        "D",
        "digits after the point of decimals in tables (default: 4)",
        {"between": (0, MOST_DIGITS), "goes_with": TABLES},
    ),
    "--numbers": (
        "output",
        "HOW",
        "exact numbers in tables: as fraction, as decimal or both (default: what is usual in the format)",
        {"choices": ("fraction", "decimal", "both"), "goes_with": TABLES},
    ),
    "--folder": (
        "keeping values",
        "DIR",
        (
            "float arithmetic: keep the values in files in this folder, and use those in it; a run that "
            "was stopped resumes"
        ),
        {"type": Path, "goes_with": FLOATS},
    ),
    "--force": ("running", "", "allow a run that takes hours", {}),
    "-n --n": ("game", "N", "cards a side", {"between": (1, LONGEST), "required": True}),
    "--jobs": (
        "running",
        "J",
        "number of processes (default: all cores where that is faster)",
        {"between": (1, MOST_JOBS)},
    ),
    "--out": (
        "output",
        "FILE",
        "write to this file, which appears only when it is complete; - for standard output",
        {"type": Path},
    ),
    "--refined": (
        "game",
        "",
        "strategies that are optimal at every information set, also after a mistake of either player",
        {"goes_with": "no --seconds"},
    ),
    "--seconds": (
        "running",
        "S",
        (
            "learn strategies for so many seconds of core time in place of solving exactly, and prove how far they "
            "are from an equilibrium"
        ),
        {"between": (1, 10**6)},
    ),
    "--store": ("keeping values", "FILE", f"the store {STORE_DEFAULT}", {}),
}
"""Options that :meth:`Parser.share` declares: {names of the option: (group, metavar, help, other arguments)}."""

PRIZES = (
    "random; hidden: turned up after the bids; ascending, descending, or the prizes in order, such as "
    "3,1,2: an order that both players know"
)
"""Help on ``--prizes`` in commands where the option describes a whole game."""


FILES = ("what", "file", "position", "store", "folder", "lock", "policy", "against")
"""Names of the arguments and options whose values may be names of files, or lists of such names."""

ANSWERS = {"yes": True, "no": False}
"""{value of the option ``--integers``: True to keep values as integers, False to keep them as floats}."""


class Options(argparse.Namespace):
    """Parsed command line: the values of the options, the game that they describe, and the stream for the results."""

    output: TextIO
    """The open file or stream to which results are written: ``--out``, by default stdout."""

    chosen: set[str]
    """Names of the options whose values are not their defaults, without the dashes before the names."""

    @property
    def rules(self) -> Rules:
        """The rules that the options describe.

        Raises:
            ValueError: if ``--prizes`` is neither the name of an order nor a list of prizes.
        """
        order: str | Prizes = self.prizes
        if order not in ORDERS:
            with named(f"--prizes: expected {', '.join(ORDERS)} or the prizes in order, as 3,1,2"):
                order = parse_cards(self.prizes)
        return Rules(self.objective, self.ties, order)

    @property
    def game(self) -> Game:
        """The whole game that the options describe.

        Raises:
            ValueError: if the prizes of ``--prizes`` or ``--deck`` are invalid, or do not fit the number of cards.
        """
        deck = getattr(self, "deck", None)  # some commands do not have this option
        return Game(self.n, self.rules, () if deck is None else parse_cards(deck))

    @property
    def described_position(self) -> Position:
        """The position that the command line names or describes, without the prize of ``--upcard`` turned up.

        Raises:
            ValueError: if there is no such position, or if an option says what the position's name says already.
        """
        if self.position is not None:
            turned = ["upcard"] * ("@" in self.position)
            for option in ("one", "two", "prizes", *turned, "objective", "ties", "margin", "pot"):
                if option in self.chosen:
                    raise ValueError(
                        f"POSITION: expected no --{option} beside it, as it says that as well"
                    )
            return Position.parse(self.position)
        for option in ("one", "two", "prizes"):
            if getattr(self, option) is None:
                what = "prizes left" if option == "prizes" else "cards of a hand"
                raise ValueError(
                    f"--{option}: expected the {what}, as 2,4, or a position by its name, as 2.4_1.3_12.13, got none"
                )
        order, _, left = self.prizes.rpartition(":")
        if left in ORDERS or order not in ("", FIXED, *ORDERS):
            raise ValueError(
                "--prizes: expected the prizes left, as 12,13, or with their order, one of "
                f"{', '.join((*ORDERS, FIXED))}, as hidden:12,13, got {self.prizes!r}"
            )
        prizes = parse_cards(left)
        rules = Rules(
            self.objective, self.ties, prizes if order == FIXED else order or PLAIN.prizes
        )
        one, two = parse_cards(self.one), parse_cards(self.two)
        return Position(one, two, prizes, rules=rules, margin=self.margin, pot=self.pot)

    def kind_of_numbers(self, kind: str, *, writes: bool = False) -> Arithmetic:
        """Return the arithmetic (kind of number) of a given name, with the parameters that the command line has for it.

        Args:
            kind: the name of the arithmetic: ``"exact"``, ``"ball"`` or ``"float"``.
            writes: True if the command will write float values to ``--folder``; a missing folder is then created.

        Raises:
            ValueError: if a parameter is invalid, or if the folder of ``--folder`` cannot be created or written.
        """
        if kind == Float.name:
            folder = writable_folder(self.folder) if writes else self.folder
            return Float(folder, integers=ANSWERS.get(getattr(self, "integers", None) or ""))
        arithmetic = SHORTHAND[kind]
        values = {field.name: getattr(self, field.name) for field in fields(arithmetic)}
        return arithmetic(**{name: value for name, value in values.items() if value is not None})

    @property
    def store_path(self) -> Path:
        """The path of the store: ``--store``, by default the user's store.

        Raises:
            ValueError: if there is no such file, or if the store is ``:memory:``.
        """
        path = store_path(self.store)
        # Path.is_file raises an error if the name is too long.
        if path is None or not os.path.isfile(path):  # noqa: PTH113  # see above
            raise ValueError(
                "--store: expected a file that is there, as first-move leaves one, got "
                f"{str(path or MEMORY)!r}"
            )
        return path

    def solve_tree(self, game: "GameTree") -> "Equilibrium":
        """Solve a game tree as ``--refined``, ``--seconds`` and ``--force`` say."""
        from gops_exact.extensive import approximate, solve_game

        if self.seconds is not None:
            return approximate(game, seconds=self.seconds, progress=progress_bar())
        return solve_game(game, refined=self.refined, force=self.force, progress=progress_bar())

    def judge(self, *conditions: tuple[str, object, str], got: object) -> None:
        """Raise a ValueError for the first option that is chosen although it does not fit the rest of the command line.

        Args:
            conditions: tuples (option, fits, expected). `option` is the name of an option, such as ``"--folder"``,
                which is chosen if its value is not the default; or a name and a value, such as ``"--emit nfg"``, which
                are chosen if the option has this value. `fits` is true if the option may be chosen. `expected` is a
                text for the message: the condition on which the option may be chosen.
            got: the text of the message after "got": what the command line has in place of `expected`.
        """
        for option, fits, expected in conditions:
            name, *value = option.removeprefix("--").split()
            is_chosen = str(getattr(self, name)) in value if value else name in self.chosen
            if is_chosen and not fits:
                raise ValueError(f"{option} goes with {expected}, got {got}")

    def write(self, result: Shown, table: Table | None = None) -> None:
        """Write a result to ``--out`` in the format ``--emit``. Text is fitted to the width of the terminal.

        Args:
            result: the result.
            table: the table to write in place of the result's own; None for the result's own.
        """
        table = result.table() if table is None else table
        options = vars(self)
        chosen = {k: options[k] for k in ("digits", "numbers") if options.get(k) is not None}
        if getattr(self, "played", False):
            chosen["rows"] = [
                row for row in table.rows if any(c and not isinstance(c, str) for c in row[1])
            ]
        table = replace(table, **chosen)
        if self.emit == "text":
            self.output.writelines(table.text(terminal_width(self.output)))
        elif self.emit in TABLE_FORMATS:
            self.output.write(TABLE_FORMATS[self.emit](table))
        else:
            self.output.write(result.emit(self.emit))

    def write_records(
        self,
        columns: Mapping[str, Callable[[Record], object]],
        records: Iterable[Record],
        table: Callable[[list[Record]], Table],
    ) -> None:
        """Write records to ``--out`` in the format ``--emit``.

        The format ``"text"`` is a table of all records. In other formats each record is written as soon as it arrives.

        Args:
            columns: {name: function that returns the field of a record}, for formats other than text.
            records: the records. If the iterator raises an error, the records before it are written.
            table: function that returns the table of all records, for the format ``"text"``.
        """
        if self.emit in LINES:
            self.write_lines(LINES[self.emit](columns, records))
            return
        done: list[Record] = []
        try:
            done.extend(records)
        finally:
            close_bars()
            if done:
                self.output.writelines(table(done).text(terminal_width(self.output)))

    def write_lines(self, lines: Iterable[str]) -> None:
        """Write each line to ``--out`` as soon as `lines` yields it. Progress bars are removed first."""
        for line in lines:
            close_bars()
            self.output.write(line)
            self.output.flush()


class Parser(argparse.ArgumentParser):
    """Parser of a command. It raises a ValueError where argparse would print the usage and exit.

    Args:
        prog: the command as it is typed.
        description: the description of the command in its help.
        examples: examples in the help, as pairs (arguments, description).
    """

    def __init__(
        self, prog: str, description: str = "", examples: Iterable[tuple[str, str]] = ()
    ) -> None:
        width = max(get_terminal_size().columns - 2, 11)  # as in argparse
        shown = [f"  {f'{prog} {words}'.rstrip()}\n      {text}" for words, text in examples]
        super().__init__(
            prog=prog,
            description="\n".join(fill(line, width) for line in description.splitlines()),
            epilog="\n".join(["examples:", *shown]) if shown else None,
            allow_abbrev=False,
            add_help=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.groups = {title: self.add_argument_group(title) for title in GROUPS}
        self.names: list[str] = []  # the names of all options
        self.emitted: Collection[str] = ()  # the choices of --emit
        self.conditions: dict[str, str] = {}  # {option: the option and value that it goes with}
        self.add("help", "-h --help", "", "print this help and exit", action="help")
        self.add(
            "running", "--quiet", "", "show no progress and no notes; errors are told all the same"
        )

    def read(self, words: list[str]) -> Options:
        """Parse the words of a command line, without the name of the command.

        If ``--emit`` is missing, and the name of the output file has an ending, this ending selects the format.

        Raises:
            ValueError: if an argument is invalid or empty; if an option is not allowed with the value of another
                option; if the command has no format for the ending of the output file; or if the output would replace
                another file that the command line names.
        """
        for before, word in pairwise(["", *words]):
            # An empty value is refused. So is "--option=--", since argparse before Python 3.13 treats this "--" as
            # the end of the options.
            if not word or (word.startswith("--") and word.endswith(("=", "=--"))):
                option = word.partition("=")[0] or before
                raise ValueError(f"{option}: expected a value, got {word.partition('=')[2]!r}")
        options = self.parse_args(words, Options())
        options.chosen = {k for k, value in vars(options).items() if value != self.get_default(k)}
        progress.quiet = options.quiet
        chosen = any(word.partition("=")[0] == "--emit" for word in words)
        out: Path | None = getattr(options, "out", None)
        if self.emitted and not chosen and out is not None and out.suffix:
            known = {ENDINGS[name]: name for name in ENDINGS if name in self.emitted}
            formats = {f".{name}": name for name in self.emitted} | known
            options.emit = formats.get(out.suffix.lower())
            if not options.emit:
                raise ValueError(
                    f"--out: expected a name that ends in {', '.join(known)}, or --emit, got {str(out)!r}"
                )
        for option, condition in self.conditions.items():
            other, *expected = condition.removeprefix("no ").removeprefix("--").split()
            # None stands for a choice of the command, or for an option that it has not.
            actual = getattr(options, other, None)
            if option.removeprefix("--") in options.chosen and actual not in (None, *expected):
                raise ValueError(f"{option} goes with {condition}, got it with {actual}")
        # The output must not replace an input file, so no other argument may name the output file. In the command
        # measure, FILE.json:2 stands for player two of the policy in FILE.json, so ":2" is removed.
        texts = ",".join(str(getattr(options, name, None) or "") for name in FILES)
        files = {os.path.realpath(part.removesuffix(":2")) for part in texts.split(",") if part}
        if out is not None and str(out) not in STREAMS and os.path.realpath(out) in files:
            raise ValueError(f"--out: expected a name that no other argument has, got {str(out)!r}")
        return options

    def print_help(self, file: Any = None) -> None:  # noqa: ANN401  # as in argparse
        """Print the help. Unlike argparse, raise an error if it cannot be written."""
        print(self.format_help(), end="", file=file, flush=True)

    def error(self, message: str) -> NoReturn:
        """Raise a ValueError with a message, which suggests a similar option if one is unknown."""
        _, _, words = message.partition("unrecognized arguments: ")
        hint = did_you_mean(words.partition(" ")[0], self.names)
        raise ValueError(f"{message.removeprefix('argument ')}{hint}")

    def add(
        self,
        group: Group,
        options: str,
        metavar: str,
        text: str,
        default: object = None,
        *,
        choices: Collection[str] = (),
        between: tuple[int, int] | None = None,
        goes_with: str = "",
        **how: Any,  # noqa: ANN401  # further arguments of add_argument
    ) -> None:
        """Declare an option.

        Args:
            group: the group in the help, one of :data:`GROUPS`.
            options: the names of the option, separated by spaces.
            metavar: the placeholder of the value in the help; empty for a flag, which has no value.
            text: the help on the option, to which the default is added if there is one.
            default: the default.
            choices: the values that are accepted; empty if all are.
            between: the least and the greatest value of an option that is an integer; None for other options.
            goes_with: the condition on which the option is accepted: another option followed by the values that it may
                have, such as ``--emit text latex``; or, as in ``no --seconds``, another option that must not be given;
                empty for no condition.
            how: further arguments of argparse's ``add_argument``.
        """
        if metavar:
            how = {"metavar": metavar, "default": default} | how
        else:
            how.setdefault("action", "store_true")
        shown = text if default is None else f"{text} (default: {default})"
        if choices:
            how["type"] = partial(one_of, choices)
        if between:
            how["type"] = partial(integer, *between)
        self.names += options.split()
        if options == "--emit":
            self.emitted = choices
        if goes_with:
            self.conditions[options] = goes_with
        self.groups[group].add_argument(*options.split(), help=shown, **how)

    def share(self, *options: str, text: str = "", **how: Any) -> None:  # noqa: ANN401  # further arguments of add_argument
        """Declare options that several commands have, those of :data:`SHARED`.

        Args:
            options: the options, each with all its names, as in ``"-n --n"``.
            text: the help on the options; empty for the help in :data:`SHARED`.
            how: arguments of argparse's ``add_argument`` that replace those in :data:`SHARED`.
        """
        for option in options:
            group, metavar, usual, kind = SHARED[option]
            self.add(group, option, metavar, text or usual, **kind | how)

    def add_rules(
        self,
        objectives: Sequence[str] = OBJECTIVES,
        prizes: str = PRIZES,
        *,
        left: bool = False,
        deck: bool = False,
    ) -> None:
        """Declare ``--objective``, ``--ties`` and ``--prizes``.

        Args:
            objectives: the choices of ``--objective``, the default first.
            prizes: the help on ``--prizes``.
            left: True if ``--prizes`` lists the prizes left at a position; it then has no default.
            deck: True to declare ``--deck``, too.
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

    def add_position(self, *, alone: bool) -> None:
        """Declare the options that describe a position.

        Args:
            alone: True if the command takes only positions, False if it also takes whole games.
        """
        self.add_argument(
            "position",
            nargs="?",
            metavar="POSITION",
            help="a position by its name, such as 2.4_1.3_12.13@13, in place of the options about the game",
        )
        for player in ("one", "two"):
            self.add("game", f"--{player}", "CARDS", f"the hand of player {player}, such as 2,4")
        left = (
            f"the prizes left, such as 12,13, in random order unless {', '.join(ORDERS[1:])} or {FIXED} "
            "(as typed) precedes them, as in hidden:12,13"
        )
        named = left if alone else f"{PRIZES}; of a position, {left}"
        self.add_rules(prizes=named, left=alone, deck=not alone)
        several = "; several with commas" if alone else ""
        turned = f"the prize turned up, by number or as A, T, J, Q, K{several}"
        self.add("game", "--upcard", "CARD", turned)
        ahead = "player one's points so far less player two's, where the objective is to win"
        self.add("game", "--margin", "POINTS", ahead, 0, between=(-LARGEST, LARGEST))
        pot = "points carried over from ties, where ties are carried over"
        self.add("game", "--pot", "POINTS", pot, 0, between=(0, LARGEST))


def read_input(file: str | Path, encoding: str = "utf-8") -> str:
    """Return the text of a file or of standard input; a byte order mark at the start of standard input is left out.

    Args:
        file: the path of the file; ``-`` for standard input.
        encoding: the encoding of the file. Standard input has an encoding of its own.

    Raises:
        ValueError: if the file cannot be read, or if its text is not in `encoding`.
    """
    if str(file) == "-":
        return sys.stdin.read().removeprefix("\ufeff")
    return read_text(Path(file), encoding)


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return the end of a message about an unknown word, such as ``"; did you mean play?"`` for the word ``"paly"``.

    The text suggests the one of `words` that is most similar to `word`. It is empty if none is similar.
    """
    return "".join(f"; did you mean {near}?" for near in get_close_matches(word, [*words], 1, 0.75))


def parser_of(command: str) -> Parser:
    """Return the parser of a command, with its description, groups of options and examples."""
    module = module_of(command)
    called = program() if command == DEFAULT else f"{program()} {command}"
    # Python's option -OO removes docstrings.
    description = " ".join((module.__doc__ or COMMANDS[command]).partition("\n\n")[0].split())
    parser = Parser(called, description, module.EXAMPLES.items())
    module.add_arguments(parser)
    return parser


def on_cores(core_seconds: float, cores: int) -> str:
    """Return a text that says how long `core_seconds` seconds of work take on `cores` cores.

    >>> on_cores(600, 2), on_cores(0.02, 1)
    ('5 min on 2 cores', 'less than a second on 1 core')
    """
    seconds = core_seconds / cores
    time = "less than a second" if seconds < 1 else span(seconds)
    return f"{time} on {cores} core{'s' if cores > 1 else ''}"


@contextmanager
def resumable(keeps: object, otherwise: str = "") -> Iterator[None]:
    """Add advice to a KeyboardInterrupt that is raised in the ``with`` block. The program prints it when it ends.

    Args:
        keeps: any value; it counts as true if the finished work is saved, so that the same command, given again,
            continues this work. The advice is then :data:`KEPT`.
        otherwise: the advice if the finished work is lost, such as :data:`UNKEPT`; empty for no advice.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(KEPT if keeps else otherwise) from None


@contextmanager
def optional(name: str, option: str) -> Iterator[None]:
    """Convert an ImportError in the ``with`` block to a ValueError, with a message about the missing package.

    Args:
        name: the extra of gops_exact that installs the package.
        option: the option or command that needs the package.
    """
    try:
        yield
    except ImportError as error:
        message = f"{option}: a package is missing, which comes with {install(name)}"
        raise ValueError(message) from error


@contextmanager
def output(out: Path | None) -> Iterator[TextIO]:
    """Open stdout, a stream such as ``/dev/stderr``, or a file in UTF-8 that appears once it is complete.

    When a file is complete, a message says so if stderr is a terminal, unless ``--quiet`` is given.

    Args:
        out: the value of ``--out``; None for stdout.

    Raises:
        ValueError: if `out` is no path at which a file can be written.
        OSError: if the disk is full or fails.
    """
    if out is None or str(out) in STREAMS:
        stream = sys.stdout if out is None else getattr(sys, STREAMS[str(out)])
        if isinstance(stream, TextIOWrapper):  # "\n" is written unchanged on every system
            stream.reconfigure(newline="\n")
        yield stream
        return
    with written_whole(out, "--out") as file:
        yield file
    if sys.stderr.isatty():
        close_bars()
        note(f"{out} is written")


STREAMS = {"-": "stdout"} | {
    f"{folder}{name}": stream
    for stream, number in (("stdout", 1), ("stderr", 2))
    for folder, name in (("/dev/", stream), ("/dev/fd/", number), ("/proc/self/fd/", number))
}
"""{path of a standard stream: its name in ``sys``}. Output to such a path is written to the stream directly. Output
to any other path is written to a temporary file, which is renamed to the path when it is complete. Here the renaming
would replace the stream."""


def writable_folder(folder: Path | None) -> Path | None:
    """Create a folder if it is missing, and return it.

    Args:
        folder: the path; None is returned unchanged.

    Raises:
        ValueError: if the folder cannot be written.
    """
    if folder is not None:
        make_folder(folder, "--folder")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise ValueError(
                f"--folder: expected a folder that can be written, got {str(folder)!r}"
            )
    return folder
