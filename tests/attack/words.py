"""Argument vectors: every run ends as documented, and what changes no number changes no output.

Commands and options are taken from the program itself, so new ones are covered as they come.
"""

import inspect
import os
import re
import shutil
from functools import cache
from pathlib import Path

from frame import Wrong
from program import run

from gops_exact.commands import COMMANDS, DEFAULT, module_of
from gops_exact.commands.options import Parser
from gops_exact.game.order_types import LONGEST

STATUSES = (0, 1, 2, 130, 141, 143)
"""The exit statuses that are documented."""

REPORTING = ("play", "store", "verify")
"""Commands that say on stdout why they end with status 1 or 130."""


def call(words, typed=b""):
    """Run the program in this process; raises if it does not end as documented."""
    ran = run(words, typed)
    if any("stderr" in word or word.endswith("/fd/2") for word in words):
        return ran
    lines = ran.err.splitlines()
    one_line = len(lines) == 1 and lines[0].startswith("gops-exact: ")
    told = ran.status in (1, 130) and not lines and ran.out and words[0] in REPORTING
    if ran.status not in STATUSES:
        raise Wrong(f"status {ran.status}", words)
    if ran.status == 0 and lines:
        raise Wrong("status 0 with words on stderr", words, ran.err)
    if ran.status and not one_line and not told:
        raise Wrong("an error that is not one line", words, ran.status, ran.err)
    if "out of memory" in ran.err:
        raise Wrong("out of memory", words)
    return ran


VALUES = {
    "n": ["1", "2", "3", "3", "3", "3", "4", "0", str(LONGEST), str(LONGEST + 1)],
    "digits": ["0", "1", "5", "30", "400"],
    "prime": ["2305843009213693951", "1000000007", "18446744073709551557", "4", "65537"],
    "upcard": ["1", "2", "A", "1,2", "3 1", "K"],
    "prizes": ["random", "hidden", "descending", "3,1,2", "1,1,3", "hidden:1,2", "fixed:2,1"],
    "one": ["1,2", "A,3", "1,2,3"],
    "two": ["1,2", "2,4", "1,3,5"],
    "bids": ["1", "1,2", "3", "K"],
    "policy": ["random", "random,matching", "lowest,optimal", "highest", "matching,published"],
    "against": ["random", "best-response", "highest,best-response"],
    "file": ["game.csv", "game.csv", "game.json", "game.nfg", "exact.json", "none.csv", "-"],
    "files": ["game.json", "exact.json", "float.csv", "residue.json", "none.json"],
    # Of these the output must not depend on, and some are wrong.
    "jobs": ["1"] * 30 + ["2", "0", "1000"],
    "out": ["o", "o", "o", "deep/o", "/dev/stdout", "/dev/stderr", "/dev/null/o", "é", "x" * 250],
    "store": [":memory:", "s.sqlite", "new/s.sqlite", "exact.json", "file:s?mode=memory", "."],
    "folder": ["d", "d", "d/e", "exact.json", "/dev/null/d"],
    "scheduler": ["", ":", "tcp://", "tcp://:x", "nonsense"],
}
"""Values that are right, or nearly so, by option; all of them make little work."""

SLOW = {
    ("outcomes", "n"): ["1", "2", "3", "0", str(LONGEST)],
    ("measure", "n"): ["1", "2", "3", "0"],
    ("hidden-bids", "n"): ["2", "3", "1", "0"],
    ("hidden-bids", "seconds"): ["1", "0"],
}
"""Values where those above would make much work, or none."""

NEUTRAL = ("out", "store", "read_only", "jobs", "folder", "force", "quiet")
"""Options that change no number."""

OF_FILES = ("growth", "matrix", "play", "review", "store", "verify")
"""Commands of which the output is not that of their options alone."""

NONSENSE = [
    *("", " ", "-", "--", "-1", "00", "+1", "1.0", "1e1", "0x1", "١", "x", "é", "\udcff", "a\nb"),
    *("1,", ",,", "nan", "inf", "None", "%s", "{}", "~", "9" * 5000, "x" * 5000, "--n", "\x1b["),
]
TYPED = [b"1", b"2", b"A", b"hint", b"help", b"quit", b"", b"\xff", b"9" * 50]


@cache
def actions_of(name):
    """The arguments that a command takes, but for --help."""
    parser = Parser(name)
    module_of(name).add_arguments(parser)
    return [action for action in parser._actions if action.dest != "help"]


def value_of(rng, name, action):
    """A word for an option, mostly a right one."""
    if rng.random() < 0.12:
        return rng.choice(NONSENSE)
    if (name, action.dest) in SLOW:
        return rng.choice(SLOW[name, action.dest])
    is_checked = inspect.isfunction(action.type)
    known = inspect.getclosurevars(action.type).nonlocals if is_checked else {}
    if choices := action.choices or known.get("choices"):
        return rng.choice([*choices])
    if "least" in known and action.dest not in VALUES:
        return str(known["least"] + rng.choice((-1, 0, 1)))
    return rng.choice(VALUES.get(action.dest, ["1", "2", "x", "o"]))


def option(rng, name, action):
    """The words of an option with its value, or of a positional argument."""
    if not action.option_strings:
        count = 1 if action.nargs is None else rng.randint(0, 2)
        return [value_of(rng, name, action) for _ in range(count)]
    flag = rng.choice(action.option_strings)
    if action.nargs == 0:
        return [flag]
    value = value_of(rng, name, action)
    return [f"{flag}={value}"] if rng.random() < 0.4 else [flag, value]


def words_of(rng):
    """A command, the words of its options, and those of them that must not change its output."""
    names = [name for name in COMMANDS if name != "serve"]  # which goes on; see test_serve.py
    name = rng.choice([*names, *[DEFAULT] * len(names)])
    wild = rng.random() < 0.3
    actions = actions_of(name)
    chosen = [action for action in actions if action.required and not (wild and rng.random() < 0.2)]
    others = [action for action in actions if not action.required]
    chosen += rng.sample(others, min(len(others), rng.choice([0, 0, 1, 1, 2, 3, 5])))
    words, neutral = [], []
    for action in chosen:
        part = neutral if action.dest in NEUTRAL else words
        part += option(rng, name, action)
    words = [*([name] if name != DEFAULT or rng.random() < 0.1 else []), *words]
    for _ in range(wild * rng.randint(1, 3)):
        at = rng.randrange(len(words) + 1)
        words[at : at + rng.randint(0, 1)] = [rng.choice([*NONSENSE, *words])]
    if str(LONGEST) in "=".join(words).split("="):  # what takes hours unless it is refused
        neutral = [word for word in neutral if word != "--force"]
    return name, words, neutral


def words_case(rng, place):
    """One argument vector; what it prints or writes is what it does without neutral options."""
    name, words, neutral = words_of(rng)
    if name in ("matrix", "store", "verify") or rng.random() < 0.05:
        for document in (place.parent / "documents").glob("[a-z]*"):
            shutil.copy(document, place)
    typed = b"\n".join(rng.choices(TYPED, k=rng.randint(0, 12)))
    ran = call([*words, *neutral], typed)
    if {"-h", "--help", "--version"} & {*words}:
        return
    timed = name == "hidden-bids" and any("--seconds" in word for word in words)
    if ran.status or not neutral or name in OF_FILES or timed or "stderr" in str(neutral):
        return
    out = re.search("--out[=\0]([^\0]*)", "\0".join(neutral))
    is_kept = out is not None and not out[1].startswith("/dev/")
    found = Path(out[1]).read_bytes() if is_kept else ran.out.encode()
    os.environ |= {"GOPS_EXACT_STORE": ":memory:", "HOME": str(place)}
    elsewhere = ["--out", "../reference" if is_kept else "/dev/stdout"] if out else []
    plain = call([*words, *elsewhere])
    if found != (Path("../reference").read_bytes() if is_kept else plain.out.encode()):
        raise Wrong("another output than without files", words, neutral)
