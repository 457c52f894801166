"""Proofs of documents of solved games from their own content.

The documents are of matrix games, game trees, games with hidden bids, stochastic games, and games of paths.

Words used here:

* A game *with hidden bids* is GOPS in which a player sees who won each round, but perhaps not the other player's bid.
* In a *stochastic game* a play can reach a state twice.
* In a *game of paths* each player goes along a path through a graph, without seeing the other player's path, and pairs
  of their moves have payoffs.
* An *information set* of a player is a set of states that the player cannot tell apart.
* An equilibrium is *quasi-perfect* if its strategies are best replies at every information set, also after mistakes of
  either player.
* A *claim* is a statement in a document that can be right or wrong, such as the value of the game.

A solution is proved by best replies: no reply to either strategy does better than the value. The bounds of a stochastic
game are proved by the module :mod:`~gops_exact.verify.stationary`.

A document of a matrix game says for each player if there are other optimal strategies. This claim is proved, too, but
may remain unchecked if the player has more than :data:`MOST_REPLIES` best replies.

The module :mod:`~gops_exact.verify.plans` proves the guarantees of strategies in trees and in games of paths. For trees
it also proves which information sets are reached, and that strategies are a quasi-perfect equilibrium.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import lcm
from typing import Any

from gmpy2 import mpq

from gops_exact.base.documents import kind_of, parse_document, parse_exact
from gops_exact.verify.checks import Report
from gops_exact.verify.intervals import NotProvedError, eliminate, simplex
from gops_exact.verify.nodes import (
    SIDES,
    NodesOf,
    Strategy,
    hidden_nodes,
    read_strategies,
    read_tree,
)
from gops_exact.verify.plans import best_reply, check_polynomials, check_reached, reply_on_paths
from gops_exact.verify.stationary import check_stationary

SCHEMAS = {
    "matrix game": "matrix-game-1",
    "hidden bids": "hidden-bids-1",
    "game tree": "game-tree-1",
    "stochastic game": "stochastic-game-1",
    "path game": "path-game-1",
}
"""{kind of document, as the document names it: name of its schema}."""

MOST_HIDDEN_CARDS = 6
"""Greatest number of cards a side of a game with hidden bids that is checked. With one card more, the check takes many
times as long."""

MOST_REFINED_CARDS = {True: 4, False: 5}
"""Greatest number of cards a side of a game with hidden bids whose polynomials are checked, {prizes are random: cards}.
The check visits all plays: 13,824 with 4 cards and random prizes, 14,400 with 5 cards in a known order."""

PRIME = 2**61 - 1
"""Prime modulo which the rank of a matrix is computed first, because this is much quicker than with rational numbers. The
rank modulo a prime is never greater than the true rank. So if the rank modulo the prime is full, the true rank is full."""

MOST_REPLIES = 60
"""Greatest number of best replies of a player for which the verifier computes with rational numbers to decide if the
player has other optimal strategies. This takes seconds at the limit; beyond it, the claim is passed over."""


def check_game(text: str) -> Report:
    """Prove a document of a solved game.

    Args:
        text: the document in JSON.

    Returns:
        A report with the claims that are proved, the claims that are passed over (not examined), and the faults.

    Raises:
        ValueError: if the text is not a document of a kind in :data:`SCHEMAS`, if its parts do not fit together (such as
            more payoffs than labels), or if it is of a game with hidden bids and too many cards.
    """
    kind = kind_of(text)
    if kind not in SCHEMAS:
        raise ValueError(f"expected a document of {' or '.join(SCHEMAS)}, got {text[:40]!r}")
    document = parse_document(text, SCHEMAS[kind])
    if kind == "matrix game":
        return _check_matrix_game(document)
    if kind == "stochastic game":
        return check_stationary(document)
    if kind == "game tree":
        nodes, all_seen = read_tree(document)
        return _check_strategies(document, lambda _: nodes.items(), all_seen=all_seen)
    if kind == "path game":
        return _check_strategies(document, lambda _: ())
    n, most, among = document["n"], MOST_HIDDEN_CARDS, ""
    if "polynomials" in document:
        most = MOST_REFINED_CARDS[document["rules"]["prizes"] == "random"]
        among = " with polynomials"
    if n > most:
        raise ValueError(f"n must be from 2 to {most}{among}, got {n}")
    return _check_strategies(document, partial(hidden_nodes, document))


def _check_matrix_game(document: Mapping[str, Any]) -> Report:
    report = Report()
    payoff = [list(map(parse_exact, row)) for row in document["payoff"]]
    rows, columns = (document["labels"][name] for name in ("rows", "columns"))
    if len(rows) != len(payoff) or any(len(row) != len(columns) for row in payoff):
        raise ValueError(f"expected {len(rows)} × {len(columns)} payoffs, as there are labels")
    value = parse_exact(document["value"])
    strategies = [list(map(parse_exact, document[name])) for name in SIDES]
    # Player one's gains, then player two's. Each of the two matrices has a line for each bid of its player.
    gains = payoff, [[-entry for entry in line] for line in zip(*payoff, strict=True)]
    # For each player: the bids that the player plays, and the other player's best replies to the player's strategy.
    played, replies = [], []
    for name, lines, strategy, sign in zip(SIDES, gains, strategies, (1, -1), strict=True):
        fault = None
        if len(strategy) != len(lines):
            fault = f"has {len(strategy)} probabilities for {len(lines)} labels"
        elif min(strategy) < 0 or sum(strategy) != 1:
            fault = "is not a probability vector"
        else:
            played.append([k for k, chance in enumerate(strategy) if chance])
            # Most probabilities of a long strategy are 0, so the sum is only over the bids that are played.
            excess = [
                sum(lines[k][l] * strategy[k] for k in played[-1]) - sign * value
                for l in range(len(lines[0]))
            ]
            replies.append([l for l, more in enumerate(excess) if more == 0])
            if min(excess) < 0:
                fault = "does not guarantee the value"
        if fault is not None:
            report.faults.append(f"the {name} strategy {fault}")
            return report
    report.proved["value and strategies"] = 1
    for player, title in enumerate(("row_unique", "column_unique")):
        name, other, claim = f"player {('one', 'two')[player]}", 1 - player, document[title]
        only = _is_only(
            gains[player], replies[other], played[player], replies[player], played[other]
        )
        if only is None:
            report.passed_over[f"claim whether {name} has other optimal strategies"] = 1
        elif claim != only:
            said = f"{name} has {'no ' if claim else ''}other optimal strategies"
            report.faults.append(f"the document says that {said}, which is wrong")
        else:
            report.proved["claims whether a player has other optimal strategies"] += 1
    return report


def _is_only(
    gains: Sequence[Sequence[mpq]],
    replies: list[int],
    played: list[int],
    others: list[int],
    opposed: list[int],
) -> bool | None:
    """Return True if a player's optimal strategy is the only one, False if there are others, None if that is not decided.

    It is not decided if a first, quick test fails and the player has more than :data:`MOST_REPLIES` best replies.

    Args:
        gains: the player's gains, shape (bids of the player, bids of the other player). Bids are indices.
        replies: the player's best replies to the other player's strategy.
        played: the bids to which the player's strategy gives positive probabilities.
        others: the other player's best replies to the player's strategy.
        opposed: the bids to which the other player's strategy gives positive probabilities.
    """
    # A strategy is optimal if and only if it plays only best replies, gains the value against every bid that the
    # opponent plays, and gains no less against the other bids. So there is another optimal strategy if and only if the
    # probabilities of the best replies can be changed a little in such a way. By `equations` their sum stays, and so do
    # the gains against the bids in `opposed`.
    equations = [[mpq(1)] * len(replies), *([gains[k][l] for k in replies] for l in opposed)]
    if _rank_modulo_a_prime(equations) == len(replies):
        return True
    if len(replies) > MOST_REPLIES:
        return None
    directions = _null_space(equations)
    if not directions:
        return True
    # `directions` span the changes that satisfy the equations. After a small one the strategy is still optimal unless a
    # number that may not fall has fallen: a probability that is 0, or a gain that is equal to the value. `bounds` has a
    # line for each of these numbers, with the number's change along each direction.
    bounds = [
        [direction[n] for direction in directions] for n, k in enumerate(replies) if k not in played
    ]
    bounds += [
        [
            sum(step * gains[k][l] for step, k in zip(direction, replies, strict=True))
            for direction in directions
        ]
        for l in others
        if l not in opposed
    ]
    if not bounds or _null_space(bounds):
        return False
    # By Stiemke's theorem (1915), no other strategy is optimal if and only if Σ weight · line = 0 for some positive weights of
    # the lines of `bounds`. The weights can be scaled until all are at least 1, so each is written as 1 + w with w ≥ 0.
    # The condition is then Σ w · line = −Σ line, an equation for each direction. To decide if it has a solution, each
    # equation gets an artificial variable, and the simplex method minimises the sum of these variables. The least sum
    # is 0 if and only if there are such weights.
    tableau = [[*column, -sum(column)] for column in zip(*bounds, strict=True)]
    tableau = [line if line[-1] >= 0 else [-entry for entry in line] for line in tableau]
    tableau.append([-sum(column) for column in zip(*tableau, strict=True)])
    simplex(tableau, list(range(len(bounds), len(bounds) + len(directions))))
    return bool(tableau[-1][-1] == 0)


def _rank_modulo_a_prime(matrix: list[list[mpq]]) -> int:
    lines, rank = [], 0
    for line in matrix:
        common = lcm(*(int(x.denominator) for x in line))
        lines.append([int(x * common) % PRIME for x in line])
    # Each column that is not 0 in all lines left removes one of them, its pivot, and is cleared in the others.
    for k in range(len(matrix[0])):
        index = next((i for i, line in enumerate(lines) if line[k]), None)
        if index is not None:
            pivot, rank = lines.pop(index), rank + 1
            inverse = pow(pivot[k], -1, PRIME)
            for i, line in enumerate(lines):
                if factor := line[k] * inverse % PRIME:
                    pairs = zip(line, pivot, strict=True)
                    lines[i] = [(a - factor * b) % PRIME for a, b in pairs]
    return rank


def _null_space(matrix: list[list[mpq]]) -> list[list[mpq]]:
    """Return a basis of the null space of a matrix, computed from its reduced echelon form."""
    lines, pivots, width = list(matrix), list[int](), len(matrix[0])
    for k in range(width):
        rank = len(pivots)
        pivot = next((i for i in range(rank, len(lines)) if lines[i][k]), None)
        if pivot is not None:
            lines[rank], lines[pivot] = lines[pivot], lines[rank]
            eliminate(lines, rank, k)
            pivots.append(k)
    basis = []
    for free in set(range(width)) - set(pivots):
        vector = [mpq(0)] * width
        vector[free] = mpq(1)
        for pivot, line in zip(pivots, lines, strict=False):
            vector[pivot] = -line[free]
        basis.append(vector)
    return basis


CLAIMS: dict[str, tuple[str, Callable[[Any, NodesOf, Sequence[Strategy]], int]]] = {
    "reached": ("reached sets", check_reached),
    "polynomials": ("quasi-perfect equilibrium", check_polynomials),
}
"""{member of a document: (the claim, function that proves it and returns the number of claims)}."""


def _check_strategies(
    document: Mapping[str, Any], nodes_of: NodesOf, *, all_seen: bool = False
) -> Report:
    """Prove the value in a document, or the bounds of the value, by best replies; then prove the claims in `CLAIMS`.

    Args:
        document: the document of a game tree, of a game with hidden bids or of a game of paths.
        nodes_of: function that returns the nodes which the strategies can reach; not called for a game of paths.
        all_seen: True if each information set is a single state, so that nothing is hidden.
    """
    report = Report()
    bounds = ("least", "most") if "least" in document else ("value", "value")
    one, two = read_strategies(document)
    reply = partial(best_reply, nodes_of, all_seen=all_seen)
    if "graphs" in document:
        reply = partial(reply_on_paths, document)
    for name, bound, own in zip(SIDES, bounds, ((one, None), (None, two)), strict=True):
        try:
            best, unreached = reply(own)
        except NotProvedError as error:
            report.faults.append(f"{name}: {error}")
            continue
        if unreached and "polynomials" not in document:  # else all sets have probabilities
            fault = f"{min(unreached)!r} has probabilities, and is not reached"
            report.faults.append(f"{name}: {fault}")
        if best != parse_exact(document[bound]):
            report.faults.append(f"the best reply to the {name} strategy does not have the value")
    if report.faults:
        return report
    report.proved["value and strategies" if bounds[0] == "value" else "bounds"] = 1
    for member, (claim, check) in CLAIMS.items():
        if member in document:
            try:
                report.proved[claim] = check(document[member], nodes_of, (one, two))
            except NotProvedError as error:
                report.faults.append(f"{member}: {error}")
    return report
