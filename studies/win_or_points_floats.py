"""First moves for a win against first moves for points, in floats, and a remark of 2012 worked out.

``python studies/win_or_points_floats.py 9 [FOLDER]``: games of so many cards, two to ten or so, or
more where FOLDER has the last layer of a run ``--n N --arithmetic float --objective win --folder
FOLDER``. Every value comes with a proved bound on its error, which is far below the digits printed.
"""

import sys
from collections import deque
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from gops_exact.game.game import Game
from gops_exact.game.rules import Rules, card_name
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.exact.lattice import FLOATS, ExactSystem, PayoffTable, games
from gops_exact.solvers.floats.sweep import first_move, float_layers

Matrix = NDArray[np.float64]

TINY = 1e-9
"""Far above the bounds on the values, far below the digits printed."""

WIN, POINTS = Rules("win"), Rules("points")


def main(n: int, folder: Path | None = None) -> None:
    """Compare the first moves of the game of n cards, and work out the remark at its highest prize."""
    known = {POINTS: first_moves(n, POINTS), WIN: first_moves(n, WIN, folder)}
    found = []
    for upcard in range(1, n + 1):
        (for_points, points), (for_win, wins) = (known[rules][upcard] for rules in (POINTS, WIN))
        apart = abs(for_points - for_win).sum() / 2
        in_wins, in_points = (for_points @ wins).min(), (for_win @ points).min()
        print(f"upcard {card_name(upcard)}: {apart:.4f} apart")
        print(f"  for points {shown(for_points)}; in wins {in_wins:.4f}")
        print(f"  for a win  {shown(for_win)}; in points {in_points:.4f}")
        found.append((apart, -in_wins, -in_points))
    for name, each in zip(("apart", "wins given away", "points"), np.transpose(found), strict=True):
        print(f"{name}: {each.min():.4f} to {each.max():.4f}, on average {each.mean():.4f}")
    remark(n, known[POINTS][n][0], known[WIN][n][1])


def first_moves(
    n: int, rules: Rules, folder: Path | None = None
) -> dict[int, tuple[Matrix, Matrix]]:
    """{upcard: the optimal first move, the payoff matrix}; the second in the units of the rules."""
    game = Game(n, rules)
    root = game.types[-1]
    (last,) = deque(float_layers(game, Float(folder)), maxlen=1)
    found = {}
    for stage in game.stage_games.values():
        first = first_move(root, stage, last)
        if not first.proved:
            print(f"  {rules.objective}, upcard {stage.upcard}: several first moves, or too close")
        (places,) = games(root)
        below = {
            state: SimpleNamespace(floats=last.values_of(*state).tolist())
            for state in stage.prize_states
        }
        table = PayoffTable(stage, root, below, ExactSystem()).payoffs(FLOATS)
        found[stage.upcard or 0] = (
            np.array(list(map(float, first.row))),
            np.array(table)[places],
        )
    bound = max(last.bound(prizes) for prizes in last.columns.sets)
    print(f"{rules.objective}: values off by at most {bound:.1g}")
    return found


def remark(n: int, for_points: Matrix, wins: Matrix) -> None:
    """The highest prize is up, one player bids as is best for points, the other the ace.

    Rhoads & Bartholdi (2012, section 5) name it as a weakness of playing for points, at n = 9.
    """
    print(f"\nupcard {card_name(n)}, the opponent of the player for points bids the ace;")
    print("then both play for a win. The opponent's wins less losses, by the player's card:")
    gains = -wins[:, 0]
    for card in np.flatnonzero(for_points):
        print(f"  {card_name(card + 1)} with {for_points[card]:.4f}: {gains[card]:.4f}")
    better = for_points[gains > TINY].sum()
    print(f"better off with {better:.4f}, on average {for_points @ gains:.4f}")
    replies = -for_points @ wins
    best = int(replies.argmax())
    print(f"the best reply is {card_name(best + 1)}: {replies[best]:.4f}")


def shown(strategy: Matrix) -> str:
    """The bids that are played."""
    pairs = enumerate(strategy, start=1)
    return " ".join(f"{card_name(card)}:{chance:.4f}" for card, chance in pairs if chance > 0)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9, *map(Path, sys.argv[2:3]))
