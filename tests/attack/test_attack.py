"""Short runs of the programs that attack, always the same; `--seconds` and other seeds are for long ones."""

import os
from itertools import product
from pathlib import Path

import case_runner
import cases
import checked_calls
import documents
import doors
import pytest
import traces
from program import Run
from project_paths import TESTS

import gops_exact as gx

COUNTS = {
    "words": 20,
    "first moves": 20,
    "kept documents": 80,
    "trees": 20,
    "games of paths": 15,
    "loops": 12,
    "refined trees": 10,
    "doors": 8,
    "files": 12,
    "false stores": 10,
}
"""How many cases of each family; the others are in tests of their own."""


@pytest.fixture(scope="module", autouse=True)
def _apart():
    traces.Calls.apart = traces.prepare()
    yield
    traces.Calls.apart.close()


def test_random_sequences_of_calls_agree_with_the_reference_solver_of_the_tests():
    assert traces.search("suite", 25) is None


@pytest.mark.parametrize("trace", sorted((TESTS / "traces").iterdir()), ids=lambda file: file.stem)
def test_replayed_traces_of_past_faults_are_answered_correctly(trace):
    traces.replay(trace.read_text("utf-8").splitlines(), traces.Calls.apart)


def test_failing_call_sequences_are_shrunk_to_at_most_five_calls(monkeypatch):
    monkeypatch.setattr(checked_calls, "run", lambda _: Run(0, "", ""))
    lines, _ = traces.search("suite")
    assert len(lines) <= 5, lines


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    """A folder for cases, with what they share."""
    root, before = tmp_path_factory.mktemp("cases"), Path.cwd()
    os.chdir(root)
    cases.prepare()
    yield root
    os.chdir(before)


@pytest.mark.parametrize("family", COUNTS)
def test_random_games_documents_stores_and_commands_are_answered_correctly(ground, capsys, family):
    faults = case_runner.attack(ground, family, cases.FAMILIES[family], "suite", COUNTS[family])
    assert not faults, capsys.readouterr().out


@pytest.mark.parametrize(
    ("family", "status"),
    [*product(("first moves", "trees", "refined trees"), (0, 1)), ("false stores", 0)],
)
def test_random_tests_notice_a_verifier_that_always_accepts_or_always_refuses(
    ground, monkeypatch, family, status
):
    monkeypatch.setattr(documents, "call", lambda _words: Run(status, "", ""))
    faults = case_runner.attack(ground, family, cases.FAMILIES[family], "suite", 3)
    assert any(cause.startswith("called ") for cause in faults)


def test_random_tests_notice_an_nfg_export_that_changes_payoffs(ground, monkeypatch):
    written = doors.write_nfg

    def changed(game):
        raised = [[payoff + 1 for payoff in line] for line in game.numbers.rows]
        return written(gx.MatrixGame(raised, game.rows, game.columns))

    monkeypatch.setattr(doors, "write_nfg", changed)
    faults = case_runner.attack(ground, "doors", cases.FAMILIES["doors"], "suite", 1)
    assert [*faults] == ["nfg: other payoffs"]
