"""Reader of the documents that the program emits, which returns the objects that were emitted.

A *document* is a text that the program has written, in JSON or CSV. A *first move* is an optimal strategy for the first
bid after a given upcard, which is the prize turned up. An *arithmetic* is a kind of number: ``"exact"`` for fractions,
``"ball"`` for decimals of which every digit is proved, ``"float"`` for floats with a proved radius, a bound on their
distance from the true number.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from flint import arb, ctx, fmpq, fmpz

from gops_exact.base import arguments, documents
from gops_exact.base.documents import is_json, kind_of, parse_document, parse_json
from gops_exact.extensive.efg_files import read_efg
from gops_exact.extensive.equilibrium import SIDES, Equilibrium
from gops_exact.extensive.paths import PathGame
from gops_exact.extensive.private_bids import HiddenBids
from gops_exact.extensive.trees import GameTree, tree_of
from gops_exact.game.game import Game, Position
from gops_exact.game.rules import Rules
from gops_exact.matrix_game.game_files import parse
from gops_exact.matrix_game.game_solution import GameSolution
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.other_programs import as_gambit
from gops_exact.numbers import kinds
from gops_exact.numbers.exact import BigRational, Number
from gops_exact.numbers.kinds import view
from gops_exact.numbers.table import Listing
from gops_exact.solvers.arithmetic import SHORTHAND, Ball
from gops_exact.solvers.first_moves import ByCard, FirstMoves, Strategy
from gops_exact.solvers.results import PayoffMatrix, Solution

Document = dict[str, Any]

VALUES = ("exact", "decimal", "float", "radius", "text")
"""Names of the members that hold the value of a number in a JSON table; the other members name its row and column. If a
number has several of these members, the one that comes first in this tuple determines the kind of number."""

LONG = 10_000
"""Least number of digits of a denominator for which a fraction is assumed to be in lowest terms. In such a fraction
only common prime factors below 1,000 are looked for, since a gcd takes too long."""


def read(path: str | Path) -> Any:  # noqa: ANN401  # whatever was emitted
    """Read a file that ``emit`` or the program wrote, and return what was emitted.

    Args:
        path: the path of a document in JSON; of first moves in CSV, which are taken to be those of the default rules;
            of a matrix game in CSV or from Game Theory Explorer; or of a file of Gambit (.nfg, .efg or .gbt).

    Returns:
        The object that was emitted. A position with several upcards is a list of :class:`~gops_exact.Solution`; records
        are a list of dicts; a policy is {information state: [(action, probability), …]} or {information set: {move:
        probability}}. The names of moves in game trees become texts. The claims of a document are not proved by reading
        it; ``check()`` or ``gops-exact verify`` proves them.

    Raises:
        ValueError: if the file cannot be read, or if it holds no such document.

    >>> from tempfile import TemporaryDirectory
    >>> from gops_exact import first_move
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "three.json"
    ...     _ = file.write_text(first_move(3).emit("json"))
    ...     read(file) == first_move(3)
    True
    """
    file = arguments.path(path, "path")
    text = documents.read_text(file, "utf-8-sig")
    with documents.named(file):
        return object_of(text)


def object_of(text: str, within: object = None) -> Any:  # noqa: ANN401  # whatever was emitted
    """Return the object that was emitted as a text, such as a :class:`~gops_exact.Solution`.

    :func:`~gops_exact.base.documents.kind_of` determines the kind of object.

    Args:
        text: the text.
        within: for a game tree of another program, the greatest distance between a decimal and the fraction that
            replaces it, as in :func:`.read_efg`.

    Raises:
        ValueError: if the text is no document that can be read back, or a damaged one.
    """
    if is_json(text):
        named_kind = kind_of(parse_json(text, integers=str, floats=str))
    else:
        named_kind = kind_of(text := as_gambit(text))
    match named_kind:
        case documents.EFG:
            return read_efg(text, within)
        case "matrix game":
            document, payoffs = parse_document(text, "matrix-game-1"), parse(text)
            row, column = (tuple(map(BigRational, document[side])) for side in ("row", "column"))
            value, method = BigRational(document["value"]), document["method"]
            solution = GameSolution(payoffs, value, row, column, method)
            # A document has no linear programs, from which these attributes would be computed.
            vars(solution).update(
                {name: document[name] for name in ("row_unique", "column_unique")}
            )
            return solution
        case "hidden bids":
            document = parse_document(text, "hidden-bids-1")
            game = Game(document["n"], Rules(**document["rules"]))
            return _equilibrium(document, HiddenBids(game, tuple(document["seen"])), move=int)
        case "game tree" | "stochastic game" as kind:
            document = parse_document(text, kind.replace(" ", "-") + "-1")
            tree = tree_of(document)
            # The keys of a strategy are the names of information sets, which are texts. If no node names an information
            # set, the keys are states of the tree, which are integers.
            hidden = any("knows" in node for node in document["nodes"])
            name = str if hidden else int
            if kind == "game tree":
                return _equilibrium(document, tree, name)
            ends = [[*map(BigRational, document[bound])] for bound in ("least", "most")]
            first = {"least": document["least"][0], "most": document["most"][0]}
            solved = _equilibrium(document | first, tree, name)
            return replace(solved, states=dict(enumerate(zip(*ends, strict=True))))
        case "path game":
            document = parse_document(text, "path-game-1")
            graphs, payoffs = document["graphs"], document["payoffs"]
            return _equilibrium(document, PathGame(graphs, payoffs, document["title"]))
        case "first moves" | documents.MOVES:
            moves = documents.read_moves(text)
            kind, columns = moves.arithmetic, {}
            for part in moves.columns:
                proved = not moves.says_nothing(part)
                columns[part.upcard] = _strategy(kind, vars(part) | {"proved": proved})
            arithmetic = Ball(moves.digits) if moves.digits else SHORTHAND[kind]()
            return FirstMoves(moves.n, columns, Rules(**moves.rules), arithmetic, deck=moves.deck)
        case "position":
            document = parse_document(text, "position-1")
            kind, rules = document["arithmetic"], Rules(**document["rules"])
            state = {name: document[name] for name in ("one", "two", "prizes", "margin", "pot")}
            solutions = []
            for column in document["columns"]:
                position = Position(**state, upcard=column["upcard"], rules=rules)
                worth = _number(kind, column["value"], column.get("radius"))
                one, two = (_strategy(kind, column[side]) for side in ("one", "two"))
                solutions.append(Solution(position, worth, one, two, column["method"]))
            return solutions if len(solutions) > 1 else solutions[0]
        case "table":
            return _table(parse_document(text, "table-1"))
        case "records":
            return parse_json(text)
        case "policy":
            policy = parse_json(text).items()
            return {
                name: mix if isinstance(mix, dict) else [*map(tuple, mix)] for name, mix in policy
            }
        case kind if is_json(text) and kind != "payoffs":
            raise ValueError(
                f"expected a document that can be read back, got {kind or arguments.shown(text)}"
            )
    return parse(text)


def _number(kind: str, value: object, radius: object = None) -> Number[Any]:
    """Convert a number of a document to an object, such as a :class:`~gops_exact.BigRational`.

    Args:
        kind: the kind of number: the name of an arithmetic, such as ``"exact"``; or, for a number in a JSON table, the
            name of the member in which the number is written, one of :data:`VALUES`.
        value: the number as it is in the document.
        radius: the radius of a float; None for other numbers.
    """
    text = str(value)
    if kind == "float":
        return kinds.BoundedFloat(float(text), float(str(radius)))
    if kind != "exact":
        digits = len(text.partition(".")[2])
        with ctx.workprec(4 * len(text) + kinds.GUARD_BITS):  # a digit has less than 4 bits
            half = fmpq(1, 2 * fmpz(10) ** digits)
            return kinds.ProvedDecimal(arb(view(text).value, half), digits, text)
    numerator, _, denominator = text.partition("/")
    if len(denominator) < LONG:
        return BigRational(text)
    # The program emits fractions in lowest terms. To check this with a gcd would take seconds for a million digits, so
    # only common prime factors below 1,000 are looked for.
    p, q, small = fmpz(numerator), fmpz(denominator), fmpz.primorial_ui(fmpz(1000))
    if (p % small).gcd(q % small).gcd(small) != 1:
        raise ValueError(f"expected a fraction in lowest terms, got {arguments.shown(value)}")
    return BigRational.of_pair((p, q))


def _strategy(kind: str, part: Document) -> Strategy[Any]:
    chances = {
        int(card): _number(kind, chance, part.get("radii", {}).get(card))
        for card, chance in part["probabilities"].items()
    }
    return Strategy(chances, unique=part["unique"], proved=part["proved"])


def _equilibrium(
    document: Document, game: GameTree, name: type = str, move: type = str
) -> Equilibrium:
    """Return the equilibrium in a document; `name` and `move` convert the texts of information sets and of moves."""

    def sides(part: Document, number: Callable[[Any], Any]) -> tuple[Any, Any]:
        one, two = (
            {
                name(text): {move(k): number(p) for k, p in mix.items()}
                for text, mix in part[side].items()
            }
            for side in SIDES
        )
        return one, two

    row, column = sides(document, BigRational)
    least, most = (
        BigRational(document.get("value") or document[bound]) for bound in ("least", "most")
    )
    plans = None
    if "polynomials" in document:
        plans = sides(document["polynomials"], lambda parts: [*map(BigRational, parts)])
    return Equilibrium(game, row, column, least, most, document.get("iterations", 0), plans)


def _table(document: Document) -> Any:  # noqa: ANN401  # a matrix, a strategy or a table
    numbers, caption = document["numbers"], document["caption"]
    keys = tuple(name for name in (numbers[0] if numbers else ()) if name not in VALUES)
    cells = []
    for part in numbers:
        kind = next((name for name in VALUES if name in part), None)
        if kind is None:
            raise ValueError(
                f"expected a number as {' or '.join(VALUES)}, got {arguments.shown(part)}"
            )
        text = part[kind]
        number = text if kind == "text" else _number(kind, text, part.get("radius"))
        cells.append((tuple(part[name] for name in keys), number))
    if keys in (("column", "row"), ("two", "one")):
        grid = dict(cells)
        across, along = (list(dict.fromkeys(heads)) for heads in zip(*grid, strict=True))
        cards = {row: {column: grid[column, row] for column in across} for row in along}
        matrix = PayoffMatrix({row: ByCard(numbers) for row, numbers in cards.items()})
        if keys == ("two", "one"):
            return matrix
        return MatrixGame(matrix, list(map(str, along)), list(map(str, across)), caption)
    if keys == ("card",):
        by_card = {card: cell for (card,), cell in cells}
        claims = {claim: document[claim] for claim in ("unique", "proved") if claim in document}
        return Strategy(by_card, **claims) if caption == "Probabilities" else ByCard(by_card)
    lines = [(heads, [cell]) for heads, cell in cells]
    return Listing(caption, keys, lines, notes=tuple(document["notes"]))
