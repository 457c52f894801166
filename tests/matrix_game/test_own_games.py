"""Matrix games of users: what they may be given as, what comes out, and what else can be asked."""

import json
import pickle
import random
import re
from fractions import Fraction

import games
import numpy as np
import pandas as pd
import pytest
from flint import fmpq_mat
from hypothesis import example, given
from hypothesis import strategies as st

import gops_exact as gx

PENNIES = [[1, -1], [-1, 1]]
DUEL = gx.MatrixGame([["3", "-1/2"], [1, 2]], ["top", "bottom"], ["left", "right"], "duel")
FLOATS = np.array([[0.1, 1.0], [1.0, 0.0]])
ROCK = [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]
TABLE = ",left,right\ntop,3,-0.5\nbottom,1,2\n"

small = st.integers(-2, 2)


# NumPy warns of its own class of matrices, whose slices keep two dimensions.
@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("seed", range(25))
def test_matrix_game_given_as_array_frame_or_text_has_the_same_solution(seed):
    source = random.Random(f"forms {seed}")
    games.check_forms(source, games.small_game(source))


@pytest.mark.parametrize("seed", range(20))
def test_verify_refuses_damaged_documents_of_matrix_games(seed):
    source = random.Random(f"damage {seed}")
    document = gx.solve_matrix_game(games.small_game(source)).document()
    while games.is_solution(document):
        side = document[source.choice(("row", "column", "payoff"))]
        place = source.randrange(len(side))
        if isinstance(side[place], list):
            side, place = side[place], source.randrange(len(side[place]))
        side[place] = str(Fraction(side[place]) + Fraction(1, source.choice((1, 2, 10**40))))
    assert games.check_document(document)
    assert games.check_game(json.dumps(document)).faults


def test_vipr_certificate_of_a_matrix_game_proves_it_and_changed_ones_do_not():
    solved = gx.solve_matrix_game(DUEL)
    right = solved.emit("vipr")
    assert games.vipr_fault(right, solved) is None
    for before, after in (
        ("4 -4/9", "4 -5/9"),
        ("0 2/9", "0 3/9"),
        ("2 13/9 3", "2 12/9 3"),
        ("range 13/9", "range 1"),
        ("range 13/9 13/9", "range 13/9 2"),
    ):
        assert right.count(before) == 1
        assert games.vipr_fault(right.replace(before, after), solved)


@pytest.mark.parametrize("payoff", [[[3, 0], [1, 2]], [[3, 1], ["-1/2", 2]], [["13/9"]]])
def test_vipr_certificate_of_another_matrix_game_does_not_prove_a_game(payoff):
    duel, other = gx.solve_matrix_game(DUEL), gx.solve_matrix_game(payoff)
    assert games.vipr_fault(other.emit("vipr"), other) is None
    assert "the constraints of the game" in games.vipr_fault(other.emit("vipr"), duel)


@pytest.mark.parametrize("seed", range(30))
def test_verify_proves_each_players_claim_of_uniqueness(seed):
    source = random.Random(f"unique {seed}")
    m, n, most = (source.randint(1, 6) for _ in "123")
    payoff = [[source.randint(-most, most) for _ in range(n)] for _ in range(m)]
    payoff += source.choice(([], payoff[:1]))
    document = gx.solve_matrix_game(payoff).document()
    report = games.check_game(json.dumps(document))
    assert (report.faults, report.passed_over.total(), report.proved.total()) == ([], 0, 3)
    for name, player in (("row_unique", "one"), ("column_unique", "two")):
        wrong = document | {name: not document[name]}
        (fault,) = games.check_game(json.dumps(wrong)).faults
        assert re.fullmatch(f".* player {player} has (no )?other .*, which is wrong", fault)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        *(({"version": odd}, "version: expected 1, got") for odd in (2, True, "1", 1.0, None)),
        *(({"value": odd}, "value: expected a text") for odd in ("013/9", "-0", "1/1", "1.5")),
        ({"value": "26/18"}, "expected a fraction in lowest terms, got '26/18'"),
        ({"value": 1}, "value: expected string, got 1"),
        ({"row_unique": 1}, "row_unique: expected boolean, got 1"),
        ({"labels": {"rows": ["a", "a"], "columns": ["c", "d"]}}, "rows: expected different"),
        ({"payoff": [["3", "-1/2"]]}, "expected 2 × 2 payoffs, as there are labels"),
    ],
)
def test_verify_refuses_matrix_documents_outside_their_schema(change, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        games.check_game(json.dumps(gx.solve_matrix_game(DUEL).document() | change))


def test_matrix_game_takes_labels_from_data_frames():
    frame = pd.DataFrame(PENNIES, [2001, 2002], pd.MultiIndex.from_tuples([("c", 1), ("d", 2)]))
    game = gx.MatrixGame(frame)
    assert (game.rows, game.columns) == (("2001", "2002"), ("c 1", "d 2"))
    assert gx.MatrixGame(pd.DataFrame(PENNIES)).rows == ("1", "2")
    assert gx.MatrixGame(frame, ["x", "y"], title="t").rows == ("x", "y")


def test_float_payoffs_are_taken_exactly_or_within_a_distance():
    assert gx.solve_matrix_game(FLOATS, exactly=True).game.payoff[0][0] == Fraction(0.1)
    assert gx.solve_matrix_game(FLOATS, within="1e-9").value == Fraction(10, 19)
    single = FLOATS.astype(np.float32)
    assert gx.solve_matrix_game(single, within=Fraction(1, 10**6)).value == Fraction(10, 19)


@given(st.fractions(-50, 50, max_denominator=300), st.fractions(Fraction(1, 999), 2))
def test_float_payoffs_become_the_simplest_fractions_within_the_given_distance(number, distance):
    exact = Fraction(float(number))
    ((payoff,),) = gx.MatrixGame([[float(number)]], within=distance).payoff
    assert abs(payoff.to_fraction() - exact) <= distance
    for denominator in range(1, payoff.to_fraction().denominator):
        below = Fraction(int((exact + distance) * denominator // 1), denominator)
        assert below < exact - distance


TABLES = {
    # From spreadsheets in Europe: decimal commas, and the line that names the delimiter.
    "0,5;1,25\n-2;3\n": ("1 2", "1 2", [["1/2", "5/4"], [-2, 3]]),
    "sep=;\n;links;rechts\noben;0,5;1\nunten;-2,75;3\n": (
        "oben unten",
        "links rechts",
        [["1/2", 1], ["-11/4", 3]],
    ),
    '"sep=;"\r\n1;2\r\n3;-4\r\n': ("1 2", "1 2", [[1, 2], [3, -4]]),
    "0,5\t1\n2\t,25\n": ("1 2", "1 2", [["1/2", 1], [2, "1/4"]]),
    "a;b\n1,5e3;1\n": ("1", "a b", [[1500, 1]]),
    # The minus sign of printed tables; columns without a cell at the right.
    ";a;b;;\nc;1;−0,5;;\nd;−3;-4;;\n": ("c d", "a b", [[1, "-1/2"], [-3, -4]]),
    # Labels of the duel.
    TABLE: ("top bottom", "left right", DUEL.payoff),
    "top,3,-1/2\nbottom,1,2\n": ("top bottom", "1 2", DUEL.payoff),
    "game,left,right\ntop,3,-0.5\nbottom,1,2\n": ("top bottom", "left right", DUEL.payoff),
    # Bids are numbers, and still labels below and beside an empty cell.
    ",7,8\n5,3,-0.5\n6,1,2\n": ("5 6", "7 8", DUEL.payoff),
    '"a,b",3,-5e-1\n"c""d""",1,2\n': ('a,b c"d"', "1 2", DUEL.payoff),
    # Semicolons in labels, and points in a table of semicolons.
    "a;1,b\n1,0.5\n": ("1", "a;1 b", [[1, "1/2"]]),
    "0.5;1\n2;3\n": ("1 2", "1 2", [["1/2", 1], [2, 3]]),
    # R and `print` of a frame have no cell above the labels.
    "left,right\ntop,3,-1/2\nbottom,1,2\n": ("top bottom", "left right", DUEL.payoff),
    '"left" "right"\n"top" 3 -0.5\n"bottom" 1 2\n': ("top bottom", "left right", DUEL.payoff),
    f"{pd.DataFrame([[3, '-1/2'], [1, 2]])}\n": ("0 1", "0 1", DUEL.payoff),
    # Cells between blanks, of NumPy's savetxt and of people.
    "# two players\n3.0e+00 -5.0e-01\n1.0e+00  2.0e+00\n": ("1 2", "1 2", DUEL.payoff),
    "  3   -0.5 \n 1 2 \n": ("1 2", "1 2", DUEL.payoff),
    "duel left right\ntop 3 -1/2\nbottom 1 2\n": ("top bottom", "left right", DUEL.payoff),
    "2 3\n\n4 5\n\n6 7\n": ("1 2 3", "1 2", [[2, 3], [4, 5], [6, 7]]),  # no input of lrsnash
    # Markdown, and the tables of other programs that are drawn with bars.
    DUEL.emit("markdown"): ("top bottom", "left right", DUEL.payoff),
    "l | r\n--- | ---:\n3 | -1/2\n1 | 2\n\nA note | more\n": ("1 2", "l r", DUEL.payoff),
    "+--+--+\n|a\\|b|c|\n|--+--|\n|3|1|\n+--+--+\n": ("1", "a|b c", [[3, 1]]),
    # Arrays as NumPy, SymPy, MATLAB and Mathematica print them.
    f"{np.array([[3, -0.5], [1, 2]])}\n": ("1 2", "1 2", DUEL.payoff),
    f"{np.array([[3, -0.5], [1, 2]])!r}\n": ("1 2", "1 2", DUEL.payoff),
    "np.array([[3, -1/2],\n[1, 2]], dtype=object)": ("1 2", "1 2", DUEL.payoff),
    "[[3 -1/2] [1 2]]": ("1 2", "1 2", DUEL.payoff),
    "A = [3, -0.5; 1, 2];\n": ("1 2", "1 2", DUEL.payoff),
    "[3 -0.5\n1 2]": ("1 2", "1 2", DUEL.payoff),
    "{{3, -1/2}, {1, 2}}": ("1 2", "1 2", DUEL.payoff),
    f"{np.arange(80).reshape(2, 40)}\n": (  # its rows take two lines each
        "1 2",
        " ".join(map(str, range(1, 41))),
        np.arange(80).reshape(2, 40),
    ),
}


def test_labels_with_minus_signs_and_decimal_commas_stay_as_they_are_written():
    game = gx.MatrixGame([[1, -2], [3, 4]], ["b−1", "+"], ["−", "-"])
    assert gx.solve_matrix_game(game.emit("csv")).game == game
    game = gx.solve_matrix_game(";0,5;−1,5\na;1;−0,5\n").game
    assert (game.columns, game.payoff) == (("0,5", "−1,5"), [[1, Fraction(-1, 2)]])


@pytest.mark.parametrize("table", TABLES)
def test_tables_of_spreadsheets_markdown_and_printed_arrays_are_read_as_games(table, tmp_path):
    rows, columns, payoff = TABLES[table]
    (tmp_path / "game.csv").write_bytes(table.encode("utf-8-sig"))  # as spreadsheets begin a file
    game = gx.MatrixGame(payoff, rows.split(), columns.split())
    for source in (table, str(tmp_path / "game.csv")):
        assert gx.solve_matrix_game(source).game == game


@pytest.mark.parametrize(
    ("table", "note", "payoff"),
    [
        ("deck,A,B\nA,50%,62.5%\nB,40 %,50%\n", "are read as per cent", [[50, "62.5"], [40, 50]]),
        ("2 2\n\n3 0\n1 2\n\n-1 2\n1 0\n", "payoffs of both players", [[3, 0], [1, 2]]),
        ("0,0,0.5\n0,1,1\n1,0,1\n1,1,0\n", "a matrix has a line for each bid", None),
    ],
)
def test_ambiguous_payoff_tables_are_read_with_a_warning(table, note, payoff):
    with pytest.warns(UserWarning, match=note):
        game = gx.solve_matrix_game(table).game
    assert payoff is None or game.payoff == gx.MatrixGame(payoff).payoff


def test_solution_of_a_matrix_game_is_indexed_by_labels():
    game = gx.MatrixGame([[3, -1, 9], [1, 2, 9]], ["top", "low"], ["a", "b", "c"])
    solution = gx.solve_matrix_game(game)
    assert (solution.row["top"], solution.column["b"]) == (Fraction(1, 5), Fraction(2, 5))
    assert solution.row[1:] == (Fraction(4, 5),)
    assert solution.named(solution.support) == (("top", "low"), ("a", "b"))
    assert pickle.loads(pickle.dumps(solution)).row["low"] == solution.row[1]  # noqa: S301  # just dumped
    with pytest.raises(ValueError, match="a label must be 'top' or 'low', got 'middle'"):
        solution.row["middle"]


@pytest.mark.parametrize(
    ("given_as", "options", "message"),
    [
        ([[1, 2], [3.5, float("nan")]], {}, "got nan (row 2, column 2)"),
        (pd.DataFrame([[1, 2], [3, None]]), {}, "got nan (row 2, column 2)"),
        (np.ones((2, 2)), {}, "the float 1.0; write '1', or give an array as .astype(int) (row 1,"),
        (pd.DataFrame([[-0.5, 1.0], [2.0, 3.0]]), {}, "or exactly=True (row 1, column 1)"),
        (FLOATS, {"within": 0}, "within must be positive, got 0"),
        (FLOATS, {"exactly": True, "within": "1/9"}, "within must be None where exactly is True"),
        ([[0.5, float("nan")]], {"exactly": True}, "got nan (row 1, column 2)"),
        (np.ones((2, 3, 2), int), {}, "must be two-dimensional, got shape (2, 3, 2)"),
        (np.ma.array([[3, 1]], mask=[[1, 0]]), {}, "a payoff must be an exact rational, got"),
        ([1, 2], {}, "row 1 of a payoff matrix must be a sequence, got 1"),
        ([[3, -1], {1, 2}], {}, "row 2 of a payoff matrix must be a sequence, got {1, 2}"),
        (7, {}, "a payoff matrix must be a sequence of rows, got 7"),
        ({}, {}, "a payoff matrix must be a sequence of rows, got {}"),
        ([[]], {}, "at least one row and one column, got none"),
        (ROCK, {"method": "newton"}, "'auto', 'closed form'"),
        (ROCK, {"method": "closed form"}, "got a 3 × 3"),
        ("a b\n\n", {}, "got only what is taken for labels: 'a,b'"),
        ("a,b\n", {}, "got only what is taken for labels: 'a,b'"),
        ('EFG 2 R "x"\n', {}, "or an nfg file, got an efg file"),
        ("upcard,card,probability,decimal\n1,1,1,1.0\n", {}, "got first moves in CSV"),
        ("card,probability,decimal\n1,1,1.0\n", {}, "got a list of numbers; a matrix has a line"),
        ("card;exact;float\r\n1;1;1.0\r\n", {}, "got a list of numbers; a matrix has a line"),
        ("in floats,1,2\n1,0.5,1\n2,2,0\n", {}, "got inexact payoffs; emit the matrix in exact"),
        (
            ",1,2\n1,0.333,0\n2,0.667,1.0\n",
            {},
            "got a table of first moves: numbers with the sum 1",
        ),
        (",1,2\n1,0.333,0.666\n2,0,1.0\n", {}, "with the sum 1 in each line, named by cards"),
        ('{"numbers": [],\n"caption": ""}', {}, "an object with the member payoff, got table"),
        ("1,2\n3,x\n", {}, "line 2, row 2, column 2: an exact rational is written p, p/q or as a"),
        ("sep=;\n;a;b\n\nc;1;x\n", {}, "line 4, row c, column b: an exact rational"),
        ("1/0,2\n3,4\n", {}, "line 1, row 1, column 1: a denominator must not be zero, got '1/0'"),
        ("a,b\n1,2\n3\n", {}, "line 3: expected 2 payoffs, as in line 2, got 1"),
        (
            ",A,B\nA,,60\nB,40,\n",
            {},
            "row A, column A: expected the payoff of a strategy against itself",
        ),
        (
            ",A,B\nA,5,6\nB,4,—\n",
            {},
            "row B, column B: expected the payoff of a strategy against itself",
        ),
        (",A,B\nA,5,\nB,4,5\n", {}, "row A, column B: an exact rational is written"),
        (
            ",A,B\nA,5 (12),6 (3)\nB,4,5\n",
            {},
            "row A, column A: expected a payoff alone, without what",
        ),
        (
            ",A,B\nA,50%,60%\nB,40,50%\n",
            {},
            "expected % after all payoffs or after none, got '50%'",
        ),
        ("row,column,payoff\na,a,0\na,b,1\n", {}, "got one for each pair: 'a,a,0'"),
        ("[[1 2] [3 4]] + 5\n", {}, "expected rows of an array alone, got '[[] []] + 5' beside"),
        ("[[0 1 ... 8 9]\n [5 6 ... 3 4]]", {}, "row 1, column 3: an exact rational is written"),
        ("1 2\n\n3 1\n\n-3 1\n", {}, "row 1, column 2: payoffs must add up"),
        ('NFG 1 R "" {"" ""}\n{1 2} 1 -1 0 1', {}, "row 1, column 2: payoffs must add up"),
        (",a,a\nb,1,2\n", {}, "columns must have different labels, got 'a' as 1 and 2"),
        ('"a,1\n2,3\n', {}, "expected a table in CSV: unexpected end of data"),
        ('{"payoff": [[1]], \n"payoff": [[2]]}', {}, "every name once, got 'payoff' again"),
        ('{"payof": [[1]]\n}', {}, "expected a matrix, or an object with the member payoff"),
        ('{"payoff": [[1]],\n "labels": {"row": ["a"]}}', {}, "labels must be an object of rows"),
        ("0,5;1\n2;0.25\n", {}, "with commas, as others in the table have, got '0.25'"),
    ],
)
def test_solve_matrix_game_refuses_unreadable_payoffs_and_unknown_methods_in_one_line(
    given_as, options, message
):
    with pytest.raises(ValueError, match=rf"^[^\n]*{re.escape(message)}[^\n]*$"):
        gx.solve_matrix_game(given_as, **options)
    if not isinstance(given_as, str) and not options:
        with pytest.raises(ValueError, match=rf"^[^\n]*{re.escape(message)}[^\n]*$"):
            gx.solve_matrix_game([[1]]).check(given_as)


def test_payoffs_larger_than_memory_are_refused(monkeypatch):
    monkeypatch.setattr("gops_exact.matrix_game.payoff.ALWAYS_FIT", 0)
    monkeypatch.setattr("gops_exact.base.machine.machine_memory", lambda: 40 * 6)
    message = "a payoff matrix must have at most 6 entries on this machine, got 9"
    for given_as in (np.zeros((3, 3), dtype=int), [[1, 2, 3]] * 3, "1,2,3\n" * 3):
        with pytest.raises(ValueError, match=message):
            gx.solve_matrix_game(given_as)
    assert gx.solve_matrix_game([[1, 2, 3], [3, 2, 1]]).value == 2


@given(st.lists(st.lists(small, min_size=3, max_size=3), min_size=3, max_size=3))
def test_dominated_rows_are_those_that_other_rows_beat(game):
    dominated = {"strictly": set(), "weakly": set()}
    for i, own in enumerate(game):
        more = np.array([row for k, row in enumerate(game) if k != i]) - own
        optimal = gx.optimal_set(more)
        gains = (strategy @ more for strategy in map(np.array, optimal.row))
        dominated["strictly"] |= {i} if optimal.value > 0 else set()
        dominated["weakly"] |= {i} if optimal.value >= 0 and any(map(any, gains)) else set()
    for weak, kind in ((False, "strictly"), (True, "weakly")):
        every = gx.eliminate_dominated(game, weak=weak).steps
        steps = [step for step in every if step.player == "row" and step.round == 1]
        assert {int(step.label) - 1 for step in steps} == dominated[kind]
        for step in steps:
            mixture = {int(label) - 1: p.to_fraction() for label, p in step.by.items()}
            own = game[int(step.label) - 1]
            more = [sum(p * game[k][j] for k, p in mixture.items()) - own[j] for j in range(3)]
            assert min(more) > 0 if step.strict else min(more) == 0 < max(more)


@given(st.lists(st.lists(small, min_size=4, max_size=4), min_size=4, max_size=4), st.booleans())
def test_elimination_of_dominated_strategies_keeps_the_value_and_leaves_none_dominated(game, weak):
    for mixed in (False, True):
        told = []
        done = gx.eliminate_dominated(
            game, weak=weak, mixed=mixed, progress=lambda *report, told=told: told.append(report)
        )
        assert told[:5] == [(row, 4) for row in range(5)]
        assert gx.solve_matrix_game(done.game).value == gx.solve_matrix_game(game).value
        assert gx.eliminate_dominated(done.game, weak=weak, mixed=mixed).steps == ()
        assert len(done.steps) + sum(done.game.shape) == 8
    assert f"dominated strategies, {done.game.shape[0]} × " in str(done)


@given(st.lists(small, min_size=6, max_size=6), st.lists(st.integers(1, 3), min_size=5, max_size=5))
def test_regret_equals_the_gain_of_best_replies(entries, weights):
    game = np.array(entries).reshape(2, 3)
    one, two = (
        np.array([Fraction(w, sum(part)) for w in part]) for part in (weights[:2], weights[2:])
    )
    gains, losses = game @ two, one @ game
    assert gx.regret(game, one, two) == (max(gains) - one @ gains, one @ gains - min(losses))
    solved = gx.solve_matrix_game(game)
    assert gx.regret(game, solved.row, solved.column) == (0, 0)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([1], "must have 2 probabilities, got 1"),
        (["1/2", "1/3"], "must be no negative numbers with the sum 1"),
        (["-1/2", "3/2"], "must be no negative numbers with the sum 1"),
        ({"top": 1, "up": 0}, "must be of the labels of the game, got 'up'"),
        ([0.5, 0.5], "must be an exact rational, got the float 0.5"),
    ],
)
def test_regret_refuses_strategies_of_floats_other_labels_and_probabilities_without_the_sum_1(
    row, message
):
    with pytest.raises(ValueError, match=f"the row strategy {message}"):
        gx.regret(DUEL, row, {"left": 1})


@given(st.lists(st.lists(small, min_size=4, max_size=4), min_size=3, max_size=3))
def test_shapley_snow_kernel_contains_both_supports_and_has_the_same_solution(game):
    solved = gx.solve_matrix_game(game)
    rows, columns = solved.kernel
    assert {*solved.support[0]} <= {*rows} and {*solved.support[1]} <= {*columns}
    square = gx.MatrixGame([[game[i][j] for j in columns] for i in rows])
    inner = [solved.row[i] for i in rows], [solved.column[j] for j in columns]
    assert gx.regret(square, *inner) == (0, 0) and len(rows) == len(columns)


@given(st.lists(st.lists(small, min_size=4, max_size=4), min_size=3, max_size=3))
@example([[0] * 4] * 3)
def test_shapley_snow_kernel_bordered_by_ones_is_not_singular_and_gives_the_solution(game):
    solved = gx.solve_matrix_game(game)
    rows, columns = solved.kernel
    bordered = fmpq_mat(
        [*([game[i][j] for j in columns] + [1] for i in rows), [1] * len(columns) + [0]]
    )
    assert bordered.det() != 0
    # All kernel rows pay the value against player two's strategy, and all kernel columns against player one's.
    right = fmpq_mat([*([0] for _ in rows), [1]])
    for matrix, side, own in (
        (bordered, solved.column, columns),
        (bordered.transpose(), solved.row, rows),
    ):
        *chances, minus_value = matrix.solve(right).entries()
        assert chances == [side[k].value for k in own]
        assert -minus_value == solved.value.value
