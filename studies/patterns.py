"""Check the patterns that Rhoads (2011) and Rhoads & Bartholdi (2012) remarked on in their tables of
first moves; print as CSV where each holds and where it fails, for every table given and under any rules. Only
what is proved counts.

    python studies/patterns.py five.json six.json           # what two emitted tables show
    python studies/patterns.py --upto 9 --ties carryover    # what floats of 1 to 9 cards show where ties are carried over

The remarks are those of Rhoads & Bartholdi 2012, §4 and §5, most of them on the game of 13 cards, and
those of Rhoads 2011, beside his tables for 5 to 13 cards. A claim says that something holds in all of its
cases. An observation asks in which of its cases something holds. Each case has a truth value: True or False
if that is proved, else None. A bid is never made if its probability is proved to be zero, and is made if its
probability is proved to be positive.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, pairwise, product
from pathlib import Path
from typing import Literal

from first_moves import ZERO, BoundedTable, Bounds, bounded
from script import run_script

from gops_exact.base.documents import read_moves, read_text
from gops_exact.base.progress import progress_bar, tracked
from gops_exact.base.writing import LINES, fields_of
from gops_exact.commands.options import Options, Parser, output
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import PLAIN, Rules, upcard_name
from gops_exact.numbers.exact import rational
from gops_exact.solvers.api import first_move
from gops_exact.solvers.arithmetic import Float

Verdict = Literal["holds", "fails", "undecided", "no case", "observed"]

Case = tuple[str, bool | None]
"""A place in a table, such as ``"3 on 7"`` (bid 3 at upcard 7), and a truth value, None if not proved."""

LARGE_UPCARD = 9
"""Higher upcards are called large (Rhoads & Bartholdi 2012, §4)."""

QUOTES = (
    (8, 2, (5,), "0.25", "1"),  # 2011: more than 25% of the time
    (9, 9, (9,), "0.74745", "0.74755"),  # 2012, §5: 0.7475
    (10, 2, (5,), "0.5", "1"),  # 2011: over half the time
    (10, 3, (6, 7), "0.45", "0.5"),  # 2011: nearly half the time
    (13, 1, (4,), "0.45", "0.5"),  # 2012, §4: nearly 50%
    (13, 2, (6,), "0.345", "0.365"),  # 2012, §4: about 35%
)
"""Probabilities stated in words: cards a side, upcard, bids, and the bounds that the words set for the
probability of all these bids together."""


def some(values: Iterable[bool | None]) -> bool | None:
    """Return the disjunction of truth values, in which None is an unknown one (Kleene's logic).

    >>> some([False, None, True]), some([False, None]), some([])
    (True, None, False)
    """
    seen = set(values)
    return True if True in seen else None if None in seen else False


def every(values: Iterable[bool | None]) -> bool | None:
    """Return the conjunction of truth values, in which None is an unknown one (Kleene's logic).

    >>> every([False, None, True]), every([True, None]), every([])
    (False, None, True)
    """
    seen = set(values)
    return False if False in seen else None if None in seen else True


def claims(table: BoundedTable) -> dict[str, list[Case]]:
    """Return the cases of every claim about one table, {claim: cases}."""
    n, at = table.n, table.at
    turned = [upcard for upcard in table.upcards if upcard is not None]
    highest = [n] if n in turned else []
    return {
        # No column rises to one maximum and falls from there (2012, §4).
        "not unimodal": [
            (upcard_name(upcard), _dips(column))
            for upcard, column in zip(table.upcards, table.columns, strict=True)
        ],
        # At a large upcard, cards below half of it whose parity differs from it are never bid (2012, §4).
        "low bids have parity": _never(
            table,
            [
                (upcard, card)
                for upcard in turned
                for card in range(1, (upcard + 1) // 2)
                if upcard > LARGE_UPCARD and (upcard - card) % 2
            ],
        ),
        # At upcard n an even card up to n − 3 is less likely than its odd neighbours (2012, §4, on 13
        # cards: "up to 10").
        "odd before even": _alternating(table, highest, odd=1),
        # At upcard n a card of the other parity than n is less likely than its neighbours: this is the
        # claim "odd before even", extended to even n.
        "parity before other": _alternating(table, highest, odd=n % 2),
        # The cards of the upcard's parity are together likelier than the others (2012, §4).
        "parity together": [
            (
                f"{upcard}",
                sum(column[1 - upcard % 2 :: 2], ZERO).exceeds(sum(column[upcard % 2 :: 2], ZERO)),
            )
            for upcard, column in zip(turned, table.columns, strict=False)
        ],
        # At upcard n the cards below n of its parity are together likelier than the others.
        "parity below highest": [
            (
                f"{upcard}",
                sum((at(n, card) for card in range(n - 2, 0, -2)), ZERO).exceeds(
                    sum((at(n, card) for card in range(n - 1, 0, -2)), ZERO)
                ),
            )
            for upcard in highest
            if n > 1
        ],
        # At upcard n neither n − 1 nor n − 2 is bid (2011; 2012, §4: for 5 to 13 cards).
        "never just below": _never(
            table, [(upcard, card) for upcard in highest for card in range(max(n - 2, 1), n)]
        ),
        # If n is even, the 1 is not bid at upcard n (2011; 2012, §4: for 5 to 13 cards).
        "even never one": _never(table, [] if n % 2 else [(upcard, 1) for upcard in highest]),
        # At upcards 1 and 2 the 1 is not bid (2012, §4: for 13 cards).
        "never one on low": _never(table, [(upcard, 1) for upcard in turned if upcard <= 2]),
        # At upcards below n the likeliest card is the next above the upcard (2011: for 5 cards only).
        "likeliest is next": [
            (
                f"{upcard}",
                every(
                    at(upcard, upcard + 1).exceeds(p)
                    for card, p in table.column(upcard)
                    if card != upcard + 1
                ),
            )
            for upcard in turned
            if upcard < n
        ],
        "quoted": _quoted(table),
    }


def observations(table: BoundedTable) -> dict[str, list[Case]]:
    """Return the cases of every observation about one table, {observation: cases}."""
    highest = [
        [(card, p) for card, p in table.column(upcard) if p.positive is not False][-1]
        for upcard in table.upcards
    ]
    columns = list(zip(map(upcard_name, table.upcards), table.columns, strict=True))
    return {
        # The upcards at which the 1 is bid (2012, §4: 3, 4, 7, 11 and 13 for 13 cards).
        "bids of one": [(upcard, column[0].positive) for upcard, column in columns],
        # The highest bid at each upcard, upcards ascending (2012, §4: with 13 cards, 4, 6, 8 at 1, 2, 3).
        "highest bids": [(f"{card}", p.positive) for card, p in highest],
        # The upcards at which every card is bid (2011: with more than 5 cards, only 7 for n = 9).
        "every card": [(upcard, every(p.positive for p in column)) for upcard, column in columns],
        # The upcards at which a higher card is always likelier (2011: 7 in the game of 9 cards).
        "rising": [
            (upcard, every(q.exceeds(p) for p, q in pairwise(column))) for upcard, column in columns
        ],
        # The upcards at which the next higher card is never bid (2011: 3 in the game of 7 cards).
        "never next": [
            (f"{upcard}", table.at(upcard, upcard + 1).zero)
            for upcard in table.upcards
            if upcard is not None and upcard < table.n
        ],
    }


def _dips(chances: Sequence[Bounds]) -> bool | None:
    """Return True if some card is less likely than both a lower and a higher card; None if not proved."""
    return some(
        every(some(q.exceeds(p) for q in side) for side in (chances[:i], chances[i + 1 :]))
        for i, p in enumerate(chances)
    )


def _never(table: BoundedTable, bids: Iterable[tuple[int, int]]) -> list[Case]:
    """Return the cases of the claim that none of the bids, pairs (upcard, card), is made."""
    return [(f"{card} on {upcard}", table.at(upcard, card).zero) for upcard, card in bids]


def _alternating(table: BoundedTable, upcards: Iterable[int], odd: int) -> list[Case]:
    """Return the cases of the claim that cards of one parity are less likely than their neighbours.

    Only cards up to n − 3 count, also as neighbours.

    Args:
        table: the table.
        upcards: the upcards of the cases: the highest, if it may come first.
        odd: 1 if the even cards are said to be less likely, 0 if the odd cards are.
    """
    cases, last = [], table.n - 3
    for upcard, card in product(upcards, range(1 + odd, last + 1, 2)):
        p = table.at(upcard, card)
        neighbours = [table.at(upcard, q) for q in (card - 1, card + 1) if 1 <= q <= last]
        if neighbours:
            likelier = every(q.exceeds(p) for q in neighbours)
            cases.append((f"{card} on {upcard}", likelier))
    return cases


def _quoted(table: BoundedTable) -> list[Case]:
    """Return the cases of the claim that the probabilities of :data:`QUOTES` are within their bounds."""
    cases = []
    for n, upcard, cards, *limits in QUOTES:
        if n == table.n and table.rules == PLAIN:
            total = sum((table.at(upcard, card) for card in cards), ZERO)
            least, most = (Bounds(limit, limit) for limit in map(rational, limits))
            within = every((total.exceeds(least), most.exceeds(total)))
            cases.append((f"{' or '.join(map(str, cards))} on {upcard}", within))
    return cases


@dataclass(frozen=True)
class Finding:
    """The verdict on a pattern in one table."""

    pattern: str  #: a name in ``docs/patterns.md``
    n: int  #: cards a side
    verdict: Verdict  #: the verdict on a claim; ``"observed"`` for an observation
    #: For a claim: the places where it fails, or, if there are none, where it is undecided. For an
    #: observation: the places where it holds, with a question mark if that is not proved. ``"3 on 7"`` is a
    #: bid of 3 at upcard 7.
    places: tuple[str, ...]
    rules: Rules = PLAIN  #: the rules of the table


COLUMNS = fields_of(Finding) | {
    "places": lambda finding: "; ".join(finding.places),
    "rules": lambda finding: (
        f"{finding.rules.objective} {finding.rules.ties} {finding.rules.order}"
    ),
}
"""The columns of findings in CSV."""


def findings(tables: Iterable[BoundedTable]) -> Iterator[Finding]:
    """Judge every pattern in every table.

    The remarks are about points with ties discarded and prizes at random. Under other rules the same is asked;
    where the order is known or prizes are hidden, a table has one column, and other columns are no case.

    Args:
        tables: first-move tables. The pattern ``"match falls"`` compares a table of n cards with the table
            before it, if that is of n − 1 cards under the same rules.

    Returns:
        An iterator over the verdicts: pattern by pattern, and table by table in each.

    >>> from gops_exact import first_move
    >>> tables = [bounded(first_move(n, store=":memory:")) for n in (3, 4)]
    >>> [finding.verdict for finding in findings(tables) if finding.pattern == "never just below"]
    ['holds', 'holds']
    """
    tables = list(tables)
    verdicts: dict[str, list[Finding]] = {}
    for table in tables:
        for pattern, cases in claims(table).items():
            verdicts.setdefault(pattern, []).append(judged(pattern, table, cases))
    for smaller, table in pairwise(tables):
        n = table.n
        highest_first = n in table.upcards and n - 1 in smaller.upcards
        if n == smaller.n + 1 and table.rules == smaller.rules and highest_first:
            # The card n at upcard n is less likely than the card n − 1 at upcard n − 1 in the game of n − 1
            # cards (2011: with one exception, from 7 to 8 cards).
            falls = smaller.at(n - 1, n - 1).exceeds(table.at(n, n))
            match = judged("match falls", table, [(f"{n} on {n}", falls)])
            verdicts.setdefault(match.pattern, []).append(match)
    for table in tables:
        for pattern, cases in observations(table).items():
            places = tuple(
                place if holds else f"{place}?" for place, holds in cases if holds is not False
            )
            observed = Finding(pattern, table.n, "observed", places, table.rules)
            verdicts.setdefault(pattern, []).append(observed)
    return chain.from_iterable(verdicts.values())


def judged(pattern: str, table: BoundedTable, cases: Iterable[Case]) -> Finding:
    """Judge a claim: it fails if it is false in a case, and holds if it is proved in every case.

    >>> judged("even", BoundedTable(3, ()), [("2", True), ("3", False), ("5", None)]).places
    ('3',)
    """
    places: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for place, holds in cases:
        places[holds].append(place)
    verdict: Verdict = "holds" if places[True] else "no case"
    if places[False]:
        verdict = "fails"
    elif places[None]:
        verdict = "undecided"
    return Finding(pattern, table.n, verdict, tuple(places[False] or places[None]), table.rules)


def main(words: list[str]) -> int:
    """Run the script with the words of its command line; return the exit status."""
    return run_script(__file__, str(__doc__), add_arguments, run, words)


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="first moves at all upcards, emitted as json or csv; a csv file is read as one of the rules below",
    )
    text = "judge also the first moves of 1 to N cards by the rules below, computed in floats"
    parser.add("game", "--upto", "N", text, between=(1, LONGEST))
    parser.add_rules()
    parser.add("output", "--emit", "FORMAT", "csv, json or markdown", "csv", choices=tuple(LINES))
    parser.share("--out")


def run(options: Options) -> None:
    """Judge the tables of the files and those computed, and print the verdicts."""
    if not options.files and options.upto is None:
        raise ValueError("expected files or --upto, got neither")
    rules = options.rules
    sizes = tracked(range(1, (options.upto or 0) + 1), progress_bar())
    tables = [bounded(first_move(n, Float(), rules=rules)) for n in sizes]
    for file in tracked(options.files, progress_bar()):
        document = read_moves(read_text(file), asdict(rules))
        try:
            tables.append(bounded(document))
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error
    tables.sort(key=lambda table: (str(table.rules), table.n))
    with output(options.out) as file:
        file.writelines(LINES[options.emit](COLUMNS, findings(tables)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
