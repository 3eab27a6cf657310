"""Questions whose relevant passages are in one document of the harbour, which the scores do not show."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pytest

from rulerank.features.affinity import Affinity
from rulerank.features.company import ScoredCandidates
from rulerank.features.withheld import nothing_withheld
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.affinity import AffinityExamples, fit_affinity
from rulerank.learn.ranker.multi_passage import MultiPassageNdcg
from rulerank.settings import Affinity as AffinitySettings
from tests.features.world import build_world

QUESTIONS = 60
SMALL = AffinitySettings(trees=20, num_leaves=4, min_data_in_leaf=5)


@dataclass(frozen=True)
class Harbour:
    """Training questions with all passages of the harbour as candidates."""

    lists: ScoredCandidates
    folds: np.ndarray
    relevant: np.ndarray

    def fit(self, settings: AffinitySettings = SMALL) -> tuple[OutOfFold[Affinity] | None, np.ndarray]:
        lists = self.lists
        taught = AffinityExamples(lists.columns, lists.scores, self.folds, lists.described, ())
        return fit_affinity(taught, lambda _: lists.index, self.measure, settings, seed=3, threads=1)

    @property
    def measure(self) -> MultiPassageNdcg:
        ids = np.repeat([f"q{number}" for number in range(QUESTIONS)], self.size)
        scored = pl.DataFrame({"query_id": ids, "relevance": self.relevant.astype(np.int64)})
        judged = scored.filter(pl.col("relevance") > 0).with_columns(passage_id=pl.lit("p"))
        return MultiPassageNdcg.of(scored, nothing_withheld(range(QUESTIONS)), judged)

    @property
    def size(self) -> int:
        return len(self.relevant) // QUESTIONS


@pytest.fixture(scope="module")
def taught() -> Harbour:
    index = build_world().index
    generator, size = np.random.default_rng(5), len(index)
    columns = np.tile(np.arange(size), QUESTIONS)
    meant = generator.integers(2, size=QUESTIONS)
    relevant = index.around.documents[columns] == np.repeat(meant, size)
    # The best passage of a question is relevant; all other scores are noise.
    scores = generator.normal(size=len(columns))
    first = [
        size * number + np.flatnonzero(index.around.documents == meant[number])[0] for number in range(60)
    ]
    scores[first] += 4
    lists = ScoredCandidates(
        index, columns, np.arange(QUESTIONS + 1) * size, scores, np.empty((len(columns), 0), np.float32)
    )
    return Harbour(lists, np.repeat(np.arange(QUESTIONS) % 3, size), relevant)


def test_the_company_of_a_relevant_passage_is_learned(taught: Harbour) -> None:
    affinity, scores = taught.fit()
    assert affinity is not None
    assert sorted(affinity.without) == [0, 1, 2]
    relevant = taught.relevant
    before, after = (each[relevant].mean() - each[~relevant].mean() for each in (taught.lists.scores, scores))
    assert after > 1.4 * before
    assert (scores >= taught.lists.scores).all()
    # A question that was not asked in training is served by the mean of the models.
    added = affinity.full.added(taught.lists)
    means = np.mean([each.trees.scores(_row(True)) for each in affinity.without.values()])
    assert affinity.full.trees.scores(_row(True))[0] == pytest.approx(means)
    assert added[relevant].mean() > added[~relevant].mean()


def test_what_serves_a_question_has_not_seen_its_judgements(taught: Harbour) -> None:
    affinity, scores = taught.fit()
    turned = np.where(taught.folds == 1, ~taught.relevant, taught.relevant)
    other, _ = replace(taught, relevant=turned).fit()
    assert affinity is not None
    assert other is not None
    assert other.without[1].trees.text == affinity.without[1].trees.text
    assert other.without[0].trees.text != affinity.without[0].trees.text
    own = taught.folds == 1
    added = affinity.without[1].added(taught.lists)
    np.testing.assert_allclose((scores - taught.lists.scores)[own], added[own], atol=1e-9)


def test_nothing_is_added_where_nothing_helps(taught: Harbour) -> None:
    generator = np.random.default_rng(8)
    random = replace(taught, relevant=generator.permutation(taught.relevant))
    perfect = replace(random, lists=replace(taught.lists, scores=10.0 * random.relevant))
    affinity, scores = perfect.fit()
    assert affinity is None
    assert scores is perfect.lists.scores


def test_no_trees_and_a_single_relevant_passage_leave_the_scores(taught: Harbour) -> None:
    assert taught.fit(AffinitySettings(trees=0))[0] is None
    single = taught.relevant & (np.arange(len(taught.relevant)) % taught.size == 3)
    assert replace(taught, relevant=single).fit()[0] is None


def _row(in_one_document: bool) -> np.ndarray:
    row = np.zeros((1, 9), np.float32)
    row[0, 3] = in_one_document
    return row
