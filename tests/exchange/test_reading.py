"""What is emitted comes back by :func:`gops_exact.read`: the object, and the same text once more."""

import json
from dataclasses import replace
from itertools import count, product

import pytest
from program import run
from recursions import EVERY_RULE

import gops_exact as gx
from gops_exact import exchange, hidden_bids

POSITION = gx.Position.parse("2.4_1.3_12.13@13")
HIDDEN = gx.Position([1, 2], [1, 3], [2, 5], rules=gx.Rules("win", prizes="hidden"))
RULES = [*EVERY_RULE, gx.Rules("win", "carryover", (2, 3, 1))]
KINDS = gx.Exact(), gx.Float(), gx.Residue(), gx.Residue(2**64 - 59)
MATRICES = [
    gx.MatrixGame([[3, "-1/2"], [1, 2]], ["r; 0", "r; 1"], ["c; 0", "c; 1"], "Räuber"),
    gx.MatrixGame([[0, 1, "7/3"], [0, 1, 2]]),
    gx.MatrixGame([["1/3"]]),
    gx.MatrixGame([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], title="rock, paper, scissors"),
]


EMITTED = [
    *(lambda pair=pair: gx.first_move(3, pair[0], rules=pair[1]) for pair in product(KINDS, RULES)),
    lambda: gx.first_move(gx.Game(4, deck=[0, 2, 2, 9]), "float", upcards=[9, 0]),
    *(lambda game=game: game for game in MATRICES),
    *(lambda game=game: gx.solve_matrix_game(game) for game in MATRICES),
    *(lambda game=game: gx.optimal_set(game) for game in MATRICES),
    lambda: gx.solve_game(gx.known_games.kuhn_poker()),
    lambda: gx.solve_game(gx.known_games.oshi_zumo(5)),  # all is seen
    *(lambda kind=kind: gx.solve(POSITION, kind) for kind in KINDS),
    lambda: gx.solve_matrix_game([[0, 0], [0, 0]], "guided"),
    lambda: gx.solve(HIDDEN.swapped().at(None), gx.Ball(3)).row,
    lambda: gx.solve(gx.Position([1, 2], [1, 2], [1, 1], rules=gx.Rules(prizes=(1, 1))).at(1)),
    *(lambda kind=kind: gx.solve(POSITION, kind).row for kind in KINDS),
    *(lambda kind=kind: gx.first_move(4, kind) for kind in (gx.Ball(1), gx.Ball(50))),
    *(lambda kind=kind: gx.bid_gains(POSITION, kind) for kind in (*KINDS, gx.Ball(1))),
    *(lambda kind=kind: gx.payoff_matrix(POSITION, kind) for kind in (*KINDS, gx.Ball(40))),
    lambda: gx.payoff_matrix(HIDDEN),
]


@pytest.mark.parametrize("make", EMITTED, ids=count())
def test_read_returns_every_emitted_object(make, tmp_path):
    file, emitted = tmp_path / "emitted.json", make()
    file.write_text(emitted.emit("json"), "utf-8")
    again = gx.read(file)
    if isinstance(emitted, gx.Strategy):
        assert (again.unique, again.proved) == (emitted.unique, emitted.proved)
    if isinstance(emitted, gx.OptimalSet):  # read as a table of its numbers
        assert again.document() == emitted.document()
        return
    assert again.emit("json") == file.read_text("utf-8")
    assert again == emitted and type(again) is type(emitted)


def test_learned_strategies_come_back(tmp_path):
    learned = gx.extensive.approximate(gx.known_games.kuhn_poker(), iterations=3)
    (tmp_path / "learned.json").write_text(learned.emit("json"))
    again = gx.read(tmp_path / "learned.json")
    assert replace(again, game=learned.game) == learned and again.iterations == 3


def test_solutions_without_programmes_name_no_kernel(tmp_path):
    solved = gx.solve_matrix_game([[0, 0], [0, 0]])
    (tmp_path / "solved.json").write_text(solved.emit("json"))
    with pytest.raises(ValueError, match="the kernel must be of a game that is solved here"):
        _ = gx.read(tmp_path / "solved.json").kernel


def test_inexact_payoffs_in_csv_are_no_matrix(tmp_path):
    for kind in (*KINDS[1:], gx.Ball(9)):
        (tmp_path / "payoffs.csv").write_text(gx.payoff_matrix(POSITION, kind).emit("csv"))
        with pytest.raises(ValueError, match="got inexact payoffs"):
            gx.solve_matrix_game(tmp_path / "payoffs.csv")


def test_read_returns_hidden_bid_equilibria(tmp_path):
    pytest.importorskip("highspy", reason="highspy is not installed")
    solved = gx.solve_game(hidden_bids.HiddenBids(gx.Game(3, gx.Rules("win"))))
    (tmp_path / "hidden.json").write_text(solved.emit("json"))
    assert gx.read(tmp_path / "hidden.json") == solved


NAMED = {
    f"{POSITION} --arithmetic residue --prime 4294967291": (
        lambda: gx.solve(POSITION, gx.Residue(4294967291))
    ),
    "2.4_1.3_12.13": lambda: [gx.solve(f"2.4_1.3_12.13@{upcard}") for upcard in (12, 13)],
    f"{HIDDEN}": lambda: gx.solve(HIDDEN),
}


@pytest.mark.parametrize("words", NAMED)
def test_read_returns_positions_written_by_commands(words, tmp_path):
    file = tmp_path / "written.json"
    assert run(["position", *words.split(), "--out", str(file)]).status == 0
    assert gx.read(file) == NAMED[words]()


def test_read_keeps_proved_decimals(tmp_path):
    moves, file = gx.first_move(4, gx.Ball(7)), tmp_path / "balls.json"
    file.write_text(moves.emit("json"))
    again, exact = gx.read(file), gx.first_move(4)
    assert again.emit("json") == file.read_text()
    assert run(f"position {POSITION} --arithmetic ball --out '{file}'").status == 0
    solved, true = gx.read(file), gx.solve(POSITION)
    pairs = [(again[u][c], exact[u][c]) for u in exact for c in exact[u]]
    pairs += [(solved.value, true.value), *zip(solved.row.values(), true.row.values(), strict=True)]
    for decimal, number in pairs:
        least, most = decimal.bounds()
        assert least <= number.value <= most
        assert decimal.decimal(decimal.digits) == str(decimal) == number.decimal(decimal.digits)
    file.write_text(gx.first_move(4, gx.Ball(50)).emit("json"))
    assert [(y + 0).digits for y in gx.read(file)[2].values()] == [49] * 4


def test_read_takes_records_policies_nfg_and_csv(tmp_path):
    file, store = tmp_path / "records.json", tmp_path / "store"
    gx.first_move(3, store=store)
    assert run(["growth", "-n", "3", "--store", str(store), "--out", str(file)]).status == 0
    assert gx.read(file) == [vars(layer) for layer in gx.growth(3, store=store)]
    policy = {"1 2": [(0, 0.25), (1, 0.75)], "2 1": [(1, 1.0)]}
    file.write_text(json.dumps(policy))
    assert gx.read(file) == policy
    for game in (
        gx.MatrixGame([[3, "-1/2"], [1, 2]], ["top", "low"], ["a", "text"]),
        gx.MatrixGame([[5]], ["a;b"], ["c;d"]),  # as often as commas
        gx.MatrixGame([[1, 0], [0, 1]]),
    ):
        for text in (exchange.write_nfg(game), game.emit("csv")):
            file.write_text(text)
            assert gx.read(file) == game
    file.write_text(exchange.write_efg(gx.Position.start(2)))
    assert gx.solve_game(gx.read(file)).value == 0
    for kind in ("exact", "float"):
        file.write_text(gx.first_move(4, kind).emit("csv"))
        assert gx.read(file).emit("csv") == file.read_text()
        file.write_text(gx.solve(POSITION, kind).emit("csv"))
        with pytest.raises(
            ValueError, match="got a list of numbers; a matrix has a line for each bid"
        ):
            gx.read(file)


def test_read_keeps_long_fractions_and_refuses_unreduced_ones(tmp_path):
    long, file = gx.view(3) ** 30_000 / gx.view(2) ** 50_000, tmp_path / "long.json"
    emitted = gx.FirstMoves(2, {1: gx.Strategy({1: long, 2: 1 - long}, unique=False)})
    text = emitted.emit("json")
    file.write_text(text)
    assert gx.read(file) == emitted and gx.read(file).emit("json") == text
    file.write_text(text.replace(str(long), f"{2 * long.value.p}/{2 * long.value.q}"))
    with pytest.raises(ValueError, match="lowest terms"):
        gx.read(file)


NONE = {
    "{}": "expected a document that can be read back, got '{}'",
    '{"document": "matrix game"}': "expected the member version",
    '{"n": 3, "columns": []}': "expected the member",
    '{"caption": 1, "numbers": []}': "caption",
    '{"document": "dominated strategies"}': "can be read back, got dominated strategies",
    "[1": "expected JSON",
    "": "expected a table in CSV, got no line",
}


@pytest.mark.parametrize("text", NONE)
def test_read_refuses_other_files_in_one_line(text, tmp_path):
    (tmp_path / "file").write_text(text)
    with pytest.raises(ValueError, match=NONE[text]) as refusal:
        gx.read(tmp_path / "file")
    assert str(refusal.value).count(str(tmp_path)) == 1
