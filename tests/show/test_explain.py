"""Worked solutions of small games: every formula holds, and the last ones prove the solution."""

import re
from fractions import Fraction
from random import Random

import pytest

import gops_exact as gx

TERM = re.compile(r"([-+]?) ?(\d+(?:/\d+)?)? ?(\([^)]*\)|[pq][₁₂]?|v)?")
SOLVED = re.compile(r"([pqv][₁₂]?) = (-?\d+(?:/\d+)?)")


def worth(form, unknowns):
    """Return the number that a linear form is, read from its text."""
    total = Fraction(0)
    for sign, factor, name in TERM.findall(form):
        if factor or name:
            inner = worth(name[1:-1], unknowns) if name[:1] == "(" else unknowns.get(name, 1)
            total += Fraction(f"{sign}{factor or 1}") * inner
    return total


def check(explanation):
    """Check every formula, with the unknowns that the formulas say."""
    lines = [step for step in explanation.steps if isinstance(step, str) and step[0] == " "]
    solved = [SOLVED.findall(line) for line in lines if ", v = " in line]
    unknowns = {"v": explanation.solution.value.to_fraction()}
    for pair in solved:
        said = {name: Fraction(number) for name, number in pair}
        assert said["v"] == unknowns["v"]
        unknowns |= said
    bounds = re.fullmatch(r" +(\S+) (≤ v ≤|= v =) (\S+)", lines[0])
    low, high = Fraction(bounds[1]), Fraction(bounds[3])
    assert low <= unknowns["v"] <= high
    assert (bounds[2] == "= v =") == (low == high)
    for line in lines[1:]:
        if " = " in line and ", " not in line:
            assert len({worth(side, unknowns) for side in line.split(" = ")}) == 1
    gains, payments = lines[-2:]
    assert min(map(Fraction, gains.removesuffix(" ≥ v").split(", "))) == unknowns["v"]
    assert max(map(Fraction, payments.removesuffix(" ≤ v").split(", "))) == unknowns["v"]
    return solved


def random_game(source):
    rows, columns = source.randint(1, 3), source.randint(1, 3)
    most = source.choice([1, 3, 100])  # small numbers make ties, dominance and saddle points
    return [
        [Fraction(source.randint(-most, most), source.choice([1, 1, 2, 7])) for _ in range(columns)]
        for _ in range(rows)
    ]


def test_thousand_games_are_explained_as_they_are_solved():
    source = Random(45)
    mixed = dominated = 0
    for _ in range(1000):
        game = random_game(source)
        explanation, solution = gx.explain(game), gx.solve_matrix_game(game)
        mixed += bool(check(explanation))
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


def test_positions_are_explained():
    source = Random(45)
    for _ in range(100):
        cards = source.randint(1, 3)
        one, two, prizes = (sorted(source.sample(range(1, 9), cards)) for _ in range(3))
        position = gx.Position(one, two, prizes, upcard=source.choice(prizes))
        explanation, solution = gx.explain(position), gx.solve(position)
        check(explanation)
        assert explanation.solution.value == solution.value
        assert explanation.solution.game.rows == tuple(map(str, one))


def test_a_board_for_text_pages_and_papers():
    explanation = gx.explain(gx.MatrixGame([[3, "-1/2"], [1, 2]], rows=["<a>", "b_1"]))
    text, html, latex = (explanation.emit(fmt) for fmt in ("text", "html", "latex"))
    assert text == f"{explanation}\n"
    assert "\n    3 p + (1 - p) = -1/2 p + 2 (1 - p)\n" in text
    assert "-<sup>1</sup>⁄<sub>2</sub> p + 2 (1 - p)</p>" in html
    assert "&lt;a&gt;" in html
    assert "<a>" not in html
    assert r"\[3 p + (1 - p) = -\frac{1}{2} p + 2 (1 - p)\]" in latex
    assert r"rows <a>, b\_1 with" in latex


def test_indices_and_signs_in_latex():
    latex = gx.explain([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]).emit("latex")
    assert "p_1, p_2, 1 - p_1 - p_2" in latex
    assert r"0, 0, 0 \ge v" in latex


def test_what_is_not_explained():
    with pytest.raises(ValueError, match="payoff must be at most 3 × 3, got 2 × 4"):
        gx.explain([[1, 2, 3, 4], [4, 3, 2, 1]])
    with pytest.raises(ValueError, match="at most 3 × 3, got 4 × 4"):
        gx.explain(gx.Position.start(4).at(1))
    with pytest.raises(ValueError, match="upcard"):
        gx.explain(gx.Position.start(3))
    with pytest.raises(ValueError, match="fmt must be"):
        gx.explain([[1]]).emit("json")
