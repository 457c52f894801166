"""Pictures, pages and lines of text that show results; tables are in :mod:`~gops_exact.numbers.table`."""
