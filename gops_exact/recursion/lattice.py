"""The prize lattice: one slab of values a prize set, each built from the sets one prize smaller.

    F[P] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )   for every pair h

(Ross 1970, §3; Rhoads & Bartholdi 2012, §3.) This is the one recursion of the package. What a slab
is made of, and how a game is solved, is the business of an *arithmetic*.
"""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from itertools import combinations
from typing import NamedTuple, Protocol, TypeVar

from gops_exact.order_types import Layer, OrderTypes

Prizes = tuple[int, ...]
Slab = TypeVar("Slab")
Opening = TypeVar("Opening")


class Draw(NamedTuple):
    """One prize that may be turned up next.

    Attributes:
        upcard: its value in points.
        times: how many prizes of that value there are.
        rest: the prizes that remain, ascending.
    """

    upcard: int
    times: int
    rest: Prizes


def draws(prizes: Prizes) -> list[Draw]:
    """The distinct upcards of an ascending prize set.

    >>> draws((2, 2, 5))
    [Draw(upcard=2, times=2, rest=(2, 5)), Draw(upcard=5, times=1, rest=(2, 2))]
    """
    return [
        Draw(upcard, prizes.count(upcard), prizes[:place] + prizes[place + 1 :])
        for place, upcard in enumerate(prizes)
        if place == 0 or prizes[place - 1] != upcard
    ]


def prize_sets(prizes: Prizes, size: int) -> Iterator[Prizes]:
    """The distinct prize sets of `size` left over from `prizes`, in lexicographic order."""
    return iter(sorted(set(combinations(prizes, size))))


class Arithmetic(Protocol[Slab, Opening]):
    """A number system the recursion runs over.

    A slab holds one value for each pair of hands of a layer, in its order; an opening is the
    optimal first move of a position with equal hands.
    """

    @property
    def name(self) -> str:
        """What distinguishes its numbers from others in a store; no two slabs share a key."""

    @property
    def dearer(self) -> int:
        """How many times the cost of a game grows with a card a side, roughly; for progress."""

    def slab(self, layer: Layer, prizes: Prizes, below: Mapping[Prizes, Slab]) -> Slab:
        """The values of every pair of hands in `layer` with `prizes` left, given smaller slabs."""

    def preview(
        self,
        layer: Layer,
        prizes: Prizes,
        below: Mapping[Prizes, Slab],
        known: MutableMapping[int, Slab],
    ) -> Slab:
        """The same slab for one opening to look at, which need not look at every value.

        Args:
            layer: pairs of hands.
            prizes: the prizes left.
            below: smaller slabs.
            known: values found in earlier looks, by place, each as a slab of one; kept up to date.
        """

    def opening(self, layer: Layer, upcard: int, below: Slab) -> Opening:
        """The first move at `upcard` of the position that `layer` holds alone."""

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
    prizes: Prizes,
    arithmetic: Arithmetic[Slab, Opening],
    memo: MutableMapping[Prizes, Slab],
) -> None:
    """Fill `memo` with the slab of every prize set smaller than `prizes`, layer by layer."""
    for size in range(len(prizes)):
        for subset in prize_sets(prizes, size):
            if subset not in memo:
                memo[subset] = arithmetic.slab(types.layers[size], subset, memo)
