"""Solver in floats: it computes the recursion layer by layer, with proved bounds on the errors."""
