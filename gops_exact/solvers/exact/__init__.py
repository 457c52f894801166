"""Solver in exact numbers, balls and residues: it computes the recursion prize set by prize set."""
