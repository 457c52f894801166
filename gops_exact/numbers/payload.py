"""Integers of any length as bytes and back, and the payloads made of them.

All numbers are little-endian. An integer of any length is its byte count (8 bytes) followed by its
two's complement.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Self, TypeVar

from flint import arb, fmpz

from gops_exact.numbers.raw import Pair

Item = TypeVar("Item")

_COUNT = struct.Struct("<Q")


class Writer:
    """A payload under construction; every method but :meth:`payload` appends to it.

    >>> reader = Reader(Writer().number(7).integer(fmpz(-300)).payload())
    >>> reader.number(), reader.integer()
    (7, -300)
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def number(self, value: int) -> Self:
        """Append a non-negative number below 2^64."""
        self._parts.append(_COUNT.pack(value))
        return self

    def data(self, value: bytes) -> Self:
        """Append bytes of any length."""
        self._parts += [_COUNT.pack(len(value)), value]
        return self

    def integer(self, value: fmpz) -> Self:
        """Append an integer of any length."""
        whole = int(value)
        return self.data(whole.to_bytes(whole.bit_length() // 8 + 1, "little", signed=True))

    def pair(self, value: Pair) -> Self:
        """Append a numerator and a denominator."""
        return self.integer(value[0]).integer(value[1])

    def ball(self, value: arb) -> Self:
        """Append a ball whose radius fits 64 bits: a :func:`~gops_exact.numbers.kinds.tidy` one."""
        self.pair(value.mid().man_exp())
        radius, exponent = value.rad().man_exp()
        return self.number(int(radius)).integer(exponent)

    def several(self, values: Sequence[Item], write: Callable[[Item], object]) -> Self:
        """Append the number of values, then each of them."""
        self.number(len(values))
        for value in values:
            write(value)
        return self

    def payload(self) -> bytes:
        """Return all that was appended."""
        return b"".join(self._parts)


class Reader:
    """A payload that is read from the front, in a ``with`` block up to its end, or else a ValueError."""

    def __init__(self, payload: bytes) -> None:
        self._payload = memoryview(payload)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        if error is None and self._payload:
            raise ValueError(
                f"a payload must end after its last number, got {len(self._payload)} bytes"
            )

    def number(self) -> int:
        """Read the next number below 2^64."""
        (value,) = _COUNT.unpack(self._take(_COUNT.size))
        return int(value)

    def data(self) -> memoryview:
        """Read the next bytes."""
        return self._take(self.number())

    def integer(self) -> fmpz:
        """Read the next integer of any length."""
        return fmpz(int.from_bytes(self.data(), "little", signed=True))

    def pair(self) -> Pair:
        """Read a numerator and a denominator."""
        return self.integer(), self.integer()

    def ball(self) -> arb:
        """Read the next ball."""
        middle, radius, exponent = self.pair(), fmpz(self.number()), self.integer()
        return arb(middle, (radius, exponent) if radius else None)

    def several(self, read: Callable[[], Item]) -> list[Item]:
        """Read a number of values, then each of them."""
        return [read() for _ in range(self.number())]

    def _take(self, size: int) -> memoryview:
        if size > len(self._payload):
            raise ValueError(f"a payload must hold {size} more bytes, got {len(self._payload)}")
        taken, self._payload = self._payload[:size], self._payload[size:]
        return taken
