"""The matrix game of the bids at a position, with names for other programs."""

from collections.abc import Iterable
from pathlib import Path

from gops_exact.exchange.normal_form import NormalForm
from gops_exact.game.cards import as_position
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.solver.positions import payoff_matrix


def bidding_game(
    one: Iterable[int],
    two: Iterable[int],
    prizes: Iterable[int],
    *,
    upcard: int | None = None,
    rules: Rules = PLAIN,
    margin: int = 0,
    pot: int = 0,
    store: str | Path | None = None,
    force: bool = False,
) -> NormalForm:
    """The matrix game of the bids at a position, optimal play to follow.

    Args:
        one: player one's hand, distinct positive integers.
        two: player two's hand, as many.
        prizes: the prizes left, the upcard among them.
        upcard: the prize turned up; None where bids are made before it is seen.
        rules: the rules of the game.
        margin: player one's points so far less player two's.
        pot: points carried over from ties.
        store: file to take values from, as in :func:`gops_exact.value`.
        force: begin even if it takes hours.

    Raises:
        ValueError: as for :func:`gops_exact.payoff_matrix`, and so is the other.
        StoreError: likewise.

    >>> game = bidding_game([2, 4], [1, 3], [12, 13], upcard=13)
    >>> game.rows, game.title
    (('bid 2', 'bid 4'), 'GOPS: 2 4 against 1 3 for 12 13, upcard 13')
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    payoff = payoff_matrix(
        *(hand_one, hand_two, deck),
        upcard=upcard,
        rules=rules,
        margin=margin,
        pot=pot,
        store=store,
        force=force,
    )
    shown = "" if upcard is None else f", upcard {upcard}"
    return NormalForm.of(
        payoff,
        tuple(map(bid_name, hand_one)),
        tuple(map(bid_name, hand_two)),
        title(hand_one, hand_two, deck) + shown,
    )


def title(one: Iterable[int], two: Iterable[int], prizes: Iterable[int]) -> str:
    """A position in one line.

    >>> title([2, 4], [1, 3], [12, 13])
    'GOPS: 2 4 against 1 3 for 12 13'
    """
    hands = (" ".join(map(str, cards)) for cards in (one, two, prizes))
    return "GOPS: {} against {} for {}".format(*hands)


def bid_name(card: int) -> str:
    """A bid by name.

    Gambit numbers strategies before it names them, and refuses a number in another's place: so a
    bare "4" for the second of two will not do.

    >>> bid_name(4)
    'bid 4'
    """
    return f"bid {card}"
