"""Games in which a play can reach a state twice, and the truth about them.

Shares no code with the package but the description of games.
"""

from fractions import Fraction
from itertools import chain, combinations, compress, product

import numpy as np
import oracle
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from gops_exact.extensive import Chance, Simultaneous, Tree

OFF = 1e-12
"""Radius of the values that value iteration in balls proves."""

NOISE = 1e-9
"""Rounding errors of floats stay below this."""


def table(rows):
    """The moves of a matrix game, whose next states are the entries."""
    return Simultaneous(
        {(i, j): after for i, line in enumerate(rows) for j, after in enumerate(line)}
    )


def listed(start, nodes):
    """A game of nodes by name; all other states are payoffs."""
    return Tree(start, lambda state: nodes.get(state, state))


def stopping_game(source, states, most):
    """A random game in which each step ends the game with a probability of 1/6 or more."""
    nodes = {}
    for state in range(states):
        sizes = source.randint(1, most), source.randint(1, most)
        rows = [[f"{state} {i} {j}" for j in range(sizes[1])] for i in range(sizes[0])]
        nodes[f"at {state}"] = table(rows)
        for name in chain(*rows):
            after = source.choices(range(states), k=source.randint(0, 2))
            weights = {f"at {k}": source.randint(1, 3) for k in after}
            weights[source.randint(-9, 9)] = source.randint(1, 3)
            total = sum(weights.values())
            nodes[name] = Chance({k: Fraction(weight, total) for k, weight in weights.items()})
    return listed("at 0", nodes)


def recursion(source, levels, width=3, most=4):
    """A random game of levels; a state leads to states of the next level, to payoffs, or to draws of chance."""
    nodes = {}
    for level in range(levels):
        for k in range(width):
            below = [(level + 1, other) for other in range(width)]
            if level == levels - 1:
                below = [source.randint(-99, 99) for _ in range(9)]
            m, n = source.randint(1, most), source.randint(1, most)
            nodes[level, k] = table([[source.choice(below) for _ in range(n)] for _ in range(m)])
            if source.random() < 0.2:
                nodes[level, k] = Chance(
                    {below[0]: "1/3", below[-1]: "2/3"} if below[0] != below[-1] else {below[0]: 1}
                )
    return listed((0, 0), nodes)


def nodes_of(game):
    """{state: what happens there} of the states that can be reached."""
    nodes, states, known = {}, [game.start], {game.start}
    for state in states:  # `states` grows in this loop
        node = nodes[state] = game.at(state)
        if isinstance(node, Chance | Simultaneous):
            after = node.outcomes if isinstance(node, Chance) else node.moves.values()
            new = dict.fromkeys(k for k in after if k not in known)
            states += new
            known |= new.keys()
    return nodes


def matrix(node, values):
    """The payoffs of the matrix game at a state."""
    rows, columns = (1 + max(pair[k] for pair in node.moves) for k in (0, 1))
    return [[values[node.moves[i, j]] for j in range(columns)] for i in range(rows)]


def guarantees(rows):
    """Yield (rows and columns of a square submatrix, what player one's strategy there guarantees), where there is one.

    The greatest of these guarantees is the value (Shapley & Snow 1950).
    """
    payoffs = np.array(rows, dtype=float)
    m, n = payoffs.shape
    for size in range(1, min(m, n) + 1):
        supports = [*product(combinations(range(m), size), combinations(range(n), size))]
        border = np.ones((len(supports), size + 1, size + 1))
        border[:, size, size] = 0
        for line, (some, others) in zip(border, supports, strict=True):
            line[:size, :size] = payoffs[np.ix_(some, others)].T
        regular = np.abs(np.linalg.det(border)) > 1e-9  # others add nothing but rounding errors
        right = np.zeros((regular.sum(), size + 1, 1))
        right[:, size] = 1
        solved = np.linalg.solve(border[regular], right)[:, :size, 0]
        for support, mix in zip(compress(supports, regular), solved, strict=True):
            if mix.min() >= 0:
                yield support, (mix / mix.sum() @ payoffs[[*support[0]]]).min()


def float_value(rows):
    """The value of a matrix game, in floats."""
    return max(worth for _, worth in guarantees(rows))


def secured(rows):
    """A lower bound of the value of a matrix game of balls, near the value if the balls are small."""
    near, bounds = [*guarantees([[float(entry) for entry in line] for line in rows])], []
    best = max(worth for _, worth in near)
    for (some, others), worth in near:
        if worth >= best - NOISE:
            matrix = [[*(rows[i][j].mid() for i in some), arb(1)] for j in others]
            matrix.append([arb(1)] * len(some) + [arb(0)])
            right = arb_mat([[arb(k == len(some))] for k in range(len(some) + 1)])
            solved = arb_mat(matrix).solve(right, algorithm="approx").entries()[:-1]
            weights = [max(weight.mid(), arb(0)) for weight in solved]
            gains = [
                sum((w * rows[i][j] for w, i in zip(weights, some, strict=True)), arb(0))
                for j in range(len(rows[0]))
            ]
            bounds.append(min((gain / sum(weights)).lower() for gain in gains))
    return max(bounds)


def step(nodes, values, sign):
    """The values after a step of value iteration, times `sign`: lower bounds if the values are, times `sign`."""
    after = dict(values)
    for state, node in nodes.items():  # chance leads to payoffs and to states where both move
        if isinstance(node, Chance):
            chances = [(arb(fmpq(str(p))), k) for k, p in node.outcomes.items()]
            after[state] = sum((p * values[k] for p, k in chances), arb(0))
    for state, node in nodes.items():
        if isinstance(node, Simultaneous):
            rows = matrix(node, after)
            after[state] = secured(rows if sign > 0 else [*zip(*rows, strict=True)])
    return after


def proved_values(game):
    """{state where both move: a ball of radius 1e-12 that holds its value}, by value iteration in balls.

    In every step chance must end the game with positive probability. Numbers that a step does not make smaller are then
    lower bounds, since steps without end come to the values.
    """
    nodes, values, change = nodes_of(game), iterated_values(game), 1
    states = [state for state, node in nodes.items() if isinstance(node, Simultaneous)]
    with ctx.workprec(128):
        balls = {k: arb(nodes[k] if isinstance(nodes[k], int) else v) for k, v in values.items()}
        while change > 1e-14:
            last, balls = balls, {k: x.mid() for k, x in step(nodes, balls, 1).items()}
            change = max(abs(float(balls[k] - last[k])) for k in states)
        for sign in (1, -1):
            bounds = {k: sign * x for k, x in balls.items()}
            bounds.update({k: bounds[k] - arb(OFF) for k in states})
            after = step(nodes, bounds, sign)
            assert all(after[k] >= bounds[k] for k in states)
        return {k: arb(balls[k], OFF) for k in states}


def iterated_values(game):
    """{state: value} by value iteration in floats, about 1e-11 from the values if every play soon ends."""
    nodes = nodes_of(game)
    values = {state: float(node) if isinstance(node, int) else 0.0 for state, node in nodes.items()}
    change = np.inf
    while change > 1e-12:
        change = 0
        for state, node in reversed(nodes.items()):
            if isinstance(node, Chance):
                new = sum(float(Fraction(str(p))) * values[k] for k, p in node.outcomes.items())
            elif isinstance(node, Simultaneous):
                new = float_value(matrix(node, values))
            else:
                continue
            change, values[state] = max(change, abs(new - values[state])), new
    return values


def best_reply_values(game, strategy, player):
    """{state where both move: player one's exact expected payoff} if a player's strategy meets a best reply.

    The reply is improved where it is not best until it is best (Howard 1960). Every play must end with probability 1, and
    chance must lead to payoffs and to states where both move.

    Args:
        game: the game.
        strategy: {state: {move: probability}} of the player.
        player: the player of the strategy, 1 or 2.
    """
    nodes = nodes_of(game)
    states = [state for state, node in nodes.items() if isinstance(node, Simultaneous)]
    choices = {state: replies(nodes, state, strategy[state], player) for state in states}
    reply, best = dict.fromkeys(states, 0), min if player == 1 else max
    while True:
        left, right = fmpq_mat(len(states), len(states)), fmpq_mat(len(states), 1)
        for k, state in enumerate(states):
            gain, later = choices[state][reply[state]]
            right[k, 0] = gain
            for j, after in enumerate(states):
                left[k, j] = (j == k) - later.get(after, 0)
        values = dict(zip(states, left.solve(right).entries(), strict=True))
        worse = False
        for state, draws in choices.items():
            worths = [gain + sum(p * values[k] for k, p in later.items()) for gain, later in draws]
            if best(worths) != values[state]:
                reply[state], worse = worths.index(best(worths)), True
        if not worse:
            return {state: oracle.fraction(number) for state, number in values.items()}


def replies(nodes, state, mix, player):
    """For each move of the other player: the expected payoff if the game ends, and {next state where both move: probability}."""
    found = {}
    for pair, after in nodes[state].moves.items():
        gain, later = found.setdefault(pair[2 - player], (fmpq(0), {}))
        node, share = nodes[after], fmpq(str(mix.get(pair[player - 1], 0)))
        outcomes = node.outcomes if isinstance(node, Chance) else {after: 1}
        for end, chance in outcomes.items():
            weight = share * fmpq(str(chance))
            if isinstance(nodes[end], int):
                gain += weight * end
            else:
                later[end] = later.get(end, 0) + weight
        found[pair[2 - player]] = gain, later
    return [*found.values()]
