"""Antisymmetric games: the value is zero and the strategy is a kernel vector of Pfaffians.

X = −Xᵀ. On a support of odd size s the restriction is singular and its kernel is spanned by
x_i = (−1)^i Pf(X without row and column i), (Kaplansky 1945; Pfaffian expansion after Cayley 1849).
"""

from flint import fmpz

from gops_exact.matrix_game.payoff import Matrix, Payoff
from gops_exact.numbers.pairs import Pair, product


def is_antisymmetric(payoff: Matrix) -> bool:
    """Test whether X = −Xᵀ, shape (m, n)."""
    size = len(payoff)
    return size == len(payoff[0]) and all(
        payoff[i][j] == -payoff[j][i] for i in range(size) for j in range(i, size)
    )


def cleared_pfaffian(pairs: dict[tuple[int, int], Pair], indices: tuple[int, ...]) -> fmpz:
    """Return Pf(X on `indices`), an even number of them, times the product of all its denominators.

    Args:
        pairs: entries (i, j), i < j, as (numerator, denominator).

    >>> cleared_pfaffian({(0, 1): (fmpz(7), fmpz(2))}, (0, 1))
    7
    """
    if not indices:
        return fmpz(1)
    first, rest = indices[0], indices[1:]
    total = fmpz(0)
    for place, other in enumerate(rest):
        kept = rest[:place] + rest[place + 1 :]
        scale = product(
            [pairs[first, k][1] for k in kept]
            + [pairs[min(other, k), max(other, k)][1] for k in kept]
        )
        term = pairs[first, other][0] * cleared_pfaffian(pairs, kept) * scale
        total = total - term if place % 2 else total + term
    return total


def kernel_weights(payoff: Payoff, indices: tuple[int, ...]) -> list[fmpz]:
    """Return integers of positive sum, proportional to the kernel vector on the odd `indices`.

    All Pfaffians are brought to the product of all denominators, so no term is longer than the
    answer.
    """
    pairs = {(i, j): payoff.pair(i, j) for n, i in enumerate(indices) for j in indices[n + 1 :]}
    weights = []
    for n, i in enumerate(indices):
        missing = product([q for place, (_, q) in pairs.items() if i in place])
        weights.append(
            (-1) ** n * cleared_pfaffian(pairs, indices[:n] + indices[n + 1 :]) * missing
        )
    return weights if sum(weights, fmpz(0)) > 0 else [-weight for weight in weights]


def reduced_shares(weights: list[fmpz]) -> list[Pair]:
    """Divide each weight by their sum, in lowest terms, with a single long gcd.

    gcd(sum, product of the weights) contains every gcd(sum, weight), and is short: the shares of a
    generic game have nearly coprime terms. So there is one gcd of full length, not one for each share.

    >>> reduced_shares([fmpz(1), fmpz(2), fmpz(3)])
    [(1, 6), (1, 3), (1, 2)]
    """
    total = sum(weights, fmpz(0))
    remainder = fmpz(1)
    for weight in weights:
        remainder = remainder * weight % total
    shared = remainder.gcd(total)
    divisors = [weight.gcd(shared) for weight in weights]
    return [(w // d, total // d) for w, d in zip(weights, divisors, strict=True)]


def kernel_strategy(payoff: Payoff, indices: tuple[int, ...]) -> list[Pair]:
    """Return the strategy on an odd support of an antisymmetric game, in lowest terms."""
    strategy = [(fmpz(0), fmpz(1))] * payoff.shape[0]
    for i, share in zip(indices, reduced_shares(kernel_weights(payoff, indices)), strict=True):
        strategy[i] = share
    return strategy
