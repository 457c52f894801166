"""Documents of solved games with a false claim, and of kinds that `verify` does not take, for the forger.

A claim is also that a document obeys its schema: a number that is not in lowest terms, or a member of another
type, makes it false. An independent reader of schemas and the oracles decide.
"""

import json
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import product

import oracle
from hidden_oracle import is_strategy, oracle_reply, plain
from own_games import is_solution, random_game
from truth import is_number, obeys, places

import gops_exact as gx
from gops_exact.extensive import HiddenBids, approximate, solve_game
from gops_exact.show.explorer import position_document

MOST_ROWS = 4
"""Rows and columns of a matrix game: with more, the oracle takes long."""

ODD = (
    None,
    True,
    0,
    1,
    -1,
    1.5,
    "",
    "0",
    "7",
    "-1",
    "03",
    "14/10",
    "1/1",
    "-0",
    "0/1",
    " 1",
    "x",
    [],
    {},
)
"""Values that are wrong nearly everywhere."""


# Matrix games


def matrix_document(rng):
    """The document of a small game, degenerate every other time."""
    game = random_game(rng)
    game = [line[:MOST_ROWS] for line in game[:MOST_ROWS]]
    return json.loads(gx.solve_matrix_game(game).emit("json"))


def is_true_matrix(document):
    """Whether every claim of a document of a matrix game is true."""
    labels, payoff = document["labels"], document["payoff"]
    m, n = len(labels["rows"]), len(labels["columns"])
    if len(payoff) != m or any(len(line) != n for line in payoff):
        return False
    if (len(document["row"]), len(document["column"])) != (m, n) or not is_solution(document):
        return False
    rows, columns = oracle.extreme_strategies([list(map(Fraction, line)) for line in payoff])
    claims = document["row_unique"], document["column_unique"]
    return claims == (len(rows) == 1, len(columns) == 1)


# Hidden bids


@cache
def hidden_documents():
    """Equilibria, and strategies near one, as text."""
    found = []
    for objective, ties, prizes in product(
        ("points", "win"), ("discard", "carryover"), ("random", "ascending", (2, 3, 1))
    ):
        game = gx.Game(3, gx.Rules(objective, ties, prizes))
        for seen in product((False, True), repeat=2):
            hidden = HiddenBids(game, seen)
            found += [
                solve_game(hidden).emit("json"),
                approximate(hidden, iterations=5).emit("json"),
            ]
    for n, prizes in ((2, "random"), (2, "descending"), (4, "descending")):
        found.append(solve_game(HiddenBids(gx.Game(n, gx.Rules(prizes=prizes)))).emit("json"))
    return found


def hidden_document(rng):
    return json.loads(rng.choice(hidden_documents()))


def is_true_hidden(document):
    """Whether every claim of a document of hidden bids is true."""
    n, named = document["n"], document["rules"]
    prizes = named["prizes"] if isinstance(named["prizes"], str) else tuple(named["prizes"])
    if n > 4 or (not isinstance(prizes, str) and sorted(prizes) != [*range(1, n + 1)]):
        return False
    rules, seen = gx.Rules(**named | {"prizes": prizes}), tuple(document["seen"])
    bounds = ("least", "most") if "least" in document else ("value", "value")
    for player, (name, bound) in enumerate(zip(("row", "column"), bounds, strict=True)):
        strategy = plain(document[name])
        if not is_strategy(n, rules, seen, strategy, player):
            return False
        if oracle_reply(n, rules, seen, strategy, player) != Fraction(document[bound]):
            return False
    return True


# Changes


def change_number(rng, document):
    """Change one exact number, or shift probability from one bid to another."""
    tree, key = rng.choice([(tree, key) for tree, key in places(document) if is_number(tree[key])])
    step = Fraction(rng.choice((-1, 1)), rng.choice((1, 2, 7, 10**6, 10**40)))
    others = (
        []
        if tree is document
        else [each for side, each in places(tree) if side is tree and each != key]
    )
    if others and rng.random() < 0.6:
        other = rng.choice(others)
        tree[other] = str(Fraction(tree[other]) - step)
    tree[key] = str(Fraction(tree[key]) + step)


def change_claim(rng, document):
    """Deny or claim that a strategy is the only one; exchange sides, bounds or who sees bids."""
    kind = rng.choice(["unique", "swap", "seen", "bounds", "n", "rules"])
    if kind == "unique" and "row_unique" in document:
        name = rng.choice(["row_unique", "column_unique"])
        document[name] = not document[name]
    elif kind == "swap":
        document["row"], document["column"] = document["column"], document["row"]
    elif "seen" in document and kind == "seen":
        document["seen"] = [rng.random() < 0.5, rng.random() < 0.5]
    elif "least" in document and kind == "bounds":
        document["least"], document["most"] = document["most"], document["least"]
    elif "n" in document and kind == "n":
        document["n"] += rng.choice([-1, 1])
    elif "rules" in document:
        name = rng.choice(["objective", "ties", "prizes"])
        others = {"objective": ["points", "win"], "ties": ["discard", "carryover"]}
        document["rules"][name] = rng.choice(
            others.get(name, ["random", "descending", [1, 3, 2], "hidden"])
        )


def change_sets(rng, document):
    """Name information sets that are not reached or do not exist, leave one out, or move one."""
    side = document[rng.choice(["row", "column"])]
    if not isinstance(side, dict):
        return
    name, text = rng.choice(list(side)), rng.choice(["1", "7", "-1", "1/2", "0"])
    match rng.randrange(4):
        case 0:
            del side[name]
        case 1:
            rounds = [
                f"{rng.randint(1, 4)}:{rng.randint(1, 4)}{rng.choice('-=+')} "
                for _ in range(rng.randrange(4))
            ]
            side.setdefault(
                "".join(rounds) + str(rng.randint(1, 4)), {str(rng.randint(1, 4)): text}
            )
        case 2:
            side[name][str(rng.randint(1, 9))] = text
        case _:
            side[name.replace(name[-1], str(rng.randint(1, 4)))] = side.pop(name)


def change_form(rng, document):
    """Write a number otherwise, or put in something odd; drop, double or add a member."""
    tree, key = rng.choice(places(document))
    match rng.randrange(5):
        case 0 if is_number(tree[key]):
            p, _, q = tree[key].partition("/")
            forms = [f"0{p}", f"{p}/{q or 1}", f"+{p}", f" {tree[key]}", f"{tree[key]}\n", f"{p}.0"]
            if p.lstrip("-").isdecimal():
                forms.append(f"{2 * int(p)}/{2 * int(q or 1)}")
            tree[key] = rng.choice(forms)
        case 1:
            del tree[key]
        case 2 if isinstance(tree, dict):
            tree["more"] = deepcopy(tree[key])
        case _:
            tree[key] = deepcopy(rng.choice(ODD))


GAME_CHANGES = {
    "number": change_number,
    "claim": change_claim,
    "sets": change_sets,
    "form": change_form,
}
"""A change of each claim of a solved game."""

SOLVED = {
    "matrix game": (matrix_document, "matrix-game-1", is_true_matrix),
    "hidden bids": (hidden_document, "hidden-bids-1", is_true_hidden),
}
"""What makes a true document, its schema, and what decides about its claims."""


def game_document(rng, kind, claim):
    """The text of a document, with a false claim if one is named; None if the change left all true."""
    make, name, is_right = SOLVED[kind]
    document = make(rng)
    if claim:
        GAME_CHANGES[claim](rng, document)
        if obeys(document, name) and is_right(document):
            return None
    return json.dumps(document, indent=rng.choice([None, 1]))


# Kinds that are not taken


@cache
def other_documents():
    """A document of every other kind that has a schema, {schema: text}."""
    position = gx.Position([2, 4], [1, 3], [12, 13])
    solver = gx.solver(store=":memory:")
    solutions = [solver.solve(each) for _, each in position.turns()]
    whole = position_document(position, "exact", solver.value(position), solutions)
    table = gx.payoff_matrix(position.at(13), store=":memory:").emit("json")
    return {
        "position-1": json.dumps(whole),
        "policy-table-1": json.dumps({"0-1-2": [[0, 0.25], [1, 0.75]]}),
        "records-1": json.dumps([{"n": 3, "policy": "random", "loss": "1/3"}]),
        "table-1": table,
    }


def other_document(rng):
    """The text of a document that `verify` cannot prove, changed or not."""
    document = json.loads(rng.choice(list(other_documents().values())))
    if rng.random() < 0.7:
        change_form(rng, document)
    return json.dumps(document)
