"""Bounds of the values of states, which near-optimal strategies prove: long recursions in floats and in fractions.

The value of a state at which both players move is that of its *stage game*, a matrix game whose payoffs are the values
of the next states. These are known within bounds. Whatever strategies are proposed for the stage game, the value is at
least what player one's strategy guarantees if every payoff is at its lower bound, and at most what player two's
guarantees if every payoff is at its upper bound. A payoff's error enters the result as part of an average, so that the
bounds of a game of hundreds of rounds are hardly wider than those of a round. If an optimal basis is solved in balls,
each round multiplies the error by the condition number of its equations instead.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from operator import itemgetter
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat, fmpz

from gops_exact.extensive.trees import Moves, State, StateGraph, following
from gops_exact.matrix_game.basis import TINY, Basis, candidate, dense_simplex, proposals, propose, slacks
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.matrix_game.strategies import solve_payoff
from gops_exact.numbers.kinds import as_float
from gops_exact.solvers.floats.layer import Floats
from gops_exact.solvers.floats.many_games import guarantees, solve_matrix_games

Table = list[list[fmpq]]
"""Payoffs of a stage game, shape (player one's moves, player two's moves)."""

Mixes = tuple[list[fmpq], list[fmpq]]
"""The probabilities of player one's moves and of player two's at a state."""

Bounds = tuple[fmpq, fmpq]
"""A lower and an upper bound of the value of a state."""

SLACK_BITS = 24
"""Number of the last bits that rounding errors may change in a stage game."""


def on_grid(number: fmpq, bits: int) -> fmpq:
    """Round a number down to a multiple of 2^-bits."""
    return fmpq((number.p << bits) // number.q, fmpz(1) << bits)


def near_optimal(table: Table, bits: int) -> Mixes:
    """Return strategies of a stage game that are optimal but for rounding errors; nothing is proved.

    Args:
        table: the payoffs.
        bits: the probabilities are multiples of 2^-bits.
    """
    m, n = len(table), len(table[0])
    if m == 1 or n == 1:
        cells = [entry for line in table for entry in line]
        best = cells.index(max(cells) if n == 1 else min(cells))
        pure = [fmpq(int(k == best)) for k in range(len(cells))]
        return (pure, [fmpq(1)]) if n == 1 else ([fmpq(1)], pure)
    with ctx.workprec(bits + SLACK_BITS):
        balls = [[arb(entry) for entry in line] for line in table]
        largest = max(abs(entry).upper() for line in balls for entry in line)
        least = -largest * arb(2) ** (SLACK_BITS - bits)
        for basis in _bases(table):
            with suppress(ZeroDivisionError):
                play = candidate(balls, basis)
                if all(slack.mid() >= least for slack in slacks(balls, basis, play)):
                    play = play.on_basis(basis, (m, n), arb(0))
                    return _rounded(play.row, bits), _rounded(play.column, bits)
    exact, _ = solve_payoff(Payoff.of(table), "auto")
    return list(exact.row), list(exact.column)


def _bases(table: Table) -> Iterator[Basis]:
    """Yield bases of a stage game that are probably optimal, the quickest first."""
    with suppress(OverflowError):
        floats = [[int(entry.p) / int(entry.q) for entry in line] for line in table]
        small = max(len(table), len(table[0])) <= TINY
        basis = propose(floats) if small else dense_simplex(np.array(floats))
        if basis is not None:
            yield basis
    yield from proposals(Payoff.of(table))


def _rounded(chances: Sequence[arb], bits: int) -> list[fmpq]:
    """Round probabilities to multiples of 2^-bits whose sum is 1."""
    mix = [on_grid(max(chance.mid().fmpq(), fmpq(0)), bits) for chance in chances]
    greatest = mix.index(max(mix))
    mix[greatest] += 1 - sum(mix, fmpq(0))
    return mix


def guaranteed(mixes: Mixes, lows: Table, highs: Table) -> Bounds:
    """Return what player one's strategy guarantees in the game `lows`, and player two's in the game `highs`."""
    row, column = mixes
    gains = fmpq_mat([row]) * fmpq_mat(lows)
    losses = fmpq_mat(highs) * fmpq_mat([[p] for p in column])
    return min(gains.entries()), max(losses.entries())


FloatBounds = dict[State, tuple[float, float]]
Weights = tuple[Floats, Floats]
"""Weights of player one's moves and of player two's at a state, which are divided by their sums."""


def float_bounds(graph: StateGraph) -> tuple[FloatBounds, dict[State, Weights]]:
    """Return bounds of the values of all states of a game without loops in floats, and strategies that prove them.

    States that are as many rounds from the start, on the longest way, cannot follow each other. Those of them that have
    equally many moves are solved together.
    """
    index = {state: k for k, state in enumerate(graph.nodes)}
    later = [
        np.fromiter(map(index.__getitem__, following(node)), np.int32)
        for node in graph.nodes.values()
    ]
    rounds = np.zeros(len(index), dtype=np.int64)
    for k, after in reversed([*enumerate(later)]):
        rounds[after] = np.maximum(rounds[after], rounds[k] + 1)
    alike = defaultdict[tuple[int, tuple[int, ...]], list[State]](list)
    for state, node in graph.nodes.items():
        shape = (len(node.after), len(node.after[0])) if isinstance(node, Moves) else ()
        alike[-int(rounds[index[state]]), shape].append(state)
    lows, highs, mixes = np.empty(len(index)), np.empty(len(index)), dict[State, Weights]()
    for (_, shape), states in sorted(alike.items(), key=itemgetter(0)):
        places = [index[state] for state in states]
        if not shape:
            for state, k in zip(states, places, strict=True):
                lows[k], highs[k] = _chance_bounds(graph.nodes[state], index, lows, highs)
            continue
        after = np.stack([later[k] for k in places]).reshape(-1, *shape)
        least, most = lows[after], highs[after]
        if 1 in shape:
            best = np.max if shape[1] == 1 else np.min
            lows[places], highs[places] = best(least, axis=(1, 2)), best(most, axis=(1, 2))
            continue
        solved = solve_matrix_games(least / 2 + most / 2)
        lower, upper = guarantees(least, most, solved.row, solved.column)
        lows[places] = np.maximum(lower, least.min(axis=(1, 2)))
        highs[places] = np.minimum(upper, most.max(axis=(1, 2)))
        mixes |= zip(states, zip(solved.row, solved.column, strict=True), strict=True)
    return {state: (float(lows[k]), float(highs[k])) for state, k in index.items()}, mixes


def _chance_bounds(node: Any, index, lows, highs) -> tuple[float, float]:
    if isinstance(node, dict):
        draws = [(arb(p), index[after]) for after, p in node.items()]
        ball = sum((p * arb(lows[k]).union(arb(highs[k])) for p, k in draws), arb(0))
    else:
        ball = arb(node)
    number = as_float(ball)
    ends = number.value - number.radius, number.value + number.radius
    return ends if number.radius == 0 else (np.nextafter(ends[0], -inf), np.nextafter(ends[1], inf))
