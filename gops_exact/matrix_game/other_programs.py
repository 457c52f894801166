"""Game files of other programs, converted to Gambit's formats.

Workbooks of Gambit's graphical interface, ``.gbt``, are XML around a game in one of Gambit's formats. Matrix games of
Game Theory Explorer (Savani & von Stengel 2015, *Game Theory Explorer: software for the applied game theorist*) are XML, too.
"""

import re
from html import unescape
from xml.etree.ElementTree import Element, ParseError, fromstring  # see _from_explorer

from gops_exact.base.documents import XML, kind_of
from gops_exact.base.writing import quoted, quoted_list

_WORKBOOK = re.compile(r"<(efg|nfg)file>(.*?)</\1file>", re.DOTALL)


def as_gambit(text: str) -> str:
    r"""Convert the XML file of another program to the text of an ``.efg`` or ``.nfg`` file.

    A text that is not XML is returned unchanged.

    Raises:
        ValueError: if the file is XML of another kind, or damaged.

    >>> as_gambit("<?xml?><game><efgfile>EFG 2 R</efgfile></game>")
    'EFG 2 R'
    """
    if kind_of(text) != XML:
        return text
    if workbook := _WORKBOOK.search(text):
        # Empty lines in front leave the numbers of lines as they are in the workbook.
        return "\n" * text.count("\n", 0, workbook.start(2)) + unescape(workbook[2])
    try:
        root = fromstring(text)  # noqa: S314  # expat itself limits how entities expand
    except ParseError as error:
        raise ValueError(f"expected XML: {error}") from None
    return _from_explorer(root)


def _from_explorer(root: Element) -> str:
    """Return the text of an ``.nfg`` file of a matrix game of Game Theory Explorer."""
    players = [
        (part.get("playerId", ""), (part.text or "").strip()) for part in root.iter("player")
    ]
    number = {key: place for place, pair in enumerate(players, start=1) for key in pair}
    names = quoted_list(name for _, name in players)
    title = quoted((root.findtext("gameDescription") or "").strip())
    if (strategic := root.find("strategicForm")) is not None:
        labels, gains = (
            {number.get(part.get("player", "")): part.text or "" for part in strategic.iter(tag)}
            for tag in ("strategy", "payoffs")
        )
        one, two = ([*map(str.split, gains.get(k, "").strip().split("\n"))] for k in (1, 2))
        columns = zip(zip(*one, strict=False), zip(*two, strict=False), strict=False)
        cells = " ".join(
            f"{a} {b}" for gain, loss in columns for a, b in zip(gain, loss, strict=False)
        )
        return f"NFG 1 R {title} {names} {{ {labels.get(1)} {labels.get(2)} }}\n{cells}"
    raise ValueError(
        f"expected a workbook of Gambit, or a matrix game of Game Theory Explorer, in XML, got <{root.tag}>"
    )
