"""Solver in exact numbers, and in proved decimals: it computes values for one set of prizes left after another."""
