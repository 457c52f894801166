"""The certificate of a solved matrix game as a file of VIPR, for those who do not trust this program.

It is in the format of SCIP's exact mode, which has checkers of its own (Cheung, Gleixner & Steffy 2017,
*Verifying integer programming results*; the certificate file format, version 1.0). Its programme is
player one's, to maximise v subject to x ≥ 0, Σ x = 1 and, for each column j, Σ a_ij x_i − v ≥ 0. The solution x and v prove that v can be reached. With player two's strategy y, the sum of

    v − Σ (Ay)_i x_i ≤ 0,   value · Σ x_i = value   and   ((Ay)_i − value) x_i ≤ 0 for each row i

is v ≤ value, which proves that no more can.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from flint import fmpq, fmpq_mat

if TYPE_CHECKING:
    from gops_exact.matrix_game.solution import GameSolution


def vipr(solution: "GameSolution") -> Iterator[str]:
    """Yield the lines of a certificate in the format of VIPR.

    >>> from gops_exact import solve_matrix_game
    >>> print("".join(vipr(solve_matrix_game([[3, -1], [1, 2]]))), end="")
    VER 1.0
    VAR 3
    x1 x2 v
    INT 0
    OBJ max
    1 2 1
    CON 5 2
    X1 G 0 1 0 1
    X2 G 0 1 1 1
    SUM E 1 2 0 1 1 1
    Y1 G 0 3 0 3 1 1 2 -1
    Y2 G 0 3 0 -1 1 2 2 -1
    RTP range 7/5 7/5
    SOL 1
    optimum 3 0 1/5 1 4/5 2 7/5
    DER 1
    bound L 7/5 OBJ { lin 3 2 7/5 3 -3/5 4 -2/5 } -1
    """
    value = solution.value.value
    row, column = ([chance.value for chance in side] for side in (solution.row, solution.column))
    payoff = solution.game.numbers.rows
    m, n = len(row), len(column)
    yield f"VER 1.0\nVAR {m + 1}\n{' '.join(f'x{i + 1}' for i in range(m))} v\nINT 0\n"
    yield f"OBJ max\n1 {m} 1\nCON {m + 1 + n} {m}\n"
    for i in range(m):
        yield f"X{i + 1} G 0 1 {i} 1\n"
    yield f"SUM E 1 {_terms(enumerate([fmpq(1)] * m))}\n"
    for j in range(n):
        gains = [payoff[i][j] for i in range(m)]
        yield f"Y{j + 1} G 0 {_terms(enumerate([*gains, fmpq(-1)]))}\n"
    yield f"RTP range {value} {value}\n"
    yield f"SOL 1\noptimum {_terms(enumerate([*row, value]))}\n"
    gains = (fmpq_mat(payoff) * fmpq_mat([[chance] for chance in column])).transpose().tolist()[0]
    factors = [*(gain - value for gain in gains), value, *(-chance for chance in column)]
    yield f"DER 1\nbound L {value} OBJ {{ lin {_terms(enumerate(factors))} }} -1\n"


def _terms(factors: Iterable[tuple[int, fmpq]]) -> str:
    """Return the number of factors that are not 0, and each of them after its place."""
    given = [f"{place} {factor}" for place, factor in factors if factor]
    return f"{len(given)} {' '.join(given)}".strip()
