"""Exact numbers and balls from inside: what is proved is so, stored values are used, memory is bounded.

``tests/solvers/test_conformance.py`` compares the answers with the oracle.
"""

import re
from functools import partial
from operator import eq
from weakref import WeakKeyDictionary

import pytest
from project_paths import ROOT
from recursions import EVERY_RULE
from runs import finish, python
from stores import first_moves

import gops_exact as gx
from gops_exact.solvers.exact import by_prizes
from gops_exact.solvers.exact.ball import BallSystem
from gops_exact.solvers.exact.lattice import ExactSystem
from gops_exact.verify.checks import check_store


def same(a, b):
    return (a.mid(), a.rad()) == (b.mid(), b.rad())


@pytest.mark.parametrize("system", [BallSystem(96, 0), BallSystem(exact_up_to=3)], ids=str)
@pytest.mark.parametrize("game", [gx.Game(5), *(gx.Game(4, each) for each in EVERY_RULE)], ids=str)
def test_values_and_first_moves_of_balls_are_proved(game, system, tmp_path):
    """Without exact values ties are not decided; first moves then say nothing."""
    first_moves(game, game.upcards, system, tmp_path / "store.sqlite")
    report = check_store(tmp_path / "store.sqlite")
    assert not report.faults and (game.n < 5 or not report.passed_over)


SYSTEMS = {"exact": ExactSystem, "ball": partial(BallSystem, 96, exact_up_to=0)}
BY_SYSTEM = pytest.mark.parametrize("kind", SYSTEMS)


@pytest.fixture
def computed(kind, monkeypatch):
    """{value table that is still in memory: its bytes}, and the upcards of every value table that was computed."""
    system = type(SYSTEMS[kind]())
    table, alive, upcards = system.value_table, WeakKeyDictionary(), []

    def recorded(self, layer, stages, *rest):
        made = table(self, layer, stages, *rest)
        alive[made] = self.nbytes(made)
        upcards.append({stage.upcard for stage in stages})
        return made

    monkeypatch.setattr(system, "value_table", recorded)
    return alive, upcards


@pytest.mark.parametrize("n", [3, 5])
@BY_SYSTEM
def test_first_moves_resumed_from_a_store_file_have_the_same_numbers(kind, n, computed, tmp_path):
    """Value tables and first moves that were written are read, and both ways give the same numbers and proofs.

    Of three cards one first move is not unique; without exact values that is open.
    """
    system, place, game = SYSTEMS[kind](), tmp_path / "store.sqlite", gx.Game(n)
    fresh = first_moves(game, game.upcards, system)
    first_moves(game, [2], system, place)
    upcards = computed[1]
    del upcards[:]
    second = first_moves(game, game.upcards, system, place)
    assert upcards and all(each - ({*game.upcards} - {2}) for each in upcards), "the rest was there"
    del upcards[:]
    third = first_moves(game, game.upcards, system, place)
    assert not upcards
    for upcard, first_move in fresh.items():
        for read in second[upcard], third[upcard]:
            assert all(map(same if kind == "ball" else eq, first_move.row, read.row))
            assert (read.row_unique, read.proved) == (first_move.row_unique, first_move.proved)


@BY_SYSTEM
def test_solver_drops_values_of_earlier_positions_to_bound_its_memory(kind, computed, monkeypatch):
    alive, bound = computed[0], 10**5
    monkeypatch.setattr(by_prizes, "POSITION_BYTES", bound)
    monkeypatch.setattr(by_prizes, "REMEMBERED", 20)
    solver = gx.solver(kind, store=":memory:")
    starts = [gx.Position([1, 2, 3], [1, 2, 4], [prize, 50, 70]) for prize in range(50)]
    answers = [str((solver.value(start), solver.solve(start.at(50)))) for start in starts]
    # One question more than the bound, and the value tables of the position itself.
    assert bound / 2 < sum(alive.values()) < 1.5 * bound
    assert len(solver._positions._answers) <= 22
    for again in gx.solver(kind, store=":memory:"), solver:
        assert answers[7] == str((again.value(starts[7]), again.solve(starts[7].at(50))))


def test_one_store_file_keeps_the_values_of_different_rules_apart(tmp_path):
    orders = (3, 4, 2, 1), (2, 4, 1, 3)
    rules = [*EVERY_RULE, *(gx.Rules("win", "carryover", order) for order in orders)]
    for game in 2 * [gx.Game(4, each) for each in rules]:  # computed, then read
        found = first_moves(game, game.upcards, ExactSystem(), tmp_path / "store.sqlite")
        assert found == first_moves(game, game.upcards, ExactSystem())


def test_script_that_profiles_an_exact_solution_prints_seconds_for_its_steps():
    *lines, last = finish(python(ROOT / "benchmarks" / "exact_profile.py", 5)).splitlines()
    total = float(re.fullmatch(r"n = 5, one process +(\d+\.\d\d) s; peak memory \d+ MiB", last)[1])
    found = [re.fullmatch(r"(.{28}) +(\d+\.\d\d) s +(\d+\.\d)%", line).groups() for line in lines]
    steps = {"assembling payoffs", "proposals in floats", "certificates in balls", "gcd"}
    steps |= {"products: first moves", "Python and the rest"}
    assert steps <= {name.strip() for name, _, _ in found}
    assert sum(float(share) for _, _, share in found) == pytest.approx(100, abs=0.5)
    for _, seconds, share in found:  # seconds are rounded to 0.01
        assert float(seconds) == pytest.approx(float(share) / 100 * total, abs=0.011)


def test_ball_precision_is_raised_until_digits_are_proved(monkeypatch):
    tried, plays = [], by_prizes.ByPrizes.plays

    def recording(self, game, upcards, system, **options):
        tried.append(system.bits)
        return plays(self, game, upcards, system, **options)

    monkeypatch.setattr(by_prizes, "GUARD_BITS", 0)
    monkeypatch.setattr(by_prizes.ByPrizes, "plays", recording)
    moves = gx.first_move(6, gx.Ball(30), upcards=[3], store=":memory:")
    assert tried == [100, 200]
    exactly = gx.first_move(6, upcards=[3], store=":memory:")
    assert moves[3][1].text() == exactly[3][1].decimal(30)
    with pytest.raises(gx.PrecisionError, match="300 digits are not proved"):
        moves[3][1].decimal(300)
