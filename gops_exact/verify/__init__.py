"""Proofs of stored and emitted results, by code that shares nothing with the solvers.

Positions are words over V, Y, B, arithmetic is gmpy2's. For each stored fraction the claimed basis is
evaluated exactly and proved optimal; balls and residues are proved from those one prize smaller.
No claim is taken for granted: one that does not hold, or that cannot be decided, raises a NotProvedError.
"""
