"""The server under a crowd: how long requests take while others are hostile, and the memory of all its processes.

    python benchmarks/serve_crowd.py [requests] [clients] [megabytes] [n]

Ordinary requests (positions of the game, the page) and hostile ones
(other positions, some of which take hours or more than there is; clients that leave, bodies, nonsense) in a
random order, from several clients at once, to a server of this machine. The table has the answers of each
kind and how long they took; memory is the sum of the proportional sets, sampled. It fails if an answer has
status 500, an ordinary request on the served game is refused or takes longer than a second, or memory
exceeds what is allowed.
"""

import re
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from threading import Event, Thread

from serve import position

import gops_exact as gx

PATIENCE = 60.0
"""Seconds that a client waits for an answer."""

SAMPLE_SECONDS = 0.25

HOST = "Host: localhost\r\n"


def asked(port: int, request: bytes, wait: float = PATIENCE) -> str:
    """Send a request and return the status of the answer, or what came instead."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        try:
            connection.sendall(request)
            received = connection.recv(1 << 16)
            while received and connection.recv(1 << 20):
                pass
        except TimeoutError:
            return "left"
        except OSError:
            return "reset"
    return received[9:12].decode() if received else "closed"


def get(path: object) -> bytes:
    """Return a request for a path."""
    return f"GET /{path} HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n".encode()


def post(body: bytes, length: str) -> bytes:
    """Return a request with a body, which no question has."""
    return (
        f"POST /solve/2_1_3 HTTP/1.1\r\n{HOST}Connection: close\r\n{length}\r\n\r\n".encode() + body
    )


def strange(cards: int, source: Random, rules: gx.Rules | None = None) -> str:
    """Return a position that no game of few cards leads to."""
    one, two, prizes = (sorted(source.sample(range(1, 10**4), cards)) for _ in range(3))
    return str(gx.Position(one, two, prizes, rules=rules or gx.Rules()))


def ordinary(n: int) -> dict[str, Callable[[Random], bytes]]:
    """Return the kinds of requests on the served game: {name: a request by chance}."""
    return {
        "the page": lambda _: get(""),
        "position of the game": lambda source: get(f"position/{position(n, source)}"),
        "start of the game": lambda _: get(f"position/{gx.Position.start(n)}"),
        "the same for the page": lambda source: get(f"solve/{position(n, source)}"),
    }


def others() -> dict[str, Callable[[Random], bytes]]:
    """Return the kinds of requests that take work of their own, and hostile ones."""
    long = gx.Rules("points", "carryover")
    wins = gx.Rules("win", "carryover")
    return {
        "four odd cards, exactly": lambda source: get(f"position/{strange(4, source)}"),
        "six odd cards": lambda source: get(f"position/{strange(6, source)}"),
        "six odd cards to win": lambda source: get(f"position/{strange(6, source, wins)}"),
        "ten cards, carried over": lambda source: get(f"position/{strange(10, source, long)}"),
        "twelve cards": lambda source: get(f"position/{strange(12, source)}"),
        "thirteen cards to win": lambda source: get(f"position/{strange(13, source, wins)}"),
        "28 cards": lambda source: get(f"position/{strange(28, source)}"),
        "5 MB": lambda _: post(b" " * 5_000_000, "Content-Length: 5000000"),
        "parts of a byte": lambda _: post(
            b"1\r\n \r\n" * 30_000 + b"0\r\n\r\n", "Transfer-Encoding: chunked"
        ),
        "nonsense": lambda source: source.randbytes(2000),
        "another host": lambda _: get("").replace(b"localhost", b"evil.example"),
    }


def megabytes(process: int) -> float:
    """Return the memory of a process and of those that it began."""
    total = 0.0
    with suppress(OSError):
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
        total = int(re.findall(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)[0]) / 1e3
        for task in Path(f"/proc/{process}/task").iterdir():
            total += sum(map(megabytes, map(int, (task / "children").read_text().split())))
    return total


def main() -> None:
    """Start a server, ask from many clients, and print a line for each kind of request."""
    numbers = [int(word) for word in sys.argv[1:]]
    count, clients, most, n = numbers + [10_000, 20, 1000, 6][len(numbers) :]
    words = f"-m gops_exact serve -n {n} --port 0 --memory {most} --seconds 20".split()
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True) as server:
        line = server.stdout.readline() if server.stdout is not None else ""
        port = int(line.split()[0].rstrip("/").rpartition(":")[2])
        good, odd, over = ordinary(n), others(), Event()
        samples: list[float] = []
        answers: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)

        def watch() -> None:
            while not over.wait(SAMPLE_SECONDS):
                samples.append(megabytes(server.pid))

        def ask(number: int) -> None:
            source = Random(number)
            kinds = good if source.random() < 0.7 else odd
            kind = source.choice(sorted(kinds))
            leaves = kinds is odd and source.random() < 0.3
            request, begun = kinds[kind](source), time.monotonic()
            status = asked(port, request, source.uniform(0.01, 2.0) if leaves else PATIENCE)
            answers[kind].append((status, time.monotonic() - begun))

        for kind in sorted(good):
            asked(port, good[kind](Random(0)))
        watcher = Thread(target=watch)
        watcher.start()
        begun = time.monotonic()
        with ThreadPoolExecutor(clients) as crowd:
            list(crowd.map(ask, range(count)))
        seconds = time.monotonic() - begun
        over.set()
        watcher.join()
        is_running = server.poll() is None
        server.terminate()
    slowest = max(spent for kind in good for _, spent in answers[kind])
    for kind in (*good, *odd):
        spent = [each for _, each in answers[kind]] or [0.0]
        statuses = Counter(status for status, _ in answers[kind])
        told = ", ".join(f"{times} x {status}" for status, times in sorted(statuses.items()))
        print(f"{kind:28} median {median(spent):6.3f} s, most {max(spent):6.3f} s: {told}")
    print(
        f"{count} requests of {clients} clients in {seconds:.0f} s, at most {max(samples):.0f} MB"
    )
    print(f"the slowest of the served game took {slowest:.3f} s")
    every = {status for kind in answers for status, _ in answers[kind]}
    refused = {status for kind in good for status, _ in answers[kind]} - {"200"}
    if not is_running or "500" in every or refused or slowest > 1.0 or max(samples) > most:
        sys.exit("a request was kept waiting, or more was taken than is allowed")


if __name__ == "__main__":
    main()
