"""Game trees solved exactly, beside OpenSpiel's linear programme and Gambit's, on the same trees.

    python benchmarks/trees.py [--games kuhn_poker leduc_poker ...] [--limit 60] [--every] [--times 3]

For each game of OpenSpiel: leaves, sequences of both players, the exact value, core seconds of reading and solving it
here, the exploitability that OpenSpiel finds for the exact strategies in floats (``nash_conv``), and core seconds
and value of OpenSpiel's ``sequence_form_lp`` and of Gambit's ``lp_solve`` in floats and in fractions. A time is the
least of ``--times`` runs. A solver runs in a process of its own, which is ended after ``--limit`` seconds. ``--every``
takes all zero-sum games of OpenSpiel with perfect recall that have at most 200,000 leaves. OpenSpiel's programme
needs cvxpy, Gambit's needs pygambit; where one is missing, its columns are empty.
"""

import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

GAMES = (
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(dice_sides=3)",
    "liars_dice(dice_sides=4)",
    "liars_dice(dice_sides=5)",
    "liars_dice",
)
MOST_LEAVES = 200_000
NEAR = 1e-6
"""The greatest difference between a value in floats and the exact one."""

COLUMNS = (
    "game",
    "leaves",
    "sequences",
    "here s",
    "nash_conv",
    "OpenSpiel s",
    "Gambit s",
    "Gambit exact s",
    "value",
)


def here(name: str) -> tuple[float, dict[str, Any]]:
    """Solve a game, and return its value and the rest of its line."""
    import gops_exact as gx
    from gops_exact.exchange import SpielTree
    from gops_exact.extensive.form import Form
    from gops_exact.extensive.trees import form_of

    form = form_of(SpielTree(name))
    if isinstance(form, Form) and form.leaves > MOST_LEAVES:
        raise ValueError(f"more than {MOST_LEAVES} leaves")
    begun = time.process_time()
    game = SpielTree(name)
    solved = gx.solve_game(game)
    spent = time.process_time() - begun
    solved.check()
    line: dict[str, Any] = {"here s": spent, "value": str(solved.value)}
    if isinstance(form, Form):
        line |= {"leaves": form.leaves, "sequences": max(side.sequences for side in form.sides)}
        kind = game.spiel.get_type()
        if kind.dynamics == kind.Dynamics.SEQUENTIAL:
            from open_spiel.python.algorithms.exploitability import nash_conv

            line["nash_conv"] = nash_conv(game.spiel, game.policy(solved))
    else:
        line["leaves"] = f"{len(form.nodes)} states"
    return float(solved.value), line


def openspiel(name: str) -> tuple[float, dict[str, Any]]:
    """Solve a game by OpenSpiel's linear programme."""
    import pyspiel
    from open_spiel.python.algorithms.sequence_form_lp import solve_zero_sum_game

    begun = time.process_time()
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    value = solve_zero_sum_game(game)[0]
    return value, {"OpenSpiel s": time.process_time() - begun}


def gambit(name: str, *, rational: bool = False) -> tuple[float, dict[str, Any]]:
    """Solve a game by Gambit's linear programme, in floats or in fractions."""
    import io

    import pygambit
    import pyspiel
    from open_spiel.python.algorithms.gambit import export_gambit

    game = pygambit.read_efg(io.BytesIO(export_gambit(pyspiel.load_game(name)).encode()))
    begun = time.process_time()
    result = pygambit.nash.lp_solve(game, rational=rational)
    spent = time.process_time() - begun
    value = float(result.equilibria[0].payoff(game.players[0]))
    return value, {"Gambit exact s" if rational else "Gambit s": spent}


def gambit_exactly(name: str) -> tuple[float, dict[str, Any]]:
    """Solve a game by Gambit's linear programme in fractions."""
    return gambit(name, rational=True)


SOLVERS: tuple[Callable[[str], tuple[float, dict[str, Any]]], ...] = (
    here,
    openspiel,
    gambit,
    gambit_exactly,
)


def _answer(solver: Callable[[str], Any], name: str, end: Connection) -> None:
    """Send the answer of a solver, or its error as text, through a pipe."""
    try:
        end.send(solver(name))
    except Exception as error:  # noqa: BLE001  # shown in the line
        end.send(f"{type(error).__name__}: {str(error).splitlines()[0][:80]}")


def asked(solver: Callable[[str], Any], name: str, limit: float) -> Any:  # a pair, or text
    """Return the answer of a solver in a process of its own, or the reason why there is none."""
    context = get_context("spawn")
    mine, other = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(solver, name, other))
    process.start()
    try:
        return mine.recv() if mine.poll(limit) else f"> {limit:.0f}"
    except EOFError:
        return "ended"
    finally:
        process.kill()
        process.join()


def every() -> list[str]:
    """List the names of OpenSpiel's zero-sum games of two players."""
    import pyspiel

    return [
        kind.short_name
        for kind in pyspiel.registered_games()
        if kind.min_num_players <= 2 <= kind.max_num_players
        and kind.default_loadable
        and kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    ]


def main() -> int:
    """Print a line for each game; the exit status is 1 if two values differ."""
    parser = ArgumentParser(description="solve game trees here and elsewhere")
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--every", action="store_true")
    arguments = parser.parse_args()
    wrong = 0
    print(*COLUMNS, sep=",")
    for name in every() if arguments.every else arguments.games:
        line: dict[str, Any] = {"game": f'"{name}"'}
        values = []
        for solver in SOLVERS:
            answers = [asked(solver, name, arguments.limit) for _ in range(arguments.times)]
            if isinstance(answers[0], str):
                column = {here: "here s", openspiel: "OpenSpiel s", gambit: "Gambit s"}.get(
                    solver, "Gambit exact s"
                )
                line[column] = answers[0].replace(",", ";")
                if solver is here:
                    break
                continue
            values.append(answers[0][0])
            for answer in answers:
                for column, entry in answer[1].items():
                    if column.endswith(" s"):
                        line[column] = min(entry, line.get(column, entry))
                    else:
                        line[column] = entry
        wrong += any(abs(value - values[0]) > NEAR for value in values)
        texts = [line.get(column, "") for column in COLUMNS]
        print(
            *(f"{text:.3g}" if isinstance(text, float) else text for text in texts),
            sep=",",
            flush=True,
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
