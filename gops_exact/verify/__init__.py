"""Proofs of stored and emitted results, by code that shares nothing with the solvers.

A pair of hands is a text of the letters V, Y and B, an *interleaving*: V for a card that only player one holds, Y for
one that only player two holds, B for one that both hold. Numbers are those of gmpy2. A stored
fraction comes with a basis (a choice of rows and columns) for each upcard, which is evaluated exactly and proved
optimal. *Balls*, intervals given by a midpoint and a radius, are proved from the values of positions with one prize
less. The proof of a claim raises a NotProvedError if it fails; the checks of whole documents and stores list it as a
fault.
"""
