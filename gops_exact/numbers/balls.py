"""Balls stored and printed: radii rounded to short numbers, payloads, and proved decimals.

A ball m ± r stands for every number from m − r to m + r.
"""

from flint import arb, ctx, fmpq, fmpz

from gops_exact.numbers.convert import to_decimal_text
from gops_exact.numbers.payload import Reader, Writer

DECIMAL_GUARD = 32
"""Bits a ball is scaled with beyond its own, so that scaling adds nothing to its radius."""


def tidy(ball: arb) -> arb:
    """Round the radius up to a power of two, which can be written exactly; keep the midpoint.

    >>> tidy(arb(1, 3)).rad()
    4.00000000000000
    """
    radius, exponent = ball.rad().man_exp()
    if radius == 0:
        return ball
    return arb(ball.mid().man_exp(), (1, exponent + (int(radius) - 1).bit_length()))


def write_ball(writer: Writer, ball: arb) -> None:
    """Append a :func:`tidy` ball."""
    middle, exponent = ball.mid().man_exp()
    radius, radius_exponent = ball.rad().man_exp()
    writer.integer(middle).integer(exponent).number(int(radius)).integer(radius_exponent)


def read_ball(reader: Reader) -> arb:
    """Read the next ball."""
    middle, exponent = reader.integer(), reader.integer()
    radius, radius_exponent = fmpz(reader.number()), reader.integer()
    return arb((middle, exponent), (radius, radius_exponent) if radius else None)


def decimal_text(ball: arb, digits: int) -> str | None:
    """Round every number in the ball to `digits` decimals; None if the results differ.

    >>> third = arb(fmpq(1, 3))
    >>> decimal_text(third, 15), decimal_text(third, 20)
    ('0.333333333333333', None)
    """
    if ball.is_exact():
        return to_decimal_text(ball.fmpq(), digits)
    with ctx.workprec(ball.mid().bits() + 4 * digits + DECIMAL_GUARD):
        rounded = (ball * fmpz(10) ** digits + fmpq(1, 2)).floor().unique_fmpz()
    return None if rounded is None else to_decimal_text(fmpq(rounded, fmpz(10) ** digits), digits)
