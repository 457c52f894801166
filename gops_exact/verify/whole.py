"""A whole store, its entries shared out among processes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from gops_exact.schedule import in_order
from gops_exact.store import DiskStore
from gops_exact.verify.entries import EXACT, Report, check_entry, read_key
from gops_exact.verify.fractions import NotProvedError
from gops_exact.verify.values import Values


def check_store(
    path: Path,
    *,
    prizes_up_to: int | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Prove every exact entry of a store.

    Args:
        path: the file.
        prizes_up_to: leave out entries about more prizes.
        jobs: processes; 1 works in this one.
        progress: called with the number of checked entries and of all entries.

    Raises:
        StoreError: if the store cannot be opened.
        ChildProcessError: if a process was killed.
    """
    with DiskStore(path, read_only=True) as store:
        sizes = store.sizes()
    whole, counts = Report(), dict[str, int]()
    for key in sizes:
        try:
            entry = read_key(key)
        except NotProvedError as error:
            whole.faults.append(f"entry {key!r}: {error}")
        else:
            if entry.arithmetic == EXACT:
                counts[key] = len(entry.left.prizes)
    # The longest work first, so that none is left over at the end.
    keys = sorted(
        (key for key, count in counts.items() if count <= (prizes_up_to or count)),
        key=lambda key: (counts[key], sizes[key]),
        reverse=True,
    )

    def note(report: Report) -> None:
        whole.add(report)
        if progress is not None:
            progress(whole.entries, len(keys))

    if jobs == 1:
        with DiskStore(path, read_only=True) as store:
            values = Values(store)
            for key in keys:
                note(check_entry(values, key))
        return whole
    for report in in_order(_check, keys, jobs, partial(_open, path)):
        note(report)
    return whole


_values: Values | None = None
"""The store of this process, in a process that is a worker."""


def _open(path: Path) -> None:
    global _values  # noqa: PLW0603  # a pool's initializer has no other way to hand on its result
    _values = Values(DiskStore(path, read_only=True))


def _check(key: str) -> Report:
    if _values is None:
        raise RuntimeError("an entry reached a process that is no worker")
    return check_entry(_values, key)
