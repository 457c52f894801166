"""Waiting as a newcomer does, in this checkout and in another: first sign of life, result, Ctrl-C.

    python tools/first_minute.py OTHER [WORD]

OTHER is the folder of another checkout, such as one made by ``git worktree add OTHER COMMIT``. Every
command runs in a pseudo-terminal: cold, with no kernels compiled and no store; warm, after that; and
cold again, with Ctrl-C after three seconds. Seconds on the clock, at most a minute each; a dash stands
for a command that had ended before it was interrupted. With WORD only commands that contain it.
"""

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent.parent
sys.path.insert(0, str(HERE / "tests/support"))

from terminals import INTERRUPT, Terminal, program  # noqa: E402  # a helper of the tests

COMMANDS = (
    "--n 5 --emit fractions",
    "--n 7",
    "--n 8 --arithmetic ball",
    "--n 9 --arithmetic float",
    "play --n 9",
    "measure --n 8",
    "explore --n 5 --out page.html",
    "verify",
    "cross-check --n 6",
)
LIMIT, WAIT = 60, 3
NEEDS_STORE = {"verify": "--n 6"}
"""Commands that need a store, and the command that makes it first."""

PROMPT = b"Your bid"
"""Where a game waits for a person, the result is there."""


def start(words: str, side: Path, folder: Path) -> Terminal:
    """Start a command of a checkout; what it keeps between runs goes to a folder."""
    env = {
        "PYTHONPATH": str(side),
        "NUMBA_CACHE_DIR": str(folder / "kernels"),
        "GOPS_EXACT_STORE": str(folder / "store.sqlite"),
    }
    return Terminal(program(*words.split()), env, folder)


def finished(run: Terminal) -> tuple[str, str]:
    """Wait for a result; seconds to the first sign of life, and to the result."""
    first = run.until_first(LIMIT)
    while run.now() < LIMIT and PROMPT not in run.text:
        if not run.read(0.01):
            break
    seconds = run.now()
    run.end(0)
    return f"{first:.1f}", f"{seconds:.1f}" if seconds < LIMIT else f"> {LIMIT}"


def interrupted(run: Terminal) -> str:
    """Interrupt a command at work; seconds to its end."""
    if not run.read(WAIT):
        run.end(0)
        return "-"
    run.type(INTERRUPT)
    _, seconds = run.end(LIMIT)
    return f"{seconds:.1f}" if seconds < LIMIT else f"> {LIMIT}"


def row(words: str, side: Path) -> list[str]:
    """Run one command of one checkout: cold, warm, and cold with an interrupt."""
    cells = []
    for place in range(2):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if words in NEEDS_STORE:
                finished(start(NEEDS_STORE[words], side, folder))
            if place:
                return [*cells, interrupted(start(words, side, folder))]
            for _ in ("cold", "warm"):
                cells += finished(start(words, side, folder))
    return cells


def main() -> None:
    """Print a Markdown table, two lines a command: there and here."""
    sides = {"there": Path(sys.argv[1]).resolve(), "here": HERE.resolve()}
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    print("| command | | cold: first sign | result | warm: first sign | result | after Ctrl-C |")
    print("|---|---|---|---|---|---|---|")
    for words in COMMANDS:
        for name, side in sides.items() if wanted in words else ():
            print(f"| `{words}` | {name} | {' | '.join(row(words, side))} |", flush=True)


if __name__ == "__main__":
    main()
