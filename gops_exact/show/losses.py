"""Positions where policies lose, as lines of a table."""

from collections.abc import Mapping

from flint import fmpq

from gops_exact.game.cards import card_name, cards_name
from gops_exact.game.rules import Rules
from gops_exact.numbers import to_decimal_text
from gops_exact.players.loss import Loss
from gops_exact.show.text import TABLE_DIGITS

CHANCE_DIGITS = 2
"""Digits after the point of a policy's probabilities."""


def loss_heads(rules: Rules) -> dict[str, str]:
    """Return the columns of the table, each with the side that it is aligned to."""
    state = {"ahead": rules.winning, "pot": rules.carries}
    return {
        **dict.fromkeys(("policy", "prize", "hand", "opponent", "to come"), "<"),
        **{name: ">" for name, shown in state.items() if shown},
        **dict.fromkeys(("comes up", "cost", "loss"), ">"),
        **dict.fromkeys(("bids", "best response"), "<"),
    }


def loss_line(policy: str, loss: Loss) -> list[str]:
    """Return the cells of a position.

    >>> from gops_exact.players.loss import losses
    >>> from gops_exact.players.simple import Lowest
    >>> loss_line("lowest", losses(Lowest(), 3)[0])
    ['lowest', '3', 'A 2 3', 'A 2 3', 'A 2', '0.3333', '2.0000', '0.6667', 'A 1.00', '2 1.00']
    """
    seen = loss.position
    to_come = list(seen.prizes)
    if seen.upcard is not None:
        to_come.remove(seen.upcard)
    state = [(seen.margin, seen.rules.winning), (seen.pot, seen.rules.carries)]
    return [
        policy,
        "hidden" if seen.upcard is None else card_name(seen.upcard),
        *map(cards_name, (seen.one, seen.two, to_come)),
        *(str(number) for number, shown in state if shown),
        *(to_decimal_text(x, TABLE_DIGITS) for x in (loss.chance, loss.cost, loss.total)),
        *map(_chances, (loss.bids, loss.replies)),
    ]


def _chances(bids: Mapping[int, fmpq]) -> str:
    """Return cards with their probabilities, those that round to nothing left out."""
    decimals = {card: to_decimal_text(p, CHANCE_DIGITS) for card, p in bids.items()}
    return ", ".join(f"{card_name(card)} {p}" for card, p in decimals.items() if float(p) > 0)
