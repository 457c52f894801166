"""Arithmetics: the kinds of number to solve a position in, each with its own options."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from flint import fmpz

from gops_exact.base.arguments import MOST_DIGITS, flag, integer, path, positive_integer, shown

DIGITS = 50
"""Default number of proved decimals."""

SMALLEST, LARGEST = 10**9, 2**64
"""Bounds of the modulus. Modulo a smaller prime, different numbers often have equal residues; a larger prime
does not fit a machine word."""

PRIME = 2**61 - 1
"""Default modulus of residues, the largest Mersenne prime that fits a machine word."""


@dataclass(frozen=True)
class Exact:
    """Exact rational numbers."""

    name: ClassVar[str] = "exact"


@dataclass(frozen=True)
class Ball:
    """Decimals, computed in ball arithmetic; every digit is proved.

    Raises:
        ValueError: if `digits` is not a positive integer.
    """

    digits: int = DIGITS  #: the number of digits after the point, at least 1
    name: ClassVar[str] = "ball"

    def __post_init__(self) -> None:
        object.__setattr__(self, "digits", positive_integer(self.digits, "digits", MOST_DIGITS))


@dataclass(frozen=True)
class Residue:
    """The exact numbers modulo a prime: an independent check where exact numbers are too long to compute.

    Raises:
        ValueError: if `prime` is not a prime between 10⁹ and 2⁶⁴.
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

    #: The folder for layers of values, which are memory-mapped files. A run continues from the layers that a
    #: stopped run left in the folder. At the end the last two layers stay there. None: layers are in memory.
    folder: str | Path | None = None
    keep: bool = False  #: True to leave all layers in the folder, not only the last two
    #: The most memory in bytes that the tables of order types and two layers may take; None: 80 % of the
    #: machine's memory. A game that takes more needs a folder.
    memory_bytes: int | None = None
    #: True to store values as 32-bit integers, which take half the memory of floats and have fewer digits;
    #: only with the objective ``win``. None: True for games with very many values.
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
"""The class of each arithmetic, by name."""


def as_arithmetic(arithmetic: object) -> Arithmetic:
    """Return the arithmetic that a user passes: an instance, or the name of one with default options.

    Raises:
        ValueError: if `arithmetic` is neither.
    """
    if isinstance(arithmetic, Arithmetic):
        return arithmetic
    if isinstance(arithmetic, str) and arithmetic in SHORTHAND:
        return SHORTHAND[arithmetic]()
    raise ValueError(
        "arithmetic must be 'exact', 'ball', 'residue', 'float' or Exact(), Ball(digits), "
        f"Residue(prime), Float(folder), got {shown(arithmetic)}"
    )
