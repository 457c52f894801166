"""Exact value and strategies on a basis, from determinants and Pfaffians of integers.

A *bid* is a pure strategy, a row or a column. A *ball* is an interval, given by its midpoint and its radius (FLINT's
``arb``). A *basis* is a choice of equally many rows and columns, which determines a strategy of each player. The
*slack* of a bid at a basis is its probability if the bid is in the basis. For any other bid it is the amount by which
the bid does worse than the value against the other player's strategy.

Let X be the payoff matrix and M the s × s matrix of the payoffs in the rows and columns of a basis. The value is
v = −det M / det K, where K is M bordered with ones, as in :mod:`~gops_exact.matrix_game.basis`. In GOPS the entries
are fractions whose long denominators have nearly no common factors, so numerator and denominator of the value are about
as long as those of all s² entries together. Nearly all time is spent on multiplying long integers.

A skew-symmetric game, X = −Xᵀ, has value 0. If both players are restricted to the same bids, an odd number of them, the
matrix A of their payoffs is singular. If its null space has dimension 1, the space is spanned by the vector x with
x_i = (−1)^i Pf(A without row and column i) (Kaplansky 1945; Pfaffian expansion after Cayley 1849). Divided by their
sum, the numbers x_i are the probabilities of the bids, for both players.
"""

from collections.abc import Iterable
from itertools import combinations, repeat
from secrets import randbits
from typing import Any

from flint import arb, ctx, fmpq, fmpz, fmpz_mat, nmod, nmod_mat

from gops_exact.matrix_game.basis import Basis, Play, candidate, certify, checked, propose, slacks
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.numbers.exact import Pair, product, to_pair

LAPLACE_ROWS, LAPLACE_BITS = 7, 3000
"""Greatest number of rows, and least length in bits of the longest integer, for which determinants are computed by
Laplace's rule; for others FLINT's elimination is used. With 3 to 7 rows both methods take the same time at a length
between 1,300 and 10,000 bits. From 8 rows on, the 2^s products of Laplace's rule for s rows always take longer
(benchmarks/evaluation.py)."""

ZERO: Pair = fmpz(0), fmpz(1)
ONE: Pair = fmpz(1), fmpz(1)

CHECK_PRIME = next(p for p in map(randbits, repeat(62)) if p >> 61 and fmpz(p).is_prime())
"""The prime modulo which strategies of long fractions are checked, drawn at random from those of 62 bits. There are
more than 2⁵⁵ such primes. If an equation does not hold, the two sides differ by an integer of b bits, divided by
factors of the denominators, and fewer than b/61 of the primes divide this integer."""

Minors = dict[int, fmpz]


def basis_value(payoff: Payoff, basis: Basis) -> Pair:
    """Return the value at a basis, −det M / det K, as (numerator, positive denominator), usually not in lowest terms.

    M has the payoffs in the rows and columns of the basis, and K is M bordered with ones. Both determinants are
    computed from one matrix of integers: :func:`integer_matrix` scales the rows and columns of K, which multiplies both
    determinants by the same factor.

    Args:
        payoff: the game.
        basis: the basis; K must not be singular.
    """
    if len(basis.rows) == 1:
        return payoff.pair(basis.rows[0], basis.columns[0])
    matrix = integer_matrix(_pairs(payoff, basis))
    longest = max(entry.bit_length() for row in matrix for entry in row)
    by_laplace = len(basis.rows) <= LAPLACE_ROWS and longest >= LAPLACE_BITS
    determinants = laplace_determinants if by_laplace else flint_determinants
    numerator, denominator = determinants(matrix)
    return (numerator, -denominator) if denominator < 0 else (-numerator, denominator)


def flint_determinants(matrix: list[list[fmpz]]) -> tuple[fmpz, fmpz]:
    """Return two determinants: of a square matrix without its last row and column, and of the whole matrix."""
    return fmpz_mat([row[:-1] for row in matrix[:-1]]).det(), fmpz_mat(matrix).det()


def laplace_determinants(matrix: list[list[fmpz]]) -> tuple[fmpz, fmpz]:
    """Return two determinants: of a square matrix without its last row and column, and of the whole matrix.

    They are computed by Laplace's rule, without division.

    By this rule each determinant is a sum of products: a minor of the upper half of the rows times a minor of the
    lower half. Both determinants share the minors of the upper half. Both factors of a product have about equal
    lengths, for which fast multiplication is most efficient.

    Args:
        matrix: shape (s + 1, s + 1), s at least 1.
    """
    size = len(matrix) - 1
    start = {0: fmpz(1)}
    top, bottom = minors(start, matrix[: size // 2]), minors(start, matrix[size // 2 : size])
    determinants = []
    for width, lower in ((size, bottom), (size + 1, minors(bottom, matrix[size:]))):
        columns, determinant = (1 << width) - 1, fmpz(0)  # a bit mask of all columns
        for mask, minor in top.items():
            rest = columns & ~mask
            if mask & ~columns:
                continue
            # The product of two minors has a minus sign if its number of inversions is odd. An inversion is a pair of
            # a column of the upper minor and a lower-numbered column of the lower minor.
            chosen = (c for c in range(mask.bit_length()) if mask >> c & 1)
            inversions = sum((rest & ((1 << c) - 1)).bit_count() for c in chosen)
            term = minor * lower[rest]
            determinant = determinant - term if inversions % 2 else determinant + term
        determinants.append(determinant)
    return determinants[0], determinants[1]


def _pairs(payoff: Payoff, basis: Basis) -> list[list[Pair]]:
    return [[payoff.pair(i, j) for j in basis.columns] for i in basis.rows]


def integer_matrix(pairs: list[list[Pair]]) -> list[list[fmpz]]:
    """Return a matrix M of fractions, bordered by ones, with rows and columns scaled to integers.

    The result is [diag(r) M diag(c), r; c, 0]. The scales r and c are products of denominators. Denominators in GOPS
    are long and rarely share more than small factors, so no gcds are computed. But some denominators are equal: for
    example, a card between two neighbouring cards of the other hand wins against one of them and loses against the
    other. Both rounds leave equivalent hands, so both payoffs have the same denominator. A denominator that occurs more
    than once in a column becomes a factor of the column's scale. Any other denominator becomes a factor of its row's
    scale.

    >>> half, third = (fmpz(1), fmpz(2)), (fmpz(1), fmpz(3))
    >>> integer_matrix([[half, third], [half, half]])
    [[3, 1, 3], [2, 1, 2], [2, 1, 0]]
    """
    by_column = []
    for column in zip(*pairs, strict=True):
        denominators = [q for _, q in column if q != 1]
        by_column.append(_distinct(q for q in denominators if denominators.count(q) > 1))
    column_scales = list(map(product, by_column))
    matrix = []
    for row in pairs:
        own = _distinct(q for (_, q), known in zip(row, by_column, strict=True) if q not in known)
        scale = product(own)
        entries = [
            p * (scale // q) * c if q in own else p * (c // q) * scale
            for (p, q), c in zip(row, column_scales, strict=True)
        ]
        matrix.append([*entries, scale])
    return [*matrix, [*column_scales, fmpz(0)]]


def minors(above: Minors, rows: list[list[fmpz]]) -> Minors:
    """Return {bit mask of s columns: determinant} for all choices of s columns of a matrix with s rows.

    Args:
        above: the determinants of the rows above `rows`, in the form of the result; {0: 1} if there are none above.
        rows: the last rows of the matrix.
    """
    for row in rows:
        wider: Minors = {}
        for mask, minor in above.items():
            for c, entry in enumerate(row):
                if not mask >> c & 1:
                    # The term is negative if the number of the minor's columns to the right of column c is odd.
                    term = -entry * minor if (mask >> c).bit_count() % 2 else entry * minor
                    chosen = mask | 1 << c
                    wider[chosen] = wider[chosen] + term if chosen in wider else term
        above = wider
    return above


def _indifferent(pairs: list[list[Pair]]) -> list[fmpq]:
    """Return the mixture of columns that gives all rows of a square matrix the same payoff, followed by this payoff.

    Args:
        pairs: the entries of the matrix as (numerator, denominator), shape (s, s).

    Raises:
        ZeroDivisionError: if the matrix, bordered by ones, is singular.
        CertificateError: if the solution of the equations fails its check modulo `CHECK_PRIME`.
    """
    size = len(pairs)
    if size == 1:
        return [fmpq(1), fmpq(*pairs[0][0])]
    matrix = integer_matrix(pairs)
    whole = fmpz_mat(matrix)
    *mix, loss = solution = whole.solve(fmpz_mat(size + 1, 1, [0] * size + [1])).entries()
    checked(nmod_mat(whole, CHECK_PRIME), residues([[to_pair(x)] for x in solution]))
    return [*(scale * entry for entry, scale in zip(mix, matrix[-1], strict=False)), -loss]


def _distinct(numbers: Iterable[fmpz]) -> list[fmpz]:
    # A set would be slow, because a hash reads every digit of a long number.
    distinct: list[fmpz] = []
    for number in numbers:
        if number not in distinct:
            distinct.append(number)
    return distinct


def cleared_pfaffian(pairs: dict[tuple[int, int], Pair], indices: tuple[int, ...]) -> fmpz:
    """Return the Pfaffian of a submatrix, times the denominators of its entries above the diagonal; an integer.

    Args:
        pairs: {(i, j): entry as (numerator, denominator)} for i < j, entries of a skew-symmetric matrix.
        indices: the rows and columns of the submatrix, an even number of indices, ascending.
    """
    if not indices:
        return fmpz(1)
    first, rest = indices[0], indices[1:]
    total = fmpz(0)
    for index, other in enumerate(rest):
        others = rest[:index] + rest[index + 1 :]
        scale = product(
            [pairs[first, k][1] for k in others]
            + [pairs[min(other, k), max(other, k)][1] for k in others]
        )
        term = pairs[first, other][0] * cleared_pfaffian(pairs, others) * scale
        total = total - term if index % 2 else total + term
    return total


def null_vector(payoff: Payoff, indices: tuple[int, ...]) -> list[fmpz]:
    """Return a vector of integers with a positive sum that spans the null space of a skew-symmetric payoff matrix.

    The null space must have dimension 1, and its vectors must not have the sum 0.

    Args:
        payoff: the game, which is skew-symmetric.
        indices: the bids to which both players are restricted, an odd number of indices. The matrix has only these
            rows and columns.
    """
    # Weight i is, up to its sign, the Pfaffian of the payoffs without row and column i, times the product of all
    # denominators, which makes it an integer. `cleared_pfaffian` already multiplies by the denominators outside row and
    # column i, and `missing` is the product of the denominators in row and column i. So nothing is multiplied in that
    # is divided out again, and no intermediate result is longer than the weights.
    pairs = {(i, j): payoff.pair(i, j) for n, i in enumerate(indices) for j in indices[n + 1 :]}
    weights = []
    for n, i in enumerate(indices):
        missing = product([q for pair, (_, q) in pairs.items() if i in pair])
        weights.append(
            (-1) ** n * cleared_pfaffian(pairs, indices[:n] + indices[n + 1 :]) * missing
        )
    return weights if sum(weights, fmpz(0)) > 0 else [-weight for weight in weights]


def reduced_shares(weights: list[fmpz]) -> list[Pair]:
    """Return each weight divided by the sum of all weights, in lowest terms; the sum must be positive.

    Only one gcd of two long integers is computed: g, the gcd of the sum and the product of all weights. Usually g is
    short, so it takes little time to compute the gcd of g and each weight.

    >>> reduced_shares([fmpz(1), fmpz(2), fmpz(3)])
    [(1, 6), (1, 3), (1, 2)]
    """
    total = sum(weights, fmpz(0))
    remainder = fmpz(1)
    for weight in weights:
        remainder = remainder * weight % total
    shared = remainder.gcd(total)
    # `shared` divides the sum, and it is divisible by gcd(sum, weight) for every weight. So gcd(weight, shared) equals
    # gcd(sum, weight).
    divisors = [weight.gcd(shared) for weight in weights]
    denominators = {divisor: total // divisor for divisor in set(divisors)}
    return [(w // d, denominators[d]) for w, d in zip(weights, divisors, strict=True)]


PRECISION = 128
"""Precision, in bits, of the balls around slacks. If such a ball contains zero, the slack is nearly always zero, and
all slacks are computed exactly."""


def value_if_optimal(payoff: Payoff, basis: Basis) -> arb | None:
    """Return a ball, an interval around the value, if `basis` is optimal, whether or not its strategies are unique.

    The result is None if the basis is not optimal; or if balls of `PRECISION` bits do not prove that the matrix of
    the payoffs of the basis, bordered by ones, is nonsingular.

    Args:
        payoff: the game.
        basis: the basis to test.

    Raises:
        CertificateError: if an exact strategy fails its check modulo `CHECK_PRIME`.
    """
    with ctx.workprec(PRECISION):
        balls = payoff.balls(PRECISION)
        try:
            play = candidate(balls, basis)
        except ZeroDivisionError:
            return None
        enclosed = list(slacks(balls, basis, play))
    doubtful = [bid for bid, slack in enumerate(enclosed) if not slack > 0]
    if any(enclosed[bid] < 0 for bid in doubtful):
        return None
    if doubtful:
        # Exact slacks are computed in the game of the bids of the basis, which come first, and of the doubtful ones. They
        # depend only on payoffs between a bid of the basis and another bid; zeros stand for all others. A strategy on
        # which no doubtful slack depends stays in balls.
        m, first = payoff.shape[0], tuple(range(len(basis.rows)))
        rows = list(dict.fromkeys([*basis.rows, *(bid for bid in doubtful if bid < m)]))
        columns = list(dict.fromkeys([*basis.columns, *(bid - m for bid in doubtful if bid >= m)]))
        payoffs = [
            [
                fmpq(0) if (i in basis.rows) == (j in basis.columns) else fmpq(*payoff.pair(i, j))
                for j in columns
            ]
            for i in rows
        ]
        pairs = _pairs(payoff, basis)
        exact: Play[Any] = play
        if len(rows) > len(first) or any(bid - m in basis.columns for bid in doubtful):
            *column, value = _indifferent(pairs)
            exact = exact._replace(value=value, column=tuple(column))
        if len(columns) > len(first) or any(bid in basis.rows for bid in doubtful):
            *row, value = _indifferent([list(line) for line in zip(*pairs, strict=True)])
            exact = exact._replace(value=value, row=tuple(row))
        if any(slack < 0 for slack in slacks(payoffs, Basis(first, first), exact)):
            return None
    return play.value


def by_basis(game: Payoff, *, skew_symmetric: bool) -> Play[Pair] | None:
    """Return optimal play, computed exactly at a basis that is found in floats; None if no basis is proved.

    A basis is proved to be optimal in balls, which are intervals. They cannot prove a basis at which a slack is zero,
    as in a game with several optimal strategies.

    Args:
        game: the payoffs.
        skew_symmetric: True if the game is skew-symmetric.

    Returns:
        The value and both strategies, of lengths m and n, as fractions in lowest terms. Both strategies are the only
        optimal ones.

    Raises:
        CertificateError: if the solution of the equations at the basis fails its check modulo `CHECK_PRIME`.
    """
    basis = propose(game.floats())
    if basis is None or not certify(game, basis):
        return None
    if skew_symmetric and len(basis.rows) > 1:
        both = tuple(reduced_shares(null_vector(game, basis.rows)))
        # Like the Pfaffians, take only payoffs above the diagonal, so that no others are computed.
        above = {(i, j): game.pair(i, j) for i, j in combinations(basis.rows, 2)}
        below = {(j, i): (-p, q) for (i, j), (p, q) in above.items()}
        payoffs = above | below
        lines = [[*(payoffs.get((i, j), ZERO) for j in basis.rows), ONE] for i in basis.rows]
        bordered = residues([*lines, [*[ONE] * len(both), ZERO]])
        checked(bordered, residues([[chance] for chance in (*both, ZERO)]))
        play = Play(ZERO, both, both, True, True, method="pfaffian")
    else:
        pairs = _pairs(game, basis)
        *row, _ = _indifferent([list(line) for line in zip(*pairs, strict=True)])
        *column, value = _indifferent(pairs)
        method = "closed form" if len(basis.rows) > 1 and game.shape == (2, 2) else ""
        play = Play(value, tuple(row), tuple(column), method=method).converted(to_pair)
    return play.on_basis(basis, game.shape, ZERO)


def residues(pairs: list[list[Pair]]) -> nmod_mat:
    """Convert a matrix of fractions, (numerator, denominator), to a matrix of residues modulo `CHECK_PRIME`.

    Raises:
        ZeroDivisionError: if the prime divides a denominator.
    """
    prime = CHECK_PRIME
    return nmod_mat([[nmod(p, prime) / nmod(q, prime) for p, q in row] for row in pairs], prime)
