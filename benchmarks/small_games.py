"""Single exact matrix games of few bids, in this checkout and in another, in turns.

    python benchmarks/small_games.py OTHER [ROUNDS]

Games of the literature and of entries −1, 0 and 1, by name. A process of each side solves every game so often that it takes a
tenth of a second, and takes the least core time of a solution; then the other side does so. For each game the medians, and the median
of the rounds' ratios. `benchmarks/peers.py` times the same games beside other packages.

The bar is the greatest ratio that a game may have.
"""

import subprocess
import sys
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent.parent

PROGRAM = """
import random, time
import gops_exact as gx
from flint import fmpq
from gops_exact import known_games as known
rng = random.Random(1)
games = {
    f"-1, 0, 1: {n} bids": [[fmpq(rng.randint(-1, 1)) for _ in range(n)] for _ in range(n)]
    for n in (10, 20, 40, 60, 100)
}
games |= {
    name: game.numbers.rows
    for name, game in {
        "rock, paper, scissors": known.biased_rock_paper_scissors(),
        "Morra, 3 fingers": known.morra(3),
        "Morra, 5 fingers": known.morra(5),
        "Blotto 5, 3": known.blotto(5, 3),
        "101 weapons": known.rock_paper_scissors(101),
        "Hilbert 20": known.hilbert(20),
        "Pascal 20": known.pascal(20),
    }.items()
}
for name, game in games.items():
    value, times = gx.solve_matrix_game(game).value, []
    while not times or (sum(times) < 0.1 and len(times) < 200):
        start = time.thread_time()
        gx.solve_matrix_game(game)
        times.append(time.thread_time() - start)
    print(name, min(times), value, sep="|")
"""

BARS = {
    "Hilbert 20": 0.3,
    "Pascal 20": 0.3,
    "-1, 0, 1: 100 bids": 1.05,
    "rock, paper, scissors": 1.0,  # has three bids: its simplex is the one of before
}
"""The greatest ratio of a game; of others it is MOST."""

MOST = 0.8


def run(side: Path) -> dict[str, tuple[float, str]]:
    """Seconds and value of each game."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=True,
        cwd=side,
        env={"PYTHONPATH": str(side)},
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = (line.split("|") for line in ran.stdout.splitlines())
    return {name: (float(seconds), value) for name, seconds, value in lines}


def main() -> None:
    """Print a line for each game, and what falls short."""
    other, rounds = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    pairs = [(run(HERE), run(other)) for _ in range(rounds)]
    short = []
    for name in pairs[0][0]:
        here, there = ([side[name][0] for side in sides] for sides in zip(*pairs, strict=True))
        ratio = median(one / two for one, two in zip(here, there, strict=True))
        same = len({side[name][1] for pair in pairs for side in pair}) == 1
        print(
            f"{name:22} {median(here) * 1e6:8.0f} µs here, {median(there) * 1e6:8.0f} there, ratio {ratio:.2f}",
            flush=True,
        )
        bar = BARS.get(name, MOST)
        if ratio > bar or not same:
            short.append(
                f"{name}: ratio {ratio:.2f}, at most {bar}; {'same' if same else 'other'} value"
            )
    if short:
        raise SystemExit("\n".join(short))


if __name__ == "__main__":
    main()
