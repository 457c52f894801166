"""``gops_exact store``: a table of a store's contents, a check for damage, and emptying it."""

from argparse import Namespace
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from gops_exact.commands.arguments import Parser, store_path
from gops_exact.store import DiskStore, StoreError
from gops_exact.verify.entries import EXACT, read_key
from gops_exact.verify.fractions import NotProvedError
from gops_exact.verify.openings import read_opening
from gops_exact.verify.values import read_values

DESCRIPTION = (
    "List the contents of a store (info), check it for damage (check) or empty it (clear)."
)

ACTIONS = ("info", "check", "clear")


def add_arguments(parser: Parser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help=", ".join(ACTIONS))
    parser.add_store()


def run(given: Namespace) -> int:
    """List, check or clear a store; 1 if damage was found."""
    path = store_path(given.store)
    if given.action == "info":
        print(info(path))
        return 0
    if given.action == "check":
        return check(path)
    with DiskStore(path) as store:
        print(f"{path}: {store.clear()} entries deleted")
    return 0


def check(path: Path) -> int:
    """Read everything and print what is damaged; 1 if anything is."""
    with DiskStore(path, read_only=True) as store:
        faults = list(store.check())
        for fault in faults:
            print(fault)
        if not faults:
            print(f"{path}: {len(store.sizes())} entries, none damaged")
    return bool(faults)


@dataclass
class Line:
    """One line of the table.

    Attributes:
        subjects: what the entries are about: prize sets, or decks.
        entries: how many there are.
        size: bytes of payload.
        longest: bits of the longest number, 0 if not known.
    """

    subjects: set[str] = field(default_factory=set)
    entries: int = 0
    size: int = 0
    longest: int = 0


def info(path: Path) -> str:
    """A table of what a store holds: a line per layer and kind of entry."""
    lines: dict[tuple[str, str, int], Line] = defaultdict(Line)
    with DiskStore(path, read_only=True) as store:
        for key, size in store.sizes().items():
            try:
                entry = read_key(key)
                bits = _longest(entry.kind, store.get(key)) if entry.arithmetic == EXACT else 0
            except NotProvedError as error:
                raise StoreError(f"{path} is damaged at entry {key!r}: {error}") from error
            layer = len(entry.left.prizes)
            line = lines[f"{entry.left.rules} {entry.arithmetic}", entry.kind, layer]
            line.subjects.add(key.split()[3])
            line.entries += 1
            line.size += size
            line.longest = max(line.longest, bits)
    total = sum(line.size for line in lines.values())
    count = sum(line.entries for line in lines.values())
    text = [f"{path}: {count:,} entries, {total:,} bytes of payload"]
    for group in sorted({group for group, _, _ in lines}):
        text += ["", group, _row("entries", "prizes", "sets", "count", "bytes", "longest, bits")]
        for (other, kind, layer), line in sorted(lines.items(), key=lambda item: item[0][1:]):
            if other == group:
                longest = f"{line.longest:,}" if line.longest else "-"
                cells = f"{layer}", f"{len(line.subjects):,}", f"{line.entries:,}", f"{line.size:,}"
                text.append(_row(kind, *cells, longest))
    return "\n".join(text)


def _longest(kind: str, payload: bytes | None) -> int:
    """Bits of the longest number of an entry."""
    if payload is None:
        raise NotProvedError("it cannot be found")
    if kind == "opening":
        pairs = list(read_opening(payload).strategy)
    else:
        pairs = [value.pair for value in read_values(payload)]
    return max((number.bit_length() for pair in pairs for number in pair), default=0)


def _row(name: str, *cells: str) -> str:
    widths = (7, 7, 8, 15, 15)
    return f"{name:8}" + "".join(f"{c:>{w}}" for c, w in zip(cells, widths, strict=True))
