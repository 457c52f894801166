"""The sequence form of a game tree, and strategies and realization plans in it.

An *information set* of a player is a set of nodes that the player cannot tell apart. A *sequence* of a player is an
information set and a move there; a player who has not moved yet has the *empty sequence* (von Stengel 1996,
*Efficient computation of behavior strategies*). With perfect recall a sequence determines all earlier moves of the
player. A *realization plan*, or plan for short, has a number for every sequence: the product of the probabilities of
its move and of the player's earlier moves. The expected payoff is linear in the plan of each player.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

import numpy as np
from flint import fmpq, fmpq_poly
from numpy.typing import NDArray

from gops_exact.base.arguments import shown
from gops_exact.numbers.exact import BigRational

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

Weight = TypeVar("Weight", fmpq, fmpq_poly)

START = 0
"""Index of the empty sequence, the sequence of a player who has not moved yet."""

Label = Any
"""Name of a move or of an information set; any object that can be hashed."""

Strategy = Mapping[Label, Mapping[Label, Any]]
"""{information set: {move: probability}} in exact numbers of any type. Results leave out moves of probability 0 and
information sets that are not reached."""

RawStrategy = dict[Label, dict[Label, fmpq]]
"""{information set: {move: probability}} in FLINT's fractions, for computing expected payoffs."""


class Side:
    """The information sets and sequences of one player.

    Each move at an information set with several moves is a sequence. The sequences are numbered from 1 on; the number
    0 is that of the empty sequence, before the player's first move.
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

        The move of a set with a single move gets no sequence of its own: its sequence is `before`.

        Args:
            name: the name of the information set.
            moves: the moves that the player has.
            before: the sequence that leads to the information set.

        Raises:
            ValueError: if the set was added earlier with other moves or, if it has several moves, with another sequence
                that leads to it. In the second case the player has forgotten a move (imperfect recall).
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


@dataclass(frozen=True, eq=False)
class Form:
    """Sequence form of a game: both players' sequences, and a payoff for each pair of sequences that can end a play."""

    sides: tuple[Side, Side]
    #: the pairs (player one's last sequence, player two's last sequence) with a payoff other than 0, shape (pairs, 2)
    pairs: Integers
    #: for each pair, player one's payoff multiplied by :attr:`scale`, shape (pairs,), dtype int64, or object with
    #: Python ints. The payoffs of leaves with the same pair are added up, with the probabilities of chance as weights.
    payoffs: NDArray[Any]
    scale: int  #: common denominator of all payoffs
    leaves: int  #: number of leaves of the game tree
    #: True if the game is known to be symmetric: an optimal plan of player one is optimal for player two, too
    symmetric: bool = False
    recall: bool = True  #: False for a game of paths, in which several sequences may lead to a set

    def moves_of(self, player: int) -> dict[Label, Sequence[Label]]:
        """Return the moves of a player, 1 or 2, at each information set."""
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
            ValueError: if the strategy has an information set that the player does not have, or lacks one that it
                reaches; or if the probabilities at an information set are negative or their sum is not 1.
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
            rank: function by which gains are compared.

        Returns:
            {sequence of the best move at an information set: the sequences that lead to the set}, the last sets first;
            and for each sequence the expected payoff of the player, times the scale, at the leaves where it is the last
            one and after the best moves at the sets that it leads to.
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

    def floats(self) -> NDArray[np.float64]:
        """Return the payoffs of all pairs as floats, shape (pairs,), divided by a common power of two.

        The power is chosen so that the largest absolute value is between 1/2 and 2, unless all payoffs are 0.
        """
        payoffs = self.payoffs.tolist()
        unit, longest = self.scale.bit_length(), max(map(abs, payoffs), default=0).bit_length()
        return np.array([(payoff << unit) / (self.scale << longest) for payoff in payoffs])


def plan_of(side: Side, strategy: RawStrategy) -> list[fmpq]:
    """Return the realization plan of a strategy: for each sequence the product of the probabilities of its move and of
    earlier moves.

    In a game of paths several sequences may lead to a set; the probability of a move at the set is then multiplied by
    the sum of their numbers.

    Args:
        side: the information sets of the player of the strategy.
        strategy: {information set: {move: probability}}. Missing moves have probability 0.

    Raises:
        ValueError: if the strategy lacks an information set that it reaches, or if the probabilities at a set are
            negative or their sum is not 1.
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
    """Raise a ValueError unless the numbers in `chances` are probabilities of moves at an information set.

    Args:
        name: the name of the information set, for error messages.
        chances: {move: number}; a missing move has the probability 0.
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
