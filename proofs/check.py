"""Check a certificate of the Game of Pure Strategy, or a solved game tree: python proofs/check.py < FILE

docs/proofs.md defines the format, and says why these checks suffice. The program needs Python alone, and shares no
code with the package. A certificate that is wrong or incomplete is refused, with status 1. A game tree is a document
in JSON; of it the value and that both strategies guarantee it are checked.
"""

import json
import re
import sys
from fractions import Fraction
from functools import cache
from graphlib import TopologicalSorter
from operator import mul

INTEGERS, FRACTION = "-?[0-9]+(?:,-?[0-9]+)*", "-?[0-9]+(?:/[1-9][0-9]*)?"
LINE = re.compile(
    "gops-certificate 1 (?:points|win) (?:discard|carryover) (?:random|hidden|known)|end [0-9]+"
    f"|position {INTEGERS} {INTEGERS} {INTEGERS} -?[0-9]+ -?[0-9]+ {FRACTION}"
    f"|turn {FRACTION} {INTEGERS} {INTEGERS}(?: -?[0-9]+(?:;{INTEGERS})+)?"
)


def need(condition, reason):
    if not condition:
        raise ValueError(reason)


def integers(text):
    return tuple(map(int, text.split(",")))


def without(cards, card):
    return cards[: cards.index(card)] + cards[cards.index(card) + 1 :]


def ranked(one, two):
    """Return hands with the ranks of their cards among the cards of both: only those matter."""
    rank = {card: rank for rank, card in enumerate(sorted({*one, *two}), 1)}
    return tuple(rank[card] for card in one), tuple(rank[card] for card in two)


def mirrored(table):
    """Return a table as the other player sees it."""
    return [[-cell for cell in column] for column in zip(*table, strict=True)]


def check_side(payoff, mine, other, value, only):
    """Check that weights guarantee the value and, with the numbers `only`, that no other strategy does."""
    total, gains = sum(mine), [sum(map(mul, mine, column)) for column in zip(*payoff, strict=True)]
    need(len(mine) == len(payoff) and min(mine) >= 0 < total, "weights that are none")
    need(min(gains) >= value * total, "a strategy that does not guarantee the value")
    for k, row in enumerate(payoff if only else ()):
        need(not any(x and not y for x, y in zip(only[k], other, strict=True)), "an idle number")
        for i, weight in enumerate(mine):
            equation = total * sum(map(mul, only[i], (gain - value for gain in row)))
            tight = sum(map(mul, row, other)) == value * sum(other)
            need(not tight or equation == total * (i == k) - weight, "more than one strategy")


def check(text):
    """Return the rules and the last position: both hands, the prizes, margin, pot, and what it is worth."""
    lines = text.removesuffix("\n").split("\n")
    need(all(map(LINE.fullmatch, lines)), "a line of another form")
    (*head, objective, ties, order), *lines, end = map(str.split, lines)
    win, carry = objective == "win", ties == "carryover"
    worth, last = {}, []

    def gain(bid, reply, turn):
        """Return what a round pays and the position after it is worth, in the mean over the prizes."""
        total, winner = Fraction(0), (bid > reply) - (bid < reply)
        for left, stake in ((without(prizes, prize), prize + pot) for prize in turn):
            ahead, over = (margin + winner * stake) * win, stake * carry * (winner == 0)
            place = *ranked(without(one, bid), without(two, reply)), left, ahead, over
            decided = not left or abs(ahead) > sum(left) + over
            total += (ahead > 0) - (ahead < 0) if decided else worth[place]
            total += winner * stake * (1 - win)
        return total / len(turn)

    while lines:
        kind, *last = lines.pop(0)
        one, two, prizes, (margin,), (pot,) = map(integers, last[:-1])
        sizes = {len(cards) for cards in (one, {*one}, two, {*two}, prizes)}
        need(kind == "position" and len(sizes) == 1 and min(*prizes, pot) >= 0, "no position")
        turns = {"random": [[p] for p in prizes], "hidden": [prizes], "known": [prizes[:1]]}[order]
        value = lacking = Fraction(last[-1])
        for turn in turns:
            kind, level, row, column, *only = lines.pop(0)
            (d,), *numbers = map(integers, only[0].split(";")) if only else [(1,)]
            c = [[Fraction(number, d) for number in line] for line in numbers]
            v, x, y = Fraction(level), integers(row), integers(column)
            payoff = [[gain(bid, reply, turn) for reply in two] for bid in one]
            need(kind == "turn", "a turn without a line")
            check_side(payoff, x, y, v, c)
            check_side(mirrored(payoff), y, x, -v, mirrored(c))
            lacking -= v / len(turns)
        need(lacking == 0, "a position that is not worth the mean of its turns")
        worth[one, two, prizes, margin, pot] = value
        worth[two, one, prizes, -margin, pot] = -value  # the same from the other side
    count = text.count("position")
    need(count and [*head, *end] == f"gops-certificate 1 end {count}".split(), "a missing part")
    return " ".join([objective, ties, order, *last])


STAY = ()  # no move of a document


def table(state, node):
    """Return both players' moves at a node, [STAY] for one who has none, their information sets and the next states."""
    name = node.get("knows", str(state))
    if "player" not in node:
        names = name if isinstance(name, list) else [name, name]
        return (node["rows"], node["columns"]), names, node["after"]
    labels, states = [*node["moves"]], [*node["moves"].values()]
    if node["player"] == 1:
        return (labels, [STAY]), [name, name], [[after] for after in states]
    need(node["player"] == 2, "a player who is none")
    return ([STAY], labels), [name, name], [states]


def distribution(chances):
    """Return probabilities as fractions, after a check."""
    shares = [Fraction(chance) for chance in chances]
    need(min(shares) >= 0 and sum(shares) == 1, "probabilities that are none")
    return shares


def best_reply(draws, tables, payoffs, strategy, own):
    """Return what player one expects if the player with the index `own` plays a strategy and the other replies best."""

    @cache
    def best(belief):
        """Return it from states on that the other player cannot tell apart: pairs (state, weight)."""
        ends, waiting, sets = Fraction(0), [*belief], {}
        while waiting:
            state, weight = waiting.pop()
            if state in payoffs:
                ends += weight * payoffs[state]
            for share, after in draws.get(state, ()):
                waiting.append((after, weight * share))
            if state not in tables:
                continue
            labels, names, later = tables[state]
            moves, replies = labels[own], labels[1 - own]
            mix = {moves[0]: 1}
            if moves != [STAY] and (len(moves) > 1 or names[own] in strategy):
                mix = strategy[names[own]]
            need(mix.keys() <= {*moves}, "a move that is none")
            shares = distribution(mix.get(move, 0) for move in moves)
            known = {STAY: waiting}
            if replies != [STAY]:
                known = sets.setdefault(names[1 - own], {reply: [] for reply in replies})
                need(known.keys() == {*replies}, "a set whose states have different moves")
            for share, line in zip(shares, zip(*later, strict=True) if own else later, strict=True):
                for reply, after in zip(replies, line, strict=True):
                    if share:
                        known[reply].append((after, weight * share))
        extreme = max if own else min
        return ends + sum(extreme(map(from_belief, known.values())) for known in sets.values())

    def from_belief(pairs):
        """Return `best` of pairs; of a single state, times its weight, so that states that are shared are computed once."""
        if len(pairs) == 1:
            ((state, weight),) = pairs
            return weight * best(((state, Fraction(1)),))
        return best(tuple(pairs))

    return best(((0, Fraction(1)),))


def check_tree(text):
    """Return the title and the value of a game tree, of which a document in JSON has an equilibrium."""
    document = json.loads(text)
    need(document["document"] == "game tree", "another document")
    draws, tables, payoffs, later, named = {}, {}, {}, {}, set()
    for state, node in enumerate(document["nodes"]):
        if isinstance(node, str):
            payoffs[state], later[state] = Fraction(node), []
        elif "chance" in node:
            shares = distribution(draw["probability"] for draw in node["chance"])
            later[state] = [draw["state"] for draw in node["chance"]]
            draws[state] = [*zip(shares, later[state], strict=True)]
        else:
            labels, _, lines = tables[state] = table(state, node)
            sizes = {len(line) for line in lines}
            need(sizes == {len(labels[1])} and len(lines) == len(labels[0]), "a table with gaps")
            need(all(len({*part}) == len(part) for part in labels), "a move named twice")
            later[state] = [after for line in lines for after in line]
            named.add("knows" in node)
        need(all(0 <= after < len(document["nodes"]) for after in later[state]), "no such state")
    need(len(named) < 2, "a state without an information set")
    TopologicalSorter(later).prepare()  # refuses states that come back to themselves
    for own, side in enumerate(("row", "column")):
        worth = best_reply(draws, tables, payoffs, document[side], own)
        need(
            worth == Fraction(document["value"]),
            f"a {side} strategy that does not guarantee the value",
        )
    return f"game tree {document['title']} {document['value']}"


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(
            "expected a certificate or a document on standard input: python proofs/check.py < FILE"
        )
    sys.set_int_max_str_digits(0)  # numbers may have more digits than Python reads by default
    try:
        text = sys.stdin.read()
        print(f"proved: {(check_tree if text.startswith('{') else check)(text)}")
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        sys.exit(f"refused: {error}")
