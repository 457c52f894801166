"""What the tests of the store share: solving into one, reading it whole, counting work."""

import sqlite3
import subprocess
import sys
from contextlib import closing

from gops_exact.game.game import Game
from gops_exact.game.order_types import pair_count
from gops_exact.solvers.exact.by_prizes import openings
from gops_exact.solvers.exact.rational import ExactSystem
from gops_exact.solvers.store import DiskStore, StoreError, _checksum


class Counting(ExactSystem):
    """Counts the values of slabs it computes, {(distinct prizes, length of the word): how many}.

    Those asked for one by one, as by a first move, are left out if `singly` is false.
    """

    def __init__(self, *, singly=True):
        super().__init__()
        object.__setattr__(self, "singly", singly)
        object.__setattr__(self, "computed", {})

    def slab(self, layer, turns, below, previewed=None):
        if previewed is not None:  # nothing is evaluated before it is asked for
            return super().slab(layer, turns, below, previewed)
        prizes = tuple(turn.upcard for turn in turns)
        for length, place in layer.lengths.items():
            if not self.singly and len(layer) == 1 < pair_count(layer.size, length):
                break
            key = prizes, length
            self.computed[key] = self.computed.get(key, 0) + place.stop - place.start
        return super().slab(layer, turns, below)


def solve(n, path, arithmetic=None, *, read_only=False, jobs=1, progress=None):
    """The openings of the game of n cards, over the store at `path` or in memory (None)."""
    system, options = arithmetic or ExactSystem(), {"workers": jobs, "progress": progress}
    return openings(Game(n), range(1, n + 1), system, path, read_only=read_only, **options)


def sql(path, statement, *values):
    """The rows that a statement gives of a store, as SQLite sees it, which it may change."""
    with closing(sqlite3.connect(path)) as file, file:
        return file.execute(statement, values).fetchall()


def put(path, key, payload):
    """Write an entry that is sound as far as the store can tell."""
    row = key, _checksum(key, payload), payload
    sql(path, "INSERT OR REPLACE INTO entry (key, checksum, payload) VALUES (?, ?, ?)", *row)


def payload_of(path, key):
    with DiskStore(path, read_only=True) as store:
        return store.get(key)


def contents(path, *, read_only=True):
    """All entries, each read and checked."""
    with DiskStore(path, read_only=read_only) as store:
        return {key: store.get(key) for key in store.sizes()}


def faults(path):
    """All that opening and checking a store reports."""
    try:
        with DiskStore(path, read_only=True) as store:
            return list(store.check())
    except StoreError as error:
        return [str(error)]


def python(code, *arguments):
    """A process that runs `code`."""
    return subprocess.Popen(  # the code is the tests' own
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
