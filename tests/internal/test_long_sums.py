"""Sums of long fractions, which are reduced late, and ratios of long integers that are found without a gcd."""

import pickle
from fractions import Fraction

import pytest
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st
from strategies import rationals

from gops_exact.numbers import BigRational, exact, view
from gops_exact.numbers.raw import small_ratio, to_arb


@given(st.lists(rationals(40, 40) | rationals(10**40, 10**40), min_size=1, max_size=6), st.data())
def test_long_sums_are_those_of_fractions(terms, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "_LONG_BITS", 0)
        total, expected = view(0), Fraction(0)
        for term in terms:
            forms = BigRational.of_pair(tuple(map(fmpz, term.as_integer_ratio()))), view(term), term
            number = data.draw(st.sampled_from(forms))
            steps = (
                (total + number, expected + term),
                (number - total, term - expected),
                (total - number, expected - term),
                (-total, -expected),
                (total * 3 / 2, expected * 3 / 2),
            )
            total, expected = data.draw(st.sampled_from(steps))
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


def test_a_ball_holds_a_fraction_of_long_terms():
    top = fmpz(3) ** 100_000
    q = fmpq(top, 3 * top + 1)
    ball = to_arb(q, 200)  # `q in ball` would round q first
    assert abs(q - ball.mid().fmpq()) <= ball.rad().fmpq()
