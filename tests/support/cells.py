"""A reader of the tables that notebooks show."""

from html.parser import HTMLParser


class Cells(HTMLParser):
    """The cells of a table, row by row, as (attributes, text); and the tags left open."""

    def __init__(self, html):
        super().__init__()
        self.rows, self.caption, self.open = [], "", []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append((dict(attrs), ""))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1] == "div":
            self.caption += data
        else:
            attributes, text = self.rows[-1].pop()
            self.rows[-1].append((attributes, text + data))

    def texts(self):
        return [[text for _, text in row] for row in self.rows]
