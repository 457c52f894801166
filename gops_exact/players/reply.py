"""The best response to a policy, as a policy."""

from collections.abc import Hashable, Mapping

from flint import fmpq

from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.players.measure import STATES, difference
from gops_exact.players.policy import Behavioural, checked_bids
from gops_exact.players.view import Game, View, mirrored
from gops_exact.players.walk import Response


class BestReply(Behavioural):
    """A best response to a policy at every position of the game of n cards; of equal cards the lowest.

    A position is solved when a bid is asked for. What it gains is
    :attr:`gops_exact.players.BestResponse.gain`.

    Args:
        policy: the policy that is known, or its name.
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        states: the most states to look at, which are kept.

    Raises:
        ValueError: if the policy does not give its probabilities, or there are more states than that.

    >>> from gops_exact.players import best_response, expected
    >>> reply = BestReply("random", 5)
    >>> print(reply, expected(reply, "random", 5).difference, best_response("random", 5).gain)
    <policy best reply to random> 4 4
    """

    def __init__(
        self, policy: Behavioural | str, n: int, rules: Rules = PLAIN, *, states: int = STATES
    ) -> None:
        rules = as_rules(rules)
        self.walk = Response(policy, n, rules, difference(rules), states)
        self.name = f"best reply to {self.walk.policy.name}"
        self.ordinal = self.walk.ordinal

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """One best card, with certainty.

        Raises:
            ValueError: if the view is of a game with other rules or cards, or there are too many states.
        """
        walk, position = self.walk, view.position
        if (view.n, view.rules) != (walk.n, walk.rules):
            raise ValueError(
                f"policy {self.name!r} was made for {walk.n} cards, {walk.rules}, "
                f"got {view.n} cards, {view.rules}"
            )
        upcard, rounds = position.at(view.upcard).upcard, view.rounds if walk.recalling else ()
        node = view.hand, view.opponent, view.prizes, position.state, rounds
        replies = checked_bids(walk.policy, walk.view(node, 1, upcard))
        return {walk.best(node, replies, dict(walk.turns(node))[upcard]): fmpq(1)}

    def recalled(self, rounds: Game) -> Hashable:
        """Return what the policy recalls."""
        return self.walk.policy.recalled(mirrored(rounds))
