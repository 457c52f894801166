"""Pure play: games with an equilibrium of pure strategies, and rounds with a saddle point, counted.

Theorem. Let a deck be p₁ ≤ … ≤ p_n. To bid a prize's rank is an equilibrium strategy, for points and to win,
if ties are discarded and prizes come at random or in a known order, exactly if every prize is at least the sum
of the smaller ones.

Proof. The replies are a permutation of the cards. In a cycle of several cards the largest prize m is lost by the
one who replies, who gets the others at most: p₁ + … + p_{m−1} − p_m, at most 0. If it is more than 0 for some m,
whoever replies to i with i + 1 below m, to m with 1, and else ties, gains it.

That no other pure strategy is an equilibrium either where this one is none has been computed, of all decks of two to
four prizes up to 5 (``tests/test_pure.py``), not proved.
"""

from fractions import Fraction
from functools import cache
from typing import Any

from gops_exact.game.game import Game, Position, as_game
from gops_exact.game.rules import Prizes
from gops_exact.solvers.api import solver
from gops_exact.solvers.store import MEMORY

MOST_PURE = 6
"""Cards a side up to which pure play is counted; six take seconds, seven minutes."""


def matching_is_optimal(deck: Prizes) -> bool:
    """Tell whether to bid a prize's rank is an equilibrium strategy, by the theorem.

    >>> matching_is_optimal((0, 1, 2, 3)), matching_is_optimal((1, 2, 3, 4))
    (True, False)
    """
    smaller = 0
    for prize in sorted(deck):
        if prize < smaller:
            return False
        smaller += prize
    return True


def pure_guarantee(game: Game | int) -> Fraction:
    """Return the most that a pure strategy is sure to gain on average; 0 exactly if an equilibrium is pure.

    Raises:
        ValueError: if there are more than 6 cards, or prizes are hidden.

    >>> print(pure_guarantee(Game(4)), pure_guarantee(Game(4, deck=(0, 1, 2, 3))))
    -2 0
    """
    return _guarantee(_counted(game).start)


@cache
def _guarantee(position: Position) -> Fraction:
    """Return the least that the best pure strategy gains, chance's moves averaged."""
    end = position.decided
    if end is not None:
        return Fraction(end)
    total = Fraction(0)
    for times, turned in position.turns():
        stake = 0 if turned.rules.winning else (turned.upcard or 0) + turned.pot
        total += times * max(
            min(
                stake * ((bid > reply) - (bid < reply)) + _guarantee(turned.after(bid, reply))
                for reply in turned.two
            )
            for bid in turned.one
        )
    return total / sum(times for times, _ in position.turns())


def saddle_points(game: Game | int) -> list[tuple[int, int]]:
    """Count, round by round, the histories of bids whose next round has a saddle point, and has none.

    Values are those of optimal play. At random each order of the prizes counts by itself.

    Raises:
        ValueError: if there are more than 6 cards, or prizes are hidden.

    >>> from gops_exact.game.rules import Rules
    >>> saddle_points(Game(3, Rules(prizes="descending")))
    [(1, 0), (7, 2), (36, 0)]
    """
    game = _counted(game)
    solved = solver("exact", game, store=MEMORY)
    found, histories = list[tuple[int, int]](), {game.start: 1}
    for _ in range(game.n):
        pure = mixed = 0
        following: dict[Position, int] = {}
        for position, times in histories.items():
            for weight, turned in position.turns():
                matrix: Any = solved.payoff_matrix(turned)
                rows = [list(row) for row in matrix]
                least = max(map(min, rows))
                has_saddle = least == min(max(column) for column in zip(*rows, strict=True))
                pure += times * weight * has_saddle
                mixed += times * weight * (not has_saddle)
                for bid in turned.one:
                    for reply in turned.two:
                        after = turned.after(bid, reply)
                        following[after] = following.get(after, 0) + times * weight
        found.append((pure, mixed))
        histories = following
    return found


def _counted(game: Game | int) -> Game:
    game = as_game(game, MOST_PURE)
    if game.rules.hidden:
        raise ValueError(f"prizes must not be hidden, got {game.rules}")
    return game
