"""Stored and emitted results proved once more, by code that shares nothing with what made them.

Positions are words over V, Y, B, arithmetic is gmpy2's. For each stored value the claimed basis is
evaluated exactly and proved optimal; nothing is searched for, and nothing is believed.
"""
