"""Trees as programs write them and people hold them: files, decimals, names, and games of other packages."""

import json
from fractions import Fraction
from random import Random

import pytest
from games import check_tree, random_game
from program import run

import gops_exact as gx
from gops_exact.exchange import read_efg
from gops_exact.extensive import Chance, ListedTree, Move, Tree
from gops_exact.verify.games import check_game

pytest.importorskip("highspy", reason="HiGHS is not installed")

ROUTES = 'EFG 2 R "routes" {{ "{}" "{}" }} c "" 1 "" {{ {} }} 0\n'


def bet(shares, moves='"in" "out"', players=("Ada", "Bo")):
    """A draw that player two does not see, worth k to player one if player two takes part after draw k, else 1."""
    draws = " ".join(f'"{k}" {share}' for k, share in enumerate(shares))
    text = ROUTES.format(*players, draws)
    for k, _ in enumerate(shares):
        ends = (f't "" {10 * k + n} "" {{ {gain} {-gain} }}\n' for n, gain in ((1, k), (2, 1)))
        text += f'p "" 2 1 "" {{ {moves} }} 0\n' + "".join(ends)
    return text


THIRDS = ["0.3333333333333333"] * 3
REPLACED = {
    "thirds": (THIRDS, 1),
    "sixths": (["0.16666666666666666", "0.8333333333333334"], Fraction(5, 6)),
    "4 of 13, with the sum 1": (["0.3076923076923077", "0.6923076923076923"], Fraction(9, 13)),
    "exponents": (["3.333333333333333e-1", "0.6666666666666666"], Fraction(2, 3)),
    "twelve places": (["0.333333333333", "0.666666666666"], Fraction(2, 3)),
}


@pytest.mark.parametrize("case", REPLACED)
def test_probabilities_written_as_floats_are_the_fractions_that_were_meant(case, tmp_path):
    shares, value = REPLACED[case]
    (tmp_path / "game.efg").write_text(bet(shares))
    with pytest.warns(UserWarning, match="probabilities are taken for fractions: .* for "):
        assert gx.solve_game(tmp_path / "game.efg").value == value
    ended = run(["solve", str(tmp_path / "game.efg"), "--emit", "json"])
    assert ended.status == 0 and ended.err.count("\n") == 1
    assert json.loads(ended.out)["value"] == str(value)


@pytest.mark.parametrize("shares", [["0.171", "0.829"], ["0.123456789", "0.876543211"]])
def test_chance_probabilities_given_as_decimals_with_the_sum_1_stay_exact(shares):
    assert gx.solve_game(read_efg(bet(shares))).value == Fraction(shares[1])


def test_chances_without_the_sum_1_are_refused_with_their_line_and_how_to_round_them(tmp_path):
    file = tmp_path / "cut.efg"
    file.write_text(bet(["0.33", "0.33", "0.33"]).replace("0.33", "0.66", 0))
    expected = "cut.efg: line 1: .* sum 99/100; within=, or --within, takes decimals for fractions"
    with pytest.raises(ValueError, match=expected):
        gx.solve_game(file)
    assert gx.solve_game(file, within="1e-2").value == 1
    assert json.loads(run(f"solve {file} --within 1e-2 --emit json").out)["value"] == "1"
    assert run(f"solve {file} --within 0").err.endswith("within must be positive, got '0'\n")
    for shares in (["0.5", "0.2"], ["-0.5", "1.5"]):
        with pytest.raises(ValueError, match=r"sum 1, got '.*' with the sum [0-9/]+; "):
            read_efg(bet(shares))


def test_payoffs_and_floats_of_game_trees_become_simple_fractions_within_a_distance():
    text = bet(["1/3", "2/3"]).replace("{ 1 -1 }", "{ 0.14286 0.85714 }")
    text = text.replace("{ 0 0 }", "{ 0.33333333 0.66666667 }")
    assert gx.solve_game(read_efg(text, within="1e-5")).value == Fraction(1, 7)
    with pytest.raises(ValueError, match="line 4: payoffs must add up to the same"):
        read_efg(text.replace("0.85714", "0.85713"))
    floats = Tree(0, lambda k: Chance({1: 1 / 3, 2: 2 / 3}) if k == 0 else k / 7)
    assert gx.solve_game(floats, within="1e-9").value == Fraction(5, 21)
    for game in (floats, gx.Game(2), "4_3_12@12"):  # also where nothing is replaced
        with pytest.raises(ValueError, match="within must be positive, got -1"):
            gx.solve_game(game, within=-1)
    with pytest.raises(ValueError, match="write '1/3'"):
        gx.solve_game(floats)


@pytest.mark.parametrize("within", ["0", "-1/20"])
def test_exploitability_refuses_rounding_distances_that_are_not_positive(within):
    solution = gx.solve_game(gx.known_games.kuhn_poker())
    sides = solution.game, {**solution.row, "J": {"b": 0.5, "p": 0.5}}, solution.column
    with pytest.raises(ValueError, match="within must be positive"):
        gx.extensive.exploitability(*sides, within=within)


def test_distance_that_makes_a_probability_negative_is_blamed_not_the_strategy():
    choice = Tree(0, lambda k: Move(1, {m: m for m in range(1, 11)}) if k == 0 else k)
    strategy = {0: dict.fromkeys(range(1, 11), 0.1)}
    assert gx.extensive.exploitability(choice, strategy, {}, within="1/100") == Fraction(9, 2)
    with pytest.raises(
        ValueError, match="within must be smaller for the probabilities {.*got 1/20"
    ):
        gx.extensive.exploitability(choice, strategy, {}, within="1/20")


def test_chance_outcomes_of_probability_0_are_left_out():
    assert gx.solve_game(read_efg(bet(["1/2", "0", "1/2"]))).value == 1
    own = ListedTree([Chance({1: 1, 2: 0}), 5, "never read"])
    assert gx.solve_game(own).value == 5
    assert gx.solve_game(own).document()["nodes"][0] == {
        "chance": [{"probability": "1", "state": 1}]
    }


MOVES = {'"" ""': ["1", "2"], '"x" "x"': ["1", "2"], '"" "go"': ["1", "go"], '"2" ""': ["1", "2"]}


@pytest.mark.parametrize("names", MOVES)
def test_moves_without_names_or_with_the_same_take_their_numbers(names):
    tree = read_efg(bet(["1/2", "1/2"], names))
    assert list(tree.nodes[1].moves) == MOVES[names]
    check_tree(tree, Fraction(1, 2))


NAMED = """EFG 2 R "all is seen" { "Ada" "Bo" }
p "" 1 7 "start" { "L" "R" } 0
p "" 2 8 "after L" { "l" "r" } 0
t "" 1 "" { 2 -2 }
t "" 2 "" { -1 1 }
p "" 2 9 "" { "l" "r" } 0
t "" 3 "" { 0 0 }
t "" 4 "" { 1 -1 }
"""


def test_information_sets_keep_their_names_where_nothing_is_hidden():
    solved = gx.solve_game(read_efg(NAMED))
    assert (solved.row, solved.column) == (
        {"start": {"R": 1}},
        {"after L": {"r": 1}, "9": {"l": 1}},
    )
    assert solved.value == gx.extensive.value(read_efg(NAMED), "ball") == 0
    assert {"Ada", "Bo"} == {line.split()[0] for line in str(solved).splitlines()[3:6]}
    text = solved.emit("json")
    document = json.loads(text)
    assert document["players"] == ["Ada", "Bo"] and set(document["column"]) == {"after L", "9"}
    assert not check_game(text).faults and gx.exchange.reading.object_of(text) == solved
    document["column"]["9"] = {"r": "1"}
    assert check_game(json.dumps(document)).faults
    assert gx.exploitability(read_efg(NAMED), solved.row, {"after L": {"l": 1}, "9": {"r": 1}}) == 2
    with pytest.raises(ValueError, match="states where player 1 moves, got 'after L'"):
        gx.extensive.security_level(read_efg(NAMED), solved.column, 1)


WORKBOOK = """<?xml version="1.0" encoding="UTF-8"?>
<gambit:document xmlns:gambit="http://gambit.sourceforge.net/" version="0.1">
<numbers decimals="4"/>
<game>
<{0}file>
{1}</{0}file>
</game>
</gambit:document>
"""
STRATEGIC = """<gte version="0.1">
<players><player playerId="1">Ada</player><player playerId="2">Bo</player></players>
<strategicForm size="{ 2 2 }">
<strategy player="1">{ "u" "" }</strategy><strategy player="2">{ "l" "r" }</strategy>
<payoffs player="1">3 -1
1 2</payoffs><payoffs player="2">-3 1
-1 -2</payoffs></strategicForm></gte>"""


def test_gambit_workbooks_and_game_theory_explorer_matrices_are_read(tmp_path):
    file = tmp_path / "game.gbt"
    file.write_text(WORKBOOK.format("efg", NAMED.replace("all", "&lt;all&gt;")))
    assert gx.solve_game(file).value == 0 and gx.read(file).title == "<all> is seen"
    assert json.loads(run(f"solve {file} --emit json").out)["value"] == "0"
    file.write_text(WORKBOOK.format("efg", NAMED.replace("-2 }", "-3 }")))
    with pytest.raises(ValueError, match="game.gbt: line 10: payoffs must add up"):
        gx.solve_game(file)
    file.write_text(WORKBOOK.format("nfg", 'NFG 1 R "" { "" "" } { 2 1 } 1 -1 2 -2'))
    assert gx.solve_matrix_game(file).value == 2
    with pytest.raises(ValueError, match="expected a game tree, got an nfg file"):
        gx.solve_game(file)
    file.write_text(STRATEGIC)
    solved = gx.solve_matrix_game(file)
    assert (solved.value, solved.game.rows) == (Fraction(7, 5), ("u", "2"))
    assert json.loads(run(f"solve {file} --emit json").out)["value"] == "7/5"
    for text, expected in (("<svg/>", "XML, got <svg>"), ("<?xml", "expected XML: ")):
        file.write_text(f"<?xml version='1.0'?>{text}" if text == "<svg/>" else text)
        with pytest.raises(ValueError, match=expected):
            gx.read(file)


@pytest.mark.parametrize("seed", range(10))
def test_solve_game_takes_the_path_of_a_file_with_a_solved_game(seed, tmp_path):
    tree = random_game(Random(seed), hidden=seed % 2 == 0)[0]
    solved, file = gx.solve_game(tree), tmp_path / "solved.json"
    file.write_text(solved.emit("json"))
    assert gx.solve_game(file).value == solved.value


def names_of(state):
    return str(state), state.current_player(), state.move_number()


@pytest.mark.parametrize(
    "game",
    [[[3, -1], [1, 2]], gx.MatrixGame([[1]]), type(gx.known_games.kuhn_poker()), names_of],
    ids=["list", "matrix game", "class", "function"],
)
def test_solve_game_refuses_objects_without_a_tree_and_says_what_to_pass_instead(game):
    advice = (
        r"at\(state\), such as gx.extensive.Tree\(start, function\), .*gx.solve_matrix_game takes"
    )
    with pytest.raises(ValueError, match=advice):
        gx.solve_game(game)


TEXTS = [
    *(
        "breakthrough(rows=4,columns=2)",
        "clobber(rows=2,columns=4)",
        "connect_four(rows=3,columns=3,x_in_row=3)",
        "dots_and_boxes(num_rows=1,num_cols=1)",
        "gomoku(size=2,connect=2)",
        "goofspiel(num_cards=3)",
        "havannah(board_size=2)",
        "hex(num_cols=2,num_rows=3)",
        "mnk(m=2,n=3,k=2)",
        "nim(pile_sizes=3;4)",
        "oshi_zumo(coins=5,size=2,min_bid=1)",
        "oshi_zumo(coins=3,size=1,min_bid=0,horizon=4)",
        "y(board_size=3)",
    )
]


@pytest.mark.parametrize("name", TEXTS)
def test_openspiels_states_with_the_same_text_go_on_alike(name):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from gops_exact.extensive.openspiel_trees import BY_TEXT

    assert name.partition("(")[0] in BY_TEXT <= {*pyspiel.registered_names()}
    nodes, waiting = {}, [pyspiel.load_game(name).new_initial_state()]
    while waiting:
        state = waiting.pop()
        after = []
        if state.is_simultaneous_node():
            for one in state.legal_actions(0):
                for two in state.legal_actions(1):
                    after.append(state.clone())
                    after[-1].apply_actions([one, two])
        elif not state.is_terminal():
            after = [state.child(action) for action in state.legal_actions()]
        draws = state.chance_outcomes() if state.is_chance_node() else ()
        node = [*map(names_of, after)], draws, state.is_terminal() and state.returns()
        assert nodes.setdefault(names_of(state), node) == node
        waiting += after


def test_games_states_and_matrix_games_of_openspiel_are_solved_and_shown_as_text():
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    zumo = gx.solve_game(pyspiel.load_game("oshi_zumo(coins=7,min_bid=1)"))
    assert zumo.value == 0 and len(zumo.row) < 700  # 10,000 histories
    poker = pyspiel.load_game("kuhn_poker")
    solved = gx.solve_game(poker)
    assert solved.value == Fraction(-1, 18) and solved.row["2pb"] == {1: 1}
    assert "Bet" in str(solved)
    assert gx.exploitability(poker, solved.row, solved.column) == 0
    dealt = poker.new_initial_state()
    dealt.apply_action(0)
    dealt.apply_action(2)
    assert gx.solve_game(dealt).value == -1
    hidden = gx.solve_game(
        pyspiel.load_game("goofspiel(imp_info=True,num_cards=3,points_order=descending)")
    )
    assert "P0 hand: 1 2 3  P0 action sequence:" in hidden.emit("markdown")
    assert gx.solve_matrix_game(pyspiel.load_matrix_game("matrix_rps")).value == 0
    with pytest.raises(ValueError, match="at most 10,000,000 states, got one with at least"):
        gx.solve_game(pyspiel.load_game("blotto(coins=25,fields=6)"))


PAIR = [[3, -1], [1, 2]], [[-1, 3], [1, 0]]


def test_matrix_games_given_as_pairs_or_mappings_of_payoffs_are_solved():
    games = [PAIR, [*PAIR], {(r, c): PAIR[0][r][c] for r in (0, 1) for c in (0, 1)}]
    assert [gx.solve_matrix_game(game).value for game in games] == [Fraction(7, 5)] * 3
    for game, expected in (
        (([[1, 2]], [[1, 2]]), "row 1, column 2: payoffs must add up to the same everywhere, to 2"),
        (([[1, 2]], [[1], [2]]), "the same shape"),
        ({("a", "b"): 1, ("c", "d"): 2}, r"a payoff, got none of \('a', 'd'\)"),
    ):
        with pytest.raises(ValueError, match=expected):
            gx.solve_matrix_game(game)
    assert gx.solve_matrix_game(([1, 2], [3, 4])).game.shape == (2, 2)  # rows, not players


@pytest.mark.parametrize("package", ["nashpy", "quantecon.game_theory"])
def test_constant_sum_games_of_nashpy_and_quantecon_are_solved(package):
    np, module = pytest.importorskip("numpy"), pytest.importorskip(package)
    one, two = map(np.array, ([[3, -1, 0], [1, 2, 5]], [[-1, 3, 2], [1, 0, -3]]))
    if package == "nashpy":
        game = module.Game(one, two)
    else:
        game = module.NormalFormGame((module.Player(one), module.Player(two.T)))
    assert gx.solve_matrix_game(game).value == gx.solve_matrix_game(one).value
