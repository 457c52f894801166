"""List the contents of a store (info), check it for damage (check) or empty it (clear)."""

import sys
from argparse import Namespace
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

from gops_exact.commands.arguments import Parser, store_path
from gops_exact.documents import EXACT
from gops_exact.progress import progress_bar, tracked
from gops_exact.store import DiskStore, StoreError
from gops_exact.verify.arithmetic import NotProvedError
from gops_exact.verify.entries import read_key, read_opening, read_values

EXAMPLES = {
    "info": "what is kept, and how long the numbers are",
    "clear --yes": "delete all of it without being asked",
}

ACTIONS = ("info", "check", "clear")

ROW = "{:8}{:>7}{:>7}{:>8}{:>15}{:>15}"
"""The columns of the table of contents."""


def add_arguments(parser: Parser) -> None:
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help=", ".join(ACTIONS))
    parser.share("--store")
    parser.add("running", "--yes", "", "clear without asking; required without a terminal")


def run(given: Namespace) -> int:
    """List, check or clear a store; 1 if damage was found."""
    path = store_path(given.store)
    if given.action == "info":
        print(info(path))
        return 0
    if given.action == "check":
        with DiskStore(path, read_only=True) as store:
            faults = list(store.check(progress_bar()))
            for fault in faults:
                print(fault)
            if not faults:
                print(f"{path}: {len(store.sizes())} entries, none damaged")
        return bool(faults)
    if not given.yes and not sys.stdin.isatty():
        raise ValueError("clear: expected --yes where there is no terminal to ask at, got none")
    with DiskStore(path) as store:
        if not given.yes:
            answer = ""
            with suppress(EOFError):
                answer = input(f"{path}: delete {len(store.sizes()):,} entries? [y/N] ")
            if answer.strip().lower() not in ("y", "yes"):
                print("nothing is deleted")
                return 0
        print(f"{path}: {store.clear()} entries deleted")
    return 0


def info(path: Path) -> str:
    """Tabulate the contents of a store: a line per layer and kind of entry."""
    found: dict[tuple[str, str, int], list[tuple[str, int, int]]] = defaultdict(list)
    with DiskStore(path, read_only=True) as store:
        sizes = store.sizes()
        for key, size in tracked(sizes.items(), progress_bar(), lambda item: item[1]):
            try:
                arithmetic, left, _, _ = read_key(key)
                _, _, kind, subject, *_ = key.split(" ")
                bits = _longest(kind, store.get(key)) if arithmetic == EXACT else 0
            except NotProvedError as error:
                raise StoreError(f"{path} is damaged at entry {key!r}: {error}") from error
            line = f"{left.rules} {arithmetic}", kind, len(left.prizes)
            found[line].append((subject, size, bits))
    text = [f"{path}: {len(sizes):,} entries, {sum(sizes.values()):,} bytes of payload"]
    for group in sorted({group for group, _, _ in found}):
        rows = [["entries", "prizes", "sets", "count", "bytes", "longest, bits"]]
        for (other, kind, layer), entries in sorted(found.items()):
            if other == group:
                sets, nbytes = {each for each, _, _ in entries}, sum(size for _, size, _ in entries)
                longest = max(bits for _, _, bits in entries)
                cells = [f"{x:,}" for x in (layer, len(sets), len(entries), nbytes)]
                rows.append([kind, *cells, f"{longest:,}" if longest else "-"])
        text += ["", group, *(ROW.format(*row) for row in rows)]
    return "\n".join(text)


def _longest(kind: str, payload: bytes | None) -> int:
    """Return the bits of the longest number of an entry."""
    if payload is None:
        raise NotProvedError("it cannot be found")
    numbers = read_opening(payload)[0] if kind == "opening" else read_values(payload)
    return max((term.bit_length() for number in numbers for term in number.pair), default=0)
