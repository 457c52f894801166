"""Pictures of results, drawn with matplotlib (the extra ``plot``).

Each function returns a figure, which a notebook shows and ``savefig`` writes to a file. A *first move* is an optimal
strategy for the first bid after a given upcard, which is the prize turned up. An *arithmetic* is a kind of number:
exact fractions, decimals of which every digit is proved, or floats with a proved bound on the error. A *position* has
both hands, the prizes left, the prize turned up if there is one, and the points of earlier rounds that still count. An
*information set* of a player is a set of states that the player cannot tell apart.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from io import BytesIO
from itertools import count, pairwise
from math import nan
from typing import Any, cast

from flint import fmpq

from gops_exact.base.arguments import flag, install, instance, integer, items, shown
from gops_exact.extensive import Equilibrium
from gops_exact.game.rules import PLAIN, upcard_name
from gops_exact.matrix_game.envelope import envelope as envelope_of
from gops_exact.matrix_game.family import Family
from gops_exact.matrix_game.game_solution import GameSolution, as_matrix_game
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.numbers.exact import BigRational, nearest_float, rational
from gops_exact.numbers.kinds import view
from gops_exact.solvers.api import Lengths
from gops_exact.solvers.first_moves import FirstMoves
from gops_exact.solvers.results import PayoffMatrix, Solution

try:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyArrowPatch
    from PIL import Image
except ImportError as error:
    raise ImportError(f"pictures need Matplotlib: {install('plot')}") from error

__all__ = [
    "bid_gains",
    "digit_growth",
    "envelope",
    "family",
    "first_moves_heatmap",
    "game_tree",
    "payoffs_heatmap",
]
__dir__ = __all__.copy

COLOURS = 256
"""Number of colours in a PNG file. More colours would triple the size of the file without a visible difference."""

CELL_INCHES = 0.55
MARGIN_INCHES = 0.9
# A heat map has room for at least 4 columns and 4 rows, even if it has fewer, because its title needs the space.
FEWEST_CELLS = 4

MOST_SHOWN = 20
"""Greatest number of digits after the point of the numbers in a heat map. The picture has no room for more."""

CHART_INCHES = (5.5, 3.8)

PIECE_STEPS = 40
"""Number of straight lines that make the curves of a piece."""

BLUE, ORANGE = "tab:blue", "tab:orange"
"""BLUE is the colour of player one and of the bids that player one plays, ORANGE that of player two."""

MOST_NODES = 100
"""Greatest number of nodes of a game tree for which a picture has room."""

MOVE_INCHES, END_INCHES = 1.4, 0.3
"""Size of the picture of a game tree, in inches: MOVE_INCHES is the width of one move from a node to the next,
END_INCHES the height of one leaf, which is an end of the game."""

MOVERS = ("lightgrey", BLUE, ORANGE)
"""Colours of nodes of a game tree: of chance, of player one and of player two."""

ARC = -0.12
"""Curvature of the arcs that join the nodes of an information set, the number `rad` of matplotlib's ``arc3``. Its
absolute value is twice the height of an arc, divided by the distance between the two nodes. The arcs run downwards, so a
negative number bends them to the right."""

BLANK = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
"""Background of the payoffs of a game tree: a white box, so that no arc crosses the text."""

LONGEST_FRACTION = 7
"""Greatest number of characters of the fraction at a move of a game tree. Longer fractions are written as decimals."""

# A cell whose number exceeds this share of the number with the darkest shade is dark, so its text is white.
_DARK = 0.65


class Picture(Figure):
    """Figure of matplotlib that belongs neither to a window nor to pyplot; notebooks show it as a PNG file."""

    def png(self, dpi: int = 100) -> bytes:
        """Return the bytes of a compact PNG file of the picture, the same in every run."""
        drawn, file = BytesIO(), BytesIO()
        self.savefig(drawn, format="png", dpi=dpi)
        image = Image.open(drawn).convert("RGB").quantize(COLOURS, kmeans=3)
        image.save(file, format="png", optimize=True)
        return file.getvalue()

    _repr_png_ = png


def first_moves_heatmap(moves: FirstMoves[Any], digits: int = 3) -> Picture:
    """Draw optimal strategies for the first bid as a heat map.

    Upcards are across, cards down. Shades and numbers show the probabilities.

    The darkest shade stands for 1. A cell is blank if its probability is proved to be zero. A cell has a question mark if
    the proved bounds leave open whether its probability is zero or positive.

    Args:
        moves: the strategies, in any kind of number, as :func:`gops_exact.first_move` returns them, or read by
            :func:`gops_exact.read`.
        digits: number of digits after the point, 0 to 20.

    Returns:
        A figure of one chart.

    Raises:
        ValueError: if `moves` are not first moves, or if `digits` is out of range.

    >>> from gops_exact import first_move
    >>> picture = first_moves_heatmap(first_move(3, store=":memory:"))
    >>> [number.get_text() for number in picture.axes[0].texts][:3]
    ['1.000', '0.556', '0.444']
    """
    digits = integer(digits, "digits", 0, MOST_SHOWN)
    instance(moves, FirstMoves, "moves", "first moves")
    columns = []
    for strategy in moves.values():
        cells = []
        for least, most in (chance.bounds() for chance in strategy.values()):
            middle = view((max(least, fmpq(0)) + most) / 2)
            text = "" if most == 0 else middle.decimal(digits) if least > 0 else "?"
            cells.append((float(middle), text))
        columns.append(cells)
    names = list(map(upcard_name, moves))
    cards = range(1, moves.n + 1)
    rows = list(zip(*columns, strict=True))
    by = "" if moves.rules == PLAIN else f"\n{moves.rules}"
    title = f"Optimal first moves, {moves.n} cards{by}"
    figure, axes = _heatmap(title, rows, names, cards, cmap="Blues", vmin=0, vmax=1)
    axes.set(xlabel="upcard", ylabel="card")
    return figure


def digit_growth(longest: Mapping[int, Sequence[Lengths | tuple[int, int]]]) -> Picture:
    """Draw how long the exact numbers are for each number of cards left a side, with one line for each game.

    The length is the number of digits of the longest denominator, on a logarithmic scale. If the length for some number
    of cards is None, the line has a gap there.

    Args:
        longest: {n: lengths in the game of n cards}. The lengths are the result of :func:`gops_exact.growth`, or a
            sequence of pairs (cards a side, digits of the longest denominator).

    Returns:
        A figure of one chart.

    Raises:
        ValueError: if `longest` has another form.

    >>> picture = digit_growth({4: [(1, 1), (2, 3), (3, 5)], 5: [(1, 1), (2, 3), (3, 12)]})
    >>> [line.get_label() for line in picture.axes[0].lines]
    ['N = 4', 'N = 5']
    """
    instance(longest, Mapping, "longest", "layers by cards a side")
    from matplotlib.ticker import MaxNLocator

    figure, axes = _chart("How long the exact numbers are")
    for n, layers in longest.items():
        name, kind = f"layers of {n}", "a sequence of Lengths or pairs"
        pairs: list[list[Any]] = [
            [layer.cards_a_side, layer.most_digits]
            if isinstance(layer, Lengths)
            else items(layer, name, kind, ordered=True)
            for layer in items(layers, name, kind)
        ]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError(f"{name} must be {kind}, got {shown(layers)}")
        sizes, digits = [size for size, _ in pairs], [most for _, most in pairs]
        axes.plot(sizes, digits, marker="o", label=f"N = {n}")
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel="cards a side", ylabel="digits of the longest denominator")
    axes.legend(fontsize="small")
    axes.grid(visible=True, which="major", alpha=0.3)
    return figure


def bid_gains(solution: Solution[fmpq], gains: Mapping[int, BigRational | fmpq]) -> Picture:
    """Draw player one's expected gain from each bid as a bar, and the value of the position as a line.

    The gains are those against an optimal strategy of player two. The bids that player one's optimal strategy plays are
    blue. Their bars end at the line, and no bar ends above it.

    Args:
        solution: the exact solution of a position.
        gains: {card: player one's gain}, the result of :func:`gops_exact.bid_gains` for this position.

    Returns:
        A figure of one chart.

    Raises:
        ValueError: if `solution` is not the solution of a position, or if `gains` is not a mapping of exact numbers or
            has a card that is not in player one's hand.

    >>> from gops_exact import Position, solve
    >>> from gops_exact import bid_gains as gains_of
    >>> position = Position([2, 4], [1, 3], [12, 13], upcard=13)
    >>> picture = bid_gains(solve(position), gains_of(position))
    >>> picture.axes[0].get_legend().get_texts()[0].get_text()
    'value 12.5200'
    """
    instance(solution, Solution, "solution", "a Solution")
    instance(gains, Mapping, "gains", "numbers by card")
    if set(gains) - {*solution.row}:
        raise ValueError(f"gains must be by cards of {[*solution.row]}, got {shown([*gains])}")
    position, cards = solution.position, [str(card) for card in gains]
    sets = (", ".join(map(str, group)) for group in (position.one, position.two, position.prizes))
    figure, axes = _chart("{{{}}} against {{{}}}, prizes {{{}}}".format(*sets))
    colours = [BLUE if solution.row[card] else "lightgrey" for card in gains]
    heights = [float(view(rational(gain, "a gain"))) for gain in gains.values()]
    axes.bar(cards, heights, color=colours)
    value = float(solution.value)
    axes.axhline(value, color="black", linewidth=1, label=f"value {value:.4f}")
    seen = "before the upcard" if position.upcard is None else f"at upcard {position.upcard}"
    axes.set_xlabel(f"bid {seen}; blue: played")
    winning = "chance of a win less that of a loss"
    axes.set_ylabel(winning if position.rules.winning else "expected gain in points")
    axes.legend(fontsize="small")
    return figure


def game_tree(solution: Equilibrium) -> Picture:
    """Draw a small game tree from left to right, with the probability of each move.

    Nodes of chance are grey, those of player one blue, those of player two orange. The ends of the game show player
    one's payoffs. A dotted line joins the nodes of an information set. The nodes of a set are hollow if the set is
    reached with the probability 0 when both players play their strategies. If :func:`~gops_exact.extensive.approximate`
    computed the strategies, or the solution has bounds of all states, the nodes of a set are hollow if the moving
    player's strategy has no entry for the set. If both players move at the same time, player two's nodes follow those
    of player one. A state that is reached in several ways is drawn several times.

    Args:
        solution: the solution of a game tree whose drawing has at most 100 nodes.

    Returns:
        A figure of one chart.

    Raises:
        ValueError: if the drawing would have more than 100 nodes, or if the solution is of a game with hidden bids or of
            a game of paths.

    >>> from gops_exact import solve_game
    >>> from gops_exact.extensive import Chance, ListedTree, Move
    >>> coin = ListedTree((Move(1, {"stop": 1, "go": 2}), 0, Chance({3: "2/3", 4: "1/3"}), 2, -2))
    >>> [text.get_text() for text in game_tree(solve_game(coin)).axes[0].texts]
    ['0', 'stop: 0', '2', '2/3', '-2', '1/3', 'go: 1']
    """
    instance(solution, Equilibrium, "solution", "an Equilibrium")
    document = solution.document()
    if "nodes" not in document:
        raise ValueError(f"solution must be of a game tree, got one of {document['document']}")
    nodes = document["nodes"]
    # {information set: {move: probability}} for chance (empty), player one and player two.
    strategies: tuple[dict[str, Any], ...] = ({}, document["row"], document["column"])
    # The sets of each player that are reached; of learned strategies, those that the player's own strategy reaches.
    shares = document.get("reached", document)
    reached: tuple[dict[str, Any], ...] = ({}, shares["row"], shares["column"])
    figure, axes = _chart(solution.table().caption.splitlines()[0])
    drawn, ends = count(1), count()
    deepest = 0
    information_sets = defaultdict(list)  # {(player, name): [(depth, height) of each node]}

    def draw(depth: int, state: int, row: int | None = None) -> float:
        """Draw a node and all nodes after it, and return the height of the node in the picture.

        `depth` is the number of branches from the start to the node. `state` is the index of the node in the document
        of the solution. If both players move at this node, player one's part of it is drawn if `row` is None. Otherwise
        player two's part is drawn, and `row` is the index of player one's move.
        """
        nonlocal deepest
        deepest = max(depth, deepest)
        if next(drawn) > MOST_NODES:
            raise ValueError(f"a picture has room for {MOST_NODES} nodes, got a tree with more")
        if isinstance(nodes[state], str):
            end = -next(ends)
            axes.text(depth + 0.03, end, nodes[state], va="center", fontsize="small", bbox=BLANK)
            return end
        mover, name, branches = _branches(nodes[state], state, row)
        mix = strategies[mover].get(name)
        heights = []
        for move, after in branches:
            heights.append(draw(depth + 1, *after))
            chance = "" if mix is None else mix.get(move, "0")
            if len(chance) > LONGEST_FRACTION:
                chance = f"{float(rational(chance)):.4f}"
            axes.text(
                depth + 0.95,
                heights[-1],
                f"{move}: {chance}" if chance else move,
                ha="right",
                va="bottom",
                fontsize="x-small",
                parse_math=False,
            )
        middle = (heights[0] + heights[-1]) / 2
        for height in heights:
            axes.plot(
                [depth, depth + 0.3, depth + 1],
                [middle, height, height],
                color="grey",
                linewidth=1,
                zorder=0,
            )
        is_hollow = mover and name not in reached[mover]
        axes.plot(
            depth, middle, "o", color=MOVERS[mover], fillstyle="none" if is_hollow else "full"
        )
        if mover:
            information_sets[mover, name].append((depth, middle))
        return middle

    draw(0, 0)
    for (mover, _), places in information_sets.items():
        # Nodes of one depth lie on a vertical line, so straight lines between them would cover each other. Therefore
        # the nodes of an information set are joined by arcs.
        for pair in pairwise(places):
            arc = FancyArrowPatch(
                *pair,
                arrowstyle="-",
                connectionstyle=f"arc3,rad={ARC}",
                linestyle=":",
                color=MOVERS[mover],
                zorder=0,
            )
            axes.add_patch(arc)
    axes.set_axis_off()
    figure.set_size_inches(MOVE_INCHES * (deepest + 0.5), END_INCHES * next(ends) + MARGIN_INCHES)
    return figure


def family(solved: Family) -> Picture:
    """Draw the value of the games A + tB and the probabilities of both players against t, in three charts.

    Only pure strategies that are played for some t have a line.

    Args:
        solved: the result of :func:`gops_exact.solve_family`.

    Returns:
        A figure of three charts.

    Raises:
        ValueError: if `solved` is not such a result.

    >>> from gops_exact import solve_family
    >>> picture = family(solve_family([[3, -1], [1, 2]], [[0, 1], [0, 0]], 0, 4))
    >>> [len(axes.lines) for axes in picture.axes]
    [1, 2, 2]
    """
    instance(solved, Family, "solved", "a Family")
    points = solved.points(PIECE_STEPS)
    across = [float(view(t)) for t, _ in points]
    figure = Picture(figsize=(CHART_INCHES[0], 2 * CHART_INCHES[1]), layout="constrained")
    top, one, two = figure.subplots(3, sharex=True)
    top.set(ylabel="value")
    top.plot(across, [nearest_float(piece.value(t)) for t, piece in points])
    for axes, side, labels in (
        (one, "row", solved.game.rows),
        (two, "column", solved.game.columns),
    ):
        for label in labels:
            mixes = [(getattr(piece, side).get(label), t) for t, piece in points]
            chances = [float(chance(t)) if chance else 0.0 for chance, t in mixes]
            if any(chances):
                axes.plot(across, chances, label=label)
        for text in axes.legend(fontsize="small").get_texts():
            text.set_parse_math(False)
    one.set(ylabel="player one")
    two.set(ylabel="player two", xlabel="t")
    return figure


def _branches(
    node: dict[str, Any], state: int, row: int | None
) -> tuple[int, str, list[tuple[str, tuple[int, ...]]]]:
    """Return the player who moves at a node in the JSON document of a game tree, and the branches of the node.

    Args:
        node: the node, which is not an end of the game.
        state: the index of the node.
        row: None, except for player two's nodes of a state where both players move at the same time. Such a state is
            drawn as a node of player one, followed by nodes of player two, whose `row` is the index of player one's
            move.

    Returns:
        (player, name, branches): the player who moves, 0 for chance; the name of the information set; and a pair
        (text of the move, next node) for each move. The next node is (state, row), or (state,) if its row is None.
    """
    name = str(state)
    if "chance" in node:
        return 0, name, [(part["probability"], (part["state"],)) for part in node["chance"]]
    if "moves" in node:
        moves = node["moves"].items()
        return node["player"], node.get("knows", name), [(move, (after,)) for move, after in moves]
    one, two = node.get("knows", (name, name))
    if row is None:
        return 1, one, [(move, (state, index)) for index, move in enumerate(node["rows"])]
    ends = zip(node["columns"], node["after"][row], strict=True)
    return 2, two, [(move, (after,)) for move, after in ends]


def payoffs_heatmap(
    payoffs: PayoffMatrix[Any] | MatrixGame | GameSolution,
    digits: int = 2,
    *,
    whole: bool | None = None,
) -> Picture:
    """Draw a payoff matrix as a heat map: blue where player one gains, red where player two gains.

    The picture of a solution also has player one's strategy in a column at the right, player two's strategy in a row at
    the bottom, and the value in the corner below the column. Bids that are not played are grey.

    Args:
        payoffs: a matrix game, the solution of one, or the payoff matrix of a position, in any arithmetic.
        digits: number of digits after the point, 0 to 20; payoffs have none if all of them are integers.
        whole: False to leave out the bids that a solution does not play; True to show all bids; None to leave out bids
            only if the game has more than 20 rows or columns. Without a solution, all bids are shown.

    Returns:
        A figure of one chart.

    Raises:
        ValueError: if `payoffs` is none of these, or if `digits` is out of range.

    >>> from gops_exact import solve_matrix_game
    >>> picture = payoffs_heatmap(solve_matrix_game([[3, -1], [1, 2]]))
    >>> [text.get_text() for text in picture.axes[0].texts]
    ['3', '-1', '0.20', '1', '2', '0.80', '0.60', '0.40', '1.40']
    """
    digits = integer(digits, "digits", 0, MOST_SHOWN)
    whole = None if whole is None else flag(whole, "whole")
    kinds = "a MatrixGame, a GameSolution or a PayoffMatrix"
    instance(payoffs, PayoffMatrix | MatrixGame | GameSolution, "payoffs", kinds)
    title, move = "What player one can expect", "bid of "
    if not isinstance(payoffs, PayoffMatrix):
        title, move = payoffs.title if isinstance(payoffs, MatrixGame) else payoffs.game.title, ""
    table = payoffs.matrix(whole=whole) if isinstance(payoffs, GameSolution) else payoffs.table()
    numbers = [[nearest_float(cast(Any, entry)) for entry in row] for _, row in table.rows]
    names = [key for (key,), _ in table.rows]
    # the number of rows, and of columns, at the sides that hold no payoffs: 1 or 0
    side = isinstance(payoffs, GameSolution)
    m, n = len(names) - side, len(table.heads) - side
    gains = [number for row in numbers[:m] for number in row[:n]]
    most = max(map(abs, gains), default=0) or 1.0
    places = 0 if all(number.is_integer() for number in gains) else digits
    cells = [[(x, f"{x:.{places}f}") for x in row[:n]] for row in numbers[:m]]
    if side:
        *chances, last = [[(nan, f"{x:.{digits}f}") for x in row] for row in numbers]
        cells = [[*row, chance[n]] for row, chance in zip(cells, chances, strict=True)] + [last]
        title += f": value {last[n][1]}"
    figure, axes = _heatmap(
        title, cells, table.heads, names, table.faint, cmap="RdBu", vmin=-most, vmax=most
    )
    axes.set(xlabel=f"{move}player two", ylabel=f"{move}player one")
    return figure


def envelope(payoff: object) -> Picture:
    """Draw the graphical method for a game of two rows or two columns: the lines, and their envelope in blue.

    The player with two pure strategies mixes them; if both players have two, player one does. Each line shows player
    one's gain if the opponent plays one pure strategy, as a function of the probability of the first of the two
    strategies. The opponent's best replies form the envelope; the dot marks the solution.

    Args:
        payoff: a 2 × n or m × 2 game, anything that :func:`gops_exact.solve_matrix_game` takes except floats.

    Returns:
        A figure of one chart.

    Raises:
        ValueError: if `payoff` is not such a game.

    >>> picture = envelope([[2, 3, 1, 5], [4, 1, 6, 0]])
    >>> [text.get_text() for text in picture.axes[0].texts]
    ['1', '2', '3', '4']
    """
    game = as_matrix_game(payoff)
    if 2 not in game.shape:
        m, n = game.shape
        raise ValueError(f"payoff must have two rows or two columns, got {m} × {n}")
    lines, corners = envelope_of(game)
    is_lower = game.shape[0] == 2
    figure, axes = _chart(game.title)
    labels = defaultdict[float, list[str]](list)  # {height of the right end: labels of its lines}
    for name, (first, second) in lines.items():
        axes.plot([0, 1], [float(second), float(first)], color="grey", linewidth=0.8)
        labels[float(first)].append(name)
    for height, names in labels.items():
        axes.text(1.02, height, ", ".join(names), va="center", fontsize="small", parse_math=False)
    chances, levels = zip(*((float(c.chance), float(c.level)) for c in corners), strict=True)
    axes.plot(chances, levels, color=BLUE, linewidth=2.5)
    best = levels.index(max(levels) if is_lower else min(levels))
    axes.plot(chances[best], levels[best], "o", color="black")
    own, who = (game.rows[0], "row") if is_lower else (game.columns[0], "column")
    axes.set(xlabel=f"probability of {who} {own}", ylabel="gain of player one", xlim=(0, 1))
    return figure


def _heatmap(
    title: str,
    cells: Sequence[Sequence[tuple[float, str]]],
    across: Sequence[object],
    along: Sequence[object],
    faint: tuple[Collection[int], Collection[int]] = ((), ()),
    *,
    vmax: float,
    **options: Any,  # noqa: ANN401  # arguments of imshow
) -> tuple[Picture, Axes]:
    """Draw a matrix as shaded cells; return the figure and its axes.

    Args:
        title: the title of the picture.
        cells: rows of (number, text in the cell).
        across: the labels of the columns.
        along: the labels of the rows.
        faint: the indices of the rows and of the columns whose cells are not shaded and whose text and labels are grey.
        vmax: the number with the darkest shade.
        options: further arguments of matplotlib's ``imshow``.
    """
    size = [CELL_INCHES * max(len(axis), FEWEST_CELLS) + MARGIN_INCHES for axis in (across, along)]
    figure, axes = _chart(title, (size[0], size[1]))
    rows, columns = faint
    shades = [
        [nan if y in rows or x in columns else number for x, (number, _) in enumerate(row)]
        for y, row in enumerate(cells)
    ]
    axes.imshow(shades, vmax=vmax, **options)
    for y, row in enumerate(cells):
        for x, (number, text) in enumerate(row):
            if text:
                colour = "white" if abs(number) > _DARK * vmax else "black"
                colour = "darkgrey" if y in rows or x in columns else colour
                axes.text(x, y, text, ha="center", va="center", color=colour, fontsize="small")
    # Without parse_math, a label with two dollar signs would be typeset as a formula.
    axes.set_xticks(range(len(across)), labels=list(map(str, across)), parse_math=False)
    axes.set_yticks(range(len(along)), labels=list(map(str, along)), parse_math=False)
    for indices, ticks in ((rows, axes.get_yticklabels()), (columns, axes.get_xticklabels())):
        for index in indices:
            ticks[index].set_color("darkgrey")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure, axes


def _chart(title: str, size: tuple[float, float] = CHART_INCHES) -> tuple[Picture, Axes]:
    figure = Picture(figsize=size, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, fontsize="medium", parse_math=False)
    return figure, axes
