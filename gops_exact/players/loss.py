"""Positions where a policy loses: its exploitability, split over the positions where it arises.

Play a policy against its best response. At every position the policy's expectation, if both played
optimally from there on, is the position's value; in a round it falls, on average, by the *cost* of the
position. These falls, weighted by how often each position comes up, add up to all that the policy loses
against the best response, as the whole game is worth nothing.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq

from gops_exact.arguments import function, positive_integer
from gops_exact.game.position import Position
from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.numbers.big import short_repr
from gops_exact.players.measure import STATES, difference
from gops_exact.players.optimal import Advisor, advisor
from gops_exact.players.policy import Behavioural, checked_bids
from gops_exact.players.walk import Node, Response
from gops_exact.progress import Progress
from gops_exact.solutions.solver import Solver


@dataclass(frozen=True, repr=False)
class Loss:
    """The loss of a policy at one position.

    Attributes:
        position: the position as the policy sees it.
        chance: the probability that it comes up in a game against the best response.
        total: points that the policy loses there in a game, or wins less losses; chance times cost. It is
            negative where the best response gives something away that it takes back later.
        bids: the policy's probabilities by card, on average over the ways that lead to the position.
        replies: the probabilities of the best response's cards, on average over them.
    """

    position: Position
    chance: fmpq
    total: fmpq
    bids: dict[int, fmpq]
    replies: dict[int, fmpq]

    __repr__ = short_repr

    @property
    def cost(self) -> fmpq:
        """The loss in a game in which the position comes up."""
        return self.total / self.chance


def losses(
    policy: Behavioural | str,
    n: int,
    rules: Rules = PLAIN,
    *,
    solver: Solver[Any] | None = None,
    states: int = STATES,
    progress: Progress | None = None,
) -> list[Loss]:
    """Split the exploitability of a policy over the positions where it arises, greatest loss first.

    Args:
        policy: the policy that is known, or its name.
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        solver: gives the values of positions; exactly by default.
        states: the most states to look at.
        progress: called with the work that is thought to be done and all the work there is.

    Returns:
        All positions that come up, the last cards left out. The losses add up to
        :attr:`gops_exact.players.BestResponse.gain`.

    Raises:
        BidError: if the policy's probabilities are not, or are for cards it does not hold.
        ValueError: if a policy does not give its probabilities, or there are more states than that.

    >>> from gops_exact.players.simple import UpcardPlus
    >>> found = losses(UpcardPlus(0), 4)
    >>> worst = found[0]
    >>> worst.position.upcard, worst.chance, worst.cost, worst.bids, worst.replies
    (3, 1/4, 2147/2604, {3: 1}, {4: 1})
    >>> sum(each.total for each in found)
    2
    """
    n, rules = positive_integer(n, "n"), as_rules(rules)
    function(progress, "progress")
    advice = advisor(solver, n, rules)
    walk = Response(policy, n, rules, difference(rules), states, progress)
    walk.start()
    found: dict[Position, _Sums] = defaultdict(_Sums)
    layer = {
        walk.told_apart(first): (first, fmpq(1)) for first in [walk.first(walk.deck, walk.deck)]
    }
    for _ in range(n - 1):
        below: dict[Hashable, tuple[Node, fmpq]] = {}
        for node, chance in layer.values():
            for after, share in _played(walk, node, chance, advice, found):
                key = walk.told_apart(after)
                below[key] = after, below.get(key, (after, fmpq(0)))[1] + share
        layer = below
    made = [sums.loss(position) for position, sums in found.items()]
    return sorted(made, key=lambda loss: loss.total, reverse=True)


@dataclass
class _Sums:
    """Sums over the ways that lead to a position, each times its probability."""

    chance: fmpq = field(default_factory=fmpq)
    total: fmpq = field(default_factory=fmpq)
    bids: dict[int, fmpq] = field(default_factory=dict)
    replies: dict[int, fmpq] = field(default_factory=dict)

    def loss(self, position: Position) -> Loss:
        """Return the loss at the position."""
        bids, replies = (
            {card: each[card] / self.chance for card in sorted(each)}
            for each in (self.bids, self.replies)
        )
        return Loss(position, self.chance, self.total, bids, replies)


def _played(
    walk: Response,
    node: Node,
    reached: fmpq,
    advice: Advisor,
    found: MutableMapping[Position, _Sums],
) -> Iterator[tuple[Node, fmpq]]:
    """Add what a state costs to its positions; yield the states that follow, with their probabilities."""
    if walk.score.end(node[2], node[3]) is not None:
        return
    for upcard, stakes in walk.turns(node):
        seen = walk.view(node, 1, upcard)
        bids = checked_bids(walk.policy, seen)
        best = walk.best(node, bids, stakes)
        chance = reached * sum((stake.chance for stake in stakes), fmpq(0))
        sums = found[seen.position]
        sums.chance += chance
        sums.total += chance * advice.value(seen.position)
        sums.replies[best] = sums.replies.get(best, fmpq(0)) + chance
        for card, p in bids:
            sums.bids[card] = sums.bids.get(card, fmpq(0)) + chance * p
            for stake in stakes:
                winner, after = walk.after(node, best, card, stake.draw)
                share = reached * stake.chance * p
                worth = advice.value(walk.view(after, 0, None).position)
                sums.total += share * (stake.gains[winner] + worth)
                yield after, share
