"""List the contents of a store (info), check it for damage (check) or empty it (clear).

A store is a file that keeps values of positions and first moves between runs. An entry of a store has many values, one
value, or a first move.
"""

import sys
from collections import defaultdict
from contextlib import suppress
from functools import partial
from operator import itemgetter
from pathlib import Path

from gops_exact.base.documents import EXACT
from gops_exact.base.progress import progress_bar, tracked
from gops_exact.base.store import DiskStore, StoreError
from gops_exact.base.writing import LINES
from gops_exact.commands.options import Options, Parser, one_of
from gops_exact.numbers.table import Table
from gops_exact.verify.entries import read_first_move, read_key, read_values
from gops_exact.verify.intervals import NotProvedError

EXAMPLES = {
    "info": "what is kept, and how long the numbers are",
    "clear --yes": "delete all of it without being asked",
}

ACTIONS = ("info", "check", "clear")

Line = tuple[str, str, str, int, int, int, int, int | None]
"""Record of those entries of a store that agree in rules, kind of number, kind of entry and number of prizes left.

The fields are these four, then the number of different sets of prizes, the number of entries, their bytes, and the bits
of the longest numerator or denominator, or None unless the numbers are exact.
"""

NAMES = ("rules", "arithmetic", "entries", "prizes", "sets", "count", "bytes", "longest_bits")
COLUMNS = {name: itemgetter(index) for index, name in enumerate(NAMES)}


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "action", type=partial(one_of, ACTIONS), metavar="ACTION", help=", ".join(ACTIONS)
    )
    parser.share("--store")
    formats = "info: text, in tables; csv, json, markdown: a record for each line"
    parser.share("--emit", text=formats)
    parser.add("running", "--yes", "", "clear without asking; required without a terminal")


def run(options: Options) -> int:
    """List, check or clear a store; return 1 if the check finds damaged entries, else 0.

    Raises:
        ValueError: if there is no store, if the format of ``--emit`` is not for this action, or if the store is to be
            cleared without ``--yes`` and standard input is not a terminal.
        StoreError: if the store cannot be opened, or if an entry to be listed is damaged.
    """
    path = options.store_path
    is_info = options.action == "info"
    is_text = options.emit not in LINES
    options.judge((f"--emit {options.emit}", is_info or is_text, "info"), got=options.action)
    if is_info:
        lines = contents(path)
        if not is_text:
            sys.stdout.writelines(LINES[options.emit](COLUMNS, lines))
            return 0
        count, nbytes = sum(line[5] for line in lines), sum(line[6] for line in lines)
        caption = f"{path}: {count:,} entries, {nbytes:,} bytes of payload"
        rows = [
            (line[:4], ["-" if number is None else f"{number:,}" for number in line[4:]])
            for line in lines
        ]
        heads = (*NAMES[4:-1], "longest, bits")
        print(Table(caption, NAMES[:4], rows, heads=heads, left=NAMES[:3]))
        return 0
    if options.action == "check":
        with DiskStore(path, read_only=True) as store:
            faults = list(store.check(progress_bar()))
            checked = faults or [f"{path}: {len(store.sizes())} entries, none damaged"]
        print(*checked, sep="\n")
        return bool(faults)
    if not options.yes and not sys.stdin.isatty():
        raise ValueError("clear: expected --yes where there is no terminal to ask at, got none")
    with DiskStore(path) as store:
        answer = "y" if options.yes else ""
        with suppress(EOFError):
            answer = answer or input(f"{path}: delete {len(store.sizes()):,} entries? [y/N] ")
        is_meant = answer.strip().lower() in ("y", "yes")
        print(f"{path}: {store.clear()} entries deleted" if is_meant else "nothing is deleted")
    return 0


def contents(path: Path) -> list[Line]:
    """Return the contents of a store as records, in sorted order.

    A record sums up all entries with the same rules, kind of number, kind of entry and number of prizes left.

    Args:
        path: the store's file.

    Raises:
        StoreError: if the store cannot be opened, or if an entry is damaged.
    """
    layers: dict[tuple[str, str, str, int], list[tuple[str, int, int]]] = defaultdict(list)
    with DiskStore(path, read_only=True) as store:
        for key, size in tracked(store.sizes().items(), progress_bar(), lambda item: item[1]):
            try:
                arithmetic, left, _, _ = read_key(key)
                _, _, kind, subject, *_ = key.split(" ")
                numbers = []
                if arithmetic == EXACT:
                    payload, is_first_move = store.get(key) or b"", kind == "opening"
                    numbers = read_first_move(payload)[0] if is_first_move else read_values(payload)
            except (NotProvedError, ValueError) as error:
                raise StoreError(f"{path} is damaged at entry {key!r}: {error}") from error
            lengths = (term.bit_length() for number in numbers for term in number.low)
            line = str(left.rules), arithmetic, kind, len(left.prizes)
            layers[line].append((subject, size, max(lengths, default=0)))
    records = []
    for line, entries in sorted(layers.items()):
        subjects, sizes, bits = zip(*entries, strict=True)
        records.append((*line, len(set(subjects)), len(entries), sum(sizes), max(bits) or None))
    return records
