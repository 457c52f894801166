"""Strategy 0203 without its refinement, of which alone its authors report results."""

from functools import partial
from statistics import fmean

import pytest

import gops_exact as gx
from gops_exact.players import match, points
from gops_exact.players.dror_kendall_rapoport import Strategy, bid_0203

PLAIN, CARRY = gx.Rules(), gx.Rules(ties="carryover")
UNREFINED = Strategy("0203", partial(bid_0203, refined=False))


def test_0203_opens_with_its_three_lowest_cards_and_beats_matching():
    game = match(UNREFINED, "matching", gx.Game(13))[0]
    assert [each.bid for each in game[:3]] == [1, 2, 3]
    # It wins all the prizes but the first three and those it had no card for.
    assert all(each.bid > each.reply or each.reply > 10 for each in game[3:])


@pytest.mark.parametrize(
    ("opponent", "rules", "theirs", "own"),
    [
        # Figures 15 to 22: average points of 100 games, the opponent's first.
        ("matching", PLAIN, 29.47, 59.95),
        ("matching", CARRY, 28.63, 59.53),
        ("random", PLAIN, 36.03, 48.01),
    ],
)
def test_0203_does_as_well_as_reported(opponent, rules, theirs, own):
    games = [
        points(game)
        for seed in range(20)
        for game in match(opponent, UNREFINED, gx.Game(13, rules), games=10, seed=seed)
    ]
    # Means of 100 and 200 games with a standard deviation of about 12 points: two errors are 3.
    assert fmean(won for won, _ in games) == pytest.approx(theirs, abs=3)
    assert fmean(lost for _, lost in games) == pytest.approx(own, abs=3)
