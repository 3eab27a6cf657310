"""What a trained ranker relies on, and whether its probabilities hold, on questions it was not trained on."""

from rulerank.evaluate.explain.explained import Explained
from rulerank.evaluate.explain.importance import Described, permutation_importance, shap_table
from rulerank.evaluate.explain.page import Part, calibration_part, features_part, runs_part, write_page
from rulerank.evaluate.explain.totals import total_scores

__all__ = [
    "Described",
    "Explained",
    "Part",
    "calibration_part",
    "features_part",
    "permutation_importance",
    "runs_part",
    "shap_table",
    "total_scores",
    "write_page",
]
