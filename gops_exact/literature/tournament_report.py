"""Tournament results beside the published ones: as CSV, read back, and in the published layout."""

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from math import hypot, isfinite
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from gops_exact.documents import read_text
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
from gops_exact.writing import csv_lines

if TYPE_CHECKING:
    import pandas as pd

SOURCE = "data/dror_kendall_rapoport_tournament.csv"
"""The published tables, with a README beside them."""

MATCH_DECIMALS, GAME_DECIMALS = 1, 2
"""Decimals of points and games won, in a match and in a game."""

TIES = {"carryover": "carryover", "discard": "no carryover"}
OBJECTIVES = {"points": "points", "win": "wins"}


@dataclass(frozen=True)
class Entry:
    """One entry of one table."""

    table: int  # its number, 1 to 32 as published; 0 where there was no such table
    measure: str  # "score" or "wins"
    result: Result  # the pairing it belongs to
    estimate: Estimate  # player one's less player two's, in a match
    published: int | None  # the published difference; None where nothing was published


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
        kinds = {(TIES[rules.ties], OBJECTIVES[rules.objective]): rules for rules in RULE_SETS}
        for row in csv.DictReader(lines):
            game = Game(int(row["cards"]), kinds[row["ties"], row["objective"]])
            players = row["player_1"].lower(), row["player_2"].lower()
            pairing = Pairing(game, int(row["rounds"]), *players)
            mean, error = float(row["player_1_minus_player_2"]), float(row["two_standard_errors"])
            found.setdefault(pairing, {})[row["measure"]] = Estimate(mean, error)
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


AGREEMENT = ("same_sign", "opposite_sign", "unclear", "published_zero")
"""Estimates clearly of the published sign, clearly of the other sign, whose interval holds zero, and those
of entries published as zero, which have no sign."""


def agreements(results: Sequence[Result]) -> dict[str, Counter[str]]:
    """Count entries by :data:`AGREEMENT`: over all, by rule set, by measure and by player."""
    groups: dict[str, Counter[str]] = {"all": Counter()}
    for entry in entries(results):
        if entry.published is None:
            continue
        if entry.published == 0:
            compared = "published_zero"
        elif not entry.estimate.clear:
            compared = "unclear"
        else:
            same = (entry.published > 0) == (entry.estimate.mean > 0)
            compared = "same_sign" if same else "opposite_sign"
        pairing = entry.result.pairing
        of = (kind(pairing.game.rules), entry.measure, shown(pairing.one), shown(pairing.two))
        for name in ("all", *of):
            groups.setdefault(name, Counter())[compared] += 1
    first = [name for name in groups if not (name.startswith("02") or name == "Random")]
    players = sorted(groups.keys() - {*first})
    return {name: groups[name] for name in (*first, *players)}


def agreement_csv(results: Sequence[Result]) -> Iterator[str]:
    """Write CSV, a line for each group of entries."""
    lines = [
        (name, *(counts[each] for each in AGREEMENT))
        for name, counts in agreements(results).items()
    ]
    columns = {name: itemgetter(at) for at, name in enumerate(("entries", *AGREEMENT))}
    return csv_lines(columns, lines, csv.QUOTE_NONNUMERIC)


def tournament_frame(
    results: Iterable[Result],
    rules: Rules,
    measure: str = "score",
    *,
    length: int | None = None,
    errors: bool = False,
) -> "pd.DataFrame":
    """Lay one table out: a row for each player one, a column for each player two.

    Args:
        results: the results of a tournament.
        rules: the rules of the matches.
        measure: ``"score"`` for points, ``"wins"`` for games won.
        length: games a match, as published; by default matches of all lengths are put together by the
            game, the row's player less the column's, both ways round.
        errors: give two standard errors in place of the means.

    Raises:
        ValueError: if the results have no match of that kind.
    """
    import pandas as pd

    matches: dict[tuple[str, str], list[Result]] = {}
    for each in results:
        pairing = each.pairing
        if pairing.game.rules == rules and length in (None, pairing.length):
            matches.setdefault((pairing.one, pairing.two), []).append(each)
    if not matches:
        of = f"with {rules}" if length is None else f"of {length} games, {rules},"
        raise ValueError(f"matches {of} must have been played, got no result")
    # Player one is the later of the two, as in the tables.
    names = list(dict.fromkeys(name for pair in matches for name in reversed(pair)))
    order = [shown(name) for name in names]
    frame = pd.DataFrame(index=order, columns=order, dtype=float)
    frame.index.name, frame.columns.name = "P1", "P2"
    for pair, played in matches.items():
        estimates = [each.by(measure) for each in played]
        games = 1 if length is not None else sum(each.pairing.length for each in played)
        mean = sum(each.mean for each in estimates) / games
        error = hypot(*(each.error for each in estimates)) / games
        one, two = map(shown, pair)
        frame.loc[one, two] = error if errors else mean
        if length is None:
            frame.loc[two, one] = error if errors else -mean
    return frame


def tournament_tables(results: Sequence[Result], width: int | None = None) -> Iterator[str]:
    """Write every table as text, entries with two standard errors, in the published order.

    Args:
        results: the results of a tournament.
        width: columns of the terminal, below which a table goes on; None for no limit.
    """
    some = {(each.pairing.game.rules, each.pairing.length): each.pairing for each in results}
    for (rules, length), pairing in some.items():
        for measure in MEASURES:
            table = number(pairing, measure)
            yield f"Table {table}: " if table else ""
            yield f"{measure}, {kind(rules)}, {length} rounds\n"
            yield _with_errors(results, rules, measure, length, width)


def game_tables(results: Sequence[Result], width: int | None = None) -> Iterator[str]:
    """Write the tables by the game as text, in the manner of :func:`tournament_tables`."""
    for rules in dict.fromkeys(each.pairing.game.rules for each in results):
        for measure in MEASURES:
            yield f"{measure} a game, {kind(rules)}\n"
            yield _with_errors(results, rules, measure, None, width)


def _with_errors(
    results: Sequence[Result], rules: Rules, measure: str, length: int | None, width: int | None
) -> str:
    """Write a table with entries ``mean ±error``, and a dash where nothing was played.

    A single seed gives no error: there is a dash in its place.
    """
    means, errors = (
        tournament_frame(results, rules, measure, length=length, errors=which)
        for which in (False, True)
    )
    decimals = GAME_DECIMALS if length is None else MATCH_DECIMALS
    shown = errors.map(f" ±{{:.{decimals}f}}".format).where(errors.map(isfinite), " –")
    text = means.map(f"{{:.{decimals}f}}".format) + shown
    return text.where(means.notna(), "-").to_string(line_width=width) + "\n\n"
