"""Conversions to and from OpenSpiel: GOPS to its goofspiel, and policies to its tables.

OpenSpiel (Lanctot et al. 2019, arXiv:1908.09453) has GOPS under the name ``goofspiel``. Its conventions:

* Cards and prizes are numbered 0 … n − 1 as actions and 1 … n in text; in this package they are 1 … n.
* Tied prizes are discarded. OpenSpiel plays the last round automatically, since there is no choice.
* The payoff ``point_difference`` is a player's points less the mean of both players' points. This is *half* the
  difference of the points, and so half of the value in this package.
* Without ``imp_info`` both players see all bids of earlier rounds. The bids of a round are simultaneous.
  OpenSpiel's tools need sequential moves, so the game is wrapped in ``turn_based_simultaneous_game``, where
  player two moves second without seeing player one's bid.
* An *information state* is OpenSpiel's word for an information set: a set of states that a player cannot tell apart.
  Its name is a text.

A *policy* of this package is a rule that chooses a card in each round of the game. A *position* has both hands, the
prizes left, the prize turned up if there is one, and the points of earlier rounds that still count.

Needs OpenSpiel: ``pip install '.[openspiel]'``.
"""

from collections.abc import Mapping, Sequence
from itertools import chain, cycle
from typing import TYPE_CHECKING, Any

from gops_exact.base.arguments import flag, integer
from gops_exact.extensive.equilibrium import Equilibrium
from gops_exact.extensive.openspiel_trees import SpielTree
from gops_exact.extensive.private_bids import HiddenBids
from gops_exact.game.game import Game, as_game
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import Rules
from gops_exact.numbers.kinds import view
from gops_exact.players.catalogue import behavioural
from gops_exact.players.policy import Behavioural, View, checked_bids
from gops_exact.players.referee import replayed

if TYPE_CHECKING:
    import pyspiel
    from open_spiel.python.policy import TabularPolicy

MOST_CARDS = 4
"""Greatest number of cards a side for which a policy is converted to OpenSpiel's ``TabularPolicy``. With four cards
this table has 6,056 information states. With more cards, listing them takes too long, because OpenSpiel visits every
history."""

MEASURED_CARDS = 9
"""Greatest number of cards a side with which policies of OpenSpiel are measured. The integer that identifies an
information state in :mod:`.openspiel_policies` then fits into 63 bits."""

RETURNS = {"points": "point_difference", "win": "win_loss"}
"""{objective in this package: ``returns_type`` in OpenSpiel}."""

SPIEL_ORDERS = ("random", "ascending", "descending")
"""Orders of the prizes that OpenSpiel offers, the values of its parameter ``points_order``."""


def goofspiel(game: Game | int, *, hidden: bool = False) -> "pyspiel.Game":
    """Load OpenSpiel's turn-based goofspiel that corresponds to a game of this package.

    Args:
        game: the game, or the number of its cards a side.
        hidden: True if the players see only who won a round, not the other's bid (``imp_info``).

    Raises:
        ValueError: if the prizes are not 1 … n, or if OpenSpiel does not offer the rules. It offers prizes in random,
            ascending or descending order, and discards tied prizes.
        ImportError: if OpenSpiel is missing.

    >>> goofspiel(4).max_utility()
    5.0
    """
    game = as_game(game, LONGEST, any_deck=False)
    rules = game.rules
    if rules.carries or rules.prizes not in SPIEL_ORDERS:
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


def tabular_policy(
    policy: Behavioural | str | Equilibrium, game: Game | int | None = None
) -> "TabularPolicy":
    """Convert a policy or a solution to a ``TabularPolicy``, the table that OpenSpiel's algorithms take.

    The table has the probability of every action in every information state of both players.

    Args:
        policy: the policy that both players use, or its name; or a solution of a :class:`SpielTree` or of
            :class:`~gops_exact.extensive.HiddenBids`. A solution of ``HiddenBids`` gives a table for goofspiel with
            ``imp_info``.
        game: the game that the policy plays, or the number of its cards a side, two to four. If `policy` is a solution,
            this argument is ignored.

    Returns:
        The table, whose probabilities are the nearest floats. In information states for which a solution's
        strategy has no entry, all actions have the same probability.

    Raises:
        ValueError: if there are not 2 to 4 cards a side; if OpenSpiel does not offer the rules; if the solution is
            neither of a :class:`SpielTree` with information sets nor of a ``HiddenBids`` in which no player sees the
            other's bids.
        BidError: if the policy gives no probabilities, or bids cards that it does not hold.
        ImportError: if OpenSpiel is missing.

    >>> from gops_exact import Rules, solve_game
    >>> from open_spiel.python.algorithms.exploitability import nash_conv
    >>> solved = solve_game(HiddenBids(Game(3, Rules(prizes="descending"))))
    >>> tables = [tabular_policy(solved), tabular_policy("matching", 3)]
    >>> [bool(abs(nash_conv(table.game, table)) < 1e-9) for table in tables]
    [True, True]
    """
    from open_spiel.python.policy import TabularPolicy

    hidden: HiddenBids | None = None
    if isinstance(policy, Equilibrium):
        solved, sides = policy.game, (policy.row, policy.column)
        if isinstance(solved, SpielTree) and not solved.seen:
            table = TabularPolicy(solved.spiel)
            for name, chances in chain(policy.row.items(), policy.column.items()):
                _fill(table, name, chances)
            return table
        if not isinstance(solved, HiddenBids) or solved.seen != (False, False):
            raise ValueError(
                "a table is made of a game with hidden bids, or of a game of OpenSpiel with information sets, "
                f"got {solved}"
            )
        hidden, game = solved, solved.game
    else:
        game = as_game(game, LONGEST)
        player = behavioural(policy, game)
    integer(game.n, "the cards a side of OpenSpiel's table", 2, MOST_CARDS)
    table = TabularPolicy(goofspiel(game, hidden=hidden is not None))
    for state in table.states:
        seen, side = view_of(state.history(), game), state.current_player()
        if hidden is None:
            bids: Mapping[int, Any] = dict(checked_bids(player, seen))
        else:
            bids = sides[side].get(hidden.name(side, seen.rounds, seen.upcard), {})
        if bids:
            name = state.information_state_string()
            _fill(table, name, {card - 1: chance for card, chance in bids.items()})
    return table


def _fill(table: "TabularPolicy", name: str, mix: Mapping[int, Any]) -> None:
    chances = table.policy_for_key(name)
    chances[:] = 0.0
    for action, chance in mix.items():
        chances[action] = float(view(chance))


def policy_table(table: "TabularPolicy") -> dict[str, list[tuple[int, float]]]:
    """Convert a table to the form that ``pyspiel.TabularPolicy`` takes.

    Args:
        table: a table from :func:`tabular_policy`.

    Returns:
        {information state: [(action, probability), …]}. Actions are OpenSpiel's integers; in goofspiel the action of a
        card is the card minus 1.

    >>> policy_table(tabular_policy("lowest", 2)).popitem()[1]
    [(0, 1.0), (1, 0.0)]
    """
    return {
        key: [(int(action), float(chance)) for action, chance in chances]
        for key, chances in table.to_dict().items()
    }


def view_of(history: Sequence[int], game: Game) -> View:
    """Return the position and the earlier rounds as the player to move sees them in OpenSpiel's turn-based game.

    Args:
        history: the actions since the start. The next action must be a bid. The actions of a round are the prize, if
            prizes come in random order; player one's bid; and player two's bid.
        game: the game that is played.

    Raises:
        ValueError: if the rounds in the history break the rules.
    """
    bids, begun = bids_of(history, game)
    position, rounds = replayed(game, bids)
    drawn = position.prizes if game.rules.fixed else begun
    view = View(game.n, position.at(drawn[0]), rounds)
    # If player two is to move, the history ends with player one's bid of this round, which player two does not see.
    # So this bid is not a part of the view, which is swapped to show player two's side.
    is_second = len(begun) == (1 if game.rules.fixed else 2)
    return view.swapped() if is_second else view


def bids_of(history: Sequence[int], game: Game) -> tuple[list[tuple[int, int, int]], Sequence[int]]:
    """Split a history into rounds.

    Args:
        history: OpenSpiel's actions from the start. Prizes are no actions if their order is known.
        game: the game that is played.

    Returns:
        (prize, player one's bid, player two's bid) of each finished round; and the prize and player one's bid of the
        unfinished round, as far as the history has them.
    """
    cards, length = [action + 1 for action in history], 2 if game.rules.fixed else 3
    over = len(cards) // length * length
    # A faulty history may have more rounds than there are prizes. Without `cycle`, `zip` would drop these rounds. With
    # `cycle` they get the first prizes again, and replaying them raises an error, since these prizes are gone.
    prizes = cycle(game.prizes) if game.rules.fixed else cards[:over:length]
    bids = zip(
        prizes, cards[length - 2 : over : length], cards[length - 1 : over : length], strict=False
    )
    return list(bids), cards[over:]


def game_of_parameters(parameters: Mapping[str, object], *, hidden: bool = False) -> Game:
    """Convert the parameters of OpenSpiel's goofspiel to a game of this package.

    Args:
        parameters: {name: value} of all parameters of OpenSpiel's game.
        hidden: the value that ``imp_info`` must have.

    Raises:
        ValueError: if there are not two players, if not all cards are played, if the result is neither the difference
            of the points nor a win, or if ``imp_info`` is not equal to `hidden`.
    """
    n = integer(parameters["num_cards"], "OpenSpiel's num_cards", 1, LONGEST)
    objectives = {returns: objective for objective, returns in RETURNS.items()}
    for name, known in (
        ("imp_info", (hidden,)),
        ("players", (2,)),
        ("num_turns", (-1, n)),
        ("points_order", SPIEL_ORDERS),
        ("returns_type", tuple(objectives)),
    ):
        if parameters[name] not in known:
            raise ValueError(
                f"OpenSpiel's {name} must be {' or '.join(map(str, known))}, got {parameters[name]}"
            )
    objective = objectives[str(parameters["returns_type"])]
    return Game(n, Rules(objective, prizes=str(parameters["points_order"])))
