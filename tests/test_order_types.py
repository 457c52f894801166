"""Order types: counted, and compared with hands taken apart by hand."""

import csv
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from gops_exact.game.order_types import all_pairs, order_types, pair_count, scan, word

COUNTS = Path(__file__).parent / "data" / "counts.csv"


def counts():
    with COUNTS.open(encoding="utf-8") as lines:
        return [{name: int(text) for name, text in row.items()} for row in csv.DictReader(lines)]


def plain_word(one, two):
    letters = {(True, False): "V", (False, True): "Y", (True, True): "B"}
    return "".join(letters[c in one, c in two] for c in sorted({*one, *two}))


def mirrored(text):
    return text.translate(str.maketrans("VY", "YV"))


@pytest.mark.parametrize("n", range(2, 10))
def test_counts(n):
    deck = range(1, n + 1)
    layers = order_types(deck, deck)
    full = order_types(deck, deck, symmetry=False)
    rows = [row for row in counts() if row["n"] == n]
    assert [row["size"] for row in rows] == list(range(1, n))
    for row in rows:
        size = row["size"]
        assert len(full[size]) == row["order_types"], row
        assert len(layers[size]) == row["stored_pairs"], row
        assert len(layers[size]) * comb(n, size) == row["values"], row


def test_published_totals():
    # The table of values kept and games for seven and ten cards.
    for n, values, games in [(7, 8_260, 34_496), (10, 1_136_332, 6_888_580)]:
        rows = [row for row in counts() if row["n"] == n]
        assert sum(row["values"] for row in rows) == values
        assert sum(row["games"] for row in rows) == games


@pytest.mark.parametrize("n", [3, 8])
def test_types_of_a_smaller_game_come_first(n):
    smaller = order_types(range(1, n), range(1, n))
    larger = order_types(range(1, n + 1), range(1, n + 1))
    for size in range(n - 1):
        words = larger[size].words()
        assert words[: len(smaller[size])] == smaller[size].words()
        assert [len(text) for text in words] == sorted(len(text) for text in words)


@pytest.mark.parametrize("reductions", [(True, True), (True, False), (False, False)])
@pytest.mark.parametrize("hands", [((1, 2, 3, 4), (1, 2, 3, 4)), ((1, 4, 6), (2, 3, 4))])
def test_children_and_signs(hands, reductions):
    canonical, symmetry = reductions
    types = order_types(*hands, canonical=canonical, symmetry=symmetry)
    for size in range(1, len(hands[0]) + 1):
        layer, below = types[size], types[size - 1]
        words = below.words()
        for h in range(len(layer)):
            one, two = list(scan(int(layer.one[h]))), list(scan(int(layer.two[h])))
            for i, v in enumerate(one):
                for j, y in enumerate(two):
                    assert layer.sign[h, i, j] == (v > y) - (v < y)
                    rest = [c for c in one if c != v], [c for c in two if c != y]
                    reference = int(layer.child[h, i, j])
                    if reference == 0:
                        assert rest[0] == rest[1]
                    elif canonical:
                        found = words[abs(reference) - 1]
                        assert plain_word(*rest) == (found if reference > 0 else mirrored(found))
                    else:
                        place = reference - 1
                        assert list(scan(int(below.one[place]))) == rest[0]
                        assert list(scan(int(below.two[place]))) == rest[1]


def test_interchangeable_bids():
    merged = 0
    for layer in order_types(range(1, 8), range(1, 8))[1:]:
        for h in range(len(layer)):
            one, two = list(scan(int(layer.one[h]))), list(scan(int(layer.two[h])))
            for i in range(1, layer.size):
                # The rule: nothing of player two's from the lower card up to the higher.
                assert layer.row_kept[h, i] == any(one[i - 1] <= c <= one[i] for c in two)
                assert layer.column_kept[h, i] == any(two[i - 1] <= c <= two[i] for c in one)
                if not layer.row_kept[h, i]:
                    # What it promises: the same gains and the same successors.
                    merged += 1
                    assert (layer.sign[h, i] == layer.sign[h, i - 1]).all()
                    assert (layer.child[h, i] == layer.child[h, i - 1]).all()
    assert merged > 50


@pytest.mark.parametrize("size", range(1, 6))
def test_all_pairs_are_the_layer_of_a_game_large_enough(size):
    deck = range(1, 2 * size + 1)
    layer = order_types(deck, deck)[size]
    for length, place in layer.lengths.items():
        pairs = list(zip(layer.one[place].tolist(), layer.two[place].tolist(), strict=True))
        assert pairs == all_pairs(size, length)
        assert len(pairs) == pair_count(size, length)


def test_words():
    hands = list(combinations(range(1, 6), 3))
    for one in hands:
        for two in hands:
            masks = [sum(1 << (c - 1) for c in hand) for hand in (one, two)]
            assert word(*masks) == plain_word(one, two)


def test_hands_that_do_not_fit():
    with pytest.raises(ValueError, match="distinct cards must be at most 28, got 30"):
        order_types(range(1, 16), range(16, 31))
    with pytest.raises(ValueError, match="the highest card must be at most 28, got 40"):
        order_types([40], [1], canonical=False)
    assert len(order_types([40], [1])[-1]) == 1
