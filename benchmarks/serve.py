"""The server as a tablebase: requests a second of its core time, and its memory over many of them.

    python benchmarks/serve.py [n] [folder] [requests]

Positions that random bids lead to in the game of n cards, each asked for by its name over one connection.
A folder that holds the layers of the game is opened, and made where they are missing: 13 cards take
some 150 s of core time and 1.3 GB of disk. Core time is the server's alone.
"""

import re
import subprocess
import sys
import tempfile
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from statistics import median

import gops_exact as gx

TICKS = 100
"""Clock ticks in a second, of /proc."""

LINES = 10
"""Lines of the report."""


def position(n: int, source: Random) -> gx.Position:
    """Return a position of the game of n cards with a prize turned up, after some random rounds."""
    found = gx.Position.start(n)
    for _ in range(source.randint(0, n - 2)):
        at = found.at(source.choice(found.prizes))
        found = at.after(source.choice(at.one), source.choice(at.two))
    return found.at(source.choice(found.prizes))


def used(process: int) -> tuple[float, float]:
    """Return a process's core seconds and megabytes."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    memory = re.search(r"RssAnon:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return (int(fields[11]) + int(fields[12])) / TICKS, int(memory[1]) / 1e3 if memory else 0.0


def main() -> None:
    """Start a server, ask, and print a line for each tenth of the requests."""
    n = int(sys.argv[1]) if sys.argv[1:] else 9
    count = int(sys.argv[3]) if sys.argv[3:] else 10_000
    with tempfile.TemporaryDirectory() as empty:
        folder = sys.argv[2] if sys.argv[2:] else empty
        words = [
            sys.executable,
            "-m",
            "gops_exact",
            "serve",
            "-n",
            str(n),
            "--port",
            "0",
            "--folder",
            folder,
        ]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
            line = server.stdout.readline() if server.stdout is not None else ""
            address = line.split()[0].removeprefix("http://").rstrip("/")
            connection, source, rates = HTTPConnection(address), Random(1), []
            names = [f"/position/{position(n, source)}" for _ in range(count)]
            for first in range(0, count, count // LINES):
                part = names[first : first + count // LINES]
                before, _ = used(server.pid)
                for name in part:
                    connection.request("GET", name)
                    with connection.getresponse() as response:
                        body = response.read()
                    if response.status != 200:
                        sys.exit(f"{name}: {response.status} {body.decode()}")
                after, megabytes = used(server.pid)
                rates.append(len(part) / (after - before))
                print(
                    f"{rates[-1]:7.0f} requests a core second, {megabytes:7.1f} MB beside mapped files"
                )
            print(f"n = {n}, {count} requests: median {median(rates):.0f} a core second")
            server.terminate()


if __name__ == "__main__":
    main()
