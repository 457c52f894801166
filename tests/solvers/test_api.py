"""The public face: what it takes, what it gives in every arithmetic, and what it refuses."""

from weakref import WeakKeyDictionary

import numpy as np
import pytest

import gops_exact as gx
from gops_exact.solvers.exact import by_prizes
from gops_exact.solvers.exact.ball import BallSystem, ResidueSystem
from gops_exact.solvers.exact.lattice import Values
from gops_exact.solvers.exact.rational import ExactSystem

ARITHMETICS = ["exact", "ball", "residue", "float"]
LARGE = range(1, 9), range(2, 10), range(1, 9)


pytestmark = pytest.mark.usefixtures("own_store")


@pytest.fixture
def unsolvable(monkeypatch):
    """Let any attempt to solve a position fail."""

    def never(*_args, **_kwargs):
        raise AssertionError("a position was about to be solved")

    monkeypatch.setattr(Values, "sweep", never)


@pytest.mark.parametrize(
    "upcards",
    [13, "K", ["K"], [13, "13"], np.int64(13), iter([13])],
    ids=["number", "letter", "list", "twice", "NumPy", "iterator"],
)
def test_upcards_are_one_or_several(upcards):
    game = gx.Game(13, gx.Rules(prizes=(13, *range(1, 13))))
    assert game.chosen(upcards) == [13]


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_first_moves_are_a_mapping_by_upcard(arithmetic):
    moves = gx.first_move(4, arithmetic=arithmetic, upcards=[3, 1])
    assert (moves.arithmetic.name, moves.n, moves.rules) == (arithmetic, 4, gx.Rules())
    assert list(moves) == [3, 1]
    assert len(moves) == 2
    assert 1 in moves and 2 not in moves and None not in moves
    assert list(moves[3]) == [1, 2, 3, 4]
    with pytest.raises(KeyError, match="the upcard must be one of 3, 1, got 2"):
        moves[2]
    hidden = gx.first_move(3, arithmetic=arithmetic, rules=gx.Rules(prizes="hidden"))
    assert list(hidden) == [None]


@pytest.mark.usefixtures("unsolvable")
@pytest.mark.parametrize("call", [gx.value, gx.solve, gx.payoff_matrix, gx.bid_gains])
def test_positions_that_take_hours_are_refused(call):
    large, smaller = gx.Position(*LARGE), gx.Position(*(cards[:7] for cards in LARGE))
    if call is not gx.value:
        large, smaller = large.at(8), smaller.at(7)
    with pytest.raises(
        ValueError, match="cards a side must be at most 7 .* unless forced .*, got 8"
    ):
        call(large)
    with pytest.raises(AssertionError, match="about to be solved"):
        call(large, force=True)
    with pytest.raises(AssertionError, match="about to be solved"):
        call(smaller)


def test_what_takes_hours_is_refused():
    with pytest.raises(ValueError, match="cards a side must be at most 6 for exact outcomes"):
        gx.outcomes(gx.Position(*(cards[:7] for cards in LARGE), rules=gx.Rules("win")))


@pytest.mark.parametrize("system", [ExactSystem, BallSystem, ResidueSystem])
def test_further_questions_compute_nothing_anew(system, monkeypatch):
    computed = []

    slab = system.slab

    def counted(self, layer, turns, *rest):
        computed.append((layer.size, [turn.stakes for turn in turns]))
        return slab(self, layer, turns, *rest)

    monkeypatch.setattr(system, "slab", counted)
    solver = gx.solver(system.__name__.removesuffix("System").lower(), store=":memory:")
    start = gx.Position([1, 2, 3, 4, 5], [1, 2, 3, 4, 6], range(1, 6))
    answers = []
    for _ in range(2):
        solutions = [solver.solve(position) for _, position in start.turns()]
        gains = [solver.bid_gains(position) for _, position in start.turns()]
        answers.append((solver.value(start), solutions, gains, solver.first_move(gx.Game(4))))
    assert str(answers[0]) == str(answers[1])
    # All sets of one to four of five prizes, the position itself; all of one to three of four prizes.
    assert len(computed) == 30 + 1 + 14


@pytest.mark.parametrize("system", [ExactSystem, BallSystem, ResidueSystem])
def test_values_of_earlier_positions_are_given_up(system, monkeypatch):
    alive, slab, bound = WeakKeyDictionary(), system.slab, 10**5

    def recorded(self, *given):
        computed = slab(self, *given)
        alive[computed] = self.nbytes(computed)
        return computed

    monkeypatch.setattr(system, "slab", recorded)
    monkeypatch.setattr(by_prizes, "POSITION_BYTES", bound, raising=False)
    monkeypatch.setattr(by_prizes, "REMEMBERED", 20, raising=False)
    kind = system.__name__.removesuffix("System").lower()
    solver = gx.solver(kind, store=":memory:")
    starts = [gx.Position([1, 2, 3], [1, 2, 4], [prize, 50, 70]) for prize in range(50)]
    answers = [str((solver.value(start), solver.solve(start.at(50)))) for start in starts]
    # One question more than the bound, and the slabs of the position itself.
    assert bound / 2 < sum(alive.values()) < 1.5 * bound
    assert len(solver._known._plays) + len(solver._known._firsts) <= 22
    again = gx.solver(kind, store=":memory:")
    assert answers[7] == str((again.value(starts[7]), again.solve(starts[7].at(50))))
    assert answers[7] == str((solver.value(starts[7]), solver.solve(starts[7].at(50))))


@pytest.mark.usefixtures("unsolvable")
def test_equal_hands_are_worth_nothing_without_a_computation():
    hand = range(1, 7)
    assert gx.value(gx.Position(hand, hand, range(3, 9))) == 0
    with pytest.raises(AssertionError, match="about to be solved"):
        gx.value(gx.Position(hand, hand, hand, rules=gx.Rules("win"), margin=1))
    # However many cards: what needs no computation takes no hours.
    assert gx.value(gx.Position.start(12)) == 0
    assert gx.value(gx.Position(*LARGE, rules=gx.Rules("win"), margin=100)) == 1


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_progress_is_of_work_not_of_tasks(arithmetic):
    told = []
    gx.first_move(5, arithmetic=arithmetic, progress=lambda *done: told.append(done))
    done, totals = zip(*told, strict=True)
    assert list(done) == sorted(done)
    assert set(totals) == {done[-1]}
    if arithmetic != "float":
        # Slabs of one prize come first, the five openings last.
        steps = np.diff((0, *done))
        assert min(steps[-5:]) > 10 * steps[0]
