"""Documents of solved games, proved from their own content: matrix games, and games with hidden bids.

A solution is proved by best replies: none gains more than the value against either strategy. Of a matrix game
it is decided as well whether each player has other optimal strategies. A strategy is optimal exactly if it
plays best replies alone and gains the value against every bid that the other one plays, and no less against
any other. So there is another one exactly if from the strategy given some direction leads to it: one that
changes no gain against a bid that is played, lowers none that is equal to the value, and takes nothing from a
bid that is not played. Where the first condition leaves directions, the others exclude all of them if and only
if they have full rank and a sum with positive weights that is 0 (Stiemke 1915).

A best reply in a game with hidden bids is found along what its player knows, with a list of all that the
opponent may hold and know, each with its probability.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Any, NamedTuple

from gmpy2 import invert, mpq, next_prime

from gops_exact.base.documents import order_of, parse_document, parse_exact
from gops_exact.verify.checks import Report
from gops_exact.verify.intervals import NotProvedError

SCHEMAS = {"matrix game": "matrix-game-1", "hidden bids": "hidden-bids-1"}
"""What documents call themselves, each with the schema that they obey."""

MOST_HIDDEN_CARDS = 6
"""Cards a side with hidden bids."""

MODULUS_FROM = 2**61
"""A rank is first computed modulo a prime from this number on: the true one is no smaller."""

MOST_REPLIES = 60
"""Best replies of a player with which directions are looked for in rational numbers, which takes seconds."""


def kind_of(text: str) -> str | None:
    """Return which of :data:`SCHEMAS` a text in JSON is meant to obey, None if it is none."""
    begin = re.match(rf'\s*{{\s*"document"\s*:\s*"({"|".join(SCHEMAS)})"', text)
    return None if begin is None else begin[1]


def check_game(text: str) -> Report:
    """Prove a document of a solved game.

    Raises:
        ValueError: if it is no such document.
    """
    kind = kind_of(text)
    if kind is None:
        raise ValueError(f"expected a document of {' or '.join(SCHEMAS)}, got {text[:40]!r}")
    check = {"matrix game": _check_matrix_game, "hidden bids": _check_hidden_bids}[kind]
    return check(parse_document(text, SCHEMAS[kind]))


def _check_matrix_game(document: Mapping[str, Any]) -> Report:
    """Prove the value, both strategies and, if the document claims it, that there are no others."""
    report = Report()
    payoff = [list(map(parse_exact, row)) for row in document["payoff"]]
    rows, columns = (document["labels"][name] for name in ("rows", "columns"))
    if len(rows) != len(payoff) or any(len(row) != len(columns) for row in payoff):
        raise ValueError(f"expected {len(rows)} × {len(columns)} payoffs, as there are labels")
    value = parse_exact(document["value"])
    row, column = (list(map(parse_exact, document[name])) for name in ("row", "column"))
    claims = [document[name] for name in ("row_unique", "column_unique")]
    try:
        replies = [
            _best_replies(name, strategy, own, lines, value, sign)
            for name, strategy, own, lines, sign in (
                ("row", row, rows, list(zip(*payoff, strict=True)), 1),
                ("column", column, columns, payoff, -1),
            )
        ]
    except NotProvedError as error:
        report.faults.append(str(error))
        return report
    report.proved["value and strategies"] = 1
    replies.reverse()  # of player one, to the column strategy, and of player two
    played = [[k for k, chance in enumerate(side) if chance] for side in (row, column)]
    gains = payoff, [[-entry for entry in line] for line in zip(*payoff, strict=True)]
    for player, claim in enumerate(claims):
        name = f"player {('one', 'two')[player]}"
        other = 1 - player
        only = _is_only(
            gains[player], replies[player], played[player], replies[other], played[other]
        )
        if only is None:
            report.passed_over[f"claim whether {name} has other optimal strategies"] = 1
        elif claim != only:
            said = f"{name} has {'no ' if claim else ''}other optimal strategies"
            report.faults.append(f"the document says that {said}, which is wrong")
        else:
            report.proved["claims whether a player has other optimal strategies"] += 1
    return report


def _best_replies(
    name: str,
    strategy: Sequence[mpq],
    labels: Sequence[str],
    lines: Sequence[Sequence[mpq]],
    value: mpq,
    sign: int,
) -> list[int]:
    """Return the other player's best replies to a strategy, and prove that these give the value.

    `lines` are the payoffs of each reply; `sign` is 1 if the strategy is player one's, else −1.
    """
    if len(strategy) != len(labels):
        raise NotProvedError(
            f"the {name} strategy has {len(strategy)} probabilities for {len(labels)} labels"
        )
    if min(strategy) < 0 or sum(strategy) != 1:
        raise NotProvedError(f"the {name} strategy is not a probability vector")
    played = [(k, chance) for k, chance in enumerate(strategy) if chance]
    gains = [sign * (sum(line[k] * chance for k, chance in played) - value) for line in lines]
    if min(gains) < 0:
        raise NotProvedError(f"the {name} strategy does not secure the value")
    return [reply for reply, gain in enumerate(gains) if gain == 0]


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
        played: those that he plays.
        others: the other player's best replies to his strategy.
        opposed: those that the other one plays.
    """
    equations = [[mpq(1)] * len(replies), *([gains[k][l] for k in replies] for l in opposed)]
    if _rank_modulo_a_prime(equations) == len(replies):
        return True
    if len(replies) > MOST_REPLIES:
        return None
    directions = _kernel(equations)
    bounds = [
        [direction[at] for direction in directions]
        for at, k in enumerate(replies)
        if k not in played
    ]
    bounds += [
        [
            sum(step * gains[k][l] for step, k in zip(direction, replies, strict=True))
            for direction in directions
        ]
        for l in others
        if l not in opposed
    ]
    return len(_echelon(bounds)[1]) == len(directions) and _is_balanced(bounds)


def _rank_modulo_a_prime(matrix: list[list[mpq]]) -> int:
    """Return the rank modulo a prime that divides no denominator."""
    denominators, prime = lcm(*(int(x.denominator) for line in matrix for x in line)), MODULUS_FROM
    while denominators % (prime := int(next_prime(prime))) == 0:
        pass
    lines = [
        [int(x.numerator * invert(x.denominator, prime)) % prime for x in line] for line in matrix
    ]
    rank = 0
    for k in range(len(matrix[0])):
        pivot = next((i for i in range(rank, len(lines)) if lines[i][k]), None)
        if pivot is None:
            continue
        lines[rank], lines[pivot] = lines[pivot], lines[rank]
        inverse = pow(lines[rank][k], -1, prime)
        for i in range(rank + 1, len(lines)):
            factor = lines[i][k] * inverse % prime
            if factor:
                pairs = zip(lines[i], lines[rank], strict=True)
                lines[i] = [(a - factor * b) % prime for a, b in pairs]
        rank += 1
    return rank


def _echelon(matrix: list[list[mpq]]) -> tuple[list[list[mpq]], list[int]]:
    """Return the reduced echelon form without its zeros, and the columns of its pivots."""
    lines, pivots = [list(line) for line in matrix], list[int]()
    for k in range(len(matrix[0]) if matrix else 0):
        at = len(pivots)
        pivot = next((i for i in range(at, len(lines)) if lines[i][k]), None)
        if pivot is not None:
            lines[at], lines[pivot] = lines[pivot], lines[at]
            _eliminate(lines, at, k)
            pivots.append(k)
    return lines[: len(pivots)], pivots


def _eliminate(lines: list[list[mpq]], at: int, k: int) -> None:
    """Bring column k to 1 in one line and to 0 in the others."""
    lines[at] = [entry / lines[at][k] for entry in lines[at]]
    for i, line in enumerate(lines):
        if i != at and line[k]:
            lines[i] = [a - line[k] * b for a, b in zip(line, lines[at], strict=True)]


def _kernel(matrix: list[list[mpq]]) -> list[list[mpq]]:
    """Return a basis of the vectors that a matrix takes to 0."""
    lines, pivots = _echelon(matrix)
    found = []
    for free in set(range(len(matrix[0]))) - set(pivots):
        vector = [mpq(0)] * len(matrix[0])
        vector[free] = mpq(1)
        for line, pivot in zip(lines, pivots, strict=True):
            vector[pivot] = -line[free]
        found.append(vector)
    return found


def _is_balanced(lines: list[list[mpq]]) -> bool:
    """Tell if a sum of the lines with positive weights is 0: by the simplex with Bland's rule.

    The weights are 1 + w with w ≥ 0, the equations Σ w·line = −Σ line, and what they lack is brought to 0.
    """
    equations = [[*column, -sum(column)] for column in zip(*lines, strict=True)]
    table = [line if line[-1] >= 0 else [-entry for entry in line] for line in equations]
    basis = [len(lines) + c for c in range(len(table))]
    while True:
        short = [
            line for line, variable in zip(table, basis, strict=True) if variable >= len(lines)
        ]
        lack = [sum(column) for column in zip(*short, strict=True)] or [mpq(0)]
        if lack[-1] == 0:
            return True
        entering = next((w for w in range(len(lines)) if lack[w] > 0), None)
        if entering is None:
            return False
        _, _, at = min(
            (line[-1] / line[entering], basis[c], c)
            for c, line in enumerate(table)
            if line[entering] > 0
        )
        _eliminate(table, at, entering)
        basis[at] = entering


class _Held(NamedTuple):
    """What the opponent of a player who replies best may hold and know."""

    chance: mpq
    hand: tuple[int, ...]
    known: str
    margin: int  # of the player who replies
    pot: int


def _check_hidden_bids(document: Mapping[str, Any]) -> Report:
    """Prove that the best replies to the strategies have the value, or the bounds that are claimed."""
    n, rules, seen = document["n"], document["rules"], document["seen"]
    if n > MOST_HIDDEN_CARDS:
        raise ValueError(f"n must be from 2 to {MOST_HIDDEN_CARDS}, got {n}")
    hand = tuple(range(1, n + 1))
    order = order_of(rules, hand)
    report = Report()
    bounds = ("least", "most") if "least" in document else ("value", "value")
    for name, bound, sign in zip(("row", "column"), bounds, (1, -1), strict=True):
        strategy = {
            at: {int(bid): parse_exact(chance) for bid, chance in bids.items()}
            for at, bids in document[name].items()
        }
        claim, sees = parse_exact(document[bound]), seen if name == "row" else seen[::-1]
        side = _Side(strategy, rules, *sees)
        try:
            best = side.reply(hand, order or hand, [_Held(mpq(1), hand, "", 0, 0)])
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
    """A player's strategy, to which the other one replies."""

    strategy: Mapping[str, Mapping[int, mpq]]  # {information set: {bid: probability}}
    rules: Mapping[str, Any]
    sees: bool  # the player sees the other one's bids
    seen: bool  # the other one sees the player's
    reached: set[str] = field(default_factory=set)  # the information sets that replies lead to

    def reply(self, hand: tuple[int, ...], prizes: tuple[int, ...], beliefs: list[_Held]) -> mpq:
        """Return what a best reply gains from here on, times the chance to be here.

        `hand` is that of the player who replies.
        """
        if not hand:
            if self.rules["objective"] == "points":
                return sum(held.chance * held.margin for held in beliefs)
            return sum(held.chance * ((held.margin > 0) - (held.margin < 0)) for held in beliefs)
        draws = prizes if self.rules["prizes"] == "random" else prizes[:1]
        total = mpq(0)
        for prize in draws:
            rest = tuple(each for each in prizes if each != prize)
            gains = []
            for bid in hand:
                noticed: dict[tuple[int, int], list[_Held]] = {}
                for held in beliefs:
                    stake = prize + held.pot
                    for other, chance in self._chances(f"{held.known}{prize}", held.hand).items():
                        won = (bid > other) - (bid < other)
                        noted = (
                            f"{other}{'<=>'[1 - won]}{bid}"
                            if self.sees
                            else f"{other}{'-=+'[1 - won]}"
                        )
                        carried = stake if won == 0 and self.rules["ties"] == "carryover" else 0
                        after = _Held(
                            held.chance * chance / len(draws),
                            tuple(each for each in held.hand if each != other),
                            f"{held.known}{prize}:{noted} ",
                            held.margin + won * stake,
                            carried,
                        )
                        noticed.setdefault((won, other if self.seen else 0), []).append(after)
                left = tuple(each for each in hand if each != bid)
                gains.append(sum(self.reply(left, rest, found) for found in noticed.values()))
            total += max(gains)
        return total

    def _chances(self, name: str, hand: tuple[int, ...]) -> Mapping[int, mpq]:
        """Return the probabilities of the player's bids, which are proved to be some."""
        if len(hand) == 1:
            return {hand[0]: mpq(1)}
        chances = self.strategy.get(name)
        if chances is None:
            raise NotProvedError(f"{name} is reached, and has no probabilities")
        if not chances.keys() <= set(hand) or sum(chances.values()) != 1:
            raise NotProvedError(f"{name} has no probabilities of the cards {hand}")
        self.reached.add(name)
        return chances
