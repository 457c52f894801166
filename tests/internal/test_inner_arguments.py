"""Functions behind the faces that check arguments on their own."""

import pytest
from given import assert_any_width, poorly_refused

import gops_exact as gx
from gops_exact.game.rules import as_rules
from gops_exact.numbers.raw import rational
from gops_exact.players.catalogue import behavioural
from gops_exact.players.simple import Published, UpcardPlus
from gops_exact.show.explorer import explorer_page, other_rules

CALLS = [
    (as_rules, {"rules": gx.Rules()}, "rules"),
    (rational, {"x": 3}, "x"),
    (behavioural, {"player": "matching", "game": 3}, "player"),
    (behavioural, {"player": "matching", "game": 3}, "game"),
    (Published, {"n": 5}, "n"),
    (UpcardPlus, {"more": 1}, "more"),
    (explorer_page, {"game": 3}, "game"),
    (explorer_page, {"game": 3}, "others"),
    (other_rules, {"game": 3}, "game"),
]
"""Functions, arguments of a call that works, and the one that is changed."""


@pytest.mark.parametrize(("function", "arguments", "name"), CALLS)
def test_what_is_wrong_is_named_in_one_line(function, arguments, name):
    assert not list(poorly_refused(function, arguments, name))
    if type(arguments.get(name)) is int:
        assert_any_width(function, arguments, name)
