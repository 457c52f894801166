"""A line on the terminal that tells how far a computation is."""

import sys
import time

from gops_exact.recursion.schedule import Progress

EVERY = 0.2
"""Seconds between two updates."""


def progress_line(*, resumes: bool = False) -> Progress | None:
    """Shows work done and time left on stderr; None where stderr is no terminal.

    Args:
        resumes: whether an earlier run's work counts as done. Then speed is reckoned from the first
            report on, for what is done by then says nothing about it.
    """
    if not sys.stderr.isatty():
        return None
    start = last = time.monotonic()
    before = None if resumes else 0.0

    def show(done: float, total: float) -> None:
        nonlocal start, last, before
        now = time.monotonic()
        if before is None:
            start, before = now, done
        if done >= total:
            sys.stderr.write("\r\x1b[K")
        elif now - last >= EVERY and done > before:
            left = (now - start) * (total - done) / (done - before)
            sys.stderr.write(f"\r\x1b[K{done / total:4.0%}, {span(left)} left")
        else:
            return
        last = now
        sys.stderr.flush()

    return show


def span(seconds: float) -> str:
    """A time span in words.

    >>> span(42), span(600), span(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
