"""Prove every value and first move in a store, or check emitted files. Exact first moves in a file are proved
from the values in the store, and values that it lacks are computed and added to it first. First moves in decimals or
floats are compared with exact first moves that are proved. A solved game is proved from its document alone. To prove the
values of the store, give no file. The last lines list the claims that were proved, only compared, or passed over.

A *store* is a file of computed values of positions and of first moves. A *first move* is an optimal strategy for the
first bid after a given upcard, which is the prize turned up: a probability for each card.
"""

import os
import time
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from gops_exact.base.documents import MOVES, Document, kind_of, named, read_moves
from gops_exact.base.machine import available_cores
from gops_exact.base.progress import progress_bar
from gops_exact.base.store import DiskStore, store_path
from gops_exact.commands.options import Options, Parser, read_input, resumable
from gops_exact.game.game import Game
from gops_exact.game.rules import Rules, parse_cards
from gops_exact.solvers.api import solver
from gops_exact.verify.checks import Report, check_document, check_store, state_folder
from gops_exact.verify.games import SCHEMAS, check_game
from gops_exact.verify.interleavings import whole_game
from gops_exact.verify.values import Values

EXAMPLES = {
    "": "every value and first move in the store",
    "five.json": "first moves that were emitted as json",
}


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="first moves emitted as json or csv, or solved games as json; a csv file does not name its rules and deck, so give "
        "them as options",
    )
    parser.add_rules(deck=True)
    parser.share("--store")
    parser.share("--jobs")


def run(options: Options) -> int:
    """Check the store or the files; return 1 if anything is wrong or cannot be proved, else 0.

    Raises:
        ValueError: if an option does not go with the others or with the files, or if a file holds nothing that can be
            checked.
    """
    jobs = options.jobs or available_cores()
    rules = options.rules
    deck = () if options.deck is None else tuple(sorted(parse_cards(options.deck)))
    texts = {file: read_input(file) for file in options.files}
    kinds = {file: kind_of(text) for file, text in texts.items()}
    described = options.chosen & {"objective", "ties", "prizes", "deck"}
    if described and MOVES not in kinds.values():
        raise ValueError(
            "--objective, --ties, --prizes or --deck goes with csv files, which do not name their rules, got none"
        )
    if not options.files:
        path, start = options.store_path, time.perf_counter()
        with resumable(os.access(state_folder(), os.W_OK | os.X_OK)):
            report = check_store(path, jobs=jobs, progress=progress_bar())
        seconds = time.perf_counter() - start
        faults = f"{len(report.faults):,} faults, {seconds:.1f} s"
        return show(path, report, f"{report.entries:,} entries, {faults}")
    has_moves, expected = not SCHEMAS.keys() >= set(kinds.values()), "first moves to be proved"
    conditions = ("--store", has_moves, expected), ("--jobs", has_moves, expected)
    options.judge(*conditions, got="solved games alone")
    documents: dict[Path, Document] = {}
    solved: dict[Path, Report] = {}
    for file, text in texts.items():
        with named(file):
            if kinds[file] in SCHEMAS:
                solved[file] = check_game(text)
            else:
                documents[file] = read_moves(text, asdict(rules), deck)
    wrong = []
    for file, report in solved.items():
        verdict = "wrong" if report.faults else "right, exactly"
        wrong.append(show(file, report, f"{kinds[file]}, {verdict}"))
    if documents:
        kept = store_path(options.store)
        with TemporaryDirectory(prefix="gops_exact-") as folder:
            path = kept or Path(folder) / "store.sqlite"
            with resumable(kept is not None):
                for file, document in documents.items():
                    wrong.append(verify_document(path, file, document, jobs))
    return any(wrong)


def verify_document(path: Path, file: Path, document: Document, jobs: int) -> bool:
    """Check the first moves of a document, print a report and return True if anything is wrong.

    A first move is an optimal strategy for the first bid. Values that the store lacks are computed and added to it. Then
    exact first moves in the document are proved from the values in the store. Decimals and floats are compared with
    exact first moves that are proved.

    Args:
        path: the path of the store, which is created if it is missing.
        file: the file that the document was read from, for messages.
        document: the first moves.
        jobs: the number of processes that compute missing values.

    Raises:
        ValueError: if the store lacks values that would take more than minutes to compute.
    """
    game, whole = Game(document.n, Rules(**document.rules), document.deck), whole_game(document)
    missing = list(dict.fromkeys(column.upcard for column in document.columns))
    if path.is_file():
        with DiskStore(path, read_only=True) as store:
            missing = [upcard for upcard in missing if whole.first_move_key(upcard) not in store]
    if missing:
        asked = [upcard for upcard in missing if upcard is not None]
        solving = solver(store=path, jobs=jobs, progress=progress_bar())
        try:
            solving.first_move(game, asked or None)
        except ValueError as error:  # to compute the missing values would take too long
            raise ValueError(
                f"{file}: expected first moves whose exact values are in the store or can be computed in "
                f"minutes, got n = {game.n}"
            ) from error
    with DiskStore(path, read_only=True) as store:
        report = check_document(Values(store), document, progress_bar())
    verdict = "wrong" if report.faults else f"right, {document.accuracy}"
    counted = f"{len(document.columns)} first moves of n = {game.n}"
    return show(file, report, f"{counted}, {document.arithmetic}, {verdict}")


def show(file: Path, report: Report, summary: str) -> bool:
    """Print a report, and return True if the report has faults.

    Args:
        file: the file that was checked, which is named in the output.
        report: the faults, and how many claims were proved, only compared with proved numbers, or not checked.
        summary: the line between the faults and the numbers of claims.
    """
    for fault in report.faults:
        print(f"{file}: {fault}")
    print(f"{file}: {summary}")
    for line in report.lines():
        print(f"  {line}")
    return bool(report.faults)
