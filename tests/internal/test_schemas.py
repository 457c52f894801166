"""The check by schemas, beside another reader of them."""

import json
import random
from contextlib import nullcontext

import jsonschema
import pytest
from documents import reshaped
from places import PACKAGE
from truth import places

import gops_exact as gx
from gops_exact.base.schemas import check

SCHEMAS = PACKAGE / "base/schemas"

MOVES = [gx.first_move(3, kind, store=":memory:") for kind in ("exact", "ball")]
RIGHT = {
    "first-moves-1": [each.emit("json") for each in [*MOVES, gx.first_move(3, "float")]],
    "hidden-bids-1": [
        """{"document": "hidden bids", "version": 1, "n": 2, "rules": {"objective": "points", "ties": "discard",
        "prizes": [2, 1]}, "seen": [true, false], "value": "0", "row": {"2": {"2": "1"}},
        "column": {"2": {"1": "1/3", "2": "2/3"}}}"""
    ],
    "matrix-game-1": [gx.solve_matrix_game([[3, -1], [1, 2]]).emit("json")],
    "records-1": ['[{"n": 3, "policy": "random", "loss": "1/3", "proved": true, "upcard": null}]'],
    "table-1": [
        gx.payoff_matrix("2.4_1.3_12.13@13", store=":memory:").emit("json"),
        gx.solve("2.4_1.3_12.13@13", store=":memory:").row.emit("json"),
    ],
}
"""Documents that obey, as text."""


@pytest.mark.parametrize("name", RIGHT)
def test_the_check_refuses_what_another_reader_refuses(name):
    """But for 1.0, which is an integer there."""
    rng, verdicts = random.Random(name), []
    reader = jsonschema.Draft202012Validator(json.loads((SCHEMAS / f"{name}.json").read_text()))
    for _ in range(150):
        text = rng.choice(RIGHT[name])
        document = json.loads(text if rng.random() < 0.1 else reshaped(rng, text))
        if any(
            isinstance(part := tree[key], float) and part.is_integer()
            for tree, key in places(document)
        ):
            continue
        verdicts.append(reader.is_valid(document))
        with nullcontext() if verdicts[-1] else pytest.raises(ValueError, match="^.+$"):
            check(document, name)
    assert {True, False} <= set(verdicts)


@pytest.mark.parametrize(
    ("change", "message"),
    [({"version": True}, "version: expected 1"), ({"n": 2.0}, "n: expected integer, got 2.0")],
)
def test_what_json_schema_takes_and_the_check_does_not(change, message):
    with pytest.raises(ValueError, match=message):
        check(json.loads(RIGHT["hidden-bids-1"][0]) | change, "hidden-bids-1")
