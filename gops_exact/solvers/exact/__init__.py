"""Solver in exact numbers, balls: it computes the recursion prize set by prize set."""
