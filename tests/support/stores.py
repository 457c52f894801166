"""What the tests of the store share: solving into one, reading it whole."""

import sqlite3
from contextlib import closing

from gops_exact.base.store import DiskStore, StoreError, _checksum
from gops_exact.game.game import Game
from gops_exact.solvers.arithmetic import Exact
from gops_exact.solvers.exact.by_prizes import ByPrizes
from gops_exact.solvers.exact.lattice import ExactSystem
from gops_exact.solvers.exact.value_tables import Values


def first_moves(game, upcards, system, path=None, **options):
    """Optimal play of the first round in a number system, over the store at `path` or in memory (None)."""
    return ByPrizes(Exact(), store=path, **options).plays(game, upcards, system)


def solve(n, path, *, read_only=False, jobs=1):
    """The first moves of the game of n cards, over the store at `path` or in memory (None)."""
    upcards, options = range(1, n + 1), {"workers": jobs, "read_only": read_only}
    return first_moves(Game(n), upcards, ExactSystem(), path, **options)


def value_tables(game, system):
    """The value tables of a game, by prize state, in memory."""
    values = Values(game.types, game.rules, system)
    values.sweep(game.stage_games.values())
    return values


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


def names(folder):
    return sorted(path.name for path in folder.iterdir())
