"""Pandas frames of numbers, in a separate module because pandas takes long to load."""

from typing import Any

import pandas as pd

from gops_exact.numbers.exact import BigRational


class Frame(pd.DataFrame):
    """A pandas frame that shows exact numbers as fractions, with only the first and last digits of long integers.

    Pandas itself would write an exact number with all digits, but in Markdown as a float.

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
        return Frame  # pandas makes parts of the frame with this class, too

    def _in_short(self) -> pd.DataFrame:
        return pd.DataFrame(self).map(lambda x: repr(x) if isinstance(x, BigRational) else x)

    def __repr__(self) -> str:
        return repr(self._in_short())

    def _repr_html_(self) -> Any:  # noqa: ANN401  # as in pandas
        return self._in_short()._repr_html_()  # type: ignore[operator]  # the stubs have no such method

    def to_markdown(self, *arguments: Any, disable_numparse: bool = True, **options: Any) -> Any:  # noqa: ANN401  # of pandas
        """Return the frame as a table in Markdown; the arguments are those of :meth:`pandas.DataFrame.to_markdown`."""
        return self._in_short().to_markdown(
            *arguments, disable_numparse=disable_numparse, **options
        )
