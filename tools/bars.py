"""Every benchmark that states a bar and takes less than five minutes, and what falls short.

    python tools/bars.py OTHER [WORD]

OTHER is the folder of another checkout, such as one made by ``git worktree add OTHER COMMIT``: bars that are ratios compare
this checkout with it. With WORD only benchmarks whose command contains it. A benchmark states its bar in its docstring, ends
with what falls short, and with status 0 if nothing does. On an idle machine of two cores; others' work makes core times up to
three times as long, and ratios near a bar uncertain.
"""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]

COMMANDS = (
    (
        "benchmarks/cold_floats.py",
        "OTHER",
        "3",
        "5 cards",
        "6 cards",
        "7 cards",
        "position of 6 cards",
    ),
    ("benchmarks/small_games.py", "OTHER", "5"),
    ("benchmarks/many_games.py", "100000", "1000"),
    (
        "tools/side_by_side.py",
        "OTHER",
        "11",
        "first gx.first_move(5)",
        "200 x 200 matrix",
    ),
)
"""A script and its arguments; the word OTHER stands for the folder."""

MOST_SECONDS = 300


def main() -> None:
    """Run the commands, and print what falls short."""
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    short = []
    for command in COMMANDS:
        words = [sys.argv[1] if word == "OTHER" else word for word in command]
        if wanted not in " ".join(command):
            continue
        print(f"== {' '.join(command)}", flush=True)
        start = time.perf_counter()
        ran = subprocess.run(
            [sys.executable, str(ROOT / words[0]), *words[1:]],
            check=False,
            stderr=subprocess.PIPE,
            text=True,
        )
        seconds = time.perf_counter() - start
        if ran.returncode:
            short += [f"{words[0]}: {line}" for line in ran.stderr.splitlines()]
        if seconds > MOST_SECONDS:
            short.append(f"{words[0]}: took {seconds:.0f} s, at most {MOST_SECONDS}")
    print("== what falls short" if short else "== nothing falls short")
    if short:
        raise SystemExit("\n".join(short))


if __name__ == "__main__":
    main()
