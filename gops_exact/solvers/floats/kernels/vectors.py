"""Vectors of eight numbers as values, one number for each of the games side by side.

A kernel loads a vector from a row of an array of shape (rows, :data:`VECTOR`), computes with it and stores
it. Compiled, every operation is a vector instruction: a compiler finds none in loops of eight, because it
cannot prove that two rows of an array do not overlap. In Python a vector is an array of NumPy, and the
same code gives the same numbers to the last bit.

Sums over a basis are compiled without loops, up to the size :data:`UNROLLED`: their functions are run
on symbols, whose arithmetic appends instructions.
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
"""Numbers in a vector. Rows of a tableau, and games side by side, are padded to a multiple of it."""

SMALLEST, LARGEST = 1e-150, 1e150
"""Weights whose sum is not between these are not taken for a strategy."""

UNROLLED = 6
"""Size of a basis up to which its kernels are compiled without loops, for each size."""

_LANES = ir.VectorType(ir.DoubleType(), VECTOR)


def aligned(rows: int, columns: int) -> Floats:
    """Allocate zeros, shape (rows, columns), at an address that is a multiple of a vector's length."""
    room = np.zeros(rows * columns + VECTOR)
    first = -room.ctypes.data // room.itemsize % VECTOR
    return room[first : first + rows * columns].reshape(rows, columns)


class Vector(types.Type):
    """The type of vectors in kernels."""


register_model(Vector)(
    lambda manager, kind: models.PrimitiveModel(manager, kind, _LANES)  # type: ignore[no-untyped-call] # not typed
)


class Symbol:
    """A vector, or a mask of one, while a kernel is compiled: arithmetic appends instructions."""

    def __init__(self, builder: ir.IRBuilder, value: ir.Value) -> None:
        self.builder, self.value = builder, value

    def like(self, other: "Symbol | float") -> ir.Value:
        """Return the value of an operand; a number becomes a vector."""
        if isinstance(other, Symbol):
            return other.value
        return ir.Constant(_LANES, [other] * VECTOR)

    def _computed(self, instruction: str, other: "Symbol | float") -> "Symbol":
        append = getattr(self.builder, instruction)
        return Symbol(self.builder, append(self.value, self.like(other)))

    def _compared(self, sign: str, other: "Symbol | float") -> "Symbol":
        found = self.builder.fcmp_ordered(sign, self.value, self.like(other))
        return Symbol(self.builder, found)

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
    """Return the smaller numbers; those of `b` where one is not a number."""
    return select(a < b, a, b)


def larger(a: Any, b: Any) -> Any:
    """Return the larger numbers; those of `b` where one is not a number."""
    return select(a > b, a, b)


def share(gain: Any, total: Any, otherwise: float) -> Any:
    """Divide by sums of weights; return `otherwise` where they are not those of a strategy."""
    return select((total > SMALLEST) & (total < LARGEST), gain * (1.0 / total), otherwise)


def spread(number: float) -> Any:
    """Return a vector of equal numbers."""
    return np.full(VECTOR, number)


def load(rows: Any, place: int) -> Any:
    """Return a row of an array."""
    row = rows[place]
    return row.copy() if isinstance(row, np.ndarray) else row


def store(rows: Any, place: int, value: Any) -> None:
    """Change a row of an array."""
    rows[place] = value


def wide(widths: Any, tolerance: float) -> int:
    """Return the bits of the lanes whose width is not at most `tolerance`."""
    return sum(1 << q for q, width in enumerate(widths) if not width <= tolerance)


def factors(
    payoffs: Any, first: int, scale: Any, rows: Any, columns: Any, table: Any, inverse: Any,
    row: Any, column: Any, sums: Any, size: int,
) -> None:  # fmt: skip
    """Factor a block of payoffs, and compute both players' weights.

    Args:
        payoffs: the block is scale · payoffs[first + rows[a] + columns[b]] + 2.
        table: becomes the block's factors, bordered by player one's weights below and player two's
            on the right.
        inverse: becomes one over the pivots.
        row: becomes player one's weights, negative ones set to zero.
        column: becomes player two's.
        sums: becomes the sums of both.
    """
    width = size + 1
    for a in range(size):
        for b in range(size):
            payoff = load(payoffs, first + rows[a] + columns[b])
            store(table, a * width + b, payoff * scale + 2.0)
        store(table, a * width + size, 1.0)
        store(table, size * width + a, 1.0)
    store(table, size * width + size, 0.0)
    for a in range(size):
        store(inverse, a, 1.0 / load(table, a * width + a))
        for b in range(a, size):
            store(row, b, load(inverse, a) * load(table, a * width + b + 1))
        for c in range(a + 1, width):
            times = load(table, c * width + a)
            for b in range(a, size):
                at = c * width + b + 1
                store(table, at, load(table, at) - load(row, b) * times)
    for back in range(size):
        a = size - 1 - back
        x, y = load(table, size * width + a), load(table, a * width + size)
        for b in range(a + 1, size):
            x = x - load(table, size * width + b) * load(table, b * width + a)
            y = y - load(table, a * width + b) * load(table, b * width + size)
        store(table, size * width + a, load(inverse, a) * x)
        store(table, a * width + size, load(inverse, a) * y)
    # Negative weights are set to zero.
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
    """Set gains[t + o] = Σ weights[a] · payoffs[first + o·step + at[a]] over a basis, for all o < count."""
    for o in range(count):
        total = load(weights, 0) * load(payoffs, first + o * step + at[0])
        for a in range(1, size):
            total = total + load(weights, a) * load(payoffs, first + o * step + at[a])
        store(gains, t + o, total)


class _Rows:
    """An array while a kernel is compiled: its rows are vectors, or its items integers."""

    def __init__(self, context: Any, builder: ir.IRBuilder, kind: types.Array, array: Any) -> None:
        self.builder, self._context = builder, context
        parts = context.make_array(kind)(context, builder, array)
        self._first, self._items = parts.data, parts.nitems
        self._whole = isinstance(kind.dtype, types.Integer)
        if not self._whole:
            self._first = builder.bitcast(self._first, _LANES.as_pointer())
            self._items = builder.udiv(self._items, self._items.type(VECTOR))

    def _at(self, place: ir.Value | int) -> ir.Value:
        """Point to a row; as Numba does, check it if told to."""
        place = self._items.type(place) if isinstance(place, int) else place
        if self._context.enable_boundscheck:
            cgutils.do_boundscheck(self._context, self.builder, place, self._items)  # type: ignore[no-untyped-call] # not typed
        return self.builder.gep(self._first, [place])

    def __getitem__(self, place: ir.Value | int) -> Any:
        found = self.builder.load(self._at(place), align=8)
        return found if self._whole else Symbol(self.builder, found)

    def __setitem__(self, place: ir.Value | int, vector: Symbol) -> None:
        self.builder.store(vector.value, self._at(place), align=8)


def _operand(context: Any, builder: ir.IRBuilder, kind: Any, value: Any) -> Any:
    """Return the symbol of an argument; a float becomes a vector, an integer stays as it is."""
    if isinstance(kind, types.Array):
        return _Rows(context, builder, kind, value)
    if isinstance(kind, types.Float):
        nothing, zero = ir.Constant(_LANES, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        places = ir.Constant(ir.VectorType(zero.type, VECTOR), [0] * VECTOR)
        first = builder.insert_element(nothing, value, zero)
        return Symbol(builder, builder.shuffle_vector(first, nothing, places))
    return Symbol(builder, value) if isinstance(kind, Vector) else value


def _compiled(
    function: Callable[..., Any], result: types.Type, *kinds: Any, code: Callable[..., Any]
) -> None:
    """Let kernels call a function: `code`, called with symbols, appends its instructions."""

    def typed(*given: types.Type) -> types.Type | None:
        return result if all(map(isinstance, given, kinds)) else None

    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        made = code(*map(partial(_operand, context, builder), sig.args, arguments))
        if made is None:
            return context.get_dummy_value()
        return made.value if isinstance(made, Symbol) else made

    typed.__signature__ = signature(function)  # type: ignore[attr-defined]  # Numba reads the names
    type_callable(function)(lambda _: typed)
    lower_builtin(function, *kinds)(lower)  # type: ignore[no-untyped-call]  # not typed


def _wide(widths: Symbol, tolerance: Symbol) -> ir.Value:
    builder = widths.builder
    found = builder.fcmp_unordered(">", widths.value, tolerance.value)
    return builder.zext(builder.bitcast(found, ir.IntType(VECTOR)), ir.IntType(64))


def _sizes(builder: ir.IRBuilder, size: ir.Value) -> Iterator[int]:
    """Open the code for each size 1 … UNROLLED in turn; no other size has any."""
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
    """Load the block, compute in registers, and store what is found."""
    builder = payoffs.builder
    for number in _sizes(builder, size):
        lines = [builder.add(first, rows[a]) for a in range(number)]
        across = [columns[b] for b in range(number)]
        block = [payoffs[builder.add(line, each)] for line in lines for each in across]
        starts, places = range(0, number * number, number), range(number)
        lengths = (number + 1) ** 2, number, number, number, 2
        found: Any = [[None] * length for length in lengths]
        factors(block, 0, scale, starts, places, *found, number)  # type: ignore[call-arg]  # five lists
        for array, vectors in zip((table, inverse, row, column, sums), found, strict=True):
            for place, each in enumerate(vectors):
                array[place] = each


def _gain(
    gains: _Rows, t: ir.Value, weights: _Rows, payoffs: _Rows, first: ir.Value, step: ir.Value,
    at: _Rows, count: ir.Value, size: ir.Value,
) -> None:  # fmt: skip
    """Load the weights once for all lines."""
    builder = gains.builder
    for number in _sizes(builder, size):
        held = [(weights[a], at[a]) for a in range(number)]
        with cgutils.for_range(builder, count) as loop:
            line = builder.add(first, builder.mul(loop.index, step))
            parts = [weight * payoffs[builder.add(line, place)] for weight, place in held]
            gains[builder.add(t, loop.index)] = reduce(operator.add, parts)


vector = Vector("vector")
for _each in (operator.add, operator.sub, operator.mul, operator.truediv, smaller, larger):
    _compiled(_each, vector, Vector, Vector, code=_each)
    _compiled(_each, vector, Vector, types.Float, code=_each)
    _compiled(_each, vector, types.Float, Vector, code=_each)
_compiled(share, vector, Vector, Vector, types.Float, code=share)
_compiled(spread, vector, types.Float, code=lambda number: number)
_compiled(load, vector, types.Array, types.Integer, code=load)
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
