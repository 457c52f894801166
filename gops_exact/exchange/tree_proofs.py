"""Files with which the proof assistant Coq proves that two strategies are an equilibrium of a game tree.

Coq proves this from the best replies to both strategies. An *information set* of a player is a set of states that the
player cannot tell apart.
"""

import re
from collections import Counter
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import Any

from gops_exact.base.arguments import instance
from gops_exact.base.progress import about
from gops_exact.exchange.certificates import fraction
from gops_exact.extensive.equilibrium import Equilibrium, labelled
from gops_exact.extensive.trees import listed

MOST_ENDS = 100_000
"""Greatest number of ends of a game, each history counted, for which a file is written. Coq's kernel takes minutes for
so many."""

NEXT = re.compile("\0([0-9]+)\0")
"""Pattern of a next state in the text of a node."""

COQ = """\
(* A game, and two strategies that guarantee its value. Of moves at once, player one's comes before player two's. *)
From Coq Require Import String QArith List.
From Gops Require Import Tree.
Import ListNotations.
Open Scope Q_scope.
Open Scope string_scope.

{shared}Definition game : tree :=
{game}.

Definition row : plan := [
{row}].

Definition column : plan := [
{column}].

Definition value : Q := {value}.

Lemma checked : certified game (playing row) (playing column) value = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem solved : equilibrium game (playing row) (playing column) value.
Proof. exact (sound _ _ _ _ checked). Qed.

Print Assumptions solved.
"""
"""Template of the file for Coq. Coq's kernel runs the checker only once, at ``Qed`` of the lemma ``checked``."""


def tree_to_coq(solved: Equilibrium) -> str:
    """Return the text of a file with which Coq proves an equilibrium, by the checker of ``proofs/Tree.v``.

    At an information set that a player's strategy leaves out, the player plays the first move in the file.

    Args:
        solved: the equilibrium of a game tree with at most 100,000 ends. Its claims are not checked here, but by Coq.

    Raises:
        ValueError: if `solved` is no :class:`~gops_exact.extensive.Equilibrium`; if its game is one of paths, or has
            too many ends; or if a play of its game can reach a state twice.
        PrecisionError: if the bounds of `solved` differ, so that no value is known.

    >>> from gops_exact import known_games, solve_game
    >>> text = tree_to_coq(solve_game(known_games.kuhn_poker()))
    >>> next(line for line in text.splitlines() if "Definition value" in line)
    'Definition value : Q := (-1 # 18).'
    """
    instance(solved, Equilibrium, "solved", "an equilibrium of a game tree")
    value, (nodes, texts) = fraction(str(solved.value)), listed(solved.game)
    sets: tuple[dict[str, list[str]], ...] = {}, {}  # of each player: {information set: its moves}
    parts = [_node(node, str(state), sets) for state, node in enumerate(nodes)]
    later = [[int(after) for after in NEXT.findall(part)] for part in parts]
    times = Counter(chain(*later))
    terms, ends, shared = dict[str, str](), dict[int, int](), ""
    try:
        order = [*TopologicalSorter(dict(enumerate(later))).static_order()]
    except CycleError:
        raise ValueError(
            "a play can reach a state twice, which a file for Coq cannot say"
        ) from None
    for state in order:
        ends[state] = sum(ends[after] for after in later[state]) or 1
        term = NEXT.sub(lambda after: terms[after[1]], parts[state])
        if times[state] > 1 and later[state]:
            shared += f"Definition s{state} : tree :=\n{term}.\n\n"
            term = f"s{state}"
        terms[str(state)] = term
    if ends[0] > MOST_ENDS:
        raise ValueError(f"a game must have at most {MOST_ENDS:,} ends, got {about(ends[0])}")
    plans = []
    for strategy, names, own in zip((solved.row, solved.column), texts, sets, strict=True):
        mixes, lines = labelled(strategy, names, str), list[str]()
        for name, moves in own.items():
            mix = mixes.get(name, {moves[0]: "1"})
            shares = "; ".join(fraction(mix.get(move, "0")) for move in moves)
            lines.append(f"({_text(name)}, [{shares}])")
        plans.append(";\n".join(lines))
    row, column = plans
    return COQ.format(shared=shared, game=terms["0"], row=row, column=column, value=value)


def _node(node: Any, state: str, sets: tuple[dict[str, list[str]], ...]) -> str:  # noqa: ANN401  # a JSON value
    r"""Return a node in Coq's notation, with its next states as ``\0STATE\0``.

    Args:
        node: the node in the JSON document of the game tree.
        state: the index of the node as text. If the node names no information set, it is the name of its set.
        sets: {information set: its moves} of each player. The information sets of this node are added.
    """

    def move(player: int, name: str, after: dict[str, str]) -> str:
        # Nodes of a set may list its moves in another order.
        order = sets[player].setdefault(name, [*after])
        following = _list(after[label] for label in order)
        return f"Move {('One', 'Two')[player]} {_text(name)} {following}"

    match node:
        case {"chance": draws}:
            pairs = ((fraction(draw["probability"]), draw["state"]) for draw in draws)
            return "Chance " + _list(f"({share}, \0{after}\0)" for share, after in pairs)
        case {"player": player, "moves": moves}:
            after = {label: f"\0{later}\0" for label, later in moves.items()}
            return move(player - 1, node.get("knows", state), after)
        case {"rows": rows, "columns": columns, "after": table}:
            one, two = node.get("knows", (state, state))
            lines = (dict(zip(columns, (f"\0{k}\0" for k in line), strict=True)) for line in table)
            replies = (move(1, two, line) for line in lines)
            return move(0, one, dict(zip(rows, replies, strict=True)))
    return f"End {fraction(node)}"


def _list(terms: Iterable[str]) -> str:
    return "[\n{}]".format(";\n".join(terms))


def _text(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))
