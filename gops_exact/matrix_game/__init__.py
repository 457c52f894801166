"""Two-person zero-sum matrix games over the rationals: solved exactly, and proved."""

from gops_exact.matrix_game.solve import (
    CertificateError,
    GameSolution,
    OptimalSet,
    check_solution,
    optimal_set,
    solve_matrix_game,
)

__all__ = [
    "CertificateError",
    "GameSolution",
    "OptimalSet",
    "check_solution",
    "optimal_set",
    "solve_matrix_game",
]
