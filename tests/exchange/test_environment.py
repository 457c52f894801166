"""The training environments: PettingZoo's and Gymnasium's own checks, costs, and games by the referee."""

import importlib
import pickle
import sys
from copy import deepcopy
from itertools import product
from random import Random

import numpy as np
import pytest
from flint import fmpq

import gops_exact as gx
from gops_exact import players
from gops_exact.extensive import HiddenBids, solve
from gops_exact.game.rules import OBJECTIVES, ORDERS, TIES
from gops_exact.players import BidError

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.utils import parallel_to_aec

from gops_exact.exchange.environments import AGENTS, GopsEnv, GopsParallelEnv, observation

RULE_SETS = [gx.Rules(*each) for each in product(OBJECTIVES, TIES, ORDERS)]
HIDDEN = gx.Rules(prizes="hidden")
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
def test_both_libraries_accept_every_rule_set(rules):
    game = gx.Game(4, rules)
    parallel_api_test(GopsParallelEnv(game, costs=True), num_cycles=50)
    parallel_seed_test(lambda: GopsParallelEnv(game, costs=True), num_cycles=50)
    if rules.hidden:
        return
    hidden = HiddenBids(game)
    parallel_api_test(GopsParallelEnv(hidden), num_cycles=50)
    parallel_seed_test(lambda: GopsParallelEnv(hidden), num_cycles=50)
    even = {
        name: dict.fromkeys(after, fmpq(1, len(after)))
        for side in hidden.form.sides[1:]
        for name, (_, after) in side.sets.items()
    }
    env = GopsEnv(hidden, opponent=even, illegal="lose")
    check_env(env, skip_render_check=True)
    assert played(pickle.loads(pickle.dumps(env))._parallel, 3) == played(env._parallel, 3)  # noqa: S301  # just dumped


# Observations with a mask are dicts in PettingZoo's own games, too.
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
def test_pettingzoo_accepts_one_agent_and_agents_that_take_turns():
    single = GopsParallelEnv(gx.Game(4), opponent="optimal", arithmetic="float")
    parallel_api_test(single, num_cycles=50)
    parallel_seed_test(lambda: GopsParallelEnv(gx.Game(5), opponent="random"), num_cycles=50)
    api_test(parallel_to_aec(GopsParallelEnv(gx.Game(4))), num_cycles=50)


def test_gymnasium_accepts_the_environment_of_one_side():
    check_env(GopsEnv(gx.Game(4), costs=True), skip_render_check=True)
    env = GopsEnv(gx.Game(4), opponent="matching")
    (seen, _), total, ended = env.reset(seed=4), 0, False
    while not ended:  # one card more than matching, and the lowest for the highest prize
        upcard = int(np.flatnonzero(seen["observation"][12:16])[0])
        seen, reward, ended, *_ = env.step((upcard + 1) % 4)
        total += reward
    assert total == 1 + 2 + 3 - 4


def test_gymnasium_makes_the_environment_by_its_name():
    options = {"game": gx.Game(4), "opponent": "matching"}
    made = gymnasium.make("gops_exact.exchange.environments:Gops-v0", **options)
    env = GopsEnv(**options)
    assert str(made.reset(seed=4)) == str(env.reset(seed=4))
    for action in (3, 0, 2, 1):
        assert str(made.step(action)) == str(env.step(action))
    several = gymnasium.make_vec("Gops-v0", 3, vectorization_mode="sync", **options)
    assert several.reset(seed=4)[0]["action_mask"].tolist() == [[1, 1, 1, 1]] * 3


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


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize(
    ("rules", "options"),
    [
        (gx.Rules(), {}),
        (gx.Rules("win", "carryover", "hidden"), {"costs": True}),
        (gx.Rules(), {"opponent": "optimal"}),
        (gx.Rules(), {"opponent": "random"}),
    ],
    ids=str,
)
def test_a_copy_made_in_mid_game_goes_on_like_the_original(copied, rules, options):
    def step(env):
        hands = zip(env.agents, (env._position.one, env._position.two), strict=False)
        return str(env.step({agent: hand[0] - 1 for agent, hand in hands})) + env.render()

    env = GopsParallelEnv(gx.Game(4, rules), render_mode="ansi", **options)
    env.reset(seed=9)
    for space in env.action_spaces.values():
        space.seed(4)
    step(env)
    copy = copied(env)
    assert (copy.agents, copy.render()) == (env.agents, env.render())
    for agent, space in env.action_spaces.items():
        assert copy.action_spaces[agent].sample() == space.sample()
    for _ in range(2):
        while env.agents:
            assert step(copy) == step(env)
        assert str(copy.reset()) == str(env.reset())


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
@pytest.mark.parametrize("deck", [(1, 2, 3, 4, 5), (0, 2, 2, 3, 9)], ids=str)
def test_games_are_the_referees(rules, deck):
    """Prizes, an opponent's bids and the rewards are those of a match with the same seed."""

    class Follower(players.Policy):
        """Bids near the opponent's last card, at first at random."""

        def bid(self, view, rng):
            last = view.rounds[-1].reply if view.rounds else rng.choice(view.hand)
            return min(view.hand, key=lambda card: abs(card - last))

    game = gx.Game(5, rules, deck)
    env = GopsParallelEnv(game, opponent=Follower())
    for number, over in enumerate(players.match("highest", Follower(), game, games=4, seed=11)):
        seen, _ = env.reset(seed=11 if number == 0 else None)
        rewards = []
        while env.agents:
            assert seen["player_0"] in env.observation_space("player_0")
            action = int(np.flatnonzero(seen["player_0"]["action_mask"])[-1])
            seen, reward, *_ = env.step({"player_0": action})
            rewards.append(reward["player_0"])
        assert env._rounds == over
        won, lost = players.points(over)
        at_the_end = [0, 0, 0, 0, (won > lost) - (won < lost)]
        assert rewards == (at_the_end if rules.winning else [x.won - x.lost for x in over])


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
    # Prizes stand at their ranks in the deck, equal ones at the lowest that are left.
    deck = (0, 2, 2, 5)
    after = gx.Game(4, deck=deck).start.at(2).after(4, 1)
    for upcard, mark in ((0, [1, 0, 0, 0]), (2, [0, 1, 0, 0]), (5, [0, 0, 0, 1])):
        seen = observation(after.at(upcard), 4, deck)["observation"].tolist()
        assert seen == [*(1, 1, 1, 0), *(0, 1, 1, 1), *(1, 1, 0, 1), *mark, 0, 0]
    with pytest.raises(ValueError, match="position must be one of the game of 4 cards"):
        observation(after, 4)
    seen, _ = GopsParallelEnv(gx.Game(4, HIDDEN)).reset()
    assert seen["player_0"]["observation"][8:16].tolist() == [1] * 4 + [0] * 4, "no upcard"


@pytest.mark.parametrize("arithmetic", ["exact", "float", "folder"])
@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", "carryover")], ids=str)
def test_costs_are_value_less_gain_at_every_position(rules, arithmetic, tmp_path):
    kind = gx.Float(tmp_path) if arithmetic == "folder" else arithmetic
    env, rng = GopsParallelEnv(gx.Game(4, rules), costs=True, arithmetic=kind), Random(3)
    assert bool(list(tmp_path.iterdir())) == (arithmetic == "folder")
    exact, judged = gx.solver("exact", gx.Game(4, rules)), 0
    width = fmpq(0) if arithmetic == "exact" else fmpq(1, 10**9)
    for seed in range(15):
        seen, infos = env.reset(seed=seed)
        while env.agents:
            positions = env._position, env._position.swapped()
            for position, agent in zip(positions, AGENTS, strict=True):
                solution, gains = exact.solve(position), exact.bid_gains(position)
                costs = infos[agent]["costs"]
                assert [action + 1 for action in costs] == list(gains)
                for card, gain in gains.items() if solution.column.unique else ():
                    low, high = costs[card - 1].bounds()
                    assert low <= solution.value - gain <= high
                    assert high - low <= width
                    judged += 1
            seen, _, _, _, infos = env.step(chosen(seen, rng))
        assert all(infos[agent] == {"costs": {}} for agent in AGENTS)
    assert judged > 100


def test_a_game_as_text():
    env = GopsParallelEnv(gx.Game(3, gx.Rules("win", prizes=(2, 3, 1))), render_mode="ansi")
    assert env.render() == ""
    env.reset()
    for bid, reply in ((0, 1), (2, 0), (1, 2)):
        env.step({"player_0": bid, "player_1": reply})
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


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        (gx.Game(13), {"costs": True}, "n must be at most 7 in exact arithmetic"),
        (gx.Game(13), {"opponent": "optimal"}, "n must be at most 7 in exact arithmetic"),
        (gx.Game(3), {"arithmetic": "ball"}, "must be 'exact' or 'float' for a policy"),
        (gx.Game(3), {"opponent": 5}, "opponent must be a policy or the name of one, got 5"),
        (gx.Game(4, HIDDEN), {"opponent": "matching"}, "to see the upcard, got hidden prizes"),
        (gx.Game(4), {"opponent": players.Optimal(gx.Game(3))}, "was made for 3 cards"),
        (
            gx.Game(4, gx.Rules("win")),
            {"opponent": players.Optimal(gx.Game(4))},
            "was made for 4 cards, objective points",
        ),
    ],
)
def test_what_cannot_be_played_is_refused_at_once(game, options, message):
    for make in GopsParallelEnv, GopsEnv:
        with pytest.raises(ValueError, match=message):
            make(game, **options)
    with pytest.raises(ValueError, match="opponent must be a policy or the name of one, got None"):
        GopsEnv(game, opponent=None)
    assert GopsParallelEnv(gx.Game(13), opponent="matching").possible_agents == ["player_0"]


def test_an_opponent_that_cheats_is_named():
    class Cheat(players.Pure):
        def card(self, view):
            return view.n

    env = GopsParallelEnv(gx.Game(2), opponent=Cheat())
    env.reset()
    env.step({"player_0": 0})
    with pytest.raises(BidError, match="policy 'Cheat' must bid one of 1, got 2"):
        env.step({"player_0": 1})


def test_the_extra_that_is_missing_is_named(monkeypatch):
    module = "gops_exact.exchange.environments"
    monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError) as missing:
        importlib.import_module(module)
    assert str(missing.value) == (
        "the environments need PettingZoo: pip install '.[pettingzoo]' in a clone of the project"
    )


@pytest.mark.parametrize("rules", [gx.Rules(), ODD_ORDER], ids=str)
def test_what_is_observed_says_what_the_player_knows_and_no_more(rules):
    game, rng, seen, bids = HiddenBids(gx.Game(4, rules)), Random(5), {}, {}
    names = [{*side.sets} | side.forced for side in game.form.sides]
    env = GopsParallelEnv(game)
    for _ in range(400):
        observed, infos = env.reset(seed=rng.randrange(10**9))
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


def test_a_strategy_with_hidden_bids_is_an_opponent():
    game = HiddenBids(gx.Game(3, gx.Rules(prizes="descending")))
    env = GopsParallelEnv(game, opponent={"3": {3: 1}, "3:3= 2": {2: 1}, "3:3+ 2": {2: 1}})
    env.reset(seed=1)
    rewards = [env.step({AGENTS[0]: action})[1][AGENTS[0]] for action in (0, 2, 1)]
    assert rewards == [-3.0, 2.0, 1.0]


def test_the_usual_opponent_with_hidden_bids_is_an_equilibrium():
    game = HiddenBids(gx.Game(3, gx.Rules("win")))
    usual, named = GopsEnv(game), GopsEnv(game, opponent=solve(game).column)
    assert played(usual._parallel, 20) == played(named._parallel, 20)


@pytest.mark.parametrize(
    ("objective", "actions", "rewards"),
    [
        ("points", {"player_0": 7, "player_1": 1}, (-10.0, 10.0)),
        ("points", {"player_0": 0, "player_1": "x"}, (10.0, -10.0)),
        ("points", {"player_0": -1}, (0.0, 0.0)),
        ("win", {"player_1": 3}, (-1.0, 1.0)),
    ],
)
@pytest.mark.parametrize("kind", [gx.Game, lambda *game: HiddenBids(gx.Game(*game))])
def test_an_illegal_action_may_end_the_game(objective, actions, rewards, kind):
    env = GopsParallelEnv(kind(4, gx.Rules(objective)), illegal="lose")
    env.reset(seed=1)
    _, gained, ended, _, _ = env.step(actions)
    assert (tuple(gained.values()), tuple(ended.values()), env.agents) == (
        rewards,
        (True, True),
        [],
    )
    env = GopsParallelEnv(kind(4, gx.Rules(objective)))
    env.reset(seed=1)
    with pytest.raises(ValueError, match="the action of player_"):
        env.step(actions)


OPEN, SHUT = gx.Game(3), HiddenBids(gx.Game(3))
EVEN = {
    name: dict.fromkeys(bids, fmpq(1, len(bids)))
    for name, (_, bids) in SHUT.form.sides[1].sets.items()
}
SEEN_BY_ONE = HiddenBids(gx.Game(3), (True, False))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: observation(gx.Position.start(4), 3), r"3 cards, got hands \(1, 2, 3, 4\)"),
        (lambda: observation(gx.Position([1], [2], [4]), 3), "game of 3 cards"),
        (lambda: observation(gx.Position([1, 2], [1, 2], [3, 3]), 3), "game of 3 cards"),
        (lambda: GopsParallelEnv(SHUT, costs=True), "nobody must see the bids, and costs must be"),
        (
            lambda: GopsParallelEnv(SHUT, opponent="random"),
            "opponent must be a strategy of the game",
        ),
        *(
            (lambda strategy=strategy: GopsParallelEnv(SHUT, opponent=strategy), message)
            for strategy, message in (
                ({"3": {3: 1}}, "1: expected probabilities of 1, 2, 3 with the sum 1, got none"),
                (EVEN | {"2": {1: 5, 9: 1}}, "2: expected probabilities of 1, 2, 3 with the sum 1"),
                (EVEN | {"2": {1: 2, 2: -1}}, "2: a probability must not be negative"),
                (EVEN | {"2": {1: float("nan")}}, "must be an exact rational, got the float nan"),
                (EVEN | {"2": 5}, "'2' must be a mapping {bid: probability}, got 5"),
            )
        ),
        (lambda: GopsParallelEnv(SEEN_BY_ONE), "nobody must see the bids"),
        (lambda: GopsParallelEnv(OPEN, illegal="maybe"), "must be 'raise' or 'lose', got 'maybe'"),
    ],
)
def test_what_no_environment_shows_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
