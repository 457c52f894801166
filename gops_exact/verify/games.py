"""Documents of solved games, proved from their own content: matrix games, and games with hidden bids.

A solution is proved by best replies: none gains more than the value against either strategy.

For a matrix game the claims that a player has other optimal strategies, or none, are decided as well. A strategy
is optimal if and only if it plays best replies alone, gains the value against every bid that the opponent plays,
and gains no less against the other bids. So there is another optimal strategy if and only if a direction leads to
it from the strategy of the document. Such a direction changes no gain against a bid that is played, lowers no gain
that is equal to the value, and lowers no probability that is 0. Where the first condition leaves directions, the
others exclude all of them if and only if these have full rank and a sum with positive weights that is 0 (Stiemke
1915).

A best reply in a game with hidden bids is computed along what its player knows, with a list of all that the
opponent may hold and know, each with its probability.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Any

from gmpy2 import mpq

from gops_exact.base.documents import order_of, parse_document, parse_exact
from gops_exact.verify.checks import Report
from gops_exact.verify.intervals import NotProvedError, eliminate, simplex

SCHEMAS = {"matrix game": "matrix-game-1", "hidden bids": "hidden-bids-1"}
"""The schema of each kind of document, by the name that stands in the document."""

MOST_HIDDEN_CARDS = 6
"""Cards a side with hidden bids."""

PRIME = 2**61 - 1
"""A rank is first computed modulo this prime: the true one is no smaller."""

MOST_REPLIES = 60
"""Greatest number of a player's best replies with which directions are computed in rational numbers, which takes
seconds."""


def kind_of(text: str) -> str | None:
    """Return the kind of document, a name of :data:`SCHEMAS`, that a text in JSON says it is; else None."""
    begin = re.match(rf'\s*{{\s*"document"\s*:\s*"({"|".join(SCHEMAS)})"', text)
    return None if begin is None else begin[1]


def check_game(text: str) -> Report:
    """Prove a document of a solved game.

    Args:
        text: the document in JSON.

    Returns:
        The claims that are proved, those passed over, and the faults.

    Raises:
        ValueError: if the text is no such document.
    """
    kind = kind_of(text)
    if kind is None:
        raise ValueError(f"expected a document of {' or '.join(SCHEMAS)}, got {text[:40]!r}")
    check = {"matrix game": _check_matrix_game, "hidden bids": _check_hidden_bids}[kind]
    return check(parse_document(text, SCHEMAS[kind]))


def _check_matrix_game(document: Mapping[str, Any]) -> Report:
    """Prove the value, both strategies, and the claims whether there are others."""
    report = Report()
    payoff = [list(map(parse_exact, row)) for row in document["payoff"]]
    rows, columns = (document["labels"][name] for name in ("rows", "columns"))
    if len(rows) != len(payoff) or any(len(row) != len(columns) for row in payoff):
        raise ValueError(f"expected {len(rows)} × {len(columns)} payoffs, as there are labels")
    value = parse_exact(document["value"])
    strategies = [list(map(parse_exact, document[name])) for name in ("row", "column")]
    # What each player gains, a line for each of his bids.
    gains = payoff, [[-entry for entry in line] for line in zip(*payoff, strict=True)]
    played, replies = [], []  # by player: the bids he plays; best replies of the other one
    for name, lines, strategy, sign in zip(
        ("row", "column"), gains, strategies, (1, -1), strict=True
    ):
        fault = None
        if len(strategy) != len(lines):
            fault = f"has {len(strategy)} probabilities for {len(lines)} labels"
        elif min(strategy) < 0 or sum(strategy) != 1:
            fault = "is not a probability vector"
        else:
            played.append([k for k, chance in enumerate(strategy) if chance])
            # Only bids that are played count: most of a long strategy is zero.
            excess = [
                sum(lines[k][l] * strategy[k] for k in played[-1]) - sign * value
                for l in range(len(lines[0]))
            ]
            replies.append([l for l, more in enumerate(excess) if more == 0])
            if min(excess) < 0:
                fault = "does not secure the value"
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
    """Tell if a player's optimal strategy is the only one; None where that would take long.

    Args:
        gains: of the player, a line for each of his bids.
        replies: his best replies to the other player's strategy.
        played: the bids that he plays.
        others: the other player's best replies to his strategy.
        opposed: the bids that the other one plays.
    """
    equations = [[mpq(1)] * len(replies), *([gains[k][l] for k in replies] for l in opposed)]
    if _rank_modulo_a_prime(equations) == len(replies):
        return True
    if len(replies) > MOST_REPLIES:
        return None
    directions = _null_space(equations)
    if not directions:
        return True
    # What a direction may not lower: probabilities that are 0, gains that are equal to the value.
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
    # Weights 1 + w with w ≥ 0 make the sum of the bounds 0: Σ w · bound = −Σ bound. What these
    # equations lack is the cost that the simplex method brings down, to 0 if there are such weights.
    tableau = [[*column, -sum(column)] for column in zip(*bounds, strict=True)]
    tableau = [line if line[-1] >= 0 else [-entry for entry in line] for line in tableau]
    tableau.append([-sum(column) for column in zip(*tableau, strict=True)])
    simplex(tableau, list(range(len(bounds), len(bounds) + len(directions))))
    return bool(tableau[-1][-1] == 0)


def _rank_modulo_a_prime(matrix: list[list[mpq]]) -> int:
    """Return the rank modulo a prime of a matrix whose lines are multiplied by their denominators."""
    lines = []
    for line in matrix:
        common = lcm(*(int(x.denominator) for x in line))
        lines.append([int(x * common) % PRIME for x in line])
    rank = 0
    for k in range(len(matrix[0])):
        pivot = next((i for i in range(rank, len(lines)) if lines[i][k]), None)
        if pivot is None:
            continue
        lines[rank], lines[pivot] = lines[pivot], lines[rank]
        inverse = pow(lines[rank][k], -1, PRIME)
        for i in range(rank + 1, len(lines)):
            factor = lines[i][k] * inverse % PRIME
            if factor:
                pairs = zip(lines[i], lines[rank], strict=True)
                lines[i] = [(a - factor * b) % PRIME for a, b in pairs]
        rank += 1
    return rank


def _null_space(matrix: list[list[mpq]]) -> list[list[mpq]]:
    """Return a basis of the vectors that a matrix takes to 0, from its reduced echelon form."""
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


Belief = tuple[mpq, tuple[int, ...], str, int, int]
"""What the opponent of a player who replies best may hold and know: the probability, his hand, the name of
what he knows, the margin of the player who replies, the pot."""


def _check_hidden_bids(document: Mapping[str, Any]) -> Report:
    """Prove that the best replies to the strategies gain the value, or the bounds of it, that the document claims."""
    n, rules, seen = document["n"], document["rules"], document["seen"]
    if n > MOST_HIDDEN_CARDS:
        raise ValueError(f"n must be from 2 to {MOST_HIDDEN_CARDS}, got {n}")
    hand = tuple(range(1, n + 1))
    order = order_of(rules, hand)
    report = Report()
    bounds = ("least", "most") if "least" in document else ("value", "value")
    for name, bound, sign in zip(("row", "column"), bounds, (1, -1), strict=True):
        strategy = {
            information_set: {int(bid): parse_exact(chance) for bid, chance in bids.items()}
            for information_set, bids in document[name].items()
        }
        claim, sees = parse_exact(document[bound]), seen if name == "row" else seen[::-1]
        side = _Side(strategy, rules, *sees)
        try:
            best = side.reply(hand, order or hand, [(mpq(1), hand, "", 0, 0)])
        except NotProvedError as error:
            report.faults.append(f"{name}: {error}")
            continue
        if more := strategy.keys() - side.reached:
            report.faults.append(f"{name}: {min(more)} has probabilities, and is not reached")
        if -sign * best != claim:
            report.faults.append(f"the best reply to the {name} strategy does not have the value")
    if not report.faults:
        report.proved["value and strategies" if bounds[0] == "value" else "bounds"] = 1
    return report


@dataclass(frozen=True)
class _Side:
    """A player's strategy in a game with hidden bids, to which the opponent replies."""

    strategy: Mapping[str, Mapping[int, mpq]]  # {information set: {bid: probability}}
    rules: Mapping[str, Any]
    sees: bool  # the player sees the other one's bids
    seen: bool  # the other one sees the player's
    reached: set[str] = field(default_factory=set)  # the information sets that replies lead to

    def reply(self, hand: tuple[int, ...], prizes: tuple[int, ...], beliefs: list[Belief]) -> mpq:
        """Return the gain of a best reply from here on, times the probability to be here.

        Args:
            hand: of the player who replies.
            prizes: those left, in the order in which they come if that is fixed.
            beliefs: all that the opponent may hold and know here.
        """
        if not hand:
            if self.rules["objective"] == "points":
                return sum(chance * margin for chance, _, _, margin, _ in beliefs)
            return sum(
                chance * ((margin > 0) - (margin < 0)) for chance, _, _, margin, _ in beliefs
            )
        draws = prizes if self.rules["prizes"] == "random" else prizes[:1]
        total = mpq(0)
        for prize in draws:
            rest = tuple(other for other in prizes if other != prize)
            gains = []
            for bid in hand:
                # What the player who replies sees of a bid, with all that may be behind it.
                signals: dict[tuple[int, int], list[Belief]] = {}
                for before, held, known, margin, pot in beliefs:
                    for card, chance in self._chances(f"{known}{prize}", held).items():
                        won = (bid > card) - (bid < card)
                        seen = f"{'<=>'[1 - won]}{bid}" if self.sees else "-=+"[1 - won]
                        belief = (
                            before * chance / len(draws),
                            tuple(other for other in held if other != card),
                            f"{known}{prize}:{card}{seen} ",
                            margin + won * (prize + pot),
                            prize + pot if won == 0 and self.rules["ties"] == "carryover" else 0,
                        )
                        signals.setdefault((won, card if self.seen else 0), []).append(belief)
                left = tuple(other for other in hand if other != bid)
                gains.append(sum(self.reply(left, rest, after) for after in signals.values()))
            total += max(gains)
        return total

    def _chances(self, name: str, hand: tuple[int, ...]) -> Mapping[int, mpq]:
        """Return the probabilities of the player's bids, and prove that they are probabilities of his hand."""
        if len(hand) == 1:
            return {hand[0]: mpq(1)}
        chances = self.strategy.get(name)
        if chances is None:
            raise NotProvedError(f"{name} is reached, and has no probabilities")
        if not chances.keys() <= set(hand) or sum(chances.values()) != 1:
            raise NotProvedError(f"{name} has no probabilities of the cards {hand}")
        self.reached.add(name)
        return chances
