"""Public functions that solve games and positions, and :func:`growth`, which measures how long stored numbers are.

The functions that solve take an *arithmetic*, the kind of number in their answers: exact rationals, decimals of which
every digit is proved, or floats, each with a proved *radius*, a bound on its distance from the true number.
"""

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from flint import fmpz

from gops_exact.base.arguments import MOST_JOBS, flag, function, instance, integer, shown
from gops_exact.base.progress import Progress, tracked
from gops_exact.game.game import Game, Position, as_game
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import PLAIN, Rules, Upcards
from gops_exact.numbers.digits import BigInteger
from gops_exact.numbers.exact import Number
from gops_exact.solvers.arithmetic import SHORTHAND, Arithmetic, Float
from gops_exact.solvers.first_moves import ByCard, FirstMoves
from gops_exact.solvers.solver import Solver

if TYPE_CHECKING:
    from gops_exact.solvers.results import PayoffMatrix, Solution


class Options(TypedDict, total=False):
    """The keyword options that the functions below pass on to :func:`solver`, which describes them."""

    store: str | Path | None
    read_only: bool
    jobs: int | None
    scheduler: str | None
    progress: Progress | None
    force: bool


def as_arithmetic(arithmetic: object) -> Arithmetic:
    """Return an arithmetic that is passed as an object or by its name; a name stands for default options.

    Raises:
        ValueError: if `arithmetic` is neither an :class:`Exact`, :class:`Ball` or :class:`Float` nor one of the names
            ``"exact"``, ``"ball"`` and ``"float"``.
    """
    if isinstance(arithmetic, Arithmetic):
        return arithmetic
    if isinstance(arithmetic, str) and arithmetic in SHORTHAND:
        return SHORTHAND[arithmetic]()
    raise ValueError(
        "arithmetic must be 'exact', 'ball', 'float' or Exact(), Ball(digits), Float(folder), "
        f"got {shown(arithmetic)}"
    )


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
    """Make a solver, which keeps values of positions that it has computed, and uses them in later calls.

    Args:
        arithmetic: ``Exact()`` for exact rationals, ``Ball(digits)`` for decimals of which every digit is proved, or
            ``Float(folder)`` for floats; or a name, for default options: ``"exact"``, ``"ball"``, ``"float"``. `folder`
            is the path of a folder for files of the values of whole games. A float solver takes the values that it
            needs to solve positions from these files, if they are there.
        game: the game to which all positions will belong, or its number of cards a side. These positions share
            their values; a float solver computes or reads all values of the game at once. None to accept any
            position. Then the solver keeps the values of the positions that can follow from the first position that it
            solves. If a later position cannot follow from the first one, the solver drops these values, and keeps those
            of the positions that can follow from the later one.
        store: the file that keeps values between runs. It is read and written when first moves (optimal strategies for
            the first bid) are computed. It is only read, if it exists, when positions are solved. ``":memory:"`` for no
            file, except a temporary one that several processes share. None for ``$GOPS_EXACT_STORE``, or else a file in
            the user's cache directory. Floats use no store.
        read_only: True to read the store, but write nothing to it.
        jobs: the number of processes for first moves, or of threads for floats; None for the number of cores, or
            for 1 if the first moves take only seconds.
        scheduler: the address of a Dask scheduler whose workers compute first moves. The workers receive and return
            values in messages; only this process uses the store and the folder of ``Float(folder)``.
        progress: called as progress(done, total), in any unit; :func:`gops_exact.progress_bar` returns a function
            that shows it.
        force: True to begin even if the run is estimated to take hours, or more memory or disk than there is.

    Returns:
        The solver.

    Raises:
        ValueError: if an option is invalid, or cannot be combined with another one or with the arithmetic; or if
            `force` is False and the `game` takes hours, or more memory or disk than there is.
        StoreError: if `arithmetic` is ``Float(folder)``, and a file of values in that folder is damaged.

    >>> exactly = solver("exact", store=":memory:")
    >>> position = Position([2, 4], [1, 3], [12, 13])
    >>> print(exactly.value(position), exactly.solve(position.at(13)).row)
    313/25 {2: 12/25, 4: 13/25}
    """
    kind = as_arithmetic(arithmetic)
    game = None if game is None else as_game(game)
    jobs = None if jobs is None else integer(jobs, "jobs", 1, MOST_JOBS)
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
) -> FirstMoves[Any]:
    """Compute optimal strategies for the first bid, {upcard: {card: probability}}; they are the same for both players.

    Floats prove a strategy only if it is the only optimal one. If several are optimal, or floats cannot decide that
    only one is, nothing is proved about the probabilities. Each is then given as 1/2 with a radius just above 1/2, so
    that its bounds contain all numbers from 0 to 1, and is shown with a question mark. The sum of these numbers need
    not be 1.

    Args:
        game: the game, or its number of cards a side.
        arithmetic: ``"exact"``, ``"ball"`` (decimals of which every digit is proved) or ``"float"``; or one of these
            with options, such as ``Ball(digits=20)``.
        upcards: the prizes turned up, one or several, as numbers or as A, T, J, Q, K; None for every prize that
            can come first.
        rules: the rules, if `game` is a number of cards.
        options: the options `store`, `read_only`, `jobs`, `scheduler`, `progress` and `force` of :func:`solver`.

    Returns:
        An optimal strategy for each upcard, in the order of `upcards`.

    Raises:
        ValueError: if an upcard cannot come first, if the options cannot be combined, or if `force` is False and the
            game takes hours, or more memory or disk than there is.
        StoreError: if the store cannot be used, or if `arithmetic` is ``Float(folder)`` and a file of values in that
            folder is damaged.
        OSError: if `arithmetic` is ``Float(folder)``, and the disk of the folder is full.
        PrecisionError: if `arithmetic` is ``"ball"`` and a digit cannot be proved, because a probability lies halfway
            between two decimals, or because several strategies for the first bid of a game of more than five cards are
            optimal.

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
    """Compute player one's expectation at a position if both players play optimally.

    With the objective ``points``, this is the expected difference between the points that player one and player two
    win from the position on. With the objective ``win``, it is the chance of a win minus the chance of a loss.

    Args:
        position: the position or its name, before or after a prize is turned up.
        arithmetic: ``"exact"``, ``"ball"`` (decimals of which every digit is proved) or ``"float"``; or one of these
            with options, such as ``Ball(digits=20)``.
        options: the options `store`, `read_only`, `jobs`, `scheduler`, `progress` and `force` of :func:`solver`.

    Returns:
        An exact number, a decimal of which every digit is proved, or a float with its radius, a proved bound on the
        error.

    Raises:
        ValueError: if `position` is neither a position nor the name of one, if the options cannot be combined, or if
            `force` is False and the position takes hours, or more memory than there is.
        StoreError: if the store cannot be used.
        PrecisionError: if `arithmetic` is ``"ball"`` and a digit cannot be proved.

    >>> position = Position([2, 4], [1, 3], [12, 13])
    >>> print(value(position))
    313/25
    >>> value(position, "float").radius < 1e-12
    True
    """
    return solver(arithmetic, **options).value(position)


def solve(
    position: Position | str, arithmetic: Arithmetic | str = "exact", **options: Unpack[Options]
) -> "Solution[Any]":
    """Solve a position with a prize turned up.

    A float solution has the method ``"bracket"`` if a player has several optimal strategies, or if floats cannot prove
    that there is only one. Then an interval around the value is proved. The strategies are not proved to be optimal,
    but guarantee the value to within its radius.

    Args:
        position: the position or its name, with a prize turned up; without an upcard if prizes are hidden.
        arithmetic: ``"exact"``, ``"ball"`` (decimals of which every digit is proved) or ``"float"``; or one of these
            with options, such as ``Ball(digits=20)``.
        options: the options `store`, `read_only`, `jobs`, `scheduler`, `progress` and `force` of :func:`solver`.

    Returns:
        The value and a strategy of each player.

    Raises:
        ValueError: if `position` is neither a position nor the name of one, if a prize has to be turned up first or none
            is left, if the options cannot be combined, or if `force` is False and the position takes hours, or more
            memory than there is.
        StoreError: if the store cannot be used.
        PrecisionError: if `arithmetic` is ``"ball"`` and a digit cannot be proved, for example because several
            strategies are optimal at six or more cards a side.

    >>> solution = solve(Position([2, 4], [1, 3], [12, 13], upcard=13))
    >>> print(solution.value, solution.row)
    313/25 {2: 12/25, 4: 13/25}
    """
    return solver(arithmetic, **options).solve(position)


def payoff_matrix(
    position: Position | str, arithmetic: Arithmetic | str = "exact", **options: Unpack[Options]
) -> "PayoffMatrix[Any]":
    """Compute player one's expectation for every pair of bids, if both players play optimally afterwards.

    Args:
        position: the position or its name, with a prize turned up; without an upcard if prizes are hidden.
        arithmetic: ``"exact"``, ``"ball"`` (decimals of which every digit is proved) or ``"float"``; or one of these
            with options.
        options: the options `store`, `read_only`, `jobs`, `scheduler`, `progress` and `force` of :func:`solver`.

    Returns:
        A mapping {player one's card: {player two's card: number}}.

    Raises:
        ValueError, StoreError, PrecisionError: for the reasons that :func:`solve` names.

    >>> payoffs = payoff_matrix(Position([2, 4], [1, 3], [12, 13], upcard=13))
    >>> payoffs, payoffs[2][3]
    ({2: {1: 25, 3: -1}, 4: {1: 1, 3: 25}}, -1)
    """
    return solver(arithmetic, **options).payoff_matrix(position)


def bid_gains(
    position: Position | str, arithmetic: Arithmetic | str = "exact", **options: Unpack[Options]
) -> ByCard[Any]:
    """Compute player one's expectation from each bid against player two's optimal strategy, {card: number}.

    No bid has a larger expectation than the value of the position, and the expectation of each bid that an optimal
    strategy of player one plays is equal to the value. If player two has several optimal strategies, the one that
    :func:`solve` returns is used. If floats do not prove this strategy optimal, the radius of each number covers the
    bid's expectation against every optimal strategy of player two.

    Args:
        position: the position or its name, with a prize turned up; without an upcard if prizes are hidden.
        arithmetic: ``"exact"``, ``"ball"`` (decimals of which every digit is proved) or ``"float"``; or one of these
            with options.
        options: the options `store`, `read_only`, `jobs`, `scheduler`, `progress` and `force` of :func:`solver`.

    Returns:
        A mapping {player one's card: number}.

    Raises:
        ValueError, StoreError, PrecisionError: for the reasons that :func:`solve` names.

    >>> bid_gains(Position.start(3).at(2))
    {1: -1, 2: 0, 3: 0}
    """
    return solver(arithmetic, **options).bid_gains(position)


@dataclass(frozen=True)
class Lengths:
    """The lengths of the denominators of a game's exact numbers, for one number of cards a side."""

    n: int  #: cards a side at the beginning of the game
    cards_a_side: int  #: cards a side at the positions whose numbers are measured
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
    """Measure the lengths of the denominators of a game's exact numbers, for each number of cards a side from 1 to n.

    Up to n − 2 cards a side, the denominators are those of all values, as the store has them: long fractions may not be
    in lowest terms. At n − 1 cards a side they are those of the values that the store has, because first moves need
    only some values. At n cards a side they are those of the nonzero probabilities of the first moves (the optimal
    strategies for the first bid) that the store has, in lowest terms.

    Args:
        game: the game, or its number of cards a side.
        rules: the rules, if `game` is a number of cards.
        store: the file with the game's values; None for ``$GOPS_EXACT_STORE``, or else a file in the user's cache
            directory.
        progress: called as progress(done, total), in any unit.

    Returns:
        The lengths for each number of cards a side, ascending.

    Raises:
        ValueError: if the store lacks values of positions with at most n − 2 cards a side, or `store` is
            ``":memory:"``.
        StoreError: if the store cannot be read.
    """
    # Imported here, because no other function needs these modules in every arithmetic.
    from gops_exact.base.store import MEMORY, DiskStore, store_path
    from gops_exact.solvers.exact.lattice import ExactSystem
    from gops_exact.solvers.exact.value_tables import Values, dependencies, missing

    game = as_game(game, LONGEST, rules=rules)
    function(progress, "progress")
    path = store_path(store)
    if path is None:
        raise ValueError(f"growth is read from a store, got {MEMORY!r}")
    layers: dict[int, list[fmpz]] = {size: [] for size in range(1, game.n + 1)}
    with DiskStore(path, read_only=True) as file:
        values = Values(game.types, game.rules, ExactSystem(), file)
        first = dependencies(game.stage_games.values())
        later = chain.from_iterable(map(values.games, first))
        for state in tracked(missing(later, game.rules, ()), progress, values.weight):
            if state not in values:
                raise ValueError(
                    f"the store must hold the values of the game of {game.n} cards, as first-move leaves "
                    f"them, got none for the prizes {', '.join(map(str, state.prizes))}"
                )
            layers[len(state.prizes)] += [q for _, q in values[state].values]
        for key in chain.from_iterable(map(values.known_keys, first)):
            layers[game.n - 1] += [q for _, q in values[key].values]
        first_moves = [values.first_move(game.prizes, upcard) for upcard in game.upcards]
        layers[game.n] += [q for play in first_moves if play for p, q in play.row if p]
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
