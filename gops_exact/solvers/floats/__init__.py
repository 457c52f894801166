"""Solver in floats: it computes the values for 1, 2, … cards a side, with proved bounds on their errors."""
