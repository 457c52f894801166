"""Colonel Blotto: six soldiers against five on three fields (Borel 1921).

Both colonels spread their soldiers, and the larger force wins a field. The payoff is the
number of fields that player one wins less those that player two wins.
"""

from itertools import product

import numpy as np

import gops_exact as gx

FIELDS, SOLDIERS = 3, (6, 5)


def ways(soldiers):
    """List the ways to spread soldiers over the fields, an array of shape (ways, fields)."""
    spread = product(range(soldiers + 1), repeat=FIELDS)
    return np.array([way for way in spread if sum(way) == soldiers])


one, two = map(ways, SOLDIERS)
payoff = np.sign(one[:, None] - two).sum(axis=2)
game = gx.MatrixGame(
    payoff,
    rows=[" ".join(map(str, way)) for way in one],
    columns=[" ".join(map(str, way)) for way in two],
    title="Colonel Blotto, 6 soldiers against 5 on 3 fields",
)
solved = gx.solve_matrix_game(game)
answer = solved.value

# Of a game with more than 20 rows the picture has those that are played.
picture = gx.plots.payoffs_heatmap(solved)

if __name__ == "__main__":
    print(solved.matrix())
    picture.savefig("blotto.png")
