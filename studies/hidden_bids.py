"""What it is worth to see the bids: the table of docs/hidden_bids.md.

    python studies/hidden_bids.py [MOST_CARDS [LEAST_CARDS]]

For each game the exact value for player one if she alone sees the other's bids, and what the equilibrium of the game
with hidden bids loses if the opponent sees them.
"""

import sys
from itertools import product

from gops_exact import Game, Rules
from gops_exact.extensive import HiddenBids, security_level, solve_game
from gops_exact.numbers.exact import BigRational

LONGEST = 24
"""Characters of a fraction that is shown."""


def shown(number: BigRational) -> str:
    """Write a number, and as a fraction where that is short."""
    text = str(number)
    return (
        text
        if len(text) < 3
        else f"{number.decimal(5)}{f' = {text}' if len(text) <= LONGEST else ''}"
    )


def main() -> None:
    """Print the table."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    least = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print(
        "| cards | prizes | objective | value of seeing | loss when seen |\n|---|---|---|---|---|"
    )
    for n, prizes, objective in product(
        range(least, most + 1), ("descending", "ascending", "random"), ("points", "win")
    ):
        if n > 4 and prizes == "random":
            continue  # 1.7 million leaves
        game = Game(n, Rules(objective, prizes=prizes))
        value = solve_game(HiddenBids(game, (True, False))).value
        loss = -security_level(HiddenBids(game, (False, True)), solve_game(HiddenBids(game)).row)
        print(f"| {n} | {prizes} | {objective} | {shown(value)} | {shown(loss)} |", flush=True)


if __name__ == "__main__":
    main()
