"""First moves in floats, every probability with a proved radius."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gops_exact.game.cards import positive_integer
from gops_exact.game.rules import PLAIN, Rules, Upcard, as_rules
from gops_exact.game.turns import Node, turns
from gops_exact.lattice.sweep import Opening
from gops_exact.layers.blocks import BlockPool
from gops_exact.layers.cost import check_fits
from gops_exact.layers.opening import opening
from gops_exact.layers.sweep import float_layers, layer_games, whole_game
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.schedule import Progress, available_cores
from gops_exact.solutions.old_first_moves import ByUpcard, at_upcard

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class FloatMove:
    """The optimal first move at one upcard, in floats with radii.

    Attributes:
        upcard: the prize turned up, in points; None where bids are made before it is seen.
        probabilities: {card: probability}, every card of the hand.
        radii: {card: how far the probability may be off}. Zero where it is known exactly, such as
            one that is proved to be zero.
        proved: whether the support is proved, and the strategy to be the only optimal one. If not,
            every probability is 1/2 with radius 1/2.
    """

    upcard: Upcard
    probabilities: Mapping[int, float]
    radii: Mapping[int, float]
    proved: bool

    @classmethod
    def of(cls, upcard: Upcard, opening: Opening[BoundedFloat]) -> "FloatMove":
        """The first move that the sweep came to."""
        return cls(
            upcard,
            {card: each.value for card, each in enumerate(opening.strategy, start=1)},
            {card: each.radius for card, each in enumerate(opening.strategy, start=1)},
            opening.proved,
        )

    @property
    def unique(self) -> bool:
        """Whether it is proved to be the only optimal first move."""
        return self.proved


@dataclass(frozen=True)
class FloatFirstMoves(ByUpcard[Mapping[int, float]]):
    """The optimal first moves of the game of n cards in floats, {upcard: {card: probability}}.

    Attributes:
        n: cards a side.
        columns: one first move per upcard, in the order asked for.
        games: matrix games solved.
        robust: how many of them needed the robust path.
        failed: how many have a bracket wider than it should be; the radii account for them.
        rules: the rules.
        arithmetic: the number system of the probabilities, ``"float"``.
    """

    n: int
    columns: tuple[FloatMove, ...]
    games: int
    robust: int
    failed: int
    rules: Rules = PLAIN
    arithmetic: str = "float"

    def column(self, upcard: Upcard) -> FloatMove:
        """The first move at an upcard with its radii, None standing for a hidden one.

        Raises:
            KeyError: if it was not asked for.
        """
        return at_upcard(self.columns, upcard)

    def __str__(self) -> str:
        """The table in decimals, as the command line prints it."""
        from gops_exact.show.emit_proved import emit_floats

        return "".join(emit_floats(self, "decimals")).rstrip("\n")

    __repr__ = __str__

    def to_frame(self) -> "pd.DataFrame":
        """A frame indexed by (upcard, card), the probabilities ``float`` beside ``radius``."""
        from gops_exact.show.frames import floats_frame

        return floats_frame(self)

    def _repr_html_(self) -> str:
        from gops_exact.show.display import floats_html

        return floats_html(self)


def first_move_float(
    n: int,
    *,
    upcards: Iterable[int] | None = None,
    rules: Rules = PLAIN,
    jobs: int | None = None,
    progress: Progress | None = None,
    memory_bytes: int | None = None,
    folder: str | Path | None = None,
    keep: bool = False,
    crew: BlockPool | None = None,
    integers: bool | None = None,
    force: bool = False,
) -> FloatFirstMoves:
    """The optimal first moves of the game of n cards, each probability with a proved radius.

    Args:
        n: cards a side.
        upcards: as for :func:`gops_exact.first_move`, and so are the next ones.
        rules: the rules.
        jobs: threads; by default as many as there are cores.
        progress: told of games solved.
        memory_bytes: what the order types and the values of two layers may take in memory; by
            default most of what the machine has. If they take more, `folder` is needed.
        folder: keep layers in mapped files there, and go on from what a killed run left. The last
            two layers stay there.
        keep: let all layers stay in the folder.
        crew: who solves the games; by default `jobs` threads.
        integers: keep values as 32-bit integers, which takes half the room and costs digits; for
            winning alone. By default where there are very many.
        force: begin even if it is thought not to fit.

    Raises:
        ValueError: if n is not a positive integer, an upcard cannot come first, or memory, disk or
            time will not do and `force` is off.

    >>> moves = first_move_float(3, jobs=1)
    >>> [round(p, 6) for p in moves[3].values()], moves.column(3).proved
    ([0.0, 0.0, 1.0], True)
    """
    deck, wanted = as_rules(rules).deal(n, upcards)
    n, folder = len(deck), None if folder is None else Path(folder)
    if crew is not None:
        jobs = crew.jobs
    jobs = available_cores() if jobs is None else positive_integer(jobs, "jobs")
    check_fits(
        n,
        rules,
        jobs=jobs,
        memory_bytes=memory_bytes,
        folder=folder,
        keep=keep,
        integers=integers,
        force=force,
    )
    first = {turn.upcard: turn for turn in turns(rules, Node(deck))}
    types = whole_game(n, rules)
    # One layer is let go before the next but one is made.
    layers = float_layers(
        types,
        rules=rules,
        jobs=jobs,
        progress=progress,
        folder=folder,
        keep=keep,
        pool=crew,
        integers=integers,
    )
    kept = deque(layers, maxlen=1)
    last = kept.pop() if kept else None
    columns = tuple(
        FloatMove.of(upcard, opening(types.root, first[upcard], last)) for upcard in wanted
    )
    games = sum(layer_games(types, k, rules) for k in range(1, n)) + len(columns)
    failed, robust = (0, 0) if last is None else last.counts[:2].tolist()
    return FloatFirstMoves(n, columns, games, robust, failed, rules)
