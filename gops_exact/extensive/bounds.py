"""Bounds of the value of a stage game, and of all values of a game in which no play reaches a state twice.

A *state* is a situation in the game. A game is *without loops* if no play can reach a state twice. A *basis* is a
choice of equally many rows and columns of the payoff matrix, which determines a strategy of each player.

The value of a state at which both players move is that of its *stage game*, a matrix game whose payoffs are the values
of the next states. These values are known within bounds. Whatever strategies are proposed, the value of the stage game
is at least what player one's strategy guarantees if every payoff is its lower bound, and at most what player two's
guarantees if every payoff is its upper bound. So strategies prove all these bounds. The width of a state's bounds is
about the rounding error of its stage game plus the mean width of the next states' bounds. So from the last round to the
first, the width grows in proportion to the number of rounds, not exponentially.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import inf, nextafter
from operator import itemgetter
from sys import float_info

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat, fmpz

from gops_exact.base.progress import Progress, tracked
from gops_exact.extensive.trees import Moves, Node, State, StateGraph, following
from gops_exact.matrix_game.basis import (
    TINY,
    Basis,
    candidate,
    dense_simplex,
    proposals,
    propose,
    slacks,
)
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.matrix_game.strategies import solve_payoff
from gops_exact.numbers.exact import from_float
from gops_exact.numbers.kinds import as_float
from gops_exact.solvers.floats.layer import Floats, Ints
from gops_exact.solvers.floats.many_games import WIDE, float_strategies, guarantees

Table = list[list[fmpq]]
"""Payoffs of a stage game, shape (player one's moves, player two's moves)."""

Mixes = tuple[list[fmpq], list[fmpq]]
"""The probabilities of player one's moves and of player two's at a state; a single 1 for a player who does not move."""

Bounds = tuple[fmpq, fmpq]
"""A lower and an upper bound of the value of a state."""

SLACK_BITS = 24
"""Number of the last bits that rounding errors may change in the solution of a stage game."""


def on_grid(number: fmpq, bits: int) -> fmpq:
    """Round a number down to a multiple of 2^-bits."""
    return fmpq((number.p << bits) // number.q, fmpz(1) << bits)


def near_optimal(table: Table, bits: int | None) -> Mixes:
    """Return strategies of a stage game that are optimal or, because of rounding errors, nearly optimal.

    Nothing is proved.

    Args:
        table: the payoffs.
        bits: the precision: probabilities are rounded to multiples of 2^-bits. If this precision does not suffice to
            find an optimal basis (equally many rows and columns that determine both strategies), the exact optimal
            strategies are returned. None for exact optimal strategies.
    """
    m, n = len(table), len(table[0])
    if 1 in (m, n):
        cells = [entry for line in table for entry in line]
        best = cells.index(max(cells) if n == 1 else min(cells))
        pure = [fmpq(k == best) for k in range(len(cells))]
        return (pure, [fmpq(1)]) if n == 1 else ([fmpq(1)], pure)
    if bits is not None and (mixes := _near_optimal(table, bits)):
        return mixes
    exact, _ = solve_payoff(Payoff.of(table), "auto")
    return list(exact.row), list(exact.column)


def _near_optimal(table: Table, bits: int) -> Mixes | None:
    with ctx.workprec(bits + SLACK_BITS):
        balls = [[arb(entry) for entry in line] for line in table]
        largest = max(abs(entry).upper() for line in balls for entry in line)
        least = -largest * arb(2) ** (SLACK_BITS - bits)
        for basis in _bases(table):
            # Because of rounding, a proposed basis may be singular.
            with suppress(ZeroDivisionError):
                play = candidate(balls, basis)
                if all(slack.mid() >= least for slack in slacks(balls, basis, play)):
                    play = play.on_basis(basis, (len(table), len(table[0])), arb(0))
                    return _rounded(play.row, bits), _rounded(play.column, bits)
    return None


def _bases(table: Table) -> Iterator[Basis]:
    # The first proposal, from a single simplex method, is quick.
    with suppress(OverflowError):
        floats = [[int(entry.p) / int(entry.q) for entry in line] for line in table]
        is_tiny = max(len(table), len(table[0])) <= TINY
        basis = propose(floats) if is_tiny else dense_simplex(np.array(floats))
        if basis is not None:
            yield basis
    yield from proposals(Payoff.of(table))


def _rounded(chances: Sequence[arb], bits: int) -> list[fmpq]:
    """Round probabilities to multiples of 2^-bits with the sum 1."""
    mix = [on_grid(max(chance.mid().fmpq(), fmpq(0)), bits) for chance in chances]
    mix[mix.index(max(mix))] += 1 - sum(mix, fmpq(0))
    return mix


def guaranteed(mixes: Mixes, lows: Table, highs: Table) -> Bounds:
    """Return the bounds that two strategies prove for the value of a stage game.

    The lower bound is the least gain of player one's strategy against any column if the payoffs are `lows`. The upper
    bound is the greatest gain of any row against player two's strategy if the payoffs are `highs`.

    Args:
        mixes: player one's strategy and player two's.
        lows: lower bounds of the payoffs, shape (m, n).
        highs: upper bounds of the payoffs, shape (m, n).
    """
    gains = fmpq_mat([mixes[0]]) * fmpq_mat(lows)
    losses = fmpq_mat(highs) * fmpq_mat([[chance] for chance in mixes[1]])
    return min(gains.entries()), max(losses.entries())


def float_bounds(
    graph: StateGraph, progress: Progress | None = None
) -> tuple[dict[State, tuple[float, float]], dict[State, tuple[Floats, Floats]]]:
    """Bound in floats the values of all states of a game in which no play reaches a state twice.

    Args:
        graph: the states of the game. No play may reach a state twice.
        progress: called as progress(done, total), in entries of the stage games; None for no report.

    Returns:
        The bounds, {state: (lower bound, upper bound)}; and the strategies that prove them, {state at which a player
        moves: (weights of player one's moves, weights of player two's)}. The probability of a move is its weight
        divided by the sum of the player's weights at the state.

    Raises:
        OverflowError: if a payoff is beyond the range of floats.
    """
    index = {state: k for k, state in enumerate(graph.nodes)}
    nodes, later = [*graph.nodes.values()], list[Ints]()
    for node in nodes:
        later.append(np.fromiter(map(index.__getitem__, following(node)), np.int64))
    steps = np.zeros(len(nodes), dtype=np.int64)
    for k, after in reversed([*enumerate(later)]):
        steps[after] = np.maximum(steps[after], steps[k] + 1)
    # States are solved together if their longest ways from the start have equally many steps, so that none of them
    # follows another, and if the numbers of moves at them are rounded up to the same numbers. The last move at a state
    # is repeated up to this number.
    alike = defaultdict[tuple[int, tuple[int, int]], list[int]](list)
    sizes = list[tuple[int, int]]()
    for k, node in enumerate(nodes):
        m, n = (len(node.after), len(node.after[0])) if isinstance(node, Moves) else (0, 0)
        sizes.append((m, n))
        alike[-int(steps[k]), (_room(m), _room(n))].append(k)
    lows, highs = np.empty(len(nodes)), np.empty(len(nodes))
    weights = dict[int, tuple[Floats, Floats]]()
    batches = [(m, n, places) for (_, (m, n)), places in sorted(alike.items(), key=itemgetter(0))]
    for m, n, places in tracked(
        batches, progress, lambda batch: max(1, batch[0] * batch[1]) * len(batch[2])
    ):
        if m == 0:
            for k in places:
                lows[k], highs[k] = _expected(nodes[k], lows[later[k]], highs[later[k]])
            continue
        games = np.empty((len(places), m, n), dtype=np.int64)
        for game, k in zip(games, places, strict=True):
            rows, columns = sizes[k]
            game[:rows, :columns] = later[k].reshape(sizes[k])
            game[rows:, :columns] = game[rows - 1, :columns]
            game[:, columns:] = game[:, columns - 1 : columns]
        least, most = lows[games], highs[games]
        # The best pure strategies guarantee these. If only one player moves they are optimal.
        worst, best = least.min(axis=2), most.max(axis=1)
        row, column = np.eye(m)[worst.argmax(axis=1)], np.eye(n)[best.argmin(axis=1)]
        lows[places], highs[places] = worst.max(axis=1), best.min(axis=1)
        if min(m, n) > 1:
            row, column = _float_mixes(least, most, [sizes[k] for k in places])
            lower, upper = guarantees(least, most, row, column)
            # No strategy guarantees less than the least payoff, whatever rounding says.
            lows[places] = np.maximum(lower, least.min(axis=(1, 2)))
            highs[places] = np.minimum(upper, most.max(axis=(1, 2)))
        for k, one, two in zip(places, row, column, strict=True):
            weights[k] = one[: sizes[k][0]], two[: sizes[k][1]]
    ends, states = zip(lows.tolist(), highs.tolist(), strict=True), [*index]
    return dict(zip(states, ends, strict=True)), {states[k]: pair for k, pair in weights.items()}


def _float_mixes(
    lows: Floats, highs: Floats, sizes: list[tuple[int, int]]
) -> tuple[Floats, Floats]:
    """Return nearly optimal strategies of both players in G stage games, in floats; nothing is proved.

    Args:
        lows: shape (G, m, n), lower bounds of the payoffs.
        highs: shape (G, m, n), upper bounds of the payoffs.
        sizes: for each game, the number of moves of player one and of player two. The last row and the last column of
            the game are repeated, up to m rows and n columns.

    Returns:
        Weights of player one's moves, shape (G, m), and of player two's, shape (G, n); 0 for repeated moves.
    """
    middle = lows / 2 + highs / 2
    row, column, _, exponents = float_strategies(middle)
    for pair, size in zip(zip(row, column, strict=True), sizes, strict=True):
        for mix, moves in zip(pair, size, strict=True):
            mix[moves - 1] = mix[moves - 1 :].sum()
            mix[moves:] = 0
    lower, upper = guarantees(middle, middle, row, column)
    for game in np.flatnonzero(~(upper - lower <= np.ldexp(2 * WIDE, exponents))):
        m, n = sizes[game]
        table = [[*map(from_float, line)] for line in middle[game, :m, :n].tolist()]
        for mix, chances in zip(
            (row, column), near_optimal(table, float_info.mant_dig), strict=True
        ):
            mix[game, : len(chances)] = [*map(float, map(arb, chances))]
    return row, column


def _room(size: int) -> int:
    """Round a number up to the next one that has only zeros after its first three binary digits."""
    last = max(0, (size - 1).bit_length() - 3)
    return -(-size >> last) << last


def _expected(node: Node, lows: Floats, highs: Floats) -> tuple[float, float]:
    """Bound a payoff, or the expected value at a chance node whose next states have the bounds `lows` and `highs`."""
    ball = arb(node) if isinstance(node, fmpq) else arb(0)
    if isinstance(node, dict):
        for chance, low, high in zip(node.values(), lows, highs, strict=True):
            ball += arb(chance) * arb(low).union(arb(high))
    number = as_float(ball)
    low, high = number.value - number.radius, number.value + number.radius
    return (nextafter(low, -inf), nextafter(high, inf)) if number.radius else (low, high)
