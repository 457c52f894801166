"""Displays of results: functions declared here and defined in :mod:`gops_exact.show`.

Results render nothing. The functions below choose by the type of a result, and
:mod:`gops_exact.show` registers one function for each type. It is loaded when a result is shown for
the first time.
"""

from dataclasses import fields
from functools import singledispatch
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from gops_exact.numbers.big import shorten

if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import _SingleDispatchCallable

    import pandas as pd
    from _typeshed import DataclassInstance

T = TypeVar("T")


@singledispatch
def text(result: object) -> str:
    """A result as plain text."""
    return _registered(text, result)(result)


@singledispatch
def html(result: object) -> str:
    """A result as HTML."""
    return _registered(html, result)(result)


@singledispatch
def latex(result: object) -> str:
    """A result as LaTeX, in display mathematics."""
    return _registered(latex, result)(result)


@singledispatch
def frame(result: object) -> "pd.DataFrame":
    """A result as a pandas frame."""
    return _registered(frame, result)(result)


@singledispatch
def emitted(result: object, fmt: str, digits: int | None) -> str:
    """A result in a format of the command line."""
    return _registered(emitted, result)(result, fmt, digits)


def _registered(display: "_SingleDispatchCallable[T]", result: object) -> "Callable[..., T]":
    """Return the function for a type of results, once the modules that register them are loaded."""
    for module in ("text", "solved", "html", "latex", "frames"):
        import_module(f"gops_exact.show.{module}")
    found = display.dispatch(type(result))
    if found is display.dispatch(object):
        raise NotImplementedError(f"no such display for {type(result).__name__}")
    return found


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
