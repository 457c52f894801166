"""The guarantees of one player against two, beside a recursion that shares no code with their script."""

import csv
from fractions import Fraction
from itertools import product

import pytest
from oracle import matrix_value
from places import ROOT

with (ROOT / "results/players/three_players.csv").open(encoding="ascii") as file:
    KEPT = {(row["n"], row["counts"], row["upcard"]): row for row in csv.DictReader(file)}


def guarantee(hands, prizes, counts, upcard=None):
    """Player one's value against the two others, who bid together."""
    if not prizes:
        return Fraction(0)
    upcards = prizes if upcard is None else [upcard]
    values = []
    for prize in upcards:
        rows = []
        for bid in sorted(hands[0]):
            row = []
            for two, three in product(hands[1], hands[2]):
                top = max(bid, two, three)
                winners = [k for k, card in enumerate((bid, two, three)) if card == top]
                gain = Fraction(0)
                if winners == [0]:
                    gain = Fraction(prize)
                elif len(winners) == 1 and counts == "lead":
                    gain = -Fraction(prize, 2)
                left = [hand - {card} for hand, card in zip(hands, (bid, two, three), strict=True)]
                row.append(gain + guarantee(left, [p for p in prizes if p != prize], counts))
            rows.append(row)
        values.append(matrix_value(rows))
    return sum(values) / len(values)


@pytest.mark.parametrize("counts", ["points", "lead"])
@pytest.mark.parametrize("n", [2, 3])
def test_what_one_is_sure_of_against_two(n, counts):
    cards = range(1, n + 1)
    start = [set(cards)] * 3
    for upcard in (None, *cards):
        row = KEPT[str(n), counts, "all" if upcard is None else str(upcard)]
        assert Fraction(row["value"]) == guarantee(start, [*cards], counts, upcard)
        assert abs(float(row["decimal"]) - float(Fraction(row["value"]))) < 1e-6
        bids = [Fraction(bid) for bid in row["bids"].split()]
        assert upcard is None or (len(bids) == n and sum(bids) == 1 and min(bids) >= 0)
