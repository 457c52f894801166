"""Policies for OpenSpiel's goofspiel, where its own code can judge them.

OpenSpiel (Lanctot et al. 2019, arXiv:1908.09453) plays GOPS under the name ``goofspiel``. Its
conventions, and how they are met:

* Cards and prizes are 0 … n − 1 as actions, 1 … n in text; in this package they are 1 … n.
* Tied prizes are discarded, and the last round is played by itself, as it leaves no choice.
* ``point_difference`` pays a player its points less the mean of both: *half* the difference of the
  points, so half of the value.
* ``imp_info`` is off: both players see all bids that were made. Bids of one round are still made at
  once; OpenSpiel's tools want moves one after the other, hence its ``turn_based_simultaneous_game``.

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
"""Cards a side: OpenSpiel lists every history's information states, 6,056 of them at four."""

MEASURED_CARDS = 9
"""Cards a side up to which policies of OpenSpiel are measured: their information states fit an integer of
63 bits."""

RETURNS = {"points": "point_difference", "win": "win_loss"}
"""OpenSpiel's names of the objectives."""


def goofspiel(game: Game | int, *, hidden: bool = False) -> "pyspiel.Game":
    """Load a game as OpenSpiel has it, turn-based; if `hidden`, with bids that nobody sees (``imp_info``).

    Raises:
        ValueError: if OpenSpiel does not know the rules: it discards ties, and its prizes come at
            random, ascending or descending.
        ImportError: if OpenSpiel is missing.
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


def tabular_policy(policy: Behavioural, game: Game | int) -> "TabularPolicy":
    """Make OpenSpiel's table of a policy at every information state of both players.

    ``exploitability.nash_conv(table.game, table)`` is the gain of best responses against it;
    ``pyspiel.TabularPolicy(policy_table(table))`` makes the table for OpenSpiel's C++ code.

    Both players have the policy. The game has two to four cards a side. Each probability is the nearest
    float.

    Raises:
        ValueError: if there are too few or too many cards, or OpenSpiel does not know the rules.
        BidError: if the policy gives no probabilities, or bids cards that it does not hold.
        ImportError: if OpenSpiel is missing.
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
    """Return {information state: [(action, probability), …]}, for ``pyspiel.TabularPolicy``.

    Actions count from 0.
    """
    return {
        key: [(int(action), float(chance)) for action, chance in chances]
        for key, chances in table.to_dict().items()
    }


def view_of(history: Sequence[int], game: Game) -> View:
    """Return the view of the player to move after a history of OpenSpiel's turn-based game.

    The history has the actions from the start, and ends before a bid: prize (if it is drawn), player one's
    bid, player two's, …
    """
    actions = [action + 1 for action in history]
    each = 2 if game.rules.fixed else 3
    whole, begun = divmod(len(actions), each)
    position, rounds = game.start, []
    for number in range(whole):
        *drawn, bid, reply = actions[number * each : (number + 1) * each]
        upcard = drawn[0] if drawn else position.prizes[0]
        rounds.append(Round(upcard, upcard, bid, reply))
        position = position.at(upcard).after(bid, reply)
    upcard = position.prizes[0] if game.rules.fixed else actions[whole * each]
    view = View(game.n, position.at(upcard), tuple(rounds))
    # The second to move has seen no more than the first, whose bid ends the history.
    return view.swapped() if begun == each - 1 else view
