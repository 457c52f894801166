"""Count the positions of a game to win that are won already: ``python studies/sure_wins.py N [RULES] [--check]``.

A line each for 2 to N cards: the positions with a sure win, and the games, positions with a prize turned up,
in which one is sure; each as a share of all. Up to 10 cards it takes a minute; docs/win.md has
the theorem and its proof.
``--layers`` prints CSV, a line for each number of cards that are left.
``--check`` solves all positions in balls besides, and compares: a value is exactly 1 or −1 where a player
is sure of a win, and proved to be neither elsewhere. That takes a minute for 7 cards.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.game.game import Game, PrizeState
from gops_exact.game.order_types import Layer
from gops_exact.game.rules import ORDERS, TIES, Prizes, Rules, State
from gops_exact.solvers.exact.ball import BallSystem
from gops_exact.solvers.exact.value_tables import Values

BITS = 128
"""Precision of the balls that are compared with; no undecided value is known within 0.002 of ±1."""

Points = NDArray[np.int32]


class SecurityLevels(NamedTuple):
    """The points that each player can be sure to win, less those lost, whatever the other does."""

    #: of player one, then of player two, by reference: h + 1 for pair h, −(h + 1) for it mirrored
    position: Points  # shape (2 H + 1,)
    games: list[Points]  # the same at each upcard


def security_levels(game: Game) -> Iterator[tuple[Prizes, int, Layer, SecurityLevels]]:
    """Yield (prizes left, pot, pairs of hands, guarantees), small prize sets first."""
    rules, top = game.rules, game.prizes
    left = rules.states(top)
    pots = {prizes: {state.pot for state in states} for prizes, states in left.items()}
    below: dict[tuple[Prizes, int], Points] = {}
    empty = np.zeros(2 * len(game.types[0]) + 1, dtype=np.int32)
    for prizes in sorted(pots, key=len):
        layer = game.types[len(prizes)]
        for pot in pots[prizes]:
            payoffs = []
            for draw in rules.draws(prizes):
                stake = draw.upcard + pot
                after = rules.after(State(pot=pot), draw.upcard, 0).pot
                won, tied = (below.get((draw.rest, q), empty) for q in (0, after))
                sides = [
                    np.where(sign == 0, tied[child], stake * sign + won[child])
                    for sign, child in (
                        (layer.sign, layer.child),
                        (-layer.sign.swapaxes(1, 2), -layer.child.swapaxes(1, 2)),
                    )
                ]
                payoffs.append(np.stack(sides))
            if rules.hidden:
                payoffs = [np.minimum.reduce(payoffs)]
            # The replier sees the bid.
            games = [_by_reference(*each.min(axis=3).max(axis=2)) for each in payoffs]
            position = np.minimum.reduce(games)
            below[prizes, pot] = position
            yield prizes, pot, layer, SecurityLevels(position, games)


def _by_reference(one: Points, two: Points) -> Points:
    return np.concatenate([[0], one, two[::-1]]).astype(np.int32)


def sure(points: Points, margin: int) -> NDArray[np.int8]:
    """Return 1, −1 or 0 for each pair of hands at a margin: who is sure of a win."""
    count = len(points) // 2
    one, two = points[1 : count + 1] + margin, points[:count:-1] - margin
    signs: NDArray[np.int8] = (one > 0).astype(np.int8) - (two > 0).astype(np.int8)
    return signs


def shares(game: Game) -> dict[int, Counter[str]]:
    """Count positions, those with a sure win, games, and those with a sure win, by cards left, below the whole game."""
    margins = game.rules.states(game.prizes)
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for prizes, pot, layer, levels in security_levels(game):
        if len(prizes) == game.n:
            continue
        for state in margins[prizes]:
            if state.pot != pot:
                continue
            found = counts[len(prizes)]
            found["positions"] += len(layer)
            found["positions won"] += np.count_nonzero(sure(levels.position, state.margin))
            found["games"] += len(layer) * len(levels.games)
            for points in levels.games:
                found["games won"] += np.count_nonzero(sure(points, state.margin))
    return counts


def check(game: Game) -> int:
    """Compare every position below the whole game with its value in balls; return how many there are."""
    values = Values(game.types, game.rules, BallSystem(BITS))
    values.sweep(game.stage_games.values())
    margins = game.rules.states(game.prizes)
    count = 0
    for prizes, pot, layer, levels in security_levels(game):
        if len(prizes) == game.n:
            continue
        for state in margins[prizes]:
            if state.pot != pot:
                continue
            balls = values[PrizeState(prizes, state)].balls
            expected = sure(levels.position, state.margin).tolist()
            for h, (ball, sign) in enumerate(zip(balls, expected, strict=True)):
                if not (ball == sign if sign else -1 < ball < 1):
                    raise SystemExit(
                        f"{layer.interleavings()[h]} {prizes} {state}: {ball}, expected {sign}"
                    )
            count += len(balls)
    return count


def main() -> None:
    """Print a line for each number of cards."""
    parser = argparse.ArgumentParser(description="count positions that are won already")
    parser.add_argument("n", type=int)
    parser.add_argument("--ties", choices=TIES, default=TIES[0])
    parser.add_argument("--prizes", choices=ORDERS, default=ORDERS[0])
    parser.add_argument("--layers", action="store_true", help="CSV, by cards left")
    parser.add_argument("--check", action="store_true", help="compare with values in balls")
    given = parser.parse_args()
    rules = Rules("win", given.ties, given.prizes)
    heads = "n,cards left,positions,positions won,games,games won"
    print(
        heads if given.layers else "cards, positions, share won already, games, share won already"
    )
    for n in range(2, given.n + 1):
        game = Game(n, rules)
        layers = shares(game)
        if given.layers:
            for size, found in sorted(layers.items()):
                print(n, size, *(found[name] for name in heads.split(",")[2:]), sep=",", flush=True)
            continue
        total = sum(layers.values(), Counter[str]())
        print(n, end="")
        for name in ("positions", "games"):
            print(f" {total[name]} {total[f'{name} won'] / total[name]:.4f}", end="")
        print(f", {check(game)} compared" if given.check else "", flush=True)


if __name__ == "__main__":
    main()
