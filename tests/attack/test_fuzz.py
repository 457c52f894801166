"""A short run of the fuzzer; `python tests/attack fuzz --seconds 3600 --seed N` is a long one."""

import os
import subprocess
import sys

import fuzz
from places import TESTS

CASES = 12
"""A family; all of them take some ten seconds. They are always the same: other seeds are for long runs."""


def test_nothing_is_wrong():
    run = subprocess.run(
        [sys.executable, str(TESTS / "attack"), "fuzz", "--count", str(CASES), "--seed", "suite"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, ""), run.stdout
    assert run.stdout.splitlines() == [
        f"{family}: {CASES // fuzz.SLOW.get(family, 1)} cases, "
        "0 tracebacks, 0 hangs, 0 wrong answers"
        for family in fuzz.FAMILIES
    ]


def test_a_fault_of_each_kind_is_counted(tmp_path, monkeypatch, capsys):
    def wrong(_rng, _place):
        raise fuzz.Wrong("another answer")

    def stuck(_rng, _place):
        while True:
            pass

    def killed(_rng, _place):
        os.kill(os.getpid(), fuzz.signal.SIGBUS)

    monkeypatch.setattr(fuzz, "LIMIT", 0.5)
    tally = fuzz.Tally("0")
    for name, case in {"wrong": wrong, "stuck": stuck, "killed": killed}.items():
        monkeypatch.setitem(fuzz.FAMILIES, name, (0, case))
        assert fuzz.forked(tmp_path, name, range(1), tally, float("inf")) == 1
    assert tally.close()
    closing = capsys.readouterr().out.splitlines()[-3:]
    assert closing == [
        "wrong: 1 cases, 0 tracebacks, 0 hangs, 1 wrong answers",
        "stuck: 1 cases, 0 tracebacks, 1 hangs, 0 wrong answers",
        "killed: 1 cases, 1 tracebacks, 0 hangs, 0 wrong answers",
    ]
