"""Random matrix games of all shapes and kinds, solved by every path.

By half they are degenerate: repeated and dominated bids, ties, low rank, antisymmetry, constant
payoffs. Entries are small integers, fractions of many digits, numbers beyond the range of floats,
huge and tiny ones in one matrix, and numbers whose differences floats cannot see.

For each game: every path gives the same value and the same answers about uniqueness; every solution
is an equilibrium, found so in integers, without the package; -Xᵀ is worth -v; where a side's optimal
strategy is said to be the only one, `optimal_set` has just that one, else it has more.
"""

from collections import Counter
from fractions import Fraction
from math import lcm

import numpy as np
from frame import Wrong

from gops_exact import optimal_set, solve_matrix_game
from gops_exact.matrix_game.solve import PATHS

MOST_FOR_SIMPLEX = 600
"""Entries of a game up to which the rational simplex, the slowest path, is asked, too; of DIGITS
digits more, half as many, and so on."""

DIGITS = 20

MOST_FOR_THE_SET = 60
"""Entries up to which all optimal strategies are listed: of a degenerate game they can be very many."""

HUGE = 10**400
"""Beyond the range of floats, and so is its reciprocal."""

ENTRIES = {
    "integers": lambda rng: rng.randint(-100, 100),
    "signs": lambda rng: rng.randint(-1, 1),
    "bits": lambda rng: rng.randint(0, 1),
    "small fractions": lambda rng: Fraction(rng.randint(-9, 9), rng.randint(1, 6)),
    "long fractions": lambda rng: Fraction(rng.randint(-(10**30), 10**30), rng.randint(1, 10**30)),
    "long decimals": lambda rng: Fraction(rng.randint(-(10**30), 10**30), 10**30),
    "64 bits": lambda rng: rng.randint(-(2**63), 2**63 - 1),
    "huge": lambda rng: rng.randint(-9, 9) * HUGE + rng.randint(-9, 9),
    "tiny": lambda rng: Fraction(rng.randint(-9, 9), HUGE + rng.randint(0, 9)),
    "huge and tiny": lambda rng: rng.randint(-9, 9) * Fraction(HUGE) ** rng.randint(-1, 1),
    "close": lambda rng: 10**20 + rng.randint(-1, 1),
    "close fractions": lambda rng: Fraction(1, 3) + Fraction(rng.randint(-3, 3), 10**40),
    "near ties": lambda rng: rng.randint(-1, 1) + Fraction(rng.randint(-1, 1), 10**25),
}


SHAPES = {
    "square": (35, (1, 9), None),
    "oblong": (35, (1, 9), (1, 9)),
    "middling": (15, (10, 18), (6, 22)),
    "thin": (14, (1, 5), (10, 150)),
    "large": (1, (20, 28), (20, 28)),
}
"""Shares in percent, and between which numbers one side and the other are; None for equal sides."""


def plain(rng, m, n, entry):
    """Independent entries."""
    return [[entry(rng) for _ in range(n)] for _ in range(m)]


def repeated(rng, m, n, entry):
    """Rows and columns drawn with repetition from those of a smaller game."""
    core = plain(rng, rng.randint(1, m), rng.randint(1, n), entry)
    columns = rng.choices(range(len(core[0])), k=n)
    return [[row[j] for j in columns] for row in rng.choices(core, k=m)]


def dominated(rng, m, n, entry):
    """Rows below others, strictly or in some places, and columns above others."""
    rows = plain(rng, m, n, entry)
    for i in range(1, m):
        if rng.random() < 0.5:
            above = rows[rng.randrange(i)]
            rows[i] = [x - rng.choice((0, 0, 1)) * abs(entry(rng)) for x in above]
    for j in range(1, n):
        if rng.random() < 0.5:
            below = rng.randrange(j)
            for row in rows:
                row[j] = row[below] + rng.choice((0, 0, 1)) * abs(entry(rng))
    return rows


def mixed(rng, m, n, entry):
    """Rows that are means of other rows, so that they tie with what they are made of."""
    rows = plain(rng, m, n, entry)
    for i in range(2, m):
        if rng.random() < 0.6:
            one, two = rng.sample(rows[:i], 2)
            share = Fraction(rng.randint(0, 4), 4)
            rows[i] = [share * x + (1 - share) * y for x, y in zip(one, two, strict=True)]
    return rows


def of_low_rank(rng, m, n, entry):
    """A product of thin matrices."""
    rank = rng.randint(1, 3)
    left, right = plain(rng, m, rank, entry), plain(rng, rank, n, lambda rng: rng.randint(-2, 2))
    columns = list(zip(*right, strict=True))
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in columns] for a in left]


def constant(rng, m, n, entry):
    """The same payoff everywhere, or almost."""
    payoff = entry(rng)
    rows = [[payoff] * n for _ in range(m)]
    for _ in range(rng.randint(0, 2)):
        rows[rng.randrange(m)][rng.randrange(n)] = entry(rng)
    return rows


def antisymmetric(rng, m, n, entry):
    """A fair game."""
    size = min(m, n)
    rows = [[Fraction(0)] * size for _ in range(size)]
    for i in range(size):
        for j in range(i):
            rows[i][j] = entry(rng)
            rows[j][i] = -rows[i][j]
    return rows


def circulant(rng, m, n, entry):
    """Each row is the one above moved on by a place."""
    first = [entry(rng) for _ in range(n)]
    return [[first[(j - i) % n] for j in range(n)] for i in range(m)]


def blocks(rng, m, n, entry):
    """Games side by side on the diagonal, and a zero for everything else."""
    cut, gap = rng.randint(0, m), rng.randint(0, n)
    rows = plain(rng, m, n, entry)
    return [
        [x if (i < cut) == (j < gap) else 0 for j, x in enumerate(row)]
        for i, row in enumerate(rows)
    ]


def with_a_flat_line(rng, m, n, entry):
    """One bid that pays the same against any, often what the game is worth."""
    rows = antisymmetric(rng, m, n, entry)
    size = len(rows)
    if rng.random() < 0.5:
        rows[rng.randrange(size)] = [Fraction(0)] * size
    else:
        place = rng.randrange(size)
        for row in rows:
            row[place] = Fraction(0)
    return rows


DEGENERATE = (
    repeated, dominated, mixed, of_low_rank, constant, antisymmetric, circulant, blocks,
    with_a_flat_line,
)  # fmt: skip


def game(rng):
    """A name for the kind of game, and its payoffs."""
    (shape,) = rng.choices(list(SHAPES), weights=[share for share, _, _ in SHAPES.values()])
    _, one, other = SHAPES[shape]
    m = rng.randint(*one)
    n = m if other is None else rng.randint(*other)
    if rng.random() < 0.5:
        m, n = n, m
    kind = rng.choice(list(ENTRIES))
    build = rng.choice([plain, rng.choice(DEGENERATE)])
    return f"{build.__name__}, {shape}, {kind}", build(rng, m, n, ENTRIES[kind])


def game_case(rng, _place):
    """Solve a random game."""
    name, matrix = game(rng)
    try:
        check(matrix)
    except Wrong as error:
        error.add_note(name)
        raise


def check(matrix, paths=PATHS):
    """Solve a game by all paths that suit its size; returns how often each was taken."""
    taken = Counter()
    answers = {}
    has_saddle = max(map(min, matrix)) == min(map(max, zip(*matrix, strict=True)))
    entries = len(matrix) * len(matrix[0])
    digits = max(len(str(x)) for row in matrix for x in row)
    for path in paths:
        if path == "simplex" and entries * (1 + digits // DIGITS) > MOST_FOR_SIMPLEX:
            continue
        if path == "closed form" and not has_saddle and not len(matrix) == len(matrix[0]) == 2:
            continue
        answers[path] = found = solve_matrix_game(matrix, path)
        is_equilibrium(matrix, found)
        taken[path] += 1
    compare(answers)
    auto = answers["auto"]
    mirrored = solve_matrix_game([[-x for x in column] for column in zip(*matrix, strict=True)])
    if mirrored.value != -auto.value:
        raise Wrong("-Xᵀ is not worth -v", mirrored.value, auto.value)
    if all(isinstance(x, int) and -(2**63) <= x < 2**63 for row in matrix for x in row):
        compare({"lists": auto, "numpy": solve_matrix_game(np.array(matrix, dtype=np.int64))})
        taken["numpy"] += 1
    if entries <= MOST_FOR_THE_SET:
        against_the_set(matrix, auto)
        taken["optimal set"] += 1
    return taken


def compare(answers):
    """Hold answers to the same game against each other."""
    (first, known), *rest = answers.items()
    for path, found in rest:
        if found.value != known.value:
            raise Wrong("two values", path, found.value, first, known.value)
        for side in ("row", "column"):
            unique = f"{side}_unique"
            if getattr(found, unique) != getattr(known, unique):
                raise Wrong(f"{unique} by one path and not by another", path, first)
            if getattr(known, unique) and getattr(found, side) != getattr(known, side):
                raise Wrong(f"two unique {side} strategies", path, first)


def is_equilibrium(matrix, found):
    """Check value and strategies in integers: min(xᵀX) = v = max(Xy)."""
    value = found.value.to_fraction()
    secured(matrix, found.row, value, "row", min)
    secured(list(zip(*matrix, strict=True)), found.column, value, "column", max)


def secured(lines, strategy, value, side, worst):
    """Check that a mix of lines is a probability vector, and at worst is worth the value."""
    weights = [p.to_fraction() for p in strategy]
    if len(weights) != len(lines) or min(weights) < 0 or sum(weights) != 1:
        raise Wrong(f"the {side} strategy is no probability vector", len(lines))
    scale = lcm(*(p.denominator for p in weights))
    whole = [int(p * scale) for p in weights]
    gains = [
        sum(p * x for p, x in zip(whole, line, strict=True) if p)
        for line in zip(*lines, strict=True)
    ]
    if worst(gains) != value * scale:
        raise Wrong(f"the {side} strategy is not worth the value", worst(gains) / scale, value)


def against_the_set(matrix, found):
    """Check the set of optimal strategies, and what is said about uniqueness against it."""
    everything = optimal_set(matrix)
    if everything.value != found.value:
        raise Wrong("optimal_set says another value", everything.value, found.value)
    value = found.value.to_fraction()
    columns = list(zip(*matrix, strict=True))
    for side, lines, worst in (("row", matrix, min), ("column", columns, max)):
        extreme = getattr(everything, side)
        if len(set(extreme)) != len(extreme) or not extreme:
            raise Wrong(f"optimal_set repeats a {side} strategy, or has none")
        for strategy in extreme:
            secured(lines, strategy, value, side, worst)
        if getattr(found, f"{side}_unique") != (len(extreme) == 1):
            raise Wrong(f"unique {side} or not against the extreme strategies", len(extreme))
        if len(extreme) == 1 and extreme[0] != getattr(found, side):
            raise Wrong(f"the only {side} strategy is another one")
