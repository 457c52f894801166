"""Completion in a shell: every command is known, and a real bash completes it."""

import shutil
import subprocess
import sys

import pytest

from gops_exact import cli
from gops_exact.commands import COMMANDS
from gops_exact.commands.completion import SHELLS, parsers

pytest.importorskip("shtab", reason="shtab is not installed")


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_known(shell, capsys):
    assert cli.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(command in script for command in COMMANDS)


def test_the_parser_of_all_commands_has_what_each_command_has():
    parser, *_ = parsers()
    assert parser.parse_args(["--n", "5"]).emit == "decimals"
    assert parser.parse_args(["--n", "5", "growth", "--n", "4"]).n == 4


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["expl"], ["explore"]),
        (["--upc"], ["--upcard"]),
        (["explore", "--on"], ["--only"]),
        (["--emit", "frac"], ["fractions"]),
        (["verify", "--pub"], ["--published"]),
        (["position", "--prizes", "hid"], ["hidden"]),
        (["measure", "--against", "best"], ["best-response"]),
        (["play", "--policy", "upcard+"], ["upcard+1", "upcard+2", "upcard+3"]),
        (["store", "cl"], ["clear"]),
        (["--folder", "a"], ["a_folder"]),
        (["verify", "a_"], ["a_file", "a_folder"]),
    ],
)
def test_bash_completes(words, completed, capsys, tmp_path):
    (tmp_path / "a_folder").mkdir()
    (tmp_path / "a_file").touch()
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash is installed")
    assert cli.main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    asked = (
        f"COMP_WORDS=(gops-exact {' '.join(words)}); COMP_CWORD={len(words)}\n"
        '_shtab_gops_exact; printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        [bash, "-c", script + asked], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert sorted(done.stdout.split()) == completed


def test_without_shtab_the_extra_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert cli.main(["completion", "zsh"]) == 2
    assert "pip install '.[completion]'" in capsys.readouterr().err
