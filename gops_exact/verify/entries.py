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
from gops_exact.verify.values import PREFIX, Game, Prizes, Stored, Values, draws, read_values
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


def prize_count(key: str) -> int | None:
    """How many prizes an entry is about; None for keys that are not of this kind.

    >>> prize_count(f"{PREFIX} values 2,3 length 3"), prize_count(f"{PREFIX} opening 5 upcard 1")
    (2, 5)
    """
    if not key.startswith(PREFIX + " "):
        return None
    kind, subject, *_ = key.removeprefix(PREFIX).split()
    return int(subject) if kind == "opening" else len(subject.split(","))


def check_entry(values: Values, key: str) -> Report:
    """Check the entry of a key that :func:`prize_count` knows."""
    report = Report(entries=1)
    kind, subject, _, last = key.removeprefix(PREFIX).split()
    try:
        payload = values.store.get(key) or b""
        if kind == "opening":
            check_opening(values, int(subject), int(last), read_opening(payload))
            report.openings += 1
            return report
        prizes = tuple(map(int, subject.split(",")))
        named = words(len(prizes), int(last)) if kind == "values" else [last]
        for fault in _prove(values, prizes, _named(named, payload), report):
            report.faults.append(f"entry '{key}', {fault}")
    except (NotProvedError, StoreError) as error:
        report.faults.append(f"entry '{key}': {error}")
    return report


def _named(named: list[str], payload: bytes) -> dict[str, Stored]:
    stored = read_values(payload)
    if len(stored) != len(named):
        raise NotProvedError(f"expected {len(named)} values, got {len(stored)}")
    return dict(zip(named, stored, strict=True))


def _prove(
    values: Values, prizes: Prizes, stored: dict[str, Stored], report: Report
) -> Iterator[str]:
    """Prove the values of one prize set, upcard by upcard; yields what cannot be proved."""
    turns = list(draws(prizes))
    gains: dict[str, list[Pair]] = {word: [] for word in stored}
    for place, (upcard, times, rest) in enumerate(turns):
        for word in list(gains):
            try:
                rows, columns = _basis(stored[word], place, len(turns))
                p, q = proved_value(Game(values, word, upcard, rest), rows, columns)
            except NotProvedError as error:
                yield f"hands {word}, upcard {upcard}: {error}"
                del gains[word]
            else:
                gains[word].append((times * p, q))
                report.games += 1
    for word, found in gains.items():
        p, q = stored[word].pair
        numerator, denominator = add_up(found)
        if p * denominator * len(prizes) == numerator * q:
            report.values += 1
        else:
            yield f"hands {word}: the value is not the mean over the upcards"


def _basis(value: Stored, place: int, count: int) -> list[list[int]]:
    """Rows and columns of the basis at the upcard numbered `place`."""
    if len(value.bases) != count:
        raise NotProvedError(f"expected {count} bases, got {len(value.bases)}")
    return [[n for n in range(mask.bit_length()) if mask >> n & 1] for mask in value.bases[place]]
