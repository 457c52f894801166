"""Interrupt the first float call of a process at different times: the second call has to answer each time.

    python tools/interrupted_calls.py [TIMES] [--cold]

The first call loads Numba, loads or compiles the kernels, and solves the game of seven cards to win. Interrupts are sent
at TIMES times, 30 unless told, spread evenly over the time that an uninterrupted first call takes. By default the
compiled kernels are on disk; with ``--cold`` each process compiles them again, which takes 30 times as long.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import IO, cast

HERE = Path(__file__).parent.parent
CALLS = """
import gops_exact as gx

def call():
    return gx.first_move(7, "float", rules=gx.Rules("win"), jobs=1).emit("csv")

try:
    print("begun", flush=True)
    call()
    print("complete", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(len(call()), flush=True)
"""


def run(folder: str, delay: float | None = None) -> tuple[str, str, float]:
    """Run both calls in a process, and interrupt it.

    Args:
        folder: the folder for compiled kernels.
        delay: the seconds from the beginning of the first call to the interrupt; None for no interrupt.

    Returns:
        How the first call ended, the rest of the output, and the seconds of the first call.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", CALLS],
        env={**os.environ, "PYTHONPATH": str(HERE), "NUMBA_CACHE_DIR": folder},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    output = cast("IO[str]", process.stdout)
    output.readline()
    begun = monotonic()
    if delay is not None:
        sleep(delay)
        process.send_signal(signal.SIGINT)
    end, seconds = output.readline().strip(), monotonic() - begun
    return end, process.communicate()[0].strip(), seconds


def main() -> None:
    """Print a line for each interrupt, and end with status 1 if a second call did not answer."""
    numbers = [int(word) for word in sys.argv[1:] if word != "--cold"]
    times, is_cold = numbers[0] if numbers else 30, "--cold" in sys.argv
    failed = 0
    with TemporaryDirectory() as warm:
        _, answer, whole = run(warm)
        if not is_cold:
            _, answer, whole = run(warm)
        for index in range(times):
            delay = whole * index / times
            with TemporaryDirectory() as cold:
                end, later, _ = run(cold if is_cold else warm, delay)
            # An interrupt that arrives in a callback of LLVM is lost: Python reports it, and the first call goes on.
            answered = later.splitlines()[-1:] == [answer]
            failed += not answered
            line = f"{delay:6.2f} s of {whole:.2f}: {end}"
            print(line if answered else f"{line}; then {later}", flush=True)
    print(f"{failed} of {times} second calls did not answer")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
