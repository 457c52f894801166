"""Measurements of policies, and the positions where they lose.

Words used here:

* A *policy* is a rule that chooses a card in each round of the game. A *behavioural* policy gives the probability of
  each card.
* The *best response* to a policy is an opponent's policy with the greatest expected result against it.
* A *position* has both hands, the prizes left, the upcard, the margin and the pot. The *upcard* is the prize turned up
  in a round.
* The *margin* is the player's points minus the opponent's; it is always 0 if the objective is points.
* The *pot* is the sum of the prizes carried over from ties.
* A *state* is a position without the upcard, with the part of the earlier rounds that the policies recall.

The *exploitability* of a policy is the gain of the best response to it, since the value of the game is 0.
:func:`losses` splits the exploitability over the positions of a game in which the policy plays against its best
response. The value of a position is the policy's expected result if both players play optimally from there on. The
*cost* of a position is the mean amount by which this value falls in the round. The costs, weighted by the probability
that each position comes up, add up to the exploitability, since the value at the start is 0.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from flint import fmpq

from gops_exact.base.progress import Progress, part_of
from gops_exact.base.writing import fields_of
from gops_exact.game.game import Game, Position
from gops_exact.game.rules import Rules, card_name, cards_name
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.kinds import view
from gops_exact.numbers.table import Table
from gops_exact.players.catalogue import MAKERS, behavioural
from gops_exact.players.expectation import STATES, StateValues, TreeNode, best_response, expected
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Behavioural
from gops_exact.players.simple import PUBLISHED_CARDS, Published, SemiDeterministic
from gops_exact.solvers.first_moves import ByCard
from gops_exact.solvers.solver import Solver

BEST = "best-response"
"""The name of the opponent that plays the best response to the policy that is measured."""

DECIMALS, CHANCE_DECIMALS = 12, 2
"""The numbers of digits after the point: DECIMALS for the differences in CSV files, CHANCE_DECIMALS for the
probabilities of cards in tables of losses."""

SEE_THE_UPCARD = {"matching", "upcard+1", "upcard+2", "upcard+3", Published.name}
"""The names of the policies that need to see the upcard, and so cannot play if prizes are hidden. The
semi-deterministic policy is one, too, but :func:`measurable` never lists it."""

PART = 1 << 20
"""The number of units of progress that one measurement counts as, so large that rounding to whole units does not
show."""

ANY = 1 << 62
"""The greatest number of states that a run may store if it is to have no limit. No memory could hold so many states."""

OPTIMAL_UPTO = 6
"""The greatest number of cards a side for which the optimal policy is measured by default. With 7 cards, this takes
long."""


@dataclass(frozen=True)
class Loss:
    """The loss of a policy at one position, if the policy plays against its best response.

    If several histories lead to the position, the probabilities of the cards are means over these histories.
    """

    position: Position  # the position, with the policy's hand first
    chance: BigRational  # the probability that the position comes up in a game
    # The loss: the cost times the chance. It is in points; if the objective is to win, in the probability of a win less
    # that of a loss. It is negative if the best response gives up points at this position to win more later.
    total: BigRational
    bids: ByCard[fmpq]  # {card: probability that the policy bids it}
    replies: ByCard[fmpq]  # {card: probability that the best response bids it}

    @property
    def cost(self) -> BigRational:
        """The policy's mean loss each time the position comes up: :attr:`total` divided by :attr:`chance`."""
        return self.total / self.chance


def losses(
    policy: Behavioural | str,
    game: Game | int,
    *,
    solver: Solver[Any] | None = None,
    states: int = STATES,
    progress: Progress | None = None,
) -> list[Loss]:
    """Split the exploitability of a policy, its expected loss to its best response, over the positions of a game.

    Args:
        policy: the policy, or its name.
        game: the game, or the number of its cards a side.
        solver: the solver of positions, in exact numbers or floats; by default an exact one.
        states: the greatest number of states to compute. A state is a pair of hands with the prizes left, the margin,
            the pot, and the part of the earlier rounds that the policy recalls.
        progress: called as progress(done, total), both numbers estimated; None for no report.

    Returns:
        The losses, greatest first: one for every position that comes up with two cards a side or more, unless the
        game is decided before this position, so that no bid can change the result. The attributes `total` add up to the
        gain of the best response, up to rounding if the solver computes in floats.

    Raises:
        BidError: if the bids of the policy are not probabilities, or not of cards in its hand.
        ValueError: if the policy is not behavioural, if there is no policy of this name, if the game has more states
            than `states`, or if `solver` is None and solving the game takes more than minutes.

    >>> listed = losses("matching", Game(4))
    >>> worst = listed[0]
    >>> worst.position.upcard, worst.chance, worst.cost, worst.bids, worst.replies
    (3, 1/4, 2147/2604, {3: 1}, {4: 1})
    >>> sum(loss.total for loss in listed)
    2
    """
    optimal = Optimal(game, solver)
    game = optimal.game
    walk = StateValues(None, behavioural(policy, game), game, states, progress)
    walk.value(walk.start)
    # For each position, `totals` has the probability that it comes up times the policy's mean loss there. For each
    # card, `bids` has the probability that the position comes up and the policy bids the card; `replies` has the same
    # probability for the best response. Each number is a sum over all histories that lead to the position.
    totals: dict[Position, fmpq] = defaultdict(fmpq)
    bids: dict[Position, dict[int, fmpq]] = defaultdict(lambda: defaultdict(fmpq))
    replies: dict[Position, dict[int, fmpq]] = defaultdict(lambda: defaultdict(fmpq))
    # {key of a state: (the state, the probability that it is reached)} for the states before one round. The policies
    # cannot tell states with the same key apart, so these are one entry, with the sum of their probabilities.
    layer: dict[Hashable, tuple[TreeNode, fmpq]] = {(): (walk.start, fmpq(1))}
    for _ in range(game.n - 1):
        below: dict[Hashable, tuple[TreeNode, fmpq]] = {}
        for node, reached in layer.values():
            prizes, state = node[2:4]
            if game.rules.decided(prizes, state) is not None:
                continue
            for upcard, stakes in walk.stage_games(prizes):
                position = walk.view(node, 1, upcard).position
                listed = walk.replies(node, upcard, stakes)
                ((best, _, _, _),) = walk.plays(node, upcard, listed)
                value = optimal.value(position).value
                for card, draw, p in listed:
                    gain, after = walk.after(node, best, card, draw)
                    share, key = reached * p, walk.state_key(after)
                    worth = optimal.value(walk.view(after, 0, None).position).value
                    # If both players play optimally, `value` is the policy's expected result from this position on,
                    # and `worth` is the expected result of the best response from the next position on. In this round
                    # the best response gains `gain`. So the round lowers the policy's expected result from `value` to
                    # −gain − worth. The policy's loss in this round is thus the sum value + gain + worth.
                    totals[position] += share * (value + gain + worth)
                    bids[position][card] += share
                    replies[position][best] += share
                    below[key] = after, below.get(key, (after, fmpq(0)))[1] + share
        layer = below
    by_position = []
    for position, total in totals.items():
        chance = sum(bids[position].values(), fmpq(0))
        mixes = (
            ByCard({card: view(p / chance) for card, p in sorted(cards[position].items())})
            for cards in (bids, replies)
        )
        by_position.append(Loss(position, view(chance), view(total), *mixes))
    return sorted(by_position, key=lambda loss: loss.total, reverse=True)


@dataclass(frozen=True)
class Measurement:
    """The expected results of a policy and its opponent: points, or probabilities to win if that is the objective."""

    policy: str  #: the name of the policy
    against: str  #: the name of the opponent, or :data:`BEST`
    one: BigRational | None  #: the policy's result; None against the best response
    two: BigRational | None  #: the opponent's result; None if it plays the best response
    #: the policy's result less the opponent's; against the best response, the policy's exploitability with a minus sign
    difference: BigRational


COLUMNS = fields_of(Measurement) | {"decimal": lambda row: row.difference.decimal(DECIMALS)}
"""The columns of a CSV file of measurements, {name: function of a measurement that returns the cell}: a column for each
field, with exact numbers in full, and a last one with the difference as a decimal."""


def measurements(
    game: Game,
    policies: Iterable[Behavioural | str],
    opponents: Iterable[Behavioural | str],
    *,
    progress: Progress | None = None,
    force: bool = False,
) -> Iterator[Measurement]:
    """Measure every policy against every opponent, exactly.

    Args:
        game: the game that is played.
        policies: behavioural policies, or their names.
        opponents: behavioural policies, or their names; ``"best-response"`` stands for the best response to the policy.
        progress: called as progress(done, total), both numbers estimated; None for no report.
        force: True to measure even if that takes hours, or more memory than the machine has.

    Yields:
        A measurement for each policy and opponent, policy by policy.

    Raises:
        BidError: if the bids of a policy are not probabilities, or not of cards in its hand.
        ValueError: if a policy is not behavioural, if there is no policy of a name, or if the game is too large to be
            measured and `force` is False.

    >>> for row in measurements(Game(4), ["matching"], ["upcard+1", BEST]):
    ...     print(row.against, row.one, row.two, row.difference)
    upcard+1 4 6 -2
    best-response None None -2
    """
    pairs, states = list(product(policies, opponents)), ANY if force else STATES
    for index, (player, against) in enumerate(pairs):
        part = part_of(progress, index * PART, PART, len(pairs) * PART)
        policy = behavioural(player, game)
        if against == BEST:
            gain = best_response(policy, game, states=states, progress=part).gain
            yield Measurement(policy.name, BEST, None, None, -gain)
        else:
            other = behavioural(against, game)
            result = expected(policy, other, game, states=states, progress=part)
            yield Measurement(policy.name, other.name, result.one, result.two, result.difference)


def measurements_table(results: Iterable[Measurement]) -> Table:
    """Return a table with a row for each measurement; dashes stand for results that are None."""
    rows = []
    for result in results:
        numbers = (result.one, result.two, result.difference)
        cells = ["–" if number is None else number for number in numbers]
        rows.append(((result.policy, result.against), [*cells, repr(result.difference)]))
    heads = ("one", "two", "difference", "exactly")
    return Table(
        "", ("policy", "against"), rows, heads=heads, left=("policy", "against", "exactly")
    )


def losses_table(rules: Rules, results: Iterable[tuple[str, Loss]]) -> Table:
    """Return a table with a row for each loss.

    A row has the policy's name, the position, the probability that the position comes up, the cost, the loss (the
    probability times the cost), and the bids of both players.

    Args:
        rules: the rules of the game. They decide if positions have a margin and a pot.
        results: pairs of a policy's name and one of its losses.
    """

    def chances(bids: ByCard[fmpq]) -> str:
        # Cards whose probabilities round to 0 are left out.
        decimals = {card: p.decimal(CHANCE_DECIMALS) for card, p in bids.items()}
        return ", ".join(f"{card_name(card)} {p}" for card, p in decimals.items() if float(p) > 0)

    rows = []
    for policy, loss in results:
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
    """List the names of the policies in the catalogue that can play a game and do not take long to measure.

    Policies of classes that are not derived from :class:`Behavioural` cannot be measured, and are left out.
    The semi-deterministic policy always takes too long. The optimal policy takes too long if the game has more than
    :data:`OPTIMAL_UPTO` cards a side.
    """
    left_out = {SemiDeterministic.name, *(SEE_THE_UPCARD if game.rules.hidden else ())}
    if game.n not in PUBLISHED_CARDS or game.own_deck:
        left_out.add(Published.name)
    if game.n > OPTIMAL_UPTO:
        left_out.add(Optimal.name)
    for name, maker in MAKERS.items():
        kind = maker.func if isinstance(maker, partial) else maker
        if isinstance(kind, type) and not issubclass(kind, Behavioural):
            left_out.add(name)
    return [name for name in MAKERS if name not in left_out]
