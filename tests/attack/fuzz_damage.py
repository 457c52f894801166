"""Damage for the fuzzer: stores, folders of floats and their journals, of this version or older.

What reads them has to give the right answer or say in one line that it cannot. A store's checksums
do not protect from somebody who makes them anew; there only what `verify` passed has to be right.
"""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from fuzz_argv import Wrong, call
from fuzz_documents import damaged, flags, printed, rearranged
from places import DATA
from truth import is_true

import gops_exact as gx
from gops_exact.show.explorer import EVERY_RULES
from gops_exact.solvers.floats import sweep
from gops_exact.solvers.floats.layer import COUNTS, columns_below
from gops_exact.solvers.store import _checksum

BLOCKS, SMALL_BLOCKS = sweep.BLOCK_GAMES, (100, sweep.BLOCK_GAMES[1])
"""Games a block, as they are and so few that a small layer has many records in its journal."""

UNSEALED = DATA / "float_folder_unsealed"
"""A folder of four cards as an unreleased version left it, which is refused."""


def pristine(place, name, make):
    """The path of a store or folder without damage; `make` makes it when it is first asked for."""
    path = place.parent / "pristine" / name
    if not path.exists():
        fresh = path.with_name(f"fresh-{name}")
        fresh.parent.mkdir(exist_ok=True)
        make(fresh)
        fresh.rename(path)
    return path


def solved_store(place, rules):
    def make(path):
        for n in ("3", "4"):
            for more in ([], ["--arithmetic", "ball", "--emit", "json"], ["--emit", "residues"]):
                call(["--n", n, *flags(rules), *more, "--store", str(path), "--jobs", "1"])

    return pristine(place, f"{EVERY_RULES.index(rules)}.sqlite", make)


def run_folder(place, n, rules, *, keep, games=BLOCKS):
    def make(path):
        sweep.BLOCK_GAMES = games
        gx.first_move(n, gx.Float(path, keep=keep), rules=rules)
        sweep.BLOCK_GAMES = BLOCKS

    return pristine(place, f"{n}-{EVERY_RULES.index(rules)}-{keep:d}-{games[0]}", make)


# Stores.


def store_case(rng, place):
    """A damaged store, given to all that use one."""
    rules, path = rng.choice(EVERY_RULES), Path("s.sqlite")
    older = DATA / "before" / "store.sqlite"
    shutil.copy(older if rng.random() < 0.2 else solved_store(place, rules), path)
    vouched = rng.random() < 0.5 and edit_rows(rng, path)
    if not vouched and (rng.random() < 0.7 or path.stat().st_size == 0):
        path.write_bytes(damaged(rng, path.read_bytes(), tokens=False))
    if rng.random() < 0.05:
        others = solved_store(place, rng.choice(EVERY_RULES)), place.parent / "documents/exact.json"
        shutil.copy(rng.choice(others), path)
    verified = (
        rng.random() < 0.3 and call(["verify", "--store", str(path), "--jobs", "1"]).status == 0
    )
    for use in rng.sample([use_for_moves, use_for_value, use_for_tables], 2):
        use(rng, rules, path, sound=verified or not vouched)


def use_for_moves(rng, rules, path, *, sound):
    """Take first moves from a store; raise if they are not right though it is `sound`."""
    words = ["--n", str(rng.choice([3, 4])), *flags(rules)]
    words += rng.choice([[], ["--emit", "json"], ["--arithmetic", "ball"], ["--emit", "residues"]])
    words += rng.choice([[], ["--upcard", "2"]] if rules.prizes == "random" else [[]])
    more = rng.choice([[], ["--read-only"]])
    ran = call([*words, *more, "--jobs", "1", "--store", str(path)])
    if ran.status == 0 and sound and ran.out != printed(*words):
        raise Wrong("another answer than the right one", *words)


def use_for_value(_rng, rules, path, *, sound):
    position = gx.Position([1, 2, 4], [1, 3, 4], [1, 2, 3], rules=rules)
    with suppress(gx.StoreError, ValueError):
        value = gx.value(position, store=path)
        if sound and value != gx.value(position, store=":memory:"):
            raise Wrong("another value of a position")


def use_for_tables(rng, rules, path, *, sound):  # noqa: ARG001  # tables prove nothing
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
                odd = damaged(rng, key.encode())
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
                odd = damaged(rng, key.encode()).decode(errors="replace")
                key = rng.choice([key, key, other_key, odd])
                payload = rng.choice([other, damaged(rng, payload, tokens=False)])
                digest = _checksum(key, payload)
                store.execute("DELETE FROM entry WHERE key IN (?, ?)", (key, rows[0][1]))
                store.execute("INSERT INTO entry VALUES (?, ?, ?)", (key, digest, payload))
        store.commit()
    return vouched


# Folders of floats, and journals.


def folder_case(rng, place):
    """A folder of floats with files missing, damaged or foreign, given to all that use one."""
    n, rules, keep = rng.choice([3, 4, 5, 5]), rng.choice(EVERY_RULES), rng.random() < 0.6
    others, older = rng.choice(EVERY_RULES), rng.random() < 0.1
    source = run_folder(place, n, rules, keep=keep)
    if older:
        n, rules, source = 4, gx.Rules(), UNSEALED
    folder = shutil.copytree(source, "d")
    files = sorted(Path(folder).iterdir())
    if rng.random() < 0.3:
        for path in rng.sample(files, rng.randint(1, len(files))):
            path.unlink()
    else:
        foreign = run_folder(place, rng.choice([n, 5]), others, keep=keep)
        for path in rng.sample(rng.choice([files, files[-3:]]), rng.choice([1, 1, 1, 2])):
            spoil_file(rng, path, rng.choice([foreign, source]))
    use_folder(rng, n, rules, Path(folder))


def spoil_file(rng, path, others):
    """Damage a file of a folder, or put another one in its place."""
    alike = sorted(others.glob(f"*{path.suffix}"))
    kind = rng.randrange(6)
    if kind in (0, 1) and alike:
        path.write_bytes(rng.choice(alike).read_bytes())
    elif kind == 2:
        path.unlink()
        target = rng.choice([None, "no-such-file", path.name])
        path.mkdir() if target is None else path.symlink_to(target)
    elif kind == 3:
        os.truncate(path, path.stat().st_size + rng.choice([1, 8, 4096]))
    else:
        path.write_bytes(damaged(rng, path.read_bytes(), tokens=False))


def use_folder(rng, n, rules, folder):
    """Take first moves and optimal play from a folder; raise if they are not right."""
    game = ["--n", str(n), *flags(rules), "--arithmetic", "float"]
    for _ in range(rng.choice([1, 1, 2])):
        if rng.random() < 0.6:
            words = [*game, "--emit", "csv"]
            ran = call([*words, "--folder", str(folder), "--jobs", "1"])
            right = ran.out == printed(*words) or is_true(ran.out, ".csv", rules)
            if ran.status == 0 and not right:
                raise Wrong("another table than without the folder", *words)
        elif rng.random() < 0.6:
            bids = ",".join(map(str, range(1, n + 1)))
            more = ["--hints", "--seed", "1", "--bids", bids]
            if n < 5:
                more = rng.choice([more, ["--policy", "optimal", "--against", "random"]])
            words = ["measure" if "--policy" in more else "play", *game, *more]
            ran = call([*words, "--folder", str(folder)])
            if ran.status == 0 and ran.out.replace(" --folder d", "") != played(*words):
                raise Wrong("another game than without the folder", *words)
        else:
            with suppress(ValueError, ArithmeticError):
                right = optimal(n, rules)
                found = gx.solver(gx.Float(folder), gx.Game(n, rules))
                for each in positions(rng, n, rules):
                    row = found.quick_play(each).row
                    # Others are found in layers of other games, or anew: the same but for rounding.
                    if right._whole.holds(each) and row != right.quick_play(each).row:
                        raise Wrong("another strategy than without the folder", each)


@cache
def played(*words):
    return call(words).out


@cache
def optimal(n, rules):
    """Optimal play from floats in memory."""
    return gx.solver("float", gx.Game(n, rules))


def positions(rng, n, rules):
    """Some positions that a game of n cards leads to."""
    for _ in range(8):
        size = rng.randint(1, n)
        one, two, prizes = (tuple(sorted(rng.sample(range(1, n + 1), size))) for _ in "123")
        first = {"hidden": None, "ascending": prizes[0], "descending": prizes[-1]}
        yield gx.Position(one, two, prizes, first.get(rules.prizes, rng.choice(prizes)), rules)


def journal_case(rng, place):
    """A layer under way in many blocks, its journal wrong, its run taken up again."""
    n, rules, folder = 5, rng.choice(EVERY_RULES), Path("d")
    known = {"keep": True, "games": SMALL_BLOCKS}
    shutil.copytree(run_folder(place, n, rules, **known), folder)
    other = run_folder(place, n, rng.choice([rules, *EVERY_RULES]), **known)
    sweep.BLOCK_GAMES = rng.choice([BLOCKS, SMALL_BLOCKS, SMALL_BLOCKS])
    top = rng.randint(1, n - 1)
    for path in sorted(folder.iterdir()):
        k = int(path.stem[-2:])
        unfinished = k > top or (k == top and path.suffix == ".bounds")
        if unfinished or (k < top - 1 and rng.random() < 0.5):
            path.unlink()
    (journal,) = folder.glob(f"*-{top:02}.journal")
    length = 8 * (2 + COUNTS + len(columns_below(gx.Game(n, rules)).at(top).sets)) + 16
    data = journal.read_bytes()
    records = [data[start : start + length] for start in range(0, len(data), length)]
    foreign = rng.choice(sorted(other.glob("*.journal"))).read_bytes()
    odd = rng.randbytes(rng.choice([1, length, 3 * length]))
    kind = rng.randrange(6)
    if kind == 0:
        rng.shuffle(records)
    elif kind == 1 and records:
        records = [*rearranged(rng, records), rng.choice([b"", data[: rng.randrange(length)]])]
    elif kind == 2:
        records = [foreign]
    elif kind == 3:
        records.insert(rng.randrange(len(records) + 1), odd)
    else:
        records = [damaged(rng, b"".join(records), tokens=False)]
    journal.write_bytes(b"".join(records))
    if rng.random() < 0.2:
        spoil_file(rng, journal.with_suffix(".values"), folder)
    use_folder(rng, n, rules, folder)
    sweep.BLOCK_GAMES = BLOCKS
