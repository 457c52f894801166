"""Translation of operations on vectors (eight floats) to instructions of LLVM, for Numba.

LLVM by itself would not turn loops over eight numbers into vector instructions, because it cannot prove that two
rows of an array do not overlap. So this module generates the instructions itself. For this, a Python function is run
with objects of the class :class:`Symbol` in place of numbers, and each operation on these objects appends an
instruction. The function is one of :mod:`~gops_exact.solvers.floats.kernels.vectors`, such as `share`, or a function of
this module that takes its place, such as `_gain` for `gain`.

The functions `factors` and `gain` sum over the rows or columns of a basis, a choice of equally many rows and columns of
a matrix game. For bases up to the size
:data:`~gops_exact.solvers.floats.kernels.vectors.UNROLLED` they are compiled without loops over the basis.
"""

import operator
from collections.abc import Callable, Iterator
from functools import partial, partialmethod, reduce
from inspect import signature
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import lower_builtin, register_model, type_callable

from gops_exact.solvers.floats.kernels.vectors import (
    UNROLLED,
    VECTOR,
    factors,
    gain,
    larger,
    load,
    share,
    smaller,
    store,
    wide,
)

_VECTOR_TYPE = ir.VectorType(ir.DoubleType(), VECTOR)


class Vector(types.Type):
    """The Numba type of a vector."""


register_model(Vector)(
    lambda manager, kind: models.PrimitiveModel(manager, kind, _VECTOR_TYPE)  # type: ignore[no-untyped-call] # untyped
)


class Symbol:
    """A vector or mask in a kernel that is being compiled; arithmetic on it appends instructions to the kernel."""

    def __init__(self, builder: ir.IRBuilder, value: ir.Value) -> None:
        self.builder, self.value = builder, value

    def like(self, other: "Symbol | float") -> ir.Value:
        """Return an operand as an LLVM value; a Python number becomes a vector of eight equal numbers."""
        if isinstance(other, Symbol):
            return other.value
        return ir.Constant(_VECTOR_TYPE, [other] * VECTOR)

    def _computed(self, instruction: str, *operands: Any) -> "Symbol":
        *words, other = operands
        append = getattr(self.builder, instruction)
        return Symbol(self.builder, append(*words, self.value, self.like(other)))

    def _reflected(self, instruction: str, other: float) -> "Symbol":
        append = getattr(self.builder, instruction)
        return Symbol(self.builder, append(self.like(other), self.value))

    def select(self, yes: "Symbol | float", no: "Symbol | float") -> "Symbol":
        """Return a vector with the numbers of `yes` where this mask is true, and those of `no` elsewhere."""
        chosen = self.builder.select(self.value, self.like(yes), self.like(no))
        return Symbol(self.builder, chosen)

    __add__ = partialmethod(_computed, "fadd")
    __sub__ = partialmethod(_computed, "fsub")
    __mul__ = partialmethod(_computed, "fmul")
    __truediv__ = partialmethod(_computed, "fdiv")
    __rsub__ = partialmethod(_reflected, "fsub")
    __rtruediv__ = partialmethod(_reflected, "fdiv")
    __and__ = partialmethod(_computed, "and_")
    __lt__ = partialmethod(_computed, "fcmp_ordered", "<")
    __gt__ = partialmethod(_computed, "fcmp_ordered", ">")


class _Rows:
    """An array in a kernel that is being compiled; its items are vectors, or integers in an integer array."""

    def __init__(self, context: Any, builder: ir.IRBuilder, kind: types.Array, array: Any) -> None:
        self.builder, self._context = builder, context
        parts = context.make_array(kind)(context, builder, array)
        self._first, self._items = parts.data, parts.nitems
        self._integers = isinstance(kind.dtype, types.Integer)
        if not self._integers:
            self._first = builder.bitcast(self._first, _VECTOR_TYPE.as_pointer())
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
    """Wrap an argument of a call: an array as _Rows, a float or vector as a Symbol; an integer stays an LLVM value."""
    if isinstance(kind, types.Array):
        return _Rows(context, builder, kind, value)
    if isinstance(kind, types.Float):
        # Make a vector of eight equal numbers by the usual idiom of LLVM: insert the number into lane 0 of a vector,
        # then copy lane 0 to all lanes.
        undefined, zero = ir.Constant(_VECTOR_TYPE, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        lanes = ir.Constant(ir.VectorType(zero.type, VECTOR), [0] * VECTOR)
        first = builder.insert_element(undefined, value, zero)
        return Symbol(builder, builder.shuffle_vector(first, undefined, lanes))
    return Symbol(builder, value) if isinstance(kind, Vector) else value


def _compiled(
    function: Callable[..., Any], result: types.Type, *kinds: Any, code: Callable[..., Any]
) -> None:
    """Tell Numba how to compile calls of a function with arguments of the types `kinds`.

    When Numba compiles a call, `code` is called with the arguments as :func:`_operand` wraps them. `code` appends the
    instructions of the call, and returns the result, of the type `result`, or None if the function returns nothing.
    """

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
    """Compile :func:`wide`, which returns a bit set of the widths that exceed the tolerance.

    Widths are compared by LLVM's *unordered* ``>``. Unlike Python's, it is true if a number is NaN.
    """
    builder = widths.builder
    mask = builder.fcmp_unordered(">", widths.value, tolerance.value)
    return builder.zext(builder.bitcast(mask, ir.IntType(VECTOR)), ir.IntType(64))


def _sizes(builder: ir.IRBuilder, size: ir.Value) -> Iterator[int]:
    """Compile a switch over `size`, whose branches the caller fills in.

    For each number from 1 to UNROLLED, place the builder in a new branch, which runs if `size` is this number; then
    yield the number, so that the caller appends the instructions of the branch. For any other size, the compiled code
    does nothing.
    """
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
    """Compile :func:`factors`: load the payoffs of the basis, compute in registers, store the five resulting arrays."""
    builder = payoffs.builder
    for number in _sizes(builder, size):
        lines = [builder.add(first, rows[a]) for a in range(number)]
        across = [columns[b] for b in range(number)]
        block = [payoffs[builder.add(line, step)] for line in lines for step in across]
        # Run `factors` on lists of symbols instead of arrays. Its loads and stores then become reads and writes of
        # lists, so the compiled code computes in registers, and stores the results to the arrays only at the end.
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
    """Generate the code of :func:`gain`: it loads the weights once, then computes each gain by a sum without a loop."""
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
