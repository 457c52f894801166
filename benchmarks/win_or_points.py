"""Optimal play for a win against optimal play for points: ``python benchmarks/win_or_points.py 5``.

Everything is computed exactly and printed in decimals. Up to five cards it takes half a minute.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace

from flint import fmpq

from gops_exact import Position, outcomes
from gops_exact.game.cards import card_name
from gops_exact.game.rules import Rules
from gops_exact.numbers import to_decimal_text
from gops_exact.players.measure import draw, expected_payoff, guaranteed, points, win
from gops_exact.players.optimal import ForPoints, ForWin, exact_solver
from gops_exact.solutions.solution import Solution

WIN, POINTS = Rules("win"), Rules("points")


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
    for_points, for_win = (exact_solver(n, rules) for rules in (POINTS, WIN))
    for _, start in Position.start(n).turns():
        winning = replace(start, rules=WIN)
        by_points, by_win = for_points.solve(start), for_win.solve(winning)
        wins, gained = (
            for_win.secured(winning, by_points.row),
            for_points.secured(start, by_win.row),
        )
        print(f"upcard {card_name(start.upcard)}")
        print(f"  for points {mixture(by_points)}; in wins {decimal(wins)}")
        print(f"  for a win  {mixture(by_win)}; in points {decimal(gained)}")


def whole_games(n: int) -> None:
    """What each policy is sure of, and what becomes of a game between them."""
    for_points, for_win = ForPoints(n), ForWin(n)
    print(
        f"n = {n}: for points, wins less losses at least {decimal(guaranteed(for_points, n, win))}; "
        f"for a win, points at least {decimal(guaranteed(for_win, n, points))}; between them "
        f"{decimal(expected_payoff(for_points, for_win, n, win))} wins, "
        f"{decimal(expected_payoff(for_points, for_win, n, points))} points for the first; draws among "
        f"players for points {decimal(expected_payoff(for_points, for_points, n, draw))}, "
        f"for a win {decimal(expected_payoff(for_win, for_win, n, draw))}"
    )


def example() -> None:
    """Queen and king are left, one player has 2 and 4, the other the ace and 3."""
    for_points, for_win = (exact_solver(4, rules) for rules in (POINTS, WIN))
    for _, position in Position([2, 4], [1, 3], [12, 13]).turns():
        winning = replace(position, rules=WIN)
        by_points, by_win = for_points.solve(position), for_win.solve(winning)
        print(
            f"  {card_name(position.upcard)}: for points {mixture(by_points)}, worth "
            f"{decimal(by_points.value)} points, wins less losses "
            f"{decimal(for_win.secured(winning, by_points.row))}; for a win {mixture(by_win)}, worth "
            f"{decimal(by_win.value)}, points {decimal(for_points.secured(position, by_win.row))}"
        )


def mixture(solution: Solution[fmpq]) -> str:
    """A strategy, and whether it is the only optimal one."""
    several = "" if solution.row_unique else " (one of several)"
    return f"{bids(solution.row)}{several}"


def bids(row: Mapping[int, fmpq]) -> str:
    """The bids that are played, with their probabilities."""
    return " ".join(f"{card_name(card)}:{decimal(p)}" for card, p in row.items() if p != 0)


def decimal(number: fmpq) -> str:
    """Four decimals, or the integer."""
    return str(number) if number.q == 1 else to_decimal_text(number, 4)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
