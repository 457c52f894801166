"""GOPS with hidden bids, as in most papers on learning, for four cards.

Players see who won each prize, not what the other bid. The prizes come as 4, 3, 2, 1, and
only the winner of the game counts.
"""

import gops_exact as gx
from gops_exact.extensive import HiddenBids

rules = gx.Rules("win", prizes="descending")
game = HiddenBids(gx.Game(4, rules))
solved = gx.solve_game(game)
answer = solved.row["4"][4]  # at the first prize, the probability of bidding the highest card

# The first bids where the bids are seen, for comparison.
seen = gx.first_move(gx.Game(4, rules))[4]

picture = gx.plots.Picture(figsize=(6, 3.5), layout="constrained")
axes = picture.subplots()
for shift, name, bids in ((-0.2, "hidden", solved.row["4"]), (0.2, "seen", seen)):
    heights = [float(bids.get(card, 0)) for card in range(1, 5)]
    axes.bar([card + shift for card in range(1, 5)], heights, width=0.4, label=f"bids {name}")
axes.set(title="The first bid, for the prize 4", xlabel="card", ylabel="probability")
axes.set_xticks(range(1, 5))
axes.legend()

if __name__ == "__main__":
    print(solved.row["4"], seen)
    picture.savefig("hidden_bids.png")
