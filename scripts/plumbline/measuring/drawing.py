"""How every figure looks, and its two files: SVG for pages, PDF for papers."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

SALT = "plumbline"
"""Names inside the SVG are made from this instead of at random, so that equal cells give equal bytes."""
INK, ACCENT, QUIET = "#1b1f24", "#1f5f8b", "#8c959f"
STYLE = {
    "svg.hashsalt": SALT,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.size": 9,
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "text.color": INK,
    "legend.frameon": False,
}
CREATOR = {"svg": {"Date": None, "Creator": SALT}, "pdf": {"CreationDate": None, "Creator": SALT, "Producer": None}}
Drawn = Mapping[str, bytes]
"""A figure by the kind of its file."""


def drawn(width: float, height: float, draw: Callable[[Axes], None]) -> Drawn:
    """What is drawn into one pair of axes of so many inches; equal drawings give equal bytes."""
    with matplotlib.rc_context(STYLE):
        drawing, axes = plt.subplots(figsize=(width, height))
        draw(axes)
        return saved(drawing)


def saved(drawing: Figure) -> Drawn:
    files = {}
    for kind, metadata in CREATOR.items():
        out = io.BytesIO()
        drawing.savefig(out, format=kind, bbox_inches="tight", metadata=metadata)
        files[kind] = out.getvalue()
    plt.close(drawing)
    return files
