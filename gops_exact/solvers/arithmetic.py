"""Arithmetics: the kinds of number to solve a position in, each with its own options."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from flint import fmpz

from gops_exact.base.arguments import MOST_DIGITS, flag, integer, path, positive_integer, shown

DIGITS = 50
"""Default number of proved decimals."""

SMALLEST, LARGEST = 10**9, 2**64
"""Bounds of the modulus: smaller primes often give different numbers equal residues, larger ones
do not fit a machine word."""

PRIME = 2**61 - 1
"""Default modulus of residues, the largest Mersenne prime that fits a machine word."""


@dataclass(frozen=True)
class Exact:
    """The rational numbers themselves."""

    name: ClassVar[str] = "exact"


@dataclass(frozen=True)
class Ball:
    """Decimals of which every digit is proved, in ball arithmetic.

    Raises:
        ValueError: if `digits` is no positive integer.
    """

    digits: int = DIGITS  #: after the point, at least 1
    name: ClassVar[str] = "ball"

    def __post_init__(self) -> None:
        object.__setattr__(self, "digits", positive_integer(self.digits, "digits", MOST_DIGITS))


@dataclass(frozen=True)
class Residue:
    """The exact numbers modulo a prime: an independent check of numbers too long to have.

    Raises:
        ValueError: if `prime` is no prime in this range.
    """

    prime: int = PRIME  #: the modulus, between 10⁹ and 2⁶⁴
    name: ClassVar[str] = "residue"

    def __post_init__(self) -> None:
        kind = "a prime between 10^9 and 2^64"
        prime = integer(self.prime, "prime", kind=kind)
        if not (SMALLEST < prime < LARGEST and fmpz(prime).is_prime()):
            raise ValueError(f"prime must be {kind}, got {shown(prime)}")
        object.__setattr__(self, "prime", prime)


@dataclass(frozen=True)
class Float:
    """Floats, each with a proved radius."""

    #: Keep layers of values in mapped files there, and go on from what a stopped run left; None keeps
    #: them in memory. The last two layers stay there.
    folder: str | Path | None = None
    keep: bool = False  #: let all layers stay in the folder
    #: The most memory that order types and two layers may take, in bytes; by default most of what the
    #: machine has. More needs a folder.
    memory_bytes: int | None = None
    #: Keep values as 32-bit integers, in half the room and with fewer digits, for the objective ``win``
    #: alone; by default where there are very many values.
    integers: bool | None = None
    name: ClassVar[str] = "float"

    def __post_init__(self) -> None:
        kinds = {"folder": path, "keep": flag, "memory_bytes": positive_integer, "integers": flag}
        for name, convert in kinds.items():
            option = getattr(self, name)
            if option is not None or name == "keep":
                object.__setattr__(self, name, convert(option, name))


Arithmetic = Exact | Ball | Residue | Float

SHORTHAND: dict[str, type[Arithmetic]] = {kind.name: kind for kind in (Exact, Ball, Residue, Float)}
"""The arithmetics by name."""


def as_arithmetic(arithmetic: object) -> Arithmetic:
    """Return the arithmetic that a user names: a value, or the name of one with default options."""
    if isinstance(arithmetic, Arithmetic):
        return arithmetic
    if isinstance(arithmetic, str) and arithmetic in SHORTHAND:
        return SHORTHAND[arithmetic]()
    raise ValueError(
        "arithmetic must be 'exact', 'ball', 'residue', 'float' or Exact(), Ball(digits), "
        f"Residue(prime), Float(folder), got {shown(arithmetic)}"
    )
