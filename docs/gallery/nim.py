"""Nim with the piles 3, 4 and 5: whoever takes the last piece wins (Bouton 1901).

A move takes any number of pieces from one pile. Nothing is hidden, so each position is
either won or lost for the player who moves.
"""

import gops_exact as gx
from gops_exact.extensive import Move, Tree, value


def at(state):
    """Say what happens at a state: the piles in ascending order, and the player who moves."""
    piles, player = state
    if not any(piles):
        return -1 if player == 1 else 1
    later = {
        (pile, left): (tuple(sorted((*piles[:i], left, *piles[i + 1 :]))), 3 - player)
        for i, pile in enumerate(piles)
        for left in range(pile)
    }
    return Move(player, later)


# The position is lost exactly if the sum of the piles in binary, without carrying, is 0.
solved = gx.solve_game(Tree(((3, 4, 5), 1), at))
answer = solved.value
first = solved.row[(3, 4, 5), 1]  # the winning move: (pile, what is left of it)

# Two piles of up to seven pieces: blue where player one, who moves, wins.
table = [[value(Tree((tuple(sorted((a, b))), 1), at)) for b in range(8)] for a in range(8)]
sizes = [str(size) for size in range(8)]
picture = gx.plots.payoffs_heatmap(gx.MatrixGame(table, sizes, sizes, "Nim with two piles"))
picture.axes[0].set(xlabel="one pile", ylabel="the other pile")

if __name__ == "__main__":
    print(f"value {answer}, first move {first}")
    picture.savefig("nim.png")
