"""The study of residues: exact first moves modulo a prime, and what it cannot decide or divide."""

import json
from fractions import Fraction

import pytest
import residues
from flint import arb, fmpq, nmod
from project_paths import DATA

import gops_exact as gx


@pytest.mark.parametrize(
    "path", sorted((DATA / "before/emitted").glob("*.residues")), ids=lambda path: path.stem
)
def test_first_moves_modulo_a_prime_equal_documents_of_an_earlier_version(path):
    before = path.read_text(encoding="ascii")
    document = json.loads(before)
    game = gx.Game(document["n"], gx.Rules(**document["rules"]))
    assert residues.first_moves(game, document["prime"]) == before


@pytest.mark.parametrize("prime", [2**61 - 1, 2**64 - 59])
@pytest.mark.parametrize(
    "game", [gx.Game(5), gx.Game(4, gx.Rules("win")), gx.Game(4, gx.Rules("points", "carryover"))]
)
@pytest.mark.parametrize("exact_up_to", [0, 4])
def test_first_moves_modulo_a_prime_are_the_residues_of_exact_first_moves(
    game, prime, exact_up_to, monkeypatch
):
    monkeypatch.setattr(residues, "EXACT_UP_TO", exact_up_to)
    document = json.loads(residues.first_moves(game, prime))
    exact = gx.first_move(game.n, rules=game.rules, store=":memory:")
    for column in document["columns"]:
        moves = exact[column["upcard"]]
        numbers = [Fraction(str(p)) for p in moves.values()]
        right = [p.numerator * pow(p.denominator, -1, prime) % prime for p in numbers]
        given = list(column["probabilities"].values())
        assert sum(given) % prime == 1
        assert column["unique"] in (False, moves.unique)
        assert column["proved"] or exact_up_to == 0
        assert given == right or not moves.unique


def test_numbers_modulo_a_prime_decide_ties_that_ball_arithmetic_leaves_open():
    for near, width, rows in (
        (fmpq(1, 2**70), 60, None),
        (fmpq(1, 2**70), 80, (0,)),
        (fmpq(0), 60, (0,)),
    ):
        balls = [[arb(entry, arb(1) / 2**width) for entry in (0, near)]]
        basis = residues.tied_basis(balls, [[nmod(entry, 2**61 - 1) for entry in (0, near)]])
        assert (basis and basis.rows) == rows


NO_PRIMES = 7, 2**61, 2**61 - 3, 2**89 - 1, -(2**61) + 1
DIVISORS = 2862920088587837, 951746411711198563, 66048285601


@pytest.mark.parametrize("prime", [*NO_PRIMES, *DIVISORS])
def test_first_moves_modulo_a_prime_refuse_composite_moduli_and_divisors_of_denominators(prime):
    wanted = "divide no denominator" if prime in DIVISORS else "be a prime .*"
    with pytest.raises(ValueError, match=f"prime must {wanted}, got {prime}$"):
        residues.first_moves(gx.Game(4, gx.Rules("points", "carryover")), prime)
