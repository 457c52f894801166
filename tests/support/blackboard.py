"""Worked solutions, read from their text: does every formula hold?"""

import re
from fractions import Fraction
from itertools import pairwise

TERM = re.compile(r"([-+]?) ?(\d+(?:/\d+)?)? ?(\([^)]*\)|[pq][₁₂]?|v)?")
SOLVED = re.compile(r"([pqv][₁₂]?) = (-?\d+(?:/\d+)?)")


def worth(form, unknowns):
    """Return the number that a linear form is, read from its text."""
    total = Fraction(0)
    for sign, factor, name in TERM.findall(form):
        if factor or name:
            inner = worth(name[1:-1], unknowns) if name[:1] == "(" else unknowns.get(name, 1)
            total += Fraction(f"{sign}{factor or 1}") * inner
    return total


def check(lines, value):
    """Check every formula of a worked solution, with the unknowns that the formulas say."""
    solved = [SOLVED.findall(line) for line in lines if ", v = " in line]
    unknowns = {"v": value.to_fraction()}
    for pair in solved:
        said = {name: Fraction(number) for name, number in pair}
        assert said["v"] == unknowns["v"]
        unknowns |= said
    bounds = re.fullmatch(r"(\S+) (≤ v ≤|= v =) (\S+)", lines[0])
    low, high = Fraction(bounds[1]), Fraction(bounds[3])
    assert low <= unknowns["v"] <= high
    assert (bounds[2] == "= v =") == (low == high)
    for line in lines[1:]:
        if " = " in line and ", " not in line:
            assert len({worth(side, unknowns) for side in line.split(" = ")}) == 1
    gains, payments = lines[-2:]
    assert min(map(Fraction, gains.removesuffix(" ≥ v").split(", "))) == unknowns["v"]
    assert max(map(Fraction, payments.removesuffix(" ≤ v").split(", "))) == unknowns["v"]
    return solved


def check_envelope(text, payoff):
    """Check the lines of the graphical method and the corners of their envelope; return the best level."""
    side, labels, letter, forms = re.search(
        r"against each of (rows|columns) (.*) is a line over ([pq]):\n((?: .*\n)+)", text
    ).groups()
    labels, forms = labels.split(", "), forms.strip().split("\n    ")
    lines = payoff if side == "rows" else list(zip(*payoff, strict=True))
    assert len(forms) == len(labels)
    best, reply = (max, min) if letter == "p" else (min, max)

    def levels(chance):
        return [worth(form, {letter: chance}) for form in forms]

    own = re.search(r"If player \w+ plays \w+ (\w+), (\w+) with", text).groups()
    for label, ends in zip(labels, zip(levels(1), levels(0), strict=True), strict=True):
        assert ends == tuple(Fraction(str(lines[int(label) - 1][int(k) - 1])) for k in own)
    table = re.search(r"\n(?:rows|columns)  +[pq]  +(?:gain|payment)\n((?:.+\n)+)", text)[1]
    corners = []
    for row in table.splitlines():
        *touching, chance, level = row.replace(",", "").split()
        at = levels(Fraction(chance))
        assert reply(at) == Fraction(level)
        touched = zip(labels, at, strict=True)
        assert touching == [label for label, gain in touched if gain == Fraction(level)]
        corners.append((Fraction(chance), Fraction(level), touching))
    assert (corners[0][0], corners[-1][0]) == (0, 1)
    slopes = []
    for (p, low, _), (q, high, _) in pairwise(corners):
        assert reply(levels((p + q) / 2)) == (low + high) / 2  # no bend is left out
        slopes.append((high - low) / (q - p))
    assert len(set(slopes)) == len(slopes)  # at each corner there is a bend
    level = best(level for _, level, _ in corners)
    meeting = re.search(r"It is \w+ where \w+ (\w+), (\w+) meet", text).groups()
    assert any(at == level and {*meeting} <= {*touching} for _, at, touching in corners)
    return level
