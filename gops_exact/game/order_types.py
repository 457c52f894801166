"""Order types of pairs of hands, the pairs of hands after a round, and their counts.

The higher card wins a round. Let V_i be the i-th lowest card of player one's hand V, and Y_j the j-th lowest card of
player two's hand Y. The value of a position depends on the hands only through sign(V_i − Y_j), that is, on how the
hands interleave. Words used here:

* The *interleaving* of two hands, also called their *order type*, is a text with a letter for each distinct card of the
  two hands, in ascending order: V for a card that only player one has, Y for a card that only player two has, and B for
  a card that both have. It is stored as the pair of hands itself, with the cards renamed 1, 2, …, L; each hand is a bit
  mask.
* The number of letters, L = 2k − t, is the *length* of the interleaving, for k cards a side of which t are in both
  hands.
* A *layer* (:class:`Layer`) lists pairs of hands with the same number of cards a side.
* The *mirror image* of a pair of hands (V, Y) is the pair (Y, V), in which the players are swapped.
* The *sort key* of a pair of hands is an integer by which the pairs of a layer are sorted (:attr:`Layer.keys`).

Two reductions save work. Let f(V, Y, P) be the value of the hands V and Y if no player is ahead and the prizes P are
left:

* *canonical*: the cards are renamed after every round, too, so all pairs that interleave alike are one pair;
* *symmetry*: f(V, Y, P) = −f(Y, V, P), so only one of the pair (V, Y) and its mirror image (Y, V) is stored. Since
  f(V, V, P) = 0, equal hands are not stored, unless a player can be ahead.

Pairs are ordered by the length of their interleavings first. In the game of n cards the pairs that can remain have
interleavings of length at most n. So the pairs of a smaller game are the first pairs of a larger game, and the index of
a pair does not depend on n.

A third reduction concerns a single matrix game. Neighbouring cards of one hand are *interchangeable bids* if
the other hand has no card between them or equal to one of them. Such bids win and lose against the same cards, and
lead to the same pairs of hands. So of a run of interchangeable bids only the lowest is kept as a row or column of the
game (:attr:`Layer.row_kept`, :attr:`Layer.column_kept`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.game.rules import PLAIN, Hand, Prizes, Rules

LONGEST = 28
"""The maximum number of letters of an interleaving. The sort key of a pair of hands, a 64-bit integer, has 28 bits for
each hand and 5 bits for the length of the interleaving."""

Masks = NDArray[np.int64]
"""An array of hands as bit masks, or of sort keys of pairs of hands."""


def mask(cards: Iterable[int]) -> int:
    """Return the bit mask of a hand: bit c − 1 stands for card c, and bit 0 is the lowest."""
    return sum(1 << (card - 1) for card in set(cards))


def relabelled(one: Hand, two: Hand) -> tuple[Hand, Hand]:
    """Rename the cards of both hands 1, 2, … in ascending order, which changes no comparison of two cards."""
    cards = sorted({*one, *two})
    rank = dict(zip(cards, range(1, len(cards) + 1), strict=True))
    return tuple(map(rank.__getitem__, one)), tuple(map(rank.__getitem__, two))


@dataclass(frozen=True, eq=False)
class Layer:
    """The H pairs of hands with k = `size` cards a side that can follow from one pair of hands.

    Pairs whose cards interleave alike are one pair, and of a pair and its mirror image (the players swapped), only one
    is listed. A *reference* to the pair with the index h in a layer is h + 1, or −(h + 1) for its mirror image. If
    equal hands are not stored, because their value is 0, the reference to them is 0.
    """

    size: int  # cards a side, k
    below: int  # the number of pairs in the layer of size k − 1, to which `child` refers
    one: Masks  # shape (H,), player one's hand as a bit mask
    two: Masks  # shape (H,), player two's hand as a bit mask
    # Shape (H, k, k); the sign of V_i − Y_j, where V_i is player one's i-th lowest card and Y_j player two's j-th
    # lowest.
    sign: NDArray[np.int8]
    child: NDArray[np.int32]  # shape (H, k, k); reference to the pair of hands after these two bids
    # Shape (H, k); True for each card, from the lowest to the highest, that has its own row or column in the matrix
    # game. False for a card that is interchangeable with the next lower card of the same hand; one row or column then
    # stands for both.
    row_kept: NDArray[np.bool_]  # player one's cards
    column_kept: NDArray[np.bool_]  # player two's cards

    def __len__(self) -> int:
        return len(self.one)

    @property
    def keys(self) -> Masks:
        """The sort key of each pair, shape (H,), ascending.

        A key is an integer. Its highest bits are the length of the interleaving, and the other bits are the bit masks
        of both hands.
        """
        return _keys(self.one, self.two)

    @cached_property
    def lengths(self) -> dict[int, slice]:
        """The pairs of hands by the length of their interleaving, {length: slice of the pairs}, ascending by length.

        The length is the number of different cards in both hands together.
        >>> order_types(range(1, 4), range(1, 4))[2].lengths
        {3: slice(0, 3, None)}
        """
        # The hands are relabelled, so each bit of the union of both hands stands for a letter of the interleaving. The
        # number of these bits is the length of the interleaving.
        lengths = np.bitwise_count(self.one | self.two)
        distinct, starts, counts = np.unique(lengths, return_index=True, return_counts=True)
        return {
            int(length): slice(start, start + count)
            for length, start, count in zip(distinct, starts.tolist(), counts.tolist(), strict=True)
        }

    def part(self, pairs: slice) -> "Layer":
        """Return the layer restricted to a slice of its pairs."""
        arrays = ("one", "two", "sign", "child", "row_kept", "column_kept")
        return replace(self, **{name: getattr(self, name)[pairs] for name in arrays})

    def interleavings(self) -> list[str]:
        """Return the interleaving of each pair of hands: a letter for each card, from the lowest card to the highest.

        V stands for a card that only player one has, Y for a card that only player two has, B for a card that both
        have.

        >>> order_types(range(1, 4), range(1, 4))[2].interleavings()
        ['BVY', 'VBY', 'VYB']
        """
        return [
            "".join(".VYB"[(v >> b & 1) + 2 * (y >> b & 1)] for b in range((v | y).bit_length()))
            for v, y in zip(self.one.tolist(), self.two.tolist(), strict=True)
        ]


def pair_count(size: int, length: int) -> int:
    """Count the ways in which two hands of k = `size` cards with `length` different cards in all can interleave.

    A way and its mirror image, with the players swapped, count once. Equal hands are not counted. `length` must be from
    k to 2k.

    >>> pair_count(2, 3), pair_count(3, 6)
    (3, 10)
    """
    both = 2 * size - length  # letters B; there are `size - both` letters V, and as many Y
    return 0 if both == size else comb(length, both) * comb(length - both, size - both) // 2


def order_types(
    one: Iterable[int], two: Iterable[int], *, equal: bool = False
) -> tuple[Layer, ...]:
    """List the pairs of hands that can follow from one pair of hands, in a layer for each number of cards a side.

    Of all pairs whose cards interleave alike, only one is listed. A pair and its mirror image, with the players
    swapped, also count as one.

    Args:
        one: player one's hand.
        two: player two's hand, with as many cards.
        equal: True to list pairs of equal hands, too. This is needed if a player can be ahead, because then the value
            of such a pair may differ from 0.

    Returns:
        A layer for each number of cards a side, from 0 to that of `one` and `two`. The last layer has only the pair
        (one, two). This is so even if another layer would list its mirror image in its place, or would not list it
        because both hands are equal.

    Raises:
        ValueError: if both hands together have more than 28 different cards, which would not fit in the bit masks.

    >>> [len(layer) for layer in order_types(range(1, 6), range(1, 6))]
    [0, 1, 6, 21, 10, 1]
    """
    hands = relabelled(tuple(sorted(one)), tuple(sorted(two)))
    longest = max([*hands[0], *hands[1], 0])
    if longest > LONGEST:
        raise ValueError(f"distinct cards must be at most {LONGEST}, got {longest}")
    pairs = np.array([mask(hands[0])], dtype=np.int64), np.array([mask(hands[1])], dtype=np.int64)
    layers, every = [], (1 << LONGEST) - 1  # the bit mask of all cards
    for k in range(len(hands[0]), -1, -1):
        keys, layer = _layer(k, *pairs, equal=equal)
        pairs = keys >> LONGEST & every, keys & every
        layers.append(layer)
    return tuple(reversed(layers))


def pair_above(below: Masks, one: Hand, two: Hand, *, equal: bool) -> Layer:
    """Return a layer with a single pair of hands, whose attribute `child` refers to the pairs of an existing layer.

    An entry of `child` is h + 1 if the round leads to the pair with the index h of the existing layer, −(h + 1) if the
    round leads to this pair with the players swapped, and 0 if it leads to equal hands that the existing layer does not
    store. Only the order in which the cards of both hands interleave counts, not the cards themselves. The layer always
    has the pair (one, two) itself, even if other layers would store the mirror image (two, one) or no equal hands.

    Args:
        below: the pairs of the existing layer, which has one card less a side: their sort keys (:attr:`Layer.keys`),
            ascending.
        one: player one's hand, with one card more than the hands of the existing layer.
        two: player two's hand, with as many cards.
        equal: True if the existing layer stores equal hands.

    Raises:
        KeyError: if a round leads to hands that do not interleave like those of any pair in the existing layer, or of
            its mirror image.

    In the example, the existing layer has one pair: player one's card is lower than player two's. With equal bids, the
    hands after the round are equal, too, so the reference is 0:

    >>> keys = order_types(range(1, 4), range(1, 4))[1].keys
    >>> pair_above(keys, (5, 9), (5, 9), equal=False).child.tolist()
    [[[0, -1], [1, 0]]]
    """
    first, second = (np.array([mask(hand)], np.int64) for hand in relabelled(one, two))
    keys, layer = _layer(len(one), first, second, equal=equal)
    index = np.searchsorted(below, keys)
    if (index == len(below)).any() or (below[index] != keys).any():
        raise KeyError((one, two))
    # The references in `layer` are to the pairs of the list `keys`. Turn them into references to the pairs of `below`,
    # with the same signs.
    reference = np.concatenate([[0], index + 1]).astype(np.int32)
    child = np.sign(layer.child) * reference[np.abs(layer.child)]
    return replace(layer, below=len(below), child=child)


def pair_keys(n: int, size: int, *, equal: bool) -> Masks:
    """List the sort keys of the pairs of hands of `size` cards that can remain in the game of n cards.

    A sort key is the integer that :attr:`Layer.keys` describes. For `size` < n, :func:`order_types` lists the same
    pairs, but it first computes the pairs of more cards.

    Args:
        n: the number of cards a side when the game begins; an interleaving has at most n letters.
        size: the number of cards a side of the listed pairs.
        equal: True to list the pair of equal hands, too.

    Returns:
        The sort keys, ascending, shape (pairs,).

    >>> layers = order_types(range(1, 6), range(1, 6))
    >>> [bool((pair_keys(5, k, equal=False) == layers[k].keys).all()) for k in range(1, 5)]
    [True, True, True, True]
    """
    # Interleavings are built letter by letter: V, Y or B for the next higher card. An interleaving with more than `size`
    # cards in a hand is dropped at once.
    keys = [np.zeros(int(equal and size == 0), dtype=np.int64)]  # the pair of empty hands
    one = two = np.zeros(1, dtype=np.int64)
    for letter in range(n):
        bit = 1 << letter
        one, two = (
            np.concatenate([one | bit, one, one | bit]),
            np.concatenate([two, two | bit, two | bit]),
        )
        sizes = np.bitwise_count(one), np.bitwise_count(two)
        fits = (sizes[0] <= size) & (sizes[1] <= size)
        stored = (sizes[0] == size) & (sizes[1] == size) & (_orientation(one, two, equal=equal) > 0)
        keys.append(_keys(one[stored], two[stored]))
        one, two = one[fits], two[fits]
    return np.sort(np.concatenate(keys))


def _layer(k: int, one: Masks, two: Masks, *, equal: bool) -> tuple[Masks, Layer]:
    """Return the sort keys of the pairs of hands that can follow a round, and the layer of the pairs before the round.

    The keys are ascending. `one` and `two` are the players' hands of `k` cards in each pair of the layer. Equal hands
    after a round have a sort key only if `equal` is True.
    """
    bits_v, bits_y = _card_bits(one, k), _card_bits(two, k)
    shape = (len(one), k, k)
    sign = np.sign(bits_v[:, :, None] - bits_y[:, None, :]).astype(np.int8)
    # Remove both bids from the hands, for each pair of bids. This gives the hands after the round, shape (H, k, k).
    v: Masks = np.broadcast_to((one[:, None] ^ bits_v)[:, :, None], shape)
    y: Masks = np.broadcast_to((two[:, None] ^ bits_y)[:, None, :], shape)
    # Relabel the hands: drop every bit that neither hand has, and move the bits above it down. `target` is the index to
    # which bit b moves.
    union = v | y
    target: Masks = np.zeros_like(union)
    closed_v, closed_y = target.copy(), target.copy()
    for b in range(int(union.max(initial=0)).bit_length()):
        closed_v |= (v >> b & 1) << target
        closed_y |= (y >> b & 1) << target
        target += union >> b & 1
    v, y = closed_v.ravel(), closed_y.ravel()
    orientation = _orientation(v, y, equal=equal)
    v, y = np.where(orientation < 0, y, v), np.where(orientation < 0, v, y)
    stored, index = np.unique(_keys(v, y)[orientation != 0], return_inverse=True)
    # A reference is the index of a pair plus 1, with a minus sign if the players are swapped. Without the 1 added, the
    # index 0 could not have a sign. The reference 0 stands for equal hands that are not stored.
    reference = np.zeros(len(v), dtype=np.int32)
    reference[orientation != 0] = (index.reshape(-1) + 1) * orientation[orientation != 0]
    child = reference.reshape(shape)
    kept = _kept(bits_v, two), _kept(bits_y, one)
    return stored, Layer(k, len(stored), one, two, sign, child, *kept)


def _orientation(one: Masks, two: Masks, *, equal: bool) -> NDArray[np.int64]:
    """Return 1 for each pair of hands that is stored, −1 if its mirror image is stored instead, 0 if neither is."""
    # Of a pair and its mirror image, the one is stored in which player one has the lowest card that is not in both
    # hands. Equal hands are stored if `equal` is True.
    difference = one ^ two
    lowest = difference & -difference
    return np.where(difference == 0, int(equal), np.where(one & lowest, 1, -1))


def _card_bits(hands: Masks, k: int) -> Masks:
    """Return for each of H hands its k cards, ascending, each card as a mask with a single bit; shape (H, k)."""
    bits = np.zeros((len(hands), k), dtype=np.int64)
    left = hands.copy()
    for i in range(k):
        bits[:, i] = left & -left
        left ^= bits[:, i]
    return bits


def _keys(one: Masks, two: Masks) -> Masks:
    # The highest bits of a key are the length of the interleaving, the next 28 bits are player one's hand, and the lowest
    # 28 bits are player two's hand.
    length = np.bitwise_count(one | two).astype(np.int64)
    keys: Masks = (length << (2 * LONGEST)) | (one << LONGEST) | two
    return keys


def _kept(bits: Masks, other: Masks) -> NDArray[np.bool_]:
    """Return True for each card that is not interchangeable with the next lower card of its hand; shape (H, k).

    `bits` has the k cards of each of H hands, as :func:`_card_bits` returns them. `other` has the other player's hands
    as bit masks, shape (H,).
    """
    # For the bits l < h of neighbouring cards, (2h − 1) ^ (l − 1) has all bits from l to h. The higher card is kept if
    # the other hand has one of these bits. The lowest card of a hand is always kept.
    kept = np.ones(bits.shape, dtype=np.bool_)
    between = (2 * bits[:, 1:] - 1) ^ (bits[:, :-1] - 1)
    kept[:, 1:] = (between & other[:, None]) != 0
    return kept


COUNTED = 8
"""The most cards for which :func:`counts` lists all margins and pots that a game can reach, if the players do not know
the order of prizes. For more cards, the count for n cards is a²/b, where a and b are the counts for n − 1 and n − 2
cards, as if each card multiplied it by the same factor. The true factor is between 6 and 9, and from eight to ten cards
it changes by less than 5 % with each card."""


class Counts(NamedTuple):
    """The numbers of values and of matrix games to compute for the optimal strategies for a game's first bid."""

    #: the number of values, one for each stored pair of hands and prize state (prizes left, margin and pot) after the
    #: first round
    values: int
    games: int  #: the number of matrix games solved for these values and for the first round


@lru_cache(maxsize=256)  # counts are needed often, and counting is slow
def counts(n: int, rules: Rules = PLAIN, deck: Prizes = ()) -> Counts:
    """Count the values and the matrix games to compute for the optimal strategies for the first bid with n cards.

    The counts are exact in three cases: for up to 8 cards; if the players know the order of prizes; and if the objective
    is points and ties are discarded, so that margin and pot are always 0. Even then the number of games is only an
    upper bound if equal prizes come in random order. In all other cases both counts are estimates, which ignore `deck`.

    Args:
        n: cards a side.
        rules: the rules of the game.
        deck: all n prizes; () for 1 … n.

    >>> counts(5)
    Counts(values=325, games=960)
    """
    stateless = not (rules.winning or rules.carries)
    if n > COUNTED and not (stateless or rules.fixed):
        (values, games), (more, most) = counts(n - 2, rules), counts(n - 1, rules)
        return Counts(more * more // values, most * most // games)
    prize_states = [0] * (n + 1)  # prize_states[k] is the number of prize states with k prizes left
    if stateless and not deck:
        prize_states = [1 if rules.fixed else comb(n, size) for size in range(n + 1)]
    else:
        for prizes, states in rules.states(rules.arranged(deck or range(1, n + 1))).items():
            prize_states[len(prizes)] += len(states)
    values, games = 0, n if rules.prizes == "random" else 1
    for size in range(1, n):
        kept = prize_states[size] * pairs_kept(n, size, rules)
        values += kept
        games += kept * (size if rules.prizes == "random" else 1)
    return Counts(values, games)


def pairs_kept(n: int, size: int, rules: Rules = PLAIN) -> int:
    """Count the pairs of hands of `size` cards whose values are stored at each prize state (prizes left, margin and pot).

    The pairs are those that can remain in the game of n cards. Pairs that interleave alike count once, and so do a pair
    and its mirror image. Equal hands, which all interleave alike, count only if the objective is to win, because
    otherwise their value is 0 and is not stored.

    Args:
        n: cards a side when the game begins.
        size: cards a side of the pairs that are counted.
        rules: the rules of the game.
    """
    lengths = range(size + 1, min(2 * size, n) + 1)
    return sum(pair_count(size, length) for length in lengths) + rules.winning
