"""The training environments: PettingZoo's and Gymnasium's own checks, costs, and games by the referee."""

import importlib
import pickle
import sys
from copy import deepcopy
from itertools import product
from random import Random
from statistics import fmean, stdev

import numpy as np
import pytest
from flint import fmpq

import gops_exact as gx
from gops_exact import players
from gops_exact.game.rules import OBJECTIVES, ORDERS, TIES
from gops_exact.numbers import view
from gops_exact.players.policy import BidError, points

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.utils import parallel_to_aec

from gops_exact.training.environments import AGENTS, GopsEnv, GopsParallelEnv, observation

RULE_SETS = [gx.Rules(*each) for each in product(OBJECTIVES, TIES, ORDERS)]
ODD_ORDER = gx.Rules("win", "carryover", (2, 4, 1, 3))


def choice(observation, rng):
    """An action by chance."""
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def chosen(seen, rng):
    return {agent: choice(each, rng) for agent, each in seen.items()}


def played(env, seed, games=1):
    """All that an environment says in games between agents that bid by chance, as text."""
    rng, said = Random(seed), []
    for number in range(games):
        seen, infos = env.reset(seed=seed if number == 0 else None)
        said.append((seen, infos))
        while env.agents:
            seen, *others = env.step(chosen(seen, rng))
            said.append((seen, others))
    return str(said)


@pytest.mark.parametrize("rules", [*RULE_SETS, ODD_ORDER], ids=str)
def test_pettingzoo_accepts_every_rule_set(rules):
    parallel_api_test(GopsParallelEnv(gx.Game(4, rules), costs=True), num_cycles=50)
    parallel_seed_test(lambda: GopsParallelEnv(gx.Game(4, rules), costs=True), num_cycles=50)


# Observations with a mask are dicts in PettingZoo's own games, too.
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
def test_pettingzoo_accepts_one_agent_and_agents_that_take_turns():
    parallel_api_test(
        GopsParallelEnv(gx.Game(5), opponent="optimal", arithmetic="float"), num_cycles=50
    )
    parallel_seed_test(lambda: GopsParallelEnv(gx.Game(5), opponent="random"), num_cycles=50)
    api_test(parallel_to_aec(GopsParallelEnv(gx.Game(4))), num_cycles=50)


def test_gymnasium_accepts_the_environment_of_one_side():
    check_env(GopsEnv(gx.Game(4), costs=True), skip_render_check=True)
    with pytest.raises(ValueError, match="opponent must be a policy or the name of one, got None"):
        GopsEnv(gx.Game(3), opponent=None)
    env = GopsEnv(gx.Game(4), opponent="matching")
    (seen, _), total, ended = env.reset(seed=4), 0, False
    while not ended:  # one card more than matching, and the lowest for the highest prize
        upcard = int(np.flatnonzero(seen["observation"][12:16])[0])
        seen, reward, ended, *_ = env.step((upcard + 1) % 4)
        total += reward
    assert total == 1 + 2 + 3 - 4


@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", "carryover", "hidden")], ids=str)
def test_the_same_seed_gives_the_same_games(rules):
    game = gx.Game(4, rules)
    for options in ({"costs": True}, {"opponent": "optimal"}):
        one, other, third = (GopsParallelEnv(game, **options) for _ in "123")
        copy = pickle.loads(pickle.dumps(third))  # noqa: S301
        found = played(one, 7, games=3)
        assert found == played(other, 7, games=3) == played(copy, 7, games=3)
        assert found != played(third, 8, games=3)
    fresh = {played(GopsParallelEnv(gx.Game(6)), None) for _ in range(3)}
    assert len(fresh) == 3


COPIES = {"deepcopy": deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}  # noqa: S301


def lowest(env):
    """The lowest card of each agent, as an action."""
    hands = env._position.one, env._position.two
    return {agent: hand[0] - 1 for agent, hand in zip(env.agents, hands, strict=False)}


def rest(env):
    """All that an environment says in the rest of a game and in the next one, as text."""
    said = []
    for _ in range(2):
        while env.agents:
            said.append((env.step(lowest(env)), env.render()))
        said.append(env.reset())
    return str(said)


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", "carryover", "hidden")], ids=str)
@pytest.mark.parametrize(
    "options", [{}, {"costs": True}, {"opponent": "optimal"}, {"opponent": "random"}], ids=str
)
def test_a_copy_made_in_mid_game_goes_on_like_the_original(copied, rules, options):
    env = GopsParallelEnv(gx.Game(5, rules), render_mode="ansi", **options)
    env.reset(seed=9)
    for space in env.action_spaces.values():
        space.seed(4)
    for _ in range(2):
        env.step(lowest(env))
    copy = COPIES[copied](env)
    assert (copy.agents, copy.render()) == (env.agents, env.render())
    drawn = [[space.sample() for space in each.action_spaces.values()] for each in (copy, env)]
    assert drawn[0] == drawn[1]
    assert rest(copy) == rest(env)


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_of_the_environment_of_one_side_goes_on_too(copied):
    env = GopsEnv(gx.Game(5), opponent="random", costs=True)
    env.reset(seed=3)
    env.step(4)
    copy = COPIES[copied](env)
    for card in (3, 2, 1, 0):
        assert str(copy.step(card)) == str(env.step(card))
    assert str(copy.reset()) == str(env.reset())


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_games_are_the_referees(rules):
    """Prizes, an opponent's bids and the rewards are those of a match with the same seed."""
    highest, opponent = players.policy("highest", gx.Game(5)), players.policy("random", gx.Game(5))
    match = players.match(highest, opponent, gx.Game(5, rules), games=4, seed=11)
    env = GopsParallelEnv(gx.Game(5, rules), opponent=opponent)
    for number, game in enumerate(match):
        seen, _ = env.reset(seed=11 if number == 0 else None)
        rewards = []
        while env.agents:
            action = int(np.flatnonzero(seen["player_0"]["action_mask"])[-1])
            seen, reward, *_ = env.step({"player_0": action})
            rewards.append(reward["player_0"])
        assert env._rounds == game
        if rules.winning:
            won, lost = points(game)
            assert rewards == [0, 0, 0, 0, (won > lost) - (won < lost)]
        else:
            assert rewards == [each.won - each.lost for each in game]


def test_an_observation_holds_what_an_agent_may_know():
    env = GopsParallelEnv(gx.Game(4, ODD_ORDER))
    env.reset()
    env.step({"player_0": 3, "player_1": 0})
    seen, *_ = env.step({"player_0": 1, "player_1": 1})
    # Two points won with the first prize, the second, four, tied: it is in the pot, the third is one.
    own, other = [1, 0, 1, 0], [0, 0, 1, 1]
    later = [*(1, 0, 1, 0), *(1, 0, 0, 0)]
    assert seen["player_0"]["observation"].tolist() == [*own, *other, *later, 2, 4]
    assert seen["player_1"]["observation"].tolist() == [*other, *own, *later, -2, 4]
    assert seen["player_0"]["action_mask"].tolist() == own
    assert seen["player_1"]["action_mask"].tolist() == other
    assert all(seen[agent] in env.observation_space(agent) for agent in AGENTS)


def test_hidden_prizes_are_not_observed_before_the_bids():
    env = GopsParallelEnv(gx.Game(4, gx.Rules(prizes="hidden")))
    for seed in range(5):
        seen, _ = env.reset(seed=seed)
        assert seen["player_0"]["observation"][8:16].tolist() == [1] * 4 + [0] * 4


@pytest.mark.parametrize("arithmetic", ["exact", "float", "folder"])
@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", "carryover")], ids=str)
def test_costs_are_value_less_gain_at_every_position(rules, arithmetic, tmp_path):
    kind = gx.Float(tmp_path) if arithmetic == "folder" else arithmetic
    env, rng = GopsParallelEnv(gx.Game(4, rules), costs=True, arithmetic=kind), Random(3)
    assert bool(list(tmp_path.iterdir())) == (arithmetic == "folder")
    exact, judged = gx.solver("exact", gx.Game(4, rules)), 0
    for seed in range(15):
        seen, infos = env.reset(seed=seed)
        while env.agents:
            for position, agent in ((env._position, 0), (env._position.swapped(), 1)):
                solution, gains = exact.solve(position), exact.bid_gains(position)
                costs = infos[AGENTS[agent]]["costs"]
                assert [action + 1 for action in costs] == list(gains)
                if solution.column.unique:
                    for card, gain in gains.items():
                        low, high = costs[card - 1].bounds()
                        assert low <= solution.value - gain <= high
                        assert arithmetic != "exact" or low == high
                        assert high - low < fmpq(1, 10**9)
                        judged += 1
            seen, _, _, _, infos = env.step(chosen(seen, rng))
        assert all(infos[agent] == {"costs": {}} for agent in AGENTS)
    assert judged > 100


GAMES = 3000
"""Four standard errors of their mean cost are less than a tenth of it."""


@pytest.mark.parametrize(
    ("rules", "arithmetic"),
    [
        (gx.Rules(), "exact"),
        (gx.Rules(), "float"),
        (gx.Rules("win", "carryover"), "exact"),
        (gx.Rules("points", "carryover", "descending"), "exact"),
    ],
    ids=str,
)
def test_a_random_agents_mean_cost_is_what_it_loses_to_the_optimum(rules, arithmetic):
    options = {"opponent": "optimal", "costs": True, "arithmetic": arithmetic}
    env, rng, costs = GopsParallelEnv(gx.Game(4, rules), **options), Random(1), []
    for number in range(GAMES):
        seen, infos = env.reset(seed=1 if number == 0 else None)
        costs.append(0.0)
        while env.agents:
            action = choice(seen["player_0"], rng)
            costs[-1] += float(infos["player_0"]["costs"][action])
            seen, _, _, _, infos = env.step({"player_0": action})
    random, optimal = (players.policy(name, gx.Game(4, rules)) for name in ("random", "optimal"))
    exact = float(view(players.expected(optimal, random, gx.Game(4, rules)).difference))
    within = 4 * stdev(costs) / GAMES**0.5
    assert abs(fmean(costs) - exact) < within < exact / 10
    # What the best opponent takes from it is far off.
    assert float(view(players.best_response(random, gx.Game(4, rules)).gain)) > exact + 2 * within


def test_a_game_as_text():
    env = GopsParallelEnv(gx.Game(3, gx.Rules("win", prizes=(2, 3, 1))), render_mode="ansi")
    assert env.render() == ""
    env.reset()
    env.step({"player_0": 0, "player_1": 1})
    assert env.render() == (
        "You bid A, the opponent 2: 2 for the opponent.\n"
        "Round 2 of 3. The prize is 3.\n"
        "  your cards        2 3\n"
        "  opponent's cards  A 3\n"
        "  prizes to come    A\n"
        "  points            you 0, opponent 2"
    )
    env.step({"player_0": 2, "player_1": 0})
    env.step({"player_0": 1, "player_1": 2})
    assert env.render() == "You bid 2, the opponent 3: 1 for the opponent.\n3 to 3: a draw."
    assert GopsParallelEnv(gx.Game(3)).render() is None


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ({"player_0": 0}, "the action of player_1 must be an integer, got None"),
        ({"player_0": 0, "player_1": 1.0}, "the action of player_1 must be an integer, got 1.0"),
        ({"player_0": 2, "player_1": 1}, "the action of player_0 must be one of 0, 1, got 2"),
        ({"player_0": 0, "player_1": -1}, "the action of player_1 must be one of 0, 2, got -1"),
        ([0, 0], r"actions must be {agent: action}, got \[0, 0\]"),
    ],
)
def test_what_is_no_action_is_named_and_changes_nothing(actions, message):
    env = GopsParallelEnv(gx.Game(3))
    with pytest.raises(ValueError, match="step must have a game that is going on, got none"):
        env.step({"player_0": 0, "player_1": 0})
    env.reset(seed=1)
    env.step({"player_0": 2, "player_1": 1})
    before = env._position
    with pytest.raises(ValueError, match=f"^{message}$"):
        env.step(actions)
    assert env._position == before
    env.step({"player_0": np.int64(0), "player_1": np.int8(2)})


def test_what_takes_too_long_or_is_no_number_is_refused():
    for options in ({"costs": True}, {"opponent": "optimal"}):
        with pytest.raises(ValueError, match="n must be at most 7 in exact arithmetic"):
            GopsParallelEnv(gx.Game(13), **options)
        with pytest.raises(ValueError, match="arithmetic must be 'exact' or 'float' for a policy"):
            GopsParallelEnv(gx.Game(3), arithmetic="ball", **options)
    with pytest.raises(ValueError, match="arithmetic must be 'exact' or 'float' for a policy"):
        GopsParallelEnv(gx.Game(3), arithmetic="ball")
    assert GopsParallelEnv(gx.Game(13), opponent="matching").possible_agents == ["player_0"]


@pytest.mark.parametrize(
    ("rules", "opponent", "message"),
    [
        (gx.Rules(prizes="hidden"), "matching", "needs to see the upcard, got hidden prizes"),
        (gx.Rules(), players.Optimal(gx.Game(3)), "was made for 3 cards"),
        (gx.Rules("win"), players.Optimal(gx.Game(4)), "was made for 4 cards, objective points"),
    ],
)
def test_an_opponent_that_cannot_play_is_refused_at_once(rules, opponent, message):
    for make in GopsParallelEnv, GopsEnv:
        with pytest.raises(ValueError, match=message):
            make(gx.Game(4, rules), opponent=opponent)


@pytest.mark.parametrize("seed", [0, 5, -1, np.int64(5), np.uint8(0)])
def test_both_environments_take_the_same_seeds(seed):
    parallel, single = (make(gx.Game(6), opponent="random") for make in (GopsParallelEnv, GopsEnv))
    seen, _ = parallel.reset(seed=seed)
    for each in single.reset(seed=seed), single.reset(seed=int(seed)):
        assert np.array_equal(each[0]["observation"], seen["player_0"]["observation"])


@pytest.mark.parametrize(
    ("position", "n", "message"),
    [
        (gx.Position.start(4), 3, r"game of 3 cards, got hands \(1, 2, 3, 4\)"),
        (gx.Position([1], [2], [4]), 3, "game of 3 cards"),
        (gx.Position([1, 2], [1, 2], [3, 3]), 3, "game of 3 cards"),
        (gx.Position.start(3), "3", "n must be a positive integer, got '3'"),
        (None, 3, "position must be a Position, got None"),
    ],
)
def test_only_positions_of_the_game_are_observed(position, n, message):
    with pytest.raises(ValueError, match=message):
        observation(position, n)


def test_an_opponent_that_cheats_is_named():
    class Cheat(players.Pure):
        name = "cheat"

        def card(self, view):
            return view.n

    env = GopsParallelEnv(gx.Game(2), opponent=Cheat())
    env.reset()
    env.step({"player_0": 0})
    with pytest.raises(BidError, match="policy 'cheat' must bid one of 1, got 2"):
        env.step({"player_0": 1})


def test_the_extra_that_is_missing_is_named(monkeypatch):
    module = "gops_exact.training.environments"
    monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError) as missing:
        importlib.import_module(module)
    assert str(missing.value) == (
        "the environments need PettingZoo: pip install '.[pettingzoo]' in a clone of the project"
    )
