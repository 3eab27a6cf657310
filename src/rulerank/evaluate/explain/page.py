"""The page that explains a ranker, part by part: its runs, its features and its probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from rulerank.bundle import RANKER
from rulerank.evaluate.calibration import calibration_table
from rulerank.evaluate.explain.explained import Explained
from rulerank.evaluate.explain.importance import permutation_importance, shap_table
from rulerank.evaluate.figures import (
    calibration_figure,
    differences_figure,
    importance_figure,
    png,
    recall_figure,
    shap_figure,
)
from rulerank.evaluate.measures import MEASURE
from rulerank.evaluate.page import html_page
from rulerank.evaluate.report import markdown_table
from rulerank.files import write_text
from rulerank.settings import Settings

BASELINE = "rrf"


@dataclass(frozen=True, eq=False)
class Part:
    """A part of the page.

    Parameters
    ----------
    markdown : str
        The text.
    tables : mapping of str to polars.DataFrame
        The tables that become CSV files, by file name.
    pictures : mapping of str to bytes
        PNG files, by their address in the Markdown.

    """

    markdown: str
    tables: Mapping[str, pl.DataFrame]
    pictures: Mapping[str, bytes]


def runs_part(scores: pl.DataFrame, recall: pl.DataFrame, about: str) -> Part:
    """Show how the runs compare.

    Parameters
    ----------
    scores : polars.DataFrame
        From `measures.per_query`.
    recall : polars.DataFrame
        From `measures.by_depth`.
    about : str
        Data and split, for the titles.

    """
    asked = f"{about}, {scores['query_id'].n_unique()} questions"
    ranker, baseline = (
        scores.filter(pl.col("run") == name).select("query_id", MEASURE) for name in (RANKER, BASELINE)
    )
    paired = ranker.join(baseline, on="query_id", maintain_order="left")
    differences = (paired[MEASURE] - paired[f"{MEASURE}_right"]).sort(descending=True)
    table = pl.DataFrame({"question": range(1, len(differences) + 1), "difference": differences})
    drawn = differences_figure(differences.to_numpy(), RANKER, BASELINE, MEASURE, asked)
    said = [
        "## Runs\n",
        "![Recall against the number of passages read, one line per run](recall_by_depth.png)\n",
        f"![Gain or loss of each question against {BASELINE}](differences.png)\n",
    ]
    return Part(
        "\n".join(said),
        {"differences.csv": table},
        {"recall_by_depth.png": png(recall_figure(recall, asked)), "differences.png": png(drawn)},
    )


def features_part(explained: Explained, settings: Settings, about: str) -> Part:
    """Show what the model relies on: gain, drop under permutation, SHAP values.

    Parameters
    ----------
    explained : Explained
        The model, and the questions on which it is explained.
    settings : Settings
        The section `explain` bounds the work; `seed` draws the questions and pairs.
    about : str
        Data and split, for the titles.

    """
    model, bounds, seed = explained.model, settings.explain, settings.seed
    generator = np.random.default_rng(seed)
    shuffled = explained.some(bounds.pairs, generator)
    gains = model.trees.gains
    importance, groups = permutation_importance(
        shuffled.described, model.features, shuffled.predict, gains, bounds.repeats, seed, settings.threads
    )
    values = explained.leading(bounds.depth, bounds.drawn, generator)
    shares = explained.shares(values)
    of_pairs = f"{about}, {len(values)} pairs drawn from the first {bounds.depth} of each question"
    said = [
        "## Feature groups\n",
        f"Share of the gain in the trees; drop in {MEASURE} when the group's columns are shuffled together "
        f"({shuffled.questions} of {explained.questions} questions, seed {seed}). A drop is what this model "
        "loses, not what a model trained without the group would lose.\n",
        markdown_table(groups),
        "## Features\n",
        "![Importance by gain and by permutation](importance.png)\n",
        "![SHAP values of single pairs](shap.png)\n",
        markdown_table(importance),
    ]
    drawn = {
        "importance.png": importance_figure(importance, f"{about}, {shuffled.questions} questions shuffled"),
        "shap.png": shap_figure(shares, values, model.features.names, of_pairs),
    }
    return Part(
        "\n".join(said),
        {
            "importance.csv": importance,
            "importance_by_group.csv": groups,
            "shap.csv": shap_table(shares, values, model.features),
        },
        {name: png(figure) for name, figure in drawn.items()},
    )


def calibration_part(scored: pl.DataFrame, curve: Mapping[str, float], about: str) -> Part:
    """Show whether the probabilities hold that a bundle's `curve` derives from the model's scores.

    Parameters
    ----------
    scored : polars.DataFrame
        From `totals.total_scores`: the curve was fitted to scores with everything that is added to the trees.
    curve : mapping of str to float
        As in `Model`.
    about : str
        Data and split, for the titles.

    """
    labels = scored["relevance"].to_numpy().astype(np.int64)
    calibration = calibration_table(scored["score"].to_numpy(), labels, curve)
    drawn = calibration_figure(calibration, f"{about}, {scored['query_id'].n_unique()} questions")
    said = [
        "## Calibration\n",
        "Mean stated probability, share of passages judged relevant with its 95 % interval, and pairs.\n",
        "![Stated probability against the share of relevant passages](calibration.png)\n",
        markdown_table(calibration),
    ]
    return Part("\n".join(said), {"calibration.csv": calibration}, {"calibration.png": png(drawn)})


def write_page(folder: Path, head: str, parts: Sequence[Part]) -> None:
    """Write the parts' tables and pictures, `report.md` and `report.html`."""
    pictures = {name: content for part in parts for name, content in part.pictures.items()}
    for name, content in pictures.items():
        (folder / name).write_bytes(content)
    for part in parts:
        for name, table in part.tables.items():
            table.write_csv(folder / name)
    markdown = "\n".join([head, *(part.markdown for part in parts)])
    write_text(folder / "report.md", markdown)
    write_text(folder / "report.html", html_page(markdown, pictures))
