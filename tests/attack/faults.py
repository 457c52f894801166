"""The faults that were found since the beginning, put back in one by one: does the suite still find each?

    python tests/attack faults [--only TEXT] [--seconds 300]
    python tests/attack planted [--only TEXT] [--seconds 600] [--seed 0]

``data/faults.toml`` has a fault a table: what was wrong, a piece of the present code, the code with the fault
instead, and the tests that should fail with it. The package and its tests are copied to a temporary folder; in
there, each fault is put in, its tests are run for at most so many seconds, and the fault is taken out again. A line
for each fault; exit status 1 if the tests passed with one of them in, or could not be run.

The faults of ``planted.toml`` are for the tester by traces. A line for each: the calls of the shortest sequence, and
the seconds, by the clock and of a core, until it was found and shrunk, the program's start included. Exit status 1
if one takes more than `--seconds`, or more than five calls.
"""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

import case_runner
from project_paths import DATA, ROOT

PASSED, FAILED, FOUND = 0, 1, "found"
"""Exit statuses of pytest, every other one means that the tests could not be run; and the verdict on a fault."""

PATIENCE = 300
"""Seconds for the tests of a fault; they take a few, and up to 100 where kernels are compiled. A busy machine needs more."""


class Fault(NamedTuple):
    """A fault that was found once, or is planted."""

    name: str  # what was wrong
    now: str  # a piece of code that stands once in the package and the scripts
    then: str  # what stood in its place, or would bring the fault back
    tests: tuple[str, ...] = ()  # arguments of pytest for the tests that should fail with it
    hangs: bool = False  # the fault waits for what never comes, so that tests need not end


def faults(file: Path, only: str) -> list[Fault]:
    """Read those faults of a list whose names have a text in them."""
    listed = tomllib.loads(file.read_text(encoding="utf-8"))["fault"]
    return [Fault(**each) for each in listed if only in each["name"]]


@contextmanager
def copied(*left_out: str):
    """Copy the package and its tests to a temporary folder."""
    with TemporaryDirectory(prefix="gops_exact-") as folder:
        root = Path(folder) / "copy"
        yield copytree(ROOT, root, ignore=ignore_patterns(".*", "build", *left_out))


def sources(root: Path = ROOT) -> Iterator[Path]:
    """Iterate over the files of the package and the scripts, in which faults are put."""
    for name in ("gops_exact", "benchmarks", "studies", "tools"):
        yield from (path for end in ("py", "js") for path in (root / name).rglob(f"*.{end}"))


def run_with(fault: Fault, root: Path, words: list[str], seconds: float):
    """Run Python in the copy at `root` with a fault put in.

    Raises:
        ValueError: if its code does not stand there once.
    """
    (file,) = (
        path for path in sources(root) for _ in range(path.read_text("utf-8").count(fault.now))
    )
    whole = file.read_text("utf-8")
    file.write_text(whole.replace(fault.now, fault.then), "utf-8")
    try:
        return subprocess.run(
            [sys.executable, *words],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds,
        )
    finally:
        file.write_text(whole, "utf-8")


def verdict(fault: Fault, root: Path, seconds: float) -> str:
    """Run the tests of a fault with it put in: do they fail, or hang with a fault that does?"""
    words = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *fault.tests]
    try:
        run = run_with(fault, root, words, seconds)
    except subprocess.TimeoutExpired:
        return FOUND if fault.hangs else f"NOT RUN (no end within {seconds} s)"
    except ValueError as error:
        return f"NOT RUN ({error})"
    if run.returncode not in (PASSED, FAILED) or "ERROR collecting" in run.stdout:
        return f"NOT RUN ({run.stdout}{run.stderr})"
    return FOUND if run.returncode == FAILED else "NOT FOUND"


def main() -> int:
    parser = case_runner.parser(__doc__, seconds=None)
    parser.add_argument("--planted", action="store_true", help="those for the tester by traces")
    given = parser.parse_args()
    if given.planted:
        return planted(given.only, given.seconds or 600, given.seed)
    chosen, number = faults(DATA / "faults.toml", given.only), 0
    with copied("__pycache__") as root:
        for fault in chosen:
            begun = monotonic()
            word = verdict(fault, root, given.seconds or PATIENCE)
            number += word == FOUND
            print(f"{word:9} {monotonic() - begun:5.0f} s  {fault.name}", flush=True)
    print(f"{number} of {len(chosen)} faults are found")
    return number < len(chosen)


def planted(only: str, most: float, seed: str) -> int:
    missed = 0
    with copied() as root:  # with the compiled kernels, in which none of these faults is
        for fault in faults(Path(__file__).with_name("planted.toml"), only):
            begun, core = monotonic(), sum(os.times()[2:4])
            words = ["traces", "--seconds", str(most), "--seed", seed]
            run = run_with(fault, root, ["tests/attack", *words], 2 * most)
            seconds, found = monotonic() - begun, re.search(r"seed \d+: (\d+) calls", run.stdout)
            missed += found is None or int(found[1]) > 5 or seconds > most
            calls = f"{found[1]} calls" if found else "NOT FOUND"
            took = f"{seconds:4.0f} s, {sum(os.times()[2:4]) - core:4.0f} s of a core"
            print(f"{calls:9} {took}: {fault.name}\n{run.stdout}{run.stderr}", flush=True)
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
