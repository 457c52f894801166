"""Argument vectors: every run ends as documented, and what changes no number changes no output.

Commands and options are taken from the program itself, so new ones are covered as they come.
"""

import inspect
from functools import cache
from pathlib import Path

from case_runner import Wrong
from program import run

from gops_exact.commands import COMMANDS, DEFAULT, module_of
from gops_exact.commands.options import Parser

REPORTING = ("play", "store", "verify")
"""Commands that say on stdout why they end with status 1 or 130."""

WORDS = """1 2 3 0 -1 400 65537 1,2 3,1,2 A hidden fixed:2,1 random lowest,optimal best-response
:memory: s.sqlite new/d none.json - 1/2 -- 00 1e1 ١ é nan %s ~"""
VALUES = [*WORDS.split(), "", " ", "\udcff", "a\nb", "9" * 5000, "\x1b["]
"""Values of options, of which some suit a few; all of them make little work."""

NEUTRAL = {"--store": "s.sqlite", "--jobs": "1", "--quiet": None, "--folder": "d", "--out": "o"}
"""Options that change no number, with a value that they take."""


def call(words, typed=b""):
    """Run the program in this process; raises if it does not end as documented."""
    ran = run(words, typed)
    lines = ran.err.splitlines()
    one_line = len(lines) == 1 and lines[0].startswith("gops-exact: ")
    told = ran.status in (1, 130) and not lines and ran.out and words[0] in REPORTING
    if ran.status not in (0, 1, 2, 130, 141, 143) or "out of memory" in ran.err:
        raise Wrong(f"status {ran.status}", words, ran.err)
    if ran.status == 0 and lines:
        raise Wrong("status 0 with words on stderr", words, ran.err)
    if ran.status and not one_line and not told:
        raise Wrong("an error that is not one line", words, ran.status, ran.err)
    return ran


@cache
def actions_of(name):
    """The arguments that a command takes, but for --help."""
    parser = Parser(name)
    module_of(name).add_arguments(parser)
    return [action for action in parser._actions if action.dest != "help"]


def words_for(rng, action):
    """The words of an option with its value, mostly a right one, or of a positional argument."""
    is_checked = inspect.isfunction(action.type)
    known = inspect.getclosurevars(action.type).nonlocals if is_checked else {}
    choices = [*(action.choices or known.get("choices") or VALUES)]
    value = rng.choice(VALUES if rng.random() < 0.1 else choices)
    if action.dest == "n":
        value = rng.choice(["3", "3", "2", "1", "0"])
    if not action.option_strings:
        return [value]
    flag = rng.choice(action.option_strings)
    return [flag] if action.nargs == 0 else rng.choice([[f"{flag}={value}"], [flag, value]])


def words_case(rng, _place):
    """One argument vector; what it prints is what it prints or writes with other options that change no number."""
    names = [name for name in COMMANDS if name != "serve"]  # which goes on; see test_serve.py
    name = rng.choice([*names, *[DEFAULT] * len(names)])
    actions = [action for action in actions_of(name) if not {*action.option_strings} & {*NEUTRAL}]
    chosen = [action for action in actions if action.required and rng.random() < 0.9]
    others = [action for action in actions if not action.required]
    chosen += rng.sample(others, min(len(others), rng.choice([0, 1, 1, 2, 3, 5])))
    words = [name, *(word for action in chosen for word in words_for(rng, action))]
    if rng.random() < 0.2:
        words[rng.randrange(1, len(words) + 1) :] = [rng.choice(VALUES)]
    typed = b"\n".join(rng.choices([b"1", b"2", b"A", b"hint", b"quit", b"", b"\xff"], k=9))
    if name == "hidden-bids":
        words += ["--seconds", "1"]
    ran = call(words, typed)
    if ran.status or name in ("hidden-bids", "play", "store", "verify") or "--help" in words:
        return
    taken = {flag for action in actions_of(name) for flag in action.option_strings}
    neutral = [flag for flag in NEUTRAL if flag in taken and rng.random() < 0.5]
    more = [word for flag in neutral for word in (flag, NEUTRAL[flag]) if word]
    again = call([*words, *more], typed)
    if again.status:  # an option that this arithmetic does not take
        return
    written = Path("o").read_bytes() if "--out" in neutral else again.out.encode()
    if written != ran.out.encode():
        raise Wrong("another output with options that change no number", words, more)
