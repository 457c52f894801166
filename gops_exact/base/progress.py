"""Progress of a computation: functions that report it, and tqdm's bar on a terminal and in a notebook."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

Item = TypeVar("Item")

Progress = Callable[[int, int], None]
"""A function progress(done, total), in any unit of work: the first call has done = 0, the last one done = total.
A computation in several parts may start again from 0 with each part."""

compiling: list[Callable[[bool], None]] = []
"""Functions called where kernels are compiled: with True while it lasts, with False at the end. One at most, the
last progress bar's."""

LAYOUT = "{percentage:3.0f}% {bar} {elapsed}"
"""Work is counted in units that mean nothing to a reader, so none are shown."""

KNOWN_SHARE, KNOWN_SECONDS = 0.02, 2.0
"""The work done and the time spent from which the time left is shown."""

COMPILE_SECONDS = 15
"""Core time that compiling the kernels of a sweep takes. Measured on an AMD EPYC."""

COMPILING = f"compiling, once, about {COMPILE_SECONDS} s: {{elapsed}}"
"""The line shown while kernels are compiled."""

STEPS = 1 << 18
"""Units of progress of a :func:`descent`."""

_open: list[Any] = []
"""Bars on the screen, at most one of compilation and one of work: an error closes them, whoever opened them."""


def span(seconds: float) -> str:
    """Return a time span in words.

    >>> span(4.25), span(42), span(600), span(9000)
    ('4.2 s', '42 s', '10 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.{1 if seconds < 10 else 0}f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def tracked(
    items: Iterable[Item], progress: Progress | None, weight: Callable[[Item], int] | None = None
) -> Iterator[Item]:
    """Yield items, and report each one as done when the next one is asked for.

    Args:
        items: the pieces of work.
        progress: called as progress(done, total); None for nobody.
        weight: the work that an item takes, by default 1.

    >>> list(tracked("ab", lambda done, total: print(done, "of", total)))
    0 of 2
    1 of 2
    2 of 2
    ['a', 'b']
    """
    todo = [(item, 1 if weight is None else weight(item)) for item in items]
    tell = silent if progress is None else progress
    done, total = 0, sum(work for _, work in todo)
    tell(0 if todo else 1, total if todo else 1)
    for item, work in todo:
        yield item
        done += work
        tell(done, total)


def descent(progress: Progress | None, choices: int, depth: int) -> Callable[[int], float]:
    """Report on a memoised recursion of unknown size.

    Each part of a state is assumed to take the fraction (1/2)^`choices` of the work that remains: the first
    way to choose from a set of cards leads to half of its subsets, the next to half of the rest.

    Args:
        progress: called as progress(done, total); None for nobody.
        choices: the number of cards chosen freely from one state to the next, prize and bids.
        depth: the greatest number of steps below the first state.

    Returns:
        The function to call when a state has been computed, with its number of steps below the first state.
        It returns the estimated share of the work that is done.

    >>> computed = descent(lambda done, total: print(f"{done / total:.0%}"), choices=1, depth=3)
    0%
    >>> for depth in (3, 2, 1, 1, 0):
    ...     _ = computed(depth)
    12%
    25%
    50%
    75%
    100%
    """
    tell = silent if progress is None else progress
    share, parts, reported = 0.5**choices, [0] * depth, 0
    tell(0, STEPS)

    def computed(depth: int) -> float:
        nonlocal reported
        if depth:
            parts[depth - 1] += 1
        parts[depth:] = [0] * (len(parts) - depth)
        left = 1.0 if depth else 0.0
        done = 1.0 - left
        for count in parts[:depth]:  # parts of the state on the way at each step that are done
            rest = left * (1 - share) ** count
            done, left = done + left - rest, rest * share
        step = int(done * STEPS)
        if step != reported:
            reported = step
            tell(step, STEPS)
        return done

    return computed


def part_of(progress: Progress | None, before: int, share: int, whole: int) -> Progress | None:
    """Turn progress in a part of a computation into progress in the whole.

    Args:
        progress: called for the whole; None for nobody.
        before: the work done before the part.
        share: the work of the part.
        whole: the work of the whole.

    >>> tell = part_of(lambda done, total: print(done, "of", total), 10, 20, 100)
    >>> tell(3, 4)
    25 of 100
    """
    if progress is None:
        return None
    return lambda done, total: progress(before + share * done // total, whole)


def silent(_done: int, _total: int) -> None:
    """Do nothing: progress that is not shown."""


def progress_bar() -> Progress | None:
    """Return a bar with the time spent and the time left, for `progress=` of a long computation.

    On a terminal it is wiped at the end; in a notebook it stays, full. The time left is shown from 2 % of
    the work and 2 seconds on. The speed is measured from the first report on, since the work done before
    it may be that of an earlier run.

    Returns:
        The function progress(done, total); None where nobody would see a bar: outside a notebook, with
        no terminal at stderr.
    """
    is_notebook = False
    if "IPython" in sys.modules:  # a notebook's kernel has imported it; nobody else need have it
        from IPython.core.getipython import get_ipython

        is_notebook = hasattr(get_ipython(), "kernel")
    if not is_notebook and not sys.stderr.isatty():
        return None
    from tqdm.auto import tqdm  # a tenth of a second

    class Bar(tqdm):  # type: ignore[type-arg]  # only the stubs are generic
        monitor_interval = 0  # no thread of its own: each report is shown

    def opened(**options: Any) -> Any:  # noqa: ANN401  # a bar
        size: dict[str, Any] = {}
        with suppress(OSError):  # stderr need not be a file
            if not os.get_terminal_size(sys.stderr.fileno()).columns:
                size = {"ncols": 80, "nrows": 24}  # tqdm shows nothing on a terminal of no size
        _open.append(Bar(leave=is_notebook, **size, **options))
        return _open[-1]

    clock: Any = None  # opened when compilation begins

    def count(goes_on: bool) -> None:
        nonlocal clock
        if clock is None or clock.disable:  # closed
            close_bars()
            clock = opened(bar_format=COMPILING)
        clock.refresh()
        if not goes_on:
            clock.close()

    compiling[:] = [count]  # the last bar asked for shows it
    bar: Any = None  # opened at the first report, which has the total
    start = 0.0, 0.0

    def report(done: float, total: float) -> None:
        nonlocal bar, start
        now = monotonic()
        if bar is None or bar.disable:  # closed
            if done >= total:
                return  # nothing was left to do
            bar = opened(total=total, initial=done, miniters=1, bar_format=LAYOUT)
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
    """Close all bars, so that the next output starts on a line of its own."""
    while _open:
        _open.pop().close()
