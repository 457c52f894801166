"""First moves modulo a prime: fingerprints of exact results of millions of digits."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gops_exact.game.rules import PLAIN, Rules, Upcard, as_rules
from gops_exact.lattice.ball import EXACT_UP_TO
from gops_exact.lattice.residue import BITS, PRIME, ResidueArithmetic
from gops_exact.numbers.kinds import PrecisionError
from gops_exact.schedule import Progress
from gops_exact.solutions.old_first_moves import ByUpcard
from gops_exact.solver.cost import check_certifiable
from gops_exact.solver.parallel import Place, openings

if TYPE_CHECKING:
    import pandas as pd

FEW_CARDS = 8
"""Games of so many cards are proved with exact values up to four cards a side. Larger ones get them
up to five, which takes an eighth more time at nine cards; so do all games for winning, which have
many ties."""

MOST_BITS = 1024
"""Precision of the balls at which to give up, doubled from the default one where that is short."""


@dataclass(frozen=True)
class ResidueMove:
    """The optimal first move at one upcard, modulo a prime.

    Attributes:
        upcard: the prize turned up, in points; None where bids are made before it is seen.
        probabilities: {card: p·q⁻¹ of the probability p/q}, every card of the hand.
        unique: whether it is proved to be the only optimal first move.
        proved: whether the residues are, or some tie behind them was taken for one on evidence.
    """

    upcard: Upcard
    probabilities: Mapping[int, int]
    unique: bool
    proved: bool


@dataclass(frozen=True)
class ResidueMoves(ByUpcard[Mapping[int, int]]):
    """The optimal first moves of the game of n cards modulo a prime, {upcard: {card: residue}}.

    Attributes:
        n: cards a side.
        prime: the modulus.
        columns: one first move per upcard, in the order asked for.
        rules: the rules of the game.
        arithmetic: the number system of the probabilities, ``"residue"``.
    """

    n: int
    prime: int
    columns: tuple[ResidueMove, ...]
    rules: Rules = field(default_factory=Rules)
    arithmetic: str = "residue"

    def __str__(self) -> str:
        """The residues as a table."""
        from gops_exact.show.emit_proved import residues_table

        return "".join(residues_table(self)).rstrip("\n")

    __repr__ = __str__

    def to_frame(self) -> "pd.DataFrame":
        """A frame indexed by (upcard, card), the ``residue`` of each probability."""
        from gops_exact.show.frames import residues_frame

        return residues_frame(self)

    def _repr_html_(self) -> str:
        from gops_exact.show.display import residues_html

        return residues_html(self)


def first_move_residues(
    n: int,
    prime: int = PRIME,
    *,
    upcards: Iterable[int] | None = None,
    rules: Rules = PLAIN,
    store: str | Path | None = None,
    read_only: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> ResidueMoves:
    """The optimal first moves of the game of n cards modulo a prime.

    They are proved to be those of the exact numbers where a column says so, otherwise all but
    certain, see :mod:`gops_exact.lattice.residue`.

    Args:
        n: cards a side.
        prime: the modulus, between 10⁹ and 2⁶⁴.
        upcards: as for :func:`gops_exact.first_move`, and so are the others.
        rules: the rules of the game.
        store: file that keeps values between runs.
        read_only: use the store without adding to it.
        jobs: processes.
        progress: called with the work done and all the work there is, in any unit.
        force: begin even if it takes hours.

    Raises:
        ValueError: if n is not a positive integer, an upcard cannot come first, the modulus is no
            prime in range, it divides a denominator, or the game takes hours and `force` is off.
        StoreError: if the store cannot be used.
        PrecisionError: if the balls are too wide to tell a tie from none.

    >>> moves = first_move_residues(3, upcards=[2], store=":memory:")
    >>> [9 * residue % moves.prime for residue in moves[2].values()]
    [0, 5, 4]
    """
    prizes, chosen = as_rules(rules).deal(n, upcards)
    deck = sorted(prizes)
    check_certifiable(len(deck), rules, force=force)
    place = Place.of(store, read_only=read_only)
    many_ties = rules.winning or len(deck) > FEW_CARDS
    bits, exact_up_to = BITS, EXACT_UP_TO + many_ties
    while True:
        arithmetic = ResidueArithmetic(prime, bits, exact_up_to)
        try:
            found = openings(
                len(deck), chosen, rules, arithmetic, place, jobs=jobs, progress=progress
            )
            break
        except PrecisionError:
            if bits >= MOST_BITS:
                raise
            bits *= 2
    columns = (
        ResidueMove(
            upcard,
            dict(zip(deck, found[upcard].strategy, strict=True)),
            bool(found[upcard].unique),
            found[upcard].proved,
        )
        for upcard in chosen
    )
    return ResidueMoves(len(deck), prime, tuple(columns), rules)
