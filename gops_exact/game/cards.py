"""Hands and prizes: plain positive integers outside, bit masks inside.

A hand is a set of distinct positive integers. Inside, hands travel as bit masks: card c is bit
c − 1. Prizes may repeat, so a prize set is an ascending tuple.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from gops_exact.arguments import LARGEST, MOST_ITEMS, items, positive_integer, shown

Hand = tuple[int, ...]
"""Distinct cards, ascending."""

NAMES = {1: "A", 11: "J", 12: "Q", 13: "K"}
VALUES = {name: card for card, name in NAMES.items()} | {"T": 10}


LONGEST_CARD = 9
"""Digits of a card that is read."""


def card_name(card: int) -> str:
    """Return a card's short name: ``A 2 … 10 J Q K``, plain digits beyond the king.

    >>> [card_name(c) for c in (1, 10, 13, 14)]
    ['A', '10', 'K', '14']
    """
    return NAMES.get(card, str(card))


def parse_card(text: str) -> int:
    """Read a card by its :func:`card_name`; digits are accepted for every card.

    >>> parse_card("k"), parse_card("7")
    (13, 7)
    """
    name = text.strip().upper()
    if name in VALUES:
        return VALUES[name]
    if name.isascii() and name.isdigit() and len(name) <= LONGEST_CARD and int(name) > 0:
        return int(name)
    raise ValueError(
        f"a card must be a positive integer of at most {LONGEST_CARD} digits or one of A, T, J, Q, K, "
        f"got {text!r}"
    )


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards separated by commas or blanks, in the order given.

    >>> parse_cards("2, 4 K")
    (2, 4, 13)
    """
    return tuple(parse_card(word) for part in text.split(",") for word in part.split() or [""])


def cards_name(cards: Iterable[int]) -> str:
    """Return the names of cards, separated by blanks.

    >>> cards_name((1, 12))
    'A Q'
    """
    return " ".join(card_name(card) for card in cards)


def mask(cards: Iterable[int]) -> int:
    """Return the bit mask of a hand.

    >>> bin(mask([1, 3]))
    '0b101'
    """
    bits = 0
    for card in cards:
        bits |= 1 << (card - 1)
    return bits


def scan(bits: int) -> Iterator[int]:
    """Yield the cards of a mask, lowest first.

    >>> list(scan(0b101))
    [1, 3]
    """
    while bits:
        low = bits & -bits
        yield low.bit_length()
        bits ^= low


def without(cards: Hand, card: int) -> Hand:
    """Return cards without one of them, taken away once.

    >>> without((2, 2, 5), 2)
    (2, 5)
    """
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def relabelled(one: Hand, two: Hand) -> tuple[Hand, Hand]:
    """Rename the cards of both hands 1, 2, …, which changes no sign of V_i − Y_j.

    >>> relabelled((2, 9), (2, 5))
    ((1, 3), (1, 2))
    """
    rank = {card: place for place, card in enumerate(sorted({*one, *two}), start=1)}
    return tuple(rank[card] for card in one), tuple(rank[card] for card in two)


def as_hand(cards: Iterable[int], name: str = "a hand") -> tuple[int, ...]:
    """Return a hand, ascending, after checking that its cards are distinct positive integers."""
    given = items(cards, name, "a sequence of distinct positive integers")
    hand = tuple(sorted(positive_integer(card, f"a card of {name}", LARGEST) for card in given))
    repeated = [card for card, following in pairwise(hand) if card == following]
    if repeated:
        raise ValueError(f"the cards of {name} must be distinct, got {shown(repeated[0])} twice")
    return hand


def as_prizes(prizes: Iterable[int]) -> tuple[int, ...]:
    """Return prizes, ascending, after checking that they are positive integers; they may repeat."""
    given = items(prizes, "prizes", "a sequence of positive integers")
    return tuple(sorted(positive_integer(prize, "a prize", LARGEST) for prize in given))


def as_position(
    one: Iterable[int], two: Iterable[int], prizes: Iterable[int]
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Check both hands and the prizes: as many cards a side as there are prizes."""
    hand_one, hand_two = as_hand(one, "player one"), as_hand(two, "player two")
    deck = as_prizes(prizes)
    if not len(hand_one) == len(hand_two) == len(deck):
        raise ValueError(
            "both hands and the prizes must be of one size, got "
            f"{len(hand_one)}, {len(hand_two)} and {len(deck)} cards"
        )
    return hand_one, hand_two, deck


def deck_of(n: object, most: int = MOST_ITEMS) -> Hand:
    """Return the cards 1 … n.

    Raises:
        ValueError: if n is not a positive integer, or more than `most`.
    """
    return tuple(range(1, positive_integer(n, "n", most) + 1))
