"""How first moves are laid out as text, in any arithmetic: tables for reading, and JSON."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, Protocol, TypeVar

from gops_exact.game.rules import Rules
from gops_exact.solutions.old_first_moves import FirstMove, upcard_name
from gops_exact.solver.certified import CertifiedMove
from gops_exact.solver.fingerprint import ResidueMove
from gops_exact.solver.floats import FloatMove

Column = TypeVar("Column", FirstMove, CertifiedMove, ResidueMove, FloatMove)
Column_co = TypeVar("Column_co", FirstMove, CertifiedMove, ResidueMove, FloatMove, covariant=True)

TABLE_DIGITS = 4
"""Digits after the point in a table, as in the published ones."""


class Moves(Protocol[Column_co]):
    """First moves in any arithmetic."""

    @property
    def n(self) -> int:
        """Cards a side."""

    @property
    def columns(self) -> tuple[Column_co, ...]:
        """One first move per upcard."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def arithmetic(self) -> str:
        """The number system."""


def title(moves: Moves[Any]) -> str:
    """What the numbers are, in one line."""
    return f"GOPS, N = {moves.n}: optimal first moves, {moves.arithmetic} ({moves.rules})"


def table(
    moves: Moves[Column], digits: int, cell: Callable[[Column, int], str], note: str = ""
) -> Iterator[str]:
    """A :func:`grid`, and below it at which upcards there are several optimal first moves."""
    yield from grid(moves, digits, cell, note)
    if several := [upcard_name(column.upcard) for column in moves.columns if not column.unique]:
        yield f"\nOne optimal strategy of several at upcard {', '.join(several)}.\n"


def grid(
    moves: Moves[Column], digits: int, cell: Callable[[Column, int], str], note: str = ""
) -> Iterator[str]:
    """A table for reading: one row per card, one column per upcard.

    Args:
        moves: the first moves.
        digits: digits after the point, for the width of a column.
        cell: the text of a probability.
        note: what else to say in the line above.
    """
    margin, width = len(str(moves.n)), max(digits + 2, len(str(moves.n)))
    yield f"{title(moves)}\n"
    yield f"one row per card, one column per upcard{note}\n\n"
    heads = (upcard_name(column.upcard) for column in moves.columns)
    yield " " * margin + "".join(f"  {head:>{width}}" for head in heads) + "\n"
    for card in range(1, moves.n + 1):
        yield f"{card:>{margin}}"
        for column in moves.columns:
            yield f"  {cell(column, card):>{width}}"
        yield "\n"


def document(
    moves: Moves[Column],
    extra: str,
    cell: Callable[[Column, int], str],
    note: Callable[[Column], str] = lambda _: "",
) -> Iterator[str]:
    """One JSON document, one number at a time.

    Args:
        moves: the first moves.
        extra: what else to say of all of them.
        cell: the JSON of a probability.
        note: what else to say of a column.
    """
    rules = json.dumps(asdict(moves.rules))
    yield f'{{"n": {moves.n}, "rules": {rules}, "arithmetic": "{moves.arithmetic}",{extra}\n'
    yield ' "columns": ['
    for place, column in enumerate(moves.columns):
        unique = json.dumps(column.unique)
        # Equal hands: the value of every opening is zero, in any arithmetic.
        yield f'{"," if place else ""}\n  {{"upcard": {json.dumps(column.upcard)}, "value": "0", '
        yield f'"unique": {unique},{note(column)} "probabilities": {{'
        for line, card in enumerate(column.probabilities):
            yield f'{"," if line else ""}\n    "{card}": '
            yield cell(column, card)
        yield "}}"
    yield "\n]}\n"
