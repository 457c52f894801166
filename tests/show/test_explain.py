"""Worked solutions of small games: every formula holds, and the last ones prove the solution."""

from random import Random

import games
import pytest
from blackboard import check

import gops_exact as gx


def test_explanations_of_random_games_prove_their_solutions():
    source = Random(45)
    mixed = dominated = 0
    for _ in range(1000):
        game = [row[:3] for row in games.small_game(source)[:3]]
        explanation, solution = gx.explain(game), gx.solve_matrix_game(game)
        # Formulas are the steps that are indented.
        formulas = [step.strip() for step in explanation.steps if str(step)[0] == " "]
        mixed += bool(check(formulas, solution.value))
        dominated += any("dominated" in str(step) for step in explanation.steps)
        explanation.solution.check(game)
        assert explanation.solution.value == solution.value
        assert explanation.solution.row_unique == solution.row_unique
        if solution.row_unique:
            assert explanation.solution.row == solution.row
        if solution.column_unique:
            assert explanation.solution.column == solution.column
    assert mixed > 200
    assert dominated > 100


def test_explanation_is_written_as_text_html_and_latex():
    explanation = gx.explain(gx.MatrixGame([[3, "-1/2"], [1, 2]], rows=["<a>", "b_1"]))
    text, html, latex = (explanation.emit(fmt) for fmt in ("text", "html", "latex"))
    assert text == f"{explanation}\n"
    assert "\n    3 p + (1 - p) = -1/2 p + 2 (1 - p)\n" in text
    assert "-<sup>1</sup>⁄<sub>2</sub> p + 2 (1 - p)</p>" in html
    assert "&lt;a&gt;" in html
    assert "<a>" not in html
    assert r"\[3 p + (1 - p) = -\frac{1}{2} p + 2 (1 - p)\]" in latex
    assert r"rows $<$a$>$, b\_1 with" in latex


def test_explain_takes_positions_and_refuses_more_than_three_bids():
    explanation = gx.explain(gx.Position.parse("2.4_1.3_12.13@13"))
    assert explanation.solution.game.rows == ("2", "4")
    latex = gx.explain([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]).emit("latex")
    assert "p_1, p_2, 1 - p_1 - p_2" in latex and r"0, 0, 0 \ge v" in latex
    with pytest.raises(ValueError, match="payoff must be at most 3 × 3, got 2 × 4"):
        gx.explain([[1, 2, 3, 4], [4, 3, 2, 1]])
