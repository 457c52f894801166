"""Tournament results in the layout of the published tables, and compared with them."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from gops_exact.players.tournament import CARDS, LENGTHS, RULE_SETS, Estimate, Pairing, Result

if TYPE_CHECKING:
    import pandas as pd

SOURCE = "data/dror_kendall_rapoport_tournament.csv"
"""The published tables; see the README beside them."""

HEADER = (
    "table,measure,ties,objective,rounds,player_1,player_2,player_1_minus_player_2,"
    "two_standard_errors,published"
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
        for measure, estimate in zip(MEASURES, (result.score, result.wins), strict=True):
            table = number(pairing, measure)
            key = table, shown(pairing.one), shown(pairing.two)
            found.append(Entry(table, measure, result, estimate, known.get(key)))
    return sorted(found, key=lambda entry: entry.table)


def number(pairing: Pairing, measure: str) -> int:
    """The published number of a pairing's table, or 0.

    >>> from gops_exact.rules import Rules
    >>> number(Pairing(13, Rules("win"), 50, "0209", "random"), "wins")
    32
    """
    rules, length = pairing.rules, pairing.length
    if pairing.n != CARDS or rules not in RULE_SETS or length not in LENGTHS:
        return 0
    place = RULE_SETS.index(rules) * len(LENGTHS) + LENGTHS.index(length)
    return 2 * place + 1 + MEASURES.index(measure)


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
    """CSV lines, one an entry, columns as in the published tables and two more."""
    yield f"{HEADER}\n"
    for entry in entries(results):
        rules, length = entry.result.pairing.rules, entry.result.pairing.length
        one, two = shown(entry.result.pairing.one), shown(entry.result.pairing.two)
        known = "" if entry.published is None else entry.published
        yield (
            f"{entry.table},{entry.measure},{TIES[rules.ties]},{OBJECTIVES[rules.objective]},"
            f"{length},{one},{two},{entry.estimate.mean:.2f},{entry.estimate.error:.2f},{known}\n"
        )


def tournament_frame(
    results: Iterable[Result], table: int, *, errors: bool = False
) -> "pd.DataFrame":
    """One table laid out as published: a row a player one, a column a player two.

    Args:
        results: of a tournament.
        table: its number, 1 to 32.
        errors: two standard errors in place of the means.

    Raises:
        ValueError: if the results have nothing for that table.
    """
    import pandas as pd

    found = [entry for entry in entries(results) if entry.table == table]
    if not found:
        raise ValueError(f"the tournament must have been played for table {table}, got no result")
    pairings = [entry.result.pairing for entry in found]
    names = list(dict.fromkeys(name for each in pairings for name in (each.two, each.one)))
    order = [shown(name) for name in names]
    frame = pd.DataFrame(index=order, columns=order, dtype=float)
    frame.index.name, frame.columns.name = "P1", "P2"
    for entry, pairing in zip(found, pairings, strict=True):
        estimate = entry.estimate
        value = estimate.error if errors else estimate.mean
        frame.loc[shown(pairing.one), shown(pairing.two)] = value
    return frame


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
        rules = f"{TIES[pairing.rules.ties]}, {OBJECTIVES[pairing.rules.objective]}"
        for name in (rules, entry.measure, shown(pairing.one), shown(pairing.two)):
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
    """CSV lines, one a group of entries."""
    yield "entries,same_sign,opposite_sign,unclear,published_zero\n"
    for each in agreements(results):
        yield f'"{each.what}",{each.same},{each.opposite},{each.unclear},{each.zero}\n'
