"""The game with hidden bids: players see who won each prize, not what was bid.

Learning programs play this game; OpenSpiel calls it ``goofspiel(imp_info=True)``. Bids stay private, so the
game has imperfect information, and no recursion over positions solves it. :func:`solve` solves its sequence
form exactly. :func:`approximate` learns strategies and proves their distance from an equilibrium.
:func:`secured` and :func:`exploitability` measure any strategy exactly. Solving needs HiGHS:
``pip install '.[hidden]'``.

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
