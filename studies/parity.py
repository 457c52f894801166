"""Bids at the highest upcard when the hands cannot tie: ``python studies/parity.py [MOST] [--out FILE]``.

Player one holds the odd cards 1, 3, …, 2N − 1, player two the even ones 2, 4, …, 2N, and the prizes are 1 … N. No two
bids are ever equal, so the rule for ties does not matter. Written as CSV: N, player, place of the card in the hand,
probability, radius.

With ``--dominance`` instead: by how much the best mixture of other bids dominates each bid of the whole game at upcard N
(negative: falls short of it), from exact numbers.

With ``--predict`` instead: the probability of N on N continued by a + b/N through the two games before of the same
parity, beside the probability computed, and the limit a; from results/float.
"""

import argparse
import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import gops_exact as gx

LEAST = 4

FLOATS = Path(__file__).parent.parent / "results/float"
KEPT = range(5, 16)
"""The games whose first moves are read, from the first with a choice among many cards."""


def without_ties(most: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "n,player,place,probability,radius\n"
    for n in range(LEAST, most + 1):
        odd, even = range(1, 2 * n, 2), range(2, 2 * n + 1, 2)
        solution = gx.solve(gx.Position(odd, even, range(1, n + 1), upcard=n), "float")
        for player, strategy in enumerate((solution.row, solution.column), start=1):
            for place, p in enumerate(strategy.values(), start=1):
                yield f"{n},{player},{place},{p.value!r},{p.radius!r}\n"


def dominance(most: int) -> Iterator[str]:
    """Yield a line for each bid at upcard n: the greatest least advantage of a mixture of other bids over it."""
    for n in range(3, most + 1):
        position = gx.Position.start(n).at(n)
        rows = gx.payoff_matrix(position, store=":memory:").to_numpy().tolist()
        for bid in range(n):
            others = [
                [x - y for x, y in zip(row, rows[bid], strict=True)]
                for i, row in enumerate(rows)
                if i != bid
            ]
            value = gx.solve_matrix_game(others).value
            yield f"n = {n}, bid {bid + 1} at upcard {n}: {value.decimal(6)}\n"


def predictions() -> Iterator[str]:
    """Yield a line for each game that two games of its parity precede, and for the next two."""
    known = {}
    for n in KEPT:
        with (FLOATS / f"first_moves_n{n}.csv").open(encoding="ascii") as file:
            (known[n],) = (
                float(row["probability"])
                for row in csv.DictReader(file)
                if row["upcard"] == row["card"] == str(n)
            )
    errors = []
    for n in range(KEPT.start + 6, KEPT.stop + 2):
        one, two = n - 4, n - 2
        b = (known[two] - known[one]) / (1 / two - 1 / one)
        a = known[two] - b / two
        said = f"N = {n}: {a + b / n:.4f}, limit {a:.3f}"
        if n in known:
            errors.append(abs(a + b / n - known[n]))
            yield f"{said}; computed {known[n]:.4f}\n"
        else:
            yield f"{said}; no error so far was above {max(errors[-4:]):.4f} (the last four)\n"


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description="bids where hands cannot tie")
    parser.add_argument("most", type=int, nargs="?", default=8)
    parser.add_argument("--dominance", action="store_true")
    parser.add_argument("--predict", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.predict:
        lines = predictions()
    else:
        lines = (dominance if options.dominance else without_ties)(options.most)
    if options.out is None:
        sys.stdout.writelines(lines)
    else:
        options.out.write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()
