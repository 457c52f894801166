"""Patterns in first-move tables: the remarks of others, each judged for any number of cards.

The remarks are those of Rhoads & Bartholdi 2012, §4 and §5, most of them on the game of 13 cards, and
of Rhoads 2011, beside his tables for 5 to 13 cards. A claim yields every case in which it can be
judged, an observation every place at which it may hold, each with its truth value; None stands for
one that is not proved. A bid counts as never made where its probability is proved to be zero, and as
made where it is proved to be positive.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from gops_exact.game.rules import PLAIN
from gops_exact.numbers import rational
from gops_exact.show.first_moves import ZERO, BoundedTable, Bounds, every, some
from gops_exact.writing import fields_of

Verdict = Literal["holds", "fails", "undecided", "no case", "observed"]

Case = tuple[str, bool | None]
"""A place, and the truth value of a claim there; None where it is not proved."""

LARGE_UPCARD = 9
"""Upcards beyond are called large (Rhoads & Bartholdi 2012, §4)."""


QUOTES = (
    (8, 2, (5,), "0.25", "1"),  # 2011: more than 25% of the time
    (9, 9, (9,), "0.74745", "0.74755"),  # 2012, §5: 0.7475
    (10, 2, (5,), "0.5", "1"),  # 2011: over half the time
    (10, 3, (6, 7), "0.45", "0.5"),  # 2011: nearly half the time
    (13, 1, (4,), "0.45", "0.5"),  # 2012, §4: nearly 50%
    (13, 2, (6,), "0.345", "0.365"),  # 2012, §4: about 35%
)
"""Probabilities given in words: cards a side, upcard, the bids taken together, and the numbers between
which the words put their probability."""

# Claims


def not_unimodal(table: BoundedTable) -> Iterator[Case]:
    """Claim that no column rises to one maximum and falls from there (2012, §4).

    A column is not unimodal where some card is less likely than one below it and one above it.
    """
    for upcard in table.cards:
        chances = table.columns[upcard - 1]
        dips = [
            every(some(q.exceeds(p) for q in side) for side in (chances[:i], chances[i + 1 :]))
            for i, p in enumerate(chances)
        ]
        yield f"{upcard}", some(dips)


def low_bids_have_parity(table: BoundedTable) -> Iterator[Case]:
    """Claim that at a large upcard no card below half of it has the other parity (2012, §4)."""
    for upcard in range(LARGE_UPCARD + 1, table.n + 1):
        for card in range(1, (upcard + 1) // 2):
            if (upcard - card) % 2:
                yield _place(upcard, card), table.at(upcard, card).zero


def odd_before_even(table: BoundedTable) -> Iterator[Case]:
    """Claim that at upcard n an even card up to n − 3 is less likely than its odd neighbours.

    Rhoads & Bartholdi 2012, §4, on 13 cards: "up to 10".
    """
    yield from _alternating(table, odd=1)


def parity_before_other(table: BoundedTable) -> Iterator[Case]:
    """Claim that at upcard n cards of its parity are likelier than their neighbours, up to n − 3.

    This extends :func:`odd_before_even` to an even n.
    """
    yield from _alternating(table, odd=table.n % 2)


def parity_together(table: BoundedTable) -> Iterator[Case]:
    """Claim that the cards of the upcard's parity are together likelier than the others (2012, §4)."""
    for upcard in table.cards:
        chances = table.columns[upcard - 1]
        yield (
            f"{upcard}",
            sum(chances[1 - upcard % 2 :: 2], ZERO).exceeds(sum(chances[upcard % 2 :: 2], ZERO)),
        )


def never_just_below(table: BoundedTable) -> Iterator[Case]:
    """Claim that at upcard n neither n − 1 nor n − 2 is bid (2011; 2012, §4: for 5 to 13 cards)."""
    for card in range(max(table.n - 2, 1), table.n):
        yield _place(table.n, card), table.at(table.n, card).zero


def even_never_one(table: BoundedTable) -> Iterator[Case]:
    """Claim that at upcard n, if even, the 1 is not bid (2011; 2012, §4: for 5 to 13 cards)."""
    if table.n % 2 == 0:
        yield _place(table.n, 1), table.at(table.n, 1).zero


def never_one_on_low(table: BoundedTable) -> Iterator[Case]:
    """Claim that at upcards 1 and 2 the 1 is not bid (2012, §4: for 13 cards)."""
    for upcard in table.cards[:2]:
        yield _place(upcard, 1), table.at(upcard, 1).zero


def likeliest_is_next(table: BoundedTable) -> Iterator[Case]:
    """Claim that below n the likeliest card is the next above the upcard (2011: for 5 cards only)."""
    for upcard in range(1, table.n):
        following = table.at(upcard, upcard + 1)
        others = (p for card, p in table.column(upcard) if card != upcard + 1)
        yield f"{upcard}", every(following.exceeds(p) for p in others)


def quoted(table: BoundedTable) -> Iterator[Case]:
    """Claim the probabilities of :data:`QUOTES`."""
    for n, upcard, cards, *limits in QUOTES:
        if n == table.n:
            total = sum((table.at(upcard, card) for card in cards), ZERO)
            least, most = (Bounds(limit, limit) for limit in map(rational, limits))
            within = every((total.exceeds(least), most.exceeds(total)))
            yield f"{' or '.join(map(str, cards))} on {upcard}", within


def match_falls(before: BoundedTable, table: BoundedTable) -> Iterator[Case]:
    """Claim that card n at upcard n is less likely than with a card less (2011: not from 7 to 8)."""
    n = table.n
    yield _place(n, n), before.at(n - 1, n - 1).exceeds(table.at(n, n))


# Observations


def bids_of_one(table: BoundedTable) -> Iterator[Case]:
    """List the upcards at which the 1 is bid (2012, §4: 3, 4, 7, 11 and 13 for 13 cards)."""
    return ((f"{upcard}", table.at(upcard, 1).positive) for upcard in table.cards)


def highest_bids(table: BoundedTable) -> Iterator[Case]:
    """List the highest bid at each upcard, ascending (2012, §4: 4, 6, 8 on 1, 2, 3 for 13 cards)."""
    for upcard in table.cards:
        card, p = [each for each in table.column(upcard) if each[1].positive is not False][-1]
        yield f"{card}", p.positive


def every_card(table: BoundedTable) -> Iterator[Case]:
    """List the upcards at which every card is bid (2011: beyond 5 cards only 7 of 9)."""
    for upcard in table.cards:
        yield f"{upcard}", every(p.positive for p in table.columns[upcard - 1])


def rising(table: BoundedTable) -> Iterator[Case]:
    """List the upcards at which a higher card is always likelier (2011: 7 of 9 cards)."""
    for upcard in table.cards:
        yield f"{upcard}", every(q.exceeds(p) for p, q in pairwise(table.columns[upcard - 1]))


def never_next(table: BoundedTable) -> Iterator[Case]:
    """List the upcards at which the next card above is never bid (2011: 3 of 7 cards)."""
    for upcard in range(1, table.n):
        yield f"{upcard}", table.at(upcard, upcard + 1).zero


Pattern = Callable[[BoundedTable], Iterator[Case]]


CLAIMS: dict[str, Pattern] = {
    "not unimodal": not_unimodal,
    "low bids have parity": low_bids_have_parity,
    "odd before even": odd_before_even,
    "parity before other": parity_before_other,
    "parity together": parity_together,
    "never just below": never_just_below,
    "even never one": even_never_one,
    "never one on low": never_one_on_low,
    "likeliest is next": likeliest_is_next,
    "quoted": quoted,
}
"""Claims about one table, by name."""

OBSERVATIONS: dict[str, Pattern] = {
    "bids of one": bids_of_one,
    "highest bids": highest_bids,
    "every card": every_card,
    "rising": rising,
    "never next": never_next,
}
"""Lists that the authors give without a claim, by name."""


@dataclass(frozen=True)
class Finding:
    """A pattern in one table.

    Places are those where a claim fails or is undecided, and those observed, with a question mark where
    that is not proved. ``"3 on 7"`` is a bid of 3 at upcard 7.
    """

    pattern: str  #: a key of :data:`CLAIMS` or :data:`OBSERVATIONS`, or ``"match falls"``
    n: int  #: cards a side
    verdict: Verdict  #: of a claim; ``"observed"`` if nothing is claimed
    places: tuple[str, ...]


COLUMNS = fields_of(Finding) | {"places": lambda each: "; ".join(each.places)}
"""The columns of findings in CSV."""


def findings(tables: Iterable[BoundedTable]) -> Iterator[Finding]:
    """Judge every pattern in every table, pattern by pattern.

    Raises:
        ValueError: if a table is of other rules than those that the remarks are about.
    """
    known = list(tables)
    for table in known:
        if table.rules != PLAIN:
            raise ValueError(f"the remarks are about {PLAIN}, got {table.rules}")
    for pattern, claim in CLAIMS.items():
        for table in known:
            yield judged(pattern, table.n, claim(table))
    for before, table in pairwise(known):
        if table.n == before.n + 1:
            yield judged("match falls", table.n, match_falls(before, table))
    for pattern, observe in OBSERVATIONS.items():
        for table in known:
            seen = [(place, holds) for place, holds in observe(table) if holds is not False]
            places = tuple(place if holds else f"{place}?" for place, holds in seen)
            yield Finding(pattern, table.n, "observed", places)


def judged(pattern: str, n: int, cases: Iterable[Case]) -> Finding:
    """Judge a claim from its cases: it holds if it holds in every one.

    >>> judged("even", 3, [("2", True), ("3", False), ("5", None)])
    Finding(pattern='even', n=3, verdict='fails', places=('3',))
    """
    places: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for place, holds in cases:
        places[holds].append(place)
    if places[False]:
        return Finding(pattern, n, "fails", tuple(places[False]))
    if places[None]:
        return Finding(pattern, n, "undecided", tuple(places[None]))
    return Finding(pattern, n, "holds" if places[True] else "no case", ())


def _alternating(table: BoundedTable, odd: int) -> Iterator[Case]:
    """Compare, at upcard n, cards of one parity with their neighbours; none is above n − 3."""
    last = table.n - 3
    for card in range(1 + odd, last + 1, 2):
        p, beside = table.at(table.n, card), (card - 1, card + 1)
        neighbours = [table.at(table.n, each) for each in beside if 1 <= each <= last]
        if neighbours:
            yield _place(table.n, card), every(q.exceeds(p) for q in neighbours)


def _place(upcard: int, card: int) -> str:
    return f"{card} on {upcard}"
