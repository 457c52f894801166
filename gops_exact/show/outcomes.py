"""Outcomes as HTML and LaTeX."""

from gops_exact.numbers import BigRational
from gops_exact.numbers.shown import html, latex
from gops_exact.show import markup
from gops_exact.solutions.outcomes import Chances, Outcomes


@html.register
def _html(outcomes: Outcomes) -> str:
    """A table of chances over all optimal strategies, a line each for win, draw and loss."""
    value = BigRational.of(outcomes.value)
    return markup.table(
        f"value {value} ≈ {value.decimal(markup.DIGITS)}: chances over all optimal strategies",
        map(markup.head, ("", "least", "greatest")),
        (
            [markup.head(name), *(markup.probability(BigRational.of(p)) for p in chance)]
            for name, chance in _chances(outcomes).items()
        ),
    )


@latex.register
def _latex(outcomes: Outcomes) -> str:
    """The same chances as an array in display mathematics."""
    lines = [
        [rf"\text{{{name}}}", *(markup.latex(BigRational.of(p)) for p in chance)]
        for name, chance in _chances(outcomes).items()
    ]
    return markup.array("r|rr", [["", r"\text{least}", r"\text{greatest}"], *lines])


def _chances(outcomes: Outcomes) -> dict[str, Chances]:
    return {"win": outcomes.win, "draw": outcomes.draw, "loss": outcomes.loss}
