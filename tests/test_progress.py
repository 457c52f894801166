"""Progress: what is shown of it on a terminal and in a notebook, and when nothing is."""

import io

from gops_exact.show import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal(monkeypatch):
    """A terminal for stderr and a clock that is set by hand."""
    screen, clock = Terminal(), [100.0]
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    return screen, clock


def lines(screen):
    return screen.getvalue().split("\r\x1b[K")[1:]


def test_no_line_where_there_is_no_terminal(monkeypatch):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress.progress_bar() is None


def test_time_left_follows_from_the_work_done(monkeypatch):
    screen, clock = terminal(monkeypatch)
    show = progress.progress_bar()
    for now, done in ((110.0, 1), (110.1, 2), (120.0, 5), (130.0, 10)):
        clock[0] = now
        show(done, 10)
    assert lines(screen) == [" 10%, 90 s left", " 50%, 20 s left", ""]


def test_work_of_an_earlier_run_says_nothing_about_speed(monkeypatch):
    screen, clock = terminal(monkeypatch)
    show = progress.progress_bar(resumes=True)
    for now, done in ((110.0, 80), (120.0, 90)):
        clock[0] = now
        show(done, 100)
    assert lines(screen) == [" 90%, 10 s left"]
