"""Decimals with radii: wherever both are written they hold the true number together."""

import csv
import io
import re
from fractions import Fraction
from math import inf
from random import Random

import pytest
import radii
from html_tables import Cells
from program import run

import gops_exact as gx


def test_numbers_printed_with_a_radius_contain_the_true_number_in_every_format():
    for seed in range(3):
        radii.numbers_case(Random(seed))


@pytest.mark.parametrize("digits", [4, 12])
def test_printed_first_moves_lie_within_the_stated_radius(digits):
    exact = gx.first_move(5, store=":memory:")
    shown = gx.first_move(5, "float").emit("decimals", digits)
    radius = Fraction(re.search(r"within (\S+) of", shown)[1])
    for line in shown.splitlines()[4:9]:
        card, *cells = line.split()
        for cell, upcard in zip(cells, exact, strict=True):
            assert abs(Fraction(cell) - exact[upcard][int(card)].to_fraction()) <= radius


def test_printed_numbers_of_a_position_lie_within_their_radii():
    name = "1.2.3.6.7_2.4.5.7.8_1.2.4.6.7@7"
    exact = gx.solve(name)
    caption, *lines = run(f"position {name} --arithmetic float").out.splitlines()
    shown = [re.search(r"value (\S+) ± (\S+)", caption).groups()]
    shown += [line.split()[2:] for line in lines[2:12]]
    true = (exact.value, *exact.row.values(), *exact.column.values())
    for (text, radius), number in zip(shown, true, strict=True):
        assert abs(Fraction(text) - number.to_fraction()) <= Fraction(radius)


@pytest.mark.parametrize(
    ("number", "digits", "radius"),
    [("1/3", 50, "3.4e-51"), ("1e60/3", 2, "0.0034"), ("1e60/3", None, "1.7e+43"), ("1/8", 3, "0")],
)
def test_radius_printed_with_an_exact_number_is_its_rounding_error(number, digits, radius):
    top, _, bottom = number.partition("/")
    assert (gx.view(top) / gx.view(bottom)).with_radius(digits)[1] == radius


def test_numbers_beyond_the_range_of_floats_are_written_to_json_csv_frames_and_html():
    game = gx.MatrixGame([["1e400", 0], [0, "-1e400"]])
    numbers = ["1" + "0" * 400, "0", "0", "-1" + "0" * 400]
    assert sorted(each["exact"] for each in game.document()["numbers"]) == sorted(numbers)
    assert [str(number) for number in game.to_frame().to_numpy().ravel()] == numbers
    lines = csv.DictReader(io.StringIO(game.emit("csv")))
    assert [line[column] for line in lines for column in ("1", "2")] == numbers
    grid = gx.Table("", ("row",), game.table().rows, heads=("1", "2"))  # no matrix
    frame = grid.frame()
    assert [str(number) for number in frame["exact"]] == numbers
    assert list(frame["float"].isna()) == [True, False, False, True]
    shades = [cell[0]["style"] for row in Cells(game._repr_html_()).rows[1:] for cell in row[1:]]
    assert ["0.750" in shade for shade in shades] == [True, False, False, True]
    assert game.table().floats().to_numpy().tolist() == [[inf, 0.0], [0.0, -inf]]
