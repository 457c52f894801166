"""Tables of what policies are worth against each other, and to whoever knows them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flint import fmpq

from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.numbers import shorten, to_decimal_text, to_text
from gops_exact.players.catalogue import memoryless
from gops_exact.players.measure import best_response, expected
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Memoryless
from gops_exact.solver.cost import check_feasible

BEST = "best-response"
"""In place of an opponent: whoever does best against the policy."""

HEADER = "policy,against,one,two,difference,decimal"
DECIMALS = 12


@dataclass(frozen=True)
class Measurement:
    """What a policy can expect of a game.

    Attributes:
        policy: its name.
        against: the opponent's, or :data:`BEST`.
        one: its expected points, or its probability to win; None against the best response, of
            which only the difference is known.
        two: the same for the opponent.
        difference: one less two; against the best response minus the exploitability.
    """

    policy: str
    against: str
    one: fmpq | None
    two: fmpq | None
    difference: fmpq


def measurements(
    n: int,
    policies: Iterable[str],
    opponents: Iterable[str],
    rules: Rules | None = None,
    *,
    force: bool = False,
) -> Iterator[Measurement]:
    """Every policy against every opponent, exactly.

    Args:
        n: cards a side.
        policies: names of memoryless policies.
        opponents: the same, and :data:`BEST`.
        rules: the rules; points, ties discarded, prizes random by default.
        force: measure the optimal policy even if its positions take hours to solve.

    Raises:
        ValueError: if a policy is unknown or learns, or the optimal one takes hours; from the
            iterator, if there are too many states.

    >>> for found in measurements(4, ["matching"], ["upcard+1", BEST]):
    ...     print(found.against, found.one, found.two, found.difference)
    upcard+1 4 6 -2
    best-response None None -2
    """
    rules = PLAIN if rules is None else as_rules(rules)
    chosen, others = list(policies), list(opponents)
    if BEST in chosen:
        raise ValueError(f"{BEST!r} is an opponent, expected policies, got {','.join(chosen)!r}")
    if Optimal.name in chosen + others:
        check_feasible(n, rules, force=force)
    made: dict[str, Memoryless] = {
        name: memoryless(name, n, rules) for name in (*chosen, *others) if name != BEST
    }
    return _measured(made, chosen, others, n, rules)


def _measured(
    made: dict[str, Memoryless], chosen: list[str], others: list[str], n: int, rules: Rules
) -> Iterator[Measurement]:
    for name in chosen:
        for other in others:
            if other == BEST:
                gain = best_response(made[name], n, rules).gain
                yield Measurement(name, BEST, None, None, -gain)
            else:
                found = expected(made[name], made[other], n, rules)
                yield Measurement(name, other, found.one, found.two, found.difference)


def measure_csv(found: Iterable[Measurement], *, full: bool = False) -> Iterator[str]:
    """CSV lines, one per measurement.

    Args:
        found: the measurements.
        full: exact numbers in full; otherwise those that are too long to read are shortened.
    """
    show = str if full else shorten
    yield f"{HEADER}\n"
    for each in found:
        numbers = (each.one, each.two, each.difference)
        exact = ["" if number is None else show(to_text(number)) for number in numbers]
        decimal = to_decimal_text(each.difference, DECIMALS)
        yield ",".join([each.policy, each.against, *exact, decimal]) + "\n"


def measurable(n: int, rules: Rules | None = None) -> list[str]:
    """The memoryless policies for n cards and rules, without the optimal one beyond its reach."""
    left_out = set()
    if rules is not None and rules.hidden:
        left_out |= SEE_THE_UPCARD
    if not 5 <= n <= 13:
        left_out.add("published")
    if n > OPTIMAL_UPTO:
        left_out.add(Optimal.name)
    return [name for name in MEASURED if name not in left_out]


MEASURED = (
    "random",
    "matching",
    "upcard+1",
    "upcard+2",
    "upcard+3",
    "highest",
    "lowest",
    "published",
    "optimal",
)
SEE_THE_UPCARD = {"matching", "upcard+1", "upcard+2", "upcard+3", "published"}
"""The policies of these that can't play where prizes are hidden."""

OPTIMAL_UPTO = 6
"""Cards up to which the optimal policy is measured unasked; at seven it takes long."""
