"""A forger: python tests/forger.py --count 10000 --seed 1

Documents and stores in every arithmetic, by sixteen rule sets, with one false claim each: a number, a
radius, digits, `unique`, `proved`, the rules, n, an upcard or the arithmetic. `verify` must call none
of them right, and none of a tenth as many true ones wrong. The oracle, which shares no code with the
package, decides what is true; a change that leaves all claims true counts as none.

Each case depends on the seed and its number alone: `--seed N --case K` makes one again and says what
`verify` says of it.
"""

import argparse
import csv
import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import oracle
from flint import arb, fmpq, fmpz
from stores import contents, put, sql

import gops_exact as gx
from gops_exact.documents import read_file
from gops_exact.game.order_types import all_pairs, word
from gops_exact.game.rules import OBJECTIVES, TIES
from gops_exact.lattice.ball import BallSystem
from gops_exact.lattice.exact import ExactSystem
from gops_exact.lattice.residue import ResidueSystem
from gops_exact.solutions.formats import FORMATS_OF, emit
from gops_exact.solvers.by_prizes import openings
from gops_exact.store import DiskStore, StoreLocation
from gops_exact.verify.checks import check_document, check_store
from gops_exact.verify.values import Values

RULE_SETS = [
    gx.Rules(*each)
    for each in product(OBJECTIVES, TIES, ("random", "hidden", "ascending", "descending"))
]
GAMES = [*((3, rules) for rules in RULE_SETS), (4, gx.Rules()), (4, gx.Rules("win"))]
"""Every game whose first moves and values are forged."""

PRIMES = (10**9 + 7, 2**61 - 1)

IN_STORES = (
    ExactSystem(),
    BallSystem(84),
    BallSystem(100, 0),
    ResidueSystem(PRIMES[0]),
    ResidueSystem(PRIMES[1], 128, 0),
)
"""The number systems of a store: with exact values of small hands, and without."""

CLAIMS = ("number", "radius", "digits", "unique", "proved", "rules", "n", "upcard", "arithmetic")

TRIES = 50
"""Changes made in search of a false one; some documents have no claim of a kind that can be falsified."""


class NoForgery(Exception):  # noqa: N818  # no error, but another try
    """A document or store in which the claim chosen cannot be falsified."""


# The truth, by the oracle.


def words_of(rules: gx.Rules, n: int) -> dict[str, Any]:
    """The prizes and the rules as the oracle takes them."""
    prizes = gx.Game(n, rules).prizes
    order = rules.prizes if rules.prizes in ("random", "hidden") else "fixed"
    return {"prizes": prizes, "objective": rules.objective, "ties": rules.ties, "order": order}


@cache
def first_moves(rules: gx.Rules, n: int, upcard: int | None) -> tuple[list[Any], set[Any]]:
    """The game of the first bids, and its extreme optimal strategies."""
    cards = tuple(range(1, n + 1))
    _, game = oracle.position_solution(cards, cards, upcard=upcard, **words_of(rules, n))
    return game, oracle.extreme_strategies(game)[0]


def is_true_column(
    rules: gx.Rules,
    n: int,
    upcard: int | None,
    unique: bool | None,
    holds: Callable[[tuple[Fraction, ...]], bool],
    exactly: tuple[Fraction, ...] | None = None,
) -> bool:
    """Whether a first move is one, and is unique or not as claimed, None for no claim."""
    game, extreme = first_moves(rules, n, upcard)
    if unique not in (None, len(extreme) == 1):
        return False
    if exactly is not None:
        return oracle.is_optimal(game, Fraction(0), exactly, exactly)
    return any(map(holds, extreme))


def is_true(text: str, suffix: str, rules: gx.Rules) -> bool:
    """Whether every claim of a document is true, read as strictly as can be."""
    try:
        document = table(text, rules) if suffix == ".csv" else json.loads(text, parse_float=str)
        return all(is_true_move(document, column) for column in document["columns"])
    except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError):
        return False


def table(text: str, rules: gx.Rules) -> dict[str, Any]:
    """A table as the JSON document that says the same."""
    header, *rows = csv.reader(text.splitlines())
    kind = "exact" if header[-1] == "decimal" else "float"
    columns: dict[str, Any] = {}
    for upcard, card, number, other, *proved in rows:
        named = None if upcard == "hidden" else int(upcard)
        column = columns.setdefault(upcard, {"upcard": named, "value": "0", "unique": None})
        column.setdefault("probabilities", {})[card] = number
        if kind == "float":
            column["unique"] = proved == ["true"]
            column.setdefault("radii", {})[card] = other
        column.setdefault("decimals", {})[card] = other
        if kind == "exact" and abs(Fraction(number) - Fraction(other)) > half(
            len(other.partition(".")[2])
        ):
            raise ValueError("decimal")
    n = max(len(column["probabilities"]) for column in columns.values())
    return {
        "n": n,
        "arithmetic": kind,
        "rules": asdict(rules),
        "columns": list(columns.values()),
    }


def half(digits: int) -> Fraction:
    """Half a unit of the last of so many decimals."""
    return Fraction(1, 2 * 10**digits)


def is_true_move(document: dict[str, Any], column: dict[str, Any]) -> bool:
    """Whether one first move of a document is true."""
    kind, n = document["arithmetic"], document["n"]
    prizes = document["rules"]["prizes"]
    rules = gx.Rules(
        **document["rules"] | {"prizes": prizes if isinstance(prizes, str) else tuple(prizes)}
    )
    texts, unique = list(map(str, column["probabilities"].values())), column["unique"]
    if list(column["probabilities"]) != [str(card) for card in range(1, n + 1)]:
        return False
    if str(column["value"]) != "0" or column["upcard"] not in gx.Game(n, rules).upcards:
        return False
    if kind == "exact":
        exactly = tuple(map(Fraction, texts))
        return is_true_column(rules, n, column["upcard"], unique, bool, exactly)
    if kind == "residue":
        prime = document["prime"]
        given = list(map(int, texts))
        if not unique and not column["proved"]:
            unique = None

        def same(strategy: tuple[Fraction, ...]) -> bool:
            return given == [p.numerator * pow(p.denominator, -1, prime) % prime for p in strategy]

        return bool(fmpz(prime).is_prime()) and is_true_column(
            rules, n, column["upcard"], unique, same
        )
    if kind == "ball":
        digits = document["digits"]
        if any(len(text.partition(".")[2]) != digits for text in texts):
            return False
        given, radii = list(map(Fraction, texts)), [half(digits)] * n
    else:
        given = [Fraction(float(text)) for text in texts]
        radii = [Fraction(float(radius)) for radius in column["radii"].values()]
        unique = unique or None

    def within(strategy: tuple[Fraction, ...]) -> bool:
        return all(abs(p - x) <= r for p, x, r in zip(strategy, given, radii, strict=True))

    return is_true_column(rules, n, column["upcard"], unique, within)


@cache
def value(rules: gx.Rules, prizes: tuple[int, ...], word: str, margin: int, pot: int) -> Fraction:
    """The value of a position given as a word of V, Y and B."""
    one, two = (tuple(i for i, each in enumerate(word, 1) if each in who) for who in ("VB", "YB"))
    given = words_of(rules, 1) | {"prizes": prizes}
    return oracle.position_value(one, two, margin=margin, pot=pot, **given)


def is_true_entry(rules: gx.Rules, key: str, payload: bytes) -> bool:
    """Whether an entry of a store is true."""
    _, name, kind, subject, *more = key.split(" ")
    facts, system = dict(zip(more[::2], more[1::2], strict=True)), system_of(name)
    try:
        found = (system.unpack_opening if kind == "opening" else system.unpack_slab)(payload)
    except (ValueError, ArithmeticError):
        return False
    if kind == "opening":
        return is_true_opening(rules, int(subject), facts["upcard"], system, found)
    prizes = tuple(map(int, subject.split(",")))
    words = [facts["of"]] if kind == "value" else words_of_length(len(prizes), int(facts["length"]))
    state = int(facts.get("margin", 0)), int(facts.get("pot", 0))
    right = [value(rules, prizes, word, *state) for word in words]
    return len(found) == len(right) and are_true(system, found, right)


@cache
def words_of_length(size: int, length: int) -> list[str]:
    """The words of a block, in stored order."""
    pairs = all_pairs(size, length) + ([(2**size - 1,) * 2] if length == size else [])
    return [word(*pair) for pair in pairs]


def system_of(name: str) -> Any:
    """The number system that a key names."""
    kind, *parameters = name.split("/")
    kinds = {"exact": ExactSystem, "ball": BallSystem, "residue": ResidueSystem}
    return kinds[kind](*map(int, parameters))


def holds(system: Any, number: Any, right: Fraction) -> bool:
    """Whether a number of a store is the right one, or holds it."""
    if isinstance(system, ExactSystem):
        return Fraction(int(number[0]), int(number[1])) == right
    if isinstance(system, BallSystem):
        middle, radius = oracle.fraction(number.mid().fmpq()), oracle.fraction(number.rad().fmpq())
        return abs(middle - right) <= radius
    return (int(number) * right.denominator - right.numerator) % system.prime == 0


def are_true(system: Any, slab: Any, right: list[Fraction]) -> bool:
    """Whether the values of a slab are right."""
    if isinstance(system, ResidueSystem):
        return are_true(system.ball, slab, right) and all(
            holds(system, *pair) for pair in zip(slab.residues, right, strict=True)
        )
    if isinstance(system, ExactSystem):
        return all(holds(system, *pair) for pair in zip(slab.values, right, strict=True))
    if slab.exact is not None:
        return list(map(oracle.fraction, slab.exact)) == right
    return all(holds(system, *pair) for pair in zip(slab.balls, right, strict=True))


def is_true_opening(rules: gx.Rules, n: int, upcard: str, system: Any, found: Any) -> bool:
    """Whether a first move of a store is true."""
    turned = None if upcard == "hidden" else int(upcard)
    if len(found.row) != n or turned not in gx.Game(n, rules).upcards:
        return False
    exactly = None
    if isinstance(system, ExactSystem):
        exactly = tuple(Fraction(int(p), int(q)) for p, q in found.row)

    def all_held(strategy: tuple[Fraction, ...]) -> bool:
        return all(holds(system, *pair) for pair in zip(found.row, strategy, strict=True))

    return is_true_column(rules, n, turned, found.row_unique, all_held, exactly)


# Documents.


@cache
def documents(n: int, rules: gx.Rules) -> list[tuple[str, str]]:
    """The emitted documents of a game that can be verified, as (suffix, text)."""
    kinds = [gx.Exact(), gx.Ball(6), gx.Ball(1), gx.Float(), *map(gx.Residue, PRIMES)]
    found = []
    for kind in kinds:
        moves = gx.first_move(n, kind, rules=rules, jobs=1, store=":memory:")
        fmts = {"json", "csv"} & set(FORMATS_OF[kind.name])
        found += [(f".{fmt}", "".join(emit(moves, fmt))) for fmt in sorted(fmts)]
    return found


def written(document: dict[str, Any], suffix: str) -> str:
    """A document as text."""
    if suffix == ".json":
        return json.dumps(document)
    is_float = document["arithmetic"] == "float"
    lines = [f"upcard,card,probability,{'radius,proved' if is_float else 'decimal'}"]
    for column in document["columns"]:
        upcard = "hidden" if column["upcard"] is None else column["upcard"]
        for card, number in column["probabilities"].items():
            rest = column["decimals"].get(card, "0")
            if is_float:
                radii = column.get("radii", {})
                rest = f"{radii.get(card, '0.0')},{json.dumps(column['unique'])}"
            lines.append(f"{upcard},{card},{number},{rest}")
    return "\n".join(lines) + "\n"


def forged_document(rng: Random, claim: str, n: int, rules: gx.Rules) -> tuple[str, str, gx.Rules]:
    """A document with one false claim: its suffix, its text, and the rules that a table is read by."""
    for _ in range(TRIES):
        suffix, text = rng.choice(documents(n, rules))
        document = table(text, rules) if suffix == ".csv" else json.loads(text)
        CHANGES[claim](rng, document, rng.choice(document["columns"]))
        read_by = rules
        if suffix == ".csv":
            read_by = gx.Rules(**document["rules"])
        text = written(document, suffix)
        if not is_true(text, suffix, read_by):
            return suffix, text, read_by
    raise NoForgery


def change_number(rng: Random, document: dict[str, Any], column: dict[str, Any]) -> None:
    """Change one probability a little, or altogether."""
    card = rng.choice(list(column["probabilities"]))
    old = column["probabilities"][card]
    match document["arithmetic"]:
        case "exact":
            p, _, q = old.partition("/")
            q = q or "1"
            new = rng.choice(
                [
                    f"{int(p) + 1}/{q}",
                    f"{p}/{int(q) + 1}",
                    f"{rng.randrange(9)}/{rng.randrange(1, 9)}",
                    "0",
                ]
            )
        case "residue":
            prime = document["prime"]
            new = rng.choice([(old + 1) % prime, (old - 1) % prime, rng.randrange(prime)])
        case "ball":
            at = rng.choice([len(old) - 1, rng.randrange(len(old))])
            new = old[:at] + str((int(old[at]) + 1) % 10) + old[at + 1 :] if old[at] != "." else old
        case _:
            step = 4 * float(column["radii"][card]) + rng.choice([1e-15, 1e-9, 0.1])
            new = type(old)(abs(float(old) + rng.choice([-step, step])))
    column["probabilities"][card] = new


def change_radius(rng: Random, _document: dict[str, Any], column: dict[str, Any]) -> None:
    """Make a radius smaller."""
    radii = column.get("radii") or {}
    if radii:
        card = rng.choice(list(radii))
        radii[card] = type(radii[card])(float(radii[card]) * rng.choice([0.0, 0.01, 0.3, 0.9]))


def change_digits(rng: Random, document: dict[str, Any], _column: dict[str, Any]) -> None:
    """Claim another number of digits, with or without digits more."""
    more = rng.choice([1, 1, 2, 5])
    if "digits" not in document:
        return
    if rng.random() < 0.3:
        document["digits"] = rng.choice([0, -1, document["digits"] + more, document["digits"] - 1])
        return
    document["digits"] += more
    for each in document["columns"]:
        for card, text in each["probabilities"].items():
            each["probabilities"][card] = text + str(rng.randrange(10**more)).rjust(more, "0")


def change_unique(_rng: Random, _document: dict[str, Any], column: dict[str, Any]) -> None:
    """Deny that a first move is the only optimal one, or claim it."""
    column["unique"] = not column["unique"]


def change_proved(_rng: Random, _document: dict[str, Any], column: dict[str, Any]) -> None:
    """Claim that the uniqueness of residues or of a table of floats is proved."""
    if "proved" in column:
        column["proved"] = not column["proved"]
    elif "decimals" in column and "radii" in column:
        column["unique"] = not column["unique"]


def change_rules(rng: Random, document: dict[str, Any], _column: dict[str, Any]) -> None:
    """Name other rules."""
    document["rules"] = asdict(rng.choice(RULE_SETS))


def change_n(rng: Random, document: dict[str, Any], _column: dict[str, Any]) -> None:
    """Claim a game of more or fewer cards, with or without its cards."""
    n = document["n"]
    document["n"] = rng.choice([n - 1, n + 1, n + 1])
    if rng.random() < 0.7:
        zero = {"exact": "0", "ball": "0." + "0" * document.get("digits", 1), "residue": 0}
        for each in document["columns"]:
            for name in ("probabilities", "radii", "decimals"):
                if document["n"] < n:
                    each.get(name, {}).pop(str(n), None)
                elif name in each:
                    each[name][str(n + 1)] = zero.get(document["arithmetic"], 0.0)


def change_upcard(rng: Random, document: dict[str, Any], column: dict[str, Any]) -> None:
    """Exchange two upcards, or name another one."""
    other = rng.choice(document["columns"])
    upcard = rng.choice([None, *range(1, document["n"] + 2)])
    if rng.random() < 0.8 and other is not column:
        column["upcard"], other["upcard"] = other["upcard"], column["upcard"]
    else:
        column["upcard"] = upcard


def change_arithmetic(rng: Random, document: dict[str, Any], _column: dict[str, Any]) -> None:
    """Name another arithmetic, with what belongs to it, or another prime."""
    if document["arithmetic"] == "residue" and rng.random() < 0.5:
        document["prime"] = rng.choice([2, 3, 101, *PRIMES, 2**61 + 1, 2**31 - 1])
        return
    document["arithmetic"] = rng.choice(["exact", "ball", "residue", "float"])
    if rng.random() < 0.7:
        document["prime"], document["digits"] = rng.choice(PRIMES), rng.choice([1, 6])
        for each in document["columns"]:
            each["proved"] = True
            each["radii"] = dict.fromkeys(each["probabilities"], rng.choice([0.0, 0.25, 1.0]))
        for name, kind in {"prime": "residue", "digits": "ball"}.items():
            if document["arithmetic"] != kind:
                del document[name]
        for each in document["columns"]:
            for name, kind in {"proved": "residue", "radii": "float"}.items():
                if document["arithmetic"] != kind:
                    del each[name]


CHANGES: dict[str, Callable[[Random, dict[str, Any], dict[str, Any]], None]] = {
    claim: globals()[f"change_{claim}"] for claim in CLAIMS
}
"""A change of each claim of a document."""


def true_document(rng: Random, n: int, rules: gx.Rules) -> tuple[str, str, gx.Rules]:
    """A document whose claims are true: as it was emitted, in part, or claiming less."""
    suffix, text = rng.choice(documents(n, rules))
    if suffix == ".json" and rng.random() < 0.8:
        document = json.loads(text)
        columns = document["columns"]
        document["columns"] = rng.sample(columns, rng.randint(1, len(columns)))
        for column in document["columns"]:
            if rng.random() < 0.3 and document["arithmetic"] == "float":
                column["unique"] = False
                column["radii"] = {card: min(2 * each, 1) for card, each in column["radii"].items()}
            if rng.random() < 0.3 and document["arithmetic"] == "residue":
                column["proved"] = False
        text = json.dumps(document, indent=rng.choice([None, 0, 2]))
    return suffix, text, rules


def called_right(path: Path, file: Path, rules: gx.Rules) -> list[str]:
    """What `verify` finds wrong with a document."""
    try:
        document = read_file(file, asdict(rules))
    except ValueError as error:
        return [str(error)]
    with DiskStore(path, read_only=True) as store:
        return check_document(Values(store), document).faults


# Stores.


def forged_entry(
    rng: Random, claim: str, entries: dict[str, bytes], others: dict[str, bytes]
) -> Any:
    """A false entry for a store that holds `entries`; `others` are those of another store."""
    for _ in range(TRIES):
        key = rng.choice(list(entries))
        changed = changed_entry(rng, claim, key, entries, others)
        if changed is not None:
            rules = rules_of(changed[0])
            if not is_true_entry(rules, *changed):
                return changed
    raise NoForgery


def rules_of(key: str) -> gx.Rules:
    """The rules that a key names."""
    objective, ties, prizes = key.split(" ", maxsplit=1)[0].split("/")
    if prizes != "fixed":
        return gx.Rules(objective, ties, prizes)
    of = re.search("opening .* of ([0-9,]+)", key)
    order = tuple(map(int, of[1].split(","))) if of else "ascending"
    return gx.Rules(objective, ties, order)


def changed_entry(
    rng: Random, claim: str, key: str, entries: dict[str, bytes], others: dict[str, bytes]
) -> tuple[str, bytes] | None:
    """An entry with one claim changed, None if it has no such claim."""
    payload = entries[key]
    rules, name, kind, subject, *more = key.split(" ")
    system = system_of(name)
    is_opening = kind == "opening"
    if claim in ("number", "radius"):
        return key, changed_numbers(rng, claim, system, payload, is_opening=is_opening)
    if claim in ("unique", "proved") and is_opening:
        opening = system.unpack_opening(payload)
        field = "row_unique" if claim == "unique" else claim
        return key, system.pack_opening(opening._replace(**{field: not getattr(opening, field)}))
    if claim == "rules":
        alike = [other for other in others if other.split(" ")[1:] == key.split(" ")[1:]]
        return (key, others[alike[0]]) if alike else None
    if claim == "n" and is_opening:
        other = str(int(subject) + rng.choice([-1, 1]))
        return " ".join([rules, name, kind, other, *more]), payload
    if claim == "upcard":
        parts = (0, 1, 2) if is_opening else (0, 1, 2, -2, -1)
        alike = [
            each for each in entries if all(each.split(" ")[i] == key.split(" ")[i] for i in parts)
        ]
        return key, entries[rng.choice(alike)]
    if claim == "arithmetic":
        other = rng.choice([each.name for each in IN_STORES] + [f"residue/{2**31 - 1}/128/4"])
        return " ".join([rules, other, kind, subject, *more]), payload
    return None


def changed_numbers(
    rng: Random, claim: str, system: Any, payload: bytes, *, is_opening: bool
) -> bytes:
    """A payload with one number changed, or one radius."""

    def change(numbers: Any, by: Callable[[Any], Any]) -> list[Any]:
        found = list(numbers)
        at = rng.randrange(len(found))
        found[at] = by(found[at])
        return found

    def pair(terms: Any) -> Any:
        p, q = terms
        return rng.choice([(p + 1, q), (p - 1, q), (p, q + 1), (p * 10**9 + 1, q * 10**9)])

    def ball(number: arb) -> arb:
        if claim == "radius":
            return arb(number.mid().man_exp(), (1, number.rad().man_exp()[1] - rng.choice([2, 30])))
        return number + arb(rng.choice([1, -1])) * max(4 * number.rad(), arb(2) ** -60)

    def residue(number: int) -> Any:
        return (int(number) + rng.choice([1, -1, rng.randrange(2**29)])) % system.prime

    own = pair if system.name == "exact" else ball if system.name[0] == "b" else residue
    if is_opening:
        opening = system.unpack_opening(payload)
        if claim == "radius" and own is not ball:
            return payload
        changed = opening._replace(row=tuple(change(opening.row, own)))
        packed: bytes = system.pack_opening(changed)
        return packed
    slab = system.unpack_slab(payload)
    if system.name == "exact":
        return (
            payload
            if claim == "radius"
            else system.pack_slab(replace(slab, values=change(slab.values, pair)))
        )
    if own is residue and claim == "number" and rng.random() < 0.5:
        return system.pack_slab(replace(slab, residues=change(slab.residues, residue)))
    if slab.exact is None:
        slab = replace(slab, balls=change(slab.balls, ball))
    elif claim == "number":
        exact = change(slab.exact, lambda x: x + rng.choice([1, fmpq(1, 10**9)]))
        slab = replace(slab, exact=exact)
    return system.pack_slab(slab)


# Cases.


class Forger:
    """Makes cases from stores that are solved once, and asks `verify`."""

    def __init__(self, root: Path, seed: str, games: list[tuple[int, gx.Rules]]) -> None:
        self.root, self.seed, self.games = root, seed, games
        self.counts: Counter[tuple[str, str]] = Counter()

    @cache  # noqa: B019  # lives as long as the run
    def store(self, n: int, rules: gx.Rules) -> tuple[Path, dict[str, bytes]]:
        """The store of a game, and its entries."""
        path = self.root / f"{n}-{str(rules).replace(' ', '')}.sqlite"
        systems = IN_STORES if (n, rules) in self.games else IN_STORES[:1]
        for system in systems:
            game = gx.Game(n, rules)
            openings(game, game.upcards, system, StoreLocation(path), workers=1)
        return path, contents(path)

    def case(self, number: int, *, forged: bool) -> tuple[str, list[str]]:
        """Make a case; what it is, and what `verify` finds wrong with it."""
        rng = Random(f"{self.seed} {number} {forged}")
        while True:
            n, rules = rng.choice(self.games)
            claim = rng.choice(CLAIMS) if forged else ""
            ask = self.ask_store if rng.random() < 0.4 else self.ask_document
            try:
                name, faults = ask(rng, n, rules, claim)
            except NoForgery:
                continue
            self.counts[name.split(":")[0], claim] += 1
            return f"{name}, {n} cards, {rules}, {claim or 'true'}", faults

    def ask_document(
        self, rng: Random, n: int, rules: gx.Rules, claim: str
    ) -> tuple[str, list[str]]:
        """Make a document and verify it."""
        made = forged_document(rng, claim, n, rules) if claim else true_document(rng, n, rules)
        suffix, text, read_by = made
        file = self.root / f"case{suffix}"
        file.write_text(text)
        game = n, rules
        try:
            document = read_file(file, asdict(read_by))
            named = gx.Rules(**document.rules)
            game = document.n, named
        except ValueError as error:
            return f"document: {text}", [str(error)]
        path, _ = self.store(*game)
        return f"document: {text}", called_right(path, file, read_by)

    def ask_store(self, rng: Random, n: int, rules: gx.Rules, claim: str) -> tuple[str, list[str]]:
        """Make a store and verify it."""
        path, entries = self.store(n, rules)
        file = self.root / "case.sqlite"
        shutil.copy(path, file)
        name = "store"
        if claim:
            _, others = self.store(*rng.choice([game for game in self.games if game[0] == n]))
            key, payload = forged_entry(rng, claim, entries, others)
            put(file, key, payload)
            name = f"store: {key}"
        kept = rng.choice([system.name for system in IN_STORES])
        if not claim or f" {kept} " in name:
            # Residues that rest on a tie that is not proved are compared with exact numbers.
            exact = "exact" if claim and kept.startswith("residue") else kept
            others = f"% {kept} %", f"% {exact} %"
            sql(file, "DELETE FROM entry WHERE key NOT LIKE ? AND key NOT LIKE ?", *others)
        return name, check_store(file).faults


def run(root: Path, seed: str, count: int, games: list[tuple[int, gx.Rules]] = GAMES) -> bool:
    """Make all cases; whether `verify` was wrong about any."""
    forger = Forger(root, seed, games)
    wrong: Counter[bool] = Counter()
    for forged, cases in ((True, count), (False, count // 10)):
        for number in range(cases):
            name, faults = forger.case(number, forged=forged)
            if bool(faults) != forged:
                wrong[forged] += 1
                print(f"case {number}: {name[:2000]}: {faults[:3]}", flush=True)
    for (kind, claim), made in sorted(forger.counts.items()):
        print(f"{made:6} {kind}s, {claim or 'true'}")
    print(f"{count} forged, {wrong[True]} called right")
    print(f"{count // 10} true, {wrong[False]} called wrong")
    return bool(wrong)


def main() -> int:
    """Read the command line and run; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--count", type=int, default=1000, help="forged ones; a tenth as many are true"
    )
    parser.add_argument("--seed", default="0")
    parser.add_argument("--case", type=int, help="make this one alone, forged and true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="forger-") as name:
        root = Path(name)
        if given.case is None:
            return run(root, given.seed, given.count)
        for forged in (True, False):
            print(*Forger(root, given.seed, GAMES).case(given.case, forged=forged), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
