"""The solver in floats: the recursion is computed layer by layer, with proved bounds on the errors."""
