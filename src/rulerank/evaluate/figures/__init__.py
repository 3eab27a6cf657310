"""Pictures of an evaluation, one function per picture. They need matplotlib, part of the extra `train`."""

from rulerank.evaluate.figures.model import (
    ablation_figure,
    calibration_figure,
    importance_figure,
    shap_figure,
)
from rulerank.evaluate.figures.runs import differences_figure, recall_figure
from rulerank.evaluate.figures.style import png

__all__ = [
    "ablation_figure",
    "calibration_figure",
    "differences_figure",
    "importance_figure",
    "png",
    "recall_figure",
    "shap_figure",
]
