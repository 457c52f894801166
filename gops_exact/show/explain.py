"""Worked solutions of small matrix games, step by step as on a blackboard.

The steps are those of textbooks: a saddle point, dominance, and the equations by which each player makes the
other indifferent (von Neumann & Morgenstern 1944, §§ 14 and 18). The last step proves the solution by weak duality:
player one's strategy gains at least v against every column, and player two's strategy pays at most v against every row.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from operator import mul

from gops_exact.base.arguments import choice, printable
from gops_exact.base.formats import FORMATS
from gops_exact.game.game import Position
from gops_exact.matrix_game.basis import Basis
from gops_exact.matrix_game.dominance import eliminate_dominated
from gops_exact.matrix_game.game_solution import GameSolution, as_matrix_game
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.strategies import solution_from, solve_matrix_game
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.table import Listing, Table, in_latex
from gops_exact.solvers.api import payoff_matrix

MOST = 3
"""Greatest number of rows, and of columns, of a game that is explained. With more unknowns the equations would not fit
into a line."""

UNKNOWNS = {2: ("{0}", "(1 - {0})"), 3: ("{0}₁", "{0}₂", "(1 - {0}₁ - {0}₂)")}
"""{number of strategies that a player mixes: texts of their probabilities}, in which ``{0}`` stands for p or q."""

INDENT = "    "
"""Indentation of a step that is a formula. Steps that are sentences are not indented."""

_FRACTION = re.compile(r"(\d+)/(\d+)")
_IN_LATEX = str.maketrans({"₁": "_1", "₂": "_2", "≥": r"\ge", "≤": r"\le"})

Line = Sequence[BigRational]
Step = Table | str


@dataclass(frozen=True, repr=False)
class Explanation:
    """Worked solution of a matrix game, for a blackboard, a web page or a paper."""

    solution: GameSolution  #: the value and the strategies to which the steps lead
    steps: tuple[Step, ...]  #: tables, sentences, and formulas, which are indented

    def __str__(self) -> str:
        parts = (
            f"\n{_in_fractions(step)}\n" if isinstance(step, Table) else step for step in self.steps
        )
        return "\n".join(parts).strip().replace("\n\n\n", "\n\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        parts = []
        for step in self.steps:
            if isinstance(step, Table):
                parts.append(_in_fractions(step).html())
                continue
            style = ' style="margin-left: 2em"' if step.startswith(INDENT) else ""
            line = _FRACTION.sub(r"<sup>\1</sup>⁄<sub>\2</sub>", escape(step.strip()))
            parts.append(f"<p{style}>{line}</p>")
        return "\n".join(parts)

    def _repr_latex_(self) -> str:
        parts = []
        for step in self.steps:
            if isinstance(step, Table):
                parts.append(step.latex())
            elif step.startswith(INDENT):
                line = _FRACTION.sub(r"\\frac{\1}{\2}", step.strip())
                parts.append(f"\\[{line.translate(_IN_LATEX)}\\]")
            else:
                parts.append(in_latex(step))
        return "\n\n".join(parts)

    def emit(self, fmt: str) -> str:
        """Return the worked solution as text.

        Args:
            fmt: ``"text"``, ``"html"``, or ``"latex"`` for paragraphs of LaTeX without a preamble.

        Raises:
            ValueError: if the format is none of these.
        """
        choice(fmt, "fmt", FORMATS["steps"])
        texts = {"text": self.__str__, "latex": self._repr_latex_, "html": self._repr_html_}
        return f"{texts[fmt]()}\n"


def explain(payoff: object) -> Explanation:
    """Solve a small game step by step, as on a blackboard.

    Args:
        payoff: a game of at most 3 × 3, anything that :func:`~gops_exact.solve_matrix_game` takes except floats;
            or a position with an upcard and at most three cards a side.

    Returns:
        The worked solution. It begins with row minima and column maxima. A saddle point follows, if there is one;
        otherwise dominated strategies, the equations by which each player makes the other indifferent, and the solution
        of the equations. It ends with the gains that prove the solution. ``str()`` returns text, notebooks show HTML,
        and ``emit("latex")`` is for papers.

    Raises:
        ValueError: if `payoff` is no such game, or is larger than 3 × 3.

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
    if isinstance(payoff, Position):
        one, two = (list(map(str, hand)) for hand in (payoff.one, payoff.two))
        payoff = MatrixGame(payoff_matrix(payoff), one, two, f"position {payoff}")
    game = as_matrix_game(payoff)
    m, n = game.shape
    if max(m, n) > MOST:
        raise ValueError(f"payoff must be at most {MOST} × {MOST}, got {m} × {n}")
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
        elimination = eliminate_dominated(game, weak=True)
        if elimination.steps:
            steps += [elimination.table(), elimination.game.table()]
        small = solve_matrix_game(elimination.game)
        rows, heads = small.named(small.kernel)
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
    written = (printable(step) if isinstance(step, str) else step for step in steps)
    return Explanation(solution, (*written, solution.table()))


def _equations(letter: str, chances: Line, gains: Sequence[Line]) -> Iterator[str]:
    """Yield lines of text with the equations for the probabilities of a player, and their solution.

    The equations state that all replies of the opponent lead to the same payoff.

    Args:
        letter: the letter for the unknowns: p for player one, q for player two.
        chances: the probabilities that solve the equations, length k.
        gains: payoffs to player one, shape (k, k), with a line for each reply of the opponent and an entry for each
            strategy of the player.
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
    """Return the text of a sum of terms, a factor times a name in each, such as ``-1/2 p + 2 (1 - p)``.

    If there are more names than factors, the last names are left out. Terms with the factor 0 are left out, too.
    """
    text = ""
    for factor, name in zip(factors, names, strict=False):
        if factor:
            size = "" if abs(factor) == 1 else f"{abs(factor)} "
            text += f" {'-' if factor < 0 else '+'} {size}{name}"
    return re.sub("^ - ", "-", text).removeprefix(" + ") or "0"


def _in_fractions(table: Table) -> Table:
    """Return a table with fractions in place of decimals.

    A listing is returned unchanged, since it shows each number both as a decimal and as a fraction.
    """
    rows = [(keys, list(map(str, cells))) for keys, cells in table.rows]
    return table if isinstance(table, Listing) else replace(table, rows=rows)
