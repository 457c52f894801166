"""Solve long games and games in which a play can reach a state twice: ``python studies/loops.py [NAME ...]``.

For each game it prints the value with its radius or the bounds that strategies prove, core seconds, and the greatest memory of the
process so far. NAME begins the names of the games that are to be solved; all of them take more than half an hour. The long games are Oshi-Zumo
with its number of coins and of steps from the middle to an end of the board. The others are Shapley's root, the big match with a
discount, PURGATORY, Littman's soccer (1994) with a discount of .9 and without one, and games of OpenSpiel without a horizon.
docs/game_trees.md has the table.
"""

import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import Any

from script import run_script

import gops_exact as gx
from gops_exact.commands.options import Options, Parser
from gops_exact.extensive import Chance, Simultaneous, Tree, value
from gops_exact.literature.known_games import oshi_zumo

Node = Simultaneous | Chance | int
Players = tuple[tuple[int, int], tuple[int, int], int]
"""The squares of both players of soccer, (row, column), and the index of the player who has the ball."""

ROWS, COLUMNS, GOAL_ROWS = 4, 5, (1, 2)
STEPS = {"stand": (0, 0), "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def listed(start: str, nodes: Mapping[str, Simultaneous | Chance | int]) -> Tree:
    """Return the game of nodes by name; all other states are payoffs."""
    return Tree(start, lambda state: nodes.get(state, state))


def table(rows: list[list[str | int]]) -> Simultaneous:
    """Return a state at which both move, with the next states row by row."""
    return Simultaneous(
        {(i, j): after for i, line in enumerate(rows) for j, after in enumerate(line)}
    )


def shapley() -> Tree:
    """Return a game of one state, whose value is 2√2 − 2."""
    nodes: dict[str, Node] = {
        "round": table([["half", 0], [0, 2]]),
        "half": Chance({"round": "1/2", 2: "1/2"}),
    }
    return listed("round", nodes)


def big_match(discount: Fraction) -> Tree:
    """Return the big match (Blackwell & Ferguson 1968): one of player one's moves makes the round the last one."""
    nodes: dict[str, Node] = {"match": table([[1, 0], ["round 0", "round 1"]])}
    for k in (0, 1):
        nodes[f"round {k}"] = Chance({"match": discount, k: 1 - discount})
    return listed("match", nodes)


def purgatory(terraces: int) -> Tree:
    """Return PURGATORY with two moves a player (Hansen, Koucký & Miltersen 2009)."""
    nodes = {
        f"terrace {k}": table([[f"terrace {k + 1}", "terrace 0"], [0, f"terrace {k + 1}"]])
        for k in range(terraces)
    }
    return listed("terrace 0", {**nodes, f"terrace {terraces}": 1})


def moved(state: Players | int, player: int, step: str) -> Players | int:
    """Return what a player's step leads to: the next state, or player one's gain at a goal."""
    if isinstance(state, int):
        return state
    places, ball = [state[0], state[1]], state[2]
    row, column = (a + b for a, b in zip(places[player], STEPS[step], strict=True))
    if ball == player and row in GOAL_ROWS and column in (-1, COLUMNS):
        return 1 if column == COLUMNS else -1
    if not (0 <= row < ROWS and 0 <= column < COLUMNS):
        return state
    if (row, column) == places[1 - player]:
        return places[0], places[1], 1 - player
    places[player] = row, column
    return places[0], places[1], ball


def soccer(discount: Fraction) -> Tree:
    """Return Littman's soccer: both choose a step, and move in random order. A goal ends the game."""

    def at(state: Any) -> Node:
        match state:
            case int():
                return state
            case (before, steps):
                chances: dict[Players | int, Fraction] = {0: 1 - discount} if discount < 1 else {}
                for first in (0, 1):
                    then = moved(before, first, steps[first])
                    then = moved(then, 1 - first, steps[1 - first])
                    chances[then] = chances.get(then, Fraction(0)) + discount / 2
                return Chance(chances)
        return Simultaneous({(a, b): (state, (a, b)) for a, b in product(STEPS, STEPS)})

    return Tree(((2, 1), (1, 3), 0), at)


def with_radius(game: object) -> str:
    """Return the value in floats."""
    least, most = (float(Fraction(str(bound))) for bound in value(game, "float").bounds())
    return f"{(least + most) / 2:.3g} ± {(most - least) / 2:.1e}"


def in_digits(digits: int) -> Callable[[object], str]:
    """Return a function that returns a game's value as a decimal of which each digit is proved."""
    return lambda game: str(value(game, gx.Ball(digits)))


def by_bounds(game: object) -> str:
    """Return the exact value, or the bounds of it, and the number of states."""
    solved = gx.solve_game(game)
    states = (
        f"{len(solved.states):,} states" if solved.states else "no play can reach a state twice"
    )
    if solved.least == solved.most:
        return f"{solved.value}; {states}"
    return f"{float(solved.least):.15g} + {float(solved.exploitability):.1e}; {states}"


def spiel(name: str) -> Callable[[], object]:
    """Return a function that loads a game of OpenSpiel."""
    return lambda: gx.exchange.SpielTree(name)


NINE_TENTHS = Fraction(9, 10)

CASES: dict[str, tuple[Callable[[], object], Callable[[object], str]]] = {
    "oshi_zumo 50 3, floats": (lambda: oshi_zumo(50), with_radius),
    "oshi_zumo 50 7, floats": (lambda: oshi_zumo(50, 7), with_radius),
    "root 2√2 − 2, 100 digits": (shapley, in_digits(100)),
    "big match, discount 9/10": (lambda: big_match(NINE_TENTHS), by_bounds),
    "purgatory 3": (lambda: purgatory(3), by_bounds),
    "purgatory 4": (lambda: purgatory(4), by_bounds),
    "soccer, discount 9/10, 50 digits": (lambda: soccer(NINE_TENTHS), in_digits(50)),
    "soccer without a discount": (lambda: soccer(Fraction(1)), by_bounds),
    "openspiel:oshi_zumo(coins=6,min_bid=0)": (spiel("oshi_zumo(coins=6,min_bid=0)"), by_bounds),
    "openspiel:oshi_zumo(coins=8,min_bid=0)": (spiel("oshi_zumo(coins=8,min_bid=0)"), by_bounds),
    "openspiel:pig(winscore=20)": (spiel("pig(winscore=20)"), by_bounds),
    "openspiel:markov_soccer": (spiel("markov_soccer"), by_bounds),
    "oshi_zumo 20 3, exactly": (lambda: oshi_zumo(20), by_bounds),
    "oshi_zumo 21 3, exactly": (lambda: oshi_zumo(21), by_bounds),
    "oshi_zumo 22 3, exactly": (lambda: oshi_zumo(22), by_bounds),
    "oshi_zumo 25 3, 20 digits": (lambda: oshi_zumo(25), in_digits(20)),
    "oshi_zumo 50 3, 20 digits": (lambda: oshi_zumo(50), in_digits(20)),
    "oshi_zumo 100 3, floats": (lambda: oshi_zumo(100), with_radius),
}
"""{name: what makes the game, and how it is solved}."""


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("names", nargs="*", metavar="NAME")


def run(options: Options) -> None:
    """Solve the games and print the table, a line as soon as it is known."""
    for name in options.names:
        if not any(case.startswith(name) for case in CASES):
            raise ValueError(f"NAME must begin one of {'; '.join(CASES)}, got {name}")
    value(oshi_zumo(6), "float")  # compiles what floats need
    print("| game | value | core seconds | GB |\n|---|---|---|---|", flush=True)
    for name, (make, solve) in CASES.items():
        if options.names and not name.startswith(tuple(options.names)):
            continue
        start = process_time()
        found = solve(make())
        seconds, memory = process_time() - start, getrusage(RUSAGE_SELF).ru_maxrss / 1e6
        print(f"| {name} | {found} | {seconds:.1f} | {memory:.1f} |", flush=True)


if __name__ == "__main__":
    sys.exit(run_script(__file__, str(__doc__), add_arguments, run, sys.argv[1:]))
