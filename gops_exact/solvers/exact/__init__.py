"""Solver in exact numbers and in proved decimals, which computes the values for each set of prizes that can be left.

Smaller sets of prizes come first, because the values for a set depend on those for the sets with one prize less.
"""
