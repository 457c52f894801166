"""A catalogue of the policies by name.

A *policy* is a rule that chooses a card in each round of the game. A *behavioural* policy gives the probability of each
card. An *arithmetic* is a kind of number: exact fractions or floats.
"""

from collections.abc import Callable
from functools import partial

from gops_exact.base.arguments import flag, function, instance, shown
from gops_exact.base.progress import Progress
from gops_exact.game.game import Game, as_game
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Behavioural, Policy
from gops_exact.players.simple import Extreme, Published, SemiDeterministic, Uniform, UpcardPlus
from gops_exact.solvers.api import as_arithmetic, solver
from gops_exact.solvers.arithmetic import Arithmetic, Exact, Float

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
}
"""{name: class or function that makes the policy}. The argument for ``"published"`` is the number of cards a side, and
for ``"optimal"`` the game; the others take no argument."""


def policy(
    name: str,
    game: Game | int,
    *,
    arithmetic: Arithmetic | str = "exact",
    progress: Progress | None = None,
    force: bool = False,
) -> Policy:
    """Make a policy by its name.

    Args:
        name: the name, such as ``"matching"`` or ``"optimal"``, one of the keys of :data:`MAKERS`; docs/players.md
            describes the policies.
        game: the game that the policy is to play, or the number of its cards a side.
        arithmetic: the arithmetic of the optimal policy: ``"exact"``, which solves positions on demand; ``"float"``; or
            ``Float(folder)``, which reads values from the files of a folder, and computes and writes those that are
            missing.
        progress: called as progress(done, total), counted in matrix games, while float values are computed; None for no
            report.
        force: True to make the optimal policy even if solving the game is estimated to take hours, or more memory or
            disk than the machine has.

    Returns:
        The policy, ready to play.

    Raises:
        ValueError: if there is no policy of this name; if the arithmetic is neither exact nor float; if `force` is no
            truth value; if the policy cannot play with this number of cards or with these prizes; or if solving the
            game for the optimal policy would take too long and `force` is False.

    >>> policy("upcard+1", Game(13))
    <policy upcard+1>
    """
    if not isinstance(name, str) or name not in MAKERS:
        raise ValueError(f"a policy must be one of {', '.join(MAKERS)}, got {shown(name)}")
    game = as_game(game, any_deck=name != Published.name)
    kind, force = as_arithmetic(arithmetic), flag(force, "force")
    function(progress, "progress")
    instance(kind, Exact | Float, "arithmetic", "'exact' or 'float' for a policy")
    if name == Optimal.name:
        shown_progress = progress if isinstance(kind, Float) else None
        return Optimal(game, solver(kind, game, progress=shown_progress, force=force))
    return Published(game.n) if name == Published.name else MAKERS[name]()


def as_policy(player: Policy | str, game: Game | int, name: str = "a player") -> Policy:
    """Return a policy that is passed as such or by its name.

    Args:
        player: a policy, or the name of one.
        game: the game that a policy given by its name is to play, or the number of its cards a side.
        name: the name of the argument in the error message, if `player` is neither a policy nor a text.

    Raises:
        ValueError: if `player` is neither a policy nor the name of one, or if the named policy cannot play the game.
    """
    if isinstance(player, str):
        return policy(player, game)
    return instance(player, Policy, name, "a policy or the name of one")


def behavioural(player: Policy | str, game: Game | int) -> Behavioural:
    """Return a behavioural policy that is passed as such or by its name.

    Args:
        player: the policy, or its name.
        game: the game that a policy given by its name is to play, or the number of its cards a side.

    Raises:
        ValueError: if the policy does not give probabilities, or if :func:`as_policy` refuses it.
    """
    kind = "a policy that gives its probabilities"
    return instance(as_policy(player, game), Behavioural, "a policy that is measured", kind)
