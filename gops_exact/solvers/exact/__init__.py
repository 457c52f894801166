"""The recursion by prize sets, in exact numbers, balls and residues."""
