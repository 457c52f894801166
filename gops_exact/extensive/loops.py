"""Solver of games in which nothing is hidden. It computes bounds of the values, which stationary strategies prove.

In such a game a play may reach a state twice, and may have no end (stochastic games, Shapley 1953). A play without end
is worth 0. Words used here:

* The *value* of a state is the value of the game that begins there. Its *bounds* are a number that is at most the value
  and a number that is at least the value.
* The *matrix game* of a state, also called its *stage game*, has a row for each move of player one there, and a column
  for each move of player two. Each entry is {next state: probability}, and stands for the expected value of the next
  state. Where a player does not move, there is a single row or column.
* A *part* of the game is a maximal set of states that all lead to each other. A part is solved after all parts that can
  follow it. A part that is a single state, which does not lead to itself, is a matrix game, a draw of chance or an end
  of the game.
* Let v be a number for each state. Then *T v* are the values of the matrix games of a part if the next states have the
  values v.
* A strategy is *stationary* if it depends on the state alone.

A stationary strategy of player one guarantees at least v if two conditions hold. First, it gains at least v(s) in the
matrix game of each state s, where the next states have the values v. Second, player two cannot keep the play for ever
among states with v(s) > 0. The same is true of player two with all signs changed.

* If every play leaves the part with probability 1, whatever the players do, then v = T v has one solution. Newton's
  method approximates the solution: each step computes the strategies that are optimal at the last v, and solves the
  linear equations of the values under these strategies (Hoffman & Karp 1966; Pollatschek & Avi-Itzhak 1969). Short
  fractions near the solution are the values if the strategies prove them. If they do not, the solution of
  v = T v − tax, with a small tax on each step, is a lower bound that player one's strategy proves. An upper bound is
  computed in the same way, with v = T v + tax.
* Otherwise v = (1 − d) T v + d c is solved: each step ends the play with a small probability d, and an end at the state
  s pays c(s). First this is done with c = 0. Short fractions near the solution are the values if the strategies prove
  them. If they do not, the equation is solved for three more choices of c, one after the other. Let w be the solution
  for the choice before. The first and the second choice of c(s) are the lesser of 0 and w(s); the third choice is this
  number minus d. The solution v is a lower bound if c(s) ≤ 0 and c(s) ≤ v(s) for every state s. An upper bound is
  computed in the same way with all signs changed. A smaller d brings the bounds nearer to the value, because stationary
  strategies guarantee nearly the value (Everett 1957).
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from flint import arb, arb_mat, ctx, fmpq

from gops_exact.base.progress import Progress, tracked
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
from gops_exact.numbers.exact import from_float, simplest

StageGames = dict[State, list[list[Chances]]]
"""{state of a part: its matrix game, whose entries are {next state: probability}}."""

Values = dict[State, fmpq]
"""{state: its value, or a bound of the value}."""

ZERO, ONE = fmpq(0), fmpq(1)

MOST_STATES = 6000
"""Greatest number of states of a part that have a matrix game. Its linear equations then take 300 MB. States of chance
whose draws are merged into matrix games do not count."""

MOST_IN_BALLS = 128
"""Greatest number of states of a part whose linear equations are solved in balls. With more they are solved in floats,
and a step adds at most about 50 bits."""

STEPS = 200
"""Greatest number of Newton's steps."""

EXPONENTS = 4, 8, 16, 32, 64, 128, 256
"""The exponents k, tried one after another: each step of a part in which a play may go on for ever ends the play with
the probability 2^-k."""

FLOAT_EXPONENT = 40
"""Greatest of these exponents for which linear equations are solved in floats; with a greater one these are singular."""


def parts(graph: StateGraph) -> list[list[State]]:
    """Return the parts of a game, each after all parts that can follow it, by the method of Sharir (1981).

    A part is a strongly connected component of the graph. The states within a part have the order of `graph.nodes`.
    """
    if not graph.returns:
        return [[state] for state in graph.nodes]
    before, components = defaultdict[State, list[State]](list), list[list[State]]()
    for state, node in graph.nodes.items():
        for after in dict.fromkeys(following(node)):
            before[after].append(state)
    order = {state: k for k, state in enumerate(graph.nodes)}  # that of a depth-first search
    left = dict(reversed(order.items()))
    for state in reversed(order):
        part, stack = list[State](), [state]
        while stack:
            reached = stack.pop()
            if left.pop(reached, None) is not None:
                part.append(reached)
                stack.extend(before[reached])
        if part:
            components.append(sorted(part, key=order.__getitem__))
    return components[::-1]


def stage_games(graph: StateGraph, part: list[State]) -> tuple[StageGames, dict[State, Chances]]:
    """Return the matrix games of the states of a part, with draws of chance merged into their entries.

    The draw at a state of chance is merged into the entries that lead to the state, so the state has no matrix game.
    There is one exception: if the state itself, or a state after it in `part`, leads to the state, it has a matrix game
    of 1 × 1.

    Returns:
        The matrix games; and {state whose draw is merged: {next state: probability}}.
    """
    order = {state: k for k, state in enumerate(part)}
    nodes = {state: graph.nodes[state] for state in part}
    entered = {
        a for state in part for a in following(nodes[state]) if order.get(a, -1) >= order[state]
    }
    games, draws = StageGames(), dict[State, Chances]()
    for state, node in nodes.items():
        if isinstance(node, Moves):
            games[state] = [[draws.get(a, {a: ONE}) for a in line] for line in node.after]
        elif isinstance(node, dict):
            merged = defaultdict[State, fmpq](fmpq)
            for after, chance in node.items():
                for end, share in draws.get(after, {after: ONE}).items():
                    merged[end] += chance * share
            if state in entered:
                games[state] = [[merged]]
            else:
                draws[state] = merged
    return games, draws


def tables(games: StageGames, values: Mapping[State, fmpq]) -> dict[State, Table]:
    """Return {state: payoffs of its matrix game} if the value of each next state is the one in `values`."""
    return {
        state: [
            [sum((p * values[a] for a, p in draw.items()), ZERO) for draw in line] for line in game
        ]
        for state, game in games.items()
    }


def lasting(
    games: StageGames, inside: set[State], side: int | None, mixes: Mapping[State, Mixes]
) -> set[State]:
    """Return the states of `inside` from which a play can stay in `inside` for ever, with probability 1.

    Args:
        games: the matrix games of the states.
        inside: a subset of the states of `games`.
        side: 0 or 1, the index of a player who moves with the probabilities in `mixes`, while the other player chooses
            moves that keep the play in `inside`. If `side` is None, both players choose such moves.
        mixes: {state: the probabilities of both players' moves}; only those of the player `side` are used.
    """
    while True:
        left = set[State]()
        for state in inside:
            replies = [[draw] for line in games[state] for draw in line]
            if side is not None:
                lines = games[state] if side else zip(*games[state], strict=True)
                pairs = [zip(line, mixes[state][side], strict=True) for line in lines]
                replies = [[draw for draw, p in reply if p] for reply in pairs]
            if any(inside.issuperset(chain.from_iterable(reply)) for reply in replies):
                left.add(state)
        if left == inside:
            return inside
        inside = left


def newton(
    games: StageGames, values: Values, keep: fmpq, shift: Values, bits: int
) -> dict[State, Mixes] | None:
    """Solve v = keep · T v + shift approximately by Newton's method.

    T v has the values of the matrix games of a part if the next states have the values v.

    Args:
        games: the matrix games of the part.
        values: {state: value}, for the states of the part and for those that follow it. The steps begin at the values of
            the part, and overwrite them.
        keep: the factor of T v.
        shift: {state of the part: the number that is added}.
        bits: the precision, in bits.

    Returns:
        {state of the part: strategies that are nearly optimal at the solution}; None if the steps do not come near a
        solution. Nothing is proved.
    """
    last, share = fmpq(0), ONE
    for _ in range(STEPS):
        mixes, gaps = dict[State, Mixes](), Values()
        for state, table in tables(games, values).items():
            mixes[state] = near_optimal(table, bits)
            low, high = guaranteed(mixes[state], table, table)
            gaps[state] = keep * (low + high) / 2 + shift[state] - values[state]
        size = max(map(abs, gaps.values()))
        if size <= fmpq(1, 1 << (bits - SLACK_BITS)):
            return mixes
        # After a step that went too far, shorter steps keep them from going round in a circle.
        share = share / 2 if 0 < last <= size else min(ONE, share * fmpq(3, 2))
        for state, change in _changes(games, mixes, keep, gaps, bits).items():
            values[state] = on_grid(values[state] + share * change, bits)
        last = size
    return None


def _changes(
    games: StageGames, mixes: Mapping[State, Mixes], keep: fmpq, gaps: Values, bits: int
) -> Values:
    """Solve x = keep · P x + gaps approximately, the equation for a step of Newton's method.

    P is the matrix of the probabilities with which a state of the part follows another one under the strategies
    `mixes`.

    Args:
        games: the matrix games of the part.
        mixes: {state of the part: strategies of both players}.
        keep: the factor of P.
        gaps: {state of the part: number}; at least one of the numbers must differ from 0.
        bits: the precision, in bits.

    Returns:
        {state of the part: x}.
    """
    index, size = {state: k for k, state in enumerate(games)}, max(map(abs, gaps.values()))
    rows = [defaultdict[int, fmpq](fmpq, {k: ONE}) for k in range(len(games))]
    for (state, game), line in zip(games.items(), rows, strict=True):
        for p, draws in zip(mixes[state][0], game, strict=True):
            for q, draw in zip(mixes[state][1], draws, strict=True):
                for after, chance in draw.items() if p and q else ():
                    if after in index:
                        line[index[after]] -= keep * p * q * chance
    with ctx.workprec(bits):
        right = [arb(gap / size) for gap in gaps.values()]
        if len(games) <= MOST_IN_BALLS:
            matrix = arb_mat([[line.get(k, 0) for k in range(len(games))] for line in rows])
            solved = matrix.solve(arb_mat([[gap] for gap in right]), algorithm="approx").entries()
            solution = [x.mid().fmpq() for x in solved]
        else:
            floats = np.zeros((len(games), len(games)))
            for k, line in enumerate(rows):
                floats[k, [*line]] = [float(arb(entry)) for entry in line.values()]
            solution = [*map(from_float, np.linalg.solve(floats, [*map(float, right)]).tolist())]
    return {state: size * x for state, x in zip(games, solution, strict=True)}


@dataclass(eq=False)
class Solver:
    """Solver of a game in which nothing is hidden, in fractions with proved bounds."""

    graph: StateGraph  # the states of the game
    bits: int  # the precision: bounds and probabilities are multiples of 2^-bits, unless they are exact
    within: fmpq  # the width of bounds that is asked for where a play may go on for ever
    # True to keep the exact values, which may be long fractions, of states that no play reaches twice
    exactly: bool = False
    bounds: dict[State, Bounds] = field(default_factory=dict)  # of the states that are solved
    # the probabilities of the moves of both players, at solved states where a player moves
    mixes: dict[State, Mixes] = field(default_factory=dict)

    def solve(self, progress: Progress | None = None) -> Bounds:
        """Fill `bounds` and `mixes` for all states, and return the bounds of the value of the first state.

        Args:
            progress: called as progress(done, total), in states; None for no report.

        Raises:
            ValueError: if more than `MOST_STATES` states with a matrix game lead to each other.
        """
        for part in tracked(parts(self.graph), progress, len):
            state, node = part[0], self.graph.nodes[part[0]]
            if len(part) > 1 or (self.graph.returns and state in following(node)):
                self._solve_part(part)
            elif isinstance(node, Moves):
                self.bounds[state] = self._stage(state, node)
            elif isinstance(node, dict):
                self.bounds[state] = self._rounded(self._mean(node, 0), self._mean(node, 1))
            else:
                self.bounds[state] = node, node
        return self.bounds[self.graph.start]

    def _stage(self, state: State, node: Moves) -> Bounds:
        lows, highs = ([[self.bounds[a][k] for a in line] for line in node.after] for k in (0, 1))
        middle, bits = lows, None if self.exactly else self.bits
        if lows != highs:
            pairs = (zip(*both, strict=True) for both in zip(lows, highs, strict=True))
            middle, bits = [[(low + high) / 2 for low, high in line] for line in pairs], self.bits
        self.mixes[state] = near_optimal(middle, bits)
        return self._rounded(*guaranteed(self.mixes[state], lows, highs))

    def _mean(self, draw: Chances, side: int) -> fmpq:
        return sum((p * self.bounds[after][side] for after, p in draw.items()), ZERO)

    def _rounded(self, low: fmpq, high: fmpq) -> Bounds:
        if self.exactly and low == high:
            return low, high
        return on_grid(low, self.bits), -on_grid(-high, self.bits)

    def _solve_part(self, part: list[State]) -> None:
        games, draws = stage_games(self.graph, part)
        if len(games) > MOST_STATES:
            raise ValueError(
                f"at most {MOST_STATES:,} states may lead to each other, got {len(games):,}"
            )
        ends = {
            a for game in games.values() for line in game for draw in line for a in draw
        } - games.keys()
        lows, highs = ({a: self.bounds[a][k] for a in ends} for k in (0, 1))
        # Whatever is played, the value is no less than the least end, and no more than the greatest one.
        first = min([ZERO, *lows.values()]), max([ZERO, *highs.values()])
        for state, game in games.items():
            self.bounds[state] = first
            row, column = ([ONE, *[ZERO] * (len(side) - 1)] for side in (game, game[0]))
            self.mixes[state] = row, column
        middle = {a: (lows[a] + highs[a]) / 2 for a in ends} | dict.fromkeys(games, ZERO)
        if lasting(games, set(games), None, {}):
            self._approach(games, (lows, highs), middle)
        elif (mixes := newton(games, middle, ONE, dict.fromkeys(games, ZERO), self.bits)) and not (
            lows == highs and self._prove(games, middle, mixes, self.bits)
        ):
            tax = fmpq(1, 1 << (self.bits - SLACK_BITS - 4))
            for side, known in enumerate((lows, highs)):
                shift = dict.fromkeys(games, tax if side else -tax)
                self._improve(games, middle | known, ONE, shift, side, self.bits)
        for state, draw in draws.items():
            self.bounds[state] = self._mean(draw, 0), self._mean(draw, 1)

    def _approach(self, games: StageGames, ends: tuple[Values, Values], middle: Values) -> None:
        """Bound the values of a part in which a play may go on for ever.

        Args:
            games: the matrix games of the part's states.
            ends: lower bounds and upper bounds of the values of the states that follow the part, two mappings {state:
                bound}.
            middle: {state: value}. For a state that follows the part, the value lies between its bounds. For a state of
                the part, it is a first approximation, which this function replaces.
        """
        solved = list[tuple[int, fmpq, Values]]()
        for exponent in EXPONENTS:
            if exponent > FLOAT_EXPONENT and len(games) > MOST_IN_BALLS:
                break
            bits, end = max(self.bits, 2 * exponent + 64), fmpq(1, 1 << exponent)
            mixes = newton(games, middle, 1 - end, dict.fromkeys(games, ZERO), bits)
            if mixes is None:
                continue
            if ends[0] == ends[1] and self._prove(games, middle, mixes, exponent):
                return
            solved.append((bits, end, dict(middle)))
        # The last bounds are the nearest ones, unless rounding errors spoil them.
        for bits, end, near in reversed(solved):
            for side, known in enumerate(ends):
                values = near | known
                cap, margin = (max, end) if side else (min, -end)
                for more in (ZERO, ZERO, margin):
                    shift = {state: end * (cap(ZERO, values[state]) + more) for state in games}
                    self._improve(games, values, 1 - end, shift, side, bits)
            if max(high - low for low, high in map(self.bounds.__getitem__, games)) <= self.within:
                return

    def _improve(
        self, games: StageGames, values: Values, keep: fmpq, shift: Values, side: int, bits: int
    ) -> None:
        """Solve v = keep · T v + shift by :func:`newton`, and improve the bounds of the part if v is proved.

        The number v(s) replaces the bound of a state s if it is nearer to the value. `side` is 0 for lower bounds,
        which player one's strategy proves, and 1 for upper bounds, which player two's strategy proves.
        """
        mixes, sign = newton(games, values, keep, shift, bits), -1 if side else 1
        if mixes is None or not _is_proved(games, values, mixes, side):
            return
        for state in games:
            if sign * values[state] > sign * self.bounds[state][side]:
                (low, high), (row, column) = self.bounds[state], self.mixes[state]
                self.bounds[state] = (low, values[state]) if side else (values[state], high)
                self.mixes[state] = (row, mixes[state][1]) if side else (mixes[state][0], column)

    def _prove(
        self, games: StageGames, values: Values, proposed: dict[State, Mixes], digits: int
    ) -> bool:
        """Guess the exact values of a set of states; replace their bounds by these values and return True if proved.

        The guess for each value is the simplest fraction near the approximate value. If the guesses are not proved to
        be the values, nothing is changed, and the result is False.

        Args:
            games: the matrix games of the part's states.
            values: {state: value}, approximate for the states of the part, and exact for the states that can follow it.
            proposed: {state of the part: strategies that are nearly optimal at `values`}.
            digits: the precision of the approximate values in bits. Half of these bits are assumed to be correct.
        """
        near = fmpq(1, 1 << digits // 2)
        exact = {state: simplest(x, near) if state in games else x for state, x in values.items()}
        if max(exact[state].q for state in games) ** 2 * near > ONE:
            return False  # a fraction as long as this is near every number
        mixes = dict[State, Mixes]()
        for state, sides in proposed.items():
            row, column = ([simplest(p, near) for p in mix] for mix in sides)
            mixes[state] = row, column
            if not sum(row, ZERO) == sum(column, ZERO) == 1:
                return False
        if not all(_is_proved(games, exact, mixes, side) for side in (0, 1)):
            return False
        self.bounds.update({state: (exact[state], exact[state]) for state in games})
        self.mixes.update(mixes)
        return True


def _is_proved(games: StageGames, values: Values, mixes: Mapping[State, Mixes], side: int) -> bool:
    """Return True if stationary strategies of a player prove the bounds `values` of the states of a part.

    The bounds of the states that follow the part are assumed to be right. `side` is 0 for lower bounds, which player
    one's strategies prove, and 1 for upper bounds, which player two's strategies prove.
    """
    sign = -1 if side else 1
    for state, table in tables(games, values).items():
        if sign * guaranteed(mixes[state], table, table)[side] < sign * values[state]:
            return False
    good = {state for state in games if sign * values[state] > 0}
    return not lasting(games, good, side, mixes)
