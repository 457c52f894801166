"""Optimal first moves of the Game of Pure Strategy.

A first move is a strategy for the first bid after an upcard (the prize turned up): a probability for each card.
"""

import logging
from contextlib import suppress

from gops_exact.base.arguments import MOST_DIGITS
from gops_exact.base.formats import FORMATS
from gops_exact.base.machine import available_cores
from gops_exact.base.progress import about, note, progress_bar
from gops_exact.base.store import MEMORY
from gops_exact.commands.options import (
    ANSWERS,
    FLOATS,
    STORE_DEFAULT,
    UNKEPT,
    Options,
    Parser,
    on_cores,
    resumable,
)
from gops_exact.game.rules import parse_cards
from gops_exact.numbers.exact import TABLE_DIGITS
from gops_exact.numbers.table import terminal_width
from gops_exact.solvers.api import solver
from gops_exact.solvers.arithmetic import DIGITS, Ball, Float
from gops_exact.solvers.cost import check_cost, size
from gops_exact.solvers.first_moves import CSV_DIGITS, check_format, emit
from gops_exact.solvers.floats.layer import columns_below
from gops_exact.solvers.floats.layer_files import LayerFile

EXAMPLES = {
    "-n 5 --emit fractions": "every exact probability in full",
    "-n 6 --upcard 6 --digits 20": "one upcard, as decimals",
    "-n 8 --arithmetic ball": "50 proved digits",
    "-n 12 --arithmetic float --emit csv --out twelve.csv": "floats with a proved radius",
    "-n 5 --objective win --ties carryover --prizes hidden": "other rules",
}


def add_arguments(parser: Parser) -> None:
    parser.share("-n --n")
    emitted = FORMATS["exact"]  # the other arithmetics have some of these
    formats = f"one of {', '.join(emitted)}"
    parser.share("--emit", text=formats, default="decimals", choices=emitted)
    parser.share("--arithmetic")
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
    parser.add("numbers", "--digits", "D", digits, between=(0, MOST_DIGITS))
    parser.share("--out")
    store = f'the file that keeps values between runs; ":memory:" keeps none {STORE_DEFAULT}'
    parser.share("--store", text=store)
    read_only = "use the values in the store, but add none"
    parser.add("keeping values", "--read-only", "", read_only)
    parser.share("--jobs", "--folder")
    integers = (
        "float arithmetic, --objective win: yes, keep values as 4-byte integers; no, as 8-byte floats, "
        "with narrower radii (default: yes where the layers would take more than 4 GB)"
    )
    parser.add(
        "keeping values", "--integers", "ANSWER", integers, choices=ANSWERS, goes_with=FLOATS
    )
    scheduler = (
        "solve the games on the workers of this Dask scheduler, such as tcp://10.0.0.1:8786; values "
        "are kept on this machine"
    )
    parser.add("running", "--scheduler", "ADDRESS", scheduler)
    parser.share("--force")


def run(options: Options) -> None:
    fmt, kind, game = options.emit, options.arithmetic, options.game
    digits = None if kind == Ball.name else options.digits
    check_format(kind, fmt, digits)
    floats = kind == Float.name
    named = [card for text in options.upcard or () for card in parse_cards(text)]
    writes = floats and not LayerFile.is_finished(options.folder, columns_below(game))
    arithmetic = options.kind_of_numbers(kind, writes=writes)
    bar = progress_bar()
    keeps = options.folder if floats else options.store != MEMORY and not options.read_only
    with resumable(keeps, UNKEPT if floats else ""):
        solving = solver(
            arithmetic,
            store=options.store,
            read_only=options.read_only,
            jobs=options.jobs,
            scheduler=options.scheduler,
            progress=bar,
            force=options.force,
        )
        if options.scheduler is not None:
            with suppress(ModuleNotFoundError):  # a missing package is reported on connecting
                import distributed  # noqa: F401  # sets the levels of its loggers when it is imported
            # Failures are raised as errors, so Dask need not log them.
            for name in ("distributed", "distributed.client", "tornado.application"):
                logging.getLogger(name).setLevel(logging.CRITICAL)
        elif floats and bar is not None:
            estimate = check_cost(game, arithmetic, jobs=options.jobs, force=options.force)
            memory = estimate.tables + (0 if options.folder else estimate.memory)
            disk = f", {size(estimate.memory)} of disk" if options.folder else ""
            time = on_cores(estimate.seconds, options.jobs or available_cores())
            note(f"{about(estimate.games)} games: {size(memory)} of memory{disk}, {time}")
        moves = solving.first_move(game, named or None)
    width = terminal_width(options.output)
    options.output.writelines(emit(moves, fmt, digits, width=width))
