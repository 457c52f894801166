"""Proofs of stored and emitted results, by code that shares nothing with the solvers.

Words used here:

* A *store* is a file of computed values of positions and of first moves.
* The *upcard* is the prize turned up in a round.
* An *interleaving* is a pair of hands as a text. It has a letter for each card that is held, in ascending order: V for
  a card that only player one holds, Y for one that only player two holds, B for one that both hold.
* A *basis* is a choice of equally many rows and columns of the payoff matrix, which determines a strategy of each
  player.
* A *ball* is an interval, given by its midpoint and its radius.

Numbers are those of gmpy2. A stored fraction comes with a basis for each upcard. The basis is proved optimal, and its
value is computed exactly. A stored ball is proved from the values of positions with one prize less. A proof that fails
raises a NotProvedError. The checks of whole documents and stores list this error as a fault.
"""
