"""Games in which each player chooses a path through a graph without seeing the other player's path.

A pair of a move on player one's path and a move on player two's has a payoff. Colonel Blotto is an example: a player
goes from field to field, and leaves some of the soldiers at each. A *set* is a node of a player's graph. The paths,
which are the pure strategies, may be too many to list. But the payoffs of moves add up, so that a player gains nothing
by remembering how a set was reached. So a strategy needs only a probability for each move at each set (Behnezhad,
Dehghani, Derakhshan, Hajiaghayi & Seddighin 2017, *Faster and simpler algorithm for optimal strategies of Blotto
game*).

The linear program is that of a sequence form (:mod:`~gops_exact.extensive.form`). There a *sequence* of a player is an
information set and a move at it, and a *realization plan* has a number for each sequence. In this form several
sequences may lead to an information set. It has an information set for each set of the graph, and for each move one
more information set with a single sequence. The number of this sequence in a realization plan is the expected number of
times that the move is made, at all sets of the graph together. Payoffs belong to pairs of such sequences. A best reply
is a shortest path.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from math import lcm
from typing import Any, ClassVar, NoReturn

import numpy as np

from gops_exact.base.arguments import instance, items, shown
from gops_exact.base.documents import Graph, in_order
from gops_exact.extensive.form import START, Form, Side, Strategy, plan_of
from gops_exact.extensive.trees import PLAYERS
from gops_exact.numbers.exact import BigRational, exact_chances, rational


@dataclass(frozen=True)
class PathGame:
    """A game in which each player chooses a path through a graph, without seeing the other's path.

    A *set* is a point of a graph at which a player chooses a move. The move leads to the next set.
    :func:`~gops_exact.solve_game` solves the game. A strategy has the probabilities of the moves at each set that has
    several moves and that the strategy reaches. The attribute ``reached`` of the solution has the probability that the
    path contains each set, and the expected number of times that each move is made.

    Args:
        graphs: player one's graph and player two's graph, each {set: {move: next set}}; all names are texts. Paths
            begin at the one set to which no move leads. A path ends when a move leads to a name that is not a key of
            the graph. Moves with the same name at several sets have the same payoffs.
        payoffs: {move of player one: {move of player two: exact number}}. Player one's payoff is the sum over all pairs
            of a move on player one's path and a move on player two's; a pair that is missing adds 0.
        title: the name of the game.

    Raises:
        ValueError: if `graphs` or `payoffs` are not such mappings, or a name is no text; if a set has no moves; if
            there is not exactly one set to which no move leads; if moves lead back to a set; if a set and a move have
            the same name; or if a payoff is no exact number, or belongs to a move that the graphs lack.

    Examples:
        A smuggler takes road A to the port, or crosses the hills or the plain to road B. A guard watches a road:

        >>> from gops_exact import solve_game
        >>> guard = {"station": {"watch A": "night", "watch B": "night"}}
        >>> smuggler = {"home": {"A": "port", "hills": "inn", "plain": "inn"}, "inn": {"B": "port"}}
        >>> payoffs = {"watch A": {"A": 1, "hills": 2}, "watch B": {"B": 1}}
        >>> solved = solve_game(PathGame((guard, smuggler), payoffs, "smuggler"))
        >>> solved.value, solved.row, solved.column
        (1/2, {'station': {'watch A': 1/2, 'watch B': 1/2}}, {'home': {'A': 1/2, 'plain': 1/2}})
        >>> solved.reached[1]
        {'home': 1, 'inn': 1/2, 'A': 1/2, 'plain': 1/2, 'B': 1/2}
    """

    graphs: tuple[Graph, Graph]
    payoffs: Mapping[str, Mapping[str, Any]]
    title: str = "game of paths"
    form: Form = field(init=False, repr=False, compare=False)  #: the sequence form
    start: ClassVar[None] = None  #: a game of paths is solved without its tree, and has no states

    def __post_init__(self) -> None:
        graphs = items(self.graphs, "graphs", "a pair of graphs", ordered=True)
        if len(graphs) != len(PLAYERS):
            raise ValueError(f"graphs must be a pair of graphs, got {shown(self.graphs)}")
        for graph in graphs:
            _require_names(graph, "a graph", "a mapping {set: {move: next set}}")
            for later in chain(*(moves.values() for moves in graph.values())):
                instance(later, str, "the next set of a move", "a text")
        _require_names(self.payoffs, "payoffs", "a mapping {move: {move: payoff}}")
        one, two = map(_side, self.graphs)
        moves, replies = ({*chain(*graph.values())} for graph in self.graphs)
        if unknown := (self.payoffs.keys() - moves) | ({*chain(*self.payoffs.values())} - replies):
            raise ValueError(f"payoffs must be of moves of the graphs, got {shown(min(unknown))}")
        paid = {
            (one.sets[move][1][move], two.sets[reply][1][reply]): rational(payoff, "a payoff")
            for move, line in self.payoffs.items()
            for reply, payoff in line.items()
        }
        scale = lcm(*(int(payoff.q) for payoff in paid.values()))
        pairs = np.array([*paid], np.int64).reshape(-1, 2)
        payoffs = np.array([int((payoff * scale).p) for payoff in paid.values()], object)
        form = Form((one, two), pairs, payoffs, scale, len(pairs), recall=False)
        object.__setattr__(self, "form", form)

    def at(self, _: object) -> NoReturn:
        """Raise a ValueError, because the tree of the game, with a leaf for each pair of paths, may be too large."""
        raise ValueError(f"expected a game with a tree, got a game of paths: {self.title}")

    def reached(self, strategy: Strategy, player: int) -> dict[str, BigRational]:
        """Return how often a strategy reaches each set, and makes each move, in expectation.

        Args:
            strategy: {set: {move: probability}}, with all sets of several moves that it reaches.
            player: the player of the strategy, 1 or 2.

        Returns:
            {set: probability of reaching it} and, in the same mapping, {move: expected number of times that it is
            made}. Sets and moves with the number 0 are missing.

        Raises:
            ValueError: if `strategy` is no such mapping, if it lacks a set of several moves that it reaches, or if its
                numbers at a set are no probabilities of the moves there.
        """
        side = self.form.sides[player - 1]
        instance(strategy, Mapping, "strategy", "a mapping {set: {move: probability}}")
        for name, mix in strategy.items():
            instance(mix, Mapping, shown(name), "a mapping {move: probability}")
        plan = plan_of(side, {name: exact_chances(mix) for name, mix in strategy.items()})
        shares = {name: sum(plan[s] for s in before) for name, (before, _) in side.sets.items()}
        return {name: BigRational(share) for name, share in shares.items() if share}


def _require_names(table: object, name: str, kind: str) -> None:
    """Raise a ValueError unless `table` is a mapping {text: {text: …}}.

    Args:
        table: the object to check.
        name: the name of `table`, for messages.
        kind: a description of the expected mapping, for messages.
    """
    lines: Mapping[object, object] = instance(table, Mapping, name, kind)
    for key, line in lines.items():
        instance(key, str, f"a key of {name}", "a text")
        moves: Mapping[object, object] = instance(
            line, Mapping, f"{name}: the entry of {shown(key)}", "a mapping"
        )
        for move in moves:
            instance(move, str, f"{name}: a move at {shown(key)}", "a text")


def _side(graph: Graph) -> Side:
    """Convert a player's graph to the player's side of the sequence form.

    Raises:
        ValueError: if a set and a move have the same name.
    """
    side, order = Side(), in_order(graph)
    ways = defaultdict[str, list[int]](list)  # {set: the sequences that lead to it}
    uses = defaultdict[str, list[int]](list)  # {move: the sequences that make it}
    ways[order[0]].append(START)
    for name in order:
        after = dict(zip(graph[name], count(side.sequences), strict=False))
        side.sets[name] = tuple(ways[name]), after
        side.sequences += len(after)
        for move, later in graph[name].items():
            ways[later].append(after[move])
            uses[move].append(after[move])
    for move, sequences in uses.items():
        if move in graph:
            raise ValueError(f"a set and a move must have different names, got {shown(move)}")
        side.sets[move] = tuple(sequences), {move: side.sequences}
        side.sequences += 1
    return side
