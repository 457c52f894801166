"""Solve a two-person zero-sum game exactly: a matrix of payoffs, a game tree or a position of GOPS. A file has a table
in CSV (with labels or without), a game of Gambit (.nfg, .efg, .gbt) or a document in JSON; its content shows which of
these it is. In a tree players may move in turn or at the same time, and information may be hidden from them.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gops_exact.base.arguments import shown
from gops_exact.base.documents import EFG, MATRIX, XML, named, parse_json, read_text
from gops_exact.base.formats import FORMATS
from gops_exact.base.progress import note, progress_bar
from gops_exact.commands.named_games import SPIEL, SPIEL_GAME, game_of
from gops_exact.commands.options import TABLES, Options, Parser, optional
from gops_exact.game.game import Position
from gops_exact.matrix_game.dominance import eliminate_dominated
from gops_exact.matrix_game.game_files import HEADERS
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.strategies import optimal_set, solve_matrix_game
from gops_exact.numbers.table import Shown, Table
from gops_exact.show.explain import Explanation, explain
from gops_exact.solvers import api

if TYPE_CHECKING:
    from gops_exact.extensive import Equilibrium, GameTree

EXAMPLES = {
    "game.csv": "a matrix game: the value, and an optimal strategy of each player",
    "game.csv --show optimal": "all optimal strategies: the mixtures of these",
    "game.csv --show sensitivity": "what changes if one payoff does",
    "game.csv --show steps": "a game of up to 3 × 3, 2 × n or m × 2 solved as on a blackboard",
    "game.csv --show matrix --emit latex": "the payoffs with both strategies at their sides",
    "poker.efg --refined": "strategies that are optimal also after a mistake",
    "poker.efg --show ranges": "what may vary from one equilibrium to another",
    "poker.efg --lock habits.json": "the best answer to known play, and what it risks",
    "poker.efg --emit json --out solved.json": "a document that verify proves",
    "openspiel:leduc_poker": "a game of OpenSpiel",
    "'openspiel:liars_dice(dice_sides=4)' --seconds 60": "learned, and proved to be near an equilibrium",
    "'blotto(5, 3)'": "a game of the literature",
    "2.4_1.3_12.13@13": "a position",
}

WITH_DECIMALS = EFG, XML, SPIEL_GAME
"""Kinds of games with which ``--within`` goes."""

SOLVED = ("solution", "value", "matrix", "whole-matrix")
"""Values of ``--show`` for parts of the solution of a game."""

SHOWN: dict[str, Callable[[MatrixGame], Shown | Explanation]] = {
    "steps": explain,
    "optimal": lambda game: optimal_set(game, progress=progress_bar()),
    "sensitivity": lambda game: solve_matrix_game(game).sensitivity(progress=progress_bar()),
    "dominated": lambda game: eliminate_dominated(game, progress=progress_bar()),
    "weakly-dominated": lambda game: eliminate_dominated(game, weak=True, progress=progress_bar()),
}
"""{other value of ``--show``: function that makes this result of a matrix game}."""

RANGES = "ranges"
"""The value of ``--show`` for the ranges of a game tree."""


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "what",
        metavar="WHAT",
        help=f"a file; - for standard input; {SPIEL}NAME, perhaps with parameters; a game of gx.known_games by its name, "
        "with its arguments in brackets; or a position by its name",
    )
    labels = (
        "whether the first line of a table in CSV holds labels: yes, no, both (and the first column) or guess: "
        "where it has no number"
    )
    parser.add("game", "--header", "ANSWER", labels, "guess", choices=tuple(HEADERS))
    parser.share("--refined")
    lock = (
        'of a game tree, the known play of one player at some information sets, in JSON: {"column": {SET: {MOVE: '
        '"1/3", …}, …}} fixes player two\'s, "row" player one\'s; sets and moves as in tables and documents. The rest is '
        "solved: the best answer, and what it guarantees in the whole game"
    )
    parser.add("game", "--lock", "FILE", lock, type=Path)
    results = (
        "solution: the value and a strategy of each player; value: the value alone; of a matrix game also matrix: the "
        "payoffs with both strategies at their sides, without the bids that are not played if there are more than 20; "
        "whole-matrix: with them; steps: the way to the solution of a game of up to 3 × 3, 2 × n or m × 2, or that "
        "dominance reduces to one, as on a blackboard; optimal: all extreme optimal strategies; "
        "sensitivity: how the value changes with each payoff, and where the kernel stays optimal; "
        "dominated, weakly-dominated: what can be left out, and what is left; of a game tree ranges: the least and the "
        "greatest weight and probability of every move over all equilibria"
    )
    parser.add("output", "--show", "WHAT", results, "solution", choices=(*SOLVED, *SHOWN, RANGES))
    formats = (
        "text: a table; json: a document, of a solution one that verify proves; vipr: a certificate of a matrix game's "
        "solution for checkers of that format; efg: a game tree, unsolved, for Gambit; html: steps for a page"
    )
    parser.share("--emit", text=formats, choices=(*FORMATS["solution"], "efg", "html"))
    played = "of a matrix game, only the strategies that are played"
    parser.add("output", "--played", "", played, goes_with=TABLES)
    near = (
        "take each decimal of a game tree, or float of OpenSpiel, for the fraction with the smallest denominator within "
        "this distance, such as 1e-9"
    )
    parser.add("game", "--within", "DISTANCE", near)
    parser.share("--digits", "--numbers", "--out", "--force")
    parser.share("--seconds", goes_with="--show solution value")


def run(options: Options) -> None:
    formats = FORMATS[options.show if options.show in FORMATS else "result"]
    if options.show == "solution":
        formats = (*formats, "efg")
    if options.emit not in formats:
        raise ValueError(
            f"--emit must be one of {', '.join(formats)} with --show {options.show}, got {options.emit}"
        )
    with optional("openspiel", SPIEL):
        kind, game = game_of(options.what, options.header, options.within)
    shown, is_matrix = f"--show {options.show}", isinstance(game, MatrixGame)
    is_tree = not isinstance(game, MatrixGame | Position)
    options.judge(
        ("--header", kind == MATRIX, MATRIX),
        (shown, is_matrix or options.show in (*SOLVED[:2], RANGES), "a matrix game"),
        (f"--show {RANGES}", is_tree, "a game tree"),
        ("--played", is_matrix, "a matrix game"),
        ("--emit vipr", is_matrix, "a matrix game"),
        ("--emit efg", is_tree, "a game tree"),
        ("--within", kind in WITH_DECIMALS, "a game tree in a file"),
        *((option, is_tree, "a game tree") for option in ("--seconds", "--refined", "--lock")),
        ("--force", not is_matrix, "a game tree or a position"),
        got=f"{kind}: {options.what}",
    )
    result: Any
    table = None
    if isinstance(game, MatrixGame):
        make = SHOWN.get(options.show)
        result = make(game) if make else solve_matrix_game(game, progress=progress_bar())
        if options.show in SOLVED[2:]:
            has_all = False if options.played else options.show == "whole-matrix" or None
            table = result.matrix(whole=has_all)
    elif isinstance(game, Position):
        result = api.solve(game, progress=progress_bar(), force=options.force)
    else:
        with optional("hidden", "solve"):
            result, table = solved_tree(options, game)
    if isinstance(result, str):
        options.output.write(result)
    elif isinstance(result, Explanation):
        options.output.write(result.emit(options.emit))
    elif options.show == "value":
        value = result.value.as_text(options.numbers or "fraction", options.digits)
        options.output.write(f"{value}\n")
    else:
        options.write(result, table)


def solved_tree(options: Options, game: "GameTree") -> tuple[Any, Table | None]:
    """Return the result that the options ask for about a game tree, and the table that shows it.

    Args:
        options: the parsed command line.
        game: the game tree.

    Returns:
        (result, table). The result is a solution, the ranges of the probabilities in all equilibria or, with
        ``--emit efg``, the text of a file. The table is the one to show in place of ``result.table()``; None to show
        ``result.table()`` or the text.
    """
    whole, player = game, None
    if options.lock is not None:
        player, game = locked_by(options.lock, whole)
    if options.emit == "efg":
        from gops_exact.extensive.efg_files import write_efg

        return write_efg(game), None
    if options.show == RANGES:
        from gops_exact.extensive.equilibrium import hidden_form

        hidden_form(game)  # refuses a game without ranges before it is solved
    solved = options.solve_tree(game)
    if options.show == RANGES:
        return solved.ranges(progress=progress_bar()), None
    if player is None or options.seconds is not None:
        return solved, None
    guaranteed = _guarantee(whole, solved, player)
    if options.emit in ("csv", "json"):  # these have no notes
        note(guaranteed)
    table = solved.table()
    return solved, replace(table, notes=(*table.notes, guaranteed))


def locked_by(file: Path, game: "GameTree") -> "tuple[Literal[1, 2], GameTree]":
    """Return the player whose strategy a file gives, 1 or 2, and the game in which that player must play it.

    Args:
        file: a file in JSON with a member ``row`` or ``column``: {information set: {move: probability}}, where sets and
            moves have their names in tables and documents.
        game: the whole game.

    Raises:
        ValueError: if the file has no such member, or both; or if the strategy does not fit the game.
    """
    from gops_exact.extensive import locked
    from gops_exact.extensive.equilibrium import SIDES
    from gops_exact.extensive.trees import distinct, listed

    text = read_text(file, "utf-8-sig")
    with named(file):
        content = parse_json(text, integers=str, floats=str)
        members = content if isinstance(content, dict) else {}
        fixed = [side for side in SIDES if isinstance(members.get(side), dict)]
        if len(fixed) != 1:
            said = " and ".join(fixed) or shown(text)
            raise ValueError(
                f"expected an object with row or column, the play that is fixed, got {said}"
            )
        sets = listed(game)[1][SIDES.index(fixed[0])]
        names, play = {text: name for name, text in distinct(sets).items()}, {}
        for part, mix in members[fixed[0]].items():
            name = names.get(part, part)
            moves = {text: move for move, text in sets[name][1].items()} if name in sets else {}
            is_mix = isinstance(mix, dict)
            play[name] = {moves.get(k, k): mix[k] for k in mix} if is_mix else mix
        player: Literal[1, 2] = 1 if fixed == ["row"] else 2
        return player, locked(game, player, play)


def _guarantee(game: "GameTree", answer: "Equilibrium", player: Literal[1, 2]) -> str:
    """Return a line that says how much the best reply to a fixed strategy guarantees if the opponent plays otherwise.

    `player` is the player whose strategy is fixed. `answer` has the best reply, which is the strategy of the other
    player. The line states the least expected gain of the other player against any strategy of `player`.
    """
    from gops_exact.extensive import locked, solve_game

    # At sets that are never reached against the fixed play, the answer is free: there it plays as well as possible.
    if player == 1:
        gain, name = -solve_game(locked(game, 2, answer.column)).value, "two"
    else:
        gain, name = solve_game(locked(game, 1, answer.row)).value, "one"
    return f"Against any other play, player {name}'s strategy guarantees {gain.short()}."
