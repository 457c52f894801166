"""Check a solved matrix game, python check_matrix_game.py solved.json: plain fractions, nothing to install."""

import json
import sys
from fractions import Fraction
from pathlib import Path


def check(game: dict[str, list]) -> str | None:
    """Return what is wrong with a solved game, None if it is proved."""
    payoff = [[Fraction(entry) for entry in line] for line in game["payoff"]]
    value = Fraction(game["value"])
    row = [Fraction(chance) for chance in game["row"]]
    column = [Fraction(chance) for chance in game["column"]]
    if len(row) != len(payoff) or any(len(column) != len(line) for line in payoff):
        return "a strategy has not one probability for each row or column"
    for strategy in (row, column):
        if min(strategy) < 0 or sum(strategy) != 1:
            return "a strategy is not a probability vector"
    # Whatever player two does, player one's strategy gains at least the value ...
    for j in range(len(column)):
        if sum(row[i] * payoff[i][j] for i in range(len(row))) < value:
            return f"player one gains less than the value against column {j + 1}"
    # ... and whatever player one does, player two's strategy pays no more.
    for i in range(len(row)):
        if sum(payoff[i][j] * column[j] for j in range(len(column))) > value:
            return f"player two pays more than the value against row {i + 1}"
    return None


if __name__ == "__main__":
    sys.set_int_max_str_digits(0)
    wrong = check(json.loads(Path(sys.argv[1]).read_text()))
    sys.exit(wrong or print("proved"))
