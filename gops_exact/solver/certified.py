"""First moves as decimals with a proof of every digit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import ceil, log2
from pathlib import Path
from typing import TYPE_CHECKING

from flint import arb

from gops_exact.game.cards import positive_integer
from gops_exact.game.rules import PLAIN, Rules, Upcard, as_rules
from gops_exact.lattice.ball import BallArithmetic
from gops_exact.numbers.balls import decimal_text
from gops_exact.numbers.kinds import PrecisionError
from gops_exact.schedule import Progress
from gops_exact.solutions.old_first_moves import ByUpcard, upcard_name
from gops_exact.solver.cost import check_certifiable
from gops_exact.solver.parallel import Place, openings

if TYPE_CHECKING:
    import pandas as pd

DIGITS = 50
"""Default number of decimals."""

GUARD_BITS = 64
"""Precision beyond the digits asked for. Radii grow by five or six bits with every card a side."""

DOUBLINGS = 3
"""How many times the precision is doubled before giving up."""


@dataclass(frozen=True)
class CertifiedMove:
    """The optimal first move at one upcard.

    Attributes:
        upcard: the prize turned up, in points; None where bids are made before it is seen.
        probabilities: {card: ball that holds the probability}, every card of the hand. A card that
            is proved not to be played has the ball 0 of radius 0.
        unique: whether it is proved to be the only optimal first move.
    """

    upcard: Upcard
    probabilities: Mapping[int, arb]
    unique: bool


@dataclass(frozen=True)
class CertifiedMoves(ByUpcard[Mapping[int, arb]]):
    """The optimal first moves of the game of n cards, {upcard: {card: ball}}.

    Attributes:
        n: cards a side.
        digits: decimals that are proved for every probability.
        columns: one first move per upcard, in the order asked for.
        rules: the rules of the game.
        arithmetic: the number system of the probabilities, ``"ball"``.
    """

    n: int
    digits: int
    columns: tuple[CertifiedMove, ...]
    rules: Rules = field(default_factory=Rules)
    arithmetic: str = "ball"

    def __str__(self) -> str:
        """The table in decimals, as the command line prints it."""
        from gops_exact.show.emit_proved import emit_certified

        return "".join(emit_certified(self, "decimals")).rstrip("\n")

    __repr__ = __str__

    def to_frame(self) -> "pd.DataFrame":
        """A frame indexed by (upcard, card), the proved ``decimal`` beside ``float``."""
        from gops_exact.show.frames import certified_frame

        return certified_frame(self)

    def _repr_html_(self) -> str:
        from gops_exact.show.display import certified_html

        return certified_html(self)

    def decimal(self, upcard: Upcard, card: int, digits: int | None = None) -> str:
        """A probability correctly rounded to `digits` decimals, by default as many as were asked.

        Raises:
            PrecisionError: if the ball leaves a doubt.
        """
        digits = self.digits if digits is None else digits
        text = decimal_text(self[upcard][card], digits)
        if text is None:
            raise PrecisionError(
                f"upcard {upcard_name(upcard)}, card {card}: {digits} digits are not proved, ask for more"
            )
        return text


def certified_first_move(
    n: int,
    digits: int = DIGITS,
    *,
    upcards: Iterable[int] | None = None,
    rules: Rules = PLAIN,
    store: str | Path | None = None,
    read_only: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> CertifiedMoves:
    """The optimal first moves of the game of n cards, each probability to `digits` proved decimals.

    Args:
        n: cards a side.
        digits: digits after the point.
        upcards: as for :func:`gops_exact.first_move`, and so are the others.
        rules: the rules of the game.
        store: file that keeps values between runs.
        read_only: use the store without adding to it.
        jobs: processes.
        progress: called with the work done and all the work there is, in any unit.
        force: begin even if it takes hours.

    Raises:
        ValueError: if n or digits is not a positive integer, an upcard cannot come first, or the
            game takes hours and `force` is off.
        StoreError: if the store cannot be used.
        PrecisionError: if the digits cannot be proved, because the first move of more than five
            cards is one of several or a probability lies halfway between two decimals.

    >>> moves = certified_first_move(3, 20, upcards=[2], store=":memory:")
    >>> moves.decimal(2, 2), moves.decimal(2, 1)
    ('0.55555555555555555556', '0.00000000000000000000')
    """
    prizes, chosen = as_rules(rules).deal(n, upcards)
    deck = sorted(prizes)
    check_certifiable(len(deck), rules, force=force)
    bits = ceil(positive_integer(digits, "digits") * log2(10)) + GUARD_BITS
    place = Place.of(store, read_only=read_only)
    for precision in (bits << doubling for doubling in range(DOUBLINGS + 1)):
        arithmetic = BallArithmetic(precision)
        found = openings(len(deck), chosen, rules, arithmetic, place, jobs=jobs, progress=progress)
        balls = [ball for opening in found.values() for ball in opening.strategy]
        if all(decimal_text(ball, digits) is not None for ball in balls):
            columns = (
                CertifiedMove(
                    upcard,
                    dict(zip(deck, found[upcard].strategy, strict=True)),
                    bool(found[upcard].unique),
                )
                for upcard in chosen
            )
            return CertifiedMoves(len(deck), digits, tuple(columns), rules)
    raise PrecisionError(f"{digits} digits of a first move are not proved by {precision} bits")
