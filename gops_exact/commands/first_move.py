"""``gops_exact --n N``: solve a game and print its first moves."""

import logging
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from gops_exact.api import first_move
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
from gops_exact.lattice.residue import PRIME
from gops_exact.schedule import available_cores
from gops_exact.show.emit import CSV_DIGITS, FORMATS, check_digits, emit
from gops_exact.show.emit_proved import (
    CERTIFIED_FORMATS,
    FLOAT_FORMATS,
    emit_certified,
    emit_floats,
    emit_residues,
)
from gops_exact.show.layout import TABLE_DIGITS
from gops_exact.show.progress import progress_bar
from gops_exact.solver.certified import DIGITS, certified_first_move
from gops_exact.solver.fingerprint import first_move_residues

if TYPE_CHECKING:
    from gops_exact.solver.cluster import Cluster

DESCRIPTION = "Optimal first moves of the Game of Pure Strategy."

RESIDUES = "residues"
EMITTED = (*FORMATS, RESIDUES)
ARITHMETICS = ("exact", "ball", "float")

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
        "are too long; float: quick and far, with a proved radius (default: exact)",
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
    options = {
        "upcards": upcards,
        "rules": rules,
        "store": given.store,
        "read_only": given.read_only,
        "jobs": given.jobs,
        "progress": progress_bar(),
        "force": given.force,
    }
    for name, option in (("--folder", given.folder), ("--scheduler", given.scheduler)):
        if option is not None and given.arithmetic != "float":
            raise ValueError(f"{name} goes with --arithmetic float, got it with {given.arithmetic}")
    if given.prime is not None and given.emit != RESIDUES:
        raise ValueError(f"--prime goes with --emit {RESIDUES}, got it with {given.emit}")
    if given.emit == RESIDUES:
        if given.digits is not None or given.arithmetic != "exact":
            raise ValueError(f"--emit {RESIDUES} takes neither --digits nor --arithmetic")
        prime = PRIME if given.prime is None else given.prime
        return emit_residues(first_move_residues(given.n, prime, **options))
    if given.arithmetic == "ball":
        if given.emit not in CERTIFIED_FORMATS:
            formats = " or ".join(CERTIFIED_FORMATS)
            raise ValueError(f"--arithmetic ball goes with --emit {formats}, got {given.emit}")
        digits = DIGITS if given.digits is None else given.digits
        return emit_certified(certified_first_move(given.n, digits, **options), given.emit)
    if given.arithmetic == "float":
        return _floats(given, upcards, rules)
    check_digits(given.emit, given.digits)
    return emit(first_move(given.n, **options), given.emit, given.digits)


def _floats(given: Namespace, upcards: list[int] | None, rules: Rules) -> Iterator[str]:
    # Compiled kernels: numba is loaded only here.
    from gops_exact.layers.cost import check_fits
    from gops_exact.solver.floats import first_move_float

    if given.emit not in FLOAT_FORMATS:
        formats = " or ".join(FLOAT_FORMATS)
        raise ValueError(f"--arithmetic float goes with --emit {formats}, got {given.emit}")
    if given.digits is not None and given.emit != "decimals":
        raise ValueError(f"--arithmetic float takes --digits with decimals, got {given.emit}")
    if given.store is not None or given.read_only:
        raise ValueError("--arithmetic float takes neither --store nor --read-only, but --folder")
    with _crew(given) as crew:
        folder = None if given.folder is None else writable_folder(given.folder)
        jobs = crew.jobs if crew is not None else given.jobs or available_cores()
        estimate = check_fits(given.n, rules, jobs=jobs, folder=folder, force=given.force)
        if sys.stderr.isatty():
            print(estimate.plan(jobs, on_disk=folder is not None), file=sys.stderr)
        moves = first_move_float(
            given.n,
            upcards=upcards,
            rules=rules,
            jobs=given.jobs,
            progress=progress_bar(resumes=folder is not None),
            folder=folder,
            crew=crew,
            force=given.force,
        )
    return emit_floats(moves, given.emit, given.digits)


def _crew(given: Namespace) -> AbstractContextManager["Cluster | None"]:
    """Who solves the games: the workers of a scheduler, or else threads of this process."""
    if given.scheduler is None:
        return nullcontext()
    if given.folder is None:
        raise ValueError("--scheduler takes a --folder that all workers see")
    if given.jobs is not None:
        raise ValueError("--scheduler takes no --jobs: its workers are the jobs")
    from gops_exact.solver.cluster import Cluster

    crew = Cluster(given.scheduler)
    # What Dask mends by itself is no news, and what it doesn't is told in one line.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return crew


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
