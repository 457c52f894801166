"""Views on huge numbers: against plain text for small ones, against gmpy2 for large ones."""

import hashlib
from collections import Counter
from decimal import Context, Decimal
from fractions import Fraction
from math import log10, prod

import gmpy2
import pytest
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st
from strategies import rationals

from gops_exact.numbers import BigInteger, BigRational, view
from gops_exact.numbers.digits import shorten

# 3**k / 2**k: two million digits above, 1.3 million below, and a gcd that costs nothing.
EXPONENT = 4_191_807


@pytest.fixture(scope="module")
def huge() -> BigRational:
    return view(fmpq(fmpz(3) ** EXPONENT, fmpz(2) ** EXPONENT))


@pytest.fixture(scope="module")
def huge_text() -> str:
    """The digits of 3**k by another library."""
    return (gmpy2.mpz(3) ** EXPONENT).digits()


def terms_by_euclid(x: Fraction, terms: int) -> tuple[int, ...]:
    """The slow twin of continued_fraction: Euclid's algorithm on the whole terms."""
    top, bottom = gmpy2.mpz(x.numerator), gmpy2.mpz(x.denominator)
    found = []
    while bottom and len(found) < terms:
        quotient, rest = divmod(top, bottom)
        found.append(int(quotient))
        top, bottom = bottom, rest
    return tuple(found)


def value_of(terms: tuple[int, ...]) -> Fraction:
    value = Fraction(terms[-1])
    for term in reversed(terms[:-1]):
        value = term + 1 / value
    return value


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


@given(long_integers, st.integers(1, 50))
def test_digits_head_and_tail_are_those_of_the_text(x, count):
    text = gmpy2.mpz(abs(x)).digits()
    number = BigInteger(fmpz(x))
    assert number.digits == len(text)
    assert number.bits == x.bit_length()
    assert number.head(count) == text[:count]
    assert number.tail(count) == text[-count:]
    sign = "-" if x < 0 else ""
    assert repr(number) == shorten(sign + text)
    assert number.sha256() == hashlib.sha256((sign + text).encode()).hexdigest()
    assert repr(number) == shorten(sign + text)  # now that the text is at hand


@given(long_integers, st.data())
def test_runs_are_slices_of_the_text(x, data):
    text = gmpy2.mpz(abs(x)).digits()
    start = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(1, len(text) - start))
    assert BigInteger(fmpz(x)).run(start, length) == text[start : start + length]


def test_head_and_tail_longer_than_the_number_are_the_number():
    for x in 7, 3**8000:
        text = gmpy2.mpz(x).digits()
        assert BigInteger(fmpz(x)).head(10**6) == BigInteger(fmpz(x)).tail(10**6) == text


@pytest.mark.parametrize(
    ("method", "arguments", "message"),
    [
        ("head", (0,), "count must be at least 1, got 0"),
        ("tail", (-1,), "count must be at least 1, got -1"),
        ("run", (-1, 2), "start must be at least 0, got -1"),
        ("run", (0, 0), "length must be at least 1, got 0"),
        ("run", (2, 2), "the run must end within the 3 digits, got start 2 and length 2"),
        ("small_factors", (1,), "limit must be at least 2, got 1"),
    ],
)
def test_bad_arguments_are_refused(method, arguments, message):
    with pytest.raises(ValueError) as refusal:
        getattr(BigInteger(fmpz(123)), method)(*arguments)
    assert str(refusal.value) == message


@given(long_integers)
def test_statistics_count_every_digit(x):
    text = gmpy2.mpz(abs(x)).digits()
    counts = BigInteger(fmpz(x)).digit_counts()
    assert counts == tuple(Counter(text)[digit] for digit in "0123456789")
    expected = Fraction(len(text), 10)
    chi_square = sum((count - expected) ** 2 / expected for count in counts)
    assert sum(counts) == len(text)
    assert BigInteger(fmpz(x)).chi_square() == chi_square


def test_equal_frequencies_have_no_chi_square():
    assert BigInteger(fmpz(9876543210)).chi_square() == 0


@given(st.integers(1, 10**12), st.integers(2, 300))
def test_small_factors_are_all_of_them(x, limit):
    factors = BigInteger(fmpz(-x)).small_factors(limit)
    assert all(gmpy2.is_prime(prime) and prime <= limit for prime in factors)
    rest, remainder = divmod(x, prod(prime**exponent for prime, exponent in factors.items()))
    assert remainder == 0
    assert all(rest % candidate for candidate in range(2, limit + 1))
    assert list(factors) == sorted(factors)


def test_zero_has_no_factorisation():
    with pytest.raises(ValueError, match=r"^a number to factor must not be 0, got 0$"):
        BigInteger(fmpz(0)).small_factors()


@given(rationals(10**40, 10**40), st.integers(1, 60))
def test_continued_fraction_is_euclid(x, terms):
    assert view(fmpq(x.numerator, x.denominator)).continued_fraction(terms) == terms_by_euclid(
        x, terms
    )


@given(
    st.integers(-5, 5),
    st.lists(st.sampled_from([1, 2, 3, 10**50, 10**100 + 1]), max_size=120),
    st.integers(1, 130),
)
def test_continued_fraction_finds_the_terms_it_was_made_of(first, later, terms):
    # Huge terms and long runs of ones strain the precision; the last term must exceed one.
    made_of = (first, *later, 2)
    x = value_of(made_of)
    assert view(fmpq(x.numerator, x.denominator)).continued_fraction(terms) == made_of[:terms]


def test_continued_fraction_needs_a_term():
    with pytest.raises(ValueError, match=r"^terms must be at least 1, got 0$"):
        view(fmpq(1, 2)).continued_fraction(0)


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
    assert view(10) < float("inf") and view(-10) > float("-inf")
    assert view(1) == 1.0
    for other in (float("nan"), "1", None):
        with pytest.raises(TypeError, match="not supported between instances of 'BigRational'"):
            view(1) < other  # noqa: B015  # it raises


@given(rationals(10**30, 10**20), st.integers(0, 30), st.sampled_from("feEg%"))
def test_a_view_formats_as_a_decimal_of_enough_digits(x, digits, kind):
    long = Context(prec=200).divide(Decimal(x.numerator), Decimal(x.denominator))
    shown, expected = (format(each, f"z.{digits}{kind}") for each in (view(x), long))
    assert shown == expected or (kind == "g" and Decimal(shown) == Decimal(expected))
    assert format(view(x), f"*>60.{digits}f") == f"{view(x).decimal(digits):*>60}"


def test_a_view_formats_at_any_length(huge):
    leading = EXPONENT * log10(1.5)
    assert f"{huge:.4e}" == f"{10 ** (leading % 1):.4f}e+{int(leading)}"
    assert f"{view('1/3'):>6}|{view('1/3')}" == "   1/3|1/3"
    with pytest.raises(ValueError, match="Unknown format code 'd'"):
        format(view(1), "d")


@given(rationals(10**9, 10**6), st.integers(-4, 6))
def test_a_view_rounds_as_a_fraction(x, digits):
    assert round(view(x)) == round(x) and isinstance(round(view(x)), int)
    assert round(view(x), digits) == round(x, digits)


@given(rationals(10**80, 10**80))
def test_a_view_reads_like_the_shortened_text(x):
    number = view(x)
    assert str(number) == f"{number}" == str(x)
    assert repr(number) == shorten(str(x))
    assert (number.to_fraction(), float(number)) == (x, float(x))
    assert (number.to_mpq().numerator, number.to_sympy().q) == (x.numerator, x.denominator)


def test_views_are_values():
    assert view("2/4") == view(Fraction(1, 2)) != view(2)
    assert len({view("2/4"), view("1/2"), view("0.5")}) == 1
    with pytest.raises(AttributeError):
        view(1).value = fmpq(2)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("1" * 33, "1" * 33),  # the short form would be as long
        ("1" * 34, "1111111111…1111111111 (34 digits)"),
        ("-" + "12" * 20 + "/7", "-1212121212…1212121212 (40 digits)/7"),
        ("no number", "no number"),
    ],
)
def test_shorten_cuts_where_that_is_shorter(text, short):
    assert shorten(text) == short


def test_notebooks_see_the_short_form():
    number = view(fmpq(-(10**60 + 7), 3))
    assert number._repr_html_() == (
        '<span title="≈ -3333333333…3333333335 (60 digits).666666666666667">'
        "-1000000000…0000000007 (61 digits)/3</span>"
    )
    assert number._repr_latex_() == (
        r"$-\frac{\underbrace{1000000000\ldots0000000007}_{61\text{ digits}}}{3}$"
    )
    assert view(-5)._repr_latex_() == "$-5$"


def test_the_short_form_needs_no_text(huge, huge_text):
    number = BigInteger(huge.numerator.value)
    assert repr(number) == f"{huge_text[:10]}…{huge_text[-10:]} ({len(huge_text)} digits)"
    assert number.head(1000) == huge_text[:1000]
    assert "_text" not in vars(number)


def test_two_million_digits_of_text(huge, huge_text):
    number = huge.numerator
    assert number.digits == len(huge_text) == 2_000_001
    assert number.run(1_234_567, 1000) == huge_text[1_234_567:1_235_567]
    assert number.sha256() == hashlib.sha256(huge_text.encode()).hexdigest()
    assert number.digit_counts() == tuple(huge_text.count(d) for d in "0123456789")
    assert number.small_factors() == {3: EXPONENT}
    assert huge.denominator.small_factors() == {2: EXPONENT}


@pytest.mark.parametrize("offset", [-1, 0, 1])
def test_the_neighbours_of_a_huge_power_of_ten(offset):
    number = BigInteger(fmpz(10) ** 100_000 + offset)
    text = "9" * 100_000 if offset < 0 else f"1{offset:0100000d}"
    assert number.digits == len(text)
    assert number.head(30) == text[:30]
    assert number.tail(30) == text[-30:]


def test_two_million_digits_of_rational(huge):
    small = fmpq(1, fmpz(10) ** 60)
    # Three decimals of one number, each within half a unit of its last place.
    for digits in 0, 17, 400:
        distance = abs(view(huge.decimal(digits)).value - huge.value)
        assert distance * 2 * fmpz(10) ** digits <= 1
    assert huge.value - small < huge < huge.value + small
    assert huge == view(huge.value)


def test_continued_fraction_of_huge_terms():
    near_one = Fraction(3**100_000, 2**158_496)
    q = fmpq(fmpz(3) ** 100_000, fmpz(2) ** 158_496)
    assert view(q).continued_fraction(300) == terms_by_euclid(near_one, 300)


def test_a_huge_term_in_a_continued_fraction():
    term = fmpz(7) ** 30_000
    q = 1 + 1 / (2 + 1 / (fmpq(term) + fmpq(1, 3)))
    assert view(q).continued_fraction(10) == (1, 2, int(term), 3)
    assert view(q).continued_fraction(3) == (1, 2, int(term))
