"""Any two-player zero-sum game as a tree: values that are known, laws, and what is refused."""

import json
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from games import check_game, check_tree, random_game
from program import run
from recursions import Gops

import gops_exact as gx
from gops_exact.exchange import SpielTree, read_efg, tabular_policy, write_efg
from gops_exact.exchange.reading import object_of
from gops_exact.extensive import (
    Chance,
    HiddenBids,
    ListedTree,
    Move,
    Simultaneous,
    Tree,
    approximate,
    best_replies,
    security_level,
)
from gops_exact.extensive.trees import listed

pytest.importorskip("highspy", reason="HiGHS is not installed")
known = gx.known_games
kuhn_poker, liars_dice, oshi_zumo = known.kuhn_poker, known.liars_dice, known.oshi_zumo

LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
POKER = """EFG 2 R "poker" { "Rose" "Colin" }
""
c "" 1 "deal" { "red" 1/2 "black" 1/2 } 0
p "" 1 1 "red card" { "raise" "fold" } 0
p "" 2 1 "raised" { "meet" "pass" } 0
t "" 1 "win big" { 2, -2 }
t "" 2 "win" { 1, -1 }
t "" 2
p "" 1 2 "black card" { "raise" "fold" } 0
p "" 2 1 { "meet" "pass" } 3 "paid" { -1, 1 }
t "" 4 "lose more" { -1, 1 }
t "" 1
t "" 4
"""
# As Gambit and OpenSpiel write numbers: each end of liar's dice has an outcome of its own.
LARGE = POKER.replace(" 4", " 147420").replace('p "" 2 1', 'p "" 2 123456')
# The weights of chance have the common denominator 10^9.
DRAWS = """EFG 2 R "three draws" { "One" "Two" }
c "" 1 "" { "a" 0.171 "b" 0.829 } 0
c "" 2 "" { "a" 0.333 "b" 0.667 } 0
c "" 3 "" { "a" 0.519 "b" 0.481 } 0
p "" 1 1 "" { "l" "r" } 0
p "" 2 1 "" { "l" "r" } 0
t "" 1 "" { 5 -5 }
t "" 2 "" { -4 4 }
p "" 2 1 0
t "" 3 "" { -3 3 }
t "" 4 "" { 6 -6 }
t "" 5 "" { 0 0 }
t "" 6 "" { 1 -1 }
t "" 7 "" { 2 -2 }
"""
# Player one may forget a move that was her only one, and moves may come in any order.
FORGETFUL = ListedTree(
    [
        Chance({1: "1/2", 2: "1/2"}),
        Move(1, {"go": 3}, "forced"),
        Move(1, {"a": 4, "b": 5}, "later"),
        Move(1, {"b": 6, "a": 7}, "later"),
        3,
        Move(1, {"go": 8}, "forced"),
        *(1, -1, 0),
    ]
)


DUEL = gx.MatrixGame([[3, "-1/2"], [1, 2]])


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (kuhn_poker(), Fraction(-1, 18)),  # Kuhn 1950
        (known.leduc_poker(), LEDUC),
        (liars_dice(2), Fraction(1, 2)),
        (liars_dice(3), Fraction(1, 9)),
        (liars_dice(4), Fraction(1, 16)),
        (oshi_zumo(5), 0),
        (DRAWS, Fraction(1801610417, 10**9)),
        (POKER, Fraction(1, 3)),  # Myerson 1991, section 2.1
        (LARGE, Fraction(1, 3)),
        (FORGETFUL, 1),
        (known.repeated(DUEL, 3), 3 * gx.solve_matrix_game(DUEL).value),
        # (Sum of prizes) · (difference of coins) / (sum of coins): Anbarcı, Cingiz & Ismail 2020.
        (known.recursive_blotto((4, 2), (1, 1)), Fraction(2, 3)),
        (known.recursive_blotto((3, 6), (2, 1)), -1),
    ],
    ids=lambda part: type(part).__name__,
)
def test_game_trees_have_their_known_values_and_unexploitable_strategies(game, value, tmp_path):
    game = read_efg(game) if isinstance(game, str) else game
    solved = gx.solve_game(game)
    assert solved.value == value and gx.exploitability(game, solved.row, solved.column) == 0
    assert solved.to_frame().shape[0] >= sum(solved.support)
    assert check_game(solved.emit("json")).proved["value and strategies"] == 1
    file = tmp_path / "solved.json"
    file.write_text(solved.emit("json"), encoding="utf-8")
    assert run(["solve", str(file), "--emit", "json"]).out.count(f'"{value}"') >= 1


ENTRIES = {
    "10 digits": lambda source: source.randint(-(10**10), 10**10),
    "10^13 and a little": lambda source: 10**13 + source.randint(0, 3),
    "long and short": lambda source: source.choice((1, 10**15)) * source.randint(-3, 3),
    "a long denominator": lambda source: source.choice((Fraction(1, 5 * 10**11), 0, 9)),
    "beyond floats": lambda source: source.randint(-9, 9) * source.choice((1, 10**400)),
    "in per mille": lambda source: source.randint(-9, 9) * Fraction(source.randint(1, 999), 10**9),
}


@pytest.mark.parametrize("entries", ENTRIES)
def test_trees_with_payoffs_hard_for_floats_have_the_value_of_their_matrix(entries):
    """Both bid at once, so that the tree is worth what its matrix is."""
    source = Random(entries)
    for size in [2] * 5 + [3] * 10 + [5] * 3:
        rows = [[ENTRIES[entries](source) for _ in range(size)] for _ in range(size)]
        bids = {(i, j): rows[i][j] for i in range(size) for j in range(size)}
        node = Simultaneous({bid: bid for bid in bids}, ("one", "two"))
        coin = Chance({"heads": "1/2", "tails": "1/2"})  # which neither player sees
        nodes = {"": coin, "heads": node, "tails": node} | bids
        solved = gx.solve_game(Tree("", nodes.__getitem__))
        assert solved.value == gx.solve_matrix_game(rows).value


@pytest.mark.parametrize("factor", [10**20, 10**400, Fraction(1, 10**400)])
def test_learned_strategies_do_not_depend_on_the_unit_of_payoffs(factor):
    def game(unit):
        bids = product("ab", repeat=2)
        payoffs = {bid: unit * k for bid, k in zip(bids, (2, -1, -1, 1), strict=True)}
        moves = Simultaneous({bid: bid for bid in payoffs}, ("one", "two"))
        coin = Chance({"heads": "1/2", "tails": "1/2"})  # which neither player sees
        nodes = {"": coin, "heads": moves, "tails": moves} | payoffs
        return Tree("", nodes.__getitem__)

    plain, scaled = (approximate(game(unit), iterations=50) for unit in (1, factor))
    assert (scaled.row, scaled.column) == (plain.row, plain.column)
    assert scaled.exploitability == plain.exploitability * factor > 0
    gain = str(scaled).partition("to both gain at most ")[2].partition(" together")[0]
    assert gx.view(gain) >= scaled.exploitability
    if factor > 1:  # the decimals of a small value are its bounds
        low, high = str(scaled).partition(": value from ")[2].partition("\n")[0].split(" to ")
        assert gx.view(low) <= scaled.least <= scaled.most <= gx.view(high)


@pytest.mark.parametrize("arithmetic", ["float", gx.Ball(5), gx.Ball(60)], ids=str)
def test_balls_and_floats_of_trees_contain_the_exact_value(arithmetic):
    source, digits = Random(6), 9 if arithmetic == "float" else arithmetic.digits + 1
    trees = [random_game(source, hidden=False)[0] for _ in range(150)]
    game = gx.Game(3, gx.Rules("win", "carryover"))
    for tree in (*trees, oshi_zumo(9, size=2), Gops(game.start)):
        value, number = gx.solve_game(tree).value, gx.extensive.value(tree, arithmetic)
        low, high = number.bounds()
        assert low <= value <= high and (high - low) * 10**digits <= 1


def test_value_of_a_tree_with_hidden_moves_is_refused_in_balls():
    with pytest.raises(ValueError, match="arithmetic must be exact for this game, got ball"):
        gx.extensive.value(kuhn_poker(), "ball")


def test_value_of_a_tree_halfway_between_two_decimals_raises_a_precision_error_in_balls():
    halfway = ListedTree([Chance({1: "1/3", 2: "2/3"}), Fraction(3, 200), 0])
    with pytest.raises(gx.PrecisionError, match="2 digits"):
        gx.extensive.value(halfway, gx.Ball(2))


@pytest.mark.parametrize("labels", [("2", ""), ("x", "x", "1"), ("", "1", "1 (3)")], ids=str)
def test_read_efg_tells_information_sets_with_numbers_as_labels_apart(labels):
    chances = " ".join(f'"" 1/{len(labels)}' for _ in labels)
    text = f'EFG 2 R "" {{ "" "" }} c "" 1 "" {{ {chances} }} 0'
    for number, label in enumerate(labels, 1):
        text += f' p "" 1 {number} "{label}" {{ "l" "r" }} 0'
        for payoff in (number == 1, number > 1):
            end = f't "" {1 + payoff} "" {{ {+payoff} {-payoff} }} '
            text += f' p "" 2 1 "b" {{ "u" "d" }} 0 {end * 2}'
    check_tree(read_efg(text), 1)


def test_games_that_are_read_or_loaded_again_are_equal():
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    games = [lambda: read_efg(POKER), lambda: Tree(1, len), lambda: SpielTree("kuhn_poker")]
    assert all(game() == game() and hash(game()) == hash(game()) for game in games)
    assert read_efg(POKER) != read_efg(POKER.replace("2, -2", "3, -3"))
    assert SpielTree("kuhn_poker") != SpielTree("leduc_poker")


class Countdown:
    """Players take turns to take one or two of many matches; who takes the last one wins."""

    start = 1501, 1

    def at(self, state):
        left, player = state
        if left == 0:
            return -1 if player == 1 else 1
        return Move(player, {k: (left - k, 3 - player) for k in (1, 2) if k <= left})


@dataclass(frozen=True)
class Coin:
    """Player one takes what lies on the table, or gives as much; a list makes it change, and not to be hashed."""

    coins: list[int]
    start = "table"

    def at(self, state):
        if state != "table":
            return self.coins[0] if state == "take" else -self.coins[0]
        return Move(1, {"take": "take", "give": "give"})


def test_solve_game_reads_a_changed_game_again():
    game = Coin([1])
    assert gx.solve_game(game).value == 1
    game.coins[0] = 5
    changed = gx.solve_game(game)
    assert changed.value == security_level(game, {"table": {"take": 1}}) == 5
    assert json.loads(changed.emit("json"))["value"] == "5"


def test_errors_of_a_users_game_name_the_state():
    with pytest.raises(IndexError) as raised:
        gx.solve_game(Coin([]))
    assert raised.value.__notes__ == ["at the state 'take' of the game"]


class Attributed:
    """A game with attributes of its own, by names that the package uses for its games."""

    start, symmetric, equilibrium = 0, True, "none"
    check_cost = title = form = shown = document = print

    def __init__(self, nodes):
        self.at = nodes.__getitem__


def test_solve_game_ignores_other_attributes_of_a_game():
    nodes = [Move(1, {"a": 1, "b": 2}, "one"), 3, Move(2, {"c": 3, "d": 4}, "two"), 4, 5]
    solved = gx.solve_game(Attributed(nodes))
    assert solved.value == 4 and str(solved).startswith("game: value 4")
    assert json.loads(solved.emit("json"))["title"] == "game"
    assert str(gx.solve_game(ListedTree(nodes, title="Coins"))).startswith("Coins: value 4")


def test_solve_game_solves_trees_deeper_than_the_recursion_limit():
    solved = gx.solve_game(Countdown())
    assert solved.value == 1 and solved.row[1501, 1] == {1: 1}
    # Few of the states with a strategy are reached, so the table says nothing of sequences.
    assert "Sequences" not in str(solved)


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        ([Chance({1: "1/2", 2: "1/3"}), 0, 0], "sum 1"),
        ([Move(3, {"a": 1}), 0], "player 1 or 2"),
        ([Simultaneous({("a", "c"): 1, ("b", "d"): 1}), 0], "every pair of moves"),
        ([0.5], "state 0: .*exact rational"),
        ([Move(1, {"a": 1, "b": -1}), 5], "state -1 must be at least 0"),
        ([Move(1, {"a": 1, "b": 1}, knows=["x"]), 5], "state 0: states and names .* unhashable"),
        ([Move(1, [1, 1]), 5], "state 0: moves must be a mapping"),
        ([Simultaneous({"a": 1, "b": 1}), 5], "state 0: .*must be pairs, got 'a'"),
        ([Simultaneous({(1, 2): 1}, knows="xy"), 5], "state 0: .*must be pairs, got 'xy'"),
        ([Move(1, {"a": 1, "b": 2}, "x"), Move(1, {"c": 3, "d": 3}, "x"), 0, 0], "different moves"),
        # An absent-minded driver, who can't tell the second exit from the first one.
        ([Move(1, {"on": 1, "off": 2}, "x"), Move(1, {"on": 3, "off": 2}, "x"), 0, 4], "forgotten"),
    ],
)
def test_solve_game_refuses_trees_without_proper_chances_players_states_or_recall(nodes, expected):
    with pytest.raises(ValueError, match=expected):
        gx.solve_game(ListedTree(nodes))
    with pytest.raises(ValueError, match="a start and a method at"):
        gx.solve_game(nodes)
    with pytest.raises(ValueError, match="must be objects that can be hashed"):
        gx.solve_game(ListedTree(nodes, start=[0]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (POKER.replace("{ -1, 1 }", "{ -1, 2 }", 1), "same everywhere"),
        (POKER.replace('"Rose" ', '"Rose" "Third" '), "two players"),
        (POKER.replace('t "" 4\n', ""), "c, p or t"),
        (POKER.replace('{ "raise" "fold" }', "{ }", 1), "line 4: a node must have a move"),
        (POKER.replace("1/2", "1/3", 1), "sum 1"),
        (POKER.replace('t "" 2\n', 't "" 9\n'), "outcome 9"),
        (POKER.replace('p "" 2 1', 'p "" 3 1'), "a player must be an integer from 1 to 2, got '3'"),
        (
            POKER.replace('p "" 2 1 {', 'p "" 2 1 { "pass" "meet" } 3 { -1, 1 }'),
            "set 1 of player 2",
        ),
        (POKER.replace('t "" 4\n', 't "" 4 { 2, -2 }\n'), "outcome 4 must have the same payoffs"),
    ],
)
def test_efg_files_that_are_not_zero_sum_incomplete_or_for_three_are_refused(
    text, expected, tmp_path
):
    with pytest.raises(ValueError, match=expected):
        gx.solve_game(read_efg(text))
    file = tmp_path / "game.efg"
    file.write_text(text, encoding="utf-8")
    ended = run(["solve", str(file)])
    assert (ended.status, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert expected in ended.err


def test_verify_proves_trees_with_shared_states_without_listing_histories():
    """Both results of a coin lead to the same next state, so that 60 states make 2⁶⁰ histories."""
    coins = [{"chance": [{"probability": "1/2", "state": k + 1}] * 2} for k in range(60)]
    nodes = [*coins, {"player": 1, "moves": {"a": 61}, "knows": "end"}, "1"]
    document = {"document": "game tree", "version": 1, "title": "", "nodes": nodes}
    text = json.dumps(document | {"value": "1", "row": {}, "column": {}})
    assert not check_game(text).faults and gx.solve_game(object_of(text).game).value == 1


@pytest.mark.parametrize(
    "game",
    [
        *("kuhn_poker", "leduc_poker", "liars_dice(dice_sides=3)"),
        "goofspiel(imp_info=True,num_cards=3,points_order=ascending)",
        HiddenBids(gx.Game(3)),
        HiddenBids(gx.Game(3, gx.Rules(prizes="descending"))),
    ],
    ids=str,
)
def test_openspiel_finds_solved_trees_unexploitable(game):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from open_spiel.python.algorithms.exploitability import nash_conv

    table = tabular_policy(gx.solve_game(SpielTree(game) if isinstance(game, str) else game))
    assert abs(nash_conv(table.game, table)) < 1e-12


def test_openspiel_games_not_listed_not_zero_sum_or_not_for_two_are_refused(capfd):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    for name, expected in (
        ("tiny_hanabi", "payoffs with the sum 0"),
        ("first_sealed_auction", "payoffs with the sum 0"),
        ("matching_pennies_3p", "two players"),
        ("no_such_game", "a name that OpenSpiel knows"),
        ("dark_chess", "names of the information sets"),
        ("kuhn_poker(players=99)", "max_num_players num_players_ = 99"),
        ("dots_and_boxes(num_rows=0)", "num_rows_ >= 1 num_rows_ = 0"),
    ):
        ended = run(["solve", f"openspiel:{name}"])
        assert (ended.status, ended.out) == (2, "") and expected in ended.err
        # OpenSpiel itself prints errors.
        assert ended.err.count("\n") == 1 and capfd.readouterr().err == ""
    with pytest.raises(ValueError, match="^OpenSpiel cannot load .* num_players_ = 99, .*$"):
        SpielTree("kuhn_poker(players=99)")


def test_openspiel_policies_are_refused_for_nim_visible_bids_and_poker_not_from_openspiel():
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    seen = SpielTree("nim(pile_sizes=1;2)")
    both_see = HiddenBids(gx.Game(3, gx.Rules(prizes="descending")), (True, True))
    for game in (seen, kuhn_poker(), both_see):
        with pytest.raises(ValueError, match="with information sets"):
            tabular_policy(gx.solve_game(game))


def test_exploitability_takes_strategy_floats_exactly_or_within_a_distance():
    poker = kuhn_poker()
    column = gx.solve_game(poker).column
    row = {"J": {"p": 1}, "Q": {"p": 1}, "K": {"p": 1}, "Jpb": {"p": 1}, "Kpb": {"b": 1}}
    for mix, options, exact in (
        ({"b": 0.1, "p": 0.9}, {}, Fraction(0.1)),  # the greatest is 1 less the others
        ({"b": 0.1, "p": 0.899999}, {}, Fraction(0.1)),
        ({"b": np.float32(0.1), "p": np.float32(0.9)}, {}, Fraction(float(np.float32(0.1)))),
        ({"b": 0.1, "p": 0.9}, {"within": "1e-9"}, Fraction(1, 10)),
        ({"b": 0.333, "p": 0.667}, {"within": Fraction(1, 1000)}, Fraction(1, 3)),
    ):
        right = gx.exploitability(poker, row | {"Qpb": {"b": exact, "p": 1 - exact}}, column)
        assert gx.exploitability(poker, row | {"Qpb": mix}, column, **options) == right
        whole = row | {"Qpb": mix} | column  # one mapping for both players
        assert gx.exploitability(poker, whole, **options) == right
    for mix, message in (
        ({"b": 0.1, "p": 0.8}, "Qpb: probabilities must have the sum 1, got {"),
        ({"b": float("inf"), "p": 0.8}, "a probability must be an exact rational, got inf"),
        ({"b": -0.1, "p": 1.1}, "a probability must not be negative"),
    ):
        with pytest.raises(ValueError, match=message):
            gx.exploitability(poker, row | {"Qpb": mix}, column)
    with pytest.raises(ValueError, match="information sets of the game, got 'T'"):
        gx.exploitability(poker, {"T": {"p": 1}})


@pytest.mark.parametrize("hidden", [False, True])
def test_best_replies_to_an_equilibrium_get_its_value(hidden):
    source = Random(7)
    for _ in range(60):
        tree, _ = random_game(source, hidden=hidden)
        solved = gx.solve_game(tree)
        replies = best_replies(tree, solved.row, solved.column)
        assert replies.least == replies.most == solved.value
        # Against the replies, these strategies get the value, and best replies to the replies no less.
        assert security_level(tree, replies.row) <= solved.value
        assert best_replies(tree, solved.row, replies.column).least == solved.value
        assert best_replies(tree, replies.row, solved.column).most == solved.value


@pytest.mark.parametrize("hidden", [False, True])
def test_trees_written_as_efg_and_read_again_are_worth_the_same(hidden):
    source = Random(8)
    for _ in range(80):
        tree, _ = random_game(source, lambda *path: f'{path[-1]}"', hidden=hidden)
        text = write_efg(tree)
        again = read_efg(text)
        assert gx.solve_game(again).value == gx.solve_game(tree).value
        named = write_efg(again)  # sets without names have numbers for names now
        assert write_efg(read_efg(named)) == named


@pytest.mark.parametrize("game", [kuhn_poker(), liars_dice(2), read_efg(POKER)])
def test_trees_written_as_efg_keep_the_names_of_information_sets(game):
    again = read_efg(write_efg(game))
    for side, side_again in zip(listed(game)[1], listed(again)[1], strict=True):
        assert {name: {*moves} for name, (_, moves) in side.items()} == {
            name: {*moves} for name, (_, moves) in side_again.items()
        }
    strategies, kept = gx.solve_game(game), gx.solve_game(again)
    assert kept.value == strategies.value
    assert gx.exploitability(again, strategies.row, strategies.column) == 0


def test_write_efg_refuses_a_number_in_place_of_a_game():
    with pytest.raises(ValueError, match="position must be"):
        write_efg(7)


def test_tables_tell_apart_information_sets_whose_names_differ_in_a_line_break():
    nodes = [
        Move(1, {"left": 1, "right": 2}),
        Move(2, {"up": 3, "down": 4}, "x\ny"),
        Move(2, {"up": 3, "down": 4}, "x y"),
        1,
        -1,
    ]
    table = gx.solve_game(ListedTree(nodes)).table()
    assert {keys[1] for keys, _ in table.rows if keys[0] == "two"} == {"x y", "x y (2)"}
