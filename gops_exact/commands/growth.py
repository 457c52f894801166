"""``gops_exact growth``: the lengths of the exact numbers of a solved game, layer by layer."""

from argparse import ArgumentParser, Namespace

from gops_exact.commands.arguments import (
    add_n,
    add_out,
    add_rules,
    add_store,
    output,
    rules_of,
    store_path,
)
from gops_exact.studies.growth import growth, growth_csv

DESCRIPTION = "How long the exact numbers of a solved game are, layer by layer, as CSV."


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_n(parser, least=2)
    add_rules(parser)
    add_store(parser)
    add_out(parser)


def run(given: Namespace) -> int:
    """Print the table.

    Raises:
        ValueError: if the store does not hold the game.
        StoreError: if it cannot be used.
    """
    layers = growth(given.n, rules=rules_of(given), store=store_path(given.store))
    with output(given.out) as file:
        file.writelines(growth_csv(layers))
    return 0
