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


def pack_number(value: int) -> bytes:
    """Write a non-negative number below 2^64."""
    return _COUNT.pack(value)


def pack_data(value: bytes) -> bytes:
    """Write bytes of any length."""
    return _COUNT.pack(len(value)) + value


def pack_integer(value: fmpz) -> bytes:
    """Write an integer of any length."""
    whole = int(value)
    return pack_data(whole.to_bytes(whole.bit_length() // 8 + 1, "little", signed=True))


def pack_pair(value: Pair) -> bytes:
    """Write a numerator and a denominator."""
    return pack_integer(value[0]) + pack_integer(value[1])


def pack_ball(value: arb) -> bytes:
    """Write a ball whose radius fits 64 bits: a :func:`~gops_exact.numbers.kinds.tidy` one."""
    radius, exponent = value.rad().man_exp()
    return pack_pair(value.mid().man_exp()) + pack_number(int(radius)) + pack_integer(exponent)


def pack_several(values: Sequence[Item], pack: Callable[[Item], bytes]) -> bytes:
    """Write the number of values, then each of them."""
    return b"".join([pack_number(len(values)), *map(pack, values)])


class Reader:
    """A payload that is read from the front, in a ``with`` block up to its end, or else a ValueError.

    >>> with Reader(pack_number(7) + pack_integer(fmpz(-300))) as reader:
    ...     reader.number(), reader.integer()
    (7, -300)
    """

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
