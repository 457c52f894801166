"""The game of GOPS: cards, rules, positions, order types, counts. Nothing is solved here."""
