"""The matching strategy against a player who discards at random (Ross 1970, §2)."""

from collections.abc import Iterable
from functools import cache

from flint import fmpq, fmpz_poly

from gops_exact.game.cards import as_position, positive_integer
from gops_exact.studies.ross.signs import Cards, ahead, sign


def matching_value(one: Iterable[int], two: Iterable[int], prizes: Iterable[int]) -> fmpq:
    """Expected gain of matching against a player who discards at random.

    To match is to bid the i-th lowest card for the i-th lowest prize, in whichever order the prizes
    come. No strategy has a larger expectation (Ross 1970, theorem 1), and it is

        1/N · Σ_i P_i · (number of j with Y_j < V_i  −  number of j with Y_j > V_i)

    (corollary 1 (ii)), with hands and prizes ascending.

    Args:
        one: hand V of the player who matches, distinct positive integers.
        two: hand Y of the other, as many.
        prizes: P, as many positive integers, repeats allowed.

    Returns:
        Points of player one less those of player two.

    Raises:
        ValueError: if the position is not one.

    >>> deck = range(1, 14)
    >>> matching_value(deck, deck, deck)
    28
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    gains = (p * ahead(v, hand_two) for p, v in zip(deck, hand_one, strict=True))
    return fmpq(sum(gains), max(1, len(deck)))


def matching_value_of_deck(n: int) -> fmpq:
    """Expected gain of matching against a random player with the cards 1 … N: (N² − 1)/6.

    Ross 1970, corollary 1 (iii); 28 points at N = 13.

    Raises:
        ValueError: if n is not a positive integer.

    >>> print(matching_value_of_deck(13), matching_value_of_deck(4))
    28 5/2
    """
    positive_integer(n, "n")
    return fmpq((n - 1) * (n + 1), 6)


def matching_distribution(
    one: Iterable[int], two: Iterable[int], prizes: Iterable[int]
) -> dict[int, fmpq]:
    """How much matching gains against a player who discards at random, with probabilities.

    The order of the prizes is irrelevant: all that matters is which card the other bids against
    which, and all N! pairings are equally likely. They are counted by a generating function over the
    subsets of the other hand, 2^N polynomials.

    Args:
        one: hand of the player who matches.
        two: hand of the other.
        prizes: as many.

    Returns:
        Gains in points that are possible, ascending, each with its probability.

    Raises:
        ValueError: if the position is not one.

    >>> matching_distribution([1, 2], [1, 2], [1, 2])
    {0: 1/2, 1: 1/2}
    >>> deck = range(1, 14)
    >>> full = matching_distribution(deck, deck, deck)
    >>> print(sum(chance for gain, chance in full.items() if gain > 0))  # to win
    77746939/80870400
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    pairings = fmpz_poly([1])
    known = {0: pairings}
    # A subset of j cards is what the other has bid against the j lowest. Gains are shifted by the
    # prize, so that exponents are never negative: z^0 lost, z^p tied, z^(2p) won.
    for prize, card in zip(deck, hand_one, strict=True):
        following: dict[int, fmpz_poly] = {}
        for spent, ways in known.items():
            for j, counter_bid in enumerate(hand_two):
                if not spent >> j & 1:
                    after = spent | 1 << j
                    shifted = ways.left_shift(prize * (1 + sign(card - counter_bid)))
                    following[after] = following.get(after, fmpz_poly()) + shifted
        known = following
    (pairings,) = known.values()
    total = pairings(1)
    return {
        gain: fmpq(ways, total)
        for gain, ways in enumerate(pairings.coeffs(), start=-sum(deck))
        if ways
    }


def greatest_chance(
    one: Iterable[int], two: Iterable[int], prizes: Iterable[int], more_than: int
) -> fmpq:
    """The greatest probability of gaining more than so many points against a random player.

    Over all strategies, those included that look at the points won so far and aim at `more_than`. By
    corollary 1 (i) of Ross (1970) it is what matching attains. That is so if no card of one player
    equals a card of the other. With ties it is not: two players with the cards 1, 2, 3 each, one of
    them random, and the chance of gaining more than one point is 1/3 by matching and 4/9 at best. The
    proof compares two strategies that differ in the bids for two prizes and calls the gain of the
    second stochastically larger; if one of the bids may tie, only its expectation is.

    Dynamic programming over all positions: for a handful of cards.

    Args:
        one: hand of the player who chooses, distinct positive integers.
        two: hand of the player who discards at random, as many.
        prizes: as many positive integers.
        more_than: the gain to exceed, in points.

    Raises:
        ValueError: if the position is not one.

    >>> greatest_chance([1, 2, 3], [1, 2, 3], [1, 2, 3], 1)
    4/9
    >>> matching_distribution([1, 2, 3], [1, 2, 3], [1, 2, 3])
    {0: 1/3, 1: 1/3, 2: 1/6, 4: 1/6}
    """

    @cache
    def chance(one: Cards, two: Cards, prizes: Cards, missing: int) -> fmpq:
        if not prizes:
            return fmpq(int(missing < 0))
        total = fmpq(0)
        for p in range(len(prizes)):
            left = _without(prizes, p)
            total += max(
                sum(
                    (
                        chance(
                            _without(one, i),
                            _without(two, j),
                            left,
                            missing - prizes[p] * sign(one[i] - two[j]),
                        )
                        for j in range(len(two))
                    ),
                    fmpq(0),
                )
                for i in range(len(one))
            )
        return total / len(prizes) ** 2

    return chance(*as_position(one, two, prizes), more_than)


def _without(cards: Cards, index: int) -> Cards:
    return cards[:index] + cards[index + 1 :]
