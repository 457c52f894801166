"""How often the signs of the published tournament come out again."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gops_exact.studies.tournament import Result
from gops_exact.studies.tournament_report import Entry, entries, kind, shown


@dataclass(frozen=True)
class Agreement:
    """How often the signs of published entries come out again.

    Attributes:
        what: the entries that were compared.
        same: ours is clearly of the published sign.
        opposite: ours is clearly of the other sign.
        unclear: our interval holds zero.
        zero: published as zero, so there is no sign to compare.
    """

    what: str
    same: int
    opposite: int
    unclear: int
    zero: int


def agreements(results: Sequence[Result]) -> list[Agreement]:
    """Signs compared: over all, by rule set, by measure, and by each player's entries."""
    found = [entry for entry in entries(results) if entry.published is not None]
    groups: dict[str, list[Entry]] = {"all": found}
    for entry in found:
        pairing = entry.result.pairing
        for name in (kind(pairing.rules), entry.measure, shown(pairing.one), shown(pairing.two)):
            groups.setdefault(name, []).append(entry)
    first = [name for name in groups if not (name.startswith("02") or name == "Random")]
    players = sorted(name for name in groups if name not in first)
    return [_agreement(name, groups[name]) for name in (*first, *players)]


def _agreement(what: str, found: Iterable[Entry]) -> Agreement:
    counts = {"same": 0, "opposite": 0, "unclear": 0, "zero": 0}
    for entry in found:
        known = entry.published or 0
        if known == 0:
            counts["zero"] += 1
        elif not entry.estimate.clear:
            counts["unclear"] += 1
        else:
            counts["same" if (known > 0) == (entry.estimate.mean > 0) else "opposite"] += 1
    return Agreement(what, **counts)


def agreement_csv(results: Sequence[Result]) -> Iterator[str]:
    """CSV lines, one per group of entries."""
    yield "entries,same_sign,opposite_sign,unclear,published_zero\n"
    for each in agreements(results):
        yield f'"{each.what}",{each.same},{each.opposite},{each.unclear},{each.zero}\n'
