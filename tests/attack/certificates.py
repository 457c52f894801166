"""Damaged certificates of games, which ``proofs/check.py``, Coq and the program that Coq extracts must refuse.

Certificates of three cards by sixteen rule sets, and of decks, with one change each that leaves something false or
missing: a number, a part that is left out, two parts exchanged, or other rules. Of strategies the oracle decides, which
shares no code with the package.
"""

import re
import shutil
import subprocess
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from runpy import run_path
from shutil import which

import oracle
from frame import Wrong
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


# Changes. Each takes a generator of random numbers and the lines of a certificate, and returns other lines, of which
# one is false or one is missing; None if it finds no such change.


def blocks(lines):
    """The numbers of the lines at which positions begin, and that of the end."""
    return [at for at, line in enumerate(lines) if line.startswith(("position", "end"))]


def change_number(rng, lines):
    """Change a card, a prize, the margin, the pot, a value, a weight, or a number of a proof of uniqueness."""
    at = rng.randrange(1, len(lines) - 1)
    spot = rng.choice([*re.finditer("-?[0-9]+", lines[at])])
    new = int(spot[0]) + rng.choice([-2, -1, 1, 1, 2, 10])
    changed = f"{lines[at][: spot.start()]}{new}{lines[at][spot.end() :]}"
    word = lines[at].count(" ", 0, spot.start())
    claim = blocks(lines)[-2]
    if at == claim and word < 6:  # it may be true of another position, too
        return None
    if lines[at].startswith("turn") and word > 1 and is_optimal_still(lines, at, changed, word):
        return None
    return [*lines[:at], changed, *lines[at + 1 :]]


def is_optimal_still(lines, at, turn, word):
    """Tell if the strategies of a turn, of which a word was changed, may still be as they are said to be."""
    weights = [tuple(map(int, side.split(","))) for side in turn.split()[2:4]]
    if word == 4:  # where one bid is played the number of the proof is of no account
        return sum(map(bool, weights[0])) == 1
    if min(map(sum, weights)) <= 0:
        return False
    objective, ties, order = lines[0].split()[2:]
    start = max(place for place in blocks(lines) if place < at)
    *cards, margin, pot, _ = lines[start].split()[1:]
    one, two, prizes = (tuple(map(int, each.split(","))) for each in cards)
    upcards = {"random": prizes, "hidden": [None], "known": prizes[:1]}[order]
    value, matrix = oracle.position_solution(
        one,
        two,
        prizes,
        upcards[at - start - 1],
        margin=int(margin),
        pot=int(pot),
        objective=objective,
        ties=ties,
        order="fixed" if order == "known" else order,
    )
    sides = [tuple(Fraction(weight, sum(side)) for weight in side) for side in weights]
    return oracle.is_optimal(matrix, value, *sides)


def leave_out(rng, lines):
    """Leave out a turn, a weight, or a position on the way, with its turns."""
    starts = blocks(lines)
    if rng.random() < 0.3 and len(starts) > 2:
        block = rng.randrange(len(starts) - 2)
        left = [*lines[: starts[block]], *lines[starts[block + 1] : -1]]
        return [*left, f"end {len(starts) - 2}"]
    at = rng.choice([at for at, line in enumerate(lines) if line.startswith("turn")])
    shorter = re.sub(",[0-9]+( |$)", r"\1", lines[at], count=1)
    is_weight = rng.random() < 0.5 and shorter != lines[at]
    return [*lines[:at], *[shorter] * is_weight, *lines[at + 1 :]]


def exchange_parts(rng, lines):
    """Exchange two values, or move a position behind those that need it."""
    starts = blocks(lines)
    if len(starts) < 3:
        return None
    block = rng.randrange(len(starts) - 2)
    if rng.random() < 0.5:
        moved = lines[starts[block] : starts[block + 1]]
        return [*lines[: starts[block]], *lines[starts[block + 1] : -1], *moved, lines[-1]]
    first, second = starts[block], rng.choice(starts[:-1])
    (one, _, u), (two, _, v) = lines[first].rpartition(" "), lines[second].rpartition(" ")
    changed = list(lines)
    changed[first], changed[second] = f"{one} {v}", f"{two} {u}"
    return changed if u != v else None


def change_rules(rng, lines):
    """Name other rules, by which other positions or turns are needed."""
    words = lines[0].split()
    part = rng.randrange(2, 5)
    orders = ["hidden", "known"] if words[4] == "random" else ["random"]
    words[part] = rng.choice((["points", "win"], ["discard", "carryover"], orders)[part - 2])
    return [" ".join(words), *lines[1:]]


CHANGES = {
    "numbers": change_number,
    "missing": leave_out,
    "exchanged": exchange_parts,
    "rules": change_rules,
}


def damaged(rng):
    """A certificate with one change that leaves it wrong or incomplete: the kind of the change, and the text."""
    while True:
        kind = rng.choice([*CHANGES])
        lines = certificate(rng.choice(GAMES)).splitlines()
        if (changed := CHANGES[kind](rng, lines)) not in (None, lines):
            return kind, "\n".join(changed) + "\n"


def certificate_case(rng, _place):
    """A damaged certificate, given to the checker in plain Python."""
    kind, text = damaged(rng)
    if not refused(text):
        raise Wrong(f"a damaged certificate is taken: {kind}", text)
