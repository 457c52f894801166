"""Proofs of stored and emitted results, by code that shares nothing with the solvers.

Pairs of hands are interleavings, in the letters V, Y and B, and numbers are gmpy2's. For each stored fraction the
claimed basis is evaluated exactly and proved optimal. Balls are proved from the values of positions with one
prize less. A claim that does not hold, or that cannot be decided, raises a NotProvedError, which the checks of whole
documents and stores list as a fault.
"""
