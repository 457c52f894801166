"""Exact numbers: against fractions.Fraction and plain text for short ones, gmpy2 for long ones."""

import hashlib
import pickle
from collections import Counter
from decimal import Context, Decimal
from fractions import Fraction
from math import inf, log10, nan, prod

import gmpy2
import numpy as np
import pytest
import sympy
from flint import arb, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st
from strategies import rationals

from gops_exact.numbers import BigInteger, BigRational, exact, rational, view
from gops_exact.numbers.digits import shorten
from gops_exact.numbers.raw import small_ratio, to_arb

wide = rationals(10**40, 10**40)
# 3**k / 2**k: two million digits above, 1.3 million below, and a gcd that costs nothing.
EXPONENT = 4_191_807


@pytest.fixture(scope="module")
def huge() -> BigRational:
    return view(fmpq(fmpz(3) ** EXPONENT, fmpz(2) ** EXPONENT))


@pytest.fixture(scope="module")
def huge_text() -> str:
    """The digits of 3**k by another library."""
    return (gmpy2.mpz(3) ** EXPONENT).digits()


# Integers

# Lengths on both sides of the bound below which text is cheap (10,000 bits, 3010 digits),
# with round numbers, whose neighbours differ in every digit, among them, and numbers that
# end in zeros below a head that a ball can tell.
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


@given(long_integers, st.integers(1, 50) | st.just(10**6), st.data())
def test_digits_are_those_of_the_text(x, count, data):
    text = gmpy2.mpz(abs(x)).digits()
    number = BigInteger(fmpz(x))
    sign = "-" if x < 0 else ""
    assert repr(number) == shorten(sign + text)
    assert (number.digits, number.bits) == (len(text), x.bit_length())
    assert (number.head(count), number.tail(count)) == (text[:count], text[-count:])
    start = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(1, len(text) - start))
    assert number.run(start, length) == text[start : start + length]
    assert number.sha256() == hashlib.sha256((sign + text).encode()).hexdigest()
    assert repr(number) == shorten(sign + text)  # now that the text is at hand
    counts = number.digit_counts()
    assert counts == tuple(Counter(text)[digit] for digit in "0123456789")
    expected = Fraction(len(text), 10)
    assert number.chi_square() == sum((count - expected) ** 2 / expected for count in counts)


@pytest.mark.parametrize(
    ("number", "method", "arguments", "message"),
    [
        (123, "head", (0,), "count must be at least 1, got 0"),
        (123, "tail", (-1,), "count must be at least 1, got -1"),
        (123, "run", (-1, 2), "start must be at least 0, got -1"),
        (123, "run", (0, 0), "length must be at least 1, got 0"),
        (123, "run", (2, 2), "the run must end within the 3 digits, got start 2 and length 2"),
        (123, "small_factors", (1,), "limit must be at least 2, got 1"),
        (0, "small_factors", (), "a number to factor must not be 0, got 0"),
        ("1/2", "continued_fraction", (0,), "terms must be at least 1, got 0"),
        ("1/2", "decimal", (-1,), "digits must be at least 0, got -1"),
    ],
)
def test_bad_arguments_are_refused(number, method, arguments, message):
    kind = view if isinstance(number, str) else lambda number: BigInteger(fmpz(number))
    with pytest.raises(ValueError) as refusal:
        getattr(kind(number), method)(*arguments)
    assert str(refusal.value) == message


@given(st.integers(1, 10**12), st.integers(2, 300))
def test_small_factors_are_all_of_them(x, limit):
    factors = BigInteger(fmpz(-x)).small_factors(limit)
    assert all(gmpy2.is_prime(prime) and prime <= limit for prime in factors)
    rest, remainder = divmod(x, prod(prime**exponent for prime, exponent in factors.items()))
    assert remainder == 0
    assert all(rest % candidate for candidate in range(2, limit + 1))
    assert list(factors) == sorted(factors)


def test_two_million_digits(huge, huge_text):
    number = huge.numerator
    assert repr(number) == f"{huge_text[:10]}…{huge_text[-10:]} ({len(huge_text)} digits)"
    assert number.head(1000) == huge_text[:1000]
    assert "_text" not in vars(number)  # none of this needs the text
    assert number.digits == len(huge_text) == 2_000_001
    assert number.run(1_234_567, 1000) == huge_text[1_234_567:1_235_567]
    assert number.sha256() == hashlib.sha256(huge_text.encode()).hexdigest()
    assert number.digit_counts() == tuple(huge_text.count(d) for d in "0123456789")
    assert number.small_factors() == {3: EXPONENT}
    assert huge.denominator.small_factors() == {2: EXPONENT}


# Continued fractions


def terms_by_euclid(x: Fraction, terms: int) -> tuple[int, ...]:
    """The slow twin of continued_fraction: Euclid's algorithm on the whole terms."""
    top, bottom = gmpy2.mpz(x.numerator), gmpy2.mpz(x.denominator)
    found = []
    while bottom and len(found) < terms:
        quotient, rest = divmod(top, bottom)
        found.append(int(quotient))
        top, bottom = bottom, rest
    return tuple(found)


@given(wide, st.integers(1, 60))
def test_continued_fraction_is_euclid(x, terms):
    assert view(x).continued_fraction(terms) == terms_by_euclid(x, terms)


def test_continued_fractions_of_and_with_huge_terms():
    near_one = Fraction(3**100_000, 2**158_496)
    q = fmpq(fmpz(3) ** 100_000, fmpz(2) ** 158_496)
    assert view(q).continued_fraction(300) == terms_by_euclid(near_one, 300)
    term = fmpz(7) ** 30_000
    q = 1 + 1 / (2 + 1 / (fmpq(term) + fmpq(1, 3)))
    assert view(q).continued_fraction(10) == (1, 2, int(term), 3)
    assert view(q).continued_fraction(3) == (1, 2, int(term))


# Comparison


@given(rationals(), rationals())
def test_equality_is_that_of_fractions(x, y):
    for other in (y, view(y), view(y).value, view(y).to_mpq(), view(y).to_sympy()):
        assert (view(x) == other) == (x == y)
    assert view(x) == x and hash(view(x)) == hash(x)
    assert view(x).to_sympy() == view(x)
    assert view(x) != str(x)


@given(rationals(), rationals() | st.floats(allow_nan=False) | st.integers())
def test_order_is_that_of_fractions(x, y):
    for other in (y, view(y) if not isinstance(y, float) else y):
        assert (view(x) < other, view(x) <= other) == (x < y, x <= y)
        assert (view(x) > other, view(x) >= other) == (x > y, x >= y)
        assert (other < view(x), other == view(x)) == (y < x, y == x)


def test_floats_are_compared_for_exactly_what_they_are():
    assert view("1/2") == 0.5 and view("1/10") != 0.1 and view("1/10") < 0.1
    assert hash(view("1/2")) == hash(0.5)
    assert view(10) < inf and view(-10) > -inf
    for other in (nan, "1", None):
        with pytest.raises(TypeError, match="not supported between instances of 'BigRational'"):
            view(1) < other  # noqa: B015  # it raises


def test_huge_numbers_compare_and_do_not_change(huge):
    small = fmpq(1, fmpz(10) ** 60)
    assert huge.value - small < huge < huge.value + small
    assert huge == view(huge.value)
    with pytest.raises(AttributeError):
        huge.numerator = BigInteger(fmpz(2))


# Text and formats


@given(rationals(10**30, 10**20), st.integers(0, 30), st.sampled_from("feEg%"))
def test_a_number_formats_as_a_decimal_of_enough_digits(x, digits, kind):
    long = Context(prec=200).divide(Decimal(x.numerator), Decimal(x.denominator))
    shown, expected = (format(each, f"z.{digits}{kind}") for each in (view(x), long))
    assert shown == expected or (kind == "g" and Decimal(shown) == Decimal(expected))
    assert format(view(x), f"*>60.{digits}f") == f"{view(x).decimal(digits):*>60}"


def test_a_number_formats_at_any_length(huge):
    leading = EXPONENT * log10(1.5)
    assert f"{huge:.4e}" == f"{10 ** (leading % 1):.4f}e+{int(leading)}"
    assert f"{view('1/3'):>6}|{view('1/3')}" == "   1/3|1/3"
    with pytest.raises(ValueError, match="Unknown format code 'd'"):
        format(view(1), "d")


@given(rationals(10**9, 10**6), st.integers(-4, 6))
def test_a_number_rounds_as_a_fraction(x, digits):
    assert round(view(x)) == round(x) and isinstance(round(view(x)), int)
    assert round(view(x), digits) == round(x, digits)


def test_notebooks_see_the_short_form():
    short = "1" * 33  # what is cut would be as long
    assert repr(view(short)) == short
    assert repr(view(short + "1")) == "1111111111…1111111111 (34 digits)"
    number = view(fmpq(-(10**60 + 7), 3))
    assert number._repr_html_() == (
        '<span title="≈ -3333333333…3333333335 (60 digits).666666666666667">'
        "-1000000000…0000000007 (61 digits)/3</span>"
    )
    assert number._repr_latex_() == (
        r"$-\frac{\underbrace{1000000000\ldots0000000007}_{61\text{ digits}}}{3}$"
    )
    assert view(-5)._repr_latex_() == "$-5$"


# Decimals


@given(st.one_of(rationals(), wide), st.integers(0, 12))
def test_decimal_text_is_rounded_half_even(x, digits):
    # round(Fraction, n) is exact and rounds ties to even.
    rounded = round(x, digits) if digits else Fraction(round(x))
    text = view(x).decimal(digits)
    assert Fraction(text) == rounded
    assert len(text.partition(".")[2]) == digits
    assert text.startswith("-") == (rounded < 0)


def test_huge_terms_become_floats_and_decimals(huge):
    # Three decimals of one number, each within half a unit of its last place.
    for digits in 0, 17, 400:
        distance = abs(view(huge.decimal(digits)).value - huge.value)
        assert distance * 2 * fmpz(10) ** digits <= 1
    top, bottom = huge.p, huge.q
    near_third = fmpq(top, 3 * top + 1)
    assert float(view(near_third)) == 1 / 3
    assert view(near_third).decimal(30) == "0." + "3" * 30
    # One part in 10**2000000 off a tie decides the rounding.
    assert view(fmpq(bottom, 2 * bottom + 1)).decimal(0) == "0"
    assert view(fmpq(3 * bottom + 1, 2 * bottom)).decimal(0) == "2"
    assert view(fmpq(5 * bottom + 1, 2 * bottom)).decimal(0) == "3"
    assert holds(to_arb(near_third, 200), near_third)


def test_floats_at_the_ends_of_the_range():
    least = fmpq(1, 2**1074)
    assert float(view(least)) == 5e-324
    assert float(view(least / 2)) == 0  # a tie, to even
    assert float(view(least / 2 + least / 10**9)) == 5e-324
    beyond = fmpq(2**1024 - 2**970)  # a tie again, to the power of two
    assert float(view(beyond - 1)) == float.fromhex("0x1.fffffffffffffp+1023")
    with pytest.raises(OverflowError):
        float(view(beyond))


def holds(ball: arb, q: fmpq) -> bool:
    """Whether the ball holds q, exactly; `q in ball` would round q first."""
    return abs(q - ball.mid().fmpq()) <= ball.rad().fmpq()


# Conversion


@pytest.mark.parametrize(
    "x",
    [
        *(7, Fraction(-6, 4), fmpz(12), fmpq(2, 6), gmpy2.mpz(-9), gmpy2.mpq(4, 6), view("-6/8")),
        *(sympy.Rational(5, 10), sympy.Integer(-4), sympy.S.Half, np.int8(-128)),
        *(np.uint64(2**64 - 1), Decimal("0.1"), Decimal("-2.50E+3")),
        *("3", " +4/6 ", "-4/6", "0.25", "-.5", "-0.05", "5.", "1e-3", "12.5E+1", "-0", "0/7"),
    ],
    ids=lambda x: f"{type(x).__name__} {x}",
)
def test_rational_is_exact(x):
    assert str(rational(x)) == str(Fraction(str(x)))


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (0.5, "got the float 0.5; write Fraction(1, 2) or '1/2'"),
        (-0.1, "got the float -0.1; write Fraction(-1, 10) or '-1/10'"),
        (2**0.5, "got the float 1.4142135623730951; write a Fraction, or text such as '1/2'"),
        (1e300, "got the float 1e+300; write a Fraction, or text such as '1/2'"),
        (nan, "got the float nan"),
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
        ([1], "got an object of type list"),
    ],
    ids=str,
)
def test_what_is_not_an_exact_number_is_refused(x, message):
    with pytest.raises(ValueError) as refusal:
        rational(x)
    assert str(refusal.value) == f"a number must be an exact rational, {message}"


@pytest.mark.parametrize(
    "x",
    [
        *("", "-", ".", "1/", "/2", "1/-2", "1 /2", "1/2/3", "1.5/2", "1_000", "0x10", "--1"),
        *("nan", "inf", "e5", ".e5", "1e9999999", "٣", "−3", "1\n2", "9" * 1_000_000 + "\n!"),
        *map(Decimal, ("NaN", "sNaN", "-Infinity", "1E+1000000")),
        "1/0",
    ],
    ids=lambda x: repr(x)[:12],
)
def test_text_and_decimals_that_are_no_number_are_refused(x):
    with pytest.raises(ValueError, match="written p, p/q or as a decimal|not be zero") as refusal:
        rational(x)
    assert len(str(refusal.value)) < 120
    assert "\n" not in str(refusal.value)


@given(wide | st.integers(-(10**40), 10**40).map(Fraction))
def test_numbers_convert_as_fractions_and_come_back(x):
    number = view(x)
    fraction = number.to_fraction()
    assert (fraction, hash(fraction), float(number)) == (x, hash(x), float(x))
    assert type(fraction.numerator) is type(fraction.denominator) is int
    assert str(number) == f"{number}" == str(number.value) == str(x)
    assert repr(number) == shorten(str(x))
    assert number.to_mpq() == gmpy2.mpq(x.numerator, x.denominator)
    assert number.to_sympy() == sympy.Rational(x.numerator, x.denominator)
    assert isinstance(number.to_sympy(), sympy.Integer) == (x.denominator == 1)
    for outward in fraction, number.to_mpq(), number.to_sympy(), str(number), number:
        assert rational(outward) == number.value


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_are_read_as_they_stand(x):
    assert view(x) == view(str(x)) == Fraction(x)


def test_huge_terms_pass_between_libraries(huge, huge_text):
    top, bottom = gmpy2.mpz(3) ** EXPONENT, gmpy2.mpz(2) ** EXPONENT
    fraction = huge.to_fraction()
    assert (fraction.numerator, fraction.denominator) == (top, bottom)
    assert huge.to_mpq() == gmpy2.mpq(fraction)
    assert huge.to_sympy().p == top
    assert rational(fraction) == rational(huge.to_mpq()) == huge
    text = f"{huge_text}/{bottom.digits()}"
    assert str(huge) == text
    assert rational(text) == huge


# Sums of long numbers, which are reduced late


@given(st.lists(rationals(40, 40) | rationals(10**40, 10**40), min_size=1, max_size=6), st.data())
def test_long_sums_are_those_of_fractions(terms, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "_LONG_BITS", 0)
        total, expected = view(0), Fraction(0)
        for term in terms:
            p, q = map(fmpz, term.as_integer_ratio())
            number = data.draw(st.sampled_from([BigRational.of_pair((p, q)), view(term), term]))
            total, expected = data.draw(
                st.sampled_from(
                    [
                        (total + number, expected + term),
                        (number - total, term - expected),
                        (total - number, expected - term),
                        (-total, -expected),
                        (total * 3 / 2, expected * 3 / 2),
                    ]
                )
            )
        same = pickle.loads(pickle.dumps(total))  # noqa: S301  # its own
        for each in (total, same):
            assert (int(each.p), int(each.q)) == expected.as_integer_ratio()
        assert total == same == expected
        assert hash(total) == hash(expected)
        assert total.value == fmpq(*expected.as_integer_ratio())
        assert float(total) == float(expected)


@given(st.integers(1, 2**15), st.integers(1, 2**15), st.integers(1, 10**40), st.integers(0, 10**40))
def test_small_ratios_are_those_of_fractions(a, b, common, off):
    a, b = Fraction(a, b).as_integer_ratio()
    assert small_ratio(fmpz(a * common), fmpz(b * common)) in {(a, b), (a * common, b * common)}
    found = small_ratio(fmpz(a * common + off), fmpz(b * common))
    assert found is None or found[0] * b * common == found[1] * (a * common + off)
