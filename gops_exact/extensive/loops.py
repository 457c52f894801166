"""Games whose states come back, as stochastic games (Shapley 1953): values within bounds that strategies prove.

The states that lead to each other are a *part* of the game, and parts are solved one after the other, the last ones
first. In a part each state is a matrix game with entries {state: probability}. T v are the values of these matrix games
if v are the values of the states.

A strategy that depends on the state alone is *stationary*. Player one's guarantees at least v if at every state
it gains v or more from the values v of the next states, and if player two cannot keep the play for ever among
states with v > 0; a play without end is worth 0. The same holds for player two with the signs changed.

* If every play of the part ends, with probability 1 and whatever is played, v = T v has one solution. Newton's method finds it:
  the optimal strategies at v are kept, and the linear equations of the values under these are solved (Hoffman & Karp 1966; Pollatschek
  & Avi-Itzhak 1969). With a small tax on each step in place of 0, v = T v − tax, its solution is a lower bound that
  the strategies prove.
* Otherwise each step ends the play with a small probability d: v = (1 − d) T v + d c. The lower bound of the value ends at c =
  min(0, v), less a margin, which no stage can gain by. The smaller d, the nearer are the bounds, since a stationary strategy guarantees
  nearly the value (Everett 1957).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from flint import arb, arb_mat, ctx, fmpq

from gops_exact.extensive.bounds import (
    SLACK_BITS,
    Bounds,
    Mixes,
    Table,
    guaranteed,
    near_optimal,
    on_grid,
)
from gops_exact.extensive.trees import Chances, Moves, State, StateGraph, following
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.matrix_game.strategies import solve_payoff
from gops_exact.numbers.exact import from_float, simplest

StageGames = dict[State, list[list[Chances]]]
"""{state of a part: its matrix game, whose entries are {state: probability}}."""

MOST_IN_BALLS = 128
"""Greatest number of states of a part whose linear equations are solved in balls. With more they are solved in floats,
and each of Newton's steps adds up to 50 bits."""

STEPS = 60
"""Greatest number of Newton's steps."""

EXPONENTS = 16, 32, 64, 128, 256
"""Where a play may go on for ever, each step ends it with the probability 2^-k for these k, one after the other."""


def parts(graph: StateGraph) -> list[list[State]]:
    """Return the strongly connected parts of a graph, each after those that can follow it (Sharir 1981).

    The states of a part are in the order of `graph.nodes`, in which the search left them.
    """
    before, found = defaultdict[State, list[State]](list), list[list[State]]()
    for state, node in graph.nodes.items():
        for after in dict.fromkeys(following(node)):
            before[after].append(state)
    left = dict.fromkeys(reversed(graph.nodes))
    while left:
        stack, part = [next(iter(left))], set[State]()
        while stack:
            state = stack.pop()
            if state in left:
                del left[state]
                part.add(state)
                stack.extend(before[state])
        found.append(part)
    order = {state: k for k, state in enumerate(graph.nodes)}
    return [sorted(part, key=order.__getitem__) for part in reversed(found)]


def stage_games(graph: StateGraph, part: list[State]) -> tuple[StageGames, dict[State, Chances]]:
    """Return a part as matrix games, and the draws of chance that they have in place of states.

    A state at which chance draws becomes a game of 1 × 1 if a state that comes before it in `part` leads to it.
    """
    place = {state: k for k, state in enumerate(part)}
    games, draws = StageGames(), dict[State, Chances]()
    entered = {
        after
        for state in part
        for after in following(graph.nodes[state])
        if place.get(after, -1) >= place[state]
    }
    for state in part:
        node = graph.nodes[state]
        if isinstance(node, Moves):
            games[state] = [[draws.get(after, {after: fmpq(1)}) for after in line] for line in node.after]
        elif isinstance(node, dict):
            sums = defaultdict[State, fmpq](fmpq)
            for after, chance in node.items():
                for end, p in draws.get(after, {after: fmpq(1)}).items():
                    sums[end] += chance * p
            if state in entered:
                games[state] = [[dict(sums)]]
            else:
                draws[state] = dict(sums)
    return games, draws


def expected(draw: Chances, values: Mapping[State, fmpq]) -> fmpq:
    return sum((p * values[state] for state, p in draw.items()), fmpq(0))


def tables(games, values):
    return {s: [[expected(d, values) for d in line] for line in game] for s, game in games.items()}


def lasting(games: StageGames, inside: set[State], side: int | None = None, mixes=None) -> set[State]:
    """Return the states of `inside` from which a play can be kept there for ever.

    Args:
        games: the part.
        inside: some of its states.
        side: the index of the player whose strategy is known, so that the other one keeps the play; None if both do.
        mixes: {state: strategies}
    """
    while True:
        left = set()
        for state in inside:
            game = games[state]
            if side is None:
                replies = [[draw] for line in game for draw in line]
            else:
                lines = game if side else [*zip(*game)]
                replies = [[d for d, p in zip(line, mixes[state][side]) if p] for line in lines]
            if any(all(d.keys() <= inside for d in reply) for reply in replies):
                left.add(state)
        if left == inside:
            return inside
        inside = left


def newton(games: StageGames, values: dict[State, fmpq], keep: fmpq, shift: Mapping[State, fmpq], bits: int):
    """Solve v = keep · T v + shift; returns mixes or None. values are updated."""
    last = None
    for _ in range(STEPS):
        mixes, gaps = {}, {}
        for state, table in tables(games, values).items():
            mixes[state] = near_optimal(table, bits)
            worth = sum(guaranteed(mixes[state], table, table), fmpq(0)) / 2
            gaps[state] = keep * worth + shift[state] - values[state]
        size = max(map(abs, gaps.values()))
        if size <= fmpq(1, 1 << (bits - SLACK_BITS)):
            return mixes
        if last is not None and size >= last[0]:
            _, start, step = last
            last = None
        else:
            start = {state: values[state] for state in games}
            last = size, start, gaps
            step = linear(games, mixes, keep, gaps, bits)
        for state in games:
            values[state] = on_grid(start[state] + step[state], bits)
    return None


def linear(games, mixes, keep, gaps, bits):
    states = list(games)
    index = {s: k for k, s in enumerate(states)}
    n = len(states)
    small = n <= MOST_IN_BALLS
    size = max(map(abs, gaps.values()))
    with ctx.workprec(bits if small else 53):
        one = arb(1) if small else 1.0
        matrix = [[one*0] * n for _ in states]
        for k, s in enumerate(states):
            matrix[k][k] = one
            row, column = mixes[s]
            for p, line in zip(row, games[s]):
                if p:
                    for q, draw in zip(column, line):
                        if q:
                            for after, c in draw.items():
                                if after in index:
                                    w = keep * p * q * c
                                    matrix[k][index[after]] -= arb(w) if small else int(w.p)/int(w.q)
        if small:
            step = arb_mat(matrix).solve(arb_mat([[arb(gaps[s]/size)] for s in states]), algorithm="approx").entries()
            return {s: size * x.mid().fmpq() for s, x in zip(states, step)}
        g = [gaps[s]/size for s in states]
        step = np.linalg.solve(np.array(matrix), np.array([int(x.p)/int(x.q) for x in g]))
        return {s: size * from_float(float(x)) for s, x in zip(states, step)}


@dataclass
class Solver:
    graph: StateGraph
    bits: int
    within: fmpq
    exactly: bool = False
    bounds: dict[State, Bounds] = field(default_factory=dict)
    mixes: dict[State, Mixes] = field(default_factory=dict)

    def solve(self):
        for part in parts(self.graph):
            state, node = part[0], self.graph.nodes[part[0]]
            if len(part) > 1 or state in following(node):
                self.loop(part)
            elif isinstance(node, Moves):
                lows, highs = ([[self.bounds[a][k] for a in line] for line in node.after] for k in (0, 1))
                if self.exactly and lows == highs:
                    play, _ = solve_payoff(Payoff.of(lows), "auto")
                    self.mixes[state] = list(play.row), list(play.column)
                    self.bounds[state] = play.value, play.value
                    continue
                mids = [[(l + h) / 2 for l, h in zip(*lines)] for lines in zip(lows, highs)]
                self.mixes[state] = near_optimal(mids, self.bits)
                self.bounds[state] = self.rounded(guaranteed(self.mixes[state], lows, highs))
            elif isinstance(node, dict):
                self.bounds[state] = self.rounded([expected(node, {a: self.bounds[a][k] for a in node}) for k in (0, 1)])
            else:
                self.bounds[state] = node, node
        return self

    def rounded(self, bounds):
        low, high = bounds
        if self.exactly and low == high:
            return low, high
        return on_grid(low, self.bits), -on_grid(-high, self.bits)

    def loop(self, part):
        games, draws = stage_games(self.graph, part)
        outside = {a for g in games.values() for line in g for d in line for a in d if a not in games}
        known = [{a: self.bounds[a][k] for a in outside} for k in (0, 1)]
        ends = not lasting(games, set(games))
        first = min(fmpq(0), *known[0].values()), max(fmpq(0), *known[1].values())
        self.bounds |= dict.fromkeys(games, first)
        self.mixes |= {s: tuple([fmpq(int(k==0)) for k in range(c)] for c in (len(g), len(g[0]))) for s, g in games.items()}
        if outside:
            self.ending(games, known) if ends else self.unending(games, known)
        for state, draw in draws.items():
            self.bounds[state] = tuple(expected(draw, {a: self.bounds[a][k] for a in draw}) for k in (0, 1))

    def ending(self, games, known):
        values = {a: sum(self.bounds[a]) / 2 for a in known[0]} | dict.fromkeys(games, fmpq(0))
        newton(games, values, fmpq(1), dict.fromkeys(games, fmpq(0)), self.bits)
        if self.exactly and known[0] == known[1] and self.exact(games, values, True): return
        tax = fmpq(8, 1 << (self.bits - SLACK_BITS))
        for side in (0, 1):
            v = values | known[side]
            mixes = newton(games, v, fmpq(1), dict.fromkeys(games, tax if side else -tax), self.bits)
            if mixes: self.accept(games, v, mixes, side)

    def exact(self, games, values, ends):
        radius = fmpq(1, 1 << self.bits // 2)
        guess = {a: v if a not in games else simplest(v, radius) for a, v in values.items()}
        if max(g.q.bit_length() for g in guess.values()) > self.bits // 4: return False
        plays = {s: solve_payoff(Payoff.of(t), "auto")[0] for s, t in tables(games, guess).items()}
        if any(p.value != guess[s] for s, p in plays.items()): return False
        mixes = {s: (list(p.row), list(p.column)) for s, p in plays.items()}
        if not ends and any(lasting(games, {s for s in games if (guess[s] < 0 if side else guess[s] > 0)}, side, mixes) for side in (0, 1)): return False
        for s in games:
            self.bounds[s] = guess[s], guess[s]
            self.mixes[s] = mixes[s]
        return True

    def unending(self, games, known):
        mid = {a: sum(self.bounds[a]) / 2 for a in known[0]} | dict.fromkeys(games, fmpq(0))
        for exponent in EXPONENTS:
            bits = max(self.bits, 2 * exponent + 64)
            d = fmpq(1, 1 << exponent)
            if not newton(games, mid, 1 - d, dict.fromkeys(games, fmpq(0)), bits): break
            if exponent == 64 and self.exactly and known[0] == known[1] and self.exact(games, mid, False): return
            for side in (0, 1):
                cap = max if side else min
                v = mid | known[side]
                for margin in (0, 0, d):
                    shift = {s: d * (cap(fmpq(0), v[s]) + (margin if side else -margin)) for s in games}
                    mixes = newton(games, v, 1 - d, shift, bits)
                    if not mixes: break
                if mixes: self.accept(games, v, mixes, side)
            if max(self.bounds[s][1] - self.bounds[s][0] for s in games) <= self.within: break

    def accept(self, games, values, mixes, side):
        sign = -1 if side else 1
        for state, table in tables(games, values).items():
            if sign * guaranteed(mixes[state], table, table)[side] < sign * values[state]:
                return False
        if lasting(games, {s for s in games if sign * values[s] > 0}, side, mixes):
            return False
        for s in games:
            pair, strategies = list(self.bounds[s]), list(self.mixes[s])
            if sign * values[s] > sign * pair[side]:
                pair[side], strategies[side] = values[s], mixes[s][side]
                self.bounds[s], self.mixes[s] = tuple(pair), tuple(strategies)
        return True
