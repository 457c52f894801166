"""The public face: first moves, values and solutions of positions."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from flint import fmpq

from gops_exact.cards import as_position, integer
from gops_exact.engine import Place, openings
from gops_exact.matrix_game.payoff import exact_matrix
from gops_exact.matrix_game.solution import row_payoffs
from gops_exact.numbers import BigRational
from gops_exact.numbers.pairs import from_pair
from gops_exact.order_types import OrderTypes, order_types
from gops_exact.recursion.exact import ExactArithmetic
from gops_exact.recursion.lattice import Node, sweep, turns
from gops_exact.recursion.opening import Opening
from gops_exact.recursion.position import ExactSlab
from gops_exact.recursion.preflight import check_feasible
from gops_exact.recursion.schedule import Progress
from gops_exact.report.first_moves import (
    ByCard,
    FirstMove,
    FirstMoves,
    PositionSolution,
    Probabilities,
)
from gops_exact.report.payoffs import PayoffMatrix
from gops_exact.rules import PLAIN, Prizes, Rules
from gops_exact.store import DiskStore, Shelf

if TYPE_CHECKING:
    from gops_exact.players.outcomes import Outcomes

WINNING = Rules("win")
"""The rules of the literature, but for winning."""


def first_move(
    n: int,
    *,
    upcards: Iterable[int] | None = None,
    rules: Rules = PLAIN,
    store: str | Path | None = None,
    read_only: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> FirstMoves:
    """The optimal first moves of the game of n cards.

    Args:
        n: cards a side.
        upcards: the prizes turned up, by default all that can come first.
        rules: the rules of the game.
        store: file that keeps values between runs; ``":memory:"`` keeps none. By default
            ``$GOPS_EXACT_STORE`` or a file in the user's cache directory.
        read_only: use the store without adding to it.
        jobs: processes, by default all cores where it pays.
        progress: called with the work done and all the work there is, in any unit; what
            :func:`gops_exact.progress_bar` gives shows it.
        force: begin even if it takes hours.

    Raises:
        ValueError: if n is not a positive integer, an upcard cannot come first, or the game takes
            hours and `force` is off.

    >>> moves = first_move(2)
    >>> moves[1]
    {1: 1, 2: 0}
    >>> first_move(4, rules=Rules("win", "carryover"))[4]
    {1: 272/5411, 2: 1467/5411, 3: 0, 4: 3672/5411}
    >>> first_move(3, rules=Rules(prizes="hidden"))[None]
    {1: 1/3, 2: 1/3, 3: 1/3}
    """
    prizes, chosen = rules.deal(n, upcards)
    deck = sorted(prizes)
    check_feasible(len(deck), rules, force=force)
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
    rules: Rules = PLAIN,
    margin: int = 0,
    pot: int = 0,
    store: str | Path | None = None,
) -> fmpq:
    """The value f(V, Y, P) of a position before the next prize is turned up.

    Args:
        one: player one's hand V, distinct positive integers.
        two: player two's hand Y, as many.
        prizes: the prizes left P, as many positive integers (repeats allowed), in any order: in
            which order they come is the rules' to say.
        rules: the rules of the game.
        margin: player one's points so far less player two's; of no matter where points are played
            for.
        pot: points carried over from ties.
        store: file to take values from, if there is one; as in :func:`first_move`, but nothing is
            added to it.

    Returns:
        What player one can expect under optimal play: points gained from here on, or, where the
        game is for winning, the chance of a win less that of a loss.

    Raises:
        ValueError: if the position is not one, or not one of these rules.

    >>> print(value([2, 4], [1, 3], [12, 13]))
    313/25
    >>> print(value([2, 3], [1, 3], [2, 3], rules=Rules(ties="carryover"), pot=2))
    104/33
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    root = _root(rules, deck, margin, pot)
    decided = rules.decided(*root)
    if decided is not None:
        return fmpq(decided)
    types = order_types(hand_one, hand_two, equal=rules.winning)
    games, arithmetic = turns(rules, root), ExactArithmetic()
    with _shelf(types, rules, arithmetic, store) as memo:
        sweep(types, games, rules, arithmetic, memo)
        return from_pair(arithmetic.slab(types.root, games, memo).values[0])


def solve(
    one: Iterable[int],
    two: Iterable[int],
    prizes: Iterable[int],
    *,
    upcard: int | None = None,
    rules: Rules = PLAIN,
    margin: int = 0,
    pot: int = 0,
    store: str | Path | None = None,
) -> PositionSolution:
    """Optimal play at a position with a prize turned up.

    Args:
        one: player one's hand, distinct positive integers.
        two: player two's hand, as many.
        prizes: the prizes left, the upcard among them.
        upcard: the prize turned up; None where bids are made before it is seen.
        rules: the rules of the game.
        margin: player one's points so far less player two's, as in :func:`value`.
        pot: points carried over from ties.
        store: file to take values from, as in :func:`value`.

    Raises:
        ValueError: if the position is not one of these rules, or the upcard is not a prize that
            can come next.

    >>> solution = solve([2, 4], [1, 3], [12, 13], upcard=13)
    >>> print(solution.value, solution.row)
    313/25 {2: 12/25, 4: 13/25}
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    root = _root(rules, deck, margin, pot)
    games = {turn.upcard: turn for turn in turns(rules, root)}
    if upcard not in games:
        raise ValueError(_expected_upcard(rules, root.prizes, upcard))
    turn = games[upcard]
    types = order_types(hand_one, hand_two, equal=rules.winning)
    arithmetic = ExactArithmetic()
    with _shelf(types, rules, arithmetic, store) as memo:
        sweep(types, [turn], rules, arithmetic, memo)
        fair = hand_one == hand_two and root.state.margin == 0
        game = arithmetic.solve(types.root, turn, memo, fair=fair)
    return PositionSolution(hand_one, hand_two, root.prizes, upcard, game, rules, root.state)


def payoff_matrix(
    one: Iterable[int],
    two: Iterable[int],
    prizes: Iterable[int],
    *,
    upcard: int | None = None,
    rules: Rules = PLAIN,
    margin: int = 0,
    pot: int = 0,
    store: str | Path | None = None,
) -> PayoffMatrix:
    """The matrix game of the bids at a position, optimal play to follow.

    Args:
        one: as for :func:`solve`, and so are the others.
        two: player two's hand.
        prizes: the prizes left.
        upcard: the prize turned up.
        rules: the rules of the game.
        margin: player one's points so far less player two's.
        pot: points carried over from ties.
        store: file to take values from.

    Returns:
        Rows, shape (k, k) for k cards a side, ascending: what player one can expect of each pair
        of bids.

    Raises:
        ValueError: if the position is not one of these rules, or the upcard cannot come next.

    >>> payoff_matrix([2, 4], [1, 3], [12, 13], upcard=13)
    [[25, -1], [1, 25]]
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    root = _root(rules, deck, margin, pot)
    games = {turn.upcard: turn for turn in turns(rules, root)}
    if upcard not in games:
        raise ValueError(_expected_upcard(rules, root.prizes, upcard))
    turn = games[upcard]
    types = order_types(hand_one, hand_two, equal=rules.winning)
    every_bid = order_types(hand_one, hand_two, equal=rules.winning, merge=False).root
    arithmetic = ExactArithmetic()
    with _shelf(types, rules, arithmetic, store) as memo:
        sweep(types, [turn], rules, arithmetic, memo)
        entries = exact_matrix(arithmetic.payoff(every_bid, turn, memo))
    return PayoffMatrix(hand_one, hand_two, entries)


def bid_gains(
    one: Iterable[int],
    two: Iterable[int],
    prizes: Iterable[int],
    *,
    upcard: int | None = None,
    rules: Rules = PLAIN,
    margin: int = 0,
    pot: int = 0,
    store: str | Path | None = None,
) -> ByCard:
    """What player one can expect of each bid against player two's optimal strategy, by card.

    The bids that an optimal strategy plays reach the value of the position, and none exceeds it.

    Args:
        one: as for :func:`solve`, and so are the others.
        two: player two's hand.
        prizes: the prizes left.
        upcard: the prize turned up.
        rules: the rules of the game.
        margin: player one's points so far less player two's.
        pot: points carried over from ties.
        store: file to take values from.

    Raises:
        ValueError: if the position is not one of these rules, or the upcard cannot come next.

    >>> bid_gains([1, 2, 3], [1, 2, 3], [1, 2, 3], upcard=2)
    {1: -1, 2: 0, 3: 0}
    """
    hands = as_position(one, two, prizes)
    position = solve(*hands, upcard=upcard, rules=rules, margin=margin, pot=pot, store=store)
    payoff = payoff_matrix(*hands, upcard=upcard, rules=rules, margin=margin, pot=pot, store=store)
    gains = row_payoffs(payoff, position.game.column)
    return ByCard.of(position.one, gains)


def outcomes(
    one: Iterable[int],
    two: Iterable[int],
    prizes: Iterable[int],
    *,
    upcard: int | None = None,
    rules: Rules = WINNING,
    margin: int = 0,
    pot: int = 0,
) -> "Outcomes":
    """How often a position is won, drawn and lost if both play optimally for a win.

    Where there are several optimal strategies it depends on which are played: these are the least and
    the greatest chances over all of them.

    Args:
        one: player one's hand, distinct positive integers.
        two: player two's hand, as many.
        prizes: the prizes left.
        upcard: the prize turned up; None before it is, or where bids are made before it is seen.
        rules: the rules of the game, for winning.
        margin: player one's points so far less player two's.
        pot: points carried over from ties.

    Raises:
        ValueError: if the position is not one of these rules, the upcard cannot come next, or
            points are played for.

    >>> found = outcomes([1, 3], [2, 3], [2, 3], margin=1)
    >>> found.value, found.win, found.draw
    (-1/3, Chances(least=1/9, greatest=1/9), Chances(least=4/9, greatest=4/9))
    """
    # All the players, which nothing else here needs.
    from gops_exact.players.outcomes import Forecaster

    hand_one, hand_two, deck = as_position(one, two, prizes)
    root = _root(rules, deck, margin, pot)
    if upcard is not None and upcard not in {turn.upcard for turn in turns(rules, root)}:
        raise ValueError(_expected_upcard(rules, root.prizes, upcard))
    forecaster = Forecaster(len({*hand_one, *hand_two}), rules)
    return forecaster.outcomes(hand_one, hand_two, root.prizes, root.state, upcard)


def _root(rules: Rules, prizes: Prizes, margin: int, pot: int) -> Node:
    """The node of a position.

    Raises:
        ValueError: if it is not one of these rules.
    """
    return Node(rules.arranged(prizes), rules.start(integer(margin, "margin"), integer(pot, "pot")))


def _expected_upcard(rules: Rules, prizes: Prizes, upcard: object) -> str:
    """What is wrong with an upcard, in one line."""
    if rules.hidden:
        return f"upcard must be left out where prizes are hidden, got {upcard!r}"
    if rules.fixed and prizes:
        return f"the upcard must be {prizes[0]}, the first of the prizes in order, got {upcard!r}"
    return f"the upcard must be one of the prizes {', '.join(map(str, prizes))}, got {upcard!r}"


@contextmanager
def _shelf(
    types: OrderTypes, rules: Rules, arithmetic: ExactArithmetic, store: str | Path | None
) -> Iterator[Shelf[ExactSlab, Opening]]:
    """Slabs of one position, over the store where its file is there."""
    place = Place.of(store, read_only=True)
    if place.path is None or not place.path.exists():
        yield Shelf(types, rules, arithmetic)
        return
    with DiskStore(place.path, read_only=True) as file:
        yield Shelf(types, rules, arithmetic, file)
