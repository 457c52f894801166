"""The policies by name."""

from collections.abc import Callable
from functools import partial

from gops_exact.base.arguments import function, instance, shown
from gops_exact.base.progress import Progress
from gops_exact.game.game import Game, as_game
from gops_exact.players.dror_kendall_rapoport import STRATEGIES
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Behavioural, Policy
from gops_exact.players.simple import Extreme, Published, SemiDeterministic, Uniform, UpcardPlus
from gops_exact.solvers.api import solver
from gops_exact.solvers.arithmetic import Arithmetic, Exact, Float, as_arithmetic

MAKERS: dict[str, Callable[..., Policy]] = {
    "random": Uniform,
    "matching": partial(UpcardPlus, 0),
    "upcard+1": partial(UpcardPlus, 1),
    "upcard+2": partial(UpcardPlus, 2),
    "upcard+3": partial(UpcardPlus, 3),
    "semi-deterministic": SemiDeterministic,
    "highest": partial(Extreme, "highest"),
    "lowest": partial(Extreme, "lowest"),
    "published": Published,
    "optimal": Optimal,
    **STRATEGIES,
}
"""{name: class or function that makes the policy}. Its argument is the number of cards for the published
one, the game for the optimal one; the others take none."""


def policy(
    name: str,
    game: Game | int,
    *,
    arithmetic: Arithmetic | str = "exact",
    progress: Progress | None = None,
) -> Policy:
    """Make a policy by its name.

    Args:
        name: its name in the catalogue.
        game: the game that it plays, or its cards a side.
        arithmetic: the numbers that the optimal policy plays from: ``"exact"``, solved on demand, or
            ``"float"``. ``Float(folder)`` reads the values from files, which are made if they are missing.
        progress: progress(done, total), in games, while float values are computed.

    Returns:
        The policy, ready to play.

    Raises:
        ValueError: if there is no policy of this name, or it cannot play this number of cards or this
            deck, or the arithmetic is neither exact nor float.

    >>> policy("upcard+1", Game(13))
    <policy upcard+1>
    """
    if not isinstance(name, str) or name not in MAKERS:
        raise ValueError(f"a policy must be one of {', '.join(MAKERS)}, got {shown(name)}")
    game = as_game(game, any_deck=name not in (Published.name, *STRATEGIES))
    kind = as_arithmetic(arithmetic)
    function(progress, "progress")
    instance(kind, Exact | Float, "arithmetic", "'exact' or 'float' for a policy")
    if name == Optimal.name:
        floats = solver(kind, game, progress=progress) if isinstance(kind, Float) else None
        return Optimal(game, floats)
    return Published(game.n) if name == Published.name else MAKERS[name]()


def as_policy(player: Policy | str, game: Game | int, name: str = "a player") -> Policy:
    """Return a policy, made if `player` is its name; a ValueError, which begins with `name`, if it is neither."""
    if isinstance(player, str):
        return policy(player, game)
    return instance(player, Policy, name, "a policy or the name of one")


def behavioural(player: Policy | str, game: Game | int) -> Behavioural:
    """Return a policy, made if `player` is its name; a ValueError if it gives no probabilities."""
    chosen = policy(player, game) if isinstance(player, str) else player
    if not isinstance(chosen, Behavioural):
        named = repr(chosen.name) if isinstance(chosen, Policy) else shown(chosen)
        raise ValueError(f"only a policy that gives its probabilities can be measured, got {named}")
    return chosen
