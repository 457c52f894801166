"""Claims about strategies of trees and of games with hidden bids: which sets they reach, and that they are refined."""

import json
from copy import deepcopy
from fractions import Fraction

import pytest
from flint import fmpq
from games import check_game
from oracle_checks import is_number, places
from tree_oracle import Tree, is_true_tree

import gops_exact as gx
from gops_exact import known_games
from gops_exact.extensive import Chance, HiddenBids, ListedTree, Move, Simultaneous
from gops_exact.extensive import Tree as Game

pytest.importorskip("highspy", reason="HiGHS is not installed")

DESCENDING = gx.Rules("win", "carryover", "descending")
BIDS = HiddenBids(gx.Game(3))
KUHN = gx.solve_game(known_games.kuhn_poker(), refined=True).document()
CLAIMED = "row", "column", "value", "reached", "polynomials"


@pytest.mark.parametrize(
    "game",
    [
        *(known_games.liars_dice(2), known_games.liars_dice(3), BIDS),
        HiddenBids(gx.Game(4, DESCENDING), (True, False)),
        HiddenBids(gx.Game(4, DESCENDING)),
    ],
    ids=str,
)
def test_verify_proves_refined_equilibria(game):
    solved = gx.solve_game(game, refined=True)
    report = check_game(solved.emit("json"))
    assert not report.faults and report.proved["quasi-perfect equilibrium"] == 1
    assert report.proved["reached sets"] == sum(map(len, solved.reached))


@pytest.mark.parametrize("start", [3, Chance({1: fmpq(1, 3), 2: fmpq(2, 3)})], ids=str)
def test_verify_proves_a_game_in_which_nobody_moves(start):
    game = ListedTree((start, 1, 4))
    report = check_game(gx.solve_game(game).emit("json"))
    assert not report.faults and report.proved


def is_refused(document):
    try:
        return bool(check_game(json.dumps(document)).faults)
    except ValueError:  # a probability above 1
        return True


@pytest.mark.parametrize("document", [KUHN, gx.solve_game(BIDS, refined=True).document()])
def test_verify_refuses_changed_numbers_of_a_refined_equilibrium(document):
    assert not is_refused(document)
    stated = {name: document[name] for name in CLAIMED}
    count = sum(is_number(part[key]) for part, key in places(stated))
    for index in range(0, count, 1 + count // 30):
        changed = deepcopy(stated)
        part, key = [(p, k) for p, k in places(changed) if is_number(p[k])][index]
        part[key] = str(Fraction(part[key]) + Fraction(1, 7))
        assert is_refused(document | changed), part


LONG = "'Jpb': 'p' has more than 3 coefficients"
LITTLE = "'Kpb': 'p' has less than ε^2, the least weight"
SUM = "'Jpb': the weights do not add up to that of the sequence before"
WORSE = "'Kpb': 'p' is no best reply, and has more than the least weight"


@pytest.mark.parametrize(
    ("path", "part", "fault"),
    [
        ("reached row Jpb", "1/8", "reached: row: 'Jpb' is reached with the probability 1/9, not 1/8"),
        ("reached row Kpb", "1/8", "reached: row: 'Kpb' is reached with the probability 0, not 1/8"),
        ("reached row K", ..., "reached: row: 'K' is reached with the probability 1/3, not 0"),
        ("reached column Z", "1", "'Z' is reached with the probability 0, not 1"),
        ("row Kpb", ..., "row: 'Kpb': expected probabilities for the information sets of the player"),
        ("row Kpb", {"p": "1"}, "row: 'Kpb': the strategy is not the limit of the polynomials"),
        ("polynomials row Kpb", ..., "row: 'Kpb': expected polynomials for the information sets with"),
        ("polynomials row Q", {"p": ["1"], "c": ["0"]}, "'Q': expected polynomials of the moves 'b', 'p'"),
        ("polynomials row Jpb p", ["2/3", "1/3", "-1", "0"], LONG),
        ("polynomials row Jpb p", ["2/3", "1/3", "1"], SUM),
        ("polynomials row Kpb", {"p": ["0", "0", "1/2"], "b": ["0", "1", "-1/2"]}, LITTLE),
        ("polynomials row Kpb", {"p": ["0", "0", "2"], "b": ["0", "1", "-2"]}, WORSE),
        ("polynomials", ..., "row: 'Kpb' has probabilities, and is not reached"),
        ("value", "-1/17", "the best reply to the row strategy does not have the value"),
    ],
)  # fmt: skip
def test_verify_names_what_is_wrong_in_a_refined_equilibrium(path, part, fault):
    document = deepcopy(KUHN)
    *names, last = path.split()
    place = document
    for name in names:
        place = place[name]
    if part is ...:
        del place[last]
    else:
        place[last] = part
    assert fault in check_game(json.dumps(document)).faults[0]
    assert not is_true_tree(document)


@pytest.mark.parametrize(
    ("last", "weights", "fault"),
    [(1, ("1", "0"), "'b' has less than ε^1"), (-1, ("1/2", "1/2"), "'b' is no best reply")],
)
def test_verify_refuses_perturbed_strategies_with_too_rare_moves_or_no_best_replies(
    last, weights, fault
):
    """Player two plays c, where a and b gain as much, but against d, a mistake, b may gain less."""
    payoffs = {"ac": 0, "ad": 1, "bc": 0, "bd": last}
    moves = {(one, two): one + two for one in "ab" for two in "cd"}
    game = Game("", lambda state: payoffs.get(state, Simultaneous(moves, ("one", "two"))))
    document = gx.solve_game(game, refined=True).document()
    assert is_true_tree(document) and not is_refused(document)
    chances = dict(zip("ab", weights, strict=True))
    document["row"]["one"] = {move: chance for move, chance in chances.items() if chance != "0"}
    document["polynomials"]["row"]["one"] = {move: [chance] for move, chance in chances.items()}
    assert fault in check_game(json.dumps(document)).faults[0]
    assert not is_true_tree(document)


@pytest.mark.parametrize(("game", "most"), [(gx.Game(5), 4), (gx.Game(6, DESCENDING), 5)], ids=str)
def test_verify_refuses_refined_equilibria_of_games_with_too_many_cards(game, most):
    document = gx.solve_game(BIDS).document() | {"n": game.n, "polynomials": KUHN["polynomials"]}
    document["rules"] = document["rules"] | {"prizes": game.rules.prizes}
    with pytest.raises(
        ValueError, match=f"n must be from 2 to {most} with polynomials, got {game.n}"
    ):
        check_game(json.dumps(document))


def test_refined_strategies_of_liars_dice_are_not_weakly_dominated():
    """Of liar's dice with two sides the equilibrium that is not refined is never better for player one, and at times worse."""
    plain, refined = (gx.solve_game(known_games.liars_dice(2), refined=r) for r in (False, True))
    assert Tree(plain.document()).is_dominated(0)
    tree = Tree(refined.document())
    assert not any(tree.is_dominated(player) or tree.wrong_moves(player) for player in (0, 1))


def test_verify_refuses_probabilities_without_the_sum_1_at_a_state_that_is_not_reached():
    nodes = [Move(1, {"stop": 1, "on": 2}), 3, Move(1, {"a": 3, "b": 4}), 1, 2]
    document = gx.solve_game(ListedTree(nodes)).document()
    assert document["reached"] == {"row": {"0": "1"}, "column": {}} and not is_refused(document)
    document["row"]["2"] = {"b": "1/2"}
    fault = "row: '2' has no probabilities of the moves 'a', 'b'"
    assert check_game(json.dumps(document)).faults == [fault]
