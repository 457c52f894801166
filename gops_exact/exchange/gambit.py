"""Conversions to and from Gambit: the matrix game of the bids at a position, and solutions as profiles of pygambit.

A *position* has both hands, the prizes left, the prize turned up if there is one, and the points of earlier rounds that
still count. A *profile* has a strategy of each player. An *information set* of a player is a set of states that the
player cannot tell apart.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from gops_exact.base.arguments import instance, shown
from gops_exact.extensive.efg_files import bid_name, read_efg, title
from gops_exact.extensive.equilibrium import Equilibrium
from gops_exact.extensive.form import Label, Strategy
from gops_exact.extensive.trees import Move
from gops_exact.game.game import Position, checked_position
from gops_exact.matrix_game.game_files import read_nfg
from gops_exact.matrix_game.game_solution import GameSolution
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.numbers.exact import rational

if TYPE_CHECKING:
    import pygambit


def bidding_game(position: Position | str, payoffs: object) -> MatrixGame:
    """Return the matrix game of the bids at a position, with a title and names of the bids.

    Args:
        position: the position, or its name.
        payoffs: player one's gains, shape (m, n), for player one's m bids and player two's n bids: a sequence of rows,
            or the result of :func:`gops_exact.payoff_matrix`.

    Raises:
        ValueError: if there is no such position, or if the payoffs do not have the shape (m, n).

    >>> game = bidding_game(Position([2, 4], [1, 3], [12, 13], upcard=13), [[25, -1], [1, 25]])
    >>> game.rows, game.title
    (('bid 2', 'bid 4'), 'GOPS: 2 4 against 1 3 for 12 13, upcard 13')
    """
    position = checked_position(position)
    seen = "" if position.upcard is None else f", upcard {position.upcard}"
    rows, columns = (tuple(map(bid_name, hand)) for hand in (position.one, position.two))
    return MatrixGame(payoffs, rows, columns, title(position) + seen)


def gambit_profile(
    solution: "GameSolution | Equilibrium", game: "pygambit.Game"
) -> "pygambit.gambit.MixedStrategyProfileRational | pygambit.gambit.MixedBehaviorProfileRational":
    """Convert a solution to a profile of pygambit: a strategy of each player, in fractions.

    Args:
        solution: a solution of `game`, either of its matrix game or of the tree ``read_efg(game.to_efg())``.
        game: a game of pygambit. For a matrix game, the labels of the players' strategies must be the solution's
            rows and columns.

    Returns:
        A profile of mixed strategies for a matrix game, or of mixed behaviour for a tree. At an information set for
        which the player's strategy has no entry, all moves have the same probability.

    Raises:
        ValueError: if a matrix game has other strategies than the solution; if a tree lacks information sets or moves of
            the solution; or if `solution` is of neither kind.
    """
    if isinstance(solution, Equilibrium):
        behaviour: list[list[list[Fraction]]] = []
        strategies = solution.row, solution.column
        for strategy, sets in zip(strategies, _information_sets(game), strict=True):
            for name, mix in strategy.items():
                if not mix.keys() <= set(sets.get(name, ())):
                    raise ValueError(
                        "game must have the information sets and moves of the solution, "
                        f"got none of {shown(name)} with {shown(list(mix))}"
                    )
            side = []
            for name, moves in sets.items():
                mix = strategy.get(name, dict.fromkeys(moves, Fraction(1, len(moves))))
                side.append([Fraction(str(rational(mix.get(move, 0)))) for move in moves])
            behaviour.append(side)
        return game.mixed_behavior_profile(behaviour, rational=True)
    instance(solution, GameSolution, "solution", "a GameSolution or an Equilibrium")
    matrix = read_nfg(game.to_nfg())
    labels, bids = ((side.rows, side.columns) for side in (matrix, solution.game))
    if labels != bids:
        raise ValueError(f"game must have the strategies of the solution, got {labels} for {bids}")
    mixes = [[chance.to_fraction() for chance in mix] for mix in (solution.row, solution.column)]
    return game.mixed_strategy_profile(mixes, rational=True)


def profile_strategies(
    profile: "pygambit.gambit.MixedBehaviorProfileRational",
) -> tuple[Strategy, Strategy]:
    """Convert a mixed behaviour profile of pygambit to strategies of the tree ``read_efg(profile.game.to_efg())``.

    Args:
        profile: the profile, in fractions, which pygambit makes with ``rational=True``.

    Returns:
        The strategies of player one and of player two, for :func:`~gops_exact.exploitability`.
    """
    # A profile of Gambit 16 yields the probabilities of all moves. From 17 on it yields pairs (move, probability) for
    # each information set of each player.
    parts = list(profile)
    if hasattr(profile, "mixed_behaviors"):
        chances = iter([chance for _, chance in parts])
    else:
        chances = iter([p for side in parts for _, mix in side for _, p in mix])
    row, column = (
        {name: {move: p for move in moves if (p := next(chances))} for name, moves in sets.items()}
        for sets in _information_sets(profile.game)
    )
    return row, column


def _information_sets(game: "pygambit.Game") -> list[dict[Label, list[Label]]]:
    """Return, for both players, {name of an information set: its moves}, in Gambit's order."""
    # Versions of Gambit give access to information sets in different ways, but all of them write files.
    sides: tuple[dict[Label, list[Label]], ...] = {}, {}
    for node in read_efg(game.to_efg()).nodes:
        if isinstance(node, Move):
            sides[node.player - 1].setdefault(node.knows, list(node.moves))
    return list(sides)
