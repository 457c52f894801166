"""Documents and stores that state what is false, and true ones: ``gops-exact verify`` must take the latter alone.

A false one is a true one in which a number, a claim, the rules, a part or the form has been changed, or bytes and
words of its text. The oracle, which shares no code with the package, and an independent reader of schemas decide
what is true; a change that leaves all claims true counts as none. Files of matrix games, damaged, are read by
``gops-exact matrix``, and printed tables by ``verify --published``.
"""

import json
import re
import shutil
from contextlib import suppress
from copy import deepcopy
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from pathlib import Path

import oracle
from flint import arb
from frame import Wrong
from games import check_document, is_solution, small_game
from hidden_oracle import is_strategy, oracle_reply, plain
from stores import contents, put
from truth import is_number, is_true, is_true_entry, obeys, places, system_of
from words import call, noted

import gops_exact as gx
from gops_exact.exchange import write_nfg
from gops_exact.extensive import HiddenBids, approximate, solve_game
from gops_exact.solvers.exact.ball import BallSystem, ResidueSystem
from gops_exact.solvers.exact.by_prizes import openings
from gops_exact.solvers.exact.rational import ExactSystem
from gops_exact.solvers.store import DiskStore
from gops_exact.verify.checks import Record

OBJECTIVES, TIES = ("points", "win"), ("discard", "carryover")
ORDERS = ("random", "hidden", "ascending", "descending")
RULE_SETS = [gx.Rules(*each) for each in product(OBJECTIVES, TIES, ORDERS)]
GAMES = [*(gx.Game(3, rules) for rules in RULE_SETS), gx.Game(4), gx.Game(4, gx.Rules("win"))]
"""The games whose first moves and values are stated."""

DECKS = {3: ((0, 1, 2), (1, 1, 4)), 4: ((0, 1, 2, 3), (2, 2, 3, 9))}
PRIMES = (10**9 + 7, 2**61 - 1)
IN_STORES = (
    ExactSystem(),
    BallSystem(84),
    BallSystem(100, 0),
    ResidueSystem(prime=PRIMES[0]),
    ResidueSystem(128, 0, PRIMES[1]),
)
"""The number systems of a store: with exact values of small hands, and without."""

MOST_ROWS = 4
"""Rows and columns of a matrix game: with more, the oracle takes long."""

ALONE = ("--jobs", "1")

TRIES = 50
"""Changes made in search of a false one."""


# True documents: (suffix, text, the options of ``verify``, and what tells if a text is true).


@cache
def moves_of(game, kind):
    return gx.first_move(game, kind, jobs=1, store=":memory:")


def first_moves(rng):
    """First moves in any arithmetic, whole, in part, or claiming less than could be claimed."""
    game = rng.choice(GAMES)
    if rng.random() < 0.3:
        game = replace(game, deck=rng.choice(DECKS[game.n]))
    kinds = (gx.Exact(), gx.Ball(6), gx.Ball(1), gx.Float(), *map(gx.Residue, PRIMES))
    moves = moves_of(game, rng.choice(kinds))
    if rng.random() < 0.3 and moves.arithmetic.name in ("exact", "float"):
        rules = [f"--{name}={word}" for name, word in asdict(game.rules).items()]
        deck = [f"--deck={','.join(map(str, game.deck))}"] if game.own_deck else []
        right = partial(is_true, suffix=".csv", rules=game.rules, deck=game.own_deck)
        return ".csv", moves.emit("csv"), [*ALONE, *rules, *deck], right
    document = json.loads(moves.emit("json"))
    columns = document["columns"] = rng.sample(
        document["columns"], rng.randint(1, len(document["columns"]))
    )
    for column in columns:
        if rng.random() < 0.3 and document["arithmetic"] == "float":
            column["unique"] = False
            column["radii"] = {card: min(2 * each, 1) for card, each in column["radii"].items()}
        if rng.random() < 0.3 and document["arithmetic"] == "residue":
            column["proved"] = False
    text = json.dumps(document, indent=rng.choice([None, 0, 2]))
    return ".json", text, ALONE, partial(is_true, suffix=".json", rules=game.rules)


def decided(is_right, schema):
    """What tells if a text is a document that obeys a schema and of which all claims are right."""

    def right(text):
        with suppress(ValueError, RecursionError):
            document = json.loads(text)
            return isinstance(document, dict) and obeys(document, schema) and is_right(document)
        return False

    return right


def matrix_game(rng):
    """A small game, solved."""
    payoff = [line[:MOST_ROWS] for line in small_game(rng)[:MOST_ROWS]]
    text = gx.solve_matrix_game(payoff).emit("json")
    return ".json", text, [], decided(is_true_matrix, "matrix-game-1")


def is_true_matrix(document):
    """Whether every claim of a document of a matrix game is true; asks the checker on the page, too."""
    sizes = [len(document["labels"][name]) for name in ("rows", "columns")]
    payoff, found = document["payoff"], False
    shape = [len(payoff), *map(len, payoff), len(document["row"]), len(document["column"])]
    if shape == [sizes[0], *[sizes[1]] * sizes[0], *sizes]:
        found = is_solution(document)
        if (check_document(document) is None) != found:
            raise Wrong("the checker on the page is wrong", document)
    if not found:
        return False
    sides = oracle.extreme_strategies([list(map(Fraction, line)) for line in payoff])
    claims = [document["row_unique"], document["column_unique"]]
    return claims == [len(side) == 1 for side in sides]


@cache
def hidden_document(game, seen, *, is_near):
    hidden = HiddenBids(game, seen)
    return (approximate(hidden, iterations=5) if is_near else solve_game(hidden)).emit("json")


def hidden_bids(rng):
    """Strategies of a game with hidden bids: an equilibrium, or near one."""
    prizes = rng.choice(("random", "ascending", (2, 3, 1)))
    game = gx.Game(3, gx.Rules(rng.choice(OBJECTIVES), rng.choice(TIES), prizes))
    if rng.random() < 0.1:
        game = rng.choice((gx.Game(2), gx.Game(4, gx.Rules(prizes="descending"))))
    seen = rng.random() < 0.5, rng.random() < 0.5
    text = hidden_document(game, seen, is_near=rng.random() < 0.5)
    return ".json", text, [], decided(is_true_hidden, "hidden-bids-1")


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


def other_kind(rng):
    """A document of a kind that `verify` does not take."""
    name = rng.choice(["2.4_1.3_12.13", "2.4_1.3_12.13@13"])
    texts = (
        call(["position", name, "--emit", "json"]).out,
        call(["export", "-n", "2", "--emit", "openspiel"]).out,
        json.dumps([{"n": 3, "policy": "random", "loss": "1/3"}]),
        gx.payoff_matrix(gx.Position.parse("2.4_1.3_12.13@13")).emit("json"),
    )
    return ".json", rng.choice(texts), [], lambda _text: False


TRUE = (first_moves, first_moves, matrix_game, hidden_bids)


# Changes of a document


def change_number(rng, document):
    """Change one number a little or altogether, or shift probability from one bid to another."""
    tree, key = rng.choice(
        [(tree, key) for tree, key in places(document) if is_number(str(tree[key]))]
    )
    old, step = tree[key], Fraction(rng.choice((-1, 1)), rng.choice((1, 2, 7, 10**6, 10**40)))
    match old:
        case bool():
            tree[key] = not old
        case int():
            tree[key] = rng.choice([old + 1, old - 1, rng.randrange(1 << 61)])
        case float():
            tree[key] = rng.choice([old * 0.3, old * 0.9, abs(old + rng.choice((-0.1, 1e-9)))])
        case str() if "." in old:  # proved digits
            at = rng.choice([len(old) - 1, 0])
            tree[key] = old[:at] + str((int(old[at]) + 1) % 10) + old[at + 1 :]
        case str():
            others = [each for side, each in places(tree) if side is tree and each != key]
            if others and rng.random() < 0.6 and is_number(tree[other := rng.choice(others)]):
                tree[other] = str(Fraction(tree[other]) - step)
            tree[key] = str(Fraction(old) + step)


def change_claim(rng, document):
    """Deny or claim what is true or false, name other rules, or exchange two parts."""
    spots = [(tree, key) for tree, key in places(document) if isinstance(tree[key], bool)]
    if spots and rng.random() < 0.4:
        tree, key = rng.choice(spots)
        tree[key] = not tree[key]
    elif "rules" in document and rng.random() < 0.5:
        document["rules"] = asdict(rng.choice(RULE_SETS))
    else:
        (one, key), (two, other) = (rng.choice(places(document)) for _ in "12")
        one[key], two[other] = deepcopy((two[other], one[key]))


def change_consistently(rng, document):
    """Claim other cards, digits, a deck or another arithmetic, with all that belongs to it."""
    if "columns" not in document:
        return
    columns, n = document["columns"], document["n"]
    kind = rng.choice(["n", "digits", "arithmetic", "upcards", "deck"])
    if kind == "n":
        document["n"] += rng.choice([-1, 1, 1])
        zero = {"exact": "0", "ball": "0." + "0" * document.get("digits", 1), "residue": 0}
        for side in [side for each in columns for side in each.values() if isinstance(side, dict)]:
            side.pop(str(document["n"] + 1), None)
            if document["n"] > n:
                side[str(n + 1)] = zero.get(document["arithmetic"], 0.0)
    elif kind == "digits" and "digits" in document:
        more = rng.choice([1, 2, 5])
        document["digits"] += more
        for side in (each["probabilities"] for each in columns):
            side.update(
                {card: f"{text}{rng.randrange(10**more):0{more}}" for card, text in side.items()}
            )
    elif kind == "arithmetic":
        document["arithmetic"] = name = rng.choice(["exact", "ball", "residue", "float"])
        members = {"residue": {"prime": rng.choice(PRIMES)}, "ball": {"digits": rng.choice([1, 6])}}
        for member in ("prime", "digits"):
            document.pop(member, None)
        document |= members.get(name, {})
        for each in columns:
            radii = dict.fromkeys(each["probabilities"], rng.choice([0.0, 0.25, 1.0]))
            for member in ("proved", "radii"):
                each.pop(member, None)
            each.update({"residue": {"proved": True}, "float": {"radii": radii}}.get(name, {}))
    elif kind == "upcards":
        one, two = rng.choice(columns), rng.choice(columns)
        one["upcard"], two["upcard"] = two["upcard"], rng.choice([one["upcard"], n + 1, None])
    else:
        deck = sorted(rng.choice([0, 1, 2, 3, 5]) for _ in range(n))
        document["deck"] = rng.choice([deck, deck, deck[::-1], deck[1:], []])


def change_sets(rng, document):
    """Name information sets that are not reached or do not exist, leave one out, or move one."""
    side = document[rng.choice(["row", "column"])] if "row" in document else None
    if not isinstance(side, dict):
        return
    name, text = rng.choice(list(side)), rng.choice(["1", "7", "-1", "1/2", "0"])
    card = str(rng.randint(1, 4))
    match rng.randrange(4):
        case 0:
            del side[name]
        case 1:
            before = f"{rng.randint(1, 4)}:{card}{rng.choice('-=+')} " * rng.randrange(3)
            side.setdefault(before + card, {card: text})
        case 2:
            side[name][str(rng.randint(1, 9))] = text
        case _:
            side[name.replace(name[-1], card)] = side.pop(name)


ODD = json.loads(
    """[null, true, false, 0, 1, 3, 4, -1, 1.5, 1e400, 1e40, "", "0", "1", "7", "-1", "03", "14/10", "1/1", "-0",
    "0/1", " 1", "x", "1/0", "☃", [], {}, [[]], "exact", "ball", "float", "hidden", "win", [3, 1, 2], {"1": "1"}]"""
)
"""Parts of JSON that are wrong nearly everywhere."""


def change_form(rng, document):
    """Write a number otherwise, or put in something odd; drop, repeat or add a member."""
    tree, key = rng.choice(places(document) or [({0: 0}, 0)])
    match rng.randrange(5):
        case 0 if is_number(tree[key]):
            p, _, q = tree[key].partition("/")
            forms = [f"0{p}", f"{p}/{q or 1}", f"+{p}", f" {tree[key]}", f"{p}.0"]
            if p.lstrip("-").isdecimal():
                forms.append(f"{2 * int(p)}/{2 * int(q or 1)}")
            tree[key] = rng.choice(forms)
        case 1:
            del tree[key]
        case 2 if isinstance(tree, dict):
            tree["more"] = deepcopy(tree[key])
        case 2:
            tree.insert(key, deepcopy(tree[key]))
        case _:
            tree[key] = deepcopy(rng.choice(ODD))


CHANGES = (change_number, change_claim, change_consistently, change_sets, change_form)


def reshaped(rng, text, changes=(change_number, change_claim, change_form)):
    """Return the text of a document with one to three changes."""
    document = json.loads(text)
    for _ in range(rng.choice([1, 1, 2, 3])):
        with suppress(IndexError, TypeError, KeyError, AttributeError):  # nothing left that suits
            rng.choice(changes)(rng, document)
    return json.dumps(document)


# Damage of a text


ODD_WORDS = [
    *b"100000000 Infinity -Infinity NaN 1e999 1e99999999 -1 0 3 4 1.5 null true false {} []".split(),
    *b'"01" "x" "" "1/0" "0/0" "2/4" "1":"1/2", [3,1,2] "exact" "ball" "residue" "float"'.split(),
    *(b"1" * 5000, b"1" * 200_000, b'"%s"' % (b"1" * 5000), b"[" * 5000, b"upcard ", b"hidden"),
]
"""Words that are wrong nearly everywhere."""

ENDS = [b"", b"\r\n", b"\r", b"\x0b", b"\x1c", b" \n", b",\n", b"&\n", b"\n\n", b"\0\n"]
STARTS = [b"\xef\xbb\xbf", b'"', b" ", b"%", b"#", b",", b"&", b"\\hline ", b"upcard 2, "]


def rearranged(rng, parts):
    """A list with some parts left out, repeated or exchanged."""
    kind, one, two = rng.randrange(4), rng.randrange(len(parts)), rng.randrange(len(parts))
    if kind == 0:
        return rng.choices(parts, k=rng.randint(0, 2 * len(parts)))
    if kind == 1:
        return parts[:one] + parts[two:]
    exchanged = {one: parts[two], two: parts[one]}
    return [exchanged.get(at, part) for at, part in enumerate(parts)]


def damaged(rng, data):
    """Bytes of a text with one to three bytes, words, fields or lines changed."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice([1, 1, 4, 16, 100, 4096]))
        words = re.split(rb'("[^"]*"|[\w.+-]+|[][{}:,])', data)
        lines = data.splitlines(keepends=True) or [b""]
        line = rng.randrange(len(lines))
        match rng.randrange(7):
            case 0:
                data = (
                    data[:at]
                    + rng.choice([b"", data[at:end] * 2, rng.randbytes(end - at)])
                    + data[end:]
                )
            case 1:
                data = data[:at]
            case 2:
                words[rng.randrange(len(words))] = rng.choice(ODD_WORDS)
                data = b"".join(words)
            case 3 if digits := [*re.finditer(rb"[0-9]", data)]:
                at = rng.choice(digits).start()
                data = data[:at] + b"%d" % rng.randrange(10) + data[at + 1 :]
            case 4:
                data = b"".join(rearranged(rng, lines))
            case 5:
                lines[line] = b"".join(rearranged(rng, re.split(rb"([,&\s]+)", lines[line])))
                data = b"".join(lines)
            case _:
                lines[line] = rng.choice(STARTS) + lines[line].rstrip() + rng.choice(ENDS)
                data = b"".join(lines)
    return data


# Cases


def prepare():
    """Write files by the usual rules, under the names that argument vectors take."""
    folder = Path("documents")
    folder.mkdir()
    solved = gx.solve_matrix_game(gx.known_games.morra(2))
    (folder / "game.csv").write_text(",a,b\nc,3,-0.5\nd,1,2\n")
    (folder / "game.json").write_text(solved.emit("json"))
    (folder / "game.nfg").write_text(write_nfg(solved.game))
    for name, kind in (
        ("exact.json", gx.Exact()),
        ("float.csv", gx.Float()),
        ("residue.json", gx.Residue()),
    ):
        (folder / name).write_text(moves_of(gx.Game(3), kind).emit(name.partition(".")[2]))
    moves = moves_of(gx.Game(3), gx.Exact())
    rows = [f"3,{u},{c},{p.decimal(4)}\n" for u, side in moves.items() for c, p in side.items()]
    (folder / "published.csv").write_text("".join(["n,upcard,card,printed_probability\n", *rows]))


def judge(words, text, *, right):
    """Raise unless `verify` takes what is right, and refuses what is not."""
    with noted(words):
        ran = call(["verify", *words])
    if (ran.status == 0) != right:
        fault = "called wrong, but true" if right else "called right, but false"
        raise Wrong(fault, text[:2000], ran.out, ran.err)


def true_case(rng, _place):
    """Verify a document that is true, and read it back: the object emits it again."""
    suffix, text, options, _ = rng.choice(TRUE)(rng)
    Path(f"case{suffix}").write_text(text)
    judge([*options, f"case{suffix}"], text, right=True)
    if suffix == ".json":  # a table in CSV does not say its rules
        again = gx.read("case.json").emit("json")
        if claimed(again) != claimed(text):
            raise Wrong("read back, it is another document", text[:2000], again[:2000])


def claimed(text):
    """What a document says; of first moves without what may be claimed less of than is known."""
    document = json.loads(text)
    for column in document.get("columns", ()):
        del column["unique"]
        column.pop("proved", None)
    return document


def false_case(rng, _place):
    """Verify a document of which a claim is false."""
    suffix, text, options, right = rng.choice((*TRUE, other_kind))(rng)
    for _ in range(TRIES):
        if suffix == ".json" and rng.random() < 0.8:
            data = reshaped(rng, text, CHANGES).encode()
        else:
            data = damaged(rng, text.encode())
        data = re.sub(rb'("n": *"?0*)[5-9]\b', rb"\g<1>3", data)  # honest work, and long
        if not right(data.decode("ascii", "replace")):
            Path(f"case{suffix}").write_bytes(data)
            judge([*options, f"case{suffix}"], data, right=False)
            return


def files_case(rng, place):
    """Give a damaged file of a matrix game, or a printed table, to what reads it."""
    name = rng.choice(["game.csv", "game.nfg", "game.json", "published.csv"])
    data = damaged(rng, (place.parent / "documents" / name).read_bytes())
    if len(data) > 50_000:  # honest work, and long
        return
    Path(name).write_bytes(data)
    show = rng.choice(["solution", "optimal", "dominated", "weakly-dominated", "steps"])
    words = ["matrix", name, "--show", show, "--emit", rng.choice(["text", "json", "csv"])]
    if name == "published.csv":
        words = ["verify", "--published", name, "../documents/exact.json"]
    with noted(words):
        call(words)


# Stores


@cache
def store(root, game, *systems):
    """The store of a game by number systems, and its entries; it is made once."""
    names = " ".join(system.name for system in systems)
    path = root / f"{game} {names}.sqlite".replace("/", "-")
    for each in systems:
        openings(game, game.upcards, each, path, workers=1)
    return path, contents(path)


def changed_entry(rng, entries, others):
    """An entry of a store with one claim changed; `others` are the entries of another store."""
    kind = rng.choice([" opening ", " value"])  # there are many more values
    key = rng.choice([each for each in entries if kind in each])
    payload, words = entries[key], key.split(" ")
    match rng.randrange(4):
        case 0:  # the content of another entry
            return key, rng.choice(
                [rest for each, rest in (entries | others).items() if kind in each]
            )
        case 1:  # the rules, the arithmetic or the subject of another one
            at = rng.randrange(len(words))
            names = {each.split(" ")[at] for each in (*entries, *others) if each.count(" ") >= at}
            return " ".join([*words[:at], rng.choice(sorted(names)), *words[at + 1 :]]), payload
        case 2 if kind == " opening ":
            opening = system_of(words[1]).unpack_opening(payload)
            field = rng.choice(["row_unique", "proved"])
            changed = opening._replace(**{field: not getattr(opening, field)})
            return key, system_of(words[1]).pack_opening(changed)
    return key, changed_numbers(rng, system_of(words[1]), payload, is_opening=kind == " opening ")


def changed_numbers(rng, system, payload, *, is_opening):
    """A payload with one number changed, or one radius."""

    def change(numbers, by):
        found = list(numbers)
        at = rng.randrange(len(found))
        found[at] = by(found[at])
        return found

    def pair(terms):
        p, q = terms
        return rng.choice([(p + 1, q), (p - 1, q), (p, q + 1), (p * 10**9 + 1, q * 10**9)])

    def ball(number):
        if rng.random() < 0.3 and number.rad():
            return arb(number.mid().man_exp(), (1, number.rad().man_exp()[1] - rng.choice([2, 30])))
        return number + arb(rng.choice([1, -1])) * max(4 * number.rad(), arb(2) ** -60)

    def residue(number):
        return (int(number) + rng.choice([1, -1, rng.randrange(2**29)])) % system.prime

    own = {"exact": pair, "ball": ball, "residue": residue}[system.name.partition("/")[0]]
    if is_opening:
        opening = system.unpack_opening(payload)
        return system.pack_opening(opening._replace(row=tuple(change(opening.row, own))))
    slab = system.unpack_slab(payload)
    if own is residue and rng.random() < 0.5:
        slab = replace(slab, residues=change(slab.residues, residue))
    elif slab.values:
        slab = replace(slab, values=change(slab.values, pair))
    else:
        slab = replace(slab, balls=change(slab.balls, ball))
    return system.pack_slab(slab)


def store_case(rng, place, *, right):
    """Verify a store, in which an entry is false unless it is right."""
    systems = [rng.choice(IN_STORES)]
    if not right and isinstance(systems[0], ResidueSystem):
        systems.append(ExactSystem())  # proves residues that rest on a tie
    path, entries = store(place.parent, rng.choice(GAMES), *systems)
    _, others = store(place.parent, rng.choice(GAMES), rng.choice(IN_STORES))
    file, key = Path(shutil.copy(path, place / "case.sqlite")), ""
    for _ in range(0 if right else TRIES):
        entry = changed_entry(rng, entries, others)
        if not is_true_entry(*entry):
            key, _ = entry
            put(file, *entry)
            break
    if rng.random() < 0.2:
        vouch(file)
    judge(["--store", str(file), *ALONE], key, right=not key)


def vouch(path):
    """Put a file beside a store that says that all its entries were proved before."""
    with DiskStore(path, read_only=True) as store:
        kept = replace(Record.of(store), path=Path(f"{path}-verified"))
        kept.begin()
        for key in store.sizes():
            kept.add(key, [{}, {}, {}])


FAMILIES = {
    "true documents": true_case,
    "false documents": false_case,
    "files": files_case,
    "true stores": partial(store_case, right=True),
    "false stores": partial(store_case, right=False),
}
