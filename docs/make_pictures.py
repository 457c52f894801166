"""Draw the pictures of the documentation from results/: ``python docs/make_pictures.py``."""  # noqa: INP001  # a script, not part of a package

import csv
from io import BytesIO
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

import gops_exact as gx
from gops_exact.commands.files import read_file
from gops_exact.report import plots
from gops_exact.report.bounds import BoundedTable, bounded

FOLDER = Path(__file__).parent / "pictures"
RESULTS = Path(__file__).parent.parent / "results"

LAST_EXACT, LAST = 6, 14
"""Exact first moves are kept up to so many cards, floats up to so many."""

DPI, COLOURS = 110, 256


def main() -> None:
    """Write every picture."""
    tables = [first_moves(n) for n in range(1, LAST + 1)]
    for table in tables:
        write(f"first_moves_n{table.n}", plots.first_moves_heatmap(table))
    write("supports", plots.supports(tables))
    write("highest_upcard", plots.highest_upcard(tables[4:]))
    write("digit_growth", plots.digit_growth({n: longest(n) for n in growth_known()}))
    position = ([1, 3, 5, 6, 7], [1, 2, 4, 6, 7], [1, 2, 4, 6, 7])
    solution = gx.solve(*position, upcard=4, store=":memory:")
    gains = gx.bid_gains(*position, upcard=4, store=":memory:")
    write("bid_gains", plots.bid_gains(solution, gains))


def write(name: str, figure: Figure) -> None:
    """One picture, with few colours and nothing in it that changes from run to run."""
    FOLDER.mkdir(exist_ok=True)
    drawn = BytesIO()
    figure.savefig(drawn, dpi=DPI, metadata={"Software": None})
    image = Image.open(drawn).convert("RGB").quantize(COLOURS, kmeans=3)
    image.save(FOLDER / f"{name}.png", optimize=True)


def first_moves(n: int) -> BoundedTable:
    """The first moves that results/ keeps."""
    exact = RESULTS / f"exact/first_moves_n{n}.json"
    return bounded(read_file(exact if n <= LAST_EXACT else RESULTS / f"float/first_moves_n{n}.csv"))


def growth_known() -> list[int]:
    """The games of which results/ keeps the growth."""
    return sorted(
        int(path.stem.removeprefix("growth_n")) for path in RESULTS.glob("exact/growth_*")
    )


def longest(n: int) -> list[tuple[int, int]]:
    """(cards a side, digits of the longest denominator) of each layer."""
    with (RESULTS / f"exact/growth_n{n}.csv").open(encoding="ascii", newline="") as file:
        return [
            (int(row["cards_a_side"]), int(row["most_digits"]))
            for row in csv.DictReader(file)
            if row["most_digits"]
        ]


if __name__ == "__main__":
    main()
