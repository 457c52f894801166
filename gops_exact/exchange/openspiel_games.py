"""Conversions to and from OpenSpiel: its games to game trees, GOPS to its goofspiel, and policies to its tables.

OpenSpiel (Lanctot et al. 2019, arXiv:1908.09453) has GOPS under the name ``goofspiel``. Its conventions:

* Cards and prizes are numbered 0 … n − 1 as actions and 1 … n in text; in this package they are 1 … n.
* Tied prizes are discarded. OpenSpiel plays the last round automatically, since there is no choice.
* ``point_difference`` pays a player its points less the mean of both players' points: *half* the difference
  of the points, and so half of the value in this package.
* Without ``imp_info`` both players see all bids of earlier rounds. The bids of a round are simultaneous.
  OpenSpiel's tools need sequential moves, so the game is wrapped in ``turn_based_simultaneous_game``, where
  player two moves second without seeing player one's bid.

Needs OpenSpiel: ``pip install '.[openspiel]'``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, cycle, product
from typing import TYPE_CHECKING, Any, cast

from flint import fmpq

from gops_exact.base.arguments import flag, instance, integer, shown
from gops_exact.base.documents import named
from gops_exact.extensive.equilibrium import Equilibrium
from gops_exact.extensive.form import RawStrategy
from gops_exact.extensive.linear_program import unheard
from gops_exact.extensive.private_bids import HiddenBids
from gops_exact.extensive.trees import Chance, Move, Moves, Simultaneous, following, node_at
from gops_exact.game.game import Game, as_game
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import Rules
from gops_exact.numbers.exact import exact_chances, from_float, simplest
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

MOST_DENOMINATOR = 10**6
"""Greatest denominator of the fractions that replace OpenSpiel's floats."""

NEAR = 1e-14
"""Greatest allowed distance of a float x from the fraction that replaces it, divided by the greater of 1 and |x|. It
allows for about 90 rounding errors."""

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
        ValueError: if OpenSpiel does not offer the rules. In OpenSpiel tied prizes are discarded, and prizes come in
            random, ascending or descending order.
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
            :class:`~gops_exact.extensive.HiddenBids`. The table of the latter is for goofspiel with ``imp_info``.
        game: the game that the policy plays, or the number of its cards a side, two to four. It is not used for a
            solution.

    Returns:
        The table, whose probabilities are the nearest floats. In information states that a solution does not
        reach, all actions have the same probability.

    Raises:
        ValueError: if there are not 2 to 4 cards a side; if OpenSpiel does not offer the rules; if the solution is of
            another kind of game, or of a game in which both players see all earlier moves.
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
    if not 1 < game.n <= MOST_CARDS:
        raise ValueError(
            f"OpenSpiel's table is made for 2 to {MOST_CARDS} cards a side, got {game.n}"
        )
    table = TabularPolicy(goofspiel(game, hidden=hidden is not None))
    for state in table.states:
        seen, side = view_of(state.history(), game), state.current_player()
        if hidden is None:
            mix: Mapping[int, Any] | None = {
                card: view(p) for card, p in checked_bids(player, seen)
            }
        else:
            mix = sides[side].get(hidden.name(side, seen.rounds, seen.upcard))
        if mix is not None:
            _fill(table, state.information_state_string(), mix, first=1)
    return table


def _fill(table: "TabularPolicy", name: str, mix: Mapping[int, Any], *, first: int = 0) -> None:
    """Set the probabilities at an information state of a table.

    Args:
        table: the table.
        name: the name of the information state.
        mix: {move: probability}. The moves are actions, or cards, which are actions plus 1.
        first: the move that stands for the action 0: 0 if the moves are actions, 1 if they are cards.
    """
    chances = table.policy_for_key(name)
    chances[:] = 0.0
    for move, chance in mix.items():
        chances[move - first] = float(chance)


def policy_table(table: "TabularPolicy") -> dict[str, list[tuple[int, float]]]:
    """Convert a table to {information state: [(action, probability), …]}, which ``pyspiel.TabularPolicy`` takes.

    Args:
        table: a table from :func:`tabular_policy`. An action is a card less 1.

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


@dataclass(init=False, unsafe_hash=True)
class SpielTree:
    """Two-player zero-sum game of OpenSpiel as a game tree, for :func:`~gops_exact.solve_game`.

    A move is the number of an action. The information sets are OpenSpiel's information states; in games of
    perfect information they have no names. Each probability and payoff is replaced by the fraction with the smallest
    denominator within its rounding errors, at most :data:`MOST_DENOMINATOR`.

    Args:
        game: the game, or the name by which OpenSpiel loads it, such as ``"leduc_poker"``.

    Raises:
        ValueError: if there is no such game, if it is not a zero-sum game of two players, if OpenSpiel does not list
            the outcomes of its chance nodes, or if its information sets have no names.
        ImportError: if OpenSpiel is missing.

    >>> from gops_exact import solve_game
    >>> solve_game(SpielTree("kuhn_poker")).value
    -1/18
    """

    title: str  #: the name of the game in tables, with its parameters

    def __init__(self, game: "pyspiel.Game | str") -> None:
        import pyspiel

        if isinstance(game, str) and game.partition("(")[0] not in pyspiel.registered_names():
            raise ValueError(f"game must be a name that OpenSpiel knows, got {shown(game)}")
        name = game
        try:
            with unheard(2):  # OpenSpiel prints its errors to stderr, too
                game = pyspiel.load_game(game) if isinstance(game, str) else game
                self.spiel = instance(game, pyspiel.Game, "game", "a game of OpenSpiel or its name")
                game.new_initial_state()  # where some parameters are refused
        except pyspiel.SpielError as error:
            reason = " ".join(str(error).split())
            raise ValueError(f"OpenSpiel cannot load {name}: {reason}") from None
        kind, types = game.get_type(), pyspiel.GameType
        is_listed = kind.chance_mode != types.ChanceMode.SAMPLED_STOCHASTIC
        self.seen = kind.information == types.Information.PERFECT_INFORMATION
        named = self.seen or kind.provides_information_state_string
        for expected, actual, right in (
            ("two players", game.num_players(), game.num_players() == 2),
            ("payoffs with the sum 0", kind.utility, kind.utility == types.Utility.ZERO_SUM),
            ("listed chance", kind.chance_mode, is_listed),
            ("moves in turn or at once", kind.dynamics, kind.dynamics != types.Dynamics.MEAN_FIELD),
            ("names of the information sets", "none", named),
        ):
            if not right:
                raise ValueError(f"game must have {expected}, got {actual} in {kind.short_name}")
        self.title = str(game)

    @property
    def start(self) -> "SpielState":
        """The state of OpenSpiel in which the game begins."""
        return self._state(self.spiel.new_initial_state())

    def at(self, state: "SpielState") -> "Chance | Move | Simultaneous | fmpq":
        """Return the node of the game tree at a state; at an end of the game, player one's payoff."""
        spiel = state.spiel
        if spiel.is_terminal():
            return _fraction(spiel.returns()[0], "a payoff")
        if spiel.is_chance_node():
            return Chance.of(
                (self._state(spiel.child(action)), _fraction(chance, "a probability"))
                for action, chance in spiel.chance_outcomes()
                if chance
            )
        is_both = spiel.is_simultaneous_node()
        movers = (0, 1) if is_both else (spiel.current_player(),)
        knows = [None if self.seen else spiel.information_state_string(mover) for mover in movers]
        if is_both:
            moves = {}
            for pair in product(spiel.legal_actions(0), spiel.legal_actions(1)):
                after = spiel.clone()
                after.apply_actions(list(pair))
                moves[pair] = self._state(after)
            return Simultaneous(moves, (knows[0], knows[1]))
        later = {action: self._state(spiel.child(action)) for action in spiel.legal_actions()}
        return Move(1 if spiel.current_player() == 0 else 2, later, knows[0])

    def strategies(self, policy: object) -> tuple[RawStrategy, RawStrategy]:
        """Return the strategies of both players by a policy of OpenSpiel, for :func:`.best_replies`.

        Args:
            policy: a policy of ``open_spiel.python.policy`` or ``pyspiel``, or a table {information state:
                probabilities}. Probabilities are {action: probability} or pairs (action, probability). It is asked
                once at each information set; :func:`.exact_chances` converts its floats.

        Raises:
            ValueError: if the policy lacks an information set, or its numbers are no probabilities.
        """
        sides: tuple[RawStrategy, RawStrategy] = {}, {}
        seen, states = {self.start}, [self.start]
        table, ask = isinstance(policy, Mapping), cast("Any", policy)
        for state in states:  # `states` grows in this loop
            node, spiel = node_at(self, state), state.spiel
            if isinstance(node, Moves):
                for mover in node.movers:
                    key, who = (
                        node.knows[mover] or str(spiel),
                        [mover] * spiel.is_simultaneous_node(),
                    )
                    try:
                        mix = dict(ask[key] if table else ask.action_probabilities(spiel, *who))
                    except KeyError:
                        raise ValueError(
                            f"a policy must have all information states, got none like {shown(key)}"
                        ) from None
                    moves = dict(zip(spiel.legal_actions(mover), node.labels[mover], strict=True))
                    with named(key):
                        exact = exact_chances(
                            {moves.get(k, k): p for k, p in mix.items() if p or k in moves}
                        )
                    sides[mover].setdefault(node.knows[mover] or state, exact)
            later = dict.fromkeys(after for after in following(node) if after not in seen)
            seen.update(later)
            states.extend(later)
        return sides

    def _state(self, spiel: "pyspiel.State") -> "SpielState":
        return SpielState(spiel, spiel.history_str())


@dataclass(frozen=True)
class SpielState:
    """State of a game of OpenSpiel, which is compared and hashed by its key, a text."""

    spiel: "pyspiel.State" = field(compare=False)
    key: str  # the history or the text of the state; states with the same key are equal

    def __str__(self) -> str:
        return self.key


@lru_cache(maxsize=1024)  # enough, since a game has few different payoffs and probabilities
def _fraction(number: float, name: str) -> fmpq:
    """Return the fraction with the smallest denominator within the rounding errors of a float.

    Args:
        number: the float.
        name: description of the number in error messages.

    Raises:
        ValueError: if this denominator is greater than `MOST_DENOMINATOR`.
    """
    fraction = simplest(from_float(number), from_float(NEAR * max(1, abs(number))))
    if fraction.q > MOST_DENOMINATOR:
        raise ValueError(
            f"{name} must be near a fraction with a denominator of at most {MOST_DENOMINATOR}, got {number}"
        )
    return fraction
