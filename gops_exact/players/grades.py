"""Reviews of games that were played: the cost of each bid, which is the expected gain that the bid gives up.

The *upcard* is the prize turned up in a round. A *position* has both hands, the prizes left, the upcard, the margin and
the pot. The *margin* is the player's points minus the opponent's; it is always 0 if the objective is points. The *pot*
is the sum of the prizes carried over from ties. A *view* is what a player sees before a bid: the position, and the
rounds before it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gops_exact.base.arguments import function
from gops_exact.game.game import Game, Position
from gops_exact.game.rules import card_name
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.kinds import view
from gops_exact.numbers.table import Cell, Shown, Table
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import Round, Rounds, View, as_rounds, mirrored, points
from gops_exact.solvers.solver import Solver

TOO_LARGE = "Unknown: what takes more than minutes to solve; --folder or --force take more cards."
HIDDEN = (
    "Bids were hidden. A cost is what the bid gives up on average, given what the player had seen, if both players go "
    "on with a refined equilibrium."
)


@dataclass(frozen=True)
class Transcript:
    """The record of a game that was played, or of its first rounds."""

    game: Game  #: the game with its rules
    rounds: Rounds  #: the rounds as player one saw them
    hidden: bool = False  #: True if the players saw only who won a round, not the bids


@dataclass(frozen=True)
class Grade:
    """A bid and its cost.

    Expected gains are in points; if the objective is to win, they are the probability of a win less that of a loss. The
    opponent plays an optimal strategy, and the player plays optimally after this bid.
    """

    view: View  # the player's view before the round
    over: Round  # the finished round as the player saw it
    value: BigRational  # the player's expected gain from this round on, before the bid is chosen
    gain: BigRational  # the player's expected gain from this round on, once the bid is chosen
    best: int  # the card that the optimal player bids most often

    @property
    def cost(self) -> BigRational:
        """The expected gain that the bid gives up: :attr:`value` minus :attr:`gain`.

        The cost is at least 0, and it is 0 for a bid that an optimal strategy plays. If the solver computes in floats,
        both hold up to rounding. If the opponent has several optimal strategies, this is the cost against one of them.
        """
        return self.value - self.gain


def review(
    rounds: Rounds,
    game: Game | int,
    solver: Solver[Any] | None = None,
    *,
    is_judged: Callable[[Position], bool] | None = None,
) -> list[Grade]:
    """Judge the bids of one player, round by round, by the expected gain that each bid gives up.

    Args:
        rounds: the first rounds of a game, or all its rounds, as the player saw them.
        game: the game, or the number of its cards a side.
        solver: the solver of positions; by default an exact one.
        is_judged: a function of a position, with the player's hand first, that returns True if the bid at the position
            is to be judged. Other positions are not solved. None to judge every bid.

    Returns:
        A grade for each bid that is judged, in the order of the rounds.

    Raises:
        ValueError: if `rounds` is not a sequence of rounds that can come up in this game; or if `solver` is None, and
            solving the game takes more than minutes.

    >>> [bid] = review((Round(upcard=3, stake=3, bid=2, reply=3),), Game(3))
    >>> print(bid.value, bid.gain, bid.cost)
    0 -2 2
    """
    rounds, optimal = as_rounds(rounds), Optimal(game, solver)
    function(is_judged, "is_judged")
    grades = []
    for seen, over in zip(views(rounds, optimal.game), rounds, strict=True):
        position = seen.position
        if is_judged is None or is_judged(position):
            value, gain = optimal.value(position), optimal.gain(position, over.bid)
            strategy = optimal.strategy(position)
            best = max(strategy, key=strategy.__getitem__)
            grades.append(Grade(seen, over, value, gain, best))
    return grades


def views(rounds: Rounds, game: Game) -> Iterator[View]:
    """Yield the view of a player before each round of a game. `rounds` are the rounds as this player saw them.

    A view has all bids of the earlier rounds and the opponent's hand, even if the opponent's bids were hidden.

    Raises:
        ValueError: if a round cannot come up in the game.
    """
    position = game.start
    for played, over in enumerate(rounds):
        position = position.at(None if game.rules.hidden else over.upcard)
        yield View(game.n, position, rounds[:played], deck=game.own_deck)
        position = position.after(over.bid, over.reply, over.upcard)


@dataclass(frozen=True)
class Review(Shown):
    """The record of a game that was played, with the cost of each judged bid.

    The cost is the expected gain that the bid gives up.
    """

    played: Transcript  #: the game and its rounds
    judged: dict[int, list[Grade]]  #: {player, 1 or 2: grades of the player's bids}; not empty

    def table(self) -> Table:
        """Return a table with a line for each round of each player whose bids were judged.

        The cells for the value of the position, the expected gain of the bid, the best card and the cost of the bid say
        "unknown" if the bid was not judged. Notes below the table have the sum of each player's known costs, and the
        reason why other costs are unknown. If all costs are known but bids were hidden, a note says what the costs
        mean.
        """
        game, rounds = self.played.game, self.played.rounds
        rows: list[tuple[tuple[int, int], list[Cell]]] = []
        notes = []
        for player, bids in self.judged.items():
            known = {len(bid.view.rounds): bid for bid in bids}
            for index, over in enumerate(rounds if player == 1 else mirrored(rounds)):
                cells: list[Cell] = ["unknown"] * 4
                if index in known:
                    bid = known[index]
                    cells = [bid.value, bid.gain, card_name(bid.best), bid.cost]
                names = map(card_name, (over.upcard, over.bid, over.reply))
                rows.append(((player, index + 1), [*names, *cells]))
            if bids:
                total = sum((bid.cost for bid in bids), view(0))
                notes.append(f"Player {player}: {len(bids)} bids cost {total.decimal(4)} together.")
        if len(known) < len(rounds):
            notes.append(TOO_LARGE)
        elif self.played.hidden:
            notes.append(HIDDEN)
        won, lost = points(rounds)
        result = f"{len(rounds)} rounds, {won} points to {lost}"
        caption = f"{game}; {result}. Costs in {game.rules.unit}."
        heads = ("prize", "bid", "reply", "position", "bid worth", "best", "cost")
        return Table(caption, ("player", "round"), rows, heads=heads, notes=tuple(notes))
