"""Tournament results in the layout of the published tables and by the game, as frames and as text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import hypot, isfinite
from typing import TYPE_CHECKING

from gops_exact.game.rules import Rules
from gops_exact.literature.round_robin import MEASURES, Estimate, Result
from gops_exact.literature.tournament_report import kind, number, shown

if TYPE_CHECKING:
    import pandas as pd

MATCH_DECIMALS, GAME_DECIMALS = 1, 2
"""Decimals of points and games won, in a match and in a game."""


def tournament_frame(
    results: Iterable[Result],
    rules: Rules,
    length: int,
    measure: str = "score",
    *,
    errors: bool = False,
) -> "pd.DataFrame":
    """Lay one table out as published: a row for each player one, a column for each player two.

    Args:
        results: the results of a tournament.
        rules: the rules of the table.
        length: games a match of the table.
        measure: ``"score"`` for points, ``"wins"`` for games won.
        errors: give two standard errors in place of the means.

    Raises:
        ValueError: if the results have no match of that kind.
    """
    found = {
        (each.pairing.one, each.pairing.two): each.by(measure)
        for each in results
        if (each.pairing.game.rules, each.pairing.length) == (rules, length)
    }
    if not found:
        raise ValueError(
            f"matches of {length} games, {rules}, must have been played, got no result"
        )
    return _frame(found, errors=errors)


def game_frame(
    results: Iterable[Result], rules: Rules, measure: str = "score", *, errors: bool = False
) -> "pd.DataFrame":
    """Put all lengths together by the game: the row's player less the column's, both ways round.

    Args:
        results: the results of a tournament.
        rules: the rules of the matches.
        measure: ``"score"`` for points, ``"wins"`` for games won.
        errors: give two standard errors in place of the means.

    Raises:
        ValueError: if the results have no match by these rules.
    """
    matches: dict[tuple[str, str], list[tuple[int, Estimate]]] = {}
    for each in results:
        if each.pairing.game.rules == rules:
            pair = each.pairing.one, each.pairing.two
            matches.setdefault(pair, []).append((each.pairing.length, each.by(measure)))
    if not matches:
        raise ValueError(f"matches with {rules} must have been played, got no result")
    found = {pair: _by_the_game(estimates) for pair, estimates in matches.items()}
    turned = {(two, one): Estimate(-each.mean, each.error) for (one, two), each in found.items()}
    return _frame(found | turned, errors=errors)


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
            frame = partial(tournament_frame, results, rules, length, measure)
            yield _with_errors(frame, MATCH_DECIMALS, width)


def game_tables(results: Sequence[Result], width: int | None = None) -> Iterator[str]:
    """Write the tables of :func:`game_frame` as text, in the manner of :func:`tournament_tables`."""
    for rules in dict.fromkeys(each.pairing.game.rules for each in results):
        for measure in MEASURES:
            yield f"{measure} a game, {kind(rules)}\n"
            frame = partial(game_frame, results, rules, measure)
            yield _with_errors(frame, GAME_DECIMALS, width)


def _by_the_game(estimates: Sequence[tuple[int, Estimate]]) -> Estimate:
    """Divide the sum of the means of matches of different lengths by the number of their games."""
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


def _with_errors(frame: "partial[pd.DataFrame]", decimals: int, width: int | None) -> str:
    """Write a table with entries ``mean ±error``, and a dash where nothing was played.

    A single seed gives no error: there is a dash in its place.
    """
    means, errors = frame(errors=False), frame(errors=True)
    shown = errors.map(f" ±{{:.{decimals}f}}".format).where(errors.map(isfinite), " –")
    text = means.map(f"{{:.{decimals}f}}".format) + shown
    return text.where(means.notna(), "-").to_string(line_width=width) + "\n\n"
