"""Pictures of results, by matplotlib (the ``plot`` extra)."""

from typing import TYPE_CHECKING

from gops_exact.report.first_moves import FirstMoves

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CELL_INCHES = 0.55
MARGIN_INCHES = 0.9
# Fewer cells than this leave no room for the title.
FEWEST_CELLS = 4

# From here on a cell is dark enough for white numbers.
_DARK = 0.65


def first_moves_heatmap(moves: FirstMoves, digits: int = 3) -> "Figure":
    """The first moves as a map: upcards across, cards up, shade and number the probability.

    Probabilities of zero are left blank.

    Args:
        moves: the first moves.
        digits: digits after the point of the numbers.

    Returns:
        A figure that no window or global state refers to; ``savefig`` writes it.
    """
    from matplotlib.figure import Figure

    table = moves.to_table()
    cards, upcards = list(table.index), list(table.columns)
    figure = Figure(
        figsize=(_inches(len(upcards)), _inches(len(cards))),
        layout="constrained",
    )
    axes = figure.add_subplot()
    axes.imshow(table, cmap="Blues", vmin=0, vmax=1, origin="lower", aspect="equal")
    for x, column in enumerate(moves.columns):
        for y, card in enumerate(cards):
            number = column.probabilities.view(card)
            if number.p:
                colour = "white" if float(number) > _DARK else "black"
                text = number.decimal(digits)
                axes.text(x, y, text, ha="center", va="center", color=colour, fontsize="small")
    axes.set_xticks(range(len(upcards)), labels=list(map(str, upcards)))
    axes.set_yticks(range(len(cards)), labels=list(map(str, cards)))
    axes.set_xlabel("upcard")
    axes.set_ylabel("card")
    axes.set_title(f"Optimal first moves, {moves.n} cards", fontsize="medium")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def _inches(cells: int) -> float:
    return CELL_INCHES * max(cells, FEWEST_CELLS) + MARGIN_INCHES
