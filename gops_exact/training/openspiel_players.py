"""Policies of OpenSpiel's goofspiel as players, to be measured exactly.

OpenSpiel's turn-based game, and what a policy of it may see (Lanctot et al. 2019, arXiv:1908.09453):

* An *information state* holds the hands, the prizes in the order in which they came and the winner of
  each. Two of them can be one position, so a policy of OpenSpiel is behavioural, not memoryless.
* Player two moves after player one in a round. OpenSpiel's information states do not tell the bid that
  was made, but a state knows its history; a policy that looks at the bid is refused.
* The two seats are two policies: learning algorithms leave each with probabilities of its own.
* ``nash_conv`` adds up what best responses to both seats gain. ``point_difference`` pays half of the
  difference of the points.

Probabilities are taken as the floats that they are, as exact numbers, but for the greatest: it is what
the others leave of 1.

Needs OpenSpiel: ``pip install '.[openspiel]'``.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from flint import fmpq

from gops_exact.arguments import choice, integer, real, shown
from gops_exact.exchange.openspiel import RETURNS
from gops_exact.game.game import Game
from gops_exact.game.rules import Rules, Upcard, winner_of
from gops_exact.numbers.raw import from_float
from gops_exact.players.optimal import made_for
from gops_exact.players.policy import Behavioural, BidError
from gops_exact.players.view import Rounds, View, points

if TYPE_CHECKING:
    import pyspiel

Chances = Mapping[int, float] | Iterable[tuple[int, float]]
"""Probabilities of actions, which count from 0."""

SEEN = ("history", "information state", "observation")
"""How much a policy looks at: all bids so far; the order of the prizes and the winner of each; the
winners in their order and the points."""

SUM_TOLERANCE = 1e-5
"""Probabilities may differ from 1 in the sum by this much, as a softmax in 32-bit floats does."""


class OpenSpielPlayer(Behavioural):
    """One seat of a policy of OpenSpiel's turn-based goofspiel.

    Args:
        policy: a policy of ``open_spiel.python.policy`` or ``pyspiel``; or a table {information state:
            probabilities}; or a function of a ``pyspiel.State``. Probabilities are {action: probability}
            or pairs.
        spiel: the game it was made for, one of OpenSpiel's.
        seat: 0 for player one, 1 for player two.
        sees: one of :data:`SEEN`. It is asked once for each of those, so it has to look at nothing else.
            By default the information state for tables and ``pyspiel``'s policies, and else the history.

    Raises:
        ValueError: if the game is none that this package knows, see :func:`game_of`.
        ImportError: if OpenSpiel is missing.
    """

    def __init__(
        self, policy: object, spiel: "pyspiel.Game", seat: int, sees: str | None = None
    ) -> None:
        self.game = game_of(spiel)
        self.spiel = spiel
        self.seat = integer(seat, "seat", 0, 1)
        self.table, self.ask = _function_of(policy)
        if sees is not None:
            choice(sees, "sees", SEEN)
        self.sees = sees or ("information state" if self.table else "history")
        self.name = f"{type(policy).__name__}, player {'one' if self.seat == 0 else 'two'}"

    def recalled(self, rounds: Rounds) -> Hashable:
        """Return all rounds, or what an information state or an observation holds of them."""
        if self.sees == "history":
            return rounds
        winners = tuple(winner_of(over.bid, over.reply) for over in rounds)
        if self.sees == "observation":
            return winners, points(rounds)
        return winners, tuple(over.upcard for over in rounds)

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return the probabilities that the policy gives.

        Raises:
            ValueError: if the view is of another game, or its rounds are not known.
            BidError: if the probabilities are none, or depend on the bid that player one just made.
        """
        if (view.n, view.rules) != (self.game.n, self.game.rules):
            raise made_for(self.name, self.game, view)
        if len(view.rounds) + len(view.hand) != view.n:
            raise ValueError(
                f"policy {self.name!r} needs all {view.n - len(view.hand)} rounds before, "
                f"got {len(view.rounds)}"
            )
        if len(view.hand) == 1:  # OpenSpiel plays the last round by itself
            return {view.hand[0]: fmpq(1)}
        pairs = [(over.upcard, over.bid, over.reply) for over in view.rounds]
        if self.seat == 1:
            pairs = [(upcard, reply, bid) for upcard, bid, reply in pairs]
        chances = self.chances(self.state(pairs), view.upcard, view.hand, view.opponent)
        bids = {card: from_float(p) for card, p in chances.items()}
        most = max(bids, key=lambda card: bids[card])
        bids[most] += 1 - sum(bids.values(), fmpq(0))
        return bids

    def state(self, rounds: Iterable[Sequence[int]]) -> "pyspiel.State":
        """Return OpenSpiel's state after rounds, each as (prize, player one's bid, player two's)."""
        state = self.spiel.new_initial_state()
        for upcard, bid, reply in rounds:
            if state.is_chance_node():
                state.apply_action(upcard - 1)
            state.apply_action(bid - 1)
            state.apply_action(reply - 1)
        return state

    def chances(
        self, before: "pyspiel.State", upcard: Upcard, hand: Sequence[int], opponent: Sequence[int]
    ) -> dict[int, float]:
        """Ask for the probabilities of cards, as floats.

        Args:
            before: the state before the round.
            upcard: the prize turned up.
            hand: the player's cards.
            opponent: the opponent's cards.

        Raises:
            BidError: if the probabilities are none, or depend on the bid that player one just made.
        """
        if upcard is not None and before.is_chance_node():
            before = before.child(upcard - 1)
        if self.seat == 0:
            return self._asked(before, hand)
        # A table cannot hold the bid that player one just made; a function may look at it.
        first, *others = opponent[:1] if self.table else opponent
        chances = self._asked(before.child(first - 1), hand)
        for bid in others:
            found = self._asked(before.child(bid - 1), hand)
            if found != chances:
                raise BidError(
                    f"policy {self.name!r} must not depend on the bid of the same round, got "
                    f"{shown(chances)} after bid {first}, {shown(found)} after bid {bid}"
                )
        return chances

    def _asked(self, state: "pyspiel.State", hand: Sequence[int]) -> dict[int, float]:
        """Return {card: probability}, zeros left out."""
        try:
            found = self.ask(state)
        except KeyError as error:
            if not self.table:
                raise
            key = state.information_state_string()
            raise BidError(
                f"policy {self.name!r} must have all information states, got none like {key!r}"
            ) from error
        pair, chances = found, {}
        try:
            pairs = list(found.items() if isinstance(found, Mapping) else found)
            for pair in pairs:
                action, p = pair
                chances[integer(action, "an action") + 1] = real(p, "a probability")
        except (TypeError, ValueError) as error:
            raise BidError(
                f"policy {self.name!r} must give probabilities as pairs (action, probability), "
                f"got {shown(pair)}"
            ) from error
        if len(chances) < len(pairs):
            raise BidError(
                f"policy {self.name!r} must give probabilities of each action once, "
                f"got {shown(found)}"
            )
        chances = {card: p for card, p in chances.items() if p}
        if not (abs(sum(chances.values()) - 1) <= SUM_TOLERANCE and min(chances.values()) > 0):
            raise BidError(
                f"policy {self.name!r} must give probabilities with the sum 1, got {shown(found)}"
            )
        if not chances.keys() <= set(hand):
            raise BidError(
                f"policy {self.name!r} must bid one of {', '.join(map(str, hand))}, "
                f"got {shown(chances)}"
            )
        return chances


def players_of(
    policy: object, spiel: "pyspiel.Game", sees: str | None = None
) -> tuple[OpenSpielPlayer, OpenSpielPlayer]:
    """Return both seats of a policy, player one and player two; see :class:`OpenSpielPlayer`."""
    return OpenSpielPlayer(policy, spiel, 0, sees), OpenSpielPlayer(policy, spiel, 1, sees)


def game_of(spiel: "pyspiel.Game") -> Game:
    """Return a game of OpenSpiel's as one of this package.

    Raises:
        ValueError: if it is not a turn-based goofspiel of two players that play all their cards, see
            all bids, and play for the difference of the points or for a win.
        ImportError: if OpenSpiel is missing.
    """
    import pyspiel

    if not isinstance(spiel, pyspiel.Game):
        raise ValueError(f"game must be one of OpenSpiel's, got {shown(spiel)}")
    given = spiel.get_parameters()
    inner = given.get("game", {})
    if inner.get("name") != "goofspiel":
        raise ValueError(
            "game must be OpenSpiel's goofspiel made turn-based by pyspiel.convert_to_turn_based, "
            f"got {shown(str(spiel))}"
        )
    n = inner["num_cards"]
    objectives = {returns: objective for objective, returns in RETURNS.items()}
    for name, known in (
        ("imp_info", (False,)),
        ("players", (2,)),
        ("num_turns", (-1, n)),
        ("returns_type", tuple(objectives)),
    ):
        if inner[name] not in known:
            raise ValueError(
                f"OpenSpiel's {name} must be {' or '.join(map(str, known))} to be measured, "
                f"got {inner[name]}"
            )
    return Game(n, Rules(objectives[inner["returns_type"]], prizes=inner["points_order"]))


def _function_of(policy: object) -> tuple[bool, Callable[["pyspiel.State"], Any]]:
    """Return whether a policy is a table of information states, and a function of states."""
    import pyspiel
    from open_spiel.python.policy import Policy, TabularPolicy

    if isinstance(policy, Mapping):
        table = policy
        return True, lambda state: table[state.information_state_string()]
    if isinstance(policy, Policy | pyspiel.Policy):
        return isinstance(policy, TabularPolicy | pyspiel.Policy), policy.action_probabilities
    if callable(policy) and not isinstance(policy, type):
        return False, policy
    raise ValueError(
        f"policy must be one of OpenSpiel's, a table or a function of states, got {shown(policy)}"
    )
