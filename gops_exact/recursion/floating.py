"""The recursion in floats, a layer at a time, up to the first moves.

    F[P][h] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )

and likewise by other rules (:mod:`~gops_exact.recursion.lattice`). The layer of all hands of k cards
needs the layer below and nothing else. Its games are solved over blocks of pairs of hands in
parallel (:mod:`~gops_exact.recursion.float_crew`), with a bound on the error of every value
(:mod:`~gops_exact.recursion.float_bounds`). At the opening the bounded values become balls
(:mod:`~gops_exact.recursion.float_opening`).
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gops_exact.numbers import markup
from gops_exact.order_types import Layer, OrderTypes, order_types
from gops_exact.recursion.float_bounds import float_layer
from gops_exact.recursion.float_columns import Columns
from gops_exact.recursion.float_crew import Crew, games_of
from gops_exact.recursion.float_files import LayerFile, layer_name
from gops_exact.recursion.float_layers import FloatLayer
from gops_exact.recursion.float_opening import FloatFirstMove, opening
from gops_exact.recursion.float_preflight import check_fits, kept_as_integers
from gops_exact.recursion.lattice import Node, turns
from gops_exact.recursion.schedule import Progress, available_cores
from gops_exact.rules import PLAIN, Rules


@dataclass(frozen=True)
class FloatFirstMoves:
    """The optimal first moves of the game of n cards, in floats with radii.

    Attributes:
        n: cards a side.
        columns: one first move an upcard, in the order asked for.
        games: matrix games solved.
        robust: how many of them needed the robust path.
        failed: how many have a bracket wider than it should be; the radii account for them.
        rules: the rules.
    """

    n: int
    columns: tuple[FloatFirstMove, ...]
    games: int
    robust: int
    failed: int
    rules: Rules = PLAIN

    def __getitem__(self, upcard: int | None) -> dict[int, float]:
        """{card: probability} at an upcard."""
        return dict(enumerate(self.column(upcard).probabilities, start=1))

    def column(self, upcard: int | None) -> FloatFirstMove:
        """The first move at an upcard, None standing for a hidden one.

        Raises:
            KeyError: if it was not asked for.
        """
        for column in self.columns:
            if column.upcard == upcard:
                return column
        raise KeyError(upcard)

    def _repr_html_(self) -> str:
        names = ("hidden" if each.upcard is None else str(each.upcard) for each in self.columns)
        rows = (
            [
                markup.head(str(card)),
                *(
                    markup.float_probability(each.probabilities[card - 1], each.radii[card - 1])
                    for each in self.columns
                ),
            ]
            for card in range(1, self.n + 1)
        )
        return markup.table(
            f"Optimal first moves, {self.n} cards ({self.rules}), in floats: "
            "probability of each card (rows) at each upcard (columns)",
            [markup.head(""), *map(markup.head, names)],
            rows,
        )


def first_move_float(
    n: int,
    upcards: Iterable[int] | None = None,
    *,
    rules: Rules = PLAIN,
    jobs: int | None = None,
    progress: Progress | None = None,
    memory_bytes: int | None = None,
    folder: Path | None = None,
    keep: bool = False,
    crew: Crew | None = None,
    integers: bool | None = None,
    force: bool = False,
) -> FloatFirstMoves:
    """The optimal first moves of the game of n cards, each probability with a proved radius.

    Args:
        n: cards a side.
        upcards: the upcards wanted, each of 1 … n; by default all that can come first.
        rules: the rules.
        jobs: threads; by default as many as there are cores.
        progress: told of games solved.
        memory_bytes: what the values of two layers may take in memory; by default most of what the
            machine has. If they take more, `folder` is needed.
        folder: keep layers in mapped files there, and go on from what a killed run left. The last
            two layers stay there.
        keep: let all layers stay in the folder.
        crew: who solves the games; by default `jobs` threads.
        integers: keep values as 32-bit integers, which takes half the room and costs digits; for
            winning alone. By default where there are very many.
        force: begin even if it is thought not to fit.

    Raises:
        ValueError: for an n or an upcard out of range, or if memory, disk or time will not do.

    >>> moves = first_move_float(3, jobs=1)
    >>> [round(p, 6) for p in moves[3].values()], moves.column(3).proved
    ([0.0, 0.0, 1.0], True)
    """
    jobs = crew.jobs if crew is not None else available_cores() if jobs is None else jobs
    check_fits(
        n,
        rules,
        jobs=jobs,
        memory_bytes=memory_bytes,
        folder=folder,
        keep=keep,
        integers=integers,
        force=force,
    )
    deck, wanted = rules.deal(n, upcards)
    first = {turn.upcard: turn for turn in turns(rules, Node(deck))}
    types = whole_game(n, rules)
    # One layer is let go before the next but one is made.
    layers = float_layers(
        types,
        rules=rules,
        jobs=jobs,
        progress=progress,
        folder=folder,
        keep=keep,
        crew=crew,
        integers=integers,
    )
    kept = deque(layers, maxlen=1)
    last = kept.pop() if kept else None
    columns = tuple(opening(types.root, first[upcard], last) for upcard in wanted)
    games = sum(layer_games(types, k, rules) for k in range(1, n)) + len(columns)
    failed, robust = (0, 0) if last is None else last.counts[:2].tolist()
    return FloatFirstMoves(n, columns, games, robust, failed, rules)


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
    crew: Crew | None = None,
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
        crew: who solves the games; by default `jobs` threads.
        integers: keep values as integers; see :func:`first_move_float`.
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
            crew=crew,
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
