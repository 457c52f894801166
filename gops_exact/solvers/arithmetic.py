"""Arithmetics: the kinds of number in which solvers answer."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from gops_exact.base.arguments import MOST_DIGITS, flag, path, positive_integer, shown

BALL_BITS = 128
"""The precision, in bits, of the balls around exact values and floats, and of other balls by default."""

DIGITS = 50
"""The default number of digits after the point in ball arithmetic (:class:`Ball`)."""


@dataclass(frozen=True)
class Exact:
    """The arithmetic of exact rational numbers."""

    name: ClassVar[str] = "exact"
    digits: ClassVar[None] = None  #: the numbers have all digits
    in_layers: ClassVar[bool] = False  #: a position is solved on its own


@dataclass(frozen=True)
class Ball:
    """The arithmetic of decimals that are computed in ball arithmetic; every digit is proved.

    Raises:
        ValueError: if `digits` is not a positive integer.
    """

    digits: int = DIGITS  #: the number of digits after the point, at least 1
    name: ClassVar[str] = "ball"
    in_layers: ClassVar[bool] = False  #: a position is solved on its own

    def __post_init__(self) -> None:
        object.__setattr__(self, "digits", positive_integer(self.digits, "digits", MOST_DIGITS))


@dataclass(frozen=True)
class Float:
    """The arithmetic of floats, each with a proved radius."""

    #: The folder for layers of values, which are memory-mapped files; None for layers in memory. A run
    #: continues from the layers that a stopped run left in the folder. At the end the last two layers stay there.
    folder: str | Path | None = None
    keep: bool = False  #: True to leave all layers in the folder, not only the last two
    #: The limit, in bytes, on the memory of a run; None for 80 % of the machine's memory. Unless forced, a run that
    #: takes more is refused. The tables of order types count and, unless a game has a folder, the layers of values.
    memory_bytes: int | None = None
    #: True to store values as 32-bit integers, which take half the memory of floats but have fewer digits; this
    #: needs the objective ``win``. None to do so only if the values in memory would take more than 4 GB as floats.
    integers: bool | None = None
    name: ClassVar[str] = "float"
    digits: ClassVar[None] = None  #: the numbers have as many digits as floats have
    #: a position is solved with all that can follow it, layer by layer on all cores
    in_layers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        kinds = {"folder": path, "keep": flag, "memory_bytes": positive_integer, "integers": flag}
        for name, convert in kinds.items():
            option = getattr(self, name)
            if option is not None or name == "keep":
                object.__setattr__(self, name, convert(option, name))


EXACT = Exact()
"""The exact arithmetic, which all results may share, because it is frozen."""

Arithmetic = Exact | Ball | Float

SHORTHAND: dict[str, type[Arithmetic]] = {kind.name: kind for kind in (Exact, Ball, Float)}
"""The class of each arithmetic, {name: class}."""


def as_arithmetic(arithmetic: object) -> Arithmetic:
    """Return an arithmetic as an instance; `arithmetic` is an instance already, or the name of its class.

    Raises:
        ValueError: if it is neither.
    """
    if isinstance(arithmetic, Arithmetic):
        return arithmetic
    if isinstance(arithmetic, str) and arithmetic in SHORTHAND:
        return SHORTHAND[arithmetic]()
    raise ValueError(
        "arithmetic must be 'exact', 'ball', 'float' or Exact(), Ball(digits), Float(folder), "
        f"got {shown(arithmetic)}"
    )
