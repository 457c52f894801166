"""Damage for the fuzzer: documents, stores, folders of floats and their journals.

What reads them has to give the right answer or say in one line that it cannot. A store's checksums
do not protect from somebody who makes them anew; there only what `verify` passed has to be right.
"""

import json
import os
import re
import shutil
import sqlite3
from contextlib import closing, suppress
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from pathlib import Path

import gmpy2
import oracle
from fuzz_api import exact_moves, fraction
from fuzz_argv import Wrong, call

import gops_exact as gx
from gops_exact.layers import blocks
from gops_exact.layers.layer import COUNTS
from gops_exact.layers.sweep import columns_of
from gops_exact.literature.tournament_report import read_tournament
from gops_exact.show.read import READERS
from gops_exact.solver.by_layers import Layers

RULE_SETS = (gx.Rules(), gx.Rules("win"), gx.Rules(ties="carryover"))


def flags(rules):
    """The rules as options."""
    return ["--objective", rules.objective, "--ties", rules.ties]


def float_words(n, rules):
    """The options of first moves in floats."""
    return ["--n", str(n), *flags(rules), "--arithmetic", "float", "--emit", "csv"]


@cache
def printed(*words):
    """The output of a run that keeps nothing."""
    store = [] if "float" in words or words[0] == "tournament" else ["--store", ":memory:"]
    ran = call([*words, *store])
    if ran.status:
        raise Wrong("no reference", *words, ran.err)
    return ran.out


def make_documents(folder):
    """Every emitted document of three rule sets, at three and four cards."""
    folder.mkdir()
    for n in (3, 4):
        for at, rules in enumerate(RULE_SETS):
            words, stem = ["--n", str(n), *flags(rules)], f"{n}-{at}"
            for emit in ("json", "csv", "fractions", "latex", "decimals", "digests"):
                name = f"{stem}-exact.{emit}"
                (folder / name).write_text(printed(*words, "--emit", emit))
            (folder / f"{stem}-residue.json").write_text(printed(*words, "--emit", "residues"))
            ball = printed(*words, "--arithmetic", "ball", "--emit", "json")
            (folder / f"{stem}-ball.json").write_text(ball)
            for emit in ("json", "csv"):
                text = printed(*words, "--arithmetic", "float", "--emit", emit)
                (folder / f"{stem}-float.{emit}").write_text(text)
    for name, source in (("exact.json", "3-0-exact.json"), ("float.csv", "3-0-float.csv")):
        shutil.copy(folder / source, folder / name)
    shutil.copy(folder / "3-0-residue.json", folder / "residue.json")
    rows = ["n,upcard,card,printed_probability"]
    rows += [
        f"3,{u},{c},{float(fraction(p)):.4f}"
        for u, column in exact_moves(3, RULE_SETS[0]).items()
        for c, p in column.items()
    ]
    (folder / "published.csv").write_text("\n".join(rows) + "\n")
    small = ["--n", "5", "--policy", "random,matching", "--lengths", "1", "--seeds", "1"]
    (folder / "tournament.csv").write_text(printed("tournament", *small, "--jobs", "1"))


def make_stores(folder):
    """A store a rule set, with exact and certified first moves and residues."""
    folder.mkdir()
    for at, rules in enumerate(RULE_SETS):
        for n in ("3", "4"):
            for more in ([], ["--arithmetic", "ball", "--emit", "json"], ["--emit", "residues"]):
                call(["--n", n, *flags(rules), *more, "--store", str(folder / f"{at}.sqlite")])


def make_folders(folder):
    """Folders of finished runs, with two layers kept or all, and some in many blocks."""
    folder.mkdir()
    for at, rules in enumerate(RULE_SETS):
        for n in (3, 4, 5):
            for keep in (False, True):
                kept = gx.Float(folder / f"{n}-{at}-{keep:d}", keep=keep)
                gx.first_move(n, kept, rules=rules)
    blocks.BLOCK_GAMES = SMALL_BLOCKS
    for at, rules in enumerate(RULE_SETS):
        gx.first_move(5, gx.Float(folder / f"5-{at}-blocks", keep=True), rules=rules)
    blocks.BLOCK_GAMES = BLOCKS


BLOCKS, SMALL_BLOCKS = blocks.BLOCK_GAMES, (100, blocks.BLOCK_GAMES[1])
"""Games a block, as they are and so few that a small layer has many records in its journal."""

PRISTINE = {"documents": make_documents, "stores": make_stores, "folders": make_folders}


def damaged(rng, data, tokens):
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


# Documents.


def document_case(rng, place):
    """A damaged document given to all that may read it."""
    names = sorted(path.name for path in (place.parent / "documents").iterdir())
    name = rng.choice(names)
    data = damaged(rng, (place.parent / "documents" / name).read_bytes(), tokens=True)
    while re.search(rb'"n": *"?0*[5-9]\b', data):  # honest work, and long
        data = re.sub(rb'("n": *"?0*)[5-9]\b', rb"\g<1>3", data)
    path = Path(name)
    path.write_bytes(data)
    rules = RULE_SETS[int(name[2])] if name[0].isdigit() else RULE_SETS[0]
    if path.suffix == ".csv" and "float" not in name and rng.random() < 0.5:
        with suppress(ValueError):
            read_tournament(path)
        emit = rng.choice(["csv", "tables", "games", "agreement"])
        call(["tournament", "--from", name, "--emit", emit])
        call(["verify", "--published", name, "../documents/exact.json"])
        return
    ran = call(["verify", *(flags(rules) if path.suffix == ".csv" else []), name, "--jobs", "1"])
    if ran.status == 0 and not is_right(path, rules):
        raise Wrong("verified, but not right", name)
    call(["patterns", name])
    for read in READERS.values():
        with suppress(ValueError, UnicodeDecodeError):
            read(data.decode("ascii"))


def is_right(path, rules):
    """Whether a document states right first moves, read as strictly as can be."""
    try:
        return all(is_right_column(*each) for each in columns(path, rules))
    except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError):
        return False


def columns(path, rules):
    """(n, rules, document, column) of each first move, a table as if it were JSON."""
    text = path.read_text("ascii")
    if path.suffix == ".csv":
        document = {"arithmetic": "float", "columns": table_columns(text)}
    else:
        document = json.loads(text, parse_float=str, object_pairs_hook=once)
        named = document["rules"]
        prizes = named["prizes"] if isinstance(named["prizes"], str) else tuple(named["prizes"])
        rules = gx.Rules(named["objective"], named["ties"], prizes)
    for column in document["columns"]:
        n = len(column["probabilities"])
        cards = [str(card) for card in range(1, n + 1)]
        if document.get("n", n) != n or list(column["probabilities"]) != cards:
            raise ValueError("cards")
        yield n, rules, document, column


def table_columns(text):
    """The first moves of a table, as they stand in JSON."""
    found = {}
    for line in text.splitlines()[1:]:
        upcard, card, probability, radius, proved = line.split(",")
        column = found.setdefault(upcard, {"upcard": int(upcard), "value": "0", "unique": True})
        column.setdefault("probabilities", {})[card] = probability
        column.setdefault("radii", {})[card] = radius
        column["unique"] &= proved == "true"
    return list(found.values())


def once(pairs):
    """An object of JSON without repeated names."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("repeated name")
    return dict(pairs)


NUMBER = "[0-9]+(/[0-9]+|([.][0-9]+)?([eE][-+]?[0-9]{1,4})?)"
"""A number as documents write it."""


def number(text):
    """A number of a document, of any length."""
    found = gmpy2.mpq(text)
    return Fraction(int(found.numerator), int(found.denominator))


def is_right_column(n, rules, document, column):
    """Whether one first move is right."""
    upcard, exact = column["upcard"], exact_moves(n, rules)
    right = [fraction(each) for each in exact[upcard].values()]
    texts = [str(each) for each in column["probabilities"].values()]
    unique = exact[upcard].unique
    if column["value"] not in ("0", 0) or (column["unique"] is True and not unique):
        return False
    proved = {"ball": True, "residue": column.get("proved")}.get(document["arithmetic"], False)
    if not isinstance(proved, bool) or (proved and column["unique"] != unique):
        return False
    if not all(re.fullmatch(NUMBER, text) for text in texts):
        return False
    given = [number(text) for text in texts]
    if document["arithmetic"] == "exact":
        cards = range(1, n + 1)
        position = gx.Position(cards, cards, cards, upcard, rules)
        game = gx.payoff_matrix(position, store=":memory:")
        game = [[fraction(entry) for entry in row] for row in game]
        optimal = oracle.is_optimal(game, Fraction(0), given, given)
        return optimal and (column["unique"] is True) == unique
    if document["arithmetic"] == "residue":
        prime = document["prime"]
        residues = [p.numerator * pow(p.denominator, -1, prime) % prime for p in right]
        return gmpy2.is_prime(prime) and given == residues
    if document["arithmetic"] == "ball":
        radii = [Fraction(1, 2 * 10 ** document["digits"])] * n
    else:
        radii = [number(str(radius)) for radius in column["radii"].values()]
    return all(
        abs(found - p) <= radius for found, p, radius in zip(given, right, radii, strict=True)
    )


# Stores.


def store_case(rng, place):
    """A damaged store, given to all that use one."""
    at = rng.randrange(len(RULE_SETS))
    rules, path = RULE_SETS[at], Path("s.sqlite")
    shutil.copy(place.parent / "stores" / f"{at}.sqlite", path)
    vouched = rng.random() < 0.5 and edit_rows(rng, path)
    if not vouched and (rng.random() < 0.7 or path.stat().st_size == 0):
        path.write_bytes(damaged(rng, path.read_bytes(), tokens=False))
    if rng.random() < 0.05:
        other = rng.choice(["stores/0.sqlite", "stores/1.sqlite", "documents/exact.json"])
        shutil.copy(place.parent / other, path)
    verified = (
        rng.random() < 0.3 and call(["verify", "--store", str(path), "--jobs", "1"]).status == 0
    )
    for use in rng.sample([use_for_moves, use_for_value, use_for_tables], 2):
        use(rng, rules, path, sound=verified or not vouched)


def use_for_moves(rng, rules, path, *, sound):
    """Take first moves from a store; raise if they are not right though it is `sound`."""
    words = ["--n", str(rng.choice([3, 4])), *flags(rules)]
    words += rng.choice([[], ["--emit", "json"], ["--arithmetic", "ball"], ["--emit", "residues"]])
    words += rng.choice([[], ["--upcard", "2"]])
    more = rng.choice([[], ["--read-only"]])
    ran = call([*words, *more, "--jobs", "1", "--store", str(path)])
    if ran.status == 0 and sound and ran.out != printed(*words):
        raise Wrong("another answer than the right one", *words)


def use_for_value(_rng, rules, path, *, sound):
    """Take the values of a position from a store; raise if its value is not right."""
    position = gx.Position([1, 2, 4], [1, 3, 4], [1, 2, 3], rules=rules)
    with suppress(gx.StoreError, ValueError):
        value = gx.value(position, store=path)
        if sound and value != gx.value(position, store=":memory:"):
            raise Wrong("another value of a position")


def use_for_tables(rng, rules, path, *, sound):  # noqa: ARG001  # tables prove nothing
    """Tables of what a store holds, whatever that is."""
    call(["store", rng.choice(["info", "check"]), "--store", str(path)])
    call(["growth", "--n", rng.choice("34"), *flags(rules), "--store", str(path)])


def edit_rows(rng, path):
    """Edit rows of a store; whether a false entry got a right checksum."""
    with closing(sqlite3.connect(path)) as store:
        rows = store.execute("SELECT rowid, key, payload FROM entry").fetchall()
        vouched, set_payload = False, "UPDATE entry SET payload = ? WHERE rowid = ?"
        for _ in range(rng.choice([1, 1, 2, 5])):
            (one, key, payload), (two, other_key, other) = rng.sample(rows, 2)
            kind = rng.randrange(7)
            if kind == 0:
                store.execute("DELETE FROM entry WHERE rowid = ?", (one,))
            elif kind == 1:
                store.executemany(set_payload, [(other, one), (payload, two)])
            elif kind == 2:
                odd = rng.choice([None, 1, "text", b"", payload[:-1], payload + b"\0", 1.5])
                with suppress(sqlite3.IntegrityError):
                    store.execute(set_payload, (odd, one))
            elif kind == 3:
                odd = damaged(rng, key.encode(), tokens=True)
                others = ["", "a", "a b c d", 1, other_key + " "]
                odd = rng.choice([odd, odd.decode(errors="replace"), *others])
                with suppress(sqlite3.IntegrityError):
                    store.execute("UPDATE entry SET key = ? WHERE rowid = ?", (odd, one))
            elif kind == 4:
                pragma = rng.choice(["user_version = 2", "application_id = 0", "user_version = 0"])
                store.execute(f"PRAGMA {pragma}")
            elif kind == 5:
                kinds = ["DROP TABLE entry", "DELETE FROM entry", "CREATE TABLE more (x)"]
                store.execute(rng.choice(kinds))
                break
            else:
                vouched = True
                odd = damaged(rng, key.encode(), tokens=True).decode(errors="replace")
                key = rng.choice([key, key, other_key, odd])
                payload = rng.choice([other, damaged(rng, payload, tokens=False)])
                digest = blake2b(key.encode() + b"\0" + payload, digest_size=16).digest()
                store.execute("DELETE FROM entry WHERE key IN (?, ?)", (key, rows[0][1]))
                store.execute("INSERT INTO entry VALUES (?, ?, ?)", (key, digest, payload))
        store.commit()
    return vouched


# Folders of floats, and journals.


def folder_case(rng, place):
    """A folder of floats with files missing, damaged or foreign, given to all that use one."""
    n, at, keep = rng.choice([3, 4, 5, 5]), rng.randrange(len(RULE_SETS)), rng.random() < 0.6
    pristine, folder = place.parent / "folders", Path("d")
    shutil.copytree(pristine / f"{n}-{at}-{keep:d}", folder)
    files = sorted(folder.iterdir())
    if rng.random() < 0.3:
        for path in rng.sample(files, rng.randint(1, len(files))):
            path.unlink()
    else:
        for path in rng.sample(rng.choice([files, files[-3:]]), rng.choice([1, 1, 1, 2])):
            spoil_file(rng, path, rng.choice([pristine, folder]))
    use_folder(rng, n, RULE_SETS[at], folder)


def spoil_file(rng, path, others):
    """Damage a file of a folder, or put another one in its place."""
    alike = sorted(each for each in others.rglob(f"*{path.suffix}") if each.is_file())
    kind = rng.randrange(7)
    if kind in (0, 1) and alike:
        path.write_bytes(rng.choice(alike).read_bytes())
    elif kind == 2:
        path.write_bytes(path.read_bytes()[: rng.randrange(path.stat().st_size + 1)])
    elif kind == 3:
        data = bytearray(path.read_bytes())
        for _ in range(rng.choice([1, 8, 64]) if data else 0):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
    elif kind == 4:
        path.unlink()
        target = rng.choice([None, "no-such-file", path.name])
        path.mkdir() if target is None else path.symlink_to(target)
    elif kind == 5:
        os.truncate(path, path.stat().st_size + rng.choice([1, 8, 4096]))
    else:
        path.write_bytes(damaged(rng, path.read_bytes(), tokens=False))


def use_folder(rng, n, rules, folder):
    """Take first moves and optimal play from a folder; raise if they are not right."""
    words = float_words(n, rules)
    for _ in range(rng.choice([1, 1, 2])):
        if rng.random() < 0.65:
            ran = call([*words, "--folder", str(folder), "--jobs", "1"])
            answer = Path("answer.csv")
            answer.write_text(ran.out)
            if ran.status == 0 and ran.out != printed(*words) and not is_right(answer, rules):
                raise Wrong("another table than without the folder", *words)
        elif rng.random() < 0.5:
            bids = ",".join(map(str, range(1, n + 1)))
            play = ["play", *words[:-2], "--hints", "--seed", "1", "--bids", bids]
            ran = call([*play, "--folder", str(folder)])
            if ran.status == 0 and ran.out.replace(" --folder d", "") != played(*play):
                raise Wrong("another game than without the folder")
        else:
            with suppress(ValueError, ArithmeticError):
                right = optimal(n, rules)
                found = Layers(n, rules, folder)
                for each in positions(rng, n, rules):
                    if found.strategy(each) != right.strategy(each):
                        raise Wrong("another strategy than without the folder", each)


@cache
def played(*words):
    """A game without a folder."""
    return call(words).out


@cache
def optimal(n, rules):
    """Optimal play from floats in memory."""
    return Layers(n, rules)


def positions(rng, n, rules):
    """Some positions that a game of n cards leads to."""
    for _ in range(8):
        size = rng.randint(1, n)
        one, two, prizes = (tuple(sorted(rng.sample(range(1, n + 1), size))) for _ in "123")
        yield gx.Position(one, two, prizes, rng.choice(prizes), rules)


def journal_case(rng, place):
    """A layer under way in many blocks, its journal wrong, its run taken up again."""
    n, at = 5, rng.randrange(len(RULE_SETS))
    rules, folder = RULE_SETS[at], Path("d")
    shutil.copytree(place.parent / "folders" / f"5-{at}-blocks", folder)
    blocks.BLOCK_GAMES = rng.choice([BLOCKS, SMALL_BLOCKS, SMALL_BLOCKS])
    top = rng.randint(1, n - 1)
    for path in sorted(folder.iterdir()):
        k = int(path.stem[-2:])
        unfinished = k > top or (k == top and path.suffix == ".bounds")
        if unfinished or (k < top - 1 and rng.random() < 0.5):
            path.unlink()
    (journal,) = folder.glob(f"*-{top:02}.journal")
    length = 8 * (2 + COUNTS + len(columns_of(n, top, rules).sets)) + 16
    data = journal.read_bytes()
    records = [data[start : start + length] for start in range(0, len(data), length)]
    kind = rng.randrange(7)
    if kind == 0:
        rng.shuffle(records)
    elif kind == 1:
        records = rng.choices(records, k=rng.randint(0, 2 * len(records)))
    elif kind == 2:
        records = rng.sample(records, rng.randint(0, len(records)))
        records.append(rng.choice((data and [data[: rng.randrange(length)]]) or [b""]))
    elif kind == 3:
        others = sorted((place.parent / "folders").rglob("*.journal"))
        records = [rng.choice(others).read_bytes()]
    elif kind == 4:
        odd = rng.randbytes(rng.choice([1, length, 3 * length]))
        records.insert(rng.randrange(len(records) + 1), odd)
    else:
        records = [damaged(rng, b"".join(records), tokens=False)]
    journal.write_bytes(b"".join(records))
    if rng.random() < 0.2:
        spoil_file(rng, journal.with_suffix(".values"), folder)
    use_folder(rng, n, rules, folder)
    blocks.BLOCK_GAMES = BLOCKS
