"""Write docs/literature.md: numbers of the literature, from docs/literature.csv, beside those of this package.

    python tools/make_literature.py

The printed numbers stand in the table; ours are Python expressions in its column `ours`, evaluated here.
"""

import csv
import sys
from math import comb, factorial
from pathlib import Path

from gops_exact import Game, Position, Rules, first_move, players, value

sys.path.insert(0, str(Path(__file__).parents[1] / "studies"))
import pure_play  # a script's folder is no package
import ross  # same

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

INTRODUCTION = """\
# The literature

Here you can look up numbers that papers and programs print about the card game [GOPS](rules.md), beside those that this
package computes. N is the number of cards a side, and the *upcard* is the prize turned up. *Matching* is to bid the
card of the prize's rank; *the upcard plus one* is the player who bids one card more than the upcard. The pages on
[published tables](published_tables.md), [patterns](patterns.md), [Ross](ross.md), [players](players.md) and [other
solvers](peers.md) have the details.

| source | place | statement | printed | ours | verdict |
|---|---|---|---|---|---|
"""

THEOREM = """
## Decks with an equilibrium of pure strategies

Suppose that ties are discarded and that the order of the prizes is random or known. To *match* is to bid the card of
the prize's rank: the lowest card for the lowest prize, and so on. Matching is an equilibrium strategy, for points and
to win, if and only if every prize is at least the sum of the smaller ones. This condition holds for the prizes 0, 1, 2,
3 and for 1, 2, 3, but not for 1, 2, 3, 4.

*If the condition holds, no reply to matching gains anything.* The opponent bids each card once. So the map from each
prize's rank to the rank of the opponent's card is a permutation. Take a cycle of more than one card. On the largest
prize of the cycle the opponent's card is lower than the matching card, so the opponent loses this prize. The opponent
wins at most all other prizes of the cycle, and by the condition their sum is at most the largest prize.

*If the condition fails, some reply to matching gains.* Let p be a prize that is less than the sum of the smaller ones.
On each prize smaller than p the opponent bids the card one above the prize's rank, on p the lowest card, and on every
larger prize the card of its rank. So the opponent wins all smaller prizes, loses p, and ties on the larger prizes. The
gain is the sum of the smaller prizes less p.

In decks of two to four prizes, none above 5, no pure strategy is an equilibrium strategy if matching is not one. This
is the result of a computation over all these decks (`studies/pure_play.py`).

With four cards and the prizes 1 to 4, the best pure strategy loses at most two points on average, against any opponent.

In a deck in which matching is an equilibrium strategy, each prize is at least the sum of the smaller ones. So, in
ascending order, each further prize at least doubles the sum of the prizes, and such decks are rare. The table counts
decks of N different prizes:

| N | smallest such deck that begins with 0 | that begins with 1 | such decks of prizes up to 24 | all decks of prizes up to 24 |
|---|---|---|---|---|
"""

UNDECIDED = """
## What cannot be judged

For the game of five cards, Bošanský et al. print the number of histories (sequences of earlier bids) after which no
mixed bid is needed. They name neither the order of the prizes nor the objective. We tried all orders of the prizes 0 to
4 and of 1 to 5, for points and to win, with `saddle_points` of `studies/pure_play.py`. None gives the printed numbers.
The orders 4, 5, 3, 1, 2 and 4, 5, 3, 2, 1, played to win, come nearest: of 18,426 histories, two more need no mixed bid
than the printed numbers say.

The table at the top of this page has no number from the following sources:

| source | what it prints about this game | why it is not judged |
|---|---|---|
| Lanctot, Lisý & Winands 2014; Lisý, Lanctot & Bowling 2015 | how often tree searches win against each other, and how exploitable they are | these numbers depend on the time allowed for a move and on constants, and the programs are not published. OpenSpiel's search is measured exactly by `python studies/train.py --policy mcts` ([Policies of OpenSpiel](openspiel.md)) |
| Tak, Lanctot & Winands 2014 | how often searches that select moves in other ways win | these numbers, too, depend on the time allowed for a move and on constants |
| Dror & Kendall 2013 | a second tournament, of fourteen programs | we have a description of only one of the programs, 0108, which is measured exactly on [Players](players.md#rules-that-a-person-can-remember) |
| LiteEFG (Liu, Farina & Ozdaglar 2024) | ten seconds for 100,000 iterations of a learning algorithm | this is a time on another machine. The "Goofspiel" of LiteEFG has three cards and splits tied prizes, which for the difference in points is the same as discarding them |
| NashDreamer (Holeček & Lisý 2026) | how exploitable trained networks are; the scripts name games of three and four cards | we do not have the networks, and only the abstract was read. A table of such a policy could be measured exactly |
| Global PSRO (2026, arXiv:2605.28273) | how exploitable populations of trained policies are, in several games | only the abstract was read; that Goofspiel is among the games was not checked |
| Strategist (Light et al. 2024, arXiv:2408.10635) | how well searches play whose evaluation functions a language model wrote | we do not have the functions and their games; that the game has six cards, with ties carried over, was not checked |
| OpenSpiel (Lanctot et al. 2019) | utilities and sizes of tensors, in its playthroughs | these describe the program, and say nothing on how to play. `gops-exact review` reads the games of the playthroughs |
| Kerr, a thesis at the University of Washington (web page) | rules with tied prizes split, and a sample round | only the beginning of the page was read, and it has no number to judge |

## Two games of one name

Papers on learning often say that the players of Goofspiel observe who won a prize but not what was bid. OpenSpiel calls
this game `imp_info`; here it is called [hidden bids](hidden_bids.md). In the game of Ross (1970), and in the default
rules of this package, bids are shown after each round.
"""


def agreeing(source: str) -> int:
    """Count the entries of a published table that are right."""
    with (ROOT / "results/published_tables.csv").open(encoding="utf-8") as file:
        return sum(
            row["source"] == source and row["verdict"] == "agrees" for row in csv.DictReader(file)
        )


def right_of_six_cards() -> int:
    """Count the entries of the first moves of six cards, as the notebook of goofspiel-solver prints them, that are right."""
    printed = (
        (0.165, 0.5774, 0.2576, 0, 0, 0),
        (0, 0.3253, 0.1814, 0.4933, 0, 0),
        (0.0655, 0.1314, 0.17, 0.2907, 0.3424, 0),
        (0.098, 0.0458, 0.1734, 0, 0.6081, 0.0746),
        (0.0273, 0.0865, 0, 0.3461, 0.0202, 0.52),
        (0, 0.1383, 0.0062, 0, 0, 0.8554),
    )
    moves = first_move(6, store=":memory:")
    return sum(
        round(float(moves[upcard][card]), 4) == entry
        for upcard, column in enumerate(printed, start=1)
        for card, entry in enumerate(column, start=1)
    )


def yes(holds: bool) -> str:
    """Return a truth value as a word."""
    return "yes" if holds else "no"


def pure(rules: Rules) -> str:
    """List the histories of 5 cards, round by round, whose next bids have a saddle point."""
    return ", ".join(f"{count:,}" for count, _ in pure_play.saddle_points(Game(5, rules)))


def won(prizes: range) -> str:
    """Return how often matching wins against random play, in per cent."""
    cards = range(1, len(prizes) + 1)
    margins = ross.matching_distribution(cards, cards, prizes)
    return f"{float(sum(chance for margin, chance in margins.items() if margin > 0)) * 100:.1f}"


def decks() -> str:
    """Return the lines of the table of decks of distinct prizes in which matching is optimal."""
    lines, optimal = [], [(card,) for card in range(25)]
    for n in range(2, 9):
        named = []
        for least in (0, 1):
            deck = [least]
            while len(deck) < n:
                deck.append(max(deck[-1] + 1, sum(deck)))
            named.append(", ".join(map(str, deck)))
        # Such a deck without its largest prize is one, too.
        longer = [(*deck, card) for deck in optimal for card in range(deck[-1] + 1, 25)]
        optimal = [deck for deck in longer if pure_play.matching_is_optimal(deck)]
        lines.append(f"| {n} | {' | '.join(named)} | {len(optimal):,} | {comb(25, n):,} |\n")
    return "".join(lines)


def won_by(player: str, opponent: str) -> str:
    """Return how many of 1,000 games of 13 cards a player wins, in per cent."""
    games = players.match(player, opponent, Game(13), games=1000, seed=1)
    wins = sum(own > other for own, other in map(players.points, games))
    return f"{100 * wins / len(games):.1f}"


def measured(name: str, opponent: str) -> str:
    """Return what a policy gains against an opponent, from a table in results/players."""
    with (ROOT / "results/players" / name).open(encoding="utf-8") as file:
        (gain,) = (
            float(row["decimal"]) for row in csv.DictReader(file) if row["against"] == opponent
        )
    return f"{-gain:.4f}"


def page() -> str:
    """Return the text of the page."""
    names: dict[str, object] = {
        each.__name__: each
        for each in (Game, Position, Rules, first_move, value, agreeing, factorial, measured, pure)
    }
    names |= {each.__name__: each for each in (right_of_six_cards, won, won_by, yes)}
    names |= {"players": players, "pure_play": pure_play, "ross": ross}
    lines = []
    with (DOCS / "literature.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row["ours"] = str(eval(row["ours"], names))  # noqa: S307  # our own
            lines.append(f"| {' | '.join(row.values())} |\n")
    return INTRODUCTION + "".join(lines) + THEOREM + decks() + UNDECIDED


if __name__ == "__main__":
    (DOCS / "literature.md").write_text(page(), encoding="utf-8")
