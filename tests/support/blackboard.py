"""Worked solutions, read from their text: does every formula hold?"""

import re
from fractions import Fraction

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
