"""Pandas frames of numbers; a module of its own, since pandas takes long to load."""

from typing import Any

import pandas as pd


class Frame(pd.DataFrame):
    """A frame whose exact numbers stay fractions in Markdown, where tabulate would print floats.

    >>> from gops_exact import first_move
    >>> print(first_move(3, upcards=[2]).to_frame().loc[2, ["exact"]].to_markdown())
    | card   | exact   |
    |:-------|:--------|
    | 1      | 0       |
    | 2      | 5/9     |
    | 3      | 4/9     |
    """

    @property
    def _constructor(self) -> type["Frame"]:
        return Frame  # so that a part of the frame is one, too

    def to_markdown(self, *arguments: Any, disable_numparse: bool = True, **options: Any) -> Any:  # noqa: ANN401  # of pandas
        """Return the frame as :meth:`pandas.DataFrame.to_markdown` does; numbers are written as they are printed."""
        return super().to_markdown(*arguments, disable_numparse=disable_numparse, **options)
