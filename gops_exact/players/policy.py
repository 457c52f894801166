"""Views of a game, the policies that bid by them, and cards drawn by exact probabilities.

A policy is asked for a card whenever it is its turn, and sees a :class:`View`. It keeps nothing that is
not in the view, so one policy can play many matches at once. A *behavioural* policy gives each card's
probability, so that it can be measured exactly; a *memoryless* one looks at the position alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import NamedTuple

from flint import arb, ctx, fmpq

from gops_exact.base.arguments import instance, integer, items, shown
from gops_exact.game.game import Game, Position
from gops_exact.game.rules import Hand, Prizes, Rules, Upcard, deck_name
from gops_exact.numbers.raw import rational, to_arb

BITS = 64
"""Random bits drawn at a time; one batch decides but for one time in 10¹⁸ or so."""


class Round(NamedTuple):
    """One round that is over, as one of the players saw it."""

    upcard: int  # the prize turned up
    stake: int  # the points played for: the upcard and what ties before it had left
    bid: int  # the player's card
    reply: int  # the opponent's card

    @property
    def won(self) -> int:
        """Points the player won."""
        return self.stake if self.bid > self.reply else 0

    @property
    def lost(self) -> int:
        """Points the opponent won."""
        return self.stake if self.reply > self.bid else 0

    def mirrored(self) -> "Round":
        """Return the round as the opponent saw it."""
        return Round(self.upcard, self.stake, self.reply, self.bid)


Rounds = tuple[Round, ...]
"""The rounds of one game, in order."""


def as_rounds(given: object) -> Rounds:
    """Return rounds, or refuse what was given."""
    rounds = items(given, "rounds", "a sequence of rounds")
    return tuple(instance(each, Round, "a round", "a Round") for each in rounds)


def mirrored(rounds: Rounds) -> Rounds:
    """Return rounds as the opponent saw them."""
    return tuple(each.mirrored() for each in rounds)


def points(rounds: Rounds) -> tuple[int, int]:
    """Count the points of the player and of the opponent.

    >>> points((Round(3, 3, 2, 1), Round(1, 1, 1, 2)))
    (3, 1)
    """
    return _points(as_rounds(rounds))


def _points(rounds: Rounds) -> tuple[int, int]:
    won = lost = 0
    for _, stake, bid, reply in rounds:
        if bid > reply:
            won += stake
        elif bid < reply:
            lost += stake
    return won, lost


@dataclass(frozen=True, slots=True)
class View:
    """A position and its history as a player sees them when it is time to bid."""

    n: int  # cards a side when the game began
    position: Position  # the player's hand first
    rounds: Rounds = ()  # of this game so far
    games: tuple[Rounds, ...] = ()  # the earlier games of the match, in order
    length: int = 1  # games of the match, this one among them
    deck: Prizes = ()  # the prizes when the game began, ascending, if they were not 1 … n

    @property
    def hand(self) -> Hand:
        """The player's cards, ascending."""
        return self.position.one

    @property
    def opponent(self) -> Hand:
        """The opponent's cards, ascending."""
        return self.position.two

    @property
    def prizes(self) -> Prizes:
        """The prizes left, the upcard among them; ascending, or in order where it is known."""
        return self.position.prizes

    @property
    def upcard(self) -> Upcard:
        """The prize turned up; None where bids come before it is seen."""
        return self.position.upcard

    @property
    def rules(self) -> Rules:
        """The rules played by."""
        return self.position.rules

    @property
    def margin(self) -> int:
        """The player's points less the opponent's where winning counts; 0 where points do."""
        return self.position.margin

    @property
    def pot(self) -> int:
        """Points carried over from ties."""
        return self.position.pot

    @property
    def stake(self) -> int:
        """The points of this round: the upcard and the pot; a ValueError if the upcard is hidden."""
        if self.upcard is None:
            raise ValueError("the stake is known once the upcard is, got hidden prizes")
        return self.upcard + self.pot

    @property
    def points(self) -> tuple[int, int]:
        """The points won in this game so far, the player's and the opponent's."""
        return _points(self.rounds)

    @property
    def to_win(self) -> int:
        """Points still needed for more than half of all that can still be won or has been.

        >>> View(13, Position.start(13).at(1)).to_win
        46
        """
        won, lost = self.points
        return (won + lost + self.pot + sum(self.prizes)) // 2 + 1 - won

    def swapped(self) -> "View":
        """Return the view of the opponent."""
        return View(
            self.n,
            self.position.swapped(),
            mirrored(self.rounds),
            tuple(map(mirrored, self.games)),
            self.length,
            self.deck,
        )


class BidError(ValueError):
    """A bid that is not in the hand, or probabilities that are none."""


class Policy(ABC):
    """A way to play."""

    @cached_property
    def name(self) -> str:
        """The name in tables and messages: that of the class, unless a policy has its own."""
        return type(self).__name__

    @abstractmethod
    def bid(self, view: View, rng: Random) -> int:
        """Return the card to bid, one of ``view.hand``; `rng` is the player's own source of chance."""

    def __repr__(self) -> str:
        return f"<policy {self.name}>"


class Behavioural(Policy):
    """A behaviour strategy (Kuhn 1953): each card's probability, given this game so far."""

    ordinal: bool = False  # True if it sees the hands only through how their cards interleave
    blind: bool = False  # True if it looks at neither the opponent's hand nor margin nor pot

    @abstractmethod
    def bids(self, view: View) -> Mapping[int, object]:
        """Return {card: probability}, exact rationals with the sum 1; cards left out are not bid."""

    def recalled(self, rounds: Rounds) -> Hashable:
        """Return what it looks at of the rounds of this game, beyond the position: by default all of them.

        The bids may depend only on the position and on this value, and this value must follow from its
        previous one and the last round.
        """
        return rounds

    def bid(self, view: View, rng: Random) -> int:
        """Draw a card by its exact probability; a BidError if the probabilities are none."""
        return draw(dict(checked_bids(self, view)), rng)


class Memoryless(Behavioural):
    """A policy that looks at the position alone: hands, prizes, upcard, margin and pot."""

    def recalled(self, rounds: Rounds) -> Hashable:  # noqa: ARG002, the signature is the base's
        """Return nothing: the position is enough."""
        return ()


class Pure(Memoryless):
    """A memoryless policy that leaves nothing to chance."""

    @abstractmethod
    def card(self, view: View) -> int:
        """Return the card it bids."""

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return the one card, with certainty."""
        return {self.card(view): fmpq(1)}

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002, the signature is the base's
        """Return the card; no randomness is used."""
        return self.card(view)


def made_for(name: str, game: Game, view: View) -> ValueError:
    """Return the error that a policy was made for another game than that of a view."""
    return ValueError(
        f"policy {name!r} was made for {game}, got {view.n} cards, {view.rules}{deck_name(view.deck)}"
    )


def checked_bid(policy: Policy, view: View, rng: Random) -> int:
    """Ask a policy for its bid; a BidError if it is no card of its hand."""
    return _held(policy, view, policy.bid(view, rng))


def _held(policy: Policy, view: View, bid: object) -> int:
    with suppress(ValueError):
        card = integer(bid, "a bid")
        if card in view.hand:
            return card
    hand = ", ".join(map(str, view.hand))
    raise BidError(f"policy {policy.name!r} must bid one of {hand}, got {shown(bid)}")


def checked_bids(policy: Behavioural, view: View) -> list[tuple[int, fmpq]]:
    """Ask a policy for its bids with positive probabilities; a BidError if they are none of its hand."""
    offered = policy.bids(view)
    try:
        given: Mapping[int, object] = instance(offered, Mapping, "bids", "{card: probability}")
        chances = {card: rational(chance) for card, chance in given.items()}
    except ValueError as error:
        raise BidError(f"policy {policy.name!r}: {error}") from error
    bids = [(_held(policy, view, card), chance) for card, chance in chances.items() if chance != 0]
    if sum(chances.values()) != 1 or min(chances.values()) < 0:
        found = ", ".join(f"{card}: {chance}" for card, chance in bids)
        raise BidError(
            f"policy {policy.name!r} must give probabilities with the sum 1, got {found}"
        )
    return bids


def draw(probabilities: Mapping[int, fmpq], rng: Random) -> int:
    """Draw a card, each with its probability exactly.

    A uniform number U in [0, 1) is known by its first bits, the cumulative probabilities by balls. More
    bits are drawn until the interval of U that they leave open lies within one card's share. So the card
    is the one that all bits of U would give, and of a denominator of a million digits only the few bits
    that decide are used. The probabilities are at least 0 and have the sum 1, which is not checked.
    """
    *others, (last, _) = [(card, chance) for card, chance in probabilities.items() if chance != 0]
    bits = drawn = 0
    while others:
        bits += BITS
        drawn = drawn << BITS | rng.getrandbits(BITS)
        with ctx.workprec(bits + BITS):
            low, high = arb(drawn) / arb(1 << bits), arb(drawn + 1) / arb(1 << bits)
            start = arb(0)
            for card, chance in others:
                end = start + to_arb(chance, bits + BITS)
                if low >= start and high <= end:
                    return card
                start = end
            # What is left is the last card's, whose share ends at 1 exactly.
            if low >= start:
                break
    return last


def by_weight(weights: Mapping[int, int], rng: Random) -> int:
    """Draw a card, each with a probability proportional to its weight, an integer, exactly."""
    place = rng.randrange(sum(weights.values()))
    upto = zip(weights, accumulate(weights.values()), strict=True)
    return next(card for card, sum_so_far in upto if place < sum_so_far)
