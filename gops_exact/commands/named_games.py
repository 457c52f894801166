"""Games that an argument of a command names: known games, positions, files, and games of OpenSpiel."""

import warnings
from ast import literal_eval
from inspect import signature
from typing import TYPE_CHECKING

from gops_exact.base.documents import MATRIX, NFG, kind_of, named
from gops_exact.base.progress import note
from gops_exact.commands.options import did_you_mean, read_input
from gops_exact.game.game import Position, named_position
from gops_exact.matrix_game.game_files import parse
from gops_exact.matrix_game.game_solution import GameSolution
from gops_exact.matrix_game.matrix import MatrixGame

if TYPE_CHECKING:
    from gops_exact.extensive import GameTree

SPIEL = "openspiel:"
"""Prefix of the name of a game of OpenSpiel on the command line."""

SPIEL_GAME = "a game of OpenSpiel"


def game_of(
    what: str, header: str, within: str | None = None
) -> "tuple[str, MatrixGame | GameTree | Position]":
    """Find the game that the command line names; return its kind, in words, and the game.

    If `what` is both the name of a game and the path of a file, the named game is returned. The content of a file
    decides its kind.

    Args:
        what: the name of a game or of a position, the path of a file, or ``-`` for standard input.
        header: the labels in a table in CSV: ``"no"`` for none; ``"both"`` for the first line and the first column;
            ``"yes"`` for the first line, and the first column if it looks like labels; ``"guess"`` for the first line if
            it looks like labels, and the first column if it does.
        within: the greatest distance between a decimal in a game tree and the fraction that replaces it; None for the
            default of :func:`.read_efg` or :class:`.SpielTree`.

    Raises:
        ValueError: if there is no such game, or if a file cannot be read or has no game.
        ImportError: if the game is one of OpenSpiel, and OpenSpiel is missing.
    """
    if what.startswith(SPIEL):
        from gops_exact.extensive.openspiel_trees import SpielTree

        return SPIEL_GAME, SpielTree(what.removeprefix(SPIEL), within)
    position = named_position(what)
    if position is not None:
        return "a position", position
    name, _, arguments = what.partition("(")
    near = ""
    if name.isidentifier():
        from gops_exact.literature import known_games

        if name in known_games.__all__:
            make = getattr(known_games, name)
            try:
                values = literal_eval(f"[{arguments.removesuffix(')')}]")
                signature(make).bind(*values)
            except (SyntaxError, TypeError, ValueError):
                expected = ", ".join(signature(make).parameters)
                raise ValueError(
                    f"expected {name}({expected}) with numbers, got {what!r}"
                ) from None
            game = make(*values)
            return "a matrix game" if isinstance(game, MatrixGame) else "a game tree", game
        near = did_you_mean(name, known_games.__all__)
    try:
        text = read_input(what, "utf-8-sig")
    except ValueError as error:
        raise ValueError(f"{error}{near}") from None
    kind = kind_of(text)
    with named(what), warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always")
        if kind in (MATRIX, NFG, "payoffs", "matrix game"):
            game = parse(text, header)
        else:
            from gops_exact.exchange.reading import object_of
            from gops_exact.extensive import Equilibrium, GameTree

            game = object_of(text, within)
            if isinstance(game, Equilibrium | GameSolution):
                game = game.game
            if not isinstance(game, GameTree | MatrixGame):
                raise ValueError(f"expected a game, got {kind}")
    for doubt in doubts:
        note(f"{what}: {doubt.message}")
    return kind, game
