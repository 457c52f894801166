"""Round robins: every policy against every other, and the results beside the published ones.

The layout is that of Dror, Kendall and Rapoport's tournament: matches of 10, 20, 30 and 50 games of 13
cards, over four rule sets, each counted by points and by games won. They played each match once. In this
package a match is played with many seeds, so that the error of a mean can be estimated. The random numbers of
a match depend only on its seed, rules, length and players. So a match is the same in any order of the matches
and on any number of processes.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations, product
from math import hypot, isfinite
from operator import attrgetter, itemgetter
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from dror_kendall_rapoport import STRATEGIES

from gops_exact.base.arguments import MOST_JOBS, function, integer, items
from gops_exact.base.documents import read_text
from gops_exact.base.machine import available_cores
from gops_exact.base.pools import in_processes
from gops_exact.base.progress import Progress, tracked
from gops_exact.base.writing import csv_lines
from gops_exact.game.game import Game
from gops_exact.game.rules import Rules, winner_of
from gops_exact.players.catalogue import policy
from gops_exact.players.policy import Policy, points
from gops_exact.players.referee import match
from gops_exact.solvers.api import as_arithmetic
from gops_exact.solvers.arithmetic import Arithmetic

if TYPE_CHECKING:
    import pandas as pd

FIELD = ("random", "0209", "0205", "0203", "0210", "0207", "0206", "0202", "0204", "0208", "0201")
"""The players of the published tables, in their order."""

RULE_SETS = (
    Rules("points", "carryover"),
    Rules("win", "carryover"),
    Rules("points", "discard"),
    Rules("win", "discard"),
)
"""The rule sets of the published tables, in their order."""

LENGTHS = (10, 20, 30, 50)
"""The numbers of games in a match of the published tables, which call games rounds."""

CARDS = 13

MEASURES = ("score", "wins")
"""The ways to count a match: by points and by games won. They are attributes of :class:`Result`."""

TABLES = {
    (Game(CARDS, rules), length, measure): number
    for number, (rules, length, measure) in enumerate(
        product(RULE_SETS, LENGTHS, MEASURES), start=1
    )
}
"""{(game, games in a match, measure): number of the published table}."""

SOURCE = Path(__file__).parent / "data/dror_kendall_rapoport_tournament.csv"
"""The file of the published tables; a README is beside the file."""

MATCH_DECIMALS, GAME_DECIMALS = 1, 2
"""Digits after the point of points and games won, in tables of totals by match and by game."""

TIES = {"carryover": "carryover", "discard": "no carryover"}
OBJECTIVES = {"points": "points", "win": "wins"}


@dataclass(frozen=True)
class Pairing:
    """Two policies, their game, and the number of games in their matches."""

    game: Game
    length: int  #: the number of games in a match
    one: str  #: name of player one
    two: str  #: name of player two


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds, and an estimate of its error."""

    mean: float  #: player one's points or games won less player two's, in a match
    #: Two standard errors: half the width of a confidence interval of about 95%. Infinite for one seed.
    error: float

    @property
    def clear(self) -> bool:
        """True if zero is outside the confidence interval, mean ± error."""
        return abs(self.mean) > self.error


@dataclass(frozen=True)
class Result:
    """The result of the matches of a pairing."""

    pairing: Pairing
    score: Estimate  #: points in a match, player one's less player two's
    wins: Estimate  #: games won in a match, player one's less player two's

    def by(self, measure: str) -> Estimate:
        """Return the estimate of one of the :data:`MEASURES`."""
        return self.score if measure == "score" else self.wins


def pairings(
    players: Sequence[str] = FIELD,
    rule_sets: Iterable[Rules] = RULE_SETS,
    lengths: Iterable[int] = LENGTHS,
    n: int = CARDS,
) -> list[Pairing]:
    """List the pairings of a round robin; in each, player one comes after player two in `players`."""
    return [
        Pairing(Game(n, rules), length, one, two)
        for rules, length, (two, one) in product(rule_sets, lengths, combinations(players, 2))
    ]


def tournament(
    players: Sequence[str] = FIELD,
    *,
    seeds: Iterable[int],
    n: int = CARDS,
    rule_sets: Sequence[Rules] = RULE_SETS,
    lengths: Sequence[int] = LENGTHS,
    arithmetic: Arithmetic | str = "exact",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> list[Result]:
    """Play a round robin.

    Args:
        players: names of strategies of the tournament, or of policies of :mod:`~gops_exact.players.catalogue`.
        seeds: the seeds; every pairing plays one match with each.
        n: cards a side.
        rule_sets: the rules to play by.
        lengths: the numbers of games in a match.
        arithmetic: the numbers that the optimal policy plays from, see
            :func:`~gops_exact.players.catalogue.policy`. The processes share the folder of ``Float(folder)``.
        jobs: the number of processes; by default the number of cores.
        progress: progress(done, total), in games played.

    Returns:
        A result for each pairing, in the order of :func:`pairings`.

    Raises:
        ValueError: if a player is unknown, a player or a seed is named twice, or there is no seed.
        BidError: if a player bids a card that is not in its hand.

    >>> [result] = tournament(
    ...     ["matching", "upcard+1"], seeds=[1], rule_sets=[Rules()], lengths=[10], jobs=1
    ... )
    >>> result.score.mean, result.wins.mean
    (650.0, 10.0)
    """
    players = items(players, "players", "names of policies")
    seeds = tuple(integer(seed, "a seed") for seed in items(seeds, "seeds", "integers"))
    rule_sets = items(rule_sets, "rule_sets", "a sequence of Rules")
    lengths = [integer(k, "a length", 1) for k in items(lengths, "lengths", "integers")]
    n = integer(n, "n", 1)
    jobs = None if jobs is None else integer(jobs, "jobs", 1, MOST_JOBS)
    function(progress, "progress")
    if not (seeds and rule_sets and lengths):
        raise ValueError("a tournament needs at least one seed, rule set and length, got none")
    ((seed, times),) = Counter(seeds).most_common(1)
    if times > 1:  # the same match twice would make the estimated error too small
        raise ValueError(f"seeds must be all different, got {seed} {times} times")
    for name in players:
        player(name, Game(n, rule_sets[0]), arithmetic=arithmetic)
    if len(players) < 2 or len(set(players)) < len(players):
        raise ValueError(f"players must be two or more, all different, got {', '.join(players)}")
    matches = pairings(players, rule_sets, lengths, n)
    work = partial(play, seeds=seeds, arithmetic=arithmetic)
    jobs = available_cores() if jobs is None else jobs
    results = in_processes(jobs, work, matches)
    return [next(results) for _ in tracked(matches, progress, lambda m: m.length * len(seeds))]


def play(pairing: Pairing, seeds: Sequence[int], arithmetic: Arithmetic | str = "exact") -> Result:
    """Play the matches of one pairing, one with each seed."""
    game, length = pairing.game, pairing.length
    kind = as_arithmetic(arithmetic)
    one, two = (player(name, game, arithmetic=kind) for name in (pairing.one, pairing.two))
    scores, wins = [], []
    for seed in seeds:
        games = match(
            one,
            two,
            game,
            games=length,
            seed=f"{seed}, {game.rules}, {length}, {one.name}, {two.name}",
        )
        results = [won - lost for won, lost in map(points, games)]
        scores.append(sum(results))
        wins.append(sum(winner_of(ahead, 0) for ahead in results))
    return Result(pairing, estimate(scores), estimate(wins))


# Policies are cached, since opening the float values of 13 cards takes seconds. The cache has room for all
# policies of the catalogue under one rule set, and all matches under a rule set are played before those under
# the next one.
@lru_cache(maxsize=32)
def player(name: str, game: Game, *, arithmetic: Arithmetic | str = "exact") -> Policy:
    """Make a strategy of the tournament, or a policy of the catalogue, by its name.

    Raises:
        ValueError: if there is neither, or the policy cannot play the game.
    """
    if name in STRATEGIES:
        return STRATEGIES[name]()
    return policy(name, game, arithmetic=arithmetic)


def estimate(numbers: Sequence[int]) -> Estimate:
    """Return the mean of independent numbers and two standard errors of this mean."""
    if len(numbers) < 2:
        return Estimate(fmean(numbers), float("inf"))
    return Estimate(fmean(numbers), float(2 * stdev(numbers) / len(numbers) ** 0.5))


@dataclass(frozen=True)
class Entry:
    """One entry of a tournament table."""

    table: int  #: the number of the published table, 1 to 32; 0 if there is none
    measure: str  #: "score" or "wins"
    pairing: Pairing
    estimate: Estimate  #: player one's less player two's, in a match
    published: int | None  #: the published difference; None if there is none


def entries(results: Iterable[Result]) -> list[Entry]:
    """Return two entries for each result, one for each measure, in the order of the published tables."""
    differences = published()
    rows = []
    for result in results:
        pairing = result.pairing
        for measure in MEASURES:
            table = TABLES.get((pairing.game, pairing.length, measure), 0)
            key = table, shown(pairing.one), shown(pairing.two)
            rows.append(Entry(table, measure, pairing, result.by(measure), differences.get(key)))
    return sorted(rows, key=attrgetter("table"))


def kind(rules: Rules) -> str:
    """Return the published name of a rule set."""
    return f"{TIES[rules.ties]}, {OBJECTIVES[rules.objective]}"


def shown(name: str) -> str:
    """Return the published name of a player."""
    return "Random" if name == "random" else name


# Cached, since every call of :func:`entries` reads the same file.
@lru_cache(maxsize=1)
def published() -> dict[tuple[int, str, str], int]:
    """Read the 1,760 published entries, {(table, player one, player two): difference of their results}."""
    with SOURCE.open(encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        (int(row["table"]), row["player_1"], row["player_2"]): int(row["player_1_minus_player_2"])
        for row in rows
    }


COLUMNS: dict[str, Callable[[Entry], object]] = {
    "table": attrgetter("table"),
    "measure": attrgetter("measure"),
    "ties": lambda entry: TIES[entry.pairing.game.rules.ties],
    "objective": lambda entry: OBJECTIVES[entry.pairing.game.rules.objective],
    "rounds": attrgetter("pairing.length"),
    "player_1": lambda entry: shown(entry.pairing.one),
    "player_2": lambda entry: shown(entry.pairing.two),
    "player_1_minus_player_2": lambda entry: f"{entry.estimate.mean:.2f}",
    "two_standard_errors": lambda entry: f"{entry.estimate.error:.2f}",
    "published": attrgetter("published"),
    "cards": attrgetter("pairing.game.n"),
}
"""The columns of entries in CSV: those of the published tables; two_standard_errors, published and cards."""


def tournament_csv(results: Iterable[Result]) -> Iterator[str]:
    """Yield the lines of a CSV file, one for each entry and a header.

    Args:
        results: the results of a tournament.

    >>> pairing = Pairing(Game(13), 10, "0209", "random")
    >>> result = Result(pairing, Estimate(180.5, 9.0), Estimate(4.0, 0.5))
    >>> print("".join(tournament_csv([result])).splitlines()[1])
    17,score,no carryover,points,10,0209,Random,180.50,9.00,192,13
    """
    return csv_lines(COLUMNS, entries(results))


def read_tournament(path: Path) -> list[Result]:
    """Read the results that :func:`tournament_csv` wrote. Their numbers have two decimals.

    Args:
        path: the CSV file.

    Returns:
        The results, in the order in which their pairings come in the file.

    Raises:
        ValueError: if the file cannot be read, or is not what :func:`tournament_csv` wrote.
    """
    lines = read_text(path).splitlines()
    header = ",".join(COLUMNS)
    if not lines or lines[0] != header:
        raise ValueError(
            f"{str(path)!r} must begin with {header}, got {''.join(lines[:1])[:200]!r}"
        )
    estimates: dict[Pairing, dict[str, Estimate]] = {}
    try:
        kinds = {(TIES[rules.ties], OBJECTIVES[rules.objective]): rules for rules in RULE_SETS}
        for row in csv.DictReader(lines):
            game = Game(int(row["cards"]), kinds[row["ties"], row["objective"]])
            players = row["player_1"].lower(), row["player_2"].lower()
            pairing = Pairing(game, int(row["rounds"]), *players)
            mean, error = float(row["player_1_minus_player_2"]), float(row["two_standard_errors"])
            estimates.setdefault(pairing, {})[row["measure"]] = Estimate(mean, error)
        results = [
            Result(pairing, *(by[measure] for measure in MEASURES))
            for pairing, by in estimates.items()
        ]
    except (AttributeError, KeyError, TypeError, ValueError, csv.Error) as wrong:
        raise ValueError(f"{str(path)!r} is not as it was written: {wrong!r:.200}") from wrong
    # The results must give the same lines when written again; else a line was lost, doubled or misread.
    again = "".join(tournament_csv(results)).splitlines()
    numbers = [number for result in results for number in (result.score, result.wins)]
    sound = all(isfinite(number.mean) and number.error >= 0 for number in numbers)
    if not sound or sorted(again) != sorted(lines):
        raise ValueError(f"{str(path)!r} is not as it was written: read back, it is another table")
    return results


AGREEMENT = ("same_sign", "opposite_sign", "unclear", "published_zero")
"""The groups of entries: the estimate clearly has the published sign; it clearly has the opposite sign; its
confidence interval contains zero; the published number is zero and so has no sign."""


def agreements(results: Sequence[Result]) -> dict[str, Counter[str]]:
    """Count the published entries whose sign an estimate confirms, contradicts or leaves open.

    Args:
        results: the results of a tournament.

    Returns:
        {group: {one of :data:`AGREEMENT`: number of entries}} for ``"all"``, each rule set, each measure and
        each player.

    >>> pairing = Pairing(Game(13), 10, "0209", "random")
    >>> result = Result(pairing, Estimate(180.5, 9.0), Estimate(0.0, 0.5))
    >>> agreements([result])["all"]
    Counter({'same_sign': 1, 'unclear': 1})
    """
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
        pairing = entry.pairing
        pair = shown(pairing.one), shown(pairing.two)
        for name in ("all", kind(pairing.game.rules), entry.measure, *pair):
            groups.setdefault(name, Counter())[compared] += 1
    # The published players, Random and 0201 to 0210, come last, in the order of their names.
    players = sorted(name for name in groups if name.startswith("02") or name == "Random")
    others = [name for name in groups if name not in players]
    return {name: groups[name] for name in (*others, *players)}


def agreement_csv(results: Sequence[Result]) -> Iterator[str]:
    """Yield the lines of a CSV file, one for each group of entries and a header."""
    lines = [
        (name, *(counts[group] for group in AGREEMENT))
        for name, counts in agreements(results).items()
    ]
    columns = {name: itemgetter(i) for i, name in enumerate(("entries", *AGREEMENT))}
    return csv_lines(columns, lines, csv.QUOTE_NONNUMERIC)


def tournament_frame(
    results: Iterable[Result],
    rules: Rules,
    measure: str = "score",
    *,
    length: int | None = None,
    errors: bool = False,
) -> "pd.DataFrame":
    """Return one table of results as a pandas data frame.

    Args:
        results: the results of a tournament.
        rules: the rules of the matches.
        measure: ``"score"`` for points, ``"wins"`` for games won.
        length: the number of games in a match, as in the published tables. By default the matches of all
            lengths are combined, and the numbers are means by game.
        errors: return two standard errors instead of means.

    Returns:
        A row for each player one and a column for each player two, with player one's points or games won less
        player two's, and NaN if the two played no match. If the matches of all lengths are combined, every
        pair of players has two numbers, of which one is the negative of the other.

    Raises:
        ValueError: if the results have no match of that kind.

    >>> results = tournament(
    ...     ["matching", "upcard+1"], seeds=[1], rule_sets=[Rules()], lengths=[10], jobs=1
    ... )
    >>> tournament_frame(results, Rules()).loc["upcard+1", "matching"]
    np.float64(65.0)
    """
    import pandas as pd

    matches: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        pairing = result.pairing
        if pairing.game.rules == rules and length in (None, pairing.length):
            matches.setdefault((pairing.one, pairing.two), []).append(result)
    if not matches:
        kinds = f"with {rules}" if length is None else f"of {length} games, {rules},"
        raise ValueError(f"matches {kinds} must have been played, got no result")
    # Player one comes after player two in the order of players, as in the published tables.
    names = list(dict.fromkeys(name for pair in matches for name in reversed(pair)))
    order = [shown(name) for name in names]
    frame = pd.DataFrame(index=order, columns=order, dtype=float)
    frame.index.name, frame.columns.name = "P1", "P2"
    for pair, played in matches.items():
        estimates = [result.by(measure) for result in played]
        games = 1 if length is not None else sum(result.pairing.length for result in played)
        mean = sum(estimate.mean for estimate in estimates) / games
        # The error of a sum of independent results is the root of the sum of their squared errors.
        error = hypot(*(estimate.error for estimate in estimates)) / games
        one, two = map(shown, pair)
        frame.loc[one, two] = error if errors else mean
        if length is None:
            frame.loc[two, one] = error if errors else -mean
    return frame


def tournament_tables(
    results: Sequence[Result], width: int | None = None, *, by_game: bool = False
) -> Iterator[str]:
    """Yield the title and the text of every table, with entries ``mean ±error``.

    The error is two standard errors. A dash stands for a match that was not played, and for the error if
    there is only one seed.

    Args:
        results: the results of a tournament.
        width: the number of columns of the terminal; a wider table is continued below. None for no limit.
        by_game: if True, combine the matches of all lengths and show means by game.
    """
    decimals = GAME_DECIMALS if by_game else MATCH_DECIMALS
    played = {
        (result.pairing.game.rules, None if by_game else result.pairing.length): result.pairing
        for result in results
    }
    for ((rules, length), pairing), measure in product(played.items(), MEASURES):
        if length is None:
            yield f"{measure} a game, {kind(rules)}\n"
        else:
            table = TABLES.get((pairing.game, length, measure), 0)
            title = f"Table {table}: " if table else ""
            yield f"{title}{measure}, {kind(rules)}, {length} rounds\n"
        means, errors = (
            tournament_frame(results, rules, measure, length=length, errors=is_error)
            for is_error in (False, True)
        )
        written = errors.map(f" ±{{:.{decimals}f}}".format).where(errors.map(isfinite), " –")
        text = means.map(f"{{:.{decimals}f}}".format) + written
        yield text.where(means.notna(), "-").to_string(line_width=width) + "\n\n"
