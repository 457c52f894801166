"""Arithmetics: the kinds of number in which solvers answer, with their options.

A *ball* is an interval, given by its midpoint and its radius, that is proved to contain the true number. The *radius*
of a float is a bound on its distance from the true number. A *layer* has the values of all positions of a game with the
same number of cards a side; floats are computed layer by layer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from gops_exact.base.arguments import MOST_DIGITS, flag, integer, path

BALL_BITS = 128
"""The precision, in bits, of the balls around exact values and floats, and of other balls by default."""

DIGITS = 50
"""The default number of digits after the point in ball arithmetic (:class:`Ball`)."""


@dataclass(frozen=True)
class Exact:
    """The arithmetic of exact rational numbers."""

    name: ClassVar[str] = "exact"
    digits: ClassVar[None] = None  #: the numbers have all digits


@dataclass(frozen=True)
class Ball:
    """The arithmetic of decimals of which every digit is proved.

    The numbers are computed as *balls*, intervals that contain the true numbers.

    Raises:
        ValueError: if `digits` is not an integer from 1 to 999,999,999.
    """

    digits: int = DIGITS  #: the number of digits after the point, at least 1
    name: ClassVar[str] = "ball"

    def __post_init__(self) -> None:
        object.__setattr__(self, "digits", integer(self.digits, "digits", 1, MOST_DIGITS))


@dataclass(frozen=True)
class Float:
    """The arithmetic of floats, each with a proved radius, a bound on its distance from the true number.

    First moves (optimal strategies for the first bid) are computed in *layers*: a layer has the values of all positions
    of the game with the same number of cards a side. The layer of one card a side is computed first.

    Raises:
        ValueError: if an option has a wrong type, or `memory_bytes` is less than 1.
    """

    #: The folder for layers, which are memory-mapped files; None for layers in memory. A computation of the same game
    #: continues from the layers that a stopped computation left in the folder. At the end of a computation of first
    #: moves the layers of the two largest numbers of cards stay there; a solver made for a game leaves all layers there.
    folder: str | Path | None = None
    keep: bool = False  #: True to leave all layers of first moves in the folder, not only these two
    #: The limit, in bytes, on the memory of a computation; None for 80 % of the machine's memory. Unless forced, a
    #: computation that takes more is refused. Counted are the tables of pairs of hands and, unless layers are in a
    #: folder, the layers.
    memory_bytes: int | None = None
    #: True to store values as 32-bit integers, which take half the memory of floats but have fewer digits; this
    #: needs the objective ``win``. None to do so only if the values in memory would take more than 4 GB as floats.
    integers: bool | None = None
    name: ClassVar[str] = "float"
    digits: ClassVar[None] = None  #: the numbers have as many digits as floats have

    def __post_init__(self) -> None:
        kinds: dict[str, Callable[[object, str], object]] = {
            "folder": path,
            "keep": flag,
            "memory_bytes": partial(integer, least=1),
            "integers": flag,
        }
        for name, convert in kinds.items():
            option = getattr(self, name)
            if option is not None or name == "keep":
                object.__setattr__(self, name, convert(option, name))


EXACT, FLOAT = Exact(), Float()
"""The exact arithmetic and that of floats with default options; both may be shared, because they are frozen."""

Arithmetic = Exact | Ball | Float

SHORTHAND: dict[str, type[Arithmetic]] = {kind.name: kind for kind in (Exact, Ball, Float)}
"""The class of each arithmetic, {name: class}."""
