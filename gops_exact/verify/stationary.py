"""Proofs of documents of stochastic games: bounds of the value of every state, by stationary strategies.

In a *stochastic game* a play can reach a state twice. A strategy is *stationary* if it depends on the state alone.

Let player one's strategy be fixed, and let there be a number v for each state. From each state on, the strategy
guarantees at least v if two conditions hold. First, v is at most the payoff at an end of the game, and at most the
expected v of the next state at any other state, whatever the other player chooses. So the expected v does not fall
while the game goes on. Second, the other player cannot keep the play for ever among states with v > 0. A play without
end is worth 0. For player two's strategy the signs are changed.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gmpy2 import mpq

from gops_exact.base.documents import named, parse_exact
from gops_exact.verify.checks import Report
from gops_exact.verify.intervals import NotProvedError
from gops_exact.verify.nodes import SIDES, Node, Strategy, mix_at, read_node, read_strategies

Reply = list[tuple[mpq, int]]
"""Draw of the next state after a choice of the other player: (probability, state) of each possible one."""


def check_stationary(document: Mapping[str, Any]) -> Report:
    """Prove the bounds of all states in a document of a stochastic game.

    Args:
        document: the document, which obeys its schema.

    Returns:
        A report with the number of states whose bounds are proved, or with the faults.

    Raises:
        ValueError: if a node is invalid, or if a state does not exist.
    """
    report, nodes = Report(), list[Node]()
    for state, part in enumerate(document["nodes"]):
        with named(f"nodes {state}"):
            nodes.append(read_node(state, part))
    for player, strategy in enumerate(read_strategies(document)):
        side, bounds = SIDES[player], document[("least", "most")[player]]
        try:
            _check_side(nodes, strategy, [*map(parse_exact, bounds)], player)
        except NotProvedError as error:
            report.faults.append(f"{side}: {error}")
    if not report.faults:
        report.proved["bounds of states"] = len(nodes)
    return report


def _check_side(nodes: list[Node], strategy: Strategy, bounds: list[mpq], player: int) -> None:
    """Prove the bounds of all states by one player's strategy: lower bounds if `player` is 0, upper bounds if it is 1."""
    if len(bounds) != len(nodes):
        raise NotProvedError(f"expected a bound for each of {len(nodes)} states, got {len(bounds)}")
    if unknown := strategy.keys() - {n.knows[player] for n in nodes if n.moves and n.moves[player]}:
        raise NotProvedError(f"{min(unknown)!r} is no information set of the player")
    sign, replies = (1, -1)[player], dict[int, list[Reply]]()
    for state, node in enumerate(nodes):
        replies[state] = [*_replies(node, strategy, player)]
        if any(after >= len(nodes) for reply in replies[state] for _, after in reply):
            raise NotProvedError(f"state {state} leads to a state that does not exist")
        worths = [sum(chance * bounds[after] for chance, after in r) for r in replies[state]]
        worths += [] if node.payoff is None else [node.payoff]
        if any(sign * worth < sign * bounds[state] for worth in worths):
            raise NotProvedError(f"the strategy does not prove the bound of state {state}")
    # The other player can keep the play for ever among the states that are left when those with no reply that stays
    # among them are removed, again and again.
    lasting = {state for state, bound in enumerate(bounds) if sign * bound > 0}
    while leaving := {
        state
        for state in lasting
        if not any(lasting.issuperset(after for _, after in reply) for reply in replies[state])
    }:
        lasting -= leaving
    if lasting:
        raise NotProvedError(f"the other player can keep the play for ever at state {min(lasting)}")


def _replies(node: Node, strategy: Strategy, player: int) -> Iterator[Reply]:
    """Yield for each move of the opponent of `player` a list of pairs (probability, next state).

    The probabilities are those of the moves of `player`, who plays `strategy`. At a chance node, the only list is the
    draw of chance. At an end of the game, nothing is yielded.
    """
    if node.chances:
        yield [*node.chances]
    elif node.moves:
        own = node.moves[player]
        mix = mix_at(strategy, node.knows[player], own) if own else {}
        chances = [mix.get(move, mpq(0)) for move in own] or [mpq(1)]
        for line in node.after if player else zip(*node.after, strict=True):
            yield [(p, after) for p, after in zip(chances, line, strict=True) if p]
