"""Text files that a user names, and JSON: read whole, or refused with the reason."""

import json
from pathlib import Path
from stat import S_ISREG
from typing import Any, NoReturn

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
