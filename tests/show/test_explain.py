"""Worked solutions of small games: every formula holds, and the last ones prove the solution."""

import sys
from fractions import Fraction
from random import Random

import games
import pytest
from blackboard import check, check_envelope

import gops_exact as gx


def test_written_explanations_of_random_matrix_games_prove_their_solutions():
    source = Random(45)
    mixed = dominated = 0
    for _ in range(400):
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
    assert mixed > 80
    assert dominated > 40


def two_strategies(source):
    """A game of two rows or two columns, by half with many ties; what is good in one is bad in the other by half."""
    entries = source.choice([range(-2, 3), range(-20, 21)])
    opposed, most = source.choice([(0, 1), (1, 1), (1, 3)])
    game = []
    for _ in range(source.randint(3, 9)):
        first, second = source.choice(entries), source.choice(entries)
        game.append(
            [Fraction(first, most), Fraction(second, source.randint(1, most)) - opposed * first]
        )
    return game if source.random() < 0.5 else list(zip(*game, strict=True))


def graphical(source, count):
    """Check explanations of `count` games; return how many of two rows, and of two columns, needed lines."""
    drawn = {2: 0, 9: 0}
    for _ in range(count):
        game = two_strategies(source)
        explanation = gx.explain(game)
        value = explanation.solution.value
        assert value == gx.solve_matrix_game(game, "simplex").value
        check([step.strip() for step in explanation.steps if str(step)[0] == " "], value)
        if " is a line over " in str(explanation):
            assert check_envelope(str(explanation), game) == value
            drawn[2 if len(game) == 2 else 9] += 1
    return list(drawn.values())


def test_graphical_method_draws_lines_whose_envelope_has_its_best_level_at_the_value():
    assert min(graphical(Random(60), 60)) > 8


def test_dominance_that_leaves_two_strategies_is_followed_by_the_graphical_method():
    game = [[2, 3, 1, 5], [4, 1, 6, 0], [1, 0, 0, -1], [3, 1, 3, 0]]
    text = str(gx.explain(game))
    assert text.count(" strictly ") + text.count(" weakly ") >= 2
    assert text.index("rows left: 1, 2\n") < text.index("is a line over p")
    assert check_envelope(text, game) == Fraction(17, 7)


def test_explanation_is_written_as_text_html_latex_and_markdown():
    explanation = gx.explain(gx.MatrixGame([[3, "-1/2"], [1, 2]], rows=["<a>", "b_1"]))
    text, html, latex = (explanation.emit(fmt) for fmt in ("text", "html", "latex"))
    assert text == f"{explanation}\n"
    assert "\n    3 p + (1 - p) = -1/2 p + 2 (1 - p)\n" in text
    assert "-<sup>1</sup>⁄<sub>2</sub> p + 2 (1 - p)</p>" in html
    assert "&lt;a&gt;" in html
    assert "<a>" not in html
    assert r"\[3 p + (1 - p) = -\frac{1}{2} p + 2 (1 - p)\]" in latex
    assert r"rows $<$a$>$, b\_1 with" in latex
    markdown = explanation.emit("markdown")
    assert "\n\n$$3 p + (1 - p) = -\\frac{1}{2} p + 2 (1 - p)$$\n\n" in markdown
    assert "| \\<a> | 3 | -1/2 | -1/2 |" in markdown and "rows \\<a>, b_1 with" in markdown


def test_explanation_in_html_has_the_picture_of_the_lines_where_matplotlib_is(monkeypatch):
    explanation = gx.explain([[2, 3, 1, 5], [4, 1, 6, 0]])
    picture = '<img alt="lines and their envelope" src="data:image/png;base64,iVBORw0KGgo'
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    assert explanation.emit("html").count(picture) == 1
    assert "<img" not in gx.explain([[3, -1], [1, 2]]).emit("html")
    monkeypatch.delitem(sys.modules, "gops_exact.show.plots", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)
    html = explanation.emit("html")
    assert "<img" not in html and "corners of the lower envelope" in html


def test_explanations_of_positions_are_refused_if_dominance_leaves_a_large_matrix():
    explanation = gx.explain("2.4_1.3_12.13@13")
    assert str(explanation) == str(gx.explain(gx.Position.parse("2.4_1.3_12.13@13")))
    assert explanation.solution.game.rows == ("2", "4")
    four = gx.explain("1.2.3.4_1.2.3.4_1.2.3.4@2")  # the highest card is dominated
    assert four.solution.support == ((0, 1, 2), (0, 1, 2))
    with pytest.raises(ValueError, match="turn one up with position"):
        gx.explain("2.4_1.3_12.13")
    latex = gx.explain([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]).emit("latex")
    assert "p_1, p_2, 1 - p_1 - p_2" in latex and r"0, 0, 0 \ge v" in latex
    diagonal = [[int(i == j) for i in range(4)] for j in range(4)]
    with pytest.raises(ValueError, match="3 × 3, 2 × n or m × 2 after dominance, got 4 × 4"):
        gx.explain([*diagonal, [0, 0, 0, 0]])
    with pytest.raises(ValueError, match="at most 400 entries, got 20 × 21"):
        gx.explain([range(21)] * 20)
