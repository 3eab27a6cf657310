from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import bm25s
import numpy as np
import pytest

from rulerank.corpora.sample.difficulty import LEVELS
from rulerank.corpora.sample.questions import TYPES
from rulerank.corpora.sample.write import draw_rulebook
from rulerank.text import analyse


@pytest.fixture(scope="module")
def bm25(sample: Any) -> dict[str, list[str]]:
    """The whole BM25 ranking of every question, over the passages that have text."""
    passages = [key for key, row in sample.corpus.items() if row["text"]]
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(analyse([sample.corpus[key]["text"] for key in passages]), show_progress=False)
    terms = analyse([row["text"] for row in sample.queries.values()])
    return {
        query: [passages[row] for row in np.argsort(-index.get_scores(found), kind="stable")]
        for query, found in zip(sample.queries, terms, strict=True)
    }


def test_no_question_is_asked_twice(sample: Any) -> None:
    assert len({row["text"] for row in sample.queries.values()}) == len(sample.queries) == 960


def test_type_and_level_vary_independently(sample: Any) -> None:
    pairs = Counter((row["metadata"]["type"], row["metadata"]["level"]) for row in sample.queries.values())
    table = np.array([[pairs[kind, found] for found in LEVELS] for kind in TYPES], dtype=float)
    assert sum(pairs.values()) == table.sum()
    assert table.min() >= 10
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / table.sum()
    cramers_v = np.sqrt(((table - expected) ** 2 / expected).sum() / table.sum() / (min(table.shape) - 1))
    assert cramers_v < 0.05


@pytest.mark.parametrize(("kind", "found"), list(product(TYPES, LEVELS)))
def test_every_type_occurs_at_every_level_in_training(sample: Any, kind: str, found: str) -> None:
    training = (sample.queries[query]["metadata"] for query in sample.qrels["train"])
    assert (kind, found) in {(metadata["type"], metadata["level"]) for metadata in training}


def test_questions_depart_from_the_wording_of_their_passages(sample: Any) -> None:
    """On average, less than half of a passage's terms occur in its question, and never all of them."""
    queries = dict(zip(sample.queries, analyse([r["text"] for r in sample.queries.values()]), strict=True))
    passages = dict(zip(sample.corpus, analyse([r["text"] for r in sample.corpus.values()]), strict=True))
    shares = [
        len(set(passages[key]) & set(queries[query])) / len(set(passages[key]))
        for query, grades in sample.judged.items()
        for key, grade in grades.items()
        if grade == 2
    ]
    assert np.mean(shares) < 0.5


def test_bm25_finds_half_to_three_quarters(sample: Any, bm25: dict[str, list[str]]) -> None:
    held_out = sample.qrels["dev"] | sample.qrels["test"]
    recall = [len(grades.keys() & set(bm25[query][:10])) / len(grades) for query, grades in held_out.items()]
    assert 0.45 <= np.mean(recall) <= 0.75


def test_hard_questions_need_passages_that_words_do_not_reach(
    sample: Any, bm25: dict[str, list[str]]
) -> None:
    """At L3 and L4, many of the supporting passages are out of BM25's reach."""
    ranks = [
        bm25[query].index(key)
        for query, grades in sample.judged.items()
        if sample.queries[query]["metadata"]["level"] in ("L3", "L4")
        for key, grade in grades.items()
        if grade == 1
    ]
    assert np.mean([rank >= 50 for rank in ranks]) > 0.15


def test_every_question_tells_what_it_is_about(sample: Any) -> None:
    """It names the activity, the permission, who needs it or a defined term, or says what its asker does."""
    rulebook, _ = draw_rulebook(7, "english")
    for row in sample.queries.values():
        facts = rulebook.regimes[row["metadata"]["group"].split("/")[0]].facts
        named = [facts[name] for name in ("noun", "actor", "term", "opener_0", "opener_1")]
        named += [facts[f"{name}_{place}"] for name in ("doing", "paper") for place in range(3)]
        assert any(name.lower() in row["text"].lower() for name in named), row["text"]


def test_questions_of_one_group_are_in_one_split(sample: Any) -> None:
    groups = [
        {sample.queries[query]["metadata"]["group"] for query in sample.qrels[split]}
        for split in ("train", "dev", "test")
    ]
    assert sum(map(len, groups)) == len(set.union(*groups))


def test_most_expressions_are_the_rulebooks_own(sample: Any) -> None:
    """Of the circumstances in questions, some three quarters are put as the rulebook puts them."""
    rulebook, _ = draw_rulebook(7, "english")
    known = lay = 0
    for row in sample.queries.values():
        for own in rulebook.regimes[row["metadata"]["group"].split("/")[0]].own.values():
            if "cond" in own and own["cond"] != own["cond_lay"]:
                known += own["cond"] in row["text"]
                lay += own["cond_lay"] in row["text"]
    assert lay > 20
    assert known / (known + lay) == pytest.approx(0.75, abs=0.1)
