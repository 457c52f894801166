"""Reader and writer of Gambit's files of game trees, ``.efg``.

The format of the files is Gambit's *extensive game file format* (Savani and Turocy, *Gambit: the package for
computation in game theory*, manual, "Game representation formats"). It lists the nodes of a tree in prefix order, with
probabilities and payoffs as integers, fractions or decimals. Any two-player game in this format is read as a game tree
if its payoffs add up to the same sum at all ends.

A small position of GOPS is written as the tree that follows from the rules. A round is a chance node for the prize, a
node of player one, and a node of player two, who does not see player one's bid. If prizes are hidden, the chance node
comes after both bids. An *information set* is a set of nodes that the player cannot tell apart: all nodes of player two
after the same history and prize are one. Nodes with a single next state, such as those of the last round, are left out.
"""

import warnings
from collections import Counter
from collections.abc import Iterable
from itertools import count

from flint import fmpq

from gops_exact.base.arguments import integer, shown
from gops_exact.base.documents import EFG, kind_of, named, parse_document
from gops_exact.base.writing import quoted, quoted_list
from gops_exact.extensive.form import Label
from gops_exact.extensive.rounds import Round
from gops_exact.extensive.trees import (
    PLAYERS,
    STAY,
    Chance,
    GameTree,
    ListedTree,
    Move,
    Moves,
    Node,
    Simultaneous,
    State,
    Tree,
    distinct,
    following,
    node_at,
    require_new,
    require_room,
    tree_of,
)
from gops_exact.game.game import Position, checked_position
from gops_exact.matrix_game.game_files import Tokens, numbered
from gops_exact.matrix_game.other_programs import as_gambit
from gops_exact.numbers.exact import distance, simplest

Outcomes = dict[int, tuple[fmpq, fmpq]]
"""{number of an outcome: payoffs of player one and player two}."""

MOST_CARDS = 4
"""Greatest number of cards of each player for which :func:`write_efg` writes a game tree. With four cards a tree has
13,824 leaves, with five cards 1.7 million."""

MOST_NUMBER = 10**9
"""Greatest number of an information set or an outcome that is accepted in a file. For comparison, a file of OpenSpiel's
liar's dice has 147,420 outcomes."""

NEAR, MOST_DENOMINATOR = fmpq(1, 10**12), 10**6
"""Greatest distance between a probability that a program has written as a decimal and the fraction that replaces it,
and greatest denominator of this fraction. Two such fractions differ by at least 1/MOST_DENOMINATOR², so at most one is
near."""

FLOAT_PLACES = 15
"""Least number of places of a decimal that is taken for a float, even if the probabilities have the sum 1."""


def title(position: Position) -> str:
    """Return a one-line title of a position, with its prizes in ascending order."""
    groups = (position.one, position.two, sorted(position.prizes))
    return "GOPS: {} against {} for {}".format(*(" ".join(map(str, cards)) for cards in groups))


def bid_name(card: int) -> str:
    """Return the name of a bid. It is not the bare number, which Gambit would read as an index in the list of names."""
    return f"bid {card}"


def write_efg(game: Position | str | GameTree) -> str:
    """Return the text of an ``.efg`` file of a game tree, or of the game that begins at a position.

    Information sets and moves of a tree keep their names. A node that names no information set becomes a set of its own
    without a name. Where both players move at the same time, player two moves after player one in the file, without
    seeing player one's move. A state that can be reached in several ways is written once for each way.

    Args:
        game: a game tree; or a position of at most four cards a side with no prize turned up, or its name.

    Raises:
        ValueError: if `game` is none of these, if it is too large, if it has an invalid node, or if a play can reach a
            state twice.

    >>> print(write_efg(Position([2], [1], [3])), end="")
    EFG 2 R "GOPS: 2 against 1 for 3" { "Player one" "Player two" }
    ""
    <BLANKLINE>
    t "" 1 "" { 3, -3 }
    """
    if isinstance(game, Position | str) or not isinstance(game, GameTree):
        position = checked_position(game)
        integer(position.size, "the cards a side of a game tree", most=MOST_CARDS)
        if position.upcard is not None:
            raise ValueError(
                f"a game tree starts before a prize is turned up, got upcard {position.upcard}"
            )
        game = Tree(Round(position), _choice_at, title(position))
    name = str(getattr(game, "title", "game tree"))
    lines = [f'EFG 2 R {quoted(name)} {{ "Player one" "Player two" }}', '""', ""]
    # Information sets, chance nodes and outcomes are numbered from 1, in the order of their first occurrence.
    sets: tuple[dict[Label, int], dict[Label, int]] = {}, {}
    chances, outcomes = count(1), dict[fmpq, int]()
    # An item of the stack is a state, or the node of player two after player one's move, where both move at once; and
    # True if all below the state is written.
    stack: list[tuple[State, bool]] = [(game.start, False)]
    opened = set[State]()
    while stack:
        state, is_written = stack.pop()
        if is_written:
            opened.remove(state)
            continue
        if isinstance(state, Moves):
            node: Node = state
        else:
            require_new(state, opened, "in a file of Gambit")
            node = node_at(game, state)
            opened.add(state)
            stack.append((state, True))
        require_room(len(lines))
        after = following(node)
        if isinstance(node, Moves):
            # An object stands for the name of a set without a name.
            one, two = (object() if knows is None else knows for knows in node.knows)
            player, key = (0, one) if 0 in node.movers else (1, two)
            number = sets[player].setdefault(key, len(sets[player]) + 1)
            text = quoted("" if type(key) is object else str(key))
            moves = quoted_list(distinct(node.labels[player]).values())
            lines.append(f'p "" {player + 1} {number} {text} {moves} 0')
            if len(node.movers) == 2:
                labels = (STAY,), node.labels[1]
                after = [Moves(labels, [row], (None, two)) for row in node.after]
        elif isinstance(node, dict):
            names: Iterable[object] = range(1, len(node) + 1)
            if isinstance(state, Round):
                prizes = state.position.rules.draws(state.position.prizes)
                names = [f"prize {draw.upcard}" for draw in prizes]
            moves = " ".join(f'"{name}" {p}' for name, p in zip(names, node.values(), strict=True))
            lines.append(f'c "" {next(chances)} "" {{ {moves} }} 0')
        else:
            number = outcomes.setdefault(node, len(outcomes) + 1)
            lines.append(f't "" {number} "" {{ {node}, {-node} }}')
        stack.extend((later, False) for later in reversed(after))
    return "\n".join(lines) + "\n"


def _choice_at(state: Round) -> Chance | Simultaneous | int:
    # Nodes with a single move are passed over.
    node = state.node
    while not isinstance(node, int):
        after = [*(node.outcomes if isinstance(node, Chance) else node.moves.values())]
        if len(after) > 1:
            break
        node = after[0].node
    if isinstance(node, Simultaneous):
        moves = node.moves.items()
        return Simultaneous({(bid_name(one), bid_name(two)): later for (one, two), later in moves})
    return node


def read_efg(text: str, within: object = None) -> ListedTree:
    """Return the game in the text of an ``.efg`` file, for :func:`~gops_exact.solve_game`.

    An information set keeps its name in the file if no other set of the player has this name. Any other set is named by
    its number in the file. This name is a text, or an integer if a set of the player already has the text.
    Moves without a name, or with the same name, are numbered. The payoffs at an inner node are added to those at each
    end below it.

    Args:
        text: the text of the file.
        within: a positive rational. Each decimal is replaced by the fraction with the smallest denominator whose
            distance from the decimal is at most `within`. None to read decimals exactly, except probabilities that
            programs have written as floats, such as 0.3333333333333333: they are replaced if fractions within 10⁻¹²,
            with denominators of at most 10⁶, have the sum 1.

    Raises:
        ValueError: if `text` is not a two-player game with rational payoffs whose sum is the same at every end. The
            message names the line.

    Warns:
        UserWarning: if fractions replace probabilities although `within` is None.

    >>> from gops_exact import solve_game
    >>> solve_game(read_efg(write_efg(Position([1, 3], [2, 3], [2, 3])))).value
    -7/5
    """
    tokens = Tokens(text, "an efg file", distance(within))
    with named(tokens):
        return _tree(tokens)


def read_tree(text: str, within: object = None) -> ListedTree:
    """Read a game tree from the text of a file of Gambit, or from a JSON document that this program has written.

    Args:
        text: the text of an ``.efg`` file, of a workbook that Gambit's graphical interface has saved (``.gbt``), or of
            a document of a game tree in JSON.
        within: the greatest distance between a decimal of a file of Gambit and the fraction that replaces it, as in
            :func:`read_efg`. Documents in JSON have fractions only.

    Raises:
        ValueError: if `text` is none of these.
    """
    kind = kind_of(text)
    if kind == "game tree":
        return tree_of(parse_document(text, "game-tree-1"))
    gambit = as_gambit(text)
    if (kind := kind_of(gambit)) != EFG:
        raise ValueError(f"expected a game tree, got {kind or shown(text)}")
    return read_efg(gambit, within)


def _tree(tokens: Tokens) -> ListedTree:
    title, players = tokens.prologue("EFG", "2")
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
    replaced = dict[str, fmpq]()
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
                again = _moves(tokens, kind, replaced)
                _, *first = sets.setdefault(key, (name, *again))
                if again != tuple(first):
                    owner = ("chance", "player 1", "player 2")[player]
                    raise ValueError(
                        f"set {key[1]} of {owner} must be listed with the same moves each time, "
                        f"with {shown(first)} as first, got {shown([*again])}"
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
    if replaced:
        pairs = shown(", ".join(f"{word} for {p}" for word, p in replaced.items()))
        warnings.warn(f"probabilities are taken for fractions: {pairs}", stacklevel=4)
    labels = [Counter(sets[key][0] for key in sets if key[0] == player) for player in range(3)]
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
            after = dict(zip(numbered(moves), later, strict=True))
            knows: str | int = name
            if not name or labels[player][name] > 1:
                knows = number if str(number) in labels[player] else str(number)
            listed.append(Move(1 if player == 1 else 2, after, knows))
    if not all(players) or len({*players}) == 1:
        players = PLAYERS
    return ListedTree(listed, title or "game tree", players=(players[0], players[1]))


def _moves(tokens: Tokens, kind: str, replaced: dict[str, fmpq]) -> tuple[list[str], list[fmpq]]:
    """Read the moves of an information set from the tokens, and return them with their probabilities.

    Only moves of chance, whose `kind` is ``"c"``, have probabilities. Decimals that fractions replace are added to
    `replaced`, as {decimal as text: fraction}.
    """
    moves, words, chances = list[str](), list[str](), list[fmpq]()
    tokens.take("{", r"\{")
    while not tokens.next_is("}"):
        moves.append(tokens.name())
        if kind == "c":
            words.append(tokens.next)
            chances.append(tokens.number())
    tokens.take("}", r"\}")
    if not moves:
        raise ValueError("a node must have a move, got none")
    if kind == "c" and tokens.within is None:
        near = [simplest(p, NEAR) for p in chances]
        is_float = any(len(word.partition(".")[2]) >= FLOAT_PLACES for word in words)
        is_short = all(p >= 0 and p.q <= MOST_DENOMINATOR for p in near)
        if (is_float or sum(chances) != 1) and sum(near) == 1 and is_short:
            pairs = zip(words, chances, near, strict=True)
            replaced |= {word: q for word, p, q in pairs if p != q}
            chances = near
    if kind == "c" and (min(chances) < 0 or sum(chances) != 1):
        raise ValueError(
            f"probabilities must be at least 0 with the sum 1, got {shown(', '.join(words))} "
            f"with the sum {sum(chances)}; within=, or --within, takes decimals for fractions near them"
        )
    return moves, chances


def _outcome(tokens: Tokens, outcomes: Outcomes) -> tuple[fmpq, fmpq]:
    """Read the outcome of a node from the tokens, and return the payoffs of player one and of player two.

    The payoffs are stored in `outcomes` by the number of the outcome. A file may leave them out where the same number
    occurs again.
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
