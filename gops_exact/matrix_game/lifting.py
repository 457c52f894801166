"""Systems of long fractions solved exactly, by lifting their solution p-adically (Dixon 1982).

A solution modulo a prime p is carried on to p², p³, …, with one product of the matrix and one of its inverse
modulo p in each step, until by Cramer's rule and Hadamard's bound only one fraction can be meant. FLINT does
the same modulo primes of a word. A longer p saves steps, whose residuals are as long as a row of the matrix.
"""

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, fmpz_mod_ctx, fmpz_mod_mat, fmpz_poly

PRIME = fmpz(2) ** 1279 - 1

SPARE_BITS = 64
"""Bits beyond those of a denominator, in a number that is lifted with it."""


def border_solutions(matrix: fmpq_mat) -> tuple[list[fmpq], list[fmpq]]:
    """Return z with K z = e and w with Kᵀ w = e, for the last unit vector e and K regular.

    Raises:
        ZeroDivisionError: if K is singular, or singular modulo the prime.
    """
    one, other = _Lifting(matrix), _Lifting(matrix.transpose())
    found, denominator = one.solved()
    # The numbers of both are quotients of minors by det K, and their denominators seldom differ.
    numerators = other.with_denominator(denominator)
    second, divisor = other.solved() if numerators is None else (numerators, denominator)
    return [fmpq(p, denominator) for p in found], [fmpq(p, divisor) for p in second]


class _Lifting:
    """The system K z = e, scaled to integers."""

    def __init__(self, matrix: fmpq_mat) -> None:
        size = matrix.nrows()
        rows = [fmpq_mat([row]).numer_denom() for row in matrix.tolist()]
        self.matrix = fmpz_mat([row.entries() for row, _ in rows])
        self.right = [fmpz(0)] * (size - 1) + [rows[-1][1]]
        modular = fmpz_mod_mat(self.matrix, fmpz_mod_ctx(PRIME)).inv()
        self.inverse = fmpz_mat(size, size, [fmpz(int(x)) for x in modular.entries()])
        # Hadamard's bound of the determinants in Cramer's rule: of a row, or the right-hand side in it.
        self.bits = sum(
            max(int(entry.bit_length()) for entry in (*row.entries(), right)) + size.bit_length()
            for (row, _), right in zip(rows, self.right, strict=True)
        )

    def lifted(self, bits: int) -> tuple[list[fmpz], fmpz]:
        """Return the solution modulo a power of the prime of at least so many bits, and the power."""
        residual, digits = self.right, []
        size = len(residual)
        for _ in range(bits // (PRIME.bit_length() - 1) + 1):
            short = fmpz_mat(size, 1, [r % PRIME for r in residual])
            digit = [x % PRIME for x in (self.inverse * short).entries()]
            digits.append(digit)
            product = (self.matrix * fmpz_mat(size, 1, digit)).entries()
            residual = [(r - x) // PRIME for r, x in zip(residual, product, strict=True)]
        # The digits to the base of the prime, the lowest first, are the coefficients of a polynomial.
        found = [fmpz_poly(list(each))(PRIME) for each in zip(*digits, strict=True)]
        return found, PRIME ** len(digits)

    def solved(self) -> tuple[list[fmpz], fmpz]:
        """Return the numerators and the common denominator of the solution."""
        found, modulus = self.lifted(2 * self.bits + 1)
        denominator = fmpz(1)
        for entry in reversed(found):
            # The shortest vector of this lattice is (numerator, denominator).
            near = _symmetric(denominator * entry, modulus)
            if near.bit_length() > self.bits:
                lattice = fmpz_mat([[modulus, 0], [near, 1]]).lll()
                denominator *= abs(lattice[0, 1])
        return [_symmetric(denominator * entry, modulus) for entry in found], denominator

    def with_denominator(self, denominator: fmpz) -> list[fmpz] | None:
        """Return the numerators of the solution if it has this denominator, at most that long; else None."""
        found, modulus = self.lifted(denominator.bit_length() + SPARE_BITS)
        numerators = [_symmetric(denominator * entry, modulus) for entry in found]
        product = self.matrix * fmpz_mat(len(numerators), 1, numerators)
        is_solution = product.entries() == [denominator * entry for entry in self.right]
        return numerators if is_solution else None


def _symmetric(number: fmpz, modulus: fmpz) -> fmpz:
    """Return the remainder of the smallest absolute value."""
    rest = number % modulus
    return rest - modulus if 2 * rest > modulus else rest
