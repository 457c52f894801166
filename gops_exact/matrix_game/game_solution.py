"""Results of matrix games: a solution, the set of all optimal strategies, and the regret of each player.

Words used here:

* A game is m × n if player one has m pure strategies, the rows, and player two has n, the columns. A payoff is player
  one's gain.
* The *support* of a strategy has the pure strategies to which the strategy gives a positive probability.
* A *kernel* is a square submatrix of the payoff matrix, which determines a strategy of each player (Shapley & Snow
  1950). It is optimal if both strategies are.
* An optimal strategy is *extreme* if it is not a mixture of other optimal strategies.
* The *regret* of a player is the gain from changing to a best reply to the other player's strategy.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial, reduce
from itertools import compress, count, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from flint import fmpq, fmpq_mat

from gops_exact.base.arguments import choice, flag, function, items, shown
from gops_exact.base.formats import FORMATS
from gops_exact.base.progress import Progress
from gops_exact.matrix_game.basis import Basis, CertificateError
from gops_exact.matrix_game.matrix import TITLE, MatrixGame, constant_sum
from gops_exact.matrix_game.payoff import ONE, ZERO, Entries, flint
from gops_exact.matrix_game.simplex import LinearPrograms, is_unique, linear_programs
from gops_exact.numbers.exact import BigRational, Number, rational
from gops_exact.numbers.table import Listing, Shown, Table

if TYPE_CHECKING:
    from gops_exact.matrix_game.sensitivity import Sensitivity

MOST_WHOLE = 20
"""Greatest number of rows, and of columns, of a game whose matrix is shown with the bids that are not played."""

MIX = "mix"
"""Name of the line and of the column that hold mixed strategies, beside payoffs."""

KIND, VERSION = "matrix game", 1
"""Values of the members ``document`` and ``version`` in the JSON document of a solution."""

SPIEL_NEAR = fmpq(1, 10**12)
"""Greatest distance of a payoff of OpenSpiel, a float, from the fraction that replaces it."""


class ByLabel(tuple[BigRational, ...]):  # noqa: SLOT001  # it has labels
    """Probabilities of pure strategies, by index or by label.

    >>> chances = ByLabel([BigRational(1) / 3, BigRational(2) / 3], ["top", "low"])
    >>> chances[1] == chances["low"], chances
    (True, (1/3, 2/3))
    """

    labels: tuple[str, ...]  #: the labels of the pure strategies

    def __new__(cls, chances: Iterable[BigRational], labels: Iterable[str] = ()) -> Self:
        """Return the probabilities with their labels.

        Copying and unpickling call this method without labels, and then set the attribute `labels`.
        """
        self = super().__new__(cls, chances)
        self.labels = tuple(labels)
        return self

    def __getitem__(self, key: Any) -> Any:  # noqa: ANN401  # an index, a slice or a label
        if not isinstance(key, str):
            return super().__getitem__(key)
        choice(key, "a label", self.labels)
        return super().__getitem__(self.labels.index(key))


def as_matrix_game(source: object, *, exactly: bool = False, within: object = None) -> MatrixGame:
    """Convert a file, a game of another package or a matrix of payoffs to a :class:`MatrixGame`.

    Args:
        source: the path of a file; the text of a file, if it begins with a bracket or has several lines; a constant-sum
            game of pygambit, nashpy or quantecon, a matrix game of OpenSpiel, or a pair (A, B) of both players'
            payoffs; {(row, column): payoff}; payoffs in any form that :class:`MatrixGame` takes; or a
            :class:`MatrixGame`, which is returned unchanged. If `source` has the payoffs of both players, their sum
            must be the same in every cell, and the result has the payoffs of player one.
        exactly: True to replace each float by its exact binary value. Ignored for a file, a game of pygambit and a
            :class:`MatrixGame`, which have no floats.
        within: a positive rational. Each float is replaced by the fraction with the smallest denominator whose
            distance from the float is at most `within`. If `within` is None and `exactly` is False, floats are refused,
            except in a game of OpenSpiel, where `within` is then :data:`SPIEL_NEAR`. Ignored where `exactly` is
            ignored.

    Raises:
        ValueError: if `source` is none of these, if its payoffs are refused, or if `within` is not positive or is set
            together with `exactly`.
    """
    if isinstance(source, MatrixGame):
        return source
    if isinstance(source, str | Path) or hasattr(source, "to_nfg"):
        from gops_exact.matrix_game.game_files import read_game  # imported here: seldom needed

        return read_game(source)
    if within is None and exactly is False and hasattr(source, "row_utilities"):
        within = SPIEL_NEAR
    rows, columns, payoffs = _parts(source)
    read = partial(MatrixGame, rows=rows, columns=columns, exactly=exactly, within=within)
    return reduce(constant_sum, map(read, payoffs))


def _parts(source: Any) -> tuple[Sequence[str], Sequence[str], Sequence[Any]]:  # noqa: ANN401  # any game
    """Return the row labels, the column labels, and the payoff matrices of a game.

    Labels are () if the game has none. The matrices are player one's and, if the game has it, player two's.

    Raises:
        ValueError: if a mapping {(row, column): payoff} lacks a pair.
    """
    if hasattr(source, "row_utilities"):  # a matrix game of OpenSpiel, in floats
        rows = [*map(source.row_action_name, range(source.num_rows()))]
        columns = [*map(source.col_action_name, range(source.num_cols()))]
        return rows, columns, (source.row_utilities(), source.col_utilities())
    if hasattr(source, "payoff_matrices"):  # a game of nashpy
        return (), (), source.payoff_matrices
    arrays: Sequence[Any] = getattr(source, "payoff_arrays", ())
    if len(arrays) == 2:  # a game of quantecon
        return (), (), (arrays[0], arrays[1].T)
    keys = [*source] if isinstance(source, Mapping) else []
    if keys and all(isinstance(key, tuple) and len(key) == 2 for key in keys):
        sides = [dict.fromkeys(key[side] for key in keys) for side in (0, 1)]
        if gap := next((pair for pair in product(*sides) if pair not in source), None):
            raise ValueError(
                f"every pair of a row and a column must have a payoff, got none of {shown(gap)}"
            )
        matrix = [[source[row, column] for column in sides[1]] for row in sides[0]]
        return [*map(str, sides[0])], [*map(str, sides[1])], [matrix]
    # The rows of a matrix of NumPy's class matrix are matrices, too; they are rows, not players.
    is_pair = isinstance(source, list | tuple) and len(source) == 2
    if is_pair and not isinstance(source[0], np.matrix):
        with suppress(ValueError):  # rows of different lengths
            if all(len(getattr(part, "shape", None) or np.shape(part)) == 2 for part in source):
                return (), (), [*source]
    return (), (), [source]


@dataclass(frozen=True, repr=False)
class GameSolution(Shown):
    """The value of an m × n matrix game, and one optimal strategy of each player."""

    game: MatrixGame = field(compare=False)  #: the game, with its labels
    value: BigRational  #: the greatest gain that player one can guarantee
    #: player one's probabilities, length m, also by label: ``row["top"]``
    row: tuple[BigRational, ...]
    column: tuple[BigRational, ...]  #: player two's probabilities, length n, also by label
    #: The algorithm: ``"saddle point"``; ``"closed form"``, the formula of 2 × 2 games; ``"guided"``, a basis that is
    #: proposed in floats and proved or, if no proposed basis is optimal, computed by a tableau of fractions;
    #: ``"pfaffian"``, a basis of a skew-symmetric game that is proposed in floats and proved, at which Pfaffians yield
    #: both strategies; ``"simplex"``, a tableau of fractions.
    method: str
    #: Both players' linear programs at an optimal basis; None if both strategies are known to be the only optimal ones,
    #: or if the solution was read from a document.
    optimum: LinearPrograms | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name, labels in (("row", self.game.rows), ("column", self.game.columns)):
            object.__setattr__(self, name, ByLabel(getattr(self, name), labels))

    def __repr__(self) -> str:
        return (
            f"GameSolution(value={self.value!r}, row={self.row!r}, column={self.column!r}, "
            f"method={self.method!r}, row_unique={self.row_unique}, "
            f"column_unique={self.column_unique})"
        )

    @cached_property
    def row_unique(self) -> bool:
        """True if `row` is player one's only optimal strategy."""
        return self.optimum is None or is_unique(*reversed(self.optimum))

    @cached_property
    def column_unique(self) -> bool:
        """True if `column` is player two's only optimal strategy."""
        return self.optimum is None or is_unique(*self.optimum)

    @property
    def unique(self) -> bool:
        """True if both strategies are the only optimal ones (Bohnenblust, Karlin & Shapley 1950)."""
        return self.row_unique and self.column_unique

    @property
    def support(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The indices of the rows and of the columns that are played with positive probability."""
        return tuple(compress(count(), self.row)), tuple(compress(count(), self.column))

    @property
    def kernel(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The optimal kernel: the indices of the rows and of the columns of a square subgame with this solution.

        The payoffs of the kernel, bordered by ones, are not singular (Shapley & Snow 1950). The kernel contains the
        support, and equals it if the solution is unique.

        Raises:
            ValueError: if the solution was read from a document, which lacks the kernel, and is not unique.
        """
        if self.optimum is None:
            if not self.unique:
                raise ValueError("the kernel must be of a game that is solved here, got a document")
            return self.support
        basis = self.optimum[0].basis
        return basis.rows, basis.columns

    def named(
        self, pair: tuple[tuple[int, ...], tuple[int, ...]]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the labels of rows and columns.

        Args:
            pair: (indices of rows, indices of columns), such as :attr:`support` or :attr:`kernel`.
        """
        rows, columns = pair
        return tuple(self.game.rows[i] for i in rows), tuple(self.game.columns[j] for j in columns)

    def table(self) -> Table:
        """Return a table of both strategies, below a line with the value and the method."""
        about = self.method if self.unique else f"{self.method}, not unique"
        caption = f"value {self.value.short()} ({about})"
        return _table(Listing, self.game, caption, [self.row], [self.column])

    def matrix(self, *, whole: bool | None = None) -> Table:
        """Return a table of the payoffs, with player one's strategy at the right and player two's below.

        Pure strategies that are not played are grey.

        Args:
            whole: True to show all pure strategies; False to leave out those that are not played; None to leave them
                out if the game has more than 20 rows or more than 20 columns.

        >>> from gops_exact import solve_matrix_game
        >>> print(solve_matrix_game([[3, -1], [1, 2]]).matrix())
        matrix game: value 7/5 ≈ 1.4000
        <BLANKLINE>
                  1        2     mix
          1  3.0000  -1.0000  0.2000
          2  1.0000   2.0000  0.8000
        mix  0.6000   0.4000  1.4000
        """
        m, n = self.game.shape
        is_whole = max(m, n) <= MOST_WHOLE if whole is None else flag(whole, "whole")
        rows, columns = (tuple(range(m)), tuple(range(n))) if is_whole else self.support
        names, heads = self.named((rows, columns))
        lines = [[*(self.game.payoff[i][j] for j in columns), self.row[i]] for i in rows]
        lines.append([*(self.column[j] for j in columns), self.value])
        left_out = f"not played: {m - len(rows)} other rows, {n - len(columns)} other columns"
        return Table(
            f"{self.game.title}: value {self.value.short()}",
            ("row",),
            [((name,), line) for name, line in zip((*names, MIX), lines, strict=True)],
            heads=(*heads, MIX),
            across="column",
            notes=() if is_whole else (left_out,),
            faint=(
                [line for line, i in enumerate(rows) if not self.row[i]],
                [line for line, j in enumerate(columns) if not self.column[j]],
            ),
        )

    def emit(self, fmt: str) -> str:
        """Return the solution as text.

        Args:
            fmt: ``"text"``, ``"csv"``, ``"latex"``, ``"booktabs"`` (LaTeX with the rules of that package) or
                ``"markdown"`` for the table; ``"json"`` for a document that ``gops-exact verify`` proves; ``"vipr"``
                for a certificate that checkers of linear programs in the format VIPR accept.

        Raises:
            ValueError: if the format is none of these.
        """
        choice(fmt, "fmt", FORMATS["solution"])
        return "".join(vipr(self)) if fmt == "vipr" else super().emit(fmt)

    def document(self) -> dict[str, Any]:
        """Return the solution as a JSON object of the schema ``matrix-game-1.json``, with numbers as text.

        The document contains its proof: the payoffs, and two strategies with which player one gains at least the value
        against every column, and player two pays at most the value against every row.
        """
        return {
            "document": KIND,
            "version": VERSION,
            "title": self.game.title,
            "labels": {"rows": list(self.game.rows), "columns": list(self.game.columns)},
            "payoff": [list(map(str, row)) for row in self.game.payoff],
            "value": str(self.value),
            "row": list(map(str, self.row)),
            "column": list(map(str, self.column)),
            "row_unique": self.row_unique,
            "column_unique": self.column_unique,
            "method": self.method,
        }

    def sensitivity(self, progress: Progress | None = None) -> "Sensitivity":
        """Return, for each payoff, the rate at which it changes the value, and the interval in which :attr:`kernel`
        stays optimal.

        While one payoff changes, all others are fixed. If both strategies are the only optimal ones, the rate is the
        probability of the row times the probability of the column. Otherwise the rates may differ for smaller and for
        larger payoffs (Mills 1956).

        Args:
            progress: called as progress(done, total), counted in rows; None for no report.

        Raises:
            ValueError: if the solution was read from a document and is not unique.

        >>> from gops_exact import solve_matrix_game
        >>> known = solve_matrix_game([[3, -1], [1, 2]]).sensitivity().payoffs["1"]["1"]
        >>> known.below, known.above, known.low, known.high, known.value.text("a")
        (3/25, 3/25, 1, None, '(2 a + 1)/(a + 2)')
        """
        # Imported here, because it is seldom needed.
        from gops_exact.matrix_game.sensitivity import sensitivity_at

        function(progress, "progress")
        optimum = self.optimum or linear_programs(self.game.numbers, Basis(*self.kernel))
        return sensitivity_at(self.game, optimum, (self.row_unique, self.column_unique), progress)

    def check(self, payoff: object = None) -> None:
        """Prove exactly that x = `row` and y = `column` are probabilities with min(xᵀX) = `value` = max(Xy).

        Args:
            payoff: the payoff matrix X to check against, anything that :func:`~gops_exact.solve_matrix_game` takes,
                except floats; by default :attr:`game`.

        Raises:
            ValueError: if `payoff` is not a matrix of exact rationals.
            CertificateError: if the solution fails the check.

        >>> from gops_exact import solve_matrix_game
        >>> solve_matrix_game([[3, -1], [1, 2]]).check([["3", -1], [1, 2]])
        """
        game = self.game if payoff is None else payoff
        check_solution(game, self.value, self.row, self.column)


@dataclass(frozen=True)
class OptimalSet(Shown):
    """The extreme optimal strategies of an m × n game.

    A player's optimal strategies are the mixtures of the extreme ones.
    """

    game: MatrixGame = field(compare=False, repr=False)  #: the game, with its labels
    value: BigRational  #: the value of the game
    #: player one's extreme strategies, each of length m, in ascending order
    row: tuple[tuple[BigRational, ...], ...]
    #: player two's extreme strategies, each of length n, in ascending order
    column: tuple[tuple[BigRational, ...], ...]

    @property
    def mean(self) -> tuple[tuple[BigRational, ...], tuple[BigRational, ...]]:
        """The mean of the extreme optimal strategies of each player, which is optimal, too.

        A player's mean gives a positive probability to each pure strategy that some optimal strategy of the player
        plays.

        >>> from gops_exact import optimal_set
        >>> optimal_set([[2, 1, 1], [0, 1, 2]]).mean
        ((3/4, 1/4), (0, 1, 0))
        """
        row, column = (
            [sum(chances, BigRational(0)) / len(side) for chances in zip(*side, strict=True)]
            for side in (self.row, self.column)
        )
        return ByLabel(row, self.game.rows), ByLabel(column, self.game.columns)

    def table(self) -> Table:
        """Return a table with a line for each pure strategy of a player and a column for each extreme strategy."""
        caption = f"value {self.value.short()}: the extreme optimal strategies"
        return _table(Table, self.game, caption, self.row, self.column)


def _table(
    kind: type[Table],
    game: MatrixGame,
    caption: str,
    row: Sequence[tuple[BigRational, ...]],
    column: Sequence[tuple[BigRational, ...]],
) -> Table:
    """Return a table of player one's mixed strategies `row` and player two's `column`, with a line for each pure strategy.

    If `kind` is Listing, each player has one mixed strategy.
    """
    most = max(len(row), len(column))
    sides = ("row", game.rows, row), ("column", game.columns, column)
    rows = [
        ((player, label), [*chances, *[""] * (most - len(chances))])
        for player, labels, strategies in sides
        for label, *chances in zip(labels, *strategies, strict=True)
    ]
    return kind(
        caption if game.title == TITLE else f"{game.title}: {caption}",
        ("player", "strategy"),
        rows,
        heads=("",) if kind is Listing else tuple(range(1, most + 1)),
        left=("player", "strategy"),
        probabilities=True,
    )


def vipr(solution: GameSolution) -> Iterator[str]:
    """Yield the parts of a certificate of a solution in the format VIPR 1.0, which independent programs can check.

    The format is that of SCIP's exact mode (Cheung, Gleixner & Steffy 2017, *Verifying integer programming results*).
    The certificate is for player one's linear program: maximise v subject to x ≥ 0, Σ x = 1 and, for each column j,
    Σ_i a_ij x_i − v ≥ 0, where A is the payoff matrix. Player one's strategy x proves that v can be as great as the
    value. With player two's strategy y, the sum of

        v − Σ (Ay)_i x_i ≤ 0,   value · Σ x_i = value   and   ((Ay)_i − value) x_i ≤ 0 for each row i

    is v ≤ value. This proves that v cannot be greater.

    >>> from gops_exact import solve_matrix_game
    >>> print("".join(vipr(solve_matrix_game([[3, -1], [1, 2]]))), end="")
    VER 1.0
    VAR 3
    x1 x2 v
    INT 0
    OBJ max
    1 2 1
    CON 5 2
    X1 G 0 1 0 1
    X2 G 0 1 1 1
    SUM E 1 2 0 1 1 1
    Y1 G 0 3 0 3 1 1 2 -1
    Y2 G 0 3 0 -1 1 2 2 -1
    RTP range 7/5 7/5
    SOL 1
    optimum 3 0 1/5 1 4/5 2 7/5
    DER 1
    bound L 7/5 OBJ { lin 3 2 7/5 3 -3/5 4 -2/5 } -1
    """
    value = solution.value.value
    row, column = ([chance.value for chance in side] for side in (solution.row, solution.column))
    payoff = solution.game.numbers.rows
    m, n = len(row), len(column)
    yield f"VER 1.0\nVAR {m + 1}\n{' '.join(f'x{i + 1}' for i in range(m))} v\nINT 0\n"
    yield f"OBJ max\n1 {m} 1\nCON {m + 1 + n} {m}\n"
    for i in range(m):
        yield f"X{i + 1} G 0 1 {i} 1\n"
    yield f"SUM E 1 {_terms([ONE] * m)}\n"
    for j, line in enumerate(zip(*payoff, strict=True)):
        yield f"Y{j + 1} G 0 {_terms([*line, -ONE])}\n"
    yield f"RTP range {value} {value}\n"
    yield f"SOL 1\noptimum {_terms([*row, value])}\n"
    gains = (fmpq_mat(payoff) * fmpq_mat([[chance] for chance in column])).entries()
    # The constraints of the certificate, multiplied by these factors, add up to v ≤ value. The factors are those of
    # X1, X2, …, then that of SUM, then those of Y1, Y2, … The constraints X and Y have the sign ≥, and the sum has the
    # sign ≤, so the factors of X and Y are not positive.
    factors = [*(gain - value for gain in gains), value, *(-chance for chance in column)]
    yield f"DER 1\nbound L {value} OBJ {{ lin {_terms(factors)} }} -1\n"


def _terms(factors: Sequence[fmpq]) -> str:
    terms = [f"{index} {factor}" for index, factor in enumerate(factors) if factor]
    return f"{len(terms)} {' '.join(terms)}".strip()


def check_solution(
    payoff: object,
    value: Number[Any],
    row: Iterable[Number[Any]],
    column: Iterable[Number[Any]],
) -> None:
    """Check that `row` gains at least `value` against each column, and `column` pays at most `value` against each row.

    This proves the value, and that both strategies are optimal.

    Args:
        payoff: an m × n game, anything that :func:`~gops_exact.solve_matrix_game` takes, except floats.
        value: the claimed value.
        row: player one's m probabilities.
        column: player two's n probabilities.

    Raises:
        ValueError: if `payoff` is not a matrix of exact rationals.
        CertificateError: if the strategies have other lengths, if one is not a probability vector, or if one does not
            guarantee `value`.
    """
    game = as_matrix_game(payoff).numbers
    m, n = game.shape
    one, two = ([probability.value for probability in side] for side in (row, column))
    if (len(one), len(two)) != (m, n):
        raise CertificateError(
            f"strategies of lengths {len(one)} and {len(two)} for a {m} × {n} matrix"
        )
    for side, strategy, lines, sign, claim in (
        ("row", one, game.entries.T, 1, "guarantee the value"),
        ("column", two, game.entries, -1, "hold player one to the value"),
    ):
        if any(p < 0 for p in strategy) or sum(strategy, ZERO) != 1:
            raise CertificateError(f"the {side} strategy is not a probability vector")
        gains = map(game.value, _gains(lines, strategy))
        if any(sign * (gain - value.value) < 0 for gain in gains):
            raise CertificateError(f"the {side} strategy does not {claim}")


def _gains(lines: Entries, strategy: Sequence[fmpq]) -> list[fmpq]:
    """Return the mean of the entries in each row of `lines`, weighted with the column probabilities in `strategy`."""
    played = [bid for bid, chance in enumerate(strategy) if chance]
    product = flint(lines[:, played]) * fmpq_mat([[strategy[bid]] for bid in played])
    return [gain for (gain,) in product.tolist()]


def regret(payoff: object, row: object, column: object) -> tuple[BigRational, BigRational]:
    """Return each player's regret: the gain from changing to a best reply to the other player's strategy.

    Both regrets are 0 if and only if the strategies are an equilibrium. Their sum is the *exploitability* of the
    pair of strategies.

    Args:
        payoff: an m × n game, anything that :func:`~gops_exact.solve_matrix_game` takes, except floats.
        row: player one's strategy: m probabilities, or {label: probability}, where missing labels have 0.
        column: player two's strategy: n probabilities, or {label: probability}, where missing labels have 0.

    Returns:
        The regret of player one, and the regret of player two.

    Raises:
        ValueError: if `payoff` is not a game; or if a strategy has a label that the game lacks, too few or too many
            probabilities, or probabilities that are negative or do not have the sum 1.

    >>> regret([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], ["1/2", "1/2", 0], ["1/3"] * 3)
    (0, 1/2)
    """
    game = as_matrix_game(payoff)
    entries, scale = game.numbers.entries, game.numbers.scale
    one, two = _strategy(row, "row", game.rows), _strategy(column, "column", game.columns)
    gains, losses = _gains(entries, two), _gains(entries.T, one)
    mean = sum((p * gain for p, gain in zip(one, gains, strict=True)), ZERO)
    return BigRational(scale * (max(gains) - mean)), BigRational(scale * (mean - min(losses)))


def _strategy(argument: object, player: str, labels: Sequence[str]) -> list[fmpq]:
    """Check a strategy of a player, ``"row"`` or ``"column"``, and return its probabilities in the order of the labels."""
    name = f"the {player} strategy"
    if isinstance(argument, Mapping):
        unknown = [label for label in argument if label not in labels]
        if unknown:
            raise ValueError(f"{name} must be of the labels of the game, got {shown(unknown[0])}")
        argument = [argument.get(label, 0) for label in labels]
    chances = [
        rational(chance, f"a probability of {name}")
        for chance in items(argument, name, f"{len(labels)} probabilities", ordered=True)
    ]
    if len(chances) != len(labels):
        raise ValueError(f"{name} must have {len(labels)} probabilities, got {len(chances)}")
    if min(chances) < 0 or sum(chances, ZERO) != 1:
        raise ValueError(f"{name} must be no negative numbers with the sum 1, got {shown(chances)}")
    return chances
