"""Pictures of runs and their queries."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from rulerank.arrays import FloatArray
from rulerank.evaluate.figures.style import BLUE, COLOURS, INK, MARKERS, ORANGE, canvas, title


def recall_figure(recall: pl.DataFrame, about: str) -> Figure:
    """Draw recall against the number of passages read, one line per run.

    Parameters
    ----------
    recall : frame with columns run, depth and recall
    about : str
        Data, split and number of questions, for the title.

    """
    figure, axis = canvas(5)
    runs = recall["run"].unique(maintain_order=True)
    for place, name in enumerate(runs):
        line = recall.filter(pl.col("run") == name).sort("depth")
        axis.plot(
            line["depth"],
            line["recall"],
            color=COLOURS[place % len(COLOURS)],
            marker=MARKERS[place % len(MARKERS)],
            markersize=5,
            label=name,
        )
    axis.set(xscale="log", ylim=(0, 1), xlabel="passages read (log scale)", ylabel="recall")
    axis.xaxis.set_major_locator(FixedLocator(recall["depth"].unique().sort().to_list()))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(lambda depth, _: f"{depth:g}"))
    axis.legend(loc="lower right", frameon=False)
    axis.set_title(title("Recall by depth", about), fontsize=12)
    return figure


def differences_figure(differences: FloatArray, run: str, baseline: str, measure: str, about: str) -> Figure:
    """Draw what each query gains or loses between two runs, greatest gain first.

    Parameters
    ----------
    differences : array of shape (queries,)
        The measure of `run` minus that of `baseline`.
    run, baseline, measure, about : str
        For the title, the legend and the axes.

    """
    figure, axis = canvas(4.5)
    ordered = np.sort(differences)[::-1]
    places = np.arange(len(ordered)) + 0.5
    wins, losses = int((ordered > 0).sum()), int((ordered < 0).sum())
    for kept, colour, label in (
        (ordered > 0, BLUE, f"{run} better: {wins}"),
        (ordered < 0, ORANGE, f"{baseline} better: {losses}"),
    ):
        axis.fill_between(
            places, np.where(kept, ordered, 0), step="mid", color=colour, linewidth=0, label=label
        )
    axis.axhline(0, color=INK, linewidth=0.8)
    mean = float(ordered.mean())
    axis.axhline(mean, color=INK, linewidth=1, linestyle="--", label=f"mean: {mean:+.4f}")
    axis.set(
        xlim=(0, len(ordered)),
        ylim=(-1.02, 1.02),
        xlabel=f"questions, by difference ({len(ordered) - wins - losses} the same)",
        ylabel=f"difference in {measure}",
    )
    axis.legend(loc="upper right", frameon=False)
    axis.set_title(title("Gain and loss, question by question", about), fontsize=12)
    return figure
