"""Equilibria that are right at every information set, beside those that a linear program happens to end at.

    python studies/refined.py [--games NAME ...] [--openspiel] [--out FILE]

For each game: the information sets that `solve_game` answers for both players, of how many; what each player is expected
to gain against a player who plays uniformly, with that strategy and with the refined one (`refined=True`), where sets
that a strategy leaves out are filled uniformly; and core seconds of solving, refined. Every refined strategy has
exploitability 0 and answers every set, else the exit status is 1.

``--openspiel`` adds, for its Kuhn and Leduc poker and liar's dice, the gains and the `nash_conv` of its
`solve_perturbed_zero_sum_game` at the least probability with the least `nash_conv`. It needs OpenSpiel, cvxpy and ecos.
"""

import csv
import sys
from argparse import ArgumentParser, FileType
from collections.abc import Iterator
from fractions import Fraction
from time import process_time
from typing import Any

from flint import fmpq

import gops_exact as gx
from gops_exact import known_games
from gops_exact.extensive import HiddenBids
from gops_exact.extensive.equilibrium import form_of
from gops_exact.extensive.form import Form, Side
from gops_exact.numbers.exact import rational

GAMES = {
    "kuhn_poker()": known_games.kuhn_poker,
    **{f"liars_dice({n})": lambda n=n: known_games.liars_dice(n) for n in range(2, 7)},
    "leduc_poker()": known_games.leduc_poker,
    "HiddenBids(3)": lambda: HiddenBids(gx.Game(3)),
    "HiddenBids(4)": lambda: HiddenBids(gx.Game(4)),
}

SPIEL = {"kuhn_poker()": "kuhn_poker", "leduc_poker()": "leduc_poker"} | {
    f"liars_dice({n})": f"liars_dice(dice_sides={n})" for n in range(2, 5)
}

LEAST = (1e-4, 1e-6, 1e-8, 1e-10)
"""Least probabilities that are tried in OpenSpiel's perturbed game."""

COLUMNS = (
    *("game", "answered", "sets", "one", "one refined", "two", "two refined", "seconds"),
    *("openspiel nash_conv", "openspiel one", "openspiel two"),
)


def plan(side: Side, strategy: Any) -> list[fmpq]:
    """Return the realization plan of a strategy; at sets that it leaves out it plays uniformly."""
    weights = [fmpq(1)] * side.sequences
    for name, (before, after) in side.sets.items():
        mix = strategy.get(name)
        for move, s in after.items():
            share = fmpq(1, len(after)) if mix is None else rational(mix.get(move, 0), "a share")
            weights[s] = weights[before] * share
    return weights


def gains(form: Form, row: Any, column: Any) -> tuple[Fraction, Fraction]:
    """Return what player one gains with `row`, and player two with `column`, against a player who plays uniformly."""
    own, uniform = (
        [plan(side, strategy) for side, strategy in zip(form.sides, pair, strict=True)]
        for pair in ((row, column), ({}, {}))
    )
    result = []
    for one, two in ((own[0], uniform[1]), (uniform[0], own[1])):
        pairs = zip(form.pairs.tolist(), form.payoffs.tolist(), strict=True)
        total = sum((payoff * one[s] * two[t] for (s, t), payoff in pairs), fmpq(0)) / form.scale
        result.append(Fraction(int(total.p), int(total.q)))
    return result[0], -result[1]


def openspiel(name: str) -> dict[str, object]:
    """Return the columns of OpenSpiel's perturbed game."""
    import pyspiel
    from open_spiel.python.algorithms import exploitability, sequence_form_lp
    from open_spiel.python.algorithms.expected_game_score import policy_value
    from open_spiel.python.policy import UniformRandomPolicy, merge_tabular_policies

    game = pyspiel.load_game(name)
    best: tuple[float, Any] = (float("inf"), None)
    for least in LEAST:
        _, _, *policies = sequence_form_lp.solve_perturbed_zero_sum_game(game, "ECOS", least)
        policy = merge_tabular_policies(policies, game)
        best = min(best, (exploitability.nash_conv(game, policy), policy), key=lambda pair: pair[0])
    uniform, state = UniformRandomPolicy(game), game.new_initial_state()
    one = policy_value(state, [best[1], uniform])[0]
    two = policy_value(state, [uniform, best[1]])[1]
    return dict(zip(COLUMNS[-3:], (best[0], one, two), strict=True))


def lines(names: list[str], *, with_openspiel: bool) -> Iterator[dict[str, object]]:
    """Yield a line of the table for each game."""
    for name in names:
        game = GAMES[name]()
        form = form_of(game)
        if not isinstance(form, Form):
            sys.exit(f"{name}: nothing is hidden in this game")
        plain, begun = gx.solve_game(game), process_time()
        refined = gx.solve_game(game, refined=True)
        spent = process_time() - begun
        sets = sum(len(side.sets) + len(side.forced) for side in form.sides)
        if refined.exploitability or len(refined.row) + len(refined.column) != sets:
            sys.exit(f"{name}: the refined strategies are exploitable, or do not answer every set")
        before, after = (gains(form, found.row, found.column) for found in (plain, refined))
        answered = len(plain.row) + len(plain.column)
        counts = name, answered, sets, before[0], after[0], before[1], after[1], f"{spent:.2f}"
        line = dict(zip(COLUMNS, counts, strict=False))
        yield line | (openspiel(SPIEL[name]) if with_openspiel and name in SPIEL else {})


def main() -> None:
    """Write the table."""
    parser = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", nargs="+", choices=tuple(GAMES), default=[*GAMES])
    parser.add_argument("--openspiel", action="store_true")
    parser.add_argument("--out", type=FileType("w", encoding="utf-8"), default=sys.stdout)
    options = parser.parse_args()
    writer = csv.DictWriter(options.out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for line in lines(options.games, with_openspiel=options.openspiel):
        shown = {k: f"{float(v):.5f}" if isinstance(v, Fraction) else v for k, v in line.items()}
        writer.writerow(shown)
        options.out.flush()


if __name__ == "__main__":
    main()
