"""Games whose prizes are not 1 … n, and prizes of 0."""

import json
import re
from fractions import Fraction

import pytest
from oracle import EVERY_RULE, extreme_strategies, fraction, is_optimal, position_solution
from places import PACKAGE

import gops_exact as gx
from gops_exact import players
from gops_exact.commands import cli
from gops_exact.extensive import HiddenBids
from gops_exact.solvers.floats.layer import columns_below
from gops_exact.solvers.store import MEMORY

FROM_ZERO = gx.Game(4, deck=range(4))
SCHEMA = json.loads((PACKAGE / "base/schemas/first-moves-1.json").read_text("utf-8"))


def game_of(deck, rules):
    """The game of a deck by rules of the oracle, its smallest prize last in a known order."""
    order = (*deck[1:], deck[0])
    prizes = order if rules.order == "fixed" else rules.order
    return gx.Game(len(deck), gx.Rules(rules.objective, rules.ties, prizes), deck), order


@pytest.mark.parametrize("rules", EVERY_RULE, ids="-".join)
@pytest.mark.parametrize(
    "deck", [(1,), (1, 2), (1, 2, 3), (0, 1, 2), (0, 0, 3), (0, 0, 0), (2, 5, 5)], ids=str
)
def test_first_moves_are_those_of_the_oracle(deck, rules):
    game, order = game_of(deck, rules)
    moves = gx.solver("exact", store=MEMORY).first_move(game)
    in_floats = gx.solver("float").first_move(game)
    upcards = {"random": sorted(set(deck)), "fixed": [order[0]], "hidden": [None]}[rules.order]
    assert list(moves) == list(in_floats) == upcards
    for upcard, column in moves.items():
        prizes = order if rules.order == "fixed" else deck
        _, payoffs = position_solution(game.hand, game.hand, prizes, upcard, **rules._asdict())
        bids = tuple(fraction(number.value) for number in column.values())
        assert is_optimal(payoffs, 0, bids, bids)
        assert column.unique == (extreme_strategies(payoffs)[0] == {bids})
        if in_floats[upcard].proved:
            for card, number in in_floats[upcard].items():
                off = Fraction(number.value) - fraction(column[card].value)
                assert abs(off) <= Fraction(number.radius)


@pytest.mark.parametrize("rules", EVERY_RULE, ids="-".join)
def test_counted_columns_are_those_that_are_listed(rules):
    """Of a set of prizes that are all 0 the sum is that of no prizes."""
    game, _ = game_of((0, 0, 2), rules)
    top = columns_below(game)
    assert top.widths() == [top.at(size).width for size in range(game.n)]
    for size in range(1, game.n):
        columns = top.at(size)
        listed = [columns.column(*node) for node in columns.nodes()]
        assert listed == list(range(columns.width))


@pytest.mark.parametrize("objective", ["points", "win"])
def test_four_prizes_from_0_have_a_pure_equilibrium_and_from_1_none(objective):
    """The prize's rank is bid."""
    pure = {}
    for least in (0, 1):
        prizes = range(least, least + 4)
        start = gx.Game(4, gx.Rules(objective), prizes).start
        matrices = {upcard: gx.payoff_matrix(start.at(upcard)) for upcard in prizes}
        pure[least] = [
            upcard - least + 1
            for upcard, matrix in matrices.items()
            if all(row[upcard - least] <= 0 for row in matrix)
        ]
    assert pure == {0: [1, 2, 3, 4], 1: [1, 4]}


def test_store_of_several_decks_is_proved(tmp_path, capsys):
    """First moves of games of as many cards stand side by side."""
    store = tmp_path / "store.sqlite"
    found = {
        deck: gx.solver(store=store).first_move(gx.Game(3, deck=deck))
        for deck in ((1, 2, 3), (0, 1, 2), (1, 2, 9))
    }
    assert cli.main(["verify", "--store", str(store)]) == 0
    assert "9 first moves" in capsys.readouterr().out
    for deck, moves in found.items():
        assert gx.solver(store=store).first_move(gx.Game(3, deck=deck)) == moves


@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", "carryover", (2, 0, 3, 2))], ids=str)
def test_a_folder_holds_layers_of_several_decks(tmp_path, rules, monkeypatch):
    games = [gx.Game(4, rules, (0, 2, 2, 3)), gx.Game(4), gx.Game(4, deck=(0, 1, 2, 3))]
    found = [gx.solver(gx.Float(tmp_path, keep=True)).first_move(game) for game in games]
    written = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert len(written) == 3 * 3 * 3, "values, journals and bounds of three layers"
    assert sum("-deck-" in path.name for path in written) == 2 * 3 * 3
    for game, moves in zip(games, found, strict=True):
        assert gx.solver("float").first_move(game).emit("json") == moves.emit("json")
        assert gx.solver(gx.Float(tmp_path)).first_move(game).emit("json") == moves.emit("json")
        at = game.start.at(game.upcards[-1])
        assert gx.solver(gx.Float(tmp_path), game).solve(at).value.value == pytest.approx(0)
    monkeypatch.setattr("builtins.input", lambda _prompt: "1")
    words = ["play", "-n", "4", "--deck", "0,1,2,3", "--bids", "4,3,2", "--seed", "1"]
    assert cli.main([*words, "--arithmetic", "float", "--folder", str(tmp_path)]) == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == written


def test_documents_name_the_deck_only_where_it_is_not_1_to_n():
    moves = gx.first_move(FROM_ZERO, store=MEMORY)
    assert json.loads(moves.emit("json"))["deck"] == [0, 1, 2, 3]
    assert "prizes random, deck 0,1,2,3)" in moves.emit("fractions")
    in_floats = gx.first_move(FROM_ZERO, "float")
    assert json.loads(in_floats.emit("json"))["deck"] == [0, 1, 2, 3]
    usual = gx.solver(store=MEMORY).first_move(gx.Game(4, deck=[4, 3, 2, 1]))
    assert usual.emit("json") == gx.first_move(4, store=MEMORY).emit("json")
    assert "deck" not in usual.emit("json") + usual.emit("fractions")


@pytest.mark.parametrize("arithmetic", ["exact", "ball", "residue", "float"])
@pytest.mark.parametrize("options", ["", "--prizes 3,0,1,2", "--objective win --ties carryover"])
def test_the_command_emits_a_deck_and_verify_reads_it(tmp_path, capsys, options, arithmetic):
    store, file = str(tmp_path / "store.sqlite"), tmp_path / "moves.json"
    words = ["-n", "4", "--deck", "0,1,2,3", *options.split(), "--arithmetic", arithmetic]
    assert cli.main([*words, "--out", str(file)]) == 0
    assert cli.main(["verify", "--store", store, str(file)]) == 0
    assert "first moves of n = 4" in capsys.readouterr().out
    document, jsonschema = json.loads(file.read_text()), pytest.importorskip("jsonschema")
    jsonschema.validate(document, SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document | {"deck": [-1, 0, 1, 2]}, SCHEMA)
    for wrong in ([0, 1, 2], [0, 1, 2, "3"], [3, 2, 1, 0], [1, 2, 3, 4], [-1, 1, 2, 3], 3, None):
        file.write_text(json.dumps(document | {"deck": wrong}))
        assert cli.main(["verify", "--store", store, str(file)]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "other", "status"),
    [
        ("", "0,1,2,30", 2),
        ("--prizes 3,0,1,2", "0,1,2,30", 2),
        ("--prizes hidden", "1,1,9,9", 0),  # the same first move, which is right of both
    ],
)
def test_a_table_of_a_deck_is_verified_with_the_deck(tmp_path, capsys, options, other, status):
    """A table does not name its deck; with another one it is proved of that one, or is no table of it."""
    store, file = str(tmp_path / "store.sqlite"), tmp_path / "moves.csv"
    verify = ["verify", *options.split(), "--store", store, str(file)]
    for arithmetic in ("exact", "float"):
        words = ["-n", "4", "--deck", "0,1,2,3", *options.split(), "--arithmetic", arithmetic]
        assert cli.main([*words, "--emit", "csv", "--out", str(file)]) == 0
        for deck, expected in (("3,1,0,2", 0), (other, status), ("0,1,2", 2)):
            assert cli.main([*verify, "--deck", deck]) == expected, deck
    if not options:
        assert cli.main(verify) == 2  # it isn't of the prizes 1 to 4
        assert "every card at every upcard" in capsys.readouterr().err


def test_first_moves_of_another_deck_are_proved_wrong(tmp_path, capsys):
    """At the king one bids it; a prize as high beside it changes that."""
    file, moves = tmp_path / "moves.json", gx.first_move(FROM_ZERO, upcards=[3], store=MEMORY)
    document = json.loads(moves.emit("json"))
    for deck, status in (([0, 1, 2, 3], 0), ([0, 3, 3, 3], 1)):
        file.write_text(json.dumps(document | {"deck": deck}))
        assert cli.main(["verify", "--store", str(tmp_path / "store"), str(file)]) == status
        assert ("exactly" in capsys.readouterr().out) is (status == 0)
    table = "gops_exact/players/data/rhoads_2011_first_move.csv"
    assert cli.main(["verify", "--published", table, str(file)]) == 2
    assert "of the prizes 1 to 4, got (0, 3, 3, 3)" in capsys.readouterr().err


@pytest.mark.parametrize("rules", EVERY_RULE, ids="-".join)
@pytest.mark.parametrize("deck", [(0, 1, 2), (0, 0, 3), (2, 5, 5)], ids=str)
def test_nobody_gains_against_the_optimal_policy(deck, rules):
    game, _ = game_of(deck, rules)
    optimal = players.Optimal(game)
    assert players.best_response(optimal, game).gain == 0
    gain = players.best_response("random", game).gain
    assert sum(loss.total for loss in players.losses("random", game)) == gain
    assert players.expected(players.BestReply("random", game), "random", game).difference == gain
    in_floats = players.Optimal(game, gx.solver("float", game))
    assert players.best_response(in_floats, game).gain < Fraction(1, 10**9)


def test_matching_bids_the_rank_of_a_prize(capsys):
    """From 0 on it is no best reply only where a prize is smaller than those below it together."""
    assert players.best_response("matching", FROM_ZERO).gain == 0
    assert players.best_response("matching", gx.Game(5, deck=range(5))).gain > 0
    [rounds] = players.match("matching", "upcard+1", gx.Game(4, deck=[0, 7, 7, 9]), seed=1)
    assert sorted(rounds)[::3] == [(0, 0, 1, 2), (9, 9, 4, 1)]
    words = ["measure", "-n", "4", "--deck", "0,1,2,3", "--against", "best-response"]
    assert cli.main([*words, "--policy", "matching,upcard+1"]) == 0
    assert re.findall(r"(\S+) *best-response .* (\S+)\n", capsys.readouterr().out) == [
        ("matching", "0"),
        ("upcard+1", "-3"),
    ]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gx.Game(3, deck=[1, 2]), "the deck must have 3 prizes, got 2"),
        (lambda: gx.Game(3, deck=[]), "the deck must have 3 prizes, got 0"),
        (lambda: gx.Game(2, deck=[-1, 2]), "a prize must be at least 0, got -1"),
        (
            lambda: gx.Game(3, gx.Rules(prizes=(1, 2, 3)), [0, 1, 2]),
            "prizes in order must be 0, 1, 2 in some order, got 1, 2, 3",
        ),
        (
            lambda: gx.first_move(FROM_ZERO, upcards=[4]),
            "an upcard must be one of 0, 1, 2, 3, got 4",
        ),
        (
            lambda: gx.first_move(FROM_ZERO, rules=gx.Rules("win")),
            "rules must be those of the game, got Rules(objective='win'",
        ),
        (
            lambda: players.match("0204", "random", FROM_ZERO),
            "the deck must be 1 to 4 here, got 0, 1, 2, 3",
        ),
        (
            lambda: players.policy("published", gx.Game(5, deck=[0, 1, 2, 3, 4])),
            "the deck must be 1",
        ),
        (lambda: HiddenBids(FROM_ZERO), "the deck must be 1 to 4 here"),
        (
            lambda: players.BestReply("random", FROM_ZERO).bids(players.View(4, FROM_ZERO.start)),
            "was made for 4 cards, objective points, ties discard, prizes random, deck 0,1,2,3, got 4",
        ),
        (
            lambda: gx.first_move(gx.Game(2, deck=[1, 2**52]), "float"),
            "the deck must add up to at most 2^52 in floats",
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_no_deck_can_be_or_what_takes_none(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


def test_a_prize_of_0_in_the_name_of_a_position():
    position = gx.Position([2, 4], [1, 3], [0, 12], upcard=0)
    assert str(position) == "2.4_1.3_0.12@0"
    assert gx.Position.parse("2.4_1.3_0.12@0") == position
    assert gx.Position.parse("2.4_1.3_0.12").upcard is None
    with pytest.raises(ValueError, match="at character 10, got '0.12'"):
        gx.Position.parse("2.4_1.3_00.12")
