"""One model of an exported ranker: its trees, its probabilities, and what the list adds to their scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rulerank.arrays import BoolArray, DoubleArray, starts_of
from rulerank.features.affinity import Affinity
from rulerank.features.company import ScoredCandidates
from rulerank.features.completion import Completion
from rulerank.features.extract import Batch
from rulerank.features.feature_set import FeatureSet
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.standing import Standing
from rulerank.trees import Trees


@dataclass(frozen=True, eq=False)
class Scored:
    """The scores of candidates.

    Parameters
    ----------
    trees : array of shape (candidates,)
        The scores of the trees.
    standing : array of shape (candidates,)
        What the standing of a candidate adds, which also multiplies the scores of the trees.
    company : array of shape (candidates,)
        What the other passages of the list add then: affinity, or completing judged sets.

    """

    trees: DoubleArray
    standing: DoubleArray
    company: DoubleArray

    @property
    def total(self) -> DoubleArray:
        """The scores by which candidates are ordered."""
        return self.trees + (self.standing + self.company)

    def at(self, kept: BoolArray) -> Scored:
        """Return the scores of some candidates."""
        return Scored(self.trees[kept], self.standing[kept], self.company[kept])


@dataclass(frozen=True, eq=False)
class Model:
    """One trained ranker.

    Parameters
    ----------
    trees : Trees
        The model.
    features : FeatureSet
        The columns that it reads, in order.
    curve : mapping of str to float
        `slope` and `intercept` of the logistic curve from score to probability of relevance.
    completion : Completion, optional
        What completing judged sets adds to the scores.
    affinity : Affinity, optional
        What the company of a passage adds to the scores, if no judged sets are completed.
    standing : Standing, optional
        What the standing of a candidate in its list adds to the scores.

    """

    trees: Trees
    features: FeatureSet
    curve: Mapping[str, float]
    completion: Completion | None = None
    affinity: Affinity | None = None
    standing: Standing | None = None

    def scored(
        self, batch: Batch, columns: FeatureSet, judgements: JudgementIndex, kept: BoolArray
    ) -> Scored:
        """Score the candidates of some questions.

        Parameters
        ----------
        batch : Batch
            Questions and their candidates.
        columns : FeatureSet
            The columns of its matrix, `features` among them.
        judgements : JudgementIndex
            The judgements.
        kept : boolean array of shape (pairs,)
            The candidates to score: all of a question, or none.

        """
        pairs, matrix = batch.pairs, batch.matrix[kept][:, columns.places(self.features.names)]
        trees = self.trees.scores(matrix)
        starts = starts_of(pairs.rows[kept], len(pairs.queries))
        standing, company = np.zeros((2, len(trees)))
        if self.standing is not None:
            values = matrix[:, self.features.places(self.standing.names)]
            standing = self.standing.added(trees, values, starts)
        if self.affinity is not None:
            described = matrix[:, self.features.places(self.affinity.described)]
            lists = ScoredCandidates(pairs.index, pairs.columns[kept], starts, trees + standing, described)
            company = self.affinity.added(lists)
        if self.completion is not None:
            scores = trees + (standing + company)
            company = company + self.completion.added(judgements, pairs.judged.of(kept), scores)
        return Scored(trees, standing, company)
