"""Cards, prizes and rules of GOPS, and the state that the rules add to a position.

A hand is a tuple of distinct positive integers, ascending. Prizes are integers of at least 0, and may repeat.
They are listed in the order in which they come, or ascending if chance decides the order.

The recursion of the solvers is defined by four methods: :meth:`Rules.draws` (the prizes that can be turned up
next), :meth:`Rules.gain` (the points that player one gains in a round), :meth:`Rules.after` (the state
after a round) and :meth:`Rules.decided` (the value of a position, if no later round can change it).

The *state* consists of the margin and the pot. The margin is player one's points minus player two's if the
objective is to win, else 0. The pot is the points carried over from tied rounds, or 0 if ties are discarded. Let
f(V, Y, P, margin, pot) be the value of a position with player one's hand V, player two's hand Y and the prizes P left.
If the players are swapped, the margin and the value change their signs, and the pot stays:

    f(Y, V, P, −margin, pot) = −f(V, Y, P, margin, pot)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

from gops_exact.base.arguments import LARGEST, choice, flag, integer, items, shown

Hand = tuple[int, ...]
"""The cards that a player holds: distinct positive integers, ascending."""

Prizes = tuple[int, ...]

NAMES = {1: "A", 11: "J", 12: "Q", 13: "K"}
VALUES = {name: card for card, name in NAMES.items()} | {"T": 10}

LONGEST_CARD = 9
"""The maximum number of digits of a card that is read from text."""


def card_name(card: int) -> str:
    """Return a card's short name: A, J, Q or K for 1, 11, 12 or 13, and digits for other cards.

    >>> [card_name(c) for c in (1, 10, 13, 14)]
    ['A', '10', 'K', '14']
    """
    return NAMES.get(card, str(card))


Upcards = Iterable[int | str] | int | str
"""The upcards that a user asks for: one or several, as numbers or as A, T, J, Q, K."""


def parse_card(text: str) -> int:
    """Return the card that a text names: by its digits, or by A, T, J, Q or K in upper or lower case.

    The ace A is 1, T is 10, J is 11, Q is 12 and K is 13.

    Raises:
        ValueError: if the text is neither an integer of at most nine digits nor one of these letters.

    >>> parse_card("k"), parse_card("7")
    (13, 7)
    """
    name = text.strip().upper()
    if name in VALUES:
        return VALUES[name]
    if name.isascii() and name.isdigit() and len(name) <= LONGEST_CARD:
        return int(name)
    raise ValueError(
        f"a card must be an integer of at most {LONGEST_CARD} digits or one of A, T, J, Q, K, "
        f"got {text!r}"
    )


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the cards that a text names, in the order of the text; they are separated by commas or blanks.

    Raises:
        ValueError: if a part of the text is not a card, if the text is blank, or if there is nothing before, after or
            between commas.

    >>> parse_cards("2, 4 K")
    (2, 4, 13)
    """
    return tuple(parse_card(word) for part in text.split(",") for word in part.split() or [""])


def cards_name(cards: Iterable[int]) -> str:
    """Return the names of cards, separated by blanks."""
    return " ".join(card_name(card) for card in cards)


def without(cards: Hand, card: int) -> Hand:
    """Return the cards without `card`; if they have this card several times, only the first one is removed.

    Raises:
        ValueError: if `card` is not among the cards.
    """
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def as_prizes(prizes: Iterable[int]) -> tuple[int, ...]:
    """Return prizes in ascending order; they may repeat.

    Raises:
        ValueError: if `prizes` is not an iterable of integers from 0 to :data:`.LARGEST`, or has too many of them.
    """
    cards = items(prizes, "prizes", "a sequence of integers")
    return tuple(sorted(integer(prize, "a prize", 0, LARGEST) for prize in cards))


def deck_name(deck: Iterable[int]) -> str:
    """Return the text that names the deck in the description of a game: ``, deck 0,1,2``, or "" for an empty deck."""
    return f", deck {','.join(map(str, deck))}" if deck else ""


Upcard = int | None
"""The prize turned up; None before a prize is turned up, and where prizes are hidden."""


def upcard_name(upcard: Upcard) -> str:
    """Return an upcard as text: a prize in points, or ``hidden``."""
    return "hidden" if upcard is None else str(upcard)


Winner = Literal[-1, 0, 1]
"""The winner of a round: 1 player one, −1 player two, 0 neither."""

EVERY_WINNER: tuple[Winner, ...] = (0, 1, -1)


def winner_of(bid: int, reply: int) -> Winner:
    """Return the winner of a round: 1 if player one's `bid` is higher, −1 if player two's `reply` is, else 0."""
    return 1 if bid > reply else -1 if reply > bid else 0


OBJECTIVES = ("points", "win")
TIES = ("discard", "carryover")
ORDERS = ("random", "hidden", "ascending", "descending")


class State(NamedTuple):
    """The margin, by which player one is ahead, and the pot, the points carried over from ties, after some rounds."""

    # Player one's points minus player two's. If the objective is points, it is 0, because values then count only
    # the points that can still be won.
    margin: int = 0
    pot: int = 0  # the points carried over from ties

    def swapped(self) -> "State":
        """Return the same state as the other player sees it: the margin has the opposite sign."""
        return State(-self.margin, self.pot)


LEVEL = State()
"""The state at the start of a game: no player is ahead, and no points are carried over."""


class Draw(NamedTuple):
    """A prize that may be turned up next."""

    upcard: int  # the value of the prize in points
    times: int  # the number of prizes left that have this value; 1 if the players know the order of prizes
    rest: Prizes  # the prizes left after this draw, in the order of :meth:`Rules.arranged`


@dataclass(frozen=True)
class Rules:
    """The rules of a game: the objective, the rule for ties, and the order of prizes.

    Attributes:
        objective: the payoff of a game to a player. ``"points"``: the player's points minus the opponent's.
            ``"win"``: 1 for more points than the opponent, −1 for fewer, 0 for equally many.
        ties: the rule for a prize if the bids are equal. ``"discard"``: nobody gets the prize. ``"carryover"``:
            the prize goes to the pot, which the winner of the next round gets, too. Nobody gets a pot that is left at
            the end.
        prizes: the order of the prizes. ``"random"``: from a shuffled deck, each turned up before the bids.
            ``"hidden"``: from a shuffled deck, each turned up after the bids. ``"ascending"``,
            ``"descending"``, or a sequence of all prizes: in this order, which both players know.

    Raises:
        ValueError: if the objective, the ties or the order of prizes is none of the above.

    >>> Rules(ties="split")
    Traceback (most recent call last):
    ValueError: ties must be 'discard' or 'carryover', got 'split'
    >>> print(Rules("win", "carryover", (3, 1, 2)))
    objective win, ties carryover, prizes 3,1,2
    """

    objective: str = "points"
    ties: str = "discard"
    prizes: str | Prizes = "random"

    def __post_init__(self) -> None:
        choice(self.objective, "objective", OBJECTIVES)
        choice(self.ties, "ties", TIES)
        if isinstance(self.prizes, str) and self.prizes in ORDERS:
            return
        kind = "'random', 'hidden', 'ascending', 'descending' or integers in order"
        try:
            cards = items(self.prizes, "prizes", kind, ordered=True)
            prizes = tuple(integer(prize, "a prize", 0, LARGEST) for prize in cards)
        except ValueError:
            prizes = ()
        if not prizes:
            raise ValueError(f"prizes must be {kind}, got {shown(self.prizes)}")
        object.__setattr__(self, "prizes", prizes)

    def __str__(self) -> str:
        return f"objective {self.objective}, ties {self.ties}, prizes {self.order}"

    @property
    def order(self) -> str:
        """The order of prizes as text: one word, or the prizes in order, separated by commas."""
        return self.prizes if isinstance(self.prizes, str) else ",".join(map(str, self.prizes))

    @property
    def winning(self) -> bool:
        """True if the objective is to win: only the sign of the final margin, the difference of the points, counts."""
        return self.objective == "win"

    @property
    def unit(self) -> str:
        """The unit of values, in words."""
        return "wins less losses" if self.winning else "points from here on"

    @property
    def hidden(self) -> bool:
        """True if the players bid before they see the prize."""
        return self.prizes == "hidden"

    @property
    def fixed(self) -> bool:
        """True if the players know the order of the prizes from the start."""
        return self.prizes not in ("random", "hidden")

    @property
    def carries(self) -> bool:
        """True if ties are carried over, so that there may be a pot."""
        return self.ties != "discard"

    @property
    def key(self) -> str:
        """The rules as text without blanks, which is a part of the keys of stored values.

        If the players know the order of the prizes, the text has ``fixed`` instead of the order. The order itself is
        not needed, because the key of a stored value also lists the prizes left, in their order.

        >>> Rules().key, Rules(prizes="descending").key
        ('points/discard/random', 'points/discard/fixed')
        """
        return f"{self.objective}/{self.ties}/{'fixed' if self.fixed else self.prizes}"

    def arranged(self, prizes: Iterable[int], *, left: bool = False) -> Prizes:
        """Return prizes in the order in which they come; ascending if chance decides the order.

        Args:
            prizes: all prizes of a game, in any order; if `left` is True, the prizes left after any number of rounds.
            left: True if some prizes may be gone.

        Raises:
            ValueError: if `left` is no truth value; or if the rules list the prizes one by one, and `prizes` are not
                the listed ones or, if `left` is True, not the last of the listed ones.

        >>> Rules(prizes="descending").arranged([1, 2, 3])
        (3, 2, 1)
        >>> Rules(prizes=(3, 1, 2)).arranged([1, 2], left=True)
        (1, 2)
        """
        ascending, left = as_prizes(prizes), flag(left, "left")
        if isinstance(self.prizes, str):
            return ascending[::-1] if self.prizes == "descending" else ascending
        last = self.prizes[len(self.prizes) - len(ascending) :] if left else self.prizes
        if tuple(sorted(last)) == ascending:
            return last
        names = ", ".join(map(str, ascending))
        if left:
            raise ValueError(
                f"the prizes left of {self.order} in order must be the last "
                f"{len(ascending)}, got {names}"
            )
        raise ValueError(
            f"prizes in order must be {names} in some order, got {', '.join(map(str, self.prizes))}"
        )

    def draws(self, prizes: Prizes) -> list[Draw]:
        """List the prizes that may come next, each value once; the list is empty if no prize is left.

        Args:
            prizes: the prizes left, in the order of :meth:`arranged`.

        >>> Rules().draws((2, 2, 5))
        [Draw(upcard=2, times=2, rest=(2, 5)), Draw(upcard=5, times=1, rest=(2, 2))]
        >>> Rules(prizes="descending").draws((5, 2, 2))
        [Draw(upcard=5, times=1, rest=(2, 2))]
        """
        if self.fixed:
            return [Draw(prizes[0], 1, prizes[1:])] if prizes else []
        return [
            Draw(upcard, prizes.count(upcard), prizes[:i] + prizes[i + 1 :])
            for i, upcard in enumerate(prizes)
            if i == 0 or prizes[i - 1] != upcard
        ]

    def gain(self, state: State, upcard: int, winner: Winner) -> int:
        """Return the points that player one gains in a round, negative if player two wins the round.

        The winner gets the prize and the pot. If the objective is to win, the gain is 0, because only the final margin
        counts.

        Args:
            state: the state before the round.
            upcard: the prize of the round, hidden or not.
            winner: the winner of the round, 1 for player one, −1 for player two, 0 for a tie.
        """
        return 0 if self.winning else winner * (upcard + state.pot)

    def after(self, state: State, upcard: int, winner: Winner) -> State:
        """Return the state after a round.

        Args:
            state: the state before the round.
            upcard: the prize of the round, hidden or not.
            winner: the winner of the round, 1 for player one, −1 for player two, 0 for a tie.

        >>> Rules("win", "carryover").after(State(3, 2), 5, -1)
        State(margin=-4, pot=0)
        >>> Rules("win", "carryover").after(State(3, 2), 5, 0)
        State(margin=3, pot=7)
        """
        stake = upcard + state.pot
        margin = state.margin + winner * stake if self.winning else 0
        return State(margin, stake if winner == 0 and self.carries else 0)

    def decided(self, prizes: Prizes, state: State) -> int | None:
        """Return the value of a position if no later round can change it, else None.

        If the objective is points, the value is 0 once no prize is left, because values count only the points that can
        still be won. If the objective is to win, the value is 1, 0 or −1 once no prize is left, or once the absolute
        margin is greater than the sum of the pot and the prizes left.

        Args:
            prizes: the prizes left. If they are all 0, and so are the margin and the pot, the result is None although
                the value is 0.
            state: the margin and the pot.

        >>> Rules("win").decided((1, 2), State(4)), Rules("win").decided((1, 2), State(3))
        (1, None)
        """
        if prizes and abs(state.margin) <= sum(prizes) + state.pot:
            return None
        return winner_of(state.margin, 0)

    def states(
        self, prizes: Prizes, starts: Iterable[State] = (LEVEL,)
    ) -> dict[Prizes, list[State]]:
        """Return the states that a game can reach and that are undecided: :meth:`decided` returns None for them.

        If `starts` contains the swapped state (:meth:`State.swapped`) of each of its states, each list of the result
        also contains the swapped state of each of its states.

        Args:
            prizes: all prizes, in the order of :meth:`arranged`.
            starts: undecided states in which the game may begin.

        Returns:
            {prizes left: states, ascending}, for each nonempty set of prizes that can be left; larger sets come first.
            If `prizes` is empty, {(): []}.

        >>> Rules("win").states((1, 2))
        {(1, 2): [State(margin=0, pot=0)], (2,): [State(margin=-1, pot=0), State(margin=0, pot=0), \
State(margin=1, pot=0)], (1,): [State(margin=0, pot=0)]}
        """
        reached: dict[Prizes, set[State]] = {prizes: set(starts) if prizes else set()}
        # The queue has larger prize sets first. So when a set is processed, all sets of one prize more have been
        # processed, and all states of the set are known.
        queue = [prizes]
        for left in queue:
            for draw in self.draws(left):
                if not draw.rest:
                    continue
                if draw.rest not in reached:
                    reached[draw.rest] = set()
                    queue.append(draw.rest)
                for state, winner in product(reached[left], EVERY_WINNER):
                    after = self.after(state, draw.upcard, winner)
                    if self.decided(draw.rest, after) is None:
                        reached[draw.rest].add(after)
        return {left: sorted(states) for left, states in reached.items()}


PLAIN = Rules()
"""The default rules, those of the literature: points, ties discarded, prizes in random order."""
