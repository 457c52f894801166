"""Random calls for the fuzzer: argument vectors of the program, and calls of the public functions.

Commands, options and functions are taken from the program itself, so new ones are covered as they
come. Every call has to end as documented, and a right one with the right numbers: first moves and
positions are compared with `oracle`, all output with that of a run without files.
"""

import inspect
import re
import shutil
import sys
from collections.abc import Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from decimal import Decimal
from fractions import Fraction
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

import flint
import gmpy2
import numpy as np
import oracle
import pandas as pd

import gops_exact as gx
from gops_exact import cli
from gops_exact.commands import COMMANDS, DEFAULT, module_of
from gops_exact.commands.arguments import Parser
from gops_exact.game.order_types import LONGEST

STATUSES = (0, 1, 2, 130, 141, 143)
"""The exit statuses that are documented."""

REPORTING = ("play", "store", "verify")
"""Commands that say on stdout why they end with status 1 or 130."""


class Wrong(Exception):  # noqa: N818  # no error of the fuzzer's
    """A call that did not end as documented, or with another number than the right one.

    Its first argument says what is wrong in words that all such cases share.
    """


@contextmanager
def noted(tell):
    """Add what `tell` returns to whatever is raised."""
    try:
        yield
    except BaseException as error:
        error.add_note(tell())
        raise


class Ran(NamedTuple):
    """How a run of the program ended."""

    status: int
    out: str
    err: str


def call(words, typed=b""):
    """Run the program in this process; raises if it does not end as documented."""
    out, err = BytesIO(), BytesIO()
    stdin, sys.stdin = sys.stdin, TextIOWrapper(BytesIO(typed), encoding="utf-8")
    stdout = TextIOWrapper(out, encoding="utf-8")
    stderr = TextIOWrapper(err, encoding="utf-8", errors="backslashreplace")
    try:
        with redirect_stdout(stdout), redirect_stderr(stderr):
            status = cli.main(words)
    except SystemExit as ended:  # --help, --version
        status = ended.code or 0
    finally:
        sys.stdin = stdin
        stdout.flush()
        stderr.flush()
    ran = Ran(status, out.getvalue().decode(), err.getvalue().decode())
    if not any("stderr" in word or word.endswith("/fd/2") for word in words):
        check_ending(ran, words)
    return ran


def check_ending(ran, words):
    """Raise unless the status is a documented one, and an error one line."""
    lines = ran.err.splitlines()
    one_line = len(lines) == 1 and lines[0].startswith("gops_exact: ")
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
        gx.first_move_float(3, rules=rules)
        gx.first_move_float(3, rules=rules, integers=rules.winning)
    call(["outcomes", "--n", "3", "--arithmetic", "float"])


# Argument vectors.

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
    "upcard": ["1", "2", "A", "1,2", "3 1", "K"],
    "prizes": ["random", "hidden", "ascending", "descending", "3,1,2", "1,2", "1,1,3"],
    "order": ["random", "hidden", "ascending", "descending", "3,1,2", "1,2", "1,1,3"],
    "one": ["1,2", "A,3", "1,2,3"],
    "two": ["1,2", "2,4", "1,3,5"],
    "bids": ["1", "1,2", "3", "K"],
    "players": ["random,matching", "highest,0201,upcard+1", "matching,0205"],
    "policy": ["random", "lowest,optimal", "0201"],
    "against": ["random", "best-response", "highest,best-response"],
    "files": ["exact.json", "float.csv", "residue.json", "none.json"],
    "published": ["published.csv", "float.csv"],
    "source": ["tournament.csv", "exact.json"],
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
    ("tournament", "n"): ["5", "5", "4", "14"],
}
"""Values where those above would make much work, or none."""

NONSENSE = [
    *("", " ", "-", "--", "---", "-1", "0", "00", "01", "+1", "1.0", "1e1", "0x1", "١", "x", "é"),
    *("\udcff", "\n", "a\nb", "\t", "1,", ",", ",,", "1;2", "nan", "inf", "None", "True", "%s"),
    *("{}", "*", "~", "$HOME", "9" * 30, "9" * 5000, "x" * 5000, "--n", "-h", "=", "a=b", "\x1b["),
]
TYPED = [b"1", b"2", b"3", b"A", b"hint", b"help", b"quit", b"", b"\xff", b"x", b"9" * 50]

NEUTRAL = ("out", "store", "read_only", "jobs", "folder", "scheduler", "force")
"""Options that change no number."""

OF_FILES = ("growth", "patterns", "play", "store", "verify")
"""Commands of which the output is not that of their options alone."""


@cache
def parser_of(name):
    """The parser of a command, its own options alone."""
    parser = Parser(prog=name, allow_abbrev=False)
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
    if action.dest in VALUES:
        return rng.choice(VALUES[action.dest])
    if "least" in known:
        return str(rng.choice([known["least"] - 1, known["least"], known["least"] + 1]))
    return rng.choice(["1", "2", "x", "o"])


def words_of(rng):
    """A random argument vector."""
    names = list(COMMANDS)
    name = rng.choices(names, [WEIGHTS.get(each, 1) for each in names])[0]
    actions = actions_of(name)
    wild = rng.random() < 0.3
    chosen = [action for action in actions if action.required or (name, action.dest) in CHEAP]
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


CHEAP = {("tournament", dest) for dest in ("n", "players", "lengths", "seeds")}
"""Options that a command always gets, as it takes long without them."""


def option(rng, name, action):
    """An argument as words."""
    if not action.option_strings:
        count = 1 if action.nargs is None else rng.randint(0, 2)
        return [value_of(rng, name, action) for _ in range(count)]
    flag = rng.choice(action.option_strings)
    if action.nargs == 0:
        return [flag]
    value = value_of(rng, name, action)
    return [f"{flag}={value}"] if rng.random() < 0.4 else [flag, value]


def spoil(rng, words):
    """Words dropped, repeated, swapped, cut or put in."""
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
        else:
            at = min(at, len(words) - 1)
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
    if name in ("patterns", "store", "tournament", "verify") or rng.random() < 0.05:
        for document in (place.parent / "documents").glob("[a-z]*"):
            shutil.copy(document, place)
    typed = b"\n".join(rng.choices(TYPED, k=rng.randint(0, 12)))
    with noted(lambda: f"{words!r}"[:600]):
        ran = call(words, typed)
        if ran.status == 0 and not any(word in words for word in ("-h", "--help", "--version")):
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
    if name in OF_FILES or "--from" in "".join(words):
        return
    given = parser_of(name).parse_args(words)
    out = getattr(given, "out", None)
    if out is not None and str(out).startswith("/dev/"):
        out = None
        if "stderr" in str(given.out):
            return
    found = ran.out.encode() if out is None else out.read_bytes()
    to_file = any(action.dest == "out" for action in actions_of(name))
    if found != reference(canonical(name, given), to_file):
        raise Wrong("another output than without files", " ".join(canonical(name, given)))


# Calls of the public functions.


class Index:
    """An integer by its `__index__` alone."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        if self.number is None:
            raise TypeError("no index")
        return self.number


class Endless:
    """An object that says it is iterable and is not."""

    def __iter__(self):
        raise TypeError("not iterable after all")


class Failing:
    """An iterable that fails on the way."""

    def __iter__(self):
        yield 1
        raise TypeError("fails on the way")


HOSTILE = [
    *(None, True, 0, -1, 29, 10**30, -(10**30), 2.0, 0.5, float("nan"), float("inf"), 1j, ...),
    *("", "1", "3,1", "win", "\udcff\n", b"1", "9" * 5000, memoryview(b"12"), Path("no/such")),
    *([], [[1]], [1, [2]], (1, 1), {1}, {"a": 1}, [None] * 3, range(3), slice(1), object(), int),
    *(np.uint8(3), np.int64(-1), np.float32(2), np.bool_(1), np.array(3), np.array([1.5, 2])),
    *(np.array([[1, 2], [3, 4]]), np.array(["a", "b"]), np.datetime64("NaT"), pd.NA, pd.NaT),
    *(pd.Series([1, None]), pd.DataFrame({"a": [1]}), Fraction(1, 2), Decimal("NaN"), Decimal(2)),
    *(len, lambda: None, Endless(), Failing(), Index(None), Index(2), gx.Rules(), NotImplemented),
    *(flint.fmpq(1, 2), flint.arb(1), gmpy2.mpq(1, 2), gmpy2.mpz(10**30)),
]
"""Arguments that are mostly wrong."""

INTEGERS = ("n", "digits", "prime", "margin", "pot", "upcard", "jobs", "memory_bytes")
NO_INTEGERS = (float, str, bytes, list, complex, Fraction, Decimal, np.floating, pd.Series)
"""What must be refused where an integer is expected."""

RULES = [
    gx.Rules(objective, ties, prizes)
    for objective in ("points", "win")
    for ties in ("discard", "carryover")
    for prizes in ("random", "hidden", "ascending", "descending")
]


PLAIN_KINDS = (int, np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64)
KINDS = (int, *PLAIN_KINDS, Index, gmpy2.mpz)
"""The types that integers come in; arrays and keys can be made of the plain ones."""


def integer(rng, number, kinds=KINDS):
    """The number as one of the types that integers come in."""
    kind = rng.choice(kinds)
    return int(number) if number < 0 and "uint" in kind.__name__ else kind(number)


def integers(rng, numbers):
    """The numbers as one of the kinds of iterables."""
    if len(set(numbers)) < len(numbers) or rng.random() < 0.5:
        return rng.choice([list, tuple, iter])([integer(rng, number) for number in numbers])
    kind = rng.choice(PLAIN_KINDS)
    collect = rng.choice([np.array, set, dict.fromkeys, pd.Series, lambda all_: (x for x in all_)])
    return collect([kind(number) for number in numbers])


def fraction(number):
    """An exact number of any library as a Fraction."""
    return Fraction(int(number.p), int(number.q))


def position(rng, name):
    """The arguments of a position, and a check of what comes of it."""
    size = rng.choice([1, 2, 2, 2, 3])
    one, two = (tuple(sorted(rng.sample(range(1, 7), size))) for _ in "12")
    prizes = tuple(rng.randint(1, 5) for _ in range(size))
    rules = rng.choice(RULES[8:] if name == "outcomes" else RULES)
    if rules.fixed and rng.random() < 0.5:
        rules = gx.Rules(rules.objective, rules.ties, prizes)
    margin = rng.randint(-4, 4)
    pot = rng.randint(0, 3) if rules.ties == "carryover" else 0
    arranged = rules.arranged(prizes)
    upcard = None if rules.hidden else arranged[0] if rules.fixed else rng.choice(prizes)
    if name == "value" or (name == "outcomes" and rng.random() < 0.5):
        upcard = None
    given = {"one": integers(rng, one), "two": integers(rng, two), "prizes": integers(rng, prizes)}
    given |= {"rules": rules, "margin": integer(rng, margin), "pot": integer(rng, pot)}
    if name != "value":
        given["upcard"] = None if upcard is None else integer(rng, upcard)
    state = {"objective": rules.objective, "ties": rules.ties, "margin": margin, "pot": pot}
    state["order"] = "fixed" if rules.fixed else rules.prizes

    def check(found):
        if name == "value" or (name == "outcomes" and upcard is None):
            right = oracle.position_value(one, two, arranged, **state)
            return fraction(found if name == "value" else found.value) == right
        right, matrix = oracle.position_solution(one, two, arranged, upcard, **state)
        if name == "outcomes":
            return fraction(found.value) == right
        if name == "payoff_matrix":
            return [[fraction(entry) for entry in row] for row in found] == matrix
        if name == "bid_gains":
            return max(map(fraction, found.values())) == right
        row, column = (tuple(map(fraction, side.values())) for side in (found.row, found.column))
        return fraction(found.value) == right and oracle.is_optimal(matrix, right, row, column)

    return given, check


@cache
def exact_moves(n, rules):
    """The exact first moves, proved by the oracle up to three cards."""
    moves = gx.first_move(n, rules=rules, store=":memory:", jobs=1)
    if n <= 3:
        deck = rules.arranged(range(1, n + 1))
        order = "fixed" if rules.fixed else rules.prizes
        for upcard, probabilities in moves.items():
            hand, named = tuple(sorted(deck)), {"objective": rules.objective, "ties": rules.ties}
            _, matrix = oracle.position_solution(hand, hand, deck, upcard, order=order, **named)
            own = tuple(map(fraction, probabilities.values()))
            if not oracle.is_optimal(matrix, Fraction(0), own, own):
                raise Wrong("first moves are not optimal", n, str(rules))
    return moves


def game(rng, name):
    """The arguments of a whole game, and a check of its first moves."""
    n, rules = rng.choice([1, 2, 3, 3, 3]), rng.choice(RULES)
    given = {"n": integer(rng, n), "rules": rules, "jobs": rng.choice([None, integer(rng, 1)])}
    _, possible = rules.deal(n)
    if not rules.hidden and rng.random() < 0.5:
        given["upcards"] = integers(rng, rng.sample(possible, rng.randint(1, len(possible))))
    if rng.random() < 0.3:
        given["progress"] = lambda _done, _total: None
    if rng.random() < 0.1 and name != "first_move_float":
        given["store"] = rng.choice([":memory:", "s.sqlite", Path("deep/s.sqlite")])
    if name == "first_move_float" and rng.random() < 0.2:
        given |= {"folder": rng.choice(["d", Path("d")]), "keep": rng.random() < 0.5}
    if name == "first_move" and "store" not in given:
        given["arithmetic"] = rng.choice(["exact", "ball", "residue", "float"])
    if name == "certified_first_move":
        given["digits"] = integer(rng, rng.choice([1, 3, 20, 60]))
    if name == "first_move_residues":
        given["prime"] = rng.choice(
            [2**61 - 1, 10**9 + 7, np.uint64(2**64 - 59), np.int64(10**9 + 9)]
        )

    def check(found):
        exact = exact_moves(n, rules)
        return all(
            agrees(found, upcard, card, fraction(exact[upcard][card]))
            for upcard in found
            for card in found[upcard]
        )

    return given, check


def agrees(found, upcard, card, right):
    """Whether a probability of first moves in any arithmetic is the exact one."""
    number = found[upcard][card]
    if found.arithmetic == "exact":
        return fraction(number) == right
    if found.arithmetic == "residue":
        return (number * right.denominator - right.numerator) % found.prime == 0
    if found.arithmetic == "ball":
        return found.decimal(upcard, card) == decimal_text(right, int(found.digits))
    return abs(Fraction(float(number)) - right) <= Fraction(found.column(upcard).radii[card])


def decimal_text(number, digits):
    """A number as a decimal, ties to even."""
    scaled = round(abs(number) * 10**digits)
    text = str(scaled).rjust(digits + 1, "0")
    sign = "-" if number < 0 and scaled else ""
    return sign + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)


def matrix_game(rng, name):
    """The arguments of a matrix game, and a check of its solution."""
    rows, columns = rng.randint(1, 3), rng.randint(1, 3)
    entries = [
        [Fraction(rng.randint(-3, 3), rng.choice([1, 1, 2, 3])) for _ in range(columns)]
        for _ in range(rows)
    ]
    kind = rng.choice([str, Fraction, gmpy2.mpq, lambda x: flint.fmpq(x.numerator, x.denominator)])
    given = {"payoff": [[kind(entry) for entry in row] for row in entries]}
    if rng.random() < 0.3:
        entries = [[Fraction(int(entry)) for entry in row] for row in entries]
        given["payoff"] = rng.choice([np.array, pd.DataFrame, flint.fmpz_mat])(
            [[int(entry) for entry in row] for row in entries]
        )
    if name == "solve_matrix_game":
        given["method"] = rng.choice(["auto", "simplex"])

    def check(found):
        right = oracle.matrix_value(entries)
        if name == "optimal_set":
            sides = oracle.extreme_strategies(entries)
            found_sides = (
                {tuple(map(fraction, point)) for point in side}
                for side in (found.row, found.column)
            )
            return fraction(found.value) == right and tuple(found_sides) == sides
        row, column = (tuple(map(fraction, side)) for side in (found.row, found.column))
        return fraction(found.value) == right and oracle.is_optimal(entries, right, row, column)

    return given, check


def number_view(rng, _name):
    """A number to view, and a check of its decimals."""
    number = Fraction(rng.randint(-(10 ** rng.choice([1, 5, 40])), 10**9), rng.randint(1, 10**5))
    digits = rng.randint(0, 30)
    given = {
        "x": rng.choice(
            [
                number,
                str(number),
                gmpy2.mpq(number),
                flint.fmpq(number.numerator, number.denominator),
            ]
        )
    }
    return (
        given,
        lambda found: (
            Fraction(found.to_fraction()) == number
            and found.decimal(integer(rng, digits)) == decimal_text(number, digits)
            and found.compare(number) == 0
        ),
    )


def solved_store(rng, _name):
    """A store with a solved game, and a check of the table of its lengths."""
    n, rules = rng.choice([2, 3]), rng.choice(RULES)
    gx.first_move(n, rules=rules, store="s.sqlite", jobs=1)
    given = {"n": integer(rng, n), "rules": rules, "store": "s.sqlite"}
    return given, lambda found: [layer.size for layer in found] == [[2], [1, 2, 3]][n - 2]


MAKERS = {
    **dict.fromkeys(("value", "solve", "payoff_matrix", "bid_gains", "outcomes"), position),
    **dict.fromkeys(
        ("first_move", "certified_first_move", "first_move_residues", "first_move_float"), game
    ),
    **dict.fromkeys(("solve_matrix_game", "optimal_set"), matrix_game),
    "view": number_view,
    "growth": solved_store,
}
"""Makers of right arguments; other functions get wrong ones alone."""

PUBLIC = [name for name in gx.__all__ if not inspect.isclass(getattr(gx, name)) or name == "Rules"]


def api_case(rng, _place):
    """One call of a public function, with right arguments or some wrong ones."""
    name = rng.choice([each for each in PUBLIC if each != "growth"] * 3 + ["growth"])
    function = getattr(gx, name)
    given, check = MAKERS[name](rng, name) if name in MAKERS else ({}, lambda _found: True)
    spoiled = rng.random() < 0.6
    if spoiled:
        known = [each for each in inspect.signature(function).parameters if each != "force"]
        for parameter in rng.sample(known, min(len(known), rng.choice([1, 1, 1, 2, 4]))):
            given[parameter] = rng.choice(HOSTILE)
    with noted(lambda: f"{name}: {shown(given)}"):
        found = attempt(function, given)
        if found is None:
            if not spoiled and name != "progress_bar":
                raise Wrong("refused right arguments")
            return
        bad = [each for each in INTEGERS if isinstance(given.get(each), NO_INTEGERS)]
        if bad:
            raise Wrong(f"accepted no integer as {bad[0]}")
        if not spoiled and not check(found):
            raise Wrong("another result than the oracle's")
        method_case(rng, found)


def attempt(function, given):
    """The result of a call, or None for a documented error."""
    try:
        return function(**given)
    except Exception as error:
        documented = isinstance(error, ValueError | gx.StoreError) or (
            isinstance(error, ArithmeticError) and type(error).__module__.startswith("gops_exact")
        )
        owner = getattr(function, "__self__", None)
        lookup = isinstance(error, KeyError) and isinstance(owner, Mapping)
        if not documented and not lookup:
            raise
        if not str(error).strip() or "\n" in str(error):
            raise Wrong("an error that is not one line", repr(error)[:300]) from error
        return None


def method_case(rng, found):
    """Call a public method of a result, with right or wrong arguments."""
    if not type(found).__module__.startswith("gops_exact") or isinstance(found, gx.Rules):
        return  # what rules do is for the solvers
    kind = rng.choice(
        [
            found,
            *(
                getattr(found, part)
                for part in ("numerator", "denominator")
                if hasattr(found, part)
            ),
        ]
    )
    methods = [
        each
        for each in dir(type(kind))
        if (
            not each.startswith("_")
            or each in ("__str__", "__repr__", "_repr_html_", "_repr_latex_")
        )
        and inspect.isfunction(getattr(type(kind), each))
        and getattr(type(kind), each).__module__.startswith("gops_exact")
    ]
    if not methods:
        return
    method = getattr(kind, rng.choice(methods))
    known = [] if method.__name__.startswith("_") else list(inspect.signature(method).parameters)
    given = {each: rng.choice(HOSTILE) if rng.random() < 0.7 else integer(rng, 2) for each in known}
    with noted(lambda: f".{method.__name__}({shown(given)})"):
        attempt(method, given)


def shown(given):
    """Arguments in one line."""
    with suppress(Exception):
        return re.sub(
            r"\s+", " ", ", ".join(f"{name}={value!r}"[:80] for name, value in given.items())
        )[:500]
    return ", ".join(f"{name}={type(value).__name__}" for name, value in given.items())
