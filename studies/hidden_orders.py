"""Hidden bids in every known order of the prizes: ``python studies/hidden_orders.py N [--objective win] [--out FILE]``.

Each game is solved exactly, and each solution is verified from its document. Written as CSV, a line for each order: the
value, how many sequences player one's strategy plays, the digits of its longest denominator, the bids of the first
round, and the digest of the document. Five cards take three minutes.
"""

import sys
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import permutations
from operator import itemgetter

from script import run_script

import gops_exact as gx
from gops_exact.base.progress import progress_bar, tracked
from gops_exact.base.writing import csv_lines
from gops_exact.commands.options import Options, Parser, integer, output
from gops_exact.extensive import HiddenBids
from gops_exact.game.rules import OBJECTIVES
from gops_exact.verify.games import check_game

COLUMNS = ("prizes", "objective", "value", "sequences", "digits", "first_bids", "sha256")


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("n", type=partial(integer, 2, 6), metavar="N", help="cards a side")
    parser.add("game", "--objective", "GOAL", "points or win", "points", choices=OBJECTIVES)
    parser.share("--out")


def every_order(n: int, objective: str) -> Iterator[dict[str, object]]:
    """Yield a line for each known order of the prizes; each solution is verified from its document."""
    orders = list(permutations(range(n, 0, -1)))
    for order in tracked(orders, progress_bar()):
        rules = gx.Rules(objective, prizes=order)
        equilibrium = gx.solve_game(HiddenBids(gx.Game(n, rules)))
        text = equilibrium.emit("json")
        if faults := check_game(text).faults:
            raise gx.CertificateError(f"prizes {order}: {faults[0]}")
        chances = [chance for bids in equilibrium.row.values() for chance in bids.values()]
        first = equilibrium.row[str(order[0])]
        yield {
            "prizes": " ".join(map(str, order)),
            "objective": objective,
            "value": equilibrium.value,
            "sequences": equilibrium.support[0],
            "digits": max(chance.denominator.digits for chance in chances),
            "first_bids": " ".join(f"{bid}:{chance}" for bid, chance in first.items()),
            "sha256": sha256(text.encode()).hexdigest(),
        }


def run(options: Options) -> None:
    """Write the table."""
    lines = every_order(options.n, options.objective)
    with output(options.out) as file:
        file.writelines(csv_lines({name: itemgetter(name) for name in COLUMNS}, lines))


def main(words: list[str]) -> int:
    """Run the script; return the exit status."""
    return run_script(__file__, str(__doc__), add_arguments, run, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
