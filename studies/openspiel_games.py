"""OpenSpiel's zero-sum games for two players with up to 200,000 leaves, all solved exactly.

    python studies/openspiel_games.py [--games NAME ...] [--limit 300] [--gigabytes 8] [--out FILE]
    python studies/openspiel_games.py --table results/game_trees/benchmark_openspiel.csv

Every game that OpenSpiel loads without parameters, and small games with parameters (``SMALL``). For each game: leaves;
information sets of both players; the exact value; its difference from the value of OpenSpiel's linear program
(``sequence_form_lp``) or, where OpenSpiel has no names of information sets, of its recursions; the exploitability
that OpenSpiel finds for the exact strategies (``nash_conv``); ``verify``, if the document of the solution is proved; and
core seconds of building and solving it here. Other games have the reason why they are refused.

Games in which players move at once are made turn-based. Each solver runs in a process of its own, which is ended after
``--limit`` core seconds. Needs OpenSpiel and cvxpy. The exit status is 1 if a difference is above 1e-6, an
exploitability above 1e-9, or a document is not proved. Unix only.

``--table`` prints the games that are solved as the table of docs/game_trees.md.
"""

import csv
import sys
from argparse import ArgumentParser, FileType
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from trees import Line, asked, here, openspiel  # a script's folder is no package

PACKAGES = (
    "open_spiel.python.algorithms.sequence_form_lp",
    "open_spiel.python.algorithms.value_iteration",
    "gops_exact.exchange",
    "gops_exact.extensive",
    "gops_exact.verify.games",
)
NEAR, UNEXPLOITABLE = 1e-6, 1e-9
LONGEST = 24
"""Characters of a value that is shown as a fraction."""

COLUMNS = (
    *("game", "leaves", "sets", "value", "difference", "nash_conv", "verify", "seconds"),
    "refused",
)

SMALL = {
    "blotto": ("coins=5,fields=3", "coins=10,fields=3"),
    "breakthrough": ("rows=3,columns=2", "rows=4,columns=2"),
    "cached_tree": ("game=kuhn_poker()",),
    "capture_the_flag": ("horizon=2",),
    "chinese_checkers": ("players=2,max_moves=2", "players=2,max_moves=3"),
    "clobber": ("rows=2,columns=3", "rows=3,columns=3", "rows=2,columns=5"),
    "connect_four": (
        "rows=2,columns=3,x_in_row=2",
        "rows=3,columns=3,x_in_row=3",
        "rows=4,columns=3,x_in_row=3",
    ),
    "dark_hex": (
        "num_cols=2,num_rows=2",
        "num_cols=2,num_rows=2,gameversion=adh",
        "num_cols=2,num_rows=2,obstype=reveal-numturns",
        "num_cols=3,num_rows=2",
    ),
    "dark_hex_ir": ("board_size=2",),
    "dots_and_boxes": ("num_rows=1,num_cols=1", "num_rows=1,num_cols=2"),
    "go": ("board_size=2,max_game_length=6",),
    "go_fish": ("ranks=2,suits=2,initial_cards=1",),
    "gomoku": ("size=2,connect=2",),
    "goofspiel": (
        "imp_info=True,num_cards=3,points_order=random",
        "imp_info=True,num_cards=4,points_order=descending",
        "imp_info=True,num_cards=4,points_order=ascending,returns_type=point_difference",
        "imp_info=True,num_cards=4,points_order=random",
        "imp_info=True,num_cards=5,points_order=descending",
        "imp_info=True,num_cards=6,num_turns=2,points_order=random",
        "imp_info=True,num_cards=6,num_turns=3,points_order=descending",
        "num_cards=4,points_order=random",
        "num_cards=5,points_order=descending",
    ),
    "havannah": ("board_size=2",),
    "hex": ("num_cols=2,num_rows=2", "num_cols=2,num_rows=3"),
    "leduc_poker": ("suit_isomorphism=True", "action_mapping=True"),
    "liars_dice": (
        *(f"dice_sides={sides}" for sides in range(2, 6)),
        "dice_sides=4,bidding_rule=reset-quantity",
        "numdice=2,dice_sides=2",
    ),
    "liars_dice_ir": ("dice_sides=2",),
    "lines_of_action": ("max_game_length=2", "max_game_length=3"),
    "markov_soccer": ("horizon=2", "horizon=3"),
    "misere": ("game=kuhn_poker()", "game=leduc_poker()"),
    "mnk": ("m=2,n=3,k=2", "m=3,n=3,k=2", "m=2,n=4,k=3"),
    "nim": ("pile_sizes=1;2", "pile_sizes=3;4", "pile_sizes=3;3;2,is_misere=False"),
    "normal_form_extensive_game": ("game=kuhn_poker()",),
    "oshi_zumo": (
        *(f"coins={coins},size=2,min_bid=1" for coins in (5, 6, 8)),
        "coins=6,size=2,min_bid=1,alesia=True",
    ),
    "oware": ("num_houses_per_player=2,num_seeds_per_house=1",),
    "pig": ("horizon=3,winscore=5", "horizon=6,diceoutcomes=3,winscore=10"),
    "repeated_leduc_poker": ("num_hands=1",),
    "repeated_game": ("stage_game=matrix_rps(),num_repetitions=3",),
    "restricted_nash_response": ("game=kuhn_poker()",),
    "start_at": ("game=leduc_poker(),history=0;1",),
    "y": ("board_size=2", "board_size=3"),
    "zerosum": (
        "game=battleship(board_height=2,board_width=2,ship_sizes=[1],ship_values=[1],num_shots=2)",
        "game=first_sealed_auction(max_value=3)",
        "game=lewis_signaling()",
        "game=sheriff(max_items=2,max_bribe=2,num_rounds=1)",
        "game=tiny_hanabi()",
        "game=trade_comm(num_items=2)",
    ),
}
"""{game of OpenSpiel: parameters with which it is small, or which it needs}."""


def every() -> list[str]:
    """List OpenSpiel's games that can have two players, with the parameters of `SMALL`."""
    import pyspiel

    names = []
    for kind in pyspiel.registered_games():
        if kind.min_num_players <= 2 <= kind.max_num_players:
            name = kind.short_name
            names += [name] * kind.default_loadable
            names += [f"{name}({parameters})" for parameters in SMALL.get(name, ())]
    return names


def recursive(name: str) -> tuple[float, Line]:
    """Solve a game in which all is seen by OpenSpiel's expectiminimax; by value iteration, if both move at once.

    Value iteration takes states with the same text for one, and the text may leave out how many turns are left.
    """
    import pyspiel
    from open_spiel.python.algorithms.minimax import expectiminimax
    from open_spiel.python.algorithms.value_iteration import value_iteration

    game = pyspiel.load_game(name)
    start = game.new_initial_state()
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL:
        return float(expectiminimax(start, game.max_game_length() + 1, None, 0)[0]), {}
    values = value_iteration(game, depth_limit=-1, threshold=1e-9)

    def value(state: Any) -> float:  # pyspiel.State
        if state.is_chance_node():  # which has no value of its own
            return sum(p * value(state.child(action)) for action, p in state.chance_outcomes())
        return float(values[str(state)])

    return value(start), {}


def line_of(name: str, limit: int, gigabytes: int) -> Line:
    """Return the line of a game."""
    solved = asked(here, name, limit, gigabytes)
    if isinstance(solved, str) and "forgotten" in solved:
        # In open goofspiel OpenSpiel's names tell the hands and who won, not what was bid when.
        solved = asked(partial(here, turns=False), name, limit, gigabytes)
    if isinstance(solved, str):
        return {"game": name, "refused": solved}
    value, line = solved
    line |= {"game": name, "seconds": line["here s"]}
    solvers = [openspiel] if "sets" in line else []
    for solver in [*solvers, recursive] if line["seen"] else solvers:
        answer = asked(solver, name, limit, gigabytes)
        if not isinstance(answer, str):
            line["difference"] = abs(answer[0] - value)
            break
        line["difference"] = answer
    return line


def right(line: Line) -> bool:
    """Return True if a game is refused, or its value and strategies are confirmed."""
    if "refused" in line:
        return True
    differs = isinstance(line["difference"], float) and line["difference"] > NEAR
    exploited = abs(line.get("nash_conv", 0.0)) > UNEXPLOITABLE
    return line["verify"] == "proved" and not differs and not exploited


def markdown(lines: Iterable[Line]) -> Iterator[str]:
    """Yield the lines of a Markdown table of the games that are solved; long values as decimals."""
    heads = COLUMNS[:-1]
    yield from (f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads)))
    for line in lines:
        if not line["refused"]:
            value = Fraction(line["value"])
            short = line["value"] if len(line["value"]) < LONGEST else f"{float(value):.10f}"
            yield f"| {' | '.join((line | {'value': short})[head] for head in heads)} |"


def main() -> int:
    """Write a line for each game."""
    parser = ArgumentParser(description="solve OpenSpiel's games")
    parser.add_argument("--games", nargs="+")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--gigabytes", type=int, default=8)
    parser.add_argument("--table", type=FileType(encoding="utf-8"))
    parser.add_argument("--out", type=FileType("w", encoding="utf-8"), default=sys.stdout)
    arguments = parser.parse_args()
    if arguments.table:
        print(*markdown(csv.DictReader(arguments.table)), sep="\n")
        return 0
    writer = csv.DictWriter(arguments.out, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for package in PACKAGES:
        import_module(package)  # once for all processes
    wrong = 0
    for name in arguments.games or every():
        line = line_of(name, arguments.limit, arguments.gigabytes)
        writer.writerow(
            {key: f"{part:.1g}" if isinstance(part, float) else part for key, part in line.items()}
        )
        arguments.out.flush()
        wrong += not right(line)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
