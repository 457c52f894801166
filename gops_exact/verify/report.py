"""The account of what was verified, and how."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Report:
    """Counts of what was proved, only compared or passed over, by name, and the faults found."""

    entries: int = 0  # of a store, those read
    proved: Counter[str] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)  # with exact numbers of the store
    passed_over: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)  # lines on what is wrong or could not be proved

    def add(self, other: "Report") -> None:
        """Count another report in."""
        for name, found in vars(other).items():
            setattr(self, name, getattr(self, name) + found)

    def lines(self) -> Iterator[str]:
        """Yield a line on what was proved, one on what was only compared, one on what was passed over.

        >>> list(Report(proved=Counter(values=1280)).lines())
        ['proved: 1,280 values', 'only compared: nothing', 'passed over: nothing']
        """
        for name in ("proved", "compared", "passed_over"):
            counts = ", ".join(
                f"{count:,} {what}" for what, count in getattr(self, name).most_common()
            )
            title = {"compared": "only compared", "passed_over": "passed over"}.get(name, name)
            yield f"{title}: {counts or 'nothing'}"
