"""The four operations of every kind of number, made from one method that computes with raw numbers."""

import operator
from collections.abc import Callable
from typing import Any, Protocol, Self

Operation = Callable[[Any, Any], Any]


class Arithmetic(Protocol):
    """A number that adds, subtracts, multiplies and divides.

    Numbers mix with exact ones of any type; where two types do not mix Python raises a TypeError.
    """

    def _computed(self, operation: Operation, left: object, right: object) -> Self:
        """Return the result of an operation as a number of this kind, or NotImplemented."""
        raise NotImplementedError

    def __add__(self, other: object) -> Self:
        return self._computed(operator.add, self, other)

    def __radd__(self, other: object) -> Self:
        return self._computed(operator.add, other, self)

    def __sub__(self, other: object) -> Self:
        return self._computed(operator.sub, self, other)

    def __rsub__(self, other: object) -> Self:
        return self._computed(operator.sub, other, self)

    def __mul__(self, other: object) -> Self:
        return self._computed(operator.mul, self, other)

    def __rmul__(self, other: object) -> Self:
        return self._computed(operator.mul, other, self)

    def __truediv__(self, other: object) -> Self:
        return self._computed(operator.truediv, self, other)

    def __rtruediv__(self, other: object) -> Self:
        return self._computed(operator.truediv, other, self)

    def __neg__(self) -> Self:
        return 0 - self

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> Self:
        return -self if self < 0 else self  # type: ignore[operator]  # a TypeError, where there is no order
