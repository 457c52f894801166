"""Quotients of polynomials in one variable, and real roots of polynomials, in exact numbers.

A *ball* is an interval, given by its midpoint and its radius.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from operator import ne
from typing import Self, cast

from flint import acb, arb, ctx, fmpq, fmpq_poly, fmpz_poly

from gops_exact.numbers.exact import BigRational, rational, simplest
from gops_exact.numbers.kinds import ProvedDecimal

Coefficients = tuple[int, ...]
"""Integer coefficients of a polynomial: that of the power 0 first."""

ROOT_BITS = 128
"""Precision, in bits, of the ball around a root. To compare roots whose balls overlap, it is doubled."""

ROOT_DIGITS = 30
"""Greatest number of digits after the point, all proved, of a root."""

LONGEST = 60
"""Greatest number of characters of a quotient in a table."""

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Quotient:
    """Quotient of two polynomials with integer coefficients, in lowest terms. It can be called like a function.

    >>> quotient = Quotient.of(fmpq_poly([1, 3, 2]), fmpq_poly([2, 2]))
    >>> print(quotient, quotient(3))
    (2 t + 1)/2 7/2
    """

    #: the coefficients of the numerator, that of the power 0 first; empty if the quotient is 0
    numerator: Coefficients
    denominator: Coefficients  #: the coefficients of the denominator, of which the last is positive

    @classmethod
    def of(cls, numerator: fmpq_poly, denominator: fmpq_poly) -> Self:
        """Return the quotient of two polynomials with rational coefficients, in lowest terms.

        Args:
            numerator: the polynomial above.
            denominator: the polynomial below, which must not be 0.
        """
        scale = numerator.denom().lcm(denominator.denom())
        top, bottom = ((scale * part).numer() for part in (numerator, denominator))
        shared = top.gcd(bottom) * (1 if bottom.leading_coefficient() > 0 else -1)
        return cls(*(tuple(map(int, (part // shared).coeffs())) for part in (top, bottom)))

    def __call__(self, at: object) -> BigRational:
        """Return the value of the quotient at an exact number.

        Raises:
            ValueError: if `at` is no exact number.
            ZeroDivisionError: if the denominator is 0 at this number.
        """
        point = rational(at, "the variable")
        top, bottom = (fmpq_poly(list(part)) for part in (self.numerator, self.denominator))
        return BigRational(top(point) / bottom(point))

    def __str__(self) -> str:
        return self.text()

    def text(self, variable: str = "t") -> str:
        """Return the quotient as text, the highest powers first; `variable` is the name of the variable."""
        top, bottom = (_text(part, variable) for part in (self.numerator, self.denominator))
        parts = (f"({part})" if " " in part else part for part in (top, bottom))
        return top if bottom == "1" else "/".join(parts)

    def short(self, variable: str = "t") -> str:
        """Return the text of the quotient; if it is longer than :data:`LONGEST`, the degrees of its polynomials instead.

        Args:
            variable: the name of the variable.
        """
        text = self.text(variable)
        degrees = f"degrees {len(self.numerator) - 1}, {len(self.denominator) - 1}"
        return text if len(text) <= LONGEST else degrees


def _text(polynomial: Coefficients, variable: str) -> str:
    """Return a polynomial as text.

    >>> _text((-2, 0, -1, 3), "t")
    '3 t³ - t² - 2'
    """
    # FLINT writes 3*x^3 + (-1)*x^2 + (-2).
    text = re.sub(r"\((-\d+)\)", r"\1", str(fmpz_poly(list(polynomial)))).replace("+ -", "- ")
    text = re.sub(r"\^\d+", lambda power: power[0][1:].translate(_SUPERSCRIPTS), text)
    return re.sub(r"\b1\*", "", text).replace("*", " ").replace("x", variable)


@dataclass(frozen=True)
class Root:
    """Real root of an irreducible polynomial with integer coefficients and a positive leading coefficient.

    A rational number is the root of a polynomial of degree 1.

    >>> minus, plus = Root.all(fmpz_poly([-2, 0, 1]))
    >>> plus.number, minus < Root.at(0) < plus, Root.at("3/2").number
    (1.414213562373095048801688724210, True, 3/2)
    """

    polynomial: Coefficients  #: the coefficients, that of the power 0 first
    index: int  #: the number of smaller real roots of the polynomial
    #: the root: exact if it is rational, else a decimal with proved digits
    number: BigRational | ProvedDecimal = field(compare=False)

    @classmethod
    def at(cls, number: object) -> Self:
        """Return a rational number as the root of a polynomial of degree 1.

        Raises:
            ValueError: if `number` is no exact rational.
        """
        exact = rational(number)
        return cls((int(-exact.p), int(exact.q)), 0, BigRational(exact))

    @classmethod
    def all(cls, polynomial: fmpz_poly) -> list[Self]:
        """Return all real roots of a polynomial, in ascending order.

        Args:
            polynomial: an irreducible polynomial with a positive leading coefficient.
        """
        if polynomial.degree() == 1:
            return [cls.at(fmpq(-polynomial[0], polynomial[1]))]
        entries = tuple(map(int, polynomial.coeffs()))
        balls = enumerate(_balls(entries, ROOT_BITS))
        return [cls(entries, index, ProvedDecimal(ball, ROOT_DIGITS)) for index, ball in balls]

    def __lt__(self, other: Self) -> bool:
        return self != other and _apart(self, other)[0] < _apart(self, other)[1]


@lru_cache(maxsize=1024)
def _balls(polynomial: Coefficients, bits: int) -> list[arb]:
    """Return disjoint balls (intervals) around the real roots of an irreducible polynomial, in ascending order."""
    with ctx.workprec(bits):
        # FLINT isolates all complex roots and proves which are real. These come first, in ascending order.
        roots = cast("list[tuple[acb, int]]", fmpz_poly(list(polynomial)).complex_roots())
        return [root.real for root, _ in roots if root.imag.is_zero()]


def _apart(one: Root, two: Root) -> tuple[fmpq, fmpq]:
    """Return two rational numbers between two different roots: the first is nearer to the root `one`."""
    bits = ROOT_BITS
    while True:
        near, far = (_balls(root.polynomial, bits)[root.index] for root in (one, two))
        if near < far:
            return near.upper().fmpq(), far.lower().fmpq()
        if far < near:
            return near.lower().fmpq(), far.upper().fmpq()
        bits *= 2


def between(low: Root, high: Root) -> Iterator[fmpq]:
    """Yield different rational numbers between two roots, without end.

    Args:
        low: the smaller root.
        high: the greater root.

    >>> points = between(Root.at(0), Root.at(1))
    >>> next(points), next(points), next(points)
    (1/2, 1/3, 1/4)
    """
    start, end = _apart(low, high)
    for part in count(2):
        # The intervals of the parts are disjoint, so no number is repeated.
        step = (end - start) / part
        yield simplest(start + step, step / (2 * part + 2))


def may_vanish(polynomial: fmpq_poly, low: fmpq, high: fmpq) -> bool:
    """Return False if Descartes' rule of signs proves that a polynomial has no root between two numbers, else True.

    The rule is applied to (1 + u)^d p((low + high u)/(1 + u)) for u > 0, where d is the degree of p (Collins & Akritas
    1976).

    Args:
        polynomial: p, which is not the polynomial 0.
        low: the lower number, at which p may be 0.
        high: the upper number, at which p may be 0.

    >>> polynomial = fmpq_poly([-2, 0, 1])
    >>> may_vanish(polynomial, fmpq(0), fmpq(1)), may_vanish(polynomial, fmpq(1), fmpq(2))
    (False, True)
    """
    moved = polynomial(fmpq_poly([low, high - low])).numer()
    mapped = fmpz_poly([moved[power] for power in range(polynomial.degree(), -1, -1)])
    signs = [entry > 0 for entry in mapped(fmpz_poly([1, 1])).coeffs() if entry]
    return any(map(ne, signs, signs[1:]))
