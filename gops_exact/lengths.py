"""The lengths of the exact numbers of a solved game, layer by layer."""

from dataclasses import dataclass
from pathlib import Path

from flint import fmpz

from gops_exact.arguments import function, positive_integer
from gops_exact.game.order_types import LONGEST, order_types
from gops_exact.game.position import Node, turns
from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.lattice.exact import ExactArithmetic
from gops_exact.lattice.exact_slab import ExactSlab
from gops_exact.lattice.sweep import to_solve
from gops_exact.numbers import BigInteger
from gops_exact.numbers.pairs import Pair
from gops_exact.progress import Progress
from gops_exact.store import Shelf
from gops_exact.store.location import MEMORY, StoreLocation


@dataclass(frozen=True)
class Lengths:
    """The lengths of the denominators of one layer of a game."""

    n: int  #: cards a side at the beginning of the game
    cards_a_side: int  #: in this layer
    numbers: int  #: the number of denominators
    mean_bits: int | None = None  #: their mean length, rounded down; None where there are none
    most_bits: int | None = None  #: the length of the longest, in binary digits
    most_digits: int | None = None  #: and in decimal digits


def growth(
    n: int,
    *,
    rules: Rules = PLAIN,
    store: str | Path | None = None,
    progress: Progress | None = None,
) -> list[Lengths]:
    """Measure the exact numbers layer by layer; the last layer is the first moves.

    The denominators measured are those that were evaluated: of all values up to n − 2 cards a side, as
    they are stored (in lowest terms only while that is cheap); of the values of n − 1 cards that the
    first moves looked at; and of the probabilities of the first moves, in lowest terms, without zeros.

    Args:
        n: cards a side; the game must have been solved.
        rules: the rules of the game.
        store: the file with its values, as in :func:`gops_exact.first_move`.
        progress: called with the work done and all the work there is.

    Raises:
        ValueError: if they are not all there.
        StoreError: if the store cannot be read.
    """
    n, rules = positive_integer(n, "n", LONGEST), as_rules(rules)
    function(progress, "progress")
    file = StoreLocation.of(store, read_only=True).open()
    if file is None:
        raise ValueError(f"growth is read from a store, got {MEMORY!r}")
    with file:
        prizes, upcards = rules.deal(n)
        types = order_types(prizes, prizes, equal=rules.winning)
        shelf: Shelf[ExactSlab, Pair] = Shelf(types, rules, ExactArithmetic(), file)
        first = [node for turn in turns(rules, Node(prizes)) for node in turn.nodes]
        later = [turn for node in dict.fromkeys(first) for turn in turns(rules, node)]
        layers: dict[int, list[fmpz]] = {size: [] for size in range(1, n - 1)}
        for node, _ in to_solve(types, later, rules, shelf.arithmetic, {}, progress):
            layers[len(node.prizes)] += _whole(shelf, n, node)
        if n > 2:
            layers[n - 1] = [q for node in dict.fromkeys(first) for q in _seen(shelf, n, node)]
        openings = [shelf.opening(prizes, upcard) for upcard in upcards]
        layers[n] = [q for each in openings if each for p, q in each.row if p]
    return [_lengths(n, size, found) for size, found in layers.items()]


def _whole(shelf: Shelf[ExactSlab, Pair], n: int, node: Node) -> list[fmpz]:
    if node not in shelf:
        raise ValueError(
            f"the store must hold the values of the game of {n} cards, as first-move leaves them, "
            f"got none for the prizes {', '.join(map(str, node.prizes))}"
        )
    return [q for _, q in shelf[node].values]


def _seen(shelf: Shelf[ExactSlab, Pair], n: int, node: Node) -> list[fmpz]:
    """Return the denominators that were evaluated: all, or those that an opening looked at."""
    if node in shelf:
        return _whole(shelf, n, node)
    singles = shelf.singles(node)
    places = range(len(shelf.types.layers[len(node.prizes)]))
    return [singles[h].values[0][1] for h in places if h in singles]


def _lengths(n: int, size: int, denominators: list[fmpz]) -> Lengths:
    bits = [q.bit_length() for q in denominators]
    if not bits:
        return Lengths(n, size, 0)
    longest = BigInteger(max(denominators))
    mean = sum(bits) // len(bits)
    return Lengths(n, size, len(bits), mean, longest.bits, longest.digits)
