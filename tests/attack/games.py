"""Random matrix games of all shapes and kinds: solved by every path, given in every form, and certified.

By half they are degenerate: repeated and dominated bids, ties, antisymmetry. Entries are
small integers, fractions of many digits, numbers beyond the range of floats, huge and tiny ones in one matrix, and
numbers whose differences floats cannot see.

Every path must give the same value and the same answers about uniqueness, and every solution must be an equilibrium
by the oracle. Every form in which a user may have a game must give the same answer. Its
certificates must be taken by ``docs/static/check_matrix_game.py``, by ``gops-exact verify``, and by a checker of VIPR's
format.
"""

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from runpy import run_path

import flint
import numpy as np
import oracle
import pandas as pd
import sympy
from case_runner import Wrong
from project_paths import DOCS

import gops_exact as gx
from gops_exact.exchange import read_efg, write_nfg
from gops_exact.exchange.reading import object_of
from gops_exact.extensive import Chance, Move, PathGame, Simultaneous, Tree
from gops_exact.matrix_game.game_files import quoted, quoted_list
from gops_exact.matrix_game.strategies import PATHS
from gops_exact.verify.games import check_game

check_document = run_path(str(DOCS / "static" / "check_matrix_game.py"))["check"]

MOST_FOR_SIMPLEX = 600
"""Entries of a game up to which the rational simplex, the slowest path, is asked, too; of DIGITS
digits more, half as many, and so on."""

DIGITS = 20

MOST_FOR_THE_SET = 60
"""Entries up to which all optimal strategies are listed: of a degenerate game they can be very many."""

HUGE = 10**400
"""Beyond the range of floats, and so is its reciprocal."""

SMALL = {
    "integers": lambda rng: rng.randint(-100, 100),
    "signs": lambda rng: rng.randint(-1, 1),
    "bits": lambda rng: rng.randint(0, 1),
    "small fractions": lambda rng: Fraction(rng.randint(-9, 9), rng.choice((1, 1, 2, 7, 10**9))),
}
ENTRIES = SMALL | {
    "long fractions": lambda rng: Fraction(rng.randint(-(10**30), 10**30), rng.randint(1, 10**30)),
    "64 bits": lambda rng: rng.randint(-(2**63), 2**63 - 1),
    "huge": lambda rng: rng.randint(-9, 9) * HUGE + rng.randint(-9, 9),
    "huge and tiny": lambda rng: rng.randint(-9, 9) * Fraction(HUGE) ** rng.randint(-1, 1),
    "close fractions": lambda rng: Fraction(1, 3) + Fraction(rng.randint(-3, 3), 10**40),
    "near ties": lambda rng: rng.randint(-1, 1) + Fraction(rng.randint(-1, 1), 10**25),
}

SHAPES = {
    "square": (35, (1, 9), None),
    "oblong": (35, (1, 9), (1, 9)),
    "middling": (15, (10, 18), (6, 22)),
    "thin": (14, (1, 5), (10, 150)),
    "large": (1, (20, 28), (20, 28)),
}
"""Shares in percent, and between which numbers one side and the other are; None for equal sides."""


def plain(rng, m, n, entry):
    """Independent entries."""
    return [[entry(rng) for _ in range(n)] for _ in range(m)]


def repeated(rng, m, n, entry):
    """Rows and columns drawn with repetition from those of a smaller game."""
    core = plain(rng, rng.randint(1, m), rng.randint(1, n), entry)
    columns = rng.choices(range(len(core[0])), k=n)
    return [[row[j] for j in columns] for row in rng.choices(core, k=m)]


def dominated(rng, m, n, entry):
    """Rows below others, strictly or in some places, and columns above others."""
    rows = plain(rng, m, n, entry)
    for i in range(1, m):
        if rng.random() < 0.5:
            above = rows[rng.randrange(i)]
            rows[i] = [x - rng.choice((0, 0, 1)) * abs(entry(rng)) for x in above]
    for j in range(1, n):
        if rng.random() < 0.5:
            below = rng.randrange(j)
            for row in rows:
                row[j] = row[below] + rng.choice((0, 0, 1)) * abs(entry(rng))
    return rows


def skew_symmetric(rng, m, n, entry):
    """A fair game, every other time with a bid that pays 0 against any."""
    size = min(m, n)
    half = plain(rng, size, size, entry)
    idle = rng.choice((None, rng.randrange(size)))
    return [
        [0 if idle in (i, j) else half[i][j] - half[j][i] for j in range(size)] for i in range(size)
    ]


DEGENERATE = repeated, dominated, skew_symmetric


def game(rng, shapes=tuple(SHAPES), entries=ENTRIES):
    """A name for the kind of game, and its payoffs."""
    (shape,) = rng.choices(shapes, weights=[SHAPES[name][0] for name in shapes])
    _, one, other = SHAPES[shape]
    m = rng.randint(*one)
    n = m if other is None else rng.randint(*other)
    if rng.random() < 0.5:
        m, n = n, m
    kind = rng.choice(list(entries))
    build = rng.choice([plain, rng.choice(DEGENERATE)])
    return f"{build.__name__}, {shape}, {kind}", build(rng, m, n, entries[kind])


def small_game(rng):
    """Payoffs of up to nine bids a side, integers and short fractions."""
    return game(rng, ("square", "oblong"), SMALL)[1]


def check_paths(matrix):
    """Solve a game by all paths that suit its size; returns how often each was taken."""
    has_saddle = max(map(min, matrix)) == min(map(max, zip(*matrix, strict=True)))
    entries = len(matrix) * len(matrix[0])
    digits = max(len(str(x)) for row in matrix for x in row)
    answers = {}
    for path in PATHS:
        if path == "simplex" and entries * (1 + digits // DIGITS) > MOST_FOR_SIMPLEX:
            continue
        if path == "closed form" and not has_saddle and not len(matrix) == len(matrix[0]) == 2:
            continue
        answers[path] = gx.solve_matrix_game(matrix, path)
    if all(isinstance(x, int) and -(2**63) <= x < 2**63 for row in matrix for x in row):
        answers["numpy"] = gx.solve_matrix_game(np.array(matrix, dtype=np.int64))
    claims = set()
    for answer in answers.values():
        is_equilibrium(matrix, answer)
        row, column = tuple(answer.row), tuple(answer.column)
        claims.add((answer.row_unique and row, answer.column_unique and column))
    if len(claims) > 1:
        raise Wrong("unique by one path and not by another", claims)
    if entries <= MOST_FOR_THE_SET:
        against_the_set(matrix, answers["auto"])
    return Counter([*answers, *["optimal set"] * (entries <= MOST_FOR_THE_SET)])


def is_equilibrium(matrix, found):
    """Check value and strategies by the oracle: min(xᵀX) = v = max(Xy)."""
    sides = ([p.to_fraction() for p in side] for side in (found.row, found.column))
    fits = (len(found.row), len(found.column)) == (len(matrix), len(matrix[0]))
    if not fits or not oracle.is_optimal(matrix, found.value.to_fraction(), *sides):
        raise Wrong("no equilibrium", found)


def against_the_set(matrix, found):
    """Check the set of optimal strategies, and what is said about uniqueness against it."""
    everything = gx.optimal_set(matrix)
    for side in ("row", "column"):
        extreme = getattr(everything, side)
        for strategy in extreme:
            is_equilibrium(matrix, replace(found, **{side: strategy}))
        if len(set(extreme)) != len(extreme) or not extreme:
            raise Wrong(f"optimal_set repeats a {side} strategy, or has none")
        if getattr(found, f"{side}_unique") != (len(extreme) == 1):
            raise Wrong(f"unique {side} or not against the extreme strategies", len(extreme))


# Forms and certificates


def forms(rng, game):
    """Yield a game in every form: its name, the form, and whether it has labels of rows and of columns."""
    m, n = len(game), len(game[0])
    rows, columns = [f"r {i}" for i in range(m)], [f"c; {j}" for j in range(n)]
    texts = [list(map(str, line)) for line in game]
    both, none = (True, True), (False, False)
    yield "text", texts, none
    yield "tuples", tuple(map(tuple, game)), none
    yield "objects of numpy", np.array(game, dtype=object), none
    yield "a masked array", np.ma.array(game, dtype=object), none
    # A view: the constructor of the class warns of itself.
    yield "numpy's matrix", np.array(game, dtype=object).view(np.matrix), none
    yield "numbers of answers", iter([[*map(gx.view, line)] for line in game]), none
    yield "sympy", sympy.Matrix([[*map(sympy.Rational, line)] for line in texts]), none
    yield "flint", flint.fmpq_mat([[gx.view(x).value for x in line] for line in game]), none
    labelled = gx.MatrixGame(texts, rows, columns)
    yield "labelled frame", pd.DataFrame(game, rows, columns, dtype=object), both
    yield "MatrixGame", labelled, both
    yield "nfg", write_nfg(labelled), both
    document = {"payoff": texts, "labels": {"rows": rows, "columns": columns}}
    yield "json", json.dumps(document, indent=1), both
    yield "bare json", "\n" + json.dumps(texts), none
    delimiter = rng.choice(",;\t")
    for named in (both, (True, False), (False, True), none) if n > 1 or delimiter == "," else ():
        file = io.StringIO()
        writer = csv.writer(file, delimiter=delimiter, lineterminator=rng.choice(("\n", "\r\n")))
        if named[1]:
            writer.writerow([*[""] * named[0], *columns])
        for row, line in zip(rows, texts, strict=True):
            writer.writerow([*[row] * named[0], *line])
        if n > 1 or named[0]:  # a single column shows no delimiter
            yield f"csv with labels {named}", "\n" + file.getvalue(), named
    if all(x.denominator == 1 for line in game for x in line):
        yield "int64", np.array([[int(x) for x in line] for line in game]), none
        yield "integers of flint", flint.fmpz_mat([[*map(int, line)] for line in game]), none


def check_forms(rng, game):
    """Solve a game in every form, and have its certificates checked."""
    solved = gx.solve_matrix_game(game)
    for name, given, (rows, columns) in forms(rng, game):
        other = gx.solve_matrix_game(given)
        if other != solved:
            raise Wrong(f"{name}: another solution", game)
        labels = other.game.rows[0] == "r 0", other.game.columns[0] == "c; 0"
        if labels != (rows, columns):
            raise Wrong(f"{name}: other labels", other.game.rows, other.game.columns)
    document, vipr = solved.emit("json"), solved.emit("vipr")
    for name, fault in (
        ("the checker on the page", check_document(json.loads(document))),
        ("verify", check_game(document).faults),
        ("the reader of VIPR", vipr_fault(vipr, solved)),
    ):
        if fault:
            raise Wrong(f"{name} refuses the certificate", fault, game)


def is_solution(document):
    """Tell if the numbers of a document solve its game."""
    rows, row, column = (document[name] for name in ("payoff", "row", "column"))
    numbers = [list(map(Fraction, line)) for line in (*rows, row, column)]
    return oracle.is_optimal(numbers[:-2], Fraction(document["value"]), *numbers[-2:])


def vipr_fault(text, solved):
    """Return what is wrong with a certificate of a solved matrix game in the format of VIPR 1.0, None if nothing.

    The linear program, its solution and the derivation are checked; how lines are laid out is only read.
    """
    payoff = [[number.to_fraction() for number in line] for line in solved.game.payoff]
    m = len(payoff)
    unit = [("G", 0, {i: 1}) for i in range(m)]
    columns = [
        ("G", 0, {i: x for i, x in enumerate(line) if x} | {m: -1})
        for line in zip(*payoff, strict=True)
    ]
    game_constraints = [*unit, ("E", 1, dict.fromkeys(range(m), 1)), *columns]
    lines = [line.split() for line in text.splitlines()]
    at = [line[0] for line in lines].index

    def form(words):
        return dict(zip(map(int, words[::2]), map(Fraction, words[1::2]), strict=True))

    def value(factors, where):
        return sum(factor * where.get(k, 0) for k, factor in factors.items())

    objective = form(lines[at("OBJ") + 1][1:])
    count, bounds = map(int, lines[at("CON")][1:])
    constraints = [
        (sense, Fraction(bound), objective if words == ["OBJ"] else form(words[1:]))
        for _, sense, bound, *words in lines[at("CON") + 1 :][:count]
    ]
    low, high = map(Fraction, lines[at("RTP")][2:])
    solution = form(lines[at("SOL") + 1][2:])
    _, sense, bound, *words = lines[at("DER") + 1]
    derived = objective if words[0] == "OBJ" else form(words[1 : words.index("{")])
    factors = form(words[words.index("lin") + 2 : words.index("}")])
    combined = Counter()
    for place, factor in factors.items():
        combined.update({k: factor * entry for k, entry in constraints[place][2].items()})
    holds = {"E": Fraction.__eq__, "G": Fraction.__ge__, "L": Fraction.__le__}
    signs = {"E": (-1, 0, 1), "G": (-1, 0), "L": (0, 1)}
    needed = {
        "the constraints of the game": constraints == game_constraints and objective == {m: 1},
        "the value of the game": low == high == solved.value.to_fraction(),
        "bounds of one variable": all(len(form) == 1 for _, _, form in constraints[:bounds]),
        "a feasible solution": all(holds[s](value(f, solution), b) for s, b, f in constraints),
        "a solution that reaches the value": value(objective, solution) >= low,
        "factors of the right signs": all(
            (factor > 0) - (factor < 0) in signs[constraints[place][0]]
            for place, factor in factors.items()
        ),
        "a derivation of the objective": {k: x for k, x in combined.items() if x} == derived,
        "a derivation of the bound": sum(f * constraints[k][1] for k, f in factors.items())
        <= Fraction(bound),
        "the bound that is to be proved": (sense, derived) == ("L", objective)
        and Fraction(bound) <= high,
    }
    return ", ".join(what for what, is_there in needed.items() if not is_there) or None


# Trees


KINDS = Chance, Move, Simultaneous, None
"""What a node of a random tree may be; None is an end."""

ODD_TEXTS = ["", " ", "0", "1", "2", "1 (2)", "None", "\\", '"', '\\"', "a\nb", "\r", "\r\n"]
"""Names that may be taken for numbers, for each other, or for none."""


class Alike:
    """A name that prints as others do, and is equal to none."""

    def __str__(self):
        return "1"


def odd_names(rng):
    """A function that names states, sets and moves oddly, and some sets not at all."""
    names, pools, odd = {}, {}, [*ODD_TEXTS, 0, 1, 2, (), Alike(), Alike()]

    def label(*path):
        if path not in names:
            pool = pools.setdefault(path[:-1], rng.sample(odd, len(odd)))
            names[path] = None if str(path[-1]).endswith("#") else pool.pop() if pool else Alike()
        return names[path]

    return label


def random_game(source, label=lambda *path: path[-1], kinds=KINDS, change=None, *, hidden):
    """A tree with perfect recall, and its normal form, None if a player has more than 64 pure strategies.

    A player's name for a node holds all that the player did and knew before, and ends with # if it is the name of this
    node alone; names are told only if `hidden`. What states, sets of a player and moves are called is up to `label`.
    """
    nodes, draws = [], {}
    turns = {}  # {state: (the set of each who moves there, what follows)}
    moves = {}, {}  # by player, {information set: moves}

    def add(depth, known):
        state = len(nodes)
        payoff = Fraction(source.randint(-9, 9), source.randint(1, 3))
        nodes.append(change(payoff, source) if change else payoff)
        kind = source.choice(kinds) if depth else None
        names = tuple(
            f"{history}{source.choice(['a', 'b', 'c', f'{state}#'])}" for history in known
        )
        if kind is Chance:
            weights = [source.randint(1, 3) for _ in range(source.randint(1, 3))]
            draws[state] = {add(depth - 1, known): Fraction(w, sum(weights)) for w in weights}
            nodes[state] = Chance({label(after): chance for after, chance in draws[state].items()})
        elif kind is not None:
            movers = (0, 1) if kind is Simultaneous else (source.randrange(2),)
            sets = [(names[k] if hidden else state) if k in movers else None for k in (0, 1)]
            labels = [
                moves[k].setdefault(sets[k], range(source.randint(1, 3))) if k in movers else [None]
                for k in (0, 1)
            ]
            later = {}
            for pair in product(*labels):
                after = (f"{names[k]}{pair[k]}" if k in movers else known[k] for k in (0, 1))
                later[pair] = add(depth - 1, tuple(after))
            turns[state] = sets, later
            table = {
                tuple(label(k, sets[k], pair[k]) for k in movers): label(after)
                for pair, after in later.items()
            }
            knows = tuple(label(k, names[k]) if hidden else None for k in movers)
            nodes[state] = (
                Simultaneous(table, knows)
                if kind is Simultaneous
                else Move(movers[0] + 1, {move: table[move,] for (move,) in table}, *knows)
            )
        return state

    def worth(state, *plans):
        """Player one's expectation where both play pure strategies."""
        if state in draws:
            return sum(chance * worth(after, *plans) for after, chance in draws[state].items())
        if state not in turns:
            return nodes[state]
        sets, later = turns[state]
        chosen = (plan.get(name) for plan, name in zip(plans, sets, strict=True))
        return worth(later[tuple(chosen)], *plans)

    add(source.randint(1, 4), ("", ""))
    payoff = None
    if max(prod(map(len, side.values())) for side in moves) <= 64:
        one, two = (
            [dict(zip(side, plan, strict=True)) for plan in product(*side.values())]
            for side in moves
        )
        payoff = [[worth(0, row, column) for column in two] for row in one]
    return Tree(label(0), {label(k): node for k, node in enumerate(nodes)}.__getitem__), payoff


def efg(rng, at, heads, state=0):
    """The lines of a tree in Gambit's format; labels are empty, repeated, or the numbers of other sets."""
    node, later = at(state), ()
    if isinstance(node, Chance):
        later, words = node.outcomes, " ".join(f'"" {p}' for p in node.outcomes.values())
        line = f'c "" {state} "" {{ {words} }} 0'
    elif isinstance(node, Move):
        key, later = (node.player, node.knows or state), node.moves.values()
        label, moves = quoted(rng.choice(ODD_TEXTS)), rng.sample(ODD_TEXTS, len(later))
        head = heads.setdefault(key, f"{len(heads) + 1} {label} {quoted_list(moves)}")
        line = f'p "" {node.player} {head} 0'
    else:
        line = f't "" {state + 1} "" {{ {node} {-node} }}'
    return "\n".join([line, *(efg(rng, at, heads, after) for after in later)])


def check_tree(tree, value=None):
    """Solve a tree; its document, which is returned, must be proved, and come back as it was."""
    solved = gx.solve_game(tree)
    if value not in (None, solved.value) or gx.exploitability(tree, solved.row, solved.column):
        raise Wrong("another value than that of the normal form", solved.value, value)
    if len({keys for keys, _ in solved.table().rows}) < sum(solved.support):
        raise Wrong("a table names two moves alike", solved)
    text = solved.emit("json")
    if faults := check_game(text).faults:
        raise Wrong("verify refuses the document", faults, text)
    again = object_of(text)
    if again != solved or again.emit("json") != text:
        raise Wrong("another game comes back", text, again.emit("json"))
    if gx.solve_game(again.game).value != solved.value:
        raise Wrong("the game that comes back has another value", text)
    return text


def random_tree(rng):
    """A game with odd names, or one in a file of Gambit, with payoffs of any length; and its normal form."""
    longest = rng.choice((1, rng.randint(1, 400)))  # in bits
    changes = (
        None,
        lambda _, source: source.randint(-(1 << longest), 1 << longest),
        lambda _, source: source.choice((-1, 1)) * source.getrandbits(source.randint(1, longest)),
        lambda payoff, _: (1 << longest) + payoff,
        lambda payoff, source: payoff * source.choice((1, 1 << longest)),
        lambda payoff, source: payoff / source.choice((1, 1 << longest)),
    )
    kinds, change = rng.choice((KINDS, (Chance, Move, None))), rng.choice(changes)
    labels, hidden = [odd_names(rng)] if kinds is KINDS else [], rng.random() < 0.8
    payoff = [[0]]
    while payoff is not None and min(len(payoff), len(payoff[0])) == 1:
        tree, payoff = random_game(rng, *labels, kinds=kinds, change=change, hidden=hidden)
    if not labels:
        tree = read_efg('EFG 2 R "" { "" "" } ' + efg(rng, tree.at, {}))
    return tree, payoff


def paths_case(rng, _place):
    name, matrix = game(rng)
    try:
        check_paths(matrix)
    except Wrong as error:
        error.add_note(name)
        raise


def forms_case(rng, _place):
    check_forms(rng, small_game(rng))


def random_graph(rng, moves):
    """A graph whose moves have names from a list, perhaps at several sets, and lead to later sets or ends."""
    names = [f"set {k}" for k in range(rng.randint(1, 5))]
    graph = {}
    for k, name in enumerate(names):
        some = rng.sample(moves, rng.randint(1, 3))
        graph[name] = {move: rng.choice([*names[k + 1 :], "end", "end 2"]) for move in some}
    for before, after in pairwise(names):  # so that a move leads to each set
        graph[before][rng.choice(list(graph[before]))] = after
    return dict(rng.sample([*graph.items()], len(graph)))


def random_path_game(rng):
    """A game of up to five sets a side, with some payoffs, perhaps fractions."""
    graphs = tuple(random_graph(rng, [f"{side}{k}" for k in range(5)]) for side in "ab")
    one, two = ([m for moves in graph.values() for m in moves] for graph in graphs)
    payoffs = {
        row: {
            column: Fraction(rng.randint(-9, 9), rng.choice((1, 1, 2, 3, 7)))
            for column in two
            if rng.random() < 0.8
        }
        for row in one
    }
    return PathGame(graphs, payoffs)
