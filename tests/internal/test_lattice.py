"""Balls and residues: they hold the exact numbers, for every value and first move; what they prove is so."""

from fractions import Fraction
from functools import partial

import pytest
from flint import arb, ctx, fmpq, fmpz, nmod
from hypothesis import given
from hypothesis import strategies as st
from recursions import EVERY_RULE, deck, exact_game, openings_of, rest, slabs
from strategies import any_matrices, matrices

import gops_exact as gx
from gops_exact import Ball, Exact, Position, Residue, first_move, solve_matrix_game
from gops_exact.game.game import Game
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.matrix_game.basis import Basis, prove
from gops_exact.matrix_game.simplex import enclosed
from gops_exact.numbers import rational, view
from gops_exact.numbers.exact import PrecisionError
from gops_exact.numbers.kinds import decimal_text
from gops_exact.solvers.arithmetic import PRIME
from gops_exact.solvers.exact import ball, by_prizes
from gops_exact.solvers.exact.ball import BallSystem, ResidueSystem, bases, tied_basis
from gops_exact.solvers.exact.by_prizes import openings
from gops_exact.solvers.store import StoreLocation

PRIMES = (PRIME, 2**64 - 59)

wide_rationals = st.builds(Fraction, st.integers(-(10**30), 10**30), st.integers(1, 10**30))


def balls_around(rows, bits=64):
    with ctx.workprec(bits):
        return [[arb(rational(entry)) for entry in row] for row in rows]


def wide_balls(rows, width):
    return [[arb(rational(entry), arb(1) / 2**width) for entry in row] for row in rows]


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


def modulo(number, prime):
    """By Python's integers."""
    return int(number.p) * pow(int(number.q), -1, prime) % prime


def residues_of(rows, prime=PRIME):
    return [[nmod(rational(entry), prime) for entry in row] for row in rows]


# Balls


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
        found = prove(balls, basis, wide=wide)
        assert holds(found.value, solution.value)
        assert basis.rows == tuple(i for i, p in enumerate(solution.row) if p)
        assert basis.columns == tuple(j for j, q in enumerate(solution.column) if q)
        assert all(map(holds, found.row, (solution.row[i] for i in basis.rows)))
        assert all(map(holds, found.column, (solution.column[j] for j in basis.columns)))


@given(any_matrices(), st.integers(3, 60))
def test_the_value_is_enclosed_however_wide_the_balls(rows, width):
    shifted = [[rational(entry) + fmpq(1, 2**width) for entry in row] for row in rows]
    around, _ = enclosed(wide_balls(shifted, width))
    assert holds(around, solve_matrix_game(rows).value)
    assert around.rad() <= arb(1) / 2 ** (width - 20)


def test_a_near_tie_is_no_tie():
    """The ball holds zero but the residue is another: nothing is settled."""
    rows = [[0, Fraction(1, 2**70)]]
    assert tied_basis(wide_balls(rows, 60), residues_of(rows)) is None
    assert tied_basis(wide_balls(rows, 80), residues_of(rows)) == Basis((0,), (0,))
    assert tied_basis(wide_balls([[0, 0]], 60), residues_of([[0, 0]])) == Basis((0,), (0,))


# The recursion


GAMES = [*((n, PLAIN) for n in (3, 5, 6)), *((4, rules) for rules in EVERY_RULE)]
BY_GAME = pytest.mark.parametrize(("n", "rules"), GAMES, ids=str)


@BY_GAME
def test_balls_hold_the_exact_numbers(n, rules):
    values, moves = exact_game(n, rules)
    for exact_up_to in (4,) if n == 6 else (0, 3):
        system = BallSystem(96, exact_up_to)
        memo = slabs(system, n, rules)
        assert memo.keys() == values.keys()
        for node, slab in memo.items():
            assert len(slab.balls) == len(values[node])
            assert all(map(holds, slab.balls, values[node]))
            assert all(ball.rad() < arb(1) / 2**80 for ball in slab.balls)
            assert slab.exact == (values[node] if len(node.prizes) <= exact_up_to else None)
        for upcard, opening in openings_of(system, n, memo, rules).items():
            strategy, unique = moves[upcard]
            assert opening.row_unique in (None, unique)
            assert len(opening.row) == n
            assert not opening.row_unique or all(map(holds, opening.row, strategy))
            if rules == PLAIN and opening.proved:
                assert opening.row_unique == unique
                assert all(map(holds, opening.row, strategy))
                assert all(ball.rad() < arb(1) / 2**72 for ball in opening.row)
                assert [ball.is_zero() for ball in opening.row] == [p == 0 for p in strategy]
            elif rules == PLAIN:
                assert n < 5
                assert not opening.row_unique
                assert decimal_text(opening.row[0], 1) is None


@pytest.mark.parametrize("prime", PRIMES)
@BY_GAME
def test_residues_are_those_of_the_exact_numbers(n, rules, prime):
    """Nearly every game for winning has a tie somewhere; without exact values none is proved."""
    values, moves = exact_game(n, rules)
    for exact_up_to in (4,) if n == 6 else (0, 3):
        system = ResidueSystem(prime, exact_up_to=exact_up_to)
        memo = slabs(system, n, rules)
        assert memo.keys() == values.keys()
        for node, slab in memo.items():
            assert list(map(int, slab.residues)) == [modulo(v, prime) for v in values[node]]
            assert slab.proved or exact_up_to == 0
        for upcard, opening in openings_of(system, n, memo, rules).items():
            strategy, unique = moves[upcard]
            assert not unique or opening.row == tuple(modulo(p, prime) for p in strategy)
            assert opening.row_unique in (None, unique)
            assert n == 3 or rules != PLAIN or opening.proved == (exact_up_to > 0)
            assert sum(opening.row) % prime == 1


@pytest.mark.parametrize("system", [BallSystem(96), ResidueSystem()], ids=lambda each: each.name)
def test_a_run_goes_on_from_the_store(system, tmp_path, monkeypatch):
    """Slabs and openings that were written are read, and both ways give the same numbers."""
    place = StoreLocation(tmp_path / "store.sqlite")
    fresh = openings(Game(6), deck(6), system, StoreLocation(None), workers=2)
    first = openings(Game(6), [2], system, place)
    computed, kind = [], type(system)
    slab = kind.slab
    monkeypatch.setattr(
        kind, "slab", lambda self, *args: computed.append(args[1]) or slab(self, *args)
    )
    second = openings(Game(6), deck(6), system, place)
    assert computed
    known = set(rest(6, 2))
    assert not any({turn.upcard for turn in games} <= known for games in computed)
    equal = same if kind is BallSystem else int.__eq__
    for upcard, opening in fresh.items():
        assert all(map(equal, opening.row, second[upcard].row))
    assert all(map(equal, first[2].row, fresh[2].row))
    del computed[:]
    openings(Game(6), deck(6), system, place)
    assert not computed


@pytest.mark.parametrize("kind", [partial(BallSystem, 96), ResidueSystem])
@pytest.mark.parametrize("exact_up_to", [0, 4])
def test_a_store_keeps_what_is_proved_of_first_moves(kind, exact_up_to, tmp_path):
    """Of three cards one first move is not unique; without exact values that is open."""
    system = kind(exact_up_to=exact_up_to)
    stored = openings(Game(3), deck(3), system, StoreLocation(tmp_path / "store.sqlite"))
    for upcard, opening in openings_of(system, 3, slabs(system, 3)).items():
        kept = stored[upcard]
        assert (kept.row_unique, kept.proved) == (opening.row_unique, opening.proved)


# First moves


@pytest.mark.parametrize("n", [1, 2, 6])
def test_first_moves_are_those_of_the_exact_numbers(n):
    exactly = first_move(n, store=":memory:")
    decimals = first_move(n, Ball(50), store=":memory:")
    residues = first_move(n, Residue(PRIMES[1]), upcards=[n], store=":memory:", jobs=2)
    assert list(residues) == [n]
    assert residues.arithmetic == Residue(PRIMES[1])
    for upcard, strategy in exactly.items():
        assert decimals[upcard].unique == strategy.unique
        assert {c: p.text() for c, p in decimals[upcard].items()} == {
            card: p.decimal(50) for card, p in strategy.items()
        }
    assert {card: residue.value for card, residue in residues[n].items()} == {
        card: modulo(p, PRIMES[1]) for card, p in exactly[n].items()
    }
    assert (residues[n].unique, residues[n].proved) == (exactly[n].unique, True)


HANDS = [((1, 2, 4), (2, 3, 4)), ((2, 3, 4), (1, 2, 4)), ((1, 2, 4), (1, 2, 4))]


def decimals(number):
    return number.decimal(20)


@pytest.mark.parametrize("hands", HANDS, ids=["kept", "swapped", "equal"])
@pytest.mark.parametrize(
    ("kind", "shown", "expected"),
    [
        (Exact(), str, str),
        (Ball(20), decimals, decimals),
        (Residue(), str, lambda number: str(modulo(number, PRIME))),
    ],
    ids=["exact", "ball", "residue"],
)
def test_a_solver_of_a_game_answers_as_one_of_a_position_does(hands, kind, shown, expected):
    """Of a position and its mirror image a solver keeps one."""
    alone, solver = gx.solver(store=":memory:"), gx.solver(kind, Game(4), store=":memory:")
    position = Position(*hands, [2, 3, 4])
    assert shown(solver.value(position)) == expected(alone.value(position))
    position = position.at(3)
    found, exactly = solver.solve(position), alone.solve(position)
    payoffs = alone.payoff_matrix(position)
    assert exactly.unique
    assert shown(found.value) == expected(exactly.value)
    for side, exact_side in ((found.row, exactly.row), (found.column, exactly.column)):
        assert list(map(shown, side.values())) == list(map(expected, exact_side.values()))
    for row, exact_row in zip(solver.payoff_matrix(position), payoffs, strict=True):
        assert list(map(shown, row)) == list(map(expected, exact_row))
    column = exactly.column.values()
    gains = [sum(x * q for x, q in zip(row, column, strict=True)) for row in payoffs]
    assert list(map(shown, solver.bid_gains(position).values())) == list(map(expected, gains))


def test_the_precision_is_raised_until_the_digits_are_proved(monkeypatch):
    tried = []

    def recording(bits):
        tried.append(bits)
        return BallSystem(bits)

    monkeypatch.setattr(by_prizes, "GUARD_BITS", 0)
    monkeypatch.setattr(ball, "BallSystem", recording)
    moves = first_move(6, Ball(30), upcards=[3], store=":memory:")
    exactly = first_move(6, upcards=[3], store=":memory:")
    assert moves[3][1].text() == exactly[3][1].decimal(30)
    assert tried == [100, 200]
    with pytest.raises(PrecisionError, match="300 digits are not proved"):
        moves[3][1].decimal(300)


def test_what_more_precision_does_not_prove_is_refused(monkeypatch):
    monkeypatch.setattr(by_prizes, "decimal_text", lambda *_: None)
    with pytest.raises(PrecisionError, match="2 digits of a first move are not proved by 568 bits"):
        first_move(2, Ball(2), store=":memory:")
    monkeypatch.setattr(ball, "tied_basis", lambda *_: None)
    with pytest.raises(PrecisionError, match="128 bits do not settle a game"):
        slabs(ResidueSystem(exact_up_to=0), 3)
    monkeypatch.setattr(ball, "ResidueSystem", lambda p, b, _: ResidueSystem(p, b, 0))
    with pytest.raises(PrecisionError, match="1024 bits do not settle a game"):
        first_move(3, "residue", store=":memory:")


# What is refused


@pytest.mark.parametrize("prime", [1, 4, 7, 10**9, 2**61, 2**61 - 3, 2**89 - 1, -(2**61) + 1])
def test_no_prime_in_range(prime):
    with pytest.raises(ValueError, match=f"prime must be a prime .*, got {prime}$"):
        Residue(prime)


@pytest.mark.parametrize(
    ("upcard", "prime"), [(2, 2862920088587837), (2, 951746411711198563), (4, 66048285601)]
)
def test_a_prime_that_divides_a_denominator_is_refused_in_one_line(upcard, prime):
    rules = Rules("points", "carryover")
    strategy, _ = exact_game(4, rules)[1][upcard]
    assert any(p.q % prime == 0 for p in strategy)
    message = f"prime must divide no denominator, got {prime}; take another, such as [0-9]+$"
    with pytest.raises(ValueError, match=message) as told:
        first_move(4, Residue(prime), rules=rules, upcards=[upcard], store=":memory:")
    other = int(str(told.value).split()[-1])
    assert other != prime
    assert fmpz(other).is_prime()
