"""The explorer: one HTML page that holds a solved game and needs nothing else."""

from gops_exact.show.explorer.page import (
    EVERY_RULES,
    check_explorable,
    explorer_page,
    rules_to_choose,
)

__all__ = ["EVERY_RULES", "check_explorable", "explorer_page", "rules_to_choose"]
