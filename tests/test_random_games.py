"""A short run of tests/random_games.py, and what it would notice; 10,000 games are a run by hand."""

from dataclasses import replace

import pytest
import random_games
from flint import fmpq
from random_games import WrongError, against_the_set, compare, game, is_equilibrium, run

from gops_exact import solve_matrix_game

GAMES = 250
MATRIX = [[3, -1, 2], [1, 2, 1]]


def test_every_path_solves_random_games():
    kinds, taken, faults = run(GAMES, "suite")
    assert faults == []
    assert set(kinds) == {
        build.__name__ for build in (random_games.plain, *random_games.DEGENERATE)
    }
    assert kinds["plain"] == GAMES // 2
    assert all(taken[path] > GAMES // 10 for path in (*random_games.PATHS, "numpy", "optimal set"))


def test_a_game_is_made_by_its_number_alone():
    assert game("0", 7) == game("0", 7) != game("0", 9)


def test_an_answer_that_is_no_equilibrium_is_noticed():
    right = solve_matrix_game(MATRIX)
    is_equilibrium(MATRIX, right)
    (a, b), (c, *rest, d) = right.row, right.column
    for wrong in (
        replace(right, value=right.value + fmpq(1, 10**30)),
        replace(right, row=(b, a)),
        replace(right, row=(a, b, fmpq(0))),
        replace(right, row=(1 + b, -b)),
        replace(right, column=(c, *rest, d / 2)),
        replace(right, column=(fmpq(1), fmpq(0), fmpq(0))),
    ):
        with pytest.raises(WrongError):
            is_equilibrium(MATRIX, wrong)


def test_a_wrong_flag_is_noticed():
    right = solve_matrix_game(MATRIX)
    wrong = replace(right)
    vars(wrong)["row_unique"] = not right.row_unique  # as if computed before
    against_the_set(MATRIX, right)
    compare({"auto": right, "simplex": solve_matrix_game(MATRIX, "simplex")})
    with pytest.raises(WrongError, match="1 extreme row strategies"):
        against_the_set(MATRIX, wrong)
    with pytest.raises(WrongError, match="row_unique is False by simplex"):
        compare({"auto": right, "simplex": wrong})
    other = replace(right, column=tuple(reversed(right.column)))
    with pytest.raises(WrongError, match="two unique column strategies"):
        compare({"auto": right, "simplex": other})


def test_a_game_without_end_is_a_fault(monkeypatch):
    def stuck(_matrix):
        while True:
            pass

    monkeypatch.setattr(random_games, "LIMIT", 0.2)
    monkeypatch.setattr(random_games, "check", stuck)
    (fault,) = run(1, "0")[2]
    assert "no end" in fault
