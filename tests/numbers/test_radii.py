"""Decimals with radii: wherever both are written they hold the true number together.

    python tests/numbers/test_radii.py 100000 [SEED]

sends so many random numbers through every format.
"""

import csv
import io
import json
import re
import sys
from fractions import Fraction
from itertools import cycle
from math import inf, nextafter, ulp
from random import Random

import pytest
from cells import Cells
from flint import arb, ctx, fmpq
from gmpy2 import mpq

import gops_exact as gx
from gops_exact.base.documents import read_document, read_table
from gops_exact.commands import cli
from gops_exact.numbers.bounds import FLOAT_DIGITS, in_digits, upwards
from gops_exact.numbers.exact import within
from gops_exact.numbers.kinds import BoundedFloat, ProvedDecimal
from gops_exact.numbers.table import Table, in_short
from gops_exact.show.explorer import _value
from gops_exact.show.tablebase import number as served
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.floats.forecast import float_outcomes
from gops_exact.solvers.solution import FloatOutcomes
from gops_exact.solvers.strategy import FirstMoves, Strategy

BATCH = 100
"""Numbers of a table."""

LEAST = Fraction("2.3e-308")
"""More than the least radius that is written."""

ANY_DIGITS = 0, 1, 4, 12, 15, 17, 40


def random_float(rng: Random) -> float:
    """A float of any size, or one with few digits."""
    size = 10.0 ** rng.choice([0, 0, 0, 1, 2, -3, -12, -300, 15, 300])
    return rng.choice([rng.uniform(-size, size), rng.randint(-999, 999) / 64, rng.random(), 0.1])


def random_number(rng: Random) -> BoundedFloat:
    """A float with a radius: none, next to nothing, a usual one, or a large one."""
    value = random_float(rng)
    radius = rng.choice([0.0, ulp(value), 5e-324, 1.3243e-13, 10.0 ** rng.uniform(-20, 2)])
    return BoundedFloat(value, nextafter(radius, inf) if radius and rng.random() < 0.5 else radius)


def holds(text: str | float, radius: str | float | Fraction, number) -> bool:
    """Whether a decimal and a radius hold all that a number can be, and the radius is not too wide."""
    # What JSON and CSV hold is read as decimals here; floats are read in `holds_as_floats`.
    middle, off = Fraction(str(text)), Fraction(str(radius))
    least, most = (Fraction(int(end.p), int(end.q)) for end in number.bounds())
    needed = max(most - middle, middle - least)
    return needed <= off <= needed * Fraction(6, 5) + LEAST


def holds_as_floats(value: float, radius: float, number: BoundedFloat) -> bool:
    return value == number.value and radius >= number.radius


def each_alone(number: BoundedFloat, rng: Random) -> None:
    """Every way in which a single number is written."""
    digits = rng.choice(ANY_DIGITS)
    for count in (None, digits):
        for precision in (2, FLOAT_DIGITS):
            text, radius = number.with_radius(count, precision)
            assert holds(text, radius, number)
            assert count is None or text == number.decimal(count)
            assert holds(text, repr(float(radius)), number)
            assert holds(text, Fraction(float(radius)), number)
    answer = served(number)
    assert holds(answer["decimal"], answer["radius"], number)
    for text in (in_short(number, digits), within(number)):
        assert holds(*text.split(" ± "), number)
    # The page of a server reads floats.
    plain = json.loads(json.dumps(_value(number)))
    assert holds_as_floats(plain["value"], plain["radius"], number)


def each_ball(number: BoundedFloat, rng: Random) -> None:
    """A ball as a message has it, with a middle between floats and bounds beyond them."""
    with ctx.workprec(200):
        ball = arb(fmpq(*number.value.as_integer_ratio())) + arb(0, number.radius)
        decimal = ProvedDecimal(ball / 3 * arb(10) ** rng.choice([0, 0, 400, -400]), 0)
    text, radius = within(decimal).split(" ± ")
    assert holds(text, radius, decimal)
    assert within(gx.view("1/3")) == "1/3"


def each_table(numbers: list[BoundedFloat], rng: Random) -> None:
    """A list of numbers in all formats of a table."""
    digits = rng.choice(ANY_DIGITS)
    rows = [((place,), [number]) for place, number in enumerate(numbers)]
    table = Table("Numbers", ("line",), rows, digits=digits)
    lines = {
        "text": [line.split() for line in "".join(table.text()).splitlines()[3:]],
        "markdown": [line.split(" | ") for line in table.markdown().splitlines()[4:]],
        "html": [row[0:] for row in Cells(table.html()).texts()[1:]],
    }
    for found in lines.values():
        assert len(found) == len(numbers)
        for (_, text, radius), number in zip(found, numbers, strict=True):
            assert holds(text, radius.strip(" |"), number)
    grid = Table("Numbers", ("line",), rows, heads=("number",), digits=digits)
    for shown in (table, grid):
        for row, number in zip(Cells(shown.html()).rows[1:], numbers, strict=True):
            assert holds(*row[1][0]["title"].split(" ± "), number)
        frame = shown.frame()
        written = list(csv.DictReader(io.StringIO(frame.to_csv())))
        document = json.loads(json.dumps(shown.document()))["numbers"]
        for number, *forms in zip(
            numbers, written, document, frame.to_dict("records"), strict=True
        ):
            for form in forms:
                assert holds(form["float"], form["radius"], number)
                assert holds_as_floats(float(form["float"]), float(form["radius"]), number)
    # Without a radius a decimal is the float rounded.
    for text, number in zip(
        re.findall(r"& (\S+) \\\\", table.latex())[-len(numbers) :], numbers, strict=True
    ):
        assert text == ("0" if number.is_zero else number.decimal(4))


def each_first_move(numbers: list[BoundedFloat], rng: Random) -> None:
    """First moves in every format of floats, whatever the numbers."""
    cards, digits = range(1, 6), rng.choice(ANY_DIGITS)
    sizes = (BoundedFloat(abs(number.value), number.radius) for number in cycle(numbers))
    columns = {upcard: dict(zip(cards, sizes, strict=False)) for upcard in cards}
    moves = FirstMoves(
        5, {upcard: Strategy(each) for upcard, each in columns.items()}, arithmetic=Float()
    )
    *_, note = lines = "".join(moves.emit("decimals", digits)).splitlines()
    told = re.search(r"To (\d+) digits .* is within (\S+) of .*, in full within (\S+);", note)
    if told is None:
        assert note == "Every probability shown is exact."
    rounded, full = map(Fraction, told.groups()[1:] if told else ("0", "0"))
    for upcard, column in columns.items():
        for card, number in column.items():
            least, most = (Fraction(int(end.p), int(end.q)) for end in number.bounds())
            for text, radius in (
                (lines[3 + card].split()[upcard], rounded),
                (repr(number.value), full),
            ):
                assert Fraction(text) - radius <= least <= most <= Fraction(text) + radius


def each_document(rng: Random) -> None:
    """First moves in documents, which hold floats and are read back as such."""
    cards = range(1, 6)
    columns = {
        upcard: Strategy(
            {card: BoundedFloat(rng.random(), rng.choice([0.0, rng.random()])) for card in cards}
        )
        for upcard in cards
    }
    moves = FirstMoves(5, columns, arithmetic=Float())
    for document in (read_document(moves.emit("json")), read_table(moves.emit("csv"))):
        for column, strategy in zip(document.columns, columns.values(), strict=True):
            for card, number in strategy.items():
                assert document.number(column, str(card)) == (mpq(number.value), mpq(number.radius))


def each_bound(number: BoundedFloat) -> None:
    """Bounds that stand alone."""
    found = FloatOutcomes(3, gx.Rules("win"), {1: 0.5}, number.radius)
    (note,) = found.table().notes
    bound = re.fullmatch(r"Either strategy falls short of optimal by at most (\S+)\.", note)[1]
    for text in (bound, upwards(number.radius)):
        assert (
            Fraction(number.radius)
            <= Fraction(text)
            <= Fraction(number.radius) * Fraction(6, 5) + LEAST
        )
    q = fmpq(*number.radius.as_integer_ratio())
    assert Fraction(str(in_digits(q, 3))) >= Fraction(number.radius)


def check(count: int, seed: int) -> None:
    """Send random numbers through every format."""
    rng = Random(seed)
    for start in range(0, count, BATCH):
        numbers = [random_number(rng) for _ in range(min(BATCH, count - start))]
        for number in numbers:
            each_alone(number, rng)
            each_ball(number, rng)
            each_bound(number)
        each_table(numbers, rng)
        each_first_move(numbers, rng)
        each_document(rng)


def test_texts_and_radii_hold_the_truth_in_every_format():
    check(3 * BATCH, seed=1)


def fractions_of(numbers) -> list[Fraction]:
    return [Fraction(str(number)) for number in numbers]


@pytest.mark.parametrize("digits", [4, 12])
def test_first_moves_shown_are_within_the_radius_told(digits):
    exact = gx.first_move(5, store=":memory:")
    shown = gx.first_move(5, "float").emit("decimals", digits)
    radius = Fraction(re.search(r"within (\S+) of", shown)[1])
    for line in shown.splitlines()[4:9]:
        card, *cells = line.split()
        true = fractions_of(exact[upcard][int(card)] for upcard in exact)
        for one, two in zip(map(Fraction, cells), true, strict=True):
            assert abs(one - two) <= radius


def test_what_is_said_of_a_position_is_within_its_radii(capsys):
    name = "1.2.3.6.7_2.4.5.7.8_1.2.4.6.7@7"
    position = gx.Position.parse(name)
    exact = gx.solve(position)
    assert cli.main(["position", name, "--arithmetic", "float"]) == 0
    caption, *lines = capsys.readouterr().out.splitlines()
    value, radius = re.search(r"value (\S+) ± (\S+)", caption).groups()
    assert abs(Fraction(value) - Fraction(str(exact.value))) <= Fraction(radius)
    true = fractions_of((*exact.row.values(), *exact.column.values()))
    for (_, _, text, radius), chance in zip(map(str.split, lines[2:12]), true, strict=True):
        assert abs(Fraction(text) - chance) <= Fraction(radius)


@pytest.mark.parametrize("n", [3, 4])
def test_what_outcomes_lack_is_rounded_up(n, capsys):
    lacking = float_outcomes(gx.Game(n, gx.Rules("win"))).lacking
    assert cli.main(["outcomes", "-n", str(n), "--arithmetic", "float", "--emit", "csv"]) == 0
    for line in csv.DictReader(io.StringIO(capsys.readouterr().out)):
        assert Fraction(lacking) <= Fraction(line["lacking"]) <= Fraction(lacking) * Fraction(6, 5)


@pytest.mark.parametrize(
    ("number", "digits", "radius"),
    [("1/3", 50, "3.4e-51"), ("1e60/3", 2, "0.0034"), ("1e60/3", None, "1.7e+43"), ("1/8", 3, "0")],
)
def test_the_radius_of_an_exact_number_is_the_rounding_of_its_decimal(number, digits, radius):
    top, _, bottom = number.partition("/")
    assert (gx.view(top) / gx.view(bottom)).with_radius(digits)[1] == radius


def test_numbers_beyond_the_floats_are_in_every_format():
    game = gx.MatrixGame([["1e400", 0], [0, "-1e400"]])
    numbers = ["1" + "0" * 400, "0", "0", "-1" + "0" * 400]
    assert sorted(each["exact"] for each in game.document()["numbers"]) == sorted(numbers)
    frame = game.to_frame()
    assert [str(number) for number in frame["exact"]] == numbers
    assert list(frame["float"].isna()) == [True, False, False, True]
    lines = list(csv.DictReader(io.StringIO(game.emit("csv"))))
    assert [(line["exact"], line["float"]) for line in lines] == [
        *zip(numbers, ("", "0.0", "0.0", ""), strict=True)
    ]
    shades = [cell[0]["style"] for row in Cells(game._repr_html_()).rows[1:] for cell in row[1:]]
    assert ["0.750" in shade for shade in shades] == [True, False, False, True]
    assert game.table().floats().to_numpy().tolist() == [[inf, 0.0], [0.0, -inf]]


if __name__ == "__main__":
    check(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print(f"{sys.argv[1]} numbers: every text with its radius holds them")  # noqa: T201  # a script
