"""What several of the strategies reckon with."""

from gops_exact.game.cards import Hand
from gops_exact.players.view import View


def at_most(hand: Hand, wanted: int) -> int:
    """The highest card that is not above `wanted`, or else the lowest of all.

    >>> at_most((3, 4, 6), 5), at_most((3, 4, 6), 2)
    (4, 3)
    """
    return next((card for card in reversed(hand) if card <= wanted), hand[0])


def above(hand: Hand, other: float) -> int | None:
    """The lowest card above `other`, if there is one.

    >>> above((3, 4, 6), 4), above((3, 4, 6), 6)
    (6, None)
    """
    return next((card for card in hand if card > other), None)


def shifted(upcard: int, more: int, n: int) -> int:
    """The upcard plus `more`, from 1 on again after n.

    >>> shifted(12, 1, 13), shifted(12, 3, 13)
    (13, 2)
    """
    return (upcard + more - 1) % n + 1


def to_win(view: View) -> int:
    """Points still needed for more than half of all that can still be won or has been.

    >>> from gops_exact.game.position import Position
    >>> to_win(View(13, Position.start(13).at(1)))
    46
    """
    won, lost = view.points
    return (won + lost + view.pot + sum(view.prizes)) // 2 + 1 - won
