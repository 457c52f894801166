"""A store proved, entry by entry, in one process or several.

A value is proved from those one prize smaller, so a store without faults is proved from the bottom
up, whatever the order of checking.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

from gops_exact.pools import Processes
from gops_exact.progress import Progress, tracked
from gops_exact.store import DiskStore, StoreError
from gops_exact.verify.arithmetic import NotProvedError, Pair, add_up
from gops_exact.verify.games import check_opening, proved_value, read_opening
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

ARITHMETICS = (EXACT, "ball", "residue")
"""The names of arithmetics in keys; precision and prime follow after a slash."""


@dataclass
class Report:
    """Counts of the entries read, of values, games and first moves proved, and the faults found.

    A fault is one line of text on something that is wrong or could not be proved.
    """

    entries: int = 0
    values: int = 0
    games: int = 0
    openings: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, other: "Report") -> None:
        """Count another report in."""
        for name, found in vars(other).items():
            setattr(self, name, getattr(self, name) + found)


@dataclass(frozen=True)
class Entry:
    """The subject of an entry, as its key names it.

    Attributes:
        kind: ``"values"`` of all words of a length, ``"value"`` of one word, or ``"opening"``.
        left: the game without the hands; of an opening, the whole game.
        hands: the length of the words, or the one word; nothing of an opening.
        upcard: of an opening; None if it is hidden.
        arithmetic: its kind of number, such as ``"exact"``.
    """

    kind: str
    left: Left
    hands: int | str = ""
    upcard: int | None = None
    arithmetic: str = EXACT

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
    if rules not in RULES or arithmetic.partition("/")[0] not in ARITHMETICS:
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
    """Check an entry with exact numbers."""
    report = Report(entries=1)
    try:
        entry = read_key(key)
        payload = values.store.get(key) or b""
        if entry.kind == "opening":
            check_opening(values, entry.left, entry.upcard, read_opening(payload))
            report.openings += 1
            return report
        for fault in _prove(values, entry.left, _named(entry, payload), report):
            report.faults.append(f"entry {key!r}, {fault}")
    except (NotProvedError, StoreError) as error:
        report.faults.append(f"entry {key!r}: {error}")
    return report


def _named(entry: Entry, payload: bytes) -> dict[str, Stored]:
    """Return the values of an entry by word."""
    stored, size, hands = read_values(payload), len(entry.left.prizes), entry.hands
    count = 1 if isinstance(hands, str) else word_count(size, hands)
    if len(stored) != count:
        raise NotProvedError(f"expected {count} values, got {len(stored)}")
    return dict(zip([hands] if isinstance(hands, str) else words(size, hands), stored, strict=True))


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
                report.games += 1
    count = sum(turn.times for turn in found)
    for word, terms in gains.items():
        p, q = stored[word].pair
        numerator, denominator = add_up(terms)
        if p * denominator * count == numerator * q:
            report.values += 1
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
    """Prove every exact entry of a store.

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
            entry = read_key(key)
        except NotProvedError as error:
            whole.faults.append(f"entry {key!r}: {error}")
        else:
            if entry.arithmetic == EXACT:
                counts[key] = len(entry.left.prizes)
    # The longest work first, so that none is left over at the end.
    keys = sorted(
        (key for key, count in counts.items() if count <= (prizes_up_to or count)),
        key=lambda key: (counts[key], sizes[key]),
        reverse=True,
    )

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
