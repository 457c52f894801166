"""Random games in which a play can reach a state twice, and long games in which none can.

Every bound is compared with two independent computations.
"""

from fractions import Fraction

from case_runner import Wrong
from games import check_game
from stochastic import best_reply_values, iterated_values, proved_values, recursion, stopping_game

import gops_exact as gx
from gops_exact.extensive import value

NEAR = 1e-10
"""What value iteration in floats may be off."""

MOST_LEVELS = 200


def loops_case(rng, _place):
    if rng.random() < 1 / 15:
        check_recursion(recursion(rng, rng.randint(1, MOST_LEVELS)))
    else:
        check_stopping_game(stopping_game(rng, rng.randint(1, 12), rng.randint(1, 4)))


def check_recursion(game):
    number, iterated = value(game, "float"), iterated_values(game)
    if number.radius > 1e-10 or abs(number.value - iterated[game.start]) > number.radius + NEAR:
        raise Wrong("a long game is solved wrong", str(number))


def check_stopping_game(game):
    solved, proved = gx.solve_game(game), proved_values(game)
    row, column = (
        best_reply_values(game, mix, k) for k, mix in ((1, solved.row), (2, solved.column))
    )
    alone = {game.start: (solved.least, solved.most)}  # where no state comes back
    for state, (least, most) in (solved.states or alone).items():
        low, high = least.to_fraction(), most.to_fraction()
        if state in proved and not (
            least.value <= proved[state].upper() and most.value >= proved[state].lower()
        ):
            raise Wrong("value iteration disagrees", f"{state}: {low} {proved[state]} {high}")
        if state in row and not low <= row[state] <= column[state] <= high:
            raise Wrong("a strategy does not guarantee its bound", str(state))
    if solved.exploitability > Fraction(1, 10**40):
        raise Wrong("bounds are far apart", str(solved.exploitability))
    if faults := check_game(solved.emit("json")).faults:
        raise Wrong("a true document is refused", *faults)
