"""Solver in floats: it computes the values of all positions with 1, 2, … cards a side, with proved error bounds."""
