"""Best responses to OpenSpiel's policies: all information states of a round at once, in floats.

OpenSpiel's ``nash_conv`` walks every history. Here rounds that the policy cannot tell apart are merged:
at five cards 174,000 states are left of 457,000 histories. The floats come with a proved radius;
:func:`gops_exact.players.best_response` computes the same number exactly, more slowly.
"""

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from gops_exact.arguments import function, instance, positive_integer
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.players.walk import STATES
from gops_exact.progress import Progress, part_of, tracked
from gops_exact.training.openspiel_players import OpenSpielPlayer, players_of

if TYPE_CHECKING:
    import pyspiel
    from numpy.typing import NDArray

    Cards = NDArray[np.int8]
    Floats = NDArray[np.float64]

MOST_CARDS = 9
"""Cards a side whose information states fit an integer of 63 bits."""

CHUNK = 1 << 15
"""States that are asked for at a time."""

PART = 1 << 20
"""Units of progress of one seat."""


def nash_conv(
    policy: object,
    spiel: "pyspiel.Game",
    sees: str | None = None,
    *,
    states: int = STATES,
    progress: Progress | None = None,
) -> BoundedFloat:
    """Compute OpenSpiel's ``nash_conv`` of a policy, in OpenSpiel's unit, with a proved radius.

    Args:
        policy: as :class:`~gops_exact.training.openspiel_players.OpenSpielPlayer` takes it.
        spiel: the game it was made for, one of OpenSpiel's.
        sees: how much it looks at, one of :data:`~gops_exact.training.openspiel_players.SEEN`.
        states: the most states to ask it at, for each seat.
        progress: called with the work done and all the work there is.

    Raises:
        ValueError: if the game is none that this package knows, or there are more states than that.
        BidError: if the policy gives no probabilities, or looks at a bid of the same round.
        ImportError: if OpenSpiel is missing.
    """
    function(progress, "progress")
    one, two = players_of(policy, spiel, sees)
    half = 1.0 if one.game.rules.winning else 0.5
    gains = [
        reply_gain(player, states=states, progress=part_of(progress, seat * PART, PART, 2 * PART))
        for seat, player in enumerate((one, two))
    ]
    value = half * sum(gain.value for gain in gains)
    radius = half * sum(gain.radius for gain in gains)
    return BoundedFloat(value, radius + np.finfo(float).eps * abs(value))


def reply_gain(
    player: OpenSpielPlayer, *, states: int = STATES, progress: Progress | None = None
) -> BoundedFloat:
    """Compute what a best response to one seat of a policy gains, with a proved radius.

    Args:
        player: the policy in one of its seats.
        states: the most states to ask it at.
        progress: called with the work done and all the work there is.

    Returns:
        Points, or where winning is what counts, the probability to win less that to lose.

    Raises:
        ValueError: if there are more states than that.
        BidError: if the policy gives no probabilities, or looks at a bid of the same round.
    """
    n = instance(player, OpenSpielPlayer, "player", "an OpenSpielPlayer").game.n
    states = positive_integer(states, "states")
    function(progress, "progress")
    if n > MOST_CARDS:
        raise ValueError(f"OpenSpiel's policies are measured up to {MOST_CARDS} cards, got {n}")
    played, steps, asked = np.zeros((1, 0, 3), np.int8), [], 0
    for number in tracked(range(n - 1), progress, lambda r: comb(n, r) ** 3 * (n - r)):
        upcards = _upcards(played, player)
        asked += upcards.size
        if asked > states:
            raise ValueError(
                f"a policy of {n} cards must be asked at no more than {states:,} states unless "
                "forced (states), got more"
            )
        chances = _chances(player, played, upcards)
        children = _children(played, upcards, n)
        if number < n - 2:
            played, places = _merged(children, player)
        else:
            played, places = children, np.arange(len(children))
        steps.append((chances, places))
    value = _payoffs(played, player)
    for chances, places in reversed(steps):
        rows, turns, cards = chances.shape
        later = value[places].reshape(rows, turns, cards, cards)
        if player.seat == 0:
            later = later.swapaxes(2, 3)
        gains = np.einsum("mubc,muc->mub", later, chances)
        value = gains.max(axis=2).mean(axis=1)
    return BoundedFloat(float(value[0]), _radius(player))


def _radius(player: OpenSpielPlayer) -> float:
    """Bound the rounding errors of a gain.

    Of a round with k cards: k + 1 roundings in the greatest probability, k in a sum of products and k
    in a mean, each of at most half an epsilon of the greatest payoff; a whole one covers the products of
    errors. A maximum adds nothing.
    """
    most = 1 if player.game.rules.winning else player.game.n * (player.game.n + 1) // 2
    roundings = sum(3 * cards + 4 for cards in range(2, player.game.n + 1))
    return float(roundings * most * np.finfo(float).eps)


def _upcards(played: "Cards", player: OpenSpielPlayer) -> "Cards":
    """Return the prizes that may be turned up, shape (states, prizes)."""
    rules, done = player.game.rules, played.shape[1]
    if rules.fixed:
        prize = rules.arranged(tuple(range(1, player.game.n + 1)))[done]
        return np.full((len(played), 1), prize, np.int8)
    return _left(played[:, :, 0], player.game.n)


def _left(gone: "Cards", n: int) -> "Cards":
    """Return the cards of 1 … n that are not gone, ascending; shapes (states, r) and (states, n − r)."""
    held = np.ones((len(gone), n + 1), bool)
    held[:, 0] = False
    np.put_along_axis(held, gone.astype(np.intp), values=False, axis=1)
    return np.nonzero(held)[1].reshape(len(gone), -1).astype(np.int8)


def _chances(player: OpenSpielPlayer, played: "Cards", upcards: "Cards") -> "Floats":
    """Ask for the probabilities of the cards held, shape (states, prizes, cards), with the sum 1."""
    own, other = (
        _left(played[:, :, 1 + seat], player.game.n) for seat in (player.seat, 1 - player.seat)
    )
    chances = np.zeros((*upcards.shape, own.shape[1]))
    for start in range(0, len(played), CHUNK):  # lists take far more memory than arrays
        part = slice(start, start + CHUNK)
        rows = (array[part].tolist() for array in (played, upcards, own, other))
        for row, (rounds, turned, hand, opponent) in enumerate(zip(*rows, strict=True), start):
            before = player.state(rounds)
            for column, upcard in enumerate(turned):
                found = player.chances(before, upcard, hand, opponent)
                chances[row, column] = [found.get(card, 0.0) for card in hand]
    greatest = chances.argmax(axis=2, keepdims=True)
    others = chances.copy()
    np.put_along_axis(others, greatest, 0.0, axis=2)
    np.put_along_axis(chances, greatest, 1 - others.sum(axis=2, keepdims=True), axis=2)
    return chances


def _children(played: "Cards", upcards: "Cards", n: int) -> "Cards":
    """Return the rounds after every prize, bid and reply, shape (states · prizes · cards², r + 1, 3)."""
    states, done, _ = played.shape
    one, two = _left(played[:, :, 1], n), _left(played[:, :, 2], n)
    cards = n - done
    children = np.empty((states, upcards.shape[1], cards, cards, done + 1, 3), np.int8)
    children[..., :done, :] = played[:, None, None, None]
    children[..., done, 0] = upcards[:, :, None, None]
    children[..., done, 1] = one[:, None, :, None]
    children[..., done, 2] = two[:, None, None, :]
    return children.reshape(-1, done + 1, 3)


def _merged(played: "Cards", player: OpenSpielPlayer) -> "tuple[Cards, NDArray[np.intp]]":
    """Keep one of all states that the player cannot tell apart, and where each is to be found."""
    if player.sees == "history":
        return played, np.arange(len(played))
    signs, base = np.sign(played[:, :, 1] - played[:, :, 2]), player.game.n + 1
    orders = player.sees == "information state" and not player.game.rules.fixed
    key = np.zeros(len(played), np.int64)
    for number in range(played.shape[1]):
        key = 3 * key + signs[:, number] + 1
        if orders:
            key = base * key + played[:, number, 0]
    if player.sees == "observation":
        for side in (1, -1):
            won = played[:, :, 0] * (signs == side)
            key = base * base * key + won.sum(axis=1, dtype=np.int64)
    for place in (1, 2) if orders else (1, 2, 0):
        key <<= player.game.n
        for number in range(played.shape[1]):
            key += np.int64(1) << played[:, number, place].astype(np.int64) >> 1
    _, first, places = np.unique(key, return_index=True, return_inverse=True)
    return played[first], places


def _payoffs(played: "Cards", player: OpenSpielPlayer) -> "Floats":
    """Return the payoffs of the opponent after all rounds but the last, which leaves no choice."""
    deck = player.game.n * (player.game.n + 1) // 2
    prize, one, two = (deck - played.sum(axis=1, dtype=np.int16)).T
    margin = prize * np.sign(two - one)
    margin += (played[:, :, 0] * np.sign(played[:, :, 2] - played[:, :, 1])).sum(1, dtype=np.int16)
    if player.seat == 1:
        margin = -margin
    payoffs: Floats = (np.sign(margin) if player.game.rules.winning else margin).astype(np.float64)
    return payoffs
