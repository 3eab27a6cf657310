"""What all pictures share: colours, layout, and how they become files.

The colours are those of Okabe and Ito (2008), which people who confuse red and green can tell apart.
"""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

BLUE, ORANGE, GREY, INK = "#0072B2", "#D55E00", "#9AA3AD", "#333333"
COLOURS = (
    BLUE,
    ORANGE,
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#6B4C9A",
    "#8A5A2B",
    "#BDB000",
    INK,
    GREY,
)
MARKERS = "osD^vP<>X*"
LOW_TO_HIGH = LinearSegmentedColormap.from_list("low to high", [BLUE, "#B58BB5", ORANGE])


def png(figure: Figure) -> bytes:
    """Return a figure as the bytes of a PNG file, the same for the same figure."""
    stream = BytesIO()
    with warnings.catch_warnings():
        # A character that no font has is drawn as a box. One warning for each would bury all others.
        warnings.filterwarnings("ignore", message=r"Glyph \d+ ")
        figure.savefig(stream, format="png", dpi=130, metadata={"Software": None})
    return stream.getvalue()


def canvas(height: float) -> tuple[Figure, Axes]:
    """Return a figure of the usual width and a height in inches, with one pair of axes."""
    figure = Figure(figsize=(8, height), layout="constrained")
    axis = figure.subplots()
    return figure, plain(axis, grid="both")


def plain(axis: Axes, grid: Literal["x", "y", "both"]) -> Axes:
    """Remove the top and right of the frame and put a faint grid behind the data."""
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(axis=grid, color="#DDDDDD", linewidth=0.6)
    axis.set_axisbelow(True)
    return axis


def title(*lines: str) -> str:
    """Return the non-empty lines of a title, one below the other."""
    return "\n".join(filter(None, lines))
