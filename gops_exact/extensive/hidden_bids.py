"""The game with hidden bids, and its sequence form.

An *information set* is all that a player knows before a bid: the prizes so far, the player's own bids, the winner of
each prize, and the prize turned up. It is written as ``5:3+ 4:2- 3``: the prize 5 was won with a bid of 3, the prize 4
was lost with a bid of 2, and the prize is now 3; ``=`` is a tie. For a player who sees the bids it is
``5:3>1 4:2<4 3``. The last bid is forced, so there is no information set before it.

A *sequence* is an information set and a bid there, or no bid yet (von Stengel 1996, *Efficient computation of
behavior strategies*). It determines all earlier bids of the player. A *plan* has a probability for every sequence.
The expected payoff is linear in the plan of each player.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count
from math import prod
from typing import NamedTuple

from flint import fmpq

from gops_exact.base.arguments import items, shown
from gops_exact.game.game import Game, as_game
from gops_exact.game.rules import LEVEL, Hand, Prizes, State, winner_of, without
from gops_exact.numbers import BigRational

MOST_CARDS = {"fixed": 6, "random": 5}
"""Cards a side whose leaves are listed: half a million, and 1.7 million."""

BEFORE = 0
"""The sequence of a player who has not bid."""

Strategy = dict[str, dict[int, BigRational]]
"""{information set: {bid: probability}}; bids that are not played and sets that are not reached are missing."""

RawStrategy = dict[str, dict[int, fmpq]]
"""The same in the numbers in which plans are computed."""

SIGNS = {1: "+", 0: "=", -1: "-"}
COMPARED = {1: ">", 0: "=", -1: "<"}


class Counts(NamedTuple):
    """The size of a game. Pairs are of player one and player two."""

    information_sets: tuple[int, int]  #: with a choice
    forced: tuple[int, int]  #: with the last card
    sequences: tuple[int, int]  #: with the one before any bid
    leaves: int  #: complete games: the bids of all rounds, and the order of the prizes


class Side:
    """The information sets and the sequences of one player."""

    def __init__(self) -> None:
        #: {information set: (the sequence that leads to it, {bid: sequence})}. A set stands after all sets that
        #: lead to it.
        self.sets: dict[str, tuple[int, dict[int, int]]] = {}
        self.sequences: int = 1  #: their number
        self.forced: set[str] = set()  #: the information sets with one card

    def at(self, name: str, hand: Hand, before: int) -> dict[int, int]:
        """Return {bid: sequence} at an information set; a last card adds no sequence."""
        if len(hand) == 1:
            self.forced.add(name)
            return {hand[0]: before}
        if name not in self.sets:
            self.sets[name] = before, dict(zip(hand, count(self.sequences), strict=False))
            self.sequences += len(hand)
        return self.sets[name][1]


class Form:
    """The sequence form of a game: both sides, and the payoff of each pair of last sequences."""

    def __init__(self, game: "HiddenBids") -> None:
        self.sides = Side(), Side()
        self.leaves = 0
        #: {(sequence of player one, of player two): payoff of player one}, times :attr:`scale`
        self.payoffs: Counter[tuple[int, int]] = Counter()
        rules, deck = game.game.rules, game.game.hand
        #: the number of equally likely orders of the prizes
        self.scale = 1 if rules.fixed else prod(deck)
        self._add(game, (deck, deck), game.game.prizes, LEVEL, ("", ""), (BEFORE, BEFORE), 0)

    def _add(
        self,
        game: "HiddenBids",
        hands: tuple[Hand, Hand],
        prizes: Prizes,
        state: State,
        known: tuple[str, str],
        reached: tuple[int, int],
        gained: int,
    ) -> None:
        """Add all that may follow.

        Args:
            game: the game.
            hands: the hands of player one and of player two.
            prizes: the prizes left.
            state: the state that the rules add.
            known: the text of what each player knows.
            reached: the last sequence of each player.
            gained: player one's points so far.
        """
        rules = game.game.rules
        for draw in rules.draws(prizes):
            names = tuple(f"{history}{draw.upcard}" for history in known)
            bids, replies = map(Side.at, self.sides, names, hands, reached)
            for bid, one in bids.items():
                for reply, two in replies.items():
                    winner = winner_of(bid, reply)
                    after = rules.after(state, draw.upcard, winner)
                    total = gained + rules.gain(state, draw.upcard, winner)
                    if not draw.rest:
                        self.leaves += 1
                        final = rules.decided((), after) if rules.winning else total
                        self.payoffs[one, two] += final or 0
                        continue
                    self._add(
                        game,
                        (without(hands[0], bid), without(hands[1], reply)),
                        draw.rest,
                        after,
                        (
                            names[0] + game.record(0, bid, reply, winner),
                            names[1] + game.record(1, reply, bid, -winner),
                        ),
                        (one, two),
                        total,
                    )

    @property
    def counts(self) -> Counts:
        """The size of the game."""
        one, two = self.sides
        return Counts(
            (len(one.sets), len(two.sets)),
            (len(one.forced), len(two.forced)),
            (one.sequences, two.sequences),
            self.leaves,
        )


# Only the last form is cached: training measures strategies many times, each time with a new HiddenBids.
_form = lru_cache(maxsize=1)(Form)


@dataclass(frozen=True)
class HiddenBids:
    """The game in which bids stay hidden.

    Args:
        game: cards and rules, or the cards a side. Prizes come at random or in a known order.
        seen: for player one and for player two, true if the player sees the bids of the other.

    Raises:
        ValueError: if the game has hidden prizes, or too many cards for its leaves to be listed.
    """

    game: Game
    seen: tuple[bool, bool] = (False, False)

    def __post_init__(self) -> None:
        game = as_game(self.game, any_deck=False)
        object.__setattr__(self, "game", game)
        rules = game.rules
        if rules.hidden:
            raise ValueError(
                "with hidden bids prizes must be random or in a known order, got hidden"
            )
        as_game(game, MOST_CARDS["fixed" if rules.fixed else "random"])
        kind = "a pair of truth values"
        seen = tuple(items(self.seen, "seen", kind, ordered=True))
        if len(seen) != 2 or not all(isinstance(sees, bool) for sees in seen):
            raise ValueError(f"seen must be {kind}, got {shown(self.seen)}")
        object.__setattr__(self, "seen", seen)

    @cached_property
    def form(self) -> Form:
        """The sequence form. For five cards and prizes at random it takes a minute and gigabytes."""
        return _form(self)

    @property
    def symmetric(self) -> bool:
        """True if both players see the bids or neither does, so that the value is 0."""
        return self.seen[0] == self.seen[1]

    def record(self, player: int, own: int, other: int, winner: int) -> str:
        """Return the text that a player adds to an information set after a round; it follows the prize."""
        bids = f"{own}{COMPARED[winner]}{other}" if self.seen[player] else f"{own}{SIGNS[winner]}"
        return f":{bids} "


def plan_of(side: Side, strategy: RawStrategy) -> list[fmpq]:
    """Return the plan of a strategy.

    Bids that are missing have probability 0. An information set may be missing if it is never reached.

    Raises:
        ValueError: if an information set is reached and missing, is unknown, or has no probabilities with the sum 1.
    """
    unknown = strategy.keys() - side.sets.keys()
    if unknown:
        raise ValueError(
            f"a strategy must be of information sets of the game, got {min(unknown, key=str)!r}"
        )
    plan = [fmpq(0)] * side.sequences
    plan[BEFORE] = fmpq(1)
    for name, (before, after) in side.sets.items():
        if not plan[before]:
            continue
        chances = strategy.get(name, {})
        if not chances.keys() <= after.keys() or sum(chances.values(), fmpq(0)) != 1:
            raise ValueError(
                f"{name}: expected probabilities of {', '.join(map(str, after))} with the sum 1, got "
                f"{', '.join(f'{bid}: {chance}' for bid, chance in chances.items()) or 'none'}"
            )
        if min(chances.values()) < 0:
            raise ValueError(f"{name}: a probability must not be negative")
        for bid, chance in chances.items():
            plan[after[bid]] = plan[before] * chance
    return plan


def strategy_of(side: Side, plan: Sequence[fmpq]) -> Strategy:
    """Return the strategy of a plan, without zeros and without the sets that it does not reach."""
    return {
        name: {
            bid: BigRational(plan[sequence] / plan[before])
            for bid, sequence in after.items()
            if plan[sequence]
        }
        for name, (before, after) in side.sets.items()
        if plan[before]
    }
