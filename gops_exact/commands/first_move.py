"""``gops-exact --n N``: solve a game and print its first moves."""

import logging
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial

from gops_exact.api import first_move
from gops_exact.arguments import MOST_DIGITS
from gops_exact.commands.arguments import (
    STORE_DEFAULT,
    Parser,
    announced,
    announcement,
    arithmetic_of,
    integer,
    output,
    resumable,
    rules_of,
    writable_folder,
)
from gops_exact.cost import Run, about, size
from gops_exact.game.game import Game
from gops_exact.game.rules import Rules, parse_cards
from gops_exact.layers.files import LayerFile
from gops_exact.pools import available_cores
from gops_exact.progress import progress_bar, span
from gops_exact.solutions.arithmetic import DIGITS, SHORTHAND, Arithmetic, Ball, Float, Residue
from gops_exact.solutions.formats import CSV_DIGITS, FORMATS_OF, check_format, emit
from gops_exact.store import MEMORY
from gops_exact.table import TABLE_DIGITS, terminal_width

DESCRIPTION = "Optimal first moves of the Game of Pure Strategy."
EXAMPLES = {
    "-n 5 --emit fractions": "every exact probability in full",
    "-n 6 --upcard 6 --digits 20": "one upcard, as decimals",
    "-n 8 --arithmetic ball": "50 proved digits",
    "-n 12 --arithmetic float --emit csv --out twelve.csv": "floats with a proved radius",
    "-n 5 --objective win --ties carryover --prizes hidden": "other rules",
}

RESIDUES = "residues"
"""A format that stands for ``--arithmetic residue --emit json``."""

EMITTED = (*FORMATS_OF["exact"], RESIDUES)

ANSWERS = {"yes": True, "no": False}
"""Answers to the question if values are kept as integers."""


def add_arguments(parser: Parser) -> None:
    """Declare the arguments of the command."""
    parser.add_n()
    parser.add_emit(EMITTED, f"one of {', '.join(EMITTED)}", "decimals")
    kinds = (
        "exact; ball: decimals of which every digit is proved, for games whose exact numbers are too "
        "long; residue: the exact numbers modulo a prime; float: fast, for larger games; each number "
        "has a proved radius"
    )
    parser.add_arithmetic(SHORTHAND, kinds, "exact")
    parser.add_rules()
    upcards = (
        "first prize turned up, by number or as A, T, J, Q, K; several with commas or by repeating the "
        "option (default: every card)"
    )
    parser.add("game", "--upcard", "CARD", upcards, action="append")
    digits = (
        f"digits after the point (default: {TABLE_DIGITS}; {CSV_DIGITS} for csv; {DIGITS} in ball "
        "arithmetic); makes latex print decimals instead of fractions"
    )
    parser.add("numbers", "--digits", "D", digits, type=integer(0, MOST_DIGITS))
    parser.add_prime()
    parser.add_out()
    kept = f'the file that keeps values between runs; ":memory:" keeps none {STORE_DEFAULT}'
    parser.add("keeping values", "--store", "FILE", kept)
    parser.add_flag("keeping values", "--read-only", "use the values in the store, but add none")
    parser.add_jobs()
    parser.add_folder(
        "float arithmetic: keep the values in files in this folder instead of in memory, and resume a "
        "run that was stopped"
    )
    integers = (
        "float arithmetic, --objective win: yes, keep values as 4-byte integers; no, as 8-byte floats, "
        "with narrower radii (default: yes where the layers would take more than 4 GB)"
    )
    parser.add("keeping values", "--integers", "ANSWER", integers, choices=ANSWERS)
    scheduler = (
        "solve the games on the workers of this Dask scheduler, such as tcp://10.0.0.1:8786; values "
        "are kept on this machine"
    )
    parser.add("running", "--scheduler", "ADDRESS", scheduler)
    parser.add_force()


def run(given: Namespace) -> None:
    """Print the first moves."""
    upcards = _upcards(given.upcard, given.n)
    with output(given.out) as file:  # first: hours of work are not to end in a mistyped name
        file.writelines(_pieces(given, upcards, terminal_width(file)))


def _pieces(given: Namespace, upcards: list[int] | None, width: int | None) -> Iterator[str]:
    """Compute the document asked for, after whatever is wrong has been raised."""
    rules = rules_of(given)
    if rules.hidden and upcards is not None:
        raise ValueError("--upcard does not go with --prizes hidden: no prize is seen")
    game = Game(given.n, rules)
    game.chosen(upcards)
    fmt, kind = given.emit, given.arithmetic
    if fmt == RESIDUES:
        if kind not in ("exact", Residue.name):
            raise ValueError(
                f"--emit {RESIDUES} goes with --arithmetic residue, got it with {kind}"
            )
        fmt, kind = "json", Residue.name
    digits = None if kind == Ball.name else given.digits
    check_format(kind, fmt, digits)
    # The folder of floats, or a store.
    kept = given.folder if kind == Float.name else given.store != MEMORY and not given.read_only
    arithmetic = _arithmetic(given, kind, rules)
    run = Run(game, None if upcards is None else tuple(upcards))
    with resumable(bool(kept)):
        moves = first_move(
            given.n,
            arithmetic,
            upcards=upcards,
            rules=rules,
            store=given.store,
            read_only=given.read_only,
            jobs=given.jobs,
            scheduler=given.scheduler,
            progress=announced(progress_bar(), partial(_needs, given, run, arithmetic)),
            force=given.force,
        )
    return emit(moves, fmt, digits, width=width)


def _arithmetic(given: Namespace, kind: str, rules: Rules) -> Arithmetic:
    """Return the arithmetic of that name with the options given.

    Raises:
        ValueError: if options do not go with it.
    """
    if given.scheduler is not None:
        if given.jobs is not None:
            raise ValueError("--scheduler takes no --jobs: all workers of the cluster are used")
        _silence_dask()
    if kind == Float.name:
        return _float(given, rules)
    return arithmetic_of(given, kind)


def _silence_dask() -> None:
    """Keep Dask's own messages off the terminal: it mends much by itself, and failures are errors here."""
    with suppress(ModuleNotFoundError):  # which is told where the connection is made
        import distributed  # noqa: F401  # sets the levels of its loggers when it is imported
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _float(given: Namespace, rules: Rules) -> Float:
    """Return float arithmetic in its folder, which is made."""
    if given.store not in (None, MEMORY) or given.read_only:
        raise ValueError("--arithmetic float takes neither --store nor --read-only, but --folder")
    if given.folder is not None and not LayerFile.is_finished(given.folder, Game(given.n, rules)):
        writable_folder(given.folder)
    return Float(given.folder, integers=ANSWERS.get(given.integers))


def _needs(given: Namespace, run: Run, kind: Arithmetic) -> str:
    """Say what a run takes; nothing if that is less than minutes, or other machines do it."""
    estimate, jobs = run.estimate(kind), given.jobs or available_cores()
    if not isinstance(kind, Float):
        return "" if given.scheduler else announcement(estimate.seconds, given.jobs)
    memory = estimate.tables + (0 if kind.folder else estimate.memory)
    disk = f", {size(estimate.memory)} of disk" if kind.folder else ""
    return (
        f"{about(estimate.games)} games: {size(memory)} of memory{disk}, "
        f"{span(estimate.seconds / jobs)} on {jobs} core{'s' if jobs > 1 else ''}"
    )


def _upcards(texts: Iterable[str] | None, n: int) -> list[int] | None:
    """Return the upcards named, each once; None if none is named."""
    if texts is None:
        return None
    upcards: list[int] = []
    for text in texts:
        cards = parse_cards(text)
        if max(cards) > n:
            raise ValueError(f"--upcard: expected cards from 1 to {n}, got {text!r}")
        upcards += cards
    return list(dict.fromkeys(upcards))
