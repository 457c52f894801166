"""The prize lattice: one slab of values a node, each built from the nodes one prize smaller.

A *node* is a set of prizes with the state that the rounds before have left. With points played for
and ties discarded there is no state, and

    F[P] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )   for every pair h

(Ross 1970, §3; Rhoads & Bartholdi 2012, §3). With a state the slab that an entry looks at depends on
who wins the round, and a mirrored pair of hands is looked up at the mirrored state. An *arithmetic*
defines what a slab is made of and how a game is solved.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, MutableMapping, Sequence, Sized
from dataclasses import dataclass
from typing import ClassVar, Generic, Literal, TypeVar

from gops_exact.game.order_types import Layer, OrderTypes
from gops_exact.game.rules import Rules
from gops_exact.game.turns import Node, Turn, turns
from gops_exact.matrix_game.solution import Method

Slab = TypeVar("Slab", bound=Sized)
"""The values of one node: one for each pair of hands of a layer, in its order."""

Probability = TypeVar("Probability")
"""A number of a strategy."""


@dataclass(frozen=True)
class Opening(Generic[Probability]):
    """The optimal first move of a position with equal hands and no margin.

    Attributes:
        strategy: a probability per card, ascending.
        unique: True if it is the only optimal one, False if it is one of several, None if that is
            not known.
        proved: False if balls hold no optimal strategy by proof (all are then [0, 1]), or if
            residues rest on a tie that is not proved.
        method: the algorithm that found it; empty if it is not recorded.
    """

    strategy: tuple[Probability, ...]
    unique: bool | None
    proved: bool = True
    method: Method | Literal[""] = ""


class Arithmetic(ABC, Generic[Slab, Probability]):
    """A number system the recursion runs over."""

    cost_growth: ClassVar[int] = 1
    """About how many times longer a game takes with a card a side more; weighs progress."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The key of its numbers in a store, different for any two kinds of slab."""

    @abstractmethod
    def slab(self, layer: Layer, turns: Sequence[Turn], below: Mapping[Node, Slab]) -> Slab:
        """Return the values of every pair of hands in `layer` before one of `turns`.

        Args:
            layer: pairs of hands of k cards.
            turns: the games that may come next.
            below: the slabs one prize smaller that the games look at.
        """

    def preview(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: Mapping[Node, Slab],
        known: MutableMapping[int, Slab],  # noqa: ARG002  # for those that evaluate on demand
    ) -> Slab:
        """Return the slab of :meth:`slab` for one opening, which need not look at every value.

        Args:
            layer: pairs of hands of k cards.
            turns: the games that may come next.
            below: the slabs one prize smaller that the games look at.
            known: values found in earlier previews, by place, each as a slab of one value; new ones
                are added.
        """
        return self.slab(layer, turns, below)

    @abstractmethod
    def opening(self, layer: Layer, turn: Turn, below: Mapping[Node, Slab]) -> Opening[Probability]:
        """Return the first move of the position that `layer` holds alone.

        Raises:
            ValueError: if the hands differ.
        """

    @abstractmethod
    def select(self, slab: Slab, places: Sequence[int]) -> Slab:
        """Return the values at `places` as a slab."""

    @abstractmethod
    def join(self, slabs: Sequence[Slab]) -> Slab:
        """Return slabs one after the other as one slab."""

    @abstractmethod
    def nbytes(self, slab: Slab) -> int:
        """Estimate the memory that a slab takes, in bytes."""

    @abstractmethod
    def pack_slab(self, slab: Slab) -> bytes:
        """Write a slab as bytes."""

    @abstractmethod
    def unpack_slab(self, payload: bytes) -> Slab:
        """Read what :meth:`pack_slab` wrote."""

    @abstractmethod
    def pack_opening(self, opening: Opening[Probability]) -> bytes:
        """Write an opening as bytes."""

    @abstractmethod
    def unpack_opening(self, payload: bytes) -> Opening[Probability]:
        """Read what :meth:`pack_opening` wrote."""


def sweep(
    types: OrderTypes,
    games: Iterable[Turn],
    rules: Rules,
    arithmetic: Arithmetic[Slab, Probability],
    memo: MutableMapping[Node, Slab],
) -> None:
    """Fill `memo` with the slabs of all nodes that `games` lead to, smallest first."""
    for node, following in missing(games, rules, memo):
        memo[node] = arithmetic.slab(types.layers[len(node.prizes)], following, memo)


def missing(
    games: Iterable[Turn], rules: Rules, memo: Mapping[Node, Slab]
) -> list[tuple[Node, list[Turn]]]:
    """List the nodes that `games` lead to and `memo` lacks, with their turns, smallest first.

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
