from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rulerank.evaluate.figures import (
    ablation_figure,
    calibration_figure,
    differences_figure,
    importance_figure,
    png,
    recall_figure,
    shap_figure,
)


def test_recall_figure_draws_one_line_a_run() -> None:
    recall = pl.DataFrame(
        {"run": ["bm25", "bm25", "rrf", "rrf"], "depth": [1, 10] * 2, "recall": [0.1, 0.4, 0.2, 0.5]}
    )
    (axis,) = recall_figure(recall, "sample, 3 questions").axes
    assert [line.get_label() for line in axis.lines] == ["bm25", "rrf"]
    assert list(axis.lines[1].get_ydata()) == [0.2, 0.5]
    assert axis.get_title().endswith("sample, 3 questions")


def test_differences_figure_counts_wins_and_losses() -> None:
    (axis,) = differences_figure(np.array([0.5, -0.25, 0, 0.5]), "ranker", "rrf", "nDCG@10", "").axes
    labels = axis.get_legend_handles_labels()[1]
    assert labels == ["ranker better: 2", "rrf better: 1", "mean: +0.1875"]
    assert "(1 the same)" in axis.get_xlabel()


def test_ablation_figure_draws_each_kind_and_marks_what_is_significant() -> None:
    ablation = pl.DataFrame(
        {
            "variant": ["lexical", "closure", "lexical"],
            "kind": ["without", "without", "only"],
            "measure": ["nDCG@10"] * 3,
            "value": [0.6, 0.7, 0.5],
            "difference": [-0.1, -0.01, -0.2],
            "low": [-0.15, -0.02, -0.3],
            "high": [-0.05, 0.01, -0.1],
            "p_holm": [0.001, 0.4, None],
        }
    )
    without, only = ablation_figure(ablation, "sample").axes
    assert [label.get_text() for label in without.get_yticklabels()] == ["closure", "lexical"]
    assert [bar.get_width() for bar in only.patches] == [-0.2]
    weak, strong = (bar.get_facecolor() for bar in without.patches)
    assert weak != strong
    assert only.patches[0].get_facecolor() == weak


def test_importance_figure_orders_each_side_by_its_own_measure() -> None:
    importance = pl.DataFrame(
        {"feature": ["a", "b"], "group": ["x", "y"], "gain": [0.9, 0.1], "permutation": [0.0, 0.2]}
    )
    gain, permutation = importance_figure(importance, "").axes
    assert [label.get_text() for label in gain.get_yticklabels()] == ["b", "a"]
    assert [label.get_text() for label in permutation.get_yticklabels()] == ["a", "b"]


def test_shap_figure_puts_the_greatest_share_on_top() -> None:
    shares = np.array([[0.1, -2.0], [0.2, 1.0], [0.0, 0.5]])
    values = np.array([[1.0, np.nan], [2.0, 3.0], [2.0, 3.0]])
    axis = shap_figure(shares, values, ["small", "great"], "").axes[0]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["small", "great"]
    assert sum(len(points.get_offsets()) for points in axis.collections) == shares.size


def test_shap_figure_of_a_feature_that_is_always_missing() -> None:
    assert png(shap_figure(np.zeros((2, 1)), np.full((2, 1), np.nan), ["a"], "")).startswith(b"\x89PNG")


def test_calibration_figure_is_the_same_file_twice() -> None:
    table = pl.DataFrame(
        {
            "probability": [0.2, 0.8],
            "relevant": [0.3, 0.7],
            "low": [0.1, 0.5],
            "high": [0.4, 0.9],
            "pairs": [9, 1],
        }
    )
    assert png(calibration_figure(table, "sample")) == png(calibration_figure(table, "sample"))


def test_letters_that_no_font_has_warn_of_nothing(recwarn: pytest.WarningsRecorder) -> None:
    recall = pl.DataFrame({"run": ["bm25"] * 2, "depth": [1, 10], "recall": [0.1, 0.4]})

    assert png(recall_figure(recall, "예인"))[:4] == b"\x89PNG"
    assert not recwarn.list
