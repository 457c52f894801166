"""Certified arithmetics at the first precision that is enough."""

from collections.abc import Callable, Iterable
from math import ceil, log2
from typing import TypeVar

from flint import arb

from gops_exact.lattice.ball import EXACT_UP_TO, BallArithmetic
from gops_exact.lattice.residue import BITS, ResidueArithmetic
from gops_exact.numbers.kinds import PrecisionError, decimal_text, tidy

Found = TypeVar("Found")

GUARD_BITS = 64
"""Precision beyond the digits asked for. Radii grow by five or six bits with every card a side."""

DOUBLINGS = 3
"""How many times the precision is doubled before giving up on proved digits."""

FEW_CARDS = 8
"""Games of so many cards are proved with exact values up to four cards a side. Larger ones get them
up to five, which takes an eighth more time at nine cards; so do all games for winning, which have
many ties."""

MOST_BITS = 1024
"""Precision of the balls beside residues at which to give up, doubled from the default one."""


def in_balls(
    solve: Callable[[BallArithmetic], Found],
    balls: Callable[[Found], Iterable[arb]],
    digits: int,
    name: str,
) -> Found:
    """Solve in balls, at the first precision that proves the digits.

    Args:
        solve: solves in a number system.
        balls: lists the numbers found.
        digits: after the point.
        name: of what is solved, for the message.

    Raises:
        PrecisionError: if they are not proved.
    """
    bits = ceil(digits * log2(10)) + GUARD_BITS
    for precision in (bits << doubling for doubling in range(DOUBLINGS + 1)):
        found = solve(BallArithmetic(precision))
        if all(decimal_text(tidy(ball), digits) is not None for ball in balls(found)):
            return found
    raise PrecisionError(f"{digits} digits of {name} are not proved by {precision} bits")


def in_residues(
    solve: Callable[[ResidueArithmetic], Found], prime: int, size: int, *, winning: bool
) -> Found:
    """Solve modulo a prime, at the first precision that tells every tie.

    Args:
        solve: solves in a number system.
        prime: the modulus.
        size: cards a side.
        winning: true if the objective is to win.

    Raises:
        PrecisionError: if a tie is not told.
    """
    bits, exact_up_to = BITS, EXACT_UP_TO + (winning or size > FEW_CARDS)
    while True:
        try:
            return solve(ResidueArithmetic(prime, bits, exact_up_to))
        except PrecisionError:
            if bits >= MOST_BITS:
                raise
            bits *= 2
