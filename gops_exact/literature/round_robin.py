"""Round robins: every policy against every other, over rule sets and lengths of the match.

The layout is that of Dror, Kendall and Rapoport's tournament: matches of 10, 20, 30 and 50 games of 13
cards, over four rule sets, each counted by points and by games won. They played each match once. In
this package a match is played with many seeds, so that a mean has an error. Random numbers depend on
the seed, rules, length and players of a match alone: it is the same in any order of the matches and on
any number of processes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, product
from statistics import fmean, stdev

from gops_exact.arguments import MOST_JOBS, function, integer, items, positive_integer
from gops_exact.game.game import Game
from gops_exact.game.rules import Rules, as_rules
from gops_exact.players.catalogue import policy
from gops_exact.players.policy import Policy, points
from gops_exact.players.referee import match
from gops_exact.pools import available_cores, executor
from gops_exact.progress import Progress, tracked
from gops_exact.solutions.arithmetic import Arithmetic, as_arithmetic

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
"""Games a match, as published; called rounds there."""

CARDS = 13

MEASURES = ("score", "wins")
"""How a match is counted: the names of the estimates in a result."""


@dataclass(frozen=True)
class Pairing:
    """Two policies in matches of one length."""

    game: Game
    length: int  # games a match
    one: str  # name of player one
    two: str  # name of player two


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds."""

    mean: float  # of player one's less player two's, in a match
    error: float  # two standard errors, about a 95% interval to either side; infinite for one seed

    @property
    def clear(self) -> bool:
        """True if the interval leaves out zero."""
        return abs(self.mean) > self.error


@dataclass(frozen=True)
class Result:
    """The result of a pairing."""

    pairing: Pairing
    score: Estimate  # points in a match, player one's less player two's
    wins: Estimate  # games won in a match, player one's less player two's

    def by(self, measure: str) -> Estimate:
        """Return the estimate of one of the :data:`MEASURES`."""
        return self.score if measure == "score" else self.wins


def pairings(
    players: Sequence[str] = FIELD,
    rule_sets: Iterable[Rules] = RULE_SETS,
    lengths: Iterable[int] = LENGTHS,
    n: int = CARDS,
) -> list[Pairing]:
    """List the pairings of a round robin; player one is the later of the two, as in the tables.

    >>> len(pairings())
    880
    """
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
        players: names of policies, see :mod:`~gops_exact.players.catalogue`.
        seeds: a match of every pairing is played with each of them.
        n: cards a side.
        rule_sets: the rules to play by.
        lengths: games a match.
        arithmetic: the numbers that the optimal policy plays from, see
            :func:`~gops_exact.players.catalogue.policy`. Processes share a folder of floats.
        jobs: processes; by default as many as there are cores.
        progress: called with the number of games played, and of all.

    Raises:
        ValueError: if a player is unknown or named twice, or there is no seed.
        BidError: if one bids a card it does not hold.

    >>> [result] = tournament(
    ...     ["matching", "upcard+1"], seeds=[1], rule_sets=[Rules()], lengths=[10], jobs=1
    ... )
    >>> result.score.mean, result.wins.mean
    (650.0, 10.0)
    """
    players = items(players, "players", "names of policies")
    chosen = tuple(integer(seed, "a seed") for seed in items(seeds, "seeds", "integers"))
    rule_sets = [as_rules(rules) for rules in items(rule_sets, "rule_sets", "a sequence of Rules")]
    lengths = [positive_integer(each, "a length") for each in items(lengths, "lengths", "integers")]
    n = positive_integer(n, "n")
    jobs = None if jobs is None else positive_integer(jobs, "jobs", MOST_JOBS)
    function(progress, "progress")
    if not (chosen and rule_sets and lengths):
        raise ValueError("a tournament needs at least one seed, rule set and length, got none")
    for name in players:
        policy(name, Game(n, rule_sets[0]), arithmetic=arithmetic)
    if len(players) < 2 or len(set(players)) < len(players):
        raise ValueError(f"players must be two or more, all different, got {', '.join(players)}")
    todo = pairings(players, rule_sets, lengths, n)
    work = partial(play, seeds=chosen, arithmetic=arithmetic)
    jobs = available_cores() if jobs is None else jobs
    results = executor(jobs).map(work, todo)
    return [next(results) for _ in tracked(todo, progress, lambda each: each.length * len(chosen))]


def play(pairing: Pairing, seeds: Sequence[int], arithmetic: Arithmetic | str = "exact") -> Result:
    """Play the matches of one pairing, one with each seed."""
    game, length = pairing.game, pairing.length
    one, two = (
        _player(name, game, as_arithmetic(arithmetic)) for name in (pairing.one, pairing.two)
    )
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
        wins.append(sum((ahead > 0) - (ahead < 0) for ahead in results))
    return Result(pairing, estimate(scores), estimate(wins))


@cache
def _player(name: str, game: Game, arithmetic: Arithmetic) -> Policy:
    """Make a player once a process: the float values of 13 cards take seconds to open."""
    return policy(name, game, arithmetic=arithmetic)


def estimate(numbers: Sequence[int]) -> Estimate:
    """Return the mean of independent numbers with two standard errors.

    >>> estimate([1, 3])
    Estimate(mean=2.0, error=2.0)
    """
    if len(numbers) < 2:
        return Estimate(fmean(numbers), float("inf"))
    return Estimate(fmean(numbers), float(2 * stdev(numbers) / len(numbers) ** 0.5))
