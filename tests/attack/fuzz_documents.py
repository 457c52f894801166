"""Documents for the fuzzer: emitted by all sets of rules, damaged, and given to all that reads them.

What reads them has to give the right answer or say in one line that it cannot.
"""

import json
import re
from copy import deepcopy
from functools import cache
from pathlib import Path

import own_games
from frame import Wrong
from fuzz_argv import call
from truth import is_true

import gops_exact as gx
from gops_exact.exchange import write_nfg
from gops_exact.show.explorer import EVERY_RULES

EMITTED = {
    "exact.json": ["--emit", "json"],
    "exact.csv": ["--emit", "csv"],
    "exact.fractions": ["--emit", "fractions"],
    "exact.tex": ["--emit", "latex"],
    "exact.decimals": ["--emit", "decimals"],
    "exact.digests": ["--emit", "digests"],
    "residue.json": ["--emit", "residues"],
    "ball.json": ["--arithmetic", "ball", "--emit", "json"],
    "float.json": ["--arithmetic", "float", "--emit", "json"],
    "float.csv": ["--arithmetic", "float", "--emit", "csv"],
}
"""The options that make a file of each kind."""

DECKS = {"3": ["0,1,2", "1,1,4"], "4": ["0,1,2,3", "2,2,3,9"]}
"""Decks of so many prizes."""


def flags(rules):
    return ["--objective", rules.objective, "--ties", rules.ties, "--prizes", rules.order]


@cache
def printed(*words):
    """The output of a run that keeps nothing."""
    store = [] if "float" in words else ["--store", ":memory:"]
    ran = call([*words, *store])
    if ran.status:
        raise Wrong("no reference", *words, ran.err)
    return ran.out


def make_documents(folder):
    """Documents by the usual rules, under the names that argument vectors take."""
    folder.mkdir()
    solved = gx.solve_matrix_game(gx.known_games.morra(2))
    (folder / "game.csv").write_text(",a,b\nc,3,-0.5\nd,1,2\n")
    (folder / "game.json").write_text(solved.emit("json"))
    (folder / "game.nfg").write_text(write_nfg(solved.game))
    for name in ("exact.json", "float.csv", "residue.json"):
        (folder / name).write_text(printed("--n", "3", *EMITTED[name]))
    rows = ["n,upcard,card,printed_probability"]
    rows += [
        f"3,{u},{c},{p.decimal(4)}"
        for u, column in gx.first_move(3, store=":memory:").items()
        for c, p in column.items()
    ]
    (folder / "published.csv").write_text("\n".join(rows) + "\n")
    gx.first_move(4, store=folder / "solved.sqlite")


# Damage.


def damaged(rng, data, *, tokens=True):
    """Bytes with one to three things wrong; `tokens` is whether they are text."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 3])):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice([1, 1, 4, 16, 100, 4096]))
        kind = rng.randrange(5 if not tokens else 9)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at:end]
        elif kind == 2:
            data[at:at] = data[at:end]
        elif kind == 3:
            del data[at:]
        elif kind == 4:
            data[at:end] = rng.randbytes(end - at)
        elif words := list(re.finditer(rb'"[^"]*"|[\w.+-]+|[][{}:,]', data)):
            spoil_word(rng, data, words)
    return bytes(data)


ODD_WORDS = [
    *b"100000000 Infinity -Infinity NaN 1e999 1e99999999 -1 0 3 4 1.5 null true false {} []".split(),
    *b'"01" "x" "" "1/0" "0/0" "2/4" "1":"1/2", [3,1,2] "exact" "ball" "residue" "float"'.split(),
    *(b"1" * 5000, b"1" * 200_000, b'"%s"' % (b"1" * 5000), b"[" * 5000, b"upcard ", b"hidden"),
]
"""Words that are wrong nearly everywhere."""


def spoil_word(rng, data, words):
    """Replace, repeat or change one word of a text, or swap two."""
    one, two = sorted((rng.choice(words), rng.choice(words)), key=lambda word: word.start())
    kind = rng.randrange(4)
    if kind == 0:
        data[one.start() : one.end()] = rng.choice(ODD_WORDS)
    elif kind == 1 and one.end() <= two.start():
        first, second = one.group(), two.group()
        data[two.start() : two.end()] = first
        data[one.start() : one.end()] = second
    elif kind == 2:
        data[one.end() : one.end()] = b", " + bytes(data[one.start() : two.end()])
    elif digits := list(re.finditer(rb"[0-9]", data)):
        at = rng.choice(digits).start()
        data[at : at + 1] = b"%d" % rng.randrange(10)


ODD_PARTS = json.loads(
    """[null, true, false, 0, 1, 3, 4, -1, 1.5, 1e400, 1e40, "", "0", "1", "1/0", "☃", [], {}, [[]],
    "exact", "ball", "residue", "float", "hidden", "win", [3, 1, 2], {"1": "1"}]"""
)
"""Parts of JSON that are wrong nearly everywhere."""


def reshaped(rng, data):
    """JSON with one to three of its parts taken out, put in twice, swapped or replaced."""
    tree = json.loads(data)
    for _ in range(rng.choice([1, 1, 2, 3])):
        (one, key), (two, other) = (rng.choice(places(tree) or [({0: 0}, 0)]) for _ in "12")
        kind, part, second = rng.randrange(4), deepcopy(one[key]), deepcopy(two[other])
        if kind == 0:
            del one[key]
        elif kind == 1:
            one[key], two[other] = second, part
        elif kind == 2:
            one[key] = deepcopy(rng.choice(ODD_PARTS))
        elif isinstance(one, list):
            one.insert(key, second)
        else:
            one[str(other)] = second
    return json.dumps(tree).encode()


def places(tree):
    """Every (list or object, index or name) in a JSON value."""
    keys = tree if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else []
    return [each for key in keys for each in [(tree, key), *places(tree[key])]]


ENDS = [b"", b"\r\n", b"\r", b"\x0b", b"\x1c", b" \n", b",\n", b"&\n", b"\n\n", b"\0\n"]
STARTS = [b"\xef\xbb\xbf", b'"', b" ", b"%", b"#", b",", b"&", b"\\hline ", b"upcard 2, "]


def rearranged(rng, parts):
    """A list with some parts left out, doubled or swapped."""
    kind, one, two = rng.randrange(4), rng.randrange(len(parts)), rng.randrange(len(parts))
    if kind == 0:
        return rng.choices(parts, k=rng.randint(0, 2 * len(parts)))
    if kind == 1:
        return parts[:one] + parts[two:]
    swapped = {one: parts[two], two: parts[one]}
    return [swapped.get(at, part) for at, part in enumerate(parts)]


def relined(rng, data):
    """A text with some lines or fields left out, doubled, swapped or written otherwise."""
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    fields = re.split(rb"([,&\s]+)", lines[at])
    lines[at] = rng.choice(
        [
            lines[at].rstrip() + rng.choice(ENDS),
            rng.choice(STARTS) + lines[at],
            b"".join(rearranged(rng, fields)),
        ]
    )
    return b"".join(rearranged(rng, lines) if rng.random() < 0.5 else lines)


# Documents.


def document_case(rng, place):
    """A damaged document given to all that may read it."""
    name = rng.choice([*EMITTED, "published.csv"])
    if name not in EMITTED:
        other_table(rng, name, (place.parent / "documents" / name).read_bytes())
        return
    n, rules = rng.choice("34"), rng.choice(EVERY_RULES)
    game = ["--n", n, *flags(rules)]
    if name.endswith("json") and rng.random() < 0.3 and rules.prizes in ("random", "hidden"):
        game += ["--deck", rng.choice(DECKS[n])]
    data = printed(*game, *EMITTED[name]).encode()
    kinds = [damaged, relined, *([reshaped] * 2 if name.endswith("json") else [])]
    data = rng.choice(kinds)(rng, data)
    while re.search(rb'"n": *"?0*[5-9]\b', data):  # honest work, and long
        data = re.sub(rb'("n": *"?0*)[5-9]\b', rb"\g<1>3", data)
    path = Path(name)
    path.write_bytes(data)
    ran = call(["verify", *(flags(rules) if path.suffix == ".csv" else []), name, "--jobs", "1"])
    text = data.decode("ascii", "replace")
    if ran.status == 0 and not is_true(text, path.suffix, rules):
        raise Wrong("verified, but not right", *game, name)


def solution_case(rng, place):  # noqa: ARG001  # as of every family
    """A damaged file of a matrix game, or document of a solved one, given to all that reads them."""
    solved = gx.solve_matrix_game(own_games.random_game(rng))
    texts = {
        "solved.json": solved.emit("json"),
        "game.nfg": write_nfg(solved.game),
        "game.csv": "".join(f"{','.join(map(str, row))}\n" for row in solved.game.payoff),
    }
    name = rng.choice([*texts, "solved.json"])
    data = rng.choice([damaged, relined])(rng, texts[name].encode())
    if len(data) > 50_000:  # honest work, and long
        return
    Path(name).write_bytes(data)
    show = rng.choice(["solution", "optimal", "dominated", "weakly-dominated"])
    call(["matrix", name, "--show", show, "--emit", rng.choice(["text", "json", "csv"])])
    if call(["verify", name]).status == 0 and not own_games.is_solution(json.loads(data)):
        raise Wrong("verified, but no solution", data[:300])


def other_table(rng, name, data):
    """A damaged table of printed first moves, given to what reads it."""
    Path(name).write_bytes(rng.choice([damaged, relined])(rng, data))
    call(["verify", "--published", name, "../documents/exact.json"])
