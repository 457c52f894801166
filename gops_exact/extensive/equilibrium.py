"""Exact equilibria of game trees, and the exact exploitability of any strategy.

Words used here:

* A *state* is a situation in the game, such as a history of moves. Several histories may lead to the same state.
* An *information set* of a player is a set of states that the player cannot tell apart. Nothing is hidden in a game in
  which each information set is a single state.
* A *sequence* of a player is an information set and a move there. A player who has not moved yet has the *empty
  sequence*.
* A *realization plan*, or plan for short, has a number for every sequence: the product of the probabilities of its move
  and of the player's earlier moves.
* The *sequence form* of a game has both players' sequences, and player one's payoff for each pair of them.
* A *basis* of a linear program is a choice of as many of its variables and slacks as it has constraints. With all
  others set to 0, the constraints determine the variables of the basis, which are called *basic*.
* An equilibrium is *quasi-perfect*, or refined, if its strategies are best replies at every information set, also after
  mistakes of either player (:mod:`~gops_exact.extensive.refined`).
* In a *game of paths* each player chooses a path through a graph, without seeing the other player's path
  (:mod:`~gops_exact.extensive.paths`).

A game in which each information set is a single state is solved state by state, from the ends of the game backwards;
if a play can reach a state twice, the game is solved as :mod:`~gops_exact.extensive.loops` describes. Any other game is
solved in its sequence form, by the linear program of :mod:`~gops_exact.extensive.linear_program`. If floats do not find
an optimal basis of this program, the game is solved by the simplex method in fractions of
:mod:`~gops_exact.extensive.refined`.

Let a be player one's expected payoff if player one's strategy meets player two's best reply, and b the payoff if player
two's strategy meets player one's best reply. The two strategies are an equilibrium if and only if a = b. Unless a play
can reach a state twice, a and b are computed exactly from the strategies alone. So an equilibrium is proved even if the
solver has an error.
"""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR
from functools import cached_property
from itertools import chain
from math import ceil, log2
from operator import attrgetter
from pathlib import Path
from time import process_time
from typing import Any, Literal

from flint import arb, ctx, fmpq, fmpz

from gops_exact.base.arguments import flag, function, instance, integer, real, shown
from gops_exact.base.arguments import path as as_path
from gops_exact.base.documents import named, read_text
from gops_exact.base.progress import Progress, silent
from gops_exact.extensive.bounds import float_bounds
from gops_exact.extensive.double_oracle import plans_by_replies
from gops_exact.extensive.efg_files import read_efg, read_tree
from gops_exact.extensive.form import (
    Form,
    Label,
    RawStrategy,
    Strategy,
    is_plan,
    plan_of,
    strategy_of,
)
from gops_exact.extensive.learn import learning
from gops_exact.extensive.linear_program import plans_at_bases
from gops_exact.extensive.loops import Solver
from gops_exact.extensive.paths import PathGame
from gops_exact.extensive.private_bids import HiddenBids
from gops_exact.extensive.ranges import Pair, Ranges, ranges_of, table_rows, unique_plans
from gops_exact.extensive.reach import Reached, reached
from gops_exact.extensive.refined import PlanPolynomials, limit_of, plans_of_paths, refined_plans
from gops_exact.extensive.rounds import Round
from gops_exact.extensive.trees import (
    PLAYERS,
    GameTree,
    ListedTree,
    State,
    StateGraph,
    Texts,
    Tree,
    listed,
    nodes_of,
    require_hash,
    rounded,
    sequence_form,
)
from gops_exact.game.game import Game, named_position
from gops_exact.numbers.digits import in_digits
from gops_exact.numbers.exact import (
    BigRational,
    Number,
    PrecisionError,
    distance,
    exact_chances,
    from_float,
    rational,
)
from gops_exact.numbers.kinds import ProvedDecimal, as_float
from gops_exact.numbers.table import Listing, Shown, Table
from gops_exact.solvers.api import as_arithmetic
from gops_exact.solvers.arithmetic import Arithmetic, Exact, Float
from gops_exact.solvers.cost import check_hidden_bids
from gops_exact.solvers.exact.by_prizes import DOUBLINGS, GUARD_BITS

LARGE = 80_000
"""Greatest number of rows plus columns of a linear program that is solved as a whole. Larger games, other than games of
paths, are solved by the double oracle method. Liar's dice with 6 sides has 49,142 rows and columns: the whole linear
program takes 4.1 s, the double oracle method 6.3 s. GOPS with 6 cards and hidden bids, for points, has 108,560 rows and
columns: the whole linear program takes 281 s, the double oracle method 7 s."""

SIDES = "row", "column"
"""The names of player one's and player two's strategies in documents."""

STATE_BITS, STATE_DIGITS, STATE_WIDTH = 224, 50, fmpq(1, 10**12)
"""Three limits for games whose values are bounded: the precision of the bounds in bits; the greatest number of digits of
a value in a table; the width of bounds that is near enough where a play may go on for ever."""

UNREACHED = (
    "At sets that are reached with probability 0 the moves are arbitrary, unless nothing is hidden in the game. "
    "Refined strategies are optimal at these sets, too."
)
"""Note below the table of strategies that are not refined, if it has sets that are not reached."""


@dataclass(frozen=True, repr=False)
class Equilibrium(Shown):  # noqa: PLW1641  # strategies cannot be hashed
    """Strategies of both players, and the bounds `least` and `most` that they prove for the value.

    If both bounds are equal, the strategies are an equilibrium; a game may have several. At information sets that are
    not reached, the moves are arbitrary, unless the equilibrium is :attr:`refined` or :func:`solve_game` solved the
    game state by state. If the bounds are close, the strategies are near an equilibrium.
    """

    game: GameTree  #: the game
    row: Strategy  #: player one's strategy
    column: Strategy  #: player two's strategy
    #: player one's expected payoff if `row` meets a best reply, or a lower bound of this payoff if `states` is not None
    least: BigRational
    #: player one's expected payoff if a best reply meets `column`, or an upper bound of it if `states` is not None
    most: BigRational
    #: number of iterations of the learning algorithm; 0 if :func:`solve_game` computed the strategies
    iterations: int = 0
    #: if `refined`, the realization plans of both players, which are polynomials in the least probability ε of
    #: :mod:`~gops_exact.extensive.refined`, as {information set: {move: coefficients, from the power 0 on}}; else None
    polynomials: tuple[PlanPolynomials, PlanPolynomials] | None = None
    #: {state: bounds of its value} if the game was solved state by state within bounds, because a play can reach a
    #: state twice or because :func:`approximate` solved the game; else None
    states: Mapping[State, tuple[BigRational, BigRational]] | None = None

    __repr__ = Shown.__str__

    @classmethod
    def of(
        cls,
        game: GameTree,
        row: Strategy,
        column: Strategy,
        *,
        form: Form | StateGraph | None = None,
        iterations: int = 0,
        polynomials: tuple[PlanPolynomials, PlanPolynomials] | None = None,
    ) -> "Equilibrium":
        """Return two strategies with bounds of the value, which are computed from best replies to the strategies.

        Args:
            game: the game.
            row: player one's strategy.
            column: player two's strategy.
            form: the form in which the game is solved; None to compute it.
            iterations: number of iterations of the learning algorithm; 0 if the strategies were not learned.
            polynomials: the plans of a quasi-perfect equilibrium, see :attr:`polynomials`; None for others.

        Raises:
            ValueError: if `game` is not valid, if a play can reach a state twice, or if `row` or `column` is no
                strategy of its player.
        """
        form = form_of(game) if form is None else form
        bounds = _bound(form, row, 1), _bound(form, column, 2)
        return cls(game, row, column, *bounds, iterations, polynomials)

    def __eq__(self, other: object) -> bool:
        """Return True if `other` is an Equilibrium with the same :meth:`document`."""
        return isinstance(other, Equilibrium) and self.document() == other.document()

    @property
    def value(self) -> BigRational:
        """The expected payoff of player one at an equilibrium.

        Raises:
            PrecisionError: if the bounds differ.
        """
        if self.least != self.most:
            raise PrecisionError(
                f"the value is no fraction as far as is known: it is {self._value}"
                if self.states
                else f"the value is known to be {self._value}, and no nearer"
            )
        return self.least

    @property
    def _value(self) -> str:
        """The value as text: a fraction, or a decimal whose digits the bounds prove, or else both bounds."""
        if self.least == self.most:
            return self.least.short()
        least, most = self.least.value, self.most.value
        near = ProvedDecimal(_ball(least, most, STATE_BITS), STATE_DIGITS)
        return near.text() if near.digits > 3 else _between(least, most)

    @property
    def _players(self) -> tuple[str, str]:
        return self.game.players if isinstance(self.game, ListedTree) else PLAYERS

    @property
    def exploitability(self) -> BigRational:
        """The sum of what both players can gain by changing to a best reply: `most` − `least`.

        If :attr:`states` is not None, this is an upper bound of the sum.
        """
        return self.most - self.least

    @property
    def support(self) -> tuple[int, int]:
        """The number of moves that each strategy plays: (player one's, player two's).

        A move is played if its probability is positive. In a refined strategy, a move counts only if its information
        set has several moves, and the strategy itself reaches the set. In any other strategy, the moves at all its
        information sets count.
        """
        one, two = (
            sum(
                (entry[0] if self.refined else entry) != 0
                for mix in side.values()
                for entry in mix.values()
            )
            for side in self.polynomials or (self.row, self.column)
        )
        return one, two

    @property
    def refined(self) -> bool:
        """True if the strategies are a quasi-perfect equilibrium, which `polynomials` prove."""
        return self.polynomials is not None

    @cached_property
    def reached(self) -> tuple[Reached, Reached]:
        """The probability of reaching each information set, {set: probability}, for player one and for player two.

        Sets that are not reached are missing. A play may pass a set with a single move several times; for such a set
        this is the expected number of passes. For a game of paths see :meth:`.PathGame.reached`.

        Raises:
            ValueError: if :attr:`states` is not None, or if a strategy has no probabilities at a set that it reaches.
        """
        if self.states is not None:
            raise ValueError(
                "states that are reached are not counted where bounds of all are known"
            )
        if isinstance(self.game, PathGame):
            return self.game.reached(self.row, 1), self.game.reached(self.column, 2)
        return reached(self.game, (self.row, self.column))

    @cached_property
    def unique(self) -> tuple[bool, bool]:
        """For each player, True if the player has the same realization plan in all equilibria.

        This is proved on first access. Equilibria may still differ at information sets that the player's own moves do
        not lead to.

        Raises:
            ValueError: if :func:`solve_game` solves the game state by state, or if it is a game of paths.
            PrecisionError: if the bounds `least` and `most` differ, or if floats find no proof.
        """
        return unique_plans(*self._optimal())

    def ranges(self, *, progress: Progress | None = None) -> Ranges:
        """Compute the ranges of the moves' weights and probabilities over all equilibria of the game.

        :mod:`~gops_exact.extensive.ranges` describes the method, linear programs whose results are proved exactly.

        Args:
            progress: called as progress(done, total), in information sets; None for no report.

        Returns:
            For every move the range of its weight and the range of its probability, which :class:`.Range` explains.

        Raises:
            ValueError: if :func:`solve_game` solves the game state by state, or if the game is a
                :class:`~gops_exact.extensive.PathGame`.
            PrecisionError: if the two bounds of the value differ, because the solution is only approximate; or if
                floats find no basis that proves an end of a range.

        >>> from gops_exact import known_games
        >>> solved = solve_game(known_games.kuhn_poker())
        >>> solved.ranges().row["J"]["b"], solved.unique
        (Range(weight=(0, 1/3), probability=(0, 1/3)), (False, True))
        """
        function(progress, "progress")
        return ranges_of(*self._optimal(), title_of(self.game), progress)

    def _optimal(self) -> tuple[Form, Pair]:
        """Return the sequence form of the game, and optimal realization plans of both players."""
        form = hidden_form(self.game)
        _ = self.value  # raises an error if the bounds differ
        one, two = map(plan_of, form.sides, map(exact_strategy, (self.row, self.column)))
        return form, (one, two)

    def table(self, *, every: bool = False) -> Table:
        """Return a table of the moves of both players at their information sets, with probabilities.

        The column ``reached`` has the probability of reaching the information set if both players play their
        strategies. The table has no such column if the strategies were learned by :func:`approximate`, or if
        :attr:`states` is not None.

        Args:
            every: for a game with hidden bids, True to show all information sets, False to show only those of the
                first round. Other games are shown in full.
        """
        caption, notes = f"{title_of(self.game)}: value {self._value}", tuple[str, ...]()
        if self.iterations:
            gain = _to_three(self.exploitability.value, ROUND_CEILING)
            caption += f"\nAfter {self.iterations} iterations best replies to both gain at most {gain} together."
        has_shares = not self.iterations and self.states is None
        left = "player", "information set", "move"
        keys = ("player", "information set", "reached", "move") if has_shares else left
        rows = list[tuple[tuple[str, ...], list[BigRational]]]()
        sides = self.row, self.column
        for (player, text, move), chance, index, name in table_rows(self._players, sides):
            shares = []
            if has_shares:
                share = self.reached[index].get(name, BigRational(0))
                shares = [share.decimal(4) if share else "0"]
                if not share and not self.refined:
                    notes = (UNREACHED,)
            rows.append(((player, text, *shares, move), [chance]))
        table = Listing(caption, keys, rows, notes=notes, left=left, probabilities=True)
        if isinstance(self.game, HiddenBids):
            return self.game.shown(table, self.support, every=every)
        return table

    def document(self) -> dict[str, Any]:
        """Return the game, its value or bounds, and the strategies as a JSON object with numbers as text.

        The program ``gops-exact verify`` proves the claims of such a document.
        """
        document: dict[str, Any]
        texts: list[Texts] = [{}, {}]
        if isinstance(self.game, HiddenBids):
            game = self.game.game
            document = {"document": "hidden bids", "version": 1, "n": game.n}
            document |= {"rules": asdict(game.rules), "seen": list(self.game.seen)}
        elif isinstance(self.game, PathGame):
            document = {"document": "path game", "version": 1, "title": self.game.title}
            document["graphs"] = [*self.game.graphs]
            document["payoffs"] = labelled(
                self.game.payoffs, {}, lambda payoff: str(rational(payoff))
            )
        else:
            nodes, texts = listed(self.game)
            document = {
                "document": "game tree" if self.states is None else "stochastic game",
                "version": 1,
                "title": title_of(self.game),
                "nodes": nodes,
            }
            if self._players != PLAYERS:
                document["players"] = list(self._players)
        if self.states is not None:
            pairs = [self.states[state] for state in nodes_of(self.game)]
            document["least"], document["most"] = (
                [*map(str, side)] for side in zip(*pairs, strict=True)
            )
        elif self.least == self.most:
            document["value"] = str(self.least)
        else:
            document |= {"least": str(self.least), "most": str(self.most)}
        if self.iterations:
            document["iterations"] = self.iterations
        for side, sets, strategy in zip(SIDES, texts, (self.row, self.column), strict=True):
            document[side] = labelled(strategy, sets, str)
        if not self.iterations and self.states is None and not isinstance(self.game, PathGame):
            document["reached"] = {
                side: {sets.get(name, (str(name),))[0]: str(p) for name, p in shares.items()}
                for side, sets, shares in zip(SIDES, texts, self.reached, strict=True)
            }
        if self.polynomials is not None:
            document["polynomials"] = {
                side: labelled(plan, sets, lambda coefficients: [*map(str, coefficients)])
                for side, sets, plan in zip(SIDES, texts, self.polynomials, strict=True)
            }
        return document


def labelled(
    strategy: Mapping[Label, Mapping[Label, Any]], sets: Texts, write: Callable[[Any], Any]
) -> dict[str, dict[str, Any]]:
    """Return the entries of a strategy, or other entries for moves at information sets, as a JSON object.

    Args:
        strategy: {information set: {move: entry}}.
        sets: {information set: (its text, {move: text of the move})}; ``str`` replaces a text that is missing.
        write: function that returns an entry as a JSON value.
    """
    result = {}
    for name, mix in strategy.items():
        text, moves = sets.get(name, (str(name), {}))
        result[text] = {moves.get(move, str(move)): write(entry) for move, entry in mix.items()}
    return result


def title_of(game: GameTree) -> str:
    """Return the title of a game, or ``"game"`` if it has none."""
    title = getattr(game, "title", None)
    return title if isinstance(title, str) else "game"


def as_game_tree(game: object, within: object = None) -> GameTree:
    """Convert a game to a game tree, an object that has a start state and returns the node at each state.

    Args:
        game: a :class:`~gops_exact.extensive.trees.GameTree`, which is returned unchanged if `within` is None; a game
            of GOPS; a position or its name; a zero-sum game of pygambit; a game or a state of OpenSpiel; or the path of
            a file whose text :func:`.read_tree` takes.
        within: a positive rational, the greatest distance between a float, or a decimal in a file, and the fraction
            that replaces it. This is the fraction with the smallest denominator within the distance. With None floats
            are refused; :func:`.read_efg` describes how decimals in a file are then read, and :class:`.SpielTree` how
            the numbers of OpenSpiel are then converted.

    Raises:
        ValueError: if `game` is none of these, if its file cannot be read, or if `within` is no positive rational.
        ImportError: if `game` is one of OpenSpiel, and OpenSpiel is missing.

    >>> tree = as_game_tree("4_3_12@12")
    >>> str(tree.at(tree.start).moves[4, 3])
    '__ +12'
    """
    near = distance(within)
    position = game.start if isinstance(game, Game) else named_position(game)
    if position is not None:
        return Tree(Round(position), attrgetter("node"))
    if isinstance(game, str | Path):
        path = as_path(game, "the file of a game tree")
        text = read_text(path, "utf-8-sig")
        with named(path):
            return read_tree(text, near)
    if hasattr(game, "to_efg"):
        return read_efg(game.to_efg(), near)
    if hasattr(game, "new_initial_state") or hasattr(game, "information_state_string"):
        from gops_exact.extensive.openspiel_trees import SpielTree

        return SpielTree(game, near)
    kind = (
        "a game with a start and a method at(state), such as gx.extensive.Tree(start, function), or the path of a file "
        "(gx.solve_matrix_game takes matrices)"
    )
    tree = instance(game, GameTree, "game", kind)
    require_hash(tree.start)
    return tree if near is None else rounded(tree, near)


def form_of(
    game: GameTree, *, force: bool = True, progress: Progress | None = None
) -> Form | StateGraph:
    """Return the form in which a game is solved: the graph of its states, or its sequence form.

    The graph is returned if each information set is a single state, except for games with hidden bids.

    Args:
        game: the game.
        force: False to refuse a game with hidden bids whose estimated time exceeds 200 s.
        progress: called as progress(done, total) while the tree is read, in estimated shares of the tree; None for no
            report.

    Raises:
        ValueError: if the game is not valid, if it has too many states, if a player forgets a move, or if `force` is
            False and the estimated time exceeds 200 s.
    """
    if isinstance(game, HiddenBids):
        check_hidden_bids(game.game, game.seen, force=force)
    if isinstance(game, HiddenBids | PathGame):
        return game.form
    return StateGraph.of(game, progress) or sequence_form(game, progress)


def hidden_form(game: GameTree) -> Form:
    """Return the sequence form of a game for which :meth:`Equilibrium.ranges` is defined.

    Raises:
        ValueError: if nothing is hidden in the game, so that :func:`solve_game` solves it state by state; if it is a
            game of paths; or if it is not valid.
    """
    form = form_of(game)
    if isinstance(form, StateGraph):
        raise ValueError(
            "all is seen in this game: each state is a matrix game of its own, and gx.optimal_set lists its optimal "
            "strategies"
        )
    if not form.recall:
        raise ValueError(f"expected a game with perfect recall, got {title_of(game)}")
    return form


def _ball(least: Any, most: Any, bits: int) -> arb:  # noqa: ANN401  # fractions or floats
    """Return an interval (``arb``) with `bits` bits of precision that contains all numbers from `least` to `most`."""
    with ctx.workprec(bits):
        return arb(least).union(arb(most))


def _between(least: fmpq, most: fmpq) -> str:
    return f"from {_to_three(least, ROUND_FLOOR)} to {_to_three(most, ROUND_CEILING)}"


def _to_three(number: fmpq, rounding: str) -> str:
    """Return a bound as text with 3 significant digits.

    Args:
        number: the bound.
        rounding: ``ROUND_CEILING`` of the module decimal to round up, ``ROUND_FLOOR`` to round down.
    """
    bound = in_digits(number, 3, rounding)
    # Beyond the range of floats a float would be inf or 0, which is no bound.
    return f"{float(bound) if abs(bound.adjusted()) < sys.float_info.max_10_exp - 1 else bound:.3g}"


def solve_game(
    game: object,
    *,
    refined: bool = False,
    within: object = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Equilibrium:
    """Solve a two-player zero-sum game exactly.

    Args:
        game: the game: any object that describes itself as :class:`~gops_exact.extensive.trees.GameTree` says, a game
            of paths (:class:`~gops_exact.extensive.PathGame`), a game or a position of GOPS or its name, a zero-sum
            game of pygambit, a game or a state of OpenSpiel, or the path of a file of Gambit (``.efg``, ``.gbt``) or of
            this program.
        refined: True for a quasi-perfect equilibrium, which is optimal at every information set, also after a mistake
            of either player (see :mod:`~gops_exact.extensive.refined`). If the game names no information sets, this
            changes nothing, because the game is solved state by state.
        within: a positive rational, the greatest distance between a float, or a decimal in a file, and the fraction
            that replaces it. This is the fraction with the smallest denominator within the distance. None to refuse
            floats, and to read decimals in a file exactly, except probabilities that programs have written as floats,
            such as 0.3333333333333333. For the numbers of OpenSpiel see :class:`.SpielTree`.
        force: True to solve the game even if the estimated time exceeds 200 s. The time is estimated only for
            :class:`~gops_exact.extensive.HiddenBids`; other games are always solved.
        progress: called as progress(done, total): in estimated shares of the tree while the tree is read, then in
            states, or in pivots of linear programs with an estimated total; None for no report.

    Returns:
        An equilibrium. Its two bounds are equal to the value, unless a play can reach a state twice. Its strategies are
        {information set: {move: probability}}, without moves of probability 0. A set without a name has its state as
        key.

        A game in which each set is a single state, other than one of :class:`~gops_exact.extensive.HiddenBids`, is
        solved state by state. The strategies then have all sets, and are optimal from every state on. If a play can
        reach a state twice, a play without end is worth 0, and the strategies are near-optimal from every state on.
        Then :attr:`.Equilibrium.states` has bounds for every state; they are equal only if exact values were found.

        In other games a refined strategy has all sets. Any other strategy lacks the sets that it never reaches itself,
        and sets with a single move; at sets that the other player's strategy never reaches, its moves are arbitrary
        (see :attr:`.Equilibrium.reached`). If floats find no optimal basis, the refined equilibrium is returned.

    Raises:
        ValueError: if `game` is neither a valid game of two players with perfect recall nor a game of paths; if a play
            can reach a state twice, and two states are in the same information set; if `refined` is true for a game of
            paths, or for a game that names information sets and in which a play can reach a state twice; if `force` is
            false for a game with hidden bids whose estimated time exceeds 200 s; if more than 6,000 states lead to each
            other; or if another argument is invalid.
        PrecisionError: if floats find no basis that proves an equilibrium, and the game is too large for the simplex
            method in fractions.
        ImportError: if the game is solved in its sequence form and HiGHS is missing, or if it is one of OpenSpiel, and
            OpenSpiel is missing.

    >>> from gops_exact import Game, Rules, known_games
    >>> poker = solve_game(known_games.kuhn_poker(), refined=True)
    >>> poker.value, poker.exploitability, poker.row["K"], poker.row["Kpb"]
    (-1/18, 0, {'b': 1}, {'b': 1})
    >>> from gops_exact.extensive import HiddenBids
    >>> equilibrium = solve_game(HiddenBids(Game(3, Rules(prizes="descending"))))
    >>> equilibrium.value, equilibrium.row
    (0, {'3': {3: 1}, '3:3+ 2': {2: 1}, '3:3= 2': {2: 1}})
    """
    function(progress, "progress")
    refined, force = flag(refined, "refined"), flag(force, "force")
    game = as_game_tree(game, within)
    tell, form = progress or silent, form_of(game, force=force, progress=progress)
    if isinstance(form, StateGraph) and refined and form.is_named:
        if form.returns:
            raise ValueError(
                "refined must be False for a game that names information sets if a play can reach a state twice"
            )
        form = sequence_form(game, progress)
    if isinstance(form, StateGraph):
        return _bounded(game, form, progress)
    if not refined:
        is_large = sum(side.sequences + len(side.sets) for side in form.sides) > LARGE
        by_floats = plans_by_replies if is_large and form.recall else plans_at_bases
        for plans in chain(by_floats(form, tell), plans_of_paths(form, tell)):
            if plans is None or not all(map(is_plan, form.sides, plans)):
                continue
            strategies = [strategy_of(*side) for side in zip(form.sides, plans, strict=False)]
            equilibrium = Equilibrium.of(game, strategies[0], strategies[-1], form=form)
            if equilibrium.least == equilibrium.most:
                return equilibrium
    pairs = [*zip(form.sides, refined_plans(form, tell), strict=True)]
    row, column = (limit_of(*pair) for pair in pairs)
    one, two = (
        side.by_move([[*map(BigRational, weight.coeffs())] for weight in plan])
        for side, plan in pairs
    )
    return Equilibrium.of(game, row, column, form=form, polynomials=(one, two))


def _bounded(
    game: GameTree, graph: StateGraph, progress: Progress | None, *, exactly: bool = True
) -> Equilibrium:
    """Return strategies for every state of a game in which each information set is a single state.

    The strategies are optimal if `exactly` is True and no play can reach a state twice. Otherwise they are nearly
    optimal, and the result has bounds of the values of all states.

    Args:
        game: the game.
        graph: the graph of its states.
        progress: called as progress(done, total); None for no report.
        exactly: True to look for exact values; False to compute only bounds: in floats or, if a play can reach a state
            twice, in fractions with denominators of at most `STATE_BITS` bits.

    Raises:
        ValueError: if more than 6,000 states lead to each other.
        OverflowError: if `exactly` is False, no play can reach a state twice, and a payoff is beyond the range of
            floats.
    """
    bounds: Mapping[State, tuple[Any, Any]]
    mixes: Mapping[State, tuple[Any, Any]]
    exact: Callable[[Any], fmpq] = fmpq
    if exactly or graph.returns:
        solver = Solver(graph, STATE_BITS, STATE_WIDTH, exactly)
        solver.solve(progress)
        bounds, mixes = solver.bounds, solver.mixes
    else:
        bounds, mixes = float_bounds(graph, progress)
        exact = from_float
    sides = list[Strategy]()
    for player, sets in enumerate(graph.sets):
        strategy = dict[Label, dict[Label, BigRational]]()
        for name, moves in graph.moves_of(player + 1).items():
            weights = [*map(exact, mixes[sets[name]][player])]
            total = sum(weights, fmpq(0))
            pairs = zip(moves, weights, strict=True)
            strategy[name] = {move: BigRational(weight / total) for move, weight in pairs if weight}
        sides.append(strategy)
    row, column = sides
    if exactly and not graph.returns:
        return Equilibrium.of(game, row, column, form=graph)
    states = {
        state: (BigRational(exact(low)), BigRational(exact(high)))
        for state, (low, high) in bounds.items()
    }
    return Equilibrium(game, row, column, *states[graph.start], states=states)


def approximate(
    game: object,
    *,
    seconds: float = 60.0,
    iterations: int | None = None,
    progress: Progress | None = None,
) -> Equilibrium:
    """Compute strategies near an equilibrium, and prove how far they are from one.

    A game that :func:`solve_game` solves state by state is solved state by state here, too, within proved bounds. In
    other games the strategies are learned in floats and rounded to fractions. Best replies to these fractions are
    computed exactly, so the bounds are proved although the learning is not exact.

    Args:
        game: the game, in any form that :func:`solve_game` takes, except a :class:`.PathGame`. Its sequence form, or
            the graph of its states, has to fit into memory.
        seconds: processor time of the learning, in seconds; positive.
        iterations: number of iterations of the learning, which replaces `seconds` and makes the result reproducible;
            None to learn for `seconds`.
        progress: called as progress(done, total), during the learning in hundredths of a second, or in iterations if
            `iterations` is set; in a game that is solved state by state, in payoffs or states. None for no report.

    Returns:
        The strategies, with bounds of the value that they prove. If the game is solved state by state,
        :attr:`.Equilibrium.states` has bounds of all states.

    Raises:
        ValueError: if an argument is invalid, or if more than 6,000 states lead to each other.
        OverflowError: if the game is solved state by state, no play can reach a state twice, and a payoff is beyond the
            range of floats.

    >>> from gops_exact import Game
    >>> from gops_exact.extensive import HiddenBids
    >>> learned = approximate(HiddenBids(Game(3)), iterations=200)
    >>> learned.least <= 0 <= learned.most, float(learned.exploitability) < 1e-3
    (True, True)
    """
    function(progress, "progress")
    limit = None if iterations is None else integer(iterations, "iterations", 1)
    budget = real(seconds, "seconds")
    if budget <= 0:
        raise ValueError(f"seconds must be positive, got {budget}")
    game = as_game_tree(game)
    form = form_of(game)
    if isinstance(form, StateGraph):
        return _bounded(game, form, progress, exactly=False)
    if not form.recall:
        raise ValueError(
            "expected a game with a tree, got a game of paths, which solve_game solves"
        )
    total, started = ceil(100 * budget) if limit is None else limit, process_time()
    for done, learners in enumerate(learning(form), start=1):  # noqa: B007, used after the loop
        spent = int(100 * (process_time() - started)) if limit is None else done
        if progress is not None:
            progress(min(spent, total), total)
        if spent >= total:
            break
    row, column = (learner.rounded() for learner in learners)
    return Equilibrium.of(game, row, column, form=form, iterations=done)


def value(game: object, arithmetic: Arithmetic | str = "exact") -> Number[Any]:
    """Compute the value of a game, exactly or with proved errors.

    Args:
        game: the game, in any form that :func:`solve_game` takes.
        arithmetic: the kind of number: ``"exact"`` or ``Exact()`` for a fraction, ``"ball"`` or ``Ball(digits)`` for a
            decimal, ``"float"`` or ``Float()`` for a float. Decimals and floats are possible only if
            :func:`solve_game` solves the game state by state. In a long game fractions become long; decimals and floats
            stay short.

    Returns:
        The expected payoff of player one at an equilibrium: a fraction, a decimal whose digits are proved, or a float
        with its radius, a proved bound of its error.

    Raises:
        ValueError: if `game` is no valid game; if `arithmetic` is none of these; if it is not exact, and
            :func:`solve_game` does not solve the game state by state; or if more than 6,000 states can all lead to each
            other.
        PrecisionError: for a decimal, if the digits cannot be proved, because the value lies halfway between two
            decimals, or because a play can reach a state twice and the bounds of the value are too far apart. In exact
            arithmetic, if the two bounds of the value differ, or if :func:`solve_game` raises this error.
        OverflowError: in floats, if a payoff is beyond their range.

    >>> from gops_exact import Ball, known_games
    >>> game = known_games.recursive_blotto((7, 5), (2, 1))
    >>> value(game, Ball(12)), value(game, "float").radius < 1e-12
    (0.500000000000, True)
    """
    kind = as_arithmetic(arithmetic)
    if isinstance(kind, Exact):
        return solve_game(game).value
    form = form_of(as_game_tree(game))
    if isinstance(form, Form):
        raise ValueError(f"arithmetic must be exact for this game, got {kind.name}")
    if isinstance(kind, Float) and not form.returns:
        return as_float(_ball(*float_bounds(form)[0][form.start], STATE_BITS))
    digits = sys.float_info.dig if isinstance(kind, Float) else kind.digits
    bits, within = ceil(digits * log2(10)) + GUARD_BITS, fmpq(1, fmpz(10) ** (digits + 2))
    for doubling in range(DOUBLINGS + 1):
        least, most = Solver(form, bits << doubling, within).solve()
        ball = _ball(least, most, bits << doubling)
        if isinstance(kind, Float):
            return as_float(ball)
        if (number := ProvedDecimal(ball, digits)).digits == digits:
            return number
    raise PrecisionError(
        f"{digits} digits are not proved by {bits << DOUBLINGS} bits: the value is known to be "
        f"{_between(least, most)}"
    )


def security_level(game: object, strategy: Strategy, player: Literal[1, 2] = 1) -> BigRational:
    """Return the expected gain of a player's strategy against the opponent's best reply.

    Args:
        game: the game, in any form that :func:`solve_game` takes.
        strategy: {information set: {move: probability}} with exact numbers or floats. A set without a name has its
            state as key.
        player: the player who plays `strategy`, 1 or 2.

    Returns:
        The player's expected gain in the unit of the game's payoffs. In GOPS the gain is in points or, if the objective
        is to win, the probability of a win minus that of a loss.

    Raises:
        ValueError: if `game` is not valid, if a play can reach a state twice, or if `strategy` is not a strategy of
            this player.

    >>> from gops_exact import Game, Rules
    >>> from gops_exact.extensive import HiddenBids
    >>> game = Game(3, Rules(prizes="descending"))
    >>> security_level(HiddenBids(game), {"3": {3: 1}, "3:3= 2": {1: 1}, "3:3+ 2": {1: 1}})
    -1
    """
    side = integer(player, "player", 1, 2)
    bound = _bound(form_of(as_game_tree(game)), strategy, side)
    return bound if side == 1 else -bound


def _bound(form: Form | StateGraph, strategy: Strategy, player: int) -> BigRational:
    """Return player one's expected payoff if a player plays `strategy` and the opponent a best reply.

    Args:
        form: the sequence form of the game, or the graph of its states.
        strategy: {information set: {move: probability}}.
        player: the player of the strategy, 1 or 2.
    """
    return BigRational(form.best_reply(exact_strategy(strategy), player)[0])


def exact_strategy(strategy: object, within: fmpq | None = None) -> RawStrategy:
    """Convert the probabilities of a strategy to FLINT's fractions, by :func:`.exact_chances` at each information set.

    Args:
        strategy: {information set: {move: probability}}, or {information set: list of pairs (move, probability)}.
        within: the greatest distance between a float and the fraction that replaces it; None to take floats exactly.

    Raises:
        ValueError: if `strategy` is neither of these mappings, if a list names a move twice, or if
            :func:`.exact_chances` refuses the probabilities at an information set.
    """
    mixes: Mapping[Any, Any] = instance(
        strategy, Mapping, "strategy", "a mapping {information set: {move: probability}}"
    )
    chances = {}
    for name, moves in mixes.items():
        mix = moves
        if isinstance(moves, list):
            # If the list is not one of pairs, `mix` remains the list, which is then refused.
            with suppress(TypeError, ValueError):
                mix = dict(moves)
            if len(mix) < len(moves):
                raise ValueError(f"{shown(name)} must name each move once, got {shown(moves)}")
        instance(mix, Mapping, shown(name), "a mapping {move: probability}")
        with named(name):
            chances[name] = exact_chances(mix, within)
    return chances


@dataclass(frozen=True, repr=False)
class BestReplies(Shown):
    """Best replies to the strategies of both players, and player one's expected payoff with each.

    The value of the game is at least :attr:`least` and at most :attr:`most`.
    """

    title: str  #: the name of the game
    row: Strategy = field(hash=False)  #: player one's best reply to player two's strategy
    column: Strategy = field(hash=False)  #: player two's best reply to player one's strategy
    least: BigRational  #: player one's expected payoff if its strategy meets `column`
    most: BigRational  #: player one's expected payoff if `row` meets player two's strategy

    __repr__ = Shown.__str__

    @property
    def exploitability(self) -> BigRational:
        """The sum of what both players gain by changing to the best replies: `most` − `least`; 0 at an equilibrium."""
        return self.most - self.least

    def table(self) -> Table:
        """Return a table of both best replies, with the exploitability and player one's payoffs in its caption."""
        sides = self.row, self.column
        rows = [(keys, [chance]) for keys, chance, *_ in table_rows(PLAYERS, sides)]
        keys = "player", "information set", "move"
        gains = f"Player one's best reply gets {self.most.short()}, player two's leaves {self.least.short()}."
        caption = f"{self.title}: best replies gain {self.exploitability.short()} together\n{gains}"
        return Listing(caption, keys, rows, left=keys, probabilities=True)


def best_replies(
    game: object,
    row: object,
    column: Strategy | None = None,
    *,
    within: object = None,
    progress: Progress | None = None,
) -> BestReplies:
    """Compute best replies to the strategies of both players, exactly.

    Args:
        game: the game, in any form that :func:`solve_game` takes.
        row: player one's strategy, {information set: {move: probability}}, with exact numbers or floats. If `column` is
            None, the policy of both players: such a mapping with the sets of both or, for a game of OpenSpiel, anything
            that :meth:`.SpielTree.strategies` takes.
        column: player two's strategy; None if `row` is a policy of both players.
        within: a positive rational, the greatest distance between a float and the fraction that replaces it; None to
            take floats exactly. :func:`.exact_chances` has the rule.
        progress: called as progress(done, total) while the tree is read, in estimated shares of the tree; None for no
            report.

    Returns:
        A best reply to each strategy, and player one's expected payoff with each reply.

    Raises:
        ValueError: if `game` is not valid, or a play can reach a state twice; if a strategy has sets or
            moves that its player does not have, lacks a set that it reaches, or has numbers that are no probabilities;
            or if `within` is no positive rational, or so great that a probability would be negative.

    >>> from gops_exact import known_games
    >>> poker = known_games.kuhn_poker()
    >>> solved = solve_game(poker)
    >>> replies = best_replies(poker, {**solved.row, "J": {"b": 0.5, "p": 0.5}, **solved.column})
    >>> replies.exploitability > 0, replies.column["Qb"]
    (True, {'b': 1})
    """
    function(progress, "progress")
    near = distance(within)
    tree = as_game_tree(game)
    form = form_of(tree, progress=progress)
    sides: tuple[object, object] = row, column
    if column is None and hasattr(tree, "strategies"):
        sides = tree.strategies(row)
    elif column is None:
        policy: Mapping[Any, Any] = instance(
            row, Mapping, "a policy", "a mapping {information set: {move: probability}}"
        )
        known = form.moves_of(1), form.moves_of(2)
        if unknown := policy.keys() - known[0].keys() - known[1].keys():
            first = shown(min(unknown, key=str))
            raise ValueError(f"a policy must be of information sets of the game, got {first}")
        one, two = ({name: policy[name] for name in side if name in policy} for side in known)
        sides = one, two
    (least, reply), (most, best) = (
        form.best_reply(exact_strategy(side, near), player)
        for player, side in enumerate(sides, start=1)
    )
    return BestReplies(title_of(tree), best, reply, BigRational(least), BigRational(most))


def exploitability(
    game: object,
    row: object,
    column: Strategy | None = None,
    *,
    within: object = None,
    progress: Progress | None = None,
) -> BigRational:
    """Return the sum of what both players can gain by changing to a best reply; 0 at an equilibrium.

    OpenSpiel calls this number ``nash_conv``. In OpenSpiel's GOPS with the option ``point_difference`` all payoffs are
    half as large, and so is this number.

    Args:
        game: the game, in any form that :func:`solve_game` takes.
        row: player one's strategy, {information set: {move: probability}}, with exact numbers or floats; or a policy of
            both players, as :func:`best_replies` describes.
        column: player two's strategy; None if `row` is a policy of both players.
        within: a positive rational, the greatest distance between a float and the fraction that replaces it; None to
            take floats exactly. :func:`.exact_chances` has the rule.
        progress: called as progress(done, total) while the tree is read, in estimated shares of the tree; None for no
            report.

    Returns:
        The sum of both gains in the unit of the game's payoffs; in GOPS these are points, or the probability of a win
        less that of a loss.

    Raises:
        ValueError: if an argument is invalid, as :func:`best_replies` describes.
    """
    return best_replies(game, row, column, within=within, progress=progress).exploitability
