"""Fusion features: what the runs say about a passage, and how far they agree (ObliQA-MP, Table 2)."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.index import DESCRIBED
from rulerank.features.pairs import FUSED, Pairs
from rulerank.features.registry import declare, feature
from rulerank.features.runs import run_features
from rulerank.retrieve.search import RRF

AGREED = 10
"""How many first ranks count as agreement of the runs."""


for _run in (*DESCRIBED, RRF):
    for _each in run_features(_run):
        declare(_each)


@feature("fusion")
def pretrained_score(pairs: Pairs) -> FloatArray:
    """Cosine of question and passage under the encoder without its adapter."""
    return pairs.around.pretrained()


@feature("fusion")
def pretrained_rank(pairs: Pairs) -> FloatArray:
    """Rank of the passage among the question's candidates by that cosine."""
    return pairs.rank(pairs.around.pretrained())


@feature("fusion")
def pretrained_gap(pairs: Pairs) -> FloatArray:
    """That cosine minus its highest value among the candidates."""
    return pairs.gap(pairs.around.pretrained())


@feature("fusion")
def bm25_dense_blend(pairs: Pairs) -> FloatArray:
    """0.3 BM25 + 0.7 dense, both min-max scaled among the question's candidates."""
    bm25, dense = (pairs.scaled(pairs.run_scores[run]) for run in ("bm25", "dense"))
    blend: FloatArray = (0.3 * bm25 + 0.7 * dense).astype(np.float32)
    return blend


@feature("fusion")
def dense_x_rrf(pairs: Pairs) -> FloatArray:
    """Dense score times RRF score."""
    return pairs.run_scores["dense"] * pairs.run_scores["rrf"]


@feature("fusion")
def rank_diff(pairs: Pairs) -> FloatArray:
    """BM25 rank minus dense rank."""
    bm25, dense = _ranks(pairs)
    return bm25 - dense


@feature("fusion")
def rank_abs_diff(pairs: Pairs) -> FloatArray:
    """Absolute difference of BM25 rank and dense rank."""
    return np.abs(rank_diff(pairs))


@feature("fusion")
def rank_min(pairs: Pairs) -> FloatArray:
    """The better of BM25 rank and dense rank."""
    return np.minimum(*_ranks(pairs))


@feature("fusion")
def rank_max(pairs: Pairs) -> FloatArray:
    """The worse of BM25 rank and dense rank."""
    return np.maximum(*_ranks(pairs))


@feature("fusion", constants=FUSED)
def fused_score(pairs: Pairs) -> FloatArray:
    """Dense score (or its mean with late interaction, if there is one) + 0.005 BM25 with headings."""
    return pairs.fused


@feature("fusion", constants=FUSED)
def fused_rank(pairs: Pairs) -> FloatArray:
    """Rank of the passage among the question's candidates by that sum."""
    return pairs.fused_rank


@feature("fusion", constants=FUSED)
def fused_gap(pairs: Pairs) -> FloatArray:
    """That sum minus its highest value among the candidates."""
    return pairs.gap(pairs.fused)


@feature("fusion", constants={"AGREED": AGREED})
def runs_agreeing(pairs: Pairs) -> FloatArray:
    """Number of runs, without their fusion, that rank the passage among the first ten candidates."""
    among = [pairs.run_ranks[run] <= AGREED for run in DESCRIBED]
    agreeing: FloatArray = np.sum(among, axis=0, dtype=np.float32)
    return agreeing


def _ranks(pairs: Pairs) -> tuple[FloatArray, FloatArray]:
    return pairs.run_ranks["bm25"], pairs.run_ranks["dense"]
