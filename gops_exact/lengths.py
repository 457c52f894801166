"""The lengths of the exact numbers of a solved game, layer by layer."""

from dataclasses import dataclass
from pathlib import Path

from flint import fmpz

from gops_exact.arguments import function, positive_integer
from gops_exact.game.game import Game, Node, turns
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.lattice.exact import ExactSlab, ExactSystem
from gops_exact.lattice.sweep import Single, Values, looked_at, missing
from gops_exact.numbers import BigInteger
from gops_exact.numbers.raw import Pair
from gops_exact.progress import Progress, tracked
from gops_exact.store import MEMORY, StoreLocation


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
    game = Game(positive_integer(n, "n", LONGEST), rules)
    function(progress, "progress")
    file = StoreLocation.of(store, read_only=True).open()
    if file is None:
        raise ValueError(f"growth is read from a store, got {MEMORY!r}")
    with file:
        values: Values[ExactSlab, Pair] = Values(game.types, game.rules, ExactSystem(), file)
        first = looked_at(game.turns.values())
        later = [turn for node in first for turn in turns(game.rules, node)]
        layers: dict[int, list[fmpz]] = {size: [] for size in range(1, game.n - 1)}
        for node in tracked(missing(later, game.rules, ()), progress, values.weight):
            if node not in values:
                raise ValueError(
                    f"the store must hold the values of the game of {n} cards, as first-move leaves "
                    f"them, got none for the prizes {', '.join(map(str, node.prizes))}"
                )
            layers[len(node.prizes)] += [q for _, q in values[node].values]
        if game.n > 2:
            layers[game.n - 1] = [q for node in first for q in _seen(values, node)]
        openings = [values.opening(game.prizes, upcard) for upcard in game.upcards]
        layers[game.n] = [q for each in openings if each for p, q in each.row if p]
    return [_lengths(game.n, size, found) for size, found in layers.items()]


def _seen(values: Values[ExactSlab, Pair], node: Node) -> list[fmpz]:
    """Return the denominators that were evaluated: all, or those that an opening looked at."""
    if node in values:
        return [q for _, q in values[node].values]
    singles = [Single(node, place) for place in range(len(values.layer(node)))]
    return [values[single].values[0][1] for single in singles if single in values]


def _lengths(n: int, size: int, denominators: list[fmpz]) -> Lengths:
    bits = [q.bit_length() for q in denominators]
    if not bits:
        return Lengths(n, size, 0)
    longest = BigInteger(max(denominators))
    mean = sum(bits) // len(bits)
    return Lengths(n, size, len(bits), mean, longest.bits, longest.digits)
