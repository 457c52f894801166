"""Worked solutions of small matrix games, step by step as on a blackboard.

The steps are those of textbooks: a saddle point, dominance, the graphical method if a player has two strategies, and the
equations by which each player makes the other indifferent (von Neumann & Morgenstern 1944, §§ 14 and 18). In the
graphical method each strategy of the opponent is a line: the payoff against the probability of the player's first
strategy. The *envelope* of the lines is the payoff if the opponent plays the best reply. The last
steps prove the solution by weak duality: player one's strategy gains at least v against every column, and player two's
strategy pays at most v against every row.

A *position* has both hands, the prizes left, the prize turned up if there is one, and the points of earlier rounds that
still count.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from operator import mul

from gops_exact.base import load
from gops_exact.base.arguments import choice, printable
from gops_exact.base.formats import FORMATS
from gops_exact.base.writing import in_markdown
from gops_exact.game.game import named_position
from gops_exact.matrix_game.basis import Basis
from gops_exact.matrix_game.dominance import eliminate_dominated
from gops_exact.matrix_game.envelope import envelope
from gops_exact.matrix_game.game_solution import GameSolution, as_matrix_game
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.strategies import solution_from, solve_matrix_game
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.table import Table, in_latex
from gops_exact.solvers.api import payoff_matrix

MOST = 3
"""Greatest number of rows, and of columns, of a game that is explained without the graphical method. With more unknowns
the equations would not fit into a line."""

MOST_PAYOFFS = 400
"""Greatest number of payoffs of a game that is explained. It bounds the time for dominance, and the length of lines."""

UNKNOWNS = {2: ("{0}", "(1 - {0})"), 3: ("{0}₁", "{0}₂", "(1 - {0}₁ - {0}₂)")}
"""{number of strategies that a player mixes: texts of their probabilities}, in which ``{0}`` stands for p or q."""

INDENT = "    "
"""Indentation of a step that is a formula. Steps that are sentences are not indented."""

_FRACTION = re.compile(r"(\d+)/(\d+)")
_SYMBOLS = str.maketrans({"₁": "_1", "₂": "_2", "≥": r"\ge", "≤": r"\le"})

Line = Sequence[BigRational]
WORDS = {
    True: ("one", "rows", "p", "gain", "columns", "least", "lower", "highest"),
    False: ("two", "columns", "q", "payment", "rows", "greatest", "upper", "lowest"),
}
"""{True if player one has two strategies, False if player two has: the words of the graphical method}."""

Step = Table | str
Writer = Callable[[str], str]


@dataclass(frozen=True, repr=False)
class Explanation:
    """Worked solution of a matrix game, for a blackboard, a web page or a paper."""

    solution: GameSolution  #: the value and the strategies to which the steps lead
    steps: tuple[Step, ...]  #: tables, sentences, and formulas, which are indented

    def __str__(self) -> str:
        return self.emit("text").removesuffix("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.emit("html")

    def _repr_latex_(self) -> str:
        return self.emit("latex")

    def emit(self, fmt: str) -> str:
        """Return the worked solution as text.

        Args:
            fmt: ``"text"``, ``"markdown"`` with formulas between dollar signs, ``"html"``, or ``"latex"`` for paragraphs
                of LaTeX without a preamble. In HTML, the graphical method has a picture if Matplotlib is installed.

        Raises:
            ValueError: if the format is none of these.
        """
        choice(fmt, "fmt", FORMATS["steps"])
        table, formula, sentence, between = _WRITERS[fmt]
        parts = []
        for step in self.steps:
            if isinstance(step, Table):
                parts.append(table(step))
            else:
                parts.append((formula if step.startswith(INDENT) else sentence)(step.strip()))
        return between.join(parts).strip().replace("\n\n\n", "\n\n") + "\n"


@dataclass(frozen=True)
class Corners(Table):
    """Table of the corners of the envelope in the graphical method; in HTML, with a picture of the lines."""

    game: MatrixGame | None = None  #: the game whose lines are drawn

    def html(self) -> str:
        """Return a picture of the lines and the table in HTML; only the table if Matplotlib is not installed."""
        try:
            picture = load("gops_exact.show.plots").envelope(self.game)
        except ImportError:
            return super().html()
        source = f"data:image/png;base64,{b64encode(picture.png()).decode()}"
        return f'<img alt="lines and their envelope" src="{source}"/>{super().html()}'


def explain(payoff: object) -> Explanation:
    """Solve a small game step by step, as on a blackboard.

    Args:
        payoff: a game, anything that :func:`~gops_exact.solve_matrix_game` takes except floats; or a position, or its
            name, with an upcard unless prizes are hidden. The game has at most 400 payoffs. Unless it has a saddle
            point, it is 3 × 3, 2 × n or m × 2, or dominance reduces it to one of these.

    Returns:
        The worked solution. It begins with row minima and column maxima. A saddle point follows, if there is one;
        otherwise dominated strategies, the graphical method if one player is left with two strategies and the other one
        with more, and the equations by which each player makes the other indifferent, with their solutions. The last
        steps are the gains that prove the solution, and the table of the solution. ``str()`` returns text, notebooks
        show HTML, and ``emit("latex")`` is for papers.

    Raises:
        ValueError: if `payoff` is not such a game.

    >>> explanation = explain([[3, -1], [1, 2]])
    >>> for step in explanation.steps[3:11]:
    ...     print(step)
    Player one plays rows 1, 2 with probabilities
        p, 1 - p
    for which the opponent's replies all give the same:
        3 p + (1 - p) = -p + 2 (1 - p)
    Subtracting the last of these leaves
        5 p = 1
    and so
        p = 1/5, v = 7/5
    >>> explanation.solution.column
    (3/5, 2/5)
    """
    position = named_position(payoff)
    if position is not None:
        one, two = (list(map(str, hand)) for hand in (position.one, position.two))
        payoff = MatrixGame(payoff_matrix(position), one, two, f"position {position}")
    game = as_matrix_game(payoff)
    m, n = game.shape
    if m * n > MOST_PAYOFFS:
        raise ValueError(f"payoff must have at most {MOST_PAYOFFS} entries, got {m} × {n}")
    columns = list(zip(*game.payoff, strict=True))
    lines = [(label, [*row, min(row)]) for label, row in game.table().rows]
    lines.append((("greatest",), [*map(max, columns), ""]))
    steps: list[Step] = [replace(game.table(), rows=lines, heads=(*game.columns, "least"))]
    least, most = max(map(min, game.payoff)), min(map(max, columns))
    if least == most:
        solution = solve_matrix_game(game)
        (row,), (column,) = solution.named(solution.support)
        steps.append(
            "The greatest row minimum is the least column maximum: "
            f"row {row}, column {column} is a saddle point."
        )
        steps.append(f"{INDENT}{least} = v = {most}")
    else:
        steps.append(
            "The greatest row minimum is below the least column maximum: there is no saddle point."
        )
        steps.append(f"{INDENT}{least} ≤ v ≤ {most}")
        # The lines of the graphical method show which mixtures dominate.
        elimination = eliminate_dominated(game, weak=True, mixed=min(m, n) > 2)
        if elimination.steps:
            steps += [elimination.table(), elimination.game.table()]
        m, n = elimination.game.shape
        if min(m, n) > 2 and max(m, n) > MOST:
            raise ValueError(f"payoff must be 3 × 3, 2 × n or m × 2 after dominance, got {m} × {n}")
        small = solve_matrix_game(elimination.game)
        rows, heads = small.named(small.kernel)
        if min(m, n) == 2 < max(m, n):
            steps += _graphical(small.game, heads if m == 2 else rows)
        own, other = tuple(map(game.rows.index, rows)), tuple(map(game.columns.index, heads))
        solution = solution_from(game, Basis(own, other))
        p, q = [solution.row[i] for i in own], [solution.column[j] for j in other]
        steps.append(f"Player one plays rows {', '.join(rows)} with probabilities")
        steps += _equations("p", p, [[game.payoff[i][j] for i in own] for j in other])
        steps.append(f"Player two plays columns {', '.join(heads)} with probabilities")
        steps += _equations("q", q, [[game.payoff[i][j] for j in other] for i in own])
    for who, against, strategy, replies, sign in (
        ("Player one then gains, against columns", game.columns, solution.row, columns, "≥"),
        ("Player two then pays, against rows", game.rows, solution.column, game.payoff, "≤"),
    ):
        sums = [str(sum(map(mul, strategy, line))) for line in replies]
        steps.append(f"{who} {', '.join(against)}:")
        steps.append(f"{INDENT}{', '.join(sums)} {sign} v")
    written = (
        printable(step) if isinstance(step, str) else replace(step, numbers="fraction")
        for step in steps
    )
    return Explanation(solution, (*written, solution.table()))


def _graphical(game: MatrixGame, meeting: Sequence[str]) -> Iterator[Step]:
    """Yield the steps of the graphical method for a game of two rows or of two columns.

    `meeting` has the labels of the two replies whose lines meet at the best point of the envelope.
    """
    is_lower = game.shape[0] == 2
    who, own, letter, gain, replies, extreme, side, best = WORDS[is_lower]
    names = [name.format(letter) for name in UNKNOWNS[2]]
    lines, corners = envelope(game)
    yield f"If player {who} plays {own} {', '.join(game.rows if is_lower else game.columns)} with probabilities"
    yield f"{INDENT}{letter}, 1 - {letter}"
    yield f"the {gain} against each of {replies} {', '.join(lines)} is a line over {letter}:"
    for line in lines.values():
        yield f"{INDENT}{_sum(line, names)}"
    yield f"The {extreme} {gain} is the {side} envelope of the lines:"
    yield Corners(
        f"{game.title}: corners of the {side} envelope",
        (replies,),
        [((", ".join(touching),), [chance, level]) for chance, level, touching in corners],
        heads=(letter, gain),
        left=(replies,),
        game=game,
    )
    yield f"It is {best} where {replies} {', '.join(meeting)} meet."


def _equations(letter: str, chances: Line, gains: Sequence[Line]) -> Iterator[str]:
    """Yield the equations for the probabilities of a player, and their solution.

    The equations state that all replies of the opponent lead to the same payoff.

    Args:
        letter: the letter for the unknowns: p for player one, q for player two.
        chances: the probabilities that solve the equations, length 2 or 3.
        gains: player one's payoffs, a line for each of 2 or 3 replies of the opponent. A line has an entry for each
            strategy of the player, in the order of `chances`.
    """
    names = [name.format(letter) for name in UNKNOWNS[len(chances)]]
    yield f"{INDENT}{', '.join(names).replace('(', '').replace(')', '')}"
    yield "for which the opponent's replies all give the same:"
    yield f"{INDENT}{' = '.join(_sum(line, names) for line in gains)}"
    yield "Subtracting the last of these leaves"
    *others, last = gains
    for line in others:
        *slopes, level = (gain - end for gain, end in zip(line, last, strict=True))
        yield f"{INDENT}{_sum([slope - level for slope in slopes], names)} = {-level}"
    value = sum(map(mul, chances, last))
    values = [f"{name} = {chance}" for name, chance in zip(names[:-1], chances, strict=False)]
    yield "and so"
    yield f"{INDENT}{', '.join(values)}, v = {value}"


def _sum(factors: Line, names: Sequence[str]) -> str:
    """Return a sum of factors times names, such as ``-1/2 p + 2 (1 - p)``; names with the factor 0 are left out."""
    text = ""
    for factor, name in zip(factors, names, strict=False):
        if factor:
            size = "" if abs(factor) == 1 else f"{abs(factor)} "
            text += f" {'-' if factor < 0 else '+'} {size}{name}"
    return re.sub("^ - ", "-", text).removeprefix(" + ") or "0"


def _in_latex(formula: str) -> str:
    return _FRACTION.sub(r"\\frac{\1}{\2}", formula).translate(_SYMBOLS)


def _in_html(formula: str) -> str:
    line = _FRACTION.sub(r"<sup>\1</sup>⁄<sub>\2</sub>", escape(formula))
    return f'<p style="margin-left: 2em">{line}</p>'


_WRITERS: dict[str, tuple[Callable[[Table], str], Writer, Writer, str]] = {
    "text": (lambda table: f"\n{table}\n", INDENT.__add__, str, "\n"),
    "html": (lambda table: table.html(), _in_html, lambda line: f"<p>{escape(line)}</p>", "\n"),
    "latex": (Table.latex, lambda line: f"\\[{_in_latex(line)}\\]", in_latex, "\n\n"),
    "markdown": (
        lambda table: table.markdown().rstrip(),
        lambda line: f"$${_in_latex(line)}$$",
        in_markdown,
        "\n\n",
    ),
}
"""{format: functions that write a table, a formula and a sentence, and the text between steps}."""
