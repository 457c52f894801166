"""Write docs/patterns_by_rules.md: the patterns of first moves under every rule set, from results/.

python tools/make_patterns.py
"""

import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from flint import fmpq

import gops_exact as gx
from gops_exact.base.documents import PLAIN, read_moves, read_text

sys.path.insert(0, str(Path(__file__).parents[1] / "studies"))
from first_moves import ZERO, BoundedTable, bounded  # a script's folder is no package

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"

ORDERS = ("random", "descending", "ascending", "hidden")
RULES = [
    (objective, ties, prizes)
    for prizes in ORDERS
    for objective in ("points", "win")
    for ties in ("discard", "carryover")
]
CLAIMS = {
    "never just below": "at upcard N neither N − 1 nor N − 2 is bid",
    "even never one": "at upcard N, N even, no 1 is bid",
    "parity before other": "at upcard N a card up to N − 3 of the other parity is less likely than its neighbours",
    "parity below highest": "at upcard N the cards below N of N's parity are together likelier than the others below N",
    "parity together": "at each upcard the cards of its parity are together likelier than the others",
    "low bids have parity": "at upcards above 9 no card below half of it has the other parity",
    "not unimodal": "no column rises to one maximum and falls from there",
    "never one on low": "at upcards 1 and 2 no 1 is bid",
    "likeliest is next": "the likeliest bid is one above the upcard, at N excepted",
    "match falls": "N on N is less likely than in the game of one card less",
}
"""The claims that some rule set but the plain one has a case of."""

FROM = 5
"""The least number of cards that counts: with fewer there is next to no choice."""


TITLES = {
    "random": "Prizes at random",
    "descending": "Prizes descending: N comes first",
    "ascending": "Prizes ascending: 1 comes first",
    "hidden": "Prizes hidden until both have bid",
}

HEAD = """\
# Patterns by every rule set

Rhoads (2011) and Rhoads & Bartholdi (2012) describe [patterns in the first moves](patterns.md) of the card game
[GOPS](rules.md), played for points with ties discarded and prizes at random. Here you can look up which of these
patterns hold under each of the sixteen rule sets. A game is played for points or to win, ties are discarded or carried
over, and prizes come at random, hidden, or in one of two known orders.

N is the number of cards of a player, and the *upcard* is the prize turned up first. A card of N's *parity* is even if N
is even, and odd if N is odd. [Patterns](patterns.md) says what each name in the tables means, with one exception. The
new pattern `parity below highest` says: at upcard N, of the cards below N, those of N's parity are together likelier
than the others.

A cell says for which N, from five on, the pattern holds or fails. Each verdict is proved by exact numbers or by floats
with proved error bounds. The verdict is *open* if neither proves the pattern true or false, mostly because several
strategies are optimal. In a known order the first round has one upcard, and with hidden prizes it has none. So the
tables for these orders have fewer patterns.

```console
$ python results/make.py --only patterns        # results/patterns/: every pattern, every N, every rule set
$ python tools/make_patterns.py                  # this page
$ python studies/patterns.py --upto 9 --objective win --prizes descending   # a part of it
```
"""

PARITY = """
## The highest upcard

Each cell has three probabilities at upcard N, separated by dots: of bidding N, of bidding a lower card of N's parity,
and of bidding a lower card of the other parity. A dash means that the game was not computed. *Not proved* means that
floats do not determine the first move (`python studies/parity.py`).

In the games of the last column no two bids are equal: player one holds 1, 3, …, 2N − 1, and player two holds 2, 4, …,
2N. The column has the probabilities of player two, with his cards numbered from 1 to N.

"""

CONCLUSIONS = """
![Bids at the highest upcard, by parity, with and without ties](pictures/parity.png)

## What follows

**The number of cards bid is odd.** If an optimal first move is the only one, it bids an odd number of cards ([a
proof](method.md#first-moves)). So all N cards can be bid only if N is odd. In games for points with ties discarded and
prizes at random, this happens at upcard 4 in the game of 5 cards, at 7 with 9 cards and at 12 with 15 cards. Of the
{every} first moves in floats with prizes at random, {odd} are proved to bid an odd number of cards. In the others the
strategy is not proved, or is not the only optimal one.

**Equal bids make it possible that likely and unlikely cards alternate.** Let A(b, j) be what the bid b gains against
the bid j in the first round, plus the value of the rest of the game. If both players bid the same card, A(b, b) is 0
under every rule set, because the hands stay equal. Let p_j be the optimal probability of bidding j, and let the
neighbours b and b + 1 both be bid. The matrix game of the first round is worth 0, and so is the expected gain of each
card that is bid. Therefore

    (p_b + p_(b+1)) · A(b+1, b) = sum over other cards j of p_j · (A(b, j) − A(b+1, j)).

The neighbours enter this equation only by the sum of their probabilities. Take several consecutive cards that are all
bid. If an amount is added to the probability of every second of these cards, and subtracted from the probabilities of
the others, the sums of neighbours do not change. So equations of this kind do not determine the amount. If hands cannot
tie, the bids b and b + 1 have different results against only one card of the opponent. Then the equation contains one
probability in place of the sum.

The games of hands that cannot tie were computed for N = 4 … 9. In all of them, at upcard N, the probabilities of both
players rise steadily from the second card on (`results/patterns/no_ties.csv`), so neither parity is preferred.

**The rule for ties shapes the preference for N's parity, but does not cause it.** The pattern `parity below highest`
shows this. In games for points with ties carried over and prizes at random, the pattern fails at N = 9, 11 and 12. So
the tables for points, taken alone, suggest that discarded ties cause the pattern. But in games that are played to win
with ties carried over, the pattern holds for N = 5 … 10. There, from N = 7 on, the preference is even stronger than
with ties discarded.

**If ties are discarded, neither N − 1 nor N − 2 is bid at upcard N.** This is the pattern `never just below`. The
tables have it for prizes at random and in descending order. Wherever they decide it, it holds if ties are discarded,
and fails if ties are carried over. Where it fails, the card N − 2 is always bid. The card N − 1 is bid in only one of
these games: seven cards, played to win, with prizes at random.

**Dominance does not explain why N − 1 and N − 2 are never bid.** A bid is *dominated* if a mixture of others is better
against every reply. In the game for points with ties discarded, no mixture dominates the 4 or the 3 at upcard 5 with
five cards a side: the best mixture falls short by 2.26 points for the 4, and by 1.63 for the 3. Dominance explains some
cases in which the 1 is never bid: at upcard 4 with four cards, and at upcard 3 with three, the 1 is dominated (`python
studies/parity.py 5 --dominance`).

**At the other upcards there is no rule of parity.** The pattern `parity together` says that at each upcard the cards of
the upcard's parity are together likelier than the others. In all games of five or more cards computed with prizes at
random, the pattern fails at some upcard.

## As N grows

The probability of bidding N at upcard N, for points with ties discarded and prizes at random, is .8039, .7475, .7218,
.6935, .6702, .6610, .6396, .6334 for N = 8 … 15. It falls at each step, by more at the steps to N = 12 and 14 than at
those to N = 13 and 15.

To predict the probability of bidding N at upcard N, take the curve a + b/n through the computed probabilities for
n = N − 4 and n = N − 2 cards. At N = 12 … 15 the computed probability minus the predicted one is +.0031, +.0048, +.0063 and −.0037
(`python studies/parity.py --predict`).

The games of N = 16 and 17 have not been computed. **For them these curves predict** that N is bid at upcard N with
probability .617 ± .007 for N = 16, and .612 ± .007 for N = 17. The uncertainty of .007 is a little more than .0063, the
largest difference between a probability and its prediction for N = 12 … 15.

**We conjecture** that the probability of bidding N at upcard N has a positive limit as N grows. The curves a + b/n that
predict the probability for N = 12 … 17 have limits from .39 to .48. Curves a + b/n + c/n² have limits of up to .57. The
true limit may be one half, but the data do not settle the question.
"""


def name(rules: tuple[str, str, str]) -> str:
    """Return the name of a rule set's file."""
    return "patterns.csv" if rules == tuple(PLAIN.values()) else f"patterns/{'_'.join(rules)}.csv"


def spans(numbers: Iterable[int]) -> str:
    """Return numbers as ``5 … 9, 11``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        f"{run[0]} … {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs
    )


def verdicts(rules: tuple[str, str, str]) -> dict[str, dict[str, list[int]]]:
    """Return {pattern: {verdict: numbers of cards}}."""
    result: dict[str, dict[str, list[int]]] = {}
    with (RESULTS / name(rules)).open(encoding="ascii") as file:
        for row in csv.DictReader(file):
            if int(row["n"]) >= FROM:
                by = result.setdefault(row["pattern"], {})
                by.setdefault(row["verdict"], []).append(int(row["n"]))
    return result


def grid(prizes: str) -> str:
    """Return the table of all claims for one order of the prizes."""
    sets = [rules for rules in RULES if rules[2] == prizes]
    judged = {rules: verdicts(rules) for rules in sets}
    shown = [
        claim
        for claim in CLAIMS
        if any(
            {"holds", "fails", "undecided"} & judged[rules][claim].keys()
            for rules in sets
            if claim in judged[rules]
        )
    ]
    lines = [f"| | {' | '.join(f'{o}, {t}' for o, t, _ in sets)} |\n|---|{'---|' * len(sets)}\n"]
    for claim in shown:
        cells = []
        for rules in sets:
            by = judged[rules].get(claim, {})
            parts = [
                f"{word} {spans(by[verdict])}"
                for verdict, word in (("holds", "holds"), ("fails", "fails"), ("undecided", "open"))
                if verdict in by
            ]
            cells.append("; ".join(parts) or "–")
        lines.append(f"| `{claim}` | {' | '.join(cells)} |\n")
    return "".join(lines)


def first_moves(rules: gx.Rules, n: int) -> BoundedTable | None:
    """Return the kept floats of a game with prizes at random; None if there are none."""
    folder = {
        ("points", "discard"): "float/first_moves",
        ("win", "discard"): "win/first_moves",
        ("points", "carryover"): "rules/points_carryover_random",
        ("win", "carryover"): "rules/win_carryover_random",
    }[rules.objective, rules.ties]
    path = RESULTS / f"{folder}_n{n}.csv"
    words = {"objective": rules.objective, "ties": rules.ties, "prizes": "random"}
    return bounded(read_moves(read_text(path), words)) if path.exists() else None


NEAR = fmpq(1, 1000)
"""The widest bounds of a probability that is printed with three digits."""


def masses(table: BoundedTable) -> tuple[float, float, float]:
    """Return the probabilities at upcard n of n, of the lower cards of its parity, and of the other cards."""
    n = table.n
    same = sum((table.at(n, card) for card in range(n - 2, 0, -2)), ZERO)
    other = sum((table.at(n, card) for card in range(n - 1, 0, -2)), ZERO)
    return table.at(n, n).middle, same.middle, other.middle


def parity() -> str:
    """Return the table of the masses at upcard N."""
    sets = [
        gx.Rules(objective, ties)
        for objective in ("points", "win")
        for ties in ("discard", "carryover")
    ]
    heads = " | ".join(f"{rules.objective}, {rules.ties}" for rules in sets)
    lines = [f"| N | {heads} | hands that cannot tie |\n|---|---|---|---|---|---|\n"]
    control = no_ties()
    for n in range(7, 16):
        cells = []
        for rules in sets:
            table = first_moves(rules, n)
            if table is None:
                cells.append("–")
            elif table.at(n, n).most - table.at(n, n).least > NEAR:
                cells.append("not proved")
            else:
                cells.append(" · ".join(f"{p:.3f}" for p in masses(table)))
        cells.append(" · ".join(f"{p:.3f}" for p in control[n]) if n in control else "–")
        lines.append(f"| {n} | {' | '.join(cells)} |\n")
    return "".join(lines)


def no_ties() -> dict[int, tuple[float, float, float]]:
    """Return the same masses of the player with even cards against odd ones, by place in the hand."""
    masses: dict[int, list[float]] = {}
    with (RESULTS / "patterns/no_ties.csv").open(encoding="ascii") as file:
        for row in csv.DictReader(file):
            n, place, p = int(row["n"]), int(row["place"]), float(row["probability"])
            if row["player"] == "2":
                group = 0 if place == n else 1 if (n - place) % 2 == 0 else 2
                masses.setdefault(n, [0.0, 0.0, 0.0])[group] += p
    return {n: (top, same, other) for n, (top, same, other) in masses.items()}


def supports() -> tuple[int, int, int]:
    """Count the first moves in floats: all; those proved to bid an odd number of cards; an even one."""
    counts = [0, 0, 0]
    for objective in ("points", "win"):
        for ties in ("discard", "carryover"):
            for table in filter(
                None, (first_moves(gx.Rules(objective, ties), n) for n in range(1, 16))
            ):
                for column in table.columns:
                    bid = [p.positive for p in column]
                    counts[0] += 1
                    if None not in bid:
                        counts[1 if sum(map(bool, bid)) % 2 else 2] += 1
    every, odd, even = counts
    return every, odd, even


def page() -> Iterator[str]:
    """Yield the parts of the page."""
    every, odd, even = supports()
    if even:
        raise ValueError(f"{even} first moves bid an even number of cards, against the theorem")
    yield HEAD
    for order, title in TITLES.items():
        yield f"\n## {title}\n\n{grid(order)}"
    yield PARITY
    yield parity()
    yield CONCLUSIONS.format(every=every, odd=odd)


if __name__ == "__main__":
    (ROOT / "docs/patterns_by_rules.md").write_text("".join(page()), encoding="utf-8")
