"""Rules and decks: frames, growth and tables by other ones, and positions that there are none of."""

import re

import pytest
from program import run

import gops_exact as gx

pytestmark = pytest.mark.usefixtures("own_store")


def test_first_moves_for_hidden_prizes_are_shown_in_a_column_named_hidden():
    moves = gx.first_move(3, rules=gx.Rules(prizes="hidden"))
    assert list(moves.table().floats().columns) == ["hidden"]
    with pytest.raises(KeyError, match="must be None, as prizes are hidden, got 'hidden'"):
        moves["hidden"]
    assert moves.to_frame().loc[("hidden", 2), "exact"] == moves[None][2]
    assert "hidden" in moves._repr_html_() and "& hidden" in moves._repr_latex_()


def test_growth_of_digits_counts_only_the_values_of_the_given_rules():
    gx.first_move(4, rules=gx.Rules("win"))
    # One card a side: the same card, or player one's the lower. Before the prize 1, 2, 3 or 4 is the last,
    # there are so many margins that it can change.
    assert gx.growth(4, rules=gx.Rules("win"))[0].numbers == 2 * (3 + 5 + 7 + 9)
    with pytest.raises(ValueError, match="the store must hold the values of the game of 4 cards"):
        gx.growth(4)


def test_growth_of_digits_has_a_line_for_one_card_when_two_cards_are_dealt():
    hidden = gx.Rules(prizes="hidden")
    gx.first_move(2, rules=hidden)
    one, two = gx.growth(2, rules=hidden)
    assert (one.cards_a_side, one.numbers, two.cards_a_side) == (1, 2, 2)
    gx.first_move(1)
    assert [layer.cards_a_side for layer in gx.growth(1)] == [1]


@pytest.mark.parametrize(
    ("options", "other", "status"),
    [
        ("", "0,1,2,30", 2),
        ("--prizes 3,0,1,2", "0,1,2,30", 2),
        ("--prizes hidden", "1,1,9,9", 0),  # the same first move, which is right of both
    ],
)
def test_verify_proves_a_table_only_if_it_is_right_for_the_given_deck(
    tmp_path, options, other, status
):
    """A table does not name its deck; with another one it is proved of that one, or is no table of it."""
    store, file = tmp_path / "store.sqlite", tmp_path / "moves.csv"
    verify = f"verify {options} --store '{store}' '{file}'"
    for kind in ("exact", "float"):
        words = f"-n 4 --deck 0,1,2,3 {options} --arithmetic {kind} --emit csv --out '{file}'"
        assert run(words).status == 0
        for deck, expected in (("3,1,0,2", 0), (other, status), ("0,1,2", 2)):
            assert run(f"{verify} --deck {deck}").status == expected, deck


HIDDEN, FALLING = (gx.Rules(prizes=order) for order in ("hidden", "descending"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": HIDDEN, "upcard": 1}, "left out where prizes are hidden, got 1"),
        ({"rules": FALLING, "upcard": 1}, "must be 2, the first of the"),
        ({"rules": gx.Rules(prizes=(3, 1))}, "of 3,1 in order must be the last 2, got 1, 2"),
        ({"upcard": 1, "margin": 2}, "margin must be 0 where points are played for, got 2"),
        ({"upcard": 1, "pot": 1}, "pot must be 0 where ties are discarded, got 1"),
    ],
)
def test_position_refuses_impossible_upcards_prize_orders_margins_and_pots(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        gx.Position([1, 2], [1, 2], [1, 2], **arguments)


def test_solve_refuses_a_position_without_an_upcard_and_says_how_to_turn_one_up():
    message = "of the prizes 1, 2, got None: turn one up with position.at(1)"
    with pytest.raises(ValueError, match=re.escape(message)):
        gx.solve(gx.Position([1, 2], [1, 2], [1, 2]))
