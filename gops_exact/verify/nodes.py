"""Game trees and strategies that are read from documents, and the nodes of games with hidden bids.

A *state* of a game tree is the index of its node in the document, or a number in a game with hidden bids. A game *with
hidden bids* is GOPS in which a player sees who won each round, but perhaps not the other player's bid. An *information
set* of a player is a set of states that the player cannot tell apart. The *upcard* is the prize turned up in a round.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import chain, count, islice, product
from typing import Any

from gmpy2 import mpq

from gops_exact.base.documents import named, order_of, parse_exact
from gops_exact.verify.intervals import NotProvedError

SIDES = "row", "column"
"""Names of player one's and player two's parts of a document."""

Strategy = Mapping[str, Mapping[str, mpq]]
"""{information set: {move: probability}}."""

Strategies = Sequence[Strategy | None]
"""Player one's strategy and player two's; None for a player who is free to play anything."""

Cards = tuple[int, ...]

LastMove = tuple[str, str] | None
"""A player's last move before a state: (information set, move there); None if there is none."""


@dataclass(frozen=True)
class Node:
    """Node of a game tree: an end of the game, a chance node, or a node where one player or both move."""

    payoff: mpq | None = None  # player one's payoff at an end of the game, else None
    # (probability, next state) for each outcome of a chance node; () at other nodes
    chances: tuple[tuple[mpq, int], ...] = ()
    # (player one's moves, player two's), by their names; () for a player who does not move. The tuple is empty at a
    # chance node or an end of the game.
    moves: tuple[tuple[str, ...], ...] = ()
    # Next states, shape (player one's moves, player two's); one line or column for a player who does not move
    after: tuple[tuple[int, ...], ...] = ()
    # (player one's information set, player two's), by their names; the state's number as text if the game has no
    # information sets because both players see all earlier moves. The set of a player who does not move is not used.
    knows: tuple[str, ...] = ()


Nodes = Iterable[tuple[int, Node]]
"""(state, its node), each state before all states that can follow it."""

NodesOf = Callable[[Strategies], Nodes]
"""Function that returns at least the nodes to which strategies lead."""


def read_node(state: int, node: Any) -> Node:  # noqa: ANN401  # a JSON value
    """Convert a node in a document to a :class:`Node`.

    Args:
        state: the index of the node in the document.
        node: the JSON value of the node.

    Raises:
        ValueError: if the probabilities do not add up to 1, if the table of next states does not fit the moves, or if
            two moves of a player have the same name.
    """
    if isinstance(node, str):
        return Node(payoff=parse_exact(node))
    if "chance" in node:
        chances = tuple(
            (parse_exact(part["probability"]), part["state"]) for part in node["chance"]
        )
        if sum(chance for chance, _ in chances) != 1:
            raise ValueError("the probabilities of a chance node must have the sum 1")
        return Node(chances=chances)
    if "player" in node:
        labels, states = zip(*node["moves"].items(), strict=True)
        knows = (node.get("knows", str(state)),) * 2
        if node["player"] == 1:
            return Node(None, (), (labels, ()), tuple(zip(states, strict=True)), knows)
        return Node(None, (), ((), labels), (states,), knows)
    rows, columns, after = tuple(node["rows"]), tuple(node["columns"]), node["after"]
    if [len(line) for line in after] != [len(columns)] * len(rows):
        raise ValueError(f"expected {len(rows)} × {len(columns)} next states, as there are moves")
    if any(len(set(labels)) < len(labels) for labels in (rows, columns)):
        raise ValueError("moves of a player must have different names")
    knows = tuple(node.get("knows", (str(state),) * 2))
    return Node(None, (), (rows, columns), tuple(map(tuple, after)), knows)


def read_tree(document: Mapping[str, Any]) -> tuple[dict[int, Node], bool]:
    """Read the game tree of a document.

    Returns:
        {state: its node} for the states that can be reached, each before all states that can follow it; and True if
        every information set has a single state, else False.

    Raises:
        ValueError: if a node is invalid, if a state does not exist, if a play can reach a state twice, or if only some
            of the nodes where a player moves name their information sets.
    """
    nodes = []
    for state, part in enumerate(document["nodes"]):
        with named(f"nodes {state}"):
            nodes.append(read_node(state, part))
    following, waiting = dict[int, list[int]](), [0]
    while waiting:
        if (state := waiting.pop()) not in following:
            if state >= len(nodes):
                raise ValueError(f"nodes: state {state} does not exist")
            node = nodes[state]
            following[state] = [*(after for _, after in node.chances), *chain(*node.after)]
            waiting += following[state]
    try:
        done = [*TopologicalSorter(following).static_order()]
    except CycleError as error:
        raise ValueError(f"nodes {error.args[1][0]}: a play can reach the state twice") from None
    knowing = {
        "knows" in part for part, node in zip(document["nodes"], nodes, strict=True) if node.moves
    }
    if len(knowing) > 1:
        raise ValueError("nodes must all have information sets, or none of them")
    sets = [
        (player, nodes[state].knows[player])
        for state in done
        for player, moves in enumerate(nodes[state].moves)
        if moves
    ]
    return {state: nodes[state] for state in reversed(done)}, len({*sets}) == len(sets)


def read_strategies(document: Mapping[str, Any]) -> tuple[Strategy, Strategy]:
    """Return the strategies in a document, player one's first; their probabilities are converted from text.

    Raises:
        ValueError: if a probability is no fraction in lowest terms.
    """
    row, column = (
        {
            name: {move: parse_exact(chance) for move, chance in mix.items()}
            for name, mix in document[side].items()
        }
        for side in SIDES
    )
    return row, column


def mix_at(strategy: Strategy, name: str, moves: Sequence[str]) -> Mapping[str, mpq]:
    """Return the probability of each move that a strategy plays at an information set, {move: probability}.

    If the set has a single move, the strategy need not mention the set: the move then has the probability 1.

    Args:
        strategy: {information set: {move: probability}}.
        name: the information set.
        moves: the moves there.

    Raises:
        NotProvedError: if the strategy lacks the set, if it has other moves there, or if its probabilities do not add
            up to 1.
    """
    if name not in strategy and len(moves) == 1:
        return {moves[0]: mpq(1)}
    if name not in strategy:
        raise NotProvedError(f"{name!r} is reached, and has no probabilities")
    mix = strategy[name]
    if not mix.keys() <= set(moves) or sum(mix.values()) != 1:
        raise NotProvedError(
            f"{name!r} has no probabilities of the moves {', '.join(map(repr, moves))}"
        )
    return mix


def record(prize: int, own: int, other: int, *, sees: bool) -> str:
    """Return the text of a round, which is part of the names of a player's information sets in later rounds.

    Args:
        prize: the upcard.
        own: the player's bid.
        other: the other player's bid.
        sees: True if the player sees the other player's bids.
    """
    sign = (own > other) - (own < other)
    return f"{prize}:{own}{'<=>'[1 + sign]}{other} " if sees else f"{prize}:{own}{'-=+'[1 + sign]} "


def hidden_nodes(document: Mapping[str, Any], strategies: Strategies) -> Nodes:
    """Yield (state, its node) of a game with hidden bids, each state before all states that can follow it.

    States are numbers; the start of the game is 0.

    Args:
        document: the document. Its member ``n`` is the number of cards a side, ``rules`` are the rules, and ``seen``
            says for each player if the player sees the other's bids.
        strategies: player one's strategy, then player two's; None for a player who may bid any card. Only nodes that
            can be reached with these strategies are yielded.

    Raises:
        NotProvedError: if a strategy lacks an information set that it reaches, has other moves there than the cards in
            hand, or has probabilities there that do not add up to 1.
    """
    rules, seen, deck = document["rules"], document["seen"], tuple(range(1, document["n"] + 1))
    # The states that wait for their turn: the number of the state, both hands, the prizes left, the texts of the
    # earlier rounds by player, player one's points less player two's, the pot, and the upcard, or 0 before it is
    # turned up. The last one comes next, so that few wait.
    waiting = [(0, (deck, deck), order_of(rules, deck) or deck, ("", ""), 0, 0, 0)]
    numbers = count(1)
    while waiting:
        state, hands, prizes, known, margin, pot, upcard = waiting.pop()
        if upcard:
            names = f"{known[0]}{upcard}", f"{known[1]}{upcard}"
            rows, columns = (
                hand
                if strategy is None
                else tuple(map(int, mix_at(strategy, name, tuple(map(str, hand)))))
                for hand, strategy, name in zip(hands, strategies, names, strict=True)
            )
            after = tuple(tuple(islice(numbers, len(columns))) for _ in rows)
            for (one, two), number in zip(product(rows, columns), chain(*after), strict=True):
                won, stake = (one > two) - (one < two), upcard + pot
                left = _without(hands[0], one), _without(hands[1], two)
                texts = (
                    known[0] + record(upcard, one, two, sees=seen[0]),
                    known[1] + record(upcard, two, one, sees=seen[1]),
                )
                carried = stake if won == 0 and rules["ties"] == "carryover" else 0
                waiting.append((number, left, prizes, texts, margin + won * stake, carried, 0))
            moves = tuple(map(str, rows)), tuple(map(str, columns))
            yield state, Node(moves=moves, after=after, knows=names)
        elif prizes:
            draws = prizes if rules["prizes"] == "random" else prizes[:1]
            later = [*zip(islice(numbers, len(draws)), draws, strict=True)]
            waiting += [
                (number, hands, _without(prizes, draw), known, margin, pot, draw)
                for number, draw in later
            ]
            chance = mpq(1, len(draws))
            yield state, Node(chances=tuple((chance, number) for number, _ in later))
        else:
            payoff = margin if rules["objective"] == "points" else (margin > 0) - (margin < 0)
            yield state, Node(payoff=mpq(payoff))


def _without(cards: Cards, card: int) -> Cards:
    return tuple(other for other in cards if other != card)
