"""Games of the literature by name."""
