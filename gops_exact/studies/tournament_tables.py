"""Tournament results in the layout of the published tables, and by the game."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot
from typing import TYPE_CHECKING

from gops_exact.game.rules import Rules
from gops_exact.studies.tournament import Estimate, Result
from gops_exact.studies.tournament_report import MEASURES, kind, measured, number, shown

if TYPE_CHECKING:
    import pandas as pd

MATCH_DECIMALS, GAME_DECIMALS = 1, 2
"""What is shown of points and games won in a match, and in a game."""


def tournament_frame(
    results: Iterable[Result],
    rules: Rules,
    length: int,
    measure: str = "score",
    *,
    errors: bool = False,
) -> "pd.DataFrame":
    """One table laid out as published: a row per player one, a column per player two.

    Args:
        results: of a tournament.
        rules: the table's rules.
        length: its games a match.
        measure: ``"score"`` for points, ``"wins"`` for games won.
        errors: two standard errors in place of the means.

    Raises:
        ValueError: if the results have no match of that kind.
    """
    found = {
        (each.pairing.one, each.pairing.two): measured(each, measure)
        for each in results
        if (each.pairing.rules, each.pairing.length) == (rules, length)
    }
    if not found:
        raise ValueError(
            f"matches of {length} games, {rules}, must have been played, got no result"
        )
    return _frame(found, errors=errors)


def game_frame(
    results: Iterable[Result], rules: Rules, measure: str = "score", *, errors: bool = False
) -> "pd.DataFrame":
    """All lengths together, by the game: the row's player less the column's, both ways round.

    Args:
        results: of a tournament.
        rules: the rules.
        measure: ``"score"`` for points, ``"wins"`` for games won.
        errors: two standard errors in place of the means.

    Raises:
        ValueError: if the results have no match by these rules.
    """
    matches: dict[tuple[str, str], list[tuple[int, Estimate]]] = {}
    for each in results:
        if each.pairing.rules == rules:
            pair = each.pairing.one, each.pairing.two
            matches.setdefault(pair, []).append((each.pairing.length, measured(each, measure)))
    if not matches:
        raise ValueError(f"matches with {rules} must have been played, got no result")
    found = {pair: _by_the_game(estimates) for pair, estimates in matches.items()}
    turned = {(two, one): Estimate(-each.mean, each.error) for (one, two), each in found.items()}
    return _frame(found | turned, errors=errors)


def tournament_tables(results: Sequence[Result]) -> Iterator[str]:
    """Every table as text, entries with two standard errors, in the order of the published ones."""
    some = {(each.pairing.rules, each.pairing.length): each.pairing for each in results}
    for (rules, length), pairing in some.items():
        for measure in MEASURES:
            table = number(pairing, measure)
            yield f"Table {table}: " if table else ""
            yield f"{measure}, {kind(rules)}, {length} rounds\n"
            means, errors = (
                tournament_frame(results, rules, length, measure, errors=which)
                for which in (False, True)
            )
            yield f"{_with_errors(means, errors, MATCH_DECIMALS)}\n\n"


def game_tables(results: Sequence[Result]) -> Iterator[str]:
    """The tables of :func:`game_frame` as text, entries with two standard errors."""
    for rules in dict.fromkeys(each.pairing.rules for each in results):
        for measure in MEASURES:
            means, errors = (
                game_frame(results, rules, measure, errors=which) for which in (False, True)
            )
            yield f"{measure} a game, {kind(rules)}\n"
            yield f"{_with_errors(means, errors, GAME_DECIMALS)}\n\n"


def _by_the_game(estimates: Sequence[tuple[int, Estimate]]) -> Estimate:
    """Means of matches of different lengths, added up and shared among their games."""
    games = sum(length for length, _ in estimates)
    mean = sum(each.mean for _, each in estimates)
    return Estimate(mean / games, hypot(*(each.error for _, each in estimates)) / games)


def _frame(found: Mapping[tuple[str, str], Estimate], *, errors: bool) -> "pd.DataFrame":
    import pandas as pd

    # Player one is the later of the two, as in the tables.
    names = list(dict.fromkeys(name for pair in found for name in reversed(pair)))
    order = [shown(name) for name in names]
    frame = pd.DataFrame(index=order, columns=order, dtype=float)
    frame.index.name, frame.columns.name = "P1", "P2"
    for (one, two), estimate in found.items():
        frame.loc[shown(one), shown(two)] = estimate.error if errors else estimate.mean
    return frame


def _with_errors(means: "pd.DataFrame", errors: "pd.DataFrame", decimals: int) -> str:
    """Both in one table, ``mean ±error``; where nothing was played there is a dash."""
    text = means.map(f"{{:.{decimals}f}}".format) + errors.map(f" ±{{:.{decimals}f}}".format)
    return text.where(means.notna(), "-").to_string()
