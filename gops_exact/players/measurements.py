"""Expectations of policies against each other and against best responses, as CSV."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from flint import fmpq

from gops_exact import api
from gops_exact.cost import Run
from gops_exact.game.game import Game, as_game
from gops_exact.game.rules import Rules, card_name, cards_name
from gops_exact.numbers import BigRational, view
from gops_exact.players.loss import Loss, losses
from gops_exact.players.measure import best_response, expected
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Behavioural
from gops_exact.players.walk import STATES
from gops_exact.progress import Progress, part_of
from gops_exact.solutions.arithmetic import Exact
from gops_exact.table import Table
from gops_exact.writing import fields_of

BEST = "best-response"
"""The name of the best response to the policy, in place of an opponent."""

DECIMALS, CHANCE_DECIMALS = 12, 2
"""Digits after the point, of differences in CSV and of a policy's probabilities in a table."""

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
"""Policies that give their probabilities, in the order of the table."""

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
    """The expectation of a policy in a game: points, or probabilities to win.

    Against the best response only the difference is known, minus the exploitability.
    """

    policy: str  #: its name
    against: str  #: the name of the opponent, or :data:`BEST`
    one: fmpq | None  #: the policy's
    two: fmpq | None  #: the opponent's
    difference: fmpq  #: one less two


COLUMNS = fields_of(Measurement) | {"decimal": lambda each: view(each.difference).decimal(DECIMALS)}
"""The columns of measurements in CSV, exact numbers in full."""


def measurements(
    game: Game,
    policies: Iterable[Behavioural | str],
    opponents: Iterable[Behavioural | str],
    *,
    progress: Progress | None = None,
    force: bool = False,
) -> Iterator[Measurement]:
    """Measure every policy against every opponent, exactly.

    Args:
        game: the game.
        policies: policies that give their probabilities, or names of such.
        opponents: such policies, and :data:`BEST`.
        progress: called with the work that is thought to be done and all the work there is.
        force: measure even if it takes more memory than there is.

    Raises:
        ValueError: if :data:`BEST` is among the policies; from the iterator, if a policy is unknown or
            gives no probabilities, or there are too many states.

    >>> for found in measurements(Game(4), ["matching"], ["upcard+1", BEST]):
    ...     print(found.against, found.one, found.two, found.difference)
    upcard+1 4 6 -2
    best-response None None -2
    """
    as_game(game)
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
            gain = best_response(policy, game, states=states, progress=part).gain
            return Measurement(_name(policy), BEST, None, None, -gain)
        found = expected(policy, other, game, states=states, progress=part)
        return Measurement(_name(policy), _name(other), found.one, found.two, found.difference)

    return map(measured, range(len(pairs)))


def most_costly(
    game: Game,
    policies: Iterable[Behavioural | str],
    top: int,
    *,
    progress: Progress | None = None,
    force: bool = False,
) -> Iterator[tuple[str, Loss]]:
    """Find the positions that cost policies most against their best responses.

    Args:
        game: the game.
        policies: policies that give their probabilities, or names of such.
        top: how many positions of each.
        progress: called with the work that is thought to be done and all the work there is.
        force: measure even if it takes hours, or more memory than there is.

    Yields:
        The name of a policy, and a position.

    Raises:
        ValueError: if a policy is unknown or gives no probabilities, or there are too many states.

    >>> [(name, loss)] = most_costly(Game(4), ["matching"], 1)
    >>> loss.position.upcard, loss.chance
    (3, 1/4)
    """
    Run(game).check(Exact(), force=force)
    chosen, states = list(policies), ANY if force else STATES
    solver = api.solver("exact", game, force=True)
    for place, policy in enumerate(chosen):
        part = part_of(progress, place * PART, PART, len(chosen) * PART)
        found = losses(policy, game, solver=solver, states=states, progress=part)
        yield from ((_name(policy), loss) for loss in found[:top])


def _name(policy: Behavioural | str) -> str:
    return policy if isinstance(policy, str) else policy.name


def measurements_table(found: Iterable[Measurement]) -> Table:
    """Return a grid of measurements; a dash stands for what is not known of the best response."""

    def cells(each: Measurement) -> list[BigRational | str]:
        numbers = (each.one, each.two, each.difference)
        shown = ["–" if number is None else BigRational.of(number) for number in numbers]
        return [*shown, repr(BigRational.of(each.difference))]

    return Table(
        "",
        ("policy", "against"),
        [((each.policy, each.against), cells(each)) for each in found],
        heads=("one", "two", "difference", "exactly"),
        left=("policy", "against", "exactly"),
    )


def losses_table(rules: Rules, found: Iterable[tuple[str, Loss]]) -> Table:
    """Return a grid of positions and of what they cost policies, each with its name."""
    names = ("prize", "hand", "opponent", "to come")
    state = [name for name, counts in (("ahead", rules.winning), ("pot", rules.carries)) if counts]
    return Table(
        "",
        ("policy",),
        [((policy,), _loss_cells(loss)) for policy, loss in found],
        heads=(*names, *state, "comes up", "cost", "loss", "bids", "best response"),
        left=("policy", *names, "bids", "best response"),
    )


def _loss_cells(loss: Loss) -> list[BigRational | str]:
    seen = loss.position
    to_come = list(seen.prizes)
    if seen.upcard is not None:
        to_come.remove(seen.upcard)
    state = [(seen.margin, seen.rules.winning), (seen.pot, seen.rules.carries)]
    return [
        "hidden" if seen.upcard is None else card_name(seen.upcard),
        *map(cards_name, (seen.one, seen.two, to_come)),
        *(str(number) for number, counts in state if counts),
        *map(BigRational.of, (loss.chance, loss.cost, loss.total)),
        *map(_chances, (loss.bids, loss.replies)),
    ]


def _chances(bids: Mapping[int, fmpq]) -> str:
    """Return cards with their probabilities, those that round to nothing left out."""
    decimals = {card: view(p).decimal(CHANCE_DECIMALS) for card, p in bids.items()}
    return ", ".join(f"{card_name(card)} {p}" for card, p in decimals.items() if float(p) > 0)


def measurable(game: Game) -> list[str]:
    """List the memoryless policies that play a game and are quick to measure."""
    left_out = SEE_THE_UPCARD if game.rules.hidden else set()
    if not 5 <= game.n <= 13:
        left_out = left_out | {"published"}
    if game.n > OPTIMAL_UPTO:
        left_out = left_out | {Optimal.name}
    return [name for name in MEASURED if name not in left_out]
