"""Decimal digits of fractions that share a denominator, many of them made from others.

Making the digits of a long integer takes as long as six products of that length. Decimals are added,
and multiplied or divided by a short number, in a tenth of that time. The probabilities of a first move
have denominators that differ by short factors, and add up to 1. So digits are made of the common
denominator and of all numerators but the last; the others follow in decimal arithmetic, exactly.
"""

from collections.abc import Iterator, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact
from functools import reduce

from flint import fmpz

from gops_exact.numbers.big import BigRational

EXACTLY = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])
"""Decimal arithmetic on integers of any length."""


class FractionTexts:
    """The texts ``p/q`` of fractions over a common denominator.

    Args:
        numbers: the fractions, zeros among them.

    >>> from gops_exact.numbers import view
    >>> texts = FractionTexts([view("1/4"), view("0"), view("1/12"), view("2/3")])
    >>> texts.terms
    [12, 1, 1]
    >>> list(texts.made(map(str, texts.terms)))
    ['1/4', '0', '1/12', '2/3']
    """

    def __init__(self, numbers: Sequence[BigRational]) -> None:
        self._numbers = numbers
        self._whole = reduce(fmpz.lcm, (number.q for number in numbers), fmpz(1))
        self._factors = {
            place: self._whole // number.q
            for place, number in enumerate(numbers)
            if not number.is_zero
        }
        parts = (numbers[place].p * factor for place, factor in self._factors.items())
        adds_up = sum(parts, fmpz(0)) == self._whole
        self._read = list(self._factors)[: -1 if adds_up else None]

    @property
    def terms(self) -> list[fmpz]:
        """The integers whose digits are to be made."""
        return [self._whole, *(self._numbers[place].p for place in self._read)]

    def made(self, digits: Iterator[str]) -> Iterator[str]:
        """Yield the text of each number; `digits` yields the digits of :attr:`terms`."""
        rest = whole = Decimal(next(digits))
        short = {factor: Decimal(str(factor)) for factor in set(self._factors.values())}
        denominators = {key: str(EXACTLY.divide_int(whole, times)) for key, times in short.items()}
        for place, number in enumerate(self._numbers):
            if number.is_zero:
                yield "0"
                continue
            factor = self._factors[place]
            if place in self._read:
                numerator = next(digits)
                rest = EXACTLY.subtract(rest, EXACTLY.multiply(short[factor], Decimal(numerator)))
            else:
                numerator = str(EXACTLY.divide_int(rest, short[factor]))
            yield numerator if number.q == 1 else f"{numerator}/{denominators[factor]}"
