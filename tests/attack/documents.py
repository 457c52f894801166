"""Documents and stores that state what is false, and true ones: ``gops-exact verify`` must take the latter alone.

A false document is a true one with up to three changes: a number, a claim, a part, or bytes and words of its text. The
oracle, which shares no code with the package, and an independent reader of schemas decide what is true; a change that
leaves all claims true counts as none. A false store has one number changed that can be no other. Files of matrix games,
damaged, are read by ``gops-exact solve``.
"""

import json
import re
import shutil
from contextlib import suppress
from copy import deepcopy
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cache
from pathlib import Path

from case_runner import Wrong
from flint import arb, ctx
from games import (
    ODD_TEXTS,
    check_tree,
    odd_names,
    random_game,
    random_path_game,
    random_tree,
    small_game,
)
from oracle_checks import is_number, is_true, places
from path_oracle import is_true_game
from recursions import RULE_SETS
from stores import contents, put
from stores import first_moves as compute_first_moves
from strategies import random_position
from tree_oracle import Tree, is_true_tree
from words import call

import gops_exact as gx
from gops_exact import extensive, hidden_bids
from gops_exact.exchange import write_nfg
from gops_exact.exchange.reading import object_of
from gops_exact.solvers.exact.ball import BallSystem
from gops_exact.solvers.exact.lattice import ExactSystem
from gops_exact.verify.games import check_game

GAMES = [*(gx.Game(3, rules) for rules in RULE_SETS), gx.Game(4), gx.Game(4, gx.Rules("win"))]
GAMES += [gx.Game(3, gx.Rules(), (1, 1, 4)), gx.Game(4, gx.Rules("win"), (0, 1, 2, 3))]
"""The games whose first moves and values are stated."""

KINDS = (gx.Exact(), gx.Ball(6), gx.Ball(1), gx.Float())
IN_STORES = (ExactSystem(), BallSystem(84), BallSystem(100, 0))
"""The number systems of a store: with exact values of small hands, and without."""

ALONE = ("--jobs", "1")


@cache
def moves_of(game, kind):
    return gx.first_move(game, kind, jobs=1, store=":memory:")


def first_moves(rng):
    """First moves in any arithmetic, whole, in part, or claiming less than could be claimed."""
    game = rng.choice(GAMES)
    document = json.loads(moves_of(game, rng.choice(KINDS)).emit("json"))
    columns = document["columns"]
    document["columns"] = rng.sample(columns, rng.randint(1, len(columns)))
    for column in columns:
        if rng.random() < 0.3 and document["arithmetic"] == "float":
            column["unique"] = False
            column["radii"] = {card: min(2 * each, 1) for card, each in column["radii"].items()}
    return json.dumps(document, indent=rng.choice([None, 2]))


ODD = json.loads(
    """[null, true, false, 0, 1, 3, 4, -1, 1.5, 1e400, 1e40, "", "0", "1", "7", "-1", "03", "14/10", "1/1", "-0",
    "0/1", " 1", "x", "1/0", "☃", [], {}, [[]], "exact", "ball", "float", "hidden", "win", [3, 1, 2], {"1": "1"}]"""
)
"""Parts of JSON that are wrong nearly everywhere."""


def changed_number(rng, old):
    """A number changed a little or altogether, or written otherwise."""
    match old:
        case bool():
            return not old
        case int():
            return rng.choice([old + 1, old - 1, rng.randrange(1 << 61)])
        case float():
            return rng.choice([old * 0.3, old * 0.9, abs(old + rng.choice((-0.1, 1e-9)))])
        case str() if is_number(old) and "." in old:  # proved digits
            at = rng.choice([len(old) - 1, 0])
            return old[:at] + str((int(old[at]) + 1) % 10) + old[at + 1 :]
        case str() if is_number(old):
            step = Fraction(rng.choice((-1, 1)), rng.choice((1, 2, 7, 10**6, 10**40)))
            p, _, q = old.partition("/")
            forms = [f"0{old}", f"{p}/{q or 1}", f"+{old}", f"{2 * int(p)}/{2 * int(q or 1)}"]
            return rng.choice([*[str(Fraction(old) + step)] * 6, *forms])
    return deepcopy(rng.choice(ODD))


def change(rng, document):
    """Change a number or a flag, exchange two parts, put in other rules, drop, repeat or replace a part."""
    tree, key = rng.choice(places(document))
    other, at = rng.choice(places(document))
    match rng.randrange(7):
        case 0:
            tree[key], other[at] = deepcopy((other[at], tree[key]))
        case 1:
            del tree[key]
        case 2 if isinstance(tree, dict):
            tree["more"] = deepcopy(tree[key])
        case 2:
            tree.insert(key, deepcopy(tree[key]))
        case 3 if "rules" in document:
            document["rules"] = asdict(rng.choice(RULE_SETS))
        case 4:
            tree[key] = deepcopy(rng.choice(ODD))
        case _:
            numbers = [each for each in places(document) if is_number(str(each[0][each[1]]))]
            flags = [each for each in places(document) if isinstance(each[0][each[1]], bool)]
            tree, key = rng.choice(rng.choice([numbers, numbers, flags]))
            tree[key] = changed_number(rng, tree[key])


def reshaped(rng, text, change=change):
    """Return the text of a document with one to three changes."""
    document = json.loads(text)
    for _ in range(rng.choice([1, 1, 2, 3])):
        # Nothing may be left that suits.
        with suppress(LookupError, TypeError, ValueError, AttributeError, ZeroDivisionError):
            change(rng, document)
    return json.dumps(document)


ODD_WORDS = [
    *b"100000000 Infinity NaN 1e999 1e99999999 -1 0 1.5 null true {} [] 1/0 2/4 hidden upcard".split(),
    *(b'"01"', b'"1":"1/2",', b"1" * 5000, b"1" * 200_000, b'"%s"' % (b"1" * 5000), b"[" * 5000),
    *(b"\r\n", b"\r", b"\x0b", b"\n\n", b"\0", b"\xef\xbb\xbf", b'"', b"%", b"\\hline "),
]
"""Words that are wrong nearly everywhere."""


def damaged(rng, data):
    """Bytes of a text with one to three bytes, words or lines changed, left out, repeated or exchanged, or cut short."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        separator = rng.choice([rb'("[^"]*"|[\w.+-]+|[][{}:,])', rb"(?<=\n)", rb"([,&\s]+)"])
        parts = re.split(separator, data)
        one, two = rng.randrange(len(parts)), rng.randrange(len(parts))
        at = rng.randrange(len(data) + 1)
        match rng.randrange(5):
            case 0:
                end = at + rng.choice([1, 1, 4, 16, 100, 4096])
                instead = rng.choice([b"", data[at:end] * 2, rng.randbytes(len(data[at:end]))])
                data = data[:at] + instead + data[end:]
                continue
            case 1:
                data = data[:at]
                continue
            case 2:
                parts[one], parts[two] = parts[two], parts[one]
            case 3:
                parts[one:two] = []
            case _:
                parts[one] = rng.choice(ODD_WORDS)
        data = b"".join(parts)
    return data


def prepare():
    """Write files that are to be damaged."""
    folder = Path("documents")
    folder.mkdir()
    solved = gx.solve_matrix_game(gx.known_games.morra(2))
    (folder / "game.csv").write_text(",a,b\nc,3,-0.5\nd,1,2\n")
    (folder / "game.json").write_text(solved.emit("json"))
    (folder / "game.nfg").write_text(write_nfg(solved.game))


def judge(words, text, *, right):
    """Raise unless `verify` takes what is right, and refuses what is not."""
    ran = call(["verify", *words])
    if (ran.status == 0) != right:
        fault = "called wrong, but true" if right else "called right, but false"
        raise Wrong(fault, text, ran.out, ran.err)


ODD_LABELS = [*ODD_TEXTS[:-2], "a\rb", "-1", "row", "Ä", "a,b", "c;d", "e\tf", "1/2"]
"""Labels that a format may take for something else; at the end of a cell of CSV a carriage return would be a blank."""


def emitted(rng):
    """An object of a class that can be read back, with the texts that are to be read."""
    kind, position = rng.choice([*KINDS, gx.Ball(40)]), random_position(rng)
    while position.size > 4 or max(position.prizes) > 2**40:  # floats have 53 bits
        position = random_position(rng)
    if position.upcard is None and not position.rules.hidden:
        position = position.at(position.prizes[0])
    labels = [rng.sample(ODD_LABELS, len(ODD_LABELS)) for _ in range(2)]
    payoff = small_game(rng)
    named = gx.MatrixGame(
        payoff, labels[0][: len(payoff)], labels[1][: len(payoff[0])], rng.choice(ODD_LABELS)
    )
    match rng.randrange(12):
        case 0:
            game = rng.choice(GAMES)
            some = rng.sample(game.upcards, rng.randint(1, len(game.upcards)))
            upcards = None if game.rules.hidden else some
            moves = gx.first_move(game, kind, upcards=upcards, jobs=1, store=":memory:")
            in_csv = kind in (gx.Exact(), gx.Float()) and game == gx.Game(game.n)
            return moves, ["json", *["csv"] * in_csv]
        case 1:
            return gx.solve(position, kind), ["json"]
        case 2 | 10:
            return rng.choice([gx.payoff_matrix, gx.bid_gains])(position, kind), ["json"]
        case 3 | 11:
            return gx.solve(position, kind).row, ["json"]
        case 4:
            return named, ["json"]
        case 5:
            in_csv = all(name.strip() == name != "" for name in named.rows + named.columns)
            return gx.MatrixGame(payoff, named.rows, named.columns), [
                "json",
                "nfg",
                *["csv"] * in_csv,
            ]
        case 6:
            return gx.solve_matrix_game(named, rng.choice(["auto", "guided", "simplex"])), ["json"]
        case 7 | 8:
            # A document has texts for all names.
            game = object_of(gx.solve_game(random_tree(rng)[0]).emit("json")).game
            with suppress(ValueError):  # all is seen
                return extensive.approximate(game, iterations=rng.randint(1, 9)), ["json"]
            return gx.solve_game(game), ["json"]
        case _:
            return gx.solve_game(hidden_bids.HiddenBids(gx.Game(3), (False, True))), ["json"]


def claims(result):
    """What is said of a result and of its strategies beside the numbers."""
    parts = [result, *(result.values() if isinstance(result, gx.FirstMoves) else ())]
    parts += [getattr(result, side, None) for side in ("row", "column")]
    names = ["proved", "iterations"]
    if not isinstance(result, extensive.Equilibrium):  # of a tree this is a question of its own
        names.append("unique")
    return [[getattr(part, name, None) for name in names] for part in parts]


def kept_case(rng, _place):
    try:
        result, formats = emitted(rng)
    except gx.PrecisionError:  # a number halfway between two decimals, which no ball decides
        return
    for fmt in formats:
        if fmt == "nfg" and "" in (*result.rows, *result.columns):
            continue  # strategies without a name take their numbers
        text = write_nfg(result) if fmt == "nfg" else result.emit(fmt)
        Path("case").write_text(text, "utf-8", newline="")
        again = gx.read("case")
        if isinstance(result, extensive.Equilibrium):  # its game is read as a list of nodes
            again = replace(again, game=result.game)
        unsaid = fmt == "csv" and isinstance(result, gx.FirstMoves)  # which moves are unique
        if not unsaid and (again != result or claims(again) != claims(result)):
            raise Wrong(f"{fmt}: another {type(result).__name__}", text, again)
        if (write_nfg(again) if fmt == "nfg" else gx.read("case").emit(fmt)) != text:
            raise Wrong(f"{fmt}: a {type(result).__name__} is emitted otherwise", text)


def moves_case(rng, _place):
    text = first_moves(rng)
    Path("case.json").write_text(json.dumps(in_any_order(rng, json.loads(text))))
    judge([*ALONE, "case.json"], text, right=True)
    for _ in range(50):  # until one is false
        data = reshaped(rng, text).encode()
        if rng.random() < 0.2:
            data = damaged(rng, text.encode())
        data = re.sub(rb'("n": *"?0*)[5-9]\b', rb"\g<1>3", data)  # honest work, and long
        if not is_true(data.decode("ascii", "replace")):
            Path("case.json").write_bytes(data)
            judge([*ALONE, "case.json"], data, right=False)
            return


def files_case(rng, place):
    name = rng.choice(["game.csv", "game.nfg", "game.json"])
    data = damaged(rng, (place.parent / "documents" / name).read_bytes())
    if len(data) > 50_000:  # honest work, and long
        return
    Path(name).write_bytes(data)
    show = rng.choice(["solution", "optimal", "dominated", "weakly-dominated", "steps"])
    call(["solve", name, "--show", show, "--emit", rng.choice(["text", "json", "csv"])])


@cache
def store(root, game, system):
    """The store of a game by a number system, and its entries; it is made once."""
    path = root / f"{game} {system.name}.sqlite".replace("/", "-")
    compute_first_moves(game, game.upcards, system, path, workers=1)
    return path, contents(path)


def changed_payload(rng, system, payload, *, is_first_move):
    """An entry with one number changed, so that it cannot be right."""

    def change(numbers, by):
        at = rng.randrange(len(numbers))
        return (*numbers[:at], by(numbers[at]), *numbers[at + 1 :])

    def fraction(terms):
        p, q = terms
        return rng.choice([(p + q, q), (p * 10**9 + q, q * 10**9)])

    def ball(number):
        with ctx.workprec(1000):  # so that rounding adds nothing to the radius
            return number + rng.choice([1, -1]) * max(4 * number.rad(), arb(2) ** -60)

    own = fraction if isinstance(system, ExactSystem) else ball
    if is_first_move:
        first_move = system.unpack(payload)
        return system.pack(first_move._replace(row=change(first_move.row, own)))
    table = system.unpack_values(payload)
    if table.values:
        changes = {"values": list(change(table.values, fraction))}
    else:
        changes = {"balls": list(change(table.balls, ball))}
    return system.pack_values(replace(table, **changes))


def store_case(rng, place):
    system = rng.choice(IN_STORES)
    path, entries = store(place.parent, rng.choice(GAMES), system)
    file = Path(shutil.copy(path, place / "case.sqlite"))
    kind = rng.choice([" opening ", " value"])  # there are many more values
    key = rng.choice([each for each in entries if kind in each and f" {system.name} " in each])
    put(file, key, changed_payload(rng, system, entries[key], is_first_move=kind == " opening "))
    judge(["--store", str(file), *ALONE], key, right=False)


def change_tree(rng, document):
    """Change a link, a name or anything else, or add an information set to a strategy."""
    part, key = rng.choice(places(document))
    match part[key]:
        case _ if rng.random() < 0.4:
            change(rng, document)
        case int():
            part[key] = rng.randrange(len(document["nodes"]) + 1)
        case str() if rng.random() < 0.5:
            part[key] = rng.choice(ODD_TEXTS)
        case _ if isinstance(part, dict) and part is not document:
            part[rng.choice(ODD_TEXTS)] = part.pop(key)
        case _:
            document[rng.choice(["row", "column"])][rng.choice(ODD_TEXTS)] = {
                rng.choice(ODD_TEXTS): "1"
            }


def change_plan(rng, document):
    """Change what is said of a strategy: a number, a move's share for another's, two parts exchanged or one left out."""
    member = rng.choice(
        [document["polynomials"], document["polynomials"], document["reached"], document]
    )
    part, key = rng.choice(places(member))
    match rng.randrange(6):
        case 0:
            change_tree(rng, document)
        case 1:
            del part[key]
        case 2:
            other, at = rng.choice(
                [each for each in places(document) if type(each[0]) is type(part)]
            )
            part[key], other[at] = deepcopy((other[at], part[key]))
        case 3:
            numbers = [each for each in places(part) if is_number(each[0][each[1]])]
            part, key = rng.choice(numbers)
            part[key] = changed_number(rng, part[key])
        case _:
            parts = [document[side] for side in ("row", "column")]
            parts += [document["polynomials"][side] for side in ("row", "column")] * 3
            shift(rng, rng.choice([mix for sets in parts for mix in sets.values() if len(mix) > 1]))


def shift(rng, mix):
    """Move a part of a probability, or of a coefficient, from one move to another at the same information set."""
    step = Fraction(rng.choice((-1, 1)), rng.choice((1, 1, 2, 10**40)))
    power = rng.randrange(max(len(texts) for texts in mix.values()))
    for move, by in zip(rng.sample([*mix], 2), (step, -step), strict=True):
        if isinstance(mix[move], str):
            mix[move] = str(Fraction(mix[move]) + by)
        else:
            mix[move] += ["0"] * (power + 1 - len(mix[move]))
            mix[move][power] = str(Fraction(mix[move][power]) + by)


def in_any_order(rng, part):
    """A JSON value with the members of its objects in another order."""
    if isinstance(part, dict):
        return {name: in_any_order(rng, part[name]) for name in rng.sample([*part], len(part))}
    return [in_any_order(rng, each) for each in part] if isinstance(part, list) else part


def trees_case(rng, _place):
    game, payoff = random_tree(rng)
    if payoff is None:  # the normal form, and what an independent reader says, would take long
        check_tree(game)
        return
    text = check_tree(game, gx.solve_matrix_game(payoff).value)
    if '"knows"' in text and rng.random() < 0.3:
        learned = gx.extensive.approximate(game, iterations=3).emit("json")
        if json.loads(learned)["document"] == "game tree":
            text = learned
        elif faults := check_game(learned).faults:  # where nothing is hidden, states are bounded
            raise Wrong("verify refuses the bounds of states", faults, learned)
    if not is_true_tree(json.loads(text)):
        raise Wrong("a tree is solved wrong", text)
    forge(rng, text, change_tree, 10)


def forge(rng, text, change, count, is_right=is_true_tree):
    """Have a document of a solved game judged, as it is and changed so many times."""
    for made in [text, *(reshaped(rng, text, change) for _ in range(count))]:
        document = in_any_order(rng, json.loads(made))
        Path("case.json").write_text(json.dumps(document))
        judge(["case.json"], made, right=is_right(document))


def change_paths(rng, document):
    """Lead a move elsewhere, give a set or a move another's name, shift a probability, or change anything else."""
    graph = rng.choice(document["graphs"])
    moves = rng.choice([*graph.values()])
    mixes = [mix for side in ("row", "column") for mix in document[side].values() if len(mix) > 1]
    match rng.randrange(5):
        case 0:
            moves[rng.choice([*moves])] = rng.choice([*graph, "end"])
        case 1:
            moves[rng.choice(["a0", "b1", *moves])] = moves.pop(rng.choice([*moves]))
        case 2 if mixes:
            shift(rng, rng.choice(mixes))
        case 3:
            document[rng.choice(["row", "column"])][rng.choice([*graph, "end"])] = {
                rng.choice([*moves]): "1"
            }
        case _:
            change(rng, document)


def path_games_case(rng, _place):
    text = gx.solve_game(random_path_game(rng)).emit("json")
    if not is_true_game(json.loads(text)):
        raise Wrong("a game of paths is solved wrong", text)
    forge(rng, text, change_paths, 20, is_true_game)


MOST_SEQUENCES = 200
"""Moves of a player up to which a strategy is checked for domination."""


def refined_case(rng, _place):
    """Small mistakes of the other player make no move of a refined strategy wrong, and none is weakly dominated."""
    labels, solved = [odd_names(rng)] if rng.random() < 0.5 else [], None
    while solved is None or not solved.refined:
        game, payoff = random_game(rng, *labels, hidden=True)
        if payoff is None or min(len(payoff), len(payoff[0])) > 1:
            solved = gx.solve_game(game, refined=True)
    text = solved.emit("json")
    if faults := check_game(text).faults:
        raise Wrong("verify refuses the document", faults, text)
    if payoff is not None and solved.value != gx.solve_matrix_game(payoff).value:
        raise Wrong("another value than that of the normal form", text)
    tree = Tree(json.loads(text))
    for player in (0, 1):
        if tree.wrong_moves(player):
            raise Wrong("a move is no best reply in the limit", tree.wrong_moves(player), text)
        moves = sum(len(moves) for moves, _, _ in tree.several(player).values())
        if moves <= MOST_SEQUENCES and tree.is_dominated(player):
            raise Wrong("a refined strategy is dominated", player, text)
    if payoff is not None:
        forge(rng, text, change_plan, 40)


FAMILIES = {
    "first moves": moves_case,
    "kept documents": kept_case,
    "trees": trees_case,
    "games of paths": path_games_case,
    "refined trees": refined_case,
    "files": files_case,
    "false stores": store_case,
}
