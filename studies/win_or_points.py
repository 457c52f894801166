"""Optimal play for a win against optimal play for points: ``python studies/win_or_points.py 5``.

Everything is computed exactly and printed in decimals. Up to five cards it takes half a minute.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flint import fmpq

import gops_exact as gx
from gops_exact import Game, Position, Rules, outcomes
from gops_exact.game.rules import card_name
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.kinds import view
from gops_exact.players import (
    Behavioural,
    Memoryless,
    Optimal,
    Round,
    View,
    best_response,
    expected,
    points,
)
from gops_exact.solvers.results import Solution
from gops_exact.solvers.solver import Solver

WIN, POINTS = Rules("win"), Rules("points")


class ForPoints(Memoryless):
    """Optimal play for points in games for points and for winning: it does not look at the margin."""

    ordinal = True

    def __init__(self, game: Game) -> None:
        self.rules = replace(game.rules, objective="points")
        self.optimal = Optimal(Game(game.n, self.rules))

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return an optimal strategy of the position, as if nobody had any points yet."""
        position = replace(view.position, rules=self.rules, margin=0)
        return self.optimal.bids(replace(view, position=position))


class ForWin(Behavioural):
    """Optimal play for winning in games for points and for winning; once decided, for points."""

    ordinal = True

    def __init__(self, game: Game) -> None:
        self.rules = replace(game.rules, objective="win")
        self.optimal = Optimal(Game(game.n, self.rules))
        self.afterwards = ForPoints(game)

    def recalled(self, rounds: tuple[Round, ...]) -> int:
        """Return the margin, which positions of games for points leave out."""
        won, lost = points(rounds)
        return won - lost

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return an optimal strategy of the position."""
        position = replace(view.position, rules=self.rules, margin=self.recalled(view.rounds))
        if position.decided is not None:
            return self.afterwards.bids(view)
        return self.optimal.bids(replace(view, position=position))


def main(largest: int) -> None:
    """Print all tables, for two cards up to the largest game."""
    print("the example of two cards (Rhoads & Bartholdi 2012, section 3)")
    example()
    for n in range(2, largest + 1):
        print(f"\nn = {n}: first moves")
        first_moves(n)
    print("\nwhole games: what a policy is sure of, by the other objective and by its own")
    for n in range(2, largest + 1):
        whole_games(n)
    print("\nboth play for a win: probability of a draw")
    for n in range(2, largest + 1):
        least, greatest = outcomes(Position.start(n, WIN)).draw
        print(f"n = {n}: from {decimal(least)} to {decimal(greatest)}")


def first_moves(n: int) -> None:
    """Both optimal first moves at every upcard, and what each lacks by the other objective."""
    for_points, for_win = (gx.solver("exact", Game(n, rules)) for rules in (POINTS, WIN))
    for _, start in Position.start(n).with_upcards():
        winning = replace(start, rules=WIN)
        by_points, by_win = for_points.solve(start), for_win.solve(winning)
        wins, gained = (
            secured(for_win, winning, by_points.row),
            secured(for_points, start, by_win.row),
        )
        print(f"upcard {card_name(start.upcard)}")
        print(f"  for points {mixture(by_points)}; in wins {decimal(wins)}")
        print(f"  for a win  {mixture(by_win)}; in points {decimal(gained)}")


def whole_games(n: int) -> None:
    """What each policy is sure of, and what becomes of a game between them."""
    game, to_win = Game(n, POINTS), Game(n, WIN)
    for_points, for_win = ForPoints(game), ForWin(game)
    wins = expected(for_points, for_win, to_win).difference
    gained = expected(for_points, for_win, game).difference
    drawn_by_points, drawn_by_win = (draws(policy, to_win) for policy in (for_points, for_win))
    print(
        f"n = {n}: for points, wins less losses at least "
        f"{decimal(-best_response(for_points, to_win).gain)}; for a win, points at least "
        f"{decimal(-best_response(for_win, game).gain)}; between them {decimal(wins)} wins, "
        f"{decimal(gained)} points for the first; draws among players for points "
        f"{decimal(drawn_by_points)}, for a win {decimal(drawn_by_win)}"
    )


def draws(policy: Behavioural, game: Game) -> BigRational:
    """Return how often a policy draws against itself."""
    result = expected(policy, policy, game)
    return 1 - result.one - result.two


def example() -> None:
    """Queen and king are left, one player has 2 and 4, the other the ace and 3."""
    for_points, for_win = (gx.solver("exact", Game(4, rules)) for rules in (POINTS, WIN))
    for _, position in Position([2, 4], [1, 3], [12, 13]).with_upcards():
        winning = replace(position, rules=WIN)
        by_points, by_win = for_points.solve(position), for_win.solve(winning)
        print(
            f"  {card_name(position.upcard)}: for points {mixture(by_points)}, worth "
            f"{decimal(by_points.value)} points, wins less losses "
            f"{decimal(secured(for_win, winning, by_points.row))}; for a win {mixture(by_win)}, worth "
            f"{decimal(by_win.value)}, points {decimal(secured(for_points, position, by_win.row))}"
        )


def secured(solver: Solver[Any], position: Position, row: Mapping[int, fmpq]) -> fmpq:
    """Return the least that a strategy of player one expects against any bid, then optimal play."""
    columns = solver.payoff_matrix(position).to_numpy().T
    return min(
        sum((p * x for p, x in zip(row.values(), column, strict=True)), fmpq(0))
        for column in columns
    )


def mixture(solution: Solution[fmpq]) -> str:
    """A strategy, and whether it is the only optimal one."""
    several = "" if solution.row.unique else " (one of several)"
    return f"{bids(solution.row)}{several}"


def bids(row: Mapping[int, fmpq]) -> str:
    """The bids that are played, with their probabilities."""
    return " ".join(f"{card_name(card)}:{decimal(p)}" for card, p in row.items() if p != 0)


def decimal(number: fmpq | BigRational) -> str:
    """Four decimals, or the integer."""
    return str(number) if view(number).q == 1 else view(number).decimal(4)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
