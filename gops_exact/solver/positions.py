"""Any position: its value, optimal play, the game of the bids, what becomes of it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from flint import fmpq

from gops_exact.game.cards import Hand, as_position, integer, positive_integer
from gops_exact.game.order_types import OrderTypes, order_types
from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.game.turns import Node, Turn, turns
from gops_exact.lattice.exact import ExactArithmetic
from gops_exact.lattice.exact_slab import ExactSlab
from gops_exact.lattice.sweep import sweep
from gops_exact.matrix_game.payoff import exact_matrix
from gops_exact.matrix_game.solution import row_payoffs
from gops_exact.numbers.pairs import Pair, from_pair
from gops_exact.solutions.old_first_moves import ByCard, PositionSolution
from gops_exact.solutions.payoffs import PayoffMatrix
from gops_exact.solver.cost import check_feasible
from gops_exact.solver.parallel import Place
from gops_exact.store import DiskStore, Shelf

if TYPE_CHECKING:
    from gops_exact.players.outcomes import Outcomes

WINNING = Rules("win")
"""The rules of the literature, but for winning."""

SIDE = "cards a side"


def value(
    one: Iterable[int],
    two: Iterable[int],
    prizes: Iterable[int],
    *,
    rules: Rules = PLAIN,
    margin: int = 0,
    pot: int = 0,
    store: str | Path | None = None,
    force: bool = False,
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
        force: begin even if it takes hours.

    Returns:
        What player one can expect under optimal play: points gained from here on, or, where the
        game is for winning, the chance of a win less that of a loss.

    Raises:
        ValueError: if the position is not one, or not one of these rules, or it takes hours and
            `force` is off.
        StoreError: if the store cannot be used.

    >>> print(value([2, 4], [1, 3], [12, 13]))
    313/25
    >>> print(value([2, 3], [1, 3], [2, 3], rules=Rules(ties="carryover"), pot=2))
    104/33
    """
    hand_one, hand_two, root = _position(one, two, prizes, rules, margin, pot)
    decided = rules.decided(*root)
    if decided is not None:
        return fmpq(decided)
    if hand_one == hand_two and root.state.margin == 0:
        return fmpq(0)
    check_feasible(len(hand_one), rules, force=force, name=SIDE)
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
    force: bool = False,
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
        force: begin even if it takes hours.

    Raises:
        ValueError: if the position is not one of these rules, the upcard is not a prize that can
            come next, or the position takes hours and `force` is off.
        StoreError: if the store cannot be used.

    >>> solution = solve([2, 4], [1, 3], [12, 13], upcard=13)
    >>> print(solution.value, solution.row)
    313/25 {2: 12/25, 4: 13/25}
    """
    position = _position(one, two, prizes, rules, margin, pot)
    with _game(*position, rules, upcard, store, force=force) as game:
        return game.solution()


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
    force: bool = False,
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
        force: begin even if it takes hours.

    Returns:
        Rows, shape (k, k) for k cards a side, ascending: what player one can expect of each pair
        of bids.

    Raises:
        ValueError: as for :func:`solve`, and so is the other.
        StoreError: likewise.

    >>> payoff_matrix([2, 4], [1, 3], [12, 13], upcard=13)
    [[25, -1], [1, 25]]
    """
    position = _position(one, two, prizes, rules, margin, pot)
    with _game(*position, rules, upcard, store, force=force) as game:
        return game.payoff()


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
    force: bool = False,
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
        force: begin even if it takes hours.

    Raises:
        ValueError: as for :func:`solve`, and so is the other.
        StoreError: likewise.

    >>> bid_gains([1, 2, 3], [1, 2, 3], [1, 2, 3], upcard=2)
    {1: -1, 2: 0, 3: 0}
    """
    position = _position(one, two, prizes, rules, margin, pot)
    with _game(*position, rules, upcard, store, force=force) as game:
        solution, payoff = game.solution(), game.payoff()
    return ByCard.of(solution.one, row_payoffs(payoff, solution.game.column))


def outcomes(
    one: Iterable[int],
    two: Iterable[int],
    prizes: Iterable[int],
    *,
    upcard: int | None = None,
    rules: Rules = WINNING,
    margin: int = 0,
    pot: int = 0,
    store: str | Path | None = None,
    force: bool = False,
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
        store: file to take values from, as in :func:`value`.
        force: begin even if it takes hours.

    Raises:
        ValueError: if points are played for, and as for :func:`solve`.
        StoreError: if the store cannot be used.

    >>> found = outcomes([1, 3], [2, 3], [2, 3], margin=1)
    >>> found.value, found.win, found.draw
    (-1/3, Chances(least=1/9, greatest=1/9), Chances(least=4/9, greatest=4/9))
    """
    # All the players, which nothing else here needs.
    from gops_exact.players.outcomes import Forecaster, check_quick

    hand_one, hand_two, root = _position(one, two, prizes, rules, margin, pot)
    check_quick(len(hand_one), force=force, name=SIDE)
    if upcard is not None:
        upcard = _turn(rules, root, upcard).upcard
    forecaster = Forecaster(len({*hand_one, *hand_two}), rules, store=store)
    return forecaster.outcomes(hand_one, hand_two, root.prizes, root.state, upcard)


def _position(
    one: Iterable[int],
    two: Iterable[int],
    prizes: Iterable[int],
    rules: Rules,
    margin: int,
    pot: int,
) -> tuple[Hand, Hand, Node]:
    """Both hands and the node of a position.

    Raises:
        ValueError: if it is not one of these rules.
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    state = as_rules(rules).start(integer(margin, "margin"), integer(pot, "pot"))
    return hand_one, hand_two, Node(rules.arranged(deck), state)


def _turn(rules: Rules, root: Node, upcard: int | None) -> Turn:
    """The game of bids at an upcard.

    Raises:
        ValueError: if it is not a prize that can come next.
    """
    if rules.hidden and upcard is not None:
        raise ValueError(f"upcard must be left out where prizes are hidden, got {upcard!r}")
    if upcard is not None:
        upcard = positive_integer(upcard, "the upcard")
    found = {turn.upcard: turn for turn in turns(rules, root)}
    if upcard in found:
        return found[upcard]
    if rules.fixed and root.prizes:
        expected = f"{root.prizes[0]}, the first of the prizes in order"
    else:
        expected = f"one of the prizes {', '.join(map(str, root.prizes))}"
    raise ValueError(f"the upcard must be {expected}, got {upcard!r}")


class _Game(NamedTuple):
    """The matrix game of the bids at a position, with the values that it looks at."""

    one: Hand
    two: Hand
    root: Node
    rules: Rules
    turn: Turn
    types: OrderTypes
    memo: Shelf[ExactSlab, Pair]

    def solution(self) -> PositionSolution:
        """Optimal play."""
        fair = self.one == self.two and self.root.state.margin == 0
        game = ExactArithmetic().solve(self.types.root, self.turn, self.memo, fair=fair)
        prizes, state = self.root
        return PositionSolution(
            self.one, self.two, prizes, self.turn.upcard, game, self.rules, state
        )

    def payoff(self) -> PayoffMatrix:
        """The game itself, no bid left out."""
        every_bid = order_types(self.one, self.two, equal=self.rules.winning, merge=False).root
        entries = exact_matrix(ExactArithmetic().payoff(every_bid, self.turn, self.memo))
        return PayoffMatrix(self.one, self.two, entries)


@contextmanager
def _game(
    one: Hand,
    two: Hand,
    root: Node,
    rules: Rules,
    upcard: int | None,
    store: str | Path | None,
    *,
    force: bool,
) -> Iterator[_Game]:
    """The game of bids at a position, all that comes after it solved.

    Raises:
        ValueError: if the upcard cannot come next, or it takes hours, unforced.
    """
    turn = _turn(rules, root, upcard)
    check_feasible(len(one), rules, force=force, name=SIDE)
    types, arithmetic = order_types(one, two, equal=rules.winning), ExactArithmetic()
    with _shelf(types, rules, arithmetic, store) as memo:
        sweep(types, [turn], rules, arithmetic, memo)
        yield _Game(one, two, root, rules, turn, types, memo)


@contextmanager
def _shelf(
    types: OrderTypes, rules: Rules, arithmetic: ExactArithmetic, store: str | Path | None
) -> Iterator[Shelf[ExactSlab, Pair]]:
    """Slabs of one position, over the store where its file is there."""
    place = Place.of(store, read_only=True)
    if place.path is None or not place.path.exists():
        yield Shelf(types, rules, arithmetic)
        return
    with DiskStore(place.path, read_only=True) as file:
        yield Shelf(types, rules, arithmetic, file)
