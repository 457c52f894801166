"""Matrix games with payoffs that vary: rates, intervals, and families of games."""

import json
import pickle
import random
import re
from fractions import Fraction

import games
import pytest
import variations

import gops_exact as gx


def test_sensitivity_rates_and_ranges_of_random_games_equal_those_of_changed_games():
    for number in range(20):
        matrix = games.small_game(random.Random(f"what if {number}"))
        variations.check_sensitivity([row[:4] for row in matrix[:4]])


def test_sensitivity_gives_rates_below_and_above_where_saddle_points_tie():
    payoffs = gx.solve_matrix_game([[0, 0], [0, 0]]).sensitivity().payoffs
    assert all((known.below, known.above) == (0, 0) for known in payoffs["1"].values())
    known = gx.solve_matrix_game([[1], [1], [0]]).sensitivity().payoffs["1"]["1"]
    assert (known.below, known.above, known.value.text("a")) == (0, 1, "a")


def test_solved_families_of_random_matrix_games_give_the_solution_of_each_game_tried():
    for number in range(30):
        source = random.Random(f"family {number}")
        variations.check_family(*variations.pair(source, 5), -3, 4, source, points=12)


FAMILIES = {
    "constant": ([[0, 0], [0, 0]], [[0, 0], [0, 0]], []),
    "rational ends": ([[3, -1], [1, 2]], [[0, 1], [0, 0]], ["3", "4"]),
    # The value is 0 up to the root of t² - 2.
    "an irrational end": (
        [[0, -1], [-2, 0], [0, 0]],
        [[1, 0], [0, 1], [0, 0]],
        ["0", "1.414213562373095048801688724210"],
    ),
    # A numerator is 4 t²: it vanishes at 0 and does not change its sign.
    "no end at a double root": (
        [[1, -2, 1], [-1, -2, 2], [-1, 1, -1]],
        [[1, 0, -2], [2, 0, -2], [-2, 0, 0]],
        ["-1.224744871391589049098642037353", "1.224744871391589049098642037353", "3/2"],
    ),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_pieces_of_a_family_of_games_end_at_known_roots_but_not_at_double_roots(name):
    first, second, ends = FAMILIES[name]
    family = gx.solve_family(first, second, "-4/3", 5)
    assert [str(piece.low.number) for piece in family.pieces[1:]] == ends


def test_family_of_games_tells_roots_apart_that_128_bits_do_not_separate():
    step = Fraction(1, 10**60)
    # A saddle point moves at t = 0 and again at t = step.
    family = gx.solve_family([[0, 0, 0], [0, 0, -step]], [[0, 1, 1], [0, 0, 1]], -1, 1)
    assert family.at(step / 2).value(step / 2) == 0
    variations.check_family([[0, 0], [step, 0]], [[1, 0], [-1, 1]], -1, 1, random.Random(1))


@pytest.mark.parametrize(
    ("low", "high", "second", "error"),
    [
        (1, 1, [[1, 2]], "high must be greater than low, 1, got 1"),
        (0, 1, [[1], [2]], "B must be as large as A, 1 × 2, got 2 × 1"),
        (0, 0.5, [[1, 2]], "high must be an exact rational, got the float 0.5; write '1/2'"),
    ],
)
def test_solve_family_refuses_empty_intervals_float_bounds_and_unlike_matrices(
    low, high, second, error
):
    with pytest.raises(ValueError, match=f"^{re.escape(error)}$"):
        gx.solve_family([[3, 4]], second, low, high)


def test_family_of_games_refuses_a_number_outside_its_interval():
    family = gx.solve_family([[1]], [[2]], 0, 1)
    assert family.at(1).value(1) == 3
    with pytest.raises(ValueError, match=r"^t must be from 0 to 1, got 3/2$"):
        family.at("3/2")


def test_family_of_large_games_has_many_pieces_and_reports_progress():
    source, reports = random.Random(20), []
    first, second = (games.plain(source, 20, 20, games.SMALL["integers"]) for _ in "12")
    family = gx.solve_family(first, second, 0, 1, progress=lambda *report: reports.append(report))
    assert len(family.pieces) > 10 and reports[0] == (0, 1) and len(set(reports[-1])) == 1
    assert any("degrees" in piece.value.short() for piece in family.pieces)


RESULTS = {
    "sensitivity": gx.solve_matrix_game([["1/3", 1], [1, 0]]).sensitivity(),
    "family": gx.solve_family([["1/3", 1], [1, 0]], [[0, 1], [1, 2]], -2, 3),
}


@pytest.mark.parametrize("name", RESULTS)
def test_sensitivity_and_families_of_matrix_games_are_pickled_and_written_in_every_format(name):
    result = RESULTS[name]
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301  # just dumped
    for fmt in ("text", "csv", "latex", "booktabs", "markdown", "json"):
        assert "a + " in result.emit(fmt) or "t + " in result.emit(fmt) or fmt == "json"
    assert json.loads(result.emit("json"))["version"] == 1
    assert "</table>" in result._repr_html_() and len(result.to_frame()) == len(result.table().rows)
    assert r"\infty" in result.emit("latex") or "$^2$" in result.emit("latex")
