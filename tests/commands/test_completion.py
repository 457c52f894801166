"""Completion in a shell: every command is known, and a real bash completes it."""

import shutil
import subprocess
import sys

import pytest
from program import COMMANDS, run

pytest.importorskip("shtab", reason="shtab is not installed")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh"])
def test_every_command_is_known(shell):
    script = run(f"completion {shell}").out
    assert all(command in script for command in COMMANDS)


TYPED = {
    "expl": "explore",
    "--upc": "--upcard",
    "explore --on": "--only",
    "--emit frac": "fractions",
    "verify --pub": "--published",
    "position --prizes hid": "hidden",
    "measure --against best": "best-response",
    "play --policy upcard+": "upcard+1 upcard+2 upcard+3",
    "store cl": "clear",
    "--folder a": "a_folder",
    "verify a_": "a_file a_folder",
}


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash is installed")
def test_bash_completes(tmp_path):
    (tmp_path / "a_folder").mkdir()
    (tmp_path / "a_file").touch()
    script = run("completion bash").out
    for words in TYPED:
        script += (
            f"COMP_WORDS=(gops-exact {words}); COMP_CWORD={len(words.split())}\n"
            "_shtab_gops_exact; sort <(printf '%s\\n' \"${COMPREPLY[@]}\") | xargs\n"
        )
    bash = ["bash", "-c", script]
    done = subprocess.run(bash, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert dict(zip(TYPED, done.stdout.splitlines(), strict=True)) == TYPED


def test_without_shtab_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    status, _, err = run("completion zsh")
    assert status == 2 and "pip install '.[completion]'" in err
