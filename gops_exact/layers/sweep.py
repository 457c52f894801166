"""The recursion in floats, a layer at a time, up to the opening.

    F[P][h] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )

and by other rules as in :mod:`~gops_exact.lattice.sweep`. The layer of all hands of k cards
needs the layer below and nothing else. Its games are solved over blocks of pairs of hands in
parallel (:mod:`~gops_exact.layers.blocks`), with a bound on the error of every value
(:mod:`~gops_exact.layers.bounds`). At the opening the bounded values become balls
(:mod:`~gops_exact.layers.opening`).
"""

from collections.abc import Iterator
from pathlib import Path

from gops_exact.game.order_types import Layer, OrderTypes, order_types
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.layers.blocks import BlockPool, games_of
from gops_exact.layers.bounds import float_layer
from gops_exact.layers.columns import Columns
from gops_exact.layers.cost import kept_as_integers
from gops_exact.layers.files import LayerFile, layer_name
from gops_exact.layers.layer import FloatLayer
from gops_exact.schedule import Progress


def whole_game(n: int, rules: Rules = PLAIN) -> OrderTypes:
    """The pairs of hands of the game of n cards."""
    return order_types(range(1, n + 1), range(1, n + 1), equal=rules.winning)


def float_layers(
    types: OrderTypes,
    *,
    rules: Rules = PLAIN,
    jobs: int | None = None,
    progress: Progress | None = None,
    folder: Path | None = None,
    keep: bool = False,
    pool: BlockPool | None = None,
    integers: bool | None = None,
) -> Iterator[FloatLayer]:
    """Every layer of a whole game below its opening, smallest hands first.

    Args:
        types: the order types of the hands 1 … n against themselves; see :func:`whole_game`.
        rules: the rules.
        jobs: threads; by default as many as there are cores.
        progress: told of games solved.
        folder: keep layers in mapped files there. What is found finished is not done again, so the
            first layer may be a later one. The last two layers stay.
        keep: let all layers stay there, and make those that are missing.
        pool: the threads or workers that solve the games; by default `jobs` threads.
        integers: keep values as integers; see :func:`gops_exact.first_move_float`.
    """
    n = types.root.size
    whole = kept_as_integers(n, rules) if integers is None else integers
    done, total = 0, sum(layer_games(types, k, rules) for k in range(1, n))
    below: FloatLayer | None = None
    for k in range(1, n):
        columns = columns_of(n, k, rules)
        file = None
        if folder is not None:
            if not keep and _later_is_finished(folder, n, k, rules):
                done += layer_games(types, k, rules)
                continue
            if k > 2 and not keep:
                LayerFile.remove(folder, layer_name(n, k - 2, rules))
            file = _layer_file(folder, types.layers[k], columns, integers=whole)
        below = float_layer(
            *(types.layers[k], columns, below),
            jobs=jobs,
            progress=_from(done, total, progress),
            file=file,
            pool=pool,
            integers=whole,
        )
        done += layer_games(types, k, rules)
        yield below


def open_layers(
    folder: Path, n: int, rules: Rules = PLAIN, *, integers: bool | None = None
) -> dict[int, FloatLayer]:
    """The finished layers in a folder, by cards a side; mapped, so only what is read is loaded.

    Lines are not compared with their checksums, as a run that goes on does.

    Args:
        folder: where a run with `folder`, and `keep` for more than the last two layers, left them.
        n: cards a side.
        rules: the rules.
        integers: as it was for that run.

    Raises:
        ValueError: if a file is damaged or has another size.
    """
    types, found = whole_game(n, rules), {}
    whole = kept_as_integers(n, rules) if integers is None else integers
    for k in range(1, n):
        if (folder / f"{layer_name(n, k, rules)}.bounds").exists():
            columns = columns_of(n, k, rules)
            file = _layer_file(folder, types.layers[k], columns, integers=whole)
            layer = file.completed(columns, trusted=True)
            if layer is not None:
                found[k] = layer
    return found


def columns_of(n: int, k: int, rules: Rules) -> Columns:
    """The columns of the layer of k cards of the game of n."""
    return Columns(rules, rules.arranged(range(1, n + 1)), k)


def layer_games(types: OrderTypes, k: int, rules: Rules = PLAIN) -> int:
    """How many games the layer of k cards a side takes.

    >>> layer_games(order_types(range(1, 4), range(1, 4)), 2)
    18
    """
    return len(types.layers[k]) * games_of(columns_of(types.root.size, k, rules))


def _layer_file(folder: Path, layer: Layer, columns: Columns, *, integers: bool) -> LayerFile:
    return LayerFile(
        folder,
        layer_name(len(columns.deck), columns.size, columns.rules),
        (len(layer), columns.width),
        len(columns.sets),
        integers=integers,
    )


def _from(done: int, total: int, progress: Progress | None) -> Progress | None:
    """Progress in a part as progress in the whole, of which `done` comes before the part."""
    if progress is None:
        return None
    tell = progress
    return lambda part, _: tell(done + part, total)


def _later_is_finished(folder: Path, n: int, k: int, rules: Rules) -> bool:
    """Whether a layer above k is finished."""
    later = (layer_name(n, above, rules) for above in range(k + 1, n))
    return any((folder / f"{name}.bounds").exists() for name in later)
