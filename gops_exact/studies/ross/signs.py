"""Who wins a prize."""

Cards = tuple[int, ...]


def sign(number: int) -> int:
    """1, 0 or −1.

    >>> sign(7), sign(0), sign(-2)
    (1, 0, -1)
    """
    return (number > 0) - (number < 0)


def ahead(card: int, hand: Cards) -> int:
    """How many cards of a hand a card beats, less those that beat it.

    >>> ahead(3, (1, 2, 3, 4))
    1
    """
    return sum(sign(card - other) for other in hand)
