"""What is proposed is checked: ends of ranges, values that a play without end does not reach, bounds of long games."""

import math
import threading
from _thread import interrupt_main

import pytest
from flint import fmpq

import gops_exact as gx
from gops_exact.extensive import approximate, bounds
from gops_exact.extensive.linear_program import LinearProgram
from gops_exact.extensive.loops import _is_proved
from gops_exact.extensive.ranges import OptimalFace

pytest.importorskip("highspy", reason="HiGHS is not installed")


@pytest.mark.parametrize("method", ["dual", "primal"])
@pytest.mark.parametrize("index", [0, 1, -1])
def test_ranges_of_optimal_probabilities_raise_if_a_linear_program_is_solved_wrongly(
    method, index, monkeypatch
):
    solved, exact = gx.solve_game(gx.known_games.kuhn_poker()), getattr(OptimalFace, method)

    def wrong(face, right):
        solution = exact(face, right)
        solution[index] += fmpq(1, 10)
        return solution

    monkeypatch.setattr(OptimalFace, method, wrong)
    with pytest.raises(gx.PrecisionError, match="no proof of a range"):
        solved.ranges()


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("value", "can_stay", "is_proved"),
    [
        (1, True, False),  # it solves v = T v, but the opponent stays for ever, which is worth 0
        (1, False, True),
        (0, True, True),
        ("11/10", False, False),
    ],
)
def test_values_of_games_with_loops_are_bounds_only_if_no_endless_play_avoids_them(
    side, value, can_stay, is_proved
):
    """The opponent of the player `side` ends the play, for 1 to that player, or stays where it is."""
    ways = [{"here": fmpq(1)}] * can_stay + [{"end": fmpq(1)}]
    sign, alone, last = -1 if side else 1, [fmpq(1)], [fmpq(0)] * can_stay + [fmpq(1)]
    games = {"here": [[way] for way in ways] if side else [ways]}
    mixes = {"here": (last, alone) if side else (alone, last)}
    values = {"here": sign * fmpq(*map(int, str(value).split("/"))), "end": fmpq(sign)}
    assert _is_proved(games, values, mixes, side) is is_proved


@pytest.mark.parametrize("wide", [bounds.WIDE, -math.inf], ids=["in floats", "in balls"])
def test_near_optimal_strategies_of_a_long_game_guarantee_the_stated_bounds(monkeypatch, wide):
    # States of 9 and 10 bids are solved together, as those of 11 and 12 are. Without a width all are solved in balls.
    calls, solve = [], bounds.near_optimal
    monkeypatch.setattr(bounds, "WIDE", wide)
    monkeypatch.setattr(bounds, "near_optimal", lambda *game: calls.append(game) or solve(*game))
    game = gx.known_games.oshi_zumo(12)
    near = approximate(game)
    assert bool(calls) == (wide < 0)
    assert near.least <= 0 <= near.most
    assert gx.exploitability(game, near.row, near.column) <= near.exploitability < 1e-12


def test_interrupt_stops_the_interior_point_method(monkeypatch):
    begun, solver = [], LinearProgram._solver

    def watched(program):
        highs = solver(program)

        def interrupt(_event):
            if not begun:
                begun.append(True)
                interrupt_main()

        highs.cbIpmInterrupt += interrupt
        return highs

    monkeypatch.setattr(LinearProgram, "_solver", watched)
    with pytest.raises(KeyboardInterrupt):
        gx.solve_game(gx.known_games.castles((12, 12), range(1, 8)))
    assert begun and threading.active_count() == 1
