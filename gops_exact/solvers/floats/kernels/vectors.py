"""Vectors of eight numbers as values, one number for each of eight games side by side.

A kernel loads a vector from a row of an array of shape (rows, :data:`VECTOR`), computes with the vector and
stores it. In compiled code every operation is a vector instruction. From loops of eight numbers the compiler
would not make vector instructions, because it cannot prove that two rows of an array do not overlap. In plain
Python a vector is an array of NumPy, and the same code gives the same numbers to the last bit.

Functions that sum over a basis are compiled without loops, for bases up to the size :data:`UNROLLED`. To
compile one, its Python code is run on symbols, and the arithmetic of symbols appends instructions.
"""

import operator
from collections.abc import Callable, Iterator
from functools import partial, partialmethod, reduce
from inspect import signature
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import lower_builtin, register_model, type_callable

from gops_exact.solvers.floats.layer import Floats

VECTOR = 8
"""Numbers in a vector. Rows of a tableau, and games side by side, are padded to a multiple of this."""

SMALLEST, LARGEST = 1e-150, 1e150
"""Weights are taken for a strategy only if their sum is between these."""

UNROLLED = 6
"""The largest basis whose kernels are compiled without loops, once for each size."""

_LANES = ir.VectorType(ir.DoubleType(), VECTOR)


def aligned(rows: int, columns: int) -> Floats:
    """Allocate zeros, shape (rows, columns), at an address that is a multiple of a vector's length."""
    room = np.zeros(rows * columns + VECTOR)
    first = -room.ctypes.data // room.itemsize % VECTOR
    return room[first : first + rows * columns].reshape(rows, columns)


class Vector(types.Type):
    """The Numba type of a vector."""


register_model(Vector)(
    lambda manager, kind: models.PrimitiveModel(manager, kind, _LANES)  # type: ignore[no-untyped-call] # untyped
)


class Symbol:
    """A vector or mask in a kernel that is being compiled; arithmetic on it appends instructions."""

    def __init__(self, builder: ir.IRBuilder, value: ir.Value) -> None:
        self.builder, self.value = builder, value

    def like(self, other: "Symbol | float") -> ir.Value:
        """Return the value of an operand as LLVM knows it; a number becomes a vector of equal numbers."""
        if isinstance(other, Symbol):
            return other.value
        return ir.Constant(_LANES, [other] * VECTOR)

    def _computed(self, instruction: str, other: "Symbol | float") -> "Symbol":
        append = getattr(self.builder, instruction)
        return Symbol(self.builder, append(self.value, self.like(other)))

    def _compared(self, sign: str, other: "Symbol | float") -> "Symbol":
        mask = self.builder.fcmp_ordered(sign, self.value, self.like(other))
        return Symbol(self.builder, mask)

    def _reflected(self, instruction: str, other: float) -> "Symbol":
        append = getattr(self.builder, instruction)
        return Symbol(self.builder, append(self.like(other), self.value))

    __add__ = partialmethod(_computed, "fadd")
    __sub__ = partialmethod(_computed, "fsub")
    __mul__ = partialmethod(_computed, "fmul")
    __truediv__ = partialmethod(_computed, "fdiv")
    __rsub__ = partialmethod(_reflected, "fsub")
    __rtruediv__ = partialmethod(_reflected, "fdiv")
    __and__ = partialmethod(_computed, "and_")
    __lt__ = partialmethod(_compared, "<")
    __gt__ = partialmethod(_compared, ">")


def select(mask: Any, yes: Any, no: Any) -> Any:
    """Return the numbers of `yes` where the mask is true, of `no` elsewhere."""
    if not isinstance(mask, Symbol):
        return np.where(mask, yes, no)
    return Symbol(mask.builder, mask.builder.select(mask.value, mask.like(yes), mask.like(no)))


def smaller(a: Any, b: Any) -> Any:
    """Return the smaller number in each lane; the number of `b` if either is NaN."""
    return select(a < b, a, b)


def larger(a: Any, b: Any) -> Any:
    """Return the larger number in each lane; the number of `b` if either is NaN."""
    return select(a > b, a, b)


def share(gain: Any, total: Any, otherwise: float) -> Any:
    """Divide gains by the sums of the weights; return `otherwise` where the weights form no strategy."""
    return select((total > SMALLEST) & (total < LARGEST), gain * (1.0 / total), otherwise)


def spread(number: float) -> Any:
    """Return a vector of equal numbers."""
    return np.full(VECTOR, number)


def load(rows: Any, index: int) -> Any:
    """Return a row of an array as a vector."""
    row = rows[index]
    return row.copy() if isinstance(row, np.ndarray) else row


def store(rows: Any, index: int, value: Any) -> None:
    """Write a vector, or a number eight times, to a row of an array."""
    rows[index] = value


def wide(widths: Any, tolerance: float) -> int:
    """Return the lanes whose width is above `tolerance` or NaN, as a bit set."""
    # With `not <=`, NaN counts, too.
    return sum(1 << q for q, width in enumerate(widths) if not width <= tolerance)


def factors(
    payoffs: Any, first: int, scale: Any, rows: Any, columns: Any, table: Any, inverse: Any,
    row: Any, column: Any, sums: Any, size: int,
) -> None:  # fmt: skip
    """Factor a block of payoffs, a vector for each entry, and compute both players' weights.

    Args:
        payoffs: shape (·, 8); entry (a, b) of the block is scale · payoffs[first + rows[a] + columns[b]] + 2.
        first: the row of `payoffs` with the first payoff of the games.
        scale: the factor of the payoffs.
        rows: length `size` or more; the distance in `payoffs` from `first` to each row of the block.
        columns: length `size` or more; the further distance to each column of the block.
        table: shape ((size + 1)², 8) or larger, written: the factors of the block, row by row, bordered by
            player one's weights below and player two's on the right.
        inverse: shape (size, 8) or larger, written: one over the pivots.
        row: shape (size, 8) or larger, written: player one's weights, negative ones set to zero.
        column: shape (size, 8) or larger, written: player two's weights, negative ones set to zero.
        sums: shape (2, 8) or larger, written: the sums of `row` and of `column`.
        size: the number of rows, and of columns, of the block.
    """
    width = size + 1
    # The block, with ones on its border and a zero in the corner.
    for a in range(size):
        for b in range(size):
            payoff = load(payoffs, first + rows[a] + columns[b])
            store(table, a * width + b, payoff * scale + 2.0)
        store(table, a * width + size, 1.0)
        store(table, size * width + a, 1.0)
    store(table, size * width + size, 0.0)
    # Elimination takes its pivots from the diagonal, because the lanes would choose different pivots. `row`
    # holds the rest of the pivot row, divided by the pivot; the rows of the table are not divided.
    for a in range(size):
        store(inverse, a, 1.0 / load(table, a * width + a))
        for b in range(a, size):
            store(row, b, load(inverse, a) * load(table, a * width + b + 1))
        for c in range(a + 1, width):
            times = load(table, c * width + a)
            for b in range(a, size):
                at = c * width + b + 1
                store(table, at, load(table, at) - load(row, b) * times)
    # Back substitution, for both borders at once.
    for back in range(size):
        a = size - 1 - back
        x, y = load(table, size * width + a), load(table, a * width + size)
        for b in range(a + 1, size):
            x = x - load(table, size * width + b) * load(table, b * width + a)
            y = y - load(table, a * width + b) * load(table, b * width + size)
        store(table, size * width + a, load(inverse, a) * x)
        store(table, a * width + size, load(inverse, a) * y)
    # Negative weights are set to zero. NaN remains NaN in a weight and in the sum, and `share` rejects the
    # sum.
    for a in range(size):
        store(row, a, larger(0.0, load(table, size * width + a)))
        store(column, a, larger(0.0, load(table, a * width + size)))
    x, y = load(row, 0), load(column, 0)
    for a in range(1, size):
        x, y = x + load(row, a), y + load(column, a)
    store(sums, 0, x)
    store(sums, 1, y)


def gain(
    gains: Any, t: int, weights: Any, payoffs: Any, first: int, step: int, at: Any, count: int,
    size: int,
) -> None:  # fmt: skip
    """Set gains[t + o] = Σ_a weights[a] · payoffs[first + o·step + at[a]], a < size, for all o < count."""
    for o in range(count):
        total = load(weights, 0) * load(payoffs, first + o * step + at[0])
        for a in range(1, size):
            total = total + load(weights, a) * load(payoffs, first + o * step + at[a])
        store(gains, t + o, total)


class _Rows:
    """An array in a kernel that is being compiled; its items are vectors, or integers in an integer array."""

    def __init__(self, context: Any, builder: ir.IRBuilder, kind: types.Array, array: Any) -> None:
        self.builder, self._context = builder, context
        parts = context.make_array(kind)(context, builder, array)
        self._first, self._items = parts.data, parts.nitems
        self._integers = isinstance(kind.dtype, types.Integer)
        if not self._integers:
            self._first = builder.bitcast(self._first, _LANES.as_pointer())
            self._items = builder.udiv(self._items, self._items.type(VECTOR))

    def _pointer(self, index: ir.Value | int) -> ir.Value:
        """Return a pointer to an item; as Numba does, check the index if NUMBA_BOUNDSCHECK is set."""
        index = self._items.type(index) if isinstance(index, int) else index
        if self._context.enable_boundscheck:
            cgutils.do_boundscheck(self._context, self.builder, index, self._items)  # type: ignore[no-untyped-call] # untyped
        return self.builder.gep(self._first, [index])

    def __getitem__(self, index: ir.Value | int) -> Any:
        item = self.builder.load(self._pointer(index), align=8)
        return item if self._integers else Symbol(self.builder, item)

    def __setitem__(self, index: ir.Value | int, vector: Symbol) -> None:
        self.builder.store(vector.value, self._pointer(index), align=8)


def _operand(context: Any, builder: ir.IRBuilder, kind: Any, value: Any) -> Any:
    """Return the symbol of an argument; a float becomes a vector, an integer stays a value of LLVM."""
    if isinstance(kind, types.Array):
        return _Rows(context, builder, kind, value)
    if isinstance(kind, types.Float):
        # LLVM's idiom: put the number into the first lane, then copy lane 0 to all.
        undefined, zero = ir.Constant(_LANES, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        lanes = ir.Constant(ir.VectorType(zero.type, VECTOR), [0] * VECTOR)
        first = builder.insert_element(undefined, value, zero)
        return Symbol(builder, builder.shuffle_vector(first, undefined, lanes))
    return Symbol(builder, value) if isinstance(kind, Vector) else value


def _compiled(
    function: Callable[..., Any], result: types.Type, *kinds: Any, code: Callable[..., Any]
) -> None:
    """Let kernels call a function with arguments of these kinds; `code` compiles a call from its symbols."""

    def typed(*arguments: types.Type) -> types.Type | None:
        return result if all(map(isinstance, arguments, kinds)) else None

    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        value = code(*map(partial(_operand, context, builder), sig.args, arguments))
        if value is None:
            return context.get_dummy_value()
        return value.value if isinstance(value, Symbol) else value

    typed.__signature__ = signature(function)  # type: ignore[attr-defined]  # Numba reads the names
    type_callable(function)(lambda _: typed)
    lower_builtin(function, *kinds)(lower)  # type: ignore[no-untyped-call]  # untyped


def _wide(widths: Symbol, tolerance: Symbol) -> ir.Value:
    """Compile :func:`wide`; the comparison is unordered, so that NaN counts."""
    builder = widths.builder
    mask = builder.fcmp_unordered(">", widths.value, tolerance.value)
    return builder.zext(builder.bitcast(mask, ir.IntType(VECTOR)), ir.IntType(64))


def _sizes(builder: ir.IRBuilder, size: ir.Value) -> Iterator[int]:
    """Yield each size 1 … UNROLLED with the builder in the code for this size; other sizes have no code."""
    end = builder.append_basic_block("end")
    choice = builder.switch(size, end)
    for number in range(1, UNROLLED + 1):
        block = builder.append_basic_block(f"size{number}")
        choice.add_case(number, block)
        builder.position_at_end(block)
        yield number
        builder.branch(end)
    builder.position_at_end(end)


def _factors(
    payoffs: _Rows, first: ir.Value, scale: Symbol, rows: _Rows, columns: _Rows, table: _Rows,
    inverse: _Rows, row: _Rows, column: _Rows, sums: _Rows, size: ir.Value,
) -> None:  # fmt: skip
    """Compile :func:`factors`: load the block, compute in registers, and store the five results."""
    builder = payoffs.builder
    for number in _sizes(builder, size):
        lines = [builder.add(first, rows[a]) for a in range(number)]
        across = [columns[b] for b in range(number)]
        block = [payoffs[builder.add(line, step)] for line in lines for step in across]
        # Lists take the place of the arrays in `factors`, so that nothing is loaded or stored before the end.
        starts, steps = range(0, number * number, number), range(number)
        lengths = (number + 1) ** 2, number, number, number, 2
        results: Any = [[None] * length for length in lengths]
        factors(block, 0, scale, starts, steps, *results, number)  # type: ignore[call-arg]  # five lists
        for array, vectors in zip((table, inverse, row, column, sums), results, strict=True):
            for index, vector in enumerate(vectors):
                array[index] = vector


def _gain(
    gains: _Rows, t: ir.Value, weights: _Rows, payoffs: _Rows, first: ir.Value, step: ir.Value,
    at: _Rows, count: ir.Value, size: ir.Value,
) -> None:  # fmt: skip
    """Compile :func:`gain`: the weights are loaded once for all lines."""
    builder = gains.builder
    for number in _sizes(builder, size):
        basis = [(weights[a], at[a]) for a in range(number)]
        with cgutils.for_range(builder, count) as loop:
            line = builder.add(first, builder.mul(loop.index, step))
            products = [weight * payoffs[builder.add(line, offset)] for weight, offset in basis]
            gains[builder.add(t, loop.index)] = reduce(operator.add, products)


_vector = Vector("vector")
for _operation in (operator.add, operator.sub, operator.mul, operator.truediv, smaller, larger):
    for _kinds in ((Vector, Vector), (Vector, types.Float), (types.Float, Vector)):
        _compiled(_operation, _vector, *_kinds, code=_operation)
_compiled(share, _vector, Vector, Vector, types.Float, code=share)
_compiled(spread, _vector, types.Float, code=lambda number: number)
_compiled(load, _vector, types.Array, types.Integer, code=load)
_compiled(store, types.none, types.Array, types.Integer, Vector, code=store)
_compiled(store, types.none, types.Array, types.Integer, types.Float, code=store)
_compiled(wide, types.int64, Vector, types.Float, code=_wide)
_compiled(
    factors, types.none, types.Array, types.Integer, types.Float, *[types.Array] * 7, types.Integer,
    code=_factors,
)  # fmt: skip
_compiled(
    gain, types.none, types.Array, types.Integer, types.Array, types.Array, types.Integer,
    types.Integer, types.Array, types.Integer, types.Integer, code=_gain,
)  # fmt: skip
