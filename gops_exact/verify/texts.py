"""Text files that a user names, JSON, and numbers as text: read whole, or refused with the reason."""

import json
import re
from pathlib import Path
from stat import S_ISREG
from typing import Any, NoReturn

from gmpy2 import mpq, mpz

from gops_exact.verify.arithmetic import NotProvedError, Pair

DIGITS = 40
"""Longest integer of a JSON document; longer numbers are emitted as text."""


def read_text(file: Path, encoding: str = "ascii") -> str:
    """Return the text of a file.

    Raises:
        ValueError: if it is no regular file, cannot be read, or is not in that encoding.
    """
    try:
        if S_ISREG(file.stat().st_mode):  # a pipe or a device may have no end
            return file.read_text(encoding)
        reason = "it is no regular file"
    except UnicodeDecodeError as error:
        reason = f"it is not in {encoding} at byte {error.start}"
        if encoding == "ascii":
            reason += ", as every document of this program is"
    except OSError as error:
        reason = error.strerror or str(error)
    raise ValueError(f"expected a file to read, got {str(file)!r}: {reason}")


def parse_json(text: str) -> Any:  # noqa: ANN401  # JSON holds anything
    """Return what a JSON text holds, numbers with a point or an exponent as text.

    Raises:
        ValueError: if it is no JSON, or names a member of an object twice.

    >>> parse_json('{"a": 1, "b": 1e400}')
    {'a': 1, 'b': '1e400'}
    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ValueError: expected every name once, got 'a' again
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=str,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"expected JSON, got {text[:40]!r}: {error}") from None
    except RecursionError:
        raise ValueError("expected JSON, got lists or objects nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"expected every name once, got {name[:40]!r} again")
        found[name] = value
    return found


def _integer(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError(f"expected integers of at most {DIGITS} digits, got one of {len(text)}")
    return int(text)


def _constant(name: str) -> NoReturn:
    raise ValueError(f"expected numbers, got {name}")


def parse_number(text: str) -> mpq:
    """Return the number of a fraction p/q or a decimal."""
    return mpq(*parse_fraction(text)) if "/" in text else parse_decimal(text)


def parse_fraction(text: str) -> Pair:
    """Return the fraction "p/q" or "p"."""
    _expect("a fraction p/q", "[0-9]+(/0*[1-9][0-9]*)?", text)
    numerator, _, denominator = text.partition("/")
    return mpz(numerator), mpz(denominator or 1)


def parse_residue(text: str) -> mpz:
    """Return a residue."""
    _expect("a residue", "[0-9]+", text)
    return mpz(text)


def parse_decimal(text: str) -> mpq:
    """Return the number of a decimal with at most four digits in its exponent."""
    _expect("a decimal number", "[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,4})?", text)
    return mpq(text)


def _expect(kind: str, pattern: str, text: str) -> None:
    if not re.fullmatch(pattern, text):
        raise NotProvedError(f"expected {kind}, got {text[:40]!r}")
