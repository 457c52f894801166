"""Stored and emitted results proved once more, by code that shares nothing with what made them.

Positions are words over V, Y, B, arithmetic is gmpy2's. For each stored fraction the claimed basis is
evaluated exactly and proved optimal; balls and residues are proved from those one prize smaller.
Nothing is believed. A claim that does not hold, or that cannot be decided, raises a NotProvedError.
"""
