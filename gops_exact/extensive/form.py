"""The sequence form of a game tree, and strategies and realization plans in it.

Words used here:

* An *information set* of a player is a set of states that the player cannot tell apart.
* A *sequence* of a player is an information set and a move there. A player who has not moved yet has the *empty
  sequence*.
* A *realization plan*, or plan for short, has a number for every sequence: the product of the probabilities of its move
  and of the player's earlier moves.
* The *sequence form* of a game has both players' sequences, and player one's payoff for each pair of them.
* A player with *perfect recall* forgets neither own moves nor what was once known. Then a sequence determines all
  earlier moves of the player.
* In a *game of paths* each player chooses a path through a graph (:mod:`~gops_exact.extensive.paths`). There several
  sequences may lead to an information set.

The expected payoff is linear in the plan of each player (von Stengel 1996, *Efficient computation of behavior
strategies*).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, TypeVar

import numpy as np
from flint import fmpq, fmpq_poly
from numpy.typing import NDArray

from gops_exact.base.arguments import shown
from gops_exact.numbers.exact import BigRational

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

Entry = TypeVar("Entry")
Weight = TypeVar("Weight", fmpq, fmpq_poly)

START = 0
"""Index of the empty sequence, the sequence of a player who has not moved yet."""

Label = Any
"""Name of a move or of an information set; any object that can be hashed."""

Strategy = Mapping[Label, Mapping[Label, Any]]
"""{information set: {move: probability}} in exact numbers of any type. A move that is missing has the probability 0."""

RawStrategy = dict[Label, dict[Label, fmpq]]
"""{information set: {move: probability}} in FLINT's fractions."""


class Side:
    """The information sets and sequences of one player.

    Each move at a set in :attr:`sets` is a sequence. The sequences are numbered from 1 on; the empty sequence has the
    number 0.
    """

    def __init__(self) -> None:
        #: {information set: (the sequences that lead to it, {move: sequence})} for sets with more than one move.
        #: Every set comes after the sets that lead to it. With perfect recall a single sequence leads to a set; in a
        #: game of paths (:mod:`~gops_exact.extensive.paths`) several do, and its sets may have a single move.
        self.sets: dict[Label, tuple[tuple[int, ...], dict[Label, int]]] = {}
        self.sequences: int = 1  #: number of sequences; initially only the empty one
        #: {information set with a single move: that move}
        self.forced: dict[Label, Label] = {}

    def at(self, name: Label, moves: Sequence[Label], before: int) -> Mapping[Label, int]:
        """Return {move: number of its sequence} at an information set; add the set if it is new.

        A set with a single move adds no sequence: the sequence of its move is `before`.

        Args:
            name: the name of the information set.
            moves: the moves that the player has there, all different.
            before: the number of the sequence that leads to the information set.

        Raises:
            ValueError: if the set was added earlier with other moves; or if it has several moves, and another sequence
                led to it earlier. Then the player has forgotten a move (imperfect recall).
        """
        if name not in self.sets and name not in self.forced:
            if len(moves) == 1:
                self.forced[name] = moves[0]
            else:
                self.sets[name] = (before,), dict(zip(moves, count(self.sequences), strict=False))
                self.sequences += len(moves)
        known, after = self.sets.get(name) or ((before,), {self.forced[name]: before})
        if after.keys() != set(moves):
            raise ValueError(f"information set {shown(name)}: its states have different moves")
        if known != (before,):
            raise ValueError(
                f"information set {shown(name)}: its player has forgotten a move that led there "
                "(imperfect recall)"
            )
        return after

    def by_move(self, entries: Sequence[Entry]) -> dict[Label, dict[Label, Entry]]:
        """Return {information set: {move: entry of its sequence}} for the sets in :attr:`sets`.

        Args:
            entries: an entry for each sequence.
        """
        return {
            name: {move: entries[sequence] for move, sequence in after.items()}
            for name, (_, after) in self.sets.items()
        }

    def depths(self) -> Integers:
        """Return the depth of each sequence, shape (sequences,): the number of its moves at the sets in :attr:`sets`.

        If several sequences lead to a set, the depth of its moves is 1 more than the greatest depth of these sequences.
        """
        depths = [0] * self.sequences
        for before, after in self.sets.values():
            depth = 1 + max(depths[sequence] for sequence in before)
            for sequence in after.values():
                depths[sequence] = depth
        return np.array(depths)


@dataclass(frozen=True, eq=False)
class Form:
    """Sequence form of a game: both players' sequences, and player one's payoffs for pairs of these.

    In a game tree a pair has the last sequence of each player at a leaf. The payoffs of leaves with the same pair are
    added up, with the probabilities of chance as weights.
    """

    sides: tuple[Side, Side]  #: player one's information sets and sequences, and player two's
    #: pairs (player one's sequence, player two's sequence), all different, shape (pairs, 2). Pairs that are missing
    #: have the payoff 0.
    pairs: Integers
    #: for each pair, player one's payoff multiplied by :attr:`scale`, shape (pairs,), dtype int64, or object with
    #: Python ints
    payoffs: NDArray[Any]
    scale: int  #: a common denominator of all payoffs
    leaves: int  #: number of leaves of the game tree; in a game of paths, of pairs
    #: True if the game is known to be symmetric: an optimal strategy of player one is optimal for player two, too
    symmetric: bool = False
    recall: bool = True  #: False for a game of paths, in which several sequences may lead to a set

    def moves_of(self, player: int) -> dict[Label, Sequence[Label]]:
        """Return {information set: its moves} of a player, 1 or 2."""
        side = self.sides[player - 1]
        several = {name: [*after] for name, (_, after) in side.sets.items()}
        return several | {name: [move] for name, move in side.forced.items()}

    def best_reply(self, strategy: RawStrategy, player: int) -> tuple[fmpq, Strategy]:
        """Return the expected payoff of player one if a strategy meets the opponent's best reply, and this reply.

        The reply lacks information sets that it never reaches itself, and sets with a single move.

        Args:
            strategy: {information set: {move: probability}}. Missing moves have probability 0. Information sets that
                the strategy never reaches may be missing, and so may sets with a single move.
            player: the player of the strategy, 1 or 2.

        Raises:
            ValueError: if the strategy has an information set or a move that the player does not have, or lacks a set
                of several moves that it reaches; or if a probability is negative, or the sum at a set is not 1.
        """
        side = self.sides[player - 1]
        unknown = strategy.keys() - side.sets.keys() - side.forced.keys()
        if unknown:
            raise ValueError(
                f"a strategy must be of information sets of the game, got {shown(min(unknown, key=str))}"
            )
        for name, move in side.forced.items():
            if name in strategy:
                check_mix(name, strategy[name], (move,))
        best, gains = self.best_moves(plan_of(side, strategy), 2 - player)
        reply = [fmpq(k == START) for k in range(self.sides[2 - player].sequences)]
        for move, before in reversed(best.items()):
            reply[move] = sum((reply[sequence] for sequence in before), fmpq(0))
        payoff = gains[START] / self.scale
        return payoff if player == 2 else -payoff, strategy_of(self.sides[2 - player], reply)

    def best_moves(
        self, plan: Sequence[Weight], player: int, rank: Callable[[Weight], Any] = lambda gain: gain
    ) -> tuple[dict[int, tuple[int, ...]], list[Weight]]:
        """Compute a player's best reply to a realization plan of the other player.

        Args:
            plan: the plan of the other player, a number or a polynomial for each sequence.
            player: the index of the player who replies, 0 or 1.
            rank: function that returns the key by which gains are compared. Of several best moves the first is taken.

        Returns:
            Two objects. The first is {sequence of the best move at an information set: the sequences that lead to the
            set}, for all sets, the last ones first. The second is a list with a number for each sequence: the player's
            gain from the sequence, multiplied by :attr:`scale`. This gain is the expected payoff at the leaves where
            the sequence is the player's last, plus the gains from the best moves at the sets that it leads to.
        """
        side, best = self.sides[player], dict[int, tuple[int, ...]]()
        gains = [0 * plan[START]] * side.sequences
        played = np.array([bool(weight) for weight in plan])[self.pairs[:, 1 - player]]
        for pair, payoff in zip(
            self.pairs[played].tolist(), self.payoffs[played].tolist(), strict=True
        ):
            gains[pair[player]] += (payoff, -payoff)[player] * plan[pair[1 - player]]
        # The loop goes from the last information sets to the first, because the gain of a sequence includes the gains
        # of the best moves at the sets that the sequence leads to.
        for before, after in reversed(side.sets.values()):
            move = max(after.values(), key=lambda sequence: rank(gains[sequence]))
            for sequence in before:
                gains[sequence] += gains[move]
            best[move] = before
        return best, gains

    def gains(self, plan: Floats, player: int) -> Floats:
        """Compute in floats, for each sequence of a player, the gain at the leaves where this sequence is the last one.

        The gain at a leaf is weighted by the probabilities of chance and of the other player's moves, but not by those
        of the player's own moves.

        Args:
            plan: the other player's realization plan, shape (sequences,).
            player: the index of the player, 0 or 1.

        Returns:
            The gains in the unit of :attr:`floats`, shape (sequences,).
        """
        own, other = self.pairs[:, player], self.pairs[:, 1 - player]
        sums = np.bincount(own, self.floats * plan[other], self.sides[player].sequences)
        gains = sums.astype(np.float64, copy=False)
        return -gains if player else gains

    @cached_property
    def floats(self) -> Floats:
        """Player one's payoffs for all pairs of sequences in :attr:`pairs`, as floats, shape (pairs,).

        All are divided by one power of two, so that the largest absolute payoff is between 1/2 and 2, unless all
        payoffs are 0.
        """
        payoffs = self.payoffs.tolist()
        unit, longest = self.scale.bit_length(), max(map(abs, payoffs), default=0).bit_length()
        return np.array([(payoff << unit) / (self.scale << longest) for payoff in payoffs])


def plan_of(side: Side, strategy: RawStrategy) -> list[fmpq]:
    """Return the realization plan of a strategy, a number for each sequence.

    If several sequences lead to a set, as in games of paths, the probabilities there are multiplied by the sum of the
    numbers of these sequences.

    Args:
        side: the information sets of the player of the strategy.
        strategy: {information set: {move: probability}}. Missing moves have probability 0. Sets with a single move may
            be missing, and so may sets that the strategy never reaches.

    Raises:
        ValueError: if the strategy lacks a set of several moves that it reaches, or has an unknown move at a set; or if
            a probability is negative, or the sum at a set is not 1.
    """
    plan = [fmpq(0)] * side.sequences
    plan[START] = fmpq(1)
    for name, (before, after) in side.sets.items():
        chances = strategy.get(name, {}) if len(after) > 1 else dict.fromkeys(after, fmpq(1))
        share = sum((plan[sequence] for sequence in before), fmpq(0))
        if share or name in strategy:
            check_mix(name, strategy.get(name, chances), after)
        for move, chance in chances.items():
            plan[after[move]] = share * chance
    return plan


def is_plan(side: Side, plan: Sequence[fmpq]) -> bool:
    """Return True if `plan`, a number for each sequence of the player of `side`, is a realization plan."""
    splits = ((before, [*after.values()]) for before, after in side.sets.values())
    adds_up = all(sum(plan[k] for k in one) == sum(plan[k] for k in two) for one, two in splits)
    return adds_up and plan[START] == 1 and min(plan) >= 0


def check_mix(name: Label, chances: Mapping[Label, fmpq], moves: Collection[Label]) -> None:
    """Raise a ValueError unless numbers are probabilities of moves at an information set, with the sum 1.

    Args:
        name: the name of the information set, for error messages.
        chances: {move: number}; a move that is missing has the probability 0.
        moves: all moves at the information set.
    """
    if not chances.keys() <= set(moves) or sum(chances.values(), fmpq(0)) != 1:
        raise ValueError(
            f"{name}: expected probabilities of {', '.join(map(str, moves))} with the sum 1, got "
            f"{', '.join(f'{move}: {chance}' for move, chance in chances.items()) or 'none'}"
        )
    if min(chances.values()) < 0:
        raise ValueError(f"{name}: a probability must not be negative")


def strategy_of(side: Side, plan: Sequence[fmpq]) -> Strategy:
    """Convert a realization plan of a player to a strategy, {information set: {move: probability}}.

    Moves of probability 0 are left out, and so are information sets that the plan does not reach or that have a single
    move.

    Args:
        side: the information sets of the player.
        plan: the plan, a number for each sequence of the player.
    """
    return {
        name: {
            move: BigRational(plan[sequence] / share)
            for move, sequence in after.items()
            if plan[sequence]
        }
        for name, (before, after) in side.sets.items()
        if len(after) > 1 and (share := sum(plan[sequence] for sequence in before))
    }
