"""Worth of behavioural policies, exactly: dynamic programming over the true states.

A *state* is the pair of hands, the prizes left, the margin and the pot, and what the policies recall of
the rounds before: nothing, if they are memoryless. Played by two such policies the game is a random walk
through states, and the expected result follows from the end backwards. With one side free to choose its
bids the same recursion takes a maximum: that is the best response, and its gain is the policy's
*exploitability*, since a game that both begin alike is worth nothing.
"""

from dataclasses import dataclass
from math import comb

from flint import fmpq

from gops_exact.arguments import function
from gops_exact.game.game import Game, as_game
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import PLAIN
from gops_exact.numbers.digits import short_repr
from gops_exact.players.catalogue import behavioural
from gops_exact.players.policy import Behavioural, Pure
from gops_exact.players.walk import STATES, Expected, Response
from gops_exact.progress import Progress

SMALL, ARRAYS = 7, 13
"""A best response to a policy whose hand follows from the prizes left is found in arrays from eight
cards on, where the recursion takes long, to thirteen; see :mod:`~gops_exact.players.reply_kernel`."""


@dataclass(frozen=True, repr=False)
class Expectation:
    """The expected results of a game between two policies."""

    one: fmpq  # player one's expected points; where winning is what counts, the probability to win
    two: fmpq  # player two's
    states: int  # how many were looked at

    __repr__ = short_repr

    @property
    def difference(self) -> fmpq:
        """Player one's less player two's: the value of the game between them."""
        return self.one - self.two


@dataclass(frozen=True, repr=False)
class BestResponse:
    """The most that anybody can expect against a policy.

    :class:`gops_exact.players.BestReply` is the policy that expects it, and
    :func:`gops_exact.players.losses` lists its cards at all positions that come up.
    """

    gain: fmpq  # in points; where winning is what counts, the probability to win less that to lose
    states: int  # how many were looked at

    __repr__ = short_repr


def expected(
    one: Behavioural | str,
    two: Behavioural | str,
    game: Game,
    *,
    states: int = STATES,
    progress: Progress | None = None,
) -> Expectation:
    """Compute the expected result of a game between two policies.

    Args:
        one: player one, a policy or the name of one.
        two: player two, a policy or the name of one.
        game: the game.
        states: the most states to look at.
        progress: called with the work that is thought to be done and all the work there is.

    Raises:
        BidError: if a policy's probabilities are not, or are for cards it does not hold.
        ValueError: if a policy does not give its probabilities, or there are more states than that.

    >>> from gops_exact.players.simple import Uniform, UpcardPlus
    >>> result = expected(UpcardPlus(0), UpcardPlus(1), Game(7))
    >>> print(result.one, result.two)
    7 21
    >>> print(expected(UpcardPlus(0), Uniform(), Game(7)).difference)
    8
    """
    walk = Expected(one, two, game, states, progress)
    return Expectation(*walk.start(), len(walk.known))


def best_response(
    policy: Behavioural | str,
    game: Game,
    *,
    states: int = STATES,
    progress: Progress | None = None,
) -> BestResponse:
    """Compute the best response to a policy in a game.

    Args:
        policy: the policy that is known, or its name.
        game: the game.
        states: the most states to look at.
        progress: called with the work that is thought to be done and all the work there is.

    Raises:
        BidError: if the policy's probabilities are not, or are for cards it does not hold.
        ValueError: if a policy does not give its probabilities, or there are more states than that.

    >>> from gops_exact.players.optimal import Optimal
    >>> from gops_exact.players.simple import UpcardPlus
    >>> game = Game(4)
    >>> print(best_response(UpcardPlus(0), game).gain, best_response(Optimal(game), game).gain)
    2 0
    """
    n = as_game(game, LONGEST).n
    function(progress, "progress")
    policy = behavioural(policy, game)
    if SMALL < n <= ARRAYS and game.rules == PLAIN and isinstance(policy, Pure) and policy.blind:
        # Compiled kernels: numba is loaded only here.
        from gops_exact.players.reply_kernel import best_reply, hands_by_prizes

        bids = hands_by_prizes(policy, n)
        if bids is not None:
            return BestResponse(fmpq(*best_reply(bids, n, progress)), comb(2 * n, n))
    walk = Response(policy, game, states, progress)
    return BestResponse(walk.start(), len(walk.known))
