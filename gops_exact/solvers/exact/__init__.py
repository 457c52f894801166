"""The recursion a prize set at a time: exact numbers, balls and residues."""
