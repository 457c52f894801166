"""Reader of the documents that the program emits; each becomes the object that was emitted."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flint import arb, fmpq, fmpz

from gops_exact.base.arguments import path as as_path
from gops_exact.base.arguments import shown
from gops_exact.base.documents import HEADERS, parse_document, parse_json, read_file, read_text
from gops_exact.exchange.gambit import read_efg
from gops_exact.extensive import (
    Chance,
    Equilibrium,
    GameTree,
    HiddenBids,
    ListedTree,
    Move,
    Simultaneous,
)
from gops_exact.extensive.trees import OwnForm
from gops_exact.game.game import Game, Position
from gops_exact.game.rules import Rules
from gops_exact.matrix_game.game_files import parse
from gops_exact.matrix_game.game_solution import GameSolution
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.solve import solve_matrix_game
from gops_exact.numbers import BigRational, view
from gops_exact.numbers.exact import Number
from gops_exact.numbers.kinds import BoundedFloat, ProvedDecimal, ResidueClass
from gops_exact.numbers.table import Table
from gops_exact.solvers.arithmetic import PRIME, SHORTHAND, Arithmetic, Ball, Float, Residue
from gops_exact.solvers.solution import PayoffMatrix, Solution
from gops_exact.solvers.strategy import ByCard, FirstMoves, Strategy

Document = dict[str, Any]

LONG = 10_000
"""Digits of a denominator from which a fraction is taken to be in lowest terms."""


@dataclass(frozen=True, repr=False, eq=False)
class WrittenDecimal(ProvedDecimal):
    """A correctly rounded decimal of a document; its ball reaches half a unit of the last digit to each side."""

    written: str = ""

    def __post_init__(self) -> None:
        """Keep the number of digits, though the ends of the ball need not round to them."""

    def decimal(self, digits: int) -> str:
        """Return the decimal as it is written, or correctly rounded to fewer digits."""
        return self.written if digits == self.digits else super().decimal(digits)

    def __str__(self) -> str:
        return self.written


def read(path: str | Path) -> Any:  # noqa: ANN401  # whatever was emitted
    """Read a file that ``emit`` or the program wrote, and return what was emitted.

    Args:
        path: a document in JSON; first moves in CSV, which are read as those of the plain rules; or a matrix
            game in CSV or of Gambit, or a game tree of Gambit.

    Returns:
        :class:`~gops_exact.FirstMoves`, :class:`~gops_exact.Solution` (a list of them where there are several
        upcards), :class:`~gops_exact.MatrixGame`, :class:`~gops_exact.GameSolution`,
        :class:`~gops_exact.extensive.Equilibrium` of a game tree or of hidden bids, strategies, payoff matrices
        and other tables, a list of dicts for records, and a policy of OpenSpiel as {information state: [(action,
        probability), …]}. Game trees are read with text for the names of moves. Nothing is proved by reading:
        ``check()`` or ``gops-exact verify`` does that.

    Raises:
        ValueError: if the file cannot be read, or holds none of these.

    >>> from tempfile import TemporaryDirectory
    >>> from gops_exact import first_move
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "three.json"
    ...     _ = file.write_text(first_move(3).emit("json"))
    ...     read(file) == first_move(3)
    True
    """
    file = as_path(path, "path")
    text = read_text(file, "utf-8-sig")
    begin = text.lstrip()[:3]
    try:
        if begin[:1] in ("{", "["):
            return _document(file, text)
        if begin == "EFG":
            return read_efg(text)
        if text.partition("\n")[0] in HEADERS:
            return _first_moves(file)
        return parse(text)
    except ValueError as error:
        raise ValueError(f"{file}: {str(error).removeprefix(f'{file}: ')}") from error


def _document(file: Path, text: str) -> Any:  # noqa: ANN401  # whatever was emitted
    """Return the object of a document in JSON; its members say what it is."""
    plain = parse_json(text, integers=str, floats=str)
    if isinstance(plain, list):
        return parse_json(text) if plain and isinstance(plain[0], dict) else parse(text)
    kind = plain.get("document")
    if kind in SOLVED:
        schema, reader = SOLVED[kind]
        return reader(parse_document(text, schema))
    if "columns" in plain and "n" in plain:
        return _first_moves(file)
    if "columns" in plain:
        return _position(parse_document(text, "position-1"))
    if "numbers" in plain:
        return _table(parse_document(text, "table-1"))
    if "payoff" in plain:
        return parse(text)
    if plain and all(isinstance(chances, list) for chances in plain.values()):
        table = parse_json(text)
        return {
            state: [(action, chance) for action, chance in pairs] for state, pairs in table.items()
        }
    raise ValueError(f"expected a document that the program emits, got {shown(text)}")


def _arithmetic(name: str, digits: int, prime: int) -> Arithmetic:
    """Return the arithmetic of a document; `digits` are those of balls, `prime` is that of residues."""
    if name == Ball.name:
        return Ball(digits)
    return Residue(prime) if name == Residue.name else SHORTHAND[name]()


def _number(kind: Arithmetic, value: object, radius: object = None) -> Number[Any]:
    """Return a number of a document, in the arithmetic of the document."""
    if isinstance(kind, Float):
        return BoundedFloat(float(str(value)), float(str(radius)))
    if isinstance(kind, Residue):
        return ResidueClass(int(str(value)), kind.prime)
    if isinstance(kind, Ball):
        digits = len(str(value).partition(".")[2])
        half = fmpq(1, 2 * 10**digits)
        ball = arb(view(str(value)).value, arb(half))
        return WrittenDecimal(ball, digits, str(value))
    numerator, _, denominator = str(value).partition("/")
    if len(denominator) < LONG:
        return BigRational(str(value))
    # A gcd of numbers of a million digits takes seconds, so only common factors below 1,000 are looked for. Every
    # number that is emitted is in lowest terms.
    p, q, small = fmpz(numerator), fmpz(denominator), fmpz.primorial_ui(fmpz(1000))
    if (p % small).gcd(q % small).gcd(small) != 1:
        raise ValueError(f"expected a fraction in lowest terms, got {shown(value)}")
    return BigRational.of_pair((p, q))


def _strategy(kind: Arithmetic, part: Document) -> Strategy[Any]:
    """Return a strategy of a document of a position."""
    radii = part.get("radii", {})
    chances = {
        int(card): _number(kind, chance, radii.get(card))
        for card, chance in part["probabilities"].items()
    }
    return Strategy(chances, unique=part["unique"], proved=part["proved"])


def _rules(rules: Mapping[str, Any]) -> Rules:
    prizes = rules["prizes"]
    return Rules(
        rules["objective"], rules["ties"], prizes if isinstance(prizes, str) else tuple(prizes)
    )


def _first_moves(file: Path) -> FirstMoves[Any]:
    document = read_file(file)
    kind = _arithmetic(document.arithmetic, document.digits, document.prime)
    columns = {}
    for column in document.columns:
        chances = {
            int(card): _number(kind, chance, column.radii.get(card))
            for card, chance in column.probabilities.items()
        }
        proved = not document.says_nothing(column)
        columns[column.upcard] = Strategy(chances, unique=column.unique, proved=proved)
    return FirstMoves(document.n, columns, _rules(document.rules), kind, deck=document.deck)


def _position(document: Document) -> Solution[Any] | list[Solution[Any]]:
    digits = len(str(document["value"]).partition(".")[2])
    kind = _arithmetic(document["arithmetic"], digits, document.get("prime", PRIME))
    solutions = [
        Solution(
            Position(
                document["one"],
                document["two"],
                document["prizes"],
                upcard=column["upcard"],
                rules=_rules(document["rules"]),
                margin=document["margin"],
                pot=document["pot"],
            ),
            _number(kind, column["value"], column.get("radius")),
            _strategy(kind, column["one"]),
            _strategy(kind, column["two"]),
            column["method"],
        )
        for column in document["columns"]
    ]
    return solutions if len(solutions) > 1 else solutions[0]


def _exact(texts: Iterable[str]) -> tuple[BigRational, ...]:
    return tuple(map(BigRational, texts))


def _matrix_game(document: Document) -> GameSolution:
    labels = document["labels"]
    game = MatrixGame(document["payoff"], labels["rows"], labels["columns"], document["title"])
    claim = GameSolution(
        game,
        BigRational(document["value"]),
        _exact(document["row"]),
        _exact(document["column"]),
        document["method"],
    )
    if document["row_unique"] and document["column_unique"]:
        return claim
    # Whether there are others, and a kernel, follow from the programmes, which the document does not hold.
    solution = solve_matrix_game(game, "simplex" if claim.method == "simplex" else "auto")
    if solution != claim:
        raise ValueError(
            "expected the solution that this version finds, where there are several, got another"
        )
    return solution


def _hidden_bids(document: Document) -> Equilibrium:
    game = HiddenBids(Game(document["n"], _rules(document["rules"])), tuple(document["seen"]))
    return _equilibrium(game, document, move=int)


def _equilibrium(
    game: GameTree | OwnForm,
    document: Document,
    name: Callable[[str], Any] = str,
    move: Callable[[str], Any] = str,
) -> Equilibrium:
    """Return strategies of a document; `name` and `move` turn the texts of sets and moves into their keys."""
    row, column = (
        {
            name(text): {move(label): BigRational(chance) for label, chance in mix.items()}
            for text, mix in document[side].items()
        }
        for side in ("row", "column")
    )
    least, most = (
        BigRational(document.get("value") or document[side]) for side in ("least", "most")
    )
    return getattr(game, "equilibrium", Equilibrium)(game, row, column, least, most)


def _game_tree(document: Document) -> Equilibrium:
    nodes: list[Any] = []
    for node in document["nodes"]:
        if isinstance(node, str):
            nodes.append(BigRational(node))
        elif "chance" in node:
            parts = node["chance"]
            nodes.append(Chance({part["state"]: part["probability"] for part in parts}))
        elif "player" in node:
            nodes.append(Move(node["player"], node["moves"], node.get("knows")))
        else:
            moves = {
                (row, column): after
                for row, line in zip(node["rows"], node["after"], strict=True)
                for column, after in zip(node["columns"], line, strict=True)
            }
            nodes.append(Simultaneous(moves, tuple(node.get("knows", (None, None)))))
    # Where all is seen, information sets are states.
    hidden = any("knows" in node for node in document["nodes"])
    return _equilibrium(ListedTree(nodes, document["title"]), document, name=str if hidden else int)


def _table(document: Document) -> Any:  # noqa: ANN401  # a matrix, a strategy or a table
    numbers, caption = document["numbers"], document["caption"]
    values = ("exact", "decimal", "float", "radius", "residue", "text")
    keys = tuple(name for name in (numbers[0] if numbers else ()) if name not in values)
    cells = []
    for part in numbers:
        if "exact" in part:
            cell: Any = BigRational(part["exact"])
        elif "radius" in part:
            cell = _number(Float(), part["float"], part["radius"])
        elif "decimal" in part:
            cell = _number(Ball(), part["decimal"])
        elif "text" in part:
            cell = part["text"]
        else:
            raise ValueError(
                "expected numbers that say what they are, got residues without a prime"
            )
        cells.append((tuple(part[name] for name in keys), cell))
    if keys in (("column", "row"), ("two", "one")):
        across, along = (list(dict.fromkeys(place[k] for place, _ in cells)) for k in (0, 1))
        grid = dict(cells)
        rows = [[grid[column, row] for column in across] for row in along]
        if keys == ("two", "one"):
            return PayoffMatrix(along, across, rows)
        return MatrixGame(rows, list(map(str, along)), list(map(str, across)), caption)
    if keys == ("card",):
        by_card = {card: cell for (card,), cell in cells}
        return Strategy(by_card) if caption == "Probabilities" else ByCard(by_card)
    return Table(
        caption, keys, [(place, [cell]) for place, cell in cells], notes=tuple(document["notes"])
    )


SOLVED: dict[str, tuple[str, Callable[[Document], Any]]] = {
    "matrix game": ("matrix-game-1", _matrix_game),
    "hidden bids": ("hidden-bids-1", _hidden_bids),
    "game tree": ("game-tree-1", _game_tree),
}
"""{kind of document: its schema, and the function that reads it}."""
