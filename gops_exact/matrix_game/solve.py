"""The solver of one matrix game, by the cheapest exact method that applies; its result, and the proof of it.

Around a known solution at a basis a player's optimal strategies are a polytope in few variables: the
nonbasic ones that the other player's levels leave free, λ ≥ 0, such that no basic variable, a known
level plus rates times λ, is negative. Its extreme points are the rays of the cone

    {(t, λ) ≥ 0 : level · t + rates · λ ≥ 0 for each basic variable},

which is cut out of the quadrant of all (t, λ) ≥ 0 one inequality at a time, keeping the rays (the
double description method: Motzkin, Raiffa, Thompson & Thrall 1953).
"""

from contextlib import suppress
from functools import reduce
from typing import Literal, get_args

import numpy as np
from flint import fmpq, fmpq_mat, fmpz

from gops_exact.base.arguments import choice
from gops_exact.matrix_game.basis import Basis, Play, certify, proposals
from gops_exact.matrix_game.evaluate import LAPLACE_ROWS, border_solutions, by_basis
from gops_exact.matrix_game.game_files import as_matrix_game
from gops_exact.matrix_game.game_solution import GameSolution, OptimalSet
from gops_exact.matrix_game.payoff import ZERO, Payoff, two_by_two
from gops_exact.matrix_game.simplex import (
    Programme,
    Programmes,
    play_at,
    programmes,
    solve_tableau,
    solved,
)
from gops_exact.numbers import BigRational
from gops_exact.numbers.raw import from_pair

Path = Literal["auto", "closed form", "guided", "simplex"]
PATHS: tuple[Path, ...] = get_args(Path)

Point = tuple[fmpq, ...]
Ray = list[fmpz]

LIFTED_ROWS = 16
"""Rows of a basis from which on systems of long fractions are solved by lifting."""

MOST_RAYS = 3000
"""Rays of a cone, finished or not: pairs of them are compared with every third one, which takes minutes
beyond."""


def solve_matrix_game(
    payoff: object, method: Path = "auto", *, exactly: bool = False, within: object = None
) -> GameSolution:
    """Solve a zero-sum matrix game exactly.

    Args:
        payoff: shape (m, n), player one's gain for each pair of pure strategies; anything exactly
            rational (int, Fraction, fmpq, mpq, sympy.Rational, text such as ``"1/2"``), or a matrix
            of numpy, pandas, sympy or FLINT that holds such numbers. A :class:`~gops_exact.MatrixGame`,
            a frame or a game of pygambit, whose labels are kept. Or the path of a file: a table in CSV, an
            ``.nfg`` file of Gambit or a document in JSON.
        method: ``"closed form"`` is a saddle point or the 2 × 2 formula, and fails where neither
            applies. ``"guided"`` is a basis that a float simplex proposes, proved exactly, or
            improved by exact pivots until it is optimal. ``"simplex"`` is a tableau of fractions
            from the beginning, and slow from 40 bids on. ``"auto"`` is the closed form where it
            applies, otherwise guided.
        exactly: take each float for the number that it holds in binary; floats are refused otherwise.
        within: take each float for the fraction with the smallest denominator that is no farther from it
            than this.

    Returns:
        The solution with its method. All methods give the same value; strategies can differ only if they are not
        unique. Uniqueness is computed when it is first asked for.

    Raises:
        ValueError: if the matrix is empty, ragged or holds anything but exact rationals, if the
            method is unknown, or if it does not apply to this game.

    >>> solution = solve_matrix_game([[3, -1], [1, 2]])
    >>> print(solution.value, solution.row, solution.method)
    7/5 (1/5, 4/5) closed form
    """
    choice(method, "method", PATHS)
    game = as_matrix_game(payoff, exactly=exactly, within=within)
    play, optimum = _solved(game.numbers, method)
    zero = BigRational(ZERO)  # one object for all bids that are not played
    value, row, column = play.converted(lambda p: BigRational(p) if p else zero)[:3]
    return GameSolution(game, value, row, column, play.method, optimum)


def _solved(game: Payoff, method: Path) -> tuple[Play[fmpq], Programmes | None]:
    """Return optimal play and both players' programmes at the basis, None if there is no other optimal play."""
    if method == "simplex":
        _, basis = solve_tableau(game.rows)
        return play_at(programmes(game.entries, basis), game, "simplex")
    if method != "guided":
        saddle = game.saddle_point()
        if saddle is not None:
            row, column = saddle
            return play_at(programmes(game.entries, Basis((row,), (column,))), game, "saddle point")
        if game.shape == (2, 2):
            return Play(*two_by_two(game.rows), method="closed form"), None
        if method == "closed form":
            m, n = game.shape
            raise ValueError(
                "the closed form needs a saddle point or a 2 × 2 game, "
                f"got a {m} × {n} game without a saddle point"
            )
    if game.is_long:
        # Balls are much quicker in proving a basis, and with few rows determinants in evaluating it.
        if min(game.shape) <= LAPLACE_ROWS:
            play = by_basis(game, fair=game.is_fair())
            if play is not None:
                return play.converted(from_pair), None
        for basis in proposals(game):
            if not certify(game, basis):
                continue
            optimum = programmes(game.entries, basis)
            if len(basis.rows) >= LIFTED_ROWS:
                with suppress(ZeroDivisionError):  # K is regular, but perhaps not modulo the prime
                    (*two, value), (*one, _) = border_solutions(fmpq_mat(optimum[0].matrix))
                    lifted = Play(game.value(-value), tuple(one), tuple(two), method="guided")
                    return lifted.on_basis(basis, game.shape, ZERO), None
            return play_at(optimum, game, "guided")[0], None
    return play_at(solved(game), game, "guided")


def optimal_set(payoff: object) -> OptimalSet:
    """Return all extreme optimal strategies of both players.

    Args:
        payoff: an m × n game, anything that :func:`solve_matrix_game` takes, but floats.

    Returns:
        The extreme strategies of each player, in ascending order. All optimal strategies are mixtures of them.

    Raises:
        ValueError: if the matrix is empty, ragged or not rational, or if a player has so many extreme
            strategies that listing them would take hours.

    >>> optimal_set([[0, 0], [0, 0]]).row
    ((0, 1), (1, 0))
    """
    game = as_matrix_game(payoff)
    value, *sides = extreme_strategies(game)
    row, column = (tuple(tuple(map(BigRational, strategy)) for strategy in side) for side in sides)
    return OptimalSet(game, BigRational(value), row, column)


def extreme_strategies(payoff: object) -> tuple[fmpq, tuple[Point, ...], tuple[Point, ...]]:
    """Return the value, and each player's extreme optimal strategies, with the errors of :func:`optimal_set`."""
    game = as_matrix_game(payoff).numbers
    two, one = solved(game)
    return game.value(two.levels[-1]), _extreme_points(one, two), _extreme_points(two, one)


def _extreme_points(own: Programme, other: Programme) -> tuple[Point, ...]:
    """List the extreme optimal strategies of a programme's player, given both at an optimal basis."""
    count = own.entries.shape[1]
    free = [
        variable for variable, level in zip(other.basic, other.levels, strict=False) if level == 0
    ]
    # Of each basic variable the level, and the rates with the free ones; a programme and the other's
    # have the same rates, but for the sign.
    columns = [own.levels[:-1], *([-rate for rate in rates] for rates in other.rates(free))]
    inequalities = list(zip(*columns, strict=True))
    normals = []
    for inequality in inequalities:
        (whole,) = fmpq_mat([list(inequality)]).numer_denom()[0].tolist()
        normals.append(_shortest(whole))
    rays = _rays(normals, len(free) + 1)
    # A bid's probability: that of a basic variable, a free one itself, or zero.
    mixture = [[fmpq(0)] * (len(free) + 1) for _ in range(count)]
    for (played, bid), inequality in zip(own.basic, inequalities, strict=True):
        if played:
            mixture[bid] = list(inequality)
    for ray_index, (slack, bid) in enumerate(free, start=1):
        if not slack:
            mixture[bid][ray_index] = fmpq(1)
    weights = (fmpq_mat(mixture) * fmpq_mat(rays).transpose()).transpose().tolist()
    return tuple(
        sorted(
            tuple(weight / ray[0] for weight in line)
            for line, ray in zip(weights, rays, strict=True)
        )
    )


def _shortest(ray: Ray) -> Ray:
    """Return proportional integers without a common divisor."""
    divisor = reduce(fmpz.gcd, ray, fmpz(0))
    return [entry // divisor for entry in ray] if divisor > 1 else ray


def _rays(inequalities: list[Ray], size: int) -> list[Ray]:
    """Return the extreme rays of {r ≥ 0, a·r ≥ 0 for all inequalities a}, r of length `size`."""
    rays = [[fmpz(int(i == k)) for i in range(size)] for k in range(size)]
    # Which rays lie on which facets; the first are those of r ≥ 0.
    facets = ~np.eye(size, dtype=bool)
    for normal in inequalities:
        if all(entry >= 0 for entry in normal):
            continue  # it holds for all r ≥ 0
        slack = [
            sum((a * b for a, b in zip(normal, ray, strict=True) if b), fmpz(0)) for ray in rays
        ]
        signs = np.array([(s > 0) - (s < 0) for s in slack])
        above, below = np.flatnonzero(signs >= 0), np.flatnonzero(signs < 0)
        extreme = [rays[k] for k in above.tolist()]
        lies_on = [np.column_stack([facets[above], signs[above] == 0])]
        incidence = facets.T.astype(np.float32)
        for a in np.flatnonzero(signs > 0).tolist():
            shared = facets[a] & facets[below]
            # Two rays span a face if no third one lies on all the facets that they share.
            sizes = shared.sum(axis=1, dtype=np.float32)
            around = (shared.astype(np.float32) @ incidence == sizes[:, None]).sum(axis=1)
            for b, common in zip(below[around == 2].tolist(), shared[around == 2], strict=True):
                p, q = slack[a], -slack[b]
                pairs = zip(rays[a], rays[b], strict=True)
                extreme.append(_shortest([q * x + p * y for x, y in pairs]))
                lies_on.append(np.append(common, True)[None])  # an entry
            if len(extreme) > MOST_RAYS:
                raise ValueError(
                    f"a player must have few extreme optimal strategies to list them, got more than "
                    f"{MOST_RAYS} on the way"
                )
        rays, facets = extreme, np.concatenate(lies_on)
    return rays
