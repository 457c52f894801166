"""Prove games: python proofs/run.py --cards 5

Compiles the proofs in build/proofs, writes certificates of whole games there, and has each checked twice: by check.py,
and by Coq, whose answer must be a theorem that assumes nothing. So is a game tree, Leduc poker. With --extracted, the checker that Coq writes as a program
in OCaml checks them, too, and those of six cards. Seconds are of processor time.
"""

import os
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from itertools import product
from pathlib import Path

import check

import gops_exact as gx

HERE = Path(__file__).parent
BUILD = HERE.parent / "build" / "proofs"
THEORY = (
    *("MatrixGame", "Game", "Symmetry", "Play", "OneGame", "Certificate", "Soundness", "Tree"),
    *("Ross", "Pure"),
)
"""The files of the proofs, in the order in which they need each other."""

CLOSED = "Closed under the global context"
"""Coq's words for a theorem that rests on no axiom."""

ORDERS = ("random", "hidden", "ascending", "descending")
RULES = {
    # Sixteen rule sets of three cards, eight of four, and of five the game of the literature and the one to win.
    3: [gx.Rules(*rules) for rules in product(("points", "win"), ("discard", "carryover"), ORDERS)],
    4: [
        gx.Rules(*rules)
        for rules in product(("points", "win"), ("discard", "carryover"), ORDERS[:2])
    ],
    5: [gx.Rules("points"), gx.Rules("win")],
    6: [gx.Rules("points"), gx.Rules("win")],
}
"""{cards: rule sets of the games that are proved}."""

MOST_IN_COQ = 5
"""The most cards for which Coq's kernel computes. Its integers are lists of bits, which it multiplies as on paper."""

THEOREMS = {5: "Printed"}
"""{cards: a file with a theorem about the games of so many}."""


def coqc(name):
    """Compile a file of the build folder; return how many theorems Coq says assume nothing."""
    words = ["coqc", "-Q", ".", "Gops", f"{name}.v"]
    done = subprocess.run(words, cwd=BUILD, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name}.v: {done.stderr.strip()}")
    lines = done.stdout.split("\n")
    if "Axioms:" in lines:
        sys.exit(f"{name}.v: {done.stdout.strip()}")
    return lines.count(CLOSED)


def extracted():
    """Make the program that Coq writes; return its path, or None where there is no OCaml with Zarith."""
    if shutil.which("ocamlfind") is None:
        return None
    words = ["ocamlfind", "query", "zarith"]
    library = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    if not (Path(library) / "zarith.cmxa").exists():
        return None
    for name in ("Extract.v", "main.ml"):
        shutil.copy(HERE / name, BUILD)
    coqc("Extract")
    words = "ocamlfind ocamlopt -package zarith -linkpkg -w -a checker.mli checker.ml main.ml -o checker"
    subprocess.run(words.split(), cwd=BUILD, check=True)
    return BUILD / "checker"


def seconds(ask, *arguments):
    """Return an answer, and the seconds of processor time that it took, here and in programs it ran."""

    def spent():
        return time.process_time() + sum(os.times()[2:4])

    start = spent()
    answer = ask(*arguments)
    return answer, spent() - start


def proved_by(program, text):
    """Return the claim of a certificate that a program proves."""
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{program}: {done.stderr.strip()}")
    return done.stdout.removeprefix("proved: ").rstrip("\n")


def prove(name):
    """Compile a file of the proofs, and print the seconds and how many theorems assume nothing."""
    shutil.copy(HERE / f"{name}.v", BUILD)
    closed, took = seconds(coqc, name)
    print(f"{name}.v: {took:.1f} s{f', {closed} without axioms' if closed else ''}", flush=True)


def in_coq(name, texts):
    """Have Coq prove certificates, which are given by rule set; return the seconds that it took."""
    modules = [
        f"Module Game{number}. (* {rules} *)\n{gx.exchange.certificate_to_coq(text)}End Game{number}.\n"
        for number, (rules, text) in enumerate(texts.items())
    ]
    (BUILD / f"{name}.v").write_text("\n".join(modules), "ascii")
    closed, took = seconds(coqc, name)
    if closed != len(modules):
        sys.exit(f"{name}.v: expected {len(modules)} theorems, got {closed}")
    return took


def prove_leduc():
    """Have the package solve Leduc poker and write it for Coq, and prove its value by the rules of the game."""
    try:
        solved, took = seconds(gx.solve_game, gx.known_games.leduc_poker())
    except ImportError:
        print("No HiGHS: Leduc poker is skipped. It comes with pip install '.[hidden]'.")
        return
    claim, checked = seconds(check.check_tree, solved.emit("json"))
    (BUILD / "LeducTree.v").write_text(gx.exchange.tree_to_coq(solved), "utf-8")
    closed, proved = seconds(coqc, "LeducTree")
    if closed != 1:
        sys.exit(f"LeducTree.v: expected a theorem, got {closed}")
    print(
        f"Leduc poker: solved in {took:.1f} s, proved by check.py in {checked:.1f} s, by Coq in {proved:.1f} s "
        f"without axioms: {claim}",
        flush=True,
    )
    prove("Leduc")


def main():
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cards", type=int, default=5, choices=RULES, help="prove up to so many")
    parser.add_argument("--extracted", action="store_true", help="by the program in OCaml, too")
    arguments = parser.parse_args()
    if arguments.cards > MOST_IN_COQ and not arguments.extracted:
        parser.error(f"more than {MOST_IN_COQ} cards take --extracted, got {arguments.cards}")
    if shutil.which("coqc") is None:
        print("No coqc: the proofs are skipped. Debian's package is coq.")
        return
    BUILD.mkdir(parents=True, exist_ok=True)
    for name in THEORY:
        prove(name)
    prove_leduc()
    program = extracted() if arguments.extracted else None
    if arguments.extracted and program is None:
        print("No ocamlfind with zarith: the program is skipped. Debian: libzarith-ocaml-dev.")
    for n in range(3, arguments.cards + 1):
        texts, wrote, checked, ran = {}, 0.0, 0.0, 0.0
        for rules in RULES[n]:
            position = gx.Game(n, rules).start
            text, took = seconds(gx.exchange.write_certificate, position)
            (BUILD / f"{position}.txt").write_text(text, "ascii")
            texts[rules] = text
            wrote += took
            claim, took = seconds(check.check, text)
            checked += took
            if program is not None:
                answer, took = seconds(proved_by, program, text)
                ran += took
                if answer != claim:
                    sys.exit(f"{position}: expected {claim!r} to be proved, got {answer!r}")
        by = f", by the extracted program in {ran:.1f} s" if program is not None else ""
        if n <= MOST_IN_COQ:
            by += f", by Coq in {in_coq(f'Games{n}', texts):.1f} s without axioms"
        print(
            f"{n} cards, {len(texts)} rule sets: written in {wrote:.1f} s, proved by check.py in "
            f"{checked:.1f} s{by}",
            flush=True,
        )
        if n in THEOREMS:
            prove(THEOREMS[n])


if __name__ == "__main__":
    sys.set_int_max_str_digits(0)
    main()
