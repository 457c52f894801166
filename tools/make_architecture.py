"""Draw the rooms of the package from its imports: ``python tools/make_architecture.py``.

Writes ``docs/pictures/architecture.svg``. A room stands one floor above the highest room that it imports from. An
arrow leads to a room that is imported from, unless other arrows lead there, too (the transitive reduction).
"""

import ast
from pathlib import Path

from house import imports, room

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs/pictures/architecture.svg"

ROOMS = {
    "base": (1, "arguments, files, progress, pools"),
    "numbers": (2, "exact, ball, float; tables"),
    "game": (0, "cards, rules, order types"),
    "matrix_game": (2, "one matrix game, exactly"),
    "extensive": (0, "games as trees"),
    "solvers": (1, "positions and whole games"),
    "verify": (2, "proves once more"),
    "players": (1, "policies and what they are worth"),
    "show": (1, "pictures, pages, tablebase"),
    "exchange": (0, "other programs"),
    "literature": (2, "games of papers, by name"),
    "commands": (1, "the command line, the server"),
}
"""Column and contents of each room."""

WIDTH, HEIGHT, ACROSS, DOWN = 214, 44, 244, 76
"""Size of a room, and the distances between the left and the upper edges of neighbours, in pixels."""

STYLE = """\
text { font-family: sans-serif; fill: #333; text-anchor: middle }
.name { font-size: 14px; font-weight: bold }
.contents { font-size: 11px }
rect { fill: #eef3f8; stroke: #4a78a8 }
path { stroke: #888; fill: none; marker-end: url(#head) }
"""

HEAD = """\
<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path d="M0,0 L8,4 L0,8 z" style="fill: #888; marker-end: none"/></marker></defs>"""


def arrows() -> dict[str, set[str]]:
    """Return {room: rooms that it imports from}; the two files at the top are left out."""
    root = ROOT
    paths = sorted((root / "gops_exact").rglob("*.py"))
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    graph: dict[str, set[str]] = {name: set() for name in ROOMS}
    for module, targets in imports(root, trees).items():
        if not room(module).startswith("__"):
            graph[room(module)] |= {room(target) for target in targets} - {room(module)}
    return graph


def floor(name: str, graph: dict[str, set[str]]) -> int:
    """Return the floor of a room, 0 for the ground."""
    return 1 + max((floor(target, graph) for target in graph[name]), default=-1)


def reaches(start: str, end: str, graph: dict[str, set[str]]) -> bool:
    """Tell if arrows lead from a room to another one."""
    return start == end or any(reaches(target, end, graph) for target in graph[start])


def picture() -> str:
    """Return the picture as SVG."""
    graph = arrows()
    floors = {name: floor(name, graph) for name in graph}
    top = max(floors.values())
    corners = {
        name: (15 + ROOMS[name][0] * ACROSS, 15 + (top - floors[name]) * DOWN) for name in graph
    }
    width, height = 30 + 2 * ACROSS + WIDTH, 30 + top * DOWN + HEIGHT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">',
        f"<style>{STYLE}</style>",
        HEAD,
    ]
    for name, targets in graph.items():
        for target in sorted(targets):
            if any(reaches(other, target, graph) for other in targets - {target}):
                continue
            (left, upper), (left_below, lower) = corners[name], corners[target]
            middle, below = left + WIDTH // 2, left_below + WIDTH // 2
            shift = (below - middle) // 6
            lines.append(f'<path d="M{middle + shift},{upper + HEIGHT} L{below - shift},{lower}"/>')
    for name, (left, upper) in corners.items():
        middle = left + WIDTH // 2
        lines += [
            f'<rect x="{left}" y="{upper}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
            f'<text class="name" x="{middle}" y="{upper + 18}">{name}</text>',
            f'<text class="contents" x="{middle}" y="{upper + 35}">{ROOMS[name][1]}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
