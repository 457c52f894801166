"""A short run of the forger; `python tests/attack forger --count 10000 --seed N` is a long one."""

import forger

COUNT = 300
"""False ones, and a tenth as many true ones; games of three cards take some twenty seconds of a core."""


def test_no_forgery_is_called_right_and_nothing_true_wrong(tmp_path, capsys):
    games = forger.GAMES[: len(forger.RULE_SETS)]
    assert forger.run(tmp_path, "suite", COUNT, games) is False, capsys.readouterr().out
    *counts, forged, true = capsys.readouterr().out.splitlines()
    assert forged == f"{COUNT} forged, 0 called right"
    assert true == f"{COUNT // 10} true, 0 called wrong"
    claims = {line.rpartition(" ")[2] for line in counts}
    assert claims >= {"number", "unique", "rules", "upcard", "arithmetic", "deck", "form", "sets"}


def test_a_verifier_that_is_wrong_is_found(tmp_path, capsys, monkeypatch):
    for ask in ("ask_store", "ask_document", "ask_game", "ask_other"):
        monkeypatch.setattr(forger.Forger, ask, lambda *_: ("case", []))
    assert forger.run(tmp_path, "suite", 10, forger.GAMES[:1]) is True
    assert capsys.readouterr().out.endswith("10 forged, 10 called right\n1 true, 0 called wrong\n")
