"""Results of Ross (1970, *Goofspiel: the game of pure strategy*, ORC 70-25): ``python studies/ross.py``.

Prints the tables of docs/ross.md; N = 6 takes 5 s.

The results are about the gain of the matching strategy against a player who discards at random (§2), the
numbers of pure strategies and of subgames (§3), and the game whose prizes are hidden until the bids are made
(§4). Two statements of the report need a condition or a correction: :func:`greatest_chance` gives the condition for
corollary 1 (i), :func:`pure_strategies` the correction of equation (3).

A hand, V or Y, consists of distinct positive integers. The prizes P are as many positive integers, which may
be equal. In formulas all three are ascending.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from math import comb, prod

from flint import fmpq, fmpz_poly

from gops_exact.game.game import Position
from gops_exact.game.rules import Hand, Prizes, winner_of, without


def as_position(
    one: Iterable[int], two: Iterable[int], prizes: Iterable[int]
) -> tuple[Hand, Hand, Prizes]:
    """Return both hands and the prizes, ascending, after the checks of a position."""
    position = Position(tuple(one), tuple(two), tuple(prizes))
    return position.one, position.two, position.prizes


def matching_value(one: Iterable[int], two: Iterable[int], prizes: Iterable[int]) -> fmpq:
    """Return the expected gain of matching against a player who discards at random.

    To match is to bid the i-th lowest card for the i-th lowest prize, whatever the order of the prizes.
    No strategy has a larger expectation (Ross 1970, theorem 1). The expected gain of hand V against hand Y
    for the prizes P is (corollary 1 (ii))

        1/N · Σ_i P_i · (number of j with Y_j < V_i  −  number of j with Y_j > V_i).

    Args:
        one: hand of the player who matches.
        two: hand of the player who discards at random.
        prizes: the prizes.

    Returns:
        The gain in points.

    >>> deck = range(1, 14)
    >>> matching_value(deck, deck, deck)
    28
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    gains = (p * _ahead(v, hand_two) for p, v in zip(deck, hand_one, strict=True))
    return fmpq(sum(gains), max(1, len(deck)))


def matching_value_of_deck(n: int) -> fmpq:
    """Return the expected gain of matching a random player with the cards 1 … N: (N² − 1)/6.

    The formula is Ross 1970, corollary 1 (iii).

    Args:
        n: cards a side, N.

    Returns:
        The gain in points.

    >>> print(matching_value_of_deck(13), matching_value_of_deck(4))
    28 5/2
    """
    return fmpq((n - 1) * (n + 1), 6)


def matching_distribution(
    one: Iterable[int], two: Iterable[int], prizes: Iterable[int]
) -> dict[int, fmpq]:
    """Return the distribution of the gain of matching against a player who discards at random.

    The gain depends only on which cards meet, not on the order of the prizes, and all N! pairings of cards
    are equally likely. The pairings are counted by generating functions: one polynomial for each of the 2^N
    subsets of the hand `two`.

    Args:
        one: hand of the player who matches.
        two: hand of the player who discards at random.
        prizes: the prizes.

    Returns:
        {gain of the player with hand `one` in points: probability}, the possible gains ascending.

    >>> matching_distribution([1, 2], [1, 2], [1, 2])
    {0: 1/2, 1: 1/2}
    >>> deck = range(1, 14)
    >>> full = matching_distribution(deck, deck, deck)
    >>> print(sum(chance for gain, chance in full.items() if gain > 0))  # to win
    77746939/80870400
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    pairings = fmpz_poly([1])
    polynomials = {0: pairings}
    # A key is a bit mask of j cards of the hand `two`: the replies to the j lowest cards. Each prize p shifts
    # the gain by p, so that exponents are never negative: z^0 is a loss, z^p a tie, z^(2p) a win.
    for prize, card in zip(deck, hand_one, strict=True):
        following: dict[int, fmpz_poly] = {}
        for spent, ways in polynomials.items():
            for j, reply in enumerate(hand_two):
                if not spent >> j & 1:
                    after = spent | 1 << j
                    shifted = ways.left_shift(prize * (1 + winner_of(card, reply)))
                    following[after] = following.get(after, fmpz_poly()) + shifted
        polynomials = following
    (pairings,) = polynomials.values()
    total = pairings(1)
    return {
        gain: fmpq(ways, total)
        for gain, ways in enumerate(pairings.coeffs(), start=-sum(deck))
        if ways
    }


def greatest_chance(
    one: Iterable[int], two: Iterable[int], prizes: Iterable[int], more_than: int
) -> fmpq:
    """Return the greatest probability of gaining more than a number of points from a random player.

    All strategies count, including those that take the points won so far into account. Matching attains this
    probability (Ross 1970, corollary 1 (i)) if no card of one player equals a card of the other. If cards are
    equal, matching may not attain it: if both players have the cards 1, 2, 3, the chance of gaining more than
    1 point is 1/3 by matching and 4/9 at best. The report's proof calls one gain stochastically larger than
    another. If a bid may tie, this gain is larger in expectation only.

    The computation is dynamic programming over all positions; it takes 5 s for 6 cards.

    Args:
        one: hand of the player who chooses.
        two: hand of the player who discards at random.
        prizes: the prizes.
        more_than: the gain to exceed, in points.

    Returns:
        The probability.

    >>> greatest_chance([1, 2, 3], [1, 2, 3], [1, 2, 3], 1)
    4/9
    >>> matching_distribution([1, 2, 3], [1, 2, 3], [1, 2, 3])
    {0: 1/3, 1: 1/3, 2: 1/6, 4: 1/6}
    """

    # `missing`: the points that the gain from here on must exceed.
    @cache
    def chance(one: Hand, two: Hand, prizes: Hand, missing: int) -> fmpq:
        if not prizes:
            return fmpq(int(missing < 0))
        total = fmpq(0)
        for prize in prizes:
            left, best = without(prizes, prize), fmpq(0)
            for bid in one:
                rest, chances = without(one, bid), fmpq(0)
                for reply in two:
                    short = missing - prize * winner_of(bid, reply)
                    chances += chance(rest, without(two, reply), left, short)
                best = max(best, chances)
            total += best
        return total / len(prizes) ** 2

    return chance(*as_position(one, two, prizes), more_than)


def subgames(n: int, *, fixed_order: bool = False) -> dict[int, int]:
    """Count the matrix games of each size that the recursion solves without any reduction.

    There are (N choose j)³ · j games of j cards a side: two hands, a prize set and an upcard. If the order of
    the prizes is known, j determines the prizes left and the upcard, so there are (N choose j)² games (Ross
    1970, §3).

    Args:
        n: cards a side, N.
        fixed_order: True if the order of the prizes is known.

    Returns:
        {cards a side: games}, from the first move down.

    >>> subgames(4)
    {4: 4, 3: 192, 2: 432, 1: 64}
    >>> subgames(4, fixed_order=True)
    {4: 1, 3: 16, 2: 36, 1: 16}
    """
    sizes = range(n, 0, -1)
    return {j: comb(n, j) ** 2 if fixed_order else j * comb(n, j) ** 3 for j in sizes}


def printed_strategies(n: int, *, fixed_order: bool = False) -> int:
    """Return the number of pure strategies that the report prints, in general or for a known order of prizes.

        N^N · Π_{k<N} k^(k(k+1)),   order known:  N · Π_{k<N} k^(k+1)        (Ross 1970, §3, equation (3))

    The factor of k counts the replies with k cards left after a single history of the game. But a strategy
    may reply differently after every history. The numbers are therefore too small from N = 3 on, and from
    N = 4 on if the order is known. :func:`pure_strategies` returns the right numbers.

    Args:
        n: cards a side, N.
        fixed_order: True if the order of the prizes is known.

    Returns:
        The printed number.

    >>> printed_strategies(4)
    8707129344
    """
    later = range(1, n)
    if fixed_order:
        return int(n * prod(k ** (k + 1) for k in later))
    return int(n**n * prod(k ** (k * (k + 1)) for k in later))


def pure_strategies(n: int, *, fixed_order: bool = False) -> int:
    """Return the number of pure strategies of a player.

    A strategy answers the upcards and the opponent's bids; the player's own bids follow from it. After an
    upcard and a bid, a strategy for N − 1 cards is chosen for each of the opponent's N cards separately, so
    that

        S(N) = (N · S(N−1)^N)^N,   order known:  T(N) = N · T(N−1)^N,   S(1) = T(1) = 1.

    Args:
        n: cards a side, N.
        fixed_order: True if the order of the prizes is known.

    Returns:
        S(N), or T(N) for a known order.

    >>> [pure_strategies(n) for n in (1, 2, 3)]
    [1, 4, 7077888]
    >>> [pure_strategies(n, fixed_order=True) for n in (1, 2, 3, 4)]
    [1, 2, 24, 1327104]
    """
    count = 1
    for cards in range(2, n + 1):
        count = cards * count**cards
        if not fixed_order:
            count **= cards
    return count


def hidden_value(one: Iterable[int], two: Iterable[int], prizes: Iterable[int]) -> fmpq:
    """Return the value of the game for points in which bids are made before the prize is seen.

    Ties are discarded. Discarding at random is optimal for both players, whatever their hands (Ross 1970,
    theorem 2). The expectation of a player who discards the hand V at random is, against any opponent,

        1/N² · Σ_k P_k · Σ_{i, j} sign(V_i − Y_j).

    Args:
        one: player one's hand, V.
        two: player two's hand, Y.
        prizes: the prizes, P.

    Returns:
        Player one's expected gain in points.

    >>> hidden_value([2, 4], [1, 3], [12, 13])
    25/2
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    return fmpq(sum(deck) * sum(_ahead(v, hand_two) for v in hand_one), max(1, len(deck)) ** 2)


def _ahead(card: int, hand: Hand) -> int:
    """Return the number of cards in a hand that `card` beats, less the number that beat `card`."""
    return sum(winner_of(card, other) for other in hand)


def shown(number: int) -> str:
    """Return a count in full, or its order of magnitude if it has more than ten digits."""
    return f"{number:,}" if number < 10**10 else f"about $10^{{{len(str(number)) - 1}}}$"


def tables(most: int) -> Iterator[str]:
    """Yield the lines of the tables of docs/ross.md, with chances of up to `most` cards."""
    yield "| cards 1 … N | x | chance to gain more than x by matching | at best |"
    yield "|---|---|---|---|"
    for n, more_than in ((3, 1), (4, 0), (4, 1), (5, 0), (6, 0)):
        if n <= most:
            cards = 3 * [range(1, n + 1)]
            matched = sum(
                p for gain, p in matching_distribution(*cards).items() if gain > more_than
            )
            chances = (matched, greatest_chance(*cards, more_than))
            texts = (f"{chance} = {float(chance):.3f}" for chance in chances)
            yield f"| {n} | {more_than} | {' | '.join(texts)} |"
    yield ""
    yield "| N | printed, (3) | $S(N)$ | printed, order known | $T(N)$ |"
    yield "|---|---|---|---|---|"
    for n in range(2, 6):
        counts = (
            count(n, fixed_order=fixed_order)
            for fixed_order in (False, True)
            for count in (printed_strategies, pure_strategies)
        )
        yield f"| {n} | {' | '.join(map(shown, counts))} |"


if __name__ == "__main__":
    print(*tables(6), sep="\n")
