"""Long games, and games in which a play can reach a state twice: known values, and bounds that other means prove."""

import json
from copy import deepcopy
from fractions import Fraction
from random import Random

import pytest
from games import check_game
from stochastic import iterated_values, listed, recursion, stopping_game, table

import gops_exact as gx
from gops_exact import known_games
from gops_exact.exchange import write_efg
from gops_exact.extensive import Chance, Move, Tree, approximate, best_replies, value

ROOT = (  # 2 √2 − 2 to 100 digits, by Python's decimal module
    "0.8284271247461900976033774484193961571393437507538961463533594759814649569242140777007750686552831455"
)


OFF = Fraction(1, 10**11)


def purgatory(terraces):
    """Hansen, Koucký & Miltersen 2009, Winning concurrent reachability games requires doubly-exponential patience."""
    nodes = {
        f"terrace {k}": table([[f"terrace {k + 1}", "terrace 0"], [0, f"terrace {k + 1}"]])
        for k in range(terraces)
    }
    return listed("terrace 0", nodes | {f"terrace {terraces}": 1})


def big_match(goes_on):
    """Blackwell & Ferguson 1968: of player one's moves one ends the game; a round counts as long as the game goes on."""
    ends = 1 - Fraction(goes_on)
    later = {k: Chance({"match": goes_on, k: ends}) for k in (0, 1)}
    return listed(
        "match",
        {"match": table([[1, 0], ["round 0", "round 1"]])}
        | {f"round {k}": later[k] for k in later},
    )


def run_or_stay(stay):
    """A game that goes on while both stay."""
    return listed("both", {"both": table([["both", 1], [stay, 0]])})


SHAPLEY = listed(  # v = (2 + v) / (3 + v / 2)
    "one state",
    {
        "one state": table([["half", 0], [0, 2]]),
        "half": Chance({"one state": "1/2", 2: "1/2"}),
    },
)


def test_irrational_value_of_a_stochastic_game_is_right_to_a_hundred_digits():
    assert str(value(SHAPLEY, gx.Ball(100))) == ROOT
    number = value(SHAPLEY, "float")
    assert number.radius < 1e-14 and abs(number.value - float(ROOT)) < 1e-15
    solved = gx.solve_game(SHAPLEY)
    assert solved.least < solved.most and float(solved.exploitability) < 1e-50
    with pytest.raises(
        gx.PrecisionError, match="no fraction as far as is known: it is 0.82842712474619009760"
    ):
        _ = solved.value


@pytest.mark.parametrize(
    ("game", "known"),
    [
        (big_match("9/10"), Fraction(1, 2)),
        (big_match("1/3"), Fraction(1, 2)),
        (listed("a", {"a": Move(1, {"b": "b"}), "b": Move(2, {"a": "a"})}), 0),  # no end, worth 0
        (listed("a", {"a": Move(1, {"b": "b", "end": -1}), "b": Move(2, {"a": "a", "end": 3})}), 0),
        (listed("a", {"a": Move(1, {"b": "b", "end": 1}), "b": Move(2, {"a": "a", "end": 3})}), 1),
        (
            listed(
                "a", {"a": Chance({"a": "1/3", "b": "2/3"}), "b": Chance({"a": "1/2", 4: "1/2"})}
            ),
            4,
        ),
        (
            listed(
                "a",
                {
                    "a": Chance({"b": "1/2", "c": "1/2"}),
                    "b": Chance({"a": "1/2", 1: "1/2"}),
                    "c": -1,
                },
            ),
            Fraction(-1, 3),
        ),
        (run_or_stay(-1), 0),
    ],
)
def test_rational_values_of_games_with_loops_are_exact(game, known):
    solved = gx.solve_game(game)
    assert solved.value == known == value(game)


@pytest.mark.parametrize(("terraces", "off"), [(1, 1e-12), (2, 1e-12), (3, 1e-9), (4, 1e-4)])
def test_bounds_of_the_game_purgatory_are_exactly_one_and_just_below_it(terraces, off):
    """The value is 1, but no strategy guarantees it."""
    solved = gx.solve_game(purgatory(terraces))
    assert solved.least < 1 == solved.most and 1 - solved.least < off


@pytest.mark.parametrize("seed", range(6))
def test_value_iteration_agrees_with_the_bounds_of_every_state(seed):
    source = Random(seed)
    game = stopping_game(source, source.randint(1, 4), 3)
    solved, iterated = gx.solve_game(game), iterated_values(game)
    assert solved.exploitability < 1e-40
    for state, (least, most) in solved.states.items():
        assert least - OFF <= iterated[state] <= most + OFF
    assert abs(Fraction(value(game, gx.Ball(30)).decimal(30)) - solved.least.to_fraction()) < OFF


@pytest.mark.parametrize("seed", range(20))
def test_bounds_of_random_layered_games_contain_the_exact_value(seed):
    game = recursion(Random(seed), 6)
    exact = gx.solve_game(game).value
    least, most = value(game, "float").bounds()
    assert least <= exact.value <= most and float(gx.BigRational(most - least)) < 1e-11
    assert value(game, gx.Ball(25)).decimal(25) == exact.decimal(25)
    near = approximate(game)
    assert near.least <= exact <= near.most
    replies = gx.exploitability(game, near.row, near.column)
    assert replies <= near.exploitability < 1e-11


def test_float_value_of_a_game_of_two_hundred_levels_has_a_small_radius():
    game = recursion(Random(1), 200)
    number = value(game, "float")
    least, most = number.bounds()
    assert number.radius < 1e-10 and least <= value(game, gx.Ball(40)).value.mid().fmpq() <= most
    assert value(known_games.oshi_zumo(12), "float").radius < 1e-12


def test_exploitability_and_security_level_refuse_games_with_loops():
    for ask in (
        lambda: gx.exploitability(SHAPLEY, {}, {}),
        lambda: gx.extensive.security_level(SHAPLEY, {}),
    ):
        with pytest.raises(ValueError, match="can reach a state twice; solve_game"):
            ask()


RETURNING_DRAW = Chance({"start": "1/2", "deal": "1/2"})
RETURNING_MOVE = Move(2, {"stay": "start", "go": "deal"})


@pytest.mark.parametrize("start", [RETURNING_DRAW, RETURNING_MOVE])
def test_games_with_named_information_sets_are_refused_if_a_state_can_return(start):
    nodes = {
        "start": start,
        "deal": Chance({"a": "1/2", "b": "1/2"}),
        "a": Move(1, {"x": 1, "y": 0}, knows="set"),
        "b": Move(1, {"x": 0, "y": 1}, knows="set"),
    }
    game = Tree("start", lambda state: nodes.get(state, state))
    for ask in (
        gx.solve_game,
        lambda game: gx.solve_game(game, refined=True),
        approximate,
        value,
        lambda game: best_replies(game, {"set": {"x": 1}}, {}),
        lambda game: gx.exploitability(game, {"set": {"x": 1}}, {}),
        write_efg,
    ):
        with pytest.raises(ValueError, match="must end, got state 'start', which a play can reach"):
            ask(game)


SOLVED = [
    gx.solve_game(game)
    for game in (
        SHAPLEY,
        big_match("9/10"),
        purgatory(2),
        stopping_game(Random(7), 5, 3),
        run_or_stay(-1),
    )
]


@pytest.mark.parametrize("solved", [*SOLVED, approximate(known_games.oshi_zumo(4))])
def test_verify_proves_solved_games_with_loops_that_bound_the_value_of_every_state(
    solved, tmp_path
):
    report = check_game(solved.emit("json"))
    assert not report.faults and report.proved["bounds of states"] == len(solved.states)
    file = tmp_path / "solved.json"
    file.write_text(solved.emit("json"), encoding="utf-8")
    assert gx.read(file) == solved


def forged(source, document, bound):
    """The document with false bounds of the first state, and with what could make them look right."""
    document, up = deepcopy(document), 1 if bound == "least" else -1
    false = Fraction(document["most" if bound == "least" else "least"][0]) + up * Fraction(
        1, source.randint(2, 10**6)
    )
    bounds = [Fraction(number) for number in document[bound]]
    bounds = [number + up * source.choice((0, 0, Fraction(1, 9), 20)) for number in bounds]
    bounds[0] = false
    if source.random() < 0.5:
        bounds = [
            up * max(up * number, up * false) if isinstance(node, dict) else Fraction(node)
            for number, node in zip(bounds, document["nodes"], strict=True)
        ]
    document[bound] = [*map(str, bounds)]
    for mix in document[source.choice(("row", "column"))].values():
        if source.random() < 0.3:
            move = source.choice([*mix])
            mix.clear()
            mix[move] = "1"
    return document


def test_verify_refuses_two_hundred_forged_bounds():
    source, documents = Random(1), [solved.document() for solved in SOLVED]
    for _ in range(200):
        document = forged(source, source.choice(documents), source.choice(("least", "most")))
        assert check_game(json.dumps(document)).faults


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda part: part["least"].pop(), "expected a bound for each of 4 states, got 3"),
        (lambda part: part["row"].pop("0"), "'0' is reached, and has no probabilities"),
        (
            lambda part: part["row"].update({"7": {"0": "1"}}),
            "'7' is no information set of the player",
        ),
        (
            lambda part: part["nodes"][0]["after"][0].__setitem__(0, 9),
            "state 0 leads to a state that does not exist",
        ),
        (
            lambda part: part["least"].__setitem__(0, "1"),
            "row: the strategy does not prove the bound of state 0",
        ),
        (
            lambda part: part["most"].__setitem__(0, "0"),
            "column: the strategy does not prove the bound of state 0",
        ),
    ],
)
def test_verify_names_missing_or_false_bounds_and_strategies_of_games_with_loops(change, fault):
    document = SOLVED[0].document()
    change(document)
    assert any(fault in line for line in check_game(json.dumps(document)).faults)


def test_verify_refuses_a_bound_that_holds_only_if_the_play_ends():
    """Player two never ends the play, which is worth 0; each number of a state is no more than that of the next."""
    solved = gx.solve_game(
        listed("a", {"a": Move(2, {"again": "b", "end": 1}), "b": Move(1, {"go": "a"})})
    )
    document = solved.document()
    assert solved.value == 0 and not check_game(json.dumps(document)).faults
    document["least"] = ["1" if isinstance(node, dict) else node for node in document["nodes"]]
    assert check_game(json.dumps(document)).faults == [
        "row: the other player can keep the play for ever at state 0"
    ]


@pytest.mark.parametrize(
    ("name", "states", "least", "most"),
    [
        ("oshi_zumo(coins=4,min_bid=0)", 85, 0, 0),
        ("markov_soccer(grid=A.\nOB)", 279, -0.5, -0.5),
        # Neller & Presser 2004, Optimal play of the dice game Pig: player one's chance of winning is .7094 there, with other
        # rules. This number is by value iteration in floats.
        ("pig(winscore=5)", 352, 0.594095940959409, 0.594095940959410),
    ],
)
def test_openspiel_games_without_a_horizon_are_solved_with_proved_bounds(name, states, least, most):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game = gx.exchange.SpielTree(name)
    solved = gx.solve_game(game)
    assert "without a horizon" in game.title and len(solved.states) == states
    assert least <= solved.least <= solved.most <= most
    assert not check_game(solved.emit("json")).faults
