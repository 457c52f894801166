"""The game of n cards by some rules: the problem that most functions are about."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from gops_exact.arguments import MOST_ITEMS, instance, integer, items, positive_integer, shown
from gops_exact.game.cards import Hand
from gops_exact.game.order_types import Counts, OrderTypes, counts, order_types
from gops_exact.game.position import Node, Position, Turn, turns
from gops_exact.game.rules import PLAIN, Prizes, Rules, Upcard, as_rules


@dataclass(frozen=True)
class Game:
    """The game of n cards: both players hold 1 … n, and the prizes are 1 … n.

    Raises:
        ValueError: if n is not a positive integer, or the rules name other prizes.

    >>> game = Game(3, Rules(prizes="descending"))
    >>> game.prizes, game.upcards
    ((3, 2, 1), (3,))
    >>> Game(5).counts
    Counts(values=325, games=960)
    >>> Game(0)
    Traceback (most recent call last):
    ValueError: n must be a positive integer, got 0
    """

    n: int  # cards a side
    rules: Rules = PLAIN

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", positive_integer(self.n, "n", MOST_ITEMS))
        as_rules(self.rules).arranged(self.deck)

    def __reduce__(self) -> tuple[type["Game"], tuple[int, Rules]]:
        return Game, (self.n, self.rules)  # what is cached would travel along

    def __str__(self) -> str:
        return f"{self.n} cards, {self.rules}"

    @property
    def deck(self) -> Hand:
        """The cards 1 … n, which each player holds at the start."""
        return tuple(range(1, self.n + 1))

    @cached_property
    def prizes(self) -> Prizes:
        """The prizes, in the order in which they come; ascending where chance decides."""
        return self.rules.arranged(self.deck)

    @property
    def node(self) -> Node:
        """All prizes, nothing won."""
        return Node(self.prizes)

    @property
    def start(self) -> Position:
        """The first position, before a prize is turned up."""
        return Position.start(self.n, self.rules)

    @cached_property
    def turns(self) -> dict[Upcard, Turn]:
        """The first matrix games, {upcard: game}."""
        return {turn.upcard: turn for turn in turns(self.rules, self.node)}

    @property
    def upcards(self) -> tuple[Upcard, ...]:
        """The upcards that may come first; None stands for a hidden prize."""
        return tuple(self.turns)

    @cached_property
    def types(self) -> OrderTypes:
        """The pairs of hands that the game leads to. Listing those of 13 cards takes seconds."""
        return order_types(self.deck, self.deck, equal=self.rules.winning)

    @cached_property
    def counts(self) -> Counts:
        """The numbers of values and of matrix games; estimates beyond 8 cards with states."""
        return counts(self.n, self.rules)

    def chosen(self, upcards: Iterable[int] | None) -> list[Upcard]:
        """Return the first upcards that a user asks for, each once; by default all.

        Raises:
            ValueError: if none is asked for, one is not in the deck, or the rules do not let it come
                first.

        >>> Game(3).chosen([2, 1, 2])
        [2, 1]
        >>> Game(3, Rules(prizes="descending")).chosen([2])
        Traceback (most recent call last):
        ValueError: the first upcard must be 3 with prizes descending, got 2
        """
        if upcards is None:
            return list(self.upcards)
        if self.rules.hidden:
            raise ValueError("upcards must not be named where prizes are hidden")
        given = items(upcards, "upcards", "a sequence of prizes")
        chosen = list[Upcard](dict.fromkeys(integer(upcard, "an upcard") for upcard in given))
        if not chosen:
            raise ValueError("upcards must have at least one prize, got none")
        for upcard in chosen:
            if upcard not in self.deck:
                raise ValueError(f"an upcard must be one of 1 to {self.n}, got {shown(upcard)}")
            if upcard not in self.upcards:
                raise ValueError(
                    f"the first upcard must be {self.prizes[0]} with prizes {self.rules.order}, "
                    f"got {upcard}"
                )
        return chosen


def as_game(given: object, most: int = MOST_ITEMS) -> Game:
    """Return a game of at most so many cards, or raise a ``ValueError`` that names what was given."""
    game = instance(given, Game, "game", "Game(n, rules)")
    integer(game.n, "n", most=most)
    return game
