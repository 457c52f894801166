"""Results as pandas frames.

``exact`` columns hold ``fmpq`` objects: they add and compare exactly, and ``str()`` gives p/q.
At a million digits each of them costs a gcd of about a second; tables of floats need none.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from flint import fmpq

from gops_exact.numbers import to_float
from gops_exact.solutions.old_first_moves import AtUpcard, FirstMoves, PositionSolution, upcard_name
from gops_exact.solver.certified import CertifiedMove, CertifiedMoves
from gops_exact.solver.fingerprint import ResidueMove, ResidueMoves
from gops_exact.solver.floats import FloatFirstMoves, FloatMove

if TYPE_CHECKING:
    import pandas as pd

Column = TypeVar("Column", CertifiedMove, ResidueMove, FloatMove)


def first_moves_frame(moves: FirstMoves) -> "pd.DataFrame":
    """One row per probability: index (upcard, card), columns ``exact`` and ``float``."""
    cells = [(column, card) for column in moves.columns for card in column.probabilities]
    return _frame(
        ("upcard", "card"),
        [(_label(column), card) for column, card in cells],
        [column.probabilities[card] for column, card in cells],
        [float(column.probabilities.view(card)) for column, card in cells],
    )


def floats_frame(moves: FloatFirstMoves) -> "pd.DataFrame":
    """One row per probability: index (upcard, card), columns ``float`` and ``radius``."""
    return _by_upcard(
        moves.columns,
        float=lambda column, card: column.probabilities[card],
        radius=lambda column, card: column.radii[card],
    )


def certified_frame(moves: CertifiedMoves) -> "pd.DataFrame":
    """One row per probability: index (upcard, card), columns ``decimal``, as text, and ``float``."""
    return _by_upcard(
        moves.columns,
        decimal=lambda column, card: moves.decimal(column.upcard, card),
        float=lambda column, card: float(column.probabilities[card]),
    )


def residues_frame(moves: ResidueMoves) -> "pd.DataFrame":
    """One row per probability: index (upcard, card), column ``residue``."""
    return _by_upcard(moves.columns, residue=lambda column, card: column.probabilities[card])


def first_moves_table(moves: FirstMoves) -> "pd.DataFrame":
    """The probabilities as floats, laid out as in print: one row per card, one column per upcard."""
    import pandas as pd

    cards = pd.RangeIndex(1, moves.n + 1, name="card")
    upcards = pd.Index(list(map(_label, moves.columns)), name="upcard")
    rows = [[float(column.probabilities.view(card)) for column in moves.columns] for card in cards]
    return pd.DataFrame(rows, index=cards, columns=upcards, dtype=float)


def position_frame(position: PositionSolution) -> "pd.DataFrame":
    """One row per probability: index (player, card), player 1 or 2; columns ``exact``, ``float``."""
    exact = {(1, card): p for card, p in position.row.items()}
    exact |= {(2, card): p for card, p in position.column.items()}
    return _frame(("player", "card"), exact, exact.values(), map(to_float, exact.values()))


def _label(column: AtUpcard[object]) -> int | str:
    """The upcard; pandas would take None for a missing one."""
    return upcard_name(None) if column.upcard is None else column.upcard


def _by_upcard(
    columns: Iterable[Column], **fields: Callable[[Column, int], object]
) -> "pd.DataFrame":
    """A frame indexed by (upcard, card), a named field of every probability in each column."""
    import pandas as pd

    cells = [(column, card) for column in columns for card in column.probabilities]
    places = [(_label(column), card) for column, card in cells]
    index = pd.MultiIndex.from_tuples(places, names=("upcard", "card"))
    return pd.DataFrame(
        {name: [field(*cell) for cell in cells] for name, field in fields.items()}, index=index
    )


def _frame(
    names: tuple[str, str],
    places: Iterable[tuple[int | str, int]],
    exact: Iterable[fmpq],
    floats: Iterable[float],
) -> "pd.DataFrame":
    import pandas as pd

    index = pd.MultiIndex.from_tuples(list(places), names=names)
    return pd.DataFrame(
        {
            "exact": pd.Series(list(exact), index=index, dtype=object),
            "float": pd.Series(list(floats), index=index, dtype=float),
        }
    )
