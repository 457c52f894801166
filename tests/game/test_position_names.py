"""A position has one name, which reads back as the position.

    python tests/game/test_position_names.py 100000 [SEED]

takes so many random positions by all rules, and a damaged name of each.
"""

import re
import sys
from random import Random

import pytest
from strategies import random_position

import gops_exact as gx
from gops_exact.commands import cli


def check_names(count, seed):
    """Fail unless as many names read back, and damaged ones are refused or are those of other positions."""
    source, refusals = Random(seed), []
    for _ in range(count):
        position = random_position(source)
        name = str(position)
        assert gx.Position.parse(name) == position, name
        assert re.fullmatch("[0-9a-z._@-]+", name), "a shell or a link would need more"
        place, damage = (
            source.randrange(len(name)),
            source.choice(("", ".", "_", "x", "0", "7", "١", " ")),
        )
        damaged = name[:place] + damage + name[place + source.randint(0, 2) :]
        try:
            other = gx.Position.parse(damaged)
        except ValueError as refusal:
            refusals.append(str(refusal))
        else:
            assert str(other) == damaged
    assert all(len(refusal.splitlines()) == 1 for refusal in refusals)
    return len(refusals)


def test_names_read_back():
    assert check_names(2000, "names") > 1000


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "a position must have _ and the cards of player two at character 1, got 'the end'"),
        ("2.4", "a position must have _ and the cards of player two at character 4"),
        ("2.4_1.3", "a position must have _ and the prizes left at character 8"),
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


@pytest.mark.parametrize("words", [["position"], ["export", "--emit", "nfg"]], ids=" ".join)
def test_commands_take_a_position_by_its_name(words, capsys):
    options = ["--one", "2,4", "--two", "1,3", "--prizes", "12,13", "--upcard", "13"]
    assert cli.main([*words, "2.4_1.3_12.13@13"]) == 0
    named = capsys.readouterr().out
    assert cli.main([*words, *options]) == 0
    assert capsys.readouterr().out == named != ""
    assert cli.main([*words, "2.4_1.3_12.13", "--upcard", "13"]) == 0
    assert capsys.readouterr().out == named
    assert cli.main([*words, "2.4_1.3_12.13@13", "--upcard", "13"]) == 2
    assert "POSITION: expected no --upcard beside it" in capsys.readouterr().err
    assert cli.main([*words, "2.4_1.3_12"]) == 2


if __name__ == "__main__":
    made, *begun = map(int, sys.argv[1:])
    refused = check_names(made, *(begun or [1]))
    sys.stdout.write(f"{made} names read back; {refused} damaged ones refused\n")
