"""The text formats of everything that is emitted, and the endings of files that stand for a format.

This table alone says which formats there are. The functions that write them are in ``numbers/table.py`` (results as
tables), ``base/writing.py`` (records), ``solvers/first_moves.py`` (first moves) and beside the results that have a
format of their own.
"""

FORMATS = {
    "result": ("text", "csv", "latex", "booktabs", "markdown", "json"),
    "position": ("text", "latex", "booktabs", "markdown", "json"),  # a file of CSV holds one table
    "solution": ("text", "csv", "latex", "booktabs", "markdown", "json", "vipr"),
    "value": ("text",),
    "steps": ("text", "latex", "html"),
    "records": ("text", "csv", "json", "markdown"),
    "exact": ("fractions", "decimals", "json", "csv", "latex", "booktabs", "markdown", "digests"),
    "ball": ("decimals", "markdown", "json"),
    "float": ("decimals", "markdown", "json", "csv"),
    "export": ("nfg", "efg", "openspiel", "certificate", "coq"),
}
"""{what is emitted: its formats}. A result is anything that has a table; a solution is that of a matrix game; steps are
its worked solution. The names of arithmetics stand for first moves."""

WITH_DIGITS = {
    "exact": ("decimals", "csv", "latex", "booktabs", "markdown"),
    "ball": ("decimals", "markdown"),
    "float": ("decimals", "markdown"),
}
"""{arithmetic of first moves: the formats that take a number of digits}."""

ENDINGS = {
    "csv": ".csv",
    "json": ".json",
    "markdown": ".md",
    "latex": ".tex",
    "text": ".txt",
    "decimals": ".txt",
}
"""{format: ending of the name of a file}. No result has two formats of one ending. The name of any format is an ending,
too."""
