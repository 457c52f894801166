"""Residues: those of the exact numbers, for every value and first move they can be compared on."""

from fractions import Fraction

import pytest
from flint import arb, fmpz, nmod
from hypothesis import given
from hypothesis import strategies as st
from recursions import EVERY_RULE, deck, exact_game, openings_of, rest, slabs
from strategies import any_matrices

from gops_exact import Residue, first_move, solve_matrix_game
from gops_exact.game.game import Game, Node
from gops_exact.game.rules import Rules
from gops_exact.lattice import residue
from gops_exact.lattice.residue import ResidueSystem
from gops_exact.lattice.sweep import joined
from gops_exact.matrix_game.basis import bases, candidate, slacks, tied_basis
from gops_exact.matrix_game.evaluate import basis_play
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.matrix_game.play import Basis
from gops_exact.numbers import rational
from gops_exact.numbers.kinds import PrecisionError
from gops_exact.numbers.raw import from_pair
from gops_exact.solutions.arithmetic import PRIME
from gops_exact.solvers import by_prizes
from gops_exact.solvers.by_prizes import openings
from gops_exact.store import StoreLocation

PRIMES = (PRIME, 2**64 - 59)


def modulo(number, prime):
    """By Python's integers."""
    return int(number.p) * pow(int(number.q), -1, prime) % prime


def residues_of(rows, prime=PRIME):
    return [[nmod(rational(entry), prime) for entry in row] for row in rows]


def wide_balls(rows, width):
    return [[arb(rational(entry), arb(1) / 2**width) for entry in row] for row in rows]


# Games


@given(any_matrices(), st.sampled_from(PRIMES))
def test_every_basis_modulo_a_prime(rows, prime):
    payoff = Payoff.of(rows)
    for basis in bases(*payoff.shape):
        try:
            found = candidate(residues_of(rows, prime), basis)
        except ZeroDivisionError:
            # Small payoffs: det K is shorter than the prime, so it is zero.
            continue
        value, row, column = basis_play(payoff, basis).converted(from_pair)[:3]
        assert int(found.value) == modulo(value, prime)
        assert [int(p) for p in found.row] == [modulo(p, prime) for p in row]
        assert [int(q) for q in found.column] == [modulo(q, prime) for q in column]


@given(any_matrices())
def test_ties_are_settled(rows):
    """In balls that leave all ties open, the basis found is optimal."""
    residues = residues_of(rows)
    basis = tied_basis(wide_balls(rows, 60), residues)
    solution = solve_matrix_game(rows)
    found = candidate(residues, basis)
    assert int(found.value) == modulo(solution.value, PRIME)
    payoff = Payoff.of(rows)
    exactly = basis_play(payoff, basis).converted(from_pair)
    assert all(slack >= 0 for slack in slacks(payoff.rows, basis, exactly))


def test_a_near_tie_is_no_tie():
    """The ball holds zero but the residue is another: nothing is settled."""
    rows = [[0, Fraction(1, 2**70)]]
    assert tied_basis(wide_balls(rows, 60), residues_of(rows)) is None
    assert tied_basis(wide_balls(rows, 80), residues_of(rows)) == Basis((0,), (0,))
    assert tied_basis(wide_balls([[0, 0]], 60), residues_of([[0, 0]])) == Basis((0,), (0,))


# The recursion


@pytest.mark.parametrize("prime", PRIMES)
@pytest.mark.parametrize(("n", "exact_up_to"), [(4, 0), (5, 0), (5, 3), (5, 4), (6, 4)])
def test_residues_are_those_of_the_exact_numbers(n, exact_up_to, prime):
    arithmetic = ResidueSystem(prime, exact_up_to=exact_up_to)
    memo = slabs(arithmetic, n)
    values, moves = exact_game(n)
    assert memo.keys() == values.keys()
    for node, slab in memo.items():
        assert list(map(int, slab.residues)) == [modulo(v, prime) for v in values[node]]
    for upcard, opening in openings_of(arithmetic, n, memo).items():
        strategy, unique = moves[upcard]
        if unique:
            assert opening.row == tuple(modulo(p, prime) for p in strategy)
        assert opening.row_unique in (None, unique)
        assert opening.proved == (exact_up_to > 0)
        assert sum(opening.row) % prime == 1


@pytest.mark.parametrize("exact_up_to", [0, 3])
@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_residues_under_every_rule(rules, exact_up_to):
    """Nearly every game for winning has a tie somewhere; without exact values none is proved."""
    arithmetic = ResidueSystem(exact_up_to=exact_up_to)
    memo = slabs(arithmetic, 4, rules)
    values, moves = exact_game(4, rules)
    assert memo.keys() == values.keys()
    for node, slab in memo.items():
        assert list(map(int, slab.residues)) == [modulo(v, PRIME) for v in values[node]]
        assert slab.proved or exact_up_to == 0
    for upcard, opening in openings_of(arithmetic, 4, memo, rules).items():
        strategy, unique = moves[upcard]
        if unique:
            assert opening.row == tuple(modulo(p, PRIME) for p in strategy)
        assert opening.row_unique in (None, unique)
        assert sum(opening.row) % PRIME == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_first_moves(jobs):
    moves = first_move(6, Residue(PRIMES[1]), upcards=[4, 2], store=":memory:", jobs=jobs)
    _, exactly = exact_game(6)
    assert list(moves) == [4, 2]
    for upcard, column in moves.items():
        strategy, unique = exactly[upcard]
        expected = {c: modulo(p, PRIMES[1]) for c, p in zip(deck(6), strategy, strict=True)}
        assert column == expected
        assert column.unique == unique
        assert column.proved
    assert (moves.n, moves.arithmetic) == (6, Residue(PRIMES[1]))


def test_slabs_and_openings_come_back_the_same():
    arithmetic = ResidueSystem(exact_up_to=3)
    memo = slabs(arithmetic, 5)
    for slab in memo.values():
        again = arithmetic.unpack_slab(arithmetic.pack_slab(slab))
        assert (again.residues, again.proved) == (slab.residues, slab.proved)
        assert again.floats == slab.floats
    for opening in openings_of(arithmetic, 5, memo).values():
        again = arithmetic.unpack_opening(arithmetic.pack_opening(opening))
        assert again == opening._replace(method="")  # which is kept of exact numbers alone
    parts = [slab.select([1, 2]), slab.select([0])]
    assert joined(parts).residues == [slab.residues[h] for h in (1, 2, 0)]


def test_a_run_goes_on_from_the_store(tmp_path, monkeypatch):
    arithmetic, place = ResidueSystem(), StoreLocation(tmp_path / "store.sqlite")
    first = openings(Game(6), [6], arithmetic, place)
    # What another prime or other balls left in the store is of no use.
    assert ResidueSystem(PRIMES[1]).name != arithmetic.name != ResidueSystem(bits=64).name
    computed = []
    slab = ResidueSystem.slab
    monkeypatch.setattr(
        ResidueSystem, "slab", lambda self, *args: computed.append(args[1]) or slab(self, *args)
    )
    found = openings(Game(6), deck(6), arithmetic, place)
    assert computed
    assert not any({turn.upcard for turn in games} <= set(rest(6, 6)) for games in computed)
    assert found[6] == first[6]
    _, exactly = exact_game(6)
    for upcard, opening in found.items():
        assert opening.row == tuple(modulo(p, PRIME) for p in exactly[upcard][0])


# What is refused


@pytest.mark.parametrize("prime", [1, 4, 7, 10**9, 2**61, 2**61 - 3, 2**89 - 1, -(2**61) + 1])
def test_no_prime_in_range(prime):
    for made in (Residue, ResidueSystem):
        with pytest.raises(ValueError, match=f"prime must be a prime .*, got {prime}$"):
            made(prime)


@pytest.mark.parametrize("exact_up_to", [0, 3, 4])
def test_a_prime_that_divides_a_denominator(exact_up_to):
    values, _ = exact_game(5)
    factors = (p for v in values[Node((1, 2, 3, 5))] for p, _ in v.q.factor_smooth(40))
    prime = next(int(p) for p in factors if 10**9 < p < 2**64 and p.is_prime())
    with pytest.raises(
        ValueError, match=f"denominator, got {prime}; take another, such as"
    ) as told:
        slabs(ResidueSystem(prime, exact_up_to=exact_up_to), 5)
    other = int(str(told.value).split()[-1])
    assert other != prime
    assert fmpz(other).is_prime()


def test_balls_too_wide(monkeypatch):
    """The precision is raised where that helps; else it is said that it does not."""
    tried = []

    def stuck(balls, residues):  # noqa: ARG001  # whatever the game
        tried.append(balls)

    monkeypatch.setattr(residue, "tied_basis", stuck)
    arithmetic = ResidueSystem(exact_up_to=0)
    with pytest.raises(PrecisionError, match="128 bits do not settle a game"):
        slabs(arithmetic, 3)
    assert tried
    monkeypatch.setattr(by_prizes, "ResidueSystem", lambda p, b, _: ResidueSystem(p, b, 0))
    with pytest.raises(PrecisionError, match="1024 bits do not settle a game"):
        first_move(3, "residue", store=":memory:")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n must be a positive integer, got 0"),
        ({"n": 3, "upcards": [0]}, "an upcard must be one of 1 to 3, got 0"),
    ],
)
def test_wrong_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        first_move(arguments.pop("n"), "residue", **arguments, store=":memory:")


@pytest.mark.parametrize(
    ("upcard", "prime"), [(2, 2862920088587837), (2, 951746411711198563), (4, 66048285601)]
)
def test_a_prime_that_divides_a_denominator_is_refused_in_one_line(upcard, prime):
    rules = Rules("points", "carryover")
    denominators = [
        probability.q
        for probability in first_move(4, rules=rules, store=":memory:")[upcard].values()
    ]
    assert any(q % prime == 0 for q in denominators)
    with pytest.raises(
        ValueError, match=f"prime must divide no denominator, got {prime}; take"
    ) as caught:
        first_move(4, Residue(prime), rules=rules, upcards=[upcard], store=":memory:")
    assert "\n" not in str(caught.value)


def test_a_prime_that_divides_the_denominator_of_a_tie_is_not_taken_for_too_few_bits():
    payoff = [[101, 0], [0, 101]]
    balls = [[arb(entry) for entry in row] for row in payoff]
    residues = [[nmod(entry, 101) for entry in row] for row in payoff]
    with pytest.raises(ZeroDivisionError):
        tied_basis(balls, residues)
    taken = tied_basis(balls, [[nmod(entry, 103) for entry in row] for row in payoff])
    assert taken == Basis((0, 1), (0, 1))
