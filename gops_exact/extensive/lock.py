"""Games in which a player's strategy is fixed at some information sets: chance draws the player's moves there.

An *information set* of a player is a set of states that the player cannot tell apart. In a *game of paths* each player
chooses a path through a graph, without seeing the other player's path.
Suppose that player two's moves are fixed at all information sets. Then in an equilibrium, player one plays a best
reply to an opponent whose habits are known. Programs for poker call the fixing of a strategy *node locking*.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from gops_exact.base.arguments import integer, shown
from gops_exact.extensive.equilibrium import as_game_tree, exact_strategy, title_of
from gops_exact.extensive.form import RawStrategy, Strategy, check_mix
from gops_exact.extensive.reach import name_at
from gops_exact.extensive.trees import Chance, GameTree, Move, Moves, State, Tree, listed, node_at


@dataclass(frozen=True)
class Draw:
    """State between the moves of both players at a node where they move at the same time.

    The player whose strategy is not fixed has moved. Chance then draws the move of the player whose strategy is fixed.
    """

    #: pairs (next state, probability), with one pair for each next state
    outcomes: tuple[tuple[State, Any], ...]


def locked(game: object, player: Literal[1, 2], strategy: Strategy) -> Tree:
    """Return the game in which a player's moves at some information sets are drawn by chance.

    In an equilibrium of this game, the other player's strategy is a best reply to the fixed moves. The other player's
    expected gain is at least as great as in an equilibrium of `game`. The game lacks information sets to which the
    fixed moves never lead.

    Args:
        game: the game, in any form that :func:`solve_game` takes, except a game of paths.
        player: the player whose moves are fixed, 1 or 2.
        strategy: the probabilities of the fixed moves, {information set: {move: probability}}, exact numbers or floats.
            A set without a name has its state as key. At all other sets the player chooses freely.

    Raises:
        ValueError: if `game` or `player` is invalid, if `strategy` has a set that the player does not have, or if its
            numbers at a set are not probabilities of the moves there.

    >>> from gops_exact import known_games, solve_game
    >>> from gops_exact.extensive import security_level
    >>> poker = known_games.kuhn_poker()
    >>> answer = solve_game(locked(poker, 2, {"Qb": {"b": 1}}))  # always calls with the queen
    >>> solve_game(poker).value, answer.value, security_level(poker, answer.row)
    (-1/18, 1/18, -1/9)
    """
    tree, side = as_game_tree(game), integer(player, "player", 1, 2)
    play = exact_strategy(strategy)
    sets = listed(tree)[1][side - 1]
    for name, mix in play.items():
        if name not in sets:
            raise ValueError(f"player {side} has no information set {shown(name)}")
        check_mix(name, mix, sets[name][1])
    title = f"{title_of(tree)}, player {side}'s play fixed at {len(play)} of {len(sets)} sets"
    return Tree(tree.start, partial(_node, tree, side - 1, play), title)


def _node(game: GameTree, own: int, mixes: RawStrategy, state: State) -> Any:  # noqa: ANN401  # a node
    """Return the node at a state of the game in which `mixes` fixes the play of the player with the index `own`."""
    if isinstance(state, Draw):
        return Chance(dict(state.outcomes))
    node = node_at(game, state)
    if not isinstance(node, Moves) or own not in node.movers:
        return game.at(state)
    if (name := name_at(node, own, state, mixes)) not in mixes:
        return game.at(state)
    draws = node.draws(own, mixes[name])
    if len(draws) == 1:
        return draws[0]
    states = [Draw(tuple(draw.outcomes.items())) for draw in draws]
    later = dict(zip(node.labels[1 - own], states, strict=True))
    return Move((2, 1)[own], later, node.knows[1 - own])
