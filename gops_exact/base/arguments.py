"""Checks of the arguments of public functions, which also convert them to Python's own types.

A check takes a value and the argument's name, and raises a ``ValueError`` that names the expected and the actual value.
Integers of any library become ints, because unary minus of NumPy's unsigned integers wraps round.
"""

import operator
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import islice
from math import isfinite, log10, nan
from pathlib import Path
from types import UnionType
from typing import Any, SupportsFloat, SupportsIndex, TypeVar, cast

import numpy as np

MOST_ITEMS = 10_000
"""The greatest number of entries of an iterable argument. A longer iterable, which may be infinite, is refused."""

LARGEST = 10**300
"""The greatest card, prize, margin or pot. The sum of a few such numbers is still within the range of floats."""

MOST_DIGITS = 999_999_999
"""The greatest number of digits after the decimal point that a caller can ask for. A single number of this length takes
minutes and gigabytes; a whole game of such numbers would take days and would not fit in memory."""

MOST_JOBS, MOST_GAMES = 999, 10**6
"""MOST_JOBS is the greatest number of processes or threads, MOST_GAMES the greatest number of games of a match."""

Kind = TypeVar("Kind")


class _Short(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to convert an integer of more than 4,300 digits to text: show a long one as a power of 10.
        if abs(x) < 10**self.maxlong:
            return super().repr_int(x, level)
        return f"about {'-' if x < 0 else ''}10^{int(x.bit_length() * log10(2))}"


_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = 80


def shown(value: object) -> str:
    """Return a value as short text on one line, for an error message.

    >>> print(shown(range(5)), shown(["x", 7]), shown(-(10**5000)))
    range(0, 5) ['x', 7] about -10^5000
    """
    return " ".join(_SHORT.repr(value).split())


def printable(text: str) -> str:
    r"""Escape the characters of a text that cannot be printed; control characters could move a terminal's cursor.

    >>> printable("\33[2J×")
    '\\x1b[2J×'
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def install(extra: str) -> str:
    """Return the command that installs the optional dependencies `extra`, as text for an error message."""
    # No package index has this package, so the command is run in a clone of the project.
    return f"pip install '.[{extra}]' in a clone of the project"


def integer(value: object, name: str, least: int | None = None, most: int | None = None) -> int:
    """Return an integer of any library as an int.

    Args:
        value: the integer. Floats, text and truth values are refused.
        name: the name of the argument, for messages.
        least: the least integer that is allowed; None for no limit.
        most: the greatest integer that is allowed; None for no limit.

    Raises:
        ValueError: if `value` is not an integer or is outside the limits.
    """
    number = None
    if type(value) is int:  # the usual case
        number = value
    # Exclude truth values by their types: operator.index accepts Python's True and, in older versions of NumPy,
    # also NumPy's truth values.
    elif not isinstance(value, (bool, np.bool_)):
        with suppress(TypeError):
            number = int(operator.index(cast("SupportsIndex", value)))
    if number is None:
        raise ValueError(f"{name} must be an integer, got {shown(value)}")
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, got {shown(number)}")
    if most is not None and number > most:
        raise ValueError(f"{name} must be at most {shown(most)}, got {shown(number)}")
    return number


def real(value: object, name: str) -> float:
    """Return a finite real number of any library as a float.

    Raises:
        ValueError: if `value` is text or a truth value, is no real number, is not finite, or is beyond the range of
            floats. The message begins with `name`, the name of the argument.
    """
    number, others = nan, (bool, np.bool_, str, bytes, bytearray, np.complexfloating)
    if type(value) is float:  # the usual case
        number = value
    elif not isinstance(value, others) and getattr(value, "ndim", 0) == 0:
        with suppress(TypeError, ValueError, OverflowError):
            number = float(cast("SupportsFloat", value))
    if not isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {shown(value)}")
    return number


def items(value: object, name: str, kind: str, *, ordered: bool = False) -> list[Any]:
    """Return the entries of an iterable as a list.

    Args:
        value: the iterable. Text, bytes and mappings are refused.
        name: the name of the argument, for messages.
        kind: a description of the expected value, for messages.
        ordered: True to refuse sets, too, because the order of the entries matters.

    Raises:
        ValueError: if `value` is no iterable, is one that is refused, or has more than :data:`MOST_ITEMS` entries.
    """
    entries = None
    others = (str, bytes, bytearray, Mapping, *([AbstractSet] if ordered else []))
    if not isinstance(value, others):
        # Try to iterate, because the class does not tell if a value can be iterated: a NumPy array of dimension 0 is an
        # instance of Iterable, but its __iter__ raises a TypeError.
        with suppress(TypeError):
            entries = list(islice(cast("Iterable[Any]", value), MOST_ITEMS + 1))
    if entries is None:
        raise ValueError(f"{name} must be {kind}, got {shown(value)}")
    if len(entries) > MOST_ITEMS:
        raise ValueError(f"{name} must have at most {MOST_ITEMS} entries, got {shown(value)}")
    return entries


def flag(value: object, name: str) -> bool:
    """Return a truth value, of Python or NumPy, as a bool.

    Raises:
        ValueError: if `value` is not a truth value. The message begins with `name`, the name of the argument.
    """
    return bool(instance(value, bool | np.bool_, name, "True or False"))


def choice(value: object, name: str, choices: Sequence[str]) -> None:
    """Raise a ValueError if a value is not one of the words `choices`. The message begins with `name`, the name of the
    argument.
    """
    if not isinstance(value, str) or value not in choices:
        *others, last = map(repr, choices)
        expected = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{name} must be {expected}, got {shown(value)}")


def path(value: object, name: str) -> Path:
    """Convert a path, which is text or a Path, to a Path.

    Raises:
        ValueError: if `value` is neither, is an empty text, or has a null character. The message begins with `name`,
            the name of the argument.
    """
    if isinstance(value, str | Path) and value != "" and "\0" not in str(value):
        return Path(value)
    raise ValueError(f"{name} must be a path, got {shown(value)}")


def function(value: object, name: str) -> None:
    """Raise a ValueError if a value is neither callable nor None. The message begins with `name`, the name of the
    argument.
    """
    if value is not None and not callable(value):
        raise ValueError(f"{name} must be a function or None, got {shown(value)}")


def instance(value: object, of: Callable[..., Kind] | UnionType, name: str, kind: str) -> Kind:
    """Return a value if it is an instance of a class.

    Args:
        value: the value.
        of: the class, or several classes joined by ``|``.
        name: the name of the argument, for messages.
        kind: a description of the expected value, for messages.

    Raises:
        ValueError: if `value` is of another class.
    """
    if not isinstance(value, cast("type", of)):
        raise ValueError(f"{name} must be {kind}, got {shown(value)}")
    return cast("Kind", value)
