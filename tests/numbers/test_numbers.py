"""Exact numbers: against fractions.Fraction and plain text for short ones, gmpy2 for long ones."""

import json
import math
import numbers
import operator
import re
from decimal import Context, Decimal
from fractions import Fraction
from math import inf, log2, log10, nan, prod
from statistics import mean

import gmpy2
import numpy as np
import pytest
import sympy
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st
from strategies import rationals

import gops_exact as gx

wide = rationals(10**40, 10**40)
tiny = st.sampled_from([Fraction(1, 10**30), Fraction(-1, 10**30)])
near_integers = st.builds(lambda whole, more: whole + more, st.integers(-5, 5), tiny)


def in_short(digits):
    """The first and last ten digits, where that is shorter."""
    return digits if len(digits) < 34 else f"{digits[:10]}…{digits[-10:]} ({len(digits)} digits)"


# Lengths on both sides of the bound below which text is cheap (10,000 bits, 3010 digits), round numbers, whose neighbours
# differ in every digit, and numbers that end in zeros below a head that a ball can tell.
long_integers = st.one_of(
    st.integers(-(10**30), 10**30),
    st.builds(
        lambda leading, exponent, offset: leading * 10**exponent + offset,
        st.sampled_from([-50, -1, 1, 7, -(10**60 // 7)]),
        st.integers(2990, 3400),
        st.integers(-2, 2),
    ),
    st.builds(lambda base, exponent: base**exponent, st.integers(-9, 9), st.integers(0, 4200)),
)


@given(long_integers, st.integers(1, 50) | st.just(10**6))
def test_head_tail_and_length_of_big_integers_equal_those_of_their_text(x, count):
    text, number = gmpy2.mpz(abs(x)).digits(), gx.BigInteger(fmpz(x))
    sign = "-" if x < 0 else ""
    assert repr(number) == sign + in_short(text)
    assert number.digits == len(text)
    assert (number.head(count), number.tail(count)) == (text[:count], text[-count:])
    assert repr(number) == sign + in_short(text)  # now that the text is at hand


@given(st.integers(1, 10**12), st.integers(2, 300))
def test_small_prime_factors_of_long_integers_are_listed_completely(x, limit):
    factors = gx.BigInteger(fmpz(-x)).small_factors(limit)
    assert all(gmpy2.is_prime(prime) and prime <= limit for prime in factors)
    rest, remainder = divmod(x, prod(prime**exponent for prime, exponent in factors.items()))
    assert remainder == 0 and all(rest % candidate for candidate in range(2, limit + 1))


# Fractions


@given(rationals() | wide | near_integers, rationals(), st.integers(-4, 6))
def test_exact_numbers_behave_as_fractions(x, y, digits):
    number, divisor = gx.view(x), y or Fraction(1)
    assert isinstance(number, numbers.Rational) and bool(number) == bool(x)
    for whole in (int, math.floor, math.ceil, math.trunc, round):
        assert whole(number) == whole(x) and type(whole(number)) is int
    assert round(number, digits) == round(x, digits)
    for operation in (operator.floordiv, operator.mod, divmod):
        for other in (divisor, gx.view(divisor), gx.view(divisor).value):
            assert operation(number, other) == operation(x, divisor)
        assert operation(x, gx.view(divisor)) == operation(x, divisor)
    assert (number == y) == (y == number) == (x == y)
    for relation in (operator.lt, operator.le, operator.gt, operator.ge):
        assert relation(number, gx.view(y)) == relation(number, y) == relation(x, y)
        assert relation(y, number) == relation(y, x)
    assert number == x != str(x) and hash(number) == hash(x) and number.to_sympy() == number
    assert Fraction(number) == x == gx.view(json.loads(json.dumps(number, default=str)))
    assert mean([number, gx.view(y)]) == mean([x, y])
    assert Decimal(number.numerator) / number.denominator == Decimal(x.numerator) / x.denominator
    assert (number.real, number.imag, number.conjugate()) == (x, 0, x)
    assert gx.view(divisor) ** digits == gx.view(divisor) ** gx.view(digits) == divisor**digits
    assert 2 ** gx.view(digits) == Fraction(2) ** digits


@given(rationals(), st.floats(allow_nan=False))
def test_exact_numbers_compare_exactly_with_floats(x, y):
    number = gx.view(x)
    assert (number < y, number <= y, number == y) == (x < y, x <= y, x == y)
    assert (number > y, number >= y, y == number) == (x > y, x >= y, x == y)
    assert math.isinf(y) or (gx.view(Fraction(y)) == y and hash(gx.view(Fraction(y))) == hash(y))
    assert gx.view("1/10") < 0.1 and -inf < number < inf
    for relation in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq):
        assert not relation(number, nan) and not relation(nan, number)
    for other in ("1", None):
        with pytest.raises(TypeError, match="not supported between instances of 'BigRational'"):
            number < other  # noqa: B015  # it raises


@given(wide, st.integers(1, 60))
def test_continued_fraction_gives_the_number_back(x, terms):
    assert gx.view(x).continued_fraction(terms) == gx.view(x).continued_fraction(10**6)[:terms]
    *first, last = gx.view(x).continued_fraction(10**6)
    assert all(term > 0 for term in first[1:]) and (last > 1 or not first)
    value = Fraction(last)
    for term in reversed(first):
        value = term + 1 / value
    assert value == x


@given(rationals() | wide | near_integers, st.integers(0, 30), st.sampled_from("feEg%"))
def test_exact_numbers_format_as_decimals(x, digits, kind):
    number = gx.view(x)
    long = Context(prec=200).divide(Decimal(x.numerator), Decimal(x.denominator))
    if not x and kind in "eE":
        long = long.scaleb(-digits)  # Decimal(0) would be 0.00e+2
    shown, expected = (format(each, f"z.{digits}{kind}") for each in (number, long))
    assert shown == expected or (kind == "g" and Decimal(shown) == Decimal(expected))
    assert number.decimal(digits) == format(long, f"z.{digits}f")
    assert format(number, f"*>60.{digits}f") == f"{number.decimal(digits):*>60}"


# Long numbers


@pytest.mark.parametrize("spec", ["e", "E", "g", "G", "f", "%", ".3e", "+e", ".<e"])
@pytest.mark.parametrize("x", ["1/2", "0", "-1/3", "1000000", "1/1000", "123456789"])
def test_formatted_numbers_have_the_zeros_of_floats(x, spec):
    shown = format(float(Fraction(x)), spec)
    assert format(gx.view(x), spec) == re.sub("(?<=[eE][+-])0", "", shown)


def test_half_a_million_digits_are_printed_and_parsed():
    exponent = 1_047_952
    huge = gx.view(fmpq(fmpz(3) ** exponent, fmpz(2) ** exponent))
    text, bottom = ((gmpy2.mpz(base) ** exponent).digits() for base in (3, 2))
    number = huge.numerator
    assert repr(number) == in_short(text) and number.head(1000) == text[:1000]
    assert "_text" not in vars(number)  # none of this needs the text
    assert number.digits == len(text) == 500_001
    assert number.small_factors() == {3: exponent}
    assert str(huge) == f"{text}/{bottom}" and gx.view(str(huge)) == huge
    assert gx.view(huge.to_mpq()) == gx.view(huge.to_sympy()) == huge == huge.to_fraction()
    small = fmpq(1, fmpz(10) ** 60)
    assert huge.value - small < huge < huge.value + small and huge % 1 < 1
    bits = int(exponent * log2(1.5)) + 1
    assert round(huge).bit_length() == math.floor(huge).bit_length() == bits
    leading = exponent * log10(1.5)
    assert f"{huge:.4e}" == f"{10 ** (leading % 1):.4f}e+{int(leading)}"


def test_long_fractions_convert_to_floats_and_decimals():
    top, bottom = fmpz(3) ** 100_000, fmpz(2) ** 100_000
    near_third = gx.view(fmpq(top, 3 * top + 1))
    assert (float(near_third), near_third.decimal(30)) == (1 / 3, "0." + "3" * 30)
    # One part in 10**30000 off a tie decides the rounding.
    assert gx.view(fmpq(3 * bottom + 1, 2 * bottom)).decimal(0) == "2"
    with pytest.raises(OverflowError):
        float(gx.view(2**1024))


# What is taken for a number


@pytest.mark.parametrize(
    "x",
    [
        *(7, Fraction(-6, 4), fmpz(12), fmpq(2, 6), gmpy2.mpz(-9), gmpy2.mpq(4, 6)),
        *(sympy.Rational(5, 10), sympy.Integer(-4), sympy.S.Half, np.int8(-128)),
        *(np.uint64(2**64 - 1), Decimal("0.1"), Decimal("-2.50E+3")),
        *("3", " +4/6 ", "-4/6", "0.25", "-.5", "-0.05", "5.", "1e-3", "12.5E+1", "-0", "0/7"),
    ],
    ids=lambda x: f"{type(x).__name__} {x}",
)
def test_exact_numbers_of_every_library_and_texts_are_converted_without_rounding(x):
    assert str(gx.view(x)) == str(Fraction(str(x)))


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (-0.1, "the float -0.1; write '-1/10'"),
        (1e300, "the float 1e+300; write a Fraction, or text such as '1/2'"),
        (3.0, "the float 3.0; write '3'"),
        (sympy.Float("0.5"), "the Float 0.500000000000000; write '1/2'"),
        (nan, "nan"),
        (True, "True"),
        ([1], "[1]"),
    ],
    ids=str,
)
def test_big_rational_refuses_floats_truth_values_and_lists(x, message):
    with pytest.raises(ValueError) as refusal:
        gx.BigRational(x)
    assert str(refusal.value) == f"a number must be an exact rational, got {message}"


@pytest.mark.parametrize(
    "x",
    [
        *("", "-", ".", "1/", "/2", "1/-2", "1/2/3", "1.5/2", "1_000", "0x10", "nan", "e5", ".e5"),
        *("1e9999999", "٣", "−3", "1\n2", "9" * 1_000_000 + "\n!"),
        *map(Decimal, ("NaN", "sNaN", "-Infinity", "1E+1000000")),
        "1/0",
    ],
    ids=lambda x: repr(x)[:12],
)
def test_malformed_text_and_infinite_or_huge_decimals_are_refused_as_numbers(x):
    with pytest.raises(ValueError, match="written p, p/q or as a decimal|not be zero") as refusal:
        gx.view(x)
    assert len(str(refusal.value)) < 120
    assert "\n" not in str(refusal.value)
