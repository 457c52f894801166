"""How often players win, against the random player and others, by sampled games.

    python studies/against_random.py N GAMES FOLDER [OPPONENT]

The optimum, for points, plays from the float layers in FOLDER, which are made if they are not there (13 cards take 80
seconds and 1.3 GB). Printed are games won and drawn in per cent, and two standard errors of those won.
"""

import sys
from math import sqrt

from dror_kendall_rapoport import STRATEGIES
from round_robin import player as player_of

import gops_exact as gx
from gops_exact import players
from gops_exact.players.catalogue import MAKERS

OPTIMAL = "optimal"


def share_won(player: players.Policy, opponent: str, game: gx.Game, games: int) -> str:
    """Return a line on games of one player against another."""
    points = [
        players.points(rounds)
        for rounds in players.match(player, opponent, game, games=games, seed=1)
    ]
    won = sum(own > other for own, other in points) / games
    drawn = sum(own == other for own, other in points) / games
    error = 2 * sqrt(won * (1 - won) / games)
    return f"{player.name:20} {100 * won:6.2f} ± {100 * error:.2f}  {100 * drawn:6.2f}"


if __name__ == "__main__":
    n, games, folder, *rest = sys.argv[1:]
    game, opponent = gx.Game(int(n)), (rest or ["random"])[0]
    print(f"against {opponent}, {int(games):,} games of {n} cards")
    print(f"{'':20} {'won':>13}  {'drawn':>6}")
    for name in (*MAKERS, *STRATEGIES):
        arithmetic = gx.Float(folder) if name == OPTIMAL else "exact"
        player = player_of(name, game, arithmetic=arithmetic)
        print(share_won(player, opponent, game, int(games)), flush=True)
