"""Order types, counted against tables made by tests/data/make_counts.py and against published totals."""

import csv
from math import comb

import pytest
from places import DATA

from gops_exact.game.order_types import order_types

with (DATA / "counts.csv").open(encoding="utf-8") as lines:
    COUNTS = [{name: int(text) for name, text in row.items()} for row in csv.DictReader(lines)]


@pytest.mark.parametrize("n", range(2, 10))
def test_counts(n):
    deck = range(1, n + 1)
    layers = order_types(deck, deck)
    full = order_types(deck, deck, symmetry=False)
    rows = [row for row in COUNTS if row["n"] == n]
    assert [row["size"] for row in rows] == list(range(1, n))
    for row in rows:
        size = row["size"]
        assert len(full[size]) == row["order_types"], row
        assert len(layers[size]) == row["stored_pairs"], row
        assert len(layers[size]) * comb(n, size) == row["values"], row
