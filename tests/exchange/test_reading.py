"""What is emitted comes back by :func:`gops_exact.read`: the object, and the same text once more."""

import json

import pytest
from program import run

import gops_exact as gx
from gops_exact import exchange

POSITION = gx.Position.parse("2.4_1.3_12.13@13")
HIDDEN = gx.Position([1, 2], [1, 3], [2, 5], rules=gx.Rules("win", prizes="hidden"))


def test_shapley_snow_kernel_of_a_solution_read_from_a_file_is_refused(tmp_path):
    solved = gx.solve_matrix_game([[0, 0], [0, 0]])
    (tmp_path / "solved.json").write_text(solved.emit("json"))
    with pytest.raises(ValueError, match="the kernel must be of a game that is solved here"):
        _ = gx.read(tmp_path / "solved.json").kernel


def test_solve_matrix_game_refuses_csv_with_inexact_payoffs(tmp_path):
    texts = [gx.payoff_matrix(POSITION, kind).emit("csv") for kind in (gx.Float(), gx.Ball(9))]
    for text in (*texts, "in residues,1\n2,3\n"):  # the last one as an earlier version wrote it
        (tmp_path / "payoffs.csv").write_text(text)
        with pytest.raises(ValueError, match="got inexact payoffs"):
            gx.solve_matrix_game(tmp_path / "payoffs.csv")


NAMED = {
    "2.4_1.3_12.13": lambda: [gx.solve(f"2.4_1.3_12.13@{upcard}") for upcard in (12, 13)],
    f"{HIDDEN}": lambda: gx.solve(HIDDEN),
}


@pytest.mark.parametrize("words", NAMED)
def test_solved_positions_written_by_commands_are_read_back(words, tmp_path):
    file = tmp_path / "written.json"
    assert run(["position", *words.split(), "--out", str(file)]).status == 0
    assert gx.read(file) == NAMED[words]()


def test_proved_decimals_read_from_a_file_keep_their_bounds_and_digits(tmp_path):
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


def test_files_of_outcomes_policies_optimal_strategies_efg_and_csv_are_read_back(tmp_path):
    file = tmp_path / "file.json"
    assert run(["outcomes", "-n", "2", "--out", str(file)]).status == 0
    assert gx.read(file) == json.loads(file.read_text())
    policy = {"1 2": [(0, 0.25), (1, 0.75)], "2 1": [(1, 1.0)]}
    file.write_text(json.dumps(policy))
    assert gx.read(file) == policy
    several = gx.optimal_set([[0, 1, "7/3"], [0, 1, 2]])
    file.write_text(several.emit("json"))
    assert gx.read(file).document() == several.document()  # a table of its numbers
    game = gx.MatrixGame([[5]], ["a;b"], ["c;d"])  # as many semicolons as commas
    file.write_text(game.emit("csv"))
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


def test_long_fractions_are_read_from_a_file_as_they_were_and_unreduced_ones_refused(tmp_path):
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
    # A table of an earlier version, which had numbers modulo a prime.
    '{"caption": "", "numbers": [{"card": 1, "residue": 3}], "notes": []}': "expected a number as exact",
    '{"document": "dominated strategies"}': "can be read back, got dominated strategies",
    "[1": "expected JSON",
    "": "expected a table in CSV, got no line",
}


@pytest.mark.parametrize("text", NONE)
def test_read_refuses_incomplete_and_unknown_json_documents_with_one_line_that_says_why(
    text, tmp_path
):
    (tmp_path / "file").write_text(text)
    with pytest.raises(ValueError, match=NONE[text]) as refusal:
        gx.read(tmp_path / "file")
    assert str(refusal.value).count(str(tmp_path)) == 1 and "\n" not in str(refusal.value)
