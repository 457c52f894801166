"""Numbers of answers in every arithmetic: equal, kept, computed, compared, formatted and shown as their users expect."""

import copy
import math
import operator
import pickle
from decimal import Decimal
from fractions import Fraction
from functools import partial

import gmpy2
import numpy as np
import pytest
import sympy
from flint import arb, ctx, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st
from project_paths import DOCS, table

import gops_exact as gx

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
FOUR = [operator.add, operator.sub, operator.mul, operator.truediv]
THIRD = gx.ProvedDecimal(arb(fmpq(1, 3)), 12)
HALF = gx.BoundedFloat(0.5, 0.25)
LIMIT = "^digits.* must be at most 9{9}, got "


def rational(number):
    return gx.view(number).value


@pytest.mark.usefixtures("own_store")
@pytest.mark.parametrize("kind", ["exact", "ball", "float"])
@pytest.mark.parametrize("ask", ANSWERS.values(), ids=ANSWERS)
def test_results_are_equal_after_copying_pickling_or_computing_them_again(ask, kind):
    first, again = ask(kind), ask(kind)
    with ctx.workprec(20):  # a ball is kept to the bit
        copies = [pickle.loads(pickle.dumps(first)), copy.deepcopy(first)]  # noqa: S301
    if hasattr(first, "key"):  # a number, which bounds may not tell from itself
        assert {each.key for each in (again, *copies)} == {first.key}
        if isinstance(first, gx.ProvedDecimal):
            assert {each.bounds() for each in copies} == {first.bounds()}
    else:
        assert first == again and not first != again  # noqa: SIM202  # lists have an operator of their own
        assert copies == [first, first]


def ball(quarter, off):
    return gx.ProvedDecimal(arb(quarter / 4, (off, -2)), 0)


def bounded_float(quarter, off):
    return gx.BoundedFloat(quarter / 4, off / 4)


@st.composite
def measured(draw, kinds=(ball, bounded_float, Fraction, Decimal, fmpq, gx.view, float)):
    """A number, and the quarters that it can be."""
    kind = draw(st.sampled_from(kinds))
    if kind in (ball, bounded_float):
        quarter, off = draw(st.integers(-8, 8)), draw(st.sampled_from([0, 1, 2, 4, 8]))
        return kind(quarter, off), range(quarter - off, quarter + off + 1)
    whole = draw(st.integers(-2, 2))
    return kind(whole), [4 * whole]


@given(measured([ball, bounded_float]), measured())
def test_numbers_with_bounds_compare_only_where_bounds_leave_one_answer(one, two):
    """A truth value is a comparison with 0."""
    for (left, lefts), (right, rights) in ((one, two), (two, one)):
        for relation in (*ORDERS, operator.eq, operator.ne):
            answers = {relation(a, b) for a in lefts for b in rights}
            if len(answers) == 1:
                assert relation(left, right) in answers
            else:
                with pytest.raises(ValueError, match="further apart than they may be off, got .*±"):
                    relation(left, right)
    number, quarters = one
    truths = {quarter != 0 for quarter in quarters}
    if len(truths) == 1:
        assert bool(number) in truths
    else:
        with pytest.raises(ValueError, match="further apart than they may be off, got .* and 0$"):
            bool(number)
    assert len(quarters) > 1 or hash(number) == hash(Fraction(quarters[0], 4))


def test_numbers_with_bounds_equal_themselves():
    for number in (THIRD, HALF, gx.BoundedFloat(0.0, 1.0)):
        assert number == number and not number != number  # noqa: PLR0124, SIM202  # itself
        assert {number: 1}[number] == 1
    assert HALF <= HALF and not HALF < HALF  # noqa: PLR0124  # itself


def test_widened_ball_shows_only_proved_digits():
    third = gx.first_move(3, gx.Ball(5), store=":memory:")[2][2]
    wide = third * 10**14 * 24 * 10**4
    balls = gx.view(arb(1.5, 0.01)), gx.ProvedDecimal(arb(0, 1), 30)
    for number in (wide, third, wide * 10**30, *balls):
        ends = {gx.view(end).decimal(number.digits) for end in number.bounds()}
        assert ends == {str(number)} or (number.digits == 0 and "+/-" in repr(number))


def test_sympy_never_drops_the_bounds_of_a_number():
    around = gx.BoundedFloat(0.0, 1e-13)
    with pytest.raises(ZeroDivisionError, match=r"^a divisor must not be 0, got 0\.0 ± 1\.1e-13$"):
        sympy.Rational(20) / around
    assert (sympy.Rational(1, 2) + HALF).radius >= 0.25 <= (HALF + sympy.Rational(1, 2)).radius
    for number in (THIRD, HALF):
        assert sympy.sympify(number) is number and sympy.Symbol("x") != number
        with pytest.raises(TypeError, match="unsupported operand"):
            sympy.Symbol("x") + number
    assert sympy.sympify(gx.view("1/3")) == sympy.Rational(1, 3)


def test_floats_and_arb_balls_become_numbers_with_bounds_and_such_numbers_stay_the_same():
    assert gx.view(0.5).key == (0.5, 0.0) and gx.view(arb(3)) == 3 and gx.view(THIRD) is THIRD
    assert str(gx.ProvedDecimal(arb(-12), 3)) == "-12"  # known to be an integer
    assert gx.ProvedDecimal(arb(fmpz(10) ** 400), 0).fields()["float"] is None
    with ctx.workprec(100):
        assert gx.view(arb(fmpq(1, 3))).decimal(25) == "0." + 25 * "3"


def test_all_proved_digits_of_an_interval_are_found_without_rounding_it_at_every_length(
    monkeypatch,
):
    tried, decimal = [], gx.ProvedDecimal.decimal
    monkeypatch.setattr(
        gx.ProvedDecimal,
        "decimal",
        lambda number, digits: tried.append(digits) or decimal(number, digits),
    )
    with ctx.workprec(30_000):
        assert gx.view(arb(fmpq(1, 3))).text() == "0." + 9030 * "3"
    assert len(tried) < 5


# Integers, digits and texts


@given(st.fractions(-9, 9), st.integers(0, 30), st.sampled_from("efgEFG%"))
def test_numbers_in_ball_arithmetic_are_formatted_and_rounded_as_exact_ones_or_raise(
    number, digits, kind
):
    with ctx.workprec(90):
        proved, exact = gx.ProvedDecimal(arb(rational(number)), 0), gx.view(number)
    spec = f"+.{digits}{kind}"
    try:
        assert format(proved, spec) == format(exact, spec)
    except gx.PrecisionError:  # it lies on the edge, or too few bits tell its last digits
        assert digits > 20 or (2 * 10 ** (digits + 3) * exact.value).q == 1
    try:
        assert round(proved, digits) == round(exact, digits)
        assert round(proved) == round(exact)
    except gx.PrecisionError:
        assert digits > 20 or (2 * 10**digits * exact.value).q == 1


@given(measured([ball, bounded_float]))
def test_numbers_with_bounds_round_only_where_bounds_leave_one_integer(measure):
    number, quarters = measure
    for whole in (math.floor, int, math.trunc, round, math.ceil):
        answers = {whole(Fraction(quarter, 4)) for quarter in quarters}
        if len(answers) == 1:
            assert whole(number) in answers
        else:
            with pytest.raises(gx.PrecisionError, match="^(bounds leave the int|the digits are)"):
                whole(number)


@pytest.mark.parametrize(
    ("question", "error", "message"),
    [
        (lambda: HALF < 0.6, ValueError, r"got 0\.5 ± 0\.25 and 0\.6$"),
        (lambda: THIRD < HALF, ValueError, r"got 0\.333\d* ± .*e-17 and 0\.5 ± 0\.25$"),
        (lambda: THIRD < "0.5", TypeError, "'<' not supported"),
        (lambda: round(THIRD, 20), gx.PrecisionError, "the digits are not proved, ask for more"),
        (lambda: 3 * THIRD // 1, gx.PrecisionError, "^bounds leave the integer open, ask for more"),
        (lambda: gx.view(1e308) * 10, OverflowError, "must be finite, got inf ± inf"),
        (lambda: gx.BoundedFloat(math.nan, 0), OverflowError, "must be finite, got nan ± 0$"),
        (lambda: gx.BoundedFloat(0.5, -1), ValueError, "^a radius must be at least 0, got -1$"),
        (lambda: HALF + math.nan, OverflowError, "^an operand must be finite, got nan$"),
        (lambda: math.inf - HALF, OverflowError, "^an operand must be finite, got inf$"),
        (lambda: HALF // -math.inf, OverflowError, "^an operand must be finite, got -inf$"),
        (lambda: gx.view(2) ** gx.view("1/2"), ValueError, "must be an integer, got 1/2$"),
        (lambda: gx.view(2) ** 10**11, ValueError, LIMIT),
        (lambda: gx.view("1/2") ** -(10**11), ValueError, LIMIT),
        (lambda: 3 ** gx.view(10**11), ValueError, LIMIT),
        (lambda: round(gx.view("1/3"), 10**11), ValueError, LIMIT),
        (lambda: round(gx.view("1/3"), -(10**11)), ValueError, "^digits must be at least -9{9}, "),
        (lambda: round(THIRD, 10**11), ValueError, LIMIT),
        (lambda: gx.view(arb(2) ** 10**12), ValueError, LIMIT),
        (lambda: gx.view(arb(3) ** -(10**12)), ValueError, LIMIT),
        *(
            (lambda kind=kind: f"{gx.view('1/3'):.99999999999{kind}}", ValueError, LIMIT)
            for kind in "efg%"
        ),
    ],
)
def test_numbers_refuse_undecided_comparisons_huge_results_and_operations_they_lack(
    question, error, message
):
    with pytest.raises(error, match=message):
        question()


# What each pair of kinds does

KINDS = {
    "BigRational": gx.view,
    "ProvedDecimal": lambda x: gx.ProvedDecimal(arb(rational(x)), 10),
    "BoundedFloat": lambda x: gx.BoundedFloat(0.0, 0.0) + rational(x),
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
}


def check_result(result, kind, expected):
    assert type(result).__name__ == kind
    least, most = result.bounds()
    assert least <= rational(expected) <= most
    assert most - least <= (kind != "BigRational") * fmpq(1, 10**9)


def pairs():
    for row in table(DOCS / "reference/kinds.csv"):
        for other in row["other"].split(", "):
            yield pytest.param(row, other, id=f"{row['number']} and {other}")


def outcome(operation, *pair):
    """Return the result, or the name of the error."""
    try:
        return operation(*pair)
    except (TypeError, ValueError) as error:
        return type(error).__name__


@pytest.mark.parametrize(("row", "other"), list(pairs()))
def test_operations_between_kinds_of_numbers_follow_the_reference_table(row, other):
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
            expected = order(one, two) if row["<"] == "value" else row["<"]
            assert outcome(order, left, right) == expected
    if equal and row["hash"] == "same":
        assert hash(left) == hash(right) and len({left, right}) == 1
    left_one_s = row["+"] == "the left one's"
    for operation in FOUR:
        result = outcome(operation, left, right)
        if row["+"] == "TypeError":
            assert result == "TypeError"
        elif row["+"] == "sympy's" or (left_one_s and isinstance(left, sympy.Basic)):
            assert isinstance(result, sympy.Number)
        elif left_one_s:
            assert type(result) is type(left)
        else:
            check_result(result, row["+"], operation(one, two))
