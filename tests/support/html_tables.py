"""A reader of the tables that notebooks show."""

from xml.etree import ElementTree as ET


class Cells:
    """The cells of a table, row by row, as (attributes, text); a tag that is left open raises."""

    def __init__(self, html):
        tree = ET.fromstring(f"<body>{html}</body>")  # noqa: S314  # the package's own
        self.caption = "".join("".join(div.itertext()) for div in tree.iter("div"))
        self.rows = [
            [(cell.attrib, "".join(cell.itertext())) for cell in row] for row in tree.iter("tr")
        ]

    def texts(self):
        return [[text for _, text in row] for row in self.rows]
