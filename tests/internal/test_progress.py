"""Progress: a bar on a terminal, nothing elsewhere."""

import io

import pytest
from tqdm import std

import gops_exact as gx
from gops_exact.base import progress
from gops_exact.literature.round_robin import tournament
from gops_exact.players.measure import BEST, best_response, expected, measurements
from gops_exact.players.simple import Uniform, UpcardPlus
from gops_exact.show.explorer import explorer_page
from gops_exact.solvers.cross_check import cross_check
from gops_exact.solvers.floats.forecast import float_outcomes
from gops_exact.verify.checks import check_store


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal(monkeypatch):
    """A terminal for stderr and a clock that is set by hand."""
    screen, clock = Terminal(), [100.0]
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(std, "time", lambda: clock[0])
    monkeypatch.setattr(progress, "monotonic", lambda: clock[0])
    return screen, clock


def lines(screen):
    return [line.strip() for line in screen.getvalue().split("\r") if line.strip()]


def shown(screen):
    """(percent, time left) of each line."""
    return [(line.split("%")[0], line.partition("<")[2]) for line in lines(screen)]


def test_compilation_is_announced(monkeypatch):
    screen, _ = terminal(monkeypatch)
    progress.progress_bar()
    (report,) = progress.compiling
    report(True)
    assert lines(screen)[-1].startswith("compiling, once")
    report(False)
    assert screen.getvalue().endswith("\r")  # the line is wiped


def test_no_line_where_there_is_no_terminal(monkeypatch):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress.progress_bar() is None


@pytest.mark.parametrize(
    ("work", "last"),
    [
        ((1, 2, 3, 10), ("30", "01:10")),
        # The work of an earlier run says nothing about the speed.
        ((80, 85, 90, 100), ("90", "00:20")),
    ],
)
def test_time_left_follows_from_the_work_done(monkeypatch, work, last):
    screen, clock = terminal(monkeypatch)
    show = progress.progress_bar()
    *steps, total = work
    show(0, total)
    for done in steps:
        clock[0] += 10
        show(done, total)
    assert shown(screen)[-1] == last
    show(total, total)
    assert screen.getvalue().endswith("\r")  # the line is wiped


def test_no_time_left_before_it_can_be_known(monkeypatch):
    screen, clock = terminal(monkeypatch)
    show = progress.progress_bar()
    show(0, 1000)
    assert shown(screen) == [("0", "")]  # at once: the program is alive
    for now, done in ((100.2, 1), (103.0, 20), (110.0, 21), (110.5, 22)):
        clock[0] = now
        show(done, 1000)
    assert [left for _, left in shown(screen)] == ["", "", "", "07:59", "07:59"]
    progress.close_bars()
    show(22, 1000)  # whoever wrote a line in between
    assert shown(screen)[-1] == ("2", "")
    progress.close_bars()


START, WIN = gx.Position.start(4), gx.Rules("win")
UNEVEN = gx.Position([2, 3, 5], [1, 4, 6], [1, 2, 3])

TAKES_LONG = {
    "exact": lambda store, told: gx.first_move(4, store=store, progress=told),
    "ball": lambda store, told: gx.first_move(4, "ball", store=store, progress=told),
    "residue": lambda store, told: gx.first_move(4, "residue", store=store, progress=told),
    "float": lambda store, told: gx.first_move(4, gx.Float(store.parent / "f"), progress=told),
    "value": lambda store, told: gx.value(UNEVEN, store=store, progress=told),
    "solve": lambda store, told: gx.solve(START.at(4), store=store, progress=told),
    "payoffs": lambda store, told: gx.payoff_matrix(START.at(4), store=store, progress=told),
    "gains": lambda store, told: gx.bid_gains(START.at(4), store=store, progress=told),
    "outcomes": lambda store, told: gx.outcomes(
        gx.Position.start(4, WIN), store=store, progress=told
    ),
    "float outcomes": lambda _, told: float_outcomes(gx.Game(4, WIN), progress=told),
    "growth": lambda store, told: [
        gx.first_move(4, store=store),
        gx.growth(4, store=store, progress=told),
    ],
    "verify": lambda store, told: [
        gx.first_move(4, store=store),
        check_store(store, progress=told),
    ],
    "cross-check": lambda _, told: cross_check(gx.Game(4), progress=told),
    "expected": lambda _, told: expected(Uniform(), UpcardPlus(1), gx.Game(4), progress=told),
    "best response": lambda _, told: best_response(UpcardPlus(1), gx.Game(9), progress=told),
    "measurements": lambda _, told: list(
        measurements(gx.Game(4), ["matching"], ["random", BEST], progress=told)
    ),
    "tournament": lambda _, told: tournament(
        ["matching", "random"], seeds=[1], n=5, lengths=[2], jobs=1, progress=told
    ),
    "explorer": lambda _, told: explorer_page(gx.Game(3), [WIN], progress=told),
}


@pytest.mark.parametrize("name", TAKES_LONG)
def test_progress_begins_at_once_and_ends_full(name, tmp_path):
    store = tmp_path / "store.sqlite"
    for _ in ("from nothing", "with all that a store keeps"):
        told = []
        TAKES_LONG[name](store, lambda *done: told.append(done))  # noqa: B023  # called now
        (first, _), (done, total) = told[0], told[-1]
        assert first in (0, total)
        assert done == total > 0
        assert all(0 <= done <= total for done, total in told)
