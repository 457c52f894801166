"""Progress of a computation: a bar of tqdm's, on a terminal and in a notebook."""

import sys
from typing import Any

from gops_exact.arguments import flag
from gops_exact.schedule import Progress

LAYOUT = "{percentage:3.0f}% {bar} {elapsed}<{remaining}"
"""Work is counted in units that mean nothing to a reader, so none are shown."""


def progress_bar(*, resumes: bool = False) -> Progress | None:
    """A bar with the time spent and the time left, for `progress=` of a long computation.

    Args:
        resumes: whether an earlier run's work counts as done. The speed is then measured from the
            first report on, since the work done by then took no time in this run.

    Returns:
        The function to call with the work done and all the work there is; None where nobody would
        see a bar: outside a notebook, with no terminal at stderr.
    """
    resumes = flag(resumes, "resumes")
    if not sys.stderr.isatty() and "ipykernel" not in sys.modules:
        return None
    from tqdm.auto import tqdm  # a tenth of a second

    class Bar(tqdm):  # type: ignore[type-arg]  # only the stubs are generic
        monitor_interval = 0  # no thread of its own: processes are forked meanwhile

    bar: Any = None  # made at the first report, which tells how much work there is

    def report(done: float, total: float) -> None:
        nonlocal bar
        if bar is None:
            start = done if resumes else 0
            bar = Bar(total=total, initial=start, leave=False, bar_format=LAYOUT)
        bar.update(done - bar.n)
        if done >= total:
            bar.close()

    return report
