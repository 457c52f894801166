"""Positions of a game to win in which a player is sure of a win: values of exactly 1 or −1, and no others."""

import csv
import random
from functools import cache
from runpy import run_path

import pytest
from places import ROOT

import gops_exact as gx
from gops_exact.game.game import Node, turns
from gops_exact.game.order_types import order_types
from gops_exact.solvers.arithmetic import PRIME
from gops_exact.solvers.exact.ball import BallSystem, ResidueSystem
from gops_exact.solvers.exact.lattice import Table, Values, games, look_up
from gops_exact.solvers.exact.rational import ExactSystem

ORDERS = "random", "hidden", "ascending", "descending"
EVERY_RULE = [gx.Rules("win", ties, order) for ties in ("discard", "carryover") for order in ORDERS]
SYSTEMS = ExactSystem(), BallSystem(64, 0), ResidueSystem(exact_up_to=0)
"""In balls and residues no hands are small: ties are not settled exactly."""


@cache
def guaranteed(one, two, prizes, pot, rules):
    """The points that player one is sure to win, less those lost, if player two sees each bid, and chance is bad luck.

    `prizes` are in the order in which they come, where there is one.
    """
    if not prizes:
        return 0
    upcards = prizes[:1] if rules.fixed else prizes

    def gain(prize, bid, reply):
        stake, sign = prize + pot, (bid > reply) - (bid < reply)
        after = stake if sign == 0 and rules.ties == "carryover" else 0
        rest = tuple(each for each in prizes if each != prize)
        left = [tuple(c for c in hand if c != card) for hand, card in ((one, bid), (two, reply))]
        return stake * sign + guaranteed(*left, rest, after, rules)

    if rules.hidden:
        return max(min(gain(p, v, y) for y in two for p in upcards) for v in one)
    return min(max(min(gain(p, v, y) for y in two) for v in one) for p in upcards)


def samples(rules):
    """Positions whose margins are close to those at which a win becomes sure, and who is sure of it."""
    chance = random.Random(f"{rules}")
    most = 5 if rules.fixed else 4  # five cards take long where chance decides
    for _ in range(12):
        size = chance.randint(1, most)
        one, two, prizes = (tuple(sorted(chance.sample(range(1, 9), size))) for _ in range(3))
        prizes = rules.arranged(prizes)
        pot = chance.choice((0, 0, 3)) if rules.carries else 0
        mine = guaranteed(one, two, prizes, pot, rules)
        theirs = guaranteed(two, one, prizes, pot, rules)
        # As far as rounds are left, the margin does not decide the game itself.
        for margin in {-mine, 1 - mine, theirs, theirs - 1, 0}:
            yield (
                gx.Position(one, two, prizes, rules=rules, margin=margin, pot=pot),
                (margin + mine > 0) - (theirs - margin > 0),
            )


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_values_are_one_exactly_where_a_win_is_sure(rules):
    wins = 0
    for position, sure in samples(rules):
        wins += abs(sure)
        value = gx.value(position, store=":memory:").value
        assert (abs(value) == 1) == bool(sure), position
        assert not sure or value == sure, position
    assert wins


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_the_slabs_of_every_arithmetic_know_sure_wins_exactly(system, rules):
    game = gx.Game(4, rules)
    values = Values(game.types, rules, system)
    values.sweep(game.turns.values())
    sure = 0
    for node in values:
        if len(node.prizes) == game.n:
            continue
        slab, (margin, pot) = values[node], node.state
        layer = values.layer(node)
        for place, word in enumerate(layer.words()):
            # The word has the cards in ascending order: who holds each.
            one, two = (
                tuple(card for card, letter in enumerate(word, 1) if letter in held)
                for held in ("VB", "YB")
            )
            mine = guaranteed(one, two, node.prizes, pot, rules)
            theirs = guaranteed(two, one, node.prizes, pot, rules)
            sign = (margin + mine > 0) - (theirs - margin > 0)
            ball = slab.balls[place]
            assert ball == sign if sign else -1 < ball < 1, (node, word)
            if sign and slab.residues:
                assert int(slab.residues[place]) == sign % PRIME
            sure += abs(sign)
    assert sure


def test_a_payoff_of_one_point_decides_nothing():
    layer = order_types((1, 2), (1, 2))[1]
    (turn,) = turns(gx.Rules(), Node((1,)))
    table = Table(turn, layer, {}, BallSystem(64))
    (indices,) = games(layer)
    assert look_up(indices, table.balls) == [[-1]]
    assert table.sure(indices) is None


def test_the_counts_by_layer_are_those_on_the_page():
    """And those of small games are counted anew."""
    root = ROOT
    counted = run_path(str(root / "benchmarks/sure_wins.py"))["shares"]
    page = (root / "docs/win.md").read_text("utf-8")
    with (root / "docs/sure_wins.csv").open(encoding="ascii", newline="") as file:
        kept = [{name: int(count) for name, count in row.items()} for row in csv.DictReader(file)]
    for n in range(2, 12):
        layers = {row["cards left"]: row for row in kept if row["n"] == n}
        assert [*layers] == [*range(1, n)]
        total = {name: sum(row[name] for row in layers.values()) for name in layers[1]}
        won, games_won = (total[f"{name} won"] / total[name] for name in ("positions", "games"))
        line = (
            f"| {n} | {total['positions']:,} | {won:.4f} | {total['games']:,} | {games_won:.4f} |"
        )
        assert line in page
        if n <= 5:
            found = counted(gx.Game(n, gx.Rules("win")))
            assert {size: {**row, **found[size]} for size, row in layers.items()} == layers
