"""GOPS with five cards: what every bid is worth in the middle of a game.

Two rounds are over. Player one has 2, 4 and 5 left, player two 1, 4 and 5. The prizes 2,
3 and 4 are left, and the 4 is turned up.
"""

import gops_exact as gx

cards = [2, 4, 5], [1, 4, 5], [2, 3, 4]
position = gx.Position(*cards, upcard=4)
solved = gx.solve(position)
answer = solved.value
gains = gx.bid_gains(position)  # of each bid, against an opponent who plays optimally

# The same position when only the winner counts, and player one is a point behind.
behind = gx.Position(*cards, upcard=4, margin=-1, rules=gx.Rules("win"))
to_win = gx.solve(behind)

picture = gx.plots.bid_gains(solved, gains)

if __name__ == "__main__":
    print(solved)
    print(to_win)
    picture.savefig("gops_five_cards.png")
