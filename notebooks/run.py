"""Run the notebooks again and keep what they show: ``python notebooks/run.py [NN ...]``."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

from gops_exact.base.store import ENVIRONMENT_VARIABLE

FOLDER = Path(__file__).parent
NOTEBOOKS = sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))

WIDGET = "application/vnd.jupyter.widget-view+json"

CELL_SECONDS = 300
"""A cell that takes longer has failed; on one idle core all of a notebook takes less than 60."""


def main(numbers: list[str]) -> None:
    """Run those of the given numbers, by default all, each from top to bottom in a new kernel."""
    for path in NOTEBOOKS:
        if not numbers or path.name[:2] in numbers:
            notebook = executed(nbformat.read(path, as_version=4))
            path.write_text(nbformat.writes(notebook, indent=1) + "\n", encoding="utf-8")


def client(notebook: NotebookNode) -> NotebookClient:
    """Return the client that runs a notebook, in a kernel that it starts."""
    # Nothing that an earlier run stored: what is shown does not hang on it, but the time does.
    os.environ[ENVIRONMENT_VARIABLE] = ":memory:"
    return NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        config=Config(KernelManager={"transport": "ipc"}),  # nothing listens on the network
    )


def executed(notebook: NotebookNode) -> NotebookNode:
    """The notebook with what its cells show now, and nothing of when and where they ran.

    Raises:
        CellExecutionError: if a cell raises.
    """
    return cleaned(client(nbformat.from_dict(notebook)).execute())


def cleaned(done: NotebookNode) -> NotebookNode:
    """Take from a notebook that ran what tells of when and where."""
    done.metadata.get("language_info", {}).pop("version", None)
    done.metadata.pop("widgets", None)
    for cell in done.cells:
        # Bars of what has ended; elsewhere than in a running notebook nothing shows them.
        kept = [each for each in cell.get("outputs", []) if WIDGET not in each.get("data", {})]
        if "outputs" in cell:
            cell.outputs = kept
    return done


def shown(notebook: NotebookNode) -> Iterator[tuple[int, str, object]]:
    """What every cell shows: its number, the form, and the content; of pictures the form alone."""
    for number, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                yield number, output.name, output.text
            for form, content in sorted(output.get("data", {}).items()):
                yield number, form, None if form == "image/png" else content


if __name__ == "__main__":
    main(sys.argv[1:])
