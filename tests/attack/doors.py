"""Random games through every door in and out: files of each format, and objects of other packages.

A case is one random tree and one random matrix game. Each leaves in every format, comes back, and is solved again. The
value, and of a matrix game all payoffs, must be the same. Packages that are missing have no doors. Other packages refuse
odd names, and their floats hold only small numbers, so games with others pass those doors by.
"""

import json
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
from case_runner import Wrong
from games import game, random_game, random_tree

import gops_exact as gx
from gops_exact.exchange import (
    SpielTree,
    gambit_profile,
    profile_strategies,
    write_efg,
    write_nfg,
)

INSTALLED = {name for name in ("pygambit", "pyspiel", "nashpy", "quantecon") if find_spec(name)}
LONGEST = 12
"""Most letters of a payoff that floats, and decimals of other programs, are trusted with."""


def prepare():
    """Import the other packages once, before cases are forked."""
    for name in INSTALLED:
        import_module(name)


def written(name, text):
    path = Path(name)
    path.write_text(text, "utf-8")
    return path


def are_short(numbers):
    """Return True if floats hold the numbers, and SpielTree finds them again."""
    return all(len(str(number)) <= LONGEST for number in numbers)


# Doors of trees: each yields its name and the value behind it


def tree_doors(tree, *, odd):
    solved = gx.solve_game(tree)
    document, efg = solved.emit("json"), write_efg(tree)
    yield "JSON", gx.solve_game(written("game.json", document)).value
    yield "read JSON", gx.solve_game(gx.read("game.json").game).value
    yield "one line of JSON", gx.read(written("line.json", json.dumps(json.loads(document)))).value
    yield "efg", gx.solve_game(written("game.efg", efg)).value
    yield "efg, twice", gx.solve_game(written("twice.efg", write_efg(gx.read("game.efg")))).value
    workbook = f'<?xml version="1.0"?>\n<gambit:document><game>\n<efgfile>{escape(efg)}</efgfile></game></gambit:document>'
    yield "gbt", gx.solve_game(written("game.gbt", workbook)).value
    if odd:
        return
    if "pygambit" in INSTALLED:
        import pygambit

        of_gambit = pygambit.read_efg("game.efg")
        yield "pygambit", gx.solve_game(of_gambit).value
        again = gx.solve_game(gx.read(written("gambit.efg", of_gambit.to_efg())))
        yield "pygambit's efg", again.value
        row, column = profile_strategies(gambit_profile(again, of_gambit))
        yield "pygambit's profile", again.value + gx.exploitability(again.game, row, column)
    if "pyspiel" in INSTALLED and are_short(efg.replace("{", " ").replace("}", " ").split()):
        import pyspiel

        try:
            of_spiel = pyspiel.load_game("efg_game(filename=game.efg)")
        except pyspiel.SpielError:
            return
        yield "pyspiel", gx.solve_game(of_spiel).value
        yield "SpielTree", gx.solve_game(SpielTree(of_spiel)).value


# Doors of matrix games: each yields its name and the game behind it


def table(cells, delimiter):
    return "".join(f"{delimiter.join(line)}\n" for line in cells)


def matrix_doors(payoffs):
    m, n = len(payoffs), len(payoffs[0])
    rows, columns = [f"r {i}" for i in range(m)], [f"c {j}" for j in range(n)]
    texts = [list(map(str, line)) for line in payoffs]
    labelled = gx.MatrixGame(texts, rows, columns)
    grid = [["", *columns], *([row, *line] for row, line in zip(rows, texts, strict=True))]
    solution = gx.solve_matrix_game(labelled)
    yield "JSON of a solution", gx.read(written("solved.json", solution.emit("json"))).game
    yield "JSON", gx.read(written("game.json", json.dumps(texts)))
    yield "nfg", gx.read(written("game.nfg", write_nfg(labelled)))
    workbook = f'<?xml version="1.0"?>\n<gambit:document><game>\n<nfgfile>{escape(write_nfg(labelled))}</nfgfile></game></gambit:document>'
    yield "gbt", gx.read(written("game.gbt", workbook))
    yield "csv", gx.read(written("game.csv", table(grid, ",")))
    yield "tsv", gx.read(written("game.tsv", table(grid, "\t")))
    yield "semicolons", gx.read(written("game.txt", table(grid, ";")))
    rule = ["---"] * (n + 1)
    lines = (f"| {' | '.join(line)} |\n" for line in (grid[0], rule, *grid[1:]))
    yield "Markdown", gx.read(written("game.md", "".join(lines)))
    if min(m, n) > 1:
        yield "blanks", gx.read(written("blanks.txt", table(texts, " ")))
    pairs = {(rows[i], columns[j]): texts[i][j] for i, j in product(range(m), range(n))}
    yield "pairs", gx.solve_matrix_game(pairs).game
    both = texts, [[str(-Fraction(cell)) for cell in line] for line in texts]
    yield "both players", gx.solve_matrix_game(both).game
    if "pygambit" in INSTALLED:
        import pygambit

        of_gambit = pygambit.read_nfg("game.nfg")
        yield "pygambit", gx.solve_matrix_game(of_gambit).game
        if regret := gambit_profile(solution, of_gambit).max_regret():
            raise Wrong("pygambit's profile of a solution has a regret", regret)
    if not are_short(cell for line in texts for cell in line) or not all(
        Fraction(cell).denominator == 1 for line in texts for cell in line
    ):
        return
    floats = np.array(payoffs, dtype=float)
    yield "lrs and numpy.savetxt", gx.read(printed(floats))
    if "nashpy" in INSTALLED:
        import nashpy

        yield "nashpy", gx.solve_matrix_game(nashpy.Game(floats.astype(int))).game
        yield (
            "both of nashpy",
            gx.solve_matrix_game(nashpy.Game(floats.astype(int), -floats.astype(int))).game,
        )
    if "quantecon" in INSTALLED:
        from quantecon.game_theory import NormalFormGame, Player

        sides = Player(floats.astype(int)), Player(-floats.astype(int).T)
        yield "quantecon", gx.solve_matrix_game(NormalFormGame(sides)).game
    if "pyspiel" in INSTALLED:
        import pyspiel

        of_spiel = pyspiel.create_matrix_game("g", "g", rows, columns, floats, -floats)
        yield "pyspiel", gx.solve_matrix_game(of_spiel).game


def printed(floats):
    """Write a matrix as numpy.savetxt does, in full."""
    np.savetxt("floats.txt", floats, fmt="%d")
    return Path("floats.txt")


def doors_case(rng, _place):
    odd = rng.random() < 0.5
    tree, _ = random_tree(rng) if odd else random_game(rng, hidden=rng.random() < 0.8)
    value = gx.solve_game(tree).value
    passed = []
    for door, other in tree_doors(tree, odd=odd):
        passed.append(f"tree: {door}")
        if other != value:
            raise Wrong(f"{door}: another value of a tree", other, value)
    _, payoffs = game(rng, ("square", "oblong"))
    whole = gx.MatrixGame([list(map(str, line)) for line in payoffs])
    for door, other in matrix_doors(payoffs):
        passed.append(f"matrix: {door}")
        if other.numbers.rows != whole.numbers.rows:
            raise Wrong(f"{door}: other payoffs", other, whole)
        if gx.solve_matrix_game(other).value != gx.solve_matrix_game(whole).value:
            raise Wrong(f"{door}: another value of a matrix game", payoffs)
    return passed
