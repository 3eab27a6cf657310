"""Learns affinity: which passages are relevant given that another is, by models new to the question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import lightgbm
import numpy as np

from rulerank.arrays import BoolArray, DoubleArray, FloatArray, IntArray, bounds
from rulerank.features.affinity import Affinity, gains
from rulerank.features.company import Company, ScoredCandidates, columns_of, company
from rulerank.features.curve import probabilities
from rulerank.features.index import RankingIndex
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.lambdamart import repeatable
from rulerank.learn.ranker.multi_passage import MultiPassageNdcg
from rulerank.settings import Affinity as AffinitySettings
from rulerank.trees import Trees, mean_of

WEIGHTS = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
"""The weights to try; the least of equals is taken."""

AT_ONCE = 512
"""How many questions have their couples formed at once."""


@dataclass(frozen=True, eq=False)
class AffinityExamples:
    """The candidates of training questions, scored by models that have not seen them.

    Parameters
    ----------
    columns : int array of shape (pairs,)
        The passage of each candidate; the rows of one question are adjacent.
    scores : array of shape (pairs,)
        The ranker's scores.
    folds : int array of shape (pairs,)
        The fold of each candidate's question.
    described : array of shape (pairs, names)
        Features of the candidates.
    names : tuple of str
        Which features of `company.DESCRIBED` these are.

    """

    columns: IntArray
    scores: DoubleArray
    folds: IntArray
    described: FloatArray
    names: tuple[str, ...]

    def couples(
        self, index: RankingIndex, fold: int, measure: MultiPassageNdcg
    ) -> Iterator[tuple[Company, Company]]:
        """Yield the couples of some questions of a fold: those led by relevant passages, and by the first."""
        starts = measure.starts
        asked = np.flatnonzero(self.folds[starts[:-1]] == fold)
        for first in range(0, len(asked), AT_ONCE):
            part = asked[first : first + AT_ONCE]
            rows = np.concatenate([np.arange(starts[each], starts[each + 1]) for each in part])
            own = bounds(measure.sizes[part])
            lists = ScoredCandidates(index, self.columns[rows], own, self.scores[rows], self.described[rows])
            for_training = company(lists, measure.labels[rows] > 0)
            yield _numbered(for_training, rows), _numbered(company(lists, lists.leading()), rows)


def fit_affinity(
    examples: AffinityExamples,
    index_for: Callable[[int], RankingIndex],
    measure: MultiPassageNdcg,
    settings: AffinitySettings,
    *,
    seed: int,
    threads: int,
) -> tuple[OutOfFold[Affinity] | None, DoubleArray]:
    """Learn what company says about a passage, and choose how much it counts.

    A couple is learned from if its leader is relevant, whatever its rank.

    Parameters
    ----------
    examples : AffinityExamples
        The training questions.
    index_for : callable
        Returns the index of which no part has seen a fold.
    measure : MultiPassageNdcg
        The measure on the same rows.
    settings : Affinity
        The section `affinity` of params.yaml.
    seed, threads : int
        Seed and threads of the training.

    Returns
    -------
    affinity : OutOfFold of Affinity, or None
        None if it helps no question, or nothing can be learned. The one on all questions is the mean of those
        without each fold.
    scores : array of shape (pairs,)
        The scores, including what is added.

    """
    curve = platt(examples.scores, measure.labels)
    if not settings.trees or curve["slope"] == 0 or not measure.taken.any():
        return None, examples.scores
    folds = np.unique(examples.folds).tolist()
    couples = [couple for fold in folds for couple in examples.couples(index_for(fold), fold, measure)]
    learned, seen = (Company.joined([couple[side] for couple in couples]) for side in (0, 1))
    del couples
    relevant = measure.labels[learned.others] > 0
    rows = {fold: examples.folds[learned.others] != fold for fold in folds}
    if any(len(np.unique(relevant[own])) < 2 for own in rows.values()):
        return None, examples.scores
    trees = {
        fold: _train(learned.matrix[own], relevant[own], columns_of(examples.names), settings, seed, threads)
        for fold, own in rows.items()
    }
    gained = _gained(examples, seen, curve, trees, threads)
    weight = measure.best_weight(WEIGHTS, examples.scores, gained)
    if weight == 0:
        return None, examples.scores
    models = OutOfFold(mean_of(list(trees.values())), trees)
    affinity = models.map(lambda each: Affinity(each, weight, curve, examples.names))
    return affinity, examples.scores + weight * gained


def _numbered(couples: Company, rows: IntArray) -> Company:
    """Return couples whose candidates are numbered by their rows."""
    return Company(rows[couples.leaders], rows[couples.others], couples.matrix)


def _gained(
    examples: AffinityExamples, seen: Company, curve: dict[str, float], trees: dict[int, Trees], threads: int
) -> DoubleArray:
    """Return what is added to each score at weight 1, by the trees that have not seen its question."""
    told = np.empty(len(seen.others))
    for fold, each in trees.items():
        rows = examples.folds[seen.others] == fold
        told[rows] = each.scores(seen.matrix[rows], threads)
    led = probabilities(examples.scores, curve).astype(np.float64)[seen.leaders]
    return gains(examples.scores, curve, seen.others, told, led) / curve["slope"]


def _train(
    matrix: FloatArray,
    relevant: BoolArray,
    names: list[str],
    settings: AffinitySettings,
    seed: int,
    threads: int,
) -> Trees:
    parameters = {
        "objective": "binary",
        "num_leaves": settings.num_leaves,
        "learning_rate": settings.learning_rate,
        "min_data_in_leaf": settings.min_data_in_leaf,
        "feature_fraction": settings.feature_fraction,
        "lambda_l2": settings.lambda_l2,
        **repeatable(seed, threads),
    }
    dataset = lightgbm.Dataset(matrix, relevant, feature_name=names)
    return Trees(lightgbm.train(parameters, dataset, settings.trees).model_to_string())
