"""Pure play: games with an equilibrium of pure strategies, and counts of rounds with a saddle point.

tools/make_literature.py uses these functions; docs/literature.md has the results.

Theorem. Let the prizes of a deck be p₁ ≤ … ≤ p_n, let ties be discarded, and let prizes come at random or in
a known order. To bid a prize's rank is then an equilibrium strategy, for points and to win, exactly if every
prize is at least the sum of the smaller ones.

Proof. An opponent's replies are a permutation of the cards. Consider one of its cycles, of two cards or more,
and let m be the rank of its largest prize. The opponent loses p_m and gets at most the other prizes of the
cycle. So the opponent gains at most p₁ + … + p_{m−1} − p_m, and by the condition this is at most 0.
Conversely, let this difference be more than 0 for some m. Then the opponent gains the difference by replying
to i with i + 1 if i is below m, to m with 1, and to all others with a tie.

If this strategy is not an equilibrium strategy, no other pure strategy is one either. This has been computed
for all decks of two to four prizes up to 5 (``tests/literature/test_literature.py``), and is not proved.
"""

from fractions import Fraction
from functools import cache
from typing import Any

from gops_exact.base.store import MEMORY
from gops_exact.game.game import Game, Position
from gops_exact.game.rules import Prizes, winner_of
from gops_exact.solvers.api import solver


def matching_is_optimal(deck: Prizes) -> bool:
    """Return True if bidding a prize's rank is an equilibrium strategy, by the theorem of this module.

    Args:
        deck: the prizes, in any order.

    >>> matching_is_optimal((0, 1, 2, 3)), matching_is_optimal((1, 2, 3, 4))
    (True, False)
    """
    smaller = 0
    for prize in sorted(deck):
        if prize < smaller:
            return False
        smaller += prize
    return True


def pure_security_level(game: Game) -> Fraction:
    """Return the most that a pure strategy guarantees on average over the order of the prizes.

    The result is 0 exactly if the game has an equilibrium of pure strategies.

    Args:
        game: the game from its start; six cards take seconds, seven take minutes. Its prizes are not hidden.

    Returns:
        A number of points, or of wins less losses if the objective is to win.

    >>> print(pure_security_level(Game(4)), pure_security_level(Game(4, deck=(0, 1, 2, 3))))
    -2 0
    """

    @cache
    def security_level(position: Position) -> Fraction:
        end = position.decided
        if end is not None:
            return Fraction(end)
        total = Fraction(0)
        for times, turned in position.with_upcards():
            stake = 0 if turned.rules.winning else (turned.upcard or 0) + turned.pot
            total += times * max(
                min(
                    stake * winner_of(bid, reply) + security_level(turned.after(bid, reply))
                    for reply in turned.two
                )
                for bid in turned.one
            )
        return total / sum(times for times, _ in position.with_upcards())

    return security_level(game.start)


def saddle_points(game: Game) -> list[tuple[int, int]]:
    """Count the histories of bids whose next round has a saddle point, and those whose next round has none.

    The payoffs of a round are the values of optimal play. If prizes come at random, each order of the prizes
    is a history of its own.

    Args:
        game: the game from its start; six cards take seconds, seven take minutes. Its prizes are not hidden.

    Returns:
        For each round, from the first: (number of histories with a saddle point, number of those without).

    >>> from gops_exact.game.rules import Rules
    >>> saddle_points(Game(3, Rules(prizes="descending")))
    [(1, 0), (7, 2), (36, 0)]
    """
    solved = solver("exact", game, store=MEMORY)
    counts, histories = list[tuple[int, int]](), {game.start: 1}
    for _ in range(game.n):
        pure = mixed = 0
        following: dict[Position, int] = {}
        for position, times in histories.items():
            for weight, turned in position.with_upcards():
                rows: list[list[Any]] = solved.payoff_matrix(turned).to_numpy().tolist()
                least = max(map(min, rows))
                has_saddle = least == min(max(column) for column in zip(*rows, strict=True))
                pure += times * weight * has_saddle
                mixed += times * weight * (not has_saddle)
                for bid in turned.one:
                    for reply in turned.two:
                        after = turned.after(bid, reply)
                        following[after] = following.get(after, 0) + times * weight
        counts.append((pure, mixed))
        histories = following
    return counts
