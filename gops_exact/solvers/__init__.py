"""Solvers of positions in any arithmetic: the only subpackage that computes answers."""
