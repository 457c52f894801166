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
from gops_exact.verify.rounds import MOST_CARDS, RULES, Left, Prizes, listed, turns
from gops_exact.verify.values import Game, Stored, Values, read_values
from gops_exact.verify.words import is_word, word_count, words

EXACT = "exact"
ARITHMETICS = (EXACT, "ball", "residue")
"""What keys call their numbers by, precision and prime following after a slash."""


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
        hands: the length of the words, or the one word; nothing of an opening.
        upcard: of an opening; None if it is hidden.
        arithmetic: what its numbers are, such as ``"exact"``.
    """

    kind: str
    left: Left
    hands: int | str = ""
    upcard: int | None = None
    arithmetic: str = EXACT

    @property
    def key(self) -> str:
        """Its name in the store.

        >>> Entry("opening", Left("points/discard/hidden", (1, 2, 3))).key
        'points/discard/hidden exact opening 3 upcard hidden'
        """
        start = f"{self.left.rules} {self.arithmetic} {self.kind}"
        if self.kind == "opening":
            turned = "hidden" if self.upcard is None else self.upcard
            order = f" of {listed(self.left.prizes)}" if self.left.rules.endswith("/fixed") else ""
            return f"{start} {len(self.left.prizes)} upcard {turned}{order}"
        return (
            f"{start} {self.left.name} {'length' if self.kind == 'values' else 'of'} {self.hands}"
        )

    @property
    def words(self) -> list[str]:
        """Whose values it holds."""
        if isinstance(self.hands, str):
            return [self.hands]
        return words(len(self.left.prizes), self.hands)

    @property
    def count(self) -> int:
        """How many values it holds."""
        if isinstance(self.hands, str):
            return 1
        return word_count(len(self.left.prizes), self.hands)


def read_key(key: str) -> Entry:
    """What a key says.

    Raises:
        NotProvedError: if it is no key of an entry.

    >>> read_key("points/discard/random exact values 2,3 length 3").words
    ['BVY', 'VBY', 'VYB']
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
    """What the parts of a key say, be it written as keys are or not."""
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
    stored = read_values(payload)
    if len(stored) != entry.count:
        raise NotProvedError(f"expected {entry.count} values, got {len(stored)}")
    return dict(zip(entry.words, stored, strict=True))


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
