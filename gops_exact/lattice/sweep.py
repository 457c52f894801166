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
from typing import Protocol, TypeVar

from gops_exact.game.order_types import Layer, OrderTypes
from gops_exact.game.rules import Rules
from gops_exact.game.turns import Node, Turn, turns

Slab = TypeVar("Slab")
Opening = TypeVar("Opening")


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
