"""Gains of best responses in arrays beside those by recursion, and the estimate of the time that these take."""

import pytest

import gops_exact as gx
from gops_exact.players import Pure, best_response, expectation, policy

NAMES = "matching", "upcard+1", "upcard+2", "upcard+3", "highest", "lowest"


class Late(Pure):
    """Matches, but for a tie-break that depends on the order, so its hand follows from no set."""

    blind = True

    def card(self, view):
        return view.hand[-1] if view.upcard > view.hand[0] else view.hand[0]


@pytest.mark.parametrize("deck", [(1,), range(1, 6), (0, 0, 3, 9)], ids=str)
def test_best_response_gains_in_arrays_equal_those_by_recursion(deck, monkeypatch):
    game = gx.Game(len(deck), deck=deck)
    players = [*(policy(name, game) for name in NAMES), Late()]
    by_recursion = [best_response(player, game).gain for player in players]
    in_arrays, gains = expectation.gain_in_arrays, []
    monkeypatch.setattr(expectation, "SMALL", 0)
    monkeypatch.setattr(
        expectation, "gain_in_arrays", lambda *given: gains.append(in_arrays(*given)) or gains[-1]
    )
    assert [best_response(player, game).gain for player in players] == by_recursion
    assert gains[:-1] == by_recursion[:-1]  # the last player's gain is left to the recursion


def test_best_response_refuses_hours_early(monkeypatch):
    monkeypatch.setattr(expectation, "PAIRS_SEEN", 20_000)
    told = []
    message = r"at most 300,000,000 pairs of bids .* unless forced \(states\), got about [0-9,]+$"
    with pytest.raises(ValueError, match=message):
        best_response("random", gx.Game(12), progress=lambda *done: told.append(done))
    assert max(done for done, _ in told) < 0.1 * told[0][1]
