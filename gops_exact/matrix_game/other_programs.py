"""Game files of other programs, converted to Gambit's formats.

Files of three kinds are converted: workbooks of Gambit's window, ``.gbt``, which are XML around a game in one of Gambit's
formats; files of Game Theory Explorer (Savani & von Stengel 2015, *Game Theory Explorer: software for the applied game
theorist*), which are XML, of trees and of matrix games; and trees of LiteEFG, ``.game``, in which nodes are named by their
histories.
"""

import re
from html import unescape
from xml.etree.ElementTree import Element, ParseError, fromstring  # see _from_explorer

from flint import fmpq

from gops_exact.base.arguments import shown
from gops_exact.base.documents import LITEEFG, XML, kind_of, named
from gops_exact.base.writing import quoted, quoted_list
from gops_exact.numbers.exact import rational, simplest

NEAR = fmpq(1, 10**8)
"""Greatest distance of a fraction from LiteEFG's decimals, which have eight places."""

_WORKBOOK = re.compile(r"<(efg|nfg)file>(.*?)</\1file>", re.DOTALL)


def as_gambit(text: str) -> str:
    r"""Return the text of a file of another program as that of an ``.efg`` or ``.nfg`` file; other texts unchanged.

    Raises:
        ValueError: if the file is XML of another kind, or damaged.

    >>> print(as_gambit("node / player 1 actions go\\nnode /P1:go leaf payoffs 1=3 2=-3"))
    EFG 2 R "" { "" "" }
    p "" 1 1 "/" { "go" } 0
    t "" 1 "" { 3 -3 }
    """
    kind = kind_of(text)
    if kind == LITEEFG:
        return _from_liteefg(text)
    if kind != XML:
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
    """Return the game in XML of Game Theory Explorer."""
    players = [
        (part.get("playerId", ""), (part.text or "").strip()) for part in root.iter("player")
    ]
    if not players:
        owners = dict.fromkeys(name for part in root.iter() if (name := part.get("player")))
        # Names are in the order of their first use, except numbers.
        sorted_owners = sorted(owners, key=lambda name: name if name.isdigit() else "")
        players = [(name, name) for name in sorted_owners]
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
    form = root if root.tag == "extensiveForm" else root.find("extensiveForm")
    if form is None:
        raise ValueError(
            f"expected a game of Gambit or Game Theory Explorer in XML, got <{root.tag}>"
        )
    lines = [f"EFG 2 R {title} {names}"]
    sets = dict[tuple[str, str], int]()
    owner_of = dict[
        str, str
    ]()  # {set: its player}, since later nodes of a set may leave out the player
    parts = (part for part in form.iter() if part.tag in ("node", "outcome"))
    for place, part in enumerate(parts, start=1):  # in prefix order, as in .efg
        below = [after for after in part if after.tag in ("node", "outcome")]
        pays = {number.get(p.get("player", "")): p for p in part.iterfind("payoff")}
        gain, loss = (
            p.get("value") or (p.text or "0").strip() if (p := pays.get(k)) is not None else "0"
            for k in (1, 2)
        )
        outcome = f'{place} "" {{ {gain} {loss} }}' if pays else "0"
        moves, label = (
            [after.get("move") or "" for after in below],
            part.get("isetName", part.get("iset", "")),
        )
        if not below:
            lines.append(f't "" {outcome}')
        elif below[0].get("prob") is not None:
            pairs = zip(map(quoted, moves), (after.get("prob", "") for after in below), strict=True)
            lines.append(
                f'c "" {place} "" {{ {" ".join(f"{m} {p}" for m, p in pairs)} }} {outcome}'
            )
        else:
            name = part.get("iset", f"node {place}")
            owner = owner_of.setdefault(name, part.get("player", ""))
            owner = part.get("player", owner)
            index = sets.setdefault((owner, name), len(sets) + 1)
            lines.append(
                f'p "" {number.get(owner)} {index} {quoted(label)} {quoted_list(moves)} {outcome}'
            )
    return "\n".join(lines)


def _from_liteefg(text: str) -> str:
    """Return the tree in a file of LiteEFG. Weights of chance need not have the sum 1."""
    nodes, set_of = dict[str, list[str]](), dict[str, str]()
    for place, line in enumerate(text.split("\n"), start=1):
        match line.split():
            case ["node", name, *rest]:
                nodes[name] = rest
            case ["infoset", label, "nodes", *members]:
                set_of |= dict.fromkeys(members, label)
            case [word, *_] if not word.startswith("#"):
                raise ValueError(f"line {place}: expected node or infoset, got {shown(word)}")
    lines, sets, waiting = ['EFG 2 R "" { "" "" }'], dict[tuple[str, str], int](), ["/"]
    while waiting:
        name = waiting.pop()
        match nodes.get(name):
            case ["leaf", "payoffs", one, two] if (one + two).count("=") == 2:
                gains = dict(part.split("=") for part in (one, two))
                lines.append(f't "" {len(lines)} "" {{ {gains.get("1")} {gains.get("2")} }}')
                continue
            case ["chance", "actions", *pairs]:
                player, moves = "C", [pair.rpartition("=")[0] for pair in pairs]
                with named(f"node {name}"):
                    weights = [rational(pair.rpartition("=")[2]) for pair in pairs]
                near = [simplest(weight, NEAR) for weight in weights]
                total = sum(weights, fmpq(0)) or fmpq(1)
                shares = near if sum(near) == 1 else [weight / total for weight in weights]
                listed = " ".join(f"{quoted(m)} {p}" for m, p in zip(moves, shares, strict=True))
                lines.append(f'c "" {len(lines)} "" {{ {listed} }} 0')
            case ["player", owner, "actions", *moves]:
                player, label = f"P{owner}", set_of.get(name, name)
                index = sets.setdefault((owner, label), len(sets) + 1)
                lines.append(f'p "" {owner} {index} {quoted(label)} {quoted_list(moves)} 0')
            case other:
                raise ValueError(
                    f"node {name}: expected chance, a player or a leaf, got {shown(other)}"
                )
        waiting += [f"{name.rstrip('/')}/{player}:{move}" for move in reversed(moves)]
    return "\n".join(lines)
