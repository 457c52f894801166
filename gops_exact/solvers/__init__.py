"""Solvers of positions and of whole games, in every arithmetic."""
