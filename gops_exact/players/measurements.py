"""Expectations of policies against each other and against best responses, as CSV."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from flint import fmpq

from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.numbers import to_decimal_text, to_text
from gops_exact.players.loss import Loss, losses
from gops_exact.players.measure import STATES, best_response, expected
from gops_exact.players.optimal import Optimal, exact_solver
from gops_exact.players.policy import Behavioural
from gops_exact.schedule import Progress, part_of
from gops_exact.solver.cost import check_feasible
from gops_exact.writing import csv_lines

BEST = "best-response"
"""The name of the best response to the policy, in place of an opponent."""

HEADER = "policy,against,one,two,difference,decimal"
DECIMALS = 12

MEASURED = (
    *("random", "matching", "upcard+1", "upcard+2", "upcard+3"),
    *("highest", "lowest", "published", "optimal"),
)
SEE_THE_UPCARD = {"matching", "upcard+1", "upcard+2", "upcard+3", "published"}
"""The policies among these that cannot play where prizes are hidden."""

PART = 1 << 20
"""Units of progress of one measurement."""

ANY = 1 << 62
"""More states than any memory holds."""

OPTIMAL_UPTO = 6
"""The most cards for which the optimal policy is measured unasked; at seven it takes long."""


@dataclass(frozen=True)
class Measurement:
    """The expectation of a policy in a game.

    Attributes:
        policy: the name of the policy.
        against: the name of the opponent, or :data:`BEST`.
        one: the policy's expected points, or its probability to win; None against the best response,
            of which only the difference is known.
        two: the opponent's expected points, or its probability to win; None with `one`.
        difference: one less two; against the best response, minus the exploitability.
    """

    policy: str
    against: str
    one: fmpq | None
    two: fmpq | None
    difference: fmpq


def measurements(
    n: int,
    policies: Iterable[Behavioural | str],
    opponents: Iterable[Behavioural | str],
    rules: Rules = PLAIN,
    *,
    progress: Progress | None = None,
    force: bool = False,
) -> Iterator[Measurement]:
    """Measure every policy against every opponent, exactly.

    Args:
        n: cards a side.
        policies: policies that give their probabilities, or names of such.
        opponents: such policies, and :data:`BEST`.
        rules: the rules of the game.
        progress: called with the work that is thought to be done and all the work there is.
        force: measure even if it takes more memory than there is.

    Raises:
        ValueError: if :data:`BEST` is among the policies; from the iterator, if a policy is unknown or
            gives no probabilities, or there are too many states.

    >>> for found in measurements(4, ["matching"], ["upcard+1", BEST]):
    ...     print(found.against, found.one, found.two, found.difference)
    upcard+1 4 6 -2
    best-response None None -2
    """
    as_rules(rules)
    chosen, others = list(policies), list(opponents)
    if BEST in chosen:
        raise ValueError(
            f"{BEST!r} is an opponent, expected policies, got {','.join(map(_name, chosen))!r}"
        )
    pairs, states = list(product(chosen, others)), ANY if force else STATES

    def measured(place: int) -> Measurement:
        policy, other = pairs[place]
        part = part_of(progress, place * PART, PART, len(pairs) * PART)
        if other == BEST:
            gain = best_response(policy, n, rules, states=states, progress=part).gain
            return Measurement(_name(policy), BEST, None, None, -gain)
        found = expected(policy, other, n, rules, states=states, progress=part)
        return Measurement(_name(policy), _name(other), found.one, found.two, found.difference)

    return map(measured, range(len(pairs)))


def most_costly(
    n: int,
    policies: Iterable[Behavioural | str],
    top: int,
    rules: Rules = PLAIN,
    *,
    progress: Progress | None = None,
    force: bool = False,
) -> Iterator[tuple[str, Loss]]:
    """Find the positions that cost policies most against their best responses.

    Args:
        n: cards a side.
        policies: policies that give their probabilities, or names of such.
        top: how many positions of each.
        rules: the rules of the game.
        progress: called with the work that is thought to be done and all the work there is.
        force: measure even if it takes hours, or more memory than there is.

    Yields:
        The name of a policy, and a position.

    Raises:
        ValueError: if a policy is unknown or gives no probabilities, or there are too many states.

    >>> [(name, loss)] = most_costly(4, ["matching"], 1)
    >>> loss.position.upcard, loss.chance
    (3, 1/4)
    """
    check_feasible(n, rules, force=force)
    chosen, states = list(policies), ANY if force else STATES
    solver = exact_solver(n, rules)
    for place, policy in enumerate(chosen):
        part = part_of(progress, place * PART, PART, len(chosen) * PART)
        found = losses(policy, n, rules, solver=solver, states=states, progress=part)
        yield from ((_name(policy), loss) for loss in found[:top])


def _name(policy: Behavioural | str) -> str:
    return policy if isinstance(policy, str) else policy.name


def measure_csv(found: Iterable[Measurement]) -> Iterator[str]:
    """Write CSV, a line for each measurement, exact numbers in full."""
    return csv_lines(HEADER, map(_row, found))


def _row(each: Measurement) -> list[str]:
    numbers = (each.one, each.two, each.difference)
    exact = ["" if number is None else to_text(number) for number in numbers]
    return [each.policy, each.against, *exact, to_decimal_text(each.difference, DECIMALS)]


def measurable(n: int, rules: Rules = PLAIN) -> list[str]:
    """List the memoryless policies that play n cards by the rules and are quick to measure."""
    left_out = SEE_THE_UPCARD if rules.hidden else set()
    if not 5 <= n <= 13:
        left_out = left_out | {"published"}
    if n > OPTIMAL_UPTO:
        left_out = left_out | {Optimal.name}
    return [name for name in MEASURED if name not in left_out]
