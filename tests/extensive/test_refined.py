"""Quasi-perfect equilibria of trees: right at every information set, and proved without the linear program."""

import json
from fractions import Fraction
from random import Random
from threading import Event

import pytest
from flint import fmpq, fmpq_poly
from games import random_game, random_tree
from program import run

import gops_exact as gx
from gops_exact import known_games
from gops_exact.exchange.reading import object_of
from gops_exact.extensive import Chance, HiddenBids, Move, Simultaneous, Tree, linear_program
from gops_exact.extensive.equilibrium import form_of
from gops_exact.extensive.form import Form
from gops_exact.extensive.hidden_costs import worth_of_bids
from gops_exact.extensive.refined import (
    PerturbedProgram,
    for_small,
    is_quasi_perfect,
    refined_plans,
)
from gops_exact.extensive.trees import Moves, node_at


def expected(game, row, column, state=None):
    """Return player one's expected payoff of two strategies that answer every information set."""
    state = game.start if state is None else state
    node = node_at(game, state)
    if isinstance(node, dict):
        return sum(
            Fraction(str(p)) * expected(game, row, column, after) for after, p in node.items()
        )
    if not isinstance(node, Moves):
        return Fraction(str(node))
    mixes = [
        mix[name] if len(labels) > 1 else {labels[0]: 1}
        for mix, name, labels in zip((row, column), node.knows, node.labels, strict=True)
    ]
    return sum(
        Fraction(str(mixes[0].get(one, 0)))
        * Fraction(str(mixes[1].get(two, 0)))
        * expected(game, row, column, after)
        for one, line in zip(node.labels[0], node.after, strict=True)
        for two, after in zip(node.labels[1], line, strict=True)
    )


def uniform(game):
    """Return the strategies of both players that play every move with the same probability."""
    return [
        {
            name: dict.fromkeys(after, Fraction(1, len(after)))
            for name, (_, after) in side.sets.items()
        }
        for side in form_of(game).sides
    ]


@pytest.mark.parametrize(
    ("game", "one", "two"),
    [
        (known_games.kuhn_poker(), "1/6", "1/6"),
        (known_games.liars_dice(2), "3/4", "3/8"),
        (known_games.liars_dice(3), "16/27", None),  # player two has several refined strategies
    ],
)
def test_refined_strategies_use_the_mistakes_of_a_uniform_player(game, one, two):
    solved = gx.solve_game(game, refined=True)
    row, column = uniform(game)
    assert solved.exploitability == 0
    assert expected(game, solved.row, column) == Fraction(one)
    assert two is None or -expected(game, row, solved.column) == Fraction(two)


@pytest.mark.parametrize(
    "game",
    [
        known_games.liars_dice(4),
        known_games.leduc_poker(),
        HiddenBids(gx.Game(3)),
        HiddenBids(gx.Game(3), (True, False)),
        HiddenBids(gx.Game(4, gx.Rules("win", "carryover", "descending"))),
    ],
)
def test_refined_strategies_answer_every_information_set_and_are_not_exploitable(game):
    solved = gx.solve_game(game, refined=True)
    for side, strategy in zip(form_of(game).sides, (solved.row, solved.column), strict=True):
        assert strategy.keys() == side.sets.keys() | side.forced.keys()
    assert gx.exploitability(game, solved.row, solved.column) == 0


def trees_of(seed):
    """Random trees with information sets, as sequence forms."""
    source = Random(seed)
    while True:
        tree, _ = random_game(source, hidden=True)
        form = form_of(tree)
        if isinstance(form, Form):
            yield tree, form


@pytest.mark.parametrize("seed", range(40))
def test_refined_plans_of_random_trees_are_proved_and_their_limit_is_an_equilibrium(seed):
    tree, form = next(trees_of(seed))
    plans = refined_plans(form)
    assert is_quasi_perfect(form, plans)
    solved = gx.solve_game(tree, refined=True)
    assert solved.value == gx.solve_game(tree).value
    assert solved.exploitability == 0


@pytest.mark.parametrize("seed", range(10))
def test_quasi_perfect_equilibria_are_found_in_fractions_alone(seed):
    form = next(trees_of(seed))[1]
    reports = []
    program = PerturbedProgram(form, lambda *report: reports.append(report))
    plans = program.by_fractions()
    assert is_quasi_perfect(form, plans)
    assert reports == sorted(reports) and reports[0] == (0, program.height)


@pytest.mark.parametrize("seed", [4, 30, 46])
def test_refined_equilibria_are_found_where_payoffs_differ_widely_in_size(seed):
    tree, _ = random_tree(Random(seed))
    assert gx.solve_game(tree, refined=True).exploitability == 0


def test_quasi_perfect_check_refuses_plans_whose_weights_do_not_add_up():
    form = form_of(known_games.kuhn_poker())
    plans = refined_plans(form)
    for plan, side in zip(plans, form.sides, strict=True):
        powers = 1 + int(side.depths().max())
        for k in range(1, side.sequences):
            for power in range(powers):
                plan[k] += fmpq_poly([0] * power + [1])
                assert not is_quasi_perfect(form, plans)
                plan[k] -= fmpq_poly([0] * power + [1])
    assert is_quasi_perfect(form, plans)


def pure_plan(side, main):
    """Return a plan with the least weight ε^d for every sequence of depth d, except for the sequences in `main`.

    `main` has one sequence at each information set. It gets the rest of the weight of the sequence before.
    """
    plan = [fmpq_poly([0] * depth + [1]) for depth in side.depths().tolist()]
    for (before,), after in side.sets.values():
        (move,) = main & {*after.values()}
        plan[move] = plan[before] - sum((plan[s] for s in {*after.values()} - {move}), fmpq_poly())
    return plan


@pytest.mark.parametrize("game", [known_games.kuhn_poker(), known_games.liars_dice(2)], ids=str)
def test_quasi_perfect_check_refuses_plans_with_the_main_weight_on_a_worse_move(game):
    form, refused = form_of(game), 0
    plans = refined_plans(form)
    for player, side in enumerate(form.sides):
        best, gains = form.best_moves(plans[1 - player], player, for_small)
        for _, after in side.sets.values():
            (move,) = best.keys() & after.values()
            for worse in (
                s for s in after.values() if for_small(gains[s]) < for_small(gains[move])
            ):
                changed = [*plans]
                changed[player] = pure_plan(side, best.keys() - {move} | {worse})
                assert not is_quasi_perfect(form, changed)
                refused += 1
    assert refused >= 8


class Gift:
    """Player one may end the game, or give player two ten points, who may leave nine of them."""

    start = "start"

    def at(self, state):
        match state:
            case "start":
                return Move(1, {"end": 0, "give": "given"}, knows="start")
            case "given":
                return Move(2, {"leave": -1, "take": -10}, knows="gift")
        return state


def test_refined_strategy_takes_a_gift_that_is_never_made_in_equilibrium():
    solved = gx.solve_game(Gift(), refined=True)
    assert (solved.row["start"], solved.column["gift"]) == ({"end": 1}, {"take": 1})
    assert solved.reached == ({"start": 1}, {})


def test_refined_refuses_named_information_sets_whose_states_can_return():
    # Its tree has no end: player one goes on until chance ends the game.
    nodes = {"start": Move(1, {"go": "draw"}, "set"), "draw": Chance({"start": "1/2", 1: "1/2"})}
    game = Tree("start", lambda state: nodes.get(state, state))
    assert gx.solve_game(game).value == 1
    with pytest.raises(ValueError, match="refined must be False .* can reach a state twice"):
        gx.solve_game(game, refined=True)


def test_support_of_refined_strategies_counts_only_moves_that_are_played():
    solved = gx.solve_game(HiddenBids(gx.Game(3, gx.Rules(prizes="descending"))), refined=True)
    # These are the only information sets with several moves to which player one's own bids lead.
    assert {name: [*solved.row[name]] for name in ("3", "3:3+ 2", "3:3= 2")} == {
        "3": [3],
        "3:3+ 2": [1, 2],
        "3:3= 2": [2],
    }
    assert solved.support == (4, 4)
    assert "Sequences played: 4 and 4." in str(solved)


def test_information_sets_are_reached_with_the_product_of_chance_and_both_strategies():
    solved = gx.solve_game(known_games.kuhn_poker(), refined=True)
    bets = solved.row["J"]["b"]
    assert solved.reached[0]["J"] == Fraction(1, 3)
    # Player two holds the queen, and player one a jack that bets, or a king that does.
    assert solved.reached[1]["Qb"] == Fraction(1, 6) * (
        Fraction(str(bets)) + Fraction(str(solved.row["K"].get("b", 0)))
    )
    # Player one holds the queen and passes, and player two a jack that bets, or a king that does.
    assert solved.row["Q"] == {"p": 1}
    assert solved.reached[0]["Qpb"] == Fraction(1, 6) * (
        Fraction(str(solved.column["Jp"]["b"])) + Fraction(str(solved.column["Kp"]["b"]))
    )
    assert "reached  move" in str(solved)


@pytest.mark.parametrize("game", [known_games.kuhn_poker(), HiddenBids(gx.Game(3))])
def test_refined_solutions_come_back_from_their_documents(game):
    solved = gx.solve_game(game, refined=True)
    assert object_of(json.dumps(solved.document())) == solved


def test_tables_of_solutions_mark_arbitrary_moves_unless_the_equilibrium_is_refined():
    game = known_games.liars_dice(2)
    assert "arbitrary" in str(gx.solve_game(game))
    assert "arbitrary" not in str(gx.solve_game(game, refined=True))


def test_solve_command_refuses_refined_equilibria_of_matrix_games_or_within_a_time_limit(tmp_path):
    (tmp_path / "game.csv").write_text("1,2\n3,4\n")
    matrix = run(["solve", str(tmp_path / "game.csv"), "--refined"])
    assert matrix.status == 2 and "--refined goes with a game tree" in matrix.err
    learned = run(["solve", "kuhn_poker", "--refined", "--seconds", "1"])
    assert learned.status == 2 and "--refined goes with no --seconds" in learned.err


@pytest.mark.parametrize("refined", [False, True])
def test_information_set_with_one_move_that_is_passed_twice_counts_as_reached_twice(
    refined, tmp_path
):
    nodes = {
        "start": Move(1, {"go": "again"}, knows="forced"),
        "again": Move(1, {"go": "guess"}, knows="forced"),
        "guess": Move(2, {"a": 1, "b": 2}, knows="choice"),
    }
    solved = gx.solve_game(Tree("start", lambda state: nodes.get(state, state)), refined=refined)
    assert solved.reached == ({"forced": 2}, {"choice": 1})
    (tmp_path / "twice.json").write_text(json.dumps(solved.document()), "utf-8")
    assert run(["verify", str(tmp_path / "twice.json")]).status == 0


class LateEvent(Event):
    """An event that is set in good time, but for which the first wait is reported to have been in vain."""

    reported = False

    def wait(self, timeout=None):
        if self.reported:
            return super().wait(timeout)
        super().wait()
        self.reported = True
        return False


def test_linear_programs_report_pivots_while_highs_works(monkeypatch):
    reports = []
    monkeypatch.setattr(linear_program, "Event", LateEvent)
    game = HiddenBids(gx.Game(4, gx.Rules(prizes="descending")))
    gx.solve_game(game, progress=lambda *report: reports.append(report))
    assert any(done > 0 for done, _ in reports)
    assert all(0 <= done < total for done, total in reports)


def worth_by_hand(game, behaviour, player, rounds, upcard):
    """The conditional expectations of a player's bids, by all plays that look the same, against full support."""
    other = 1 - player

    def best(beliefs):  # by state: the sum over bids of the best, of what is worth it, unnormalised
        node = game.at(next(iter(beliefs)))
        if isinstance(node, Chance):
            drawn = {}
            for state, share in beliefs.items():
                for after, chance in game.at(state).outcomes.items():
                    drawn.setdefault(after.upcard, {})[after] = share * Fraction(str(chance))
            return sum(map(best, drawn.values()))
        if not isinstance(node, Simultaneous):
            return sum(
                share * (1 - 2 * player) * game.at(state) for state, share in beliefs.items()
            )
        return max(after_bid(beliefs, bid) for bid in {pair[player] for pair in node.moves})

    def after_bid(beliefs, bid):
        groups = {}
        for state, share in beliefs.items():
            node = game.at(state)
            for pair, after in node.moves.items():
                if pair[player] == bid:
                    chance = behaviour(node.knows[other], pair[other])
                    sign = (pair[0] > pair[1]) - (pair[0] < pair[1])
                    groups.setdefault(sign, {})[after] = share * chance
        return sum(map(best, groups.values()))

    beliefs = {game.start: Fraction(1)}
    for prize, _, *bids in [*rounds, (upcard, 0)]:
        beliefs = {state._replace(upcard=prize): share for state, share in beliefs.items()}
        if bids:
            later = {}
            for state, share in beliefs.items():
                node = game.at(state)
                for pair, after in node.moves.items():
                    signs = [(a > b) - (a < b) for a, b in (pair, bids)]
                    if pair[player] == bids[player] and signs[0] == signs[1]:
                        later[after] = share * behaviour(node.knows[other], pair[other])
            beliefs = later
    node, weight = game.at(next(iter(beliefs))), sum(beliefs.values())
    return {bid: after_bid(beliefs, bid) / weight for bid in {pair[player] for pair in node.moves}}


@pytest.mark.parametrize("rules", [gx.Rules(prizes="descending"), gx.Rules("win", "carryover")])
def test_worth_of_hidden_bids_is_the_average_over_plays_that_look_the_same(rules):
    game, rng, small = HiddenBids(gx.Game(3, rules)), Random(1), fmpq(1, 10**9)
    plans = refined_plans(game.form)

    def behaviour_of(player):
        side, plan = game.form.sides[player], [weight(small) for weight in plans[player]]

        def behaviour(name, move):
            (before,), after = side.sets.get(name, ((0,), {move: 0}))
            return Fraction(str(plan[after[move]] / plan[before]))

        return behaviour

    for _ in range(4):
        orders = [3, 2, 1] if rules.fixed else rng.sample([1, 2, 3], 3)
        bids = zip(rng.sample([1, 2, 3], 3), rng.sample([1, 2, 3], 3), strict=True)
        state, rounds = game.start, []
        for upcard, pair in zip(orders, bids, strict=True):
            state = game.at(state._replace(upcard=upcard)).moves[pair]
        rounds = state.rounds
        for player, found in enumerate(worth_of_bids(game, rounds)):
            lead = 0
            for k, (upcard, stake, *bids) in enumerate(rounds):
                expected = worth_by_hand(game, behaviour_of(1 - player), player, rounds[:k], upcard)
                value, gain, best = found[k]
                assert abs(max(expected.values()) - lead - value) < 1e-6
                assert abs(expected[bids[player]] - lead - gain) < 1e-6
                assert abs(expected[best] - max(expected.values())) < 1e-6
                if rules.objective == "points":
                    lead += stake * (
                        (bids[player] > bids[1 - player]) - (bids[player] < bids[1 - player])
                    )
