"""Faults that the tester by traces has to find: how long does it take, and how short is the sequence?

    python tests/attack planted [--only TEXT] [--seconds 600] [--seed 0]

A line for each fault of ``planted.toml``: the calls of the shortest sequence, and the seconds, by the clock and of a
core, until it was found and shrunk, the program's start included. Exit status 1 if one takes more than `--seconds`, or more than five calls.
"""

import os
import re
import sys
from pathlib import Path
from time import monotonic

import frame
from faults import copied, faults, put_in, run_in

MOST_CALLS = 5


def core_seconds() -> float:
    """Return what all processes took that this one has waited for."""
    return sum(os.times()[2:4])


def main() -> int:
    """Search for each fault."""
    given = frame.parser(__doc__, seconds=600).parse_args()
    missed = 0
    with copied() as root:  # with the compiled kernels, in which none of these faults is
        for fault in faults(Path(__file__).with_suffix(".toml"), given.only):
            begun, core = monotonic(), core_seconds()
            words = ["--seconds", str(given.seconds), "--seed", given.seed]
            with put_in(root, fault):
                run = run_in(root, ["tests/attack", "traces", *words], 2 * given.seconds)
            seconds, found = monotonic() - begun, re.search(r"seed \d+: (\d+) calls", run.stdout)
            is_missed = found is None or int(found[1]) > MOST_CALLS or seconds > given.seconds
            missed += is_missed
            calls = f"{found[1]} calls" if found else "NOT FOUND"
            took = f"{seconds:4.0f} s, {core_seconds() - core:4.0f} s of a core"
            print(f"{calls:9} {took}: {fault.name}\n{run.stdout}{run.stderr}", flush=True)
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
