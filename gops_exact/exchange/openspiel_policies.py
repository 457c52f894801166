"""Policies of OpenSpiel's goofspiel (Lanctot et al. 2019, arXiv:1908.09453) as players, and best responses to them.

Words used here:

* A *policy* is a rule that chooses a card in each round of the game.
* An *information state* is OpenSpiel's word for an information set: a set of states that a player cannot tell apart.
  Its name is a text.
* A *position* has both hands, the prizes left, the prize turned up if there is one, and the points of earlier rounds
  that still count.
* A *history* is the list of all moves of a game so far, with the draws of chance.
* A *seat* is the side of a player: player one or player two.
* The *best response* to a policy is an opponent's policy with the greatest expected result against it.
* The *radius* of a float is a proved bound on its distance from the true number.

docs/openspiel.md describes what a policy of OpenSpiel sees, and how a best response to it is computed. The same
position can occur in several information states, in which a policy may bid differently. So its bids depend on the
position and on earlier rounds. A policy may bid differently in its two seats. So an :class:`OpenSpielPlayer` uses the
policy in one seat only.

To compute a best response, OpenSpiel's ``nash_conv`` walks every history. This module treats histories that the policy
cannot tell apart as one state, and computes each round for all states at once, in floats with a proved radius. With
five cards 457,000 histories become 174,000 states. :func:`gops_exact.players.best_response` computes the gain of a best
response exactly, but more slowly.

Needs OpenSpiel: ``pip install '.[openspiel]'``.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import permutations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from gops_exact.base.arguments import (
    choice,
    flag,
    function,
    install,
    instance,
    integer,
    real,
    shown,
)
from gops_exact.base.documents import named, parse_json, read_text
from gops_exact.base.progress import Progress, part_of, tracked
from gops_exact.exchange.openspiel_games import MEASURED_CARDS, game_of_parameters, goofspiel
from gops_exact.extensive import HiddenBids, exploitability
from gops_exact.extensive.form import Floats, RawStrategy
from gops_exact.extensive.openspiel_trees import answers_of
from gops_exact.extensive.private_bids import SIGNS
from gops_exact.game.game import Game
from gops_exact.game.rules import Upcard, winner_of
from gops_exact.numbers.exact import SUM_TOLERANCE, exact_chances
from gops_exact.numbers.kinds import BoundedFloat, as_float
from gops_exact.players.expectation import STATES
from gops_exact.players.policy import Behavioural, BidError, Rounds, View, made_for, points

try:
    import pyspiel
    from open_spiel.python.policy import Policy, TabularPolicy
except ImportError as error:
    raise ImportError(f"policies of OpenSpiel need it: {install('openspiel')}") from error

Cards = NDArray[np.int8]

SEEN = ("history", "information state", "observation")
"""Names of the parts of the past that a policy may depend on. A history is all prizes and bids so far. An
information state is the order of the prizes and the winner of each. An observation is the winner of each round and the
points of both players."""

SECOND = ":2"
"""Suffix of a file's name that selects player two of the policy in the file."""

PART = 1 << 20
"""Number of units of progress that :func:`nash_conv` reports for each of the two seats. Shares of the work are rounded
to whole units."""


class OpenSpielPlayer(Behavioural):
    """Player that uses one seat of a policy for OpenSpiel's goofspiel.

    Args:
        policy: a policy object of OpenSpiel; a table, {text of an information state: probabilities}; or a function of a
            turn-based state, which returns probabilities. Probabilities are {action: probability} or pairs (action,
            probability).
        spiel: the game of OpenSpiel for which the policy was made, with simultaneous bids or turn-based.
        seat: the index of the player for whom the policy bids: 0 for player one, 1 for player two.
        sees: the part of the past that the policy depends on, one of :data:`SEEN`. Measurements ask the
            policy only once for all histories with the same part. Default: the information state for tables and
            ``pyspiel``'s policies, else the history.
        hidden: True if the policy was made for the game with hidden bids, ``imp_info``.

    Raises:
        ValueError: if an argument is invalid, or if `spiel` is not a goofspiel of two players in which all cards are
            played and bids are hidden as `hidden` says.

    >>> import pyspiel
    >>> from gops_exact.players import best_response
    >>> spiel = goofspiel(3)
    >>> player = OpenSpielPlayer(pyspiel.UniformRandomPolicy(spiel), spiel, 0)
    >>> player.name, best_response(player, Game(3)).gain
    ('TabularPolicy, player one', 4/3)
    """

    def __init__(
        self,
        policy: object,
        spiel: pyspiel.Game,
        seat: int,
        sees: str | None = None,
        *,
        hidden: bool = False,
    ) -> None:
        self.game = game_of_parameters(parameters_of(spiel), hidden=flag(hidden, "hidden"))
        is_plain = spiel.get_type().short_name == "goofspiel"
        self.spiel = pyspiel.convert_to_turn_based(spiel) if is_plain else spiel
        self.seat = integer(seat, "seat", 0, 1)
        # True if the policy is a table with an entry for each information state: its bids then depend only on the
        # information state. Any other policy may read the whole state. So, unless `sees` says otherwise, its bids are
        # assumed to depend on the history.
        self.table = isinstance(policy, Mapping | TabularPolicy | pyspiel.Policy)
        self.ask = ask = answers_of(policy)
        if is_plain and isinstance(policy, Mapping | Policy | pyspiel.Policy):
            self.ask = lambda state: ask(state.simultaneous_game_state(), self.seat)
        if sees is not None:
            choice(sees, "sees", SEEN)
        self.sees = sees or ("information state" if self.table else "history")
        self.name = f"{type(policy).__name__}, player {'one' if self.seat == 0 else 'two'}"

    def recalled(self, rounds: Rounds) -> Hashable:
        """Return the part of the rounds on which the policy's bids depend, as the constructor's `sees` says.

        Args:
            rounds: the rounds so far, as the player in this seat saw them.
        """
        if self.sees == "history":
            return rounds
        winners = tuple(winner_of(played.bid, played.reply) for played in rounds)
        if self.sees == "observation":
            return winners, points(rounds)
        return winners, tuple(played.upcard for played in rounds)

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return the policy's probabilities, {card: probability}, without cards of probability 0.

        Args:
            view: the position and the earlier rounds, as seen by the player for whom the policy bids.

        Raises:
            ValueError: if the view belongs to another game, or if some of the earlier rounds are missing in it.
            BidError: if the policy gives no probabilities, or if the probabilities depend on the other player's bid of
                the same round.
        """
        if (view.n, view.rules, view.deck) != (self.game.n, self.game.rules, ()):
            raise made_for(self.name, self.game, view)
        known, before = len(view.rounds), view.n - len(view.hand)
        if known != before:
            raise ValueError(f"policy {self.name!r} needs all {before} rounds before, got {known}")
        if len(view.hand) == 1:  # OpenSpiel plays the last round without asking the policy
            return {view.hand[0]: fmpq(1)}
        rounds = [played.mirrored() if self.seat else played for played in view.rounds]
        state = self.state((played.upcard, played.bid, played.reply) for played in rounds)
        return exact_chances(self.chances(state, view.upcard, view.hand, view.opponent))

    def state(self, rounds: Iterable[Sequence[int]]) -> pyspiel.State:
        """Return OpenSpiel's state after `rounds`, each (prize, player one's bid, player two's bid)."""
        # If prizes come in random order, each prize is an action of the chance player at a chance node. If the order is
        # known, there are no chance nodes, and only the bids are actions.
        state = self.spiel.new_initial_state()
        for upcard, bid, reply in rounds:
            if state.is_chance_node():
                state.apply_action(upcard - 1)
            state.apply_action(bid - 1)
            state.apply_action(reply - 1)
        return state

    def chances(
        self, before: pyspiel.State, upcard: Upcard, hand: Sequence[int], opponent: Sequence[int]
    ) -> dict[int, float]:
        """Return the policy's probabilities in a round, {card: probability}, without cards of probability 0.

        Args:
            before: OpenSpiel's state before the prize of the round is turned up.
            upcard: the prize of the round.
            hand: the cards of the player for whom the policy bids.
            opponent: the cards of the other player.

        Raises:
            BidError: if the policy gives no probabilities, or if the probabilities depend on the other player's bid of
                the same round.
        """
        if upcard is not None and before.is_chance_node():
            before = before.child(upcard - 1)
        if self.seat == 0:
            return self._asked(before, hand)
        # Player one has bid already in OpenSpiel's state, but the policy must not use this bid. A table cannot use it,
        # so it is asked after one bid only. A function could, so it is asked after every bid, and refused if two
        # answers differ.
        first, *others = opponent[:1] if self.table else opponent
        chances = self._asked(before.child(first - 1), hand)
        for bid in others:
            other_chances = self._asked(before.child(bid - 1), hand)
            if other_chances != chances:
                both = f"{shown(chances)} after bid {first}, {shown(other_chances)} after bid {bid}"
                raise self._error("not depend on the bid of the same round", both)
        return chances

    def _asked(self, state: pyspiel.State, hand: Sequence[int]) -> dict[int, float]:
        """Ask the policy for the probabilities of its bids at a state, and check the answer.

        Args:
            state: OpenSpiel's state, in which the player in this seat bids.
            hand: the cards of this player.

        Returns:
            {card: probability}, without cards of probability 0.

        Raises:
            BidError: if the policy is a table without this state, or if the answer does not consist of probabilities of
                cards of the hand with the sum 1.
        """
        try:
            answer = self.ask(state)
        except KeyError as error:
            if not self.table:
                raise
            problem = f"none like {state.information_state_string()!r}"
            raise self._error("have all information states", problem) from error
        try:
            pairs = [*(answer.items() if isinstance(answer, Mapping) else answer)]
            chances = {integer(k, "an action") + 1: real(p, "a probability") for k, p in pairs}
        except (TypeError, ValueError):
            pairs, chances = [], {}
        is_once, chances = len(chances) == len(pairs), {card: p for card, p in chances.items() if p}
        total, least = sum(chances.values()), min(chances.values(), default=0)
        if not (is_once and least > 0 and abs(total - 1) <= SUM_TOLERANCE):
            wanted = (
                "give probabilities with the sum 1 as pairs (action, probability), each action once"
            )
            raise self._error(wanted, shown(answer))
        if not chances.keys() <= set(hand):
            raise self._error(f"bid one of {', '.join(map(str, hand))}", shown(chances))
        return chances

    def _error(self, wanted: str, answer: str) -> BidError:
        return BidError(f"policy {self.name!r} must {wanted}, got {answer}")


def hidden_strategies(
    policy: object, spiel: pyspiel.Game, *, progress: Progress | None = None
) -> tuple[HiddenBids, RawStrategy, RawStrategy]:
    """Convert a policy for goofspiel with ``imp_info`` to strategies of the game with hidden bids.

    Args:
        policy: a policy object of OpenSpiel, a table or a function, as :class:`OpenSpielPlayer` describes. It is asked
            at each information set with several bids. OpenSpiel lets player one bid first. So for player two, a policy
            that is not a table is asked after each possible bid of player one, to check that the answers are the same.
        spiel: the game for which the policy was made, with ``imp_info``.
        progress: called as progress(done, total), counted in information sets; None for no report.

    Returns:
        The game; player one's strategy, {information set: {bid: probability}}; and player two's strategy.
        :func:`~gops_exact.exploitability` takes these three arguments, and returns how far the strategies are from an
        equilibrium.

    Raises:
        ValueError: if `spiel` is not a goofspiel of two players with ``imp_info`` in which all cards are played, or if
            its information sets are too many to list.
        BidError: if the policy gives no probabilities, or if the probabilities depend on the other player's bid of the
            same round.

    >>> import pyspiel
    >>> spiel = goofspiel(3, hidden=True)
    >>> exploitability(*hidden_strategies(pyspiel.UniformRandomPolicy(spiel), spiel))
    8/3
    """
    function(progress, "progress")
    players = [OpenSpielPlayer(policy, spiel, seat, hidden=True) for seat in (0, 1)]
    game = HiddenBids(players[0].game)
    strategies: tuple[RawStrategy, RawStrategy] = {}, {}
    cards = range(1, game.game.n + 1)

    @cache
    def replies_to(own: tuple[int, ...], signs: str) -> tuple[int, ...]:
        # Several sequences of bids may have the results `signs` against `own`. Any of them will do, since a policy
        # sees only the results.
        return next(
            other
            for other in permutations(cards, len(own))
            if "".join(SIGNS[winner] for winner in map(winner_of, own, other)) == signs
        )

    asked = [
        (seat, name, after)
        for seat, side in enumerate(game.form.sides)
        for name, (_, after) in side.sets.items()
    ]
    for seat, name, after in tracked(asked, progress):
        # Parse the name of the information set. It has the prize, the player's bid and the result of each earlier
        # round, then the upcard of the next round.
        results, upcard = re.findall(r"(\d+):(\d+)([-=+])", name), int(name.rpartition(" ")[2])
        prizes, own = (tuple(int(result[k]) for result in results) for k in (0, 1))
        replies = replies_to(own, "".join(sign for _, _, sign in results))
        both = (own, replies) if seat == 0 else (replies, own)
        before = players[seat].state(zip(prizes, *both, strict=True))
        left = [card for card in cards if card not in replies]
        chances = players[seat].chances(before, upcard, [*after], left)
        strategies[seat][name] = exact_chances(chances)
    return game, *strategies


def players_of(
    policy: object, spiel: pyspiel.Game, sees: str | None = None
) -> tuple[OpenSpielPlayer, OpenSpielPlayer]:
    """Return the two players that use a policy, in the seat of player one and in that of player two.

    Args:
        policy: a policy object of OpenSpiel, a table or a function, as :class:`OpenSpielPlayer` describes.
        spiel: the game of OpenSpiel for which the policy was made.
        sees: the part of the past that the policy depends on, one of :data:`SEEN`. Default: the information state for
            tables and ``pyspiel``'s policies, else the history.

    Raises:
        ValueError: if an argument is invalid, or if `spiel` is not a goofspiel of two players in which all cards are
            played and both players see all bids.

    >>> import pyspiel
    >>> spiel = goofspiel(3)
    >>> [player.seat for player in players_of(pyspiel.UniformRandomPolicy(spiel), spiel)]
    [0, 1]
    """
    return OpenSpielPlayer(policy, spiel, 0, sees), OpenSpielPlayer(policy, spiel, 1, sees)


def read_player(name: str, game: Game) -> OpenSpielPlayer:
    """Read a policy from a JSON file, {information state: [[action, probability], …]}, to play it in one of the seats.

    Args:
        name: the path of the file, for the seat of player one; or the path followed by ``:2``, for the seat of player
            two. The returned player has this text as its name.
        game: the game for which the policy was made.

    Raises:
        ValueError: if the file cannot be read or holds no JSON object, or if OpenSpiel does not offer the game. The
            entries of the table are checked when the policy is asked, with a BidError.
        ImportError: if OpenSpiel is missing.
    """
    path = name.removesuffix(SECOND)
    with named(path):
        table = parse_json(read_text(Path(path)))
    player = OpenSpielPlayer(table, goofspiel(game), int(name.endswith(SECOND)))
    player.name = name
    return player


def parameters_of(spiel: pyspiel.Game) -> dict[str, Any]:
    """Return the name and the parameters of OpenSpiel's goofspiel, even if the game was converted to turn-based bids.

    Raises:
        ValueError: if `spiel` is no goofspiel.
    """
    if not isinstance(spiel, pyspiel.Game):
        raise ValueError(f"game must be one of OpenSpiel's, got {shown(spiel)}")
    inner: dict[str, Any] = {"name": spiel.get_type().short_name} | spiel.get_parameters()
    while "game" in inner:
        inner = inner["game"]
    if inner.get("name") != "goofspiel":
        raise ValueError(f"game must be OpenSpiel's goofspiel, got {shown(str(spiel))}")
    return inner


def nash_conv(
    game: pyspiel.Game,
    policy: object,
    sees: str | None = None,
    *,
    states: int = STATES,
    progress: Progress | None = None,
) -> BoundedFloat:
    """Compute the sum of the gains of best responses to both seats of a policy, OpenSpiel's ``nash_conv``.

    The result is a float with a proved radius. With hidden bids (``imp_info``) the gains are computed exactly, and only
    their sum is rounded.

    Args:
        game: the game of OpenSpiel for which the policy was made.
        policy: a policy object of OpenSpiel, a table or a function, as :class:`OpenSpielPlayer` describes.
        sees: the part of the past that the policy depends on, one of :data:`SEEN`. Default: the information state for
            tables and ``pyspiel``'s policies, else the history. It is ignored if bids are hidden.
        states: the greatest number of states at which the policy may be asked in each seat; ignored if bids are hidden.
        progress: called as progress(done, total), in units of work; None for no report.

    Returns:
        The sum in OpenSpiel's unit: half the difference of the points (``point_difference``), or the probability of a
        win less that of a loss (``win_loss``).

    Raises:
        ValueError: if `game` is not a goofspiel of two players in which all cards are played; if bids are not hidden,
            and there are more than :data:`MEASURED_CARDS` cards or more than `states` states at which the policy must
            be asked; or if bids are hidden, and there are more cards than
            :class:`~gops_exact.extensive.HiddenBids` accepts.
        BidError: if the policy gives no probabilities, or if the probabilities depend on the other player's bid of the
            same round.

    >>> import pyspiel
    >>> spiel = goofspiel(3)
    >>> print(nash_conv(spiel, pyspiel.UniformRandomPolicy(spiel)))
    1.3333333333333333
    """
    function(progress, "progress")
    if parameters_of(game)["imp_info"]:
        hidden, row, column = hidden_strategies(policy, game, progress=progress)
        gain = exploitability(hidden, row, column).value / (1 if hidden.game.rules.winning else 2)
        return as_float(arb(gain))
    players = players_of(policy, game, sees)
    half = 1.0 if players[0].game.rules.winning else 0.5
    gains = [
        reply_gain(player, states=states, progress=part_of(progress, seat * PART, PART, 2 * PART))
        for seat, player in enumerate(players)
    ]
    value = half * sum(gain.value for gain in gains)
    radius = half * sum(gain.radius for gain in gains)
    return BoundedFloat(value, radius + np.finfo(float).eps * abs(value))


def reply_gain(
    player: OpenSpielPlayer, *, states: int = STATES, progress: Progress | None = None
) -> BoundedFloat:
    """Compute the gain of a best response to a policy that plays one side of a game, in floats with a proved radius.

    Args:
        player: the policy, together with the side (player one or player two) that it plays.
        states: the greatest number of states at which the policy may be asked.
        progress: called as progress(done, total), both in units of estimated work; None for no report.

    Returns:
        The expected gain of the player who replies: the points of this player minus those of the policy; in games to
        win, the probability that this player wins minus the probability that the policy wins.

    Raises:
        ValueError: if the policy must be asked at more than `states` states, or there are more than
            :data:`MEASURED_CARDS` cards.
        BidError: if the policy gives no probabilities, or if the probabilities depend on the other player's bid of the
            same round.

    >>> import pyspiel
    >>> spiel = goofspiel(3)
    >>> print(reply_gain(OpenSpielPlayer(pyspiel.UniformRandomPolicy(spiel), spiel, 0)))
    1.3333333333333333
    """
    game = instance(player, OpenSpielPlayer, "player", "an OpenSpielPlayer").game
    n, rules = game.n, game.rules
    states = integer(states, "states", 1)
    function(progress, "progress")
    if n > MEASURED_CARDS:
        raise ValueError(f"OpenSpiel's policies are measured up to {MEASURED_CARDS} cards, got {n}")
    # Forward: list the states before each round. `played` has shape (states, rounds so far, 3), with the
    # prize, player one's bid and player two's bid of each round.
    played, steps, asked = np.zeros((1, 0, 3), np.int8), [], 0
    for number in tracked(range(n - 1), progress, lambda r: comb(n, r) ** 3 * (n - r)):
        if rules.fixed:
            upcards = np.full((len(played), 1), game.prizes[number], np.int8)
        else:
            upcards = _left(played[:, :, 0], n)
        asked += upcards.size
        if asked > states:
            raise ValueError(
                f"a policy of {n} cards must be asked at no more than {states:,} states unless "
                "forced (states), got more"
            )
        chances = _chances(player, played, upcards)
        played, indices = _children(player, played, upcards)
        steps.append((chances, indices))
    # Backward: compute for each prize the opponent's gain from the best bid against the policy. The value of a state
    # is the mean of these gains over the prizes.
    # In the states before the last round each player has one card left, so the last bids are known. `margin` has the
    # opponent's points less those of the policy.
    deck = n * (n + 1) // 2
    last = (deck - played.sum(axis=1)).astype(np.int8)
    prizes, one, two = np.concatenate([played, last[:, None]], axis=1).transpose(2, 0, 1)
    margin = (prizes * np.sign(one - two if player.seat else two - one)).sum(axis=1)
    value: Floats = (np.sign(margin) if rules.winning else margin).astype(np.float64)
    for chances, indices in reversed(steps):
        rows, turns, cards = chances.shape
        later = value[indices].reshape(rows, turns, cards, cards)
        if player.seat == 0:
            later = later.swapaxes(2, 3)
        gains = np.einsum("mubc,muc->mub", later, chances)
        value = gains.max(axis=2).mean(axis=1)
    # The radius bounds the rounding errors. In a round with k cards a side there are at most 3k + 1 roundings: k + 1 in
    # the greatest probability, which is 1 minus the sum of the others, k in a sum of products, and k in a mean. A
    # maximum adds no error. The error of each rounding is at most half an epsilon times the greatest payoff. So 3k + 1
    # half epsilons are enough, except for products of errors. Counting 3k + 4 whole epsilons for each round covers
    # these, too.
    most = 1 if rules.winning else deck
    roundings = sum(3 * cards + 4 for cards in range(2, n + 1))
    return BoundedFloat(float(value[0]), float(roundings * most * np.finfo(float).eps))


def _left(gone: Cards, n: int) -> Cards:
    """Return for each state the cards of 1 … n that are left, ascending, shape (states, n − r).

    `gone` has for each state the r cards that are not left, shape (states, r).
    """
    held = np.ones((len(gone), n + 1), bool)
    held[:, 0] = False
    np.put_along_axis(held, gone.astype(np.intp), values=False, axis=1)
    return np.nonzero(held)[1].reshape(len(gone), -1).astype(np.int8)


def _chances(player: OpenSpielPlayer, played: Cards, upcards: Cards) -> Floats:
    """Return the policy's probabilities for its next bid, at many states and for each upcard that may come next.

    Args:
        player: the policy, in the seat of player one or of player two.
        played: shape (states, rounds, 3): the prize and the bids of both players in each round so far.
        upcards: shape (states, prizes): the prizes that may be turned up next.

    Returns:
        The probability of each card that the policy holds, cards ascending, shape (states, prizes, cards).
    """
    own, other = (
        _left(played[:, :, 1 + seat], player.game.n) for seat in (player.seat, 1 - player.seat)
    )
    chances = np.zeros((*upcards.shape, own.shape[1]))
    for row, arrays in enumerate(zip(played, upcards, own, other, strict=True)):
        rounds, turned, hand, opponent = (array.tolist() for array in arrays)
        before = player.state(rounds)
        for column, upcard in enumerate(turned):
            answer = player.chances(before, upcard, hand, opponent)
            chances[row, column] = [answer.get(card, 0.0) for card in hand]
    # As in :func:`.exact_chances`, the greatest probability is 1 less the others.
    greatest = chances.argmax(axis=2, keepdims=True)
    np.put_along_axis(chances, greatest, 0.0, axis=2)
    np.put_along_axis(chances, greatest, 1 - chances.sum(axis=2, keepdims=True), axis=2)
    return chances


def _children(
    player: OpenSpielPlayer, played: Cards, upcards: Cards
) -> tuple[Cards, NDArray[np.intp]]:
    """List the states one round later; of states that the policy cannot tell apart, list one.

    Before the last round all states are listed: the policy is not asked then, so a shorter list would save nothing.

    Args:
        player: the policy, in the seat of player one or of player two.
        played: shape (states, rounds, 3): the prize and the bids of both players in each round so far.
        upcards: shape (states, prizes): the prizes that may be turned up next.

    Returns:
        The later states, in the form of `played`; and, for each state, prize, bid of player one and bid of player two,
        the index of the later state that follows. The indices are a flat array, in the order of these four axes.
    """
    (states, done, _), n = played.shape, player.game.n
    one, two = _left(played[:, :, 1], n), _left(played[:, :, 2], n)
    cards = n - done
    rounds = np.empty((states, upcards.shape[1], cards, cards, done + 1, 3), np.int8)
    rounds[..., :done, :] = played[:, None, None, None]
    rounds[..., done, 0] = upcards[:, :, None, None]
    rounds[..., done, 1] = one[:, None, :, None]
    rounds[..., done, 2] = two[:, None, None, :]
    played = rounds.reshape(-1, done + 1, 3)
    if player.sees == "history" or cards == 2:
        return played, np.arange(len(played))
    # States with the same key are one state for the policy. A key is an integer with these parts, the highest first:
    # - for each round a base-3 digit, the result;
    # - for each round a base-(n + 1) digit, the prize, if the policy depends on the information state; or for the
    #   points of each player a base-(n + 1)² digit, if the policy depends on the observation;
    # - for the cards of each player n bits, set if the card is gone;
    # - for the prizes n bits, set if the prize is gone; left out if the key has a digit for each prize.
    # With up to MEASURED_CARDS cards a key has at most 63 bits.
    signs, prizes = np.sign(played[:, :, 1] - played[:, :, 2]), played[:, :, 0]
    if player.sees == "information state":
        parts, used = [(signs + 1, 3), (prizes, n + 1)], [1, 2]
    else:
        won = np.stack([(prizes * (signs == side)).sum(1, np.int64) for side in (1, -1)], axis=1)
        parts, used = [(signs + 1, 3), (won, (n + 1) ** 2)], [1, 2, 0]
    gone = (np.int64(1) << (played[..., used] - 1)).sum(axis=1)
    digits = [(digit, base) for part, base in (*parts, (gone, 1 << n)) for digit in part.T]
    places, bases = zip(*digits, strict=True)
    key = np.ravel_multi_index(places, bases)
    _, first, indices = np.unique(key, return_index=True, return_inverse=True)
    return played[first], indices
