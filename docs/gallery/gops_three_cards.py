"""GOPS with three cards: small enough to solve on a blackboard.

Both players hold 1, 2 and 3, and the prizes 1, 2 and 3 come up in random order. With the
2 turned up a player has to mix.
"""

import gops_exact as gx

moves = gx.first_move(3)
answer = moves[2][2]  # with the prize 2 turned up, the probability of bidding the 2

# One of the positions that can follow: 1 and 3 against 2 and 3, for the prizes 1 and 3, with the 3 turned up.
position = gx.Position([1, 3], [2, 3], [1, 3], upcard=3)
steps = gx.explain(position)

picture = gx.plots.first_moves_heatmap(moves)

if __name__ == "__main__":
    print(moves)
    print(steps)
    picture.savefig("gops_three_cards.png")
