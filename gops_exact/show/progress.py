"""Progress of a computation: a bar of tqdm's, on a terminal and in a notebook."""

import sys
from typing import Any

from gops_exact.arguments import flag
from gops_exact.schedule import Progress, compiling

LAYOUT = "{percentage:3.0f}% {bar} {elapsed}<{remaining}"
"""Work is counted in units that mean nothing to a reader, so none are shown."""

COMPILING = "compiling, once, about 10 s: {elapsed}"
"""The line shown while kernels are compiled: 10 s for those of a sweep, on one core of a server."""

_open: list[Any] = []
"""Bars that are shown."""


def progress_bar(*, resumes: bool = False) -> Progress | None:
    """A bar with the time spent and the time left, for `progress=` of a long computation.

    On a terminal it is wiped at the end; in a notebook it stays, full.

    Args:
        resumes: whether an earlier run's work counts as done. The speed is then measured from the
            first report on, since the work done by then took no time in this run.

    Returns:
        The function to call with the work done and all the work there is; None where nobody would
        see a bar: outside a notebook, with no terminal at stderr.
    """
    resumes = flag(resumes, "resumes")
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
            clock = Bar(bar_format=COMPILING, leave=is_notebook)
            _open.append(clock)
        clock.refresh()
        if not goes_on:
            clock.close()

    compiling[:] = [count]  # the last bar asked for shows it
    bar: Any = None  # made at the first report, which tells how much work there is

    def report(done: float, total: float) -> None:
        nonlocal bar
        if bar is None:
            start = done if resumes else 0
            bar = Bar(total=total, initial=start, leave=is_notebook, bar_format=LAYOUT)
            _open.append(bar)
        bar.update(done - bar.n)
        if done >= total:
            close_bars()

    return report


def close_bars() -> None:
    """Close all bars, so that what is printed next has a line of its own."""
    while _open:
        _open.pop().close()


def _is_notebook() -> bool:
    """True if a notebook's kernel runs this; it has imported IPython, and nobody else need have it."""
    if "IPython" not in sys.modules:
        return False
    from IPython.core.getipython import get_ipython

    return hasattr(get_ipython(), "kernel")
