"""Decimal digits of integers of any length, and of bounds, which are rounded so that they remain bounds.

Converting an integer of 2 million digits to decimal text takes a third of a second. So the text is made only by
methods that need all digits, and only once. The last digits of a long integer are a remainder, and the first ones are
computed with a *ball*, an interval given by its midpoint and its radius. If the ball is too wide to decide the first
digits, they are taken from the text after all.

The *radius* of a number in a result is an upper bound on its distance from the true number, which is the real number
that it stands for.
"""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_UP, Context, Decimal
from functools import cached_property
from math import inf
from sys import float_info

from flint import arb, ctx, fmpq, fmpz

from gops_exact.base.arguments import integer

# The number of digits that a shortened number shows at each end.
_ENDS = 10
# The length of an integer, in bits, from which its decimal text takes longer than its first digits in a ball.
_SHORT_BITS = 10_000
# The largest argument `limit` of small_factors.
_MOST_LIMIT = 10**6
# The number of bits by which the precision of a ball exceeds the bits that the requested digits need. With so many
# spare bits, the ball is nearly always narrow enough to decide every digit.
_SPARE_BITS = 128

RADIUS_DIGITS = 2
"""The number of significant digits of a radius that is shown to people."""

FLOAT_DIGITS = float_info.dig
"""The number of significant digits of a radius that is written for programs: 15, the most that every conversion to a
float and back preserves."""

WORKING_DIGITS = 40
"""The number of significant digits to which radii are first rounded up. This enlarges a radius far less than the last
rounding, to the few digits that are written."""

# The smallest normal float. Radii below it are raised to it, because smaller floats have fewer significant digits.
_LEAST = Decimal(float_info.min)


def shorten(text: str) -> str:
    """Shorten long integers in a text to their first and last ten digits, with the number of all digits beside them.

    >>> shorten("x = -" + "7" * 50 + "/123")
    'x = -7777777777…7777777777 (50 digits)/123'
    """

    def cut(run: re.Match[str]) -> str:
        digits = run[0]
        return min(digits, f"{digits[:_ENDS]}…{digits[-_ENDS:]} ({len(digits)} digits)", key=len)

    return re.sub("[0-9]+", cut, text)


class BigInteger(int):
    """An int whose ``repr`` fits on one line. The sign is not counted as a digit.

    >>> number = BigInteger(fmpz(3) ** 100_000)
    >>> number, number.head(3)
    (1334971414…5522000001 (47713 digits), '133')
    """

    @cached_property
    def value(self) -> fmpz:
        """The integer as an fmpz."""
        return fmpz(self)

    def __str__(self) -> str:
        return ("-" if self < 0 else "") + self._text

    def __repr__(self) -> str:
        if self._is_short:
            return shorten(str(self))
        return f"{'-' if self < 0 else ''}{self.head()}…{self.tail()} ({self.digits} digits)"

    @cached_property
    def digits(self) -> int:
        """The number of decimal digits; 0 has one."""
        if not self._is_short:
            with ctx.workprec(_SPARE_BITS):
                exponent = arb(abs(self.value)).log_base(10).floor().unique_fmpz()
            # The exponent is None only if the number is so close to a power of 10 that the ball does not decide it.
            if exponent is not None:
                return int(exponent) + 1
        return len(self._text)

    def head(self, count: int = _ENDS) -> str:
        """Return the first `count` decimal digits as text, without a sign; all digits if there are fewer."""
        count = integer(count, "count", 1)
        if not self._is_short and count < self.digits:
            with ctx.workprec(4 * count + _SPARE_BITS):
                scaled = arb(abs(self.value)) / arb(10) ** (self.digits - count)
                leading = scaled.floor().unique_fmpz()
            if leading is not None:
                return str(leading)
        return self._text[:count]

    def tail(self, count: int = _ENDS) -> str:
        """Return the last `count` decimal digits as text, without a sign; all digits if there are fewer."""
        count = integer(count, "count", 1)
        if self._is_short or count >= self.digits:
            return self._text[-count:]
        return str(abs(self.value) % fmpz(10) ** count).rjust(count, "0")

    def small_factors(self, limit: int = 1000) -> dict[int, int]:
        """Return the small primes that divide the number, with their exponents.

        Args:
            limit: the largest prime to look for, at most 10^6.

        Returns:
            {prime: its exponent}, ascending by prime.

        Raises:
            ValueError: if the number is 0, or if `limit` is not from 2 to 10^6.

        >>> BigInteger(fmpz(2**40 * 3**5 * 1009)).small_factors()
        {2: 40, 3: 5}
        """
        import gmpy2

        limit = integer(limit, "limit", 2, _MOST_LIMIT)
        if self == 0:
            raise ValueError("a number to factor must not be 0, got 0")
        # Take the gcd of the number and the product of all primes up to `limit`. This is the product of all prime
        # factors of the number up to `limit`, without their exponents.
        product = self.value.gcd(fmpz.primorial_ui(fmpz(limit)))
        long = gmpy2.mpz(self)
        primes = sorted(int(prime) for prime, _ in product.factor())
        return {prime: gmpy2.remove(long, prime)[1] for prime in primes}

    @cached_property
    def _text(self) -> str:
        return str(abs(self.value))

    @property
    def _is_short(self) -> bool:
        return self.bit_length() < _SHORT_BITS


def in_digits(bound: fmpq, digits: int, rounding: str = ROUND_CEILING) -> Decimal:
    """Round an upper bound up, or a lower bound down, to a decimal.

    Args:
        bound: the bound.
        digits: the number of significant digits of the result.
        rounding: ``ROUND_CEILING`` of the module decimal for an upper bound, ``ROUND_FLOOR`` for a lower bound.

    >>> str(in_digits(fmpq(2, 3), 2)), str(in_digits(fmpq(1, 4), 2))
    ('0.67', '0.25')
    """
    context = Context(digits, rounding, MIN_EMIN, MAX_EMAX)  # for decimals of any size
    return context.divide(Decimal(int(bound.p)), Decimal(int(bound.q)))


def upwards(bound: float | Decimal, digits: int = RADIUS_DIGITS) -> str:
    """Return an upper bound as text, rounded up; the float nearest to the text is an upper bound, too.

    Args:
        bound: the bound, at least 0. A positive bound below the smallest normal float is raised to this float.
        digits: the number of significant digits of the result, at most 15.

    >>> upwards(1.3243e-13), upwards(0.25), upwards(0.0)
    ('1.4e-13', '0.25', '0')
    """
    if bound == 0:
        return "0"
    exact = max(Decimal(bound), _LEAST)
    rounding = Context(digits, ROUND_UP, MIN_EMIN, MAX_EMAX)
    rounded = rounding.plus(exact)
    # The float nearest to the decimal may be less than the bound. If so, take the next larger decimal.
    size = float(rounded)
    if Decimal(size) < exact:
        rounded = rounding.next_plus(rounded)
        size = float(rounded)
    # No float represents a bound that is larger than all floats, so its Decimal is written.
    return f"{size:.{digits}g}" if size < inf else str(rounded)
