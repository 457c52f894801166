"""From a position and an arithmetic to a solution: the only room that computes answers."""
