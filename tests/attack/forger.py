"""A forger: python tests/attack forger --count 3000 --seed 1

Documents and stores in every arithmetic, by sixteen rule sets, with one false claim each: a number, a
radius, digits, `unique`, `proved`, the rules, n, an upcard or the arithmetic; first moves of decks, as JSON
and as tables; matrix games and games with hidden bids (``forger_games.py``); all documents also not obeying
their schemas, and those of kinds that `verify` does not take. It must call none of them right, and no true one
wrong. The oracle, which shares no code with the package, decides what is true; a change that leaves all claims
true counts as none.
"""

import json
import shutil
import sys
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from functools import cache, partial
from itertools import product
from pathlib import Path

import frame
from flint import arb, fmpq
from forger_games import GAME_CHANGES, SOLVED, change_form, game_document, other_document
from frame import Wrong
from stores import contents, put, sql
from truth import is_true, is_true_entry, system_of, table

import gops_exact as gx
from gops_exact.base.documents import read_file
from gops_exact.game.rules import OBJECTIVES, TIES
from gops_exact.solvers.exact.ball import BallSystem, ResidueSystem
from gops_exact.solvers.exact.by_prizes import openings
from gops_exact.solvers.exact.rational import ExactSystem
from gops_exact.solvers.formats import FORMATS_OF
from gops_exact.solvers.store import DiskStore, StoreLocation
from gops_exact.verify.checks import Record, check_document, check_store
from gops_exact.verify.games import check_game, kind_of
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
    ResidueSystem(prime=PRIMES[0]),
    ResidueSystem(128, 0, PRIMES[1]),
)
"""The number systems of a store: with exact values of small hands, and without."""

TRIES = 50
"""Changes made in search of a false one; some documents have no claim of a kind that can be falsified."""


class NoForgery(Exception):  # noqa: N818  # no error, but another try
    """A document or store in which the claim chosen cannot be falsified."""


# Documents.


DECKS = {3: ((0, 1, 2), (1, 1, 4))}
"""Decks of so many prizes whose first moves are forged, too."""


@cache
def documents(n, rules, deck):
    """The emitted documents of a game that can be verified, as (suffix, text)."""
    found = []
    for kind in (gx.Exact(), gx.Ball(6), gx.Ball(1), gx.Float(), *map(gx.Residue, PRIMES)):
        moves = gx.first_move(gx.Game(n, rules, deck), kind, jobs=1, store=":memory:")
        fmts = {"json", "csv"} & set(FORMATS_OF[kind.name])
        found += [(f".{fmt}", moves.emit(fmt)) for fmt in sorted(fmts)]
    return found


def written(document, suffix):
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
                rest = f"{column['radii'].get(card, '0.0')},{json.dumps(bool(column['unique']))}"
            lines.append(f"{upcard},{card},{number},{rest}")
    return "\n".join(lines) + "\n"


def forged_document(rng, claim, n, rules, deck):
    """A document with one false claim: its suffix, its text, and the rules and deck that a table is read by."""
    for _ in range(TRIES):
        suffix, text = rng.choice(documents(n, rules, deck))
        is_table = suffix == ".csv"
        document = table(text, rules, deck) if is_table else json.loads(text)
        CHANGES[claim](rng, document, rng.choice(document["columns"]))
        if is_table and claim == "form":
            continue  # what a table says of its rules and more is none of its claims
        read_by = [rules, deck]
        if is_table:
            read_by = [gx.Rules(**document["rules"]), tuple(document.get("deck", ()))]
        text = written(document, suffix)
        if not is_true(text, suffix, *read_by):
            return suffix, text, *read_by
    raise NoForgery


def change_number(rng, document, column):
    """Change one probability a little, or altogether."""
    card = rng.choice(list(column["probabilities"]))
    old = column["probabilities"][card]
    match document["arithmetic"]:
        case "exact":
            p, _, q = old.partition("/")
            q = q or "1"
            other = f"{rng.randrange(9)}/{rng.randrange(1, 9)}"
            new = rng.choice([f"{int(p) + 1}/{q}", f"{p}/{int(q) + 1}", other, "0"])
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


def change_radius(rng, _document, column):
    """Make a radius smaller."""
    if radii := column.get("radii"):
        card = rng.choice(list(radii))
        radii[card] = type(radii[card])(float(radii[card]) * rng.choice([0.0, 0.01, 0.3, 0.9]))


def change_digits(rng, document, _column):
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


def change_unique(_rng, _document, column):
    """Deny that a first move is the only optimal one, or claim it."""
    column["unique"] = not column["unique"]


def change_proved(_rng, _document, column):
    """Claim that the uniqueness of residues or of a table of floats is proved."""
    if "proved" in column:
        column["proved"] = not column["proved"]
    elif "decimals" in column and column["radii"]:
        column["unique"] = not column["unique"]


def change_rules(rng, document, _column):
    """Name other rules."""
    document["rules"] = asdict(rng.choice(RULE_SETS))


def change_n(rng, document, _column):
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


def change_upcard(rng, document, column):
    """Exchange two upcards, or name another one."""
    other = rng.choice(document["columns"])
    upcard = rng.choice([None, *range(1, document["n"] + 2)])
    if rng.random() < 0.8 and other is not column:
        column["upcard"], other["upcard"] = other["upcard"], column["upcard"]
    else:
        column["upcard"] = upcard


def change_deck(rng, document, _column):
    """Name another deck, or none."""
    if "deck" in document:
        deck = sorted(rng.choice([0, 1, 2, 3, 5]) for _ in range(document["n"]))
        document["deck"] = rng.choice([deck, deck, deck[::-1], deck[1:], []])


def change_schema(rng, document, _column):
    """Write something in a form that the schema does not have."""
    change_form(rng, document)


def change_arithmetic(rng, document, _column):
    """Name another arithmetic, with what belongs to it, or another prime."""
    if document["arithmetic"] == "residue" and rng.random() < 0.5:
        document["prime"] = rng.choice([2, 3, 101, *PRIMES, 2**61 + 1, 2**31 - 1])
        return
    document["arithmetic"] = rng.choice(["exact", "ball", "residue", "float"])
    if rng.random() < 0.7:
        members = {"residue": {"prime": rng.choice(PRIMES)}, "ball": {"digits": rng.choice([1, 6])}}
        for name in ("prime", "digits"):
            document.pop(name, None)
        document |= members.get(document["arithmetic"], {})
        for each in document["columns"]:
            radii = dict.fromkeys(each["probabilities"], rng.choice([0.0, 0.25, 1.0]))
            own = {"residue": {"proved": True}, "float": {"radii": radii}}
            for name in ("proved", "radii"):
                each.pop(name, None)
            each.update(own.get(document["arithmetic"], {}))


CHANGES = {
    "number": change_number,
    "radius": change_radius,
    "digits": change_digits,
    "unique": change_unique,
    "proved": change_proved,
    "rules": change_rules,
    "n": change_n,
    "upcard": change_upcard,
    "arithmetic": change_arithmetic,
    "deck": change_deck,
    "form": change_schema,
}
"""A change of each claim of a document."""


def true_document(rng, n, rules, deck):
    """A document whose claims are true: as it was emitted, in part, or claiming less."""
    suffix, text = rng.choice(documents(n, rules, deck))
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
    return suffix, text, rules, deck


# Stores.


def forged_entry(rng, claim, entries, others):
    """A false entry for a store that holds `entries`; `others` are those of another store."""
    for _ in range(TRIES):
        kind = rng.choice(["opening", "value"])  # there are many more values
        key = rng.choice([each for each in entries if f" {kind}" in each])
        changed = changed_entry(rng, claim, key, entries, others)
        if changed is not None and not is_true_entry(*changed):
            return changed
    raise NoForgery


def changed_entry(rng, claim, key, entries, others):
    """An entry with one claim changed, None if it has no such claim."""
    payload, words = entries[key], key.split(" ")
    rules, name, kind, subject, *more = words
    system, is_opening = system_of(name), kind == "opening"
    match claim:
        case "number" | "radius":
            return key, changed_numbers(rng, claim, system, payload, is_opening=is_opening)
        case "unique" | "proved" if is_opening:
            opening = system.unpack_opening(payload)
            field = "row_unique" if claim == "unique" else claim
            changed = opening._replace(**{field: not getattr(opening, field)})
            return key, system.pack_opening(changed)
        case "rules":
            alike = [other for other in others if other.split(" ")[1:] == words[1:]]
            return (key, others[alike[0]]) if alike else None
        case "n" if is_opening:
            other = str(int(subject) + rng.choice([-1, 1]))
            return " ".join([rules, name, kind, other, *more]), payload
        case "upcard":
            parts = (0, 1, 2) if is_opening else (0, 1, 2, -2, -1)
            alike = [each for each in entries if all(each.split(" ")[i] == words[i] for i in parts)]
            return key, entries[rng.choice(alike)]
        case "arithmetic":
            other = rng.choice([each.name for each in IN_STORES] + [f"residue/{2**31 - 1}/128/4"])
            return " ".join([rules, other, kind, subject, *more]), payload
    return None


def changed_numbers(rng, claim, system, payload, *, is_opening):
    """A payload with one number changed, or one radius."""

    def change(numbers, by):
        found = list(numbers)
        at = rng.randrange(len(found))
        found[at] = by(found[at])
        return found

    def pair(terms):
        p, q = terms
        return rng.choice([(p + 1, q), (p - 1, q), (p, q + 1), (p * 10**9 + 1, q * 10**9)])

    def ball(number):
        if claim == "radius":
            return arb(number.mid().man_exp(), (1, number.rad().man_exp()[1] - rng.choice([2, 30])))
        return number + arb(rng.choice([1, -1])) * max(4 * number.rad(), arb(2) ** -60)

    def residue(number):
        return (int(number) + rng.choice([1, -1, rng.randrange(2**29)])) % system.prime

    own = {"exact": pair, "ball": ball, "residue": residue}[system.name.partition("/")[0]]
    if claim == "radius" and (own is pair or (is_opening and own is residue)):
        return payload
    if is_opening:
        opening = system.unpack_opening(payload)
        return system.pack_opening(opening._replace(row=tuple(change(opening.row, own))))
    slab = system.unpack_slab(payload)
    if own is pair:
        slab = replace(slab, values=change(slab.values, pair))
    elif own is residue and claim == "number" and rng.random() < 0.5:
        slab = replace(slab, residues=change(slab.residues, residue))
    elif not slab.exact:
        slab = replace(slab, balls=change(slab.balls, ball))
    elif claim == "number":
        near = change(slab.exact, lambda x: x + rng.choice([1, fmpq(1, 10**9)]))
        slab = replace(slab, exact=near)
    return system.pack_slab(slab)


# Cases.


@cache
def store(root, n, rules, deck=()):
    """The store of a game, and its entries; it is made once."""
    game = gx.Game(n, rules, deck)
    path = root / f"{n}-{str((rules, deck)).replace(' ', '')}.sqlite"
    systems = IN_STORES if (n, rules) in GAMES and not deck else IN_STORES[:1]
    for system in systems:
        openings(game, game.upcards, system, StoreLocation(path), workers=1)
    return path, contents(path)


def made(rng, claims, make):
    """Make a case with a claim that can be falsified; `make` takes a game and the claim, "" for none."""
    while True:
        with suppress(NoForgery):
            return make(*rng.choice(GAMES), rng.choice(list(claims)))


def document_case(rng, place, claims=CHANGES):
    """Verify a document of first moves."""

    def make(n, rules, claim):
        decks = DECKS.get(n, ()) if claim == "deck" or rng.random() < 0.3 else ()
        deck = rng.choice([*decks, *(() if claim == "deck" and decks else [()])])
        if claim:
            return forged_document(rng, claim, n, rules, deck)
        return true_document(rng, n, rules, deck)

    suffix, text, *read_by = made(rng, claims, make)
    file = place / f"case{suffix}"
    file.write_text(text)
    with judged(text, claims):
        document = read_file(file, asdict(read_by[0]), read_by[1])
        path, _ = store(place.parent, document.n, gx.Rules(**document.rules), document.deck)
        with DiskStore(path, read_only=True) as values:
            doubt(check_document(Values(values), document).faults)


def game_case(rng, _place, claims=GAME_CHANGES):
    """Verify a document of a solved game."""
    kind = rng.choice(list(SOLVED))

    def make(_n, _rules, claim):
        texts = (game_document(rng, kind, claim) for _ in range(TRIES))
        if (text := next((text for text in texts if text is not None), None)) is None:
            raise NoForgery
        return text

    text = made(rng, claims, make)
    with judged(text, claims):
        doubt(check_game(text).faults)


def other_case(rng, place):
    """Have a document of another kind refused."""
    file, text = place / "case.json", other_document(rng)
    file.write_text(text)
    with judged(text, "kind"):
        read_file(file)
    if kind_of(text) is not None:
        raise Wrong("a document of another kind is taken", text)


def store_case(rng, place, claims=CHANGES):
    """Verify a store."""

    def make(n, rules, claim):
        path, entries = store(place.parent, n, rules)
        if not claim:
            return path, ("", b"")
        _, others = store(place.parent, *rng.choice([game for game in GAMES if game[0] == n]))
        return path, forged_entry(rng, claim, entries, others)

    path, (key, payload) = made(rng, claims, make)
    file = Path(shutil.copy(path, place / "case.sqlite"))
    if key:
        put(file, key, payload)
    kept = rng.choice([system.name for system in IN_STORES])
    if not key or f" {kept} " in f" {key}":
        # Residues that rest on a tie that is not proved are compared with exact numbers.
        exact = "exact" if key and kept.startswith("residue") else kept
        others = f"% {kept} %", f"% {exact} %"
        sql(file, "DELETE FROM entry WHERE key NOT LIKE ? AND key NOT LIKE ?", *others)
    if rng.random() < 0.2:
        vouch(file)
    with judged(key, claims):
        doubt(check_store(file).faults)


def doubt(faults):
    """Raise what `verify` finds wrong."""
    if faults:
        raise ValueError(faults[:3])


@contextmanager
def judged(text, claims):
    """Raise `Wrong` if a block refuses what is true, or takes what is false."""
    try:
        yield
    except ValueError as error:
        if claims is TRUE:
            raise Wrong("called wrong, but true", text, error) from None
    else:
        if claims is not TRUE:
            raise Wrong("called right, but false", text)


def vouch(path):
    """Put a file beside a store that says that all its entries were proved before."""
    with DiskStore(path, read_only=True) as store:
        kept = replace(Record.of(store), path=Path(f"{path}-verified"))
        kept.begin()
        for key in store.sizes():
            kept.add(key, [{}, {}, {}])


TRUE = ("",)
"""What is changed of a true one: nothing."""

FAMILIES = {
    "false documents": document_case,
    "false games": game_case,
    "other kinds": other_case,
    "false stores": store_case,
    "true documents": partial(document_case, claims=TRUE),
    "true games": partial(game_case, claims=TRUE),
    "true stores": partial(store_case, claims=TRUE),
}

if __name__ == "__main__":
    sys.exit(frame.main(__doc__, FAMILIES))
