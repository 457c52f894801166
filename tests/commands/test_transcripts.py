"""Commands and what they print: each file of transcripts/ is a session in an empty folder, with a new store.

    $ gops-exact WORDS     a command, run in this process; NAME=VALUE before it is set in its environment,
                           and with COLUMNS it runs at a terminal of that width
    % WORDS                a line for the shell, where gops-exact is a process of its own
    < text                 a line that is typed
    | text                 a line of stdout
    [1] text               a line of stderr, with the exit status; [1] alone if nothing is on stderr

All other lines are comments. What differs by machine is written as {name}; the words of a help are compared,
not its line breaks, in which Pythons differ. After a change that is meant,

    ACCEPT=1 python -m pytest tests/commands/test_transcripts.py

writes the transcripts anew: read the changes in the diff before they are committed.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from program import COMMANDS, POLICIES, Run, run
from project_paths import ROOT

import gops_exact as gx

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
SYSTEMS = {"files": ("linux", "darwin"), "linux": "linux", "streams": ("linux", "darwin")}
"""The systems, as Python calls them, of transcripts that not all have."""

SHELL = f'gops-exact() {{ "{sys.executable}" -m gops_exact "$@"; }}\n'
PLACEHOLDERS = {
    re.escape(", ".join(POLICIES)): "{policies}",
    re.escape(gx.__version__): "{version}",
    r"\b\d+\.\d s\b": "{time}",
    r"\b[1-9](\.\d)?e-1\d\b": "{radius}",
    r"\d+\.\d GB(?= of memory)": "{memory}",
}


def in_this_process(line, typed):
    words = shlex.split(line)
    with pytest.MonkeyPatch.context() as patched:
        while "=" in words[0]:
            patched.setenv(*words.pop(0).split("="))
        at_terminal = "COLUMNS" in line.partition("gops-exact")[0]
        return run(words[1:], typed, terminal=(0, 1) if at_terminal else ())


def in_a_shell(line, typed):
    shell = ["bash", "-c", SHELL + line]
    done = subprocess.run(shell, input=typed, capture_output=True, check=False)
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def shown(ended):
    """The lines of a transcript on how a run ended."""
    status, out, err = ended
    yield from (f"| {line}".rstrip() for line in out.splitlines())
    yield from (f"[{status}] {line}" for line in err.splitlines())
    if status and not err:
        yield f"[{status}]"


def performed(text):
    """A transcript in which every command has been run again."""
    lines = text.splitlines()
    while lines:
        line = lines.pop(0)
        yield line
        if line[:2] not in ("$ ", "% "):
            continue
        typed, before = [], []
        while lines and lines[0].startswith("<"):
            typed.append(lines.pop(0))
            yield typed[-1]
        while lines and lines[0].startswith(("|", "[")):
            before.append(lines.pop(0))
        entered = "".join(f"{each[2:]}\n" for each in typed).encode()
        ended = (in_this_process if line[0] == "$" else in_a_shell)(line[2:], entered)
        after = list(shown(ended))
        for pattern, name in {re.escape(str(Path.cwd())): "{folder}", **PLACEHOLDERS}.items():
            after = [re.sub(pattern, name, each) for each in after]
        is_help = "--help" in line and words_of(before) == words_of(after)
        yield from before if is_help else after


def words_of(lines):
    """The words of a help; Python 3.13 leaves out the first N of "-n N, --n N"."""
    text = " ".join(" ".join(line[2:] for line in lines).split())
    return re.sub(r"(-\w) ([A-Z]+), ", r"\1, ", text).replace(", ".join(POLICIES), "{policies}")


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.stem)
def test_commands_print_what_their_transcripts_say(transcript, tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder")
    monkeypatch.setenv("GOPS_EXACT_STORE", "../store.sqlite")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("NO_COLOR", "1")  # helps of Python 3.14 have colours
    before = transcript.read_text("utf-8")
    if not sys.platform.startswith(SYSTEMS.get(transcript.stem, "")):
        pytest.skip("it is about another system")
    after = "\n".join(performed(before)) + "\n"
    if "ACCEPT" in os.environ:
        transcript.write_text(after, "utf-8")
        return
    assert after.splitlines() == before.splitlines()


def test_every_command_has_its_help_in_a_transcript():
    text = next(path for path in TRANSCRIPTS if path.stem == "help").read_text("utf-8")
    assert re.findall(r"^\$ .* gops-exact (\S+) --help$", text, re.MULTILINE) == [*COMMANDS]
