"""Cards, prizes and the rules of a game of GOPS, and the state that the rules add to a position.

A hand is a tuple of distinct positive integers, ascending. Prizes are integers of at least 0, and may repeat.
They are in the order in which they come, or ascending if chance decides the order.

Solvers read a rule set through four methods: :meth:`Rules.draws` (the prizes that can be turned up
next), :meth:`Rules.gain` (the points that player one gains in a round), :meth:`Rules.after` (the state
after a round) and :meth:`Rules.decided` (the final value, if no later round can change it).

The *state* is the margin and the pot. If the objective is to win, the margin is player one's points less
player two's; else 0. If ties are carried over, the pot is the points of tied prizes; else 0. When the
players are swapped, the margin changes its sign and the pot stays:

    f(Y, V, P, −margin, pot) = −f(V, Y, P, margin, pot)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

from gops_exact.base.arguments import LARGEST, choice, integer, items, shown

Hand = tuple[int, ...]
"""Distinct cards, ascending."""

Prizes = tuple[int, ...]

NAMES = {1: "A", 11: "J", 12: "Q", 13: "K"}
VALUES = {name: card for card, name in NAMES.items()} | {"T": 10}

LONGEST_CARD = 9
"""The most digits of a card that is read from text."""


def card_name(card: int) -> str:
    """Return a card's short name: ``A 2 … 10 J Q K``, plain digits beyond the king.

    >>> [card_name(c) for c in (1, 10, 13, 14)]
    ['A', '10', 'K', '14']
    """
    return NAMES.get(card, str(card))


Upcards = Iterable[int | str] | int | str
"""The upcards that a user asks for: one or several, as numbers or as A, T, J, Q, K."""


def parse_card(text: str) -> int:
    """Return the card of a name: digits, or A, T, J, Q, K for 1 and 10 … 13, in upper or lower case.

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
    """Read cards that are separated by commas or blanks; their order is kept.

    >>> parse_cards("2, 4 K")
    (2, 4, 13)
    """
    return tuple(parse_card(word) for part in text.split(",") for word in part.split() or [""])


def cards_name(cards: Iterable[int]) -> str:
    """Return the names of cards, separated by blanks."""
    return " ".join(card_name(card) for card in cards)


def without(cards: Hand, card: int) -> Hand:
    """Return the cards without `card`; of equal cards only one is removed."""
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def as_prizes(prizes: Iterable[int]) -> tuple[int, ...]:
    """Check that prizes are integers of at least 0, and return them ascending; they may repeat."""
    cards = items(prizes, "prizes", "a sequence of integers")
    return tuple(sorted(integer(prize, "a prize", 0, LARGEST) for prize in cards))


def deck_name(deck: Iterable[int]) -> str:
    """Return the end of a line that describes a game: ``, deck 0,1,2``, or nothing for an empty deck."""
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
    """Return the winner of a round: the player of the higher card, 0 for equal cards."""
    return 1 if bid > reply else -1 if reply > bid else 0


OBJECTIVES = ("points", "win")
TIES = ("discard", "carryover")
ORDERS = ("random", "hidden", "ascending", "descending")


class State(NamedTuple):
    """The margin and the pot after some rounds."""

    # Player one's points less player two's; 0 if the objective is points, because values then count only the
    # points that are still to be won.
    margin: int = 0
    pot: int = 0  # points carried over from ties

    def swapped(self) -> "State":
        """Return the same state as the other player sees it."""
        return State(-self.margin, self.pot)


LEVEL = State()
"""The state at the start of a game: nothing won, nothing carried over."""


class Draw(NamedTuple):
    """A prize that may be turned up next."""

    upcard: int  # the value of the prize in points
    times: int  # the number of prizes left of that value; 1 if the order of prizes is known
    rest: Prizes  # the prizes left after it, in order


@dataclass(frozen=True)
class Rules:
    """A set of rules.

    Attributes:
        objective: what a game is worth to a player. ``"points"``: the points won less the opponent's.
            ``"win"``: 1 for more points than the opponent, −1 for fewer, 0 for as many.
        ties: what happens to a prize if the bids are equal. ``"discard"``: nobody gets it. ``"carryover"``:
            it is added to the next prize; nobody gets a pot that is left at the end.
        prizes: how prizes come. ``"random"``: from a shuffled deck, each turned up before the bids.
            ``"hidden"``: from a shuffled deck, each turned up after the bids. ``"ascending"``,
            ``"descending"``, or all prizes in some order: in that order, which both players know.

    Raises:
        ValueError: if a rule is not one of its choices.

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
        """The rule for the prizes as one word, or the prizes in their order, separated by commas."""
        return self.prizes if isinstance(self.prizes, str) else ",".join(map(str, self.prizes))

    @property
    def winning(self) -> bool:
        """True if only the sign of the margin counts in the end."""
        return self.objective == "win"

    @property
    def hidden(self) -> bool:
        """True if bids are made before the prize is seen."""
        return self.prizes == "hidden"

    @property
    def fixed(self) -> bool:
        """True if the order of the prizes is known."""
        return self.prizes not in ("random", "hidden")

    @property
    def carries(self) -> bool:
        """True if ties are carried over, so that there may be a pot."""
        return self.ties != "discard"

    @property
    def key(self) -> str:
        """The rules as one word of text, which is part of the keys of values in a store.

        All known orders have the same key and share their values, because a position lists its prizes in
        order.

        >>> Rules().key, Rules(prizes="descending").key
        ('points/discard/random', 'points/discard/fixed')
        """
        return f"{self.objective}/{self.ties}/{'fixed' if self.fixed else self.prizes}"

    def arranged(self, prizes: Iterable[int], *, left: bool = False) -> Prizes:
        """Return prizes in the order in which they come; ascending if chance decides the order.

        Args:
            prizes: all prizes of a game, in any order.
            left: True if they may be those that are left after some rounds.

        Raises:
            ValueError: if the rules name an order of other prizes, or one that does not end with those left.

        >>> Rules(prizes="descending").arranged([1, 2, 3])
        (3, 2, 1)
        >>> Rules(prizes=(3, 1, 2)).arranged([1, 2], left=True)
        (1, 2)
        """
        ascending = as_prizes(prizes)
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
        """List the distinct upcards that may come next.

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
        """Return the points that player one gains in a round; 0 if the objective is to win."""
        return 0 if self.winning else winner * (upcard + state.pot)

    def after(self, state: State, upcard: int, winner: Winner) -> State:
        """Return the state after a round.

        >>> Rules("win", "carryover").after(State(3, 2), 5, -1)
        State(margin=-4, pot=0)
        >>> Rules("win", "carryover").after(State(3, 2), 5, 0)
        State(margin=3, pot=7)
        """
        stake = upcard + state.pot
        margin = state.margin + winner * stake if self.winning else 0
        return State(margin, stake if winner == 0 and self.carries else 0)

    def decided(self, prizes: Prizes, state: State) -> int | None:
        """Return the final value if no later round can change it, else None.

        >>> Rules("win").decided((1, 2), State(4)), Rules("win").decided((1, 2), State(3))
        (1, None)
        """
        if not prizes:
            return winner_of(state.margin, 0)
        left = sum(prizes) + state.pot
        return winner_of(state.margin, 0) if abs(state.margin) > left else None

    def states(
        self, prizes: Prizes, starts: Iterable[State] = (LEVEL,)
    ) -> dict[Prizes, list[State]]:
        """Return the undecided states that a game can reach, {prizes left: states, ascending}.

        If `starts` has, with each state, its swapped state, the states of every prize set have this property,
        too. Solvers need both states, because they keep only one of a pair of hands and its mirror image.

        Args:
            prizes: all prizes, in the order of :meth:`arranged`.
            starts: the states to begin with.

        Returns:
            A dict in which each prize set comes after all prize sets that lead to it: larger sets come first.

        >>> Rules("win").states((1, 2))
        {(1, 2): [State(margin=0, pot=0)], (2,): [State(margin=-1, pot=0), State(margin=0, pot=0), \
State(margin=1, pot=0)], (1,): [State(margin=0, pot=0)]}
        """
        reached: dict[Prizes, set[State]] = {prizes: set(starts) if prizes else set()}
        queue = [prizes]  # breadth first: a prize set is looked at when all its states are known
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
"""The rules of the literature: points, ties discarded, prizes in random order."""
