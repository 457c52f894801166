"""Exact results as bytes and back."""

from collections.abc import Sequence

from gops_exact.matrix_game.basis import Basis
from gops_exact.matrix_game.solution import as_method
from gops_exact.numbers.payload import Reader, Writer
from gops_exact.recursion.opening import Opening
from gops_exact.recursion.position import ExactSlab


def pack_slab(slab: ExactSlab) -> bytes:
    """A slab as bytes: for each pair of hands the bases, as bit masks, and the fraction."""
    writer = Writer().number(len(slab.values))
    for bases, (numerator, denominator) in zip(slab.bases, slab.values, strict=True):
        writer.number(len(bases))
        for basis in bases:
            writer.number(as_mask(basis.rows)).number(as_mask(basis.columns))
        writer.integer(numerator).integer(denominator)
    return writer.payload()


def unpack_slab(payload: bytes) -> ExactSlab:
    """The inverse of :func:`pack_slab`."""
    reader = Reader(payload)
    values, bases = [], []
    for _ in range(reader.number()):
        masks = [(reader.number(), reader.number()) for _ in range(reader.number())]
        bases.append(tuple(Basis(as_indices(r), as_indices(c)) for r, c in masks))
        values.append((reader.integer(), reader.integer()))
    reader.end()
    return ExactSlab.of(values, bases)


def pack_opening(opening: Opening) -> bytes:
    """An opening as bytes."""
    writer = Writer().text(opening.method).number(opening.unique).number(len(opening.strategy))
    for numerator, denominator in opening.strategy:
        writer.integer(numerator).integer(denominator)
    return writer.payload()


def unpack_opening(payload: bytes) -> Opening:
    """The inverse of :func:`pack_opening`."""
    reader = Reader(payload)
    method, unique = as_method(reader.text()), bool(reader.number())
    strategy = [(reader.integer(), reader.integer()) for _ in range(reader.number())]
    reader.end()
    return Opening(tuple(strategy), method, unique=unique)


def as_mask(indices: Sequence[int]) -> int:
    """Indices as a bit mask."""
    return sum(1 << i for i in indices)


def as_indices(mask: int) -> tuple[int, ...]:
    """The inverse of :func:`as_mask`, ascending."""
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)
