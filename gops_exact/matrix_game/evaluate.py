"""The exact value and strategies on a basis, from determinants of integers.

With M = X[I, J], of size s, the value is v = −det M / det K, K being M bordered with ones (see
:mod:`~gops_exact.matrix_game.basis`). Entries are fractions of long, nearly coprime terms, so the
terms of the value are as long as those of all s² entries together and the work is multiplying
them: no division, no gcd on the way.
"""

from flint import fmpq, fmpz, fmpz_mat

from gops_exact.matrix_game.basis import Basis
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.numbers.pairs import Pair, product

Minors = dict[int, fmpz]


def basis_value(payoff: Payoff, basis: Basis) -> Pair:
    """The value on a basis as (numerator, positive denominator), not reduced.

    Rows are scaled to integers, [A | d] with A = diag(d) M, which scales both determinants alike.
    Both are expanded by Laplace's rule over two halves of the rows, so that the longest products
    are few and have factors of equal length.
    """
    if len(basis.rows) == 1:
        return payoff.pair(basis.rows[0], basis.columns[0])
    size = len(basis.rows)
    scaled = [_integer_row([payoff.pair(i, j) for j in basis.columns]) for i in basis.rows]
    top, bottom = maximal_minors(scaled[: size // 2]), maximal_minors(scaled[size // 2 :])
    columns, border = (1 << size) - 1, 1 << size
    numerator = _laplace(top, bottom, columns)
    denominator = -_laplace(top, _with_ones(bottom, columns), columns | border)
    return (numerator, denominator) if denominator > 0 else (-numerator, -denominator)


def maximal_minors(rows: list[list[fmpz]]) -> Minors:
    """The determinants of all choices of as many columns as there are rows, by column mask.

    >>> maximal_minors([[fmpz(1), fmpz(2)], [fmpz(3), fmpz(4)]])
    {3: -2}
    """
    minors: Minors = {0: fmpz(1)}
    for row in rows:
        wider: Minors = {}
        for mask, minor in minors.items():
            for c, entry in enumerate(row):
                if not mask >> c & 1:
                    term = entry * minor if _even(mask >> c) else -entry * minor
                    chosen = mask | 1 << c
                    wider[chosen] = wider[chosen] + term if chosen in wider else term
        minors = wider
    return minors


def _with_ones(minors: Minors, columns: int) -> Minors:
    """The minors after appending a row that is one in `columns` and zero elsewhere."""
    wider: Minors = {}
    for mask, minor in minors.items():
        for c in range(columns.bit_length()):
            if not mask >> c & 1:
                term = minor if _even(mask >> c) else -minor
                chosen = mask | 1 << c
                wider[chosen] = wider[chosen] + term if chosen in wider else term
    return wider


def _laplace(top: Minors, bottom: Minors, columns: int) -> fmpz:
    """The determinant on `columns` from the complementary minors of its upper and lower rows."""
    total = fmpz(0)
    for mask, minor in top.items():
        rest = columns & ~mask
        if mask & ~columns or rest not in bottom:
            continue
        inversions = sum((rest & (bit - 1)).bit_count() for bit in _bits(mask))
        total = total - minor * bottom[rest] if inversions % 2 else total + minor * bottom[rest]
    return total


def _bits(mask: int) -> list[int]:
    return [1 << c for c in range(mask.bit_length()) if mask >> c & 1]


def _even(mask: int) -> bool:
    return mask.bit_count() % 2 == 0


def basis_strategies(payoff: Payoff, basis: Basis) -> tuple[tuple[fmpq, ...], tuple[fmpq, ...]]:
    """Both strategies on a basis, reduced, full length (m and n, zeros outside the basis)."""
    m, n = payoff.shape
    pairs = [[payoff.pair(i, j) for j in basis.columns] for i in basis.rows]
    row, column = [fmpq(0)] * m, [fmpq(0)] * n
    mirrored = [list(line) for line in zip(*pairs, strict=True)]
    for i, p in zip(basis.rows, _indifferent(mirrored), strict=True):
        row[i] = p
    for j, q in zip(basis.columns, _indifferent(pairs), strict=True):
        column[j] = q
    return tuple(row), tuple(column)


def _indifferent(pairs: list[list[Pair]]) -> list[fmpq]:
    """The mix of columns that gives every row of the square matrix the same payoff."""
    size = len(pairs)
    if size == 1:
        return [fmpq(1)]
    bordered = [_integer_row(row) for row in pairs] + [[fmpz(1)] * size + [fmpz(0)]]
    unit = fmpz_mat(size + 1, 1, [0] * size + [1])
    return [entry for (entry,) in fmpz_mat(bordered).solve(unit).tolist()[:size]]


def _integer_row(pairs: list[Pair]) -> list[fmpz]:
    """A row of fractions as integers over one denominator, and that denominator at the end.

    The product of the denominators serves: those of different positions hardly ever share more
    than small factors, and finding them would cost a gcd of long numbers.
    """
    common = product([q for _, q in pairs])
    return [p * (common // q) for p, q in pairs] + [common]
