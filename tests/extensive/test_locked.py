"""Games in which a player's play is fixed: values that are known, laws, and what is refused."""

from dataclasses import dataclass
from fractions import Fraction
from random import Random

import pytest
from games import check_tree, random_game

import gops_exact as gx
from gops_exact.extensive import Chance, HiddenBids, Move, Simultaneous, Tree, locked
from gops_exact.extensive.trees import listed

pytest.importorskip("highspy", reason="HiGHS is not installed")
KUHN = gx.known_games.kuhn_poker()


@dataclass(frozen=True)
class Toy:
    """The game of desktop-postflop's issue 27, in halves of the pot: aces or queens against kings, one bet of the pot."""

    start: str = ""

    def at(self, state):
        best = 1 if state.startswith("A") else -1
        match state[1:]:
            case "" if not state:
                return Chance({"A": "1/2", "Q": "1/2"})
            case "":
                return Move(1, {"bet": f"{state} bets", "check": f"{state} checks"}, state)
            case " bets":
                return Move(2, {"call": f"{state} call", "fold": f"{state} fold"}, "bet at")
            case " checks":
                return Move(2, {"bet": f"{state} raise", "check": f"{state} show"}, "checked to")
            case " checks raise":
                return Move(
                    1, {"call": f"{state} call", "fold": f"{state} lost"}, f"{state[0]} bet at"
                )
            case " bets fold":
                return 1
            case " checks raise lost":
                return -1
        return best if state.endswith("show") else 3 * best


def bets_when_checked_to(share):
    return {"checked to": {"bet": share, "check": 1 - share}}


PAYOFFS = {(0, 0): 3, (0, 1): Fraction(-1, 2), (1, 0): 1, (1, 1): 2}
DUEL = Tree("duel", lambda state: Simultaneous(PAYOFFS) if state == "duel" else state)
NAMED = Tree("duel", lambda at: Simultaneous(PAYOFFS, ("one", "two")) if at == "duel" else at)


@pytest.mark.parametrize(
    ("game", "player", "play", "value"),
    [
        (KUHN, 2, {"Qb": {"b": 1}}, Fraction(1, 18)),  # always calls with the queen
        (KUHN, 2, {"Qb": {"b": "1/3", "p": "2/3"}}, Fraction(-1, 18)),  # as in an equilibrium
        (KUHN, 1, {"J": {"b": 1}}, Fraction(-5, 18)),  # bluffs too often
        (Toy(), 1, {}, Fraction(1, 2)),
        (Toy(), 2, {"bet at": {"call": 1}}, 1),  # then queens never bluff
        (Toy(), 2, {"bet at": {"fold": 1}}, 1),  # then they always do
        # What the solver of the issue plays, a bet of a quarter when checked to, is no mistake, but three quarters are.
        (Toy(), 2, bets_when_checked_to(Fraction(1, 4)), Fraction(1, 2)),
        (Toy(), 2, bets_when_checked_to(Fraction(1, 2)), Fraction(1, 2)),
        (Toy(), 2, bets_when_checked_to(Fraction(3, 4)), Fraction(3, 4)),
        (DUEL, 1, {"duel": {0: "1/2", 1: "1/2"}}, Fraction(3, 4)),
        (NAMED, 1, {"one": {0: "1/2", 1: "1/2"}}, Fraction(3, 4)),
        (NAMED, 2, {"two": {1: 1}}, 2),
        (HiddenBids(gx.Game(2)), 2, {"1": {1: 1}, "2": {1: 1}}, Fraction(1, 2)),
    ],
)
def test_games_with_the_play_of_one_player_fixed_have_the_known_values(game, player, play, value):
    known = locked(game, player, play)
    check_tree(known, value)
    solved = gx.solve_game(game)
    answer = gx.solve_game(known)
    # Against this play the other player gains at least the value of the whole game, but may guarantee less.
    sign, strategy = (1, answer.row) if player == 2 else (-1, answer.column)
    guaranteed = gx.solve_game(locked(game, 3 - player, strategy)).value
    assert sign * guaranteed <= sign * solved.value <= sign * value


def test_refined_toy_poker_never_bets_when_checked_to():
    solved = gx.solve_game(Toy(), refined=True)
    assert solved.column == {
        "bet at": {"call": Fraction(1, 2), "fold": Fraction(1, 2)},
        "checked to": {"check": 1},
    }
    assert solved.row["A"] == {"bet": 1} and solved.row["Q"] == {
        "bet": Fraction(1, 2),
        "check": Fraction(1, 2),
    }


@pytest.mark.parametrize("hidden", [True, False])
def test_game_with_the_strategy_of_one_player_fixed_is_worth_its_security_level(hidden):
    """A strategy that is fixed everywhere meets a best reply; fixed in part, the rest is as good as it can be."""
    source = Random(11)
    for _ in range(60):
        game = random_game(source, hidden=hidden)[0]
        player = source.choice((1, 2))
        play = {}
        for name, (_, moves) in listed(game)[1][player - 1].items():
            weights = [source.choice((0, 0, 1, 2)) for _ in moves] if len(moves) > 1 else [1]
            weights = weights if sum(weights) else [1] * len(moves)
            play[name] = {m: Fraction(w, sum(weights)) for m, w in zip(moves, weights, strict=True)}
        sign = 1 if player == 1 else -1
        worth = sign * gx.extensive.security_level(game, play, player)
        assert gx.solve_game(locked(game, player, play)).value == worth
        part = {name: play[name] for name in play if source.random() < 0.5}
        free = gx.solve_game(locked(game, player, part)).value
        assert sign * worth <= sign * free <= sign * gx.solve_game(game).value


@pytest.mark.parametrize(
    "game", [KUHN, HiddenBids(gx.Game(3)), gx.known_games.oshi_zumo(4)], ids=str
)
def test_games_with_equilibrium_strategies_fixed_keep_their_value(game):
    solved = gx.solve_game(game)
    one = locked(game, 1, solved.row)
    assert (
        gx.solve_game(one).value
        == gx.solve_game(locked(game, 2, solved.column)).value
        == solved.value
    )
    both = locked(
        one, 2, {name: mix for name, mix in solved.column.items() if name in listed(one)[1][1]}
    )
    assert gx.solve_game(both).value == solved.value


@pytest.mark.parametrize(
    ("player", "play", "message"),
    [
        (2, {"Zb": {"b": 1}}, "player 2 has no information set 'Zb'"),
        (1, {"Qb": {"b": 1}}, "player 1 has no information set 'Qb'"),
        (2, {"Qb": {"call": 1}}, "Qb: expected probabilities of p, b with the sum 1, got call: 1"),
        (2, {"Qb": {"b": "1/2"}}, "Qb: expected probabilities of p, b with the sum 1, got b: 1/2"),
        (2, {"Qb": {}}, "Qb: expected probabilities of p, b with the sum 1, got none"),
        (2, {"Qb": {"b": 2, "p": -1}}, "Qb: a probability must not be negative"),
        (2, {"Qb": 1}, "'Qb' must be a mapping"),
        (2, {"Qb": [1]}, r"^'Qb' must be a mapping {move: probability}, got \[1\]$"),
        (
            2,
            {"Qb": [([], 1)]},
            r"^'Qb' must be a mapping {move: probability}, got \[\(\[\], 1\)\]$",
        ),
        (
            2,
            {"Qb": [("b", "1/2"), ("b", "1/2")]},
            r"^'Qb' must name each move once, got \[\('b', '1/2'\), \('b', '1/2'\)\]$",
        ),
        (2, {"Qb": [("b", 1, 2)]}, r"^'Qb' must be a mapping {move: probability}, got "),
        (2, ["Qb"], "strategy must be a mapping"),
        (3, {}, "player must be at most 2, got 3"),
    ],
)
def test_fixing_the_play_of_a_player_refuses_what_is_no_strategy_of_player_one_or_two(
    player, play, message
):
    with pytest.raises(ValueError, match=message):
        locked(KUHN, player, play)
