"""The game with hidden bids: players see who won each prize, not what was bid.

Learning programs play it; in OpenSpiel it is ``goofspiel(imp_info=True)``. Since bids stay private, it is a game of
imperfect information, and no recursion over positions solves it. Its sequence form is solved exactly (:func:`solve`),
or strategies are learned and their distance from an equilibrium is proved (:func:`approximate`). Any strategy is
measured exactly (:func:`secured`, :func:`exploitability`). Solving needs HiGHS: ``pip install '.[hidden]'``.

>>> from gops_exact import Game, Rules, hidden_bids
>>> game = hidden_bids.HiddenBids(Game(4, Rules(prizes="descending")))
>>> game.form.counts
Counts(information_sets=(81, 81), forced=(288, 288), sequences=(175, 175), leaves=576)
"""

from gops_exact.extensive.equilibrium import Equilibrium, exploitability, secured, solve
from gops_exact.extensive.hidden_bids import HiddenBids
from gops_exact.extensive.learn import approximate

__all__ = [
    "Equilibrium",
    "HiddenBids",
    "approximate",
    "exploitability",
    "secured",
    "solve",
]
