"""The recursion over the prize lattice, one module an arithmetic."""
