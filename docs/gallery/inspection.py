"""The inspection game: two inspections in seven days (Dresher 1962).

A smuggler may cross once. An inspection on that day is worth 1 to the inspector, a
crossing without one costs 1, and if nobody crosses nobody gains.
"""

from math import comb

import gops_exact as gx
from gops_exact.extensive import Simultaneous, Tree, value


def at(state):
    """Say what happens at a state: days and inspections left, or the inspector's gain when all is over."""
    if isinstance(state, int):
        return state
    days, left = state
    if days == 0:
        return 0
    moves = {
        ("wait", "cross"): -1,
        ("wait", "stay"): (days - 1, left),
        ("inspect", "cross"): 1,
        ("inspect", "stay"): (days - 1, left - 1),
    }
    return Simultaneous({pair: then for pair, then in moves.items() if left or pair[0] == "wait"})


solved = gx.solve_game(Tree((7, 2), at))
answer = solved.value
formula = -comb(6, 2) / sum(comb(7, i) for i in range(3))  # Dresher's, as a float

picture = gx.plots.Picture(figsize=(6, 3.5), layout="constrained")
axes = picture.subplots()
days = range(1, 15)
for left in (1, 2, 3):
    values = [float(value(Tree((day, left), at))) for day in days]
    axes.plot(days, values, "o-", label=f"{left} inspections")
axes.set(title="What inspections are worth", xlabel="days", ylabel="value for the inspector")
axes.legend()

if __name__ == "__main__":
    print(solved)
    picture.savefig("inspection.png")
