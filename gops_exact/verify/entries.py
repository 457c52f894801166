"""The entries of a store, checked one by one.

A value is proved from those one prize smaller, so a store without faults is proved from the bottom
up, whatever the order of checking.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from gops_exact.store import StoreError
from gops_exact.verify.fractions import NotProvedError, Pair, add_up
from gops_exact.verify.games import proved_value
from gops_exact.verify.openings import check_opening, read_opening
from gops_exact.verify.rounds import Left, Prizes, turns
from gops_exact.verify.values import Game, Stored, Values, read_values
from gops_exact.verify.words import words


@dataclass
class Report:
    """What was checked, and what was found wrong.

    Attributes:
        entries: entries of the store.
        values: values proved.
        games: games whose bases were proved optimal.
        openings: first moves proved.
        faults: one line of text for each thing that is wrong or could not be proved.
    """

    entries: int = 0
    values: int = 0
    games: int = 0
    openings: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, other: "Report") -> None:
        """Count another report in."""
        self.entries += other.entries
        self.values += other.values
        self.games += other.games
        self.openings += other.openings
        self.faults += other.faults


@dataclass(frozen=True)
class Entry:
    """What the key of an entry says.

    Attributes:
        kind: ``"values"`` of all words of a length, ``"value"`` of one word, or ``"opening"``.
        left: what it is about; of an opening, the whole game.
        words: whose values it holds.
        upcard: of an opening; None if it is hidden.
    """

    kind: str
    left: Left
    words: tuple[str, ...] = ()
    upcard: int | None = None


def read_key(key: str) -> Entry | None:
    """What a key says; None for keys of other arithmetics.

    >>> read_key("points/discard/random exact values 2,3 length 3").words
    ('BVY', 'VBY', 'VYB')
    >>> read_key("win/carryover/random exact value 1,4 margin -2 pot 3 of VBY").left.name
    '1,4 margin -2 pot 3'
    """
    rules, arithmetic, kind, subject, *more = key.split()
    if arithmetic != "exact":
        return None
    facts = dict(zip(more[::2], more[1::2], strict=True))
    if kind == "opening":
        fixed = facts.get("of")
        prizes = _prizes(fixed) if fixed else tuple(range(1, int(subject) + 1))
        upcard = None if facts["upcard"] == "hidden" else int(facts["upcard"])
        return Entry(kind, Left(rules, prizes), upcard=upcard)
    prizes = _prizes(subject)
    left = Left(rules, prizes, int(facts.get("margin", 0)), int(facts.get("pot", 0)))
    named = words(len(prizes), int(facts["length"])) if kind == "values" else [facts["of"]]
    return Entry(kind, left, tuple(named))


def _prizes(text: str) -> Prizes:
    return tuple(map(int, text.split(",")))


def check_entry(values: Values, key: str) -> Report:
    """Check the entry of a key that :func:`read_key` knows."""
    report, entry = Report(entries=1), read_key(key)
    if entry is None:
        report.faults.append(f"entry '{key}': expected exact numbers")
        return report
    try:
        payload = values.store.get(key) or b""
        if entry.kind == "opening":
            check_opening(values, entry.left, entry.upcard, read_opening(payload))
            report.openings += 1
            return report
        for fault in _prove(values, entry.left, _named(entry.words, payload), report):
            report.faults.append(f"entry '{key}', {fault}")
    except (NotProvedError, StoreError) as error:
        report.faults.append(f"entry '{key}': {error}")
    return report


def _named(named: tuple[str, ...], payload: bytes) -> dict[str, Stored]:
    stored = read_values(payload)
    if len(stored) != len(named):
        raise NotProvedError(f"expected {len(named)} values, got {len(stored)}")
    return dict(zip(named, stored, strict=True))


def _prove(values: Values, left: Left, stored: dict[str, Stored], report: Report) -> Iterator[str]:
    """Prove the values of what is left, turn by turn; yields what cannot be proved."""
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
    """Rows and columns of the basis at the upcard numbered `place`."""
    if len(value.bases) != count:
        raise NotProvedError(f"expected {count} bases, got {len(value.bases)}")
    return [[n for n in range(mask.bit_length()) if mask >> n & 1] for mask in value.bases[place]]
