"""Optimal first moves of the game of n cards, in any arithmetic."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, overload

from flint import arb, fmpq

from gops_exact.arguments import MOST_JOBS, flag, function, instance, positive_integer, shown
from gops_exact.game.position import Node, turns
from gops_exact.game.rules import PLAIN, Rules, Upcard, as_rules
from gops_exact.lattice.exact import ExactArithmetic
from gops_exact.lattice.sweep import Opening
from gops_exact.layers.cost import check_fits
from gops_exact.layers.sweep import float_layers, layer_games, opening, whole_game
from gops_exact.numbers import BigRational
from gops_exact.numbers.kinds import Number, ProvedDecimal, ResidueClass
from gops_exact.pools import available_cores
from gops_exact.progress import Progress
from gops_exact.solutions.arithmetic import Arithmetic, Ball, Exact, Float, Residue, as_arithmetic
from gops_exact.solutions.first_moves import Effort, FirstMoves
from gops_exact.solutions.strategy import Strategy
from gops_exact.solver.cluster import Cluster
from gops_exact.solver.cluster_floats import on_cluster
from gops_exact.solver.cost import check_certifiable, check_feasible
from gops_exact.solver.parallel import openings
from gops_exact.solver.precision import in_balls, in_residues
from gops_exact.store.location import MEMORY, StoreLocation


class Options(TypedDict, total=False):
    """The options of :func:`first_move` beside the arithmetic."""

    upcards: Iterable[int] | None
    rules: Rules
    store: str | Path | None
    read_only: bool
    jobs: int | None
    scheduler: str | None
    progress: Progress | None
    force: bool


@overload
def first_move(
    n: int, arithmetic: Exact | Literal["exact"] = "exact", **options: Unpack[Options]
) -> FirstMoves[fmpq]: ...
@overload
def first_move(
    n: int, arithmetic: Ball | Literal["ball"], **options: Unpack[Options]
) -> FirstMoves[arb]: ...
@overload
def first_move(
    n: int, arithmetic: Residue | Literal["residue"], **options: Unpack[Options]
) -> FirstMoves[int]: ...
@overload
def first_move(
    n: int, arithmetic: Float | Literal["float"], **options: Unpack[Options]
) -> FirstMoves[float]: ...
@overload
def first_move(n: int, arithmetic: Arithmetic, **options: Unpack[Options]) -> FirstMoves[Any]: ...
def first_move(
    n: int,
    arithmetic: Arithmetic | str = "exact",
    *,
    upcards: Iterable[int] | None = None,
    rules: Rules = PLAIN,
    store: str | Path | None = None,
    read_only: bool = False,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> FirstMoves[Any]:
    """The optimal first moves of the game of n cards.

    Where several are optimal, or floats cannot tell, floats are not proved: every probability is then
    1/2 with radius 1/2, shown with a question mark. They do not add up to 1.

    Args:
        n: cards a side.
        arithmetic: the kind of number: ``Exact()``, ``Ball(digits)``, ``Residue(prime)`` or
            ``Float(folder)``, or a name for one with default options: ``"exact"``, ``"ball"``,
            ``"residue"``, ``"float"``.
        upcards: the prizes turned up, by default all that can come first.
        rules: the rules of the game.
        store: file that keeps values between runs; ``":memory:"`` keeps none. By default
            ``$GOPS_EXACT_STORE`` or a file in the user's cache directory. Floats take no file.
        read_only: use the store without adding to it.
        jobs: processes, or threads for floats; by default all cores where it pays.
        scheduler: address of a Dask scheduler whose workers solve the games. This process keeps the
            store or the folder; workers that see a folder read and write it themselves.
        progress: called with the work done and all the work there is, in any unit; the result of
            :func:`gops_exact.progress_bar` shows it.
        force: begin even if it takes hours, or is thought not to fit.

    Raises:
        ValueError: if n is not a positive integer, an upcard cannot come first, the options do not go
            with the arithmetic, the modulus is no prime in range or divides a denominator, or the
            game takes hours, or more memory or disk than there is, and `force` is off.
        StoreError: if the store cannot be used.
        PrecisionError: if decimals cannot be proved (the first move of more than five cards is one of
            several, or a probability lies halfway between two decimals), or balls cannot tell a tie
            for a residue.

    >>> moves = first_move(2)
    >>> moves[1]
    {1: 1, 2: 0}
    >>> first_move(4, rules=Rules("win", "carryover"))[4]
    {1: 272/5411, 2: 1467/5411, 3: 0, 4: 3672/5411}
    >>> first_move(3, rules=Rules(prizes="hidden"))[None]
    {1: 1/3, 2: 1/3, 3: 1/3}
    >>> first_move(3, Ball(digits=20), upcards=[2], store=":memory:")[2].view(2).text()
    '0.55555555555555555556'
    >>> [9 * p % (2**61 - 1) for p in first_move(3, "residue", upcards=[2])[2].values()]
    [0, 5, 4]
    >>> moves = first_move(3, "float")
    >>> moves[3], moves[2], moves[2].proved
    ({1: 0.0, 2: 0.0, 3: 1.0}, {1: 0.5?, 2: 0.5?, 3: 0.5?}, False)
    """
    kind = as_arithmetic(arithmetic)
    prizes, chosen = as_rules(rules).deal(n, upcards)
    jobs = None if jobs is None else positive_integer(jobs, "jobs", MOST_JOBS)
    read_only, force = flag(read_only, "read_only"), flag(force, "force")
    function(progress, "progress")
    if scheduler is not None:
        instance(scheduler, str, "scheduler", "an address")
    cards = tuple(sorted(prizes))
    if isinstance(kind, Float):
        if store not in (None, MEMORY) or read_only:
            raise ValueError(
                "arithmetic 'float' takes neither store nor read_only, "
                f"got store {shown(store)} and read_only {read_only}"
            )
        columns, effort = _floats(
            len(cards), chosen, rules, kind, jobs, scheduler, progress, force=force
        )
        return FirstMoves(len(cards), columns, rules, kind, effort)
    if isinstance(kind, Exact):
        check_feasible(len(cards), rules, force=force)
    else:
        check_certifiable(len(cards), rules, force=force)
    location = StoreLocation.of(store, read_only=read_only)
    if scheduler is not None and (read_only or jobs is not None):
        raise ValueError(
            "a scheduler takes a store that can be written, and no jobs, "
            f"got read_only {read_only} and jobs {jobs}"
        )
    with nullcontext() if scheduler is None else Cluster(scheduler) as cluster:
        solve = partial(
            openings,
            len(cards),
            chosen,
            rules,
            location=location,
            jobs=jobs,
            cluster=cluster,
            progress=progress,
        )
        found = _in_lattice(cards, rules, kind, solve)
    return FirstMoves(len(cards), {upcard: found[upcard] for upcard in chosen}, rules, kind)


def _in_lattice(
    cards: tuple[int, ...],
    rules: Rules,
    kind: Exact | Ball | Residue,
    solve: Callable[..., Mapping[Upcard, Opening[Any]]],
) -> dict[Upcard, Strategy[Any]]:
    """Return openings that the lattice solves, as strategies."""
    if isinstance(kind, Exact):
        return _columns(cards, solve(ExactArithmetic()), BigRational.of_pair)
    if isinstance(kind, Ball):
        digits = kind.digits
        balls = in_balls(solve, _numbers, digits, "a first move")
        return _columns(cards, balls, lambda ball: ProvedDecimal(ball, digits))
    prime = kind.prime
    residues = in_residues(solve, prime, len(cards), winning=rules.winning)
    return _columns(cards, residues, lambda residue: ResidueClass(residue, prime))


def _columns(
    cards: Sequence[int], found: Mapping[Upcard, Opening[Any]], number: Callable[[Any], Number[Any]]
) -> dict[Upcard, Strategy[Any]]:
    """Return openings as strategies, each probability made a number of its kind."""
    return {
        upcard: Strategy(
            dict(zip(cards, map(number, opening.strategy), strict=True)),
            unique=opening.unique,
            proved=opening.proved,
            method=opening.method,
        )
        for upcard, opening in found.items()
    }


def _numbers(found: Mapping[Upcard, Opening[arb]]) -> list[arb]:
    return [ball for opening in found.values() for ball in opening.strategy]


def _floats(
    n: int,
    chosen: list[Upcard],
    rules: Rules,
    kind: Float,
    jobs: int | None,
    scheduler: str | None,
    progress: Progress | None,
    *,
    force: bool,
) -> tuple[dict[Upcard, Strategy[float]], Effort]:
    """Return the openings in floats, and the games solved for them."""
    folder = None if kind.folder is None else Path(kind.folder)
    if scheduler is not None and jobs is not None:
        raise ValueError(f"a scheduler takes no jobs, got jobs {jobs}")
    with nullcontext() if scheduler is None else Cluster(scheduler) as cluster:
        if cluster is not None:
            jobs = cluster.jobs
        jobs = available_cores() if jobs is None else jobs
        check_fits(
            n,
            rules,
            jobs=jobs,
            memory_bytes=kind.memory_bytes,
            folder=folder,
            keep=kind.keep,
            integers=kind.integers,
            force=force,
        )
        types = whole_game(n, rules, progress)
        # One layer is let go before the next but one is made.
        layers = float_layers(
            types,
            rules=rules,
            jobs=jobs,
            progress=progress,
            folder=folder,
            keep=kind.keep,
            solver=None if cluster is None else partial(on_cluster, cluster),
            integers=kind.integers,
        )
        kept = deque(layers, maxlen=1)
    last = kept.pop() if kept else None
    first = {turn.upcard: turn for turn in turns(rules, Node(rules.deal(n)[0]))}
    found = {upcard: opening(types.root, first[upcard], last) for upcard in chosen}
    columns = _columns(range(1, n + 1), found, lambda number: number)
    games = sum(layer_games(types, k, rules) for k in range(1, n)) + len(columns)
    failed, robust = (0, 0) if last is None else last.counts[:2].tolist()
    return columns, Effort(games, failed, robust)
