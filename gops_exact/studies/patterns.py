"""Patterns in first-move tables: the remarks of others, each judged for any number of cards.

Nothing is taken from a rounded number: a bid counts as never made where its probability is proved to
be zero, and as made where it is proved to be positive.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from gops_exact.game.rules import PLAIN
from gops_exact.studies.bounds import BoundedTable
from gops_exact.studies.remarks import CLAIMS, OBSERVATIONS, Case, match_falls

Verdict = Literal["holds", "fails", "undecided", "no case", "observed"]
HEADER = "pattern,n,verdict,places"


@dataclass(frozen=True)
class Finding:
    """A pattern in one table.

    Attributes:
        pattern: its name, a key of :data:`~gops_exact.studies.remarks.CLAIMS` or ``OBSERVATIONS``, or ``"match falls"``.
        n: cards a side.
        verdict: of a claim, whether it ``"holds"``, ``"fails"``, is ``"undecided"`` or has ``"no
            case"``; ``"observed"`` if nothing is claimed.
        places: where a claim fails, or is undecided; what was observed, with a question mark if it
            is not proved. ``"3 on 7"`` is a bid of 3 at upcard 7.
    """

    pattern: str
    n: int
    verdict: Verdict
    places: tuple[str, ...]


def findings(tables: Iterable[BoundedTable]) -> Iterator[Finding]:
    """Every pattern in every table, pattern by pattern.

    Raises:
        ValueError: if a table is of other rules than those that the remarks are about.
    """
    known = list(tables)
    for table in known:
        if table.rules != PLAIN:
            raise ValueError(f"the remarks are about {PLAIN}, got {table.rules}")
    for pattern, claim in CLAIMS.items():
        for table in known:
            yield judged(pattern, table.n, claim(table))
    for before, table in pairwise(known):
        if table.n == before.n + 1:
            yield judged("match falls", table.n, match_falls(before, table))
    for pattern, observe in OBSERVATIONS.items():
        for table in known:
            seen = (
                place if holds else f"{place}?"
                for place, holds in observe(table)
                if holds is not False
            )
            yield Finding(pattern, table.n, "observed", tuple(seen))


def judged(pattern: str, n: int, cases: Iterable[Case]) -> Finding:
    """The verdict on a claim from its cases: it holds if it does in every one.

    >>> judged("even", 3, [("2", True), ("3", False), ("5", None)])
    Finding(pattern='even', n=3, verdict='fails', places=('3',))
    """
    found = list(cases)
    failing = tuple(place for place, holds in found if holds is False)
    open_ones = tuple(place for place, holds in found if holds is None)
    if failing:
        return Finding(pattern, n, "fails", failing)
    if open_ones:
        return Finding(pattern, n, "undecided", open_ones)
    return Finding(pattern, n, "holds" if found else "no case", ())


def finding_lines(found: Iterable[Finding]) -> Iterator[str]:
    """Lines of CSV, one per finding, its places separated by semicolons."""
    yield f"{HEADER}\n"
    for finding in found:
        places = "; ".join(finding.places)
        yield f"{finding.pattern},{finding.n},{finding.verdict},{places}\n"
