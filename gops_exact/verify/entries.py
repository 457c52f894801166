"""A store proved, entry by entry, in one process or several.

A value is proved from those one prize smaller, so a store without faults is proved from the bottom
up, whatever the order of checking.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from gops_exact.pools import Processes
from gops_exact.progress import Progress, tracked
from gops_exact.store import DiskStore, StoreError
from gops_exact.verify.arithmetic import NotProvedError, Pair, add_up
from gops_exact.verify.documents import check_modulus
from gops_exact.verify.enclosures import check_ball, check_enclosed_opening, check_residue
from gops_exact.verify.games import check_opening, proved_value, read_opening
from gops_exact.verify.report import Report
from gops_exact.verify.rules import (
    EXACT,
    MOST_CARDS,
    RULES,
    Left,
    Prizes,
    is_word,
    turns,
    word_count,
    words,
)
from gops_exact.verify.values import Game, Stored, Values, read_values

ARITHMETIC = "exact|ball/[0-9]{2,7}/[0-9]{1,2}|residue/[0-9]{10,20}/[0-9]{2,7}/[0-9]{1,2}"
"""The names of arithmetics in keys: with prime, bits of precision, hands up to which values are exact."""


@dataclass(frozen=True)
class Entry:
    """The subject of an entry, as its key names it."""

    kind: str  # "values" of all words of a length, "value" of one word, or "opening"
    left: Left  # the game without the hands; of an opening, the whole game
    hands: int | str = ""  # the length of the words, or the one word; nothing of an opening
    upcard: int | None = None  # of an opening; None if it is hidden
    arithmetic: str = EXACT  # with its prime and precision

    @property
    def key(self) -> str:
        """The name in the store."""
        if self.kind == "opening":
            return self.left.opening_key(self.upcard, self.arithmetic)
        return self.left.values_key(self.hands, self.arithmetic)


def read_key(key: str) -> Entry:
    """Read the name of an entry.

    Raises:
        NotProvedError: if it is no key of an entry.

    >>> read_key("win/carryover/random exact value 1,4 margin -2 pot 3 of VBY").left.name
    '1,4 margin -2 pot 3'
    """
    try:
        entry = _entry(key)
    except (KeyError, ValueError):
        entry = None
    if entry is None or entry.key != key:
        raise NotProvedError("no entry has such a name")
    return entry


def _entry(key: str) -> Entry:
    """Read the parts of a name, in whatever order they stand."""
    rules, arithmetic, kind, subject, *more = key.split(" ")
    facts = dict(zip(more[::2], more[1::2], strict=True))
    if rules not in RULES or not re.fullmatch(ARITHMETIC, arithmetic):
        raise ValueError(key)
    if kind == "opening":
        n = min(int(subject), MOST_CARDS)
        prizes = _prizes(facts["of"]) if "of" in facts else tuple(range(1, n + 1))
        upcard = None if facts["upcard"] == "hidden" else int(facts["upcard"])
        return Entry(kind, Left(rules, prizes), upcard=upcard, arithmetic=arithmetic)
    prizes = _prizes(subject)
    left = Left(rules, prizes, int(facts.get("margin", 0)), int(facts.get("pot", 0)))
    hands: int | str
    if kind == "values":
        hands = length = int(facts["length"])
    else:
        hands, length = facts["of"], len(facts["of"])
        if not is_word(hands, len(prizes)):
            raise ValueError(key)
    if not len(prizes) <= length <= min(2 * len(prizes), MOST_CARDS):
        raise ValueError(key)
    return Entry(kind, left, hands, arithmetic=arithmetic)


def _prizes(text: str) -> Prizes:
    return tuple(map(int, text.split(",")))


def check_entry(values: Values, key: str) -> Report:
    """Check an entry of the store that `values` are of."""
    report = Report(entries=1)
    try:
        entry = read_key(key)
        values, payload = values.of(entry.arithmetic), values.store.get(key) or b""
        if entry.arithmetic.startswith("residue/"):
            check_modulus(values.parameters[0])
        if entry.kind != "opening":
            prove = _prove if entry.arithmetic == EXACT else _prove_enclosed
            for fault in prove(values, entry.left, _named(entry, payload), report):
                report.faults.append(f"entry {key!r}, {fault}")
        elif entry.arithmetic == EXACT:
            check_opening(values, entry.left, entry.upcard, read_opening(payload))
            report.proved["first moves"] += 1
        else:
            how = check_enclosed_opening(values, entry.left, entry.upcard, payload)
            getattr(report, how)["first moves"] += 1
    except (NotProvedError, StoreError) as error:
        report.faults.append(f"entry {key!r}: {error}")
    return report


def _named(entry: Entry, payload: bytes) -> dict[str, Stored]:
    """Return the values of an entry by word."""
    stored = read_values(payload, entry.arithmetic.partition("/")[0])
    size, hands = len(entry.left.prizes), entry.hands
    count = 1 if isinstance(hands, str) else word_count(size, hands)
    if len(stored) != count:
        raise NotProvedError(f"expected {count} values, got {len(stored)}")
    return dict(zip([hands] if isinstance(hands, str) else words(size, hands), stored, strict=True))


def _prove_enclosed(
    values: Values, left: Left, stored: dict[str, Stored], report: Report
) -> Iterator[str]:
    """Prove values in balls or residues; yields those that cannot be proved.

    Residues that are marked as not proved are compared with exact values, where the store has them.
    """
    for word, value in stored.items():
        try:
            check_ball(values, left, word, value)
            report.proved["balls"] += 1
            if value.residue is not None:
                getattr(report, check_residue(values, left, word, value))["residues"] += 1
        except NotProvedError as error:
            yield f"hands {word}: {error}"


def _prove(values: Values, left: Left, stored: dict[str, Stored], report: Report) -> Iterator[str]:
    """Prove the values of a game, turn by turn; yields those that cannot be proved."""
    found = turns(left)
    gains: dict[str, list[Pair]] = {word: [] for word in stored}
    for place, turn in enumerate(found):
        named = "hidden prizes" if turn.upcard is None else f"upcard {turn.upcard}"
        for word in list(gains):
            try:
                rows, columns = _basis(stored[word], place, len(found))
                p, q = proved_value(Game(values, word, turn), rows, columns)
            except NotProvedError as error:
                yield f"hands {word}, {named}: {error}"
                del gains[word]
            else:
                gains[word].append((turn.times * p, q))
                report.proved["games"] += 1
    count = sum(turn.times for turn in found)
    for word, terms in gains.items():
        p, q = stored[word].pair
        numerator, denominator = add_up(terms)
        if p * denominator * count == numerator * q:
            report.proved["values"] += 1
        else:
            yield f"hands {word}: the value is not the mean over the upcards"


def _basis(value: Stored, place: int, count: int) -> list[list[int]]:
    """Return rows and columns of the basis at the upcard numbered `place`."""
    if len(value.bases) != count:
        raise NotProvedError(f"expected {count} bases, got {len(value.bases)}")
    return [[n for n in range(mask.bit_length()) if mask >> n & 1] for mask in value.bases[place]]


def check_store(
    path: Path, *, prizes_up_to: int | None = None, jobs: int = 1, progress: Progress | None = None
) -> Report:
    """Prove every entry of a store.

    Args:
        path: the file.
        prizes_up_to: leave out entries about more prizes.
        jobs: processes; 1 works in this one.
        progress: called with the bytes of the entries checked and of all entries.

    Raises:
        StoreError: if the store cannot be opened.
        ChildProcessError: if a process was killed.
    """
    with DiskStore(path, read_only=True) as store:
        sizes = store.sizes()
    whole, counts = Report(), dict[str, int]()
    for key in sizes:
        try:
            counts[key] = len(read_key(key).left.prizes)
        except NotProvedError as error:
            whole.faults.append(f"entry {key!r}: {error}")
    if prizes_up_to is not None:
        larger = [key for key, count in counts.items() if count > prizes_up_to]
        whole.passed_over[f"entries about more than {prizes_up_to} prizes"] = len(larger)
        counts = {key: count for key, count in counts.items() if count <= prizes_up_to}
    # The longest work first, so that none is left over at the end.
    keys = sorted(counts, key=lambda key: (counts[key], sizes[key]), reverse=True)
    todo = tracked(keys, progress, lambda key: sizes[key])
    if jobs == 1:
        with DiskStore(path, read_only=True) as store:
            values = Values(store)
            for key in todo:
                whole.add(check_entry(values, key))
        return whole
    reports = Processes(jobs).map(partial(_check, path), keys)
    for _ in todo:
        whole.add(next(reports))
    return whole


def _check(path: Path, key: str) -> Report:
    return check_entry(_elsewhere(path), key)


@lru_cache(maxsize=1)
def _elsewhere(path: Path) -> Values:
    """Return the store as another process has opened it, the same for every entry."""
    return Values(DiskStore(path, read_only=True))
