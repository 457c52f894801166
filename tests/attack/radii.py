"""Decimals with radii: random numbers through every format, each text with its radius holds the true number."""

import csv
import io
import json
import re
import sys
from fractions import Fraction
from math import inf, nextafter, ulp

from flint import arb, ctx, fmpq
from html_tables import Cells

import gops_exact as gx

LEAST = Fraction("2.3e-308")
"""More than the least radius that is written."""

ANY_DIGITS = 0, 1, 4, 12, 15, 17, 40


def random_number(rng):
    """A float of any size or of few digits, with a radius: none, next to nothing, a usual one, or a large one."""
    size = 10.0 ** rng.choice([0, 0, 0, 1, 2, -3, -12, -300, 15, 300])
    value = rng.choice([rng.uniform(-size, size), rng.randint(-999, 999) / 64, rng.random(), 0.1])
    radius = rng.choice([0.0, ulp(value), 5e-324, 1.3243e-13, 10.0 ** rng.uniform(-20, 2)])
    if radius and rng.random() < 0.5:
        radius = nextafter(radius, inf)
    return gx.BoundedFloat(value, radius)


def holds(text, radius, number):
    """Whether a decimal and a radius, which is not too wide, hold all that a number can be."""
    # What JSON and CSV hold is read as decimals here; floats are read in `check_table`.
    middle = Fraction(str(text))
    least, most = (Fraction(int(end.p), int(end.q)) for end in number.bounds())
    needed = max(most - middle, middle - least)
    return needed <= Fraction(str(radius)) <= needed * Fraction(6, 5) + LEAST


def in_message(number):
    """The decimal and the radius of a number as an error has them; those of a known one, which raises none."""
    try:
        _ = number < number + 0
    except ValueError as error:
        return re.search(r"got (\S+) ± (\S+) and", str(error)).groups()
    return number.with_radius()


def check_alone(number, rng):
    digits = rng.choice(ANY_DIGITS)
    for count in (None, digits):
        for precision in (2, sys.float_info.dig):
            text, radius = number.with_radius(count, precision)
            assert count is None or text == number.decimal(count)
            for written in (radius, repr(float(radius)), Fraction(float(radius))):
                assert holds(text, written, number)
    assert holds(*in_message(number), number)
    # A ball with a middle between floats and bounds beyond them.
    with ctx.workprec(200):
        ball = arb(fmpq(*number.value.as_integer_ratio())) + arb(0, number.radius)
        decimal = gx.ProvedDecimal(ball / 3 * arb(10) ** rng.choice([0, 0, 400, -400]), 0)
    assert holds(*in_message(decimal), decimal)


def check_table(numbers, rng):
    """A list of numbers, and a grid of one column, in all formats of a table."""
    digits = rng.choice(ANY_DIGITS)
    rows = [((place,), [number]) for place, number in enumerate(numbers)]
    table = gx.Listing("Numbers", ("line",), rows, digits=digits)
    for found in (
        [line.split() for line in "".join(table.text()).splitlines()[3:]],
        [line.split(" | ") for line in table.markdown().splitlines()[4:]],
        Cells(table.html()).texts()[1:],
    ):
        for (_, text, radius), number in zip(found, numbers, strict=True):
            assert holds(text, radius.strip(" |"), number)
    grid = gx.Table("Numbers", ("line",), rows, heads=("number",), digits=digits)
    for shown in (table, grid):
        for row, number in zip(Cells(shown.html()).rows[1:], numbers, strict=True):
            assert holds(*row[1][0]["title"].split(" ± "), number)
        frame = shown.frame()
        written = csv.DictReader(io.StringIO(frame.to_csv()))
        document = json.loads(json.dumps(shown.document()))["numbers"]
        for forms in (written, frame.to_dict("records")):
            for form, number in zip(forms, numbers, strict=True):
                assert holds(form["float"], form["radius"], number)
                assert float(form["float"]) == number.value
                assert float(form["radius"]) >= number.radius
        exactly = [(number.value, number.radius) for number in numbers]
        assert [(form["float"], form["radius"]) for form in document] == exactly
    # Without a radius a decimal is the float rounded.
    formulas = re.findall(r"& (\S+) \\\\", table.latex())[-len(numbers) :]
    for text, number in zip(formulas, numbers, strict=True):
        assert text == ("$0$" if number.is_zero else f"${number.decimal(digits)}$")


def numbers_case(rng, _place=None):
    numbers = [random_number(rng) for _ in range(100)]
    for number in numbers:
        check_alone(number, rng)
    check_table(numbers, rng)
