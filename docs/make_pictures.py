"""Draw the pictures of the documentation from results/ and notebooks/: ``python docs/make_pictures.py``."""  # noqa: INP001  # a script, not part of a package

import csv
from base64 import b64decode
from pathlib import Path

import nbformat

import gops_exact as gx
from gops_exact.show import plots
from gops_exact.studies.bounds import BoundedTable, bounded
from gops_exact.verify.documents import read_file

FOLDER = Path(__file__).parent / "pictures"
RESULTS = Path(__file__).parent.parent / "results"
NOTEBOOKS = Path(__file__).parent.parent / "notebooks"

LAST_EXACT, LAST = 6, 14
"""Exact first moves are kept up to so many cards, floats up to so many."""

FROM_NOTEBOOKS = {"exploitability": ("05_opponents", 0), "lattice": ("06_how_it_works", 1)}
"""The notebook that a picture is kept in, and how many stand before it there."""

DPI = 110


def main() -> None:
    """Write every picture."""
    tables = [first_moves(n) for n in range(1, LAST + 1)]
    for table in tables:
        write(f"first_moves_n{table.n}", plots.first_moves_heatmap(table))
    write("supports", plots.supports(tables))
    write("highest_upcard", plots.highest_upcard(tables[4:]))
    write("digit_growth", plots.digit_growth({n: longest(n) for n in growth_known()}))
    position = gx.Position([1, 3, 5, 6, 7], [1, 2, 4, 6, 7], [1, 2, 4, 6, 7], upcard=4)
    solution = gx.solve(position, store=":memory:")
    gains = gx.bid_gains(position, store=":memory:")
    write("bid_gains", plots.bid_gains(solution, gains))
    write("payoffs", plots.payoffs_heatmap(gx.payoff_matrix(position, store=":memory:")))
    rules = gx.Rules(objective="win", ties="carryover")
    write("own_rules", plots.first_moves_heatmap(gx.first_move(5, rules=rules, store=":memory:")))
    for name, (notebook, place) in FROM_NOTEBOOKS.items():
        (FOLDER / f"{name}.png").write_bytes(shown(notebook)[place])


def write(name: str, picture: plots.Picture) -> None:
    """One picture."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.png").write_bytes(picture.png(DPI))


def first_moves(n: int) -> BoundedTable:
    """The first moves that results/ keeps."""
    exact = RESULTS / f"exact/first_moves_n{n}.json"
    return bounded(read_file(exact if n <= LAST_EXACT else RESULTS / f"float/first_moves_n{n}.csv"))


def shown(notebook: str) -> list[bytes]:
    """The pictures that a notebook is kept with."""
    kept = nbformat.read(NOTEBOOKS / f"{notebook}.ipynb", as_version=4)
    outputs = (output for cell in kept.cells for output in cell.get("outputs", []))
    found = (output.get("data", {}).get("image/png") for output in outputs)
    return [b64decode(picture) for picture in found if picture]


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
