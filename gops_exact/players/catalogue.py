"""The policies by name."""

from collections.abc import Callable
from functools import partial

from gops_exact.api import solver
from gops_exact.arguments import function, shown
from gops_exact.game.game import Game, as_game
from gops_exact.players.dror_kendall_rapoport import STRATEGIES
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Behavioural, Policy, as_behavioural
from gops_exact.players.published import Published
from gops_exact.players.simple import Highest, Lowest, Uniform, UpcardPlus
from gops_exact.progress import Progress
from gops_exact.solutions.arithmetic import Arithmetic, Exact, Float, as_arithmetic

Maker = Callable[[Game], Policy]


def _any_game(make: Callable[[], Policy]) -> Maker:
    """Return the maker of a policy that is the same in all games."""
    return lambda _game: make()


MAKERS: dict[str, Maker] = {
    "random": _any_game(Uniform),
    "matching": _any_game(partial(UpcardPlus, 0)),
    "upcard+1": _any_game(partial(UpcardPlus, 1)),
    "upcard+2": _any_game(partial(UpcardPlus, 2)),
    "upcard+3": _any_game(partial(UpcardPlus, 3)),
    "highest": _any_game(Highest),
    "lowest": _any_game(Lowest),
    "published": lambda game: Published(game.n),
    "optimal": Optimal,
    **{strategy.name: _any_game(strategy) for strategy in STRATEGIES},
}
"""{name: how to make the policy for a game}."""


def policy(
    name: str,
    game: Game,
    *,
    arithmetic: Arithmetic | str = "exact",
    progress: Progress | None = None,
) -> Policy:
    """Make the policy of that name.

    Args:
        name: one of :data:`MAKERS`.
        game: the game that it is to play.
        arithmetic: the numbers that the optimal policy plays from: ``"exact"``, solved on demand, or
            ``"float"``; in the files of ``Float(folder)``, which are made if they are not there.
        progress: called with the games solved and all there are, if the float values are not there yet.

    Raises:
        ValueError: if there is none, or none for that many cards, or the arithmetic is another.

    >>> policy("upcard+1", Game(13))
    <policy upcard+1>
    """
    if not isinstance(name, str) or name not in MAKERS:
        raise ValueError(f"a policy must be one of {', '.join(MAKERS)}, got {shown(name)}")
    as_game(game)
    kind = as_arithmetic(arithmetic)
    function(progress, "progress")
    if isinstance(kind, Float) and name == Optimal.name:
        return Optimal(game, solver(kind, game, progress=progress))
    if not isinstance(kind, Exact | Float):
        raise ValueError(f"arithmetic must be 'exact' or 'float' for a policy, got {kind.name!r}")
    return MAKERS[name](game)


def behavioural(
    given: Behavioural | str,
    game: Game,
    *,
    arithmetic: Arithmetic | str = "exact",
    progress: Progress | None = None,
) -> Behavioural:
    """Return a policy or the one of that name, if it gives its probabilities.

    The other arguments are those of :func:`policy`.

    Raises:
        ValueError: if it does not, or there is none of that name.

    >>> behavioural("0205", Game(13))
    Traceback (most recent call last):
    ValueError: only a policy that gives its probabilities can be measured, got '0205'
    """
    if not isinstance(given, str):
        return as_behavioural(given)
    return as_behavioural(policy(given, game, arithmetic=arithmetic, progress=progress))
