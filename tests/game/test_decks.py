"""Games whose prizes are not 1 … n, and prizes of 0; the table of conformance has their values and first moves."""

import re

import pytest
from program import run

import gops_exact as gx
from gops_exact import players

pytestmark = pytest.mark.usefixtures("own_store")


@pytest.mark.parametrize(
    ("options", "other", "status"),
    [
        ("", "0,1,2,30", 2),
        ("--prizes 3,0,1,2", "0,1,2,30", 2),
        ("--prizes hidden", "1,1,9,9", 0),  # the same first move, which is right of both
    ],
)
def test_a_table_of_a_deck_is_verified_with_the_deck(tmp_path, options, other, status):
    """A table does not name its deck; with another one it is proved of that one, or is no table of it."""
    store, file = tmp_path / "store.sqlite", tmp_path / "moves.csv"
    verify = f"verify {options} --store '{store}' '{file}'"
    for kind in ("exact", "float"):
        words = f"-n 4 --deck 0,1,2,3 {options} --arithmetic {kind} --emit csv --out '{file}'"
        assert run(words).status == 0
        for deck, expected in (("3,1,0,2", 0), (other, status), ("0,1,2", 2)):
            assert run(f"{verify} --deck {deck}").status == expected, deck


REFUSED = {
    "the deck must have 3 prizes, got 2": lambda: gx.Game(3, deck=[1, 2]),
    "prizes in order must be 0, 1, 2 in some order, got 1, 2, 3": lambda: gx.Game(
        3, gx.Rules(prizes=(1, 2, 3)), [0, 1, 2]
    ),
    "the deck must be 1 to 5": lambda: players.policy("published", gx.Game(5, deck=range(5))),
    "the deck must be 1 to 4 here": lambda: gx.hidden_bids.HiddenBids(gx.Game(4, deck=range(4))),
    "the deck must add up to at most 2^52 in floats": lambda: gx.first_move(
        gx.Game(2, deck=[1, 2**52]), "float"
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_no_deck_can_be_or_what_takes_none(message):
    with pytest.raises(ValueError, match=re.escape(message)):
        REFUSED[message]()
