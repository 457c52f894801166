"""The truth about emitted documents, by the oracle, which shares no code with the package.

Documents are read as strictly as can be, and by code of its own.
"""

import json
import re
from fractions import Fraction
from functools import cache

import jsonschema
import oracle
from oracle import as_oracle
from project_paths import PACKAGE

import gops_exact as gx

NUMBER = "[0-9]+(/[0-9]+|([.][0-9]+)?([eE][-+]?[0-9]{1,4})?)"
"""A number as documents write it."""


@cache
def first_moves(game, upcard):
    """The game of the first bids, and its extreme optimal strategies."""
    hand, rules = game.hand, as_oracle(game.rules)
    _, bids = oracle.position_solution(hand, hand, game.prizes, upcard, **rules)
    return bids, oracle.extreme_strategies(bids)[0]


@cache
def schema(name):
    file = PACKAGE / "base/schemas" / f"{name}.json"
    return jsonschema.Draft202012Validator(json.loads(file.read_text("utf-8")))


def obeys(document, name):
    """Whether a document obeys its schema, and its exact numbers are in lowest terms."""
    if not schema(name).is_valid(document):
        return False
    names = [name for name in document if name not in ("labels", "title")]
    return all(
        str(Fraction(part)) == part
        for tree, key in places({name: document[name] for name in names})
        if is_number(part := tree[key]) and "/" in part
    )


def places(tree):
    """Every (list or object, index or name) in a JSON value."""
    keys = tree if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else []
    return [each for key in keys for each in [(tree, key), *places(tree[key])]]


def is_number(part):
    try:
        return isinstance(part, str) and Fraction(part) is not None
    except (ValueError, ZeroDivisionError):
        return False


def is_true(text):
    """Whether every claim of a document of first moves is true."""
    try:
        if not obeys(json.loads(text), "first-moves-1"):
            return False
        document = json.loads(text, parse_float=str, object_pairs_hook=once)
        return all(is_true_column(document, column) for column in document["columns"])
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return False


def once(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("repeated name")
    return dict(pairs)


def is_true_column(document, column):
    kind, n, prizes = document["arithmetic"], document["n"], document["rules"]["prizes"]
    upcard, unique = column["upcard"], column["unique"]
    cards = [str(card) for card in range(1, n + 1)]
    parts = [column[name] for name in ("probabilities", "radii") if name in column]
    # Beyond four cards the oracle takes too long, and nothing is held to be true.
    if n > 4 or any(set(part) != {*cards} for part in parts):
        return False
    texts = [str(column["probabilities"][card]) for card in cards]
    order = {"prizes": prizes if isinstance(prizes, str) else tuple(prizes)}
    game = gx.Game(n, gx.Rules(**document["rules"] | order), document.get("deck", ()))
    if document.get("deck", [*game.own_deck]) != [*game.own_deck] or upcard not in game.upcards:
        return False
    if str(column["value"]) != "0" or not all(re.fullmatch(NUMBER, text) for text in texts):
        return False
    given = [Fraction(float(text)) if kind == "float" else Fraction(text) for text in texts]
    bids, extreme = first_moves(game, upcard)
    if unique != (len(extreme) == 1) and (unique or kind in ("exact", "ball")):
        return False
    if kind == "exact":
        written = list(map(str, given)) == texts
        return written and oracle.is_optimal(bids, Fraction(0), given, given)
    if kind == "ball":
        digits = document["digits"]
        if any(len(text.partition(".")[2]) != digits for text in texts):
            return False
        radii = [Fraction(1, 2 * 10**digits)] * n
    else:
        radii = [Fraction(float(column["radii"][card])) for card in cards]
    return any(
        all(abs(p - x) <= r for p, x, r in zip(strategy, given, radii, strict=True))
        for strategy in extreme
    )
