"""The whole set of optimal strategies, as its extreme points.

Player one's optimal strategies are the polytope {x ≥ 0, Σx = 1, xᵀX ≥ v}. It is cut out of the
simplex of all mixtures one column at a time, keeping the vertices (the double description method:
Motzkin, Raiffa, Thompson & Thrall 1953). Complementary slackness with one known solution shrinks
the start: rows that fall short against an optimal y are never played, columns with y_j > 0 never
pay more than v.
"""

from dataclasses import dataclass

from flint import fmpq

from gops_exact.matrix_game.entries import as_entries, as_matrix
from gops_exact.matrix_game.payoff import Matrix, transposed
from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.matrix_game.solution import row_payoffs
from gops_exact.numbers.shown import Shown, short_repr

Point = tuple[fmpq, ...]


@dataclass(frozen=True)
class OptimalSet(Shown):
    """All optimal strategies of an m × n game: the mixtures of these extreme ones.

    Attributes:
        value: the value of the game.
        row: player one's extreme optimal strategies, each of length m, in ascending order.
        column: player two's, each of length n.
    """

    value: fmpq
    row: tuple[Point, ...]
    column: tuple[Point, ...]

    __repr__ = short_repr


def optimal_set(payoff: object) -> OptimalSet:
    """Return all extreme optimal strategies of both players.

    Args:
        payoff: an m × n matrix of exact rationals, player one's gain.

    Raises:
        ValueError: if the matrix is empty, ragged or not rational.

    >>> optimal_set([[0, 0], [0, 0]]).row
    ((0, 1), (1, 0))
    """
    matrix = as_matrix(payoff)
    value, row, column, _ = solve_tableau(matrix)
    return OptimalSet(
        value,
        _extreme_points(matrix, value, column),
        _extreme_points(transposed(matrix), -value, row),
    )


def _extreme_points(payoff: Matrix, value: fmpq, column: Point) -> tuple[Point, ...]:
    """List player one's extreme optimal strategies, given the value and one of player two's."""
    size = len(payoff)
    played = [i for i, gain in enumerate(row_payoffs(as_entries(payoff), column)) if gain == value]
    vertices = [tuple(fmpq(int(i == k)) for i in range(size)) for k in played]
    # Slack of each inequality so far, at each vertex: first x ≥ 0, then the columns.
    constraints = [[fmpq(int(i == k)) for i in range(size)] for k in played]
    order = sorted(range(len(payoff[0])), key=lambda j: column[j] == 0)
    for j in order:
        normal = [payoff[i][j] - value for i in range(size)]
        vertices = _cut(vertices, constraints, normal, tight=column[j] != 0)
        constraints.append(normal)
    return tuple(sorted(vertices))


def _cut(
    vertices: list[Point], constraints: Matrix, normal: list[fmpq], *, tight: bool
) -> list[Point]:
    """Return the vertices of the polytope after adding normal · x ≥ 0, or = 0 if `tight`."""
    slack = [_dot(normal, vertex) for vertex in vertices]
    above = [k for k, s in enumerate(slack) if s > 0]
    below = [k for k, s in enumerate(slack) if s < 0]
    active = [
        frozenset(c for c, constraint in enumerate(constraints) if _dot(constraint, vertex) == 0)
        for vertex in vertices
    ]
    kept = [vertex for vertex, s in zip(vertices, slack, strict=True) if s == 0]
    if not tight:
        kept += [vertices[k] for k in above]
    for a in above:
        for b in below:
            shared = active[a] & active[b]
            # Two vertices span an edge if no third one lies on all the facets they share.
            if any(shared <= active[k] for k in range(len(vertices)) if k not in (a, b)):
                continue
            weight = slack[a] / (slack[a] - slack[b])
            kept.append(
                tuple(p + weight * (q - p) for p, q in zip(vertices[a], vertices[b], strict=True))
            )
    return kept


def _dot(normal: list[fmpq], point: Point) -> fmpq:
    return sum((a * p for a, p in zip(normal, point, strict=True) if p), fmpq(0))
