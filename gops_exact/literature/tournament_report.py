"""Tournament results beside the published ones: as CSV, read back, and how often the signs agree."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from math import isfinite
from pathlib import Path

from gops_exact.game.rules import Rules
from gops_exact.literature.round_robin import (
    CARDS,
    LENGTHS,
    MEASURES,
    RULE_SETS,
    Estimate,
    Pairing,
    Result,
)
from gops_exact.verify.texts import read_text
from gops_exact.writing import csv_lines

SOURCE = "data/dror_kendall_rapoport_tournament.csv"
"""The published tables, with a README beside them."""

AGREEMENT_HEADER = "entries,same_sign,opposite_sign,unclear,published_zero"

HEADER = (
    "table,measure,ties,objective,rounds,player_1,player_2,player_1_minus_player_2,"
    "two_standard_errors,published,cards"
)

TIES = {"carryover": "carryover", "discard": "no carryover"}
OBJECTIVES = {"points": "points", "win": "wins"}


@dataclass(frozen=True)
class Entry:
    """One entry of one table.

    Attributes:
        table: its number, 1 to 32 as published; 0 where there was no such table.
        measure: ``"score"`` or ``"wins"``.
        result: the pairing it belongs to.
        estimate: player one's less player two's, in a match.
        published: the published difference; None where nothing was published.
    """

    table: int
    measure: str
    result: Result
    estimate: Estimate
    published: int | None


def entries(results: Iterable[Result]) -> list[Entry]:
    """Return two entries for each result, in the order of the published tables."""
    known = published()
    found = []
    for result in results:
        pairing = result.pairing
        for measure in MEASURES:
            table = number(pairing, measure)
            key = table, shown(pairing.one), shown(pairing.two)
            found.append(Entry(table, measure, result, result.by(measure), known.get(key)))
    return sorted(found, key=lambda entry: entry.table)


def number(pairing: Pairing, measure: str) -> int:
    """Return the published number of a pairing's table, or 0.

    >>> number(Pairing(13, Rules("win"), 50, "0209", "random"), "wins")
    32
    """
    tables = [*product([CARDS], RULE_SETS, LENGTHS, MEASURES)]
    wanted = (pairing.n, pairing.rules, pairing.length, measure)
    return tables.index(wanted) + 1 if wanted in tables else 0


def kind(rules: Rules) -> str:
    """Name a rule set as it is published.

    >>> kind(Rules("win", "carryover"))
    'carryover, wins'
    """
    return f"{TIES[rules.ties]}, {OBJECTIVES[rules.objective]}"


def shown(name: str) -> str:
    """Return the published name of a player."""
    return "Random" if name == "random" else name


@cache
def published() -> dict[tuple[int, str, str], int]:
    """Read the 1,760 published entries, {(table, player one, player two): one's total less two's}.

    >>> published()[1, "0209", "Random"]
    307
    """
    text = files("gops_exact.players").joinpath(SOURCE).read_text(encoding="ascii")
    return {
        (int(row["table"]), row["player_1"], row["player_2"]): int(row["player_1_minus_player_2"])
        for row in csv.DictReader(text.splitlines())
    }


def tournament_csv(results: Iterable[Result]) -> Iterator[str]:
    """Write CSV, a line for each entry: the columns of the published tables and three more."""
    return csv_lines(HEADER, map(_row, entries(results)))


def _row(entry: Entry) -> list[object]:
    pairing, mean, error = entry.result.pairing, entry.estimate.mean, entry.estimate.error
    rules = (TIES[pairing.rules.ties], OBJECTIVES[pairing.rules.objective])
    match = (pairing.length, shown(pairing.one), shown(pairing.two))
    found = (f"{mean:.2f}", f"{error:.2f}", entry.published)
    return [entry.table, entry.measure, *rules, *match, *found, pairing.n]


def read_tournament(path: Path) -> list[Result]:
    """Read the results that :func:`tournament_csv` wrote, to its two decimals.

    Raises:
        ValueError: if the file cannot be read, or holds something else.
    """
    lines = read_text(path).splitlines()
    if not lines or lines[0] != HEADER:
        raise ValueError(
            f"{str(path)!r} must begin with {HEADER}, got {''.join(lines[:1])[:200]!r}"
        )
    found: dict[Pairing, dict[str, Estimate]] = {}
    try:
        for row in csv.DictReader(lines):
            mean, error = float(row["player_1_minus_player_2"]), float(row["two_standard_errors"])
            found.setdefault(_pairing(row), {})[row["measure"]] = Estimate(mean, error)
        results = [
            Result(pairing, *(each[name] for name in MEASURES)) for pairing, each in found.items()
        ]
    except (AttributeError, KeyError, TypeError, ValueError, csv.Error) as wrong:
        raise ValueError(f"{str(path)!r} is not as it was written: {wrong!r:.200}") from wrong
    again = "".join(tournament_csv(results)).splitlines()
    numbers = [number for result in results for number in (result.score, result.wins)]
    sound = all(isfinite(number.mean) and number.error >= 0 for number in numbers)
    if not sound or sorted(again) != sorted(lines):
        raise ValueError(f"{str(path)!r} is not as it was written: read back, it is another table")
    return results


def _pairing(row: Mapping[str, str]) -> Pairing:
    kinds = {(TIES[rules.ties], OBJECTIVES[rules.objective]): rules for rules in RULE_SETS}
    return Pairing(
        int(row["cards"]),
        kinds[row["ties"], row["objective"]],
        int(row["rounds"]),
        *(row[player].lower() for player in ("player_1", "player_2")),
    )


@dataclass(frozen=True)
class Agreement:
    """Counts of published entries by the agreement of our signs with theirs.

    Attributes:
        entries: the name of the entries that were compared.
        same: the number of estimates clearly of the published sign.
        opposite: of those clearly of the other sign.
        unclear: of those whose interval holds zero.
        zero: of the entries published as zero, which have no sign.
    """

    entries: str
    same: int
    opposite: int
    unclear: int
    zero: int


def agreements(results: Sequence[Result]) -> list[Agreement]:
    """Compare signs over all entries, by rule set, by measure and by player."""
    groups: dict[str, Counter[str]] = {"all": Counter()}
    for entry in entries(results):
        if entry.published is None:
            continue
        pairing = entry.result.pairing
        of = (kind(pairing.rules), entry.measure, shown(pairing.one), shown(pairing.two))
        for name in ("all", *of):
            groups.setdefault(name, Counter())[_compared(entry.estimate, entry.published)] += 1
    first = [name for name in groups if not (name.startswith("02") or name == "Random")]
    players = sorted(groups.keys() - {*first})
    outcomes = ("same", "opposite", "unclear", "zero")
    return [
        Agreement(name, *(groups[name][each] for each in outcomes)) for name in (*first, *players)
    ]


def _compared(estimate: Estimate, published: int) -> str:
    if published == 0:
        return "zero"
    if not estimate.clear:
        return "unclear"
    return "same" if (published > 0) == (estimate.mean > 0) else "opposite"


def agreement_csv(results: Sequence[Result]) -> Iterator[str]:
    """Write CSV, a line for each group of entries."""
    yield f"{AGREEMENT_HEADER}\n"
    for each in agreements(results):
        yield f'"{each.entries}",{each.same},{each.opposite},{each.unclear},{each.zero}\n'
