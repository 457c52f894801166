"""Games of OpenSpiel (Lanctot et al. 2019, arXiv:1908.09453) as game trees.

An *information set* of a player is a set of states that the player cannot tell apart. An *information state* is
OpenSpiel's word for it. A *policy* of OpenSpiel gives the probability of each action in every information state.

Needs OpenSpiel: ``pip install '.[openspiel]'``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Self

from flint import fmpq

from gops_exact.base.arguments import instance, shown
from gops_exact.base.documents import named
from gops_exact.extensive.form import RawStrategy
from gops_exact.extensive.linear_program import unheard
from gops_exact.extensive.trees import (
    Chance,
    Move,
    Moves,
    Simultaneous,
    nodes_of,
    require_room,
)
from gops_exact.numbers.exact import distance, exact_chances, from_float, simplest

if TYPE_CHECKING:
    import pyspiel

BY_TEXT = frozenset(
    [
        "breakthrough",
        "clobber",
        "connect_four",
        "dots_and_boxes",
        "gomoku",
        "goofspiel",
        "havannah",
        "hex",
        "mnk",
        "nim",
        "oshi_zumo",
        "tic_tac_toe",
        "y",
    ]
)
"""Games of perfect information in which the text of a state, the player to move and the number of moves so far decide
how the game goes on. The tests compare all histories of small ones. Texts of other games leave out what counts, such as
earlier positions in chess, Go and Oware, and where a ball comes to lie in Markov soccer."""

ENDLESS = frozenset(["markov_soccer", "oshi_zumo", "pig"])
"""Games in which a play can reach a state twice, and which OpenSpiel ends after a number of moves, the parameter
`horizon`. If the name by which such a game is loaded sets no horizon, a play in this module's tree may have no end.
Oshi-Zumo is such a game only if its least bid is 0."""

NO_HORIZON = 10**9
"""The horizon of a game without one. No play is followed so far."""

MOST_DENOMINATOR = 10**6
"""Greatest denominator of the fractions that replace OpenSpiel's floats."""

NEAR = fmpq(1, 10**14)
"""Greatest allowed distance of a float x from the fraction that replaces it, divided by the greater of 1 and |x|. It
allows for about 90 rounding errors."""


@dataclass(init=False, unsafe_hash=True)
class SpielTree:
    """Two-player zero-sum game of OpenSpiel as a game tree, for :func:`~gops_exact.solve_game`.

    A move is the number of an action; tables show OpenSpiel's text of the action. The information sets are OpenSpiel's
    information states; in games of perfect information they have no names. A fraction replaces each probability and
    payoff.

    A state is a history, except in two kinds of games of perfect information. If `ENDLESS` lists the game (Oshi-Zumo
    only if its least bid is 0), and `game` is a name without the parameter ``horizon``, histories are one state if they
    have the same text of the state and the same player to move, and also the same next states at a draw of chance, or
    the same payoffs at the end. In the other games that `BY_TEXT` lists, histories are one state if they have the same
    text of the state, the same player to move and the same number of moves.

    Args:
        game: the game, or the name by which OpenSpiel loads it, such as ``"leduc_poker"``; or a state, from which the
            game begins.
        within: a positive rational, the greatest distance between a float and the fraction that replaces it. This is
            the fraction with the smallest denominator within the distance. None for the distance :data:`NEAR` times the
            greater of 1 and the float's absolute value, which allows for rounding errors, and a denominator of at most
            :data:`MOST_DENOMINATOR`.

    Raises:
        ValueError: if there is no such game, if it is not a zero-sum game of two players, if OpenSpiel does not list
            the outcomes of its chance nodes, if OpenSpiel does not name the information sets of a game of imperfect
            information, or if `within` is not positive.
        ImportError: if OpenSpiel is missing.

    >>> from gops_exact import solve_game
    >>> solve_game(SpielTree("kuhn_poker")).value
    -1/18
    """

    title: str  #: the name of the game in tables, with its parameters

    def __init__(self, game: "pyspiel.Game | pyspiel.State | str", within: object = None) -> None:
        import pyspiel

        #: greatest distance between a float and its fraction; None for that of rounding errors
        self.within = distance(within)
        first = game
        if isinstance(first, pyspiel.State):
            game = first.get_game()
        if isinstance(game, str) and game.partition("(")[0] not in pyspiel.registered_names():
            raise ValueError(f"game must be a name that OpenSpiel knows, got {shown(game)}")
        name = game
        try:
            with unheard(2):  # OpenSpiel prints its errors to stderr, too
                game = pyspiel.load_game(game) if isinstance(game, str) else game
                self.spiel = instance(game, pyspiel.Game, "game", "a game of OpenSpiel or its name")
                game.new_initial_state()  # where some parameters are refused
                short, parameters = game.get_type().short_name, game.get_parameters()
                returns = short in ENDLESS and not parameters.get("min_bid")
                self._endless = returns and isinstance(name, str) and "horizon" not in name
                if self._endless:
                    parameters["horizon"] = NO_HORIZON
                    game = self.spiel = pyspiel.load_game(short, parameters)
        except pyspiel.SpielError as error:
            reason = " ".join(str(error).split())
            raise ValueError(f"OpenSpiel cannot load {name}: {reason}") from None
        kind, types = game.get_type(), pyspiel.GameType
        is_listed = kind.chance_mode != types.ChanceMode.SAMPLED_STOCHASTIC
        #: True if both players see all earlier moves
        self.seen = kind.information == types.Information.PERFECT_INFORMATION
        self._by_text = self.seen and (kind.short_name in BY_TEXT or self._endless)
        has_names = self.seen or kind.provides_information_state_string
        for expected, actual, right in (
            ("two players", game.num_players(), game.num_players() == 2),
            ("payoffs with the sum 0", kind.utility, kind.utility == types.Utility.ZERO_SUM),
            ("listed chance", kind.chance_mode, is_listed),
            ("names of the information sets", "none", has_names),
        ):
            if not right:
                raise ValueError(f"game must have {expected}, got {actual} in {kind.short_name}")
        self.title = f"{name} without a horizon" if self._endless else str(game)
        self._first = game.new_initial_state()
        if isinstance(first, pyspiel.State):
            self.title, self._first = f"{game} after {first.history_str()}", first.clone()

    @property
    def start(self) -> "SpielState":
        """The state of OpenSpiel in which the game begins."""
        return self.state(self._first)

    def at(self, state: "SpielState") -> "Chance | Move | Simultaneous | fmpq":
        """Return the node of the game tree at a state; at the end of the game this is player one's payoff.

        Raises:
            ValueError: if `within` is None, and a payoff or a probability is not near a fraction with a denominator of
                at most :data:`MOST_DENOMINATOR`.
        """
        spiel = state.spiel
        if spiel.is_terminal():
            return _fraction(spiel.returns()[0], "a payoff", self.within)
        if spiel.is_chance_node():
            return Chance.of(
                (self.state(spiel.child(action)), _fraction(chance, "a probability", self.within))
                for action, chance in spiel.chance_outcomes()
                if chance
            )
        is_both = spiel.is_simultaneous_node()
        movers = (0, 1) if is_both else (spiel.current_player(),)
        knows = [None if self.seen else spiel.information_state_string(mover) for mover in movers]
        actions = [
            [SpielAction(k, spiel.action_to_string(mover, k)) for k in spiel.legal_actions(mover)]
            for mover in movers
        ]
        require_room(prod(map(len, actions)))
        if is_both:
            moves = {}
            for one, two in product(*actions):
                after = spiel.clone()
                after.apply_actions([int(one), int(two)])
                moves[one, two] = self.state(after)
            return Simultaneous(moves, (knows[0], knows[1]))
        later = {action: self.state(spiel.child(int(action))) for action in actions[0]}
        return Move(1 if spiel.current_player() == 0 else 2, later, knows[0])

    def strategies(self, policy: object) -> tuple[RawStrategy, RawStrategy]:
        """Return the strategies that a policy of OpenSpiel gives both players, for :func:`.best_replies`.

        Args:
            policy: the policy, as :func:`answers_of` describes. It is asked once at each information set;
                :func:`.exact_chances` converts its floats.

        Raises:
            ValueError: if the policy lacks an information set, or its numbers are no probabilities.
        """
        sides: tuple[RawStrategy, RawStrategy] = {}, {}
        names = self.spiel.get_type().provides_information_state_string
        ask = answers_of(policy, has_names=names)
        for state, node in nodes_of(self).items():
            if not isinstance(node, Moves):
                continue
            for mover in node.movers:
                name = state if self.seen else node.knows[mover]
                if name in sides[mover]:
                    continue
                try:
                    answer: Mapping[int, object] = dict(
                        ask(state.spiel, *[mover] * state.spiel.is_simultaneous_node())
                    )
                except KeyError:
                    raise ValueError(
                        f"a policy must have all information states, got none like {shown(str(name))}"
                    ) from None
                with named(name):
                    sides[mover][name] = exact_chances({k: p for k, p in answer.items() if p})
        return sides

    def state(self, spiel: "pyspiel.State") -> "SpielState":
        """Return the state of this game tree that stands for a state of OpenSpiel."""
        if not self._by_text:
            return SpielState(spiel, spiel.history_str())
        if not self._endless:
            return SpielState(spiel, str(spiel), (spiel.current_player(), spiel.move_number()))
        texts = [str(spiel)]
        if spiel.is_terminal():
            texts += map(str, spiel.returns())
        elif spiel.is_chance_node():  # the text leaves out what was chosen; what can follow says it
            texts += (repr(self.state(spiel.child(action))) for action in spiel.legal_actions())
        return SpielState(spiel, " ".join(texts), (spiel.current_player(),))


def answers_of(policy: object, *, has_names: bool = True) -> Callable[..., Any]:
    """Return a function from a state of OpenSpiel to a policy's probabilities there.

    Where both players move at once, the function has a second argument: the index of the player, 0 or 1.

    Args:
        policy: a policy object of ``open_spiel.python.policy`` or ``pyspiel``; or a table {text of an information
            state: probabilities}; or a function with these arguments, which is returned unchanged. The probabilities
            are {action: probability} or pairs (action, probability).
        has_names: True if OpenSpiel has texts for the information states of this game. If False, the keys of a table
            are the texts of states instead.

    Raises:
        ValueError: if `policy` is none of these.
    """
    if isinstance(policy, Mapping):
        return lambda state, *seat: policy[
            state.information_state_string(*seat) if has_names else str(state)
        ]
    answer: Any = getattr(policy, "action_probabilities", policy)
    if not callable(answer) or isinstance(policy, type):
        raise ValueError(
            f"policy must be one of OpenSpiel's, a table or a function of states, got {shown(policy)}"
        )
    answers: Callable[..., Any] = answer
    return answers


class SpielAction(int):
    """Number of an action of OpenSpiel, whose text is OpenSpiel's name of the action.

    >>> SpielAction(1, "Bet") == 1, str(SpielAction(1, "Bet"))
    (True, 'Bet')
    """

    text: str

    def __new__(cls, number: int, text: str = "") -> Self:
        """Return the action with a number and a text; if `text` is empty, the number as text replaces it."""
        action = super().__new__(cls, number)
        action.text = text or int.__repr__(action)
        return action

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class SpielState:
    """State of OpenSpiel that is compared and hashed by a text, its key."""

    spiel: "pyspiel.State" = field(compare=False, repr=False)
    key: str  # the history or the text of the state
    # the player to move and the number of moves so far, as far as states with the same text may differ in them
    turn: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.key


@lru_cache(maxsize=1024)  # enough, since a game has few different payoffs and probabilities
def _fraction(number: float, name: str, within: fmpq | None) -> fmpq:
    """Return the fraction with the smallest denominator whose distance from a float is small enough.

    Args:
        number: the float.
        name: the name of the number in error messages, such as ``"a payoff"``.
        within: the greatest distance. None for :data:`NEAR` times the greater of 1 and the absolute value of the float.

    Raises:
        ValueError: if `within` is None, and the denominator is greater than :data:`MOST_DENOMINATOR`.
    """
    exact = from_float(number)
    fraction = simplest(exact, within or NEAR * max(fmpq(1), abs(exact)))
    if within is None and fraction.q > MOST_DENOMINATOR:
        raise ValueError(
            f"{name} must be near a fraction with a denominator of at most {MOST_DENOMINATOR}, got {number}"
        )
    return fraction
