"""Morra with three fingers: both players show fingers and guess the sum; a guess that is right alone wins the sum.

Dresher (1961) solved this old game. It is fair, so the value is 0. Of the nine pure strategies the optimal ones play three, all of
which guess that the sum is 4.
"""

import gops_exact as gx

game = gx.known_games.morra(3)
solved = gx.solve_matrix_game(game)

# Optimal strategies need not be unique. This is all of them: the mixtures of the extreme ones.
everything = gx.optimal_set(game)
answer = everything.row[1][game.rows.index("1, says 4")]  # Dresher's 5/12, of the ratio 5 : 4 : 3

picture = gx.plots.payoffs_heatmap(solved, whole=False)

if __name__ == "__main__":
    print(solved.matrix())
    print(everything)
    picture.savefig("morra.png")
