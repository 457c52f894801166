"""The policies by name."""

from collections.abc import Callable
from functools import partial

from gops_exact.arguments import function, positive_integer, shown
from gops_exact.game.game import Game
from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.players.dror_kendall_rapoport import STRATEGIES
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Behavioural, Policy, as_behavioural
from gops_exact.players.published import Published
from gops_exact.players.simple import Highest, Lowest, Uniform, UpcardPlus
from gops_exact.progress import Progress
from gops_exact.solutions.arithmetic import Arithmetic, Exact, Float, as_arithmetic
from gops_exact.solvers.by_layers import ByLayers

Maker = Callable[[int, Rules], Policy]


def _any_game(make: Callable[[], Policy]) -> Maker:
    """The maker of a policy that is the same for all decks and rules."""
    return lambda _n, _rules: make()


MAKERS: dict[str, Maker] = {
    "random": _any_game(Uniform),
    "matching": _any_game(partial(UpcardPlus, 0)),
    "upcard+1": _any_game(partial(UpcardPlus, 1)),
    "upcard+2": _any_game(partial(UpcardPlus, 2)),
    "upcard+3": _any_game(partial(UpcardPlus, 3)),
    "highest": _any_game(Highest),
    "lowest": _any_game(Lowest),
    "published": lambda n, _rules: Published(n),
    "optimal": Optimal,
    **{strategy.name: _any_game(strategy) for strategy in STRATEGIES},
}
"""{name: how to make the policy for n cards a side and a rule set}."""


def policy(
    name: str,
    n: int,
    rules: Rules = PLAIN,
    *,
    arithmetic: Arithmetic | str = "exact",
    progress: Progress | None = None,
) -> Policy:
    """The policy of that name.

    Args:
        name: one of :data:`MAKERS`.
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        arithmetic: the numbers that the optimal policy plays from: ``"exact"``, solved on demand, or
            ``"float"``; in the files of ``Float(folder)``, which are made if they are not there.
        progress: called with the games solved and all there are, if the float values are not there yet.

    Raises:
        ValueError: if there is none, or none for that many cards, or the arithmetic is another.

    >>> policy("upcard+1", 13)
    <policy upcard+1>
    """
    if not isinstance(name, str) or name not in MAKERS:
        raise ValueError(f"a policy must be one of {', '.join(MAKERS)}, got {shown(name)}")
    n, rules = positive_integer(n, "n"), as_rules(rules)
    kind = as_arithmetic(arithmetic)
    function(progress, "progress")
    if isinstance(kind, Float) and name == Optimal.name:
        return _from_floats(n, rules, kind, progress)
    if not isinstance(kind, Exact | Float):
        raise ValueError(f"arithmetic must be 'exact' or 'float' for a policy, got {kind.name!r}")
    return MAKERS[name](n, rules)


_OPENED: dict[tuple[int, Rules, Float], Policy] = {}


def _from_floats(n: int, rules: Rules, kind: Float, progress: Progress | None) -> Policy:
    """The optimal policy from floats, opened once a process: at 13 cards that takes seconds."""
    key = n, rules, kind
    if key not in _OPENED:
        _OPENED[key] = Optimal(n, rules, ByLayers(kind, Game(n, rules), progress=progress))
    return _OPENED[key]


def behavioural(
    given: Behavioural | str,
    n: int,
    rules: Rules = PLAIN,
    *,
    arithmetic: Arithmetic | str = "exact",
    progress: Progress | None = None,
) -> Behavioural:
    """Return a policy or the one of that name, if it gives its probabilities.

    The other arguments are those of :func:`policy`.

    Raises:
        ValueError: if it does not, or there is none of that name.

    >>> behavioural("0205", 13)
    Traceback (most recent call last):
    ValueError: only a policy that gives its probabilities can be measured, got '0205'
    """
    if not isinstance(given, str):
        return as_behavioural(given)
    return as_behavioural(policy(given, n, rules, arithmetic=arithmetic, progress=progress))
