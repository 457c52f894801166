"""First moves as a Parquet file, for data frames elsewhere.

Needs pyarrow: ``pip install '.[parquet]'``.
"""

from pathlib import Path
from typing import Any

from gops_exact.base.arguments import instance
from gops_exact.base.arguments import path as as_path
from gops_exact.base.writing import written_whole
from gops_exact.solvers.strategy import FirstMoves


def write_parquet(moves: FirstMoves[Any], path: str | Path) -> None:
    """Write one row per probability: columns ``upcard``, ``card``, ``exact`` (text p/q), ``float``.

    Of floats the columns are ``upcard``, ``card``, ``float`` and ``radius``.

    The file appears only when it is complete. ``pandas.read_parquet(path)`` reads it.

    Args:
        moves: the first moves of a game, in any arithmetic.
        path: of the file.

    Raises:
        ValueError: if the path cannot be that of a file, or its folder cannot be written.
        ImportError: if pyarrow is missing.
    """
    contents = parquet_bytes(moves)
    with written_whole(as_path(path, "path")) as file:
        file.buffer.write(contents)


def parquet_bytes(moves: FirstMoves[Any]) -> bytes:
    """Return the contents of the file that :func:`write_parquet` writes, with its errors."""
    instance(moves, FirstMoves, "moves", "first moves")
    frame = moves.to_frame().reset_index()
    if "exact" in frame:
        frame["exact"] = [str(probability) for probability in frame["exact"]]
    contents: bytes = frame.to_parquet(engine="pyarrow", index=False)
    return contents
