"""Pictures of a corpus's graph. They need networkx and matplotlib; both come with the extra `train`."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter
from scipy.sparse import csr_array

from rulerank.arrays import DoubleArray, IntArray
from rulerank.evaluate.figures.style import BLUE, COLOURS, GREY, INK, ORANGE, plain, title

_NAMED = 9
"""How many documents have their own colour; the others share the last one."""
_LABELLED = 12
_TITLE = 44
"""How many characters of a document's title are shown."""

CITES, BELOW = "cites", "stands under"


def component_figure(
    cites: csr_array[np.float32],
    contains: csr_array[np.float32],
    names: Sequence[str],
    documents: Sequence[str],
    about: str,
) -> Figure:
    """Draw passages, the citations between them, and the hierarchy above and below them.

    Parameters
    ----------
    cites, contains : csr_arrays of shape (N, N)
        Non-zero at (citing, cited) and at (parent, child).
    names : sequence of str
        The name of each passage; shown for the best connected ones.
    documents : sequence of str
        The document of each passage. It decides the colour.
    about : str
        A description of what is drawn, for the title.

    """
    links = {BELOW: (contains, GREY, 0.6), CITES: (cites, ORANGE, 1.0)}
    points, degree = _laid_out(cites + contains)
    colours = _colours(documents)
    figure = Figure(figsize=(11, 8.5), layout="constrained")
    axis = figure.subplots()
    axis.set_axis_off()
    for place, (matrix, colour, width) in enumerate(links.values()):
        ends = points[np.stack(matrix.nonzero(), axis=1)]
        axis.add_collection(
            LineCollection(list(ends), colors=colour, linewidths=width, alpha=0.7, zorder=place)
        )
    axis.scatter(
        points[:, 0],
        points[:, 1],
        s=_areas(degree),
        c=[colours.get(document, GREY) for document in documents],
        edgecolors="white",
        linewidths=0.5,
        zorder=2,
    )
    _name(axis, names, points, degree)
    shown = dict(colours) | ({"others": GREY} if len(set(documents)) > len(colours) else {})
    keys = [Line2D([], [], marker="o", linestyle="", color=colour) for colour in shown.values()]
    keys += [Line2D([], [], color=colour) for _, colour, _ in links.values()]
    figure.legend(
        keys,
        [*map(_shortened, shown), *links],
        loc="outside lower center",
        ncols=3,
        frameon=False,
        fontsize=9,
    )
    axis.set_title(title("Passages, what they cite and where they belong", about), fontsize=12)
    return figure


def degrees_figure(incoming: IntArray, outgoing: IntArray, about: str) -> Figure:
    """Draw how many passages have how many citations, incoming and outgoing, on two logarithmic axes.

    Parameters
    ----------
    incoming, outgoing : int arrays of shape (N,)
        Citations of each passage; passages without any appear only in the legend.
    about : str
        Data and number of passages, for the title.

    """
    figure = Figure(figsize=(7.5, 4.8), layout="constrained")
    axis = figure.subplots()
    # Hollow rings around smaller squares: both remain visible where they coincide.
    sides: tuple[tuple[IntArray, str, dict[str, Any]], ...] = (
        (incoming, "cited", {"color": BLUE, "marker": "o", "markersize": 9, "fillstyle": "none"}),
        (outgoing, "citing", {"color": ORANGE, "marker": "s", "markersize": 4}),
    )
    for degree, name, look in sides:
        counts = np.bincount(degree)
        present = np.flatnonzero(counts[1:]) + 1
        label = f"{name} ({counts[0] / max(len(degree), 1):.1%} of the passages: never)"
        axis.plot(present, counts[present], linestyle="", label=label, **look)
    most = max(incoming.max(initial=1), outgoing.max(initial=1))
    axis.set(xscale="log", xlim=(0.8, 1.25 * most), xlabel="citations")
    axis.set(yscale="log", ylim=(0.8, 1.25 * max(len(incoming), 1)), ylabel="passages")
    for each in (axis.xaxis, axis.yaxis):
        each.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.legend(frameon=False)
    plain(axis, grid="both")
    axis.set_title(title("How often passages are cited and cite", about), fontsize=12)
    return figure


def _laid_out(joined: csr_array[np.float32]) -> tuple[DoubleArray, IntArray]:
    """Return the position of each passage, shape (N, 2), and how many others it is joined to."""
    graph = nx.from_scipy_sparse_array(joined)
    start = nx.kamada_kawai_layout(graph)
    places = nx.spring_layout(graph, k=1.6 / np.sqrt(len(graph)), pos=start, iterations=40, seed=7)
    return np.array([places[node] for node in graph]), np.array([graph.degree(node) for node in graph])


def _areas(degree: IntArray) -> IntArray:
    """Return the area of each passage's dot, in square points."""
    return 14 + 9 * degree


def _name(axis: Axes, names: Sequence[str], points: DoubleArray, degree: IntArray) -> None:
    """Write the names of the best connected passages above their dots."""
    heights = 3 + np.sqrt(_areas(degree)) / 2
    for node in _apart(points, degree):
        axis.annotate(
            names[node],
            points[node],
            xytext=(0, heights[node]),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=INK,
            bbox={"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 0.8},
            zorder=3,
        )


def _apart(points: DoubleArray, degree: IntArray) -> list[int]:
    """Return the best connected passages with enough room around them for a label."""
    labelled: list[int] = []
    room = 0.07 * np.ptp(points, axis=0).max()
    for node in np.argsort(-degree, kind="stable").tolist():
        if len(labelled) == _LABELLED:
            break
        if all(np.hypot(*(points[node] - points[other])) > room for other in labelled):
            labelled.append(node)
    return labelled


def _shortened(name: str) -> str:
    return textwrap.shorten(name, _TITLE, placeholder=" …")


def _colours(documents: Sequence[str]) -> dict[str, str]:
    """Return a colour for each of the documents with the most passages."""
    names, counts = np.unique(np.array(documents), return_counts=True)
    named = names[np.argsort(-counts, kind="stable")][:_NAMED].tolist()
    return dict(zip(named, COLOURS, strict=False))
