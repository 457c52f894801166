"""Check a certificate of the Game of Pure Strategy: python proofs/check.py < FILE

docs/proofs.md defines the format, and says why these checks suffice. The program needs Python alone, and shares no
code with the package. A certificate that is wrong or incomplete is refused, with status 1.
"""

import re
import sys
from fractions import Fraction
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


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit("expected a certificate on standard input: python proofs/check.py < FILE")
    sys.set_int_max_str_digits(0)  # numbers may have more digits than Python reads by default
    try:
        print(f"proved: {check(sys.stdin.read())}")
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        sys.exit(f"refused: {error}")
