"""Tournament results beside the published ones: as CSV, read back, and how often the signs agree."""

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from math import isfinite
from operator import attrgetter
from pathlib import Path

from gops_exact.game.game import Game
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
from gops_exact.verify.documents import read_text
from gops_exact.writing import csv_lines, fields_of

SOURCE = "data/dror_kendall_rapoport_tournament.csv"
"""The published tables, with a README beside them."""

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

    >>> number(Pairing(Game(13, Rules("win")), 50, "0209", "random"), "wins")
    32
    """
    tables = [*product([CARDS], RULE_SETS, LENGTHS, MEASURES)]
    wanted = (pairing.game.n, pairing.game.rules, pairing.length, measure)
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


COLUMNS: dict[str, Callable[[Entry], object]] = {
    "table": attrgetter("table"),
    "measure": attrgetter("measure"),
    "ties": lambda entry: TIES[entry.result.pairing.game.rules.ties],
    "objective": lambda entry: OBJECTIVES[entry.result.pairing.game.rules.objective],
    "rounds": attrgetter("result.pairing.length"),
    "player_1": lambda entry: shown(entry.result.pairing.one),
    "player_2": lambda entry: shown(entry.result.pairing.two),
    "player_1_minus_player_2": lambda entry: f"{entry.estimate.mean:.2f}",
    "two_standard_errors": lambda entry: f"{entry.estimate.error:.2f}",
    "published": attrgetter("published"),
    "cards": attrgetter("result.pairing.game.n"),
}
"""The columns of entries in CSV: those of the published tables and three more."""


def tournament_csv(results: Iterable[Result]) -> Iterator[str]:
    """Write CSV, a line for each entry."""
    return csv_lines(COLUMNS, entries(results))


def read_tournament(path: Path) -> list[Result]:
    """Read the results that :func:`tournament_csv` wrote, to its two decimals.

    Raises:
        ValueError: if the file cannot be read, or holds something else.
    """
    lines = read_text(path).splitlines()
    header = ",".join(COLUMNS)
    if not lines or lines[0] != header:
        raise ValueError(
            f"{str(path)!r} must begin with {header}, got {''.join(lines[:1])[:200]!r}"
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
    game = Game(int(row["cards"]), kinds[row["ties"], row["objective"]])
    return Pairing(game, int(row["rounds"]), row["player_1"].lower(), row["player_2"].lower())


@dataclass(frozen=True)
class Agreement:
    """Counts of published entries by the agreement of our signs with theirs."""

    entries: str  #: the name of the entries that were compared
    same_sign: int  #: estimates clearly of the published sign
    opposite_sign: int  #: estimates clearly of the other sign
    unclear: int  #: estimates whose interval holds zero
    published_zero: int  #: entries published as zero, which have no sign


def agreements(results: Sequence[Result]) -> list[Agreement]:
    """Compare signs over all entries, by rule set, by measure and by player."""
    groups: dict[str, Counter[str]] = {"all": Counter()}
    for entry in entries(results):
        if entry.published is None:
            continue
        pairing = entry.result.pairing
        of = (kind(pairing.game.rules), entry.measure, shown(pairing.one), shown(pairing.two))
        for name in ("all", *of):
            groups.setdefault(name, Counter())[_compared(entry.estimate, entry.published)] += 1
    first = [name for name in groups if not (name.startswith("02") or name == "Random")]
    players = sorted(groups.keys() - {*first})
    outcomes = ("same_sign", "opposite_sign", "unclear", "published_zero")
    return [
        Agreement(name, *(groups[name][each] for each in outcomes)) for name in (*first, *players)
    ]


def _compared(estimate: Estimate, published: int) -> str:
    if published == 0:
        return "published_zero"
    if not estimate.clear:
        return "unclear"
    return "same_sign" if (published > 0) == (estimate.mean > 0) else "opposite_sign"


def agreement_csv(results: Sequence[Result]) -> Iterator[str]:
    """Write CSV, a line for each group of entries."""
    return csv_lines(fields_of(Agreement), agreements(results), csv.QUOTE_NONNUMERIC)
