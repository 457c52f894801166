"""Ends of ranges are proved: wrong bounds and wrong plans are refused."""

import pytest
from flint import fmpq

import gops_exact as gx
from gops_exact.extensive.ranges import OptimalFace

pytest.importorskip("highspy", reason="HiGHS is not installed")


@pytest.mark.parametrize("method", ["dual", "primal"])
@pytest.mark.parametrize("index", [0, 1, -1])
def test_wrong_solutions_prove_no_range(method, index, monkeypatch):
    solved, exact = gx.solve_game(gx.known_games.kuhn_poker()), getattr(OptimalFace, method)

    def wrong(face, right):
        solution = exact(face, right)
        solution[index] += fmpq(1, 10)
        return solution

    monkeypatch.setattr(OptimalFace, method, wrong)
    with pytest.raises(gx.PrecisionError, match="no proof of a range"):
        solved.ranges()
