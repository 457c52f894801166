"""Solver in exact numbers and in decimals of which every digit is proved.

It computes the values of positions. Positions with fewer prizes left come first, because the values of positions depend
on those of positions with one prize less.
"""
