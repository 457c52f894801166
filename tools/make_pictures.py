"""Draw the pictures of the documentation: ``python tools/make_pictures.py``.

They are drawn from results/ and notebooks/, from docs/peers.csv, and by the scripts of docs/gallery/.
"""

import csv
import sys
from base64 import b64decode
from collections import defaultdict
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from runpy import run_path

import nbformat
import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.image import imread

import gops_exact as gx
from gops_exact.base.documents import PLAIN, read_moves, read_text
from gops_exact.extensive import Chance, ListedTree, Move
from gops_exact.show import plots
from gops_exact.show.explorer import worths

sys.path.insert(0, str(Path(__file__).parents[1] / "studies"))
from first_moves import BoundedTable, bounded  # a script's folder is no package

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/pictures"
GALLERY = ROOT / "docs/gallery"
RESULTS = ROOT / "results"
NOTEBOOKS = ROOT / "notebooks"

LAST_EXACT, LAST = 6, 15
"""Exact first moves are kept up to so many cards, floats up to so many."""

FROM_NOTEBOOKS = {"exploitability": ("05_opponents", 0), "lattice": ("06_how_it_works", 1)}
"""The notebook that a picture is kept in, and how many stand before it there."""

DPI, GALLERY_DPI = 110, 80

PEERS = ROOT / "docs/peers.csv"
"""Times as ``python benchmarks/peers.py --csv FILE`` writes them, those of several runs together."""

KINDS = {
    "integers": "integers from −100 to 100",
    "signs": "−1, 0 and 1",
    "fractions": "fractions of 30 digits",
}
"""Of random games, with their titles."""

SURE_WINS = ROOT / "docs/sure_wins.csv"

CASTLES, SOLDIERS = ROOT / "docs/castles.csv", "100"
"""Probabilities as ``python studies/castles.py 50,100 --csv FILE`` writes them, and the soldiers of the game in the picture."""

PANEL_INCHES = 3.6
PANELS_A_ROW, SMALL_INCHES = 5, 1.9

PARITY_CARDS = (7, 8, 9)
"""The games in the picture of bids with and without ties."""

BENCHMARKS = {
    **{f"players/benchmark_n{n}": f"{n} cards" for n in (3, 4, 5)},
    "players/benchmark_n6_ascending": "6 cards, prizes ascending",
}
HIDDEN_BENCHMARKS = {
    "hidden_bids/benchmark_n4_descending": "4 cards, prizes descending",
    "hidden_bids/benchmark_n4_random": "4 cards",
    "hidden_bids/benchmark_n5_descending": "5 cards, prizes descending",
}
"""Files of results, with their titles; of the second ones bids stay hidden."""

ALGORITHMS = ("cfr", "cfr+", "mccfr", "fictitious-play", "mcts")
HIDDEN_ALGORITHMS = (*ALGORITHMS[:-1], "dcfr", "mmd", "pcfr+")
SAID = "high is said"
BLUFF = ListedTree(
    (
        Chance({1: "1/3", 2: "2/3"}),
        Move(1, {"say high": 3, "give up": 5}, knows="high"),
        Move(1, {"say high": 4, "give up": 5}, knows="low"),
        Move(2, {"doubt": 6, "believe": 7}, SAID),
        Move(2, {"doubt": 8, "believe": 7}, SAID),
        *(-1, 2, 1, -2),
    ),
    title="a bluffing game",
)
"""The game of game_trees.md."""

STILL = {"random": "-", "matching": "--", "published": ":"}
"""Policies that learn nothing, with their lines."""


def main() -> None:
    """Write every picture."""
    for n in range(1, LAST + 1):
        write(f"first_moves_n{n}", plots.first_moves_heatmap(gx.read(first_moves(n))))
    tables = [bounded(read_moves(read_text(first_moves(n)))) for n in range(1, LAST + 1)]
    write("supports", supports(tables))
    write("highest_upcard", highest_upcard(tables[4:]))
    write("parity", parity())
    write("digit_growth", plots.digit_growth({n: longest(n) for n in growth_known()}))
    position = gx.Position([1, 3, 5, 6, 7], [1, 2, 4, 6, 7], [1, 2, 4, 6, 7], upcard=4)
    solution = gx.solve(position, store=":memory:")
    gains = gx.bid_gains(position, store=":memory:")
    write("bid_gains", plots.bid_gains(solution, gains))
    payoffs = gx.payoff_matrix(position, store=":memory:")
    write("payoffs", plots.payoffs_heatmap(payoffs))
    write("solved_payoffs", plots.payoffs_heatmap(gx.solve_matrix_game(payoffs.to_frame())))
    write("envelope", plots.envelope([[2, 3, 1, 5], [4, 1, 6, 0]]))
    rules = gx.Rules(objective="win", ties="carryover")
    write("own_rules", plots.first_moves_heatmap(gx.first_move(5, rules=rules, store=":memory:")))
    write("game_tree", plots.game_tree(gx.solve_game(BLUFF)))
    write("family", plots.family(first_prize()))
    write("first_prize", first_bids(gx.Game(5)))
    write("peers", times(PEERS))
    write("sure_wins", won_already())
    write("castles", castles())
    write("benchmark", learning(BENCHMARKS, ALGORITHMS, 2))
    write("benchmark_hidden_bids", learning(HIDDEN_BENCHMARKS, HIDDEN_ALGORITHMS, 1))
    for name, (notebook, place) in FROM_NOTEBOOKS.items():
        (FOLDER / f"{name}.png").write_bytes(shown(notebook)[place])
    write("three_games", three_games())
    for script in GALLERY.glob("*.py"):
        (FOLDER / f"gallery/{script.stem}.png").write_bytes(
            run_path(str(script))["picture"].png(GALLERY_DPI)
        )


def three_games() -> plots.Picture:
    """A matrix game, a game tree and the first moves of six cards, side by side, each with its solution."""
    sides = ("left", "right")
    kicks = gx.MatrixGame([["58.30", "94.97"], ["92.91", "69.92"]], sides, sides, "penalty kicks")
    pictures = [
        plots.payoffs_heatmap(gx.solve_matrix_game(kicks)).png(DPI),
        *((FOLDER / f"{name}.png").read_bytes() for name in ("game_tree", "first_moves_n6")),
    ]
    images = [imread(BytesIO(picture)) for picture in pictures]
    widths = [image.shape[1] / image.shape[0] for image in images]
    figure = plots.Picture(figsize=(PANEL_INCHES * sum(widths), PANEL_INCHES))
    panels = figure.subplots(1, 3, width_ratios=widths)
    figure.subplots_adjust(0, 0, 1, 1, 0, 0)
    for axes, image in zip(panels, images, strict=True):
        axes.imshow(image)
        axes.set_axis_off()
    return figure


def first_prize() -> gx.Family:
    """The first round of five cards, with 0 to 6 points for the prize in place of 5."""
    matrix = gx.payoff_matrix(gx.Position.start(5).at(5), store=":memory:").to_frame()
    higher = np.sign(np.subtract.outer(matrix.index, matrix.columns))
    return gx.solve_family(matrix - 5 * higher, higher, 0, 6)


def first_bids(game: gx.Game) -> plots.Picture:
    """How often each card is bid first, for each number of points that the highest prize may be worth."""
    at, *mixes = zip(*worths(game)["points"], strict=True)
    figure = plots.Picture(figsize=(7, 3), layout="constrained")
    axes = figure.subplots()
    shades = colormaps["Blues"]
    colors = [shades(card / game.n) for card in game.hand]
    axes.stackplot(at, *mixes, labels=map(str, game.hand), colors=colors)
    axes.set(xlim=(0, game.n + 2), ylim=(0, 1), ylabel="probability")
    axes.set(xlabel=f"worth of the {game.n}, in points")
    axes.legend(title="bid", loc="center right", reverse=True)
    return figure


def write(name: str, picture: plots.Picture) -> None:
    """One picture."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.png").write_bytes(picture.png(DPI))


def first_moves(n: int) -> Path:
    """The file of first moves that results/ keeps."""
    exact = RESULTS / f"exact/first_moves_n{n}.json"
    return exact if n <= LAST_EXACT else RESULTS / f"float/first_moves_n{n}.csv"


def supports(tables: Sequence[BoundedTable]) -> plots.Picture:
    """Which cards are bid at which upcard, a panel a game: dark if bid, blank if never, half dark if neither is proved."""
    figure, panels = first_move_panels(tables, "Cards bid at the first move", "upcard", "card")
    for axes, table in panels:
        played = [
            [{True: 1.0, None: 0.5, False: 0.0}[table.at(u, c).positive] for u in table.cards]
            for c in table.cards
        ]
        edges = (0.5, table.n + 0.5, table.n + 0.5, 0.5)
        axes.imshow(played, cmap="Blues", vmin=0, vmax=1.25, extent=edges)
        axes.set_xticks([1, table.n])
        axes.set_yticks([1, table.n])
    return figure


def highest_upcard(tables: Sequence[BoundedTable]) -> plots.Picture:
    """The bids at the highest upcard, coloured by parity, a panel a game; the bar of the highest card is cut off."""
    title = "Bids at the highest upcard; blue: cards of its parity, orange: the others"
    figure, panels = first_move_panels(tables, title, "card", "probability")
    columns = [[p.middle for p in table.columns[-1]] for table in tables]
    top = 1.15 * max(p for column in columns for p in column[:-1])
    for (axes, table), column in zip(panels, columns, strict=True):
        colours = [plots.ORANGE if (table.n - card) % 2 else plots.BLUE for card in table.cards]
        axes.bar(list(table.cards), column, color=colours)
        axes.set_ylim(0, top)
        axes.text(table.n - 0.6, top, f"{column[-1]:.2f} ", ha="right", va="top", fontsize="small")
        axes.set_xticks(sorted({1, (table.n + 1) // 2, table.n}))
    return figure


def first_move_panels(
    tables: Sequence[BoundedTable], title: str, across: str, along: str
) -> tuple[plots.Picture, list[tuple[Axes, BoundedTable]]]:
    """A figure with a small panel for each game, five a row."""
    rows, columns = -(-len(tables) // PANELS_A_ROW), min(len(tables), PANELS_A_ROW)
    size = SMALL_INCHES * columns + 1, SMALL_INCHES * rows + 1
    figure = plots.Picture(figsize=size, layout="constrained")
    figure.suptitle(title)
    figure.supxlabel(across)
    figure.supylabel(along)
    panels = []
    for index, table in enumerate(tables, start=1):
        axes = figure.add_subplot(rows, columns, index)
        axes.set_title(f"N = {table.n}", fontsize="small")
        axes.tick_params(length=0, labelsize="x-small")
        panels.append((axes, table))
    return figure, panels


def shown(notebook: str) -> list[bytes]:
    """The pictures that a notebook is kept with."""
    kept = nbformat.read(NOTEBOOKS / f"{notebook}.ipynb", as_version=4)
    outputs = (output for cell in kept.cells for output in cell.get("outputs", []))
    found = (output.get("data", {}).get("image/png") for output in outputs)
    return [b64decode(picture) for picture in found if picture]


def times(path: Path) -> plots.Picture:
    """Core seconds against the size of random games, a panel per kind, a line per solver."""
    lines: dict[str, dict[str, list[tuple[int, float]]]] = {
        kind: defaultdict(list) for kind in KINDS
    }
    with path.open(encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            if row["games"] in lines:
                measured = int(row["size"]), float(row["seconds"])
                lines[row["games"]][row["solver"]].append(measured)
    solvers = list(dict.fromkeys(solver for each in lines.values() for solver in each))
    figure = plots.Picture(figsize=(PANEL_INCHES * len(KINDS), 4.6), layout="constrained")
    panels = figure.subplots(1, len(KINDS), sharey=True)
    for axes, (kind, title) in zip(panels, KINDS.items(), strict=True):
        for place, solver in enumerate(solvers):
            ours, floats = place == 0, "floats" in solver
            axes.loglog(
                *zip(*lines[kind][solver], strict=True) if solver in lines[kind] else ((), ()),
                "o--" if floats else "o-",
                color="black" if ours else "grey" if floats else f"C{place - 1}",
                alpha=0.5 if solver.endswith("default options") else 1.0,
                linewidth=2.4 if ours else 1.2,
                markersize=4,
                label=solver,
            )
        axes.set_title(title, fontsize="medium")
        sizes = sorted({size for each in lines[kind].values() for size, _ in each})
        axes.set_xticks(sizes, map(str, sizes), fontsize="small")
        axes.minorticks_off()
        axes.grid(alpha=0.3)
        axes.set_xlabel("rows and columns")
    panels[0].set_ylabel("core seconds")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=5, fontsize="small", frameon=False
    )
    return figure


def parity() -> plots.Picture:
    """Bids at the highest upcard, ties discarded, carried over and impossible, a panel per number of cards."""
    chances: dict[int, dict[str, list[float]]] = {}
    for n in PARITY_CARDS:
        discarded, carried = (
            bounded(read_moves(read_text(RESULTS / f"{name}_n{n}.csv"), rules))
            for name, rules in (
                ("float/first_moves", PLAIN),
                ("rules/points_carryover_random", PLAIN | {"ties": "carryover"}),
            )
        )
        chances[n] = {
            "ties discarded": [p.middle for p in discarded.columns[-1]],
            "ties carried over": [p.middle for p in carried.columns[-1]],
        }
    with (RESULTS / "patterns/no_ties.csv").open(encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            if int(row["n"]) in PARITY_CARDS and row["player"] == "2":
                column = chances[int(row["n"])].setdefault("no ties possible", [])
                column.append(float(row["probability"]))
    figure = plots.Picture(figsize=(PANEL_INCHES * len(chances), 3.4), layout="constrained")
    panels = figure.subplots(1, len(chances), sharey=True)
    for axes, (n, lines) in zip(panels, chances.items(), strict=True):
        for (label, column), style in zip(lines.items(), ("o-", "s--", "^:"), strict=True):
            axes.plot(range(1, n), column[:-1], style, markersize=4, label=label)
        axes.set_title(f"N = {n}", fontsize="medium")
        axes.set_xlabel("card, or its place in the hand")
        axes.set_xticks(range(1, n))
        axes.grid(alpha=0.3)
    panels[0].set_ylabel("probability at upcard N\n(the highest card left out)")
    panels[0].legend(fontsize="small")
    return figure


def won_already() -> plots.Picture:
    """The share of positions that are won already against the cards left, a line per game.

    As ``python studies/sure_wins.py 11 --layers`` counts them.
    """
    lines: dict[int, list[tuple[int, float]]] = defaultdict(list)
    with SURE_WINS.open(encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            share = int(row["positions won"]) / int(row["positions"])
            lines[int(row["n"])].append((int(row["cards left"]), share))
    figure = plots.Picture(figsize=(2 * PANEL_INCHES, PANEL_INCHES), layout="constrained")
    axes = figure.subplots()
    for n, line in lines.items():
        axes.plot(*zip(*line, strict=True), "o-", markersize=3, label=str(n))
    axes.set_xlabel("cards left a side")
    axes.set_ylabel("share won already")
    axes.set_ylim(0, 1)
    axes.grid(alpha=0.3)
    figure.legend(title="cards a side", loc="outside right center", fontsize="small", frameon=False)
    return figure


def castles() -> plots.Picture:
    """The probability of each number of soldiers at ten castles, even and odd numbers in two colours, a panel per castle."""
    sent: dict[str, list[tuple[int, float]]] = defaultdict(list)
    with CASTLES.open(encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            if row["soldiers"] == SOLDIERS:
                numbers = sent[row["castle"]]
                numbers.append((int(row["sent"]), float(gx.BigRational(row["probability"]))))
    rows = -(-len(sent) // PANELS_A_ROW)
    figure = plots.Picture(
        figsize=(PANELS_A_ROW * SMALL_INCHES, rows * SMALL_INCHES), layout="constrained"
    )
    panels = figure.subplots(rows, PANELS_A_ROW).flat
    for axes, (castle, numbers) in zip(panels, sent.items(), strict=True):
        for parity, colour, label in ((0, "C0", "even"), (1, "C1", "odd")):
            bars = [(number, share) for number, share in numbers if number % 2 == parity]
            axes.bar(*zip(*bars, strict=True), color=colour, label=label)
        axes.set_title(f"castle {castle}", fontsize="small")
        axes.tick_params(labelsize="x-small")
    figure.supxlabel("soldiers", fontsize="small")
    figure.supylabel("probability", fontsize="small")
    axes.legend(fontsize="x-small")
    return figure


def learning(names: dict[str, str], algorithms: Sequence[str], rows: int) -> plots.Picture:
    """Exploitability against core seconds of training, a panel per game, a line per algorithm.

    Args:
        names: {file of ``python studies/train.py --emit csv`` in results: title}.
        algorithms: their names.
        rows: of panels.
    """
    columns = len(names) // rows
    figure = plots.Picture(
        figsize=(columns * PANEL_INCHES, rows * PANEL_INCHES), layout="constrained"
    )
    panels = figure.subplots(rows, columns).flat
    for axes, (name, title) in zip(panels, names.items(), strict=True):
        lines: dict[str, list[tuple[float, float]]] = defaultdict(list)
        still: dict[str, float] = {}
        with (RESULTS / f"{name}.csv").open(encoding="ascii", newline="") as file:
            for row in csv.DictReader(file):
                found = float(row["exploitability"])
                if row["iterations"] != "0":
                    lines[row["policy"]].append((float(row["seconds"]), found))
                elif found > 0:
                    still[row["policy"]] = found
        for place, policy in enumerate(algorithms):
            measured = [point for point in lines[policy] if min(point) > 0]
            axes.loglog(
                *zip(*measured, strict=True) if measured else ((), ()),
                "o-",
                color=f"C{place}",
                markersize=3,
                label=policy,
            )
        for policy, dashes in STILL.items():
            if policy in still:
                axes.axhline(
                    still[policy], color="grey", linewidth=1, linestyle=dashes, label=policy
                )
        axes.set_title(title, fontsize="medium")
        axes.set_xlabel("core seconds")
        axes.set_ylabel("exploitability, points")
        axes.grid(alpha=0.3)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=4, fontsize="small", frameon=False
    )
    return figure


def growth_known() -> list[int]:
    """The games of which results/ keeps the growth."""
    return sorted(
        int(path.stem.removeprefix("growth_n")) for path in RESULTS.glob("digests/growth_*")
    )


def longest(n: int) -> list[tuple[int, int]]:
    """(cards a side, digits of the longest denominator) of each layer."""
    with (RESULTS / f"digests/growth_n{n}.csv").open(encoding="ascii", newline="") as file:
        return [
            (int(row["cards_a_side"]), int(row["most_digits"]))
            for row in csv.DictReader(file)
            if row["most_digits"]
        ]


if __name__ == "__main__":
    main()
