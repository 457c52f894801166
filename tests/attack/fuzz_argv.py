"""Argument vectors for the fuzzer.

Commands and options are taken from the program itself, so new ones are covered as they come. Every
run has to end as documented, and its output is compared with that of a run without files.
"""

import inspect
import os
import shutil
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from frame import Wrong
from program import run

import gops_exact as gx
from gops_exact.commands import COMMANDS, DEFAULT, module_of
from gops_exact.commands.options import Parser
from gops_exact.game.order_types import LONGEST

STATUSES = (0, 1, 2, 130, 141, 143)
"""The exit statuses that are documented."""

REPORTING = ("play", "store", "verify")
"""Commands that say on stdout why they end with status 1 or 130."""


@contextmanager
def noted(tell):
    """Add what `tell` returns to whatever is raised."""
    try:
        yield
    except BaseException as error:
        error.add_note(tell())
        raise


def call(words, typed=b""):
    """Run the program in this process; raises if it does not end as documented."""
    ended = run(words, typed)
    if not any("stderr" in word or word.endswith("/fd/2") for word in words):
        check_ending(ended, words)
    return ended


def check_ending(ran, words):
    """Raise unless the status is a documented one, and an error one line."""
    lines = ran.err.splitlines()
    one_line = len(lines) == 1 and lines[0].startswith("gops-exact: ")
    told = ran.status in (1, 130) and not lines and ran.out and words[0] in REPORTING
    if ran.status not in STATUSES:
        raise Wrong(f"status {ran.status}")
    if ran.status == 0 and lines:
        raise Wrong("status 0 with words on stderr", ran.err[:200])
    if ran.status and not one_line and not told:
        raise Wrong("an error that is not one line", ran.status, ran.err[:200])
    if "out of memory" in ran.err:
        raise Wrong("out of memory")


def warm_up():
    """Compile or load the kernels, which may take longer than a case may."""
    for rules in (gx.Rules(), gx.Rules("win")):
        gx.first_move(3, "float", rules=rules)
        gx.first_move(3, gx.Float(integers=rules.winning), rules=rules)
    call(["outcomes", "--n", "3", "--arithmetic", "float"])


WEIGHTS = {"first-move": 12, "play": 3, "verify": 3, "export": 2, "completion": 0.5}
"""How often a command is drawn, once for those that are not named."""

VALUES = {
    "n": ["1", "2", "3", "3", "3", "3", "3", "4", "0", str(LONGEST), str(LONGEST + 1)],
    "digits": ["0", "1", "5", "30", "400"],
    "jobs": ["1"] * 30 + ["2", "0", "1000"],
    "prime": ["2305843009213693951", "1000000007", "18446744073709551557", "4", "2", "65537"],
    "seeds": ["1", "2"],
    "lengths": ["1", "2", "1,2"],
    "seed": ["0", "1", "18446744073709551615"],
    "margin": ["0", "1", "-2"],
    "pot": ["0", "3"],
    "upcard": ["1", "2", "A", "1,2", "3 1", "K"],
    "prizes": [
        "random",
        "hidden",
        "descending",
        "3,1,2",
        "1,2",
        "1,1,3",
        "hidden:1,2",
        "fixed:2,1",
    ],
    "one": ["1,2", "A,3", "1,2,3"],
    "two": ["1,2", "2,4", "1,3,5"],
    "bids": ["1", "1,2", "3", "K"],
    "policy": ["random", "random,matching", "lowest,optimal", "0201", "matching,0205"],
    "against": ["random", "best-response", "highest,best-response"],
    "file": ["game.csv", "game.csv", "game.json", "game.nfg", "exact.json", "none.csv", "-"],
    "files": ["game.json", "exact.json", "float.csv", "residue.json", "none.json"],
    "published": ["published.csv", "float.csv"],
    "out": ["o", "o", "o", "deep/o", "/dev/stdout", "/dev/stderr", "/dev/null/o", "é", "x" * 250],
    "transcript": ["t", "deep/t", "x" * 300],
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

HOMES = ("~", "/dev/null/x", "/proc/x", "new", "new/home", "a\nb", "é", "\udcff", "x" * 5000)
"""Homes that cannot be written, or are new."""

NONSENSE = [
    *("", " ", "-", "--", "---", "-1", "0", "00", "01", "+1", "1.0", "1e1", "0x1", "١", "x", "é"),
    *("\udcff", "\n", "a\nb", "\t", "1,", ",", ",,", "1;2", "nan", "inf", "None", "True", "%s"),
    *("{}", "*", "~", "$HOME", "9" * 30, "9" * 5000, "x" * 5000, "--n", "-h", "=", "a=b", "\x1b["),
]
TYPED = [b"1", b"2", b"3", b"A", b"hint", b"help", b"quit", b"", b"\xff", b"x", b"9" * 50]

NEUTRAL = ("out", "store", "read_only", "jobs", "folder", "scheduler", "force")
"""Options that change no number."""

OF_FILES = ("growth", "matrix", "play", "review", "store", "verify")
"""Commands of which the output is not that of their options alone."""


@cache
def parser_of(name):
    parser = Parser(name)
    module_of(name).add_arguments(parser)
    return parser


def actions_of(name):
    """The arguments that a command takes, but for --help."""
    return [action for action in parser_of(name)._actions if action.dest != "help"]


def is_checked(action):
    """Whether an option takes but some words: choices, or integers in a range."""
    return action.choices is not None or inspect.isfunction(action.type)


def value_of(rng, name, action):
    """A word for an option, mostly a right one."""
    if rng.random() < 0.12:
        return rng.choice(NONSENSE)
    if (name, action.dest) in SLOW:
        return rng.choice(SLOW[name, action.dest])
    if action.choices:
        return rng.choice(list(action.choices))
    known = inspect.getclosurevars(action.type).nonlocals if is_checked(action) else {}
    if "choices" in known:
        return rng.choice(known["choices"])
    if action.dest in VALUES:
        return rng.choice(VALUES[action.dest])
    if "least" in known:
        return str(rng.choice([known["least"] - 1, known["least"], known["least"] + 1]))
    return rng.choice(["1", "2", "x", "o"])


def words_of(rng):
    names = [name for name in COMMANDS if name != "serve"]  # which goes on; see test_serve.py
    name = rng.choices(names, [WEIGHTS.get(each, 1) for each in names])[0]
    actions = actions_of(name)
    wild = rng.random() < 0.3
    chosen = [action for action in actions if action.required]
    others = [action for action in actions if action not in chosen]
    chosen = [action for action in chosen if not wild or rng.random() < 0.8]
    chosen += rng.sample(others, min(len(others), rng.choice([0, 0, 1, 1, 2, 3, 5])))
    rng.shuffle(chosen)
    words = [name] if name != DEFAULT or rng.random() < 0.1 else []
    for action in chosen:
        words += option(rng, name, action)
    if wild:
        spoil(rng, words)
    if str(LONGEST) in "=".join(words).split("="):  # what takes hours unless it is refused
        words = [word for word in words if word != "--force"]
    return name, words


def option(rng, name, action):
    if not action.option_strings:
        count = 1 if action.nargs is None else rng.randint(0, 2)
        return [value_of(rng, name, action) for _ in range(count)]
    flag = rng.choice(action.option_strings)
    if action.nargs == 0:
        return [flag]
    value = value_of(rng, name, action)
    return [f"{flag}={value}"] if rng.random() < 0.4 else [flag, value]


def spoil(rng, words):
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(words) + 1)
        kind = rng.randrange(6)
        if kind == 0 or not words:
            words.insert(at, rng.choice(NONSENSE))
        elif kind == 1:
            words.insert(at, rng.choice(words))
        elif kind == 2:
            del words[min(at, len(words) - 1)]
        elif kind == 3:
            rng.shuffle(words)
        elif "/dev/" not in words[at := min(at, len(words) - 1)]:
            flag = words[at].partition("=")[0]
            words[at] = rng.choice([flag[:-1], f"{flag}=", f"{flag}=--", f"{flag}x"])


def canonical(name, given):
    """The words for the same output, defaults and what is neutral left out; it goes to a file."""
    words = [name]
    for action in actions_of(name):
        value = getattr(given, action.dest)
        if value == action.default or action.dest in NEUTRAL:
            continue
        if not action.option_strings:
            words.append(str(value))
        elif action.nargs == 0:
            words.append(action.option_strings[0])
        elif isinstance(value, list) and type(action).__name__ != "_AppendAction":
            words += [action.option_strings[0], ",".join(map(str, value))]
        else:
            values = value if isinstance(value, list) else [value]
            words += [f"{action.option_strings[0]}={each}" for each in values]
    return tuple(words)


@cache
def reference(words, to_file):
    """The output of a run that keeps nothing."""
    more = ["--store", ":memory:"] if words[0] == DEFAULT and "float" not in str(words) else []
    out = Path("..", "reference")
    ran = call([*words, *more, *(["--out", str(out)] if to_file else [])])
    if ran.status:
        raise Wrong("status 0, but not without files", ran.err[:200])
    return out.read_bytes() if to_file else ran.out.encode()


def argv_case(rng, place):
    """One argument vector; what it prints is compared with a run without files."""
    name, words = words_of(rng)
    if name in ("matrix", "store", "verify") or rng.random() < 0.05:
        for document in (place.parent / "documents").glob("[a-z]*"):
            shutil.copy(document, place)
    if rng.random() < 0.1:
        os.environ["HOME"] = rng.choice(HOMES)
        del os.environ["GOPS_EXACT_STORE"], os.environ["XDG_CACHE_HOME"]
    typed = b"\n".join(rng.choices(TYPED, k=rng.randint(0, 12)))
    with noted(lambda: f"{words!r}"[:600]):
        ran = call(words, typed)
        helped = not words or any(word in words for word in ("-h", "--help", "--version"))
        if ran.status == 0 and not helped:
            check_output(words, ran)


def check_output(words, ran):
    """Raise if a run that ended well took an option's value for none, or gave other output."""
    name = DEFAULT
    if words and words[0] in COMMANDS:
        name, words = words[0], words[1:]
    checked = [
        flag for action in actions_of(name) if is_checked(action) for flag in action.option_strings
    ]
    for word in words:
        flag, _, value = word.partition("=")
        if value == "--" and flag in checked:
            raise Wrong("accepted '--' as a value")
    if name in OF_FILES:
        return
    given = parser_of(name).parse_args(words)
    if getattr(given, "seconds", None) is not None and name == "hidden-bids":  # learned for a time
        return
    out = getattr(given, "out", None)
    if out is not None and str(out).startswith("/dev/"):
        out = None
        if "stderr" in str(given.out):
            return
    found = ran.out.encode() if out is None else out.read_bytes()
    to_file = any(action.dest == "out" for action in actions_of(name))
    if found != reference(canonical(name, given), to_file):
        raise Wrong("another output than without files", " ".join(canonical(name, given)))
