"""Write docs/literature.md: numbers of the literature, from docs/literature.csv, beside those of this package.

    python docs/make_literature.py

The printed numbers stand in the table; ours are Python expressions in its column `ours`, evaluated here.
"""  # noqa: INP001  # a script, not part of a package

import csv
from math import factorial
from pathlib import Path

from gops_exact import Game, Rules, first_move, literature

HERE = Path(__file__).parent
ROOT = HERE.parent

INTRODUCTION = """\
# The literature

Numbers that papers and programs print about this game, and what this package finds. The page is made by
`python docs/make_literature.py` from `docs/literature.csv`, which holds the expression that computes each of our numbers
(`tests/test_literature.py` makes it again).
The pages on [published tables](published_tables.md), [patterns](patterns.md), [Ross](ross.md), [players](players.md) and
[other solvers](peers.md) have the details.

| source | place | statement | printed | ours | verdict |
|---|---|---|---|---|---|
"""

THEOREM = """
## Decks with an equilibrium of pure strategies

To bid the prize's rank is an equilibrium strategy, for points and to win, if ties are discarded and the order is
random or known, exactly if every prize is at least the sum of the smaller ones: of the prizes 0, 1, 2, 3, or 1, 2, 3, not of 1, 2, 3, 4. The replies to it are a permutation of the
cards. In each cycle of several cards the largest prize is lost by the one who replies, who wins the others at most. If a
prize is less than the sum of the smaller ones, whoever replies to each of those with the next card, and to that prize with
the lowest, gains the difference. Where it is no equilibrium strategy no pure strategy is one: this is computed for all decks
of two to four prizes up to 5 (`tests/test_pure.py`), not proved.

```python
>>> import gops_exact as gx
>>> gx.literature.matching_is_optimal((0, 1, 2, 3)), gx.literature.matching_is_optimal((1, 2, 3, 4))
(True, False)
>>> print(gx.literature.pure_guarantee(gx.Game(4)))  # points that the best pure strategy is sure of
-2
```

## What cannot be judged

The table of pure and mixed states of Bošanský et al. names neither the order nor the utilities. Of the 120 orders
of the prizes 0 to 4 and of 1 to 5, for points and to win, none gives its numbers by `gx.literature.saddle_points`. Two come
within two histories of 18,426: 4, 5, 3, 1, 2 and 4, 5, 3, 2, 1, to win.
"""


def agreeing(source: str) -> int:
    """Count the entries of a published table that are right."""
    with (ROOT / "results/published_tables.csv").open(encoding="utf-8") as file:
        return sum(
            row["source"] == source and row["verdict"] == "agrees" for row in csv.DictReader(file)
        )


def yes(holds: bool) -> str:
    """Return a truth value as a word."""
    return "yes" if holds else "no"


def pure(rules: Rules) -> str:
    """List the histories of 5 cards, round by round, whose next bids have a saddle point."""
    return ", ".join(f"{count:,}" for count, _ in literature.saddle_points(Game(5, rules)))


def won(prizes: range) -> str:
    """Return how often matching wins against random play, in per cent."""
    cards = range(1, len(prizes) + 1)
    margins = literature.matching_distribution(cards, cards, prizes)
    return f"{float(sum(chance for margin, chance in margins.items() if margin > 0)) * 100:.1f}"


def page() -> str:
    """Return the text of the page."""
    names = {
        each.__name__: each
        for each in (Game, Rules, first_move, agreeing, factorial, pure, won, yes)
    }
    lines = []
    with (HERE / "literature.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row["ours"] = str(eval(row["ours"], names | {"literature": literature}))  # noqa: S307  # our own
            lines.append(f"| {' | '.join(row.values())} |\n")
    return INTRODUCTION + "".join(lines) + THEOREM


if __name__ == "__main__":
    (HERE / "literature.md").write_text(page(), encoding="utf-8")
