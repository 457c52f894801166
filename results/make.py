"""Make the files in this folder: ``make results`` in minutes, ``make results-long`` in hours.

``python results/make.py [--long] [--store FILE] [--only TEXT]``

Every file comes from one command, written down in manifest.csv with its time, memory and versions.
"""

import argparse
import csv
import hashlib
import os
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
MANIFEST = HERE / "manifest.csv"
COLUMNS = ["file", "command", "seconds", "peak_mib", "cores", "processor", "versions", "sha256"]
LIBRARIES = ("gops-exact", "python-flint", "gmpy2", "numpy")

PRIMES = {"p61": 2**61 - 1, "p64": 2**64 - 59}
"""The moduli of the digests."""

QUICK = {
    **{f"exact/first_moves_n{n}.json": f"--n {n} --emit json" for n in range(1, 7)},
    "exact/digests_n7.csv": "--n 7 --emit digests",
    **{f"exact/growth_n{n}.csv": f"growth --n {n}" for n in range(2, 8)},
    **{
        f"exact/residues_n{n}_{name}.json": f"--n {n} --emit residues --prime {prime}"
        for n in (6, 7, 8)
        for name, prime in PRIMES.items()
    },
    **{
        f"ball/first_moves_n{n}.json": f"--n {n} --arithmetic ball --digits 50 --emit json"
        for n in (7, 8)
    },
}
LONG = {
    **{
        f"exact/digests_n8_upcard{upcard}.csv": f"--n 8 --upcard {upcard} --force --emit digests"
        for upcard in (8, 1, 2, 3, 5, 4, 7, 6)
    },
    "exact/growth_n8.csv": "growth --n 8",
    "ball/first_moves_n9.json": "--n 9 --arithmetic ball --digits 50 --emit json",
    "exact/residues_n9_p61.json": f"--n 9 --emit residues --prime {PRIMES['p61']}",
}


def main() -> None:
    """Run the commands and write the manifest."""
    parser = argparse.ArgumentParser(description="make the files in results/")
    parser.add_argument("--long", action="store_true", help="those that take hours")
    parser.add_argument("--store", help="keep values in this file")
    parser.add_argument("--only", default="", help="only files whose name has this in it")
    given = parser.parse_args()
    for name, command in (LONG if given.long else QUICK).items():
        if given.only not in name:
            continue
        print(f"{name}: python -m gops_exact {command}", flush=True)
        record(make(name, command, given.store))


def make(name: str, command: str, store: str | None) -> dict[str, str]:
    """Run one command; its line of the manifest."""
    target = HERE / name
    target.parent.mkdir(exist_ok=True)
    words = [sys.executable, "-m", "gops_exact", *command.split(), "--out", str(target)]
    environment = dict(os.environ)
    if store is not None:
        environment["GOPS_EXACT_STORE"] = store
    start = time.perf_counter()
    process = subprocess.Popen(words, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(words)} failed")
    seconds = time.perf_counter() - start
    return {
        "file": name,
        "command": f"python -m gops_exact {command}",
        "seconds": f"{seconds:.1f}",
        "peak_mib": str(used.ru_maxrss // 1024),
        "cores": str(len(os.sched_getaffinity(0))),
        "processor": platform.processor() or platform.machine(),
        "versions": " ".join(f"{library}={version(library)}" for library in LIBRARIES),
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
    }


def record(line: dict[str, str]) -> None:
    """Put a line into the manifest, in place of an older one for the same file."""
    lines = {line["file"]: line}
    if MANIFEST.exists():
        with MANIFEST.open(encoding="utf-8", newline="") as file:
            lines = {row["file"]: row for row in csv.DictReader(file)} | lines
    with MANIFEST.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines[name] for name in sorted(lines))


if __name__ == "__main__":
    main()
