"""The game of GOPS: cards, rules, positions, order types and counts, without any solver."""
