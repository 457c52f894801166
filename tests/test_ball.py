"""Balls: they hold the exact numbers, they are narrow, and what they prove is so."""

from fractions import Fraction
from random import Random

import pytest
from flint import arb, ctx, fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st
from recursions import EVERY_RULE, deck, exact_game, openings_of, rest, slabs
from strategies import any_matrices, matrices

from gops_exact import Ball, first_move, solve_matrix_game
from gops_exact.game.game import Game
from gops_exact.lattice.ball import BallSystem
from gops_exact.lattice.sweep import joined
from gops_exact.matrix_game.basis import bases, propose, prove
from gops_exact.matrix_game.exact import solve_tableau
from gops_exact.matrix_game.play import Basis
from gops_exact.matrix_game.solve import enclosed
from gops_exact.numbers import rational, view
from gops_exact.numbers.kinds import PrecisionError, decimal_text, tidy
from gops_exact.numbers.payload import Reader, pack_ball
from gops_exact.solvers import by_prizes
from gops_exact.solvers.by_prizes import openings
from gops_exact.store import StoreLocation

wide_rationals = st.builds(Fraction, st.integers(-(10**30), 10**30), st.integers(1, 10**30))


def balls_around(rows, bits=64):
    with ctx.workprec(bits):
        return [[arb(rational(entry)) for entry in row] for row in rows]


def ends(ball):
    """The least and the greatest number in a ball, exactly."""
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    return middle - radius, middle + radius


def holds(ball, number):
    """As ``ball.contains``, which would round the number first."""
    least, greatest = ends(ball)
    return least <= number <= greatest


def same(a, b):
    return a.mid().man_exp() == b.mid().man_exp() and a.rad().man_exp() == b.rad().man_exp()


# Balls


@given(wide_rationals, st.integers(2, 200), st.integers(0, 40))
def test_a_tidy_ball_is_wider_and_comes_back_the_same(number, bits, doublings):
    with ctx.workprec(bits):
        ball = arb(rational(number), arb(3) / 2**doublings)
    tidied = tidy(ball)
    assert tidied.contains(ball)
    assert tidied.rad() <= 2 * ball.rad()
    assert same(Reader(pack_ball(tidied)).ball(), tidied)


@given(wide_rationals, st.integers(2, 200), st.integers(0, 40))
def test_decimals_hold_for_the_whole_ball(number, bits, digits):
    exactly = rational(number)
    with ctx.workprec(bits):
        ball = arb(exactly)
    text = decimal_text(ball, digits)
    texts = {view(end).decimal(digits) for end in ends(ball)}
    if text is None:
        # Or an end lies on the edge itself, where halves are rounded to even.
        assert len(texts) == 2 or any((10**digits * end + fmpq(1, 2)).q == 1 for end in ends(ball))
    else:
        assert texts == {text} == {view(exactly).decimal(digits)}


def test_a_ball_across_a_rounding_edge_has_no_decimals():
    ball = arb(fmpq(1, 8), arb(1) / 2**30)
    assert decimal_text(ball, 2) is None
    assert decimal_text(ball, 3) == "0.125"
    assert decimal_text(arb(fmpq(1, 8)), 2) == "0.12"


# Games


@pytest.mark.parametrize("wide", [False, True])
@given(matrices(min_size=2, max_size=4))
def test_only_the_optimal_basis_is_proved(wide, rows):
    """One basis is proved if both strategies are unique, otherwise none."""
    solution = solve_matrix_game(rows)
    balls = balls_around(rows)
    proved = [basis for basis in bases(len(rows), len(rows[0])) if prove(balls, basis, wide=wide)]
    assert len(proved) == solution.unique
    for basis in proved:
        candidate = prove(balls, basis, wide=wide)
        assert holds(candidate.value, solution.value)
        assert basis.rows == tuple(i for i, p in enumerate(solution.row) if p)
        assert basis.columns == tuple(j for j, q in enumerate(solution.column) if q)
        assert all(map(holds, candidate.row, (solution.row[i] for i in basis.rows)))
        assert all(map(holds, candidate.column, (solution.column[j] for j in basis.columns)))


@pytest.mark.parametrize("seed", range(3))
def test_wide_balls_are_proved_with_an_approximate_inverse(seed):
    """A symmetric game of nine bids that are all played, its payoffs known to few digits."""
    rng, size = Random(seed), 9
    weights = [rng.randint(1, 9) for _ in range(size)]
    strategy = [fmpq(weight, sum(weights)) for weight in weights]
    # S = QᵀAQ with A = −Aᵀ and Qx = 0, so that Sx = 0.
    skew = fmpq_mat(size, size)
    for i in range(size):
        for j in range(i):
            skew[i, j] = fmpq(rng.randint(-50, 50), 50)
            skew[j, i] = -skew[i, j]
    project = [int(i == j) - p for i, p in enumerate(strategy) for j in range(size)]
    project = fmpq_mat(size, size, project)
    payoff = project.transpose() * skew * project
    every = Basis(tuple(range(size)), tuple(range(size)))
    least = []
    for wide in (False, True):
        for bits in range(4, 40):
            radius = arb(0, 2.0**-bits)
            with ctx.workprec(128):
                around = [[arb(entry) + radius for entry in row] for row in payoff.tolist()]
                candidate = prove(around, every, wide=wide)
            if candidate is not None:
                assert all(map(holds, candidate.row, strategy))
                assert all(map(holds, candidate.column, strategy))
                least.append(bits)
                break
    assert least[1] < least[0]


def test_a_wrong_basis_is_not_proved():
    rows = [[3, -1, 4], [1, 2, -5], [0, 0, 0]]
    balls = balls_around(rows)
    right = propose([[float(entry) for entry in row] for row in rows])
    assert prove(balls, right) is not None
    wrong = [basis for basis in bases(3, 3) if basis != right]
    assert len(wrong) == 18
    assert not any(prove(balls, basis) for basis in wrong)


@given(any_matrices(), st.integers(3, 60))
def test_the_value_is_enclosed_however_wide_the_balls(rows, width):
    value = solve_matrix_game(rows).value
    balls = [
        [arb(rational(entry) + fmpq(1, 2**width), arb(1) / 2**width) for entry in row]
        for row in rows
    ]
    around, _ = enclosed(balls)
    assert holds(around, value)
    assert around.rad() <= arb(1) / 2 ** (width - 20)


@given(any_matrices())
def test_the_ways_to_solve_a_game_agree(rows):
    basis = propose([[float(entry) for entry in row] for row in rows])
    found = None if basis is None else prove(balls_around(rows), basis)
    exactly, optimal = solve_tableau([[rational(entry) for entry in row] for row in rows])
    assert exactly.value == solve_matrix_game(rows).value
    if found is not None:
        assert basis == optimal
        assert holds(found.value, exactly.value)


# The recursion


@pytest.mark.parametrize("exact_up_to", [0, 2, 4])
@pytest.mark.parametrize("n", [3, 4, 5])
def test_every_value_is_enclosed(n, exact_up_to):
    arithmetic = BallSystem(96, exact_up_to)
    memo = slabs(arithmetic, n)
    values, _ = exact_game(n)
    assert memo.keys() == values.keys()
    for node, slab in memo.items():
        assert all(map(holds, slab.balls, values[node]))
        assert len(slab.balls) == len(values[node])
        assert all(ball.rad() < arb(1) / 2**80 for ball in slab.balls)
        assert slab.exact == (values[node] if len(node.prizes) <= exact_up_to else None)


@pytest.mark.parametrize(("n", "exact_up_to"), [(3, 0), (4, 0), (5, 0), (5, 4), (6, 4)])
def test_openings_hold_the_exact_ones(n, exact_up_to):
    arithmetic = BallSystem(96, exact_up_to)
    found = openings_of(arithmetic, n, slabs(arithmetic, n))
    _, expected = exact_game(n)
    for upcard, opening in found.items():
        strategy, unique = expected[upcard]
        assert all(map(holds, opening.row, strategy))
        assert len(opening.row) == n
        if opening.proved:
            assert opening.row_unique == unique
            assert all(ball.rad() < arb(1) / 2**72 for ball in opening.row)
            assert [ball.is_zero() for ball in opening.row] == [p == 0 for p in strategy]
        else:
            assert not opening.row_unique
            assert decimal_text(opening.row[0], 1) is None
    if n >= 5:
        assert all(opening.proved for opening in found.values())


@pytest.mark.parametrize("exact_up_to", [0, 3])
@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_every_value_is_enclosed_under_every_rule(rules, exact_up_to):
    arithmetic = BallSystem(96, exact_up_to)
    memo = slabs(arithmetic, 4, rules)
    values, moves = exact_game(4, rules)
    assert memo.keys() == values.keys()
    for node, slab in memo.items():
        assert all(map(holds, slab.balls, values[node]))
        assert all(ball.rad() < arb(1) / 2**80 for ball in slab.balls)
    for upcard, opening in openings_of(arithmetic, 4, memo, rules).items():
        strategy, unique = moves[upcard]
        assert opening.row_unique in (None, unique)
        if opening.row_unique:
            assert all(map(holds, opening.row, strategy))


def test_slabs_come_back_the_same():
    arithmetic = BallSystem(100, exact_up_to=3)
    for slab in slabs(arithmetic, 5).values():
        again = arithmetic.unpack_slab(arithmetic.pack_slab(slab))
        assert all(map(same, again.balls, slab.balls))
        assert len(again.balls) == len(slab.balls)
        assert (again.exact, again.floats) == (slab.exact, slab.floats)
    half = range(0, len(slab.balls), 2)
    parts = [slab.select(half), slab.select(range(3))]
    assert all(map(same, joined(parts).balls, [*(slab.balls[h] for h in half), *slab.balls[:3]]))


def test_a_run_goes_on_from_the_store(tmp_path, monkeypatch):
    """Slabs and openings that were written are read, and both ways give the same balls."""
    arithmetic, place = BallSystem(96), StoreLocation(tmp_path / "store.sqlite")
    fresh = openings(Game(6), deck(6), arithmetic, StoreLocation(None))
    first = openings(Game(6), [2], arithmetic, place)
    computed = []
    slab = BallSystem.slab
    monkeypatch.setattr(
        BallSystem, "slab", lambda self, *args: computed.append(args[1]) or slab(self, *args)
    )
    second = openings(Game(6), deck(6), arithmetic, place)
    assert computed
    known = set(rest(6, 2))
    assert not any({turn.upcard for turn in games} <= known for games in computed)
    for upcard, opening in fresh.items():
        assert all(map(same, opening.row, second[upcard].row))
    assert all(map(same, first[2].row, fresh[2].row))
    del computed[:]
    openings(Game(6), deck(6), arithmetic, place)
    assert not computed


# Decimals of first moves


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_decimals_are_those_of_the_exact_numbers(n):
    moves = first_move(n, Ball(50), store=":memory:")
    exactly = first_move(n, store=":memory:")
    for upcard, strategy in moves.items():
        assert strategy.unique == exactly[upcard].unique
        for card in deck(n):
            assert strategy[card].text() == exactly[upcard][card].decimal(50)


def test_the_precision_is_raised_until_the_digits_are_proved(monkeypatch):
    tried = []

    def recording(bits):
        tried.append(bits)
        return BallSystem(bits)

    monkeypatch.setattr(by_prizes, "GUARD_BITS", 0)
    monkeypatch.setattr(by_prizes, "BallSystem", recording)
    moves = first_move(6, Ball(30), upcards=[3], store=":memory:")
    exactly = first_move(6, upcards=[3], store=":memory:")
    assert moves[3][1].text() == exactly[3][1].decimal(30)
    assert tried == [100, 200]
    with pytest.raises(PrecisionError, match="300 digits are not proved"):
        moves[3][1].decimal(300)


def test_digits_that_cannot_be_proved_are_refused(monkeypatch):
    monkeypatch.setattr(by_prizes, "decimal_text", lambda *_: None)
    with pytest.raises(PrecisionError, match="2 digits of a first move are not proved by 568 bits"):
        first_move(2, Ball(2), store=":memory:")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n must be a positive integer, got 0"),
        ({"n": 3, "digits": 0}, "digits must be a positive integer, got 0"),
        ({"n": 3, "upcards": [4]}, "an upcard must be one of 1 to 3, got 4"),
    ],
)
def test_wrong_input(arguments, message):
    digits = arguments.pop("digits", 50)
    with pytest.raises(ValueError, match=message):
        first_move(arguments.pop("n"), Ball(digits), **arguments, store=":memory:")


def test_wrong_precision():
    with pytest.raises(ValueError, match="bits must be at least 64, got 63"):
        BallSystem(63)
    with pytest.raises(ValueError, match="exact_up_to must be at least 0, got -1"):
        BallSystem(64, -1)
