"""Certificates of positions: texts that prove the values and strategies of a whole game, and their form for Coq.

Words used here:

* A *position* has both hands, the prizes left, the prize turned up if there is one, and the points of earlier rounds
  that still count.
* A position is *decided* if its result no longer depends on the bids.
* The *upcard* is the prize turned up in a round.

A certificate lists a position and the undecided positions that can follow it, those with fewer cards first. Of later
positions that differ only by a renumbering of the cards of both hands, or by swapped players, it lists one. For each
position it has the value and, for each prize that may be turned up next, a *turn*: the value and optimal strategies
with this prize turned up. With hidden prizes a position has a single turn. docs/proofs.md defines the format, and
``proofs/`` has its checkers.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from itertools import product
from typing import Any

from flint import fmpq, fmpq_mat, fmpz

from gops_exact.base.arguments import function, shown
from gops_exact.base.progress import Progress, tracked
from gops_exact.base.store import MEMORY
from gops_exact.game.game import Position, checked_position
from gops_exact.game.order_types import relabelled
from gops_exact.solvers.api import solver
from gops_exact.solvers.results import Solution
from gops_exact.solvers.solver import Solver

FORMAT = "gops-certificate 1"
"""First words of a certificate: the name of the format and its version. The rules of the game follow them."""

_INTEGERS, _FRACTION = "-?[0-9]+(?:,-?[0-9]+)*", "-?[0-9]+(?:/[1-9][0-9]*)?"
LINE = re.compile(
    rf"{FORMAT} (?:points|win) (?:discard|carryover) (?:random|known|hidden)|end [0-9]+"
    rf"|position {_INTEGERS} {_INTEGERS} {_INTEGERS} -?[0-9]+ -?[0-9]+ {_FRACTION}"
    rf"|turn {_FRACTION} {_INTEGERS} {_INTEGERS}(?: -?[0-9]+(?:;{_INTEGERS})+)?"
)
"""Pattern of a line of a certificate. There are four kinds: the first line, which names the format and the rules; a
line for a position; a line for a prize that may be turned up in this position; and the last line."""

MOST_CARDS = 7
"""Greatest number of cards of each player for which :func:`write_certificate` writes a certificate. With seven cards, a
certificate of a game for points has 35 thousand matrix games."""

LONG = 20
"""Least number of digits of an integer that is written for Coq in hexadecimal, which Coq reads faster than decimals."""

COQ = """\
(* The last line, the claim, is what the certificate is about; those before it are what it rests on. *)
From Gops Require Import Soundness.
Open Scope Z_scope.

Definition the_rules := Rules {rules}.

Definition before : list line := [
{before}].

Definition claim : line :=
{claim}.

Lemma checked : certified the_rules (before ++ [claim]) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem solved : true_line the_rules claim.
Proof. exact (sound_last _ _ before claim checked eq_refl). Qed.

Print Assumptions solved.
"""
"""Template of the file for Coq. The checker, ``certified``, runs only once: Coq's kernel runs it at ``Qed`` of the
lemma ``checked``. The tactic ``vm_cast_no_check`` accepts the lemma without running the checker first."""


def write_certificate(position: Position | str, *, progress: Progress | None = None) -> str:
    """Return a certificate of the value of a position, and of optimal strategies after each upcard.

    In later positions the cards of both hands together are renumbered 1, 2, … in ascending order. If, after an upcard,
    each player has only one optimal strategy at `position` itself, the certificate proves this, too.

    Args:
        position: an undecided position of at most seven cards a side with no prize turned up, or its name.
        progress: called as progress(done, total), counted in positions; None for no report.

    Raises:
        ValueError: if `position` is no position, if a prize is turned up, if the position is decided, or if there are too
            many cards.

    >>> print(write_certificate(Position([2], [1], [3])), end="")
    gops-certificate 1 points discard random
    position 2 1 3 0 0 3
    turn 3 1 1 1;0
    end 1
    """
    function(progress, "progress")
    start = checked_position(position)
    if start.upcard is not None or start.decided is not None or start.size > MOST_CARDS:
        raise ValueError(
            f"a certificate is of an undecided position of at most {MOST_CARDS} cards a side with no prize "
            f"turned up, got {start}"
        )
    rules, solved = start.rules, solver("exact", store=MEMORY)
    positions = [*_leading_to(start), start]
    (_, turned), *_ = start.with_upcards()
    solved.solve(turned)  # the solver then has the values of all later positions
    order = "known" if rules.fixed else rules.order
    lines = [f"{FORMAT} {rules.objective} {rules.ties} {order}"]
    for reached in tracked(positions, progress):
        cards = (_joined(numbers) for numbers in (reached.one, reached.two, reached.prizes))
        stages = [
            (1 if rules.hidden else times, solved.solve(turned))
            for times, turned in reached.with_upcards()
        ]
        weight = sum(times for times, _ in stages)
        worth = sum((times * play.value.value for times, play in stages), fmpq(0)) / weight
        lines.append(f"position {' '.join(cards)} {reached.margin} {reached.pot} {worth}")
        for times, play in stages:
            sides = ([bid.value for bid in side.values()] for side in (play.row, play.column))
            row, column = (_joined(_whole(side)[0]) for side in sides)
            proof = _proof_of_only(solved, play) if reached is start else ""
            lines += [f"turn {play.value} {row} {column}{proof}"] * times
    return "\n".join([*lines, f"end {len(positions)}"]) + "\n"


def _joined(numbers: Iterable[object]) -> str:
    return ",".join(map(str, numbers))


def _leading_to(start: Position) -> list[Position]:
    """List the later positions in the certificate of `start`, those with the fewest cards first."""
    layer, positions = {start: None}, list[Position]()
    for _ in range(start.size - 1):
        following: dict[Position, None] = {}
        for before in layer:
            for draw in before.rules.draws(before.prizes):
                turned = before if before.rules.hidden else before.at(draw.upcard)
                for bid, reply in product(before.one, before.two):
                    after = turned.after(bid, reply, draw.upcard)
                    if after.decided is None:
                        one, two = relabelled(after.one, after.two)
                        same = replace(after, one=one, two=two)
                        sides = same, same.swapped()
                        stated = min(sides, key=lambda side: (side.one, side.two, side.margin))
                        following[stated] = None
        layer, positions = following, [*following, *positions]
    return positions


def _proof_of_only(solved: Solver[Any], play: Solution[Any]) -> str:
    """Return a proof that both strategies are the only optimal ones, or an empty text if there are others.

    The text is appended to the ``turn`` line, which has the strategies. Take the payoff matrix of the bids that have
    positive probabilities, bordered by a row and a column of ones. The corner of the border is 0.
    If both strategies are the only optimal ones, this matrix is not singular (Bohnenblust, Karlin & Shapley 1950). The
    text is the inverse, transposed and without the border: the common denominator, then for each card of player one
    the numerators for all cards of player two. The numerator is 0 if one of the two cards is not played. With the
    inverse the checker verifies equations that no second optimal strategy satisfies (``docs/proofs.md``, "Why these
    checks suffice").
    """
    if not play.unique:
        return ""
    (one, two), payoff = play.support, solved.payoff_matrix(play.position)
    border = [[*(payoff[bid][reply].value for reply in two), fmpq(1)] for bid in one]
    inverse = fmpq_mat([*border, [fmpq(1)] * len(one) + [fmpq(0)]]).inv()
    cells = {(i, j): inverse[b, a] for a, i in enumerate(one) for b, j in enumerate(two)}
    every, size = product(play.position.one, play.position.two), play.position.size
    numerators, denominator = _whole([cells.get(bids, fmpq(0)) for bids in every])
    lines = [_joined(numerators[at : at + size]) for at in range(0, size * size, size)]
    return f" {';'.join([str(denominator), *lines])}"


def _whole(numbers: list[fmpq]) -> tuple[list[fmpz], fmpz]:
    """Return the numerators of fractions over their least common denominator, and this denominator."""
    common = reduce(fmpz.lcm, (number.q for number in numbers), fmpz(1))
    return [(number * common).p for number in numbers], common


def certificate_to_coq(certificate: str) -> str:
    """Return the text of a file with which Coq proves a certificate, by the checker of ``proofs/Soundness.v``.

    Args:
        certificate: the text of a certificate. Its claims are not checked here, but by Coq.

    Raises:
        ValueError: if the text does not have the form of a certificate.

    >>> text = write_certificate(Position([2], [1], [3]))
    >>> print(certificate_to_coq(text).splitlines()[-1])
    Print Assumptions solved.
    """
    lines = certificate.splitlines() if isinstance(certificate, str) else []
    kinds = [line.split(" ")[0] for line in lines if LINE.fullmatch(line)]
    inside = [kind in {"position", "turn"} for kind in kinds]
    if kinds[1:2] != ["position"] or inside != [False, *[True] * (len(lines) - 2), False]:
        raise ValueError(f"certificate must be the text of one, got {shown(certificate)}")
    head, *lines, _ = lines
    stated = list[str]()
    for line in lines:
        kind, *words = line.split()
        if kind == "position":
            one, two, prizes, margin, pot, worth = words
            position = f"Position {_list(one)} {_list(two)} {_list(prizes)} ({margin}) ({pot})"
            stated.append(f"Line ({position}) {fraction(worth)} [")
        else:
            value, row, column, *only = words
            proof = "None"
            if only:
                denominator, *numerators = only[0].split(";")
                lists = "; ".join(map(_list, numerators))
                proof = f"(Some ({_integer(denominator)}, [{lists}]))"
            end = "" if stated[-1].endswith("[") else ";"
            stated[-1] += f"{end}\n  Plan {fraction(value)} {_list(row)} {_list(column)} {proof}"
    names = " ".join(word.capitalize() for word in head.split()[2:])
    before, claim = ";\n".join(f"{line}]" for line in stated[:-1]), f"{stated[-1]}]"
    return COQ.format(rules=names, before=before, claim=claim)


def _list(numbers: str) -> str:
    return f"[{'; '.join(map(_integer, numbers.split(',')))}]"


def fraction(number: str) -> str:
    """Convert a fraction p/q or an integer to a rational number in Coq's notation."""
    numerator, _, denominator = number.partition("/")
    return f"({_integer(numerator)} # {_integer(denominator or '1')})"


def _integer(digits: str) -> str:
    # Coq reads a hexadecimal integer in time proportional to its length.
    if len(digits) < LONG:
        return digits
    return f"{'-' * digits.startswith('-')}0x{fmpz(digits.lstrip('-')).str(16)}"
