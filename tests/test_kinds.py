"""Numbers of answers in every arithmetic: equal, kept, compared, formatted and shown as their users expect."""

import copy
import operator
import pickle
from decimal import Decimal
from fractions import Fraction
from functools import partial

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

import gops_exact as gx
from gops_exact.numbers import rational, view
from gops_exact.numbers.exact import PrecisionError
from gops_exact.numbers.kinds import BoundedFloat, ProvedDecimal, ResidueClass
from gops_exact.solutions.strategy import ByCard

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
    for same in (number, copy.deepcopy(number), number + 0, view("1/3") + 0 * number):
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
            if isinstance(result, ResidueClass) or kind is view:
                assert result == right
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
    assert three == 3 == three + 7 and three != 4 and three != ResidueClass(3, 11)
    assert three / 5 == fmpq(3, 5) and -three == 4 and hash(three) == hash(ResidueClass(3, 7))
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
