"""How far a computation is: a bar in a notebook, a line on a terminal, elsewhere nothing."""

import sys
import time
from collections.abc import Callable

from gops_exact.schedule import Progress, span

EVERY = 0.2
"""Seconds between two updates."""

Show = Callable[[float, str], None]
"""Called with the share that is done, from 0 to 1, and the time left in words; at the end with 1."""


def progress_bar(*, resumes: bool = False) -> Progress | None:
    """Shows work done and time left, for `progress=` of whatever takes long.

    Args:
        resumes: whether an earlier run's work counts as done. Then speed is reckoned from the first
            report on, for what is done by then says nothing about it.

    Returns:
        What to call with the work done and all the work there is; None where nobody would see it:
        outside a notebook, with no terminal at stderr.
    """
    show = _notebook() or _terminal()
    if show is None:
        return None
    start = last = time.monotonic()
    before = None if resumes else 0.0

    def report(done: float, total: float) -> None:
        nonlocal start, last, before
        now = time.monotonic()
        if before is None:
            start, before = now, done
        if done >= total:
            show(1.0, "")
        elif now - last >= EVERY and done > before:
            left = (now - start) * (total - done) / (done - before)
            show(done / total, f"{span(left)} left")
        else:
            return
        last = now

    return report


def _terminal() -> Show | None:
    """A line on stderr, wiped at the end."""
    if not sys.stderr.isatty():
        return None

    def show(share: float, left: str) -> None:
        sys.stderr.write("\r\x1b[K" + (f"{share:4.0%}, {left}" if left else ""))
        sys.stderr.flush()

    return show


def _notebook() -> Show | None:
    """A bar below the cell, if a notebook's kernel runs this; it stays there, full, at the end."""
    # A notebook's kernel has imported IPython; nobody else need have it.
    if "IPython" not in sys.modules:
        return None
    from IPython.core.getipython import get_ipython
    from IPython.display import HTML, display

    if not hasattr(get_ipython(), "kernel"):
        return None

    def bar(share: float, left: str) -> HTML:
        text = f'<progress max="1" value="{share:.3f}"></progress> {share:.0%} {left}'
        return HTML(text)  # type: ignore[no-untyped-call]  # IPython is typed in part

    handle = display(bar(0.0, ""), display_id=True)  # type: ignore[no-untyped-call]  # as above
    return lambda share, left: handle.update(bar(share, left))
