"""Public functions that solve games and positions, and :func:`growth`, which measures stored values."""

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from flint import fmpz

from gops_exact.base.arguments import MOST_JOBS, flag, function, instance, positive_integer, shown
from gops_exact.base.progress import Progress, tracked
from gops_exact.game.game import Game, Position, as_game, stage_games
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import PLAIN, Rules, Upcards
from gops_exact.numbers.digits import BigInteger
from gops_exact.numbers.exact import Number
from gops_exact.solvers.arithmetic import Arithmetic, Float, as_arithmetic
from gops_exact.solvers.results import ByCard, PayoffMatrix, Solution
from gops_exact.solvers.solver import Solver

if TYPE_CHECKING:
    from gops_exact.solvers.first_moves import FirstMoves


class Options(TypedDict, total=False):
    """The options of :func:`solver` other than the arithmetic and the game."""

    store: str | Path | None
    read_only: bool
    jobs: int | None
    scheduler: str | None
    progress: Progress | None
    force: bool


def solver(
    arithmetic: Arithmetic | str = "exact",
    game: Game | int | None = None,
    *,
    store: str | Path | None = None,
    read_only: bool = False,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> Solver[Any]:
    """Make a solver, which keeps the values that it computes and uses them in later calls.

    Args:
        arithmetic: ``Exact()``, ``Ball(digits)`` or ``Float(folder)``; or a name, for default
            options: ``"exact"``, ``"ball"``, ``"float"``. To solve positions, a float solver also
            reads the layers of whole games that are in its folder.
        game: the game to which all positions will belong, or its number of cards a side. These positions share
            their values; a float solver computes or reads all layers of the game at once. None to accept any
            position; then the solver keeps the values that the last position leads to.
        store: the file that keeps values between runs. With ``":memory:"`` values last as long as the solver; its
            processes share a temporary file. None for ``$GOPS_EXACT_STORE``, or else a file in the user's cache
            directory. First moves read and write the file; positions only read it, if it exists. Floats use no
            store.
        read_only: True to read the store, but write nothing to it.
        jobs: the number of processes for first moves, or of threads for floats; None for the number of cores, or
            for 1 if the first moves take only seconds.
        scheduler: the address of a Dask scheduler whose workers compute first moves. They receive and return values in
            messages; only this process uses the store and the folder of a float solver.
        progress: called as progress(done, total), in any unit; :func:`gops_exact.progress_bar` returns a function
            that shows it.
        force: True to begin even if the estimate is hours, or too much memory or disk.

    Raises:
        ValueError: if an option is invalid, or cannot be combined with another one or with the arithmetic.

    >>> exactly = solver("exact", store=":memory:")
    >>> position = Position([2, 4], [1, 3], [12, 13])
    >>> print(exactly.value(position), exactly.solve(position.at(13)).row)
    313/25 {2: 12/25, 4: 13/25}
    """
    kind = as_arithmetic(arithmetic)
    game = None if game is None else as_game(game)
    jobs = None if jobs is None else positive_integer(jobs, "jobs", MOST_JOBS)
    read_only, force = flag(read_only, "read_only"), flag(force, "force")
    function(progress, "progress")
    workers: int | str | None = jobs
    if scheduler is not None:
        if read_only or jobs is not None:
            raise ValueError(
                "a scheduler takes a store that can be written, and no jobs, "
                f"got read_only {read_only} and jobs {jobs}"
            )
        workers = instance(scheduler, str, "scheduler", "an address")
    # Each solver, and the store, is imported here, because a run needs one solver, and floats need no store.
    if not isinstance(kind, Float):
        from gops_exact.base.store import store_path
        from gops_exact.solvers.exact.by_prizes import ByPrizes

        return ByPrizes(
            kind,
            game,
            store=store_path(store),
            read_only=read_only,
            workers=workers,
            progress=progress,
            force=force,
        )
    if read_only or store not in (None, ":memory:"):
        raise ValueError(
            "arithmetic 'float' takes neither store nor read_only, "
            f"got store {shown(store)} and read_only {read_only}"
        )
    from gops_exact.solvers.floats.by_layers import ByLayers

    return ByLayers(kind, game, workers=workers, progress=progress, force=force)


def first_move(
    game: Game | int,
    arithmetic: Arithmetic | str = "exact",
    *,
    upcards: Upcards | None = None,
    rules: Rules = PLAIN,
    **options: Unpack[Options],
) -> "FirstMoves[Any]":
    """Compute the optimal first moves of a game.

    Floats prove a strategy only if it is the only optimal one. If several are optimal, or floats cannot decide that
    only one is, every probability is given as 1/2 with radius 1/2, and shown with a question mark; these do not add up
    to 1.

    Args:
        game: the game, or its number of cards a side.
        arithmetic: the kind of number, as in :func:`solver`.
        upcards: the prizes turned up, one or several, as numbers or as A, T, J, Q, K; None for every prize that
            can come first.
        rules: the rules, if `game` is a number of cards.
        options: as in :func:`solver`.

    Raises:
        ValueError: if an upcard cannot come first, if the options cannot be combined, or if the game takes hours, or more memory or disk than there is, and `force` is False.
        StoreError: if the store cannot be used.
        PrecisionError: if decimals cannot be proved, because a probability lies halfway between two decimals, or
            because several first moves of a game of more than five cards are optimal.

    >>> from gops_exact import Ball, Rules
    >>> first_move(2)[1]
    {1: 1, 2: 0}
    >>> first_move(3, rules=Rules(prizes="hidden"))[None]
    {1: 1/3, 2: 1/3, 3: 1/3}
    >>> first_move(3, Ball(digits=20), upcards=[2], store=":memory:")[2][2]
    0.55555555555555555556
    >>> moves = first_move(3, "float")
    >>> moves[3], moves[2], moves[2].proved
    ({1: 0.0, 2: 0.0, 3: 1.0}, {1: 0.5?, 2: 0.5?, 3: 0.5?}, False)
    """
    return solver(arithmetic, **options).first_move(as_game(game, rules=rules), upcards)


def value(
    position: Position | str, arithmetic: Arithmetic | str = "exact", **options: Unpack[Options]
) -> Number[Any]:
    """Compute player one's expectation at a position under optimal play.

    The expectation is in points gained from the position on. With the objective ``win``, the expectation
    is the chance of a win minus the chance of a loss.

    Args:
        position: the position or its name, before or after a prize is turned up.
        arithmetic: the kind of number, as in :func:`solver`. The result is an exact number, proved
            decimals, or a float with its radius.
        options: as in :func:`solver`.

    Raises:
        ValueError: if the position takes hours, or more memory than there is, and `force` is False; or if the
            options cannot be combined.
        StoreError: if the store cannot be used.
        PrecisionError: if decimals cannot be proved.

    >>> position = Position([2, 4], [1, 3], [12, 13])
    >>> print(value(position))
    313/25
    >>> value(position, "float").radius < 1e-12
    True
    """
    return solver(arithmetic, **options).value(position)


def solve(
    position: Position | str, arithmetic: Arithmetic | str = "exact", **options: Unpack[Options]
) -> Solution[Any]:
    """Solve a position with a prize turned up.

    If several strategies are optimal, or floats cannot decide that only one is, a float solution has the method
    ``"bracket"``: its value is proved as an interval. Its strategies are not proved to be optimal, but guarantee the
    value to within its radius. If several strategies are optimal at six or more cards a side, balls raise a
    PrecisionError.

    Args:
        position: the position or its name; without an upcard if bids are made before the prize is seen.
        arithmetic: the kind of number, as in :func:`solver`.
        options: as in :func:`solver`.

    Raises:
        ValueError: if the position lacks an upcard; or as in :func:`value`.
        StoreError: if the store cannot be used.
        PrecisionError: as in :func:`value`.

    >>> solution = solve(Position([2, 4], [1, 3], [12, 13], upcard=13))
    >>> print(solution.value, solution.row)
    313/25 {2: 12/25, 4: 13/25}
    """
    return solver(arithmetic, **options).solve(position)


def payoff_matrix(
    position: Position | str, arithmetic: Arithmetic | str = "exact", **options: Unpack[Options]
) -> PayoffMatrix[Any]:
    """Compute player one's expectation for every pair of bids, if both players play optimally afterwards.

    The matrix is a mapping, {player one's card: {player two's card: number}}. Arguments and errors are those of
    :func:`solve`.

    >>> payoffs = payoff_matrix(Position([2, 4], [1, 3], [12, 13], upcard=13))
    >>> payoffs, payoffs[2][3]
    ({2: {1: 25, 3: -1}, 4: {1: 1, 3: 25}}, -1)
    """
    return solver(arithmetic, **options).payoff_matrix(position)


def bid_gains(
    position: Position | str, arithmetic: Arithmetic | str = "exact", **options: Unpack[Options]
) -> ByCard[Any]:
    """Compute player one's expectation from each bid against player two's optimal strategy, {card: number}.

    No bid has a larger expectation than the value of the position; the bids that an optimal strategy plays have
    exactly this expectation. If player two has several optimal strategies, the one that :func:`solve` returns is
    used. If floats do not prove this strategy optimal, the radius of each number covers the bid's expectation
    against every optimal strategy. Arguments and errors are those of :func:`solve`.

    >>> bid_gains(Position.start(3).at(2))
    {1: -1, 2: 0, 3: 0}
    """
    return solver(arithmetic, **options).bid_gains(position)


@dataclass(frozen=True)
class Lengths:
    """The lengths of the denominators of the exact values in one layer of a game."""

    n: int  #: cards a side at the beginning of the game
    cards_a_side: int  #: cards a side in this layer
    numbers: int  #: the number of denominators; if it is 0, the lengths are None
    mean_bits: int | None = None  #: the mean length of the denominators in bits, rounded down
    most_bits: int | None = None  #: the length of the longest denominator in bits
    most_digits: int | None = None  #: the length of the longest denominator in decimal digits


def growth(
    game: Game | int,
    *,
    rules: Rules = PLAIN,
    store: str | Path | None = None,
    progress: Progress | None = None,
) -> list[Lengths]:
    """Measure the lengths of a game's exact numbers, layer by layer; the last layer consists of the first moves.

    Three kinds of denominator are measured: those of all values of up to n − 2 cards a side, as they are stored
    (long ones are not in lowest terms); those of the values of n − 1 cards a side that were needed for the first
    moves; and those of the nonzero probabilities of the first moves, in lowest terms.

    Args:
        game: the game, or its number of cards a side; its first moves must have been computed with this store.
        rules: the rules, if `game` is a number of cards.
        store: the file with the game's values, as in :func:`solver`.
        progress: called as progress(done, total), in any unit.

    Returns:
        The lengths in each layer, ascending by cards a side.

    Raises:
        ValueError: if the store lacks any of the values.
        StoreError: if the store cannot be read.
    """
    # Imported here, because no other function needs these modules in every arithmetic.
    from gops_exact.base.store import MEMORY, DiskStore, store_path
    from gops_exact.solvers.exact.lattice import Values, dependencies, missing
    from gops_exact.solvers.exact.rational import ExactSystem

    game = as_game(game, LONGEST, rules=rules)
    function(progress, "progress")
    path = store_path(store)
    if path is None:
        raise ValueError(f"growth is read from a store, got {MEMORY!r}")
    with DiskStore(path, read_only=True) as file:
        values = Values(game.types, game.rules, ExactSystem(), file)
        first = dependencies(game.stage_games.values())
        later = [stage for state in first for stage in stage_games(game.rules, state)]
        layers: dict[int, list[fmpz]] = {size: [] for size in range(1, game.n - 1)}
        for state in tracked(missing(later, game.rules, ()), progress, values.weight):
            if state not in values:
                raise ValueError(
                    f"the store must hold the values of the game of {game.n} cards, as first-move leaves "
                    f"them, got none for the prizes {', '.join(map(str, state.prizes))}"
                )
            layers[len(state.prizes)] += [q for _, q in values[state].values]
        if game.n > 2:
            known = chain.from_iterable(map(values.known_keys, first))
            layers[game.n - 1] = [q for key in known for _, q in values[key].values]
        first_moves = [values.first_move(game.prizes, upcard) for upcard in game.upcards]
        layers[game.n] = [q for play in first_moves if play for p, q in play.row if p]
    lengths = list[Lengths]()
    for size, denominators in layers.items():
        count = len(denominators)
        if count == 0:
            lengths.append(Lengths(game.n, size, 0))
            continue
        longest = BigInteger(max(denominators))
        mean = sum(q.bit_length() for q in denominators) // count
        lengths.append(Lengths(game.n, size, count, mean, longest.bit_length(), longest.digits))
    return lengths
