"""Exact solvers of linear programs that come as C libraries: QSopt_ex and SoPlex.

Both read a game as a linear program from a file in the LP format, which takes fractions. What is
timed is the library's own call; writing and reading the file is not.

QSopt_ex is Debian's ``libqsopt-ex2``. SoPlex's interface for C is the target ``libsoplexshared`` of
its sources, built with GMP and Boost: ``cmake -DPAPILO=OFF``. A library outside the linker's path is
found by the environment variable QSOPT_EX or SOPLEX, which holds its file's name.
"""

import os
from collections.abc import Callable
from ctypes import CDLL, CFUNCTYPE, byref, c_char_p, c_int, c_void_p, create_string_buffer
from ctypes.util import find_library
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flint import fmpq

from gops_exact.numbers.exact import rational

PRIMAL_SIMPLEX, OPTIMAL = 1, 1
"""Constants of QSopt_ex. Its dual simplex takes as long."""

NUMBER_BYTES = 32
"""Of GMP's mpq_t, on 64 bits."""

VERBOSITY, SILENT = 9, 0
"""A parameter of SoPlex, and its least value."""

LONGEST_NUMBER = 8000
"""Characters: SoPlex reads lines of up to 8,190."""


def library(name: str, variable: str) -> CDLL:
    """Load a library, or raise ImportError."""
    place = os.environ.get(variable) or find_library(name)
    if place is None:
        raise ImportError(f"no library {name}; {variable} may hold its file's name")
    try:
        return CDLL(place)
    except OSError as error:
        raise ImportError(str(error)) from error


def program(matrix: list[list[Any]]) -> str:
    """Return player one's linear program, maximise v subject to (xᵀX)_j ≥ v, in the LP format.

    >>> print(program([[fmpq(3), fmpq(-1, 2)], [fmpq(1), fmpq(2)]]), end="")
    Maximize
     value: v
    Subject To
     c0:
     +3 x0
     +1 x1
     - v >= 0
     c1:
     -1/2 x0
     +2 x1
     - v >= 0
     total:
     + x0
     + x1
     = 1
    Bounds
     v free
    End
    """
    lines = ["Maximize", " value: v", "Subject To"]
    for j, column in enumerate(zip(*matrix, strict=True)):
        terms = (f" {'+' * (x > 0)}{x!s} x{i}" for i, x in enumerate(column) if x)
        lines += [f" c{j}:", *terms, " - v >= 0"]
    lines += [" total:", *(f" + x{i}" for i in range(len(matrix))), " = 1"]
    return "\n".join([*lines, "Bounds", " v free", "End", ""])


def read(matrix: list[list[Any]], reader: Callable[[bytes], Any]) -> Any:
    """Hand the name of a file with the linear program to a reader, and return what it makes of it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.lp"
        path.write_text(program(matrix), encoding="ascii")
        return reader(os.fsencode(path))


class QSoptEx:
    """The exact simplex of Applegate, Cook, Dash & Espinoza (2007)."""

    def __init__(self) -> None:
        gmp = library("gmp", "GMP")
        self._new, self._text = gmp["__gmpq_init"], gmp["__gmpq_get_str"]
        self._text.restype = c_char_p
        self._library = library("qsopt_ex", "QSOPT_EX")
        self._silent = CFUNCTYPE(None, c_char_p, c_void_p)(lambda _message, _data: None)
        self._library.QSlog_set_handler(self._silent, None)
        self._library.QSexactStart()
        self._library.mpq_QSread_prob.restype = c_void_p

    def load(self, matrix: list[list[Any]]) -> c_void_p:
        """Read the linear program."""
        return c_void_p(read(matrix, lambda name: self._library.mpq_QSread_prob(name, b"LP")))

    def solve(self, problem: c_void_p) -> fmpq:
        """Return the optimum, and free the linear program."""
        status = c_int()
        wrong = self._library.QSexact_solver(
            problem, None, None, None, PRIMAL_SIMPLEX, byref(status)
        )
        if wrong or status.value != OPTIMAL:
            raise ArithmeticError("not solved")
        number = create_string_buffer(NUMBER_BYTES)
        self._new(number)
        self._library.mpq_QSget_objval(problem, number)
        text = self._text(None, 10, number)
        self._library.mpq_QSfree_prob(problem)
        return rational(text.decode())


class SoPlex:
    """The solver of Gleixner, Steffy & Wolter (2016), told to be exact."""

    def __init__(self) -> None:
        self._library = library("soplexshared", "SOPLEX")
        self._library.SoPlex_create.restype = c_void_p
        self._library.SoPlex_objValueRationalString.restype = c_char_p

    def load(self, matrix: list[list[Any]]) -> c_void_p:
        """Read the linear program.

        Raises:
            ValueError: if a number does not fit into a line.
        """
        if max(len(str(x)) for row in matrix for x in row) > LONGEST_NUMBER:
            raise ValueError("numbers too long")
        solver = c_void_p(self._library.SoPlex_create())
        self._library.SoPlex_setRational(solver)
        self._library.SoPlex_setIntParam(solver, VERBOSITY, SILENT)
        read(matrix, lambda name: self._library.SoPlex_readInstanceFile(solver, name))
        return solver

    def solve(self, solver: c_void_p) -> fmpq:
        """Return the optimum, and free the linear program."""
        if self._library.SoPlex_optimize(solver) != OPTIMAL:
            raise ArithmeticError("not solved")
        text = self._library.SoPlex_objValueRationalString(solver)
        self._library.SoPlex_free(solver)
        return rational(text.decode())
