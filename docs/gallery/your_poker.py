"""A poker of your own: one card each from five, an ante of one chip, and one bet.

Player one bets or checks. After a bet player two calls or folds. Change DECK or BET and
see how often the worst card bluffs, and how often a bet is called.
"""

from fractions import Fraction
from itertools import permutations

import gops_exact as gx
from gops_exact.extensive import Chance, Move

DECK, ANTE, BET = range(1, 6), 1, 2


class Poker:
    """The game: where it starts, and what happens at a state, which is both cards and the moves so far."""

    start = ()
    title = f"one-card poker, bet {BET}"

    def at(self, state):
        """Say what happens at a state."""
        if not state:
            deals = list(permutations(DECK, 2))
            return Chance({deal: Fraction(1, len(deals)) for deal in deals})
        one, two, *moves = state
        better = 1 if one > two else -1
        match moves:
            case []:
                return Move(1, {m: (one, two, m) for m in ("bet", "check")}, knows=one)
            case ["bet"]:
                moves = {m: (one, two, "bet", m) for m in ("call", "fold")}
                return Move(2, moves, knows=two)
            case ["check"]:
                return ANTE * better
            case ["bet", "fold"]:
                return ANTE
            case _:
                return (ANTE + BET) * better


solved = gx.solve_game(Poker(), refined=True)
answer = solved.value
chances = {
    "player one bets": [float(solved.row[card].get("bet", 0)) for card in DECK],
    "player two calls": [float(solved.column[card].get("call", 0)) for card in DECK],
}

picture = gx.plots.Picture(figsize=(6, 3.5), layout="constrained")
axes = picture.subplots()
for shift, (name, bars) in zip((-0.2, 0.2), chances.items(), strict=True):
    axes.bar([card + shift for card in DECK], bars, width=0.4, label=name)
axes.set(title=f"{Poker.title}: value {answer}", xlabel="card", ylabel="probability")
axes.legend()

if __name__ == "__main__":
    print(solved)
    picture.savefig("your_poker.png")
