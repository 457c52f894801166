"""Games for Gambit: matrix games of bids, and small positions of GOPS as game trees, ``.efg``.

The format of the files is Gambit's *extensive game file format* (Savani and Turocy, *Gambit: the package for
computation in game theory*, manual, "Game representation formats"). It lists the nodes of a tree in prefix order,
with probabilities and payoffs as fractions. A tree of GOPS follows from the rules; nothing is solved. A round is a
chance node for the prize, a node of player one, and a node of player two, who does not see player one's bid.
If prizes are hidden, the chance node comes last. All nodes of player two after the same history and prize
are one information set. Moves without a choice, such as the last round's bids, are left out.

Any two-player game in this format is read as a game tree if its payoffs add up to the same sum at all ends. A
solution of :func:`~gops_exact.solve_matrix_game` or :func:`~gops_exact.solve_game` can be converted to a profile of
pygambit.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import count, product
from typing import TYPE_CHECKING

from flint import fmpq

from gops_exact.base.arguments import instance, shown
from gops_exact.extensive.equilibrium import Equilibrium
from gops_exact.extensive.form import Label, Strategy
from gops_exact.extensive.trees import Chance, ListedTree, Move
from gops_exact.game.game import Position, checked_position
from gops_exact.game.rules import winner_of
from gops_exact.matrix_game.game_files import Tokens, quoted, quoted_list
from gops_exact.matrix_game.game_solution import GameSolution
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.numbers.exact import rational

if TYPE_CHECKING:
    import pygambit

Outcomes = dict[int, tuple[fmpq, fmpq]]
"""{number of an outcome: payoffs of player one and player two}."""

MOST_CARDS = 4
"""Greatest number of cards of each player for which :func:`write_efg` writes a game tree. With four cards a tree has
13,824 leaves, with five cards 1.7 million."""

MOST_NUMBER = 10**9
"""Greatest number of an information set or an outcome that is accepted in a file. For comparison, a file of OpenSpiel's
liar's dice has 147,420 outcomes."""


def bidding_game(position: Position | str, payoffs: object) -> MatrixGame:
    """Return the matrix game of the bids at a position, with a title and names of the bids.

    Args:
        position: the position, or its name.
        payoffs: player one's gains, shape (m, n), for each of player one's m bids and player two's n bids, as
            :func:`gops_exact.payoff_matrix` returns them.

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


def title(position: Position) -> str:
    """Return a one-line title of a position, with its prizes in ascending order."""
    groups = (position.one, position.two, sorted(position.prizes))
    return "GOPS: {} against {} for {}".format(*(" ".join(map(str, cards)) for cards in groups))


def bid_name(card: int) -> str:
    """Return the name of a bid. It is not the bare number, which Gambit would read as an index in the list of names."""
    return f"bid {card}"


def gambit_profile(
    solution: "GameSolution | Equilibrium", game: "pygambit.Game"
) -> "pygambit.gambit.MixedStrategyProfileRational | pygambit.gambit.MixedBehaviorProfileRational":
    """Convert a solution to a profile of pygambit, in fractions.

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
        return game.mixed_behavior_profile(
            [
                _behaviour(strategy, side)
                for strategy, side in zip(
                    (solution.row, solution.column), _information_sets(game), strict=True
                )
            ],
            rational=True,
        )
    instance(solution, GameSolution, "solution", "a GameSolution or an Equilibrium")
    labels = [tuple(strategy.label for strategy in player.strategies) for player in game.players]
    if labels != [solution.game.rows, solution.game.columns]:
        raise ValueError(
            f"game must have the strategies of the solution, got {labels} for "
            f"{[solution.game.rows, solution.game.columns]}"
        )
    chances = [
        [chance.to_fraction() for chance in strategy]
        for strategy in (solution.row, solution.column)
    ]
    return game.mixed_strategy_profile(chances, rational=True)


def profile_strategies(
    profile: "pygambit.gambit.MixedBehaviorProfileRational",
) -> tuple[Strategy, Strategy]:
    """Convert a mixed behaviour profile of pygambit to strategies of the tree ``read_efg(profile.game.to_efg())``.

    Args:
        profile: the profile, in fractions, which pygambit makes with ``rational=True``.

    Returns:
        The strategies of player one and of player two, for :func:`~gops_exact.exploitability`.
    """
    sets = _information_sets(profile.game)
    row, column = (
        {
            name: {action.label: profile[action] for action in listed.actions if profile[action]}
            for name, listed in zip(side, player.infosets, strict=True)
        }
        for side, player in zip(sets, profile.game.players, strict=True)
    )
    return row, column


def _information_sets(game: "pygambit.Game") -> list[dict[Label, list[str]]]:
    """Return, for both players, {name of an information set: its moves}, with the names that :func:`read_efg` gives."""
    sides = [list(player.infosets) for player in game.players]
    seen = all(len(listed.members) == 1 for side in sides for listed in side)
    states = {node: state for state, node in enumerate(game.nodes)} if seen else {}
    sets = []
    for side in sides:
        labels, moves = Counter(listed.label for listed in side), dict[Label, list[str]]()
        for listed in side:
            name = _name(listed.label, listed.number + 1, labels)
            state = states.get(next(iter(listed.members)))
            moves[state if seen else name] = [action.label for action in listed.actions]
        sets.append(moves)
    return sets


def _name(label: str, number: int, labels: Mapping[str, int]) -> str | int:
    """Return the name of an information set: its label if this is unique and not empty, else its number.

    The number is a text if no set of the player has this text for its label, else an integer.

    Args:
        label: the label of the set in the file.
        number: the number of the set in the file.
        labels: {label: how many of the player's sets have it}.
    """
    if label and labels[label] == 1:
        return label
    return number if str(number) in labels else str(number)


def _behaviour(strategy: Strategy, sets: Mapping[Label, Sequence[str]]) -> list[list[Fraction]]:
    """Return a player's probabilities in the form that pygambit takes.

    Args:
        strategy: {information set: {move: probability}}.
        sets: {information set: its moves}.

    Returns:
        For each information set a list with the probability of each move.

    Raises:
        ValueError: if the strategy has an information set or a move that is not in `sets`.
    """
    for name, mix in strategy.items():
        if not mix.keys() <= set(sets.get(name, ())):
            raise ValueError(
                "game must have the information sets and moves of the solution, "
                f"got none of {shown(name)} with {shown(list(mix))}"
            )
    return [
        [Fraction(str(rational(strategy[name].get(move, 0)))) for move in moves]
        if name in strategy
        else [Fraction(1, len(moves))] * len(moves)
        for name, moves in sets.items()
    ]


def write_efg(position: Position | str) -> str:
    """Return the text of an ``.efg`` file of the game that begins at a position.

    Args:
        position: a position of at most four cards a side with no prize turned up, or the name of one.

    Raises:
        ValueError: if a prize is turned up, or there are too many cards.

    >>> print(write_efg(Position([2], [1], [3])), end="")
    EFG 2 R "GOPS: 2 against 1 for 3" { "Player one" "Player two" }
    ""
    <BLANKLINE>
    t "" 1 "" { 3, -3 }
    """
    position = checked_position(position)
    if position.size > MOST_CARDS:
        raise ValueError(
            f"a game tree is written for at most {MOST_CARDS} cards a side, got {position.size}"
        )
    if position.upcard is not None:
        raise ValueError(
            f"a game tree starts before a prize is turned up, got upcard {position.upcard}"
        )
    rules = position.rules
    lines = [f'EFG 2 R {quoted(title(position))} {{ "Player one" "Player two" }}', '""', ""]
    # Information sets and outcomes are numbered from 1, in the order of their first occurrence.
    chances, rounds, outcomes = count(1), count(1), dict[int, int]()

    def add(at: Position, lead: int, bids: Sequence[int] = ()) -> None:
        """Add the lines of a subtree. Nodes with a single move are left out.

        Args:
            at: the position at the beginning of the round in which the subtree begins.
            lead: player one's lead in points at this position.
            bids: player one's and player two's bid if the subtree begins after the bids, at the chance node that
                shows a hidden prize; empty if it begins before the bids.
        """
        if at.decided is not None:
            gain = lead + at.decided
            number = outcomes.setdefault(gain, len(outcomes) + 1)
            lines.append(f't "" {number} "" {{ {gain}, {-gain} }}')
        elif at.upcard is None and (bids or not rules.hidden):
            draws = rules.draws(at.prizes)
            if len(draws) > 1:
                moves = " ".join(
                    f"{quoted(f'prize {draw.upcard}')} {draw.times}/{len(at.prizes)}"
                    for draw in draws
                )
                lines.append(f'c "" {next(chances)} "" {{ {moves} }} 0')
            for draw in draws:
                if bids:
                    add(*after(at, lead, bids, draw.upcard))
                else:
                    add(at.at(draw.upcard), lead)
        else:
            hands, number = (at.one, at.two), next(rounds) if at.size > 1 else 0
            players = [
                f'p "" {player} {number} "" {quoted_list(map(bid_name, hand))} 0'
                for player, hand in enumerate(hands, start=1)
            ]
            for index, pair in enumerate(product(*hands)):
                if at.size > 1 and index % at.size == 0:
                    lines.extend(players[index > 0 :])
                if at.upcard is None:
                    add(at, lead, pair)
                else:
                    add(*after(at, lead, pair, at.upcard))

    def after(at: Position, lead: int, bids: Sequence[int], prize: int) -> tuple[Position, int]:
        """Return the position after a round, and player one's lead in points."""
        bid, reply = bids
        gain = rules.gain(at.state, prize, winner_of(bid, reply))
        return at.after(bid, reply, prize), lead + gain

    add(position, 0)
    return "\n".join(lines) + "\n"


def read_efg(text: str) -> ListedTree:
    """Return the game in the text of an ``.efg`` file, for :func:`~gops_exact.solve_game`.

    An information set keeps its name in the file if it has one and no other set of the player has the same. Otherwise
    its number in the file becomes its name: a text, or an integer if another set has this text for its label. In a game
    in which every information set has only one node, both players see all earlier moves. The sets of such a game get no
    names. The payoffs at an inner node are added to those at each end below it.

    Args:
        text: the text of the file.

    Raises:
        ValueError: if `text` is not a two-player game with rational payoffs that add up to the same sum at every
            end.

    >>> from gops_exact import solve_game
    >>> solve_game(read_efg(write_efg(Position([1, 3], [2, 3], [2, 3])))).value
    -7/5
    """
    tokens = Tokens(text, "an efg file")
    title = tokens.prologue("EFG", "2")
    if tokens.next_is('"'):
        tokens.name()  # skips a comment
    outcomes: Outcomes = {0: (fmpq(0), fmpq(0))}
    # {(player, number of the set): (name, moves, probabilities)}. Player 0 is chance; for the other players, the list
    # of probabilities is empty.
    sets: dict[tuple[int, int], tuple[str, list[str], list[fmpq]]] = {}
    nodes: list[tuple[tuple[int, int], list[int]] | fmpq] = []  # (set, next states), or a payoff
    # A stack of the nodes that have branches still to be read, each as (next states, number of branches, payoffs). The
    # list of next states grows by one with each branch that is read. The payoffs are those of each player, added up
    # over the nodes from the root to this node.
    opened: list[tuple[list[int], int, tuple[fmpq, fmpq]]] = []
    total: fmpq | None = None
    while opened or not nodes:
        one, two = fmpq(0), fmpq(0)
        if opened:
            states, size, (one, two) = opened[-1]
            states.append(len(nodes))
            if len(states) == size:
                opened.pop()
        kind = tokens.take("c, p or t", "[cpt]")
        tokens.name()
        if kind != "t":
            player = tokens.count("a player", 2, least=1) if kind == "p" else 0
            key = player, tokens.count("an information set", MOST_NUMBER)
            name = tokens.name() if tokens.next_is('"') else ""
            if tokens.next_is("{"):
                listed_set = (name, *_moves(tokens, kind))
                first, again = sets.setdefault(key, listed_set)[1:], listed_set[1:]
                if again != first:
                    owner = ("chance", "player 1", "player 2")[player]
                    raise ValueError(
                        f"set {key[1]} of {owner} must be listed with the same moves each time, "
                        f"with {shown(first)} as first, got {shown(again)}"
                    )
            if key not in sets:
                raise ValueError(
                    f"an efg file must name the moves of set {key[1]} where it is first used"
                )
        gain, loss = _outcome(tokens, outcomes)
        one, two = one + gain, two + loss
        if kind == "t":
            total = one + two if total is None else total
            if one + two != total:
                raise ValueError(
                    f"payoffs must add up to the same everywhere, to {total} as the first ones do, "
                    f"got {one} and {two}"
                )
            nodes.append(one)
        else:
            later = list[int]()
            opened.append((later, len(sets[key][1]), (one, two)))
            nodes.append((key, later))
    tokens.take("its end", "")
    sizes = Counter(node[0] for node in nodes if isinstance(node, tuple))
    labels = [Counter(sets[key][0] for key in sets if key[0] == player) for player in range(3)]
    seen = all(size == 1 for (player, _), size in sizes.items() if player)
    listed: list[Chance | Move | fmpq] = []
    for node in nodes:
        if isinstance(node, fmpq):
            listed.append(node)
            continue
        (player, number), later = node
        name, moves, chances = sets[player, number]
        if player == 0:
            listed.append(Chance(dict(zip(later, chances, strict=True))))
        else:
            knows = None if seen else _name(name, number, labels[player])
            after = dict(zip(moves, later, strict=True))
            listed.append(Move(1 if player == 1 else 2, after, knows))
    return ListedTree(listed, title or "game tree")


def _moves(tokens: Tokens, kind: str) -> tuple[list[str], list[fmpq]]:
    """Remove the moves of an information set from the tokens, and return them with their probabilities.

    Only moves of chance, whose `kind` is ``c``, have probabilities.
    """
    moves, chances = list[str](), list[fmpq]()
    tokens.take("{", r"\{")
    while not tokens.next_is("}"):
        moves.append(tokens.name())
        if kind == "c":
            chances.append(tokens.number())
    tokens.take("}", r"\}")
    if not moves or (kind == "p" and len(set(moves)) < len(moves)):
        raise ValueError(f"moves of a set must have different names, got {shown(moves)}")
    return moves, chances


def _outcome(tokens: Tokens, outcomes: Outcomes) -> tuple[fmpq, fmpq]:
    """Remove the outcome of a node from the tokens, and return its payoffs.

    A file must have the payoffs of an outcome where the number of the outcome occurs first, and may leave them out
    where it occurs again. So they are stored in `outcomes`.
    """
    number = tokens.count("an outcome", MOST_NUMBER)
    if tokens.next_is('"'):
        tokens.name()
    if tokens.next_is("{"):
        tokens.take("{", r"\{")
        payoffs = tokens.number(), tokens.number()
        first = outcomes.setdefault(number, payoffs)
        if payoffs != first:
            raise ValueError(
                f"outcome {number} must have the same payoffs each time, {shown(first)} as first, "
                f"got {shown(payoffs)}"
            )
        tokens.take("}", r"\}")
    if number not in outcomes:
        raise ValueError(
            f"outcome {number} of an efg file must have payoffs when it is first named"
        )
    return outcomes[number]
