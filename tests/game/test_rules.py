"""Rule sets: their states, what a store keeps apart, what is printed and read back, refusals."""

import json

import pytest
from emitted import READ_BACK, read_back
from recursions import EVERY_RULE, deck, types_of

import gops_exact as gx
from gops_exact.commands import cli
from gops_exact.game.game import Game, Node, turns
from gops_exact.game.order_types import counts, pairs_kept
from gops_exact.game.rules import Rules
from gops_exact.solvers.arithmetic import Ball, Exact
from gops_exact.solvers.cost import check_cost, estimate_cost
from gops_exact.solvers.exact.by_prizes import openings
from gops_exact.solvers.exact.lattice import missing
from gops_exact.solvers.exact.rational import ExactSystem
from gops_exact.solvers.formats import FORMATS_OF, emit
from gops_exact.solvers.store import DiskStore, StoreLocation

ALL_AT_ONCE = Rules("win", "carryover", (2, 4, 1, 3))


@pytest.fixture(autouse=True)
def _no_store(monkeypatch):
    monkeypatch.setenv("GOPS_EXACT_STORE", ":memory:")


# States


@pytest.mark.parametrize("rules", [*EVERY_RULE, ALL_AT_ONCE], ids=str)
def test_the_nodes_are_the_undecided_states(rules):
    """Two ways to list them: from above by the rules, and as the slabs that games look at."""
    prizes = rules.arranged(deck(4))
    listed = {
        Node(left, state)
        for left, states in rules.states(prizes).items()
        for state in states
        if left and left != prizes
    }
    nodes = list(missing(turns(rules, Node(prizes)), rules, ()))
    assert set(nodes) == listed
    assert len(nodes) == len(listed)
    assert [len(node.prizes) for node in nodes] == sorted(len(node.prizes) for node in nodes)


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_counts_are_those_of_the_recursion(rules, n):
    types = types_of(n, rules)
    games = turns(rules, Node(rules.arranged(deck(n))))
    nodes = [(node, len(types[len(node.prizes)])) for node in missing(games, rules, ())]
    values = sum(pairs for _, pairs in nodes)
    solved = sum(pairs * len(turns(rules, node)) for node, pairs in nodes)
    assert counts(n, rules) == (values, len(games) + solved)


# The store


def test_a_store_keeps_rule_sets_apart(tmp_path):
    place = StoreLocation(tmp_path / "store.sqlite")
    rules = [*EVERY_RULE, Rules("win", "carryover", (3, 4, 2, 1)), ALL_AT_ONCE]
    games = [Game(4, each) for each in rules]
    alone = [openings(game, game.upcards, ExactSystem(), StoreLocation(None)) for game in games]
    sizes = set()
    for _ in range(2):  # computed, then read
        for game, expected in zip(games, alone, strict=True):
            assert openings(game, game.upcards, ExactSystem(), place) == expected
        with DiskStore(place.path, read_only=True) as store:
            sizes.add(len(store.sizes()))
            assert list(store.check()) == []
    assert len(sizes) == 1


# Text


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_every_format_under_every_rule(rules):
    moves = gx.first_move(3, rules=rules)
    exact = {upcard: dict(column) for upcard, column in moves.items()}
    for fmt in READ_BACK:
        assert read_back(fmt, "".join(emit(moves, fmt))) == exact
    again = json.loads("".join(emit(moves, "json")))
    assert Rules(**again["rules"]) == rules
    assert [c["unique"] for c in again["columns"]] == [c.unique for c in moves.values()]
    for fmt in set(FORMATS_OF["exact"]) - {*READ_BACK}:
        assert "".join(emit(moves, fmt)).isascii()
    assert str(rules) in "".join(emit(moves, "decimals"))
    for kind in ("ball", "residue"):
        document = json.loads("".join(emit(gx.first_move(3, kind, rules=rules), "json")))
        assert Rules(**document["rules"]) == rules
        assert [column["upcard"] for column in document["columns"]] == list(exact)


def test_frames_and_tables_of_hidden_prizes():
    moves = gx.first_move(3, rules=Rules(prizes="hidden"))
    assert sum(moves[None].values()) == 1
    assert list(moves.table().floats().columns) == ["hidden"]
    with pytest.raises(KeyError, match="must be None, as prizes are hidden, got 'hidden'"):
        moves["hidden"]
    assert moves.to_frame().loc[("hidden", 2), "float"] == pytest.approx(
        float(moves[None][2].p) / 3
    )
    assert "hidden" in moves._repr_html_() and r"\text{hidden}" in moves._repr_latex_()


def test_a_position_says_what_it_is():
    rules = Rules("win", "carryover", "hidden")
    position = gx.Position([1, 3], [2, 3], [1, 2], rules=rules, margin=-1, pot=2)
    shown = gx.solve(position)
    assert shown.position == position
    assert (
        "1 3 against 2 3 for one of 1 2, margin -1, pot 2, objective win, ties carryover, "
        "prizes hidden: value" in shown._repr_html_()
    )


def test_growth_under_other_rules(tmp_path):
    rules, store = Rules("win"), tmp_path / "store.sqlite"
    gx.first_move(4, rules=rules, store=store)
    states = rules.states(deck(4))
    of_one = sum(len(found) for prizes, found in states.items() if len(prizes) == 1)
    # One card a side: the same card, or player one's the lower.
    assert gx.growth(4, rules=rules, store=store)[0].numbers == 2 * of_one
    with pytest.raises(ValueError, match="the store must hold the values of the game of 4 cards"):
        gx.growth(4, store=store)


# Refusals


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": Rules(prizes="hidden"), "upcard": 1}, "left out where prizes are hidden, got 1"),
        ({}, r"must be one of the prizes 1, 2, got None: turn one up with position.at\(1\)"),
        ({"rules": Rules(prizes="descending")}, r"in order, got None: turn one up .*\.at\(2\)"),
        ({"upcard": 1, "margin": 2}, "margin must be 0 where points are played for, got 2"),
        ({"rules": Rules(prizes="descending"), "upcard": 1}, "must be 2, the first of the prizes"),
        ({"rules": Rules(prizes=(3, 1))}, "of 3,1 in order must be the last 2, got 1, 2"),
        ({"upcard": 1, "pot": 1}, "pot must be 0 where ties are discarded, got 1"),
        ({"rules": Rules(ties="carryover"), "upcard": 1, "pot": -1}, "pot must be at least 0"),
        ({"rules": Rules("win"), "upcard": 1, "margin": 0.5}, "margin must be an integer, got 0.5"),
    ],
)
def test_positions_that_are_none(arguments, message):
    with pytest.raises(ValueError, match=message):
        gx.solve(gx.Position([1, 2], [1, 2], [1, 2], **arguments))


@pytest.mark.parametrize("rules", EVERY_RULE[1:], ids=str)
def test_what_takes_hours_is_refused(rules):
    most = next(n for n in range(12, 0, -1) if _let_through(Exact(), n, rules))
    assert 6 <= most < 12
    with pytest.raises(
        ValueError, match=rf"at most {most} .* with {rules} unless forced .*, got 12"
    ):
        check_cost(gx.Game(12, rules), Exact())
    check_cost(gx.Game(12, rules), Exact(), force=True)
    assert estimate_cost(gx.Game(most, rules), gx.Exact()).seconds < 1800
    assert _let_through(Ball(), 7, rules)
    assert not _let_through(Ball(), 12, rules) or rules.fixed


def _let_through(kind, n, rules):
    try:
        check_cost(gx.Game(n, rules), kind)
    except ValueError:
        return False
    return True


def test_counts_beyond_those_listed():
    """They go on as they grew, which is not far off."""
    rules = Rules(ties="carryover")
    exactly = sum(
        len(states) * pairs_kept(9, len(prizes), rules)
        for prizes, states in rules.states(deck(9)).items()
        if len(prizes) < 9
    )
    assert exactly < counts(9, rules)[0] < 1.1 * exactly


@pytest.mark.parametrize(
    "rules", [Rules(), Rules("win"), Rules(ties="carryover", prizes="hidden"), ALL_AT_ONCE], ids=str
)
def test_floats_are_printed_and_verified(rules, tmp_path, capsys):
    order = rules.prizes if isinstance(rules.prizes, str) else ",".join(map(str, rules.prizes))
    named = ["--objective", rules.objective, "--ties", rules.ties, "--prizes", order]
    game = Game(4 if rules == ALL_AT_ONCE else 3, rules)
    words = ["--n", str(game.n), "--arithmetic", "float", *named]
    upcards = ["hidden" if upcard is None else str(upcard) for upcard in game.upcards]
    assert cli.main(words) == 0
    title, _, _, heads, *_ = capsys.readouterr().out.splitlines()
    assert str(rules) in title
    assert heads.split() == upcards
    kind = "csv" if rules.carries else "json"
    file = str(tmp_path / f"floats.{kind}")
    assert cli.main([*words, "--emit", kind, "--out", file]) == 0
    assert cli.main(["verify", file, *(named if kind == "csv" else [])]) == 0
    assert f"{len(upcards)} first moves of n = {game.n}, float, right" in capsys.readouterr().out


def test_a_table_of_floats_is_of_the_rules_named(tmp_path, capsys):
    file = tmp_path / "floats.csv"
    words = ["--n", "4", "--arithmetic", "float", "--objective", "win", "--emit", "csv"]
    assert cli.main([*words, "--out", str(file)]) == 0
    assert cli.main(["verify", str(file)]) == 1
    assert "upcard 3: card 1 is not within its radius" in capsys.readouterr().out
    assert cli.main(["verify", str(file), "--prizes", "hidden"]) == 2
    assert "for every card at every upcard" in capsys.readouterr().err
    assert cli.main(["verify", "--objective", "win"]) == 2
    assert (
        "--objective, --ties, --prizes and --deck go with csv files, which do not name their rules; got none"
        in capsys.readouterr().err
    )
