"""A figure that shows itself in a notebook."""

from io import BytesIO

from matplotlib.figure import Figure
from PIL import Image

COLOURS = 256
"""More would triple the size of a file and show in none of the pictures."""


class Picture(Figure):
    """A matplotlib figure that no window or global state refers to.

    Notebooks show figures that pyplot made or knows of; this one they show without it.
    """

    def png(self, dpi: int = 100) -> bytes:
        """The picture as a compact PNG file in which nothing changes from run to run."""
        drawn, file = BytesIO(), BytesIO()
        self.savefig(drawn, format="png", dpi=dpi)
        image = Image.open(drawn).convert("RGB").quantize(COLOURS, kmeans=3)
        image.save(file, format="png", optimize=True)
        return file.getvalue()

    def _repr_png_(self) -> bytes:
        return self.png()
