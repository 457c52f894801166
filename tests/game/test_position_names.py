"""A position has one name, which reads back as the position."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_position

import gops_exact as gx

DAMAGE = "", ".", "_", "x", "0", "7", "١", " "


@settings(max_examples=200)
@given(st.integers(0, 2**64))
def test_position_names_round_trip_and_damaged_names_are_refused(seed):
    source = Random(seed)
    position = random_position(source)
    name = str(position)
    assert gx.Position.parse(name) == position
    assert re.fullmatch("[0-9a-z._@-]+", name), "a shell or a link would need more"
    place = source.randrange(len(name))
    damaged = name[:place] + source.choice(DAMAGE) + name[place + source.randint(0, 2) :]
    try:
        read = str(gx.Position.parse(damaged))
    except ValueError as refusal:
        read = refusal
    if isinstance(read, str):
        assert read == damaged
    else:
        assert len(str(read).splitlines()) == 1


NONE = {
    "": "a card of player one, or _ and the cards of player two at character 1, got 'the end'",
    "2.4": "a card of player one, or _ and the cards of player two at character 4",
    "2.4_1.3_00.12": "at character 10, got '0.12'",
    "2.4_1.3_12.13@13_q": "or its end at character 17, got '_q'",
    "2.4_1.3_12": "both hands and the prizes must be of one size, got 2, 2 and 1 cards",
    "2.4_1.3_13.12": "a position is written in one way, 2.4_1.3_12.13, got '2.4_1.3_13.12'",
    "1" * 5000: "a position must have at most 4000 characters",
}


@pytest.mark.parametrize("name", NONE, ids=lambda name: str(name)[:20])
def test_position_names_that_are_cut_unequal_unordered_or_too_long_are_refused(name):
    with pytest.raises(ValueError, match=rf"^[^\n]*{re.escape(NONE[name])}[^\n]*$"):
        gx.Position.parse(name)
