"""The solver in exact numbers, balls and residues: the recursion is computed prize set by prize set."""
