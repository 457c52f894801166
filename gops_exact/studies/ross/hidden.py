"""The game in which bids are made before the prize is seen (Ross 1970, §4)."""

from collections.abc import Iterable

from flint import fmpq

from gops_exact.game.cards import as_position
from gops_exact.studies.ross.signs import ahead


def hidden_value(one: Iterable[int], two: Iterable[int], prizes: Iterable[int]) -> fmpq:
    """Value of the game in which the bids are made before the prize is seen.

    To discard at random is optimal for both players (Ross 1970, theorem 2), whatever their hands; a
    player who does so has this expectation against any opponent:

        1/N² · Σ_k P_k · Σ_{i, j} sign(V_i − Y_j)

    Args:
        one: player one's hand V, distinct positive integers.
        two: player two's hand Y, as many.
        prizes: P, as many positive integers, repeats allowed.

    Returns:
        Player one's expected gain, in points. Ties are discarded.

    Raises:
        ValueError: if the position is not one.

    >>> hidden_value([2, 4], [1, 3], [12, 13])
    25/2
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    return fmpq(sum(deck) * sum(ahead(v, hand_two) for v in hand_one), max(1, len(deck)) ** 2)
