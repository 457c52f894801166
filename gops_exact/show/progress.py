"""Progress of a computation: a bar of tqdm's, on a terminal and in a notebook."""

import os
import sys
from contextlib import suppress
from time import monotonic
from typing import Any

from gops_exact.schedule import Progress, compiling

LAYOUT = "{percentage:3.0f}% {bar} {elapsed}"
"""Work is counted in units that mean nothing to a reader, so none are shown."""

KNOWN_SHARE, KNOWN_SECONDS = 0.02, 2.0
"""The work done and the time spent from which the time left is shown."""

COMPILING = "compiling, once, about 10 s: {elapsed}"
"""The line shown while kernels are compiled: 10 s for those of a sweep, on one core of a server."""

_open: list[Any] = []
"""Bars that are shown."""


def progress_bar() -> Progress | None:
    """A bar with the time spent and the time left, for `progress=` of a long computation.

    On a terminal it is wiped at the end; in a notebook it stays, full. The time left is shown as soon as
    it can be told: from 2 % of the work and 2 seconds on. The speed is measured from the first work
    reported on, as an earlier run may have done that.

    Returns:
        The function to call with the work done and all the work there is; None where nobody would
        see a bar: outside a notebook, with no terminal at stderr.
    """
    is_notebook = _is_notebook()
    if not is_notebook and not sys.stderr.isatty():
        return None
    from tqdm.auto import tqdm  # a tenth of a second

    class Bar(tqdm):  # type: ignore[type-arg]  # only the stubs are generic
        monitor_interval = 0  # no thread of its own: processes are forked meanwhile

    clock: Any = None  # made where compilation begins

    def count(goes_on: bool) -> None:
        nonlocal clock
        if clock is None or clock.disable:  # closed
            close_bars()
            clock = Bar(leave=is_notebook, **_size(), bar_format=COMPILING)
            _open.append(clock)
        clock.refresh()
        if not goes_on:
            clock.close()

    compiling[:] = [count]  # the last bar asked for shows it
    bar: Any = None  # made at the first report, which tells how much work there is
    start = 0.0, 0.0

    def report(done: float, total: float) -> None:
        nonlocal bar, start
        now = monotonic()
        if bar is None or bar.disable:  # closed
            if done >= total:
                return  # nothing was left to do
            bar = Bar(
                total=total,
                initial=done,
                miniters=1,
                leave=is_notebook,
                **_size(),
                bar_format=LAYOUT,
            )
            _open.append(bar)
            start = now, 0.0
        if not start[1]:
            start = now, done
        seconds, work = now - start[0], done - start[1]
        if work >= KNOWN_SHARE * total > 0 and seconds >= KNOWN_SECONDS:
            left = Bar.format_interval((total - done) * seconds / work)
            bar.bar_format = f"{LAYOUT}<{left}"
        bar.total = total
        bar.update(done - bar.n)
        if done >= total:
            close_bars()

    return report


def close_bars() -> None:
    """Close all bars, so that what is printed next has a line of its own."""
    while _open:
        _open.pop().close()


def _size() -> dict[str, Any]:
    """Return a size for a terminal that tells none, where tqdm would show nothing."""
    with suppress(OSError):  # stderr need not be a file
        if not os.get_terminal_size(sys.stderr.fileno()).columns:
            return {"ncols": 80, "nrows": 24}
    return {}


def _is_notebook() -> bool:
    """True if a notebook's kernel runs this; it has imported IPython, and nobody else need have it."""
    if "IPython" not in sys.modules:
        return False
    from IPython.core.getipython import get_ipython

    return hasattr(get_ipython(), "kernel")
