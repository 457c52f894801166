"""The game of GOPS without any solver: cards, rules and positions; the ways in which two hands interleave (order
types), and the numbers of positions and of matrix games to solve.
"""
