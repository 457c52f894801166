"""Displays of results: functions declared here and defined in :mod:`gops_exact.show`.

Results render nothing. The functions below choose by the type of a result, and
:mod:`gops_exact.show` registers one function for each type, so that no import leads from a result to
its pictures.
"""

from dataclasses import fields
from functools import singledispatch
from typing import TYPE_CHECKING

from gops_exact.numbers.big import shorten

if TYPE_CHECKING:
    import pandas as pd
    from _typeshed import DataclassInstance


@singledispatch
def text(result: object) -> str:
    """A result as plain text."""
    raise NotImplementedError(f"no text for {type(result).__name__}")


@singledispatch
def html(result: object) -> str:
    """A result as HTML."""
    raise NotImplementedError(f"no HTML for {type(result).__name__}")


@singledispatch
def latex(result: object) -> str:
    """A result as LaTeX, in display mathematics."""
    raise NotImplementedError(f"no LaTeX for {type(result).__name__}")


@singledispatch
def frame(result: object) -> "pd.DataFrame":
    """A result as a pandas frame."""
    raise NotImplementedError(f"no frame for {type(result).__name__}")


@singledispatch
def emitted(result: object, fmt: str, digits: int | None) -> str:
    """A result in a format of the command line."""
    raise NotImplementedError(f"no format {fmt} for {type(result).__name__}")


class Shown:
    """A result that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        return html(self)

    def _repr_latex_(self) -> str:
        return latex(self)


class Framed(Shown):
    """A result that pandas can hold, too."""

    def to_frame(self) -> "pd.DataFrame":
        """The result as a frame; :mod:`gops_exact.show.frames` tells index and columns."""
        return frame(self)


def short_repr(record: "DataclassInstance") -> str:
    """A dataclass as the call that makes it, long numbers shortened.

    A notebook keeps this text beside every table, so it must not hold a million digits.
    """
    shown = (f"{field.name}={getattr(record, field.name)!r}" for field in fields(record))
    return shorten(f"{type(record).__name__}({', '.join(shown)})")
