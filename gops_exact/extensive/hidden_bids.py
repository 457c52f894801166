"""The game with hidden bids, and its sequence form.

What a player knows is an *information set*: the prizes so far, the own bids, who won each prize, and the prize
turned up. It is written as ``5:3+ 4:2- 3``: the prize 5 was won with a bid of 3, the prize 4 lost with 2, and
the prize is now 3; ``=`` is a tie. A player who sees the bids has ``5:3>1 4:2<4 3``. The last bid is forced and
no information set.

A *sequence* is an information set and a bid there, or nothing yet (von Stengel 1996, *Efficient computation of
behavior strategies*). It determines all own bids before. A plan has a probability for every sequence; the
expected payoff is linear in the plan of each player.
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

MOST_CARDS = {"fixed": 6, "random": 5}
"""Cards a side whose leaves are listed: half a million, and 1.7 million."""

BEFORE = 0
"""The sequence of a player who has not bid."""

RawStrategy = dict[str, dict[int, fmpq]]
"""{information set: {bid: probability}}, in numbers to compute with."""

SIGNS = {1: "+", 0: "=", -1: "-"}
COMPARED = {1: ">", 0: "=", -1: "<"}


class Counts(NamedTuple):
    """How large a game is; pairs are of player one and player two."""

    information_sets: tuple[int, int]  #: with a choice
    forced: tuple[int, int]  #: with the last card
    sequences: tuple[int, int]  #: the one before any bid counted
    leaves: int  #: pairs of bids of all rounds, and orders of the prizes


class Side:
    """What one player may know and do."""

    def __init__(self) -> None:
        #: {information set: the sequence that leads to it, and {bid: sequence}}, each after those that
        #: lead to it
        self.sets: dict[str, tuple[int, dict[int, int]]] = {}
        self.sequences: int = 1  #: their number
        self.forced: set[str] = set()  #: the information sets with one card

    def at(self, name: str, hand: Hand, before: int) -> dict[int, int]:
        """Return the sequences of the bids at an information set; a last card adds none."""
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
        #: orders of the prizes, all alike
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
        """Add all that may follow what the players know, where they reached these sequences."""
        rules = game.game.rules
        for draw in rules.draws(prizes):
            names = tuple(f"{each}{draw.upcard}" for each in known)
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
        """How large the game is."""
        one, two = self.sides
        return Counts(
            (len(one.sets), len(two.sets)),
            (len(one.forced), len(two.forced)),
            (one.sequences, two.sequences),
            self.leaves,
        )

    def best_reply(self, player: int, plan: Sequence[fmpq]) -> fmpq:
        """Return player one's expectation if the other player replies best to the plan of a player."""
        reply = self.sides[1 - player]
        gains = [fmpq(0)] * reply.sequences
        for pair, payoff in self.payoffs.items():
            chance = plan[pair[player]]
            if chance and payoff:
                gains[pair[1 - player]] += chance * payoff
        best = max if player else min
        for before, after in reversed(reply.sets.values()):
            gains[before] += best(gains[sequence] for sequence in after.values())
        return gains[BEFORE] / self.scale


# The last form is kept: training is measured again and again, each time with a game of its own.
_form = lru_cache(maxsize=1)(Form)


@dataclass(frozen=True)
class HiddenBids:
    """The game in which bids stay hidden.

    Args:
        game: cards and rules, or the cards a side. Prizes come at random or in a known order.
        seen: whether player one, and whether player two, sees what the other bids.

    Raises:
        ValueError: if the game has hidden prizes, or too many cards to list them.
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
        """The sequence form; of five cards and prizes at random it takes a minute and gigabytes."""
        return _form(self)

    @property
    def symmetric(self) -> bool:
        """True if both players see alike, so that the value is 0."""
        return self.seen[0] == self.seen[1]

    def record(self, player: int, own: int, other: int, winner: int) -> str:
        """Return what a player notes of a round, after its prize."""
        bids = f"{own}{COMPARED[winner]}{other}" if self.seen[player] else f"{own}{SIGNS[winner]}"
        return f":{bids} "


def plan_of(side: Side, strategy: RawStrategy) -> list[fmpq]:
    """Return the plan of a strategy {information set: {bid: probability}}.

    Bids that are missing have probability 0; an information set may be missing if it is never reached.

    Raises:
        ValueError: if one is missing that is reached, is unknown, or has no probabilities with the sum 1.
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


def strategy_of(side: Side, plan: Sequence[fmpq]) -> RawStrategy:
    """Return the strategy of a plan, without the sets that it does not reach and zeros."""
    return {
        name: {
            bid: plan[sequence] / plan[before] for bid, sequence in after.items() if plan[sequence]
        }
        for name, (before, after) in side.sets.items()
        if plan[before]
    }
