"""Patterns in first-move tables: the remarks of others, each judged for any number of cards.

The remarks are those of Rhoads & Bartholdi 2012, §4 and §5, most of them on the game of 13 cards, and
of Rhoads 2011, beside his tables for 5 to 13 cards. A claim yields every case in which it can be
judged, an observation every place at which it may hold, each with its truth value; None stands for
one that is not proved. A bid counts as never made where its probability is proved to be zero, and as
made where it is proved to be positive.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Literal

from gops_exact.base.writing import fields_of
from gops_exact.game.rules import PLAIN
from gops_exact.numbers import rational
from gops_exact.show.first_moves import ZERO, BoundedTable, Bounds, every, some

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


def claims(table: BoundedTable) -> dict[str, list[Case]]:
    """List the cases of every claim about one table, {claim: cases}."""
    n, at, cards = table.n, table.at, table.cards
    return {
        # No column rises to one maximum and falls from there (2012, §4).
        "not unimodal": [(f"{upcard}", _dips(table.columns[upcard - 1])) for upcard in cards],
        # At a large upcard no card below half of it has the other parity (2012, §4).
        "low bids have parity": _never(
            table,
            [
                (upcard, card)
                for upcard in range(LARGE_UPCARD + 1, n + 1)
                for card in range(1, (upcard + 1) // 2)
                if (upcard - card) % 2
            ],
        ),
        # At upcard n an even card up to n − 3 is less likely than its odd neighbours (2012, §4, on 13
        # cards: "up to 10").
        "odd before even": _alternating(table, odd=1),
        # At upcard n a card of the other parity than n is less likely than its neighbours: the claim
        # above, extended to an even n.
        "parity before other": _alternating(table, odd=n % 2),
        # The cards of the upcard's parity are together likelier than the others (2012, §4).
        "parity together": [
            (
                f"{upcard}",
                sum(column[1 - upcard % 2 :: 2], ZERO).exceeds(sum(column[upcard % 2 :: 2], ZERO)),
            )
            for upcard, column in zip(cards, table.columns, strict=True)
        ],
        # At upcard n neither n − 1 nor n − 2 is bid (2011; 2012, §4: for 5 to 13 cards).
        "never just below": _never(table, [(n, card) for card in range(max(n - 2, 1), n)]),
        # At upcard n, if even, the 1 is not bid (2011; 2012, §4: for 5 to 13 cards).
        "even never one": _never(table, [] if n % 2 else [(n, 1)]),
        # At upcards 1 and 2 the 1 is not bid (2012, §4: for 13 cards).
        "never one on low": _never(table, [(upcard, 1) for upcard in cards[:2]]),
        # Below n the likeliest card is the next above the upcard (2011: for 5 cards only).
        "likeliest is next": [
            (
                f"{upcard}",
                every(
                    at(upcard, upcard + 1).exceeds(p)
                    for card, p in table.column(upcard)
                    if card != upcard + 1
                ),
            )
            for upcard in cards[:-1]
        ],
        "quoted": _quoted(table),
    }


def observations(table: BoundedTable) -> dict[str, list[Case]]:
    """List what the authors observe in their tables without a claim, {observation: cases}."""
    highest = [
        [each for each in table.column(upcard) if each[1].positive is not False][-1]
        for upcard in table.cards
    ]
    columns = [(f"{upcard}", column) for upcard, column in enumerate(table.columns, start=1)]
    return {
        # The upcards at which the 1 is bid (2012, §4: 3, 4, 7, 11 and 13 for 13 cards).
        "bids of one": [(upcard, column[0].positive) for upcard, column in columns],
        # The highest bid at each upcard, ascending (2012, §4: 4, 6, 8 on 1, 2, 3 for 13 cards).
        "highest bids": [(f"{card}", p.positive) for card, p in highest],
        # The upcards at which every card is bid (2011: beyond 5 cards only 7 of 9).
        "every card": [(upcard, every(p.positive for p in column)) for upcard, column in columns],
        # The upcards at which a higher card is always likelier (2011: 7 of 9 cards).
        "rising": [
            (upcard, every(q.exceeds(p) for p, q in pairwise(column))) for upcard, column in columns
        ],
        # The upcards at which the next card above is never bid (2011: 3 of 7 cards).
        "never next": [
            (f"{upcard}", table.at(upcard, upcard + 1).zero) for upcard in table.cards[:-1]
        ],
    }


def _dips(chances: Sequence[Bounds]) -> bool | None:
    """Return True if some card is less likely than one below it and one above it."""
    return some(
        every(some(q.exceeds(p) for q in side) for side in (chances[:i], chances[i + 1 :]))
        for i, p in enumerate(chances)
    )


def _never(table: BoundedTable, bids: Iterable[tuple[int, int]]) -> list[Case]:
    """Claim that some bids, (upcard, card), are never made."""
    return [(f"{card} on {upcard}", table.at(upcard, card).zero) for upcard, card in bids]


def _alternating(table: BoundedTable, odd: int) -> list[Case]:
    """Compare, at upcard n, cards of one parity with their neighbours; none is above n − 3."""
    cases, last = [], table.n - 3
    for card in range(1 + odd, last + 1, 2):
        p, beside = table.at(table.n, card), (card - 1, card + 1)
        neighbours = [table.at(table.n, each) for each in beside if 1 <= each <= last]
        if neighbours:
            likelier = every(q.exceeds(p) for q in neighbours)
            cases.append((f"{card} on {table.n}", likelier))
    return cases


def _quoted(table: BoundedTable) -> list[Case]:
    """Claim the probabilities of :data:`QUOTES`."""
    cases = []
    for n, upcard, cards, *limits in QUOTES:
        if n == table.n:
            total = sum((table.at(upcard, card) for card in cards), ZERO)
            least, most = (Bounds(limit, limit) for limit in map(rational, limits))
            within = every((total.exceeds(least), most.exceeds(total)))
            cases.append((f"{' or '.join(map(str, cards))} on {upcard}", within))
    return cases


@dataclass(frozen=True)
class Finding:
    """A pattern in one table.

    Places are those where a claim fails or is undecided, and those observed, with a question mark where
    that is not proved. ``"3 on 7"`` is a bid of 3 at upcard 7.
    """

    pattern: str  #: a name in ``docs/patterns.md``
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
    found: dict[str, list[Finding]] = {}
    for table in known:
        for pattern, cases in claims(table).items():
            found.setdefault(pattern, []).append(judged(pattern, table.n, cases))
    for before, table in pairwise(known):
        n = table.n
        if n == before.n + 1:
            # Card n at upcard n is less likely than with a card less (2011: not from 7 to 8).
            falls = before.at(n - 1, n - 1).exceeds(table.at(n, n))
            match = judged("match falls", n, [(f"{n} on {n}", falls)])
            found.setdefault(match.pattern, []).append(match)
    for table in known:
        for pattern, cases in observations(table).items():
            seen = [(place, holds) for place, holds in cases if holds is not False]
            places = tuple(place if holds else f"{place}?" for place, holds in seen)
            observed = Finding(pattern, table.n, "observed", places)
            found.setdefault(pattern, []).append(observed)
    return chain.from_iterable(found.values())


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
