"""Checks of emitted first moves, and of a store's entries.

Words used here:

* A *store* is a file of computed values of positions and of first moves. An *entry* of a store has a key, which is a
  text, and the bytes of one or more numbers.
* The *upcard* is the prize turned up in a round.
* A *first move* is an optimal strategy for the first bid after a given upcard: a probability for each card.
* An *arithmetic* is a kind of number: exact fractions, balls (intervals given by a midpoint and a radius) or floats.
* A *state* is a position without the hands: the rules, the prizes left, the margin and the pot. The *margin* is player
  one's points minus player two's; it is always 0 if the objective is points. The *pot* is the sum of the prizes carried
  over from ties.
* A *claim* is a statement in a document or a store that can be right or wrong, such as the value of a position.

A check of a claim has one of four results: proved, only compared with exact numbers that are proved, passed over (not
checked), refused. A report counts the claims with the first three results, and has a line of text, a fault, for each
claim that is refused. The proof of a value assumes that the values of positions with one prize less are right. So if a
store has no faults, all its values are proved, from the last round up, in whatever order they were checked.

While a store is checked, the entries that are proved are recorded in a file, so that a check that was stopped can be
continued. The file is in the user's own state folder, so that somebody who passes on a store cannot add a record to it.
The proof of an entry depends on other entries, so a record is valid only for the present content of the store. The
first line of the file is a digest of this content and of the verifier's code, and each other line stands for a proved
entry. A line that is incomplete, damaged or of another store stands for no entry, so nothing is passed over by mistake.
"""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path

from gmpy2 import mpq, mpz

from gops_exact.base.documents import EXACT, Column, Document, is_open, parse_decimal, turn_name
from gops_exact.base.pools import in_processes
from gops_exact.base.progress import Progress, tracked
from gops_exact.base.store import DiskStore, StoreError, user_folder
from gops_exact.verify.entries import StoredNumber, read_first_move, read_key
from gops_exact.verify.interleavings import PrizeState, interleavings, stage_games, whole_game
from gops_exact.verify.intervals import NotProvedError, Pair, add_up
from gops_exact.verify.proofs import (
    check_first_move,
    check_strategy,
    check_value,
    first_game,
    proved_value,
)
from gops_exact.verify.values import Game, Values


@dataclass
class Report:
    """Result of checks: the numbers of claims that are proved, only compared or passed over, and a list of faults.

    Claims are counted by their kind, {kind: number}.
    """

    entries: int = 0  # number of entries of a store that the report covers
    proved: Counter[str] = field(default_factory=Counter)  # claims that are proved
    # claims that are not proved themselves, but agree with exact numbers that are
    compared: Counter[str] = field(default_factory=Counter)
    passed_over: Counter[str] = field(default_factory=Counter)  # claims that are not checked
    faults: list[str] = field(default_factory=list)  # a line for each claim that is refused

    def add(self, other: "Report") -> None:
        """Add the counts and the faults of another report to this one."""
        for name, counts in vars(other).items():
            setattr(self, name, getattr(self, name) + counts)

    def lines(self) -> Iterator[str]:
        """Yield three lines of text: how many claims were proved, only compared with proved numbers, or passed over
        (not checked).
        """
        titles = {"proved": "proved", "compared": "only compared", "passed_over": "passed over"}
        for name, title in titles.items():
            counts = (f"{count:,} {what}" for what, count in getattr(self, name).most_common())
            yield f"{title}: {', '.join(counts) or 'nothing'}"


def check_document(values: Values, document: Document, progress: Progress | None = None) -> Report:
    """Check the first moves in a document against the exact values of a store.

    Exact first moves, and claims that they are the only optimal ones, are proved from the values of positions in the
    store. For first moves in balls or floats, the exact first moves of the store are proved, and then compared with the
    document. This function does not prove the values of positions: those that it used are counted as passed over in the
    report, and :func:`check_store` proves them.

    Args:
        values: the exact values of an open store.
        document: the first moves.
        progress: called as progress(done, total), counted in first moves; None for no calls.

    Returns:
        The counts of claims, and the faults of the document. If the store lacks something that a proof needs, this is a
        fault, too.

    Raises:
        StoreError: if an entry of the store is damaged.
    """
    report, whole = Report(), whole_game(document)
    for column in tracked(document.columns, progress):
        try:
            _check_column(values, whole, document, column, report)
        except (NotProvedError, ValueError) as error:
            report.faults.append(f"{turn_name(column.upcard)}: {error}")
    report.passed_over["values of the store that the proofs rest on"] = len(values.used)
    return report


def _check_column(
    values: Values, whole: PrizeState, document: Document, column: Column, report: Report
) -> None:
    payload = values.store.get(whole.first_move_key(column.upcard))
    if payload is None:
        raise NotProvedError("the store has no such first move")
    is_exact = document.arithmetic == EXACT
    if is_exact:
        chances = (document.number(column, card)[0] for card in column.probabilities)
        strategy, unique = [(p.numerator, p.denominator) for p in chances], column.unique
    else:
        numbers, unique, _ = read_first_move(payload)
        strategy = [number.low for number in numbers]
    for card, text in column.decimals.items():
        number, _ = document.number(column, card)
        half = mpq(1, 2 * mpz(10) ** len(text.partition(".")[2]))
        # `half` is half a unit of the last digit. A decimal with an exponent, which would move the point, is refused.
        if abs(parse_decimal(text) - number) > half or "e" in text.lower():
            raise NotProvedError(f"card {card}: the decimal is not correctly rounded")
    if is_exact:
        report.compared["decimals"] += len(column.decimals)
    check_strategy(first_game(values, whole, column.upcard, len(strategy)), strategy, unique)
    report.proved["exact first moves"] += 1
    if is_exact:
        return
    for card, pair in zip(column.probabilities, strategy, strict=True):
        number, radius = document.number(column, card)
        if abs(number - mpq(*pair)) > radius:
            wrong = "correctly rounded" if document.arithmetic == "ball" else "within its radius"
            raise NotProvedError(f"card {card} is not {wrong}")
        if column.unique and is_open(number, radius):
            raise NotProvedError(
                f"card {card} may be anything, though the first move is said to be unique"
            )
    if column.unique not in (None, unique):
        claim = "unique" if column.unique else "not unique"
        raise NotProvedError(f"the first move is said to be {claim}, unlike the one in the store")
    if document.says_nothing(column):
        report.passed_over["first moves that say nothing"] += 1
    else:
        report.compared["probabilities"] += len(column.probabilities)


def check_entry(values: Values, key: str) -> Report:
    """Check an entry of a store, and return a report on it; a fault is listed, not raised.

    Args:
        values: the values in the open store, of any arithmetic.
        key: the key of the entry.
    """
    report = Report(entries=1)
    faults = report.faults
    try:
        arithmetic, state, hands, upcard = read_key(key)
        values = values.of(arithmetic)
        if hands is None:
            proved = check_first_move(values, state, upcard, values.store.get(key) or b"")
            counts = report.proved if proved else report.passed_over
            counts["first moves"] += 1
            return report
        entry = values.entry(state, hands)
        if entry is None:
            faults.append(f"entry {key!r}: it cannot be found")
            return report
        named = [hands] if isinstance(hands, str) else interleavings(len(state.prizes), hands)
        stored = dict(zip(named, entry, strict=True))
        if values.kind == EXACT:
            faults.extend(
                f"entry {key!r}, {fault}" for fault in _prove(values, state, stored, report)
            )
            return report
        for letters, value in stored.items():
            try:
                check_value(values, state, letters, value)
            except NotProvedError as error:
                faults.append(f"entry {key!r}, hands {letters}: {error}")
            else:
                report.proved["balls"] += 1
    except (NotProvedError, StoreError, ValueError) as error:
        faults.append(f"entry {key!r}: {error}")
    return report


def _prove(
    values: Values, state: PrizeState, stored: dict[str, StoredNumber], report: Report
) -> Iterator[str]:
    """Prove the exact values of an entry, {interleaving: value}, and yield a fault for each value that is not proved."""
    games = stage_games(state)
    gains: dict[str, list[Pair]] = {}
    for letters, value in stored.items():
        if len(value.bases) == len(games):
            gains[letters] = []
        else:
            yield f"hands {letters}: expected {len(games)} bases, got {len(value.bases)}"
    # One upcard after the other, because the entries that the proofs for one upcard read fit in memory.
    for index, (upcard, (weight, stakes)) in enumerate(games.items()):
        for letters in list(gains):
            try:
                rows, columns = (
                    [n for n in range(mask.bit_length()) if mask >> n & 1]
                    for mask in stored[letters].bases[index]
                )
                p, q = proved_value(Game(values, letters, stakes), rows, columns)
            except NotProvedError as error:
                yield f"hands {letters}, {turn_name(upcard)}: {error}"
                del gains[letters]
            else:
                gains[letters].append((weight * p, q))
                report.proved["games"] += 1
    count = sum(weight for weight, _ in games.values())
    for letters, terms in gains.items():
        p, q = stored[letters].low
        numerator, denominator = add_up(terms)
        if p * denominator * count == numerator * q:
            report.proved["values"] += 1
        else:
            yield f"hands {letters}: the value is not the mean over the upcards"


def state_folder() -> Path:
    """Return the user's folder for the records of unfinished checks of stores, and create it if it is missing.

    If the folder cannot be created, no error is raised. If the user has no home directory, the path is below the null
    device, where no folder can be.
    """
    try:
        folder = user_folder("XDG_STATE_HOME", ".local/state")
    except RuntimeError:
        folder = Path(os.devnull) / "gops_exact"
    with suppress(OSError):
        folder.mkdir(0o700, parents=True, exist_ok=True)
    return folder


def record_of(store: DiskStore) -> tuple[Path, str]:
    """Return the path of the file that records which entries of a store are proved, and the first line of this file.

    The first line has a digest of the present content of the store and of the verifier's code.
    """
    digest = blake2b(store.digest().encode(), digest_size=16)
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    name = blake2b(os.fsencode(store.path.resolve()), digest_size=16).hexdigest()
    path = state_folder() / f"verified-{name}"
    return path, f"proved by gops-exact verify, not finished: {digest.hexdigest()}"


def mark(header: str, key: str) -> str:
    """Return the line that records an entry as proved: a digest of `header`, the first line of the file, and `key`."""
    return blake2b(f"{header}\n{key}".encode(), digest_size=16).hexdigest()


def check_store(path: Path, *, jobs: int = 1, progress: Progress | None = None) -> Report:
    """Prove every entry of a store, except those that an earlier, unfinished check of the same content has proved.

    Until a check is finished, it records the entries that it has proved in :func:`state_folder`. Entries modulo a
    prime, which an earlier version stored, are not checked; ``Report.passed_over`` counts them.

    Args:
        path: the store's file.
        jobs: number of processes; 1 to check in this process.
        progress: called as progress(done, total), in bytes of entries; None for no calls.

    Returns:
        The counts of claims and the faults of all entries.

    Raises:
        StoreError: if the store cannot be opened.
        ChildProcessError: if a process was killed.
    """
    with DiskStore(path, read_only=True) as store:
        sizes = store.sizes()
        whole, counts = Report(), dict[str, int]()
        for key in sizes:
            try:
                arithmetic, state, _, _ = read_key(key)
            except NotProvedError as error:
                whole.faults.append(f"entry {key!r}: {error}")
                continue
            if arithmetic.startswith("residue/"):
                whole.passed_over["entries modulo a prime, which an earlier version stored"] += 1
            else:
                counts[key] = len(state.prizes)
        record, header = record_of(store)
        try:
            lines = set(record.read_text("utf-8", errors="replace").split("\n"))
        except OSError:
            lines = set()
        if header not in lines:
            # The old file is deleted, not overwritten, so that the new one belongs to this user alone.
            with suppress(OSError):
                record.unlink(missing_ok=True)
                record.touch(0o600, exist_ok=False)
                record.write_text(header, "utf-8")
        before = {key for key in counts if mark(header, key) in lines}
        # Entries that an earlier run has proved come first; they are not proved again. Of the others, those with the
        # most prizes come first, and of these the largest, since they take longest. So no process is left with a long
        # task at the end.
        keys = sorted(
            counts, key=lambda key: (key in before, counts[key], sizes[key]), reverse=True
        )
        check = partial(_check_and_record, Values(store) if jobs == 1 else path, record, header)
        reports = in_processes(jobs, check, [key for key in keys if key not in before])
        for key in tracked(keys, progress, lambda key: sizes[key]):
            if key not in before:
                whole.add(next(reports))
                continue
            whole.entries += 1
            try:
                store.get(key)  # raises a StoreError if the entry was damaged after the earlier run
            except StoreError as error:
                whole.faults.append(f"entry {key!r}: {error}")
            else:
                whole.passed_over["entries that a stopped run has proved"] += 1
        # This run is finished, so the record of proved entries is deleted.
        with suppress(OSError):
            record.unlink()
    return whole


def _check_and_record(values: Values | Path, record: Path, header: str, key: str) -> Report:
    """Check an entry, and record it as proved if it has no faults; several processes may do so at the same time.

    The argument `values` is the path of the store in a worker process, where the store is not open yet.
    """
    report = check_entry(_opened(values) if isinstance(values, Path) else values, key)
    if not report.faults:
        # The newline is written before the text of a line. So if the end of a line is lost when a process is killed,
        # the next line still begins on a line of its own.
        with suppress(OSError), record.open("ab", buffering=0) as file:
            file.write(f"\n{mark(header, key)}".encode())
    return report


@lru_cache(maxsize=1)
def _opened(path: Path) -> Values:
    return Values(DiskStore(path, read_only=True))
