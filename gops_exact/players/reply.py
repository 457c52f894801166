"""The best response to a policy, as a policy."""

from collections.abc import Hashable, Mapping

from flint import fmpq

from gops_exact.game.game import Game
from gops_exact.players.optimal import made_for
from gops_exact.players.policy import Behavioural, checked_bids
from gops_exact.players.view import Rounds, View, mirrored
from gops_exact.players.walk import STATES, Node, Response


class BestReply(Behavioural):
    """A best response to a policy at every position of a game; of equal cards the lowest.

    A position is solved when a bid is asked for. What it gains is
    :attr:`gops_exact.players.BestResponse.gain`.

    Args:
        policy: the policy that is known, or its name.
        game: the game.
        states: the most states to look at, which are kept.

    Raises:
        ValueError: if the policy does not give its probabilities, or there are more states than that.

    >>> from gops_exact.players import best_response, expected
    >>> game = Game(5)
    >>> reply = BestReply("random", game)
    >>> print(reply, expected(reply, "random", game).difference, best_response("random", game).gain)
    <policy best reply to random> 4 4
    """

    def __init__(self, policy: Behavioural | str, game: Game, *, states: int = STATES) -> None:
        self.walk = Response(policy, game, states)
        self.name = f"best reply to {self.walk.policy.name}"
        self.ordinal = self.walk.ordinal

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return one best card, with certainty.

        Raises:
            ValueError: if the view is of a game with other rules or cards, or there are too many states.
        """
        walk, position = self.walk, view.position
        if (view.n, view.rules) != (walk.game.n, walk.game.rules):
            raise made_for(self.name, walk.game, view)
        upcard, rounds = position.at(view.upcard).upcard, view.rounds if walk.recalling else ()
        node = Node(view.hand, view.opponent, view.prizes, position.state, rounds)
        replies = checked_bids(walk.policy, walk.view(node, 1, upcard))
        return {walk.best(node, replies, dict(walk.turns(node))[upcard]): fmpq(1)}

    def recalled(self, rounds: Rounds) -> Hashable:
        """Return what the policy recalls."""
        return self.walk.policy.recalled(mirrored(rounds))
