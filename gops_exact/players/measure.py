"""Measurements of policies, and the positions where they lose.

The gain of the best response to a policy is its *exploitability*, since a game that both begin alike is
worth nothing. It is split over the positions where it arises. Play a policy against its best response.
At every position the policy's expectation, if both played optimally from there on, is the position's
value; in a round it falls, on average, by the *cost* of the position. These falls, weighted by how often
each position comes up, add up to all that the policy loses against the best response, as the whole game
is worth nothing.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from flint import fmpq

from gops_exact.base.progress import Progress, part_of
from gops_exact.base.writing import fields_of
from gops_exact.game.game import Game, Position
from gops_exact.game.rules import Rules, card_name, cards_name
from gops_exact.numbers import BigRational, view
from gops_exact.numbers.table import Table
from gops_exact.players.catalogue import MAKERS, behavioural
from gops_exact.players.dror_kendall_rapoport import STRATEGIES
from gops_exact.players.expectation import STATES, Node, Walk, best_response, expected
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Behavioural
from gops_exact.players.simple import PUBLISHED_CARDS, Published, SemiDeterministic
from gops_exact.solvers import api
from gops_exact.solvers.arithmetic import Exact
from gops_exact.solvers.cost import check_cost
from gops_exact.solvers.solution import Solver
from gops_exact.solvers.strategy import ByCard

BEST = "best-response"
"""The name of the best response to the policy, in place of an opponent."""

DECIMALS, CHANCE_DECIMALS = 12, 2
"""Digits after the point, of differences in CSV and of a policy's probabilities in a table."""

SEE_THE_UPCARD = {"matching", "upcard+1", "upcard+2", "upcard+3", Published.name}
"""Policies that give their probabilities and cannot play where prizes are hidden."""

PART = 1 << 20
"""Units of progress of one measurement."""

ANY = 1 << 62
"""More states than any memory holds."""

OPTIMAL_UPTO = 6
"""The most cards for which the optimal policy is measured unasked; at seven it takes long."""


@dataclass(frozen=True)
class Loss:
    """The loss of a policy at one position.

    The total is negative where the best response gives something away that it takes back later.
    Probabilities of cards are averages over the ways that lead to the position.
    """

    position: Position  # as the policy sees it
    chance: BigRational  # that it comes up in a game against the best response
    total: BigRational  # points that the policy loses there in a game, or wins less losses
    bids: ByCard[fmpq]  # {card: probability} of the policy
    replies: ByCard[fmpq]  # {card: probability} of the best response

    @property
    def cost(self) -> BigRational:
        """The loss in a game in which the position comes up: total by chance."""
        return self.total / self.chance


def losses(
    policy: Behavioural | str,
    game: Game | int,
    *,
    solver: Solver[Any] | None = None,
    states: int = STATES,
    progress: Progress | None = None,
) -> list[Loss]:
    """Split the exploitability of a policy over the positions where it arises, greatest loss first.

    Args:
        policy: the policy that is known, or its name.
        game: the game, or its cards a side.
        solver: gives the values of positions, exact numbers or floats; exactly by default.
        states: the most states to look at.
        progress: called with the work that is thought to be done and all the work there is.

    Returns:
        All positions that come up, the last cards left out. The losses add up to
        :attr:`gops_exact.players.BestResponse.gain`, in floats but for their rounding.

    Raises:
        BidError: if the policy gives no probabilities, or bids cards that it does not hold.
        ValueError: if a policy does not give its probabilities, or there are more states than that.

    >>> found = losses("matching", Game(4))
    >>> worst = found[0]
    >>> worst.position.upcard, worst.chance, worst.cost, worst.bids, worst.replies
    (3, 1/4, 2147/2604, {3: 1}, {4: 1})
    >>> sum(each.total for each in found)
    2
    """
    optimal = Optimal(game, solver)
    game = optimal.game
    walk = Walk(None, behavioural(policy, game), game, states, progress)
    walk.value(walk.start)
    # Sums over the ways that lead to a position, each times its probability.
    chances: dict[Position, fmpq] = defaultdict(fmpq)
    totals: dict[Position, fmpq] = defaultdict(fmpq)
    bids: dict[Position, dict[int, fmpq]] = defaultdict(lambda: defaultdict(fmpq))
    replies: dict[Position, dict[int, fmpq]] = defaultdict(lambda: defaultdict(fmpq))
    layer: dict[Hashable, tuple[Node, fmpq]] = {(): (walk.start, fmpq(1))}
    for _ in range(game.n - 1):
        below: dict[Hashable, tuple[Node, fmpq]] = {}
        for node, reached in layer.values():
            prizes, state = node[2:4]
            if game.rules.decided(prizes, state) is not None:
                continue
            for upcard, stakes in walk.turns(prizes):
                position = walk.view(node, 1, upcard).position
                met = walk.met(node, upcard, stakes)
                best, value = walk.best(node, met), optimal.value(position).value
                for card, draw, p in met:
                    gain, after = walk.after(node, best, card, draw)
                    share, key = reached * p, walk.told_apart(after)
                    worth = optimal.value(walk.view(after, 0, None).position).value
                    chances[position] += share
                    totals[position] += share * (value + gain + worth)
                    bids[position][card] += share
                    replies[position][best] += share
                    below[key] = after, below.get(key, (after, fmpq(0)))[1] + share
        layer = below
    found = [
        Loss(
            position,
            view(chance),
            view(totals[position]),
            ByCard({card: view(p / chance) for card, p in sorted(bids[position].items())}),
            ByCard({card: view(p / chance) for card, p in sorted(replies[position].items())}),
        )
        for position, chance in chances.items()
    ]
    return sorted(found, key=lambda loss: loss.total, reverse=True)


@dataclass(frozen=True)
class Measurement:
    """The expectation of a policy in a game: points, or probabilities to win.

    Against the best response only the difference is known, minus the exploitability.
    """

    policy: str  #: its name
    against: str  #: the name of the opponent, or :data:`BEST`
    one: BigRational | None  #: the policy's
    two: BigRational | None  #: the opponent's
    difference: BigRational  #: one less two


COLUMNS = fields_of(Measurement) | {"decimal": lambda each: each.difference.decimal(DECIMALS)}
"""The columns of measurements in CSV, exact numbers in full."""


def measurements(
    game: Game,
    policies: Iterable[Behavioural | str],
    opponents: Iterable[Behavioural | str],
    *,
    progress: Progress | None = None,
    force: bool = False,
) -> Iterator[Measurement]:
    """Measure every policy against every opponent, :data:`BEST` possibly among them, exactly.

    With `force` it is measured even if it takes more memory than there is.

    >>> for found in measurements(Game(4), ["matching"], ["upcard+1", BEST]):
    ...     print(found.against, found.one, found.two, found.difference)
    upcard+1 4 6 -2
    best-response None None -2
    """
    pairs, states = list(product(policies, opponents)), ANY if force else STATES
    for place, (each, against) in enumerate(pairs):
        part = part_of(progress, place * PART, PART, len(pairs) * PART)
        policy = behavioural(each, game)
        if against == BEST:
            gain = best_response(policy, game, states=states, progress=part).gain
            yield Measurement(policy.name, BEST, None, None, -gain)
        else:
            other = behavioural(against, game)
            found = expected(policy, other, game, states=states, progress=part)
            yield Measurement(policy.name, other.name, found.one, found.two, found.difference)


def most_costly(
    game: Game,
    policies: Iterable[Behavioural | str],
    top: int,
    *,
    progress: Progress | None = None,
    force: bool = False,
) -> Iterator[tuple[str, Loss]]:
    """Find the positions that cost policies most against their best responses, `top` for each by name.

    With `force` it is measured even if it takes hours, or more memory than there is.
    """
    check_cost(game, Exact(), force=force)
    chosen, states = list(policies), ANY if force else STATES
    solver = api.solver("exact", game, force=True)
    for place, each in enumerate(chosen):
        part = part_of(progress, place * PART, PART, len(chosen) * PART)
        policy = behavioural(each, game)
        found = losses(policy, game, solver=solver, states=states, progress=part)
        yield from ((policy.name, loss) for loss in found[:top])


def measurements_table(found: Iterable[Measurement]) -> Table:
    """Return a grid of measurements; a dash stands for what is not known of the best response."""
    rows = []
    for each in found:
        numbers = (each.one, each.two, each.difference)
        shown = ["–" if number is None else number for number in numbers]
        rows.append(((each.policy, each.against), [*shown, repr(each.difference)]))
    heads = ("one", "two", "difference", "exactly")
    return Table(
        "", ("policy", "against"), rows, heads=heads, left=("policy", "against", "exactly")
    )


def losses_table(rules: Rules, found: Iterable[tuple[str, Loss]]) -> Table:
    """Return a grid of positions and of what they cost policies, each with its name."""

    def chances(bids: ByCard[fmpq]) -> str:
        """Return cards with their probabilities, those that round to nothing left out."""
        decimals = {card: p.decimal(CHANCE_DECIMALS) for card, p in bids.items()}
        return ", ".join(f"{card_name(card)} {p}" for card, p in decimals.items() if float(p) > 0)

    rows = []
    for policy, loss in found:
        seen, to_come = loss.position, list(loss.position.prizes)
        if seen.upcard is not None:
            to_come.remove(seen.upcard)
        state = [str(seen.margin)] * rules.winning + [str(seen.pot)] * rules.carries
        cells: list[BigRational | str] = [
            "hidden" if seen.upcard is None else card_name(seen.upcard),
            *map(cards_name, (seen.one, seen.two, to_come)),
            *state,
            *(loss.chance, loss.cost, loss.total),
            *map(chances, (loss.bids, loss.replies)),
        ]
        rows.append(((policy,), cells))
    names = ("prize", "hand", "opponent", "to come")
    state = ["ahead"] * rules.winning + ["pot"] * rules.carries
    return Table(
        "",
        ("policy",),
        rows,
        heads=(*names, *state, "comes up", "cost", "loss", "bids", "best response"),
        left=("policy", *names, "bids", "best response"),
    )


def measurable(game: Game) -> list[str]:
    """List the memoryless policies that play a game and are quick to measure."""
    left_out = {*STRATEGIES, SemiDeterministic.name, *(SEE_THE_UPCARD if game.rules.hidden else ())}
    if game.n not in PUBLISHED_CARDS or game.own_deck:
        left_out.add(Published.name)
    if game.n > OPTIMAL_UPTO:
        left_out.add(Optimal.name)
    return [name for name in MAKERS if name not in left_out]
