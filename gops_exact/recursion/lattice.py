"""The prize lattice: one slab of values a node, each built from the nodes one prize smaller.

A *node* is a set of prizes with the state that the rounds before have left. With points played for
and ties discarded there is no state, and

    F[P] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )   for every pair h

(Ross 1970, §3; Rhoads & Bartholdi 2012, §3). With a state the slab that an entry looks at depends on
who wins the round, and a mirrored pair of hands is looked up at the mirrored state. This is the one
recursion of the package. What a slab is made of, and how a game is solved, is the business of an
*arithmetic*.
"""

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

from gops_exact.order_types import Layer, OrderTypes
from gops_exact.rules import LEVEL, Prizes, Rules, State, Upcard, Winner

Slab = TypeVar("Slab")
Opening = TypeVar("Opening")


class Node(NamedTuple):
    """What a slab is for.

    Attributes:
        prizes: the prizes left, arranged as the rules say.
        state: what is left of the rounds so far.
    """

    prizes: Prizes
    state: State = LEVEL


class Outcome(NamedTuple):
    """What a round leads to that went one way.

    Attributes:
        gain: what it pays player one at once.
        decided: what the rest is worth if it cannot change anything; None if it can.
        node: what comes next.
        mirrored: the same with the players swapped.
    """

    gain: int
    decided: int | None
    node: Node
    mirrored: Node


class Stake(NamedTuple):
    """A prize that bids are for.

    Attributes:
        times: how many prizes of its value there are.
        outcomes: of the round, if nobody wins it, player one, player two.
    """

    times: int
    outcomes: tuple[Outcome, Outcome, Outcome]


class Turn(NamedTuple):
    """A matrix game that may come next.

    Attributes:
        upcard: the prize turned up; None where bids are made before it is seen.
        times: how many of the prizes lead to this game.
        stakes: the prizes that the bids may be for: one, or all where none is seen.
    """

    upcard: Upcard
    times: int
    stakes: tuple[Stake, ...]

    @property
    def nodes(self) -> list[Node]:
        """The nodes whose slabs the game looks at, each once."""
        found: dict[Node, None] = {}
        for stake in self.stakes:
            for outcome in stake.outcomes:
                if outcome.decided is None:
                    found |= {outcome.node: None, outcome.mirrored: None}
        return list(found)


def turns(rules: Rules, node: Node) -> list[Turn]:
    """The games that a node's values are the mean of.

    >>> [turn.upcard for turn in turns(Rules(), Node((2, 2, 5)))]
    [2, 5]
    >>> (turn,) = turns(Rules("win", prizes="hidden"), Node((1, 2)))
    >>> turn.upcard, [(node.prizes, node.state.margin) for node in turn.nodes]
    (None, [((2,), 0), ((2,), 1), ((2,), -1), ((1,), 0)])
    """
    found = [
        (draw.upcard, Stake(draw.times, _outcomes(rules, node.state, draw.upcard, draw.rest)))
        for draw in rules.draws(node.prizes)
    ]
    if rules.hidden and found:
        return [Turn(None, len(node.prizes), tuple(stake for _, stake in found))]
    return [Turn(upcard, stake.times, (stake,)) for upcard, stake in found]


def _outcomes(
    rules: Rules, state: State, upcard: int, rest: Prizes
) -> tuple[Outcome, Outcome, Outcome]:
    def outcome(winner: Winner) -> Outcome:
        left = rules.after(state, upcard, winner)
        return Outcome(
            rules.gain(state, upcard, winner),
            rules.decided(rest, left),
            Node(rest, left),
            Node(rest, left.swapped()),
        )

    return outcome(0), outcome(1), outcome(-1)


class Arithmetic(Protocol[Slab, Opening]):
    """A number system the recursion runs over.

    A slab holds one value for each pair of hands of a layer, in its order; an opening is the
    optimal first move of a position with equal hands and no margin.
    """

    @property
    def name(self) -> str:
        """What distinguishes its numbers from others in a store; no two slabs share a key."""

    @property
    def dearer(self) -> int:
        """How many times the cost of a game grows with a card a side, roughly; for progress."""

    def slab(self, layer: Layer, turns: Sequence[Turn], below: Mapping[Node, Slab]) -> Slab:
        """The values of every pair of hands in `layer` before one of `turns`, given smaller slabs."""

    def preview(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: Mapping[Node, Slab],
        known: MutableMapping[int, Slab],
    ) -> Slab:
        """The same slab for one opening to look at, which need not look at every value.

        Args:
            layer: pairs of hands.
            turns: the games that may come next.
            below: smaller slabs.
            known: values found in earlier looks, by place, each as a slab of one; kept up to date.
        """

    def opening(self, layer: Layer, turn: Turn, below: Mapping[Node, Slab]) -> Opening:
        """The first move of the position that `layer` holds alone."""

    def select(self, slab: Slab, places: Sequence[int]) -> Slab:
        """The values at `places` as a slab."""

    def join(self, slabs: Sequence[Slab]) -> Slab:
        """Slabs one after the other as one slab."""

    def nbytes(self, slab: Slab) -> int:
        """About how much memory a slab takes, in bytes."""

    def pack_slab(self, slab: Slab) -> bytes:
        """A slab as bytes."""

    def unpack_slab(self, payload: bytes) -> Slab:
        """The inverse of :meth:`pack_slab`."""

    def pack_opening(self, opening: Opening) -> bytes:
        """An opening as bytes."""

    def unpack_opening(self, payload: bytes) -> Opening:
        """The inverse of :meth:`pack_opening`."""


def sweep(
    types: OrderTypes,
    games: Iterable[Turn],
    rules: Rules,
    arithmetic: Arithmetic[Slab, Opening],
    memo: MutableMapping[Node, Slab],
) -> None:
    """Fill `memo` with the slabs of all nodes that `games` lead to, smallest first."""
    for node, following in missing(games, rules, memo):
        memo[node] = arithmetic.slab(types.layers[len(node.prizes)], following, memo)


def missing(
    games: Iterable[Turn], rules: Rules, memo: Mapping[Node, Slab]
) -> list[tuple[Node, list[Turn]]]:
    """The nodes that `games` lead to and their turns, smallest first, but for those in `memo`.

    >>> [node.prizes for node, _ in missing(turns(Rules(), Node((1, 2, 3))), Rules(), {})]
    [(1,), (2,), (3,), (1, 2), (1, 3), (2, 3)]
    """
    found: dict[Node, list[Turn]] = {}
    frontier = [node for turn in games for node in turn.nodes]
    while frontier:
        fresh = {node for node in frontier if node not in found and node not in memo}
        found |= {node: turns(rules, node) for node in fresh}
        frontier = [below for node in fresh for turn in found[node] for below in turn.nodes]
    return sorted(found.items(), key=lambda item: (len(item[0].prizes), item[0]))
