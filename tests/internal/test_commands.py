"""Commands from inside: runs that a fault or a signal ends, commands that go on."""

import json
import re
import signal
from contextlib import suppress
from unittest.mock import Mock

import pytest
from program import run

import gops_exact as gx
from gops_exact.base.formats import FORMATS
from gops_exact.commands import export, first_move, measure
from gops_exact.players.measurements import measurements
from gops_exact.solvers.exact import value_tables
from gops_exact.solvers.floats import sweep

pytestmark = pytest.mark.usefixtures("own_store")


@pytest.mark.parametrize(
    ("words", "error", "status", "message"),
    [
        (
            "--n 11 --arithmetic float",
            KeyboardInterrupt,
            130,
            "interrupted; nothing is kept; with --folder DIR what is finished would be",
        ),
        ("--n 3 --store :memory:", KeyboardInterrupt, 130, "interrupted"),
        (
            "--n 3",
            KeyboardInterrupt,
            130,
            "interrupted; what is finished is kept, go on with: gops-exact --n 3 --out moves.txt",
        ),
        ("--n 3", MemoryError, 1, "out of memory"),
    ],
)
def test_failed_command_states_its_reason_and_leaves_the_output_file(
    words, error, status, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(first_move, "solver", Mock(side_effect=error))
    (target := tmp_path / "moves.txt").write_text("before")
    assert run(f"{words} --out moves.txt") == (status, "", f"gops-exact: {message}\n")
    assert target.read_text() == "before" and list(tmp_path.glob("*moves*")) == [target]


def test_interrupted_measure_command_prints_its_finished_rows(monkeypatch):
    first, *_ = measurements(gx.Game(3), ["random"], ["random"])

    def stopped(*_args, **_options):
        yield first
        raise KeyboardInterrupt

    monkeypatch.setattr(measure, "measurements", stopped)
    status, out, _ = run("measure -n 3")
    head, line = out.splitlines()
    assert status == 130
    assert head.split()[:2] == ["policy", "against"] and line.split()[:2] == ["random", "random"]


def test_exact_first_moves_of_eight_cards_start_only_with_force(monkeypatch):
    monkeypatch.setattr(
        value_tables.Worker, "do", Mock(side_effect=AssertionError("about to be solved"))
    )
    for words in ("-n 8 --force", "-n 7"):
        with pytest.raises(AssertionError, match="about to be solved"):
            run(words)
    status, out, err = run("-n 8")
    assert (status, out) == (2, "") and "n must be at most 7" in err and "--force" in err


def test_cross_check_command_fails_if_a_float_is_off_by_more_than_its_bound(monkeypatch):
    # As if nothing that the sweep rounds were accounted for: intervals are narrower than that.
    monkeypatch.setattr(sweep, "gamma", lambda roundings: 1e-18 * roundings)
    status, _, err = run("cross-check --n 4")
    message = r"gops-exact: a value for prizes \([\d, ]+\) is off by \S+, more than its bound \S+\n"
    assert status == 1 and re.fullmatch(message, err)


STATUS = {
    number: 128 + number
    for name in ("SIGHUP", "SIGINT", "SIGTERM")
    if (number := getattr(signal, name, None)) is not None
}


@pytest.fixture
def handled():
    """Set how a signal is handled, for the test alone."""
    before = {number: signal.getsignal(number) for number in STATUS}
    yield signal.signal
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", STATUS)
@pytest.mark.parametrize("broken", [KeyboardInterrupt, ValueError, KeyError, OSError, SystemError])
def test_errors_after_a_signal_are_reported_as_an_interrupt(monkeypatch, handled, number, broken):
    def fails(*_args, **_options):
        with suppress(KeyboardInterrupt):
            signal.raise_signal(number)
        if broken is KeyboardInterrupt:
            signal.raise_signal(number)
        raise broken(1, "left half done")

    monkeypatch.setattr(first_move, "solver", fails)
    handled(number, signal.SIG_DFL)  # nohup has it ignored
    assert run("-n 3 --store :memory:") == (STATUS[number], "", "gops-exact: interrupted\n")
    assert signal.getsignal(number) == signal.SIG_DFL


def test_review_of_thirteen_cards_has_costs_of_the_last_rounds_only(tmp_path, monkeypatch):
    """Eight rounds leave the game even: the costs of the last five are those of a game of five cards."""
    monkeypatch.setattr("gops_exact.commands.review.MOST_SECONDS", 2)
    path = tmp_path / "game.txt"
    even = [(13, 13, 12), (12, 12, 13), (11, 10, 11), (10, 11, 10)]
    even += [(9, 9, 8), (8, 8, 9), (7, 6, 7), (6, 7, 6)]
    last = [(3, 1, 3), (5, 4, 2), (1, 5, 1), (4, 3, 5), (2, 2, 4)]
    lines = [
        f"### Round {number}/13 - Prize: {prize}  (worth {prize})\nBids: P0 {bid} vs P1 {reply} - "
        for number, (prize, bid, reply) in enumerate(even + last, start=1)
    ]
    path.write_text("\n".join(lines))
    costs = []
    status, out, _ = run(f"review '{path}' --emit json --quiet --arithmetic exact")
    cells = [cell for cell in json.loads(out)["numbers"] if cell["column"] == "cost"]
    assert status == 0
    for player in (0, 1):
        own = cells[13 * player : 13 * (player + 1)]
        assert [cell.get("text") for cell in own] == ["unknown"] * 8 + [None] * 5
        position = gx.Position.start(5, gx.Rules("win", "carryover"))
        for cell, (prize, *bids) in zip(own[8:], last, strict=True):
            bid, reply = bids[player], bids[1 - player]
            position = position.at(prize)
            if gx.solve(position).column.unique:  # else the cost depends on the solution
                cost = gx.value(position) - gx.bid_gains(position)[bid]
                assert cell["exact"] == str(cost)
                costs.append(cost)
            position = position.after(bid, reply, prize)
    assert len(costs) >= 6 and max(costs) > 0


def test_command_export_has_a_writer_of_its_own_for_each_format():
    assert tuple(export.WRITERS) == FORMATS["export"]
    assert len(set(export.WRITERS.values())) == len(FORMATS["export"])
