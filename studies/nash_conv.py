"""Core seconds of ``nash_conv``: OpenSpiel's in Python, OpenSpiel's in C++, and ours.

``python studies/nash_conv.py 3 random 4 random 4 ascending``: cards and order of the prizes. Each
number of cards and order is measured in a process of its own, so that memory is its own. OpenSpiel's two
take 70 to 90 seconds and up to 8 GB at five cards in random order; ``--ours`` leaves them out. With ``--hidden-bids``
nobody sees what the other bids (``imp_info``).
"""

import argparse
import resource
import subprocess
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

HEADER = "n,prizes,policy,program,nash_conv,seconds,peak_mib"


def main() -> None:
    """Print CSV."""
    parser = argparse.ArgumentParser(description="time nash_conv")
    parser.add_argument("games", nargs="+", help="cards and order of the prizes, in turn")
    parser.add_argument("--ours", action="store_true", help="without OpenSpiel's two")
    parser.add_argument("--sees", help="how much the policy looks at")
    parser.add_argument("--hidden-bids", action="store_true", help="bids are not shown")
    given = parser.parse_args()
    print(HEADER)
    for n, order in zip(given.games[::2], given.games[1::2], strict=True):
        for program in ("ours",) if given.ours else ("python", "c++", "ours"):
            words = [sys.executable, "-c", CHILD, n, order, program, given.sees or ""]
            words += ["hidden"] if given.hidden_bids else []
            subprocess.run(words, check=True)


CHILD = (
    "import sys; sys.path.insert(0, 'studies'); import nash_conv; nash_conv.measure(*sys.argv[1:])"
)


def measure(n: str, order: str, program: str, sees: str, *bids: str) -> None:
    """Print a line for each policy."""
    import pyspiel
    from open_spiel.python.algorithms import exploitability

    import gops_exact as gx
    from gops_exact.exchange.openspiel_games import goofspiel
    from gops_exact.exchange.openspiel_policies import nash_conv
    from gops_exact.game.rules import Rules

    game = goofspiel(gx.Game(int(n), Rules(prizes=order)), hidden="hidden" in bids)
    mccfr = pyspiel.ExternalSamplingMCCFRSolver(game, 1)
    for _ in range(100):
        mccfr.run_iteration()
    programs: dict[str, Callable[[Any], float]] = {
        "python": lambda policy: float(exploitability.nash_conv(game, policy)),
        "c++": lambda policy: float(pyspiel.nash_conv(game, policy, True)),  # by state
        "ours": lambda policy: float(nash_conv(game, policy, sees or None, states=10**9)),
    }
    policies = {"random": pyspiel.UniformRandomPolicy(game), "mccfr 100": mccfr.average_policy()}
    for name, policy in policies.items():
        begun = process_time()
        found = programs[program](policy)
        seconds = process_time() - begun
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{n},{order},{name},{program},{found!r},{seconds:.4f},{peak}", flush=True)


if __name__ == "__main__":
    main()
