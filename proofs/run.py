"""Prove games: python proofs/run.py --cards 5

Compiles the proofs in build/proofs, writes certificates of whole games there, and has each checked twice: by check.py,
and by Coq, whose answer must be a theorem that assumes nothing. Seconds are of processor time.
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
THEORY = ("MatrixGame", "Game", "Symmetry", "Play", "OneGame", "Certificate", "Soundness")
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
}
"""{cards: rule sets of the games that are proved}."""


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


def seconds(ask, *arguments):
    """Return an answer, and the seconds of processor time that it took, here and in programs it ran."""

    def spent():
        return time.process_time() + sum(os.times()[2:4])

    start = spent()
    answer = ask(*arguments)
    return answer, spent() - start


def main():
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cards", type=int, default=5, choices=RULES, help="prove up to so many")
    most = parser.parse_args().cards
    if shutil.which("coqc") is None:
        print("No coqc: the proofs are skipped. Debian's package is coq.")
        return
    BUILD.mkdir(parents=True, exist_ok=True)
    for name in THEORY:
        shutil.copy(HERE / f"{name}.v", BUILD)
        _, took = seconds(coqc, name)
        print(f"{name}.v: {took:.1f} s", flush=True)
    for n in range(3, most + 1):
        modules, wrote, checked = [], 0.0, 0.0
        for number, rules in enumerate(RULES[n]):
            position = gx.Game(n, rules).start
            text, took = seconds(gx.exchange.write_certificate, position)
            (BUILD / f"{position}.txt").write_text(text, "ascii")
            wrote += took
            checked += seconds(check.check, text)[1]
            coq = gx.exchange.certificate_to_coq(text)
            modules.append(f"Module Game{number}. (* {rules} *)\n{coq}End Game{number}.\n")
        (BUILD / f"Games{n}.v").write_text("\n".join(modules), "ascii")
        closed, took = seconds(coqc, f"Games{n}")
        if closed != len(modules):
            sys.exit(f"Games{n}.v: expected {len(modules)} theorems, got {closed}")
        print(
            f"{n} cards, {closed} rule sets: written in {wrote:.1f} s, proved by check.py in "
            f"{checked:.1f} s, by Coq in {took:.1f} s without axioms",
            flush=True,
        )


if __name__ == "__main__":
    sys.set_int_max_str_digits(0)
    main()
