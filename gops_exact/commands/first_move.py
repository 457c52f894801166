"""``gops_exact --n N``: solve a game and print its first moves."""

import logging
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path

from gops_exact.commands.arguments import (
    add_out,
    add_rules,
    integer,
    one_of,
    output,
    rules_of,
    writable_folder,
)
from gops_exact.game.cards import parse_cards
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import Rules
from gops_exact.layers.cost import check_fits
from gops_exact.schedule import available_cores
from gops_exact.show.progress import progress_bar
from gops_exact.show.text import CSV_DIGITS, FORMATS_OF, TABLE_DIGITS, check_format, emit
from gops_exact.solutions.arithmetic import (
    DIGITS,
    PRIME,
    SHORTHAND,
    Arithmetic,
    Ball,
    Float,
    Residue,
    as_arithmetic,
)
from gops_exact.solver.first_moves import first_move

DESCRIPTION = "Optimal first moves of the Game of Pure Strategy."

RESIDUES = "residues"
"""A format that stands for ``--arithmetic residue --emit json``."""

EMITTED = (*FORMATS_OF["exact"], RESIDUES)
ARITHMETICS = tuple(SHORTHAND)

MOST_DIGITS, MOST_JOBS = 999_999_999, 999
"""Beyond these a number was mistyped."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "--n", type=integer(1, LONGEST), required=True, metavar="N", help="cards a side"
    )
    parser.add_argument(
        "--emit",
        type=one_of(EMITTED),
        default="decimals",
        metavar="FORMAT",
        help=f"one of {', '.join(EMITTED)} (default: decimals)",
    )
    parser.add_argument(
        "--arithmetic",
        type=one_of(ARITHMETICS),
        default="exact",
        metavar="KIND",
        help="exact; ball: decimals of which every digit is proved, for games whose exact numbers "
        "are too long; residue: the exact numbers modulo a prime; float: quick and far, with a "
        "proved radius (default: exact)",
    )
    add_rules(parser)
    parser.add_argument(
        "--upcard",
        action="append",
        metavar="CARD",
        help="first prize turned up, by number or as A, T, J, Q, K; several with commas or by "
        "repeating the option (default: every card)",
    )
    parser.add_argument(
        "--digits",
        type=integer(0, MOST_DIGITS),
        metavar="D",
        help=f"digits after the point (default: {TABLE_DIGITS}; {CSV_DIGITS} for csv; {DIGITS} in "
        "ball arithmetic); makes latex print decimals instead of fractions",
    )
    parser.add_argument(
        "--prime",
        type=integer(2, 2**64 - 1),
        metavar="P",
        help="the modulus of residues (default: 2^61 - 1)",
    )
    add_out(parser)
    parser.add_argument(
        "--store",
        metavar="FILE",
        help='keeps values between runs; ":memory:" keeps none (default: $GOPS_EXACT_STORE or a '
        "file in the user's cache directory)",
    )
    parser.add_argument(
        "--read-only", action="store_true", help="take values from the store, add none"
    )
    parser.add_argument(
        "--jobs",
        type=integer(1, MOST_JOBS),
        metavar="J",
        help="processes (default: all cores where it pays)",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="DIR",
        help="float arithmetic: keep the values in files there instead of in memory, and go on from "
        "what a run that was stopped left",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="float arithmetic: let the workers of this Dask scheduler solve the games; they have to "
        "see the folder",
    )
    parser.add_argument("--force", action="store_true", help="start a run that takes hours")


def run(given: Namespace) -> int:
    """Print the first moves.

    Raises:
        ValueError: if the arguments do not go together, or ask for hours unforced.
        StoreError: if the store cannot be used.
    """
    upcards = _upcards(given.upcard, given.n)
    with output(given.out) as file:  # first: hours of work are not to end in a mistyped name
        file.writelines(_pieces(given, upcards))
    return 0


def _pieces(given: Namespace, upcards: list[int] | None) -> Iterator[str]:
    """The document asked for; whatever is wrong is raised before anything is computed."""
    rules = rules_of(given)
    if rules.hidden and upcards is not None:
        raise ValueError("--upcard does not go with --prizes hidden: no prize is seen")
    rules.deal(given.n, upcards)
    arithmetic = _arithmetic(given)
    fmt = "json" if given.emit == RESIDUES else given.emit
    if fmt not in FORMATS_OF[arithmetic.name]:
        formats = " or ".join(FORMATS_OF[arithmetic.name])
        raise ValueError(f"--arithmetic {arithmetic.name} goes with --emit {formats}, got {fmt}")
    digits = None if isinstance(arithmetic, Ball) else given.digits
    check_format(arithmetic.name, fmt, digits)
    moves = first_move(
        given.n,
        arithmetic,
        upcards=upcards,
        rules=rules,
        store=given.store,
        read_only=given.read_only,
        jobs=given.jobs,
        scheduler=given.scheduler,
        progress=progress_bar(resumes=given.folder is not None),
        force=given.force,
    )
    return emit(moves, fmt, digits)


def _arithmetic(given: Namespace) -> Arithmetic:
    """The arithmetic asked for, with its options.

    Raises:
        ValueError: if options do not go with it.
    """
    for name, option in (("--folder", given.folder), ("--scheduler", given.scheduler)):
        if option is not None and given.arithmetic != Float.name:
            raise ValueError(f"{name} goes with --arithmetic float, got it with {given.arithmetic}")
    if given.emit == RESIDUES and given.arithmetic not in ("exact", Residue.name):
        raise ValueError(f"--emit {RESIDUES} takes neither --digits nor --arithmetic")
    is_residue = given.emit == RESIDUES or given.arithmetic == Residue.name
    if is_residue and given.digits is not None:
        raise ValueError(f"--emit {RESIDUES} takes neither --digits nor --arithmetic")
    if given.prime is not None and not is_residue:
        raise ValueError(
            f"--prime goes with --arithmetic residue or --emit {RESIDUES}, got it with {given.emit}"
        )
    if is_residue:
        return Residue(PRIME if given.prime is None else given.prime)
    if given.arithmetic == Ball.name:
        return Ball(DIGITS if given.digits is None else given.digits)
    if given.arithmetic == Float.name:
        return _float(given, rules_of(given))
    return as_arithmetic(given.arithmetic)


def _float(given: Namespace, rules: Rules) -> Float:
    """Float arithmetic, its folder made, and on a terminal a line that says what it will take."""
    if given.store is not None or given.read_only:
        raise ValueError("--arithmetic float takes neither --store nor --read-only, but --folder")
    if given.scheduler is not None:
        if given.folder is None:
            raise ValueError("--scheduler takes a --folder that all workers see")
        if given.jobs is not None:
            raise ValueError("--scheduler takes no --jobs: its workers are the jobs")
        # Dask mends much by itself, and failures are reported by the caller, in one line.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    folder = None if given.folder is None else writable_folder(given.folder)
    jobs = given.jobs or available_cores()
    estimate = check_fits(given.n, rules, jobs=jobs, folder=folder, force=given.force)
    if sys.stderr.isatty():
        print(estimate.plan(jobs, on_disk=folder is not None), file=sys.stderr)
    return Float(folder)


def _upcards(texts: Iterable[str] | None, n: int) -> list[int] | None:
    """The upcards asked for, each once; None for all."""
    if texts is None:
        return None
    upcards: list[int] = []
    for text in texts:
        cards = parse_cards(text)
        if not cards or max(cards) > n:
            raise ValueError(f"--upcard: expected cards from 1 to {n}, got {text!r}")
        upcards += cards
    return list(dict.fromkeys(upcards))
