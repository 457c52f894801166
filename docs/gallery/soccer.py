"""Soccer on a field of 2 by 4, after Littman (1994): a game in which a play can reach a state twice.

Both players choose a step at once and move in random order. Who walks into the other loses
the ball. A goal counts 1, and after each step the game stops with probability 1/10.
"""

from itertools import product

import gops_exact as gx
from gops_exact.extensive import Chance, Simultaneous, Tree, value

ROWS, COLUMNS = 2, 4
STEPS = {"stand": (0, 0), "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
START = ((0, 1), (0, 3), 0)  # where player one and player two are, and who has the ball


def moved(state, player, step):
    """Return the state after a player's step, or player one's gain if that is a goal."""
    if isinstance(state, int):
        return state
    places, ball = list(state[:2]), state[2]
    row, column = (a + b for a, b in zip(places[player], STEPS[step], strict=True))
    if ball == player and column in (-1, COLUMNS):
        return 1 if column == COLUMNS else -1
    if not (0 <= row < ROWS and 0 <= column < COLUMNS):
        return state
    if (row, column) == places[1 - player]:
        return (*places, 1 - player)
    places[player] = row, column
    return (*places, ball)


def at(state):
    """Say what happens at a state; one of two entries has the steps that both have chosen."""
    if isinstance(state, int):
        return state
    if len(state) == 3:
        return Simultaneous({steps: (state, steps) for steps in product(STEPS, repeat=2)})
    (before, steps), chances = state, {0: 2}
    for first in (0, 1):
        then = moved(moved(before, first, steps[first]), 1 - first, steps[1 - first])
        chances[then] = chances.get(then, 0) + 9
    return Chance({then: f"{chance}/20" for then, chance in chances.items()})


answer = value(Tree(START, at), gx.Ball(20))  # 20 digits, each proved
mixes = gx.solve_game(Tree(START, at))  # strategies that nearly guarantee it, with proved bounds

picture = gx.plots.Picture(figsize=(6, 3.5), layout="constrained")
axes = picture.subplots()
for shift, name, mix in ((-0.2, "with the ball", mixes.row), (0.2, "without", mixes.column)):
    heights = [float(mix[START].get(step, 0)) for step in STEPS]
    axes.bar([x + shift for x in range(len(STEPS))], heights, width=0.4, label=name)
axes.set(title=f"Soccer: the first step; value {answer:.6f}", xticks=range(len(STEPS)))
axes.set_xticklabels(STEPS)
axes.legend()

if __name__ == "__main__":
    print(answer)
    picture.savefig("soccer.png")
