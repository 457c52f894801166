"""Worth of behavioural policies, exactly: dynamic programming over the true states.

A *state* is the pair of hands, the prizes left, the margin and the pot, and what the policies recall of
the rounds before: nothing, if they are memoryless. Played by two such policies the game is a random walk
through states, and the expected result follows from the end backwards. With one side free to choose its
bids the same recursion takes a maximum: that is the best response, and its gain is the policy's
*exploitability*, since a game that both begin alike is worth nothing.

Results are counted by a *score*: by the rules of the game, or by any payoff of the final margin, so
that a policy made for one objective can be measured by another.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb

from flint import fmpq

from gops_exact.arguments import function, positive_integer, shown
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import PLAIN, Prizes, Rules, State, Winner, as_rules
from gops_exact.numbers import rational
from gops_exact.numbers.big import short_repr
from gops_exact.players.catalogue import behavioural
from gops_exact.players.policy import Behavioural, Pure
from gops_exact.players.walk import Expected, Response, Score
from gops_exact.progress import Progress

STATES = 3_000_000
"""The most states that are kept, a gigabyte or two; a game that needs more is refused."""

SMALL, ARRAYS = 7, 13
"""A best response to a policy whose hand follows from the prizes left is found in arrays from eight
cards on, where the recursion takes long, to thirteen; see :mod:`~gops_exact.players.reply_kernel`."""

Payoff = Callable[[int], int]
"""The worth of a final margin to player one."""


@dataclass(frozen=True, repr=False)
class Expectation:
    """The expected results of a game between two policies.

    Attributes:
        one: player one's expected points; where winning is what counts, the probability to win.
        two: player two's expected points, or probability to win.
        states: how many states were looked at.
    """

    one: fmpq
    two: fmpq
    states: int

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

    Attributes:
        gain: in points; where winning is what counts, the probability to win less that to lose.
        states: how many states were looked at.
    """

    gain: fmpq
    states: int

    __repr__ = short_repr


def expected(
    one: Behavioural | str,
    two: Behavioural | str,
    n: int,
    rules: Rules = PLAIN,
    *,
    states: int = STATES,
    progress: Progress | None = None,
) -> Expectation:
    """Compute the expected result of the game of n cards a side between two policies.

    Args:
        one: player one, a policy or the name of one.
        two: player two, a policy or the name of one.
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        states: the most states to look at.
        progress: called with the work that is thought to be done and all the work there is.

    Raises:
        BidError: if a policy's probabilities are not, or are for cards it does not hold.
        ValueError: if a policy does not give its probabilities, or there are more states than that.

    >>> from gops_exact.players.simple import Uniform, UpcardPlus
    >>> result = expected(UpcardPlus(0), UpcardPlus(1), 7)
    >>> print(result.one, result.two)
    7 21
    >>> print(expected(UpcardPlus(0), Uniform(), 7).difference)
    8
    """
    rules = as_rules(rules)
    function(progress, "progress")
    walk = Expected((one, two), n, rules, _share(rules), states, progress)
    return Expectation(*walk.start(), len(walk.known))


def best_response(
    policy: Behavioural | str,
    n: int,
    rules: Rules = PLAIN,
    *,
    states: int = STATES,
    progress: Progress | None = None,
) -> BestResponse:
    """Compute the best response to a policy in the game of n cards a side.

    Args:
        policy: the policy that is known, or its name.
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        states: the most states to look at.
        progress: called with the work that is thought to be done and all the work there is.

    Raises:
        BidError: if the policy's probabilities are not, or are for cards it does not hold.
        ValueError: if a policy does not give its probabilities, or there are more states than that.

    >>> from gops_exact.players.optimal import Optimal
    >>> from gops_exact.players.simple import UpcardPlus
    >>> print(best_response(UpcardPlus(0), 4).gain, best_response(Optimal(4), 4).gain)
    2 0
    """
    n, rules = positive_integer(n, "n", LONGEST), as_rules(rules)
    function(progress, "progress")
    policy = behavioural(policy, n, rules)
    if SMALL < n <= ARRAYS and rules == PLAIN and isinstance(policy, Pure) and policy.blind:
        # Compiled kernels: numba is loaded only here.
        from gops_exact.players.reply_kernel import best_reply, hands_by_prizes

        bids = hands_by_prizes(policy, n)
        if bids is not None:
            return BestResponse(fmpq(*best_reply(bids, n, progress)), comb(2 * n, n))
    walk = Response(policy, n, rules, difference(rules), states, progress)
    return BestResponse(walk.start(), len(walk.known))


def expected_payoff(
    one: Behavioural | str,
    two: Behavioural | str,
    n: int,
    payoff: Payoff,
    rules: Rules = PLAIN,
    *,
    progress: Progress | None = None,
) -> fmpq:
    """Compute the expected payoff of the final margin between two policies.

    Args:
        one: player one, a policy or the name of one; it is shown the margin, as in a game for winning.
        two: player two, a policy or the name of one, shown the margin as well.
        n: cards a side.
        payoff: of the final margin.
        rules: ties and prizes.
        progress: called with the work that is thought to be done and all the work there is.

    >>> from gops_exact.players.optimal import ForWin
    >>> print(expected_payoff(ForWin(4), ForWin(4), 4, draw))
    1006948471/1315748700
    """
    rules = replace(as_rules(rules), objective="win")
    function(progress, "progress")
    return Expected((one, two), n, rules, _final(payoff), STATES, progress).start()[0]


def guaranteed(
    policy: Behavioural | str,
    n: int,
    payoff: Payoff,
    rules: Rules = PLAIN,
    *,
    progress: Progress | None = None,
) -> fmpq:
    """Compute the expected payoff that a policy has against the worst of all opponents.

    Args:
        policy: player one, a policy or the name of one; it is shown the margin, as in a game for winning.
        n: cards a side.
        payoff: of the final margin.
        rules: ties and prizes.
        progress: called with the work that is thought to be done and all the work there is.

    >>> from gops_exact.players.optimal import ForPoints, ForWin
    >>> guaranteed(ForPoints(4), 4, points), guaranteed(ForWin(4), 4, win)
    (0, 0)
    """
    rules = replace(as_rules(rules), objective="win")
    function(progress, "progress")
    return -Response(policy, n, rules, _final(payoff, -1), STATES, progress).start()


def points(margin: int) -> int:
    """The payoff of a game for points: the margin itself."""
    return margin


def win(margin: int) -> int:
    """The payoff of a game for winning: 1 for a win, −1 for a loss, 0 for a draw."""
    return (margin > 0) - (margin < 0)


def draw(margin: int) -> int:
    """1 for a draw, so that the expectation is its probability."""
    return int(margin == 0)


def _share(rules: Rules) -> Score:
    """Points won, or 1 for a win."""
    if not rules.winning:
        return Score(lambda stake, winner: stake if winner > 0 else 0, rules.decided)

    def won(prizes: Prizes, state: State) -> int | None:
        decided = rules.decided(prizes, state)
        return None if decided is None else int(decided > 0)

    return Score(_nothing, won)


def difference(rules: Rules) -> Score:
    """Points won less points lost, or a win less a loss."""
    return Score(_nothing if rules.winning else lambda stake, winner: winner * stake, rules.decided)


def _final(payoff: Payoff, side: int = 1) -> Score:
    """A payoff of the final margin to player one, or what player two (side −1) leaves of it."""
    if not callable(payoff):
        raise ValueError(f"payoff must be a function of the margin, got {shown(payoff)}")

    def end(prizes: Prizes, state: State) -> fmpq | None:
        return None if prizes else side * rational(payoff(side * state.margin), "a payoff")

    return Score(_nothing, end)


def _nothing(_stake: int, _winner: Winner) -> int:
    return 0
