"""The double oracle method, which solves large games, on small ones."""

from fractions import Fraction

import pytest

import gops_exact as gx
from gops_exact.extensive import HiddenBids, LeducPoker, LiarsDice, equilibrium

pytest.importorskip("highspy", reason="HiGHS is not installed")

DESCENDING = gx.Game(4, gx.Rules(prizes="descending"))


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (
            LeducPoker(),
            Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930),
        ),
        (LiarsDice(4), Fraction(1, 16)),
        (HiddenBids(DESCENDING), 0),
    ],
    ids=lambda part: type(part).__name__,
)
def test_it_ends_at_an_equilibrium(game, value, monkeypatch):
    monkeypatch.setattr(equilibrium, "LARGE", 0)
    solved = gx.solve_game(game)
    assert solved.value == value and gx.exploitability(game, solved.row, solved.column) == 0
