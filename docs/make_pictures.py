"""Draw the pictures of the documentation: ``python docs/make_pictures.py``."""  # noqa: INP001  # a script, not part of a package

from pathlib import Path

import gops_exact as gx
from gops_exact.report.plots import first_moves_heatmap

FOLDER = Path(__file__).parent


def main() -> None:
    """Write every picture."""
    figure = first_moves_heatmap(gx.first_move(6, store=":memory:"))
    figure.savefig(FOLDER / "first_moves_n6.png", dpi=160)


if __name__ == "__main__":
    main()
