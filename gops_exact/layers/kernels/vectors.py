"""Arithmetic on vectors of eight numbers, one for each of the games side by side.

A vector is a row of an array of shape (rows, :data:`VECTOR`), and an operation goes over a run of
rows. It is written in vector instructions, because a compiler finds none in loops of eight: it cannot
prove that two rows of an array do not overlap. Python runs a twin in NumPy, which gives the same
numbers to the last bit.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gops_exact.layers.kernels import cgutils, inlined, ir, lower_builtin, type_callable, types
from gops_exact.layers.layer import Floats

VECTOR = 8
"""Numbers in a vector. Rows of a tableau, and games side by side, are padded to a multiple of it."""

_LANES = ir.VectorType(ir.DoubleType(), VECTOR)


def aligned(rows: int, columns: int) -> Floats:
    """Allocate zeros, shape (rows, columns), at an address that is a multiple of a vector's length."""
    room = np.zeros(rows * columns + VECTOR)
    first = -room.ctypes.data // room.itemsize % VECTOR
    return room[first : first + rows * columns].reshape(rows, columns)


class _Operands(NamedTuple):
    """The operands of an operation: vectors, or their instructions."""

    old: Any
    y: Any
    z: Any
    x: Any


class _Plain:
    """Arithmetic on vectors in NumPy."""

    add, subtract, multiply, divide = np.add, np.subtract, np.multiply, np.divide

    @staticmethod
    def smaller(a: Floats, b: Floats) -> Floats:
        return np.where(a < b, a, b)

    @staticmethod
    def larger(a: Floats, b: Floats) -> Floats:
        return np.where(a > b, a, b)


class _Instructions:
    """Arithmetic on vectors in instructions."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        self._builder = builder
        self.add, self.subtract = builder.fadd, builder.fsub
        self.multiply, self.divide = builder.fmul, builder.fdiv

    def smaller(self, a: ir.Value, b: ir.Value) -> ir.Value:
        return self._builder.select(self._builder.fcmp_ordered("<", a, b), a, b)

    def larger(self, a: ir.Value, b: ir.Value) -> ir.Value:
        return self._builder.select(self._builder.fcmp_ordered(">", a, b), a, b)

    def spread(self, number: ir.Value) -> ir.Value:
        """Return a vector of equal numbers."""
        nothing, zero = ir.Constant(_LANES, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        places = ir.Constant(ir.VectorType(zero.type, VECTOR), [0] * VECTOR)
        first = self._builder.insert_element(nothing, number, zero)
        return self._builder.shuffle_vector(first, nothing, places)


def _operation(compute: Callable[[Any, _Operands], Any], *, fold: bool = False) -> Any:
    """Make the operation target[t + c] = f(target[t + c], a[i], b[j + c·q], x), c = 0 … count − 1.

    Args:
        compute: f; takes the arithmetic, in NumPy or in instructions, and the operands.
        fold: make a fold instead: r = x, then r = f(r, a[i + c], b[j + c·q]) for c = 0 … count − 1,
            then target[t] = r.
    """

    def operation(
        target: Floats, t: int, a: Floats, i: int, b: Floats, j: int, q: int, count: int, x: float
    ) -> None:
        y, total = a[i].copy(), np.full(VECTOR, x)
        for c in range(count):
            z = b[j + c * q]
            if fold:
                total = compute(_Plain, _Operands(total, a[i + c], z, x))
            else:
                target[t + c] = compute(_Plain, _Operands(target[t + c], y, z, x))
        if fold:
            target[t] = total

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def vectors(array: int, row: int) -> Callable[..., Any]:
            """Point to the vectors from a row of an array on; as numba does, check if told to."""
            parts = context.make_array(signature.args[array])(context, builder, arguments[array])
            first = builder.bitcast(parts.data, _LANES.as_pointer())
            length = ir.Constant(parts.nitems.type, VECTOR)

            def vector(c: Any) -> Any:
                place = builder.add(arguments[row], c)
                if context.enable_boundscheck:
                    rows = builder.udiv(parts.nitems, length)
                    cgutils.do_boundscheck(context, builder, place, rows)  # type: ignore[no-untyped-call] # not typed
                return builder.gep(first, [place])

            return vector

        q, count, x = arguments[6:]
        do = _Instructions(builder)
        targets, lefts, rights = vectors(0, 1), vectors(2, 3), vectors(4, 5)
        first = ir.Constant(count.type, 0)
        number = do.spread(x)
        y, total = builder.load(lefts(first), align=8), cgutils.alloca_once_value(builder, number)  # type: ignore[no-untyped-call] # not typed
        with cgutils.for_range(builder, count) as loop:
            c = loop.index
            z = builder.load(rights(builder.mul(c, q)), align=8)
            if fold:
                y = builder.load(lefts(c), align=8)
                operands = _Operands(builder.load(total), y, z, number)
                builder.store(compute(do, operands), total)
            else:
                operands = _Operands(builder.load(targets(c), align=8), y, z, number)
                builder.store(compute(do, operands), targets(c), align=8)
        if fold:
            builder.store(builder.load(total), targets(first), align=8)
        return context.get_dummy_value()

    # Numba reads the names of arguments from the signature.
    typed = lambda target, t, a, i, b, j, q, count, x: types.void  # noqa: ARG005, E731
    type_callable(operation)(lambda _: typed)
    lower_builtin(operation, *[types.Any] * 9)(code)  # type: ignore[no-untyped-call]  # not typed
    return operation


_fill = _operation(lambda _, v: v.x)
_shift = _operation(lambda do, v: do.add(v.y, v.x))
_invert = _operation(lambda do, v: do.divide(v.x, v.y))
_scale = _operation(lambda do, v: do.multiply(v.old, v.y))
_eliminate = _operation(lambda do, v: do.subtract(v.old, do.multiply(v.y, v.z)))
_affine = _operation(lambda do, v: do.add(do.multiply(v.y, v.z), v.x))
_sum = _operation(lambda do, v: do.add(v.old, v.z), fold=True)
_dot = _operation(lambda do, v: do.add(v.old, do.multiply(v.y, v.z)), fold=True)
_least = _operation(lambda do, v: do.smaller(v.z, v.old), fold=True)
_most = _operation(lambda do, v: do.larger(v.z, v.old), fold=True)


@inlined
def fill(target: Floats, t: int, count: int, x: float) -> None:
    """Set target[t + c] = x for c = 0 … count − 1."""
    _fill(target, t, target, t, target, t, 0, count, x)


@inlined
def shift(target: Floats, t: int, a: Floats, i: int, x: float) -> None:
    """Set target[t] = a[i] + x."""
    _shift(target, t, a, i, a, i, 0, 1, x)


@inlined
def invert(target: Floats, t: int, a: Floats, i: int) -> None:
    """Set target[t] = 1 / a[i]."""
    _invert(target, t, a, i, a, i, 0, 1, 1.0)


@inlined
def scale(target: Floats, t: int, count: int, a: Floats, i: int) -> None:
    """Multiply target[t + c] by a[i] for c = 0 … count − 1."""
    _scale(target, t, a, i, a, i, 0, count, 0.0)


@inlined
def eliminate(target: Floats, t: int, count: int, a: Floats, i: int, b: Floats, j: int) -> None:
    """Subtract a[i] · b[j + c] from target[t + c] for c = 0 … count − 1; a[i] is read first."""
    _eliminate(target, t, a, i, b, j, 1, count, 0.0)


@inlined
def affine(
    target: Floats, t: int, count: int, a: Floats, i: int, b: Floats, j: int, q: int, x: float
) -> None:
    """Set target[t + c] = a[i] · b[j + c·q] + x for c = 0 … count − 1; a[i] is read first."""
    _affine(target, t, a, i, b, j, q, count, x)


@inlined
def add_up(target: Floats, t: int, b: Floats, j: int, count: int) -> None:
    """Set target[t] = Σ b[j + c] over c = 0 … count − 1."""
    _sum(target, t, b, j, b, j, 1, count, 0.0)


@inlined
def dot(target: Floats, t: int, a: Floats, i: int, b: Floats, j: int, q: int, count: int) -> None:
    """Set target[t] = Σ a[i + c] · b[j + c·q] over c = 0 … count − 1."""
    _dot(target, t, a, i, b, j, q, count, 0.0)


@inlined
def least(target: Floats, t: int, b: Floats, j: int, q: int, count: int) -> None:
    """Set target[t] = min b[j + c·q] over c = 0 … count − 1."""
    _least(target, t, b, j, b, j, q, count, np.inf)


@inlined
def most(target: Floats, t: int, b: Floats, j: int, q: int, count: int) -> None:
    """Set target[t] = max b[j + c·q] over c = 0 … count − 1."""
    _most(target, t, b, j, b, j, q, count, -np.inf)
