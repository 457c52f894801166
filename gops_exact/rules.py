"""The rules of a game of GOPS."""

from dataclasses import dataclass

CHOICES = {"objective": ("points",), "ties": ("discard",), "prizes": ("random",)}
"""What each rule can be."""


@dataclass(frozen=True)
class Rules:
    """One set of rules.

    Attributes:
        objective: ``"points"``, the difference of the prizes won.
        ties: ``"discard"``, a tied prize is nobody's.
        prizes: ``"random"``, a shuffled deck, each prize turned up before the bids.

    Raises:
        ValueError: if a rule is not one of its choices.

    >>> Rules(ties="split")
    Traceback (most recent call last):
    ValueError: ties must be 'discard', got 'split'
    """

    objective: str = "points"
    ties: str = "discard"
    prizes: str = "random"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            given = getattr(self, name)
            if given not in choices:
                raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, got {given!r}")

    @property
    def key(self) -> str:
        """The rules as one word of text, for the store.

        >>> Rules().key
        'points/discard/random'
        """
        return f"{self.objective}/{self.ties}/{self.prizes}"
