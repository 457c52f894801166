"""Policies out of OpenSpiel, measured beside its own ``nash_conv`` and a plain recursion over its states."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from program import run
from recursions import RULE_SETS

import gops_exact as gx
from gops_exact import training
from gops_exact.exchange import SpielTree, goofspiel, policy_table, tabular_policy
from gops_exact.extensive import best_replies, security_level
from gops_exact.players import BidError, best_response, expected, losses, policy

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
from open_spiel.python.algorithms import expected_game_score, exploitability  # noqa: E402
from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy  # noqa: E402

nash_conv, players_of, reply_gain, OpenSpielPlayer = (
    getattr(training, name) for name in ("nash_conv", "players_of", "reply_gain", "OpenSpielPlayer")
)

ALIKE = 1e-9
"""The most that two sums of some thousands of floats differ."""

RULES = [rules for rules in RULE_SETS if not (rules.hidden or rules.carries)]
every_rule = pytest.mark.parametrize("rules", RULES, ids=str)

THREE = goofspiel(3)
KEPT = []
"""Solvers, whose policies look things up in them."""


def trained(game):
    """A policy of both seats out of OpenSpiel."""
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, 7)
    for _ in range(100):
        solver.run_iteration()
    KEPT.append(solver)
    return solver.average_policy()


def assert_holds(player, game):
    """The exact gain of a best response lies within what floats say, which is returned."""
    found = reply_gain(player)
    least, most = found.bounds()
    assert least <= best_response(player, game).gain <= most
    return found


@every_rule
def test_expected_score_and_nash_conv_equal_openspiels(rules):
    for n in (1, 2, 3):
        whole = gx.Game(n, rules)
        game = goofspiel(whole)
        found = trained(game)
        for player in players_of(found, game):
            assert_holds(player, whole)
        for player in players_of(pairings, game):
            assert assert_holds(player, whole).value > 0 or n < 3
    theirs, _ = expected_game_score.policy_value(game.new_initial_state(), [found, found])
    ours = expected(*players_of(found, game), whole).difference
    unit = 1 if rules.winning else 2  # OpenSpiel pays half the difference of the points
    assert float(ours) / unit == pytest.approx(theirs, abs=ALIKE)
    if rules.fixed or not rules.winning:  # OpenSpiel takes a second at random
        game = goofspiel(gx.Game(4, rules))
        found = trained(game)
    theirs, ours = exploitability.nash_conv(game, found), nash_conv(game, found)
    assert ours.value == pytest.approx(theirs, abs=ALIKE)
    assert theirs > 0.005 and 0 < ours.radius < ALIKE
    with pytest.raises(ValueError, match="no more than 10 states unless forced"):
        nash_conv(goofspiel(3), winners, states=10)


def pairings(state):
    """A policy that looks at which bids met, which no information state tells."""
    actions, history = state.legal_actions(), state.full_history()
    one, two = ([each.action for each in history if each.player == player] for player in (0, 1))
    met = sum(a * b for a, b in zip(one, two, strict=False)) % 3
    even = dict.fromkeys(actions, 1 / len(actions))
    return ({actions[0]: 1.0}, {actions[-1]: 1.0}, even)[met - 1]


def winners(state):
    """A policy that looks at the hand and at who won the last prize."""
    low, *_, high = state.legal_actions() * 2
    won = state.information_state_string().split("Win sequence: ")[1].split("\n")[0].split()
    share = {"0": 0.2, "1": 0.9}.get(won[-1], 0.5) if won else 0.7
    return [(low, share), (high, 1 - share)]


def drawn_policy(game, seed):
    """A table with probabilities at random, some of them 0."""
    table, rng = TabularPolicy(game), np.random.default_rng(seed)
    mask = table.legal_actions_mask
    weights = rng.random(mask.shape) * mask * (rng.random(mask.shape) < 0.8) + 1e-9 * mask
    table.action_probability_array[:] = weights / weights.sum(1, keepdims=True)
    return table


@pytest.mark.parametrize(
    ("name", "policies"),
    [
        ("kuhn_poker", 8),
        ("liars_dice(dice_sides=2)", 5),
        ("leduc_poker", 1),
        (str(goofspiel(3)), 2),
    ],
)
def test_exploitability_of_random_policies_equals_openspiels(name, policies):
    game = pyspiel.load_game(name)
    tree = SpielTree(game)
    for seed in range(policies):
        table = drawn_policy(game, seed)
        replies = best_replies(tree, table)
        gain = exploitability.nash_conv(game, table)
        assert float(replies.exploitability) == pytest.approx(gain, abs=ALIKE)
        # The replies get what they are said to get.
        _, column = tree.strategies(table)
        assert best_replies(tree, replies.row, column).most == replies.most
        assert security_level(tree, replies.column, 2) <= -replies.least
        for same in (policy_table(table), table.action_probabilities):
            assert best_replies(tree, same).exploitability == replies.exploitability


def test_nash_conv_takes_goofspiel_as_pyspiel_loads_it():
    for hidden in (False, True):
        plain = pyspiel.load_game(f"goofspiel(num_cards=3,imp_info={hidden})")
        turned = pyspiel.convert_to_turn_based(plain)
        right = nash_conv(turned, UniformRandomPolicy(turned))
        assert nash_conv(plain, UniformRandomPolicy(plain)).value == right.value
        assert nash_conv(plain, pairings).value == nash_conv(turned, pairings).value


def test_best_replies_refuse_policies_with_unknown_actions_sums_below_1_or_missing_states():
    tree = SpielTree("kuhn_poker")
    table = policy_table(TabularPolicy(tree.spiel))
    for change, message in (
        (
            {"0": [(0, 0.5), (2, 0.5)]},
            "0: expected probabilities of Pass, Bet with the sum 1, got 0: 1/2, 2: 1/2",
        ),
        ({"0": [(0, 0.5), (1, 0.4)]}, "0: probabilities must have the sum 1, got {0: 0.5"),
        ({"0": [(0, float("nan")), (1, 1.0)]}, "a probability must be an exact rational, got nan"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            best_replies(tree, table | change)
    del table["0"]
    with pytest.raises(ValueError, match="all information states, got none like '0'"):
        best_replies(tree, table)


def test_nash_conv_over_information_states_is_that_over_histories_unless_a_policy_sees_more():
    # Prizes at random: the same winners with other points.
    for game in (gx.Game(4), gx.Game(4, gx.Rules("win", prizes="ascending"))):
        whole, *less = (
            nash_conv(goofspiel(game), winners, sees).value
            for sees in ("history", "information state", "observation")
        )
        assert less == pytest.approx([whole] * 2, abs=ALIKE)
    # With five cards the pairings can make a difference; with four they decide nothing.
    game = goofspiel(gx.Game(5, gx.Rules(prizes="ascending")))
    history, state = (
        nash_conv(game, pairings, sees).value for sees in ("history", "information state")
    )
    assert abs(history - state) > 1e-3


def test_policies_that_depend_on_the_opponents_bid_of_the_same_round_are_refused():
    def cheat(state):
        actions = state.legal_actions()
        wanted = state.history()[-1] + 1 if state.current_player() == 1 else 0
        return {wanted if wanted in actions else actions[0]: 1.0}

    one, two = players_of(cheat, THREE)
    assert assert_holds(one, gx.Game(3)).value == pytest.approx(13 / 6)
    for measure in (reply_gain, lambda player: best_response(player, gx.Game(3))):
        with pytest.raises(BidError, match="must not depend on the bid of the same round"):
            measure(two)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        *(
            (lambda _state, answer=answer: answer, "must give probabilities")
            for answer in (
                *({}, {0: float("nan")}, {0: -1.0, 1: 2.0}, 7, {"a": 1}, {0: True}),
                *([[0.0, 1.0]], [[0, 0.5], [0, 1.0]], [[0, 1.0], [1, 10**400]], {0: 0.6, 1: 0.6}),
            )
        ),
        ({"Current player: 0": [[0, 1.0]]}, "must have all information states"),
        (TabularPolicy(goofspiel(gx.Game(2))), "must have all information states"),
        (lambda _state: {2: 1.0}, "must bid one of 1, 2, got"),
    ],
)
def test_measuring_an_openspiel_policy_without_proper_probabilities_is_refused(given, message):
    player = OpenSpielPlayer(given, THREE, 0)
    for measure in (reply_gain, lambda player: best_response(player, gx.Game(3))):
        with pytest.raises(BidError, match=message):
            measure(player)


def turn_based(**parameters):
    game = pyspiel.load_game("goofspiel", {"num_cards": 4, **parameters})
    return pyspiel.convert_to_turn_based(game)


GAMES = {
    "imp_info must be False, got True": turn_based(imp_info=True),
    "num_turns must be -1 or 4, got 2": turn_based(num_turns=2),
    "game must be OpenSpiel's goofspiel, got": pyspiel.load_game("kuhn_poker"),
}


@pytest.mark.parametrize("message", GAMES)
def test_openspiel_policies_of_other_games_hidden_bids_and_shortened_goofspiel_are_refused(message):
    with pytest.raises(ValueError, match=message):
        players_of(winners, GAMES[message])


def test_losses_of_a_policy_at_all_positions_sum_to_the_gain_of_its_best_response():
    whole = gx.Game(3)
    for player in (policy("random", whole), OpenSpielPlayer(pairings, THREE, 1)):
        totals = [loss.total for loss in losses(player, whole)]
        assert sum(totals) == best_response(player, whole).gain > 0
        assert totals == sorted(totals, reverse=True)


def test_command_measure_reads_files_of_openspiel_policies(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a name without spaces, which the table shows
    names = ["matching.json", "matching.json:2", "matching"]
    Path(names[0]).write_text(json.dumps(policy_table(tabular_policy("matching", 3))))
    command = f"measure -n 3 --policy {','.join(names)}"
    out = run(f"{command} --against best-response --emit csv").out
    rows = [line.split(",") for line in out.splitlines()[1:]]
    assert [(row[0], row[4]) for row in rows] == [(name, "0") for name in names]
    for text, message in (
        ("{", "matching.json: expected JSON, got"),
        ("[1, 2]", "policy must be one of OpenSpiel's, a table or a function"),
    ):
        Path(names[0]).write_text(text)
        status, _, err = run(f"{command} --against best-response")
        assert status == 2 and message in err and err.count("\n") == 1
