"""Conversions to and from Gambit: the matrix game of the bids at a position, and solutions as profiles of pygambit."""

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from gops_exact.base.arguments import instance, shown
from gops_exact.extensive.efg_files import bid_name, set_name, title
from gops_exact.extensive.equilibrium import Equilibrium
from gops_exact.extensive.form import Label, Strategy
from gops_exact.game.game import Position, checked_position
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
        A profile of mixed strategies for a matrix game, or of mixed behaviour for a tree. At information sets that a
        strategy does not reach, all moves have the same probability.

    Raises:
        ValueError: if the game's strategies, or its information sets and moves, are not those of the solution.
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
    labels = [tuple(strategy.label for strategy in player.strategies) for player in game.players]
    bids = [solution.game.rows, solution.game.columns]
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
    row, column = (
        {
            name: {action.label: profile[action] for action in listed.actions if profile[action]}
            for name, listed in zip(side, player.infosets, strict=True)
        }
        for side, player in zip(_information_sets(profile.game), profile.game.players, strict=True)
    )
    return row, column


def _information_sets(game: "pygambit.Game") -> list[dict[Label, list[str]]]:
    """Return {name of an information set: its moves} for player one and for player two.

    The names are those that :func:`read_efg` gives the information sets. If both players see all earlier moves, a name
    is the index of the node in the game's list of nodes.
    """
    sides = [list(player.infosets) for player in game.players]
    seen = all(len(listed.members) == 1 for side in sides for listed in side)
    states = {node: state for state, node in enumerate(game.nodes)} if seen else {}
    sets = []
    for side in sides:
        labels, moves = Counter(listed.label for listed in side), dict[Label, list[str]]()
        for listed in side:
            name = set_name(listed.label, listed.number + 1, labels)
            state = states.get(next(iter(listed.members)))
            moves[state if seen else name] = [action.label for action in listed.actions]
        sets.append(moves)
    return sets
