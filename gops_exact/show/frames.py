"""Results as pandas frames.

``exact`` columns hold ``fmpq`` objects: they add and compare exactly, and ``str()`` gives p/q.
At a million digits each of them costs a gcd of about a second; tables of floats need none.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gops_exact.numbers.big import BigRational
from gops_exact.numbers.kinds import BoundedFloat, Number, ResidueClass
from gops_exact.numbers.shown import frame
from gops_exact.show.html import bids
from gops_exact.solutions.first_moves import FirstMoves, upcard_name
from gops_exact.solutions.solution import PayoffMatrix, Solution

if TYPE_CHECKING:
    import pandas as pd


@frame.register(FirstMoves)
def _(moves: FirstMoves[Any]) -> "pd.DataFrame":
    """One row per probability, indexed by (upcard, card).

    Columns are ``exact`` and ``float``; ``decimal``, as text, and ``float`` of proved decimals;
    ``residue``; ``float`` and ``radius`` of floats.
    """
    cells = [
        # pandas would take None for a missing upcard.
        ((upcard_name(None) if upcard is None else upcard, card), strategy.view(card))
        for upcard, strategy in moves.columns.items()
        for card in strategy
    ]
    return _frame(("upcard", "card"), cells)


@frame.register(Solution)
def _(solution: Solution[Any]) -> "pd.DataFrame":
    """One row per probability, indexed by (player, card), player 1 or 2; columns as above."""
    cells = [((player, card), strategy.view(card)) for player, card, strategy in bids(solution)]
    return _frame(("player", "card"), cells)


@frame.register(PayoffMatrix)
def _(payoffs: PayoffMatrix[Any]) -> "pd.DataFrame":
    """Floats, or residues; player one's cards down and player two's across."""
    import pandas as pd

    return pd.DataFrame(
        [[float(entry) for entry in row] for row in payoffs.numbers],
        index=pd.Index(payoffs.one, name="one"),
        columns=pd.Index(payoffs.two, name="two"),
    )


def _frame(
    names: tuple[str, str], cells: Iterable[tuple[tuple[int | str, int], Number[Any]]]
) -> "pd.DataFrame":
    import pandas as pd

    places, numbers = zip(*cells, strict=True)
    index = pd.MultiIndex.from_tuples(places, names=names)
    table = pd.DataFrame(list(map(_fields, numbers)), index=index, dtype=object)
    return table.astype({name: float for name in table if name in ("float", "radius")})


def _fields(number: Number[Any]) -> dict[str, object]:
    """The columns of one number."""
    if isinstance(number, BigRational):
        return {"exact": number.value, "float": float(number)}
    if isinstance(number, ResidueClass):
        return {"residue": number.value}
    if isinstance(number, BoundedFloat):
        return {"float": number.value, "radius": number.radius}
    return {"decimal": number.text(), "float": float(number)}
