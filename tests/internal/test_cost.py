"""The cost of a run, foretold: counts against the recursion and against tests/data/make_counts.py, refusals, lengths in order."""

from contextlib import suppress
from math import comb
from types import SimpleNamespace

import pytest
from project_paths import DATA, table
from recursions import EVERY_RULE

import gops_exact as gx
from gops_exact.game.game import PrizeState, stage_games
from gops_exact.game.order_types import counts, order_types
from gops_exact.solvers import cost
from gops_exact.solvers.cost import check_cost, estimate_cost
from gops_exact.solvers.exact.value_tables import missing

ALL_AT_ONCE = gx.Rules("win", "carryover", (2, 4, 1, 3))


@pytest.mark.parametrize("rules", [*EVERY_RULE, ALL_AT_ONCE], ids=str)
def test_estimated_counts_of_values_and_games_equal_those_of_the_recursion(rules):
    """Two ways to list the undecided states: from above by the rules, and as the prize states on which games depend."""
    game = gx.Game(4, rules)
    listed = {
        PrizeState(left, state)
        for left, states in rules.states(game.prizes).items()
        for state in states
        if left and left != game.prizes
    }
    states = list(missing(game.stage_games.values(), rules, ()))
    assert set(states) == listed and len(states) == len(listed)
    assert [len(state.prizes) for state in states] == sorted(len(state.prizes) for state in states)
    pairs = [len(game.types[len(state.prizes)]) for state in states]
    solved = sum(
        count * len(stage_games(rules, state)) for state, count in zip(states, pairs, strict=True)
    )
    assert counts(4, rules) == (sum(pairs), len(game.stage_games) + solved)


@pytest.mark.parametrize(
    ("n", "games", "others"),
    [
        (8, "about 200 thousand", "arithmetic='ball' or 'float' would do"),
        (9, "at least 1.2 million", "arithmetic='ball' or 'float' would do"),
        (13, "at least 1.3 billion", "arithmetic='float' would do"),
        (28, "at least", "no arithmetic takes less"),
    ],
)
def test_refusal_of_long_exact_first_moves_states_their_cost_and_which_arithmetics_would_do(
    n, games, others
):
    message = (
        rf"at most 7 .* \(--force, force=True\), got {n}: {games}.* games, .* digits .*; {others}"
    )
    with pytest.raises(ValueError, match=message):
        check_cost(gx.Game(n), gx.Exact())
    check_cost(gx.Game(n), gx.Exact(), force=True)
    with pytest.raises(ValueError, match="n must be at most 28, got 29"):
        check_cost(gx.Game(29), gx.Exact(), force=True)


def is_let_through(kind, n, rules):
    with suppress(ValueError):
        return bool(check_cost(gx.Game(n, rules), kind))
    return False


@pytest.mark.parametrize("rules", EVERY_RULE[1:], ids=str)
def test_most_cards_allowed_in_exact_numbers_are_estimated_below_half_an_hour(rules):
    with pytest.raises(ValueError, match=rf"at most \d .* with {rules} unless .*, got 12") as told:
        check_cost(gx.Game(12, rules), gx.Exact())
    most = int(str(told.value).split()[5])
    assert most >= 6 and is_let_through(gx.Exact(), most, rules)
    assert not is_let_through(gx.Exact(), most + 1, rules)
    assert estimate_cost(gx.Game(most, rules), gx.Exact()).seconds < 1800
    listed = gx.Rules(rules.objective, rules.ties, (2, 1, *range(3, 17)))
    assert is_let_through(gx.Ball(), 7, rules) and not is_let_through(gx.Ball(), 16, listed)
    assert not is_let_through(gx.Ball(), 12, rules) or rules.fixed


def test_float_first_moves_are_refused_where_the_disk_is_too_small(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="must take at most .* in .*new unless forced"):
        check_cost(gx.Game(18), gx.Float(tmp_path / "new", memory_bytes=10**13), jobs=2)
    assert check_cost(gx.Game(20), gx.Float(), jobs=1, force=True).games > 10**12
    assert estimate_cost(gx.Game(14), gx.Float()).games == 7_734_315_162
    monkeypatch.setattr(cost.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    message = "must take at most 0 bytes in .*; arithmetic='exact' or 'ball' would do"
    with pytest.raises(ValueError, match=message):
        gx.first_move(5, gx.Float(tmp_path))
    (tmp_path / "old.values").write_bytes(bytes(10**6))  # layers there are reused or deleted
    gx.first_move(5, gx.Float(tmp_path))


COUNTS = [{name: int(text) for name, text in row.items()} for row in table(DATA / "counts.csv")]


@pytest.mark.parametrize("n", range(2, 10))
def test_numbers_of_ways_in_which_hands_interleave_equal_those_of_a_plain_count(n):
    deck = range(1, n + 1)
    layers = order_types(deck, deck)
    with_equal = order_types(deck, deck, equal=True)
    rows = [row for row in COUNTS if row["n"] == n]
    assert [row["size"] for row in rows] == list(range(1, n))
    for row in rows:
        size = row["size"]
        assert 2 * len(with_equal[size]) - 1 == row["order_types"], row
        assert len(layers[size]) == row["stored_pairs"], row
        assert len(layers[size]) * comb(n, size) == row["values"], row
