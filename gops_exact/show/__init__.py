"""Pictures, web pages and lines of text that show results. Tables are made by :mod:`~gops_exact.numbers.table`."""
