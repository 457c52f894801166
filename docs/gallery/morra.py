"""Morra, three fingers: show fingers and guess the sum of both players.

A guess that is right alone wins the sum. Of nine pure strategies optimal play uses three
(Dresher 1961), all of which guess four.
"""

import gops_exact as gx

game = gx.known_games.morra(3)
solved = gx.solve_matrix_game(game)

# Optimal strategies need not be unique. This is all of them: the mixtures of the extreme ones.
everything = gx.optimal_set(game)
answer = everything.row[1][game.rows.index("1, says 4")]  # Dresher's 5/12, of the ratio 5 : 4 : 3

picture = gx.plots.payoffs_heatmap(solved, whole=False)
picture.axes[0].tick_params(axis="x", rotation=30)

if __name__ == "__main__":
    print(solved.matrix())
    print(everything)
    picture.savefig("morra.png")
