"""Numbers of answers in every arithmetic: equal, kept, compared, formatted and shown as their users expect."""

import copy
import csv
import json
import math
import numbers
import operator
import pickle
from decimal import Decimal
from fractions import Fraction
from functools import partial
from statistics import mean

import gmpy2
import numpy as np
import pytest
import sympy
from flint import arb, ctx, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st
from places import DOCS

import gops_exact as gx
from gops_exact.numbers import rational, view
from gops_exact.numbers.exact import PrecisionError
from gops_exact.numbers.kinds import BoundedFloat, ProvedDecimal, ResidueClass
from gops_exact.solvers.strategy import ByCard

pytestmark = pytest.mark.usefixtures("own_store")

POSITION = gx.Position([2, 4, 5], [1, 3, 6], [10, 12, 13], upcard=13)
ANSWERS = {
    "first_move": lambda kind: gx.first_move(4, kind),
    "strategy": lambda kind: gx.first_move(4, kind)[2],
    "value": partial(gx.value, POSITION),
    "solve": partial(gx.solve, POSITION),
    "payoff_matrix": partial(gx.payoff_matrix, POSITION),
    "bid_gains": partial(gx.bid_gains, POSITION),
}
ORDERS = [operator.lt, operator.le, operator.gt, operator.ge]
THIRD = ProvedDecimal(arb(fmpq(1, 3)), 12)
HALF = BoundedFloat(0.5, 0.25)


@pytest.mark.parametrize("kind", ["exact", "ball", "residue", "float"])
@pytest.mark.parametrize("ask", ANSWERS.values(), ids=ANSWERS)
def test_answers_are_values(ask, kind):
    first, again = ask(kind), ask(kind)
    copies = [pickle.loads(pickle.dumps(first)), copy.deepcopy(first)]  # noqa: S301
    if hasattr(first, "key"):  # a number, which bounds may not tell from itself
        assert first.key == again.key and {each.key for each in copies} == {first.key}
        return
    assert first == again
    assert not first != again  # noqa: SIM202  # lists have an operator of their own
    assert copies == [first, first]


@given(st.fractions(), st.floats(0, 1, exclude_min=True), st.integers(2, 200), st.integers(53, 300))
def test_a_ball_is_kept_to_the_bit(number, radius, bits, later):
    with ctx.workprec(bits):
        ball = arb(rational(number), radius)
    proved = ProvedDecimal(ball, 0)
    assert proved.value.contains(ball)
    with ctx.workprec(later):
        for kept in (pickle.loads(pickle.dumps(proved)), copy.deepcopy(proved)):  # noqa: S301
            assert kept.value.mid().man_exp() == proved.value.mid().man_exp()
            assert kept.value.rad().man_exp() == proved.value.rad().man_exp()


def test_answers_in_balls_are_equal_if_midpoint_radius_and_digits_are():
    def bids(number):
        return ByCard({1: number})

    assert bids(ProvedDecimal(arb(fmpq(1, 3)), 12)) == bids(THIRD)
    others = [
        ProvedDecimal(THIRD.value, 11),
        ProvedDecimal(THIRD.value + arb(0, 2.0**-60), 12),
        ProvedDecimal(THIRD.value.mid(), 12),
    ]
    assert not any(bids(other) == bids(THIRD) for other in others)


@pytest.mark.parametrize(("number", "apart"), [(THIRD, 0.5), (HALF, 1), (HALF, view("1/5"))])
def test_numbers_within_bounds_are_equal_where_that_is_proved(number, apart):
    assert (number == apart, apart == number, number == "0.3") == (False, False, False)
    for same in (copy.deepcopy(number), number + 0, view("1/3") + 0 * number):
        with pytest.raises(ValueError, match="further apart than they may be off, got"):
            _ = number == same
    kind = type(number)
    known = kind(kind(arb(1), 3).value, 3) if kind is ProvedDecimal else kind(1.0, 0.0)
    assert known == 1 == known * known == view(1) == fmpq(1) and hash(known) == hash(1)


SAMPLES = st.fractions(-20, 20, max_denominator=50)
FOUR = [operator.add, operator.sub, operator.mul, operator.truediv]


@given(SAMPLES, SAMPLES, st.sampled_from(FOUR))
def test_numbers_of_every_kind_compute_as_fractions(x, y, operation):
    """Compare the exact result with that of each kind, on both sides of a plain number, too."""
    kinds = [
        view,
        lambda number: ProvedDecimal(arb(rational(number)), 10),
        lambda number: ResidueClass(0, gx.Residue().prime) + number,
        lambda number: BoundedFloat(0.0, 0.0) + rational(number),
    ]
    for kind in kinds:
        for pair in ((kind(x), kind(y)), (kind(x), y), (x, kind(y)), (kind(x), rational(y))):
            if y == 0 and operation is operator.truediv:
                with pytest.raises(ZeroDivisionError):
                    operation(*pair)
                continue
            result, right = operation(*pair), operation(x, y)
            assert type(result) is type(kind(x))
            if kind is view:
                assert result == right
            elif isinstance(result, ResidueClass):
                assert right in result
            else:
                least, most = result.bounds()
                assert least <= rational(right) <= most and most - least < fmpq(1, 10**9)


@pytest.mark.parametrize("other", [0.5, "1", None])
def test_exact_numbers_do_not_mix_with_floats(other):
    for number in (view("1/3"), THIRD, ResidueClass(3, 7)):
        for operation in FOUR:
            for pair in ((number, other), (other, number)):
                with pytest.raises(
                    TypeError, match="unsupported operand|can only concatenate|can't multiply"
                ):
                    operation(*pair)


def test_residues_have_no_order_and_mix_with_their_own_prime():
    three = ResidueClass(3, 7)
    assert three == three + 7 and three != three + 1 and three != ResidueClass(3, 11)
    assert fmpq(3, 5) in three / 5 and 4 in -three and hash(three) == hash(ResidueClass(3, 7))
    assert not any(other in three for other in (4, fmpq(1, 7), 3.0, ResidueClass(3, 11)))
    for wrong in (lambda: three < 4, lambda: three + ResidueClass(3, 11), lambda: abs(three)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ZeroDivisionError, match="a divisor must not be 0 modulo 7, got 0"):
        three / 14


def test_any_number_is_taken_in():
    assert view(0.5).key == (0.5, 0.0) and view(0.5) == fmpq(1, 2)
    assert view(arb(3)) == 3 and view(THIRD) is THIRD and view(view("1/3")) == Fraction(1, 3)
    with ctx.workprec(100):
        assert view(arb(fmpq(1, 3))).decimal(25) == "0." + 25 * "3"
    for wrong in (float("nan"), arb("inf"), None, "x"):
        with pytest.raises(ValueError, match="exact rational"):
            view(wrong)


@given(st.integers(-8, 8), st.integers(0, 8), st.integers(-8, 8), st.integers(0, 8))
def test_an_order_is_told_where_all_numbers_within_the_bounds_agree(x, off, y, other):
    """Compare with trying the ends of both: the answers are monotone."""
    numbers = BoundedFloat(x / 4, off / 4), BoundedFloat(y / 4, other / 4)
    ends = [(a, b) for a in (x - off, x + off) for b in (y - other, y + other)]
    for order in ORDERS:
        answers = {order(a, b) for a, b in ends}
        if len(answers) == 1:
            assert order(*numbers) in answers
        else:
            with pytest.raises(ValueError, match="further apart than they may be off, got .* ± "):
                order(*numbers)


@pytest.mark.parametrize("one", [1, 1.0, Fraction(1), Decimal(1), fmpq(1), view(1)])
@pytest.mark.parametrize("number", [THIRD, HALF])
def test_other_numbers_compare_on_both_sides(number, one):
    assert number < one and one > number and number <= one and one >= number
    assert not number > one and not one < number


def test_what_bounds_leave_open_is_an_error():
    with pytest.raises(ValueError, match=r"got 0\.5 ± 0\.25 and 0\.6$"):
        operator.lt(HALF, 0.6)
    with pytest.raises(ValueError, match=r"got 0\.333\d* ± .*e-17 and 0\.5 ± 0\.25$"):
        operator.lt(THIRD, HALF)
    with pytest.raises(TypeError, match="'<' not supported"):
        operator.lt(THIRD, "0.5")
    for order in ORDERS:
        with pytest.raises(TypeError, match="not supported"):
            order(HALF, ResidueClass(3, 7))


@pytest.mark.parametrize(
    ("number", "truth"),
    [
        (view(0), False),
        (view("1/3"), True),
        (THIRD, True),
        (ProvedDecimal(arb(0), 3), False),
        (ProvedDecimal(arb(0, 1), 0), "further apart than they may be off, got .* and 0$"),
        (BoundedFloat(-0.5, 0.25), True),
        (BoundedFloat(0.0, 0.0), False),
        (BoundedFloat(0.5, 0.5), "further apart than they may be off, got .* and 0$"),
        (ResidueClass(3, 7), True),
        (ResidueClass(0, 7), "the residue 0 leaves open if the number is 0"),
    ],
)
def test_a_number_is_true_if_it_is_known_not_to_be_zero(number, truth):
    if isinstance(truth, bool):
        assert bool(number) is truth
        return
    with pytest.raises(ValueError, match=truth):
        bool(number)


@given(st.fractions(-9, 9), st.integers(0, 30), st.sampled_from("efgEFG%"))
def test_balls_are_formatted_and_rounded_as_exact_numbers_or_not_at_all(number, digits, kind):
    with ctx.workprec(90):
        proved, exact = ProvedDecimal(arb(rational(number)), 0), view(number)
    spec = f"+.{digits}{kind}"
    try:
        assert format(proved, spec) == format(exact, spec)
    except PrecisionError:  # it lies on the edge, or too few bits tell its last digits
        assert digits > 20 or (2 * 10 ** (digits + 3) * exact.value).q == 1
    try:
        assert round(proved, digits) == round(exact, digits)
        assert round(proved) == round(exact)
    except PrecisionError:
        assert digits > 20 or (2 * 10**digits * exact.value).q == 1


def test_digits_that_are_not_proved_are_not_formatted():
    assert (
        f"{THIRD:.15f} {THIRD:>16} {THIRD}" == "0.333333333333333   0.333333333333 0.333333333333"
    )
    assert (round(THIRD), round(THIRD, 2)) == (0, view("0.33"))
    with pytest.raises(PrecisionError, match="the digits are not proved, ask for more"):
        f"{THIRD:.20f}"
    with pytest.raises(PrecisionError, match="the digits are not proved, ask for more"):
        round(THIRD, 20)


def test_floats_are_formatted_and_rounded_as_floats():
    number = BoundedFloat(2 / 3, 1e-12)
    assert f"{number:.3f} {number:8.1%} {number:.2e}" == "0.667    66.7% 6.67e-01"
    assert f"{number}" == str(number)
    assert (round(number), round(number, 3), float(number)) == (1, 0.667, 2 / 3)


def test_integers_known_exactly_are_shown_as_integers():
    moves = gx.first_move(3, gx.Ball(4))
    assert repr(moves[1]) == "{1: 1, 2: 0, 3: 0}"
    assert repr(moves[2]) == "{1: 0, 2: 0.5556, 3: 0.4444}"
    assert str(ProvedDecimal(arb(-12), 3)) == "-12"
    assert str(ProvedDecimal(arb(1, 2.0**-40), 3)) == "1.000"
    assert moves[1][1].text() == "1.0000"


# Integers, and what the standard library does with a rational


@given(SAMPLES, SAMPLES.filter(bool), st.integers(-3, 3), st.integers(1, 40))
def test_exact_numbers_do_all_that_a_rational_promises(x, y, exponent, most):
    number = view(x)
    assert isinstance(number, numbers.Rational)
    for whole in (int, math.floor, math.ceil, math.trunc, round):
        assert whole(number) == whole(x) and type(whole(number)) is int
    for operation in (operator.floordiv, operator.mod, divmod):
        for pair in ((number, view(y)), (number, y), (x, view(y)), (number, rational(y))):
            assert operation(*pair) == operation(x, y)
    assert number.as_integer_ratio() == x.as_integer_ratio()
    assert number.limit_denominator(most) == x.limit_denominator(most)
    assert Fraction(number) == x == view(json.loads(json.dumps(number, default=str)))
    assert mean([number, view(y)]) == mean([x, y])
    assert Decimal(number.numerator) / number.denominator == Decimal(x.numerator) / x.denominator
    assert (number.real, number.imag, number.conjugate()) == (x, 0, x)
    assert view(y) ** exponent == view(y) ** view(exponent) == y**exponent
    assert 2 ** view(exponent) == Fraction(2) ** exponent


@pytest.mark.parametrize(
    ("whole", "value"), [(math.floor, 0), (math.ceil, 1), (int, 0), (math.trunc, 0), (round, 1)]
)
def test_an_integer_is_the_true_number_s_or_an_error(whole, value):
    below = view(1) - view("1e-30")
    with ctx.workprec(200):
        balls = ProvedDecimal(arb(below.value), 40), ProvedDecimal(arb(below.value, 1e-20), 40)
    for number in (below, balls[0], BoundedFloat(0.75, 0.125)):
        assert whole(number) == value
    for number in (balls[1] + fmpq(1, 2) * (whole is round), BoundedFloat(1.0, 0.5)):
        with pytest.raises(PrecisionError, match="^(bounds leave the integer|the digits are not)"):
            whole(number)
    with pytest.raises((ValueError, TypeError), match="residue|ResidueClass"):
        whole(ResidueClass(3, 7))


def test_quotients_and_powers_are_refused_where_no_integer_is_known():
    assert (5 * THIRD // 1, divmod(BoundedFloat(7.0, 0.0), 2)) == (1, (3, 1))
    with pytest.raises(PrecisionError, match="^bounds leave the integer open, ask for more digits"):
        _ = 3 * THIRD // 1
    with pytest.raises(ValueError, match="^a residue has no bounds$"):
        _ = ResidueClass(3, 7) % 2
    with pytest.raises(ValueError, match=r"^the exponent must be an integer, got 1/2$"):
        _ = view(2) ** view("1/2")


def test_long_numbers_are_rounded_and_approximated_quickly():
    exponent = 4_191_807
    number = view(fmpq(fmpz(3) ** exponent, fmpz(2) ** exponent))
    assert round(number).bit_length() == math.floor(number).bit_length() == 2_452_050
    assert number.limit_denominator(10).denominator <= 10
    assert number % 1 < 1 and Fraction(number) == number


# What each pair of kinds does

TABLE = DOCS / "reference/kinds.csv"
PRIME = 10_007
KINDS = {
    "BigRational": view,
    "ProvedDecimal": lambda x: ProvedDecimal(arb(rational(x)), 5),
    "BoundedFloat": lambda x: BoundedFloat(float(x), 0.0),
    "ResidueClass": lambda x: ResidueClass(0, PRIME) + x,
}
WHOLE = {
    "int": int,
    "fmpz": lambda x: fmpz(int(x)),
    "gmpy2.mpz": gmpy2.mpz,
    "numpy.int64": lambda x: np.int64(int(x)),
    "sympy.Integer": lambda x: sympy.Integer(int(x)),
    "bool": bool,
    "numpy.bool": np.bool_,
}
OTHERS = {
    **KINDS,
    **WHOLE,
    "Fraction": Fraction,
    "Decimal": lambda x: Decimal(float(x)),
    "fmpq": rational,
    "gmpy2.mpq": gmpy2.mpq,
    "sympy.Rational": lambda x: sympy.Rational(x.numerator, x.denominator),
    "float": float,
    "numpy.float64": lambda x: np.float64(float(x)),
    "numpy.float32": lambda x: np.float32(float(x)),
    "sympy.Float": lambda x: sympy.Float(float(x)),
    "complex": lambda x: complex(float(x)),
    "str": str,
    "None": lambda _: None,
    "ResidueClass of another prime": lambda x: ResidueClass(0, 11) + x,
}


def pairs():
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for other in row["other"].split(", "):
                yield pytest.param(row, other, id=f"{row['number']} and {other}")


def outcome(operation, *pair):
    """Return the result, or the name of the error."""
    try:
        return operation(*pair)
    except (TypeError, ValueError) as error:
        return type(error).__name__


@pytest.mark.parametrize(("row", "other"), list(pairs()))
def test_each_pair_of_kinds_does_what_the_reference_says(row, other):
    start = Fraction(1) if other in WHOLE else Fraction(1, 2)
    for value in (start, start + 1):
        for one, two in ((start, value), (value, start)):
            left, right = KINDS[row["number"]](one), OTHERS[other](two)
            check(row, left, right, one, two)
            check(row, right, left, two, one)


def check(row, left, right, one, two):
    equal = left == right
    if row["=="] != "sympy's":
        assert equal == (one == two and row["=="] != "never")
        assert (left != right) is not equal
    if row["<"] != "sympy's":
        for order in ORDERS:
            assert outcome(order, left, right) == (
                order(one, two) if row["<"] == "value" else row["<"]
            )
    if equal and row["hash"] == "same":
        assert hash(left) == hash(right) and len({left, right}) == 1
    for operation in FOUR:
        result = outcome(operation, left, right)
        if row["+"] == "TypeError":
            assert result == "TypeError"
        elif row["+"] == "sympy's" or (
            row["+"] == "the left one's" and isinstance(left, sympy.Basic)
        ):
            assert isinstance(result, sympy.Number)
        elif row["+"] == "the left one's":
            assert type(result) is type(left)
        else:
            assert type(result).__name__ == row["+"]
            expected = rational(operation(one, two))
            if isinstance(result, ResidueClass):
                assert expected in result
            else:
                least, most = result.bounds()
                assert least <= expected <= most


def test_the_table_has_each_pair_once():
    listed = [frozenset((param.values[0]["number"], param.values[1])) for param in pairs()]
    assert len(listed) == len(set(listed))
    assert set(listed) == {
        frozenset((number, other))
        for number in KINDS
        for other in OTHERS
        if number == "ResidueClass" or other != "ResidueClass of another prime"
    }


def test_numbers_are_equal_to_themselves_whatever_their_bounds():
    for number in (THIRD, HALF, BoundedFloat(0.0, 1.0), ResidueClass(3, 7)):
        assert number == number and not number != number  # noqa: PLR0124, SIM202  # itself
        assert {number: 1}[number] == 1
    assert HALF <= HALF and not HALF < HALF  # noqa: PLR0124  # itself


def test_floats_beyond_their_range_are_refused_when_they_are_made():
    for made in (lambda: view(1e308) * 10, lambda: BoundedFloat(0.0, math.inf)):
        with pytest.raises(
            OverflowError, match="^a float and its radius must be finite, got .* ± inf$"
        ):
            made()


def test_sympy_never_takes_a_number_without_its_bounds():
    around = BoundedFloat(0.0, 1e-13)
    with pytest.raises(ZeroDivisionError, match=r"^a divisor must not be 0, got 0\.0 ± 1\.1e-13$"):
        sympy.Rational(20) / around
    assert (sympy.Rational(1, 2) + HALF).radius >= 0.25 <= (HALF + sympy.Rational(1, 2)).radius
    for number in (THIRD, HALF, ResidueClass(3, 7)):
        assert sympy.sympify(number) is number and sympy.Symbol("x") != number
        with pytest.raises(TypeError, match="unsupported operand"):
            sympy.Symbol("x") + number
    assert sympy.sympify(view("1/3")) == sympy.Rational(1, 3)


# Digits of balls


def test_digits_of_a_ball_are_proved_when_it_has_widened():
    third = gx.first_move(3, gx.Ball(5), store=":memory:")[2][2]
    wide = third * 10**14 * 24 * 10**4
    for number in (wide, third, wide * 10**30, view(arb(1.5, 0.01)), ProvedDecimal(arb(0, 1), 30)):
        ends = {view(end).decimal(number.digits) for end in number.bounds()}
        assert ends == {str(number)} or (number.digits == 0 and "+/-" in repr(number))


# Floats that are not proved


def test_floats_that_are_not_proved_are_marked():
    moves, solution = gx.first_move(3, "float"), gx.solve(gx.Position.start(3).at(2), "float")
    assert not solution.proved and repr(solution.row).count("?") == 3
    assert solution._repr_html_().count(">?<") == solution._repr_latex_().count("?") == 6
    assert not moves[2].proved and moves[1].proved
    assert repr(moves[2]) == "{1: 0.5?, 2: 0.5?, 3: 0.5?}"
    assert repr(moves[1]) == "{1: 1.0, 2: 0.0, 3: 0.0}"
    assert moves[2]._repr_html_().count(">?<") == 3
    assert moves[2]._repr_latex_().count("0.5000?") == 3
    assert moves._repr_latex_().count("?") == 3
    table = moves.table().floats()
    assert table[2].isna().all()
    assert table[[1, 3]].notna().all(axis=None)
    hidden = gx.first_move(2, "float", rules=gx.Rules(prizes="hidden"))
    assert not hidden[None].proved
    assert hidden.table().floats().isna().all(axis=None)
