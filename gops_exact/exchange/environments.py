"""Environments for training: one of PettingZoo for both players, and one of Gymnasium for one player.

Both environments support all rules and up to 28 cards a side. An *action* is a card minus 1, from 0 to n − 1 for n
cards a side.
The rewards of a game add up to its result. In a game for points, the reward of a round is the points won or lost. In a
game to win, the last reward is 1 for a win, −1 for a loss and 0 for a draw, and all others are 0. The *info* of an
agent is a dict of further facts, returned beside the observation. The *upcard* is the prize turned up in a round. The
*margin* is the player's points minus the opponent's; it is always 0 if the objective is points. The *pot* is the sum
of the prizes carried over from ties.

A *policy* is a rule that chooses a card in each round of the game. A *position* has both hands, the prizes left, the
upcard, the margin and the pot. An *arithmetic* is a kind of number: exact fractions or floats. The *radius* of a float
is a proved bound on its distance from the true number.

If the game is a :class:`gops_exact.extensive.HiddenBids`, neither player sees the other's bids, as in OpenSpiel's
goofspiel with ``imp_info``. The name of an *information set* is then a text that lists what the player has seen so far.

Needs PettingZoo: ``pip install '.[pettingzoo]'``.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache, partial
from random import Random
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gops_exact.base.arguments import (
    LARGEST,
    choice,
    flag,
    install,
    instance,
    integer,
    shown,
)
from gops_exact.extensive import HiddenBids, security_level, solve_game
from gops_exact.game.game import Game, Position, as_game, checked_position
from gops_exact.game.order_types import LONGEST, relabelled
from gops_exact.game.rules import Prizes, winner_of
from gops_exact.players.catalogue import as_policy
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Policy, Round, Rounds, View, checked_bid, mirrored
from gops_exact.players.referee import shuffled
from gops_exact.show.game_text import illegal_line, result_line, round_line, table_lines
from gops_exact.solvers.api import as_arithmetic, solver
from gops_exact.solvers.arithmetic import Arithmetic, Exact, Float
from gops_exact.solvers.first_moves import ByCard

try:
    from gymnasium import Env
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import ParallelEnv
except ImportError as error:
    raise ImportError(f"the environments need PettingZoo: {install('pettingzoo')}") from error

AGENTS = ("player_0", "player_1")

KEPT = 1 << 17
"""Greatest number of positions for which an environment caches the costs of all bids. Positions that differ only by a
relabelling of the hands count once. The game for points with ties discarded and prizes in random order has 11,796
such positions with six cards, and 69,454 with seven."""

Observation = dict[str, NDArray[Any]]
Info = dict[str, Any]

Chances = Mapping[str, Mapping[int, Any]]
"""Strategy of a game with hidden bids: {information set: {bid: probability}}."""

ILLEGAL = ("raise", "lose")
"""Names of the possible consequences of an illegal action. An action is illegal if its card is not in the hand."""


class GopsParallelEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # untyped
    """Parallel environment of PettingZoo, in which ``player_0`` and ``player_1`` bid simultaneously.

    Args:
        game: the game, of at most 28 cards a side, the number of its cards a side, or a game with hidden bids.
        opponent: the policy that bids for ``player_1``, or its name, such as ``"optimal"``; ``player_0`` is
            then the only agent. With None both players are agents. The policy sees the rounds of the current
            game, but no earlier games. Every policy except ``"optimal"`` is asked for its first bids when the
            environment is made, so a policy that cannot play the game is refused. With hidden bids the
            opponent is a strategy of player two, {information set: {bid: probability}}; ``"optimal"`` stands for
            ``solve_game(game).column``.
        costs: True to put ``"costs"``, {action: cost}, into the info of an agent. The cost of a bid is the
            expected gain that the bid gives up against the policy ``"optimal"`` if all later bids are optimal. The
            gain is in points; in a game to win, it is the probability of a win less that of a loss. After the last
            round {action: cost} is empty. There are no costs with hidden bids.
        arithmetic: the kind of number in which costs and the strategy of the optimal opponent are computed: ``"exact"``
            for fractions; ``"float"`` for floats, where ``costs[action].radius`` is a proved bound on the distance of a
            cost from the true cost; or ``Float(folder)`` for floats, with the values of positions read from the folder
            with the path `folder`, if :func:`gops_exact.first_move` has left files of values there.
        illegal: the consequence of an action that is no card of the hand. ``"raise"`` raises a ValueError.
            ``"lose"`` ends the game: the other player gets all prizes that are left and the pot, or in a game to win,
            the win. If the actions of both players are illegal, nobody gets the prizes that are left and the pot, and a
            game to win is a draw. After an illegal action observations and infos stay as they were before it.
        render_mode: ``"ansi"`` to make :meth:`render` return a text, else None.

    Raises:
        ValueError: if an argument is invalid, if the opponent cannot play the game, or if exact numbers would take
            more than minutes.

    >>> env = GopsParallelEnv(Game(3), costs=True)
    >>> observations, infos = env.reset(seed=1)
    >>> print(observations["player_0"]["observation"][9:12], infos["player_0"]["costs"])
    [0. 0. 1.] {0: 2/3, 1: 2, 2: 0}
    >>> env.step({"player_0": 0, "player_1": 1})[1]
    {'player_0': -3.0, 'player_1': 3.0}
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # PettingZoo requires a dict
        "name": "gops_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": True,
    }

    def __init__(
        self,
        game: Game | HiddenBids | int,
        *,
        opponent: Policy | Chances | str | None = None,
        costs: bool = False,
        arithmetic: Arithmetic | str = "exact",
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        self._hidden = game if isinstance(game, HiddenBids) else None
        self._strategy: Chances | None = None
        self._opponent: Policy | None = None
        self._costs = None
        argument, game = game, as_game(self._hidden.game if self._hidden else game, LONGEST)
        self.game, self._illegal = game, illegal
        choice(illegal, "illegal", ILLEGAL)
        if render_mode is not None and not (isinstance(render_mode, str) and render_mode == "ansi"):
            raise ValueError(f"render_mode must be 'ansi' or None, got {shown(render_mode)}")
        self.render_mode = render_mode
        costs, kind = flag(costs, "costs"), as_arithmetic(arithmetic)
        instance(kind, Exact | Float, "arithmetic", "'exact' or 'float' for a policy")
        options: dict[str, Any] = {"opponent": opponent, "costs": costs, "arithmetic": kind}
        options |= {"illegal": illegal, "render_mode": render_mode}
        self._made_again = partial(type(self), argument, **options)
        against_optimal = isinstance(opponent, str) and opponent == Optimal.name
        if self._hidden is not None:
            if self._hidden.seen != (False, False) or costs:
                raise ValueError(
                    "with hidden bids nobody must see the bids, and costs must be False"
                )
            kind_of_strategy = "a strategy of the game with hidden bids"
            if against_optimal:
                self._strategy = solve_game(self._hidden).column
            elif opponent is not None:
                self._strategy = instance(opponent, Mapping, "opponent", kind_of_strategy)
                security_level(self._hidden, self._strategy, 2)  # raises if it is not player two's
        elif costs or against_optimal:
            optimal = Optimal(game, solver(kind, game))
            opponent = optimal if against_optimal else opponent
            self._costs = lru_cache(KEPT)(optimal.costs) if costs else None
        if opponent is not None and self._hidden is None:
            self._opponent = as_policy(cast("Policy | str", opponent), game, "opponent")
            # A policy that cannot play the game raises an error when it is asked for a bid. Ask every policy now, for
            # each first upcard, so that the error is raised here and not during a game. Only the optimal policy is not
            # asked, since it can always play.
            for upcard in () if against_optimal else game.upcards:
                view = View(game.n, game.start.at(upcard), deck=game.own_deck)
                checked_bid(self._opponent, view, Random(0))
        self.possible_agents = list(AGENTS if opponent is None else AGENTS[:1])
        # An observation begins with groups of n numbers, 0 or 1, one number for each card. The groups are the player's
        # hand, the opponent's hand (left out if bids are hidden), the prizes left and the upcard. If bids are hidden,
        # three numbers for each of the n rounds follow: the prize, the player's bid and the result. The margin and the
        # pot come last.
        marks, noted = (4 * game.n, 0) if self._hidden is None else (3 * game.n, game.n)
        most = sum(game.prizes)
        low = np.concatenate([np.zeros(marks), np.tile([0, 0, -1], noted), [-most, 0]])
        high = np.concatenate([np.ones(marks), np.tile([game.n, game.n, 1], noted), [most, most]])
        spaces = {
            "observation": Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32),
            "action_mask": Box(0, 1, (game.n,), np.int8),
        }
        self.observation_spaces = {agent: Dict(spaces) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(game.n) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._position = game.start
        self._rounds: Rounds = ()
        self._ending = ""  # the result of a game that an illegal action ended, as a text
        self._order = game.prizes
        self._rngs = Random(), Random()

    def __reduce__(self) -> tuple[Any, ...]:
        # Three attributes are not pickled, because they may hold solvers. These are large, and parts of them cannot be
        # pickled. A copy is made from the arguments, with new solvers.
        left_out = ("_costs", "_opponent", "_strategy")
        state = {name: value for name, value in vars(self).items() if name not in left_out}
        return self._made_again, (), state

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002  # the signature of PettingZoo
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Begin a game.

        Args:
            seed: seed of the order of the prizes and of the opponent's draws, in this game and later games. With the
                same seed :func:`gops_exact.players.match` draws the same prizes. With None the random numbers of the
                last seed continue; if there was no seed, they are different each time.
            options: ignored; PettingZoo passes them.

        Returns:
            {agent: observation} and {agent: info}.

        Raises:
            ValueError: if the seed is no integer.
        """
        if seed is not None:
            seed = integer(seed, "seed", -LARGEST, LARGEST)
            self._rngs = Random(f"{seed} prizes"), Random(f"{seed} player two")
        self._position = self.game.start
        self._order = shuffled(self.game, self._rngs[0])
        self._rounds, self._ending = (), ""
        self.agents = list(self.possible_agents)
        return self._shown()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]
    ]:
        """Play a round.

        Args:
            actions: {agent: action}; an action is a card less 1.

        Returns:
            (observations, rewards, terminations, truncations, infos), each a dict by agent. Truncations are always
            False.

        Raises:
            ValueError: if no game is in progress. In an environment made with ``illegal="raise"``, also if an action
                is missing or is not a card of the hand.
            BidError: if the opponent bids a card that it does not hold.
        """
        instance(actions, Mapping, "actions", "{agent: action}")
        if not self.agents:
            raise ValueError("step must have a game that is going on, got none: reset first")
        before = self._position
        bids: dict[str, int] = {}  # {agent: card} for the legal actions
        ignored = () if self._illegal == "raise" else (ValueError,)
        for agent, hand in zip(self.possible_agents, (before.one, before.two), strict=False):
            with suppress(*ignored):
                card = integer(actions.get(agent), f"the action of {agent}") + 1
                if card not in hand:
                    legal = ", ".join(str(held - 1) for held in hand)
                    raise ValueError(
                        f"the action of {agent} must be one of {legal}, got {shown(card - 1)}"
                    )
                bids[agent] = card
        unfair = [agent for agent in self.possible_agents if agent not in bids]
        if unfair:
            sign = (AGENTS[1] in unfair) - (AGENTS[0] in unfair)
            rest = sum(before.prizes) + before.pot
            reward, ended = sign * (1 if before.rules.winning else rest), True
            self._ending = illegal_line(sign, rest, self._rounds, before.rules)
        else:
            reward = self._played(bids)
            ended = not self._position.prizes
        if ended:
            self.agents = []
        observations, infos = self._shown()
        return (
            observations,
            dict(zip(self.possible_agents, (float(reward), float(-reward)), strict=False)),
            dict.fromkeys(self.possible_agents, ended),
            dict.fromkeys(self.possible_agents, False),
            infos,
        )

    def _played(self, bids: Mapping[str, int]) -> int:
        """Play a round with legal bids, and return the reward of ``player_0``.

        Args:
            bids: {agent: card}. A built-in opponent, if there is one, has no entry; its bid is chosen here.
        """
        before, prize = self._position, self._order[len(self._rounds)]
        bid = bids[AGENTS[0]]
        if self._strategy is not None and self._hidden is not None:
            # A strategy has no information set for the last round: the opponent then bids the only card left.
            name = self._hidden.name(1, mirrored(self._rounds), before.upcard)
            chances = self._strategy[name] if before.two[1:] else {}
            weights = [float(chance) for chance in chances.values()]
            reply = self._rngs[1].choices([*chances], weights)[0] if chances else before.two[0]
        elif self._opponent is None:
            reply = bids[AGENTS[1]]
        else:
            view = View(
                self.game.n, before.swapped(), mirrored(self._rounds), deck=self.game.own_deck
            )
            reply = checked_bid(self._opponent, view, self._rngs[1])
        self._rounds += (Round(prize, prize + before.pot, bid, reply),)
        self._position = before.after(bid, reply, prize)
        gain = self.game.rules.gain(before.state, prize, winner_of(bid, reply))
        # After the last round of a game to win, `decided` is the result, 1, 0 or −1, which is the only gain. In a
        # game for points it is 0, and the gains of the rounds count.
        return gain if self._position.prizes else gain + (self._position.decided or 0)

    def render(self) -> str | None:
        """Return the state of the game as a text for ``player_0``, or None without a render mode.

        The text has the last round that was played, then the cards that are left or, after the game, its result. If an
        illegal action ended the game, the text says whose action it was. Before the first reset the text is empty.
        """
        if self.render_mode is None:
            return None
        lines = [round_line(played, self.game.rules) for played in self._rounds[-1:]]
        if self.agents:
            lines += table_lines(View(self.game.n, self._position, self._rounds))
        elif self._ending:
            lines.append(self._ending)
        elif self._rounds:
            lines.append(result_line(self._rounds, self.game.rules))
        return "\n".join(lines)

    def _shown(self) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Turn up the next prize, unless prizes are hidden; return {agent: observation} and {agent: info}."""
        if self.agents and not self.game.rules.hidden:
            self._position = self._position.at(self._order[len(self._rounds)])
        observations, infos = {}, {}
        for side, agent in enumerate(self.possible_agents):
            seen = self._position.swapped() if side else self._position
            infos[agent] = Info()
            if self._hidden is None:
                observations[agent] = observation(seen, self.game.n, self.game.own_deck)
            else:
                rounds = mirrored(self._rounds) if side else self._rounds
                observations[agent] = own_observation(seen, rounds, self.game.n)
                infos[agent]["information_set"] = self._hidden.name(side, rounds, seen.upcard)
            if self._costs is not None:
                # Optimal play depends only on how the cards of the two hands interleave. So the costs are computed for
                # hands whose cards are renumbered in order, and the cached costs serve all hands that interleave alike.
                hands = relabelled(seen.one, seen.two)
                alike = Position.trusted(*hands, seen.prizes, seen.upcard, seen.rules, *seen.state)
                costs = self._costs(alike) if seen.one else []
                actions = (card - 1 for card in seen.one)
                infos[agent]["costs"] = ByCard(dict(zip(actions, costs, strict=True)))
        return observations, infos


class GopsEnv(Env[Observation, int]):  # type: ignore[misc]  # Gymnasium declares no types
    """Environment of Gymnasium, in which one agent plays against a policy.

    Args:
        game: the game, the number of its cards a side, or a game with hidden bids.
        opponent: the policy of the opponent, or its name. With hidden bids the opponent is a strategy of player two,
            {information set: {bid: probability}}, or ``"optimal"``.
        options: the arguments `costs`, `arithmetic`, `illegal` and `render_mode` of :class:`GopsParallelEnv`, which
            describes them.

    Raises:
        ValueError: if :class:`GopsParallelEnv` refuses an argument, or if `opponent` is None.

    >>> env = GopsEnv(Game(3))
    >>> observation, info = env.reset(seed=1)
    >>> env.step(2)[1:]
    (0.0, False, False, {})
    """

    metadata = GopsParallelEnv.metadata

    def __init__(
        self,
        game: Game | HiddenBids | int = 5,
        *,
        opponent: Policy | Chances | str = Optimal.name,
        **options: Any,  # noqa: ANN401  # those of GopsParallelEnv
    ) -> None:
        if opponent is None:
            raise ValueError("opponent must be a policy or the name of one, got None")
        self._parallel = GopsParallelEnv(game, opponent=opponent, **options)
        self.render_mode = self._parallel.render_mode
        (self._agent,) = self._parallel.possible_agents
        self.observation_space = self._parallel.observation_space(self._agent)
        self.action_space = self._parallel.action_space(self._agent)
        self._mask = np.ones(self.action_space.n, np.int8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin a game.

        Args:
            seed: seed of the order of the prizes and of the opponent's draws, in this game and later games. With None
                the random numbers of the last seed continue; if there was no seed, they are different each time.
            options: ignored; Gymnasium passes them.

        Returns:
            The observation and the info.

        Raises:
            ValueError: if the seed is no integer.
        """
        observations, infos = self._parallel.reset(seed, options)
        # Gymnasium's generator accepts no negative seed. Its seed does not matter, since nothing is drawn from it.
        super().reset(seed=None if seed is None else abs(int(seed)))
        self._mask = observations[self._agent]["action_mask"]
        return observations[self._agent], infos[self._agent]

    def action_masks(self) -> NDArray[np.bool_]:
        """Return a mask of the legal actions, shape (n,). ``MaskablePPO`` of sb3-contrib calls this method."""
        return self._mask.astype(bool)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, Info]:
        """Play a round against the opponent.

        Args:
            action: a card less 1.

        Returns:
            The observation; the reward; True if the game has ended; False, since no game is truncated; the info.

        Raises:
            ValueError: if no game is in progress, or if the action is no card of the hand and the environment was made
                with ``illegal="raise"``.
            BidError: if the opponent bids a card that it does not hold.
        """
        observations, rewards, ended, cut, infos = self._parallel.step({self._agent: action})
        agent = self._agent
        self._mask = observations[agent]["action_mask"]
        return observations[agent], rewards[agent], ended[agent], cut[agent], infos[agent]

    def render(self) -> str | None:
        """Return the state of the game as a text for the agent, or None without a render mode.

        :meth:`GopsParallelEnv.render` describes the text.
        """
        return self._parallel.render()


def observation(position: Position | str, n: int, deck: Prizes = ()) -> Observation:
    """Return player one's observation at a position of the game of n cards, {name: array}.

    A policy that plays by a trained network calls ``observation(view.position, view.n, view.deck)``.

    Args:
        position: the position, player one's hand first, or its name.
        n: cards a side when the game began.
        deck: the prizes when the game began; empty for 1 … n.

    Returns:
        ``"observation"``, shape (4n + 2,), consists of four groups of n numbers, for the player's hand, the opponent's
        hand, the prizes left and the upcard; then the margin and the pot. The k-th number of a group is 1 if card k is
        in the hand, or if the prize of rank k in the deck is left or turned up; otherwise it is 0. If only some of
        several equal prizes are left, the lowest of their ranks stand for these. ``"action_mask"``, shape (n,), has a 1
        for each card of the hand, else 0.

    Raises:
        ValueError: if a card is greater than n, or a prize is not in the deck.

    >>> observation(Position.start(2).at(2), 2)["observation"]
    array([1., 1., 1., 1., 1., 1., 0., 1., 0., 0.], dtype=float32)
    """
    n = integer(n, "n", 1, LONGEST)
    position = checked_position(position)
    cards, prizes = (*position.one, *position.two), position.prizes
    deck = Game(n, deck=deck).deck
    is_of_deck = all(prizes.count(prize) <= deck.count(prize) for prize in prizes)
    if max(cards, default=0) > n or not is_of_deck:
        raise ValueError(
            f"position must be one of the game of {n} cards, got hands {shown(position.one)} and "
            f"{shown(position.two)}, prizes {shown(prizes)}"
        )
    upcards = () if position.upcard is None else (position.upcard,)
    seen = np.zeros(4 * n + 2, np.float32)
    # `left` and `turned` are lists of the ranks of prizes in the deck, counted from 1. Equal prizes have consecutive
    # ranks in the deck. If only k of them are left, the lowest k of these ranks stand for them.
    left, turned = (
        [deck.index(prize) + cards[:index].count(prize) + 1 for index, prize in enumerate(cards)]
        for cards in (prizes, upcards)
    )
    groups = position.one, position.two, left, turned
    seen[[k * n + card - 1 for k, cards in enumerate(groups) for card in cards]] = 1
    seen[-2:] = position.margin, position.pot
    return {"observation": seen, "action_mask": seen[:n].astype(np.int8)}


def own_observation(position: Position, rounds: Rounds, n: int) -> Observation:
    """Return player one's observation in a game with hidden bids, without the opponent's hand and bids.

    Args:
        position: the position, player one's hand first.
        rounds: the rounds so far, as player one saw them.
        n: cards a side when the game began.

    Returns:
        ``"observation"``, shape (6n + 2,), begins with three groups of n numbers, for the player's hand, the prizes
        left and the upcard, with a 1 for each card, else 0. Then there are three numbers for each of n rounds: the
        prize, the player's bid and the result, 1, 0 or −1; or three zeros if the round is still to come. The margin
        and the pot follow. ``"action_mask"``, shape (n,), has a 1 for each card of the hand, else 0.

    >>> seen = own_observation(Position.start(2).at(1).after(2, 1).at(2), (Round(1, 1, 2, 1),), 2)
    >>> seen["observation"]
    array([1., 0., 0., 1., 0., 1., 1., 2., 1., 0., 0., 0., 0., 0.],
          dtype=float32)
    """
    seen = observation(position, n)
    cards, results = seen["observation"], np.zeros((n, 3), np.float32)
    for index, played in enumerate(rounds):
        results[index] = played.upcard, played.bid, winner_of(played.bid, played.reply)
    own = np.concatenate([cards[:n], cards[2 * n : 4 * n], results.ravel(), cards[-2:]])
    return seen | {"observation": own}
