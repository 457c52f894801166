"""Progress: a bar on a terminal, nothing elsewhere."""

import io

from tqdm import std

from gops_exact import schedule
from gops_exact.show import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal(monkeypatch):
    """A terminal for stderr and a clock that is set by hand."""
    screen, clock = Terminal(), [100.0]
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(std, "time", lambda: clock[0])
    return screen, clock


def lines(screen):
    return [line.strip() for line in screen.getvalue().split("\r") if line.strip()]


def shown(screen):
    """(percent, time left) of each line."""
    return [(line.split("%")[0], line.rpartition("<")[2]) for line in lines(screen)]


def test_compilation_is_announced(monkeypatch):
    screen, _ = terminal(monkeypatch)
    progress.progress_bar()
    (report,) = schedule.compiling
    report(True)
    assert lines(screen)[-1].startswith("compiling, once")
    report(False)
    assert screen.getvalue().endswith("\r")  # the line is wiped


def test_no_line_where_there_is_no_terminal(monkeypatch):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress.progress_bar() is None


def test_time_left_follows_from_the_work_done(monkeypatch):
    screen, clock = terminal(monkeypatch)
    show = progress.progress_bar()
    show(0, 10)
    for now, done in ((110.0, 1), (120.0, 2), (130.0, 3)):
        clock[0] = now
        show(done, 10)
    assert shown(screen)[-1] in {("30", "01:10"), ("30", "01:09")}  # a mean that moves
    show(10, 10)
    assert screen.getvalue().endswith("\r")  # the line is wiped


def test_work_of_an_earlier_run_says_nothing_about_speed(monkeypatch):
    screen, clock = terminal(monkeypatch)
    show = progress.progress_bar(resumes=True)
    for now, done in ((110.0, 80), (120.0, 85), (130.0, 90)):
        clock[0] = now
        show(done, 100)
    assert shown(screen)[-1] == ("90", "00:20")
    show(100, 100)
