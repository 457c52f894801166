"""Learning algorithms of OpenSpiel, measured after stated numbers of iterations; ``train.py`` runs them.

Policies of gops_exact that learn nothing stand beside them for comparison. The measure is the exploitability: what
best responses to the two seats gain, on average. Bids may be shown or stay hidden.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import factorial, inf
from operator import attrgetter
from time import process_time
from typing import TYPE_CHECKING

from flint import fmpq

from gops_exact.base.progress import Progress, tracked
from gops_exact.exchange.openspiel_games import goofspiel, view_of
from gops_exact.extensive import Equilibrium, HiddenBids, approximate, security_level
from gops_exact.game.game import Game, Position
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.numbers.table import Table
from gops_exact.players.expectation import best_response
from gops_exact.players.simple import PUBLISHED_CARDS

if TYPE_CHECKING:
    import pyspiel

ITERATIONS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
"""Numbers of iterations after which a policy is measured."""

SECONDS = 10
"""Core seconds for which each algorithm is trained at most."""

FIXED = ("random", "matching", "published")
"""Policies of gops_exact that learn nothing."""

SEARCH = "mcts"
"""Monte Carlo tree search."""

POLICIES = (*FIXED, "cfr", "cfr+", "mccfr", "fictitious-play", SEARCH)
"""Everything that can be measured, by name: between those two, algorithms that are trained."""

PREDICTIVE = "pcfr+"
"""Predictive CFR+, of gops_exact (:func:`gops_exact.extensive.approximate`)."""

HIDDEN_POLICIES = (
    *FIXED[:2],
    "cfr",
    "cfr+",
    "dcfr",
    "mccfr",
    "mmd",
    "fictitious-play",
    PREDICTIVE,
)
"""Everything that can be measured where bids stay hidden: neither a search, which sees the other's hand, nor the published
table, which asks for it."""

MAGNET, STEP = 0.01, 0.5
"""The weight of entropy in magnetic mirror descent, whose last policy is near an equilibrium if it is small, and
its step."""

ENDINGS_A_SECOND = {
    "cfr": 300_000,
    "cfr+": 300_000,
    "dcfr": 5_000,
    "mmd": 20_000,
    "fictitious-play": 5_000,
}
"""Ends of histories that an iteration over the whole tree passes in a core second, on an AMD EPYC; where
one iteration takes longer than there is time, none is begun."""

EXPLORATION = 2.0
"""The constant of UCT, in units of the greatest payoff, as in OpenSpiel's examples."""

MEMORY_MB = 500
"""Memory of one search at most."""

TRIAL = 100
"""Simulations that show how long more of them take."""

LARGEST_SEED = 2**31 - 1
"""OpenSpiel's seeds are 32-bit integers."""

DIGITS = 6
"""Digits after the point of an exploitability in a table."""

EPSILON = 2.0**-52
"""Relative error of a float at most: twice its rounding."""


@dataclass(frozen=True)
class Score:
    """The exploitability of a policy after some training."""

    game: Game | HiddenBids
    policy: str  #: the name of the policy or algorithm
    iterations: int  #: of training; simulations a bid of a search; 0 where nothing is learned
    seconds: float  #: core seconds of training, or of all searches
    exploitability: (
        BoundedFloat  # mean gain of best responses to both seats, points or wins less losses
    )

    @property
    def played(self) -> Game:
        """Cards and rules, whether bids are shown or not."""
        return self.game.game if isinstance(self.game, HiddenBids) else self.game


COLUMNS: dict[str, Callable[[Score], object]] = {
    "n": attrgetter("played.n"),
    "objective": attrgetter("played.rules.objective"),
    "ties": attrgetter("played.rules.ties"),
    "prizes": attrgetter("played.rules.order"),
    "policy": attrgetter("policy"),
    "iterations": attrgetter("iterations"),
    "seconds": lambda score: f"{score.seconds:.3f}",
    "exploitability": lambda score: score.exploitability.with_radius()[0],
    "radius": lambda score: score.exploitability.with_radius()[1],
}
"""The columns of measurements in CSV."""

HIDDEN_COLUMNS = COLUMNS | {"bids": lambda _: "hidden"}
"""Those of measurements where bids stay hidden."""


def benchmark(
    game: Game | HiddenBids,
    names: Iterable[str],
    *,
    iterations: Iterable[int] = ITERATIONS,
    seconds: float = SECONDS,
    seed: int = 1,
    progress: Progress | None = None,
) -> Iterator[Score]:
    """Train algorithms and yield the exploitabilities of their policies, policy by policy.

    Args:
        game: a game of 2 to 9 cards a side, ties discarded, prizes random, ascending or descending; or such a game with
            hidden bids.
        names: members of :data:`POLICIES`, with hidden bids of :data:`HIDDEN_POLICIES`.
        iterations: numbers of iterations after which a policy is measured, each at least 1.
        seconds: core seconds of training for each algorithm. A number of iterations that takes longer, or would
            at the pace of those before, is left out, and so are greater ones.
        seed: the seed of all random numbers; the same seed gives the same exploitabilities.
        progress: progress(done, total), counted in policies.

    Raises:
        ValueError: if a name is unknown, or OpenSpiel does not know the rules.
        ImportError: if OpenSpiel is missing and one of its algorithms is named.
    """
    names = list(names)
    stops = sorted(iterations)
    known = HIDDEN_POLICIES if isinstance(game, HiddenBids) else POLICIES
    for name in names:
        if name not in known:
            raise ValueError(f"a policy must be one of {', '.join(known)}, got {name!r}")
    if not set(names) <= set(FIXED):
        loaded(game)  # raises at once if OpenSpiel is missing or does not know the rules
    for name in tracked(names, progress):
        if name in FIXED:
            exact = (
                _hidden_gain(game, name)
                if isinstance(game, HiddenBids)
                else best_response(name, game).gain
            )
            yield Score(game, name, 0, 0.0, rounded(exact))
        elif isinstance(game, HiddenBids) and name == PREDICTIVE:
            yield from _approximated(game, stops, seconds)
        elif name == SEARCH and isinstance(game, Game):
            yield from _searches(game, stops, seconds, seed)
        else:
            yield from _trained(game, name, stops, seconds, seed)


def benchmarked(game: Game | HiddenBids) -> list[str]:
    """List the policies and algorithms that play a game."""
    if isinstance(game, HiddenBids):
        return [*HIDDEN_POLICIES]
    return [name for name in POLICIES if name != "published" or game.n in PUBLISHED_CARDS]


def loaded(game: Game | HiddenBids) -> "pyspiel.Game":
    """Load a game as OpenSpiel has it."""
    if isinstance(game, HiddenBids):
        return goofspiel(game.game, hidden=True)
    return goofspiel(game)


def _hidden_gain(game: HiddenBids, name: str) -> BigRational:
    """Return the exploitability of the policy random or matching where bids are hidden."""

    def bids(information: str, cards: Iterable[int]) -> dict[int, fmpq]:
        upcard, hand = int(information.rpartition(" ")[2]), [*cards]
        # Matching holds the upcard at every information set that its own bids lead to.
        chosen = hand if name == "random" or upcard not in hand else [upcard]
        return {card: fmpq(1, len(chosen)) for card in chosen}

    side, _ = game.form.sides  # both are alike
    return -security_level(game, {at: bids(at, after) for at, (_, after) in side.sets.items()})


def rounded(gain: BigRational) -> BoundedFloat:
    """Return an exact gain as a float."""
    value = float(gain)
    return BoundedFloat(value, value * EPSILON)


def scores_table(scores: Iterable[Score]) -> Table:
    """Return a grid of measurements; a dash stands for the training of what learns nothing."""
    rows = []
    for score in scores:
        learned = score.iterations > 0
        training = [str(score.iterations), f"{score.seconds:.2f}"] if learned else ["–", "–"]
        cells: list[BoundedFloat | str] = [*training, score.exploitability]
        rows.append(((score.policy,), cells))
    return Table(
        "",
        ("policy",),
        rows,
        heads=("iterations", "seconds", "exploitability"),
        left=("policy",),
        digits=DIGITS,
    )


def _learner(
    name: str, spiel: "pyspiel.Game", seed: int
) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return two functions of an algorithm: one trains an iteration, the other returns the policy learned so far.

    The algorithms are counterfactual regret minimisation (Zinkevich et al. 2007), CFR+ (Tammelin 2014) and discounted CFR (Brown and
    Sandholm 2019), Monte Carlo CFR with external sampling (Lanctot et al. 2009), magnetic mirror descent (Sokota et
    al. 2023), extensive-form fictitious play (Heinrich, Lanctot and Silver 2015).
    """
    import pyspiel

    if name == "fictitious-play":
        from open_spiel.python.algorithms.fictitious_play import XFPSolver

        player = XFPSolver(spiel)
        return player.iteration, player.average_policy
    if name == "mccfr":
        sampler = pyspiel.ExternalSamplingMCCFRSolver(spiel, seed)
        return sampler.run_iteration, sampler.average_policy
    if name == "mmd":
        from open_spiel.python.algorithms.mmd_dilated import MMDDilatedEnt

        descent = MMDDilatedEnt(spiel, MAGNET, STEP)
        return descent.update_sequences, descent.get_policies
    if name == "dcfr":
        from open_spiel.python.algorithms.discounted_cfr import DCFRSolver

        solver = DCFRSolver(spiel)
    else:
        solver = pyspiel.CFRSolver(spiel) if name == "cfr" else pyspiel.CFRPlusSolver(spiel)
    return solver.evaluate_and_update_policy, solver.average_policy


def _trained(
    game: Game | HiddenBids, name: str, stops: list[int], most: float, seed: int
) -> Iterator[Score]:
    """Train an algorithm, and measure it at each stop that it reaches in time."""
    from gops_exact.exchange.openspiel_policies import nash_conv

    played = game.game if isinstance(game, HiddenBids) else game
    endings = factorial(played.n) ** (2 if played.rules.fixed else 3)
    pace = endings / ENDINGS_A_SECOND[name] if name in ENDINGS_A_SECOND else 0.0
    if stops[0] * pace > most:
        return
    spiel, begun = loaded(game), process_time()
    train, learned = _learner(name, spiel, seed)
    done, used = 0, process_time() - begun
    for stop in stops:
        if used + (stop - done) * pace > most:
            return
        begun = process_time() - used
        while done < stop:
            if process_time() - begun > most:
                return
            train()
            done += 1
        used = process_time() - begun
        pace = used / done
        gain = nash_conv(spiel, learned(), "information state")
        # The mean of two seats, and OpenSpiel pays half of the points, but whole wins.
        halves = 2 if played.rules.winning else 1
        yield Score(game, name, done, used, BoundedFloat(gain.value / halves, gain.radius / halves))


def _approximated(game: HiddenBids, stops: list[int], most: float) -> Iterator[Score]:
    """Measure the algorithm of gops_exact, trained anew for each number of iterations."""

    def learned(iterations: int) -> tuple[Equilibrium, float]:
        begun = process_time()
        return approximate(game, iterations=iterations), process_time() - begun

    _, used = learned(1)
    pace = used
    for stop in stops:
        if stop * pace > most:
            return
        equilibrium, used = learned(stop)
        pace = used / stop
        yield Score(game, PREDICTIVE, stop, used, rounded(equilibrium.exploitability / 2))


def _searches(game: Game, stops: list[int], most: float, seed: int) -> Iterator[Score]:
    """Measure a search with each number of simulations a bid."""
    from gops_exact.exchange.openspiel_policies import OpenSpielPlayer, reply_gain

    spiel = goofspiel(game)
    trial, start = Search(game, min(TRIAL, stops[0]), seed), spiel.new_initial_state()
    trial(start.child(0) if start.is_chance_node() else start)
    pace = trial.seconds / trial.simulations  # of the first of all searches
    for stop in stops:
        if stop * pace > most:
            return
        search = Search(game, stop, seed, most)
        try:
            gain = reply_gain(OpenSpielPlayer(search, spiel, 0, "observation"))
        except TimeoutError:
            return
        pace = search.seconds / stop
        yield Score(game, SEARCH, stop, search.seconds, gain)


class Search:
    """Monte Carlo tree search as a policy: each bid as likely as its share of the simulations.

    It searches each position once, as player one sees it; player two plays alike. OpenSpiel's own bot
    would look at the bid that player one just made. All searches have the same `simulations` and `seed`,
    and none is begun after `most` core seconds of them.
    """

    def __init__(self, game: Game, simulations: int, seed: int, most: float = inf) -> None:
        self.game = game
        self.spiel = goofspiel(game)
        self.simulations = simulations
        self.seed = seed
        self.most = most
        self.seconds = 0.0  # core seconds of all searches so far
        self.known: dict[Position, dict[int, float]] = {}

    def __call__(self, state: "pyspiel.State") -> dict[int, float]:
        """Return {action: probability} at a state of player one's; a TimeoutError after `most` seconds."""
        import pyspiel

        position = view_of(state.history(), self.game).position
        if position in self.known:
            return self.known[position]
        if self.seconds > self.most:
            raise TimeoutError(f"searches must take {self.most} s, got {self.seconds:.1f} s")
        begun = process_time()
        bot = pyspiel.MCTSBot(
            self.spiel,
            pyspiel.RandomRolloutEvaluator(1, self.seed),
            EXPLORATION * self.spiel.max_utility(),
            self.simulations,
            MEMORY_MB,
            solve=False,
            seed=self.seed,
            verbose=False,
        )
        visits = {child.action: child.explore_count for child in bot.mcts_search(state).children}
        total = sum(visits.values())
        if total == 0:  # a single simulation visits none
            visits = dict.fromkeys(state.legal_actions(), 1)
            total = len(visits)
        self.known[position] = {action: count / total for action, count in visits.items()}
        self.seconds += process_time() - begun
        return self.known[position]
