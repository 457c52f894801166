"""Rounds a second of the training environments, between agents that bid at random.

    python benchmarks/environment.py [--n N] [--games G] [--arithmetic exact|float] [--folder DIR]

For each kind of environment G games are played first, so that values are kept, and then 9 times G games
more: core time of those, the agents' draws included, and the median of the nine.
"""

import argparse
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np

import gops_exact as gx
from gops_exact.exchange.environments import GopsParallelEnv

REPEATS = 9

KINDS: dict[str, dict[str, Any]] = {
    "two agents": {},
    "two agents, costs": {"costs": True},
    "one agent against random": {"opponent": "random"},
    "one agent against optimal": {"opponent": "optimal"},
    "one agent against optimal, costs": {"opponent": "optimal", "costs": True},
}


def play(env: GopsParallelEnv, games: int, rng: Random) -> float:
    """Play games and return the rounds a second of core time."""
    start = time.process_time()
    for _ in range(games):
        seen, _ = env.reset()
        while env.agents:
            masks = {agent: seen[agent]["action_mask"] for agent in env.agents}
            actions = {a: rng.choice(np.flatnonzero(mask)) for a, mask in masks.items()}
            seen, *_ = env.step(actions)
    return games * env.game.n / (time.process_time() - start)


def main() -> None:
    """Print a line for each kind of environment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=6)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--arithmetic", choices=("exact", "float"), default="exact")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    kind = gx.Float(given.folder) if given.folder else given.arithmetic
    print("rounds a second             first   median  least  most")
    for name, options in KINDS.items():
        env, rng = GopsParallelEnv(gx.Game(given.n), arithmetic=kind, **options), Random(1)
        env.reset(seed=1)
        first, *rates = (play(env, given.games, rng) for _ in range(1 + REPEATS))
        print(
            f"{name:32}  {first:6.0f}  {median(rates):6.0f}  {min(rates):6.0f}  {max(rates):6.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
