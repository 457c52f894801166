"""Numbers in results and their tables; conversions of exact numbers of any type."""
