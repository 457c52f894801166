"""Reports of the progress of a computation, and tqdm's bar that shows them on a terminal or in a notebook."""

import sys
from collections.abc import Callable, Iterable, Iterator
from shutil import get_terminal_size
from time import time
from typing import Any, TypeVar

from gops_exact.base import load
from gops_exact.base.arguments import printable

Item = TypeVar("Item")

Progress = Callable[[int, int], None]
"""The type of a function progress(done, total) that is called with the work done so far and all the work, in any unit.
The first call has done = 0, and the last one done = total unless the total is an estimate. If there is no work, the only
call is progress(1, 1). A computation in several parts may start again from 0 with each part."""

compiling: list[Callable[[bool], None]] = []
"""Functions that show the user that kernels are being compiled: at most one, that of the latest progress bar. The
function is called with True again and again during the compilation, and with False at its end."""

LAYOUT = "{percentage:3.0f}% {bar} {elapsed}<{remaining}"
"""The layout of a bar. Amounts of work are not shown, because their units mean nothing to a user."""

COMPILE_SECONDS = 15
"""Core time, in seconds, of compiling the kernels of a float sweep. Measured on an AMD EPYC."""

COMPILING = f"compiling, once, about {COMPILE_SECONDS} s: {{elapsed}}"
"""The line shown while kernels are compiled. Tqdm replaces `elapsed` by the time since the compilation began."""

STEPS = 1 << 18
"""The argument `total` in the reports progress(done, total) of :func:`descent`, which reports the share of the work that
is done, in units of 1/STEPS."""

quiet = False
"""True to show neither bars nor notes, as the option ``--quiet`` requests."""

_open: list[Any] = []
"""The bars on the screen: at most one for compilation and one for work. :func:`close_bars` closes all of them."""


def about(number: int) -> str:
    """Return a nonnegative integer, rounded to two significant digits, as text; from 10^15 on only a power of ten.

    >>> [about(x) for x in (7, 34_503, 999_999, 2_040_000, 10**16, 10**40)]
    ['7', '35 thousand', '1 million', '2 million', '10^16', '10^40']
    """
    rounded = round(number, 2 - len(str(number)))
    power = len(str(rounded)) - 1
    if power > 14:
        return f"10^{power}"
    words = ("", " thousand", " million", " billion", " trillion")
    return f"{rounded / 1000 ** (power // 3):g}{words[power // 3]}"


def span(seconds: float) -> str:
    """Return a time in seconds as text, in seconds, minutes or hours.

    >>> [span(seconds) for seconds in (4.25, 42, 600, 9000, 4e9, 1e21)]
    ['4.2 s', '42 s', '10 min', '2.5 h', '1.1 million h', '10^17 h']
    """
    if seconds >= 3.6e6:
        return f"{about(round(seconds / 3600))} h"
    if seconds < 100:
        return f"{seconds:.{1 if seconds < 10 else 0}f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def note(text: str) -> None:
    """Print a line of information to stderr, unless the program is :data:`quiet`."""
    if not quiet:
        sys.stderr.write(f"{printable(text)}\n")


def tracked(
    items: Iterable[Item], progress: Progress | None, weight: Callable[[Item], int] | None = None
) -> Iterator[Item]:
    """Yield items, and report each of them as done when the next one is requested.

    Args:
        items: the pieces of work; all of them are read before the first one is yielded, unless `progress` is None.
        progress: called as progress(done, total); None for no report.
        weight: a function that returns the work of an item; None to count 1 for each item.

    >>> list(tracked("ab", lambda done, total: print(done, "of", total)))
    0 of 2
    1 of 2
    2 of 2
    ['a', 'b']
    """
    if progress is None:
        yield from items
        return
    todo = [(item, 1 if weight is None else weight(item)) for item in items]
    done, total = 0, sum(work for _, work in todo)
    progress(0 if todo else 1, total if todo else 1)
    for item, work in todo:
        yield item
        done += work
        progress(done, total)


def shares(progress: Progress | None) -> Callable[[float], None]:
    """Return a function that adds up shares of the work that are done, and reports their sum.

    Args:
        progress: called as progress(percent, 100), at once with 0, and whenever the sum, rounded to whole percent, has
            grown; None for no report.

    Returns:
        A function to be called with each share of the work that has been done. The sum of all shares must be 1.
    """
    done, reported = 0.0, -1

    def add(share: float) -> None:
        nonlocal done, reported
        done += share
        if progress is not None and (percent := round(100 * done)) > reported:
            reported = percent
            progress(percent, 100)

    add(0)
    return add


def descent(progress: Progress | None, choices: int, depth: int) -> Callable[[int], float]:
    """Return a function that estimates and reports the progress of a recursion over states that are computed only once.

    To compute a state, the recursion computes its next states one after another. The first of them is assumed to take
    the fraction (1/2)^`choices` of the work for the state, and each later one takes this fraction of the work that is
    then left. The reason, for one choice: a state is a set of cards, and its subsets have to be computed. A next state
    lacks one card. Half of the subsets lack this card, and of the subsets that are not computed yet, half lack the card
    that the following next state lacks.

    Args:
        progress: called as progress(done, total), with total = :data:`STEPS`; None for no report.
        choices: the number of cards that are chosen freely from one state to the next: the prize and the bids.
        depth: the greatest number of rounds from the first state to another one.

    Returns:
        A function to be called each time a state has been computed, with the number of rounds from the first state to
        this state. The function returns the estimated share of the work that is done, from 0 to 1.

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
        # The loop visits the unfinished states on the path from the first state to the computed state. `left` is the
        # work of the visited state, as a fraction of all work. `count` is the number of states directly after the
        # visited state that are computed. Each of them took the fraction `share` of the work that remained before it.
        for count in parts[:depth]:
            rest = left * (1 - share) ** count
            done, left = done + left - rest, rest * share
        step = int(done * STEPS)
        if step != reported:
            reported = step
            tell(step, STEPS)
        return done

    return computed


def part_of(progress: Progress | None, before: int, share: int, whole: int) -> Progress | None:
    """Return a function that reports progress in a part of a computation as progress in the whole.

    Args:
        progress: called as progress(done, total) for the whole; None for no report, and then the result is None.
        before: the work done before the part.
        share: the work of the part, in the same unit.
        whole: the work of the whole computation.

    >>> tell = part_of(lambda done, total: print(done, "of", total), 10, 20, 100)
    >>> tell(3, 4)
    25 of 100
    """
    if progress is None:
        return None
    return lambda done, total: progress(before + share * done // total, whole)


def silent(_done: int, _total: int) -> None:
    """Do nothing; for computations that are to report no progress."""


def progress_bar() -> Progress | None:
    """Return a function that shows a progress bar, for the argument `progress` of a long computation.

    The bar has the time spent and the time left, which is estimated from the speed so far. On a terminal the bar is
    erased at the end; in a notebook the full bar stays.

    Returns:
        The function progress(done, total). None if the command line has the option ``--quiet`` or, outside a notebook,
        if stderr is not a terminal, because no user would see a bar.

    >>> import gops_exact as gx
    >>> moves = gx.first_move(3, progress=gx.progress_bar())
    """
    is_notebook = False
    if "IPython" in sys.modules:  # true in a notebook, whose kernel has imported IPython
        from IPython.core.getipython import get_ipython

        is_notebook = hasattr(get_ipython(), "kernel")
    if quiet or not (is_notebook or sys.stderr.isatty()):
        return None
    load("tqdm.auto")
    from tqdm.auto import tqdm  # imported only here, because the import takes 0.1 seconds

    # tqdm shows nothing on a terminal that reports 0 columns; `get_terminal_size` then assumes a size.
    size: dict[str, Any] = (
        {} if is_notebook else dict(zip(("ncols", "nrows"), get_terminal_size(), strict=True))
    )

    def opened(**options: Any) -> Any:  # noqa: ANN401  # a new bar
        _open.append(tqdm(leave=is_notebook, **size, **options))
        return _open[-1]

    clock: Any = None  # opened when compilation begins

    def count(goes_on: bool) -> None:
        nonlocal clock
        if clock is None or clock.disable:  # tqdm disables a bar when it is closed
            close_bars()
            clock = opened(bar_format=COMPILING)
        clock.refresh()
        if not goes_on:
            clock.close()

    compiling[:] = [count]  # only the latest bar shows compilation
    bar: Any = None  # opened at the first report, when the total is known

    def report(done: float, total: float) -> None:
        nonlocal bar
        if bar is None or bar.disable:  # not opened yet, or closed
            if done >= total:
                return  # no work is left, so no bar is needed
            # With smoothing 0 tqdm computes the time left from the mean speed so far, not from the latest speed.
            bar = opened(total=total, initial=done, miniters=1, smoothing=0, bar_format=LAYOUT)
        elif not bar.initial:
            # Measure the speed only from the first report with done > 0 on, because an earlier run may have done the
            # work of this report.
            bar.initial, bar.start_t = done, time()
        bar.total = total
        bar.update(done - bar.n)
        if done >= total:
            close_bars()

    return report


def close_bars() -> None:
    """Close all bars, so that the next output starts on a new line."""
    while _open:
        _open.pop().close()
