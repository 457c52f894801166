"""The whole set of optimal strategies, as its extreme points.

Around a known solution at a basis a player's optimal strategies are a polytope in few variables: the
nonbasic ones that the other player's levels leave free, λ ≥ 0, such that no basic variable, a known
level plus rates times λ, is negative. Its extreme points are the rays of the cone

    {(t, λ) ≥ 0 : level · t + rates · λ ≥ 0 for each basic variable},

which is cut out of the quadrant of all (t, λ) ≥ 0 one inequality at a time, keeping the rays (the
double description method: Motzkin, Raiffa, Thompson & Thrall 1953).
"""

from dataclasses import dataclass

import numpy as np
from flint import fmpq, fmpq_mat, fmpz
from numpy.typing import NDArray

from gops_exact.matrix_game.exact import Programme, solved
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.numbers.digits import short_repr
from gops_exact.numbers.exact import BigRational
from gops_exact.table import Shown, Table, in_short, strategies

Point = tuple[fmpq, ...]
Ray = list[fmpz]

MOST_RAYS = 3000
"""Rays of a cone, finished or not: pairs of them are compared with every third one, which takes minutes
beyond."""


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

    def table(self) -> Table:
        """Return a grid of all extreme strategies below the value."""
        return strategies(
            f"value {in_short(BigRational.of(self.value))}: the extreme optimal strategies",
            [*(("row", each) for each in self.row), *(("column", each) for each in self.column)],
        )


def optimal_set(payoff: object) -> OptimalSet:
    """Return all extreme optimal strategies of both players.

    Args:
        payoff: an m × n matrix of exact rationals, player one's gain.

    Raises:
        ValueError: if the matrix is empty, ragged or not rational, or if a player has so many extreme
            strategies that listing them would take hours.

    >>> optimal_set([[0, 0], [0, 0]]).row
    ((0, 1), (1, 0))
    """
    game = Payoff.of(payoff)
    proved = solved(game)
    two = proved.programme
    return OptimalSet(
        game.value(proved.column[-1]),
        _extreme_points(two.other(), proved.row, proved.column),
        _extreme_points(two, proved.column, proved.row),
    )


def _extreme_points(
    programme: Programme, levels: list[fmpq], others: list[fmpq]
) -> tuple[Point, ...]:
    """List the extreme optimal strategies of a programme's player, given both players' levels."""
    count = programme.entries.shape[1]
    other = programme.other()
    free = [variable for variable, level in zip(other.basic, others, strict=False) if level == 0]
    # Of each basic variable the level, and the rates with the free ones; a programme and the other's
    # have the same rates, but for the sign.
    columns = [levels[:-1], *([-rate for rate in rates] for rates in other.rates(free))]
    inequalities = list(zip(*columns, strict=True))
    rays = _rays([_integers(inequality) for inequality in inequalities], len(free) + 1)
    # A bid's probability: that of a basic variable, a free one itself, or zero.
    mixture = [[fmpq(0)] * (len(free) + 1) for _ in range(count)]
    for (played, bid), inequality in zip(programme.basic, inequalities, strict=True):
        if played:
            mixture[bid] = list(inequality)
    for place, (slack, bid) in enumerate(free, start=1):
        if not slack:
            mixture[bid][place] = fmpq(1)
    weights = (fmpq_mat(mixture) * fmpq_mat(rays).transpose()).transpose().tolist()
    return tuple(
        sorted(
            tuple(weight / ray[0] for weight in line)
            for line, ray in zip(weights, rays, strict=True)
        )
    )


def _integers(numbers: tuple[fmpq, ...]) -> Ray:
    """Return proportional integers without a common divisor."""
    whole, _ = fmpq_mat([list(numbers)]).numer_denom()
    (line,) = whole.tolist()
    return _shortest(line)


def _shortest(ray: Ray) -> Ray:
    divisor = fmpz(0)
    for entry in ray:
        divisor = divisor.gcd(entry)
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
        rays, facets = _cut(rays, facets, slack, signs)
        if len(rays) > MOST_RAYS:
            raise ValueError(
                f"a player must have few extreme optimal strategies to list them, got more than "
                f"{MOST_RAYS} on the way"
            )
    return rays


def _cut(
    rays: list[Ray], facets: NDArray[np.bool_], slack: Ray, signs: NDArray[np.int64]
) -> tuple[list[Ray], NDArray[np.bool_]]:
    """Return the rays, and their facets, of the part of a cone where the slack is not negative."""
    kept = np.flatnonzero(signs >= 0)
    below = np.flatnonzero(signs < 0)
    found = [rays[k] for k in kept.tolist()]
    lies_on = [np.column_stack([facets[kept], signs[kept] == 0])]
    incidence = facets.T.astype(np.float32)
    for a in np.flatnonzero(signs > 0).tolist():
        shared = facets[a] & facets[below]
        # Two rays span a face if no third one lies on all the facets that they share.
        sizes = shared.sum(axis=1, dtype=np.float32)
        around = (shared.astype(np.float32) @ incidence == sizes[:, None]).sum(axis=1)
        for b, common in zip(below[around == 2].tolist(), shared[around == 2], strict=True):
            p, q = slack[a], -slack[b]
            found.append(_shortest([q * x + p * y for x, y in zip(rays[a], rays[b], strict=True)]))
            lies_on.append(np.append(common, True)[None])  # an entry
        if len(found) > MOST_RAYS:
            break
    return found, np.concatenate(lies_on)
