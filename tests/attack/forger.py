"""A forger: python tests/attack forger --count 10000 --seed 1

Documents and stores in every arithmetic, by sixteen rule sets, with one false claim each: a number, a
radius, digits, `unique`, `proved`, the rules, n, an upcard or the arithmetic; first moves of decks, as JSON
and as tables; matrix games and games with hidden bids (``forger_games.py``); all documents also not obeying
their schemas, and those of kinds that `verify` does not take. It must call none
of them right, and none of a tenth as many true ones wrong. The oracle, which shares no code with the
package, decides what is true; a change that leaves all claims true counts as none.

Each case depends on the seed and its number alone: `--seed N --case K` makes one again and says what
`verify` says of it.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, replace
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

from flint import arb, fmpq
from forger_games import GAME_CHANGES, SOLVED, change_form, game_document, other_document
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
    ResidueSystem(PRIMES[0]),
    ResidueSystem(PRIMES[1], 128, 0),
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
    elif slab.exact is None:
        slab = replace(slab, balls=change(slab.balls, ball))
    elif claim == "number":
        near = change(slab.exact, lambda x: x + rng.choice([1, fmpq(1, 10**9)]))
        slab = replace(slab, exact=near)
    return system.pack_slab(slab)


# Cases.


class Forger:
    """Makes cases from stores that are solved once, and asks `verify`."""

    def __init__(self, root, seed, games):
        self.root, self.seed, self.games = root, seed, games
        self.counts = Counter()

    @cache  # noqa: B019  # lives as long as the run
    def store(self, n, rules, deck=()):
        """The store of a game, and its entries."""
        game = gx.Game(n, rules, deck)
        path = self.root / f"{n}-{str((rules, deck)).replace(' ', '')}.sqlite"
        systems = IN_STORES if (n, rules) in self.games and not deck else IN_STORES[:1]
        for system in systems:
            openings(game, game.upcards, system, StoreLocation(path), workers=1)
        return path, contents(path)

    def case(self, number, *, forged):
        """Make a case; what it is, and what `verify` finds wrong with it."""
        rng = Random(f"{self.seed} {number} {forged}")
        while True:
            n, rules = rng.choice(self.games)
            ask = rng.choices(
                (self.ask_store, self.ask_document, self.ask_game, self.ask_other), (6, 8, 5, 1)
            )[0]
            if ask == self.ask_other and not forged:
                continue  # there is no true one that is called right
            changes = {self.ask_game: GAME_CHANGES, self.ask_other: ["kind"]}.get(ask, CHANGES)
            claim = rng.choice(list(changes)) if forged else ""
            try:
                name, faults = ask(rng, n, rules, claim)
            except NoForgery:
                continue
            self.counts[name.split(":")[0], claim] += 1
            return f"{name}, {n} cards, {rules}, {claim or 'true'}", faults

    def ask_document(self, rng, n, rules, claim):
        """Make a document and verify it."""
        decks = DECKS.get(n, ()) if claim == "deck" or rng.random() < 0.3 else ()
        deck = rng.choice([*decks, *(() if claim == "deck" and decks else [()])])
        make = forged_document if claim else lambda rng, _, *game: true_document(rng, *game)
        suffix, text, *read_by = make(rng, claim, n, rules, deck)
        file = self.root / f"case{suffix}"
        file.write_text(text)
        name = f"document: {text}"
        try:
            document = read_file(file, asdict(read_by[0]), read_by[1])
        except ValueError as error:
            return name, [str(error)]
        path, _ = self.store(document.n, gx.Rules(**document.rules), document.deck)
        with DiskStore(path, read_only=True) as store:
            return name, check_document(Values(store), document).faults

    def ask_game(self, rng, _n, _rules, claim):
        """Make a document of a solved game and verify it."""
        kind = rng.choice(list(SOLVED))
        made = (game_document(rng, kind, claim) for _ in range(TRIES))
        text = next((text for text in made if text is not None), None)
        if text is None:
            raise NoForgery
        try:
            return f"{kind}: {text}", check_game(text).faults
        except ValueError as error:
            return f"{kind}: {text}", [str(error)]

    def ask_other(self, rng, _n, _rules, _claim):
        """Have a document of another kind refused."""
        file, text = self.root / "case.json", other_document(rng)
        file.write_text(text)
        try:
            read_file(file)
        except ValueError as error:
            return f"other kind: {text}", [str(error)] * (kind_of(text) is None)
        return f"other kind: {text}", []

    def ask_store(self, rng, n, rules, claim):
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
        if rng.random() < 0.2:
            vouch(file)
        return name, check_store(file).faults


def vouch(path):
    """Put a file beside a store that says that all its entries were proved before."""
    with DiskStore(path, read_only=True) as store:
        kept = replace(Record.of(store), path=Path(f"{path}-verified"))
        kept.begin()
        for key in store.sizes():
            kept.add(key, [{}, {}, {}])


def run(root, seed, count, games=GAMES):
    """Make all cases; whether `verify` was wrong about any."""
    forger, wrong = Forger(root, seed, games), Counter()
    for forged, cases in ((True, count), (False, count // 10)):
        for number in range(cases):
            name, faults = forger.case(number, forged=forged)
            if bool(faults) != forged:
                wrong[forged] += 1
                print(f"case {number}: {name[:2000]}: {faults[:3]}", flush=True)
    for (kind, claim), made in sorted(forger.counts.items()):
        print(f"{made:6} {kind}, {claim or 'true'}")
    print(f"{count} forged, {wrong[True]} called right")
    print(f"{count // 10} true, {wrong[False]} called wrong")
    return bool(wrong)


def main():
    """Read the command line and run; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    more = "forged ones; a tenth as many are true"
    parser.add_argument("--count", type=int, default=1000, help=more)
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
