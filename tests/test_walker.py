from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rulerank.bundle import RANKER
from rulerank.errors import SettingsError
from rulerank.ranker import Ranker
from rulerank.retrieve.refwalk.rules import rule_anchor
from rulerank.settings import RefWalk
from rulerank.tables import EDGES
from rulerank.walker import (
    citations,
    dense_search,
    learned_scorer,
    settings_of,
    shown_texts,
    walk_over,
    walked,
)

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
    expand = citations(CITES, IDS, RefWalk(hops=hops))
    passages, scores = expand(np.array(list(seeds), np.int64), np.array(list(seeds.values()), np.float32))
    assert dict(zip(passages.tolist(), scores.tolist(), strict=True)) == pytest.approx(expected)


def test_search_never_finds_a_heading(ranker: Ranker) -> None:
    scores = dense_search(ranker.bundle)(QUESTION)
    has_text = (ranker.bundle.passages["text"].str.strip_chars() != "").to_numpy()
    assert np.array_equal(np.isfinite(scores), has_text)


def test_learned_scorer_gives_a_candidate_the_score_of_the_ranking(ranker: Ranker) -> None:
    asked = pl.DataFrame({"query_id": ["q"], "text": [QUESTION]})
    runs, _ = ranker.runs(asked)
    ranked = runs.filter(pl.col("run") == RANKER)
    rows = ranker.bundle.passages.with_row_index("row").join(ranked, on="passage_id").sort("row")
    scores = learned_scorer(ranker)(QUESTION, rows["row"].to_numpy().astype(np.int64))
    assert scores == pytest.approx(rows["score"].to_numpy(), abs=1e-5)


def test_learned_scorer_reads_no_marks(ranker: Ranker) -> None:
    score, passages = learned_scorer(ranker), np.array([5, 9, 20])
    assert np.array_equal(score("[TOPIC] tug log\n[Q] Who?", passages), score("tug log Who?", passages))


def test_walk_over_a_bundle_is_best_first_and_the_same_twice(ranker: Ranker) -> None:
    walk = walk_over(ranker, rule_anchor, RefWalk())
    first, second = (walked(ranker.bundle, walk, walk.pool(QUESTION), 10) for _ in range(2))
    assert first == second
    assert [passage.rank for passage in first] == list(range(1, 11))
    scores = [passage.score for passage in first]
    assert scores == sorted(scores, reverse=True)
    # By RRM a score says the best rank, and no less than 0.7 of it.
    assert all(0.7 / (60 + min(each.ranks.values())) <= each.score * (1 + 1e-5) for each in first)


def test_shown_text_begins_with_document_and_section(ranker: Ranker) -> None:
    passage = ranker.bundle.passages.with_row_index("row").filter(pl.col("text") != "").row(0, named=True)
    titles = dict(ranker.bundle.documents.select("document_id", "title").iter_rows())
    expected = f"{titles[passage['document_id']]} {passage['section']}\n{passage['text']}"
    assert shown_texts(ranker.bundle)[passage["row"]] == expected
    assert shown_texts(ranker.bundle).len() == ranker.bundle.passages.height


def test_settings_are_those_of_the_bundle_but_for_what_is_changed(ranker: Ranker) -> None:
    assert settings_of(ranker.bundle, hops=None) == RefWalk()
    assert settings_of(ranker.bundle, hops=3, fusion="rrf") == RefWalk(hops=3, fusion="rrf")


def test_setting_out_of_range_is_an_error(ranker: Ranker) -> None:
    with pytest.raises(SettingsError, match="refwalk: fusion: input should be 'rrf', 'wrrf', 'rrm' or"):
        settings_of(ranker.bundle, fusion="borda")
