"""The training environments: PettingZoo's and Gymnasium's own checks, costs, and games by the referee."""

import pickle
from copy import deepcopy
from random import Random

import numpy as np
import pytest
from flint import fmpq
from oracle import sign
from recursions import EVERY_RULE

import gops_exact as gx
from gops_exact import hidden_bids, players, training

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test  # noqa: E402
from pettingzoo.utils import parallel_to_aec  # noqa: E402

GopsEnv, GopsParallelEnv, observation = (
    getattr(training, name) for name in ("GopsEnv", "GopsParallelEnv", "observation")
)
ONE, TWO = AGENTS = "player_0", "player_1"
PLAIN, HIDDEN = gx.Rules(), gx.Rules("win", "carryover", "hidden")
ODD = gx.Rules("win", "carryover", (2, 4, 1, 3))
OPEN, SHUT = gx.Game(3), hidden_bids.HiddenBids(gx.Game(3))


def even(game):
    """Player two's random strategy in a game with hidden bids."""
    sets = game.form.sides[1].sets.items()
    return {name: dict.fromkeys(bids, fmpq(1, len(bids))) for name, (_, bids) in sets}


EVEN = even(SHUT)


def chosen(seen, rng):
    """An action by chance for each agent."""
    return {
        agent: int(rng.choice(np.flatnonzero(each["action_mask"]))) for agent, each in seen.items()
    }


def played(env, seed):
    """All that an environment says in a game between agents that bid by chance, as text."""
    rng, said = Random(seed), [env.reset(seed=seed)]
    while env.agents:
        said.append(env.step(chosen(said[-1][0], rng)))
    return str(said)


@pytest.mark.parametrize("rules", [*EVERY_RULE, ODD], ids=str)
def test_environments_pass_the_checks_of_pettingzoo_and_gymnasium(rules):
    game = gx.Game(4 if rules == ODD else 3, rules)
    parallel_api_test(GopsParallelEnv(game, costs=True), num_cycles=20)
    check_env(GopsEnv(game, opponent="random", illegal="lose"), skip_render_check=True)
    if not rules.hidden:
        hidden = hidden_bids.HiddenBids(game)
        parallel_api_test(GopsParallelEnv(hidden), num_cycles=20)
        parallel_seed_test(lambda: GopsParallelEnv(hidden), num_cycles=20)
        env = GopsEnv(hidden, opponent=even(hidden), illegal="lose")
        check_env(env, skip_render_check=True)


# Observations with a mask are dicts in PettingZoo's own games, too.
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
def test_single_agent_and_turn_based_environments_pass_pettingzoo_checks():
    parallel_seed_test(lambda: GopsParallelEnv(4, opponent="random"), num_cycles=20)
    api_test(parallel_to_aec(GopsParallelEnv(4)), num_cycles=20)


def test_gymnasium_makes_gops_v0_by_name():
    options = {"game": gx.Game(4), "opponent": "matching"}
    gymnasium.register_envs(training)
    made, env = gymnasium.make("gops_exact/Gops-v0", **options), GopsEnv(**options)
    (seen, _), total, ended = env.reset(seed=4), 0, False
    longer = "gops_exact.exchange.training:gops_exact/Gops-v0"  # loads its module
    for other in (made, gymnasium.make(longer, **options)):
        assert str(other.reset(seed=4)[0]) == str(seen)
    while not ended:  # one card more than matching, and the lowest for the highest prize
        action = (int(np.flatnonzero(seen["observation"][12:16])[0]) + 1) % 4
        seen, reward, ended, *_ = said = env.step(action)
        assert str(made.step(action)) == str(said)
        masks = made.get_wrapper_attr("action_masks")()
        assert masks.dtype == bool and masks.tolist() == seen["action_mask"].astype(bool).tolist()
        total += reward
    assert total == 1 + 2 + 3 - 4
    assert gymnasium.make("gops_exact/Gops-v0").action_space.n == 5


def pickled(env):
    return pickle.loads(pickle.dumps(env))  # noqa: S301  # just dumped


@pytest.mark.parametrize(
    ("copied", "game", "options"),
    [
        (deepcopy, gx.Game(4, HIDDEN), {"costs": True}),
        (pickled, gx.Game(4), {"opponent": "optimal"}),
        (pickled, gx.Game(4), {"opponent": "random"}),
        (pickled, SHUT, {"opponent": EVEN}),
    ],
)
def test_environment_copies_continue_like_the_original(copied, game, options):
    env, rng = GopsParallelEnv(game, render_mode="ansi", **options), Random(2)
    seen, _ = env.reset(seed=9)
    seen, *_ = env.step(chosen(seen, rng))
    copy = copied(env)
    assert (copy.agents, copy.render()) == (env.agents, env.render())
    for _ in range(2):
        while env.agents:
            actions = chosen(seen, rng)
            seen, *said = env.step(actions)
            assert str((*copy.step(actions), copy.render())) == str((seen, *said, env.render()))
        seen, infos = env.reset()
        assert str(copy.reset()) == str((seen, infos))


class Follower(players.Policy):
    """Bids near the opponent's last card, at first at random."""

    def bid(self, view, rng):
        last = view.rounds[-1].reply if view.rounds else rng.choice(view.hand)
        return min(view.hand, key=lambda card: abs(card - last))


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
@pytest.mark.parametrize("deck", [(1, 2, 3, 4, 5), (0, 2, 2, 3, 9)], ids=str)
def test_environment_games_equal_seeded_matches(rules, deck):
    """Prizes, an opponent's bids and the rewards are those of a match with the same seed."""
    game = gx.Game(5, rules, deck)
    env = GopsParallelEnv(game, opponent=Follower())
    for number, over in enumerate(players.match("highest", Follower(), game, games=3, seed=11)):
        seen, _ = env.reset(seed=11 if number == 0 else None)
        position, rewards = game.start, []
        for each in over:
            position = position.at(None if rules.hidden else each.upcard)
            assert str(seen[ONE]) == str(observation(position, 5, deck))
            assert seen[ONE] in env.observation_space(ONE)
            seen, reward, *_ = env.step({ONE: each.bid - 1})
            rewards.append(reward[ONE])
            position = position.after(each.bid, each.reply, each.upcard)
        assert not env.agents
        gains = [each.stake * sign(each.bid - each.reply) for each in over]
        assert rewards == ([0, 0, 0, 0, sign(sum(gains))] if rules.winning else gains)


def test_observation_marks_prizes_by_their_rank_in_the_deck():
    """Equal ones at the lowest that are left. The other numbers are read by the test of costs."""
    deck = (0, 2, 2, 5)
    turned = gx.Game(4, deck=deck).start.at(2).after(4, 1).at(2)
    seen = observation(turned, 4, deck)["observation"].tolist()
    assert seen == [*(1, 1, 1, 0), *(0, 1, 1, 1), *(1, 1, 0, 1), *(0, 1, 0, 0), 0, 0]


@pytest.mark.parametrize("arithmetic", ["exact", "float"])
@pytest.mark.parametrize("rules", [PLAIN, gx.Rules("win", "carryover")], ids=str)
def test_environment_costs_equal_value_minus_gain(rules, arithmetic):
    env, rng = GopsParallelEnv(gx.Game(4, rules), costs=True, arithmetic=arithmetic), Random(3)
    exact, judged = gx.solver("exact", gx.Game(4, rules)), 0
    width = fmpq(0) if arithmetic == "exact" else fmpq(1, 10**9)
    for seed in range(10):
        seen, infos = env.reset(seed=seed)
        while env.agents:
            for agent in AGENTS:
                *marks, margin, pot = seen[agent]["observation"].astype(int).tolist()
                cards = ([k + 1 for k in range(4) if marks[start + k]] for start in (0, 4, 8, 12))
                one, two, prizes, (upcard,) = cards
                position = gx.Position(one, two, prizes, upcard, rules, margin=margin, pot=pot)
                solution, costs = exact.solve(position), infos[agent]["costs"]
                gains = exact.bid_gains(position)
                assert [action + 1 for action in costs] == list(gains)
                for card, gain in gains.items() if solution.column.unique else ():
                    low, high = costs[card - 1].bounds()
                    assert low <= solution.value - gain <= high <= low + width
                    judged += 1
            seen, _, _, _, infos = env.step(chosen(seen, rng))
        assert all(infos[agent] == {"costs": {}} for agent in AGENTS)
    assert judged > 100


ILLEGAL = [
    ({ONE: 2, TWO: 0}, "player_0 must be one of 0, 1, 3, got 2", -1),
    ({ONE: 0, TWO: 1.0}, "player_1 must be an integer, got 1.0", 1),
    ({TWO: 0}, "player_0 must be an integer, got None", -1),
    ({ONE: "x"}, "player_0 must be an integer, got 'x'", 0),
]
"""Actions in a round, what is wrong in them, and who wins if an illegal one loses; 0 if both are illegal."""


def after_a_round(objective, illegal):
    """A game of four cards in which both have bid once."""
    game = gx.Game(4, gx.Rules(objective, prizes="descending"))
    env = GopsParallelEnv(game, illegal=illegal)
    env.reset()
    env.step({ONE: 2, TWO: 1})
    return env


@pytest.mark.parametrize(("actions", "message"), [case[:2] for case in ILLEGAL])
def test_illegal_action_raises_an_error_and_leaves_the_round_open(actions, message):
    env = after_a_round("points", "raise")
    for wrong, error in ((actions, f"^the action of {message}$"), ([0], "actions must be {agent:")):
        with pytest.raises(ValueError, match=error):
            env.step(wrong)
    # Nothing has changed: the legal bids are those of before.
    env.step({ONE: np.int64(3), TWO: np.int8(2)})


@pytest.mark.parametrize(("actions", "winner"), [(case[0], case[2]) for case in ILLEGAL])
@pytest.mark.parametrize(("objective", "stake"), [("points", 3 + 2 + 1), ("win", 1)])
def test_illegal_action_forfeits_all_that_is_left_if_the_environment_is_set_to_lose(
    objective, stake, actions, winner
):
    env = after_a_round(objective, "lose")
    _, gained, ended, _, _ = env.step(actions)
    assert [*gained.values()] == [winner * stake, -winner * stake]
    assert ([*ended.values()], env.agents) == ([True, True], [])


def test_step_before_reset_is_refused():
    with pytest.raises(ValueError, match="step must have a game that is going on, got none"):
        GopsParallelEnv(4).step({ONE: 0, TWO: 0})


@pytest.mark.parametrize(
    ("objective", "actions", "total", "ending"),
    [
        ("points", {ONE: 2, TWO: 0}, -2, "Your action was illegal. 4 to 6: you lose 2."),
        (
            "points",
            {ONE: 3, TWO: 1},
            10,
            "The opponent's action was illegal. 10 to 0: you gain 10.",
        ),
        ("points", {}, 4, "Both actions were illegal. 4 to 0: you gain 4."),
        ("win", {ONE: 2, TWO: 0}, -1, "Your action was illegal: you lose."),
        ("win", {ONE: 3, TWO: 1}, 1, "The opponent's action was illegal: you win."),
        ("win", {}, 0, "Both actions were illegal: a draw."),
    ],
)
def test_environment_renders_the_result_that_its_rewards_add_up_to(
    objective, actions, total, ending
):
    rules = gx.Rules(objective, prizes="descending")
    env = GopsParallelEnv(gx.Game(4, rules), illegal="lose", render_mode="ansi")
    env.reset()
    rewards = [env.step(bids)[1][ONE] for bids in ({ONE: 2, TWO: 1}, actions)]
    assert sum(rewards) == total
    assert env.render() == f"You bid 3, the opponent 2: 4 for you.\n{ending}"
    env.reset()
    assert env.render().startswith("Round 1 of 4.")


def test_environment_renders_a_result_if_the_first_action_is_illegal():
    env = GopsEnv(gx.Game(2), opponent="lowest", illegal="lose", render_mode="ansi")
    env.reset()
    env.step(7)
    assert env.render() == "Your action was illegal. 0 to 3: you lose 3."


NO_STRATEGIES = {
    "opponent must be a strategy of the game": "random",
    "1: expected probabilities of 1, 2, 3 with the sum 1, got none": {"3": {3: 1}},
    "2: expected probabilities of 1, 2, 3 with the sum 1": EVEN | {"2": {1: 5, 9: 1}},
    "2: a probability must not be negative": EVEN | {"2": {1: 2, 2: -1}},
}
ARGUMENTS = [
    (gx.Game(13), {"opponent": "optimal"}, "n must be at most 7 in exact arithmetic"),
    (OPEN, {"arithmetic": "ball"}, "must be 'exact' or 'float' for a policy"),
    (OPEN, {"illegal": "maybe"}, "must be 'raise' or 'lose', got 'maybe'"),
    (gx.Game(4, HIDDEN), {"opponent": "matching"}, "to see the upcard, got hidden prizes"),
    (gx.Game(3, gx.Rules("win")), {"opponent": players.Optimal(OPEN)}, "made for 3 cards, obj"),
    (SHUT, {"costs": True}, "nobody must see the bids, and costs must be"),
    (hidden_bids.HiddenBids(OPEN, (True, False)), {}, "nobody must see the bids"),
    *((SHUT, {"opponent": opponent}, message) for message, opponent in NO_STRATEGIES.items()),
]


@pytest.mark.parametrize(("game", "options", "message"), ARGUMENTS)
def test_environments_refuse_unsuited_opponents_ball_arithmetic_and_costs_with_hidden_bids(
    game, options, message
):
    for make in GopsParallelEnv, GopsEnv:
        with pytest.raises(ValueError, match=message):
            make(game, **options)
    with pytest.raises(ValueError, match="opponent must be a policy or the name of one, got None"):
        GopsEnv(OPEN, opponent=None)


def test_observation_refuses_positions_of_another_game():
    for position in (gx.Position.start(4), gx.Position([1, 2], [1, 2], [3, 3])):
        with pytest.raises(ValueError, match="position must be one of the game of 3 cards, got"):
            observation(position, 3)


@pytest.mark.parametrize("game", [gx.Game(3), gx.Game(4, ODD)], ids=str)
def test_hidden_observation_reveals_exactly_the_information_set(game):
    game, rng, seen, bids = hidden_bids.HiddenBids(game), Random(5), {}, {}
    names = [{*side.sets} | {*side.forced} for side in game.form.sides]
    env = GopsParallelEnv(game)
    for seed in range(200):
        observed, infos = env.reset(seed=seed)
        while env.agents:
            for own, other, known in zip(AGENTS, reversed(AGENTS), names, strict=True):
                name = infos[own]["information_set"]
                assert name in known
                assert env.observation_space(own).contains(observed[own])
                text = str(observed[own]["observation"].tolist())
                assert seen.setdefault((own, name), text) == text
                hand = str(observed[other]["action_mask"].tolist())
                bids.setdefault((own, name), set()).add(hand)
            observed, _, _, _, infos = env.step(chosen(observed, rng))
    assert len(set(seen.values())) >= len({name for _, name in seen})
    assert any(len(hands) > 1 for hands in bids.values())  # what the other holds stays hidden


def test_optimal_opponent_with_hidden_bids_plays_the_solved_equilibrium():
    game = hidden_bids.HiddenBids(gx.Game(3, gx.Rules("win", prizes="descending")))
    usual, named = (
        played(GopsParallelEnv(game, opponent=opponent), 5)
        for opponent in ("optimal", gx.solve_game(game).column)
    )
    assert usual == named
