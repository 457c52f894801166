"""Arguments of public functions: integers of any library, and things that are none."""

import inspect
from contextlib import suppress
from functools import partial
from shutil import copy

import pytest
from argument_checks import assert_any_width, call, inside, poorly_refused
from flint import fmpz

import gops_exact as gx
from gops_exact import exchange, extensive, known_games, players, plots, training

HANDS = {"one": [1, 2], "two": [1, 3], "prizes": [1, 2]}
THREE = gx.Game(3)
MATCHING = players.policy("matching", THREE)
ROUND = players.Round(3, 3, 2, 3)
EXACT = gx.first_move(3, store=":memory:")
BALLS = gx.first_move(3, gx.Ball(20), store=":memory:")
FLOATS = gx.first_move(3, "float", jobs=1)
POSITION = gx.Position(**HANDS)
TURNED = POSITION.at(2)
SOLVED = gx.solve(TURNED, store=":memory:")
GAME = [[3, -1], [1, 2]]
KUHN = known_games.kuhn_poker()
KUHN_SOLVED = gx.solve_game(KUHN)
NUMBER = gx.BigInteger(fmpz(3) ** 100)
PAYOFFS = gx.payoff_matrix(TURNED, store=":memory:")
WIN, CARRYING = gx.Rules("win"), gx.Rules("win", "carryover")
CERTIFICATE = exchange.write_certificate(gx.Position.parse("2_1_3"))
TREE = 'NFG 1 R "" { "One" "Two" } { 2 1 } 0.5 -0.5 1/3 -1/3'

CALLS = {
    # One call that works for each public function; the arguments left out take their defaults.
    gx.first_move: {"game": 3, "upcards": [1, 2], "jobs": 1},
    gx.Ball: {"digits": 20},
    gx.Float: {"memory_bytes": 10**9},
    gx.Position: HANDS | {"upcard": 2, "rules": CARRYING, "margin": 1, "pot": 3},
    gx.Position.start: {"n": 3},
    POSITION.at: {"upcard": 2},
    TURNED.after: {"bid": 2, "reply": 3, "prize": 2},
    gx.value: {"position": POSITION},
    gx.solve: {"position": TURNED},
    gx.payoff_matrix: {"position": TURNED},
    gx.bid_gains: {"position": TURNED},
    gx.outcomes: {"position": gx.Position(**HANDS, rules=WIN)},
    gx.growth: {"game": 3, "store": "solved.sqlite"},
    gx.solve_matrix_game: {"payoff": GAME},
    gx.solve_matrix_games: {"payoffs": [GAME, GAME], "exactly": True},
    gx.solve_game: {"game": KUHN},
    gx.extensive.best_replies: {"game": KUHN, "row": KUHN_SOLVED.row, "column": KUHN_SOLVED.column},
    gx.exploitability: {"game": KUHN, "row": KUHN_SOLVED.row, "column": KUHN_SOLVED.column},
    extensive.value: {"game": known_games.oshi_zumo(2), "arithmetic": "float"},
    extensive.security_level: {"game": KUHN, "strategy": KUHN_SOLVED.row},
    extensive.locked: {"game": KUHN, "player": 2, "strategy": {"Qb": {"b": 1}}},
    known_games.kuhn_poker: {},
    known_games.leduc_poker: {},
    known_games.liars_dice: {"sides": 3},
    known_games.oshi_zumo: {"coins": 3, "size": 2, "least": 1},
    known_games.repeated: {"game": gx.MatrixGame(GAME), "rounds": 2},
    known_games.recursive_blotto: {"coins": [2, 1], "prizes": [1, 2]},
    exchange.read_efg: {"text": 'EFG 2 R "" { "" "" } t "" 1 { 1, -1 }'},
    exchange.read_transcript: {"text": "[Game]\ngoofspiel(num_cards=2)\n[State]\n0\n1\n1\n"},
    gx.solve_family: {"first": GAME, "second": GAME, "low": "-1/2", "high": 2},
    gx.optimal_set: {"payoff": GAME},
    gx.explain: {"payoff": GAME},
    gx.progress_bar: {},
    gx.view: {"x": 3},
    gx.read: {"path": "no file"},
    gx.Rules: {"prizes": [2, 1]},
    gx.Game(3).chosen: {"upcards": [2]},
    gx.Rules().arranged: {"prizes": [2, 1]},
    NUMBER.head: {"count": 3},
    NUMBER.tail: {"count": 3},
    NUMBER.small_factors: {"limit": 50},
    gx.view("1/3").decimal: {"digits": 3},
    gx.view("7/5").continued_fraction: {"terms": 3},
    BALLS[2][3].decimal: {"digits": 3},
    FLOATS[2][3].decimal: {"digits": 3},
    FLOATS.__getitem__: {"key": 2},
    EXACT.emit: {"fmt": "csv", "digits": 3},
    SOLVED.check: {"payoff": PAYOFFS},
    SOLVED.row.__getitem__: {"key": 2},
    **{
        question: {"position": TURNED}
        for each in (gx.solver(store=":memory:"), gx.solver("float"))
        for question in (each.value, each.solve, each.payoff_matrix, each.bid_gains)
    },
    gx.solve_matrix_game(GAME).check: {"payoff": GAME},
    players.Optimal: {"game": THREE},
    players.BestReply: {"policy": MATCHING, "game": THREE, "states": 10**5},
    players.best_response: {"policy": MATCHING, "game": THREE, "states": 10**5},
    players.expected: {"one": MATCHING, "two": MATCHING, "game": THREE, "states": 10**5},
    players.match: {"one": MATCHING, "two": MATCHING, "game": THREE, "games": 2, "seed": 5},
    players.points: {"rounds": [ROUND]},
    players.policy: {"name": "matching", "game": THREE},
    players.losses: {"policy": MATCHING, "game": THREE, "states": 10**5},
    gx.Game: {"n": 3},
    gx.solver: {"arithmetic": "exact"},
    players.review: {"rounds": (ROUND,), "game": THREE},
    plots.first_moves_heatmap: {"moves": EXACT, "digits": 2},
    plots.digit_growth: {"longest": {3: [(1, 2), (2, 3)]}},
    plots.bid_gains: {"solution": SOLVED, "gains": gx.bid_gains(TURNED, store=":memory:")},
    plots.family: {"solved": gx.solve_family(GAME, GAME, 0, 1)},
    plots.payoffs_heatmap: {"payoffs": PAYOFFS, "digits": 1, "whole": True},
    plots.envelope: {"payoff": GAME},
    gx.solve_matrix_game(GAME).matrix: {"whole": True},
    plots.game_tree: {"solution": gx.solve_game(known_games.kuhn_poker())},
    gx.explore: {"game": 2},
    exchange.write_efg: {"game": POSITION},
    exchange.write_certificate: {"position": POSITION},
    exchange.certificate_to_coq: {"certificate": CERTIFICATE},
    exchange.tree_to_coq: {"solved": KUHN_SOLVED},
    exchange.bidding_game: {"position": TURNED, "payoffs": PAYOFFS},
    gx.eliminate_dominated: {"payoff": GAME, "weak": True},
    gx.regret: {"payoff": GAME, "row": ["1/5", "4/5"], "column": {"1": 1}},
    known_games.morra: {"fingers": 2},
    known_games.blotto: {"coins": 3, "fields": 2},
    known_games.castles: {"coins": [2, 1], "prizes": [1, 2], "limits": [2, 2]},
    known_games.rock_paper_scissors: {"weapons": 5},
    known_games.hilbert: {"n": 3},
    known_games.pascal: {"n": 3},
    gx.MatrixGame: {"payoff": GAME, "rows": ["a", "b"]},
    exchange.write_nfg: {"game": gx.MatrixGame(GAME)},
    exchange.read_nfg: {"text": TREE},
}
"""{public function: arguments of a call that works}."""

with suppress(ImportError):  # PettingZoo may be missing
    CALLS |= {
        training.GopsParallelEnv: {"game": THREE, "costs": True},
        training.GopsEnv: {"game": THREE},
        training.GopsParallelEnv(THREE).reset: {"seed": 5},
        training.GopsEnv(THREE).reset: {"seed": 5},
        training.observation: {"position": POSITION, "n": 3},
    }

with suppress(ImportError):  # OpenSpiel may be missing
    SPIEL = exchange.goofspiel(gx.Game(2))
    LOWEST = exchange.tabular_policy(players.policy("lowest", gx.Game(2)), gx.Game(2))
    TABLE = {key: [(0, 1.0)] for key in exchange.policy_table(LOWEST)}
    SEAT = training.OpenSpielPlayer(TABLE, SPIEL, 0)
    CALLS |= {
        exchange.goofspiel: {"game": THREE},
        exchange.tabular_policy: {"policy": MATCHING, "game": THREE},
        training.OpenSpielPlayer: {"policy": TABLE, "spiel": SPIEL, "seat": 1},
        training.nash_conv: {"game": SPIEL, "policy": TABLE, "states": 10**5},
        training.reply_gain: {"player": SEAT, "states": 10**5},
    }


PARAMETERS = [
    pytest.param(function, name, id=f"{function.__qualname__}-{name}")
    for function in CALLS
    for name, parameter in inspect.signature(function).parameters.items()
    if parameter.kind is not parameter.VAR_KEYWORD
]


@pytest.fixture(autouse=True)
def apart(tmp_path, monkeypatch, solved):
    """A folder for files of odd names, with a solved store, which is the default one."""
    monkeypatch.chdir(tmp_path)
    copy(solved, "solved.sqlite")
    monkeypatch.setenv("GOPS_EXACT_STORE", "solved.sqlite")


RETURNED = """BigInteger BigRational BoundedFloat Elimination Family FirstMoves GameSolution Lengths Listing Number
OptimalSet Outcomes PayoffMatrix ProvedDecimal Sensitivity Solution SolvedGames Solver Strategy
Table"""
OTHERS = """CertificateError Exact PrecisionError StoreError biased_rock_paper_scissors gambit_profile rounds
policy_table profile_strategies hidden_strategies players_of approximate"""
"""Public names without arguments, and those that take what others return."""


def test_every_public_function_has_a_call_in_the_argument_table():
    table = {getattr(function, "__func__", function) for function in CALLS}
    public = {name: getattr(gx, name) for name in gx.__all__}
    for face in (players, exchange, extensive, training, known_games, plots):
        for name in face.__all__:
            with suppress(ImportError):  # of an extra that is missing
                function = getattr(face, name)
                if inspect.isfunction(function):
                    public[name] = function
    left = {name for name, function in public.items() if function not in table}
    assert left <= {*RETURNED.split(), *OTHERS.split()}


@pytest.mark.parametrize(("function", "name"), PARAMETERS)
def test_public_functions_refuse_a_bare_object_as_any_argument_and_say_what_they_got(
    function, name
):
    assert not list(poorly_refused(function, CALLS[function], name))


INTEGERS = [
    pytest.param(function, name, id=f"{function.__qualname__}-{name}")
    for function, arguments in CALLS.items()
    for name, given in arguments.items()
    if type(given) is int
    or (isinstance(given, list) and given and all(type(each) is int for each in given))
]


@pytest.mark.parametrize(("function", "name"), INTEGERS)
def test_public_functions_take_integers_of_numpy_flint_and_gmp_like_pythons(function, name):
    assert_any_width(function, CALLS[function], name)


IN_SHORT = CALLS | {
    gx.hidden_bids.HiddenBids: {"game": THREE},
    gx.solver(store=":memory:").first_move: {"game": THREE},
    gx.solver("float").first_move: {"game": THREE},
    players.Optimal(THREE).costs: {"position": TURNED},
    gx.explain: {"payoff": TURNED},
    gx.solve_game: {"game": TURNED},
    extensive.value: {"game": TURNED},
}


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (function, name)
        for function, arguments in IN_SHORT.items()
        for name, given in arguments.items()
        if isinstance(given, gx.Position) or (isinstance(given, gx.Game) and given == THREE)
    ],
)
def test_public_functions_take_card_counts_as_games_and_names_as_positions(function, name):
    given = IN_SHORT[function][name]
    short = given.n if isinstance(given, gx.Game) else str(given)
    answers = [call(function, IN_SHORT[function] | {name: each}) for each in (given, short)]
    # What these return has no text of its own; that it is made is enough.
    if function.__name__ not in ("GopsEnv", "GopsParallelEnv", "tabular_policy"):
        assert inside(answers[0]) == inside(answers[1])


FIVE = gx.Game(5, deck=range(5))
FOR_FIRST_MOVES = "keep and integers are for first moves, got Float"
LARGE = {
    "too many cards": (lambda: players.Optimal(gx.Game(15)), "n must be at most 14, got 15"),
    "too much memory": (
        lambda: gx.solver("float", gx.Game(20)),
        "n = 20 must take at most .* GB of memory",
    ),
    "little memory at once": (
        lambda: gx.first_move(13, gx.Float(memory_bytes=10**9)),
        "must take .* of memory or have a folder",
    ),
    "long float": (
        lambda: gx.first_move(20, gx.Float(memory_bytes=10**18)),
        "n = 20 must take at most 24 hours",
    ),
    "large float": (
        lambda: gx.value(f"1_2_{2**60}", "float"),
        "must add up to at most 2.52 in floats, got 1152",
    ),
    "many float cards": (
        lambda: gx.value(gx.Position(range(1, 30, 2), range(2, 31, 2), range(1, 16)), "float"),
        "at most 28 different cards, got 30",
    ),
    "little memory": (lambda: gx.solver(gx.Float(memory_bytes=1), 3), "at most 1 bytes of memory"),
    "long": (lambda: gx.solver("exact", 8), "'ball' or 'float' would do"),
    "long match": (
        lambda: players.match("optimal", "random", 13),
        r"10\^21 bytes .*='float' would do",
    ),
    "long walk": (lambda: players.expected("optimal", "random", 8), "at most 7 in exact"),
    "long losses": (lambda: players.losses("matching", 8), "at most 7 in exact"),
    "large deck in floats": (
        lambda: gx.first_move(gx.Game(2, deck=[1, 2**52]), "float"),
        r"the deck must add up to at most 2\^52 in floats",
    ),
}
UNSUITED_FLOATS = {
    "layers of positions": (lambda: gx.solver(gx.Float("new", keep=True), 3), FOR_FIRST_MOVES),
    "short positions": (
        lambda: gx.solver(gx.Float(integers=True), gx.Game(3, WIN)),
        FOR_FIRST_MOVES,
    ),
    "decided": (lambda: gx.value("2.4_1.3_1.2_w_m9", gx.Float("new", keep=True)), FOR_FIRST_MOVES),
}
DECKS = {
    "set": (lambda: gx.Rules(prizes={1, 2}), "or integers in order, got {1, 2}"),
    "small deck": (lambda: gx.Game(3, deck=[1, 2]), "the deck must have 3 prizes, got 2"),
    "order of another deck": (
        lambda: gx.Game(3, gx.Rules(prizes=(1, 2, 3)), [0, 1, 2]),
        "in order must be 0, 1, 2 in some order, got 1, 2, 3",
    ),
}
OTHER_DECKS = {
    "unpublished deck": (lambda: players.policy("published", FIVE), "the deck must be 1 to 5"),
    "deck with hidden bids": (lambda: gx.hidden_bids.HiddenBids(FIVE), "deck must be 1 to 5 here"),
}
MALFORMED = {
    "no prize": (
        lambda: gx.solve(gx.Position([], [], [])),
        "no prize is left to bid for, got upcard None",
    ),
    "empty path": (lambda: gx.Float(""), "folder must be a path, got ''"),
    "no upcard": (
        lambda: gx.first_move(3, upcards=[]),
        "upcards must have at least one prize, got none",
    ),
    "text upcard": (lambda: gx.first_move(3, upcards=["x"]), "A, T, J, Q, K, got 'x'"),
    "label of an only row": (
        lambda: gx.solve_matrix_game([[1, 2]]).row["9"],
        "^a label must be '1', got '9'$",
    ),
    "bytes as a number": (
        lambda: gx.extensive.approximate(gx.hidden_bids.HiddenBids(THREE), seconds=bytearray(b"1")),
        "seconds must be a finite number, got bytearray",
    ),
}
KNOWN = {
    "many fields": (lambda: known_games.blotto(1000, 9), "must be at most 1000000, got 9000000"),
    "even weapons": (lambda: known_games.rock_paper_scissors(4), "weapons must be odd, got 4"),
    "no fingers": (lambda: known_games.morra(0), "fingers must be at least 1, got 0"),
    "repeated list": (lambda: known_games.repeated([[0]], 2), "game must be a MatrixGame"),
    "three purses": (lambda: known_games.recursive_blotto((1, 2, 3), (1,)), "coins must be a pair"),
}


def assert_refused(make, message):
    """Assert that a call is refused with this message, in one line."""
    with pytest.raises(ValueError, match=message) as refusal:
        make()
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(("make", "message"), LARGE.values(), ids=LARGE)
def test_games_of_too_many_cards_hours_bytes_or_points_are_refused(make, message):
    assert_refused(make, message)


@pytest.mark.parametrize(("make", "message"), UNSUITED_FLOATS.values(), ids=UNSUITED_FLOATS)
def test_solving_positions_in_floats_refuses_the_options_keep_and_integers(make, message):
    assert_refused(make, message)


def test_float_arithmetic_with_the_option_keep_is_refused_without_a_folder():
    make = partial(gx.solver, gx.Float(keep=True))
    assert_refused(make, "keep must come with a folder, got none")


@pytest.mark.parametrize(("make", "message"), DECKS.values(), ids=DECKS)
def test_games_refuse_small_decks_and_prize_orders_that_are_sets_or_of_another_deck(make, message):
    assert_refused(make, message)


@pytest.mark.parametrize(("make", "message"), OTHER_DECKS.values(), ids=OTHER_DECKS)
def test_policy_named_published_and_hidden_bids_refuse_decks_other_than_1_to_n(make, message):
    assert_refused(make, message)


@pytest.mark.parametrize(("make", "message"), MALFORMED.values(), ids=MALFORMED)
def test_missing_prizes_folders_and_upcards_and_malformed_labels_and_numbers_are_refused(
    make, message
):
    assert_refused(make, message)


@pytest.mark.parametrize(("make", "message"), KNOWN.values(), ids=KNOWN)
def test_known_games_refuse_too_many_fields_even_weapons_no_fingers_and_three_purses(make, message):
    assert_refused(make, message)
