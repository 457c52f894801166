"""The policies by name."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from gops_exact.arguments import function, path, positive_integer, shown
from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.players.dror_kendall_rapoport import STRATEGIES
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Memoryless, Policy, as_memoryless
from gops_exact.players.published import Published
from gops_exact.players.simple import Highest, Lowest, Uniform, UpcardPlus
from gops_exact.schedule import Progress
from gops_exact.solver.by_layers import Layers

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
    rules: Rules | None = None,
    *,
    folder: str | Path | None = None,
    progress: Progress | None = None,
) -> Policy:
    """The policy of that name.

    Args:
        name: one of :data:`MAKERS`.
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        folder: where the float values are that the optimal policy plays from; without it, it plays
            from exact values solved on demand.
        progress: called with the games solved and all there are, if the float values are not there yet.

    Raises:
        ValueError: if there is none, or none for that many cards.

    >>> policy("upcard+1", 13)
    <policy upcard+1>
    """
    if not isinstance(name, str) or name not in MAKERS:
        raise ValueError(f"a policy must be one of {', '.join(MAKERS)}, got {shown(name)}")
    n, rules = positive_integer(n, "n"), PLAIN if rules is None else as_rules(rules)
    folder = None if folder is None else path(folder, "folder")
    function(progress, "progress")
    if name == Optimal.name and folder is not None:
        return _from_floats(n, rules, folder, progress)
    return MAKERS[name](n, rules)


_OPENED: dict[tuple[int, Rules, Path], Policy] = {}


def _from_floats(n: int, rules: Rules, folder: Path, progress: Progress | None) -> Policy:
    """The optimal policy from floats, opened once a process: at 13 cards that takes seconds."""
    key = n, rules, folder
    if key not in _OPENED:
        _OPENED[key] = Optimal(n, rules, Layers(n, rules, folder, progress=progress))
    return _OPENED[key]


def memoryless(name: str, n: int, rules: Rules | None = None) -> Memoryless:
    """The policy of that name, if it is memoryless.

    Raises:
        ValueError: if it is not.

    >>> memoryless("0205", 13)
    Traceback (most recent call last):
    ValueError: only a memoryless policy can be measured, got '0205'
    """
    return as_memoryless(policy(name, n, rules))
