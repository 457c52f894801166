"""Certificates of whole games, checked by plain Python and, where it is installed, by Coq; damaged ones are refused."""

import random
import re
from collections import Counter

import pytest
from certificates import (
    GAMES,
    certificate,
    check,
    check_tree,
    coq_refuses,
    coq_refuses_trees,
    damaged,
    proofs,
    refused,
    tree_refused,
    tree_with_another_number,
)

import gops_exact as gx
from gops_exact.exchange import certificate_to_coq, tree_to_coq, write_certificate
from gops_exact.exchange.reading import object_of
from gops_exact.extensive import Chance, HiddenBids, ListedTree, Move, approximate, locked

POSITIONS = [
    "2.4_1.3_12.13",
    "1.3.4_2.3.9_2.2.7",  # two prizes are equal
    "1.3_2.4_h5.9_w_m3_c_p4",
    "2.4_2.3_f9.1.5_w_m-2",  # the prizes left are 1 and 5
    "1_1_a0",
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_python_checker_proves_three_cards_by_every_rule_set(game):
    claim = check(certificate(game)).split()
    rules = certificate(game).splitlines()[0].split()[2:]
    assert claim == [*rules, "1,2,3", "1,2,3", ",".join(map(str, game.prizes)), "0", "0", "0"]


@pytest.mark.parametrize("name", POSITIONS)
def test_python_checker_proves_values_of_positions(name):
    *_, margin, pot, worth = check(write_certificate(name)).split()
    position = gx.Position.parse(name)
    claimed = int(margin), int(pot), gx.view(worth)
    assert claimed == (position.margin, position.pot, gx.value(position))


def test_certificates_state_the_strategies_of_unique_first_moves():
    lines = certificate(gx.Game(3)).splitlines()[-4:-1]
    only = [moves.unique for moves in gx.first_move(3).values()]
    assert [len(line.split()) == 5 for line in lines] == only


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("2.4_1.3_12.13@13", "no prize turned up, got 2.4_1.3_12.13@13"),
        ("1.2_1.3_2.3_w_m9", "an undecided position"),
        (gx.Position.start(8), "at most 7 cards a side"),
    ],
)
def test_write_certificate_refuses_a_turned_up_prize_a_decided_game_and_eight_cards(
    position, message
):
    with pytest.raises(ValueError, match=re.escape(message)):
        write_certificate(position)


def test_python_checker_refuses_damaged_certificates():
    rng = random.Random("suite")
    cases = [damaged(rng) for _ in range(80)]
    assert [text for _, text in cases if not refused(text)] == []
    assert min(Counter(kind for kind, _ in cases).values()) >= 5, "each kind of damage is there"


def test_certificate_to_coq_writes_long_integers_in_hexadecimal():
    digits = "1" + "0" * 30
    text = certificate_to_coq(write_certificate("2_1_3").replace("turn 3 1", f"turn 3 {digits}"))
    assert f"[{hex(10**30)}]" in text


FORMS = {
    "position 2 1 3": "position 2 1",
    "turn 3": "turn (3)",
    "end 1\n": "",
    "turn 3 1": "turn 3/0 1",
    "turn 3 1 1": "turn 3/-1 1 1",
}


@pytest.mark.parametrize("old", FORMS)
def test_certificate_to_coq_refuses_missing_words_brackets_and_denominators_of_0_or_below(old):
    text = write_certificate("2_1_3")
    assert text.count(old) == 1
    with pytest.raises(ValueError, match="certificate must be the text of one, got 'gops-cert"):
        certificate_to_coq(text.replace(old, FORMS[old]))


KUHN, KNOWN = gx.known_games.kuhn_poker(), gx.known_games
ODD = (
    ListedTree(  # moves of a set in any order, names of players and states alike, a quotation mark
        [
            *(
                Chance({1: "1/3", 2: "2/3"}),
                Move(1, {"a": 3, "b": 4}, "1"),
                Move(1, {"b": 5, "a": 6}, "1"),
            ),
            *(Move(2, {'"': 7, "é": 8}, "1"), 1, -2, Move(2, {"é": 5, '"': 4}, "1"), 5, -5),
        ]
    )
)
MANY = ListedTree([*(Move(1, {"a": k, "b": k}) for k in range(1, 41)), 1])  # 2^40 histories
ENDLESS = ListedTree([Move(1, {"stay": 0, "leave": 1}), 1])
TREES = {
    "Kuhn poker": (lambda: gx.solve_game(KUHN), "-1/18"),
    "refined": (lambda: gx.solve_game(KUHN, refined=True), "-1/18"),
    "locked": (lambda: gx.solve_game(locked(KUHN, 2, {"Qb": {"b": 1}})), "1/18"),
    "all seen": (lambda: gx.solve_game(KNOWN.recursive_blotto((4, 2), (1, 1))), "2/3"),
    "at once": (lambda: gx.solve_game(KNOWN.oshi_zumo(3)), "0"),
    "names": (lambda: gx.solve_game(ODD), "-1"),
}


@pytest.mark.parametrize("name", TREES)
def test_python_checker_proves_solved_trees(name):
    solve, value = TREES[name]
    assert check_tree(solve().emit("json")).split()[-1] == value


def test_python_checker_refuses_just_the_solved_trees_that_the_reference_solver_finds_wrong():
    rng = random.Random("trees")
    cases = [tree_with_another_number(rng) for _ in range(150)]
    assert [text for text, right in cases if tree_refused(text) == right] == []
    assert 40 <= sum(right for _, right in cases) <= 110


def test_python_checker_refuses_tree_documents_with_altered_states_players_or_chances():
    text = gx.solve_game(KUHN).emit("json")
    for old, new in (
        ('"game tree"', '"matrix game"'),
        ('"state": 1}', '"state": 0}'),
        ('"state": 1}', '"state": -1}'),
        ('"1/6"', '"1/5"'),
        (', "knows": "K"', ""),
        ('"player": 1', '"player": 3'),
        ('"value": "-1/18"', '"least": "-1/18", "most": "-1/18"'),
    ):
        assert old in text and tree_refused(text.replace(old, new, 1)), f"{old}, {new}"


@pytest.mark.parametrize(
    ("solve", "error", "message"),
    [
        (
            lambda: approximate(KUHN, iterations=3),
            gx.PrecisionError,
            "the value is known to be from",
        ),
        (lambda: gx.solve_matrix_game([[1]]), ValueError, "must be an equilibrium of a game tree"),
        (
            lambda: gx.solve_game(MANY),
            ValueError,
            "at most 100,000 ends, got 1.1 trillion",
        ),
        (lambda: gx.solve_game(ENDLESS), ValueError, "a play can reach a state twice"),
    ],
)
def test_tree_to_coq_refuses_matrix_games_and_inexact_large_or_endless_trees(solve, error, message):
    with pytest.raises(error, match=message):
        tree_to_coq(solve())


@pytest.mark.usefixtures("coq")
def test_coq_refuses_damaged_certificates_and_accepts_true_ones():
    rng = random.Random("coq")
    texts = [damaged(rng)[1] for _ in range(6)]
    texts += [certificate(GAMES[0]), *map(write_certificate, POSITIONS[1:3])]
    assert coq_refuses(texts) == [True] * 6 + [False] * 3
    proofs.in_coq("Two", {"usual": write_certificate("1.2_1.2_1.2")})


@pytest.mark.usefixtures("coq")
def test_coq_refuses_just_the_solved_trees_that_the_reference_solver_of_the_tests_finds_wrong():
    rng = random.Random("coq")
    cases = [tree_with_another_number(rng) for _ in range(15)]
    solved = [solve() for solve, _ in TREES.values()] + [gx.solve_game(HiddenBids(gx.Game(2)))]
    results = [*(object_of(text) for text, _ in cases), *solved]
    expected = [not right for _, right in cases] + [False] * len(solved)
    assert coq_refuses_trees(results) == expected


def test_coq_refuses_altered_theorems(coq):
    """The true ones are proved by make proofs."""
    for name, *change in (
        ("Ross", "matched (start deck deck) == 28.", "matched (start deck deck) == 27."),
        ("Pure", "with_prizes [0; 1; 2; 3]%Z in", "with_prizes [1; 2; 3; 4]%Z in"),
    ):
        source = (proofs.HERE / f"{name}.v").read_text("utf-8")
        assert source.count(change[0]) == 1, f"{name}.v has changed"
        (coq / f"{name}.v").write_text(source.replace(*change), "utf-8")
        with pytest.raises(SystemExit, match=f"{name}.v: "):
            proofs.coqc(name)


@pytest.mark.usefixtures("coq")
def test_checker_extracted_from_coq_refuses_damaged_certificates_and_accepts_true_ones():
    if (program := proofs.extracted()) is None:
        pytest.skip("no OCaml with Zarith")
    rng, text = random.Random("extracted"), write_certificate("1.2_1.2_1.2")
    cases = [damaged(rng)[1] for _ in range(80)]
    for case in (
        *cases,
        text.replace("turn -2 1 1", "turn -2/0 1 1"),
        text.replace("end 5\n", ""),
        "",
    ):
        with pytest.raises(SystemExit, match="checker: "):
            proofs.proved_by(program, case)
    for text in map(write_certificate, POSITIONS):
        assert proofs.proved_by(program, text) == check(text)
