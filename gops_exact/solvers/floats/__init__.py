"""The recursion a layer at a time, in floats with proved bounds."""
