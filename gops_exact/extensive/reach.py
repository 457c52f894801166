"""Probabilities with which two strategies reach the information sets of a game.

An *information set* of a player is a set of states that the player cannot tell apart.
"""

from collections.abc import Mapping
from typing import Any

from flint import fmpq

from gops_exact.extensive.form import Label, Strategy
from gops_exact.extensive.trees import (
    Alone,
    Chance,
    Chances,
    GameTree,
    Moves,
    Node,
    State,
    key_of,
    node_at,
    require_room,
)
from gops_exact.numbers.exact import BigRational, rational

Reached = dict[Label, BigRational]
"""{information set of a player: the probability that a play passes it, or the expected number of passes}."""


def reached(game: GameTree, strategies: tuple[Strategy, Strategy]) -> tuple[Reached, Reached]:
    """Return the probability of reaching each information set of both players if these strategies are played.

    Sets that are not reached are missing. A play may pass a set with a single move several times; the result for such a
    set is the expected number of passes. Only states that are reached are read. No play may reach one of them twice.

    Args:
        game: the game.
        strategies: player one's strategy, then player two's, for all sets with several moves that they reach.
    """
    nodes: dict[State, tuple[Node, Chances]] = {}
    finished, stack = list[State](), [(game.start, False)]
    while stack:
        state, is_done = stack.pop()
        if is_done:
            finished.append(state)
        elif state not in nodes:
            node = node_at(game, state)
            nodes[state] = node, _draws(node, state, strategies)
            require_room(len(nodes))
            stack.append((state, True))
            stack.extend((after, False) for after in nodes[state][1])
    result: tuple[dict[Label, fmpq], dict[Label, fmpq]] = {}, {}
    arrivals = {game.start: fmpq(1)}
    for state in reversed(finished):  # a state comes before all states that can follow it
        weight, (node, draws) = arrivals.pop(state), nodes[state]
        for after, chance in draws.items():
            arrivals[after] = arrivals.get(after, fmpq(0)) + weight * chance
        if isinstance(node, Moves):
            for player in node.movers:
                name = name_at(node, player, state, strategies[player])
                result[player][name] = result[player].get(name, fmpq(0)) + weight
    one, two = ({name: BigRational(p) for name, p in side.items()} for side in result)
    return one, two


def _draws(node: Node, state: State, strategies: tuple[Strategy, Strategy]) -> Chances:
    """Return {next state: probability}, without states of probability 0; empty at an end of the game."""
    if not isinstance(node, Moves):
        return node if isinstance(node, dict) else {}
    mixes = []
    for player, labels in enumerate(node.labels):
        mix: Mapping[Label, Any] = {labels[0]: 1}
        if len(labels) > 1:
            mix = strategies[player][name_at(node, player, state, strategies[player])]
        mixes.append({move: rational(mix.get(move, 0), "a probability") for move in labels})
    lines = zip(mixes[0].values(), node.draws(1, mixes[1]), strict=True)
    later = ((after, p * q) for p, draw in lines if p for after, q in draw.outcomes.items())
    return dict(Chance.of(later).outcomes)


def name_at(node: Moves, player: int, state: State, strategy: Strategy) -> Label:
    """Return the key under which a strategy has the information set of a player at a node.

    The key is the name of the set. For a set without a name it is the state; but if the state is also the name of
    another set, the strategy has the key :class:`Alone(state) <.Alone>`, which is then returned.

    Args:
        node: the node.
        player: the index of the player, 0 or 1.
        state: the state of the node.
        strategy: the player's strategy.
    """
    key = key_of(node, player, state)
    return key.state if isinstance(key, Alone) and key not in strategy else key
