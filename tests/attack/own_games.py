"""Random matrix games in every form in which a user may have one, certified, and the certificates damaged.

    python tests/attack own_games [--count 5000] [--seed 1]

Every game is given in each form, and the answers must be the same. Its document must be proved by the checker of
docs/static/check_matrix_game.py and by ``gops-exact verify``, its certificate in VIPR by a reader of that format's
grammar, and by ``viprchk`` where that is installed. Half of the games are degenerate. A document with one number
changed must be refused by both checkers; one that still is a solution, which a third computation decides, must not
be refused by the first.
"""

import csv
import io
import json
import random
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import flint
import frame
import numpy as np
import pandas as pd
import sympy
from frame import Wrong
from places import DOCS

import gops_exact as gx
from gops_exact.exchange import write_nfg
from gops_exact.verify.games import check_game

check = runpy.run_path(str(DOCS / "static" / "check_matrix_game.py"))["check"]


def random_game(source: random.Random) -> list[list[Fraction]]:
    """Return payoffs, degenerate every other time: few values, repeated and dominated bids, a symmetric game."""
    m, n = source.randint(1, 8), source.randint(1, 8)
    if source.random() < 0.3:
        return [
            [Fraction(source.randint(-99, 99), source.choice((1, 1, 7, 10**9))) for _ in range(n)]
            for _ in range(m)
        ]
    game = [[Fraction(source.randint(-1, 1)) for _ in range(n)] for _ in range(m)]
    if source.random() < 0.3 and m > 1:
        game[-1] = game[0]
    if source.random() < 0.2:
        half = [[source.randint(-2, 2) for _ in range(m)] for _ in range(m)]
        game = [[Fraction(half[i][j] - half[j][i]) for j in range(m)] for i in range(m)]
    return game


def forms(game: list[list[Fraction]], source: random.Random) -> Iterator[tuple[str, object]]:
    """Yield the game in every form, each with its name."""
    m, n = len(game), len(game[0])
    rows, columns = [f"r {i}" for i in range(m)], [f"c; {j}" for j in range(n)]
    texts = [list(map(str, line)) for line in game]
    yield "fractions", game
    yield "text", texts
    yield "tuples", tuple(map(tuple, game))
    yield "objects of numpy", np.array(game, dtype=object)
    yield "sympy", sympy.Matrix([[sympy.Rational(str(x)) for x in line] for line in game])
    yield (
        "flint",
        flint.fmpq_mat([[flint.fmpq(x.numerator, x.denominator) for x in line] for line in game]),
    )
    yield "labelled frame", pd.DataFrame(game, rows, columns, dtype=object)
    labelled = gx.MatrixGame(texts, rows, columns)
    yield "MatrixGame", labelled
    yield "nfg", write_nfg(labelled)
    yield (
        "json",
        json.dumps({"payoff": texts, "labels": {"rows": rows, "columns": columns}}, indent=1),
    )
    yield "bare json", "\n" + json.dumps(texts)
    delimiter = source.choice(",;\t")
    for labels in ("both", "rows", "columns", "none") if n > 1 or delimiter == "," else ():
        file = io.StringIO()
        writer = csv.writer(file, delimiter=delimiter, lineterminator=source.choice(("\n", "\r\n")))
        if labels in ("both", "columns"):
            writer.writerow(["", *columns] if labels == "both" else columns)
        for row, line in zip(rows, texts, strict=True):
            writer.writerow([row, *line] if labels in ("both", "rows") else line)
        if n > 1 or labels in ("both", "rows"):  # a single column shows no delimiter
            yield f"csv with labels of {labels}", "\n" + file.getvalue()
    if all(x.denominator == 1 for line in game for x in line):
        integers = [[int(x) for x in line] for line in game]
        yield "integers", integers
        yield "int64", np.array(integers)
        yield "int8", np.array(integers, dtype=np.int8)


def faults(
    game: list[list[Fraction]], source: random.Random, solved: gx.GameSolution
) -> Iterator[str]:
    """Yield what is wrong with the answers to a game in any form, and with its certificates."""
    for name, given in forms(game, source):
        other = gx.solve_matrix_game(given)
        if other != solved:
            yield f"{name}: another solution"
        if ("label" in name or name in ("nfg", "json", "MatrixGame")) and "none" not in name:
            rows = other.game.rows[0] == "r 0" or "of columns" in name
            columns = other.game.columns[0] == "c; 0" or "of rows" in name
            if not (rows and columns):
                yield f"{name}: other labels, {other.game.rows}, {other.game.columns}"
    document = solved.emit("json")
    if found := check(json.loads(document)):
        yield f"the certificate is refused: {found}"
    if lines := check_game(document).faults:
        yield f"verify refuses the certificate: {lines}"
    if found := vipr_fault(solved.emit("vipr")):
        yield f"the VIPR file: {found}"


def mutant(document: dict[str, object], source: random.Random) -> dict[str, object]:
    """Return a document with one number changed, or two probabilities exchanged."""
    changed = json.loads(json.dumps(document))
    name = source.choice(("value", "row", "column", "payoff"))
    change = Fraction(source.choice((-1, 1)), source.choice((1, 2, 10**6, 10**40)))
    if name == "value":
        changed["value"] = str(Fraction(changed["value"]) + change)
        return changed
    side = changed[name] if name != "payoff" else source.choice(changed["payoff"])
    place = source.randrange(len(side))
    side[place] = str(Fraction(side[place]) + change)
    if name != "payoff" and len(side) > 1 and source.random() < 0.5:  # they still sum to 1
        other = source.choice([k for k in range(len(side)) if k != place])
        side[other] = str(Fraction(side[other]) - change)
    return changed


def is_solution(document: dict[str, object]) -> bool:
    """Tell if the numbers of a document solve its game, by matrices of FLINT."""
    rational = flint.fmpq
    payoff = flint.fmpq_mat([[_fmpq(x) for x in line] for line in document["payoff"]])
    row, column = ([_fmpq(x) for x in document[name]] for name in ("row", "column"))
    value = _fmpq(document["value"])
    gains = (flint.fmpq_mat([row]) * payoff).tolist()[0]
    losses = [line[0] for line in (payoff * flint.fmpq_mat([[x] for x in column])).tolist()]
    return (min(row) >= 0 and min(column) >= 0 and sum(row) == sum(column) == rational(1)) and min(
        gains
    ) == value == max(losses)


def _fmpq(text: str) -> flint.fmpq:
    # Of any length, where Python's integers stop at 4,300 digits.
    top, _, bottom = text.partition("/")
    return flint.fmpq(flint.fmpz(top), flint.fmpz(bottom or 1))


def vipr_fault(text: str) -> str | None:
    """Return what is wrong with a certificate of a linear programme in the format of VIPR 1.0, None if nothing.

    It reads the tokens by the published grammar, and checks the solution and the derivation.
    """
    tokens = iter(text.split())

    def take(*expected: str) -> None:
        for word in expected:
            if (token := next(tokens)) != word:
                raise ValueError(f"expected {word}, got {token}")

    def terms() -> dict[int, Fraction]:
        count = int(next(tokens))
        return {int(next(tokens)): Fraction(next(tokens)) for _ in range(count)}

    def constraint() -> tuple[str, Fraction, dict[int, Fraction]]:
        next(tokens)  # its name
        sense, bound, first = next(tokens), Fraction(next(tokens)), next(tokens)
        if first == "OBJ":
            return sense, bound, objective
        return sense, bound, {int(next(tokens)): Fraction(next(tokens)) for _ in range(int(first))}

    def value(form: dict[int, Fraction], at: dict[int, Fraction]) -> Fraction:
        return sum((factor * at.get(k, Fraction(0)) for k, factor in form.items()), Fraction(0))

    take("VER", "1.0", "VAR")
    variables = int(next(tokens))
    for _ in range(variables):
        next(tokens)
    take("INT", "0", "OBJ", "max")
    objective = terms()
    take("CON")
    count, bounds = int(next(tokens)), int(next(tokens))
    constraints = [constraint() for _ in range(count)]
    if any(len(form) != 1 for _, _, form in constraints[:bounds]):
        return "a bound of more than one variable"
    take("RTP", "range")
    low, high = Fraction(next(tokens)), Fraction(next(tokens))
    take("SOL", "1")
    next(tokens)
    solution = terms()
    holds = {"E": Fraction.__eq__, "G": Fraction.__ge__, "L": Fraction.__le__}
    if not all(holds[sense](value(form, solution), bound) for sense, bound, form in constraints):
        return "the solution is not feasible"
    if value(objective, solution) < low:
        return "the solution does not reach the value"
    take("DER", "1")
    sense, bound, form = constraint()
    take("{", "lin")
    factors = terms()
    take("}", "-1")
    if next(tokens, None) is not None:
        return "more than a certificate"
    combined: dict[int, Fraction] = {}
    for place, factor in factors.items():
        kind, _, line = constraints[place]
        if (kind == "G" and factor > 0) or (kind == "L" and factor < 0):
            return "a factor has the wrong sign"
        for k, entry in line.items():
            combined[k] = combined.get(k, Fraction(0)) + factor * entry
    total = sum((factor * constraints[k][1] for k, factor in factors.items()), Fraction(0))
    if {k: x for k, x in combined.items() if x} != form or sense != "L" or total > bound:
        return "the derivation does not give the bound"
    return None if bound <= high and form == objective else "the bound is not the one to prove"


def refused_by_viprchk(certificate: str) -> bool | None:
    """Tell if the checker of VIPR's authors refuses a certificate; None if it is not installed."""
    program = shutil.which("viprchk")
    if program is None:
        return None
    with TemporaryDirectory() as folder:
        file = Path(folder) / "game.vipr"
        file.write_text(certificate)
        done = subprocess.run([program, file], capture_output=True, text=True, check=False)
    return "Successfully verified" not in done.stdout + done.stderr


def game_case(rng: random.Random, _place: Path) -> None:
    """Solve a game in every form."""
    game = random_game(rng)
    solved = gx.solve_matrix_game(game)
    for fault in faults(game, rng, solved):
        raise Wrong(fault, game)
    if rng.random() < 0.1 and refused_by_viprchk(solved.emit("vipr")):
        raise Wrong("viprchk refuses the certificate", game)


def mutant_case(rng: random.Random, _place: Path) -> None:
    """Have both checkers judge a document with one number changed."""
    document = mutant(gx.solve_matrix_game(random_game(rng)).document(), rng)
    right = is_solution(document)
    found = check(document), check_game(json.dumps(document)).faults
    if (found[0] is None) != right or not (right or found[1]):
        raise Wrong("a damaged document is misjudged", right, found, document)


FAMILIES = {"games": game_case, "mutants": mutant_case}

if __name__ == "__main__":
    sys.exit(frame.main(__doc__, FAMILIES))
