"""Views of a game, policies that choose a card from a view, and draws by exact probabilities.

A *policy* is a rule that chooses a card in each round of the game. In every round it sees a :class:`View`, that is, a
position and its history. A *match* is several games of the same two players, who see the earlier games. The choice must
depend only on the view and on random numbers, so that one policy can play many matches at once. A *behavioural* policy
gives the probability of each card, so its expectations can be computed exactly. The bids of a *memoryless* policy
depend only on the position, which has both hands, the prizes left, the upcard, the margin and the pot.

The *upcard* is the prize turned up in a round. The *margin* is the player's points minus the opponent's; it is always 0
if the objective is points. The *pot* is the sum of the prizes carried over from ties.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import NamedTuple

from flint import arb, ctx, fmpq

from gops_exact.base.arguments import instance, integer, items, shown
from gops_exact.game.game import Game, Position
from gops_exact.game.rules import Hand, Prizes, Rules, Upcard
from gops_exact.numbers.exact import exact_chances

BITS = 64
"""The number of random bits drawn at a time. About once in 10¹⁸ draws of a card these bits do not suffice; then as many
more are drawn."""


class Round(NamedTuple):
    """A finished round, as one of the players saw it."""

    upcard: int  # the prize turned up
    stake: int  # the points that the winner gets: the upcard plus the pot
    bid: int  # the player's card
    reply: int  # the opponent's card

    def mirrored(self) -> "Round":
        """Return the round as the other player saw it."""
        return Round(self.upcard, self.stake, self.reply, self.bid)


Rounds = tuple[Round, ...]
"""The rounds of one game, in order."""


def as_rounds(rounds: object) -> Rounds:
    """Return a sequence of rounds as a tuple; raise a ValueError if `rounds` is no such sequence."""
    # Policies call this function in every round. So the usual case, a tuple of `Round` objects, is checked by the set
    # of their types, which takes an eighth of the time of a loop over the rounds.
    if type(rounds) is tuple and {*map(type, rounds)} <= {Round}:
        return rounds
    entries = items(rounds, "rounds", "a sequence of rounds")
    return tuple(instance(entry, Round, "a round", "a Round") for entry in entries)


def mirrored(rounds: Rounds) -> Rounds:
    """Return rounds as the other player saw them."""
    return tuple(over.mirrored() for over in rounds)


def points(rounds: Rounds) -> tuple[int, int]:
    """Count the points won in a game.

    Args:
        rounds: the rounds as the player saw them.

    Returns:
        The points of the player, and the points of the opponent.

    Raises:
        ValueError: if `rounds` is not a sequence of rounds.

    >>> points((Round(3, 3, 2, 1), Round(1, 1, 1, 2)))
    (3, 1)
    """
    rounds = as_rounds(rounds)
    won = sum(over.stake for over in rounds if over.bid > over.reply)
    lost = sum(over.stake for over in rounds if over.bid < over.reply)
    return won, lost


@dataclass(frozen=True, slots=True)
class View:
    """A position before a bid, and the rounds before it, as one of the two players sees them.

    This one is called *the player* in this class, and the other one the opponent.
    """

    n: int  # number of cards a side when the game began
    position: Position  # the position as the player sees it
    rounds: Rounds = ()  # the rounds of this game so far
    games: tuple[Rounds, ...] = ()  # the earlier games of the match, in order
    length: int = 1  # the number of games of the match, this one included
    deck: Prizes = ()  # the prizes when the game began, ascending; empty for 1 … n

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
        """The prizes left, including the upcard: in their order if the players know it, else ascending."""
        return self.position.prizes

    @property
    def upcard(self) -> Upcard:
        """The prize turned up; None if prizes are hidden."""
        return self.position.upcard

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    def swapped(self) -> "View":
        """Return the same position and history as the opponent sees them."""
        return replace(
            self,
            position=self.position.swapped(),
            rounds=mirrored(self.rounds),
            games=tuple(map(mirrored, self.games)),
        )


class BidError(ValueError):
    """Error for a policy that bids a card it does not hold, or whose numbers are not probabilities."""


class Policy(ABC):
    """Rule that chooses a card in every round. This is the base class of all players."""

    @cached_property
    def name(self) -> str:
        """The name of the policy in tables and messages; by default the name of its class."""
        return type(self).__name__

    @abstractmethod
    def bid(self, view: View, rng: Random) -> int:
        """Return the card to bid, one of ``view.hand``.

        Args:
            view: the position and its history, as the player sees them.
            rng: the player's own source of randomness.
        """

    def __repr__(self) -> str:
        return f"<policy {self.name}>"


class Behavioural(Policy):
    """Policy that gives a probability for each card, given the game so far: a behaviour strategy (Kuhn 1953)."""

    ordinal: bool = False  # True if the bids depend on the hands only by how their cards interleave
    # True if the bids ignore the opponent's hand, the margin and the pot. They must then also ignore the opponent's
    # earlier bids, because these reveal the opponent's hand.
    blind: bool = False

    @abstractmethod
    def bids(self, view: View) -> Mapping[int, object]:
        """Return the probability of each card.

        Args:
            view: the position and its history, as the player sees them.

        Returns:
            {card: probability}: exact rationals with the sum 1, or floats. Floats are taken at their exact binary
            values, except that the greatest one is replaced by 1 minus the sum of the others
            (:func:`.exact_chances`). Cards that are left out have the probability 0.
        """

    def recalled(self, rounds: Rounds) -> Hashable:
        """Return the part of the earlier rounds on which the bids depend, by default all rounds.

        The bids must depend on nothing but the position and this part. The part before a round, together with that
        round, must determine the part after the round.

        Args:
            rounds: the rounds of this game so far, as the player saw them.
        """
        return rounds

    def bid(self, view: View, rng: Random) -> int:
        """Draw a card with the exact probabilities that :meth:`bids` returns.

        Raises:
            BidError: if the numbers are not probabilities, or not of cards in the hand.
        """
        return draw(dict(checked_bids(self, view)), rng)


class Memoryless(Behavioural):
    """A policy whose bids depend only on the position: hands, prizes, upcard, margin and pot."""

    def recalled(self, rounds: Rounds) -> Hashable:  # noqa: ARG002, the signature of the base class
        """Return (): the bids depend on no earlier round."""
        return ()


class Pure(Memoryless):
    """A memoryless policy that bids one card with certainty."""

    @abstractmethod
    def card(self, view: View) -> int:
        """Return the card to bid, one of ``view.hand``."""

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return {the card to bid: 1}."""
        return {self.card(view): fmpq(1)}

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002, the signature of the base class
        """Return the card to bid, which :meth:`card` chooses; `rng` is not used."""
        return self.card(view)


def made_for(name: str, game: Game, view: View) -> ValueError:
    """Return the error to raise if the policy `name`, which was made for `game`, is asked about a view of another game."""
    other = Game(view.n, view.rules, view.deck)
    return ValueError(f"policy {name!r} was made for {game}, got {other}")


def checked_bid(policy: Policy, view: View, rng: Random) -> int:
    """Ask a policy for its bid; raise a BidError if the bid is not a card of the hand."""
    return _held(policy, view, policy.bid(view, rng))


def _held(policy: Policy, view: View, bid: object) -> int:
    with suppress(ValueError):
        card = integer(bid, "a bid")
        if card in view.hand:
            return card
    hand = ", ".join(map(str, view.hand))
    raise BidError(f"policy {policy.name!r} must bid one of {hand}, got {shown(bid)}")


def checked_bids(policy: Behavioural, view: View) -> list[tuple[int, fmpq]]:
    """Ask a policy for its bids, and return the cards with positive probabilities, [(card, probability)].

    Raises:
        BidError: if the numbers are not probabilities with the sum 1, or a card whose probability is not 0 is not in
            the hand.
    """
    answer = policy.bids(view)
    try:
        numbers: Mapping[int, object] = instance(answer, Mapping, "bids", "{card: probability}")
        chances = exact_chances(numbers)
    except ValueError as error:
        raise BidError(f"policy {policy.name!r}: {error}") from error
    bids = [(_held(policy, view, card), chance) for card, chance in chances.items() if chance != 0]
    if sum(chances.values()) != 1 or min(chances.values()) < 0:
        listed = ", ".join(f"{card}: {chance}" for card, chance in bids)
        raise BidError(
            f"policy {policy.name!r} must give probabilities with the sum 1, got {listed}"
        )
    return bids


def draw(probabilities: Mapping[int, fmpq], rng: Random) -> int:
    """Draw a card so that each card has exactly its probability.

    Probabilities of any length take little time, because only as many of their digits are used as the draw needs.

    Args:
        probabilities: {card: probability}. The numbers must not be negative and must have the sum 1; this is not
            checked.
        rng: the source of random bits.
    """
    # Let U be uniform in [0, 1). The cumulative probabilities split [0, 1) into a share for each card, and the card whose
    # share contains U is drawn. Bits of U are drawn until all numbers that begin with these bits lie in one share. The
    # cumulative probabilities are computed as balls (midpoint and radius) that are only slightly more precise than U.
    *others, (last, _) = [(card, chance) for card, chance in probabilities.items() if chance != 0]
    bits = drawn = 0
    while others:
        bits += BITS
        drawn = drawn << BITS | rng.getrandbits(BITS)
        with ctx.workprec(bits + BITS):
            low, high = arb(drawn) / arb(1 << bits), arb(drawn + 1) / arb(1 << bits)
            start = arb(0)
            for card, chance in others:
                end = start + arb(chance)
                if low >= start and high <= end:
                    return card
                start = end
            # The last card's share ends at 1, so only its start has to be compared.
            if low >= start:
                break
    return last
