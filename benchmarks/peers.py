"""Single matrix games, solved by this package and by others, side by side.

    python benchmarks/peers.py [--what known,integers,signs,fractions,gops,floats] [--games 5]
        [--limit 20] [--sizes 200,300] [--solvers gops_exact QSopt_ex] [--csv docs/peers.csv]

Without arguments it measures all tables of docs/peers.md, in some fifteen minutes.

floats: positions of GOPS with eight cards, with payoffs from the float sweep. gops: positions of the
game of six cards, with payoffs as fractions, up to the first moves' 22,000 bits. None has a saddle
point, and no two bids of it are interchangeable, so that every solver has to work.

integers, signs, fractions: square games of random entries, from -100 to 100; -1, 0 or 1, so that
ties are many; and of numerators and denominators of up to 30 digits. Beside the exact solvers stands
what HiGHS takes for the floats alone. known: games of the literature, from gx.known_games, with the
same solvers.

Each solver runs in a process of its own, which ends when a game takes longer than the limit; it is
then left out of larger games of the kind, but not of other known games. Times are core time, which other work on the machine
disturbs less than it does the clock: of each game the median of its runs, and of those the median
over the games. What the machine does meanwhile stands above and below each table. Every value is compared with this package's: an exact one must be equal, a float near.
"""

import csv
import os
import sys
import time
import tomllib
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from platform import platform, processor, python_version
from random import Random
from resource import RLIMIT_DATA, setrlimit
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import fmpq
from peer_solvers import EXACT, FLOAT, HIGHS, Matrix, Peer, Timed

import gops_exact as gx
from gops_exact import known_games as known
from gops_exact.game.order_types import Layer, order_types
from gops_exact.matrix_game.basis import saddle_point
from gops_exact.numbers.exact import rational
from gops_exact.numbers.kinds import view

if TYPE_CHECKING:
    from gops_exact.solvers.floats.layer import FloatLayer

FLOAT_CARDS, EXACT_CARDS = 8, 6
NEAR = 1e-9
"""How far a float may be off, as a share of the largest payoff."""

SIZES = (10, 20, 40, 60, 100, 200, 300)

LARGEST = 1000
"""A size at which only this package and HiGHS are asked, and the limit is LARGEST_LIMIT times that
of the others. Fractions of so many terms are left out: their answers alone would be gigabytes."""

LARGEST_LIMIT = 3

MEMORY = 8 << 30
"""Bytes that a solver may allocate."""

ENTRIES: dict[str, Callable[[Random], fmpq]] = {
    "integers": lambda rng: fmpq(rng.randint(-100, 100)),
    "signs": lambda rng: fmpq(rng.randint(-1, 1)),
    "fractions": lambda rng: fmpq(rng.randint(-(10**30), 10**30), rng.randint(1, 10**30)),
}

RUN_SECONDS, MOST_RUNS = 0.1, 50
"""A game is solved again for so long, or so often."""

LOADING = 120.0
"""Core seconds a package may take to load."""

POLL_SECONDS = 0.1
"""Between two looks at how long a solver has taken; making its problem counts there, not in times."""


def skew_symmetric(n: int, draw: Callable[[Random], int]) -> gx.MatrixGame:
    """Return a skew-symmetric game of independent random payoffs."""
    source = Random(0)
    payoff = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            payoff[j][i] = draw(source)
            payoff[i][j] = -payoff[j][i]
    return gx.MatrixGame(payoff)


KNOWN: dict[str, Callable[[], gx.MatrixGame]] = {
    "biased rock, paper, scissors": known.biased_rock_paper_scissors,
    "Morra, 3 fingers": lambda: known.morra(3),
    "Morra, 5 fingers": lambda: known.morra(5),
    "Hilbert 20": lambda: known.hilbert(20),
    "Pascal 20": lambda: known.pascal(20),
    "Hilbert 60": lambda: known.hilbert(60),
    "Pascal 60": lambda: known.pascal(60),
    "Blotto 5, 3": lambda: known.blotto(5, 3),
    "antisymmetric 60": lambda: skew_symmetric(60, lambda source: source.randint(-(10**9), 10**9)),
    "tournament 60": lambda: skew_symmetric(60, lambda source: source.choice((-1, 1))),
    "Blotto 10, 3": lambda: known.blotto(10, 3),
    "101 weapons": lambda: known.rock_paper_scissors(101),
    "Blotto 10, 4": lambda: known.blotto(10, 4),
    "Blotto 10, 5": lambda: known.blotto(10, 5),
}

KINDS = {
    "known": (1, 3.0),
    "integers": (1, 10.0),
    "signs": (3, 5.0),
    "fractions": (1, 10.0),
    "gops": (5, 10.0),
    "floats": (5, 5.0),
}
"""The kinds of games, with the number of games of each size and the limit, in core seconds a game."""

AT_THE_LARGEST = {peer.name for peer in (EXACT[0], *HIGHS)}

Game = tuple[str, Matrix]

Size = int | str
"""Bids of each player in games of a kind, or the name of a known game."""


class Row(NamedTuple):
    """A measurement: games of a kind and a size, and core seconds of a solver."""

    games: str
    size: Size
    solver: str
    seconds: str


def float_games(count: int, rng: Random) -> Iterator[tuple[int, list[Game]]]:
    """Games of two to eight bids a side, in floats."""
    from gops_exact.solvers.floats.sweep import float_layers

    n = FLOAT_CARDS
    game = gx.Game(n)
    below: FloatLayer | None = None
    for layer in [*float_layers(game), None]:
        k = n if layer is None else layer.size
        if k > 1 and below is not None:
            yield k, _sample(count, lambda k=k, below=below: _float_game(game.types, k, below, rng))
        below = layer


def _float_game(types: tuple[Layer, ...], k: int, below: "FloatLayer", rng: Random) -> Game | None:
    layer = types[k]
    h = rng.randrange(len(layer))
    if not (layer.row_kept[h].all() and layer.column_kept[h].all()):
        return None
    prizes = sorted(rng.sample(range(1, FLOAT_CARDS + 1), k))
    upcard = rng.choice(prizes)
    known = below.values_of(tuple(prize for prize in prizes if prize != upcard))
    matrix = [
        [
            upcard * sign + float(known[abs(child) - 1] * ((child > 0) - (child < 0)))
            for sign, child in zip(signs, children, strict=True)
        ]
        for signs, children in zip(layer.sign[h].tolist(), layer.child[h].tolist(), strict=True)
    ]
    return f"{layer.interleavings()[h]} for {prizes}, upcard {upcard}", matrix


def exact_games(count: int, rng: Random) -> Iterator[tuple[int, list[Game]]]:
    """Games of two to six bids a side, in fractions."""
    deck = range(1, EXACT_CARDS + 1)
    for k in range(2, EXACT_CARDS + 1):
        yield k, _sample(count, lambda k=k: _exact_game(deck, k, rng))


def _exact_game(deck: range, k: int, rng: Random) -> Game | None:
    one, two, prizes = (sorted(rng.sample(deck, k)) for _ in range(3))
    types = order_types(one, two)[-1]
    if not (types.row_kept.all() and types.column_kept.all()) or (one == two and k < len(deck)):
        return None
    upcard = rng.choice(prizes)
    name = f"{one} against {two} for {prizes}, upcard {upcard}"
    payoffs = gx.payoff_matrix(gx.Position(one, two, prizes, upcard))
    return name, gx.MatrixGame(payoffs).numbers.rows


def known_games() -> Iterator[tuple[str, list[Game]]]:
    """Every known game, for itself."""
    for name, make in KNOWN.items():
        yield name, [(name, make().numbers.rows)]


def random_games(
    kind: str, sizes: Sequence[int], count: int, rng: Random
) -> Iterator[tuple[int, list[Game]]]:
    """Square games of random entries."""
    for n in sizes:
        yield (
            n,
            [
                (
                    f"{kind} {n}, game {number}",
                    [[ENTRIES[kind](rng) for _ in range(n)] for _ in range(n)],
                )
                for number in range(count)
            ],
        )


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
    setrlimit(RLIMIT_DATA, (MEMORY, MEMORY))
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
    """The value, and the median core seconds a game; the first run is for compiling and caches."""
    value, first = _run(timed)
    seconds = [first] if first > RUN_SECONDS and timed.games == 1 else []
    while not seconds or (len(seconds) < MOST_RUNS and sum(seconds) < RUN_SECONDS):
        seconds.append(_run(timed)[1])
    return value, median(seconds) / timed.games


def _run(timed: Timed) -> tuple[Any, float]:
    """The value and the core seconds of a call."""
    loaded = timed.load()
    before = time.process_time()
    value = timed.run(*loaded)
    return value, time.process_time() - before


class Running:
    """A solver in a process of its own."""

    def __init__(self, peer: Peer, limit: float) -> None:
        self.peer = peer
        self.limit = limit
        self.start()

    def start(self) -> None:
        """Start the process."""
        self.out: str | None = None
        context = get_context("spawn")
        self._wire, other = context.Pipe()
        self._process = context.Process(target=serve, args=(self.peer, other), daemon=True)
        self._process.start()
        other.close()
        missing = self._answer(LOADING)
        if missing is not None:
            self.stop()
            self.out = "missing"
            print(f"left out: {self.peer.name}: {missing}", flush=True)

    def solve(self, matrix: Matrix) -> Any:
        """(value, seconds), or in a word why there is none."""
        if self.out is None:
            self._wire.send(matrix)
            most = LARGEST_LIMIT if len(matrix) == LARGEST else 1
            answer = self._answer(most * self.limit)
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
        """What the process sends; in a word why it does not."""
        begun = self._core_seconds()
        try:
            while not self._wire.poll(POLL_SECONDS):
                if self._core_seconds() - begun > limit:
                    return f"> {limit:.0f} s"
            return self._wire.recv()
        except EOFError:
            return "crashed"

    def _core_seconds(self) -> float:
        """What the process has taken so far, all its threads together."""
        after_name = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, after_name[11:13])) / os.sysconf("SC_CLK_TCK")


def compare(
    kind: str, peers: Sequence[Peer], sizes: Iterator[tuple[Size, list[Game]]], limit: float
) -> list[Row]:
    """Time the peers on the same games, print a table, and every value that differs."""
    running = [Running(peer, limit) for peer in peers]
    columns: dict[str, list[str]] = {}
    rows: list[Row] = []
    for size, games in sizes:
        for each in running:
            if isinstance(size, str) and each.out not in (None, "missing"):
                each.start()
        asked = [each for each in running if size != LARGEST or each.peer.name in AT_THE_LARGEST]
        seconds: dict[str, list[float]] = {peer.name: [] for peer in peers}
        for name, matrix in games:
            answers = [(each.peer, each.solve(matrix)) for each in asked]
            found = [(peer, *answer) for peer, answer in answers if not isinstance(answer, str)]
            scale = max(abs(float(view(_exactly(x)))) for row in matrix for x in row)
            for peer, value, taken in found:
                seconds[peer.name].append(taken)
                reference = found[0][1]
                if not _agree(value, reference, scale, peer.rounds):
                    off = float(view(_exactly(value) - _exactly(reference)))
                    print(f"{peer.name} differs by {off:.1e} at {name}", flush=True)
        column = columns[size if isinstance(size, str) else f"{size} × {size}"] = []
        for each in running:
            times = seconds[each.peer.name]
            if len(times) == len(games):
                rows.append(Row(kind, size, each.peer.name, f"{median(times):.3g}"))
                column.append(_shown(median(times)))
            else:
                column.append((each.out or "") if each in asked else "")
        print(f"games solved: {size}, {len(games)} of them", flush=True)
    for each in running:
        each.stop()
    table = [["solver", *columns]]
    table += [[peer.name, *line] for peer, *line in zip(peers, *columns.values(), strict=True)]
    if kind == "known":
        table = list(map(list, zip(*table, strict=True)))
        table[0][0] = "game"
    table.insert(1, ["---"] * len(table[0]))
    print("", *(f"| {' | '.join(line)} |" for line in table), "", sep="\n", flush=True)
    return rows


def _busy() -> str:
    """What the machine is doing: load averages over 1, 5 and 15 minutes, processes that run and all."""
    return (
        f"{time.strftime('%H:%M:%S')}, load {Path('/proc/loadavg').read_text().rpartition(' ')[0]}"
    )


def _agree(value: Any, reference: Any, scale: float, rounds: bool) -> bool:
    if isinstance(value, float) or rounds:
        return abs(float(value) - float(view(_exactly(reference)))) <= NEAR * scale
    return bool(rational(value) == reference)


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
    """A table a kind."""
    parser = ArgumentParser(description="Time matrix-game solvers beside each other.")
    parser.add_argument("--what", type=lambda text: text.split(","), default=[*KINDS])
    parser.add_argument("--games", type=int, help="a size")
    parser.add_argument("--limit", type=float, help="core seconds a game")
    parser.add_argument(
        "--sizes", type=lambda text: tuple(map(int, text.split(","))), help="of random games"
    )
    parser.add_argument("--solvers", nargs="+", help="of exact games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", type=Path, help="also write the times to this file, in seconds")
    parser.add_argument(
        "--requirements", action="store_true", help="only print what the solvers need, for pip"
    )
    given = parser.parse_args()
    if given.requirements:
        print(*_requirements(), sep="\n")
        return
    print(_machine(), _versions(), sep="\n")
    rows: list[Row] = []
    for kind in given.what:
        rng = Random(given.seed)
        count, limit = given.games or KINDS[kind][0], given.limit or KINDS[kind][1]
        print(f"\n{kind}, {count} of each size, limit {limit:.0f} s; {_busy()}", flush=True)
        games: Iterator[tuple[Size, list[Game]]]
        if kind == "known":
            games = known_games()
        elif kind in ENTRIES:
            sizes = given.sizes or ((*SIZES, LARGEST) if kind == "integers" else SIZES)
            games = random_games(kind, sizes, count, rng)
        else:
            games = (float_games if kind == "floats" else exact_games)(count, rng)
        solvers = {"floats": FLOAT, "gops": EXACT}.get(kind, (*EXACT, *HIGHS))
        peers = [peer for peer in solvers if given.solvers is None or peer.name in given.solvers]
        rows += compare(kind, peers, games, limit)
        print(f"{kind} measured; {_busy()}", flush=True)
        if given.csv:  # written after each table, so that an interrupt leaves those measured
            with given.csv.open("w", encoding="ascii", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerows([Row._fields, *rows])


if __name__ == "__main__":
    main()
