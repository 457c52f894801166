"""Pictures, pages and lines of text of results; their tables are in :mod:`~gops_exact.numbers.table`."""
