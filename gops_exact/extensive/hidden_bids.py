"""The game with hidden bids, and its sequence form.

An *information set* is all that a player knows before a bid: the prizes so far, the player's own bids, the
winner of each prize, and the prize turned up. Its name is, for example, ``5:3+ 4:2- 3``: the player won the
prize 5 with a bid of 3 and lost the prize 4 with a bid of 2, and the prize is now 3. A tie is written ``=``.
For a player who sees the other's bids the name is ``5:3>1 4:2<4 3``. The last bid is forced, so there is no
information set before it.

A *sequence* is an information set and a bid there, or no bid yet (von Stengel 1996, *Efficient computation of
behavior strategies*). A sequence determines all earlier bids of the player. A *plan* has a number for every
sequence, the product of the probabilities of its bids. The expected payoff is linear in the plan of each
player.
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
"""Greatest number of cards a side, by the order of the prizes. Such games have half a million leaves
("fixed") and 1.7 million ("random")."""

BEFORE = 0
"""Index of the empty sequence, that of a player who has not bid yet."""

Strategy = dict[str, dict[int, BigRational]]
"""{information set: {bid: probability}}, without bids of probability 0 and sets that are not reached."""

RawStrategy = dict[str, dict[int, fmpq]]
"""{information set: {bid: probability}} in FLINT's fractions, in which plans are computed."""

SIGNS = {1: "+", 0: "=", -1: "-"}
COMPARED = {1: ">", 0: "=", -1: "<"}


class Counts(NamedTuple):
    """Size of a game. Each pair has the number for player one, then the number for player two."""

    information_sets: tuple[int, int]  #: where a player has at least two cards
    forced: tuple[int, int]  #: states of knowledge in which a player has only one card left
    sequences: tuple[int, int]  #: including the empty sequence
    leaves: int  #: number of complete games, which differ in bids or in the order of the prizes


class Side:
    """Information sets and sequences of one player. A sequence is an index, from 0 on."""

    def __init__(self) -> None:
        #: {information set: (the sequence that leads to it, {bid: sequence})}. Every set comes after the sets
        #: that lead to it.
        self.sets: dict[str, tuple[int, dict[int, int]]] = {}
        self.sequences: int = 1  #: number of sequences; initially only the empty one
        self.forced: set[str] = set()  #: names of the states of knowledge with one card left

    def at(self, name: str, hand: Hand, before: int) -> dict[int, int]:
        """Return {bid: sequence} at an information set, which is added if it is new.

        A last card adds no sequence: its sequence is `before`.

        Args:
            name: the name of the information set.
            hand: the cards that the player holds.
            before: the sequence that leads to the information set.
        """
        if len(hand) == 1:
            self.forced.add(name)
            return {hand[0]: before}
        if name not in self.sets:
            self.sets[name] = before, dict(zip(hand, count(self.sequences), strict=False))
            self.sequences += len(hand)
        return self.sets[name][1]


class Form:
    """Sequence form of a game: both sides, and the payoff of each pair of last sequences."""

    def __init__(self, game: "HiddenBids") -> None:
        self.sides = Side(), Side()
        self.leaves = 0
        #: {(player one's last sequence, player two's last sequence): player one's payoff times
        #: :attr:`scale`}. Leaves with the same sequences are added up.
        self.payoffs: Counter[tuple[int, int]] = Counter()
        rules, deck = game.game.rules, game.game.hand
        #: number of equally likely orders of the prizes
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
        """Add the information sets, sequences and leaves that can follow a point of the game.

        Args:
            game: the game.
            hands: the hands of player one and of player two.
            prizes: the prizes left.
            state: margin and pot, as the rules need them.
            known: for each player, the text that all further information sets of that player begin with.
            reached: the last sequence of each player.
            gained: player one's points so far less those of player two.
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


# The cache serves training, which measures many strategies of one game, each with a new but equal HiddenBids.
_form = lru_cache(maxsize=1)(Form)


@dataclass(frozen=True)
class HiddenBids:
    """The game in which bids stay hidden.

    Args:
        game: cards and rules, or the number of cards a side. Prizes come at random or in a known order.
        seen: for player one and for player two, True if the player sees the bids of the other.

    Raises:
        ValueError: if the game has hidden prizes, or more cards than `MOST_CARDS` allows.
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
        """The sequence form. With 5 cards and random prizes it takes a minute and gigabytes of memory."""
        return _form(self)

    @property
    def symmetric(self) -> bool:
        """True if both players see the other's bids, or neither does. The value is then 0."""
        return self.seen[0] == self.seen[1]

    def record(self, player: int, own: int, other: int, winner: int) -> str:
        """Return the text that follows the prize of a round in the names of later information sets.

        Args:
            player: the index of the player, 0 or 1.
            own: the player's bid.
            other: the other player's bid.
            winner: 1 if the player won the prize, −1 if the other one did, 0 for a tie.
        """
        bids = f"{own}{COMPARED[winner]}{other}" if self.seen[player] else f"{own}{SIGNS[winner]}"
        return f":{bids} "


def plan_of(side: Side, strategy: RawStrategy) -> list[fmpq]:
    """Return the plan of a strategy, a number for each sequence.

    Bids that are missing have probability 0. Information sets that the strategy never reaches may be missing.

    Raises:
        ValueError: if the strategy has an information set that is unknown, or lacks one that it reaches, or
            if numbers of an information set are negative or their sum is not 1.
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
    """Return the strategy of a plan, without bids of probability 0 and without sets that are not reached."""
    return {
        name: {
            bid: BigRational(plan[sequence] / plan[before])
            for bid, sequence in after.items()
            if plan[sequence]
        }
        for name, (before, after) in side.sets.items()
        if plan[before]
    }
