from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rulerank.bundle import RANKER
from rulerank.ranker import Ranker
from rulerank.refwalk.parts import citation_expansion, dense_search, passage_texts, ranker_scorer
from rulerank.settings import RefWalkSettings
from rulerank.tables import EDGES

QUESTION = "Must the tug operator keep a log for two years if the tug is hired out?"
IDS = pl.Series(["a", "b", "c", "d", "e", "f"])
CITES = pl.DataFrame(
    [
        ("a", "b", "REFERENCES", ""),
        ("c", "b", "SPECIFIES", ""),
        ("c", "d", "DELEGATES_TO", ""),
        ("a", "e", "PARENT_OF", ""),
    ],
    schema=dict(EDGES.columns),
    orient="row",
)


@pytest.mark.parametrize(
    ("seeds", "hops", "expected"),
    [
        ({0: 1.0}, 1, {0: 1.0, 1: 0.7}),
        ({0: 1.0}, 3, {0: 1.0, 1: 0.7, 2: 0.49, 3: 0.343}),
        # From a and c: b keeps the maximum of 0.7 x 1.0 and 0.7 x 0.5, never the sum.
        ({0: 1.0, 2: 0.5}, 1, {0: 1.0, 1: 0.7, 2: 0.5, 3: 0.35}),
        ({}, 1, {}),
    ],
)
def test_citations_are_followed_both_ways_and_decay(
    seeds: dict[int, float], hops: int, expected: dict[int, float]
) -> None:
    expand = citation_expansion(CITES, IDS, RefWalkSettings(hops=hops))
    passages, scores = expand(np.array(list(seeds), np.int64), np.array(list(seeds.values()), np.float32))
    assert dict(zip(passages.tolist(), scores.tolist(), strict=True)) == pytest.approx(expected)


def test_search_never_finds_a_heading(ranker: Ranker) -> None:
    scores = dense_search(ranker.bundle)(QUESTION)
    has_text = (ranker.bundle.passages["text"].str.strip_chars() != "").to_numpy()
    assert np.array_equal(np.isfinite(scores), has_text)


def test_ranker_scorer_gives_a_candidate_the_score_of_the_ranking(ranker: Ranker) -> None:
    asked = pl.DataFrame({"query_id": ["q"], "text": [QUESTION]})
    runs, _ = ranker.runs(asked)
    ranked = runs.filter(pl.col("run") == RANKER)
    rows = ranker.bundle.passages.with_row_index("row").join(ranked, on="passage_id").sort("row")
    scores = ranker_scorer(ranker.bundle)(QUESTION, rows["row"].to_numpy().astype(np.int64))
    assert scores == pytest.approx(rows["score"].to_numpy(), abs=1e-5)


def test_ranker_scorer_reads_no_marks(ranker: Ranker) -> None:
    score, passages = ranker_scorer(ranker.bundle), np.array([5, 9, 20])
    assert np.array_equal(score("[TOPIC] tug log\n[Q] Who?", passages), score("tug log Who?", passages))


def test_text_of_a_passage_begins_with_document_and_section(ranker: Ranker) -> None:
    passage = ranker.bundle.passages.with_row_index("row").filter(pl.col("text") != "").row(0, named=True)
    titles = dict(ranker.bundle.documents.select("document_id", "title").iter_rows())
    expected = f"{titles[passage['document_id']]} {passage['section']}\n{passage['text']}"
    assert passage_texts(ranker.bundle)[passage["row"]] == expected
    assert passage_texts(ranker.bundle).len() == ranker.bundle.passages.height
