"""Damaged certificates of games and of solved trees, which ``proofs/check.py``, Coq and the program that Coq extracts must refuse.

Certificates of three cards by sixteen rule sets, and of decks, with one change each that leaves something false or
missing: a number, a part that is left out or comes too late, or other rules; or with a number in a form of another
language, which the format does not have.
"""

import json
import re
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import product

from case_runner import Wrong
from games import random_game
from oracle_checks import is_true_tree
from project_paths import ROOT
from recursions import RULE_SETS

import gops_exact as gx

sys.path.append(str(ROOT / "proofs"))
import run as proofs  # a script's folder is no package
from check import check, check_tree  # same

DECKS = product(("points", "win"), ((0, 1, 2), (1, 1, 4)))
GAMES = [gx.Game(3, rules) for rules in RULE_SETS]
GAMES += [gx.Game(3, gx.Rules(goal), deck) for goal, deck in DECKS]

FORMS = "+{}", "{}.0", "0_{}", "{}e0", "\u0660{}", " {}", "{} 1"
"""Texts that some readers take for the same number, or with a word too many."""


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


def for_coq(text):
    """Return a certificate as a file for Coq; None for a fraction that is none, such as 1/0."""
    try:
        return gx.exchange.certificate_to_coq(text)
    except ValueError:
        return None


def coq_refuses(texts):
    """Tell for each certificate if Coq's checker refuses it, or already the way to Coq; the proofs are compiled."""
    forms = [for_coq(text) for text in texts]
    modules = []
    for number, form in enumerate(filter(None, forms)):
        stated = form.partition("Lemma checked")[0]
        asked = "Eval vm_compute in certified the_rules (before ++ [claim])."
        modules.append(f"Module Game{number}.\n{stated}{asked}\nEnd Game{number}.\n")
    answers = iter(coq_answers(modules))
    return [form is None or next(answers) for form in forms]


def coq_answers(modules):
    """Tell for each module whether what it asks Coq is false."""
    (proofs.BUILD / "Damaged.v").write_text("".join(modules), "utf-8")
    words = ["coqc", "-Q", ".", "Gops", "Damaged.v"]
    done = subprocess.run(words, cwd=proofs.BUILD, capture_output=True, text=True, check=True)
    return [answer == "false" for answer in re.findall(r"= (true|false)", done.stdout)]


def damaged(rng):
    """A certificate with one change that leaves something false or missing: the kind of the change, and the text."""
    lines = certificate(rng.choice(GAMES)).splitlines()
    starts = [at for at, line in enumerate(lines) if line.startswith("position")]
    block = rng.randrange(len(starts) - 1)
    first, following = starts[block : block + 2]
    kind = rng.choice(["numbers", "forms", "missing", "exchanged", "rules"])
    if kind == "numbers":
        at = rng.randrange(1, len(lines) - 1)
        lines[at] = with_another_number(rng, lines[at], is_claim=at == starts[-1])
    elif kind == "forms":
        at = rng.randrange(1, len(lines))
        spot = rng.choice([*re.finditer("[0-9]+", lines[at])])
        form = rng.choice(FORMS).format(spot[0])
        lines[at] = f"{lines[at][: spot.start()]}{form}{lines[at][spot.end() :]}"
    elif kind == "missing" and rng.random() < 0.3:
        lines = [lines[0], "end 0"] if rng.random() < 0.5 else [re.sub(";.*", "", x) for x in lines]
    elif kind == "missing" and rng.random() < 0.5:
        del lines[rng.choice([at for at, line in enumerate(lines) if line.startswith("turn")])]
    elif kind == "missing":
        lines = [*lines[:first], *lines[following:-1], f"end {len(starts) - 1}"]
    elif kind == "exchanged":  # a position comes after those that need it
        lines = [*lines[:first], *lines[following:-1], *lines[first:following], lines[-1]]
    else:
        orders = ("hidden", "known") if lines[0].endswith("random") else ("random",)
        others = [("points", "win"), ("win", "points"), ("discard", "carryover")]
        others += [("carryover", "discard"), (lines[0].split()[-1], rng.choice(orders))]
        lines[0] = lines[0].replace(*rng.choice([each for each in others if each[0] in lines[0]]))
    return kind, "\n".join(lines) + "\n"


def with_another_number(rng, line, *, is_claim):
    """Change a number in a line that is false then: of a position, the value of a turn, or a weight of the only strategies.

    Of the claim it is the value, as the rest may be true of another position, too.
    """
    words, part = line.split(), 1
    if is_claim:
        part = 6
    elif words[0] == "position":
        part = rng.randrange(1, 7)
    elif len(words) == 5 and re.search("[1-9][0-9]*,(.*,)?[1-9]", words[2]):
        part = rng.choice([1, 2, 3])
    spot = rng.choice([*re.finditer("-?[0-9]+", words[part])])
    number = int(spot[0]) + rng.choice([-2, -1, 1, 2, 10])
    words[part] = f"{words[part][: spot.start()]}{number}{words[part][spot.end() :]}"
    return " ".join(words)


def certificate_case(rng, _place):
    kind, text = damaged(rng)
    if not refused(text):
        raise Wrong(f"a damaged certificate is taken: {kind}", text)


def tree_with_another_number(rng):
    """A document of a solved tree in which a payoff, the value or the play at a set may be another; and whether it is right."""
    payoff = None
    while payoff is None:
        game, payoff = random_game(rng, hidden=rng.random() < 0.7)
    document = gx.solve_game(game).document()
    payoffs = [state for state, node in enumerate(document["nodes"]) if isinstance(node, str)]
    sides = [document[side] for side in ("row", "column") if document[side]]
    kind = rng.choice(["nothing", "value", "payoff", *["play"] * bool(sides)])
    if kind == "value":
        document["value"] = str(Fraction(document["value"]) + rng.choice([-1, 1]))
    elif kind == "payoff":
        document["nodes"][rng.choice(payoffs)] = str(rng.randint(-9, 9))
    elif kind == "play":
        mix = rng.choice([*rng.choice(sides).values()])
        labels = [*mix]
        shares = rng.choice(
            [["1"], ["1/2"], [mix[labels[-1]], *[mix[label] for label in labels[:-1]]]]
        )
        mix.update(zip(labels, [*shares, *["0"] * len(labels)], strict=False))
        for label in labels:
            if mix[label] == "0":
                del mix[label]
    return json.dumps(document), is_true_tree(document)


def tree_refused(text):
    """Tell if the checker in plain Python refuses a solved tree."""
    try:
        check_tree(text)
    except (ValueError, LookupError, ArithmeticError, TypeError):
        return True
    return False


def coq_refuses_trees(solved):
    """Tell for each solved tree if Coq's checker refuses it; the proofs are compiled."""
    modules = []
    for number, equilibrium in enumerate(solved):
        stated = gx.exchange.tree_to_coq(equilibrium).partition("Lemma checked")[0]
        asked = "Eval vm_compute in certified game (playing row) (playing column) value."
        modules.append(f"Module Tree{number}.\n{stated}{asked}\nEnd Tree{number}.\n")
    return coq_answers(modules)


def solved_tree_case(rng, _place):
    text, right = tree_with_another_number(rng)
    if tree_refused(text) == right:
        raise Wrong("a tree is judged wrong", text)
