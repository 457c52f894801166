"""OpenSpiel's goofspiel, and policies of this package as tables for OpenSpiel's own code.

OpenSpiel (Lanctot et al. 2019, arXiv:1908.09453) has GOPS under the name ``goofspiel``. Its conventions:

* Cards and prizes are 0 … n − 1 as actions, 1 … n in text; in this package they are 1 … n.
* Tied prizes are discarded. OpenSpiel plays the last round automatically, as it leaves no choice.
* ``point_difference`` pays a player its points less the mean of both players' points: *half* the difference
  of the points, and so half of the value in this package.
* Without ``imp_info`` both players see all bids of earlier rounds. The bids of a round are simultaneous.
  OpenSpiel's tools need sequential moves, so the game is wrapped in ``turn_based_simultaneous_game``, where
  player two moves second without seeing player one's bid.

Needs OpenSpiel: ``pip install '.[openspiel]'``.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gops_exact.base.arguments import flag
from gops_exact.game.game import Game, as_game
from gops_exact.game.order_types import LONGEST
from gops_exact.numbers import view
from gops_exact.players.catalogue import behavioural
from gops_exact.players.policy import Behavioural, Round, View, checked_bids

if TYPE_CHECKING:
    import pyspiel
    from open_spiel.python.policy import TabularPolicy

MOST_CARDS = 4
"""The most cards a side of a table. OpenSpiel lists the information states, 6,056 at four cards, by visiting
every history."""

MEASURED_CARDS = 9
"""The most cards a side at which policies of OpenSpiel are measured: the key of an information state then
fits in 63 bits."""

RETURNS = {"points": "point_difference", "win": "win_loss"}
"""{objective in this package: ``returns_type`` in OpenSpiel}."""


def goofspiel(game: Game | int, *, hidden: bool = False) -> "pyspiel.Game":
    """Load the turn-based game of OpenSpiel that corresponds to a game of this package.

    Args:
        game: the game, or the number of its cards a side.
        hidden: True if the players see only who won a round, not the other's bid (``imp_info``).

    Raises:
        ValueError: if OpenSpiel does not have the rules: its ties are discarded, and its prizes come in
            random, ascending or descending order.
        ImportError: if OpenSpiel is missing.

    >>> goofspiel(4).max_utility()
    5.0
    """
    game = as_game(game, LONGEST, any_deck=False)
    rules = game.rules
    if rules.carries or rules.prizes not in ("random", "ascending", "descending"):
        raise ValueError(
            "OpenSpiel knows ties discard and prizes random, ascending or descending, "
            f"got ties {rules.ties}, prizes {rules.prizes}"
        )
    import pyspiel

    loaded = pyspiel.load_game(
        "goofspiel",
        {
            "num_cards": game.n,
            "players": 2,
            "points_order": rules.prizes,
            "returns_type": RETURNS[rules.objective],
            "imp_info": flag(hidden, "hidden"),
        },
    )
    return pyspiel.convert_to_turn_based(loaded)


def tabular_policy(policy: Behavioural | str, game: Game | int) -> "TabularPolicy":
    """Make OpenSpiel's table of a policy at every information state of both players.

    Args:
        policy: the policy of both players, or its name.
        game: the game, or the number of its cards a side, two to four.

    Returns:
        The table, whose probabilities are the nearest floats.

    Raises:
        ValueError: if there are too few or too many cards, or OpenSpiel does not have the rules.
        BidError: if the policy gives no probabilities, or bids cards that it does not hold.
        ImportError: if OpenSpiel is missing.

    >>> from open_spiel.python.algorithms.exploitability import nash_conv
    >>> table = tabular_policy("matching", 3)
    >>> float(nash_conv(table.game, table))  # the sum of the gains of best responses
    0.0
    """
    game = as_game(game, LONGEST)
    policy = behavioural(policy, game)
    if not 1 < game.n <= MOST_CARDS:
        raise ValueError(
            f"OpenSpiel's table is made for 2 to {MOST_CARDS} cards a side, got {game.n}"
        )
    loaded = goofspiel(game)
    from open_spiel.python.policy import TabularPolicy

    table = TabularPolicy(loaded)
    for state in table.states:
        bids = checked_bids(policy, view_of(state.history(), game))
        chances = table.policy_for_key(state.information_state_string())
        chances[:] = 0.0
        for card, chance in bids:
            chances[card - 1] = float(view(chance))
    return table


def policy_table(table: "TabularPolicy") -> dict[str, list[tuple[int, float]]]:
    """Return {information state: [(action, probability), …]}, from which ``pyspiel.TabularPolicy`` is made.

    Args:
        table: a table that :func:`tabular_policy` made; an action is a card less 1.

    >>> policy_table(tabular_policy("lowest", 2)).popitem()[1]
    [(0, 1.0), (1, 0.0)]
    """
    return {
        key: [(int(action), float(chance)) for action, chance in chances]
        for key, chances in table.to_dict().items()
    }


def view_of(history: Sequence[int], game: Game) -> View:
    """Return the view of the player to move after a history of OpenSpiel's turn-based game.

    Args:
        history: the actions from the start. Those of a round are the prize, unless the order of the prizes is
            known; player one's bid; player two's bid. The next action is a bid.
        game: the game that is played.
    """
    cards = [action + 1 for action in history]
    length = 2 if game.rules.fixed else 3  # actions a round; in a known order prizes are no actions
    number, begun = divmod(len(cards), length)
    position, rounds = game.start, []
    for start in range(0, number * length, length):
        *drawn, bid, reply = cards[start : start + length]
        upcard = drawn[0] if drawn else position.prizes[0]
        rounds.append(Round(upcard, upcard, bid, reply))
        position = position.at(upcard).after(bid, reply)
    upcard = position.prizes[0] if game.rules.fixed else cards[number * length]
    view = View(game.n, position.at(upcard), tuple(rounds))
    # If player two is to move, the history ends with player one's bid of this round, hidden from player two.
    return view.swapped() if begun == length - 1 else view
