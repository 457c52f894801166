"""Proofs of stored and emitted results, by code that shares nothing with the solvers.

A pair of hands is a text of the letters V, Y and B, an *interleaving*: V for a card that only player one holds, Y for
one that only player two holds, B for one that both hold. Numbers are those of gmpy2. A stored fraction comes with a
*basis* for each upcard, a choice of rows and columns of the payoff matrix. The basis is proved optimal, and its value
is computed exactly. *Balls*, intervals given by a midpoint and a radius, are proved from the values of positions with
one prize less. A proof that fails raises a NotProvedError. The checks of whole documents and stores list this error as
a fault.
"""
