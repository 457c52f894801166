"""Make the files in this folder: ``make results`` in minutes, ``make results-long`` in hours.

``python results/make.py [--long] [--store FILE] [--folder DIR] [--only TEXT] [--compare SECONDS]``

With ``--compare`` nothing here is written: each file that took at most so many seconds is made again elsewhere, and
the exit status is 1 if one differs from the file kept here. Every file comes from one command, written down in manifest.csv with its time, memory and versions.
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
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
MANIFEST = HERE / "manifest.csv"
COLUMNS = ["file", "command", "seconds", "peak_mib", "cores", "processor", "versions", "sha256"]
LIBRARIES = ("gops-exact", "python-flint", "gmpy2", "numpy")
HIDDEN = ("highspy",)
"""What decides beside which equilibrium of several is found."""

PRIMES = {"p61": 2**61 - 1, "p64": 2**64 - 59}
"""The moduli of the digests."""

EXACT = " ".join(f"results/exact/first_moves_n{n}.json" for n in range(1, 7))
PROVED = " ".join(f"results/ball/first_moves_n{n}.json" for n in (7, 8))
FLOATS = " ".join(f"results/float/first_moves_n{n}.csv" for n in range(7, 16))
WINNING = " ".join(f"results/win/first_moves_n{n}.csv" for n in range(1, 14))
CARRIED = " ".join(f"results/rules/points_carryover_random_n{n}.csv" for n in range(7, 13))
WINNING_CARRIED = " ".join(
    f"results/rules/win_carryover_random_n{n}.csv" for n in (7, 8, 9, 10, 11)
)
PRINTED = (
    "--published gops_exact/players/data/rhoads_2011_first_move.csv "
    "--published tests/data/rhoads_bartholdi_2012_first_move.csv"
)

SIMPLE = "matching,upcard+1,upcard+2,upcard+3,highest,lowest"
"""Policies whose hand follows from the prizes left, so that they can be measured at 13 cards."""

WITH_OPTIMAL = "random,0209,0205,0203,0210,0207,0206,0202,0204,0208,0201,optimal"
"""The published tournament's players and one more, whose values need a folder."""

OTHER_RULES = {
    f"{objective}_{ties}_{prizes}": f"--objective {objective} --ties {ties} --prizes {prizes}"
    for objective in ("points", "win")
    for ties in ("discard", "carryover")
    for prizes in ("random", "hidden", "descending")
    if (objective, ties, prizes) != ("points", "discard", "random")
}
"""By the names of their files."""

LONG_NUMBERS = ("points_carryover_random", "points_carryover_hidden", "win_carryover_hidden")
"""Rules under which the numbers of six cards are too long to keep."""

QUICK = {
    **{f"exact/first_moves_n{n}.json": f"--n {n} --emit json" for n in range(1, 7)},
    "digests/first_moves_n7.csv": "--n 7 --emit digests",
    **{f"digests/growth_n{n}.csv": f"studies/growth.py {n}" for n in range(2, 8)},
    **{
        f"digests/residues_n{n}_{name}.json": f"studies/residues.py {n} --prime {prime}"
        for n in (6, 7, 8)
        for name, prime in PRIMES.items()
    },
    **{
        f"ball/first_moves_n{n}.json": f"--n {n} --arithmetic ball --digits 50 --emit json"
        for n in (7, 8)
    },
    **{
        f"float/first_moves_n{n}.csv": f"--n {n} --arithmetic float --emit csv"
        for n in range(1, 13)
    },
    **{
        f"win/first_moves_n{n}.csv": f"--n {n} --arithmetic float --objective win --emit csv"
        for n in range(1, 11)
    },
    **{
        f"rules/{name}_n{n}.json": f"--n {n} {words} --emit json"
        for name, words in OTHER_RULES.items()
        for n in (5, 6)
        if n < 6 or name not in LONG_NUMBERS
    },
    **{
        f"rules/points_discard_{prizes}_n7.json": f"--n 7 --prizes {prizes} --emit json"
        for prizes in ("hidden", "ascending", "descending")
    },
    **{
        f"digests/first_moves_{name}_n6.csv": f"--n 6 {OTHER_RULES[name]} --emit digests"
        for name in LONG_NUMBERS
    },
    **{
        f"digests/residues_{name}_n6_{modulus}.json": f"studies/residues.py 6 {OTHER_RULES[name]} --prime {prime}"
        for name in LONG_NUMBERS
        for modulus, prime in PRIMES.items()
    },
    **{
        f"rules/points_carryover_random_n{n}.csv": f"--n {n} --arithmetic float --ties carryover --emit csv"
        for n in range(7, 12)
    },
    **{
        f"rules/{objective}_discard_{prizes}_n13.csv": f"--n 13 --arithmetic float --objective {objective} --prizes {prizes} --emit csv"
        for objective in ("points", "win")
        for prizes in ("ascending", "descending")
    },
    **{f"win/outcomes_n{n}.csv": f"outcomes --n {n} --emit csv" for n in range(2, 7)},
    **{f"win/outcomes_n{n}_float.csv": f"studies/draws.py --n {n}" for n in range(6, 10)},
    "digests/first_moves_win_discard_random_n7.csv": "--n 7 --objective win --emit digests",
    **{
        f"digests/residues_win_discard_random_n7_{name}.json": f"studies/residues.py 7 --objective win --prime {prime}"
        for name, prime in PRIMES.items()
    },
    **{
        f"hidden_bids/{objective}_orders_n{n}.csv": f"studies/hidden_orders.py {n} --objective {objective}"
        for objective in ("points", "win")
        for n in (3, 4, 5)
    },
    **{
        f"hidden_bids/{objective}_{prizes}_n{n}.json": f"hidden-bids --n {n} --objective {objective} --prizes {prizes} --emit json"
        for objective in ("points", "win")
        for prizes in ("descending", "ascending", "random")
        for n in (3, 4, 5)
        if (prizes, n) != ("random", 5)
    },
    # From what stands in this folder, the floats of 13 to 15 cards included.
    "published_tables.csv": f"studies/published_tables.py {PRINTED} {EXACT} {PROVED} {FLOATS}",
    "patterns.csv": f"studies/patterns.py {EXACT} {FLOATS}",
    "patterns/no_ties.csv": "studies/parity.py 9",
    "patterns/win_discard_random.csv": f"studies/patterns.py --objective win {WINNING}",
    "patterns/points_carryover_random.csv": f"studies/patterns.py --upto 6 --ties carryover {CARRIED}",
    "patterns/win_carryover_random.csv": f"studies/patterns.py --upto 6 --objective win --ties carryover {WINNING_CARRIED}",
    **{
        f"patterns/{objective}_{ties}_{prizes}.csv": f"studies/patterns.py --upto {most} --objective {objective} --ties {ties} --prizes {prizes}"
        for objective in ("points", "win")
        for ties in ("discard", "carryover")
        for prizes, most in (("hidden", 8), ("ascending", 10), ("descending", 10))
    },
    "players/measure_n5.csv": "measure --n 5 --emit csv",
    "players/measure_n6.txt": "measure --n 6",  # in full it has millions of digits
    "players/measure_semi_deterministic_n7.csv": "measure --n 7 --objective win --policy semi-deterministic --against "
    "matching,upcard+1,upcard+2,random,best-response --emit csv",
    "players/measure_n13.csv": f"measure --n 13 --policy {SIMPLE} --against random,{SIMPLE},best-response --emit csv",
    **{f"players/benchmark_n{n}.csv": f"studies/train.py --n {n} --emit csv" for n in (3, 4, 5)},
    **{
        f"hidden_bids/benchmark_{name}.csv": f"studies/train.py --n {n} --hidden-bids --prizes {order} --seconds 30 --emit csv"
        for name, n, order in (
            ("n4_descending", 4, "descending"),
            ("n4_random", 4, "random"),
            ("n5_descending", 5, "descending"),
        )
    },
    "game_trees/benchmark_openspiel.csv": "studies/openspiel_games.py",
    "game_trees/refined.csv": "studies/refined.py --openspiel",
    "players/benchmark_n6_ascending.csv": "studies/train.py --n 6 --prizes ascending --emit csv",
    "players/three_players.csv": "studies/three_players.py 4",
    "players/tournament.csv": "studies/tournament.py --seeds 20",
    **{
        f"players/{name}": f"studies/tournament.py --from results/players/tournament.csv --emit {kind}"
        for name, kind in (("tables.txt", "tables"), ("agreement.csv", "agreement"))
    },
}
LONG = {
    **{
        f"hidden_bids/{objective}_descending_n6.json": f"hidden-bids --n 6 --objective {objective} --prizes descending --emit json"
        for objective in ("points", "win")
    },
    # In full these have megabytes.
    **{
        f"hidden_bids/{objective}_random_n5.txt": f"hidden-bids --n 5 --objective {objective}"
        for objective in ("points", "win")
    },
    **{
        f"hidden_bids/{objective}_descending_n6_seen.txt": f"hidden-bids --n 6 --objective {objective} --prizes descending --seen one"
        for objective in ("points", "win")
    },
    **{
        f"hidden_bids/near_{objective}_random_n5.txt": f"hidden-bids --n 5 --objective {objective} --seconds 900"
        for objective in ("points", "win")
    },
    "hidden_bids/near_points_descending_n6.txt": "hidden-bids --n 6 --prizes descending --seconds 900",
    "rules/points_carryover_random_n12.csv": "--n 12 --arithmetic float --ties carryover --emit csv",
    **{
        f"rules/win_carryover_random_n{n}.csv": f"--n {n} --arithmetic float --objective win --ties carryover --emit csv"
        for n in (7, 8, 9, 10, 11)
    },
    "win/outcomes_n7.txt": "outcomes --n 7 --force",  # in full it has 14 MB
    "win/outcomes_n10_float.csv": "studies/draws.py --n 10",
    **{
        f"win/first_moves_n{n}.csv": f"--n {n} --arithmetic float --objective win --emit csv"
        for n in (11, 13)
    },
    "win/first_moves_n12.csv": "--n 12 --arithmetic float --objective win --integers no --emit csv",
    **{
        f"float/first_moves_n{n}.csv": f"--n {n} --arithmetic float --emit csv"
        for n in (13, 14, 15)
    },
    **{
        f"digests/first_moves_n8_upcard{upcard}.csv": f"--n 8 --upcard {upcard} --force --emit digests"
        for upcard in (8, 1, 2, 3, 5, 4, 7, 6)
    },
    "digests/growth_n8.csv": "studies/growth.py 8",
    "players/optimal_n13.csv": f"studies/tournament.py --seeds 20 --objective points --ties discard --policy {WITH_OPTIMAL}",
    "players/optimal_n9.csv": f"studies/tournament.py --n 9 --seeds 10 --policy {WITH_OPTIMAL}",
    **{
        f"players/optimal_n{n}.txt": f"studies/tournament.py --from results/players/optimal_n{n}.csv --emit games"
        for n in (9, 13)
    },
    "players/measure_n7.csv": "measure --n 7 --policy optimal --against best-response --emit csv",
    "ball/first_moves_n9.json": "--n 9 --arithmetic ball --digits 50 --emit json",
    "digests/residues_n9_p61.json": f"studies/residues.py 9 --prime {PRIMES['p61']}",
}


def main() -> None:
    """Run the commands and write the manifest."""
    parser = argparse.ArgumentParser(description="make the files in results/")
    parser.add_argument("--long", action="store_true", help="those that take hours")
    parser.add_argument("--store", help="keep values in this file")
    parser.add_argument("--folder", help="keep the layers of float sweeps in this folder")
    parser.add_argument("--only", default="", help="only files whose name has this in it")
    parser.add_argument("--compare", type=float, metavar="SECONDS", help="see above")
    given = parser.parse_args()
    if given.compare is not None:
        with TemporaryDirectory() as folder:  # growth.py reads what first moves left in the store
            store = given.store or f"{folder}/store.sqlite"
            sys.exit(compared(given.only, given.compare, store))
    for name, command in (LONG if given.long else QUICK).items():
        if given.only not in name:
            continue
        print(f"{name}: python {arguments(command)}", flush=True)
        record(make(name, command, given.store, given.folder))


def compared(only: str, seconds: float, store: str) -> int:
    """Make files again in a temporary folder, print whether each is the same, and return 1 if one is not.

    Left out is what depends on core seconds, which no two runs have in common.
    """
    different = 0
    kept = {line["file"]: line for line in manifest()}
    for name, command in (QUICK | LONG).items():
        line = kept[name]
        if (
            only not in name
            or float(line["seconds"]) > seconds
            or "benchmark" in name
            or "--seconds" in command
        ):
            continue
        with TemporaryDirectory() as folder:
            made = make(name, command, store, out=Path(folder) / "made")
        same = made["sha256"] == line["sha256"]
        different += not same
        print(f"{'same' if same else 'different':10}{made['seconds']:>8} s  {name}", flush=True)
    return int(different > 0)


def arguments(command: str) -> str:
    """Return what follows ``python``: a script of studies/ or the program with its arguments."""
    return command if command.startswith("studies/") else f"-m gops_exact {command}"


def make(
    name: str,
    command: str,
    store: str | None = None,
    folder: str | None = None,
    out: Path | None = None,
) -> dict[str, str]:
    """Run one command; its line of the manifest. `out` is the file in place of the one in this folder."""
    target = out or HERE / name
    target.parent.mkdir(exist_ok=True)
    words = [sys.executable, *arguments(command).split(), "--out", str(target)]
    if folder is None and WITH_OPTIMAL in command:
        with TemporaryDirectory() as values:
            return make(name, command, store, values, out)
    if folder is not None and ("--arithmetic float" in command or WITH_OPTIMAL in command):
        words += ["--folder", str(Path(folder).absolute())]
    environment = dict(os.environ)
    if store is not None:
        environment["GOPS_EXACT_STORE"] = str(Path(store).absolute())
    start = time.perf_counter()
    # Commands name their files from the root of the repository.
    process = subprocess.Popen(words, env=environment, cwd=HERE.parent)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(words)} failed")
    seconds = time.perf_counter() - start
    return {
        "file": name,
        "command": f"python {arguments(command)}",
        "seconds": f"{seconds:.1f}",
        "peak_mib": str(used.ru_maxrss // 1024),
        "cores": str(len(os.sched_getaffinity(0))),
        "processor": platform.processor() or platform.machine(),
        "versions": " ".join(
            f"{library}={version(library)}"
            for library in (
                *LIBRARIES,
                *(HIDDEN if command.startswith(("hidden-bids", "studies/hidden")) else ()),
            )
        ),
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
    }


def manifest() -> list[dict[str, str]]:
    """Read the lines of the manifest."""
    with MANIFEST.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def record(line: dict[str, str]) -> None:
    """Put a line into the manifest, in place of an older one for the same file."""
    lines = {row["file"]: row for row in manifest()} | {line["file"]: line}
    with MANIFEST.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines[name] for name in sorted(lines))


if __name__ == "__main__":
    main()
