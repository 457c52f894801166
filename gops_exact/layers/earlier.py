"""Layers of folders made before layers were sealed: their checksums name neither n nor the rules.

Damage is noticed by those checksums, files of another run are not. So such a layer is taken only
beside the layer below it, from which the rules make it:

* lines solved anew from the layer below differ by no more than both bounds;
* the bounds follow from the journal's widths and from the bounds below. That checks the bounds
  below, too, which may have nothing below themselves.

Then it is sealed (:mod:`~gops_exact.layers.files`).
"""

from hashlib import blake2b

import numpy as np

from gops_exact.game.order_types import Layer
from gops_exact.layers.blocks import solve_block
from gops_exact.layers.bounds import bounded, layer_task
from gops_exact.layers.files import DIGEST, LayerFile
from gops_exact.layers.layer import Done, FloatLayer, Floats

SAMPLE = 16
"""Lines solved anew. By other rules nearly every line of a layer differs."""

SAME = 1e-9
"""Relative difference of bounds that come from the same numbers, by whatever NumPy's sums are."""


def is_earlier(file: LayerFile) -> bool:
    """Tell whether a finished layer's bounds were written without a seal."""
    if not file.bounds.exists():
        return False
    record, digest = file.read_bounds()
    return digest == blake2b(record, digest_size=DIGEST).digest()


def read(file: LayerFile) -> FloatLayer:
    """Return a finished layer that is not sealed, with a ValueError if it is damaged."""
    _finished(file)
    return file.layer(*file.read_bounds())


def adopt(file: LayerFile, layer: Layer, below: FloatLayer | None) -> None:
    """Seal a finished layer if it is what the rules make of the layer `below`, None at k = 1.

    Raises:
        ValueError: if it is not.
    """
    stored, tasks = read(file), _finished(file)
    widths = np.max([done.half_widths for done in tasks], axis=0)
    counts = np.sum([done.counts for done in tasks], axis=0)
    found = bounded(file.columns, below, file.values, widths, counts)
    same = np.allclose(found.bounds, stored.bounds, rtol=SAME, atol=0)
    if not (same and _is_made_of(found, layer, below)):
        raise ValueError(
            f"{file.path} does not follow from the layer below it by these rules; "
            "delete both to start anew"
        )
    file.complete(found)


def _finished(file: LayerFile) -> list[Done]:
    """List the tasks of a finished layer, with a ValueError if they are damaged or not all there."""
    tasks, solved = file.finished(keyed=False), np.zeros(len(file.values), dtype=np.bool_)
    for done in tasks:
        solved[done.start : done.stop] = True
    if not solved.all():
        raise ValueError(
            f"{file.journal} is damaged; delete {file.path.name} to start this layer anew"
        )
    return tasks


def _is_made_of(found: FloatLayer, layer: Layer, below: FloatLayer | None) -> bool:
    """Solve a sample of a layer's lines anew from the layer below, and compare."""
    columns, states = found.columns, np.diff(found.columns.first)
    for h in np.unique(np.linspace(0, len(layer) - 1, SAMPLE).astype(np.int64)).tolist():
        line = np.zeros_like(found.values[:1])
        task = layer_task(layer.part(slice(h, h + 1)), columns, below, line)
        done = solve_block(task, (0, 1))
        again = bounded(columns, below, line, done.half_widths, done.counts)
        off: Floats = np.abs(line[0].astype(np.float64) - found.values[h]) * found.unit
        if (off > np.repeat(again.bounds + found.bounds, states)).any():
            return False
    return True
