"""Single matrix games from GOPS, solved by this package and by others, side by side.

    python benchmarks/peers.py [--games 5] [--limit 30] [--float-only | --exact-only]

Floats: positions of the game of eight cards, with payoffs from the float sweep. Exact: positions of
the game of six cards, with payoffs as fractions, up to the openings' 22,000 bits. None has a
saddle point, and no two bids of it are interchangeable, so that every solver has to work.

Each solver runs in a process of its own, which is ended when a game takes longer than the limit; it
is then left out of what follows. Times are core time, which other work on the machine disturbs less
than it does the clock: of each game the least of its runs, and of those the median over the games.
Every value is compared with this package's: an exact one must be equal, a float near.
"""

import sys
import time
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from platform import platform, processor, python_version
from random import Random
from statistics import median
from typing import Any

from flint import fmpq
from peer_solvers import EXACT, FLOAT, Matrix, Peer, Timed

import gops_exact as gx
from gops_exact.game.order_types import OrderTypes, order_types
from gops_exact.layers.layer import FloatLayer
from gops_exact.layers.sweep import float_layers
from gops_exact.matrix_game.payoff import saddle_point
from gops_exact.numbers import rational, to_float

FLOAT_CARDS, EXACT_CARDS = 8, 6
NEAR = 1e-9
"""How far a float may be off, as a share of the largest payoff."""

RUN_SECONDS, MOST_RUNS = 0.1, 50
"""A game is solved again for so long, or so often."""

Game = tuple[str, Matrix]


def float_games(count: int, rng: Random) -> Iterator[tuple[int, list[Game]]]:
    """Games of two to eight bids a side, in floats."""
    n = FLOAT_CARDS
    deck = range(1, n + 1)
    types = order_types(deck, deck)
    below: FloatLayer | None = None
    for layer in [*float_layers(types), None]:
        k = n if layer is None else layer.size
        if k > 1 and below is not None:
            yield k, _sample(count, lambda k=k, below=below: _float_game(types, k, below, rng))
        below = layer


def _float_game(types: OrderTypes, k: int, below: FloatLayer, rng: Random) -> Game | None:
    layer = types.layers[k]
    h = rng.randrange(len(layer))
    if not (layer.row_kept[h].all() and layer.column_kept[h].all()):
        return None
    prizes = sorted(rng.sample(range(1, FLOAT_CARDS + 1), k))
    upcard = rng.choice(prizes)
    known = below.slab(tuple(prize for prize in prizes if prize != upcard))
    matrix = [
        [
            upcard * sign + float(known[abs(child) - 1] * ((child > 0) - (child < 0)))
            for sign, child in zip(signs, children, strict=True)
        ]
        for signs, children in zip(layer.sign[h].tolist(), layer.child[h].tolist(), strict=True)
    ]
    return f"{layer.words()[h]} for {prizes}, upcard {upcard}", matrix


def exact_games(count: int, rng: Random) -> Iterator[tuple[int, list[Game]]]:
    """Games of two to six bids a side, in fractions."""
    deck = range(1, EXACT_CARDS + 1)
    for k in range(2, EXACT_CARDS + 1):
        yield k, _sample(count, lambda k=k: _exact_game(deck, k, rng))


def _exact_game(deck: range, k: int, rng: Random) -> Game | None:
    one, two, prizes = (sorted(rng.sample(deck, k)) for _ in range(3))
    types = order_types(one, two).root
    if not (types.row_kept.all() and types.column_kept.all()) or (one == two and k < len(deck)):
        return None
    upcard = rng.choice(prizes)
    name = f"{one} against {two} for {prizes}, upcard {upcard}"
    return name, gx.payoff_matrix(gx.Position(one, two, prizes, upcard))


def _sample(count: int, draw: Any) -> list[Game]:
    """So many different games without a saddle point, or as many as a thousand draws find."""
    found: dict[str, Matrix] = {}
    for _ in range(1000):
        game = draw()
        if game is not None and saddle_point([list(map(_exactly, row)) for row in game[1]]) is None:
            found[game[0]] = game[1]
        if len(found) == count:
            break
    return list(found.items())


def _exactly(number: Any) -> fmpq:
    return fmpq(*number.as_integer_ratio()) if isinstance(number, float) else number


def serve(peer: Peer, wire: Connection) -> None:
    """Solve the games that come along the wire, and send values and seconds back."""
    sys.path.insert(0, str(Path(__file__).parent))
    try:
        solver = peer.make()
    except Exception as error:  # noqa: BLE001, a package that fails to load is missing
        wire.send(f"{type(error).__name__}: {error}")
        return
    wire.send(None)
    while (matrix := wire.recv()) is not None:
        try:
            wire.send(_measured(solver(matrix)))
        except Exception as error:  # noqa: BLE001, whatever a package raises is its answer
            wire.send(f"{type(error).__name__}: {error}")


def _measured(timed: Timed) -> tuple[Any, float]:
    """The value, and the least core seconds a game; the first run is for compiling and caches."""
    start = time.process_time()
    value = timed.run()
    first = time.process_time() - start
    seconds = [first] if first > RUN_SECONDS and timed.games == 1 else []
    while not seconds or (len(seconds) < MOST_RUNS and sum(seconds) < RUN_SECONDS):
        before = time.process_time()
        timed.run()
        seconds.append(time.process_time() - before)
    return value, min(seconds) / timed.games


class Running:
    """A solver in a process of its own."""

    def __init__(self, peer: Peer, limit: float) -> None:
        self.peer = peer
        self.limit = limit
        self.out: str | None = None
        context = get_context("spawn")
        self._wire, other = context.Pipe()
        self._process = context.Process(target=serve, args=(peer, other), daemon=True)
        self._process.start()
        other.close()
        missing = self._answer(120.0)
        if missing is not None:
            self.stop()
            self.out = "missing"
            print(f"left out: {peer.name}: {missing}", flush=True)

    def solve(self, matrix: Matrix) -> Any:
        """(value, seconds), or in a word why there is none."""
        if self.out is None:
            self._wire.send(matrix)
            answer = self._answer(self.limit)
            if not isinstance(answer, str):
                return answer
            self.stop()
            self.out = answer
        return self.out

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()

    def _answer(self, limit: float) -> Any:
        try:
            return self._wire.recv() if self._wire.poll(limit) else f"> {limit:.0f} s"
        except EOFError:
            return "crashed"


def compare(peers: tuple[Peer, ...], sizes: Iterator[tuple[int, list[Game]]], limit: float) -> None:
    """Time the peers on the same games, print a table, and every value that differs."""
    running = [Running(peer, limit) for peer in peers]
    columns: dict[int, list[str]] = {}
    for size, games in sizes:
        seconds: list[list[float]] = [[] for _ in peers]
        for name, matrix in games:
            answers = [each.solve(matrix) for each in running]
            ours = answers[0][0]
            scale = max(abs(to_float(_exactly(x))) for row in matrix for x in row)
            for each, answer, times in zip(running, answers, seconds, strict=True):
                if isinstance(answer, str):
                    continue
                times.append(answer[1])
                if not _agree(answer[0], ours, scale, each.peer.rounds):
                    off = to_float(_exactly(answer[0]) - _exactly(ours))
                    print(f"{each.peer.name} differs by {off:.1e} at {name}", flush=True)
        columns[size] = [
            each.out if each.out is not None and len(times) < len(games) else _shown(median(times))
            for each, times in zip(running, seconds, strict=True)
        ]
        print(f"{len(games)} games of {size} bids a side", flush=True)
    for each in running:
        each.stop()
    print()
    print("| solver |" + "".join(f" {size} × {size} |" for size in columns))
    print("|---|" + "---|" * len(columns))
    for place, peer in enumerate(peers):
        print(f"| {peer.name} |" + "".join(f" {column[place]} |" for column in columns.values()))
    print(flush=True)


def _agree(value: Any, ours: Any, scale: float, rounds: bool) -> bool:
    if isinstance(value, float) or rounds:
        return abs(float(value) - to_float(_exactly(ours))) <= NEAR * scale
    return bool(rational(value) == ours)


def _shown(seconds: float) -> str:
    for unit, length in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def _requirements() -> list[str]:
    """What the extra `bench` asks for."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    return list(project["project"]["optional-dependencies"]["bench"])


def _versions() -> str:
    """The packages compared with, as far as they are installed, and sympy."""
    names = sorted([*(each.partition(">")[0] for each in _requirements()), "sympy"])
    found = []
    for name in names:
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return ", ".join(found)


def _machine() -> str:
    """Processor and system."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    name = f"{len(names)} cores of {names[0]}" if names else processor()
    return f"{name}, {platform()}, Python {python_version()}"


def main() -> None:
    """Both tables."""
    parser = ArgumentParser(description="Time matrix-game solvers beside each other.")
    parser.add_argument("--games", type=int, default=5, help="a size")
    parser.add_argument("--limit", type=float, default=30.0, help="seconds a game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--float-only", action="store_true")
    parser.add_argument("--exact-only", action="store_true")
    parser.add_argument(
        "--requirements", action="store_true", help="only print what the solvers need, for pip"
    )
    given = parser.parse_args()
    if given.requirements:
        print(*_requirements(), sep="\n")
        return
    print(_machine(), _versions(), sep="\n")
    if not given.exact_only:
        print("\nIn floats:")
        compare(FLOAT, float_games(given.games, Random(given.seed)), given.limit)
    if not given.float_only:
        print("Exactly:")
        compare(EXACT, exact_games(given.games, Random(given.seed)), given.limit)


if __name__ == "__main__":
    main()
