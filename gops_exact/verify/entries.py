"""Entries of a store as the verifier reads them: their keys, and the numbers in their bytes.

Words used here:

* A *store* is a file of computed values of positions and of first moves. An *entry* of a store has values of positions,
  or a first move.
* A *first move* is an optimal strategy for the first bid after a given upcard: a probability for each card.
* An *arithmetic* is a kind of number: exact fractions, balls or floats.
* A *ball* is an interval, given by its midpoint and its radius. The numbers of an entry are fractions or balls.
* An *interleaving* is a pair of hands as a text. It has a letter for each card that is held, in ascending order: V for
  a card that only player one holds, Y for one that only player two holds, B for one that both hold.
* The *upcard* is the prize turned up in a round.
* A *state* is a position without the hands: the rules, the prizes left, the margin and the pot. The *margin* is player
  one's points minus player two's; it is always 0 if the objective is points. The *pot* is the sum of the prizes carried
  over from ties.
* A *basis* is a choice of equally many rows and columns of the payoff matrix, which determines a strategy of each
  player.
"""

import re
from dataclasses import dataclass, replace

from gmpy2 import mpz

from gops_exact.base.documents import EXACT, MOST_CARDS
from gops_exact.base.store import Reader
from gops_exact.verify.interleavings import RULES, PrizeState
from gops_exact.verify.intervals import NotProvedError, Pair

ARITHMETIC = "exact|ball/[0-9]{2,7}/[0-9]{1,2}|residue/[0-9]{10,20}/[0-9]{2,7}/[0-9]{1,2}"
"""Regular expression for the name of an arithmetic in the key of a store's entry: ``exact`` or ``ball/bits/cards``.
Here `bits` is the precision of the balls. Values of positions with at most `cards` cards a side are exact. Earlier
versions also stored numbers modulo a prime, as ``residue/prime/bits/cards``; their payloads are no longer read."""

MOST_EXPONENT = 1 << 24
"""Greatest accepted absolute value of an exponent of 2 in a ball. This program writes far smaller exponents. An
exponent e leads to integers of about |e| bits, so a huge one in a damaged entry would exhaust the memory."""


def read_key(key: str) -> tuple[str, PrizeState, int | str | None, int | None]:
    """Read the key of an entry.

    Returns:
        (arithmetic, state, hands, upcard). `arithmetic` is the name of the kind of numbers, such as ``"exact"``.
        `state` is the position without the hands; for a first move it is the start of the game. `hands` is the
        interleaving of an entry with one value, the length of the interleavings in an entry with many values, or None
        for a first move. `upcard` is the upcard of a first move, None if prizes are hidden; for values it is None.

    Raises:
        NotProvedError: if no entry can have this key.

    >>> read_key("win/carryover/random exact value 1,4 margin -2 pot 3 of VBY")
    ('exact', PrizeState(rules='win/carryover/random', prizes=(1, 4), margin=-2, pot=3), 'VBY', None)
    """
    hands: int | str | None = None
    upcard = None
    try:
        rules, arithmetic, kind, subject, *more = key.split(" ")
        facts = dict(zip(more[::2], more[1::2], strict=True))
        if kind == "opening":
            listed = ",".join(map(str, range(1, min(int(subject), MOST_CARDS) + 1)))
            state = PrizeState(rules, tuple(map(int, facts.get("of", listed).split(","))))
            upcard = None if facts["upcard"] == "hidden" else int(facts["upcard"])
            name, fits = state.first_move_key(upcard, arithmetic), True
        else:
            margin, pot = int(facts.get("margin", 0)), int(facts.get("pot", 0))
            state = PrizeState(rules, tuple(map(int, subject.split(","))), margin, pot)
            size = len(state.prizes)
            hands = int(facts["length"]) if kind == "values" else facts["of"]
            length = hands if isinstance(hands, int) else len(hands)
            fits = size <= length <= min(2 * size, MOST_CARDS)
            if isinstance(hands, str):
                one, two, both = map(hands.count, "VYB")
                fits = fits and one == two == size - both == length - size
            name = state.values_key(hands, arithmetic)
        known = rules in RULES and re.fullmatch(ARITHMETIC, arithmetic)
    except (KeyError, ValueError):
        fits = False
    # Several texts could be parsed as the same key. Only the one that a store would write is accepted.
    if not (fits and known and name == key):
        raise NotProvedError("no entry has such a name")
    return arithmetic, state, hands, upcard


@dataclass(frozen=True)
class StoredNumber:
    """Number in a store: a fraction, or a ball."""

    low: Pair  # the least possible number
    high: Pair  # the greatest possible number; `low` if the number is a fraction
    is_exact: bool = True  # False for a ball, also if its radius is 0
    # For each upcard, a basis that proves the value, as bit masks (rows, columns); () for a ball or a first move. Bit k
    # of a mask stands for row or column k of the matrix game, in which bids with the same outcomes share a line.
    bases: tuple[tuple[int, int], ...] = ()


def read_values(data: bytes, kind: str = EXACT) -> list[StoredNumber]:
    """Read all values from the bytes of an entry.

    Args:
        data: the bytes.
        kind: the arithmetic of the entry, ``"exact"`` or ``"ball"``. An entry of balls may hold fractions instead, as it
            does for small hands; a flag in its bytes says which.

    Raises:
        ValueError: if the bytes are not those of such an entry.
        NotProvedError: if a denominator is not positive, or the exponent of a ball is out of bounds.
    """
    with Reader(data) as payload:
        if kind == EXACT:
            values = []
            for _ in range(payload.number()):
                bases = payload.several(lambda: (payload.number(), payload.number()))
                values.append(replace(_number(payload, EXACT), bases=tuple(bases)))
            return values
        # The first integer is a flag: 0 if the values are stored as balls, else they are stored as fractions.
        stored = EXACT if payload.number() else kind
        return payload.several(lambda: _number(payload, stored))


def read_first_move(data: bytes, kind: str = EXACT) -> tuple[list[StoredNumber], bool, bool]:
    """Read a first move from the bytes of its entry.

    Args:
        data: the bytes.
        kind: ``"exact"`` for an entry of fractions, ``"ball"`` for one of balls, that is, of intervals.

    Returns:
        (numbers, unique, proved): the probability of each card, in ascending order of the cards; True if the first move
        is marked as the only optimal one; True if it is marked as proved, as every exact first move is.

    Raises:
        ValueError: if the bytes are not those of such an entry.
        NotProvedError: if a denominator is not positive, or the exponent of a ball is out of bounds.
    """
    with Reader(data) as payload:
        if kind == EXACT:
            payload.data()  # skips the name of the method that solved the game
            unique, proved = bool(payload.number()), True
        else:
            proved, unique = bool(payload.number()), bool(payload.number())
        return payload.several(lambda: _number(payload, kind)), unique, proved


def _number(payload: Reader, kind: str) -> StoredNumber:
    if kind == EXACT:
        fraction = _integer(payload), _integer(payload)
        if fraction[1] <= 0:
            raise NotProvedError("a denominator is not positive")
        return StoredNumber(fraction, fraction)
    # The midpoint of the ball is m · 2^e, and its radius is r · 2^f.
    m, e, r, f = _integer(payload), _integer(payload), payload.number(), _integer(payload)
    if max(abs(e), abs(f)) > MOST_EXPONENT:
        raise NotProvedError("the exponent of a ball is out of bounds")
    places = int(max(-e, -f, 0))
    middle, radius, one = m << int(e) + places, mpz(r) << int(f) + places, mpz(1) << places
    return StoredNumber((middle - radius, one), (middle + radius, one), is_exact=False)


def _integer(payload: Reader) -> mpz:
    return mpz.from_bytes(payload.data(), "little", signed=True)
