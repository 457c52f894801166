"""Arithmetic on vectors of eight numbers, one for each of the games side by side.

A vector is a row of an array of shape (rows, :data:`VECTOR`), and an operation goes over a run of
rows. It is written in vector instructions, because a compiler finds none in loops of eight: it cannot
prove that two rows of an array do not overlap. Python runs a twin in NumPy, which gives the same
numbers to the last bit.
"""

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np

from gops_exact.layers.kernels import cgutils, inlined, ir, lower_builtin, type_callable, types
from gops_exact.layers.layer import Floats, Ints

VECTOR = 8
"""Numbers in a vector. Rows of a tableau, and games side by side, are padded to a multiple of it."""

SMALLEST, LARGEST = 1e-150, 1e150
"""Weights whose sum is not between these are not taken for a strategy."""

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

    add, subtract, multiply = np.add, np.subtract, np.multiply

    @staticmethod
    def number(number: float) -> Floats:
        return np.full(VECTOR, number)

    @staticmethod
    def inverse(a: Floats) -> Floats:
        return np.divide(1.0, a)

    @staticmethod
    def smaller(a: Floats, b: Floats) -> Floats:
        return np.where(a < b, a, b)

    @staticmethod
    def larger(a: Floats, b: Floats) -> Floats:
        return np.where(a > b, a, b)

    @staticmethod
    def between(a: Floats, yes: Floats, no: Floats) -> Floats:
        return np.where((a > SMALLEST) & (a < LARGEST), yes, no)


class _Instructions:
    """Arithmetic on vectors in instructions."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        self._builder = builder
        self.add, self.subtract = builder.fadd, builder.fsub
        self.multiply = builder.fmul

    def inverse(self, a: ir.Value) -> ir.Value:
        return self._builder.fdiv(self.number(1.0), a)

    def smaller(self, a: ir.Value, b: ir.Value) -> ir.Value:
        return self._builder.select(self._builder.fcmp_ordered("<", a, b), a, b)

    def larger(self, a: ir.Value, b: ir.Value) -> ir.Value:
        return self._builder.select(self._builder.fcmp_ordered(">", a, b), a, b)

    def between(self, a: ir.Value, yes: ir.Value, no: ir.Value) -> ir.Value:
        above = self._builder.fcmp_ordered(">", a, self.number(SMALLEST))
        below = self._builder.fcmp_ordered("<", a, self.number(LARGEST))
        return self._builder.select(self._builder.and_(above, below), yes, no)

    @staticmethod
    def number(number: float) -> ir.Constant:
        return ir.Constant(_LANES, [number] * VECTOR)

    def spread(self, number: ir.Value) -> ir.Value:
        """Return a vector of equal numbers."""
        nothing, zero = ir.Constant(_LANES, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        places = ir.Constant(ir.VectorType(zero.type, VECTOR), [0] * VECTOR)
        first = self._builder.insert_element(nothing, number, zero)
        return self._builder.shuffle_vector(first, nothing, places)


def _rows(
    context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any, array: int
) -> Callable[[Any], Any]:
    """Point to rows of an array of vectors; as numba does, check them if told to."""
    parts = context.make_array(signature.args[array])(context, builder, arguments[array])
    first = builder.bitcast(parts.data, _LANES.as_pointer())
    length = ir.Constant(parts.nitems.type, VECTOR)

    def row(place: Any) -> Any:
        if context.enable_boundscheck:
            rows = builder.udiv(parts.nitems, length)
            cgutils.do_boundscheck(context, builder, place, rows)  # type: ignore[no-untyped-call] # not typed
        return builder.gep(first, [place])

    return row


UNROLLED = 6
"""Size of a basis up to which its kernels are compiled without loops, for each size."""


def _by_size(
    builder: ir.IRBuilder,
    size: ir.Value,
    unrolled: Callable[[int], None],
    rolled: Callable[[], None],
) -> None:
    """Choose among codes for sizes 1 … UNROLLED, and one for any other size."""
    end, other = builder.append_basic_block("end"), builder.append_basic_block("rolled")
    choice = builder.switch(size, other)
    for number in range(1, UNROLLED + 1):
        block = builder.append_basic_block(f"size{number}")
        choice.add_case(number, block)
        builder.position_at_end(block)
        unrolled(number)
        builder.branch(end)
    builder.position_at_end(other)
    rolled()
    builder.branch(end)
    builder.position_at_end(end)


def _operation(
    compute: Callable[[Any, _Operands], Any], *, fold: bool = False, listed: bool = False,
    goes_on: bool = False, best: Callable[[Any, Any, Any], Any] | None = None,
) -> Any:  # fmt: skip
    """Make an operation on lines r = 0 … lines − 1 of vectors c = 0 … count − 1.

        target[t + r·u + c] = f(target[t + r·u + c], a[i + r·v], b[j + r·w + c·q], x)

    Args:
        compute: f; takes the arithmetic, in NumPy or in instructions, and the operands.
        fold: make a fold instead: s = x, then s = f(s, a[i + r·v + c], b[j + r·w + c·q]) for every c,
            then target[t + r·u] = s.
        listed: q is an array, and q[c] takes the place of c·q.
        goes_on: the fold begins with s = target[t + r·u].
        best: of two results of the fold the better one; the best of all lines goes to target[t + lines·u].
    """

    def operation(
        target: Floats, t: int, u: int, a: Floats, i: int, v: int, b: Floats, j: int, w: int,
        q: Any, lines: int, count: int, x: float,
    ) -> None:  # fmt: skip
        found = []
        for r in range(lines):
            at, left, right = t + r * u, i + r * v, j + r * w
            y, total = a[left].copy(), target[at].copy() if goes_on else np.full(VECTOR, x)
            for c in range(count):
                z = b[right + (q[c] if listed else c * q)]
                if fold:
                    total = compute(_Plain, _Operands(total, a[left + c], z, x))
                else:
                    target[at + c] = compute(_Plain, _Operands(target[at + c], y, z, x))
            if fold:
                target[at] = total
            found.append(total)
        if best is not None:
            target[t + lines * u] = reduce(partial(best, _Plain), found)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def vectors(array: int, line: Any) -> Callable[..., Any]:
            """Point to the vectors of a line of an array."""
            begin = builder.add(arguments[array + 1], builder.mul(line, arguments[array + 2]))
            row = _rows(context, builder, signature, arguments, array)
            return lambda c: row(builder.add(begin, c))

        q, lines, count, x = arguments[9:]
        do = _Instructions(builder)
        first, number = ir.Constant(count.type, 0), do.spread(x)
        if listed:
            steps = context.make_array(signature.args[9])(context, builder, q).data

        if best is not None:
            found = cgutils.alloca_once_value(builder, number)  # type: ignore[no-untyped-call] # not typed

        def ended(line: Any, total: Any) -> None:
            """Store the result of a line, and keep the best."""
            builder.store(total, vectors(0, line)(first), align=8)
            if best is not None:
                none = builder.icmp_signed("==", line, first)
                better = best(do, builder.load(found), total)
                builder.store(builder.select(none, total, better), found)

        def unrolled(size: int) -> None:
            """Fold `size` vectors a line: those of `a` and the steps are read once."""
            places = [ir.Constant(count.type, c) for c in range(size)]
            left = vectors(3, first)
            ys, ats = [builder.load(left(c), align=8) for c in places], [step(c) for c in places]
            with cgutils.for_range(builder, lines) as outer:
                right, total = vectors(6, outer.index), number
                for y, at in zip(ys, ats, strict=True):
                    operands = _Operands(total, y, builder.load(right(at), align=8), number)
                    total = compute(do, operands)
                ended(outer.index, total)

        def step(c: Any) -> Any:
            return builder.load(builder.gep(steps, [c])) if listed else builder.mul(c, q)

        def rolled() -> None:
            with cgutils.for_range(builder, lines) as outer:
                targets, lefts, rights = (vectors(array, outer.index) for array in (0, 3, 6))
                begin = builder.load(targets(first), align=8) if goes_on else number
                y = builder.load(lefts(first), align=8)
                total = cgutils.alloca_once_value(builder, begin)  # type: ignore[no-untyped-call] # not typed
                builder.store(begin, total)
                with cgutils.for_range(builder, count) as loop:
                    c = loop.index
                    z = builder.load(rights(step(c)), align=8)
                    if fold:
                        y = builder.load(lefts(c), align=8)
                        operands = _Operands(builder.load(total), y, z, number)
                        builder.store(compute(do, operands), total)
                    else:
                        operands = _Operands(builder.load(targets(c), align=8), y, z, number)
                        builder.store(compute(do, operands), targets(c), align=8)
                if fold:
                    ended(outer.index, builder.load(total))

        if fold and listed:
            _by_size(builder, count, unrolled, rolled)
        else:
            rolled()
        if best is not None:
            builder.store(builder.load(found), vectors(0, lines)(first), align=8)
        return context.get_dummy_value()

    # Numba reads the names of arguments from the signature.
    typed = lambda target, t, u, a, i, v, b, j, w, q, lines, count, x: types.void  # noqa: ARG005, E731
    type_callable(operation)(lambda _: typed)
    lower_builtin(operation, *[types.Any] * 13)(code)  # type: ignore[no-untyped-call]  # not typed
    return operation


def _solve(do: Any, block: list[list[Any]]) -> tuple[list[list[Any]], list[Any]]:
    """Factor a block and solve for both players' weights; return the table and the inverse pivots."""
    size, one = len(block), do.number(1.0)
    table = [[*line, one] for line in block] + [[one] * size + [do.number(0.0)]]
    inverses = []
    for a in range(size):
        inverses.append(do.inverse(table[a][a]))
        scaled = [do.multiply(inverses[a], each) for each in table[a][a + 1 :]]
        for line in table[a + 1 :]:
            for b, each in enumerate(scaled, a + 1):
                line[b] = do.subtract(line[b], do.multiply(line[a], each))
    for a in reversed(range(size)):
        for b in range(a + 1, size):
            table[size][a] = do.subtract(table[size][a], do.multiply(table[size][b], table[b][a]))
            table[a][size] = do.subtract(table[a][size], do.multiply(table[a][b], table[b][size]))
        table[size][a] = do.multiply(inverses[a], table[size][a])
        table[a][size] = do.multiply(inverses[a], table[a][size])
    return table, inverses


def _weigh(do: Any, table: list[list[Any]]) -> tuple[list[list[Any]], list[Any]]:
    """Return both players' weights in a table, negative ones set to zero, and their sums."""
    size, zero = len(table) - 1, do.number(0.0)
    border = [table[size][:size], [line[size] for line in table[:size]]]
    weights = [[do.larger(zero, each) for each in side] for side in border]
    return weights, [reduce(do.add, side) for side in weights]


def solve(
    table: Floats,
    inverse: Floats,
    row: Floats,
    column: Floats,
    sums: Floats,
    unit: Floats,
    b: Floats,
    j: int,
    rows: Ints,
    columns: Ints,
    size: int,
) -> None:
    """Factor the block unit · b[j + rows[a] + columns[c]] + 2, bordered by ones.

    Both players' weights, negative ones set to zero, go to `row` and `column`, their sums to
    `sums`.

    Args:
        size: at most :data:`UNROLLED`.
    """
    block = [
        [unit[0] * b[j + rows[a] + columns[c]] + 2.0 for c in range(size)] for a in range(size)
    ]
    found, inverses = _solve(_Plain, block)
    for a, line in enumerate(found):
        for c, each in enumerate(line):
            table[a * (size + 1) + c] = each
    weights, totals = _weigh(_Plain, found)
    for target, vectors in ((inverse, inverses), (row, weights[0]), (column, weights[1])):
        target[: len(vectors)] = vectors
    sums[:2] = totals


_solve_typed = lambda table, inverse, row, column, sums, unit, b, j, rows, columns, size: types.void  # noqa: ARG005, E731
type_callable(solve)(lambda _: _solve_typed)


def _lower_solve(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    table, inverse, row, column, sums, unit, b = (
        _rows(context, builder, signature, arguments, array) for array in range(7)
    )
    start, size = arguments[7], arguments[10]
    rows, columns = (
        context.make_array(signature.args[array])(context, builder, arguments[array]).data
        for array in (8, 9)
    )
    do = _Instructions(builder)

    def number(place: int) -> ir.Constant:
        return ir.Constant(size.type, place)

    def unrolled(size: int) -> None:
        one = builder.load(unit(number(0)), align=8)
        across = [builder.load(builder.gep(columns, [number(c)])) for c in range(size)]
        block = []
        for a in range(size):
            line = builder.add(start, builder.load(builder.gep(rows, [number(a)])))
            found = [builder.load(b(builder.add(line, c)), align=8) for c in across]
            block.append([do.add(do.multiply(one, each), do.number(2.0)) for each in found])
        lines, inverses = _solve(do, block)
        weights, totals = _weigh(do, lines)
        whole = [each for line in lines for each in line]
        targets = table, inverse, row, column, sums
        for target, vectors in zip(targets, (whole, inverses, *weights, totals), strict=True):
            for place, each in enumerate(vectors):
                builder.store(each, target(number(place)), align=8)

    _by_size(builder, size, unrolled, lambda: None)
    return context.get_dummy_value()


lower_builtin(solve, *[types.Any] * 11)(_lower_solve)  # type: ignore[no-untyped-call]  # not typed


def wide(lower: Floats, upper: Floats, t: int, tolerance: float) -> int:
    """Return the bits of the lanes in which upper[t] is not within `tolerance` of lower[t]."""
    return sum(1 << q for q, width in enumerate(upper[t] - lower[t]) if not width <= tolerance)


_wide_typed = lambda lower, upper, t, tolerance: types.int64  # noqa: ARG005, E731
type_callable(wide)(lambda _: _wide_typed)


def _lower_wide(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    rows = (_rows(context, builder, signature, arguments, array) for array in (1, 0))
    upper, lower = (builder.load(row(arguments[2]), align=8) for row in rows)
    tolerance = _Instructions(builder).spread(arguments[3])
    found = builder.fcmp_unordered(">", builder.fsub(upper, lower), tolerance)
    return builder.zext(builder.bitcast(found, ir.IntType(VECTOR)), ir.IntType(64))


lower_builtin(wide, *[types.Any] * 4)(_lower_wide)  # type: ignore[no-untyped-call]  # not typed


def _quotient(do: Any, v: _Operands) -> Any:
    """Divide by a sum of weights, or return x where it is none."""
    return do.between(v.z, do.multiply(v.y, do.inverse(v.z)), v.x)


_fill = _operation(lambda _, v: v.x)
_clip = _operation(lambda do, v: do.larger(v.x, v.z))
_invert = _operation(lambda do, v: do.inverse(v.y))
_scale = _operation(lambda do, v: do.multiply(v.y, v.z))
_eliminate = _operation(lambda do, v: do.subtract(v.old, do.multiply(v.y, v.z)))
_affine = _operation(lambda do, v: do.add(do.multiply(v.y, v.z), v.x), listed=True)
_raise = _operation(lambda do, v: do.larger(_quotient(do, v), v.old))
_lower = _operation(lambda do, v: do.smaller(_quotient(do, v), v.old))
_sum = _operation(lambda do, v: do.add(v.old, v.z), fold=True)
_least_dot, _most_dot = (
    _operation(
        lambda do, v: do.add(v.old, do.multiply(v.y, v.z)), fold=True, listed=True, best=best
    )
    for best in (lambda do, a, b: do.smaller(a, b), lambda do, a, b: do.larger(a, b))
)
_deduct = _operation(
    lambda do, v: do.subtract(v.old, do.multiply(v.y, v.z)), fold=True, goes_on=True
)
_least = _operation(lambda do, v: do.smaller(v.z, v.old), fold=True)
_most = _operation(lambda do, v: do.larger(v.z, v.old), fold=True)


@inlined
def fill(target: Floats, t: int, q: int, count: int, x: float) -> None:
    """Set target[t + c·q] = x for c = 0 … count − 1."""
    _fill(target, t, q, target, t, 0, target, t, 0, 0, count, 1, x)


@inlined
def clip(target: Floats, t: int, b: Floats, j: int, q: int, count: int) -> None:
    """Set target[t + c] = b[j + c·q], or 0 where that is negative, for c = 0 … count − 1."""
    _clip(target, t, 0, b, j, 0, b, j, 0, q, 1, count, 0.0)


@inlined
def invert(target: Floats, t: int, a: Floats, i: int) -> None:
    """Set target[t] = 1 / a[i]."""
    _invert(target, t, 0, a, i, 0, a, i, 0, 0, 1, 1, 0.0)


@inlined
def scale(target: Floats, t: int, a: Floats, i: int, b: Floats, j: int, count: int) -> None:
    """Set target[t + c] = a[i] · b[j + c] for c = 0 … count − 1; a[i] is read first."""
    _scale(target, t, 0, a, i, 0, b, j, 0, 1, 1, count, 0.0)


@inlined
def eliminate(
    target: Floats, t: int, u: int, a: Floats, i: int, v: int, b: Floats, j: int, lines: int,
    count: int,
) -> None:  # fmt: skip
    """Subtract a[i + r·v] · b[j + c] from target[t + r·u + c], r = 0 … lines − 1, c = 0 … count − 1."""
    _eliminate(target, t, u, a, i, v, b, j, 0, 1, lines, count, 0.0)


@inlined
def affine(
    target: Floats, t: int, a: Floats, i: int, b: Floats, j: int, at: Ints, count: int, x: float
) -> None:
    """Set target[t + c] = a[i] · b[j + at[c]] + x for c = 0 … count − 1; a[i] is read first."""
    _affine(target, t, 0, a, i, 0, b, j, 0, at, 1, count, x)


@inlined
def raise_to(target: Floats, t: int, a: Floats, i: int, b: Floats, j: int) -> None:
    """Raise target[t] to a[i] / b[j] where that is larger, and b[j] between `SMALLEST` and `LARGEST`."""
    _raise(target, t, 0, a, i, 0, b, j, 0, 0, 1, 1, -np.inf)


@inlined
def lower_to(target: Floats, t: int, a: Floats, i: int, b: Floats, j: int) -> None:
    """Lower target[t] to a[i] / b[j] where that is less, and b[j] between `SMALLEST` and `LARGEST`."""
    _lower(target, t, 0, a, i, 0, b, j, 0, 0, 1, 1, np.inf)


@inlined
def add_up(target: Floats, t: int, b: Floats, j: int, count: int) -> None:
    """Set target[t] = Σ b[j + c] over c = 0 … count − 1."""
    _sum(target, t, 0, b, j, 0, b, j, 0, 1, 1, count, 0.0)


@inlined
def least_dot(
    target: Floats, t: int, a: Floats, i: int, b: Floats, j: int, w: int, at: Ints, lines: int,
    count: int,
) -> None:  # fmt: skip
    """Set target[t + r] = Σ a[i + c] · b[j + r·w + at[c]] over c = 0 … count − 1, r = 0 … lines − 1.

    The least of them goes to target[t + lines].
    """
    _least_dot(target, t, 1, a, i, 0, b, j, w, at, lines, count, 0.0)


@inlined
def most_dot(
    target: Floats, t: int, a: Floats, i: int, b: Floats, j: int, w: int, at: Ints, lines: int,
    count: int,
) -> None:  # fmt: skip
    """Do as :func:`least_dot`, but the greatest goes to target[t + lines]."""
    _most_dot(target, t, 1, a, i, 0, b, j, w, at, lines, count, 0.0)


@inlined
def deduct(
    target: Floats, t: int, a: Floats, i: int, b: Floats, j: int, q: int, count: int
) -> None:
    """Subtract Σ a[i + c] · b[j + c·q] over c = 0 … count − 1 from target[t]."""
    _deduct(target, t, 0, a, i, 0, b, j, 0, q, 1, count, 0.0)


@inlined
def least(
    target: Floats, t: int, b: Floats, j: int, w: int, q: int, lines: int, count: int
) -> None:
    """Set target[t + r] = min b[j + r·w + c·q] over c = 0 … count − 1, r = 0 … lines − 1."""
    _least(target, t, 1, b, j, 0, b, j, w, q, lines, count, np.inf)


@inlined
def most(target: Floats, t: int, b: Floats, j: int, w: int, q: int, lines: int, count: int) -> None:
    """Set target[t + r] = max b[j + r·w + c·q] over c = 0 … count − 1, r = 0 … lines − 1."""
    _most(target, t, 1, b, j, 0, b, j, w, q, lines, count, -np.inf)
