"""The store: what comes back, what is refused, what damage and full disks do, who may share it."""

import random
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, product
from unittest.mock import Mock

import pytest
from flint import fmpq
from program import run
from runs import python
from stores import contents, faults, names, payload_of, put, solve, sql

import gops_exact as gx
from gops_exact.base.store import DiskStore, StoreError, _checksum
from gops_exact.game.game import PrizeState
from gops_exact.game.order_types import order_types
from gops_exact.game.rules import Rules
from gops_exact.solvers.exact.lattice import ExactSystem
from gops_exact.solvers.exact.value_tables import Values


def named(path):
    """A pattern of a path, which may be in any folder."""
    return re.escape(str(path))


@pytest.mark.parametrize(
    ("arithmetic", "rules", "entries"),
    [("exact", Rules(), 26), ("ball", Rules("win"), 184), ("exact", Rules("win"), 192)],
)
def test_first_moves_of_four_cards_write_a_known_number_of_entries_to_a_store_file(
    arithmetic, rules, entries, tmp_path
):
    gx.first_move(4, arithmetic, rules=rules, store=tmp_path / "store.sqlite")
    assert len(contents(tmp_path / "store.sqlite")) == entries


@pytest.mark.parametrize("length", [0, 299, 300, 301, 1000])
def test_long_entries_of_a_store_file_are_split_into_rows_and_read_back_whole(
    tmp_path, monkeypatch, length
):
    monkeypatch.setattr("gops_exact.base.store.PIECE", 300)
    path, payload = tmp_path / "store.sqlite", random.Random(length).randbytes(length)
    with DiskStore(path) as store:
        store.put("long", payload)
        assert store.get("long") == payload
        assert store.sizes() == {"long": length}
        assert list(store.check()) == []
    ((rows,),) = sql(path, "SELECT count(*) FROM entry")
    assert rows == length // 300 + 1
    sql(path, "DELETE FROM entry WHERE rowid = (SELECT max(rowid) FROM entry)")
    if rows > 1:
        assert faults(path) == [f"{path} is damaged: the end of entry 'long' is missing"]


def test_interrupted_write_to_a_store_file_leaves_no_entry(tmp_path, monkeypatch):
    with DiskStore(tmp_path / "store.sqlite") as store:
        with monkeypatch.context() as patch:
            patch.setattr("gops_exact.base.store._checksum", Mock(side_effect=KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                store.put("key", b"payload")
        assert store.get("key") is None
        store.put("key", b"payload")
        assert store.get("key") == b"payload"


def test_files_that_are_no_store_of_this_program_are_refused_and_left_unchanged(tmp_path, spoilt):
    text, other = tmp_path / "text", tmp_path / "other.sqlite"
    text.write_text("dear diary, " * 1000)
    sql(other, "CREATE TABLE diary (day TEXT)")
    for path, read_only in product((text, other), (True, False)):
        before = path.read_bytes()
        with pytest.raises(StoreError, match=f"{named(path)} is not a store of this program"):
            DiskStore(path, read_only=read_only)
        assert path.read_bytes() == before
    sql(spoilt, "PRAGMA user_version = 7")
    with pytest.raises(StoreError, match=f"{named(spoilt)} must have schema version 1, got 7"):
        DiskStore(spoilt)


# Damage


FIRST_MOVE = "points/discard/random exact opening 4 upcard 2"
VALUES = "points/discard/random exact values 1,2 length 3"
EXACT = "points/discard/random exact"
ODD_KEYS = [
    *("", "two\nlines", "points/discard/sorted exact values 1,2 length 3"),
    f"{EXACT} values 1,2 length \uff13",
    f"{EXACT} value 1,2 of XYZ",
    *(f"{EXACT} opening 4 upcard 2 of 1,,2", f"{EXACT} opening 100000000 upcard 2"),
]

DAMAGE = {
    "no table": ("DROP TABLE entry",),
    "schema": ("PRAGMA user_version = 0",),
    "bytes as key": ("UPDATE entry SET key = x'80' WHERE key = ?", FIRST_MOVE),
    "no text as key": ("UPDATE entry SET key = CAST(x'80' AS TEXT) WHERE key = ?", FIRST_MOVE),
    "text as payload": ("UPDATE entry SET payload = 'text' WHERE key = ?", FIRST_MOVE),
    "zeros as payload": ("UPDATE entry SET payload = zeroblob(1000) WHERE key = ?", VALUES),
    "long payload": ("UPDATE entry SET payload = zeroblob(30000000) WHERE key = ?", FIRST_MOVE),
    "text as checksum": ("UPDATE entry SET checksum = 'text' WHERE key = ?", VALUES),
}


REPORT = re.compile(r"^  (proved|only compared|passed over):|: \d+ entries, \d+ (faults|damaged)")
"""The last lines of a report, which sum up."""


def check_commands(path, right):
    """Every command ends in an answer, or with one line that names the file."""
    statuses = []
    for words in ("store info", "store check", "verify --jobs 1", "--n 4"):
        status, out, err = run(f"{words} --store '{path}'")
        statuses.append(status)
        if err:
            assert status == 1 and len(err.splitlines()) == 1 and str(path) in err
        elif status:
            lines = [line for line in out.splitlines() if not REPORT.search(line)]
            assert all("damaged" in line or "entry" in line for line in lines)
        elif words == "--n 4":
            assert out == right
    return statuses


@pytest.fixture(scope="module")
def right():
    """The first moves of four cards as they are printed."""
    return run("--n 4 --store :memory:").out


@pytest.mark.parametrize("kind", DAMAGE)
def test_store_file_damaged_by_sql_is_reported(spoilt, right, kind):
    sql(spoilt, *DAMAGE[kind])
    assert check_commands(spoilt, right)[:3] == [1, 1, 1]


@pytest.mark.parametrize("key", ODD_KEYS)
def test_verify_reports_entries_of_a_store_file_whose_keys_name_no_position(spoilt, right, key):
    """The entry is as it was written, under a name that no entry has."""
    put(spoilt, key, payload_of(spoilt, VALUES))
    info, _, verify, moves = check_commands(spoilt, right)
    assert (info, verify, moves) == (1, 1, 0)


@pytest.mark.parametrize("key", [FIRST_MOVE, VALUES])
def test_entries_of_a_store_file_that_are_cut_short_or_too_long_are_reported(spoilt, key):
    """The checksum is right, the bytes under it are not."""
    payload = payload_of(spoilt, key)
    sql(spoilt, "DELETE FROM entry WHERE key LIKE '%opening%' AND key != ?", key)
    for wrong in (*(payload[:cut] for cut in (0, 1, 7, 8, 20, -9, -1)), payload + b"\0"):
        put(spoilt, key, wrong)
        status, _, err = run(f"--n 4 --store '{spoilt}'")
        assert (status, err.count("\n")) == (1, 1)
        assert f"{spoilt} is damaged at entry '{key}'" in err


def test_store_file_that_another_process_has_locked_is_reported_in_one_line(spoilt, monkeypatch):
    monkeypatch.setattr("gops_exact.base.store.BUSY_SECONDS", 0.1)
    other = sqlite3.connect(spoilt, isolation_level=None)
    other.execute("PRAGMA journal_mode = DELETE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("DELETE FROM entry")
    for words in ("store info", "store check", "verify", "--n 4"):
        status, _, err = run(f"{words} --store '{spoilt}'")
        assert (status, err.count("\n")) == (1, 1)
        assert f"{spoilt} cannot be used: another process has kept it locked" in err
    other.close()


def test_damaged_entry_of_a_store_file_is_named_and_never_treated_as_missing(stored, spoilt):
    data = stored.read_bytes()
    for key, payload in contents(stored).items():
        text = key.encode()
        table = data.find(text + _checksum(key, payload) + payload)
        if table < 0:  # the payload goes on on another page
            continue
        index = next(place for place in (data.rfind(text), data.find(text)) if place != table)
        places = {
            "key in the table": table + len(text) - 1,
            "key in the index": index + len(text) - 1,
            "checksum": table + len(text) + 3,
            "payload": table + len(text) + 16 + len(payload) // 2,
        }
        assert len(set(places.values())) == 4
        for what, place in places.items():
            spoilt.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            assert any(key in line for line in faults(spoilt)), what
            if what == "key in the table":  # the index still finds it, whole
                assert payload_of(spoilt, key) == payload
            else:
                with pytest.raises(StoreError, match=f"{named(spoilt)} is damaged.* '{key}'"):
                    payload_of(spoilt, key)


@pytest.mark.usefixtures("modes_bind")
def test_unwritable_store_file_is_reported_and_read_only_use_adds_nothing(spoilt):
    spoilt.chmod(0o444)
    assert solve(4, spoilt) == solve(4, None)
    with pytest.raises(StoreError, match=f"{named(spoilt)} cannot be used: it is not writable"):
        solve(5, spoilt)
    spoilt.chmod(0o644)
    (folder := spoilt.parent / "closed").mkdir()
    path = spoilt.rename(folder / spoilt.name)
    folder.chmod(0o555)
    with pytest.raises(StoreError, match=f"{named(path)} cannot be used: .*directory is not writ"):
        DiskStore(path)
    # Read-only use adds nothing.
    before = path.read_bytes()
    assert solve(5, path, read_only=True, jobs=2) == solve(5, None)
    with DiskStore(path, read_only=True) as store:
        with pytest.raises(StoreError, match=f"{named(path)} is open read-only"):
            store.put("new", b"")
        with pytest.raises(StoreError, match="not writable"):
            store.clear()
    assert (path.read_bytes(), names(folder)) == (before, [path.name])
    folder.chmod(0o755)


AT_ONCE = """
import sys
from pathlib import Path
from gops_exact.base.store import DiskStore
for _ in range(4):
    with DiskStore(Path(sys.argv[1])) as store:
        for n in range(20):
            assert store.get(f"key {n}") in (None, bytes([n]) * 5000)
            store.put(f"key {n}", bytes([n]) * 5000)
"""


def test_several_processes_may_write_to_one_new_store_file_at_once(tmp_path):
    path = tmp_path / "store.sqlite"
    running = [python("-c", AT_ONCE, path) for _ in range(4)]
    assert [process.communicate(timeout=100)[1] for process in running] == [""] * 4
    assert faults(path) == []
    assert contents(path) == {f"key {n}": bytes([n]) * 5000 for n in range(20)}


def test_values_are_dropped_from_memory_only_if_the_store_file_has_them(stored, tmp_path):
    DiskStore(empty := tmp_path / "empty.sqlite").close()
    deck = range(1, 6)
    states = [PrizeState(prizes) for size in range(1, 4) for prizes in combinations(deck, size)]
    with DiskStore(stored, read_only=True) as file, DiskStore(empty, read_only=True) as lacking:
        for store in (None, lacking, file):
            values = Values(order_types(deck, deck), Rules(), ExactSystem(), store, memory_bytes=0)
            for state in states:
                if state not in values:
                    values.fill(state)
            assert all(state in values and values[state] for state in states)
            assert len(values) > 0 and (len(values) < len(states)) == (store is file)


def test_threads_may_share_a_store_file(tmp_path):
    keys = [f"key {number}" for number in range(40)]
    with DiskStore(tmp_path / "store.sqlite") as store, ThreadPoolExecutor(4) as threads:

        def write(key):
            for other in keys:
                store.put(other, other.encode())
                assert key not in store or store.get(key) == key.encode()
            return list(store.sizes()) and store.digest()

        assert len(list(threads.map(write, keys))) == len(keys)
        assert threads.submit(lambda: list(store.check())).result() == []
        assert {key: store.get(key) for key in store.sizes()} == {key: key.encode() for key in keys}
    with pytest.raises(
        StoreError, match=r"store.sqlite cannot be used: Cannot operate on a closed"
    ):
        store.get("key 0")


def test_solving_a_position_reads_the_store_file_and_adds_nothing(stored, tmp_path, monkeypatch):
    position = gx.Position([2, 3, 4], [1, 2, 4], [1, 3, 4])
    expected = gx.value(position, store=":memory:"), gx.solve(position.at(3), store=":memory:")
    computed, table, before = [], ExactSystem.value_table, stored.read_bytes()

    def recorded(system, layer, stages, *rest):
        computed.append([stage.upcard for stage in stages])
        return table(system, layer, stages, *rest)

    monkeypatch.setattr(ExactSystem, "value_table", recorded)
    assert (gx.solve(position.at(3), store=stored), computed) == (expected[1], [])
    assert (gx.value(position, store=stored), computed) == (expected[0], [[1, 3, 4]])
    assert gx.value("2.4_1.3_12.13", store=tmp_path / "none") == fmpq(313, 25)
    assert stored.read_bytes() == before and names(tmp_path) == []
