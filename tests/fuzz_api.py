"""Calls of the public functions for the fuzzer.

Positions, games and matrix games are made at random and their solutions compared with `oracle`; the
other functions, and hostile arguments for all, come from the tables of `test_arguments`.
"""

import inspect
import re
import shutil
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import flint
import gmpy2
import numpy as np
import oracle
import pandas as pd
from fuzz_argv import Wrong, noted
from oracle import fraction
from test_arguments import CALLS, LOOK_UPS, WRONG
from truth import as_oracle, first_moves

import gops_exact as gx
from gops_exact import players
from gops_exact.numbers.kinds import BoundedFloat, ProvedDecimal, ResidueClass
from gops_exact.show.explorer import EVERY_RULES
from gops_exact.solutions.strategy import ByCard, FirstMoves


class Index:
    """An integer by its `__index__` alone."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        if self.number is None:
            raise TypeError("no index")
        return self.number


class Failing:
    """An iterable that fails at once, or on the way."""

    def __init__(self, *first):
        self.first = first

    def __iter__(self):
        yield from self.first
        raise TypeError("fails on the way")


HOSTILE = [
    *(1j, ..., "win", "3,1", "\udcff\n", "9" * 5000, memoryview(b"12"), Path("no/such")),
    *(29, 0.5, float("inf"), Decimal("NaN"), Decimal(2), slice(1), NotImplemented),
    *(np.uint8(3), np.int64(-1), np.float32(2), np.array(3), np.datetime64("NaT"), [None] * 3),
    *(pd.Series([1, None]), flint.arb(1), flint.fmpq(1, 2), gmpy2.mpq(1, 2), gmpy2.mpz(10**30)),
    *(Index(None), Index(2), Failing(), Failing(1), gx.Ball(), gx.Position([1], [1], [1])),
]
"""Arguments that are mostly wrong, beside those of `test_arguments`."""

INTEGERS = ("n", "digits", "prime", "margin", "pot", "jobs", "memory_bytes", "states")
NO_INTEGERS = (float, str, bytes, list, complex, Fraction, Decimal, np.floating, pd.Series)
"""What must be refused where an integer is expected."""

PLAIN_KINDS = (int, np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64)
KINDS = (int, *PLAIN_KINDS, Index, gmpy2.mpz)
"""The types that integers come in; arrays and keys can be made of the plain ones."""


def hostile(rng):
    return rng.choice(list(WRONG.values()))() if rng.random() < 0.5 else rng.choice(HOSTILE)


def integer(rng, number):
    """The number as one of the types that integers come in."""
    kind = rng.choice(KINDS)
    return int(number) if number < 0 and "uint" in kind.__name__ else kind(number)


def integers(rng, numbers):
    """The numbers as one of the kinds of iterables."""
    if len(set(numbers)) < len(numbers) or rng.random() < 0.5:
        return rng.choice([list, tuple, iter])([integer(rng, number) for number in numbers])
    kind = rng.choice(PLAIN_KINDS)
    return rng.choice([np.array, set, pd.Series, iter])([kind(number) for number in numbers])


# Right arguments, each with a check of the result.


def position_call(rng):
    size = rng.choice([1, 2, 2, 2, 3])
    name = rng.choice(["value", "solve", "payoff_matrix", "bid_gains", "outcomes"])
    one, two = (tuple(sorted(rng.sample(range(1, 7), size))) for _ in "12")
    prizes = tuple(rng.randint(1, 5) for _ in range(size))
    rules = rng.choice(EVERY_RULES[8:] if name == "outcomes" else EVERY_RULES)
    if rules.fixed and rng.random() < 0.5:
        rules = gx.Rules(rules.objective, rules.ties, prizes)
    margin, pot = rng.randint(-4, 4) * rules.winning, rng.randint(0, 3) * rules.carries
    arranged = rules.arranged(prizes)
    upcard = None if rules.hidden else arranged[0] if rules.fixed else rng.choice(prizes)
    if name in ("value", "outcomes") and rng.random() < 0.5:
        upcard = None
    given = {"one": integers(rng, one), "two": integers(rng, two), "prizes": integers(rng, prizes)}
    given |= {"rules": rules, "margin": integer(rng, margin), "pot": integer(rng, pot)}
    given |= {"upcard": None if upcard is None else integer(rng, upcard)}
    state = as_oracle(rules) | {"margin": margin, "pot": pot}

    def check(found):
        if upcard is None and not rules.hidden:
            value = oracle.position_value(one, two, arranged, **state)
            return fraction(found if name == "value" else found.value) == value
        value, matrix = oracle.position_solution(one, two, arranged, upcard, **state)
        if name == "payoff_matrix":
            return [[fraction(entry) for entry in row] for row in found] == matrix
        if name == "bid_gains":
            return max(map(fraction, found.values())) == value
        right = fraction(found if name == "value" else found.value) == value
        if name != "solve":
            return right
        sides = (tuple(map(fraction, side.values())) for side in (found.row, found.column))
        return right and oracle.is_optimal(matrix, value, *sides)

    return name, lambda **given: getattr(gx, name)(gx.Position(**given)), given, check


def game_call(rng):
    n, rules = rng.choice([1, 2, 3, 3, 3]), rng.choice(EVERY_RULES)
    digits, primes = integer(rng, rng.choice([1, 3, 20, 60])), [2**61 - 1, np.uint64(2**64 - 59)]
    floats = rng.choice([gx.Float(), gx.Float("d"), gx.Float(Path("d"), keep=True)])
    kinds = [gx.Exact(), gx.Ball(digits), gx.Residue(rng.choice(primes)), floats]
    arithmetic = rng.choice([*kinds, *(kind.name for kind in kinds)])
    given = {"n": integer(rng, n), "arithmetic": arithmetic, "rules": rules}
    given["jobs"] = rng.choice([None, integer(rng, 1)])
    possible = gx.Game(n, rules).upcards
    if not rules.hidden and rng.random() < 0.5:
        given["upcards"] = integers(rng, rng.sample(possible, rng.randint(1, len(possible))))
    if rng.random() < 0.3:
        given["progress"] = lambda _done, _total: None
    if rng.random() < 0.1 and "float" not in (arithmetic, getattr(arithmetic, "name", "")):
        given["store"] = rng.choice([":memory:", "s.sqlite", Path("s.sqlite")])

    def check(found):
        def agree(column, strategy):
            return all(map(agrees, column.values(), strategy))

        return all(
            any(agree(column, strategy) for strategy in first_moves(gx.Game(n, rules), upcard)[1])
            for upcard, column in found.items()
        )

    return "first_move", gx.first_move, given, check


def agrees(number, right):
    if isinstance(number, ResidueClass):
        return (number.value * right.denominator - right.numerator) % number.prime == 0
    least, greatest = map(fraction, number.bounds())
    if isinstance(number, BoundedFloat):
        return least <= right <= greatest
    if isinstance(number, ProvedDecimal):
        return least <= right <= greatest and number.text() == decimal_text(right, number.digits)
    return least == right == greatest


def decimal_text(number, digits):
    """A number as a decimal, ties to even."""
    scaled = round(abs(number) * 10**digits)
    text = str(scaled).rjust(digits + 1, "0")
    sign = "-" if number < 0 and scaled else ""
    return sign + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)


def matrix_call(rng):
    rows, columns = rng.randint(1, 3), rng.randint(1, 3)
    entries = [
        [Fraction(rng.randint(-3, 3), rng.choice([1, 1, 2, 3])) for _ in range(columns)]
        for _ in range(rows)
    ]
    kind = rng.choice([str, Fraction, gmpy2.mpq, lambda x: flint.fmpq(x.numerator, x.denominator)])
    given = {"payoff": [[kind(entry) for entry in row] for row in entries]}
    if rng.random() < 0.3:
        whole = [[int(entry) for entry in row] for row in entries]
        entries = [list(map(Fraction, row)) for row in whole]
        given["payoff"] = rng.choice([np.array, pd.DataFrame, flint.fmpz_mat])(whole)
    name = rng.choice(["solve_matrix_game", "optimal_set"])

    def check(found):
        right = oracle.matrix_value(entries)
        sides = found.row, found.column
        if fraction(found.value) != right:
            return False
        if name == "optimal_set":
            points = tuple({tuple(map(fraction, point)) for point in side} for side in sides)
            return points == oracle.extreme_strategies(entries)
        return oracle.is_optimal(entries, right, *(tuple(map(fraction, side)) for side in sides))

    return name, getattr(gx, name), given, check


def number_call(rng):
    number = Fraction(rng.randint(-(10 ** rng.choice([1, 5, 40])), 10**9), rng.randint(1, 10**5))
    digits, whole = rng.randint(0, 30), (number.numerator, number.denominator)

    def check(found):
        text = found.decimal(integer(rng, digits))
        return fraction(found.value) == number and text == decimal_text(number, digits)

    kinds = [number, str(number), gmpy2.mpq(number), flint.fmpq(*whole)]
    return "view", gx.view, {"x": rng.choice(kinds)}, check


def policy_call(rng):
    """The worth of two policies, which nothing beats by more than the best response does."""
    n, rules = rng.choice([1, 2, 3]), rng.choice(EVERY_RULES)
    names = ["random", "lowest", "highest", "optimal", *(["matching"] * (not rules.hidden))]
    game = gx.Game(integer(rng, n), rules)
    one, two = (players.policy(rng.choice(names), game) for _ in "12")
    given = {"one": one, "two": two, "game": game}

    def check(found):
        back = players.expected(two, one, game)
        worst = -players.best_response(one, game).gain
        fair = one.name != "optimal" or worst == 0
        return fair and worst <= found.difference == -back.difference

    return "players.expected", players.expected, given, check


def table_call(rng):
    function = rng.choice(list(CALLS))
    return function.__name__, function, dict(CALLS[function]), None


MAKERS = [position_call, game_call, matrix_call, number_call, policy_call] + [table_call] * 5


def api_case(rng, place):
    """One call of a public function, with right arguments or some wrong ones."""
    shutil.copy(place.parent / "documents" / "solved.sqlite", "solved.sqlite")
    name, function, given, check = rng.choice(MAKERS)(rng)
    spoiled = rng.random() < 0.6
    if spoiled:
        options = inspect.signature(function).parameters.values()
        known = [each.name for each in options if each.kind is not each.VAR_KEYWORD]
        known = [
            each
            for each in dict.fromkeys([*given, *known])
            if each != "force" and (name, each) != ("rational", "name")
        ]
        for parameter in rng.sample(known, min(len(known), rng.choice([1, 1, 1, 2, 4]))):
            given[parameter] = hostile(rng)
    with noted(lambda: f"{name}: {shown(given)}"):
        found = attempt(lambda: whole(function(**given)), name)
        bad = [each for each in INTEGERS if isinstance(given.get(each), NO_INTEGERS)]
        if bad and found is not None:
            raise Wrong(f"accepted no integer as {bad[0]}")
        if check is not None and not spoiled and (found is None or not check(found)):
            raise Wrong("refused, or another result than the right one")
        member_case(rng, found)


def whole(found):
    """A result; one that comes in pieces is put together."""
    if not inspect.isgenerator(found):
        return found
    pieces = list(found)
    return "".join(pieces) if all(isinstance(each, str) for each in pieces) else pieces


def attempt(call, name):
    """The result of a call, or None for a documented error."""
    try:
        return call()
    except Exception as error:
        documented = (
            isinstance(error, ValueError | gx.StoreError)
            or (isinstance(error, ArithmeticError) and "gops_exact" in type(error).__module__)
            or (isinstance(error, KeyError) and name in LOOK_UPS)
            or (isinstance(error, ImportError) and name in ("parquet_bytes", "write_parquet"))
            or (isinstance(error, OverflowError) and name == "__float__")
        )
        if not documented:
            raise
        if not str(error).strip() or "\n" in str(error):
            raise Wrong("an error that is not one line", repr(error)[:300]) from error
        return None


PARTS = ("row", "column", "value", "numerator", "denominator", "position", "draw")


def member_case(rng, found):
    """Look at a public attribute of a result or a part of it, or call a method with any arguments."""
    own = [found] if is_result(found) else []
    for each in own:
        held = [getattr(each, part) for part in PARTS if hasattr(each, part)]
        if isinstance(each, FirstMoves | ByCard):
            held += each.values()
        own += filter(is_result, held)
    if not own:
        return
    part = rng.choice(own)
    special = {"__str__", "__repr__", "__float__", "__getitem__", "_repr_html_", "_repr_latex_"}
    names = [each for each in dir(type(part)) if each[0] != "_" or each in special]
    name = rng.choice(names)
    given = []
    with noted(lambda: f".{name}({shown(dict(enumerate(given)))})"):
        member = attempt(lambda: getattr(part, name), name)
        if not inspect.ismethod(member) or inspect.isclass(member.__self__):
            return
        known = [] if name.startswith("_r") else inspect.signature(member).parameters
        given += [hostile(rng) if rng.random() < 0.7 else integer(rng, 2) for _ in known]
        attempt(lambda: member(*given), name)


def is_result(found):
    """Whether an object is a result: functions check their own arguments."""
    rooms = ("game.game", "numbers", "solutions")
    return type(found).__module__.startswith(tuple(f"gops_exact.{room}" for room in rooms))


def shown(given):
    with suppress(Exception):
        words = ", ".join(f"{name}={value!r}"[:80] for name, value in given.items())
        return re.sub(r"\s+", " ", words)[:500]
    return ", ".join(f"{name}={type(value).__name__}" for name, value in given.items())
