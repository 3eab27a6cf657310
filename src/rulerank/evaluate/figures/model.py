"""Pictures of what a trained ranker looks at, and of how far its probabilities can be trusted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from rulerank.arrays import FloatArray
from rulerank.evaluate.figures.style import BLUE, COLOURS, GREY, INK, LOW_TO_HIGH, plain, title

BARS = 25
"""Bars on each side of the importance figure."""
ROWS = 20
"""Rows of the SHAP summary."""
HEIGHTS = 80
"""Bins per row of the SHAP summary; points in the same bin are stacked."""

KINDS = {
    "one pass": "one pass instead of two",
    "without": "without this group",
    "only": "only this group",
    "named": "only these features",
}
"""Panels of the ablation figure and their titles."""


def ablation_figure(ablation: pl.DataFrame, about: str = "") -> Figure:
    """Draw what each feature group adds: the ranker without it, and a ranker trained on it alone.

    Parameters
    ----------
    ablation : frame with columns variant, kind, measure, value, difference, low, high, p_holm
        Rows of one measure. `kind` is one of `KINDS`; low and high are the interval of the difference.
    about : str, optional
        Data, split and number of questions, for the title.

    """
    measure = ablation["measure"][0]
    kinds = [kind for kind in KINDS if kind in ablation["kind"]]
    rows = max(ablation.filter(pl.col("kind") == kind).height for kind in kinds)
    figure = Figure(figsize=(5.5 * len(kinds), 1.6 + 0.36 * rows), layout="constrained")
    axes = figure.subplots(1, len(kinds), squeeze=False)[0]
    for axis, kind in zip(axes, kinds, strict=True):
        part = ablation.filter(pl.col("kind") == kind).sort("difference", descending=kind == "without")
        value = part["difference"].to_numpy()
        significant = part["p_holm"].fill_null(1.0).to_numpy() < 0.05
        spread = np.abs(part.select("low", "high").to_numpy().T - value)
        axis.barh(
            part["variant"],
            value,
            xerr=spread,
            color=[BLUE if each else GREY for each in significant],
            error_kw={"ecolor": INK, "elinewidth": 1, "capsize": 2},
        )
        axis.axvline(0, color=INK, linewidth=0.8)
        axis.set_ylim(-0.6, rows - 0.4)
        axis.set(title=KINDS[kind], xlabel=f"difference in {measure}")
        axis.xaxis.set_major_locator(MaxNLocator(5))
        plain(axis, grid="x")
    keys = [Patch(color=BLUE), Patch(color=GREY)]
    figure.legend(
        keys, ["p < 0.05 (Holm)", "not significant"], loc="outside lower right", ncols=2, frameon=False
    )
    figure.suptitle(title("Ablation of feature groups", about), fontsize=12)
    return figure


def importance_figure(importance: pl.DataFrame, about: str) -> Figure:
    """Draw the most important features, by gain and by permutation, side by side.

    Parameters
    ----------
    importance : frame with columns feature, group, gain, permutation
        `gain`: share of the trees' total gain; `permutation`: drop in nDCG@10 when the column is shuffled.
    about : str
        Data, split and number of questions, for the title.

    """
    groups = importance["group"].unique().sort().to_list()
    colours = {group: COLOURS[place % len(COLOURS)] for place, group in enumerate(groups)}
    height = 1.8 + 0.26 * min(BARS, importance.height)
    figure = Figure(figsize=(12, height), layout="constrained")
    sides = (("gain", "share of the gain in the trees"), ("permutation", "drop in nDCG@10 when shuffled"))
    for axis, (column, label) in zip(figure.subplots(1, 2), sides, strict=True):
        top = importance.sort(column, descending=True, maintain_order=True).head(BARS).reverse()
        axis.barh(top["feature"], top[column], color=[colours[group] for group in top["group"]])
        axis.axvline(0, color=INK, linewidth=0.8)
        axis.set(xlabel=label, title=f"by {column}", ylim=(-0.7, top.height - 0.3))
        plain(axis, grid="x")
    keys = [Patch(color=colours[group]) for group in groups]
    figure.legend(keys, groups, loc="outside lower center", ncols=min(len(groups), 8), frameon=False)
    figure.suptitle(title("Importance of the features", about), fontsize=12)
    return figure


def shap_figure(shares: FloatArray, values: FloatArray, names: Sequence[str], about: str) -> Figure:
    """Draw each pair's SHAP values, one row per feature, with the greatest mean share at the top.

    Parameters
    ----------
    shares, values : arrays of shape (pairs, features)
        SHAP values (Lundberg and others, Nature Machine Intelligence 2020) and the feature values they
        explain. A missing value is drawn in grey, the others by their rank among the pairs.
    names : sequence of str
        Column names.
    about : str
        Data, split and number of pairs, for the title.

    """
    order = np.argsort(-np.abs(shares).mean(0), kind="stable")[:ROWS]
    figure = Figure(figsize=(9, 1.6 + 0.34 * len(order)), layout="constrained")
    axis = figure.subplots()
    for place, column in enumerate(order):
        share, value = shares[:, column], values[:, column]
        height = len(order) - 1 - place + _swarm(share)
        missing = np.isnan(value)
        axis.scatter(share[missing], height[missing], s=5, color=GREY, linewidths=0, rasterized=True)
        points = axis.scatter(
            share[~missing],
            height[~missing],
            s=5,
            c=_ranks(value[~missing]),
            cmap=LOW_TO_HIGH,
            vmin=0,
            vmax=1,
            linewidths=0,
        )
    axis.axvline(0, color=INK, linewidth=0.8)
    axis.set_yticks(range(len(order)), [names[column] for column in order[::-1]])
    axis.set(ylim=(-0.8, len(order) - 0.2), xlabel="share of the score (SHAP value)")
    bar = figure.colorbar(points, ax=axis, aspect=40, pad=0.01, ticks=[0, 1])
    bar.ax.set_yticklabels(["low", "high"])
    bar.set_label("value of the feature (grey: missing)", labelpad=-15)
    bar.outline.set_visible(False)
    plain(axis, grid="x")
    axis.set_title(title("What moves the score", about), fontsize=12)
    return figure


def calibration_figure(calibration: pl.DataFrame, about: str) -> Figure:
    """Draw how often passages with a given predicted probability are relevant, and how many there are.

    Parameters
    ----------
    calibration : frame with columns probability, relevant, low, high, pairs
        One row per bin of probabilities: their mean, the share of relevant passages with its interval, and
        the number of pairs.
    about : str
        Data, split and number of questions, for the title.

    """
    figure = Figure(figsize=(6.5, 7), layout="constrained")
    axis, counts = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    predicted, observed = calibration["probability"].to_numpy(), calibration["relevant"].to_numpy()
    spread = np.abs(calibration.select("low", "high").to_numpy().T - observed)
    axis.plot([0, 1], [0, 1], color=GREY, linestyle="--", label="perfectly calibrated")
    axis.errorbar(
        predicted, observed, yerr=spread, color=BLUE, marker="o", markersize=5, capsize=2, label="observed"
    )
    axis.set(ylim=(0, 1), ylabel="share of relevant passages")
    axis.legend(loc="upper left", frameon=False)
    counts.bar(predicted, calibration["pairs"], width=0.04, color=BLUE)
    counts.set(xlim=(-0.03, 1.03), yscale="log", xlabel="predicted probability", ylabel="pairs (log scale)")
    for each in (axis, counts):
        plain(each, grid="both")
    axis.set_title(title("Calibration of the probability", about), fontsize=12)
    return figure


def _ranks(values: FloatArray) -> FloatArray:
    """Return the rank of each value, scaled to 0 to 1; equal values have the same rank."""
    different, places = np.unique(values, return_inverse=True)
    return np.asarray(places / max(len(different) - 1, 1), dtype=np.float32)


def _swarm(shares: FloatArray) -> FloatArray:
    """Return each point's offset from the middle of its row, so points with similar SHAP values fan out."""
    span = float(np.ptp(shares)) or 1.0
    bins = np.minimum((shares - shares.min()) / span * HEIGHTS, HEIGHTS - 1).astype(np.int64)
    order = np.argsort(bins, kind="stable")
    within = np.arange(len(order)) - np.searchsorted(bins[order], bins[order])
    fullest = np.bincount(bins).max()
    height = np.empty(len(order))
    height[order] = np.where(within % 2, 1, -1) * ((within + 1) // 2) / max(fullest, 1) * 0.8
    return np.asarray(height, dtype=np.float32)
