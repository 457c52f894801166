"""Game trees: the protocol by which a game describes itself, and the two forms in which games are solved.

A game has a state `start`, and a method `at` that returns the node at a state. A node is a number, which is
player one's final payoff (player two loses as much); :class:`Chance`; :class:`Move` of one player; or
:class:`Simultaneous` moves of both. A state is any object that can be hashed.

A node may name the information set of a player who moves. All nodes of a player with the same name are one information
set: the player cannot tell these nodes apart. If no two states are in the same set, nothing is hidden: both players
know the state. The game is then solved state by state (:class:`StateGraph`). Other games are solved in the sequence
form (:func:`sequence_form`). It has the *sequences* of each player, where a sequence is an information set and a move
there, and player one's payoff for each pair of the players' last sequences in a play.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, filterfalse, product, repeat
from math import isfinite
from operator import eq, is_, itemgetter
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np
from flint import fmpq, fmpz

from gops_exact.base.arguments import instance, integer, shown
from gops_exact.base.machine import memory_share
from gops_exact.base.progress import Progress, shares
from gops_exact.extensive.form import START, Form, Label, RawStrategy, Side, Strategy, check_mix
from gops_exact.numbers.exact import BigRational, from_float, rational, simplest

PLAYERS = "one", "two"
"""The names of the players in tables, unless a game has others."""

State = Any
"""A state of a game; any object that can be hashed."""

MOST_STATES = 10_000_000
"""Greatest number of states, or of nodes of a tree, that a game may have. Reading so many takes minutes."""

MOST_MEMORY, CHECKED_STATES = 0.5, 4096
"""Largest share of the machine's memory that the process may use while a game is read; number of states read between
two checks of that share."""

LONGEST_PAYOFF = 2**40
"""Greatest absolute value of the integers in :attr:`.Form.payoffs`, which are the payoffs times their common
denominator, for which the array has the dtype int64. If one of the integers is greater, the array holds Python ints."""


@dataclass(frozen=True)
class Chance:
    """A node at which chance draws the next state.

    >>> Chance({"heads": "1/2", "tails": "1/2"})
    Chance(outcomes={'heads': '1/2', 'tails': '1/2'})
    """

    #: {next state: probability}; the probabilities are exact, at least 0, and have the sum 1
    outcomes: Mapping[State, Any]

    @classmethod
    def of(cls, outcomes: Iterable[tuple[State, fmpq]]) -> "Chance":
        """Return the node with the given outcomes, pairs (next state, probability).

        If a state occurs in several pairs, its probabilities are added up.
        """
        chances = dict[State, fmpq]()
        for state, probability in outcomes:
            chances[state] = chances.get(state, fmpq(0)) + probability
        return cls(chances)


@dataclass(frozen=True)
class Move:
    """A node at which one player moves.

    >>> Move(1, {"left": "after left", "right": "after right"})
    Move(player=1, moves={'left': 'after left', 'right': 'after right'}, knows=None)
    """

    player: Literal[1, 2]  #: the player who moves
    moves: Mapping[Label, State]  #: {move: next state}
    knows: Label = None  #: name of the player's information set; None if the player sees everything


@dataclass(frozen=True)
class Simultaneous:
    """A node at which both players move at the same time.

    >>> pennies = {(one, two): f"{one}{two}" for one in "HT" for two in "HT"}
    >>> Simultaneous(pennies).moves["H", "T"]
    'HT'
    """

    #: {(player one's move, player two's move): next state}, for every pair of a row and a column
    moves: Mapping[tuple[Label, Label], State]
    #: names of the information sets of player one and of player two; None for a player who sees everything
    knows: tuple[Label, Label] = (None, None)


@runtime_checkable
class GameTree(Protocol):
    """A two-player zero-sum game that describes itself state by state.

    A game may have an attribute `title`, the text above the table of its solution.

    >>> class Coin:
    ...     "Player one calls a coin, which player two has laid down."
    ...
    ...     start = ""
    ...
    ...     def at(self, state):
    ...         if len(state) == 2:
    ...             return 1 if state[0] == state[1] else -1
    ...         moves = {side: state + side for side in "HT"}
    ...         return Move(1, moves, knows="call") if state else Move(2, moves)
    >>> from gops_exact import solve_game
    >>> solve_game(Coin()).value
    0
    """

    @property
    def start(self) -> State:
        """The first state."""

    def at(self, state: State, /) -> "Chance | Move | Simultaneous | Any":  # noqa: ANN401  # any exact number
        """Return the node at a state; a number is player one's final payoff."""


@dataclass(frozen=True)
class Tree:
    """A game given by its first state and a function from states to nodes.

    >>> from gops_exact import solve_game
    >>> solve_game(
    ...     Tree(3, lambda state: Move(1, {"stop": 0, "on": 1}) if state == 3 else state)
    ... ).value
    1
    """

    start: State  #: the first state
    #: function that returns the node at a state
    at: Callable[[State], Any] = field(repr=False)
    title: str = "game"  #: the text above the table of the solution


@dataclass(frozen=True)
class ListedTree:
    """A game given by a list of nodes; a state is an index in this list.

    >>> ListedTree((Move(1, {"left": 1, "right": 2}), 3, 4)).at(2)
    4
    """

    #: the node at each state: :class:`Chance`, :class:`Move`, :class:`Simultaneous` or a payoff
    nodes: Sequence[Any] = field(hash=False)
    title: str = "game tree"  #: the text above the table of the solution
    start: int = 0  #: the first state
    players: tuple[str, str] = PLAYERS  #: the names of the players in tables

    def at(self, state: int) -> Any:  # noqa: ANN401  # a payoff may have any exact type
        """Return the node at a state.

        Raises:
            ValueError: if `state` is no index of a node.
        """
        return self.nodes[integer(state, f"state {shown(state)}", 0, len(self.nodes) - 1)]


class Moves(NamedTuple):
    """A node at which one player or both players move, as a table of next states."""

    # The moves of player one and of player two. A player who does not move has the single move STAY.
    labels: tuple[tuple[Label, ...], tuple[Label, ...]]
    after: list[list[State]]  # next states, shape (player one's moves, player two's moves)
    # Name of each player's information set; None for a player who sees everything or does not move
    knows: tuple[Label, Label]

    @property
    def movers(self) -> list[int]:
        """The indices of the players who move: 0 is player one, 1 is player two."""
        return [player for player in (0, 1) if self.labels[player] != (STAY,)]

    def draws(self, player: int, mix: Mapping[Label, fmpq]) -> list[Chance]:
        """Return the chance nodes that arise if one player mixes: one chance node for each move of the other player.

        Each chance node draws a move of the mixing player.

        Args:
            player: the index of the mixing player, 0 or 1.
            mix: {move of this player: probability}; a missing move has the probability 0.
        """
        shares = [mix.get(move, fmpq(0)) for move in self.labels[player]]
        replies = self.after if player else zip(*self.after, strict=True)
        pairs = [zip(reply, shares, strict=True) for reply in replies]
        return [Chance.of(pair for pair in draw if pair[1]) for draw in pairs]


STAY = object()
"""The only move of a player who does not move at a node."""

Texts = dict[Label, tuple[str, dict[Label, str]]]
"""Texts of names in a JSON document: {information set of a player: (text of its name, {move: text of the move})}."""

Chances = dict[State, fmpq]
Node = fmpq | Chances | Moves
"""A node after its check: player one's payoff, {next state: probability}, or a table of moves."""


def node_at(game: GameTree, state: State) -> Node:
    """Check the node at a state of a game, and convert it to the form in which games are solved.

    Returns:
        Player one's payoff at an end of the game, {next state: probability} at a chance node, else a table of moves.

    Raises:
        ValueError: if the node has another type than this module allows, if it lacks moves, if its probabilities
            are negative or do not have the sum 1, or if a state or the name of an information set cannot be
            hashed.
        Exception: any error of the game's own method ``at``, with a note that names the state.
    """
    try:
        node = game.at(state)
    except Exception as error:
        error.add_note(f"at the state {shown(state)} of the game")
        raise
    try:
        return _checked(node)
    except ValueError as error:
        raise ValueError(f"state {shown(state)}: {error}") from None


def _checked(node: "Chance | Move | Simultaneous | Any") -> Node:  # noqa: ANN401  # a number of any type
    if isinstance(node, Chance):
        instance(node.outcomes, Mapping, "outcomes", "a mapping {next state: probability}")
        chances = {after: rational(p, "a probability") for after, p in node.outcomes.items()}
        if min(chances.values(), default=0) < 0 or sum(chances.values(), fmpq(0)) != 1:
            shares = ", ".join(map(str, chances.values()))
            raise ValueError(
                f"probabilities must be at least 0 with the sum 1, got {shown(shares)}"
            )
        return {after: p for after, p in chances.items() if p}
    if isinstance(node, Move):
        instance(node.moves, Mapping, "moves", "a mapping {move: next state}")
        if node.player not in (1, 2) or not node.moves:
            raise ValueError(f"player 1 or 2 must have a move, got {shown(node)}")
        labels, states = tuple(node.moves), list(node.moves.values())
        if node.player == 1:
            moves = Moves((labels, (STAY,)), [[after] for after in states], (node.knows, None))
        else:
            moves = Moves(((STAY,), labels), [states], (None, node.knows))
    elif isinstance(node, Simultaneous):
        instance(node.moves, Mapping, "moves", "a mapping {(row, column): next state}")
        if not node.moves:
            raise ValueError("every pair of moves must have a next state, got no moves")
        pairs = [*node.moves, node.knows]
        if not all(map(isinstance, pairs, repeat(tuple))) or {*map(len, pairs)} != {2}:
            wrong = next(pair for pair in pairs if not isinstance(pair, tuple) or len(pair) != 2)
            raise ValueError(f"the keys of moves, and knows, must be pairs, got {shown(wrong)}")
        del pairs[-1]
        rows, columns = (tuple(dict.fromkeys(map(itemgetter(k), pairs))) for k in (0, 1))
        if len(pairs) != len(rows) * len(columns):
            raise ValueError(
                f"every pair of moves must have a next state, got those of {shown(pairs)}"
            )
        after = [*node.moves.values()]
        if not all(map(eq, pairs, product(rows, columns))):
            after = [*map(node.moves.__getitem__, product(rows, columns))]
        table = [after[k : k + len(columns)] for k in range(0, len(after), len(columns))]
        moves = Moves((rows, columns), table, node.knows)
    else:
        return node if isinstance(node, fmpq) else rational(node, "a payoff")
    require_hash(moves.knows, *following(moves))
    return moves


def rounded(game: GameTree, within: fmpq) -> Tree:
    """Return the same game with fractions in place of float payoffs and float probabilities.

    Args:
        game: the game.
        within: the greatest distance between a float and its fraction. The fraction is the one with the smallest
            denominator within this distance.

    >>> rounded(Tree(0, lambda state: 0.3333), fmpq(1, 1000)).at(0)
    1/3
    """

    def near(number: object) -> object:
        if not isinstance(number, float | np.floating) or not isfinite(number):
            return number
        return simplest(from_float(float(number)), within)

    def at(state: State) -> Any:  # noqa: ANN401  # any node
        node = game.at(state)
        if isinstance(node, Chance) and isinstance(node.outcomes, Mapping):
            return Chance({after: near(p) for after, p in node.outcomes.items()})
        return near(node)

    return Tree(game.start, at, getattr(game, "title", Tree.title))


def require_hash(*objects: Any) -> None:  # noqa: ANN401  # any object
    """Raise a ValueError unless all objects can be hashed."""
    try:
        hash(objects)
    except TypeError as error:
        raise ValueError(
            f"states and names of information sets must be objects that can be hashed: {error}"
        ) from None


def require_room(states: int) -> None:
    """Raise a ValueError if a game has too many states.

    There are too many if `states` exceeds `MOST_STATES`, or if the process uses a greater share of the machine's
    memory than `MOST_MEMORY`. The memory is checked only when `states` is a multiple of `CHECKED_STATES`.

    Args:
        states: the number of states read so far.
    """
    if states > MOST_STATES:
        raise ValueError(
            f"a game must have at most {MOST_STATES:,} states, got one with at least {states:,}; smaller parameters "
            "help, and where nothing is hidden, states that forget what no longer counts"
        )
    if states % CHECKED_STATES == 0 and memory_share() > MOST_MEMORY:
        raise ValueError(
            f"a game must fit into {MOST_MEMORY:.0%} of the machine's memory, "
            f"got one with more than {states:,} states; smaller parameters help"
        )


def following(node: Node) -> list[State]:
    """Return the states that can follow a node, one for each move or outcome; a state may occur several times."""
    if isinstance(node, Moves):
        return [*chain.from_iterable(node.after)]
    return list(node) if isinstance(node, dict) else []


def nodes_of(game: GameTree) -> dict[State, Node]:
    """Return {state: its node} for all states of a game that can be reached, by distance from the start.

    The distance is the least number of moves and draws of chance; simultaneous moves of both players count once.

    Raises:
        ValueError: if a node is invalid, or if there are too many states.
    """
    nodes, states = dict[State, Node](), [game.start]
    for state in states:  # `states` grows in this loop
        if state not in nodes:
            nodes[state] = node_at(game, state)
            require_room(len(nodes))
            states.extend(following(nodes[state]))
    return nodes


@dataclass(frozen=True, eq=False)
class StateGraph:
    """The states of a game in which nothing is hidden, since each information set is a single state.

    Each state is listed once. Several histories may lead to it.
    """

    start: State  #: the first state
    #: {state: its node}; a state comes after all states that can follow it, except those from which a play can return
    #: to it
    nodes: dict[State, Node]
    #: {information set: its state} of player one and of player two, with the keys that strategies have
    sets: tuple[dict[Label, State], dict[Label, State]] = field(default_factory=lambda: ({}, {}))
    returns: bool = False  #: True if a play can reach a state twice

    @classmethod
    def of(cls, game: GameTree, progress: Progress | None = None) -> "StateGraph | None":
        """Read all states of a game that can be reached; return None if two states are in the same information set.

        Args:
            game: the game.
            progress: called as progress(done, total), in estimated shares of the tree; None for no report.

        Raises:
            ValueError: if a node is invalid, or if there are too many states.
        """
        nodes, opened = dict[State, Node](), dict[State, Node]()
        sets: tuple[dict[Label, State], dict[Label, State]] = {}, {}
        # A stack replaces recursion, which would fail in long games. A state comes from it twice: first its node is
        # read, then, when all states that can follow have been read, the node moves from `opened` to `nodes`. So
        # `opened` has the path from the start to the state that is read now.
        stack, report = [(game.start, 1.0)], shares(progress)
        returns = False
        finished = dict[State, State]()  # one object for equal states
        while stack:
            state, share = stack.pop()
            if state in opened:
                nodes[state], finished[state] = opened.pop(state), state
            elif state not in nodes:
                node = node_at(game, state)
                later = following(node)
                equals = [*map(finished.get, later, later)]
                if isinstance(node, Moves):
                    for player in node.movers:
                        name = key_of(node, player, state)
                        if sets[player].setdefault(name, state) != state:
                            return None
                    width = len(node.labels[1])
                    table = [equals[k : k + width] for k in range(0, len(equals), width)]
                    node = node._replace(after=table)
                opened[state] = node
                require_room(len(nodes) + len(opened))
                # A finished state was replaced by an equal object, unless the game itself has one object for both.
                same = compress(later, map(is_, later, equals))
                fresh = dict.fromkeys(filterfalse(finished.__contains__, same))
                returns = returns or not opened.keys().isdisjoint(fresh)
                if not fresh:
                    report(share)
                stack.append((state, 0))
                stack.extend(
                    (after, share / len(fresh)) for after in reversed(fresh) if after not in opened
                )
            else:
                report(share)
        one, two = (unwrapped(side, side) for side in sets)
        return cls(game.start, nodes, (one, two), returns)

    @property
    def is_named(self) -> bool:
        """True if at least one information set has a name that differs from its state."""
        return any(name != state for side in self.sets for name, state in side.items())

    def moves_of(self, player: int) -> dict[Label, Sequence[Label]]:
        """Return {information set: its moves} of a player, 1 or 2."""
        nodes = {name: self.nodes[state] for name, state in self.sets[player - 1].items()}
        return {
            name: node.labels[player - 1] for name, node in nodes.items() if isinstance(node, Moves)
        }

    def best_reply(self, strategy: RawStrategy, player: int) -> tuple[fmpq, Strategy]:
        """Return the expected payoff of player one if a strategy meets the opponent's best reply, and this reply.

        The reply has all information sets of the opponent, with any move at those that are not reached.

        Args:
            strategy: {information set: {move: probability}}. Sets that the strategy never reaches may be missing, and
                so may sets with a single move.
            player: the player of the strategy, 1 or 2.

        Raises:
            ValueError: if a play can reach a state twice; if the strategy has an information set where the player does
                not move; if it lacks a set that it reaches and that has several moves; or if, at a set, it has an
                unknown move, a negative probability, or probabilities whose sum is not 1.
        """
        if self.returns:
            raise ValueError(
                "a play can reach a state twice; solve_game, approximate and value bound such a game"
            )
        own, mixes = player - 1, dict[State, dict[Label, fmpq]]()
        own_moves, other_moves = self.moves_of(player), self.moves_of(3 - player)
        for name, mix in strategy.items():
            if name not in own_moves:
                raise ValueError(
                    f"a strategy must be of states where player {player} moves, got {shown(name)}"
                )
            check_mix(shown(name), mix, own_moves[name])
            mixes[self.sets[own][name]] = mix
        # The states that can come up against the strategy, each with {next state: probability} for every move of the
        # opponent. At a chance node there is a single such mapping, and at an end of the game none.
        draws, reached = dict[State, list[Mapping[State, fmpq]]](), {self.start}
        values = dict[State, fmpq]()
        for state, node in reversed(self.nodes.items()):
            if state not in reached:
                continue
            if isinstance(node, Moves):
                moves = node.labels[own]
                mix = mixes.get(state, {moves[0]: fmpq(1)} if len(moves) == 1 else {})
                if own in node.movers:
                    check_mix(shown(state), mix, moves)
                draws[state] = [draw.outcomes for draw in node.draws(own, mix)]
            elif isinstance(node, dict):
                draws[state] = [node]
            else:
                values[state] = node
                continue
            reached.update(*draws[state])
        best: Callable[[Iterable[fmpq]], fmpq] = min if player == 1 else max
        # At states that cannot come up against the strategy, the reply is any move.
        reply = {name: {moves[0]: BigRational(1)} for name, moves in other_moves.items()}
        names = {state: name for name, state in self.sets[2 - player].items()}
        for state, lotteries in reversed(draws.items()):
            gains = [
                sum((p * values[after] for after, p in lottery.items()), fmpq(0))
                for lottery in lotteries
            ]
            values[state] = best(gains)
            if state in names:
                move = other_moves[names[state]][gains.index(values[state])]
                reply[names[state]] = {move: BigRational(1)}
        return values[self.start], reply


def require_new(state: State, opened: Container[State], games: str) -> None:
    """Raise a ValueError if a play of a game reaches a state for the second time.

    Args:
        state: the state that the play reaches.
        opened: the earlier states of the play, from the start of the game on.
        games: words that follow "every play of a game" in the error message.
    """
    if state in opened:
        raise ValueError(
            f"every play of a game {games} must end, got state {shown(state)}, which a play can reach twice"
        )


def sequence_form(game: GameTree, progress: Progress | None = None) -> Form:
    """Return the sequence form of a game: the players' sequences of own moves, with a payoff for each pair of these.

    If a node names no information set, its state alone is an information set. The key of this set in the form is the
    state. But if the state is also the name of another set of the player, the key is the object ``Alone(state)``.

    Args:
        game: the game.
        progress: called as progress(done, total), in estimated shares of the tree; None for no report.

    Raises:
        ValueError: if a node is invalid, if the states of an information set have different moves, if there are too
            many nodes, if a play can reach a state twice, or if a player forgets own moves.

    >>> class Guess:
    ...     "Player two guesses which of two cards player one holds."
    ...
    ...     start = ""
    ...
    ...     def at(self, state):
    ...         if len(state) == 2:
    ...             return -1 if state[0] == state[1] else 1
    ...         moves = {card: state + card for card in "JQ"}
    ...         return Move(2, moves, knows="guess") if state else Move(1, moves)
    >>> form = sequence_form(Guess())
    >>> [side.sequences for side in form.sides], form.leaves
    ([3, 3], 4)
    """
    sides, leaves, states = (Side(), Side()), 0, 0
    payoffs: dict[tuple[int, int], fmpq] = {}
    chance_scale = payoff_scale = fmpz(1)
    # A stack in place of recursion. An item is a state, the product of the probabilities of chance on the way to it,
    # the last sequences of both players, and the estimated share of the tree below it. After all that is below it, a
    # state comes from the stack once more, without a probability.
    stack: list[tuple[State, fmpq | None, tuple[int, int], float]]
    stack = [(game.start, fmpq(1), (START, START), 1.0)]
    opened, report = set[State](), shares(progress)
    while stack:
        state, weight, reached, share = stack.pop()
        if weight is None:
            opened.remove(state)
            continue
        states += 1
        require_room(states)
        node = node_at(game, state)
        if not isinstance(node, fmpq):
            require_new(state, opened, "that names information sets")
            opened.add(state)
            stack.append((state, None, reached, 0.0))
        if isinstance(node, Moves):
            one, two = (
                side.at(key_of(node, player, state), node.labels[player], reached[player])
                if player in node.movers
                else {STAY: reached[player]}
                for player, side in enumerate(sides)
            )
            share /= len(one) * len(two)
            later = [
                (after, weight, (one[row], two[column]), share)
                for row, line in zip(node.labels[0], node.after, strict=True)
                for column, after in zip(node.labels[1], line, strict=True)
            ]
            stack.extend(reversed(later))
        elif isinstance(node, dict):
            share /= len(node)
            stack.extend((after, weight * p, reached, share) for after, p in reversed(node.items()))
        else:
            leaves += 1
            report(share)
            payoffs[reached] = payoffs.get(reached, fmpq(0)) + weight * node
            chance_scale, payoff_scale = chance_scale.lcm(weight.q), payoff_scale.lcm(node.q)
    for side in sides:
        keys = side.sets.keys() | side.forced.keys()
        side.sets, side.forced = unwrapped(side.sets, keys), unwrapped(side.forced, keys)
    scale = chance_scale * payoff_scale
    paid = {pair: int((payoff * scale).p) for pair, payoff in payoffs.items() if payoff}
    kind = np.int64 if max(map(abs, paid.values()), default=0) <= LONGEST_PAYOFF else object
    pairs = np.array(list(paid), dtype=np.int64).reshape(-1, 2)
    return Form(sides, pairs, np.array(list(paid.values()), dtype=kind), int(scale), leaves)


def distinct(names: Iterable[Label], write: Callable[[Label], str] = str) -> dict[Label, str]:
    """Return {name: its text}, with different texts for different names.

    The text of a name is the result of `write`. The names are numbered from 1 on. If several names have the same text,
    the text of the first name is not changed. The number of each other name is appended to its text in parentheses, and
    appended again while the result is the text of yet another name.

    >>> distinct(["1", 2, 1])
    {'1': '1', 2: '2', 1: '1 (3)'}
    """
    texts = {name: write(name) for name in names}
    if len(set(texts.values())) < len(texts):
        owners = {text: name for name, text in reversed(texts.items())}
        for number, name in enumerate(texts, start=1):
            while owners.setdefault(texts[name], name) is not name:
                texts[name] += f" ({number})"
    return texts


def tree_of(document: Mapping[str, Any]) -> ListedTree:
    """Return the game in the JSON document of a game tree, whose nodes are in the format of :func:`listed`."""
    one, two = document.get("players", PLAYERS)
    return ListedTree(list(map(_node, document["nodes"])), document["title"], players=(one, two))


def _node(part: Any) -> Any:  # noqa: ANN401  # a JSON value, and any node
    match part:
        case {"chance": states}:
            return Chance.of((after["state"], rational(after["probability"])) for after in states)
        case {"player": player, "moves": moves}:
            return Move(player, moves, part.get("knows"))
        case {"rows": rows, "columns": columns, "after": after}:
            pairs = zip(product(rows, columns), chain(*after), strict=True)
            return Simultaneous(dict(pairs), tuple(part.get("knows", (None, None))))
    return BigRational(part)


@dataclass(frozen=True)
class Alone:
    """Key of the information set that consists of a single state, whose node names no set.

    An object of this class differs from every name that a node can give its set, even if the name equals the state.
    """

    state: State  #: the state

    def __str__(self) -> str:
        return str(self.state)


def key_of(node: Moves, player: int, state: State) -> Label:
    """Return the key of a player's information set at a node: its name, or ``Alone(state)`` if it has no name.

    Args:
        node: the node.
        player: the index of the player, 0 or 1.
        state: the state of the node.
    """
    return Alone(state) if node.knows[player] is None else node.knows[player]


def unwrapped(sets: Mapping[Label, Any], keys: Container[Label]) -> dict[Label, Any]:
    """Return a copy of `sets` with the keys that strategies have: ``state`` in place of each key ``Alone(state)``.

    A key ``Alone(state)`` remains if another information set has the name ``state``.

    Args:
        sets: {key of an information set: any entry}.
        keys: the keys of all information sets of the player.
    """
    return {
        key.state if isinstance(key, Alone) and key.state not in keys else key: entry
        for key, entry in sets.items()
    }


def listed(game: GameTree) -> tuple[list[dict[str, Any] | str], list[Texts]]:
    """List the nodes of a game for a JSON document.

    Returns:
        (nodes, texts): the nodes as JSON values, beginning with that of the first state; and for each player
        {information set: (text of its name, {move: text of the move})}. If no node names an information set, the sets
        are the states, and the text of a state is the index of its node.

    Raises:
        ValueError: if a node is invalid, or if there are too many states.
    """
    nodes = nodes_of(game)
    index = {state: number for number, state in enumerate(nodes)}
    sets: tuple[dict[Label, Sequence[Label]], ...] = {}, {}  # {information set: moves}
    for state, node in nodes.items():
        if isinstance(node, Moves):
            for player in node.movers:
                sets[player].setdefault(key_of(node, player, state), node.labels[player])
    hidden = not all(isinstance(key, Alone) for side in sets for key in side)
    texts = list[Texts]()
    for side in sets:
        names = distinct(side) if hidden else {key: str(index[key.state]) for key in side}
        texts.append({key: (names[key], distinct(moves)) for key, moves in side.items()})
    entries = list[dict[str, Any] | str]()
    for state, node in nodes.items():
        if isinstance(node, fmpq):
            entries.append(str(node))
            continue
        if isinstance(node, dict):
            later = [{"probability": str(p), "state": index[after]} for after, p in node.items()]
            entries.append({"chance": later})
            continue
        table = [[index[after] for after in line] for line in node.after]
        parts = [(player, *texts[player][key_of(node, player, state)]) for player in node.movers]
        labels = [[moves[move] for move in node.labels[player]] for player, _, moves in parts]
        knows = [name for _, name, _ in parts]
        entry: dict[str, Any]
        entry = {"rows": labels[0], "columns": labels[-1], "after": table, "knows": knows}
        if len(node.movers) == 1:
            by_move = dict(zip(labels[0], chain.from_iterable(table), strict=True))
            entry = {"player": node.movers[0] + 1, "moves": by_move, "knows": knows[0]}
        if not hidden:
            del entry["knows"]
        entries.append(entry)
    return entries, [unwrapped(side, side) for side in texts]
