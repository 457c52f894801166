"""First moves as a Parquet file, for data frames elsewhere.

Needs pyarrow: ``pip install 'gops-exact[parquet]'``.
"""

from pathlib import Path

from flint import fmpq

from gops_exact.arguments import instance
from gops_exact.arguments import path as as_path
from gops_exact.numbers import to_text
from gops_exact.solutions.first_moves import FirstMoves


def write_parquet(moves: FirstMoves[fmpq], path: str | Path) -> None:
    """Write one row per probability: columns ``upcard``, ``card``, ``exact`` (text p/q), ``float``.

    The file appears only when it is complete. ``pandas.read_parquet(path)`` reads it.

    Args:
        moves: the first moves of a game.
        path: of the file.

    Raises:
        ValueError: if there is something else than a file at the path.
        ImportError: if pyarrow is missing.
    """
    instance(moves, FirstMoves, "moves", "first moves in exact arithmetic")
    target = as_path(path, "path").resolve()
    if target.exists() and not target.is_file():
        raise ValueError(f"expected a path for a file, got {str(path)!r}")
    frame = moves.to_frame().reset_index()
    frame["exact"] = [to_text(probability) for probability in frame["exact"]]
    partial = target.with_name(f".{target.name}.partial")
    try:
        frame.to_parquet(partial, engine="pyarrow", index=False)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
