"""The rules of a game of GOPS, and the state that they add to a position.

Solvers read a rule set through four methods: :meth:`Rules.draws` (which prizes can be turned up
next), :meth:`Rules.gain` (points that a round pays at once), :meth:`Rules.after` (the state it
leaves) and :meth:`Rules.decided` (the value of a state that no further round can change).

The *state* holds the margin, player one's points less player two's, if the objective is to win, and
the pot, the points of tied prizes, if ties are carried over. When the players are swapped, the
margin changes its sign and the pot stays:

    f(Y, V, P, −margin, pot) = −f(V, Y, P, margin, pot)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from gops_exact.arguments import LARGEST, choice, instance, integer, items, positive_integer, shown
from gops_exact.game.cards import as_prizes, deck_of

Prizes = tuple[int, ...]

Upcard = int | None
"""A prize turned up, or None where bids are made before it is seen."""


def upcard_name(upcard: Upcard) -> str:
    """Return an upcard as text: a prize in points, or ``hidden``.

    >>> upcard_name(3), upcard_name(None)
    ('3', 'hidden')
    """
    return "hidden" if upcard is None else str(upcard)


Winner = Literal[-1, 0, 1]
"""The winner of a round: 1 player one, −1 player two, 0 neither."""


def winner_of(bid: int, reply: int) -> Winner:
    """Return the winner of a round: the player of the higher card.

    >>> winner_of(3, 2), winner_of(2, 2)
    (1, 0)
    """
    return 1 if bid > reply else -1 if reply > bid else 0


OBJECTIVES = ("points", "win")
TIES = ("discard", "carryover")
ORDERS = ("random", "hidden", "ascending", "descending")


class State(NamedTuple):
    """The margin and the pot that the rounds so far have left.

    Attributes:
        margin: player one's points less player two's; 0 where points are played for, because
            values then count the points from the position on.
        pot: points carried over from ties.
    """

    margin: int = 0
    pot: int = 0

    def swapped(self) -> "State":
        """Return the same state as the other player sees it."""
        return State(-self.margin, self.pot)


LEVEL = State()
"""Nothing won, nothing carried over."""


class Draw(NamedTuple):
    """One prize that may be turned up next.

    Attributes:
        upcard: its value in points.
        times: how many prizes of that value there are.
        rest: the prizes that remain, in order.
    """

    upcard: int
    times: int
    rest: Prizes


@dataclass(frozen=True)
class Rules:
    """One set of rules.

    Attributes:
        objective: ``"points"``, the difference of the points won, or ``"win"``: 1 for more points
            than the opponent, −1 for fewer, 0 for as many.
        ties: the rule for a prize that both bid the same for: ``"discard"``, nobody gets it, or
            ``"carryover"``, it is added to the next prize. Nobody gets a last pot.
        prizes: ``"random"``, a shuffled deck, each prize turned up before the bids; ``"hidden"``,
            turned up after them; ``"ascending"``, ``"descending"`` or the prizes themselves in the
            order in which they come, which both players know.

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
        kind = "'random', 'hidden', 'ascending', 'descending' or positive integers in order"
        try:
            given = items(self.prizes, "prizes", kind, ordered=True)
            prizes = tuple(positive_integer(prize, "a prize", LARGEST) for prize in given)
        except ValueError:
            prizes = ()
        if not prizes:
            raise ValueError(f"prizes must be {kind}, got {shown(self.prizes)}")
        object.__setattr__(self, "prizes", prizes)

    def __str__(self) -> str:
        return f"objective {self.objective}, ties {self.ties}, prizes {self.order}"

    @property
    def order(self) -> str:
        """The rule for the prizes as one word; those in an order of their own with commas."""
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
        """True if a tied prize can be won later: there may be a pot."""
        return self.ties != "discard"

    @property
    def plain(self) -> bool:
        """True if positions need no state: points are played for and ties are discarded."""
        return not (self.winning or self.carries)

    @property
    def key(self) -> str:
        """The rules as one word of text, for the store.

        Prizes in a known order are part of a position, so all such orders share their values.

        >>> Rules().key, Rules(prizes="descending").key
        ('points/discard/random', 'points/discard/fixed')
        """
        return f"{self.objective}/{self.ties}/{'fixed' if self.fixed else self.prizes}"

    def arranged(self, prizes: Iterable[int]) -> Prizes:
        """Return prizes in the order in which they come; ascending where chance decides.

        Raises:
            ValueError: if the rules name other prizes.

        >>> Rules(prizes="descending").arranged([1, 2, 3])
        (3, 2, 1)
        """
        given = as_prizes(prizes)
        if isinstance(self.prizes, str):
            return given[::-1] if self.prizes == "descending" else given
        if tuple(sorted(self.prizes)) != given:
            raise ValueError(
                f"prizes in order must be {', '.join(map(str, given))} in some order, got "
                f"{', '.join(map(str, self.prizes))}"
            )
        return self.prizes

    def left(self, prizes: Iterable[int]) -> Prizes:
        """Return the prizes left late in a game, in the order in which they come.

        Raises:
            ValueError: if the rules name an order that does not end with them.

        >>> Rules(prizes=(3, 1, 2)).left([1, 2])
        (1, 2)
        """
        given = as_prizes(prizes)
        if isinstance(self.prizes, str):
            return self.arranged(given)
        last = self.prizes[len(self.prizes) - len(given) :]
        if sorted(last) != sorted(given):
            raise ValueError(
                f"the prizes left of {self.order} in order must be the last "
                f"{len(given)}, got {', '.join(map(str, given))}"
            )
        return last

    def deal(self, n: object, upcards: Iterable[int] | None = None) -> tuple[Prizes, list[Upcard]]:
        """Return the prizes of the game of n cards, arranged, and the upcards that may come first.

        Args:
            n: cards a side.
            upcards: the upcards asked for, at least one, each once; by default all that may come
                first. None stands for a hidden prize.

        Raises:
            ValueError: if n is not a positive integer, no upcard is asked for, an upcard is not in
                the deck, or the rules do not let it come first.

        >>> Rules().deal(3), Rules(prizes="descending").deal(3), Rules(prizes="hidden").deal(2)
        (((1, 2, 3), [1, 2, 3]), ((3, 2, 1), [3]), ((1, 2), [None]))
        >>> Rules().deal(3, [2, 1, 2])
        ((1, 2, 3), [2, 1])
        >>> Rules(prizes="descending").deal(3, [2])
        Traceback (most recent call last):
        ValueError: the first upcard must be 3 with prizes descending, got 2
        """
        deck = deck_of(n)
        if self.hidden:
            if upcards is not None:
                raise ValueError("upcards must not be named where prizes are hidden")
            return self.arranged(deck), [None]
        given = deck if upcards is None else items(upcards, "upcards", "a sequence of prizes")
        chosen = list(dict.fromkeys(integer(upcard, "an upcard") for upcard in given))
        if not chosen:
            raise ValueError("upcards must have at least one prize, got none")
        for upcard in chosen:
            if upcard not in deck:
                raise ValueError(f"an upcard must be one of 1 to {len(deck)}, got {shown(upcard)}")
        prizes = self.arranged(deck)
        if not self.fixed:
            return prizes, list[Upcard](chosen)
        for upcard in () if upcards is None else chosen:
            if upcard != prizes[0]:
                raise ValueError(
                    f"the first upcard must be {prizes[0]} with prizes {self.order}, got {upcard}"
                )
        return prizes, [prizes[0]]

    def draws(self, prizes: Prizes) -> list[Draw]:
        """List the distinct upcards among prizes that are left and arranged.

        >>> Rules().draws((2, 2, 5))
        [Draw(upcard=2, times=2, rest=(2, 5)), Draw(upcard=5, times=1, rest=(2, 2))]
        >>> Rules(prizes="descending").draws((5, 2, 2))
        [Draw(upcard=5, times=1, rest=(2, 2))]
        """
        if self.fixed:
            return [Draw(prizes[0], 1, prizes[1:])] if prizes else []
        return [
            Draw(upcard, prizes.count(upcard), prizes[:place] + prizes[place + 1 :])
            for place, upcard in enumerate(prizes)
            if place == 0 or prizes[place - 1] != upcard
        ]

    def start(self, margin: int = 0, pot: int = 0) -> State:
        """Return the state of a position.

        Raises:
            ValueError: if there is a margin where points are played for, a pot where tied prizes are
                discarded, or a negative pot.
        """
        margin = integer(margin, "margin", -LARGEST, LARGEST)
        if margin and not self.winning:
            raise ValueError(f"margin must be 0 where points are played for, got {shown(margin)}")
        pot = integer(pot, "pot", most=LARGEST)
        if pot < 0 or (pot and not self.carries):
            least = "at least 0" if self.carries else "0 where ties are discarded"
            raise ValueError(f"pot must be {least}, got {shown(pot)}")
        return State(margin, pot)

    def gain(self, state: State, upcard: int, winner: Winner) -> int:
        """Return the points that a round pays player one at once; 0 if the objective is to win."""
        return 0 if self.winning else winner * (upcard + state.pot)

    def after(self, state: State, upcard: int, winner: Winner) -> State:
        """Return the state that a round leaves.

        >>> Rules("win", "carryover").after(State(3, 2), 5, -1)
        State(margin=-4, pot=0)
        >>> Rules("win", "carryover").after(State(3, 2), 5, 0)
        State(margin=3, pot=7)
        """
        stake = upcard + state.pot
        margin = state.margin + winner * stake if self.winning else 0
        return State(margin, stake if winner == 0 and self.carries else 0)

    def decided(self, prizes: Prizes, state: State) -> int | None:
        """Return the final value if the rounds that are left cannot change it, else None.

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
        """Return {prizes left: sorted undecided states that some states of a game lead to}.

        If with every start the swapped state is one, so it is with every state listed: one of each
        mirrored pair of hands is kept, so both states are looked up. Larger prize sets come first.

        Args:
            prizes: all prizes, arranged.
            starts: the undecided states to begin with; by default that of a new game.

        >>> Rules("win").states((1, 2))
        {(1, 2): [State(margin=0, pot=0)], (2,): [State(margin=-1, pot=0), State(margin=0, pot=0), \
State(margin=1, pot=0)], (1,): [State(margin=0, pot=0)]}
        """
        known: dict[Prizes, set[State]] = {prizes: set(starts) if prizes else set()}
        winners: tuple[Winner, ...] = (1, 0, -1)
        frontier = [prizes]
        while frontier:
            later: dict[Prizes, set[State]] = {}
            for left in frontier:
                for draw in self.draws(left):
                    if draw.rest:
                        after = {
                            self.after(s, draw.upcard, w) for s in known[left] for w in winners
                        }
                        undecided = {s for s in after if self.decided(draw.rest, s) is None}
                        later.setdefault(draw.rest, set()).update(undecided)
            known |= later
            frontier = list(later)
        return {left: sorted(states) for left, states in known.items()}


def as_rules(rules: object) -> Rules:
    """Return `rules`, or raise a ``ValueError`` if they are not :class:`Rules`."""
    return instance(rules, Rules, "rules", "Rules(objective, ties, prizes)")


PLAIN = Rules()
"""The rules of the literature: points, ties discarded, prizes in random order."""
