"""The text formats of everything that is emitted, and the endings of files that stand for a format.

All formats are listed here. The functions that write them are in ``numbers/table.py`` (results as tables),
``base/writing.py`` (records: objects of one dataclass), ``solvers/first_moves.py`` (optimal strategies for the first
round, of every upcard), ``commands/export.py`` (files for other programs) and beside the results that have a format of
their own.
"""

FORMATS = {
    "result": ("text", "csv", "latex", "booktabs", "markdown", "json"),
    "position": ("text", "latex", "booktabs", "markdown", "json"),  # a file of CSV holds one table
    "solution": ("text", "csv", "latex", "booktabs", "markdown", "json", "vipr"),
    "value": ("text",),
    "steps": ("text", "latex", "markdown", "html"),
    "records": ("text", "csv", "json", "markdown"),
    "exact": ("fractions", "decimals", "json", "csv", "latex", "booktabs", "markdown", "digests"),
    "ball": ("decimals", "markdown", "json"),
    "float": ("decimals", "markdown", "json", "csv"),
    "export": ("nfg", "efg", "openspiel", "certificate", "coq"),
}
"""{kind of output: its formats}. ``result`` is any result that is shown as a table, ``solution`` the solution of a
matrix game, ``steps`` the worked solution of a matrix game, ``records`` a list of records, and ``export`` a file for
other programs. ``exact``, ``ball`` and ``float`` are first moves in this arithmetic."""

WITH_DIGITS = {
    "exact": ("decimals", "csv", "latex", "booktabs", "markdown"),
    "ball": ("decimals", "markdown"),
    "float": ("decimals", "markdown"),
}
"""{arithmetic of first moves: the formats for which a number of digits after the point can be chosen}."""

ENDINGS = {
    "csv": ".csv",
    "json": ".json",
    "markdown": ".md",
    "latex": ".tex",
    "text": ".txt",
    "decimals": ".txt",
}
"""{format: ending of a file name that stands for the format}. No kind of output has two formats with the same ending.
A point and the name of a format, such as ``.booktabs``, is an ending that stands for this format, too."""
