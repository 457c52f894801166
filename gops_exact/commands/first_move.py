"""Optimal first moves of the Game of Pure Strategy."""

import logging
from argparse import Namespace
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from gops_exact.base.arguments import MOST_DIGITS
from gops_exact.base.machine import available_cores
from gops_exact.base.progress import progress_bar
from gops_exact.commands.options import (
    STORE_DEFAULT,
    UNKEPT,
    Parser,
    announce,
    announce_floats,
    arithmetic_of,
    game_of,
    integer,
    on_cores,
    output,
    resumable,
)
from gops_exact.game.rules import parse_cards
from gops_exact.numbers.table import TABLE_DIGITS, terminal_width
from gops_exact.solvers.api import solver
from gops_exact.solvers.arithmetic import DIGITS, SHORTHAND, Ball, Float, Residue
from gops_exact.solvers.cost import about, estimate_cost, size
from gops_exact.solvers.floats.layer_files import LayerFile
from gops_exact.solvers.formats import CSV_DIGITS, FORMATS_OF, check_format, emit
from gops_exact.solvers.solution import FirstMoves
from gops_exact.solvers.store import MEMORY

EXAMPLES = {
    "-n 5 --emit fractions": "every exact probability in full",
    "-n 6 --upcard 6 --digits 20": "one upcard, as decimals",
    "-n 8 --arithmetic ball": "50 proved digits",
    "-n 12 --arithmetic float --emit csv --out twelve.csv": "floats with a proved radius",
    "-n 5 --objective win --ties carryover --prizes hidden": "other rules",
}

RESIDUES = "residues"
"""A format that is short for ``--arithmetic residue --emit json``."""

EMITTED = (*FORMATS_OF["exact"], RESIDUES)

ANSWERS = {"yes": True, "no": False}
"""{answer to ``--integers``: True to keep values as integers}."""


def add_arguments(parser: Parser) -> None:
    parser.add_n()
    formats = f"one of {', '.join(EMITTED)}"
    parser.add("output", "--emit", "FORMAT", formats, "decimals", choices=EMITTED)
    kinds = (
        "exact; ball: decimals of which every digit is proved, for games whose exact numbers are too "
        "long; residue: the exact numbers modulo a prime; float: fast, for larger games; each number "
        "has a proved radius"
    )
    parser.add("numbers", "--arithmetic", "KIND", kinds, "exact", choices=SHORTHAND)
    parser.add_rules(deck=True)
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
    parser.share("--prime", "--out")
    store = f'the file that keeps values between runs; ":memory:" keeps none {STORE_DEFAULT}'
    parser.add("keeping values", "--store", "FILE", store)
    read_only = "use the values in the store, but add none"
    parser.add("keeping values", "--read-only", "", read_only)
    parser.share("--jobs")
    folder = (
        "float arithmetic: keep the values in files in this folder instead of in memory, and resume a "
        "run that was stopped"
    )
    parser.add("keeping values", "--folder", "DIR", folder, type=Path)
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
    parser.share("--force")


def run(options: Namespace) -> None:
    upcards: list[int] = []
    for text in options.upcard or ():
        upcards += parse_cards(text)
        if options.deck is None and max(upcards) > options.n:
            raise ValueError(f"--upcard: expected cards from 1 to {options.n}, got {text!r}")
    with output(options.out) as file:  # opened first: a wrong name must not cost hours of work
        fmt, kind = options.emit, options.arithmetic
        if fmt == RESIDUES:
            if kind not in ("exact", Residue.name):
                raise ValueError(
                    f"--emit {RESIDUES} goes with --arithmetic residue, got it with {kind}"
                )
            fmt, kind = "json", Residue.name
        digits = None if kind == Ball.name else options.digits
        check_format(kind, fmt, digits)
        moves = _solved(options, kind, upcards or None)
        file.writelines(emit(moves, fmt, digits, width=terminal_width(file)))


def _solved(options: Namespace, kind: str, upcards: list[int] | None) -> FirstMoves[Any]:
    """Check the options, solve the game and return its first moves."""
    game, floats = game_of(options), kind == Float.name
    if game.rules.hidden and upcards is not None:
        raise ValueError("--upcard does not go with --prizes hidden: no prize is seen")
    if options.scheduler is not None:
        if options.jobs is not None:
            raise ValueError("--scheduler takes no --jobs: all workers of the cluster are used")
        with suppress(ModuleNotFoundError):  # the missing package is reported on connecting
            import distributed  # noqa: F401  # sets the levels of its loggers when it is imported
        # Failures are raised as errors, so Dask need not log them.
        for name in ("distributed", "distributed.client", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    if floats and (options.store not in (None, MEMORY) or options.read_only):
        raise ValueError("--arithmetic float takes neither --store nor --read-only, but --folder")
    to_be_kept = floats and not LayerFile.is_finished(options.folder, game)
    arithmetic = arithmetic_of(options, kind, kept=to_be_kept)
    if isinstance(arithmetic, Float):
        arithmetic = replace(arithmetic, integers=ANSWERS.get(options.integers))
    bar, begun = progress_bar(), False

    def report(done: int, total: int) -> None:
        """Show progress; the first call, which a refused run never makes, prints the needs of the run."""
        nonlocal begun
        if not begun:
            begun = True
            estimate = estimate_cost(game, arithmetic, None if upcards is None else tuple(upcards))
            if isinstance(arithmetic, Float):
                memory = estimate.tables + (0 if arithmetic.folder else estimate.memory)
                disk = f", {size(estimate.memory)} of disk" if arithmetic.folder else ""
                time = on_cores(estimate.seconds, options.jobs or available_cores())
                games = about(estimate.games)
                announce_floats(f"{games} games: {size(memory)} of memory{disk}, {time}")
            elif options.scheduler is None:
                announce(estimate.seconds, options.jobs)
        if bar is not None:
            bar(done, total)

    keeps = options.folder if floats else options.store != MEMORY and not options.read_only
    with resumable(keeps, UNKEPT if floats else ""):
        solving = solver(
            arithmetic,
            store=options.store,
            read_only=options.read_only,
            jobs=options.jobs,
            scheduler=options.scheduler,
            progress=None if bar is None else report,
            force=options.force,
        )
        return solving.first_move(game, upcards)
