"""RefWalk: from a question to a pool of passages, scored under every view, fused into one order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from rulerank.arrays import BoolArray, FloatArray, IntArray, best_columns
from rulerank.refwalk.anchor import Anchor, AnchorModel
from rulerank.refwalk.views import VIEWS, views
from rulerank.retrieve.fusion import Fusion, Run, fusion
from rulerank.settings import RefWalkSettings

Search = Callable[[str], FloatArray]
"""From a text to the score of each of the N passages, shape (N,); -inf for one that is never returned."""

Scorer = Callable[[str, IntArray], FloatArray]
"""From a text and some passages to how well each answers it, shape (passages,); higher is better."""

Expand = Callable[[IntArray, FloatArray], tuple[IntArray, FloatArray]]
"""From seeds and their scores to the passages they lead to and their decayed scores."""


@dataclass(frozen=True, eq=False)
class Gathered:
    """The passages to score for one question.

    Parameters
    ----------
    anchor : Anchor
        The anchor of the question.
    views : mapping of str to str
        The question under each view, as text.
    passages, by_citation, scores : arrays of shape (pool,)
        As in `Pool`; `scores` are its `gathering_scores`.

    """

    anchor: Anchor
    views: Mapping[str, str]
    passages: IntArray
    by_citation: BoolArray
    scores: FloatArray


@dataclass(frozen=True, eq=False)
class Pool:
    """The passages that are scored for one question.

    Parameters
    ----------
    anchor : Anchor
        The anchor of the question.
    passages : array of shape (pool,)
        Rows of the passages, ascending.
    by_citation : boolean array of shape (pool,)
        Whether a passage is in the pool only through citations.
    gathering_scores : array of shape (pool,)
        The scores that brought them into the pool: from the search, or decayed along the citations.
    runs : mapping of str to Run
        The scores under each view, each of shape (1, pool).

    """

    anchor: Anchor
    passages: IntArray
    by_citation: BoolArray
    gathering_scores: FloatArray
    runs: Mapping[str, Run]


@dataclass(frozen=True, eq=False)
class RefWalk:
    """RefWalk over N passages.

    Parameters
    ----------
    anchors : AnchorModel
        Extracts the anchor of a question.
    search : Search
        Gathers by meaning.
    expand : Expand
        Follows citations.
    scorer : Scorer
        Scores the pool under each view.
    tiers : array of shape (N,)
        Authority tier of each passage, NaN where unknown.
    settings : RefWalkSettings
        The section `refwalk` of params.yaml.

    """

    anchors: AnchorModel
    search: Search
    expand: Expand
    scorer: Scorer
    tiers: FloatArray
    settings: RefWalkSettings

    def pool(self, question: str) -> Pool:
        """Anchor a question, gather passages for it, and score them under each of its views."""
        return scored(self.gather(question), self.scorer)

    def gather(self, question: str) -> Gathered:
        """Anchor a question and gather passages for it, with its mid view and along citations."""
        anchor = self.anchors(question)
        texts = views(question, anchor)
        return Gathered(anchor, texts, *self._pool(texts.get("mid", question)))

    def order(self, pool: Pool, fuse: Fusion | None = None) -> tuple[IntArray, FloatArray]:
        """Return the places of a pool's passages, best first, and the fused score of each place.

        Parameters
        ----------
        pool : Pool
            The pool of one question.
        fuse : Fusion, optional
            By default the fusion that the settings name.

        Returns
        -------
        order : array of shape (pool,)
            By fused score; ties by rank under the mid view, then by row.
        scores : array of shape (pool,)
            Fused scores; those of low tiers times `settings.tier_decay`.

        """
        runs = list(pool.runs.values())
        scores = (fuse or self._fusion(pool))(runs)[0]
        low = self.tiers[pool.passages] >= self.settings.low_tier
        scores = np.where(low, scores * np.float32(self.settings.tier_decay), scores)
        tiebreak = pool.runs.get("mid", runs[0]).ranks[0]
        return np.lexsort((pool.passages, tiebreak, -scores)), scores

    def _fusion(self, pool: Pool) -> Fusion:
        weights = dict(zip(VIEWS, self.settings.weights, strict=True))
        return fusion(self.settings.fusion, [weights[view] for view in pool.runs], self.settings.rrf_k)

    def _pool(self, text: str) -> tuple[IntArray, BoolArray, FloatArray]:
        """Return the pool's passages, which of them came only through citations, and their scores."""
        scores = self.search(text)
        best = best_columns(scores[None, :], self.settings.pool)[0]
        best = best[np.isfinite(scores[best])]
        seeds = best[: self.settings.seeds]
        cited, decayed = self.expand(seeds, scores[seeds])
        gathering = np.full(scores.shape, -np.inf, np.float32)
        np.maximum.at(gathering, cited, decayed)
        gathering[~np.isfinite(scores)] = -np.inf
        by_citation = np.isfinite(gathering)
        by_citation[best] = False
        gathering[best] = np.maximum(gathering[best], scores[best])
        passages = np.flatnonzero(np.isfinite(gathering))
        return passages, by_citation[passages], gathering[passages]


def scored(gathered: Gathered, scorer: Scorer) -> Pool:
    """Score the gathered passages under each view."""
    runs = {view: Run(scorer(text, gathered.passages)[None, :]) for view, text in gathered.views.items()}
    return Pool(gathered.anchor, gathered.passages, gathered.by_citation, gathered.scores, runs)
