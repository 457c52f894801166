"""The public face: first moves in any arithmetic, and any position."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypedDict, Unpack, overload

from flint import fmpq

from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.lattice.exact import ExactArithmetic
from gops_exact.numbers import BigRational
from gops_exact.schedule import Progress
from gops_exact.solutions.old_first_moves import FirstMove, FirstMoves, Probabilities
from gops_exact.solver.certified import CertifiedMoves, certified_first_move
from gops_exact.solver.cost import check_feasible
from gops_exact.solver.fingerprint import ResidueMoves, first_move_residues
from gops_exact.solver.floats import FloatFirstMoves, first_move_float
from gops_exact.solver.parallel import Place, openings
from gops_exact.solver.positions import bid_gains, outcomes, payoff_matrix, solve, value

__all__ = [
    "bid_gains",
    "certified_first_move",
    "first_move",
    "first_move_float",
    "first_move_residues",
    "outcomes",
    "payoff_matrix",
    "solve",
    "value",
]


class _Options(TypedDict, total=False):
    """What first moves in any arithmetic take; see :func:`first_move`."""

    upcards: Iterable[int] | None
    rules: Rules
    jobs: int | None
    progress: Progress | None
    force: bool


class _StoreOptions(_Options, total=False):
    """What they take where values are kept in a store."""

    store: str | Path | None
    read_only: bool


@overload
def first_move(
    n: int, *, arithmetic: Literal["exact"] = "exact", **options: Unpack[_StoreOptions]
) -> FirstMoves: ...
@overload
def first_move(
    n: int, *, arithmetic: Literal["ball"], **options: Unpack[_StoreOptions]
) -> CertifiedMoves: ...
@overload
def first_move(
    n: int, *, arithmetic: Literal["residue"], **options: Unpack[_StoreOptions]
) -> ResidueMoves: ...
@overload
def first_move(
    n: int, *, arithmetic: Literal["float"], **options: Unpack[_Options]
) -> FloatFirstMoves: ...
def first_move(
    n: int,
    *,
    arithmetic: Literal["exact", "ball", "residue", "float"] = "exact",
    upcards: Iterable[int] | None = None,
    rules: Rules = PLAIN,
    store: str | Path | None = None,
    read_only: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> FirstMoves | CertifiedMoves | ResidueMoves | FloatFirstMoves:
    """The optimal first moves of the game of n cards.

    Args:
        n: cards a side.
        arithmetic: ``"exact"``; or what :func:`certified_first_move` (``"ball"``),
            :func:`first_move_residues` (``"residue"``) and :func:`first_move_float` (``"float"``)
            give, with their own options left as they are.
        upcards: the prizes turned up, by default all that can come first.
        rules: the rules of the game.
        store: file that keeps values between runs; ``":memory:"`` keeps none. By default
            ``$GOPS_EXACT_STORE`` or a file in the user's cache directory. Floats take none.
        read_only: use the store without adding to it.
        jobs: processes, by default all cores where it pays.
        progress: called with the work done and all the work there is, in any unit; what
            :func:`gops_exact.progress_bar` gives shows it.
        force: begin even if it takes hours.

    Raises:
        ValueError: if n is not a positive integer, an upcard cannot come first, the game takes hours
            and `force` is off, the arithmetic is unknown, or floats are given a store.
        StoreError: if the store cannot be used.
        PrecisionError: if decimals cannot be proved, or balls cannot tell a tie for a residue.

    >>> moves = first_move(2)
    >>> moves[1]
    {1: 1, 2: 0}
    >>> first_move(4, rules=Rules("win", "carryover"))[4]
    {1: 272/5411, 2: 1467/5411, 3: 0, 4: 3672/5411}
    >>> first_move(3, rules=Rules(prizes="hidden"))[None]
    {1: 1/3, 2: 1/3, 3: 1/3}
    >>> first_move(3, arithmetic="float")[3]
    {1: 0.0, 2: 0.0, 3: 1.0}
    """
    options: _Options = {
        "upcards": upcards,
        "rules": rules,
        "jobs": jobs,
        "progress": progress,
        "force": force,
    }
    if arithmetic == "float":
        if store is not None or read_only:
            raise ValueError("arithmetic 'float' takes neither store nor read_only")
        return first_move_float(n, **options)
    if arithmetic == "ball":
        return certified_first_move(n, store=store, read_only=read_only, **options)
    if arithmetic == "residue":
        return first_move_residues(n, store=store, read_only=read_only, **options)
    if arithmetic != "exact":
        raise ValueError(
            f"arithmetic must be 'exact', 'ball', 'residue' or 'float', got {arithmetic!r}"
        )
    prizes, chosen = as_rules(rules).deal(n, upcards)
    deck = sorted(prizes)
    check_feasible(len(deck), rules, force=force)
    place = Place.of(store, read_only=read_only)
    found = openings(
        len(deck), chosen, rules, ExactArithmetic(), place, jobs=jobs, progress=progress
    )
    columns = (
        FirstMove(
            upcard,
            Probabilities(
                {
                    card: BigRational.of_pair(pair)
                    for card, pair in zip(deck, found[upcard].strategy, strict=True)
                }
            ),
            fmpq(0),
            bool(found[upcard].unique),
            found[upcard].method,
        )
        for upcard in chosen
    )
    return FirstMoves(len(deck), tuple(columns), rules)
