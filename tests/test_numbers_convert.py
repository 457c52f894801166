"""Conversions: every type against fractions.Fraction, text against gmpy2, at both ends of size."""

from decimal import Decimal
from fractions import Fraction
from math import gcd, inf, nan

import gmpy2
import numpy as np
import pytest
import sympy
from flint import arb, ctx, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st
from strategies import rationals

from gops_exact.numbers import rational, view
from gops_exact.numbers.raw import to_arb

wide = rationals(10**40, 10**40)
# 3**k / 2**k: two million digits above, 1.3 million below, and a gcd that costs nothing.
EXPONENT = 4_191_807


@pytest.fixture(scope="module")
def huge() -> fmpq:
    return fmpq(fmpz(3) ** EXPONENT, fmpz(2) ** EXPONENT)


def holds(ball: arb, q: fmpq) -> bool:
    """Whether the ball holds q, exactly; `q in ball` would round q first."""
    return abs(q - ball.mid().fmpq()) <= ball.rad().fmpq()


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (7, "7"),
        (-(10**5000), "-1" + "0" * 5000),
        (Fraction(-6, 4), "-3/2"),
        (fmpz(12), "12"),
        (fmpq(2, 6), "1/3"),
        (gmpy2.mpz(-9), "-9"),
        (gmpy2.mpq(4, 6), "2/3"),
        (sympy.Rational(5, 10), "1/2"),
        (sympy.Integer(-4), "-4"),
        (sympy.S.Half, "1/2"),
        (np.int8(-128), "-128"),
        (np.uint64(2**64 - 1), "18446744073709551615"),
        (view("-6/8"), "-3/4"),
        (Decimal("0.1"), "1/10"),
        (Decimal("-2.50E+3"), "-2500"),
        ("3", "3"),
        (" +4/6 ", "2/3"),
        ("-4/6", "-2/3"),
        ("0.25", "1/4"),
        ("-.5", "-1/2"),
        ("-0.05", "-1/20"),
        ("5.", "5"),
        ("1e-3", "1/1000"),
        ("12.5E+1", "125"),
        ("-0", "0"),
        ("0/7", "0"),
        ("9" * 5000 + "/" + "9" * 5000, "1"),
    ],
    ids=lambda x: f"{type(x).__name__}",
)
def test_rational_is_exact(x, expected):
    assert str(rational(x)) == expected


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (0.5, "got the float 0.5; write Fraction(1, 2) or '1/2'"),
        (-0.1, "got the float -0.1; write Fraction(-1, 10) or '-1/10'"),
        (1 / 3, "got the float 0.3333333333333333; write Fraction(1, 3) or '1/3'"),
        (2**0.5, "got the float 1.4142135623730951; write a Fraction, or text such as '1/2'"),
        (1e300, "got the float 1e+300; write a Fraction, or text such as '1/2'"),
        (nan, "got the float nan"),
        (-inf, "got the float -inf"),
        (np.float64(0.25), "got the float64 0.25; write Fraction(1, 4) or '1/4'"),
        (np.float32(0.5), "got the float32 0.5; write Fraction(1, 2) or '1/2'"),
        (True, "got the bool True"),
        (np.True_, "got an object of type bool"),
        (None, "got None"),
        (3.0, "got the float 3.0; write 3"),
        (1j, "got an object of type complex"),
        (sympy.pi, "got an object of type Pi"),
        (
            sympy.Float("0.5"),
            "got the Float 0.500000000000000; write Fraction(1, 2) or '1/2'",
        ),
        (sympy.nan, "got an object of type NaN"),
        (sympy.oo, "got an object of type Infinity"),
        ([1], "got an object of type list"),
    ],
    ids=str,
)
def test_what_is_not_an_exact_number_is_refused(x, message):
    with pytest.raises(ValueError) as refusal:
        rational(x)
    assert str(refusal.value) == f"a number must be an exact rational, {message}"


@pytest.mark.parametrize(
    "text",
    [
        *("", "-", ".", "1/", "/2", "1/-2", "1 /2", "1/2/3", "1.5/2", "1_000", "0x10", "--1"),
        *("nan", "inf", "e5", ".e5", "1e9999999", "٣", "−3", "1\n2"),
    ],
)
def test_text_that_is_no_number_is_refused(text):
    with pytest.raises(ValueError, match="an exact rational is written p, p/q or as a decimal"):
        rational(text)


def test_decimals_that_are_no_number_are_refused():
    for x in Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity"), Decimal("1E+1000000"):
        with pytest.raises(ValueError, match="an exact rational is written"):
            rational(x)


def test_a_zero_denominator_is_refused():
    with pytest.raises(ValueError, match=r"^a denominator must not be zero, got '1/0'$"):
        rational("1/0")


def test_long_nonsense_is_refused_at_once_in_one_short_line():
    with pytest.raises(ValueError) as refusal:
        rational("9" * 1_000_000 + "\n!")
    assert len(str(refusal.value)) < 120
    assert "\n" not in str(refusal.value)


@given(wide)
def test_conversions_agree_with_fraction(x):
    q = rational(x)
    fraction = view(q).to_fraction()
    assert (fraction, hash(fraction), str(fraction)) == (x, hash(x), str(q))
    assert type(fraction.numerator) is type(fraction.denominator) is int
    assert str(q) == str(x)
    assert view(q).to_mpq() == gmpy2.mpq(x.numerator, x.denominator)
    assert view(q).to_sympy() == sympy.Rational(x.numerator, x.denominator)
    assert float(view(q)) == float(x)


@given(wide)
def test_every_type_comes_back(x):
    q = fmpq(x.numerator, x.denominator)
    for outward in view(q).to_fraction(), view(q).to_mpq(), view(q).to_sympy(), str(q), view(q):
        assert rational(outward) == q


def test_whole_numbers_become_sympy_integers():
    assert isinstance(view(fmpq(6, 3)).to_sympy(), sympy.Integer)


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_are_read_as_they_stand(x):
    assert view(rational(x)).to_fraction() == Fraction(x)
    assert view(rational(str(x))).to_fraction() == Fraction(x)


@given(st.one_of(rationals(), wide), st.integers(0, 12))
def test_decimal_text_is_rounded_half_even(x, digits):
    # round(Fraction, n) is exact and rounds ties to even.
    rounded = round(x, digits) if digits else Fraction(round(x))
    text = view(rational(x)).decimal(digits)
    assert Fraction(text) == rounded
    assert len(text.partition(".")[2]) == digits
    assert text.startswith("-") == (rounded < 0)


@given(st.integers(-(10**6), 10**6), st.integers(0, 6))
def test_ties_go_to_even(odd_half, digits):
    x = Fraction(2 * odd_half + 1, 2 * 10**digits)
    text = view(rational(x)).decimal(digits)
    assert int(Fraction(text) * 10**digits) % 2 == 0
    assert abs(Fraction(text) - x) == Fraction(1, 2 * 10**digits)


def test_decimal_text_refuses_negative_digits():
    with pytest.raises(ValueError, match=r"^digits must be at least 0, got -1$"):
        view(fmpq(1)).decimal(-1)


@pytest.mark.parametrize("bits", [2, 10, 53, 300])
def test_a_ball_holds_the_number_at_any_precision(bits):
    before = ctx.prec
    ball = to_arb(fmpq(1, 3), bits)
    assert ctx.prec == before
    assert holds(ball, fmpq(1, 3))
    assert ball.rad().fmpq() <= fmpq(1, 2**bits)


def test_floats_at_the_ends_of_the_range():
    least = fmpq(1, 2**1074)
    assert float(view(least)) == 5e-324
    assert float(view(least / 2)) == 0  # a tie, to even
    assert float(view(least / 2 + least / 10**9)) == 5e-324
    beyond = fmpq(2**1024 - 2**970)  # a tie again, to the power of two
    assert float(view(beyond - 1)) == float.fromhex("0x1.fffffffffffffp+1023")
    with pytest.raises(OverflowError):
        float(view(beyond))


def test_huge_terms_pass_between_libraries(huge):
    top, bottom = gmpy2.mpz(3) ** EXPONENT, gmpy2.mpz(2) ** EXPONENT
    fraction = view(huge).to_fraction()
    assert (fraction.numerator, fraction.denominator) == (top, bottom)
    assert view(huge).to_mpq() == gmpy2.mpq(fraction)
    assert view(huge).to_sympy().p == top
    assert rational(fraction) == rational(view(huge).to_mpq()) == huge


def test_huge_text_is_that_of_gmpy2(huge):
    text = (gmpy2.mpz(3) ** EXPONENT).digits() + "/" + (gmpy2.mpz(2) ** EXPONENT).digits()
    assert str(huge) == text
    assert rational(text) == huge


def test_huge_terms_become_floats_and_decimals(huge):
    top, bottom = huge.p, huge.q
    near_third = fmpq(top, 3 * top + 1)
    assert float(view(near_third)) == 1 / 3
    assert view(near_third).decimal(30) == "0." + "3" * 30
    # One part in 10**2000000 off a tie decides the rounding.
    assert view(fmpq(bottom, 2 * bottom + 1)).decimal(0) == "0"
    assert view(fmpq(3 * bottom + 1, 2 * bottom)).decimal(0) == "2"
    assert view(fmpq(5 * bottom + 1, 2 * bottom)).decimal(0) == "3"
    assert holds(to_arb(near_third, 200), near_third)


def test_fractions_made_without_a_gcd_are_in_lowest_terms():
    fraction = view(fmpq(84, -36)).to_fraction()
    assert (fraction.numerator, fraction.denominator) == (-7, 3)
    assert gcd(fraction.numerator, fraction.denominator) == 1
