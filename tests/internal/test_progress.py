"""Progress: a bar on a terminal, nothing elsewhere."""

import inspect
import io
import re

import pytest
from tqdm import std

import gops_exact as gx
from gops_exact.base import progress
from gops_exact.players.measurements import BEST, measurements
from gops_exact.players.simple import UpcardPlus
from gops_exact.solvers.float_errors import cross_check
from gops_exact.verify.checks import check_store


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal(monkeypatch):
    """A terminal for stderr and a clock that is set by hand."""
    screen, clock = Terminal(), [100.0]
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(std, "time", lambda: clock[0])
    monkeypatch.setattr(progress, "time", lambda: clock[0])
    return screen, clock


def test_a_quiet_program_and_one_without_a_terminal_show_no_bars(monkeypatch):
    screen, _ = terminal(monkeypatch)
    progress.note("loud")
    monkeypatch.setattr(progress, "quiet", True)
    progress.note("quiet")
    assert progress.progress_bar() is None and screen.getvalue() == "loud\n"
    monkeypatch.setattr(progress, "quiet", False)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress.progress_bar() is None


@pytest.mark.parametrize(
    ("work", "last"),
    [
        ((1, 2, 3, 10), "30% 00:20<01:10"),
        # The work of an earlier run says nothing about the speed.
        ((80, 85, 90, 100), "90% 00:20<00:20"),
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
    *_, line = screen.getvalue().split("\r")
    assert re.sub(" .* ", " ", line.strip()) == last
    show(total, total)
    assert screen.getvalue().endswith("\r")  # the line is wiped


FOUR, WIN = gx.Position.start(4), gx.Rules("win")
AHEAD = UpcardPlus(1)

LONG = [[10**30, 0, 1], [1, 3, 2], [0, 2, 4]]
TAKES_LONG = {
    "exact": (gx.first_move, 4),
    "ball": (gx.first_move, 4, "ball"),
    "residue": (gx.first_move, 4, "residue"),
    "float": (gx.first_move, 4, "float"),
    "value": (gx.value, "2.3.5_1.4.6_1.2.3"),
    "solve": (gx.solve, FOUR.at(4)),
    "outcomes": (gx.outcomes, gx.Position.start(4, WIN)),
    "growth": (gx.growth, 4),
    "verify": (check_store,),
    "cross-check": (cross_check, gx.Game(4)),
    "best response": (gx.players.best_response, AHEAD, gx.Game(9)),
    "measurements": (measurements, gx.Game(4), ["matching"], ["random", BEST]),
    "explorer": (gx.explore, 3),
    "matrix": (gx.solve_matrix_game, gx.known_games.pascal(8), "simplex"),
    "long floats": (gx.solve_matrix_game, LONG),
}


@pytest.mark.parametrize("name", TAKES_LONG)
def test_progress_begins_at_once_and_ends_full(name, tmp_path):
    function, *arguments = TAKES_LONG[name]
    store = tmp_path / "store.sqlite"
    if name in ("growth", "verify"):
        gx.first_move(4, store=store)
    named = inspect.signature(function).parameters
    more = {name: store for name in ("store", "path") if name in named}
    for _ in ("from nothing", "with all that a store keeps"):
        told = []
        answer = function(*arguments, **more, progress=lambda *done: told.append(done))  # noqa: B023  # called now
        if inspect.isgenerator(answer):
            list(answer)
        (first, _), (done, total) = told[0], told[-1]
        assert first in (0, total)
        assert done == total > 0
        assert len(told) > 2 or function is not gx.solve_matrix_game, "no pivot is reported"
        assert all(0 <= done <= total for done, total in told)
        shares = [done / total for done, total in told]
        assert shares == sorted(shares), "the bar goes back"
