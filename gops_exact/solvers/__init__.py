"""Positions and whole games, solved in every arithmetic."""
