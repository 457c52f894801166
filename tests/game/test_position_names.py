"""A position has one name, which reads back as the position."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from program import run
from strategies import random_position

import gops_exact as gx

DAMAGE = "", ".", "_", "x", "0", "7", "١", " "


@settings(max_examples=200)
@given(st.integers(0, 2**64))
def test_names_read_back_and_damaged_ones_are_refused_or_those_of_others(seed):
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


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "",
            "a position must have a card of player one, or _ and the cards of player two at character 1, got 'the end'",
        ),
        (
            "2.4",
            "a position must have a card of player one, or _ and the cards of player two at character 4",
        ),
        (
            "2.4_1.3",
            "a position must have a card of player two, or _ and the prizes left at character 8",
        ),
        (
            "2.4_x_12.1",
            "a position must have a card of player two, or _ and the prizes left at character 5",
        ),
        ("2.4_1.3_00.12", "at character 10, got '0.12'"),
        ("2.4_1.3_12.13@13_q", "or its end at character 17, got '_q'"),
        ("2.4_1.3_12.13\n", "or its end at character 14"),
        ("2.4_1.3_12", "both hands and the prizes must be of one size, got 2, 2 and 1 cards"),
        ("2.4_1.3_12.13@7", "the upcard must be one of the prizes 12, 13, got 7"),
        ("2.4_1.3_12.13_m3", "margin must be 0 where points are played for, got 3"),
        ("2.4_1.3_13.12", "a position is written in one way, 2.4_1.3_12.13, got '2.4_1.3_13.12'"),
        ("2.4_1.3_f2.3@3", "the upcard must be 2, the first of the prizes in order, got 3"),
        ("1" * 5000, "a position must have at most 4000 characters"),
        (7, "a position must be text, got 7"),
    ],
)
def test_a_name_that_is_none(name, message):
    with pytest.raises(ValueError) as refusal:
        gx.Position.parse(name)
    assert message in str(refusal.value) and len(str(refusal.value).splitlines()) == 1


def test_a_prize_of_0_in_a_name():
    position = gx.Position([2, 4], [1, 3], [0, 12], upcard=0)
    assert str(position) == "2.4_1.3_0.12@0"
    assert gx.Position.parse("2.4_1.3_0.12").upcard is None


@pytest.mark.parametrize("command", ["position", "export --emit nfg"])
def test_commands_take_a_position_by_its_name(command):
    by_options = run(f"{command} --one 2,4 --two 1,3 --prizes 12,13 --upcard 13")
    assert by_options.status == 0 and by_options.out
    for words in ("2.4_1.3_12.13@13", "2.4_1.3_12.13 --upcard 13"):
        assert run(f"{command} {words}") == by_options
    twice = run(f"{command} 2.4_1.3_12.13@13 --upcard 13")
    assert twice.status == 2
    assert "POSITION: expected no --upcard beside it" in twice.err
    assert run(f"{command} 2.4_1.3_12").status == 2
