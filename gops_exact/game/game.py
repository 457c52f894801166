"""Games of n cards, their positions, and the matrix games of a round.

Users work with a :class:`Position`. Inner loops use a :class:`PrizeState`, which is a position without hands and
upcard, and a :class:`StageGame`, which is the next round at a prize state. A stage game and a pair of hands determine a
matrix game. Its rows are player one's bids, its columns player two's. The *upcard* is the prize turned up in a round.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from numbers import Integral
from typing import NamedTuple, SupportsIndex, cast

from gops_exact.base.arguments import LARGEST, MOST_ITEMS, instance, integer, items, shown
from gops_exact.game.order_types import Counts, Layer, counts, order_types
from gops_exact.game.rules import (
    EVERY_WINNER,
    LONGEST_CARD,
    OBJECTIVES,
    PLAIN,
    TIES,
    Hand,
    Prizes,
    Rules,
    State,
    Upcard,
    Upcards,
    as_prizes,
    deck_name,
    parse_card,
    winner_of,
    without,
)


class PrizeState(NamedTuple):
    """The prizes left, the margin and the pot.

    The *margin* is player one's points less player two's; it is 0 if the objective is points. The *pot* has the points
    that are carried over from ties. The values of all pairs of hands at a prize state form a *value table*.
    """

    prizes: Prizes  # the prizes left, in the order of :meth:`Rules.arranged`
    state: State = State()  # the margin and the pot


class Outcome(NamedTuple):
    """The result of a round that player one wins, that player two wins, or that is a tie."""

    gain: int  # the points that player one gains in the round, negative for a loss; 0 if the objective is to win
    decided: int | None  # the value after the round if no later round can change it, else None
    prize_state: PrizeState  # the prize state after the round
    mirrored: PrizeState  # the prize state after the round, with the players swapped


Outcomes = tuple[Outcome, ...]
"""The three results of a round, in the order of its winner: nobody, player one, player two."""


class StageGame(NamedTuple):
    """A possible next round: its upcard, and the result if player one wins, if player two wins, and for a tie.

    The hands are not part of this object. Together with any pair of hands it determines a matrix game.
    """

    upcard: Upcard  # the prize turned up; None where prizes are hidden
    # The number of prizes left with the upcard's value, or 1 if the players know the order of prizes; if prizes are
    # hidden, the number of all prizes left
    times: int
    # A pair for each value that the prize of the round can have: the number of prizes left with this value (1 if the
    # players know the order of prizes), and the results of the round. Only hidden prizes make several pairs.
    stakes: tuple[tuple[int, Outcomes], ...]
    winning: bool  # True if only the sign of the margin counts in the end

    @property
    def prize_states(self) -> list[PrizeState]:
        """The prize states that can follow the round, and the same with the players swapped, without repetition.

        Prize states that are decided (see :meth:`.Rules.decided`) are left out. The values of all pairs of hands at the
        listed prize states determine the payoffs of this stage game.
        """
        prize_states: dict[PrizeState, None] = {}
        for _, outcomes in self.stakes:
            for outcome in outcomes:
                if outcome.decided is None:
                    prize_states |= {outcome.prize_state: None, outcome.mirrored: None}
        return list(prize_states)


def stage_games(rules: Rules, prize_state: PrizeState) -> list[StageGame]:
    """List the stage games (rounds with their upcards) that may come next, one for each distinct upcard.

    If prizes are hidden, there is one stage game, whose upcard is None. If no prize is left, there is no stage game.
    For each pair of hands, the value before a prize is turned up is the mean of the values of these stage games,
    weighted by :attr:`StageGame.times`.

    Args:
        rules: the rules of the game.
        prize_state: the prizes left, the margin and the pot.

    >>> [stage.upcard for stage in stage_games(Rules(), PrizeState((2, 2, 5)))]
    [2, 5]
    >>> (stage,) = stage_games(Rules("win", prizes="hidden"), PrizeState((1, 2)))
    >>> (
    ...     stage.upcard,
    ...     [(prize_state.prizes, prize_state.state.margin) for prize_state in stage.prize_states],
    ... )
    (None, [((2,), 0), ((2,), 1), ((2,), -1), ((1,), 0)])
    """
    games = []
    for draw in rules.draws(prize_state.prizes):
        outcomes = []
        for winner in EVERY_WINNER:
            state = rules.after(prize_state.state, draw.upcard, winner)
            outcomes.append(
                Outcome(
                    rules.gain(prize_state.state, draw.upcard, winner),
                    rules.decided(draw.rest, state),
                    PrizeState(draw.rest, state),
                    PrizeState(draw.rest, state.swapped()),
                )
            )
        stake = draw.times, tuple(outcomes)
        games.append(StageGame(draw.upcard, draw.times, (stake,), rules.winning))
    if rules.hidden and games:
        stakes = tuple(stage.stakes[0] for stage in games)
        return [StageGame(None, len(prize_state.prizes), stakes, rules.winning)]
    return games


FIXED = "fixed"
"""The key of ``_LETTERS`` for any order of prizes that the rules list, such as (9, 5). The name of a position by such
rules contains the whole list."""

_LETTERS = {"random": "", "hidden": "h", "ascending": "a", "descending": "d", FIXED: "f"}
_CARDS = r"((?:[1-9][0-9]*\.)*[1-9][0-9]*|)"
_PRIZES = _CARDS.replace("[1-9][0-9]*", "(?:0|[1-9][0-9]*)")
_NAME = {
    "one": (re.compile(_CARDS), "the cards of player one"),
    "two": (re.compile("_" + _CARDS), "a card of player one, or _ and the cards of player two"),
    "order": (re.compile("_([hadf]?)"), "a card of player two, or _ and the prizes left"),
    "prizes": (re.compile(_PRIZES), "the prizes left"),
    "upcard": (re.compile("(?:@(0|[1-9][0-9]*))?"), ""),
    "win": (re.compile("(_w)?"), ""),
    "margin": (re.compile("(?:_m(-?[1-9][0-9]*))?"), ""),
    "carryover": (re.compile("(_c)?"), ""),
    "pot": (re.compile("(?:_p([1-9][0-9]*))?"), ""),
    "end": (
        re.compile(r"()\Z"),
        "a card, @ and the upcard, _w, _m and a margin, _c, _p and a pot, or its end",
    ),
}
"""The parts of a position's name, in order, {part: (pattern, expected text)}. If the pattern of a part does not match,
the message of the error names the expected text."""

_LIKE_A_NAME = re.compile(r"[\d.]+_[\d.]+_[hadf]?[\d.]+([@_].*)?")
"""Pattern of names of positions, and of texts that are meant as such names but are mistyped."""

LONGEST_NAME = 4000
"""The maximum number of characters of a position's name. Python refuses to convert a text of more than 4,300 digits to
an int; no name of at most 4,000 characters contains such a number."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position, as player one sees it.

    Attributes:
        one: player one's hand, distinct positive integers; ascending.
        two: player two's hand, as many distinct positive integers; ascending.
        prizes: the prizes left, including the upcard: as many integers of at least 0, which may repeat.
            They are ascending, or in the order in which they come if the rules fix an order.
        upcard: the prize turned up; None before a prize is turned up, and always where prizes are hidden.
        rules: the rules of the game.
        margin: player one's points so far minus player two's; 0 if the objective is points, because values then
            count only the points that can still be won.
        pot: the points carried over from ties; 0 if ties are discarded.

    Raises:
        ValueError: if a card or prize is invalid, if the hands and the prizes differ in number, if the upcard
            cannot come next, if the objective is points and the margin is not 0, or if ties are discarded and the
            pot is not 0.

    >>> position = Position([2, 4], [1, 3], [13, 12], upcard=13)
    >>> position.after(2, 3)
    Position(one=(4,), two=(1,), prizes=(12,), upcard=None, rules=Rules(objective='points', \
ties='discard', prizes='random'), margin=0, pot=0)
    """

    one: Hand
    two: Hand
    prizes: Prizes
    upcard: Upcard = None
    rules: Rules = PLAIN
    margin: int = 0
    pot: int = 0

    def __post_init__(self) -> None:
        hands: list[Hand] = []
        for argument, name in ((self.one, "player one"), (self.two, "player two")):
            cards = items(argument, name, "a sequence of distinct positive integers")
            hand = tuple(sorted(integer(card, f"a card of {name}", 1, LARGEST) for card in cards))
            repeated = [card for card, following in pairwise(hand) if card == following]
            if repeated:
                raise ValueError(
                    f"the cards of {name} must be distinct, got {shown(repeated[0])} twice"
                )
            hands.append(hand)
        prizes, (one, two) = as_prizes(self.prizes), hands
        if not len(one) == len(two) == len(prizes):
            raise ValueError(
                "both hands and the prizes must be of one size, got "
                f"{len(one)}, {len(two)} and {len(prizes)} cards"
            )
        rules = instance(self.rules, Rules, "rules", "Rules(objective, ties, prizes)")
        margin = integer(self.margin, "margin", -LARGEST, LARGEST)
        if margin and not rules.winning:
            raise ValueError(f"margin must be 0 where points are played for, got {shown(margin)}")
        pot = integer(self.pot, "pot", most=LARGEST)
        if pot < 0 or (pot and not rules.carries):
            least = "at least 0" if rules.carries else "0 where ties are discarded"
            raise ValueError(f"pot must be {least}, got {shown(pot)}")
        prizes = rules.arranged(prizes, left=True)
        checked = {"one": one, "two": two, "prizes": prizes, "margin": margin, "pot": pot}
        for name, field in checked.items():
            object.__setattr__(self, name, field)
        if self.upcard is not None:
            object.__setattr__(self, "upcard", self._next(self.upcard))

    @classmethod
    def start(cls, n: int, rules: Rules = PLAIN) -> "Position":
        """Return the position at the start of the game of n cards with the prizes 1 … n.

        Args:
            n: the number of cards a side.
            rules: the rules of the game.

        Raises:
            ValueError: if n is not a positive integer, or the rules list an order of other prizes.

        >>> Position.start(3, Rules("win")).prizes
        (1, 2, 3)
        """
        return Game(n, rules).start

    def __str__(self) -> str:
        """Return the name of the position, a short text like FEN in chess; :meth:`parse` reads it.

        ``_`` separates the two hands and the prizes, ``.`` separates cards. Unless prizes come in random order, a
        letter before the prizes names their order: ``h`` hidden, ``a`` ascending, ``d`` descending, ``f`` an order
        that the rules list. After ``f`` all prizes of the game are written in that order; the last of them are the
        prizes left. After any other letter, or none, only the prizes left are written. The other parts are written only
        if they apply: ``@`` and the upcard, ``_w`` for the objective to win, ``_m`` and the margin if it is not 0,
        ``_c`` for ties carried over, ``_p`` and the pot if it is not 0.

        >>> str(Position([2, 4], [1, 3], [12, 13], upcard=13))
        '2.4_1.3_12.13@13'
        >>> str(Position([2], [1], [5], rules=Rules("win", "carryover", (9, 5)), margin=-3, pot=4))
        '2_1_f9.5_w_m-3_c_p4'
        """
        rules, order = self.rules, self.rules.prizes
        letter = _LETTERS[order if isinstance(order, str) else FIXED]
        prizes = self.prizes if isinstance(order, str) else order
        one, two, deck = (".".join(map(str, cards)) for cards in (self.one, self.two, prizes))
        return (
            f"{one}_{two}_{letter}{deck}"
            + ("" if self.upcard is None else f"@{self.upcard}")
            + ("_w" if rules.winning else "")
            + (f"_m{self.margin}" if self.margin else "")
            + ("_c" if rules.carries else "")
            + (f"_p{self.pot}" if self.pot else "")
        )

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Return the position that a name such as ``"2.4_1.3_12.13@13"`` stands for; :meth:`__str__` describes names.

        Raises:
            ValueError: if `text` does not name a position, or is not exactly the name that :meth:`__str__` writes.

        >>> Position.parse("2.4_1.3_12.13@13").upcard
        13
        >>> Position.parse("4.2_1.3_12.13")
        Traceback (most recent call last):
        ValueError: a position is written in one way, 2.4_1.3_12.13, got '4.2_1.3_12.13'
        """
        if len(instance(text, str, "a position", "text")) > LONGEST_NAME:
            raise ValueError(
                f"a position must have at most {LONGEST_NAME} characters, got {shown(text)}"
            )
        parts, start = dict[str, str](), 0
        for name, (pattern, what) in _NAME.items():
            part = pattern.match(text, start)
            if part is None:
                raise ValueError(
                    f"a position must have {what} at character {start + 1}, got "
                    f"{shown(text[start : start + LONGEST_CARD] or 'the end')}"
                )
            parts[name], start = part[1] or "", part.end()
        one, two, prizes = (
            tuple(int(card) for card in parts[name].split(".") if card)
            for name in ("one", "two", "prizes")
        )
        order: str | Prizes = {letter: name for name, letter in _LETTERS.items()}[parts["order"]]
        # If the rules list the order of prizes, the name has all prizes of the game. The prizes left are the last ones.
        if order == FIXED:
            order, prizes = prizes, prizes[max(len(prizes) - len(one), 0) :]
        rules = Rules(OBJECTIVES[bool(parts["win"])], TIES[bool(parts["carryover"])], order)
        margin, pot = (int(parts[name] or 0) for name in ("margin", "pot"))
        upcard = int(parts["upcard"]) if parts["upcard"] else None
        position = cls(one, two, prizes, upcard, rules, margin, pot)
        if str(position) != text:
            raise ValueError(f"a position is written in one way, {position}, got {shown(text)}")
        return position

    @classmethod
    def trusted(
        cls,
        one: Hand,
        two: Hand,
        prizes: Prizes,
        upcard: Upcard,
        rules: Rules,
        margin: int,
        pot: int,
    ) -> "Position":
        """Return the position with these fields, without checking them: checking takes longer than playing a round.

        The caller may pass () for a hand that is not used later.
        """
        position: Position = object.__new__(cls)
        put = object.__setattr__
        put(position, "one", one)
        put(position, "two", two)
        put(position, "prizes", prizes)
        put(position, "upcard", upcard)
        put(position, "rules", rules)
        put(position, "margin", margin)
        put(position, "pot", pot)
        return position

    @property
    def size(self) -> int:
        """The number of cards in each hand."""
        return len(self.one)

    @property
    def state(self) -> State:
        """The margin and the pot."""
        return State(self.margin, self.pot)

    @property
    def prize_state(self) -> PrizeState:
        """The prizes left, the margin and the pot."""
        return PrizeState(self.prizes, self.state)

    @property
    def decided(self) -> int | None:
        """The value of the position if no later round can change it, else None; see :meth:`Rules.decided`."""
        return self.rules.decided(self.prizes, self.state)

    @property
    def known_value(self) -> int | None:
        """The value of the position if no later round can change it, or 0 if the players are equal; otherwise None.

        The players are equal if they have the same hand and the margin is 0.
        """
        end = self.decided
        return 0 if end is None and self.one == self.two and self.margin == 0 else end

    @property
    def stage_game(self) -> StageGame:
        """The next round as a stage game: together with the hands it determines a matrix game.

        Raises:
            ValueError: if a prize must be turned up first, or no prize is left.
        """
        games = {stage.upcard: stage for stage in stage_games(self.rules, self.prize_state)}
        if self.upcard not in games:
            self._next(self.upcard)
        return games[self.upcard]

    def at(self, upcard: Upcard) -> "Position":
        """Return the position with a prize turned up.

        Args:
            upcard: the prize; None if prizes are hidden, and then the result is equal to this position.

        Raises:
            ValueError: if the prize cannot come next, or if no prize is left.

        >>> Position.start(3).at(2).upcard
        2
        """
        return self.trusted(
            self.one, self.two, self.prizes, self._next(upcard), self.rules, self.margin, self.pot
        )

    def with_upcards(self) -> "list[tuple[int, Position]]":
        """List the positions after the next prize is turned up.

        Returns:
            [(number of prizes, position), …], a pair for each distinct upcard that may come next. The number counts
            the prizes left with the upcard's value; it is 1 if the players know the order of prizes. If prizes are
            hidden, the list has only this position, with the number of all prizes left. If a prize is turned up
            already, the list has only this position, with the number 1. If no prize is left, the list is empty.

        >>> [times for times, _ in Position([1, 2, 3], [1, 2, 3], [5, 2, 2]).with_upcards()]
        [2, 1]
        """
        if self.upcard is not None:
            return [(1, self)]
        games = stage_games(self.rules, self.prize_state)
        return [(stage.times, self.at(stage.upcard)) for stage in games]

    def after(self, bid: int, reply: int, prize: int | None = None) -> "Position":
        """Return the position after a round, before the next prize is turned up.

        Args:
            bid: player one's card.
            reply: player two's card.
            prize: the prize of the round: one of the prizes left if prizes are hidden, otherwise the upcard or None.

        Raises:
            ValueError: if a card is not in its player's hand, if `prize` is not as described, or if prizes are not
                hidden and none is turned up.

        >>> Position.start(3).at(2).after(3, 1).prizes
        (1, 3)
        """
        bid, reply = integer(bid, "a bid"), integer(reply, "a bid")
        for name, card, hand in (("player one", bid, self.one), ("player two", reply, self.two)):
            if card not in hand:
                raise ValueError(f"{name} must bid one of {_listed(hand)}, got {shown(card)}")
        prize = self.upcard if prize is None else integer(prize, "the prize")
        if prize is None:
            raise ValueError("a round needs a prize turned up: use at(upcard), or name the prize")
        if prize != self.upcard and not self.rules.hidden:
            raise ValueError(f"the prize must be the upcard {self.upcard}, got {shown(prize)}")
        if prize not in self.prizes:
            raise ValueError(f"the prize must be one of {_listed(self.prizes)}, got {shown(prize)}")
        state = self.rules.after(self.state, prize, winner_of(bid, reply))
        return self.trusted(
            without(self.one, bid),
            without(self.two, reply),
            without(self.prizes, prize),
            None,
            self.rules,
            *state,
        )

    def swapped(self) -> "Position":
        """Return the position as player two sees it: the hands are exchanged, and the margin has the opposite sign.

        >>> Position([1, 2], [2, 3], [4, 5], rules=Rules("win"), margin=3).swapped().margin
        -3
        """
        return self.trusted(
            self.two, self.one, self.prizes, self.upcard, self.rules, -self.margin, self.pot
        )

    def _next(self, upcard: object) -> Upcard:
        """Return `upcard` as an int or None, after checking that it may come next."""
        if not self.prizes:
            raise ValueError(f"no prize is left to bid for, got upcard {shown(upcard)}")
        if self.rules.hidden:
            if upcard is not None:
                raise ValueError(
                    f"upcard must be left out where prizes are hidden, got {shown(upcard)}"
                )
            return None
        card = None if upcard is None else integer(upcard, "the upcard")
        if card is not None and card in (self.prizes[:1] if self.rules.fixed else self.prizes):
            return card
        if self.rules.fixed:
            expected = f"{self.prizes[0]}, the first of the prizes in order"
        else:
            expected = f"one of the prizes {_listed(self.prizes)}"
        hint = f": turn one up with position.at({self.prizes[0]})" if upcard is None else ""
        raise ValueError(f"the upcard must be {expected}, got {shown(upcard)}{hint}")


def _listed(cards: Iterable[int]) -> str:
    return ", ".join(map(str, cards))


@dataclass(frozen=True)
class Game:
    """The game of n cards: both players hold 1 … n, and the prizes are 1 … n or those of `deck`.

    Raises:
        ValueError: if n is not a positive integer, if the deck does not have n prizes, or if the rules list an
            order of other prizes.

    >>> game = Game(3, Rules(prizes="descending"))
    >>> game.prizes, game.upcards
    ((3, 2, 1), (3,))
    >>> print(Game(3, deck=[0, 1, 2]))
    3 cards, objective points, ties discard, prizes random, deck 0,1,2
    >>> Game(5).counts
    Counts(values=325, games=960)
    >>> Game(0)
    Traceback (most recent call last):
    ValueError: n must be at least 1, got 0
    """

    n: int  #: cards a side
    rules: Rules = PLAIN  #: the rules of the game
    deck: Prizes = ()  #: the prizes, ascending; if () is passed, they are 1 … n

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", integer(self.n, "n", 1, MOST_ITEMS))
        deck = self.hand if isinstance(self.deck, tuple) and not self.deck else as_prizes(self.deck)
        if len(deck) != self.n:
            raise ValueError(f"the deck must have {self.n} prizes, got {len(deck)}")
        object.__setattr__(self, "deck", deck)
        instance(self.rules, Rules, "rules", "Rules(objective, ties, prizes)").arranged(deck)

    def __reduce__(self) -> tuple[type["Game"], tuple[int, Rules, Prizes]]:
        return Game, (self.n, self.rules, self.deck)  # cached properties are not pickled

    def __str__(self) -> str:
        return f"{self.n} cards, {self.rules}{deck_name(self.own_deck)}"

    @property
    def hand(self) -> Hand:
        """The cards 1 … n, which each player holds at the start."""
        return tuple(range(1, self.n + 1))

    @cached_property
    def own_deck(self) -> Prizes:
        """The deck, or () if its prizes are 1 … n."""
        return () if self.deck == self.hand else self.deck

    @cached_property
    def prizes(self) -> Prizes:
        """All prizes of the game: in their order if the rules fix an order, else ascending."""
        return self.rules.arranged(self.deck)

    @property
    def start(self) -> Position:
        """The position at the start of the game, before a prize is turned up."""
        return Position.trusted(self.hand, self.hand, self.prizes, None, self.rules, 0, 0)

    @cached_property
    def stage_games(self) -> dict[Upcard, StageGame]:
        """The first round for each upcard that can come first, {upcard: stage game}."""
        return {stage.upcard: stage for stage in stage_games(self.rules, PrizeState(self.prizes))}

    @property
    def upcards(self) -> tuple[Upcard, ...]:
        """The possible upcards of the first round; (None,) where prizes are hidden."""
        return tuple(self.stage_games)

    @cached_property
    def types(self) -> tuple[Layer, ...]:
        """The pairs of hands that can remain, a :class:`.Layer` for each number of cards a side from 0 to n.

        Pairs of hands in which the cards of both players interleave in the same way are listed as one pair (see
        :mod:`~gops_exact.game.order_types`). Of a pair and the pair with the players swapped, only one is listed. Equal
        hands of fewer than n cards are listed only if the objective is to win. For points, their value is 0.
        """
        return order_types(self.hand, self.hand, equal=self.rules.winning)

    @cached_property
    def counts(self) -> Counts:
        """The numbers of values and of matrix games to compute for optimal strategies for the first bid."""
        return counts(self.n, self.rules, self.own_deck)

    def chosen(self, upcards: Upcards | None) -> list[Upcard]:
        """Return the upcards of the first round that a user asks for, without repetition.

        Args:
            upcards: one upcard or several, as numbers or names such as ``"K"``; None for all, or [None] if prizes are
                hidden.

        Raises:
            ValueError: if `upcards` is empty, if an upcard is not in the deck or cannot come first, or if upcards
                are named although prizes are hidden.

        >>> Game(3).chosen([2, "A", 2]), Game(13).chosen("K")
        ([2, 1], [13])
        >>> Game(3, Rules(prizes="descending")).chosen([2])
        Traceback (most recent call last):
        ValueError: the first upcard must be 3 with prizes descending, got 2
        """
        if upcards is None:
            return list(self.stage_games)
        if self.rules.hidden:
            raise ValueError("upcards must not be named where prizes are hidden")
        single = isinstance(upcards, str | Integral)
        asked = [upcards] if single else items(upcards, "upcards", "a sequence of prizes")
        chosen = list[Upcard](
            dict.fromkeys(
                parse_card(upcard) if isinstance(upcard, str) else integer(upcard, "an upcard")
                for upcard in asked
            )
        )
        if not chosen:
            raise ValueError("upcards must have at least one prize, got none")
        for upcard in chosen:
            if upcard not in self.deck:
                deck = _listed(self.own_deck) or f"1 to {self.n}"
                raise ValueError(f"an upcard must be one of {deck}, got {shown(upcard)}")
            if upcard not in self.upcards:
                raise ValueError(
                    f"the first upcard must be {self.prizes[0]} with prizes {self.rules.order}, "
                    f"got {upcard}"
                )
        return chosen


def checked_position(position: object, *, turned: bool = False) -> Position:
    """Return a position that is passed as a Position or by its name.

    Args:
        position: the Position, which is returned unchanged, or its name.
        turned: True to require that the players bid next: either a prize is turned up, or prizes are hidden and at
            least one prize is left.

    Raises:
        ValueError: if `position` is neither a Position nor a name, or if `turned` is True and the players do not bid
            next.
    """
    if isinstance(position, str):
        position = Position.parse(position)
    position = instance(position, Position, "position", "a Position or the name of one")
    if turned:
        position.at(position.upcard)
    return position


def named_position(source: object) -> Position | None:
    """Return the position if `source` is a Position or looks like the name of one; otherwise None.

    Raises:
        ValueError: if `source` looks like the name of a position, but is not valid.

    >>> named_position("2.4_1.3_12.13@13").upcard, named_position("game.csv")
    (13, None)
    """
    if isinstance(source, str) and _LIKE_A_NAME.fullmatch(source):
        return Position.parse(source)
    return source if isinstance(source, Position) else None


def as_game(
    game: object, most: int = MOST_ITEMS, *, rules: Rules = PLAIN, any_deck: bool = True
) -> Game:
    """Return a game that is passed as a Game or by its number of cards a side.

    Args:
        game: the Game, which is returned unchanged, or the number of cards a side.
        most: the greatest number of cards a side that is allowed.
        rules: the rules of a game that is passed by its number of cards.
        any_deck: False to require that the prizes are 1 … n.

    Raises:
        ValueError: if `game` is neither a Game nor a positive integer, or has more than `most` cards a side; if `rules`
            other than the default are passed beside a Game; or if `any_deck` is False and the prizes are not 1 … n.

    >>> as_game(Game(2)) == as_game(2)
    True
    """
    if isinstance(game, SupportsIndex) and not isinstance(game, bool):
        game = Game(cast("int", game), rules)
    elif rules != PLAIN:
        raise ValueError(f"rules must be those of the game, got {shown(rules)} beside it")
    game = instance(game, Game, "game", "Game(n, rules) or its cards a side")
    integer(game.n, "n", most=most)
    if game.own_deck and not any_deck:
        raise ValueError(f"the deck must be 1 to {game.n} here, got {_listed(game.deck)}")
    return game
