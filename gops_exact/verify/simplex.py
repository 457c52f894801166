"""The value of a small integer matrix game by the simplex method over fractions, self-proving."""

from gmpy2 import mpq, mpz

from gops_exact.verify.fractions import NotProvedError

Row = list[mpq]


def game_value(payoff: list[list[mpz]]) -> mpq:
    """The value, shape (m, n): what both strategies found guarantee.

    With payoffs above zero, maximise Σ u_j under payoff · u ≤ 1, u ≥ 0: the greatest sum is
    1 / value, and u and the dual solution are the strategies times that (Dantzig 1951). Bland's
    rule (1977) keeps it from cycling.

    >>> game_value([[mpz(3), mpz(-1)], [mpz(1), mpz(2)]])
    mpq(7,5)
    """
    m, n = len(payoff), len(payoff[0])
    shift = 1 - min(map(min, payoff))
    rows = [
        [mpq(entry + shift) for entry in line] + [mpq(i == k) for k in range(m)] + [mpq(1)]
        for i, line in enumerate(payoff)
    ]
    costs = [mpq(-1)] * n + [mpq(0)] * (m + 1)
    basic = list(range(n, n + m))
    while any(cost < 0 for cost in costs[:-1]):
        entering = next(k for k, cost in enumerate(costs) if cost < 0)
        _, _, leaving = min(
            (row[-1] / row[entering], basic[i], i)
            for i, row in enumerate(rows)
            if row[entering] > 0
        )
        basic[leaving] = entering
        _pivot(rows, costs, leaving, entering)
    total = costs[-1]
    row_strategy = [cost / total for cost in costs[n:-1]]
    column_strategy = [mpq(0)] * n
    for i, k in enumerate(basic):
        if k < n:
            column_strategy[k] = rows[i][-1] / total
    value = 1 / total - shift
    least = min(_dot(row_strategy, column) for column in zip(*payoff, strict=True))
    greatest = max(_dot(column_strategy, line) for line in payoff)
    strategies = (row_strategy, column_strategy)
    if not least == value == greatest or any(min(s) < 0 or sum(s) != 1 for s in strategies):
        raise NotProvedError("the simplex method found no solution of a game")
    return value


def _pivot(rows: list[Row], costs: Row, leaving: int, entering: int) -> None:
    """Bring the column `entering` into the basis at row `leaving` (in place)."""
    source = rows[leaving]
    source[:] = [entry / source[entering] for entry in source]
    for line in (*rows, costs):
        factor = line[entering]
        if line is not source and factor:
            line[:] = [a - factor * b for a, b in zip(line, source, strict=True)]


def _dot(strategy: Row, payoffs: tuple[mpz, ...] | list[mpz]) -> mpq:
    return sum((p * a for p, a in zip(strategy, payoffs, strict=True)), mpq(0))
