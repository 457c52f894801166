"""Files of ``results/`` made anew on two workers of a Dask cluster, and compared byte by byte.

    python studies/cluster_losses.py [--lose SECONDS] RESULT…

With ``--lose``, a worker, then the client, then the scheduler is killed, one every so many seconds. Floats are made
without a folder.
"""

import argparse
import csv
import hashlib
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
sys.path.insert(0, str(ROOT / "tests" / "support"))

from machines import Machines  # noqa: E402  # a helper of the tests
from runs import kill, start  # noqa: E402


def make(machines: Machines, command: str, folder: Path, lose: float | None) -> bytes:
    """Return what a command prints that is run on the workers, with what it has lost on the way."""
    words = [*command.split()[3:], "--scheduler", machines.address]
    if "--arithmetic float" not in command:  # which then has no folder to share
        words += ["--store", str(folder / "store.sqlite")]
    losses = ["worker", "client", "scheduler"] if lose else []
    client = start(*words, "--out", str(folder / "made"))
    while True:
        try:
            code = client.wait(timeout=lose if losses else None)
        except subprocess.TimeoutExpired:
            lost = losses.pop(0)
            print(f"  {lost} lost", flush=True)
            if lost == "worker":
                machines.lose(1)
            elif lost == "client":
                kill(client)
            else:
                machines.restart()
            machines.hire(2)
            if lost == "scheduler":
                print("  " + client.communicate()[1].partition("\n")[0])
            if lost != "worker":
                client = start(*words, "--out", str(folder / "made"))
            continue
        if code:
            raise SystemExit(client.communicate()[1])
        return (folder / "made").read_bytes()


def main() -> None:
    """Make each file anew and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lose", type=float)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    with (RESULTS / "manifest.csv").open() as manifest:
        lines = {line["file"]: line for line in csv.DictReader(manifest)}
    differ = 0
    for file in arguments.files:
        with TemporaryDirectory() as name:
            machines = Machines(Path(name))
            try:
                machines.hire(2)
                begun = time.perf_counter()
                made = make(machines, lines[file]["command"], Path(name), arguments.lose)
                seconds = time.perf_counter() - begun
            finally:
                machines.close()
        same = hashlib.sha256(made).hexdigest() == lines[file]["sha256"]
        differ += not same
        print(f"{file}: {seconds:.0f} s, {'same bytes' if same else 'OTHER BYTES'}", flush=True)
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
