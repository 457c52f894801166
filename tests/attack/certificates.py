"""Damaged certificates of games: python tests/attack certificates --count 1000 --seed 1

Certificates of three cards by sixteen rule sets, and of decks, with one change each: a number, a position, a part that is
missing, two parts exchanged, or other rules. proofs/check.py must refuse all of them, and so must Coq where it is
installed and the program that Coq extracts where OCaml is; all must take the certificates as they were. The oracle, which shares no code with the package, decides
whether a change leaves everything true; such a change counts as none.
"""

import random
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from fractions import Fraction
from functools import cache
from itertools import product
from operator import mul
from pathlib import Path
from runpy import run_path
from shutil import which

import oracle
from places import ROOT

import gops_exact as gx

THEORY = ("MatrixGame", "Game", "Symmetry", "OneGame", "Certificate", "Soundness")
"""The files of proofs/ that certificates need, in order."""

ORDERS = ("random", "hidden", "ascending", "descending")
GAMES = [
    *(
        gx.Game(3, gx.Rules(*rules))
        for rules in product(("points", "win"), ("discard", "carryover"), ORDERS)
    ),
    *(
        gx.Game(3, gx.Rules(goal), deck)
        for goal in ("points", "win")
        for deck in ((0, 1, 2), (1, 1, 4))
    ),
]

BATCH = 50
"""Certificates that one run of Coq judges."""

check = run_path(str(ROOT / "proofs" / "check.py"))["check"]


@cache
def certificate(game):
    return gx.exchange.write_certificate(game.start)


def refused(text):
    """Tell if the checker in plain Python refuses a certificate."""
    try:
        check(text)
    except (ValueError, LookupError, ArithmeticError, TypeError):
        return True
    return False


def has_zarith():
    """Tell if OCaml and its library Zarith are installed, with all that a program needs."""
    if which("coqc") is None or which("ocamlfind") is None:
        return False
    words = ["ocamlfind", "query", "zarith"]
    folder = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    return (Path(folder) / "zarith.cmxa").exists()


def refused_by(program, text):
    """Tell if the extracted program refuses a certificate; what it doesn't refuse, it says to be proved."""
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("proved: ") == (done.returncode == 0), done
    return done.returncode != 0


def for_coq(text):
    """Return a certificate as a file for Coq; None for a fraction that is none, such as 1/0."""
    try:
        return gx.exchange.certificate_to_coq(text)
    except ValueError:
        return None


class Coq:
    """A folder in which Coq judges certificates."""

    def __init__(self, folder):
        self.folder = Path(folder)
        for name in THEORY:
            self.prove(name)

    def prove(self, name, *change):
        """Compile a file of proofs/, with a text in it exchanged for another if `change` says so; return what Coq prints."""
        source = (ROOT / "proofs" / f"{name}.v").read_text("utf-8")
        if change:
            assert source.count(change[0]) == 1, f"{name}.v has changed"
            source = source.replace(*change)
        (self.folder / f"{name}.v").write_text(source, "utf-8")
        return self.run(name)

    def program(self):
        """Make the program that Coq extracts."""
        self.prove("Extract")
        words = "ocamlfind ocamlopt -package zarith -linkpkg -w -a checker.mli checker.ml main.ml"
        shutil.copy(ROOT / "proofs" / "main.ml", self.folder)
        subprocess.run([*words.split(), "-o", "checker"], cwd=self.folder, check=True)
        return self.folder / "checker"

    def run(self, name):
        words = ["coqc", "-Q", ".", "Gops", f"{name}.v"]
        return subprocess.run(
            words, cwd=self.folder, capture_output=True, text=True, check=True
        ).stdout

    def refused(self, texts):
        """Tell for each certificate if Coq's checker refuses it, or already the way to Coq."""
        forms = [for_coq(text) for text in texts]
        modules = []
        for number, form in enumerate(filter(None, forms)):
            stated = form.partition("Lemma checked")[0]
            asked = "Eval vm_compute in certified the_rules (before ++ [claim])."
            modules.append(f"Module Game{number}.\n{stated}{asked}\nEnd Game{number}.\n")
        (self.folder / "Damaged.v").write_text("".join(modules), "ascii")
        answers = iter(re.findall(r"= (true|false)", self.run("Damaged")))
        return [form is None or next(answers) == "false" for form in forms]


# Changes. Each takes a generator of random numbers and the lines of a certificate, and returns other lines; None if it
# doesn't suit the certificate.


def blocks(lines):
    """The numbers of the lines at which positions begin, and that of the end."""
    return [at for at, line in enumerate(lines) if line.startswith(("position", "end"))]


def change_number(rng, lines):
    """Change a number: a card, a prize, the margin, the pot, a value, a weight, or one of a proof of uniqueness."""
    at = rng.choice([at for at, line in enumerate(lines) if line.startswith(("position", "turn"))])
    spot = rng.choice([*re.finditer("-?[0-9]+", lines[at])])
    new = int(spot[0]) + rng.choice([-2, -1, 1, 1, 2, 10])
    changed = f"{lines[at][: spot.start()]}{new}{lines[at][spot.end() :]}"
    return [*lines[:at], changed, *lines[at + 1 :]]


def leave_out(rng, lines):
    """Leave out a turn, a weight, or a position on the way, with its turns."""
    starts = blocks(lines)
    kind = rng.choice(["turn", "weight", "position"])
    if kind == "position" and len(starts) > 2:
        block = rng.randrange(len(starts) - 2)
        left = [*lines[: starts[block]], *lines[starts[block + 1] : -1]]
        return [*left, f"end {len(starts) - 2}"]
    at = rng.choice([at for at, line in enumerate(lines) if line.startswith("turn")])
    words = lines[at].split()
    part = rng.choice([2, 3])
    shorter = words[part].rpartition(",")[0]
    kept = [" ".join([*words[:part], shorter, *words[part + 1 :]])] if kind == "weight" else []
    return [*lines[:at], *(kept if shorter else []), *lines[at + 1 :]]


def exchange_parts(rng, lines):
    """Exchange two turns, two values, the strategies of a turn, or move a position behind those that need it."""
    starts = blocks(lines)
    turns = [at for at, line in enumerate(lines) if line.startswith("turn")]
    changed, kind = list(lines), rng.choice(["turns", "values", "players", "order"])
    if kind == "order" and len(starts) > 2:
        block = rng.randrange(len(starts) - 2)
        moved = lines[starts[block] : starts[block + 1]]
        return [*lines[: starts[block]], *lines[starts[block + 1] : -1], *moved, lines[-1]]
    first, second = (rng.choice(turns if kind == "turns" else starts[:-1]) for _ in "12")
    if kind == "turns":
        changed[first], changed[second] = changed[second], changed[first]
    elif kind == "players":
        at = rng.choice(turns)
        word, value, row, column, *proof = lines[at].split()
        changed[at] = " ".join([word, value, column, row, *proof])
    else:
        (one, _, u), (two, _, v) = lines[first].rpartition(" "), lines[second].rpartition(" ")
        changed[first], changed[second] = f"{one} {v}", f"{two} {u}"
    return changed


def change_rules(rng, lines):
    """Name other rules."""
    words = lines[0].split()
    part = rng.randrange(2, 5)
    named = (("points", "win"), ("discard", "carryover"), ("random", "hidden", "known"))[part - 2]
    words[part] = rng.choice(named)
    return [" ".join(words), *lines[1:]]


CHANGES = {
    "numbers": change_number,
    "missing": leave_out,
    "exchanged": exchange_parts,
    "rules": change_rules,
}


def integers(text):
    return tuple(map(int, text.split(",")))


def is_true(lines):
    """Tell if the oracle finds every line true, and none that another needs missing or too late."""
    head, *stated, end = lines
    objective, ties, order = head.split()[2:]
    rules = {"objective": objective, "ties": ties, "order": "fixed" if order == "known" else order}
    places = [at for at, line in enumerate(stated) if line.startswith("position")]
    if end != f"end {len(places)}" or places[:1] != [0]:
        return False
    for at, following in zip(places, [*places[1:], len(stated)], strict=True):
        *cards, margin, pot, worth = stated[at].split()[1:]
        one, two, prizes = map(integers, cards)
        standing = {"margin": int(margin), "pot": int(pot), **rules}
        turns = [line.split()[1:] for line in stated[at + 1 : following]]
        upcards = {"random": prizes, "hidden": [None], "known": prizes[:1]}[order]
        if oracle.position_value(one, two, prizes, **standing) != Fraction(worth) or len(
            turns
        ) != len(upcards):
            return False
        for upcard, turn in zip(upcards, turns, strict=True):
            value, matrix = oracle.position_solution(one, two, prizes, upcard, **standing)
            if Fraction(turn[0]) != value or not is_true_turn(matrix, value, *turn[1:]):
                return False
    return True


def is_true_turn(matrix, value, row, column, *proof):
    """Tell if weights are optimal strategies and, with a proof that they are the only ones, if its equations hold."""
    weights = integers(row), integers(column)
    if any(len(side) != len(matrix) or sum(side) <= 0 for side in weights):
        return False
    x, y = (tuple(Fraction(weight, sum(side)) for weight in side) for side in weights)
    if not oracle.is_optimal(matrix, value, x, y):
        return False
    if proof:
        (d,), *numbers = map(integers, proof[0].split(";"))
        if d == 0:
            return False
        cells = range(len(matrix))
        # The proof is a matrix C with (A − v) C = 1 − 1 x and C (A − v) = 1 − y 1, 0 where a bid is not played.
        c = [[Fraction(number, d) for number in line] for line in numbers]
        net = [[gain - value for gain in line] for line in matrix]
        rows = [k for k in cells if x[k]]
        columns = [k for k in cells if y[k]]
        return (
            all(not c[i][j] or (x[i] and y[j]) for i in cells for j in cells)
            and all(
                _dot(net[k], column) == (i == k) - x[i] for k in rows for i, column in enumerate(c)
            )
            and all(
                _dot([line[k] for line in net], line) == (j == k) - y[j]
                for k in columns
                for j, line in enumerate(zip(*c, strict=True))
            )
        )
    return True


def _dot(one, two):
    return sum(map(mul, one, two))


def damaged(rng):
    """A certificate with one change that leaves it wrong or incomplete: the kind of the change, and the text."""
    while True:
        kind = rng.choice([*CHANGES])
        lines = certificate(rng.choice(GAMES)).splitlines()
        changed = CHANGES[kind](rng, lines)
        if changed == lines:
            continue
        # A position that is missing, comes too late, or is stated otherwise is wrong whatever the oracle says of the rest.
        starts = [line for line in changed if line.startswith("position")]
        before = [line for line in lines if line.startswith("position")]
        claim_alone = [line for line in starts if line in before] == before[:-1] and len(
            starts
        ) == len(before)
        if kind == "missing" or (starts != before and not claim_alone) or not is_true(changed):
            return kind, "\n".join(changed) + "\n"


def main():
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="0")
    arguments = parser.parse_args()
    rng = random.Random(f"{arguments.seed} certificates")
    cases = [damaged(rng) for _ in range(arguments.count)]
    wrong = [text for _, text in cases if not refused(text)]
    wrong += [certificate(game) for game in GAMES if refused(certificate(game))]
    counts = ", ".join(f"{kind} {sum(k == kind for k, _ in cases)}" for kind in CHANGES)
    print(f"{len(cases)} damaged certificates ({counts})")
    print(f"proofs/check.py: {len(wrong)} judged wrong", flush=True)
    texts = [text for _, text in cases] + [certificate(game) for game in GAMES]
    right = [True] * len(cases) + [False] * len(GAMES)
    with tempfile.TemporaryDirectory() as folder:
        coq = Coq(folder) if which("coqc") else None
        verdicts = {}
        if has_zarith():
            program = coq.program()
            verdicts["the extracted program"] = [refused_by(program, text) for text in texts]
        if coq is not None:
            batches = (texts[start : start + BATCH] for start in range(0, len(texts), BATCH))
            verdicts["Coq"] = [found for batch in batches for found in coq.refused(batch)]
    for judge, found in verdicts.items():
        misjudged = [
            text for text, *verdict in zip(texts, found, right, strict=True) if len({*verdict}) > 1
        ]
        print(f"{judge}: {len(misjudged)} judged wrong", flush=True)
        wrong += misjudged
    for text in wrong[:3]:
        print(text)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
