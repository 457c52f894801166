"""Single cases drawn at random: python tests/attack cases --seconds 600 --seed 1

    words            argument vectors of the program
    paths            random matrix games, by every path
    forms            random matrix games, in every form that they may be given in, and their certificates
    sensitivity      random matrix games: rates and intervals of each payoff, against games with other payoffs
    families         random games A + tB: pieces, their ends, and the solutions at a hundred t
    first moves      documents of first moves, which `verify` must take, and then with a false claim or damaged
    kept documents   objects of every class that can be read back: equal, and the same text when emitted again
    trees            random game trees with hostile names and payoffs of up to 400 bits, as own games and files of Gambit;
                     their documents, as they are and with changes, which `verify` must tell apart
    loops            random games in which a play can reach a state twice, beside value iteration and exact best
                     replies; long random recursions
    games of paths   random games of paths, beside a list of all paths; their documents likewise
    refined trees    random game trees with quasi-perfect equilibria: their moves, and their documents likewise
    doors            a random tree and a random matrix game, through every format and package that holds them
    exploited        random policies of OpenSpiel's games: exploitability beside its nash_conv
    files            damaged files of games, given to `solve`
    false stores     stores with a false number, which `verify` must refuse
    certificates     damaged certificates of whole games, which `proofs/check.py` must refuse
    solved trees     solved game trees with another number, which `proofs/check.py` must judge as the oracle does
    positions        random positions by all rules, asked of the server by their names
    numbers          numbers with radii, in every format

Sequences of calls, with what is kept between them, are what ``python tests/attack traces`` draws.
"""

import sys
from pathlib import Path

import case_runner
import documents
import doors
from certificates import certificate_case, solved_tree_case
from exploited import exploited_case
from games import forms_case, paths_case
from positions import position_case
from radii import numbers_case
from stochastic_games import loops_case
from variations import family_case, sensitivity_case
from words import call, words_case

import gops_exact as gx

FAMILIES = {
    "words": words_case,
    "paths": paths_case,
    "forms": forms_case,
    "doors": doors.doors_case,
    "exploited": exploited_case,
    "sensitivity": sensitivity_case,
    "families": family_case,
    **documents.FAMILIES,
    "certificates": certificate_case,
    "solved trees": solved_tree_case,
    "positions": position_case,
    "loops": loops_case,
    "numbers": numbers_case,
}


def prepare():
    """Compile or load the kernels, which may take longer than a case may, and write what is to be damaged."""
    for rules in (gx.Rules(), gx.Rules("win")):
        gx.first_move(3, "float", rules=rules)
        gx.first_move(3, gx.Float(integers=rules.winning), rules=rules)
    documents.prepare()
    doors.prepare()
    # Modules that a first call loads are not loaded again by each forked case.
    solved = gx.solve_game(gx.known_games.kuhn_poker(), refined=True)
    Path("prepared.json").write_text(solved.emit("json"), "utf-8")
    call(["verify", "prepared.json"])
    call(["solve", "prepared.json"])


if __name__ == "__main__":
    sys.exit(case_runner.main(__doc__, FAMILIES, prepare))
