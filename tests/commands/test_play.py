"""Games that are played: costs of bids by every rule against the oracle, and layers that are there."""

import oracle
import pytest
from oracle import as_oracle, fraction
from program import run
from recursions import RULE_SETS

import gops_exact as gx


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_costs_in_a_review_equal_the_oracles(rules):
    game = gx.Game(3, rules)
    solver = gx.solver("exact", game)
    optimal = gx.players.Optimal(game, solver)
    for seed in range(3):
        (rounds,) = gx.players.match("random", optimal, game, seed=seed)
        judged = gx.players.review(rounds, game, solver)
        assert [each.over for each in judged] == list(rounds)
        for each in judged:
            view, at = each.view, each.view.position
            seen = view.hand, view.opponent, view.prizes, view.upcard
            state = {"margin": at.margin, "pot": at.pot} | as_oracle(view.rules)
            value, matrix = oracle.position_solution(*seen, **state)
            bid = matrix[view.hand.index(each.over.bid)]
            replies = solver.solve(at).column.values()
            gain = sum(entry * fraction(q) for entry, q in zip(bid, replies, strict=True))
            assert fraction(each.cost) == value - gain >= 0
        (rounds,) = gx.players.match(optimal, "random", game, seed=seed)
        assert not any(each.cost for each in gx.players.review(rounds, game, solver))


def test_play_reuses_finished_float_layers(tmp_path):
    words = f"-n 4 --arithmetic float --folder '{tmp_path / 'layers'}'"
    assert run(f"{words} --emit csv").status == 0
    layers = sorted((tmp_path / "layers").iterdir())
    assert run(f"play {words} --seed 1 --bids 1,2,3,4").status == 0
    assert sorted((tmp_path / "layers").iterdir()) == layers  # not those of fewer cards, either
