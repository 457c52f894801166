"""Solver of one matrix game by the fastest exact method that applies; and all extreme optimal strategies.

Words used here:

* An optimal strategy is *extreme* if it is not a mixture of other optimal strategies.
* A *bid* is a pure strategy, a row or a column.
* A *basis* is a choice of equally many rows and columns of the payoff matrix, which determines a strategy of each
  player.
* Each bid has a variable in both players' linear programs (:mod:`~gops_exact.matrix_game.simplex`): its probability in
  that of its own player, and its slack in that of the other player. The slack is the amount by which the bid does worse
  than the value. The two variables are *counterparts* of each other. At a basis, one of the two is set to 0
  and called *nonbasic*; the other one is called *basic*.

The extreme strategies of a player are computed at an optimal basis. In an optimal strategy, the only nonbasic variables
of the player's linear program that can be positive are those whose counterpart is 0. Let λ ≥ 0 be these variables. A
basic variable has the value level + rates · λ, where its level is its value at the basis, and its rates are its
derivatives with respect to λ. The optimal strategies are the polytope of all λ for which no basic variable is negative.
Another variable t makes the inequalities homogeneous. The extreme points of the polytope are the extreme rays, scaled
to t = 1, of the cone

    {(t, λ) ≥ 0 : level · t + rates · λ ≥ 0 for each basic variable}.

The double description method (Motzkin, Raiffa, Thompson & Thrall 1953) begins with the rays of the orthant
(t, λ) ≥ 0, and adds one inequality after the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Literal, get_args

import numpy as np
from flint import fmpq, fmpq_mat, fmpz

from gops_exact.base.arguments import choice, function
from gops_exact.base.progress import Progress, part_of, tracked
from gops_exact.matrix_game.basis import Basis, Method, Play, saddle_point
from gops_exact.matrix_game.evaluate import LAPLACE_ROWS, by_basis
from gops_exact.matrix_game.game_solution import GameSolution, OptimalSet, as_matrix_game
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.payoff import ZERO, Payoff
from gops_exact.matrix_game.simplex import (
    LinearProgram,
    LinearPrograms,
    linear_programs,
    play_at,
    solve_tableau,
    solved,
)
from gops_exact.numbers.exact import BigRational

Path = Literal["auto", "closed form", "guided", "simplex"]
PATHS: tuple[Path, ...] = get_args(Path)

Ray = list[fmpz]

MOST_RAYS = 3000
"""Greatest number of rays of a cone at every step of its construction. More rays would take minutes, because each pair
of rays is compared with all other rays."""


def solve_matrix_game(
    payoff: object,
    method: Path = "auto",
    *,
    exactly: bool = False,
    within: object = None,
    progress: Progress | None = None,
) -> GameSolution:
    """Solve a zero-sum matrix game exactly.

    Args:
        payoff: shape (m, n), player one's gain for each pair of pure strategies: exact rationals (int,
            Fraction, fmpq, mpq, sympy.Rational, text such as ``"1/2"``) in sequences, or in a matrix of
            numpy, pandas, sympy or FLINT; or {(row, column): payoff}. Or a :class:`~gops_exact.MatrixGame`, a game
            of pygambit, nashpy, quantecon or OpenSpiel, or a pair (A, B) of both players' payoffs, which must have the
            same sum in every cell. Or the path or the text of a file: a table in CSV, in Markdown or as programs print
            arrays, an ``.nfg`` file of Gambit or a document in JSON.
        method: ``"closed form"`` for a saddle point or the 2 × 2 formula; ``"guided"`` for a basis that is proposed in
            floats and proved, or for a tableau of fractions if no proposed basis is optimal; ``"simplex"`` for a tableau
            of fractions, which is slow from 40 pure strategies on; ``"auto"`` for ``"closed form"`` where that applies,
            otherwise ``"guided"``.
        exactly: True to replace each float by its exact binary value.
        within: a positive rational. Each float is replaced by the fraction with the smallest denominator whose
            distance from the float is at most `within`. With None floats are refused, unless `exactly` is True; but
            those of OpenSpiel are replaced within 10⁻¹².
        progress: called as progress(done, total), counted in pivots, whose total is estimated; None for no report.

    Returns:
        The solution with its method. All methods return the same value. The strategies can differ only if they are not
        unique.

    Raises:
        ValueError: if the matrix is empty, ragged or holds anything but exact rationals; if a file cannot be read, or
            has no such matrix; if the method is unknown, or does not apply to this game; if `within` is not positive, or
            is set together with `exactly`.

    >>> solution = solve_matrix_game([[3, -1], [1, 2]])
    >>> print(solution.value, solution.row, solution.method)
    7/5 (1/5, 4/5) closed form
    """
    choice(method, "method", PATHS)
    function(progress, "progress")
    game = as_matrix_game(payoff, exactly=exactly, within=within)
    if progress is not None:
        progress(0, 1)
    solution = _solution(game, *solve_payoff(game.numbers, method, progress))
    if progress is not None:
        progress(1, 1)
    return solution


def solution_from(payoff: object, basis: Basis) -> GameSolution:
    """Return the solution of a game, with the strategies at `basis` if this basis is optimal.

    Args:
        payoff: an m × n game, anything that :func:`solve_matrix_game` takes, except floats.
        basis: the proposed basis. If it is not optimal, the game is solved without it.
    """
    game = as_matrix_game(payoff)
    optimum, _ = solved(game.numbers, [basis])
    method: Method = "saddle point" if len(optimum[0].basis.rows) == 1 else "guided"
    return _solution(game, play_at(optimum, game.numbers, method), optimum)


def _solution(game: MatrixGame, play: Play[fmpq], optimum: LinearPrograms | None) -> GameSolution:
    zero = BigRational(ZERO)  # one object for all bids that are not played, to save memory
    row, column = (
        tuple([BigRational(p) if p else zero for p in side]) for side in (play.row, play.column)
    )
    return GameSolution(game, BigRational(play.value), row, column, play.method, optimum)


def solve_payoff(
    game: Payoff, method: Path, progress: Progress | None = None
) -> tuple[Play[fmpq], LinearPrograms | None]:
    """Return the value and an optimal strategy of each player; and both players' linear programs, or None.

    The linear programs are solved at an optimal basis, the rows and columns that determine the strategies. From them a
    caller can find out if a player has other optimal strategies. The result has None in their place if both strategies
    are proved to be the only optimal ones.

    Args:
        game: the payoffs.
        method: the method, one of :data:`PATHS`, which :func:`solve_matrix_game` describes.
        progress: called as progress(done, total), counted in pivots, whose total is estimated.

    Raises:
        ValueError: if the method is ``"closed form"`` and the game is neither 2 × 2 nor has a saddle point.
    """
    by: Method = "guided"
    unique, is_closed = False, method in ("auto", "closed form")
    saddle = saddle_point(game.entries.tolist()) if is_closed else None
    if saddle is not None:
        row, column = saddle
        by, optimum = "saddle point", linear_programs(game, Basis((row,), (column,)))
    elif is_closed and game.shape == (2, 2):
        # Without a saddle point each strategy is fully mixed, makes the other player indifferent, and is the only
        # optimal one (von Neumann & Morgenstern 1944, §18).
        (a, b), (c, d) = game.rows
        total = a - b - c + d
        one, two = ((d - c) / total, (a - b) / total), ((d - b) / total, (a - c) / total)
        return Play((a * d - b * c) / total, one, two, method="closed form"), None
    elif method == "closed form":
        m, n = game.shape
        raise ValueError(
            "the closed form needs a saddle point or a 2 × 2 game, "
            f"got a {m} × {n} game without a saddle point"
        )
    elif method == "simplex":
        by, optimum = "simplex", linear_programs(game, solve_tableau(game.rows, progress)[1])
    else:
        if game.is_long and min(game.shape) <= LAPLACE_ROWS and game.is_skew_symmetric():
            # Pfaffians are shorter than the determinants by which the linear programs are solved.
            play = by_basis(game, skew_symmetric=True)
            if play is not None:
                return play.converted(lambda pair: fmpq(*pair)), None
        optimum, unique = solved(game, progress=progress)
    return play_at(optimum, game, by), None if unique else optimum


def optimal_set(payoff: object, *, progress: Progress | None = None) -> OptimalSet:
    """Return all extreme optimal strategies of both players.

    Args:
        payoff: an m × n game, anything that :func:`solve_matrix_game` takes, except floats.
        progress: called as progress(done, total) with the total 200, 100 for each player; before that, if floats
            find no optimal basis, counted in pivots; None for no report.

    Returns:
        The value, and the extreme strategies of each player in ascending order.

    Raises:
        ValueError: if `payoff` is not a matrix of exact rationals; or if a list of a player's extreme strategies gets
            longer than 3,000, even if only while it is computed.

    >>> optimal_set([[0, 0], [0, 0]]).row
    ((0, 1), (1, 0))
    """
    function(progress, "progress")
    game = as_matrix_game(payoff)
    (two, one), _ = solved(game.numbers, progress=progress)
    value = BigRational(game.numbers.value(two.levels[-1]))
    row = _extreme_points(one, two, part_of(progress, 0, 100, 200))
    column = _extreme_points(two, one, part_of(progress, 100, 100, 200))
    return OptimalSet(game, value, row, column)


def _extreme_points(
    own: LinearProgram, other: LinearProgram, progress: Progress | None
) -> tuple[tuple[BigRational, ...], ...]:
    """Return the extreme optimal strategies of a player, in ascending order.

    Args:
        own: the player's linear program at an optimal basis.
        other: the other player's linear program at the same basis.
        progress: called as progress(done, total), counted in inequalities; None for no report.
    """
    count = own.entries.shape[1]
    free = [
        variable for variable, level in zip(other.basic, other.levels, strict=False) if level == 0
    ]
    # `free` has the counterparts of the variables λ, as described at the top of the module. The rates in `own` are the
    # negated transpose of the rates in `other`, of which only the few rows of `free` are needed.
    columns = [own.levels[:-1], *([-rate for rate in rates] for rates in other.rates(free))]
    inequalities = list(zip(*columns, strict=True))
    wholes = (fmpq_mat([list(line)]).numer_denom()[0].entries() for line in inequalities)
    rays = _rays(tracked([_shortest(whole) for whole in wholes], progress), len(free) + 1)
    # The probability of a bid is a basic variable of `own`, or one of the variables λ, or zero. In each case it is a
    # linear form in t and λ, and the row of the bid in `mixture` has the coefficients of this form.
    mixture = [[fmpq(0)] * (len(free) + 1) for _ in range(count)]
    for (played, bid), inequality in zip(own.basic, inequalities, strict=True):
        if played:
            mixture[bid] = list(inequality)
    for ray_index, (slack, bid) in enumerate(free, start=1):
        if not slack:
            mixture[bid][ray_index] = fmpq(1)
    weights = (fmpq_mat(mixture) * fmpq_mat(rays).transpose()).transpose().tolist()
    scaled = zip(weights, rays, strict=True)
    points = sorted([weight / ray[0] for weight in line] for line, ray in scaled)
    return tuple(tuple(map(BigRational, point)) for point in points)


def _shortest(ray: Ray) -> Ray:
    divisor = reduce(fmpz.gcd, ray, fmpz(0))
    return [entry // divisor for entry in ray] if divisor > 1 else ray


def _rays(inequalities: Iterable[Ray], size: int) -> list[Ray]:
    """Return the extreme rays of the cone {r ≥ 0 : a·r ≥ 0 for all inequalities a}, as vectors of integers.

    Args:
        inequalities: the vectors a.
        size: the length of the vectors.

    Raises:
        ValueError: if the cone of the first few inequalities, or of all, has more than `MOST_RAYS` rays.
    """
    rays = [[fmpz(int(i == k)) for i in range(size)] for k in range(size)]
    # facets[k, f] is True if ray k lies on facet f. The first `size` facets are those of r ≥ 0: initially, ray k lies
    # on all of them except facet k.
    facets = ~np.eye(size, dtype=bool)
    for normal in inequalities:
        if all(entry >= 0 for entry in normal):
            continue  # the inequality holds for all r ≥ 0
        slack = [
            sum((a * b for a, b in zip(normal, ray, strict=True) if b), fmpz(0)) for ray in rays
        ]
        # Rays that satisfy the inequality stay. If one of two neighbouring rays satisfies it and the other does not,
        # a new ray is added: the one in which their common face meets the hyperplane of the inequality.
        signs = np.array([(s > 0) - (s < 0) for s in slack])
        above, below = np.flatnonzero(signs >= 0), np.flatnonzero(signs < 0)
        extreme = [rays[k] for k in above.tolist()]
        lies_on = [np.column_stack([facets[above], signs[above] == 0])]
        incidence = facets.T.astype(np.float32)
        for a in np.flatnonzero(signs > 0).tolist():
            shared = facets[a] & facets[below]
            # Ray a and a ray b of `below` are neighbours if no third ray lies on all the facets that a and b share. For
            # each b, `around` is the number of rays that lie on all these facets. It is 2 if a and b are neighbours.
            # The facets are counted in floats, because a product of matrices of floats is fastest.
            sizes = shared.sum(axis=1, dtype=np.float32)
            around = (shared.astype(np.float32) @ incidence == sizes[:, None]).sum(axis=1)
            for b, common in zip(below[around == 2].tolist(), shared[around == 2], strict=True):
                p, q = slack[a], -slack[b]
                pairs = zip(rays[a], rays[b], strict=True)
                extreme.append(_shortest([q * x + p * y for x, y in pairs]))
                lies_on.append(np.append(common, True)[None])  # the facets of the new ray
            if len(extreme) > MOST_RAYS:
                raise ValueError(
                    f"a player must have few extreme optimal strategies to list them, got more than "
                    f"{MOST_RAYS} on the way"
                )
        rays, facets = extreme, np.concatenate(lies_on)
    return rays
