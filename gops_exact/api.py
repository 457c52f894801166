"""The public face: first moves, values and solutions of positions."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from flint import fmpq

from gops_exact.cards import as_position, deck_and_upcards
from gops_exact.engine import Place, openings
from gops_exact.numbers import BigRational
from gops_exact.numbers.pairs import from_pair
from gops_exact.order_types import OrderTypes, order_types
from gops_exact.recursion.exact import ExactArithmetic
from gops_exact.recursion.lattice import draws, sweep
from gops_exact.recursion.opening import Opening
from gops_exact.recursion.position import ExactSlab
from gops_exact.recursion.preflight import check_feasible
from gops_exact.recursion.schedule import Progress
from gops_exact.report.first_moves import (
    FirstMove,
    FirstMoves,
    PositionSolution,
    Probabilities,
)
from gops_exact.rules import Rules
from gops_exact.store import DiskStore, Shelf


def first_move(
    n: int,
    *,
    upcards: Iterable[int] | None = None,
    store: str | Path | None = None,
    read_only: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> FirstMoves:
    """The optimal first moves of the game of n cards.

    Args:
        n: cards a side.
        upcards: the prizes turned up, all of 1 … n by default.
        store: file that keeps values between runs; ``":memory:"`` keeps none. By default
            ``$GOPS_EXACT_STORE`` or a file in the user's cache directory.
        read_only: use the store without adding to it.
        jobs: processes, by default all cores where it pays.
        progress: called with the work done and all the work there is, in any unit.
        force: begin even if it takes hours.

    Raises:
        ValueError: if n is not a positive integer, an upcard is not in the deck, or the game takes
            hours and `force` is off.

    >>> moves = first_move(2)
    >>> moves[1]
    {1: 1, 2: 0}
    """
    deck, chosen = deck_and_upcards(n, upcards)
    check_feasible(len(deck), force=force)
    rules = Rules()
    place = Place.of(store, read_only=read_only)
    arithmetic = ExactArithmetic()
    found = openings(len(deck), chosen, rules, arithmetic, place, jobs=jobs, progress=progress)
    columns = (
        FirstMove(
            upcard,
            Probabilities(
                {
                    card: BigRational.of_pair(pair)
                    for card, pair in zip(deck, found[upcard].strategy, strict=True)
                }
            ),
            fmpq(0),
            found[upcard].unique,
            found[upcard].method,
        )
        for upcard in chosen
    )
    return FirstMoves(len(deck), tuple(columns), rules)


def value(
    one: Iterable[int],
    two: Iterable[int],
    prizes: Iterable[int],
    *,
    store: str | Path | None = None,
) -> fmpq:
    """The value f(V, Y, P) of a position before the next prize is turned up.

    Args:
        one: player one's hand V, distinct positive integers.
        two: player two's hand Y, as many.
        prizes: the prizes left P, as many positive integers (repeats allowed).
        store: file to take values from, if there is one; as in :func:`first_move`, but nothing is
            added to it.

    Returns:
        Player one's expected gain under optimal play, in points.

    Raises:
        ValueError: if the position is not one.

    >>> print(value([2, 4], [1, 3], [12, 13]))
    313/25
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    types = order_types(hand_one, hand_two)
    arithmetic = ExactArithmetic()
    with _shelf(types, arithmetic, store) as memo:
        sweep(types, deck, arithmetic, memo)
        return from_pair(arithmetic.slab(types.root, deck, memo).values[0])


def solve(
    one: Iterable[int],
    two: Iterable[int],
    prizes: Iterable[int],
    *,
    upcard: int,
    store: str | Path | None = None,
) -> PositionSolution:
    """Optimal play at a position with a prize turned up.

    Args:
        one: player one's hand, distinct positive integers.
        two: player two's hand, as many.
        prizes: the prizes left, the upcard among them.
        upcard: the prize turned up.
        store: file to take values from, as in :func:`value`.

    Raises:
        ValueError: if the position is not one or the upcard is not among the prizes.

    >>> solution = solve([2, 4], [1, 3], [12, 13], upcard=13)
    >>> print(solution.value, solution.row)
    313/25 {2: 12/25, 4: 13/25}
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    rest = {draw.upcard: draw.rest for draw in draws(deck)}
    if upcard not in rest:
        raise ValueError(
            f"the upcard must be one of the prizes {', '.join(map(str, deck))}, got {upcard!r}"
        )
    types = order_types(hand_one, hand_two)
    arithmetic = ExactArithmetic()
    left = rest[upcard]
    with _shelf(types, arithmetic, store) as memo:
        sweep(types, left, arithmetic, memo)
        below = memo[left] if left in memo else arithmetic.slab(types.layers[len(left)], left, memo)
    return PositionSolution(
        hand_one, hand_two, deck, upcard, arithmetic.solve(types.root, upcard, below)
    )


@contextmanager
def _shelf(
    types: OrderTypes, arithmetic: ExactArithmetic, store: str | Path | None
) -> Iterator[Shelf[ExactSlab, Opening]]:
    """Slabs of one position, over the store where its file is there."""
    place = Place.of(store, read_only=True)
    if place.path is None or not place.path.exists():
        yield Shelf(types, Rules(), arithmetic)
        return
    with DiskStore(place.path, read_only=True) as file:
        yield Shelf(types, Rules(), arithmetic, file)
