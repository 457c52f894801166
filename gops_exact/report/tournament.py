"""Tournament results as CSV, a line for an entry of the published tables."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isfinite
from pathlib import Path

from gops_exact.players.tournament import CARDS, LENGTHS, RULE_SETS, Estimate, Pairing, Result
from gops_exact.rules import Rules
from gops_exact.verify.texts import read_text

SOURCE = "data/dror_kendall_rapoport_tournament.csv"
"""The published tables; see the README beside them."""

HEADER = (
    "table,measure,ties,objective,rounds,player_1,player_2,player_1_minus_player_2,"
    "two_standard_errors,published,cards"
)

TIES = {"carryover": "carryover", "discard": "no carryover"}
OBJECTIVES = {"points": "points", "win": "wins"}
MEASURES = ("score", "wins")

Key = tuple[int, str, str]
"""Number of a table, player one, player two."""


@dataclass(frozen=True)
class Entry:
    """One entry of one table.

    Attributes:
        table: its number, 1 to 32 as published; 0 where there was no such table.
        measure: ``"score"`` or ``"wins"``.
        result: the pairing it belongs to.
        estimate: player one's less player two's, in a match.
        published: what was published, or None where nothing was.
    """

    table: int
    measure: str
    result: Result
    estimate: Estimate
    published: int | None


def entries(results: Iterable[Result]) -> list[Entry]:
    """Two entries a result, in the order of the published tables."""
    known = published()
    found = []
    for result in results:
        pairing = result.pairing
        for measure in MEASURES:
            table = number(pairing, measure)
            key = table, shown(pairing.one), shown(pairing.two)
            found.append(Entry(table, measure, result, measured(result, measure), known.get(key)))
    return sorted(found, key=lambda entry: entry.table)


def number(pairing: Pairing, measure: str) -> int:
    """The published number of a pairing's table, or 0.

    >>> number(Pairing(13, Rules("win"), 50, "0209", "random"), "wins")
    32
    """
    rules, length = pairing.rules, pairing.length
    if pairing.n != CARDS or rules not in RULE_SETS or length not in LENGTHS:
        return 0
    place = RULE_SETS.index(rules) * len(LENGTHS) + LENGTHS.index(length)
    return 2 * place + 1 + MEASURES.index(measure)


def measured(result: Result, measure: str) -> Estimate:
    """What a result says by one of the :data:`MEASURES`."""
    return result.score if measure == "score" else result.wins


def kind(rules: Rules) -> str:
    """A rule set as published.

    >>> kind(Rules("win", "carryover"))
    'carryover, wins'
    """
    return f"{TIES[rules.ties]}, {OBJECTIVES[rules.objective]}"


def shown(name: str) -> str:
    """A player's name as published."""
    return "Random" if name == "random" else name


@cache
def published() -> dict[Key, int]:
    """{(table, player one, player two): one's total less two's}, all 1,760 entries.

    >>> published()[1, "0209", "Random"]
    307
    """
    text = files("gops_exact.players").joinpath(SOURCE).read_text(encoding="ascii")
    return {
        (int(row["table"]), row["player_1"], row["player_2"]): int(row["player_1_minus_player_2"])
        for row in csv.DictReader(text.splitlines())
    }


def tournament_csv(results: Iterable[Result]) -> Iterator[str]:
    """CSV lines, one per entry, columns as in the published tables and three more."""
    yield f"{HEADER}\n"
    for entry in entries(results):
        rules, length = entry.result.pairing.rules, entry.result.pairing.length
        one, two = shown(entry.result.pairing.one), shown(entry.result.pairing.two)
        known = "" if entry.published is None else entry.published
        yield (
            f"{entry.table},{entry.measure},{TIES[rules.ties]},{OBJECTIVES[rules.objective]},"
            f"{length},{one},{two},{entry.estimate.mean:.2f},{entry.estimate.error:.2f},{known},"
            f"{entry.result.pairing.n}\n"
        )


def read_tournament(path: Path) -> list[Result]:
    """The results that :func:`tournament_csv` wrote, to its two decimals.

    Raises:
        ValueError: if the file cannot be read, or has something else in it.
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
