"""What GOPS is: cards, rules, positions, order types, counts. Nothing is solved here."""
