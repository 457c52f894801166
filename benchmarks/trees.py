"""Game trees solved exactly, beside OpenSpiel's linear program and Gambit's, on the same trees.

    python benchmarks/trees.py [--games kuhn_poker leduc_poker ...] [--limit 60] [--times 3] [--peers openspiel ...]

For each game of OpenSpiel: leaves; information sets of both players; the exact value; core seconds of
building and solving it here; ``verify``, if the document of the solution is proved; the exploitability that OpenSpiel
finds for the exact strategies in floats (``nash_conv``); and core seconds of OpenSpiel's ``sequence_form_lp`` and of
Gambit's ``lp_solve`` in floats and in fractions, which reads the tree from a file with exact numbers. Reading that file
is not counted. Games in which players move at once are made turn-based, for all solvers. A time is the least of
``--times`` runs. A solver runs in a process of its own, which is ended after ``--limit`` core seconds: "> 60".

OpenSpiel's linear program needs cvxpy, Gambit's needs pygambit. Bars: of more than 1,000 leaves no peer takes less
time; Leduc poker takes less than 1 s with building, liar's dice of 6 sides less than 10 s. The exit status is 1 if a
game falls short or two values differ. Unix only.
"""

import resource
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

HIDDEN = "goofspiel(imp_info=True,num_cards=3,points_order={})"
"""Three cards with hidden bids, as OpenSpiel loads them."""

GAMES = (
    "kuhn_poker",
    HIDDEN.format("descending"),
    HIDDEN.format("random"),
    "liars_dice(dice_sides=3)",
    "liars_dice(dice_sides=4)",
    "leduc_poker",
    "liars_dice(dice_sides=5)",
    "liars_dice(dice_sides=6)",
)
MOST_LEAVES = 200_000
FEW_LEAVES, SECONDS = 1000, {"leduc_poker": 1.0, "liars_dice(dice_sides=6)": 10.0}
"""The most leaves of a game that a peer may solve quicker; bars on the core seconds of games."""

NEAR = 1e-6
"""The greatest difference between a value in floats and the exact one."""

COLUMNS = (
    *("game", "leaves", "sets", "here s", "verify", "nash_conv"),
    *("OpenSpiel s", "Gambit s", "Gambit exact s", "value"),
)
Line = dict[str, Any]


def load(name: str) -> Any:  # pyspiel.Game
    """Return a game of OpenSpiel in which players move in turn, unless its information sets have no names."""
    import pyspiel

    game = pyspiel.load_game(name)
    kind = game.get_type()
    if (
        kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        and kind.provides_information_state_string
    ):
        game = pyspiel.convert_to_turn_based(game)
    return game


def leaves(game: Any) -> int:  # pyspiel.Game
    """Count the leaves of a game, layer by layer.

    Every history that has not ended leads to a leaf at least. So the count is refused as soon as the histories of
    a layer are too many, which needs few of them even in chess.

    Raises:
        ValueError: if there are more than `MOST_LEAVES`.
    """
    ended, layer = 0, [game.new_initial_state()]
    while layer:
        ended += sum(state.is_terminal() for state in layer)
        layer = [state for state in layer if not state.is_terminal()]
        actions = [
            state.legal_actions()  # of both at once in a simultaneous game
            if not state.is_chance_node()
            else [action for action, _ in state.chance_outcomes()]
            for state in layer
        ]
        if ended + sum(map(len, actions)) > MOST_LEAVES:
            raise ValueError(f"more than {MOST_LEAVES} leaves")
        layer = [
            state.child(action)
            for state, later in zip(layer, actions, strict=True)
            for action in later
        ]
    return ended


def here(name: str, *, turns: bool = True) -> tuple[float, Line]:
    """Solve a game exactly, and prove its document; with moves at once as they are if `turns` is false."""
    import pyspiel

    import gops_exact as gx
    from gops_exact.exchange import SpielTree, policy_table, tabular_policy
    from gops_exact.verify.games import check_game

    spiel = load(name) if turns else pyspiel.load_game(name)
    game = SpielTree(spiel)
    line: Line = {"leaves": leaves(spiel), "seen": game.seen}
    begun = time.process_time()
    solved = gx.solve_game(game)
    line |= {"here s": time.process_time() - begun, "value": str(solved.value)}
    line["verify"] = "; ".join(check_game(solved.emit("json")).faults) or "proved"
    if turns and spiel.get_type().provides_information_state_string:
        table = policy_table(
            policy_of_states(game, solved) if game.seen else tabular_policy(solved)
        )
        line |= {"sets": len(table), "nash_conv": pyspiel.nash_conv(spiel, table)}
    return float(solved.value), line


def policy_of_states(game: Any, solved: Any) -> Any:  # SpielTree, Equilibrium, TabularPolicy
    """Return the strategies of a game in which all is seen as OpenSpiel's table."""
    from open_spiel.python.policy import TabularPolicy

    table, sides = TabularPolicy(game.spiel), (solved.row, solved.column)
    for state in table.states:
        if mix := sides[state.current_player()].get(game.state(state)):
            chances = table.policy_for_key(state.information_state_string())
            chances[:] = 0.0
            for action, chance in mix.items():
                chances[action] = float(chance)
    return table


def openspiel(name: str) -> tuple[float, Line]:
    """Solve a game by OpenSpiel's linear program."""
    from open_spiel.python.algorithms.sequence_form_lp import solve_zero_sum_game

    begun = time.process_time()
    value = solve_zero_sum_game(load(name))[0]
    return value, {"OpenSpiel s": time.process_time() - begun}


def gambit(name: str, *, rational: bool = False) -> tuple[float, Line]:
    """Solve a game by Gambit's linear program, in floats or in fractions."""
    import io

    import pygambit

    game = pygambit.read_efg(io.BytesIO(efg(name).encode()))
    begun = time.process_time()
    result = pygambit.nash.lp_solve(game, rational=rational)
    spent = time.process_time() - begun
    value = float(result.equilibria[0].payoff(game.players["One"]))
    return value, {"Gambit exact s" if rational else "Gambit s": spent}


def gambit_exact(name: str) -> tuple[float, Line]:
    """Solve a game by Gambit's linear program in fractions."""
    return gambit(name, rational=True)


def efg(name: str) -> str:
    """Return a game of OpenSpiel as an ``.efg`` file with fractions; OpenSpiel's own writes decimals."""
    from gops_exact.exchange import SpielTree
    from gops_exact.extensive import Chance, Move

    game = SpielTree(load(name))
    lines, numbers = ['EFG 2 R "" { "One" "Two" }'], dict[Any, int]()
    stack = [game.start]
    while stack:
        state = stack.pop()
        node, own = game.at(state), len(lines)
        if isinstance(node, Chance):
            moves = " ".join(f'"{k}" {p}' for k, p in enumerate(node.outcomes.values()))
            lines.append(f'c "" {own} "" {{ {moves} }} 0')
            stack += reversed(node.outcomes)
        elif isinstance(node, Move):
            key = node.player, own if node.knows is None else node.knows
            moves = " ".join(f'"{move}"' for move in node.moves)
            number = numbers.setdefault(key, len(numbers) + 1)
            lines.append(f'p "" {node.player} {number} "" {{ {moves} }} 0')
            stack += reversed(node.moves.values())
        else:
            lines.append(f't "" {own} "" {{ {node}, {-node} }}')
    return "\n".join(lines) + "\n"


PEERS: dict[str, tuple[str, Callable[[str], tuple[float, Line]]]] = {
    "openspiel": ("OpenSpiel s", openspiel),
    "gambit": ("Gambit s", gambit),
    "gambit-exact": ("Gambit exact s", gambit_exact),
}
"""{name of a solver: its column, its function}."""


def _answer(
    solver: Callable[[str], Any], name: str, limit: int, gigabytes: int, end: Connection
) -> None:
    """Send the answer of a solver, or its error as text, through a pipe."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (gigabytes << 30, gigabytes << 30))
    try:
        end.send(solver(name))
    except Exception as error:  # noqa: BLE001  # shown in the line
        end.send((str(error) or repr(error)).splitlines()[0][:200].replace(",", ";"))


def asked(
    solver: Callable[[str], Any], name: str, limit: int, gigabytes: int = 16
) -> Any:  # a pair, or text
    """Return the answer of a solver in a process of its own, or the reason why there is none."""
    context = get_context("fork")  # with the packages that are loaded
    mine, other = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(solver, name, limit, gigabytes, other))
    process.start()
    other.close()
    try:
        return mine.recv()
    except EOFError:
        return f"> {limit}"
    finally:
        process.kill()
        process.join()


def line_of(name: str, peers: list[str], limit: int, times: int) -> tuple[Line, bool]:
    """Return the line of a game, and True if it falls short, or a peer's value differs from the exact one."""
    line: Line = {"game": f'"{name}"'}
    values = []
    for column, solver in (("here s", here), *(PEERS[peer] for peer in peers)):
        answers = [asked(solver, name, limit) for _ in range(times)]
        right = [answer for answer in answers if not isinstance(answer, str)]
        if not right:
            line[column] = answers[0]
            if solver is here:
                break
            continue
        values.append(right[0][0])
        line |= right[0][1]
        line[column] = min(answer[1][column] for answer in right)
    differs = any(abs(value - values[0]) > NEAR for value in values)
    bar = SECONDS.get(name, inf)
    if line.get("leaves", 0) > FEW_LEAVES:
        times_of_peers = [line[column] for column, _ in PEERS.values() if column in line]
        bar = min([bar, *(spent for spent in times_of_peers if isinstance(spent, float))])
    return line, differs or (isinstance(line["here s"], float) and line["here s"] > bar)


def main() -> int:
    """Print a line for each game."""
    parser = ArgumentParser(description="solve game trees here and elsewhere")
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS))
    arguments = parser.parse_args()
    wrong = False
    print(*COLUMNS, sep=",")
    for name in arguments.games:
        line, short = line_of(name, arguments.peers, arguments.limit, arguments.times)
        wrong |= short
        texts = [line.get(column, "") for column in COLUMNS]
        print(
            *(f"{text:.3g}" if isinstance(text, float) else text for text in texts),
            sep=",",
            flush=True,
        )
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
