"""The game with hidden bids: players see who won each prize, not what was bid.

Learning programs play this game; OpenSpiel calls it ``goofspiel(imp_info=True)``. Bids stay private, so the
game has imperfect information, and no recursion over positions solves it. :func:`solve_game` solves its sequence
form exactly. :func:`approximate` learns strategies and proves their distance from an equilibrium.
:func:`guarantee` and :func:`exploitability` measure any strategy exactly. All of these take any other game
tree, too. Solving needs HiGHS: ``pip install '.[hidden]'``.

The name of an information set is, for example, ``5:3+ 4:2- 3``: the player won the prize 5 with a bid of 3
and lost the prize 4 with a bid of 2, and the prize is now 3. A tie is written ``=``. For a player who sees the
other's bids the name is ``5:3>1 4:2<4 3``. The last bid is forced.

>>> from gops_exact import Game, Rules, hidden_bids
>>> game = hidden_bids.HiddenBids(Game(4, Rules(prizes="descending")))
>>> game.form.counts
Counts(information_sets=(81, 81), forced=(288, 288), sequences=(175, 175), leaves=576)
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from flint import fmpq

from gops_exact.base.arguments import items, shown
from gops_exact.extensive.equilibrium import Equilibrium, exploitability, guarantee, solve_game
from gops_exact.extensive.form import Form
from gops_exact.extensive.learn import approximate
from gops_exact.extensive.trees import Chance, Simultaneous, sequence_form
from gops_exact.game.game import Game, as_game
from gops_exact.game.rules import LEVEL, Hand, Prizes, State, winner_of, without
from gops_exact.numbers import BigRational
from gops_exact.numbers.table import Table
from gops_exact.solvers.cost import check_hidden_bids

__all__ = [
    "Equilibrium",
    "HiddenBids",
    "approximate",
    "exploitability",
    "guarantee",
    "solve_game",
]
__dir__ = __all__.copy

MOST_CARDS = {"fixed": 6, "random": 5}
"""Greatest number of cards a side, by the order of the prizes. Such games have half a million leaves
("fixed") and 1.7 million ("random")."""

SIGNS = {1: "+", 0: "=", -1: "-"}
COMPARED = {1: ">", 0: "=", -1: "<"}


class Round(NamedTuple):
    """A state of the game before its end: a round that begins, with or without its prize."""

    hands: tuple[Hand, Hand]  # of player one and of player two
    prizes: Prizes  # that are left
    standing: State = LEVEL  # margin and pot, as the rules need them
    #: for each player, the text that all further information sets of that player begin with
    known: tuple[str, str] = ("", "")
    gained: int = 0  # player one's points so far less those of player two
    upcard: int | None = None  # the prize turned up; None before


class HiddenEquilibrium(Equilibrium):
    """Strategies of a game with hidden bids, shown by their first bids."""

    game: "HiddenBids"

    def table(self, *, every: bool = False) -> Table:
        """Return a table of the first bids of both players, or of those at every information set.

        Args:
            every: True for every information set.
        """
        if every:
            return super().table()
        rows = [
            ((player, int(str(name)), bid), [chance])
            for player, strategy in (("one", self.row), ("two", self.column))
            for name, bids in strategy.items()
            if str(name).isdigit()  # the information sets of the first round name the prize alone
            for bid, chance in bids.items()
        ]
        return self._table(self.game.title, ("prize", "bid"), rows)

    def _table(
        self,
        title: str,
        heads: tuple[str, str],
        rows: list[tuple[tuple[Any, ...], list[BigRational]]],
    ) -> Table:
        table = super()._table(title, heads, rows)
        played = f"Sequences played: {self.support[0]} and {self.support[1]}."
        return replace(table, notes=(played, *table.notes))

    def document(self) -> dict[str, Any]:
        """Return the strategies as a JSON object with numbers as text; ``gops-exact verify`` proves it."""
        game, rules = self.game.game, self.game.game.rules
        return {
            "document": "hidden bids",
            "version": 1,
            "n": game.n,
            "rules": {"objective": rules.objective, "ties": rules.ties, "prizes": rules.prizes},
            "seen": list(self.game.seen),
            **self._claims(self.row, self.column),
        }


@dataclass(frozen=True)
class HiddenBids:
    """The game in which bids stay hidden.

    Args:
        game: cards and rules, or the number of cards a side. Prizes come at random or in a known order.
        seen: for player one and for player two, True if the player sees the bids of the other.

    Raises:
        ValueError: if the game has hidden prizes, or more cards than `MOST_CARDS` allows.
    """

    game: Game
    seen: tuple[bool, bool] = (False, False)
    equilibrium: ClassVar[type[Equilibrium]] = HiddenEquilibrium

    @property
    def title(self) -> str:
        """The name of the game in tables."""
        return f"{self.game}, bids hidden"

    def __post_init__(self) -> None:
        game = as_game(self.game, any_deck=False)
        object.__setattr__(self, "game", game)
        rules = game.rules
        if rules.hidden:
            raise ValueError(
                "with hidden bids prizes must be random or in a known order, got hidden"
            )
        as_game(game, MOST_CARDS["fixed" if rules.fixed else "random"])
        kind = "a pair of truth values"
        seen = tuple(items(self.seen, "seen", kind, ordered=True))
        if len(seen) != 2 or not all(isinstance(sees, bool) for sees in seen):
            raise ValueError(f"seen must be {kind}, got {shown(self.seen)}")
        object.__setattr__(self, "seen", seen)

    @property
    def start(self) -> Round:
        """The state before the first prize is turned up."""
        return Round((self.game.hand, self.game.hand), self.game.prizes)

    def at(self, state: Round | int) -> Chance | Simultaneous | int:
        """Return what happens at a state: a prize is turned up, both players bid, or the game has ended."""
        if isinstance(state, int):
            return state
        rules = self.game.rules
        draws = {draw.upcard: draw for draw in rules.draws(state.prizes)}
        upcard = next(iter(draws)) if len(draws) == 1 else state.upcard
        if upcard is None:
            chance = fmpq(1, len(draws))
            return Chance({state._replace(upcard=upcard): chance for upcard in draws})
        rest = draws[upcard].rest
        names = f"{state.known[0]}{upcard}", f"{state.known[1]}{upcard}"
        later: dict[tuple[int, int], Round | int] = {}
        for bid in state.hands[0]:
            for reply in state.hands[1]:
                winner = winner_of(bid, reply)
                standing = rules.after(state.standing, upcard, winner)
                gained = state.gained + rules.gain(state.standing, upcard, winner)
                if not rest:
                    won = rules.decided((), standing) if rules.winning else gained
                    later[bid, reply] = won or 0
                    continue
                later[bid, reply] = Round(
                    (without(state.hands[0], bid), without(state.hands[1], reply)),
                    rest,
                    standing,
                    (
                        names[0] + self.record(0, bid, reply, winner),
                        names[1] + self.record(1, reply, bid, -winner),
                    ),
                    gained,
                )
        return Simultaneous(later, names)

    @property
    def form(self) -> Form:
        """The sequence form. With 5 cards and random prizes it takes a minute and gigabytes of memory."""
        return _form(self)

    def check_cost(self, *, force: bool) -> None:
        """Raise a ValueError if an exact solution takes more than minutes, unless `force` is True."""
        check_hidden_bids(self.game, self.seen, force=force)

    @property
    def symmetric(self) -> bool:
        """True if both players see the other's bids, or neither does. The value is then 0."""
        return self.seen[0] == self.seen[1]

    def record(self, player: int, own: int, other: int, winner: int) -> str:
        """Return the text that follows the prize of a round in the names of later information sets.

        Args:
            player: the index of the player, 0 or 1.
            own: the player's bid.
            other: the other player's bid.
            winner: 1 if the player won the prize, −1 if the other one did, 0 for a tie.
        """
        bids = f"{own}{COMPARED[winner]}{other}" if self.seen[player] else f"{own}{SIGNS[winner]}"
        return f":{bids} "


# Training measures many strategies of one game, each with a new but equal HiddenBids, which cannot change.
_form = lru_cache(maxsize=1)(sequence_form)
