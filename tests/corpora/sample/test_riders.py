from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from rulerank.corpora import read_corpus
from rulerank.corpora.sample.wording import vocabulary
from rulerank.graph.citations import load_grammar, references_in
from rulerank.text import analyse

HARD = ("L3", "L4")

RIDERS = ("N7", "N8", "HMI")
"""The documents that hold nothing but riders, after the general words of their first section."""


@pytest.fixture(scope="module")
def citations(folder: Path) -> nx.Graph:
    """The citations that are read from the texts, without direction."""
    corpus = read_corpus(folder)
    edges = references_in(corpus.passages, corpus.documents, load_grammar("english_rulebook"))
    return nx.Graph(edges.select("source_id", "target_id").iter_rows())


def of_level(sample: Any, levels: tuple[str, ...]) -> dict[str, dict[str, int]]:
    return {
        query: grades
        for query, grades in sample.judged.items()
        if sample.queries[query]["metadata"]["level"] in levels
    }


def test_hard_questions_rest_on_passages_that_only_citations_lead_to(
    sample: Any, citations: nx.Graph
) -> None:
    """A part of each set shares no stem with the question and is three hops or less from another part."""
    hard = of_level(sample, HARD)
    assert len(hard) > 200
    for query, grades in hard.items():
        asked = set(analyse([sample.queries[query]["text"]])[0])
        stems = {key: set(analyse([sample.corpus[key]["text"]])[0]) for key in grades}
        hidden = {key for key in grades if sample.document(key) in RIDERS and not stems[key] & asked}
        others = {key for key in grades if sample.document(key) not in RIDERS}
        assert any(
            others & nx.single_source_shortest_path_length(citations, key, cutoff=3).keys()
            for key in hidden
            if key in citations
        ), query


def test_easy_questions_need_no_citations(sample: Any) -> None:
    for grades in of_level(sample, ("L1", "L2")).values():
        assert not {sample.document(key) for key in grades} & set(RIDERS)


def test_reference_sets_hold_the_riders_of_their_members(sample: Any, citations: nx.Graph) -> None:
    for grades in sample.judged.values():
        for key in grades:
            riders = {each for each in citations.adj.get(key, ()) if sample.document(each) in RIDERS}
            assert riders <= grades.keys()


def test_words_cannot_tell_one_rider_from_another(sample: Any) -> None:
    """Apart from figures, months and citations, each has the same wording as at least five others."""
    drawn = [value for values in vocabulary("english", "riders")["slots"].values() for value in values]
    codes = [rf"{key}(?= \d)" for key in sample.documents]
    codes.append(r"Paragraph \d[\d.]*(?:\([a-z]\))? of Notice(?= \d+:)")
    slot = re.compile(rf"\b(?:\d[\d.]*(?:\([a-z]\))?|{'|'.join([*drawn, *codes])})(?!\w)")
    riders = [
        row["text"]
        for key, row in sample.corpus.items()
        if sample.document(key) in RIDERS and row["text"] and not key.endswith("-1.1")
    ]
    wordings = Counter(slot.sub("_", text) for text in riders)
    assert len(riders) > 200
    assert len(wordings) <= 15
    assert min(wordings.values()) > 5


def test_riders_stand_in_no_order(sample: Any) -> None:
    """A passage next to a rider belongs to another provision's regime more often than to the rider's."""
    numbers = [
        [int(part) for part in re.findall(r"\d+", row["text"])[:2]]
        for key, row in sample.corpus.items()
        if sample.document(key) == "HMI" and row["metadata"]["kind"] == "rule"
    ]
    assert len(numbers) > 50
    assert np.mean([left == right for left, right in pairwise(numbers)]) < 0.25
