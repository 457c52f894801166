"""Games of paths beside the matrix games of all their paths, games with known values, and what is refused."""

import json
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from flint import fmpq
from games import check_game, random_path_game
from path_oracle import gain, is_true_game, paths

import gops_exact as gx
from gops_exact import extensive, known_games
from gops_exact.extensive import PathGame


def spreads(coins, limits):
    """All ways to spread coins over castles."""
    ways = product(*(range(min(coins, limit) + 1) for limit in limits))
    return [way for way in ways if sum(way) == coins]


def matrix_of(game):
    """Player one's payoffs for all pairs of paths."""
    one, two = (list(paths(graph)) for graph in game.graphs)
    return [[gain(game.payoffs, row, column) for column in two] for row in one]


def check(game, value):
    """Check the value of a solved game, both strategies by their document, and the document."""
    solved = gx.solve_game(game)
    assert solved.value == value and solved.exploitability == 0
    text = solved.emit("json")
    assert not check_game(text).faults
    return solved, text


CASTLES = [
    *(((a, b), (1,) * k, ()) for a in range(1, 5) for b in range(1, 5) for k in (2, 3)),
    *(
        ((a, b), prizes, ())
        for a, b in ((4, 4), (6, 3), (5, 4))
        for prizes in ((1, 2, 3), (7, 3, 2, 2))
    ),
    *(((6, 5), (1, 2, 3), limits) for limits in ((3, 3, 3), (2, 2, 2), (6, 1, 5), (4, 4, 1))),
    ((7, 7), (5, 4, 3, 2), (2, 2, 2, 3)),
]


@pytest.mark.parametrize(("coins", "prizes", "limits"), CASTLES)
def test_castles_have_the_value_of_the_matrix_of_all_allocations(coins, prizes, limits):
    one, two = (spreads(army, limits or [army] * len(prizes)) for army in coins)
    payoff = [
        [
            sum(p * ((a > b) - (a < b)) for p, a, b in zip(prizes, row, column, strict=True))
            for column in two
        ]
        for row in one
    ]
    game = known_games.castles(coins, prizes, limits)
    solved, _ = check(game, gx.solve_matrix_game(payoff).value)
    for army, graph, reached in zip(coins, game.graphs, solved.reached, strict=True):
        ways = {tuple(move for _, move in path) for path in paths(graph)}
        assert ways == {
            tuple(f"{k}: {bid}" for k, bid in enumerate(way, start=1))
            for way in (one if army == coins[0] else two)
        }
        spent = {
            k: [(int(m.split(": ")[1]), p) for m, p in reached.items() if m.startswith(f"{k}: ")]
            for k in range(1, len(prizes) + 1)
        }
        assert all(sum(p for _, p in of) == 1 for of in spent.values())
        assert sum(bid * p for of in spent.values() for bid, p in of) == army


def test_blotto_with_over_ten_thousand_allocations_is_a_game_of_paths():
    assert known_games.blotto(10, 5).shape == (1001, 1001)
    game = known_games.blotto(20, 6)
    solved, _ = check(game, 0)
    assert isinstance(game, PathGame)
    assert sum(p for move, p in solved.reached[0].items() if move.startswith("6: ")) == 1


def test_games_of_paths_that_floats_cannot_solve_are_solved_in_fractions(monkeypatch):
    """Payoffs differ by less than floats can tell: some of these games have no basis that proves an equilibrium."""
    in_fractions, plans = [], extensive.equilibrium.plans_of_paths
    monkeypatch.setattr(
        extensive.equilibrium,
        "plans_of_paths",
        lambda *given: in_fractions.append(1) or plans(*given),
    )
    for seed in range(8):
        game = random_path_game(Random(seed))
        payoffs = {
            row: {column: Fraction(1, 3) + payoff / 10**30 for column, payoff in line.items()}
            for row, line in game.payoffs.items()
        }
        game = PathGame(game.graphs, payoffs)
        check(game, gx.solve_matrix_game(matrix_of(game)).value)
    assert in_fractions


@pytest.mark.parametrize("seed", range(50))
def test_random_games_of_paths_have_the_value_of_the_matrix_of_all_paths(seed):
    game = random_path_game(Random(seed))
    solved, text = check(game, gx.solve_matrix_game(matrix_of(game)).value)
    assert is_true_game(json.loads(text))
    assert extensive.security_level(game, solved.row) == solved.value
    uniform = {
        name: {move: Fraction(1, len(moves)) for move in moves}
        for name, moves in game.graphs[1].items()
    }
    chances = {tuple(path): 1 for path in map(tuple, paths(game.graphs[1]))}
    for path in chances:
        for name, _ in path:
            chances[path] *= Fraction(1, len(game.graphs[1][name]))
    most = max(
        sum(p * gain(game.payoffs, one, two) for two, p in chances.items())
        for one in paths(game.graphs[0])
    )
    assert extensive.best_replies(game, solved.row, uniform).most == most


def patrolling(neighbours, steps, duration):
    """The patrolling game of Alpern, Morton & Papadaki (2011): an attack on a place takes some steps, and fails if the patrol comes by.

    The patrol may stay, and remembers its last places, so that only its first visit during an attack counts.
    """
    patrol, payoffs = {}, {}
    waiting = [(0, ())]
    for time, past in waiting:
        if time == steps:
            continue
        moves = patrol[f"{time} {past}"] = {}
        for place in neighbours[past[-1]] if past else neighbours:
            later = (*past, place)[-duration:]
            since = next(
                (k for k, seen in enumerate(reversed(past), start=1) if seen == place), duration
            )
            move = f"{place} at {time} after {since}"
            moves[move] = f"{time + 1} {later}"
            payoffs[move] = {
                f"attack {place} at {begin}": 1
                for begin in range(max(0, time - duration + 1), min(time, steps - duration) + 1)
                if begin > time - since
            }
            if (time + 1, later) not in waiting:
                waiting.append((time + 1, later))
    attack = {
        "start": {
            f"attack {place} at {begin}": "end"
            for place in neighbours
            for begin in range(steps - duration + 1)
        }
    }
    return PathGame((patrol, attack), payoffs, "patrol")


@pytest.mark.parametrize(
    ("places", "steps", "duration"), [(3, 4, 2), (5, 6, 2), (5, 6, 3), (6, 7, 3)]
)
def test_patrols_of_a_cycle_have_the_value_of_alpern_morton_and_papadaki_2011(
    places, steps, duration
):
    # Alpern, Morton & Papadaki (2011, Patrolling Games, section 4): a Hamiltonian graph of n places has the value m/n.
    cycle = {k: (k, (k + 1) % places, (k - 1) % places) for k in range(places)}
    check(patrolling(cycle, steps, duration), Fraction(duration, places))


def test_inspections_of_a_network_have_the_value_of_its_least_cut():
    # Washburn & Wood (1995, Two-person zero-sum games for network interdiction): an inspector of one arc, who
    # detects with probability p, meets an evader with probability 1 / (least cut with the capacities 1/p).
    arcs = {"s": {"sa": "a", "sb": "b"}, "a": {"at": "t", "ab": "b", "at2": "t"}, "b": {"bt": "t"}}
    seen = {
        "sa": fmpq(1, 2),
        "sb": fmpq(1, 3),
        "at": fmpq(1, 4),
        "at2": fmpq(1),
        "ab": fmpq(1, 5),
        "bt": fmpq(1, 6),
    }
    inspector = {"office": {f"watch {arc}": "field" for arc in seen}}
    game = PathGame((inspector, arcs), {f"watch {arc}": {arc: p} for arc, p in seen.items()})
    cuts = [{"s"}, {"s", "a"}, {"s", "b"}, {"s", "a", "b"}]
    least = min(
        sum(1 / seen[arc] for name in cut for arc, after in arcs[name].items() if after not in cut)
        for cut in cuts
    )
    check(game, 1 / least)


def test_solved_games_of_paths_written_as_json_are_read_back_as_they_were(tmp_path):
    solved = gx.solve_game(known_games.castles((5, 4), (1, 2, 3)))
    text = solved.emit("json")
    (tmp_path / "solved.json").write_text(text)
    again = gx.read(tmp_path / "solved.json")
    assert again == solved and again.emit("json") == text and again.reached == solved.reached


GRAPHS = {"one": {"a": "two"}, "two": {"b": "end"}}, {"start": {"x": "end", "y": "end"}}
FALSE = [
    ({"one": {}}, {}, "each set of a graph must have moves"),
    ({}, {}, "got 0 sets"),
    ({"one": {"a": "end"}, "two": {"b": "end"}}, {}, "got 2 sets"),
    ({"one": {"a": "two"}, "two": {"b": "two"}}, {}, "cycle"),
    ({"one": {"a": "two"}, "two": {"b": "one"}}, {}, "got 0 sets"),
    ({"one": {"two": "two"}, "two": {"b": "end"}}, {}, "'two'"),
    (GRAPHS[0], {"c": {"x": 1}}, "got 'c'"),
    (GRAPHS[0], {"one": {"x": 1}}, "got 'one'"),
    (GRAPHS[0], {"a": {"z": 1}}, "got 'z'"),
    (GRAPHS[0], {"a": {"x": 0.5}}, "a payoff"),
    ({"one": 1}, {}, r"^a graph: the entry of 'one' must be a mapping, got 1$"),
    ({1: {"a": "two"}}, {}, "^a key of a graph must be a text, got 1$"),
    ({"one": {2: "two"}}, {}, "^a graph: a move at 'one' must be a text, got 2$"),
    ({"one": {"a": []}}, {}, r"^the next set of a move must be a text, got \[\]$"),
    (GRAPHS[0], [1], r"^payoffs must be a mapping \{move: \{move: payoff\}\}, got \[1\]$"),
    (GRAPHS[0], {"a": 1}, "^payoffs: the entry of 'a' must be a mapping, got 1$"),
    (GRAPHS[0], {"a": {1: 1}}, "^payoffs: a move at 'a' must be a text, got 1$"),
]


@pytest.mark.parametrize("graphs", [1, (), GRAPHS + GRAPHS, {"a": GRAPHS[0], "b": GRAPHS[1]}])
def test_path_game_refuses_graphs_that_are_no_pair(graphs):
    with pytest.raises(ValueError, match="^graphs must be a pair of graphs, got "):
        PathGame(graphs, {})


@pytest.mark.parametrize("strategy", [1, {"start": [1]}, {"start": 1}])
def test_probabilities_to_reach_moves_of_paths_refuse_a_strategy_that_is_no_mapping(strategy):
    with pytest.raises(ValueError, match="must be a mapping "):
        PathGame(GRAPHS, {}).reached(strategy, 2)


@pytest.mark.parametrize(("graph", "payoffs", "message"), FALSE)
def test_path_game_refuses_graphs_with_cycles_or_two_starts_and_payoffs_of_unknown_moves(
    graph, payoffs, message
):
    with pytest.raises(ValueError, match=message):
        PathGame((graph, GRAPHS[1]), payoffs)


def test_games_of_paths_refuse_refined_equilibria_ranges_and_learning():
    game = known_games.castles((3, 2), (1, 2))
    solved = gx.solve_game(game)
    for ask in (
        lambda: gx.solve_game(game, refined=True),
        lambda: extensive.approximate(game, iterations=1),
        solved.ranges,
        lambda: game.at(None),
    ):
        with pytest.raises(ValueError, match=r"expected a game with (perfect recall|a tree)"):
            ask()


@pytest.mark.parametrize(
    "words",
    [
        ((3,), (1, 2)),
        ((3, 2), ()),
        ((3, 2), (1, 2), (1,)),
        ((3, 2), (1, 2), (1, 1)),
        ((0, 2), (1,)),
        ((3, 2), (1, "2")),
    ],
)
def test_game_of_castles_refuses_zero_coins_a_missing_player_no_prizes_and_unsuited_limits(words):
    with pytest.raises(ValueError, match="expected|must be"):
        known_games.castles(*words)
