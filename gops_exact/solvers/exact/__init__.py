"""Solver in exact numbers and in proved decimals: it goes through the sets of prizes that can be left, small ones first."""
