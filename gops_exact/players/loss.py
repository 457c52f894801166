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

from gops_exact.game.game import Game, Position
from gops_exact.numbers.digits import short_repr
from gops_exact.players.optimal import Advisor, advisor
from gops_exact.players.policy import Behavioural, checked_bids
from gops_exact.players.walk import STATES, Node, Response
from gops_exact.progress import Progress
from gops_exact.solutions.solution import Solver


@dataclass(frozen=True, repr=False)
class Loss:
    """The loss of a policy at one position.

    The total is negative where the best response gives something away that it takes back later.
    Probabilities of cards are averages over the ways that lead to the position.
    """

    position: Position  # as the policy sees it
    chance: fmpq  # that it comes up in a game against the best response
    total: fmpq  # points that the policy loses there in a game, or wins less losses
    bids: dict[int, fmpq]  # {card: probability} of the policy
    replies: dict[int, fmpq]  # {card: probability} of the best response

    __repr__ = short_repr

    @property
    def cost(self) -> fmpq:
        """The loss in a game in which the position comes up: total by chance."""
        return self.total / self.chance


def losses(
    policy: Behavioural | str,
    game: Game,
    *,
    solver: Solver[Any] | None = None,
    states: int = STATES,
    progress: Progress | None = None,
) -> list[Loss]:
    """Split the exploitability of a policy over the positions where it arises, greatest loss first.

    Args:
        policy: the policy that is known, or its name.
        game: the game.
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
    >>> found = losses(UpcardPlus(0), Game(4))
    >>> worst = found[0]
    >>> worst.position.upcard, worst.chance, worst.cost, worst.bids, worst.replies
    (3, 1/4, 2147/2604, {3: 1}, {4: 1})
    >>> sum(each.total for each in found)
    2
    """
    walk = Response(policy, game, states, progress)
    advice = advisor(solver, game)
    walk.start()
    found: dict[Position, _Sums] = defaultdict(_Sums)
    first = walk.first(game.deck, game.deck)
    layer = {walk.told_apart(first): (first, fmpq(1))}
    for _ in range(game.n - 1):
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
    if walk.game.rules.decided(node.prizes, node.state) is not None:
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
