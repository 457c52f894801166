"""Games and solutions that go to pygambit and come back, and what it makes of them."""

from fractions import Fraction
from io import StringIO

import oracle
import pytest
from oracle_checks import as_oracle
from recursions import EVERY_RULE

import gops_exact as gx
from gops_exact.exchange import gambit_profile, profile_strategies, write_efg, write_nfg

pygambit = pytest.importorskip("pygambit", reason="pygambit is not installed")

DUEL = gx.MatrixGame([[3, "-1/2"], [1, 2]], ["top", "low"], ["a", "b"], "a duel")
PENNIES = gx.MatrixGame([[1, -1], [-1, 1]])


def value_by_gambit(tree):
    """Player one's value of a tree by Gambit's linear program over the rationals."""
    found = pygambit.nash.lp_solve(pygambit.read_efg(StringIO(tree)), rational=True)
    if hasattr(found, "equilibrium"):  # from Gambit 17 on
        return Fraction(str(found.equilibrium.payoffs["Player one"]))
    (equilibrium,) = found.equilibria
    return Fraction(str(equilibrium.payoff("Player one")))


TWO_CARDS = [((2, 4), (1, 4), (0, 3), rules) for rules in EVERY_RULE]
# Trees in which three cards can be won or lost at random take Gambit seconds each.
THREE_CARDS = [
    ((1, 2, 5), (2, 3, 4), (1, 2, 3), gx.Rules("points", ties, "descending"))
    for ties in ("discard", "carryover")
]


@pytest.mark.parametrize(("one", "two", "prizes", "rules"), [*TWO_CARDS, *THREE_CARDS], ids=str)
def test_gambit_finds_the_value_of_the_reference_solver_of_the_tests_for_exported_trees(
    one, two, prizes, rules
):
    state = {"margin": int(rules.winning), "pot": 2 if rules.carries and len(one) == 2 else 0}
    value = value_by_gambit(write_efg(gx.Position(one, two, prizes, rules=rules, **state)))
    left = one, two, rules.arranged(prizes)
    assert value == oracle.position_value(*left, **as_oracle(rules), **state)


@pytest.mark.parametrize("prizes", ["random", "hidden"])
def test_solutions_become_pygambit_profiles_of_the_same_value_and_are_read_back(prizes):
    position = gx.Position([1, 3], [2, 3], [2, 5], rules=gx.Rules(prizes=prizes))
    game = pygambit.read_efg(StringIO(write_efg(position)))
    solved = gx.solve_game(game)
    profile = gambit_profile(solved, game)
    gains = getattr(profile, "payoffs", None) or {"Player one": profile.payoff("Player one")}
    assert Fraction(str(gains["Player one"])) == solved.value  # Gambit 17, or 16
    row, column = profile_strategies(profile)
    assert gx.exploitability(game, row, column) == 0
    even = profile_strategies(game.mixed_behavior_profile(rational=True))
    assert gx.exploitability(game, *even) >= 0
    with pytest.raises(ValueError, match="information sets and moves"):
        gambit_profile(gx.solve_game(gx.known_games.kuhn_poker()), game)


def test_matrix_games_of_pygambit_are_solved_and_their_solutions_become_its_profiles():
    game = pygambit.read_nfg(StringIO(write_nfg(DUEL)))
    solved = gx.solve_matrix_game(game)
    assert solved.game == DUEL and solved == gx.solve_matrix_game(DUEL)
    profile = gambit_profile(solved, game)
    assert profile.max_regret() == 0
    with pytest.raises(ValueError, match="game must have the strategies of the solution"):
        gambit_profile(gx.solve_matrix_game(PENNIES), game)
